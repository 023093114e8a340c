"""JSON as text: written the same way everywhere, and read with care."""

from __future__ import annotations

import functools
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from kb.errors import BadData, Message
from kb.records.vocabulary import SCHEMA_VERSION

# What JSON has as it is: all but C0, DEL, C1, separators of lines, controls of direction,
# surrogates, noncharacters and tags. Marks of direction (LRM, RLM) and joiners are in it:
# Persian is written with them. A stretch of these is passed over at two nanoseconds a character.
_PLAIN = (
    "[ -~\\n\u00a0-\u061b\u061d-\u2027\u202f-\u2065\u2070-\ud7ff\ue000-\ufdcf\ufdf0-\ufffd"
    "\U00010000-\U000dffff\U000e0080-\U0010ffff]*+"
)


def dumps(value: object, indent: int | None = 2) -> str:
    r"""Write JSON as UTF-8 text in logical order; the same value gives the same bytes.

    What a terminal would obey, or what hides or turns what stands beside it, is written as
    ``\uXXXX``, so that it reads back as it was.

    >>> dumps(["\x1b]0;\x9c", "می\u200cشود", "\u202e"], indent=None)
    '["\\u001b]0;\\u009c", "می\u200cشود", "\\u202e"]'
    """
    text = json.dumps(value, ensure_ascii=False, indent=indent, allow_nan=False)
    return "".join(_pieces(text))


def _pieces(text: str) -> Iterator[str]:
    place, plain_at = 0, _plain().match
    while plain := plain_at(text, place):
        yield plain[0]
        if plain.end() == len(text):
            return
        yield _escaped(text[plain.end()])
        place = plain.end() + 1


@functools.cache
def _plain() -> re.Pattern[str]:
    """Compile what is plain: it takes longer than much of a start in which no JSON is written."""
    return re.compile(_PLAIN)


def _escaped(char: str) -> str:
    return "\\u007f" if char == "\x7f" else json.dumps(char)[1:-1]


def versioned(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return a document with the version of its schema before all else."""
    return {"schema_version": SCHEMA_VERSION, **document}


def loads(text: str, place: str) -> Any:
    """Parse JSON. Raises `BadData` for what is not JSON, or nested or long beyond reason."""
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
    """Return where a number begins that is too long, the first from ``start``, or else that."""
    if isinstance(error, _Ambiguous | RecursionError):
        return start
    found = re.compile(f"[0-9]{{{sys.get_int_max_str_digits() + 1}}}").search(text, start)
    return found.start() if found else start


def unreadable(place: str, error: Exception) -> BadData:
    """Return the error for well formed JSON that is ambiguous, or nested or long beyond reason."""
    if isinstance(error, _Ambiguous | RecursionError):
        said = Message("it is nested too deep")
        if not isinstance(error, RecursionError):
            said = Message(str(error))
        return BadData("this is not JSON we can read ({reason})", place=place, reason=said)
    return BadData(
        "a number has more than {most:,} digits", place=place, most=sys.get_int_max_str_digits()
    )


class _Ambiguous(ValueError):
    """What JSON leaves open, and is not taken."""


@functools.cache
def decoder() -> json.JSONDecoder:
    """Return what reads JSON: a `ValueError` for what JSON leaves open, such as a doubled key."""
    return json.JSONDecoder(parse_constant=_refuse_constant, object_pairs_hook=_once_each)


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice, _ = Counter(key for key, _ in pairs).most_common(1)[0]
        raise _Ambiguous(f"the key '{twice[:80]}' stands twice")
    return found


def _refuse_constant(name: str) -> float:
    raise _Ambiguous(f"{name} is not a number in JSON")
