"""An open knowledge base: store, index, and what keeps them consistent."""

from __future__ import annotations

import functools
import os
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING, Any, BinaryIO

from kb.errors import BadData, InternalError, KbError, Message, UsageError, nearest
from kb.store.sqlite.files import refuse_database

if TYPE_CHECKING:
    from kb.errors import NotFound
    from kb.model.entry import Entry
    from kb.model.results import Filters, Progress
    from kb.search.index.engine import RankedIndex
    from kb.store.sqlite.store import Store


class Base:
    """The common basis of services. Each service starts its own transactions."""

    def __init__(self, store: Store) -> None:
        self.store, self.path = store, store.path
        store.matching = lambda clause: self.index.documents_with(clause)
        self.session = os.urandom(8).hex()
        """The identity of this object's changes."""

    @functools.cached_property
    def index(self) -> RankedIndex:
        """The index of the store's documents, created on first use: opening does not need it."""
        from kb.search.index.engine import RankedIndex

        return RankedIndex(self.store)

    def entry(self, id: str) -> Entry:
        """Return an entry. Raises `NotFound`."""
        name = clean("an entry", id)
        found = self.store.entries.get([name])
        if name not in found:
            raise self.not_found(Message("entry"), name)
        return found[name]

    def not_found(self, kind: Message, name: str) -> NotFound:
        """Return the error for an unknown name, with the nearest known one."""
        from kb.errors import NotFound, nearest, shown

        known = self.store.catalog.similar_names(name)
        return NotFound(
            "there is no {kind} '{name}'", nearest(name, known), kind=kind, name=shown(name)
        )

    def tidy(self, progress: Progress) -> None:
        """Merge and compact what was added in parts.

        SQLite's own index is updated first; work that ``progress`` stops is done later.
        """
        from kb.errors import Cancelled
        from kb.search.index import fts5

        with suppress(Cancelled):
            fts5.update(self.store, progress)
        self.index.tidy(progress)
        self.store.give_back()

    def show(self, layer: int, shown: bool) -> None:
        """Show or hide the entries of a layer; the caller holds the transaction."""
        from kb.search.index import fts5

        self.store.layers.show(layer, shown)
        fts5.follow(self.store, layer, shown=shown)


# What stands at the door: what goes in is checked and made sound, and only our errors come out.


_LARGEST = 1 << 62
_LONGEST_NAME = 1000


class Service:
    """A group of use cases. Its public methods raise only our errors."""

    def __init__(self, base: Base) -> None:
        self._base = base

    def __init_subclass__(cls) -> None:
        for name, method in [*vars(cls).items()]:
            if isinstance(method, FunctionType) and not name.startswith("_"):
                setattr(cls, name, _guarded(method))


