"""A reader of GIFT after Moodle's documentation of it, to try what is written against.

https://docs.moodle.org/en/GIFT_format: blank lines end an item, lines that begin with ``//`` are
comments, a backslash takes its meaning from each of ``~ = # { } : \\`` and makes ``n`` a line
break. It reads sign by sign and has nothing in common with `kb.formats.gift`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

ESCAPED = {**{sign: sign for sign in "~=#{}:\\"}, "n": "\n"}
Sign = tuple[str, bool]
"""A character, and whether it is GIFT's own."""


class Found(NamedTuple):
    """An item as Moodle would have it."""

    kind: str
    title: str
    text: str
    answers: tuple[str, ...] = ()
    feedback: str = ""
    category: str = ""
    id: str = ""
    tags: tuple[str, ...] = ()


def read(text: str) -> list[Found]:
    """Return the items of a file; each says the category it is in."""
    category, found = "", []
    for block in re.split(r"\n[ \t]*\n", text):
        lines = [line for line in block.split("\n") if line.strip()]
        comments = [line for line in lines if line.strip().startswith("//")]
        own = "\n".join(line for line in lines if line not in comments).strip()
        if own.startswith("$CATEGORY:"):
            category = own.removeprefix("$CATEGORY:").strip().replace("\\\\", "\\")
        elif own:
            said = " ".join(comments)
            ids = re.findall(r"\[id:([^\[\]]+)\]", said)
            tags = tuple(re.findall(r"\[tag:([^\[\]]+)\]", said))
            found.append(item(own)._replace(category=category, id="".join(ids), tags=tags))
    return found


def item(written: str) -> Found:
    signs = list(signs_of(written))
    title = ""
    if written.startswith("::"):
        end = at(signs, "::", 2)
        title, signs = plain(signs[2:end]), signs[end + 2 :]
    opens, closes = at(signs, "{"), at(signs, "}")
    if opens is None:
        assert closes is None, "a brace that was never opened"
        return Found("description", title, formatted(signs))
    assert closes == len(signs) - 1, "the answers end the item"
    assert at(signs[opens + 1 : closes], "{") is None, "braces in braces"
    text, inside = formatted(signs[:opens]), signs[opens + 1 : closes]
    general = at(inside, "####")
    feedback = formatted(inside[general + 4 :]) if general is not None else ""
    return answered(Found("essay", title, text, feedback=feedback), inside[:general])


def answered(found: Found, inside: list[Sign]) -> Found:
    if not plain(inside).strip():
        return found
    if "".join(char for char, _ in inside) in ("FALSE", "F", "TRUE", "T"):
        return found._replace(kind=plain(inside).lower())
    assert at(inside, "~") is None, "a multiple choice"
    assert at(inside, "#") is None, "a number, or feedback of an answer"
    assert "->" not in plain(inside), "a matching"
    places = [place for place, sign in enumerate(inside) if sign == ("=", True)]
    assert places[0] == 0
    ends = [*places[1:], len(inside)]
    answers = [plain(inside[a + 1 : b]).strip() for a, b in zip(places, ends, strict=True)]
    assert not any(re.match(r"%|\[(?:html|plain|moodle|markdown)\]", each) for each in answers)
    return found._replace(kind="short", answers=tuple(answers))


def signs_of(written: str) -> Iterator[Sign]:
    signs = iter(written)
    for char in signs:
        if char == "\\" and (after := next(signs, "")) in ESCAPED:
            yield ESCAPED[after], False
        elif char == "\\":
            yield char, False
            yield after, True
        else:
            yield char, True


def at(signs: list[Sign], words: str, start: int = 0) -> int | None:
    """Return where signs of GIFT's own stand."""
    wanted = [(char, True) for char in words]
    size = len(words)
    places = range(start, len(signs) - size + 1)
    return next((n for n in places if signs[n : n + size] == wanted), None)


def plain(signs: list[Sign]) -> str:
    return "".join(char for char, _ in signs)


def formatted(signs: list[Sign]) -> str:
    return plain(signs).strip().removeprefix("[html]").strip()
