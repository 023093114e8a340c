"""HTML elements that span blocks of Markdown: the lines that open and close them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from kb.exchange.questions.blocks import Line

_FENCE = re.compile(r"^[\s>]*(?:[-*+]\s+|\d+[.)]\s+)?(`{3,}|~{3,})")
_EVENT = re.compile(r"<(/?)(details|ul|ol|table)\b[^<>]*>", re.IGNORECASE)
_OPENS = re.compile(r"^[\s>]*(?:[-*+]\s+|\d+[.)]\s+)?<(details|ul|ol|table)\b", re.IGNORECASE)
_FAMILY = {"details": "details", "ul": "list", "ol": "list", "table": "table"}


def outside_code(lines: Sequence[Line]) -> Iterator[tuple[int, str]]:
    """Yield the index and text of each line that is not within fenced code, nor a fence itself."""
    fence = ""
    for index, line in enumerate(lines):
        found = _FENCE.match(line.text)
        if fence:
            rest = line.text.strip(" \t>")
            if found and rest.startswith(fence) and not rest.strip(fence[0]):
                fence = ""
        elif found and (found[1][0] == "~" or "`" not in line.text[found.end() :]):
            fence = found[1]
        else:
            yield index, line.text


def regions(lines: Sequence[Line]) -> Mapping[int, tuple[int, str]]:
    """Return, by the index of the line that opens it, where an outermost element ends and its name.

    An element that is never closed ends before the next of its kind, if it is one that hides
    an answer; otherwise it is no region.
    """
    opened: dict[str, list[tuple[int, int]]] = {"details": [], "list": [], "table": []}
    partner: dict[tuple[int, int], int] = {}
    starts: list[tuple[int, int, str]] = []
    last = -1
    for index, text in outside_code(lines):
        last = index
        head = _OPENS.match(text)
        for nth, event in enumerate(_EVENT.finditer(text)):
            family = _FAMILY[event[2].lower()]
            if not event[1]:
                opened[family].append((index, nth))
                if head and nth == 0:
                    starts.append((index, nth, family))
            elif opened[family]:
                partner[opened[family].pop()] = index
    return dict(_outermost(starts, partner, last))


def _outermost(
    starts: Sequence[tuple[int, int, str]], partner: Mapping[tuple[int, int], int], last: int
) -> Iterator[tuple[int, tuple[int, str]]]:
    done = -1
    following = [index for index, _, family in starts if family == "details"]
    after = dict(zip(following, [*following[1:], last + 1], strict=False))
    for index, nth, family in starts:
        if index <= done:
            continue
        end = partner.get((index, nth))
        if end is None and family == "details":
            end = max(after[index] - 1, index)
        if end is not None:
            done = end
            yield index, (end + 1, family)