def _guarded(method: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(method)
    def guarded(self: Service, /, *args: Any, **kwargs: Any) -> Any:
        with only_our_errors(self._base.path):
            return method(self, *args, **kwargs)

    return guarded


@contextmanager
def only_our_errors(path: str) -> Iterator[None]:
    """Convert any exception to one of our errors; ``path`` is the database.

    An `OSError` is reported as such; other exceptions are bugs.
    """
    try:
        yield
    except (KbError, BrokenPipeError):  # the second is the caller's own stream
        raise
    except OSError as error:
        name = error.filename or path
        raise BadData("{error}", place=name, error=error.strerror or error) from error
    except Exception as error:
        from kb.store.sqlite.driver import damaged
        from kb.store.sqlite.files import is_whole

        # SQLite accepts some damaged files.
        broken = os.path.isfile(path) and not is_whole(path, "read")
        raise (damaged(path) if broken else internal(error)) from error


def internal(error: BaseException) -> InternalError:
    """Return the error for a bug, with its traceback in a named file."""
    import time
    import traceback

    import platformdirs

    told = "".join(traceback.format_exception(error))
    sentence = Message("danesh stopped because of a bug ({type})", type=type(error).__name__)
    try:
        folder = Path(platformdirs.user_log_dir("kb", appauthor=False))
        file = folder / f"error-{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}.txt"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(told, encoding="utf-8", errors="replace")
    except OSError:
        return InternalError(
            sentence, Message("Please report it with these lines:\n{told}", told=told)
        )
    return InternalError(sentence, Message("Please report it with the file {file}.", file=file))


def clean(name: str, text: str) -> str:
    """Return a text that SQLite and UTF-8 can store: lone surrogates and NUL are replaced.

    Raises `UsageError` if it is not a text.
    """
    if not isinstance(text, str):
        raise UsageError("{name} must be a text, not {type}", name=name, type=type(text).__name__)
    return text.encode("utf-8", "replace").decode("utf-8").replace("\0", "\ufffd")


def visible(what: str, text: str) -> str:
    """Strip a text; raise `UsageError` for control characters in it."""
    said = clean(what, text).strip()
    if any(unicodedata.category(c) == "Cc" for c in said):
        raise UsageError("{what} must not contain control characters", what=what)
    return said


def collection_name(name: str) -> str:
    """Return the name of a collection with single slashes between its parts.

    Control characters are replaced. Raises `UsageError` for an empty or overlong one.
    """
    given = clean("a collection's name", name)
    said = "".join("\ufffd" if unicodedata.category(c) == "Cc" else c for c in given)
    parts = [part.strip() for part in said.split("/")]
    if not all(parts):
        raise UsageError("a collection name must not have empty parts")
    if len(name) > _LONGEST_NAME:
        raise UsageError("a collection's name has at most {most} characters", most=_LONGEST_NAME)
    return "/".join(parts)


def clean_filters(filters: Filters | None) -> Filters:
    """Return filters that SQLite can store; raise `UsageError` for other values."""
    from kb.model.results import Filters
    from kb.model.values import named_level

    if filters is None:
        return Filters()
    if not isinstance(filters, Filters):
        raise UsageError("filters must be Filters, not {type}", type=type(filters).__name__)
    given = filters._asdict().items()
    held = Filters(**{name: clean(name, v) if v is not None else None for name, v in given})
    return held._replace(level=named_level(held.level) or held.level) if held.level else held


def clean_names(name: str, values: Iterable[str]) -> tuple[str, ...]:
    """Return names that SQLite can store; raise `UsageError` for other values."""
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise UsageError(
            "{name} must be several texts, not {type}", name=name, type=type(values).__name__
        )
    return tuple(clean(name, value) for value in values)


def one_of(name: str, value: str, known: Iterable[str]) -> str:
    """Return a text if it is one of the choices. Raises `UsageError` with the nearest choice."""
    allowed = tuple(known)
    if value not in allowed:
        said = clean(name, value)
        hint = nearest(said, allowed) or Message("Known: {known}.", known=", ".join(allowed))
        raise UsageError("there is no {kind} '{name}'", hint, kind=name, name=said)
    return value


def path_of(name: str, value: str | os.PathLike[str]) -> Path:
    """Return a path; raise `UsageError` for other values."""
    if not isinstance(value, str | os.PathLike) or not isinstance(os.fspath(value), str):
        raise UsageError("{name} must be a path, not {type}", name=name, type=type(value).__name__)
    text = os.fspath(value)
    if "\0" in text or not text:
        raise UsageError("{text!r} is not a file name", place=name, text=text)
    return Path(text)


def checked_target(target: str | os.PathLike[str] | BinaryIO, database: str) -> Path | BinaryIO:
    """Return a writable target. Raises `Conflict` if a database needs it."""
    if isinstance(target, str | os.PathLike):
        place = path_of("a target", target)
        refuse_database(os.fspath(place), database)
        return place
    if not hasattr(target, "write"):
        raise UsageError(
            "a target must be a path or a file, not {type}", type=type(target).__name__
        )
    with suppress(AttributeError, OSError, TypeError, ValueError):  # it has no file
        refuse_database(target.fileno(), database)
    return target


def count_of(name: str, value: int | None) -> int | None:
    """Return a count that SQLite can store; raise `UsageError` for other values."""
    if value is None:
        return None
    if not isinstance(value, int) or value < 0:
        raise UsageError("{name} must be a whole number and not below zero", name=name)
    return min(value, _LARGEST)


def within_reason(timeout: float, memory: int) -> tuple[float, int]:
    """Return valid limits for a run. Raises `UsageError` if a limit is zero or too large."""
    numbers = isinstance(timeout, int | float) and isinstance(memory, int)
    if not numbers or not 0 < timeout <= 86400 or not 0 < memory <= 1 << 30:
        raise UsageError("the time limit and the memory limit must be above zero and not too large")
    return timeout, memory
