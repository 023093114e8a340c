"""The sections of a note: its headings, and the section that an address names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from kb.text.fold import fold, without_accents

LONG = 2_000
"""The number of words above which a note is shown and searched by section."""

_FAR, _MANY, _WIDE = 300_000, 2_000, 300
"""Characters and headings before a position that are read to name its section, and the maximum
length of a heading."""

_ATX = re.compile(r" {0,3}(#{1,6})(?:[ \t](.*))?$")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_RULE = re.compile(r" {0,3}(=+|-+)[ \t]*$")
_SIGNS = re.compile(r"[#^|:%\[\]`*_~\\]")


class Section(NamedTuple):
    """A heading and the text below it, ``text[start:end]``, up to the next heading of its level."""

    title: str
    level: int
    start: int
    end: int


def sections(text: str) -> list[Section]:
    """Return the sections of a text in order, each within those it is part of.

    >>> [(each.title, each.level) for each in sections("# A\\nx\\n\\nB\\n---\\n```\\n# c\\n```\\n")]
    [('A', 1), ('B', 2)]
    """
    return _nested(_headings(text), len(text))


def _nested(headings: Iterable[tuple[str, int, int]], end: int) -> list[Section]:
    found: list[Section] = []
    open_ones: list[int] = []
    for title, level, start in headings:
        while open_ones and found[open_ones[-1]].level >= level:
            number = open_ones.pop()
            found[number] = found[number]._replace(end=start)
        open_ones.append(len(found))
        found.append(Section(title, level, start, end))
    return found


def is_long(text: str) -> bool:
    """Return whether a text has more words than are shown and searched as one."""
    return len(text) > 2 * LONG and len(text.split(None, LONG)) > LONG


def named(every: Sequence[Section], address: str) -> Section | None:
    """Return the first section that an address names: a heading, or headings parted by ``#``.

    Case, blanks and the signs of Markdown make no difference.

    >>> every = sections("# A\\n## Use\\n# B\\n## Use\\n")
    >>> named(every, "use").start, named(every, "b#USE").start, named(every, "c")
    (4, 15, None)
    """
    titled = [(_folded(each.title), each) for each in every]
    for path in ([address], address.split("#")):
        inside, met = titled, None
        for part in map(_folded, path):
            met = next((each for title, each in inside if title == part), None)
            inside = [pair for pair in inside if met and _is_in(pair[1], met)]
        if met is not None:
            return met
    return None


def _is_in(one: Section, other: Section) -> bool:
    return other.start < one.start and one.end <= other.end


def address_at(text: str, place: int) -> str | None:
    """Return the address of the section that contains a place.

    There is none above the first heading, far down in a text, or after very many headings.

    >>> address_at("# A\\n## Use\\nx\\n# B\\n## Use\\ny", 24), address_at("x\\n# A", 0)
    ('B#Use', None)
    """
    before = _headings(text[: place + 1]) if place < _FAR else iter(())
    every = _nested(islice(before, _MANY), place + 1)
    around = [each for each in every if each.end > place]
    if not around or next(before, None) or len(around[-1].title) > _WIDE:
        return None
    titles = [each.title for each in around]
    paths = ("#".join(titles[first:]) for first in range(len(titles) - 1, -1, -1))
    return next((path for path in paths if named(every, path) == around[-1]), titles[-1])


def _folded(title: str) -> str:
    return " ".join(without_accents(fold(word)) for word in _SIGNS.sub(" ", title).split())


def _headings(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield title, level and position of each heading outside code."""
    fence, before, place = "", "", 0
    for line in text.splitlines(keepends=True):
        bare = line.rstrip("\r\n")
        mark, after = _FENCE.match(bare), ""
        if fence:
            if mark and mark[1].startswith(fence) and not bare.strip(" `~"):
                fence = ""
        elif mark:
            fence = mark[1]
        elif heading := _ATX.match(bare):
            title = f" {heading[2] or ''}".rstrip()
            bare = title.rstrip("#")
            yield (bare if bare[-1:].isspace() else title).strip(), len(heading[1]), place
        elif before and (rule := _RULE.match(bare)):
            yield before.strip(), 1 if rule[1][0] == "=" else 2, place - len(before)
        elif bare.strip():
            after = line
        before, place = after, place + len(line)
