"""The lists and quotations that blocks stand in, opened and closed as one block follows another."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from kb.exchange.hypertext.escaping import tag
from kb.present.markdown.document import Block, Lead

_NUMBER = re.compile(r"(\d+)[.)]")
_ASCII = re.compile(r"[0-9]")
_TASKS = {"done": "☑", "to do": "☐"}


class _Open(NamedTuple):
    """What is open: its tag, and the number that its next item has."""

    name: str
    next: int = 0


class Lists:
    """What is open around the block that is written next."""

    def __init__(self) -> None:
        self._open: list[_Open] = []
        self._edge = ""

    def enter(self, block: Block, base: str) -> Iterator[str]:
        """Yield the tags between the block before and this one, up to where its text begins."""
        leads = [lead for lead in block.leads if lead.word]
        kept = next((n for n, lead in enumerate(leads) if lead.first), len(leads))
        kept = min(kept, len(self._open))
        if not kept:
            self._edge = {"left": "ltr", "right": "rtl"}.get(block.edge, base)
        turned = self._edge if self._edge != base else ""
        for depth in range(kept, len(leads)):
            yield from self._item(depth, leads[depth], turned if not depth else "")
        yield from self.leave(len(leads))

    @property
    def edge(self) -> str:
        """The direction of what is open; nothing where nothing is."""
        return self._edge if self._open else ""

    def leave(self, depth: int = 0) -> Iterator[str]:
        """Yield the tags that close all but the outer ones."""
        while len(self._open) > depth:
            name = self._open.pop().name
            yield f"</{name}>\n" if name == "blockquote" else f"</li>\n</{name}>\n"

    def _item(self, depth: int, lead: Lead, direction: str) -> Iterator[str]:
        """Begin an item or a quotation at a depth, in the list that is open there if it fits."""
        name, number = _kind(lead)
        before = self._open[depth] if depth < len(self._open) else None
        if before is not None and before.name == name != "blockquote":
            yield from self.leave(depth + 1)
            yield "</li>\n"
            follows = name != "ol" or before.next == number
            yield "<li>" if follows else tag("li", value=str(number))
            self._open[depth] = _Open(name, number + 1)
        else:
            yield from self.leave(depth)
            yield _begun(name, number, lead, direction)
            self._open.append(_Open(name, number + 1))
        yield f"{_TASKS[lead.word]} " if lead.word in _TASKS else ""


def _kind(lead: Lead) -> tuple[str, int]:
    if lead.goes_on:
        return "blockquote", 0
    number = _NUMBER.fullmatch(lead.word)
    return ("ol", int(number[1])) if number else ("ul", 0)


def _begun(name: str, number: int, lead: Lead, direction: str) -> str:
    if name == "blockquote":
        return tag(name, dir=direction) + "\n"
    persian = name == "ol" and not _ASCII.match(lead.word)
    start = str(number) if name == "ol" and number != 1 else ""
    return tag(name, class_="persian" if persian else "", start=start, dir=direction) + "\n<li>"


def first_of_item(block: Block) -> bool:
    """Say whether a block begins an item of a list."""
    leads: Sequence[Lead] = [lead for lead in block.leads if lead.word]
    return bool(leads) and leads[-1].first and not leads[-1].goes_on
