"""The parts of a note of ours: what stands under each heading and beside each comment."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from kb.exchange.marks import marked, with_fences
from kb.exchange.vault.layout import PROGRAMS, place_in, section_in

TEXT, SECTION, PROGRAM, TOP = "text", "section", "program", "schema_version"
_BEGIN = (TOP, "annotation", PROGRAM, "entry", "reviews", "collection", "source")
"""The keys of comments that begin a part of their own."""


class Part(NamedTuple):
    """A part: the line in which it begins, what it is, what its comment says, and its lines."""

    line: int
    kind: str
    heading: str
    facts: Mapping[str, Any]
    lines: list[str]

    def takes(self, key: str) -> bool:
        """Say whether a comment that begins such a part belongs to the heading of this one."""
        own = key == PROGRAM if self.kind == PROGRAM else self.kind == TEXT and not key
        return own and bool(self.heading) and not self.facts and not any(self.lines)

    @property
    def written(self) -> list[str]:
        """Its lines without the blank ones that part it from others."""
        return trimmed(self.lines)


def parts(lines: Iterable[str], first: int) -> Iterator[Part]:
    """Yield the parts of a note from its line ``first`` on, the first of which may be nothing's."""
    part, section = Part(first, "", "", {}, []), ""
    for number, (text, fence) in enumerate(with_fences(lines), first):
        said = None if fence else marked(text)
        begins = next((key for key in _BEGIN if said is not None and key in said), "")
        headed = "" if fence or said is not None else _headed(text, section)
        if said is not None and part.takes(begins):
            part = part._replace(facts=said)
        elif begins or headed:
            yield part
            part = Part(number, begins or headed, "" if begins else text, said or {}, [])
            section = section_in(text) or ("" if headed == TEXT else section)
        else:
            part.lines.append(text)
    yield part


def trimmed(lines: Sequence[str]) -> list[str]:
    """Return lines without the blank ones at both ends."""
    start, end = 0, len(lines)
    while start < end and not lines[start]:
        start += 1
    while end > start and not lines[end - 1]:
        end -= 1
    return list(lines[start:end])


def _headed(text: str, section: str) -> str:
    """Return what a line begins as a heading."""
    if not text.startswith("##"):
        return ""
    if text.startswith("### "):
        return PROGRAM if section == PROGRAMS else ""
    if section_in(text):
        return SECTION
    return TEXT if place_in(text) is not None else ""
