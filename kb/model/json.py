"""JSON as text: written the same way everywhere, and read with care."""

from __future__ import annotations

import functools
import json
import re
import sys
from collections import Counter
from collections.abc import Mapping
from typing import Any

from kb.errors import BadData, Message
from kb.model.values import SCHEMA_VERSION

# What JSON has escaped: C0, DEL, C1, separators of lines, controls of direction, surrogates,
# noncharacters and tags. Marks of direction (LRM, RLM) and joiners stay: Persian is written with
# them.
_HIDDEN = (
    "[^ -~\\n\u00a0-\u061b\u061d-\u2027\u202f-\u2065\u2070-\ud7ff\ue000-\ufdcf\ufdf0-\ufffd"
    "\U00010000-\U000dffff\U000e0080-\U0010ffff]"
)


def dumps(value: object, indent: int | None = 2) -> str:
    r"""Return JSON as text in logical order; equal values give equal text.

    Characters that a terminal would act on, or that hide or reorder text, are written as
    ``\uXXXX``, so that they read back unchanged.

    >>> dumps(["\x1b]0;\x9c", "می\u200cشود", "\u202e"], indent=None)
    '["\\u001b]0;\\u009c", "می\u200cشود", "\\u202e"]'
    """
    text = json.dumps(value, ensure_ascii=False, indent=indent, allow_nan=False)
    return _hidden().sub(_escaped, text)


@functools.cache
def _hidden() -> re.Pattern[str]:
    """Compile the pattern of what is escaped: this is slow, so it happens only when needed."""
    return re.compile(_HIDDEN)


def _escaped(found: re.Match[str]) -> str:
    return "\\u007f" if found[0] == "\x7f" else json.dumps(found[0])[1:-1]


canonical = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode
"""Returns a value as compact JSON in logical text order; equal values give equal text."""


def versioned(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return a document with its schema version as the first key."""
    return {"schema_version": SCHEMA_VERSION, **document}


def check_version(value: object, place: str, key: str = "schema_version") -> None:
    """Raise `BadData` unless a document's schema version is the one that is written here."""
    if type(value) is not int or value != SCHEMA_VERSION:
        raise BadData(
            "unknown {key} {version} (this danesh reads version {schema_version})",
            "Upgrade danesh.",
            place=place,
            key=key,
            version=repr(value)[:20],
            schema_version=SCHEMA_VERSION,
        )


def loads(text: str, place: str) -> Any:
    """Parse JSON; raise `BadData` if it is invalid, nested too deep or too long."""
    try:
        return decoder().decode(text)
    except json.JSONDecodeError as error:
        line = f"{place}:{error.lineno}" if "\n" in text.strip() else place
        raise BadData(
            "this is not JSON ({error}, column {column})",
            place=line,
            error=error.msg,
            column=error.colno,
        ) from error
    except (ValueError, RecursionError) as error:
        at = fault_at(text, 0, error)
        line = f":{text.count(chr(10), 0, at) + 1}" if at and "\n" in text.strip() else ""
        raise unreadable(f"{place}{line}", error) from error


def fault_at(text: str, start: int, error: Exception) -> int:
    """Return the position of the first overlong number after ``start``, or ``start``."""
    if isinstance(error, _Ambiguous | RecursionError):
        return start
    found = re.compile(f"[0-9]{{{sys.get_int_max_str_digits() + 1}}}").search(text, start)
    return found.start() if found else start


def unreadable(place: str, error: Exception) -> BadData:
    """Return the error for valid JSON that is ambiguous, too deep or too long."""
    if isinstance(error, _Ambiguous | RecursionError):
        said = Message("it is nested too deep")
        if not isinstance(error, RecursionError):
            said = Message(str(error))
        return BadData("this JSON cannot be read ({reason})", place=place, reason=said)
    return BadData(
        "a number has more than {most:,} digits", place=place, most=sys.get_int_max_str_digits()
    )


class _Ambiguous(ValueError):
    """JSON that is ambiguous, which is rejected."""


@functools.cache
def decoder() -> json.JSONDecoder:
    """Return a JSON decoder that raises `ValueError` for ambiguous JSON, such as repeated keys."""
    return json.JSONDecoder(parse_constant=_refuse_constant, object_pairs_hook=_once_each)


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice, _ = Counter(key for key, _ in pairs).most_common(1)[0]
        raise _Ambiguous(f"the key '{twice[:80]}' stands twice")
    return found


def _refuse_constant(name: str) -> float:
    raise _Ambiguous(f"{name} is not a number in JSON")
