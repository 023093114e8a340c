"""What stands at the door: what goes in is made sound, and only our errors come out."""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Concatenate, ParamSpec, Protocol, TypeVar

from kb.errors import BadData, BadDatabase, KbError, UsageError

if TYPE_CHECKING:
    from kb.records import Filters

P = ParamSpec("P")
T = TypeVar("T")
_LARGEST = 1 << 62
_UNREADABLE = (
    AttributeError,
    KeyError,
    TypeError,
    ValueError,
    OverflowError,
    RecursionError,
    MemoryError,
)


class _HasPath(Protocol):
    @property
    def path(self) -> str: ...


L = TypeVar("L", bound=_HasPath)


def door(method: Callable[Concatenate[L, P], T]) -> Callable[Concatenate[L, P], T]:
    """Let nothing but our own errors out of a method."""

    @functools.wraps(method)
    def guarded(self: L, /, *args: P.args, **kwargs: P.kwargs) -> T:
        with only_our_errors(self.path):
            return method(self, *args, **kwargs)

    return guarded


@contextmanager
def only_our_errors(path: str) -> Iterator[None]:
    """Turn what escapes into one of our errors; ``path`` is the database it is about."""
    from kb.store.sqlite.driver import SQLITE_ERRORS, explain

    try:
        yield
    except (KbError, BrokenPipeError):  # the second is the caller's own stream
        raise
    except SQLITE_ERRORS as error:
        raise explain(error, path) from error
    except OSError as error:
        name = error.filename or path
        raise BadData(f"{name}: {error.strerror or error}") from error
    except json.JSONDecodeError as error:
        hint = "Try 'kb doctor'."
        raise BadDatabase(f"{path}: a stored record is damaged ({error})", hint) from error
    except _UNREADABLE as error:
        raise UsageError(f"the request cannot be read ({type(error).__name__}: {error})") from error


def clean(text: str) -> str:
    """Return a text that SQLite and UTF-8 can hold: halves of surrogate pairs and NUL replaced."""
    return text.encode("utf-8", "replace").decode("utf-8").replace("\0", "\ufffd")


def clean_filters(filters: Filters | None) -> Filters:
    """Return filters whose values SQLite can hold."""
    from kb.records import Filters

    if filters is None:
        return Filters()
    values = {name: getattr(filters, name) for name in Filters._fields}
    return Filters(**{name: clean(v) if v is not None else None for name, v in values.items()})


def within(name: str, value: int | None) -> int | None:
    """Return a count that SQLite can hold. Raises `UsageError` below zero."""
    if value is not None and value < 0:
        raise UsageError(f"{name} must not be below zero")
    return None if value is None else min(value, _LARGEST)


def within_reason(timeout: float, memory: int) -> tuple[float, int]:
    """Return limits for a run. Raises `UsageError` for none, or for days."""
    if not 0 < timeout <= 86400 or not 0 < memory <= 1 << 30:
        raise UsageError("a time limit and a memory limit must be above zero, and within reason")
    return timeout, memory


def same_file(target: str | os.PathLike[str], path: str) -> bool:
    """Say whether both names are of one file."""
    try:
        return os.path.samefile(target, path)
    except OSError:
        return False
