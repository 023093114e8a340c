"""``key:: value`` lines, as Logseq keeps them with pages and blocks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from kb.exchange.questions.blocks import Line
from kb.exchange.questions.regions import outside_code

_LINE = re.compile(r"^(\s*(?:[-*+]\s+)?)([a-z][a-z0-9_\-.]*)::(?:[ \t]+(.*))?$")
_KNOWN = re.compile(
    r"^(?:tags?|alias(?:es)?|title|type|id|collapsed|refs?|public|icon|template|created(?:-at)?|updated(?:-at)?"
    r"|heading|background-color|exclude-from-graph-view|deck|source|url|author|status|date|level|difficulty"
    r"|card-[a-z-]+|logseq\.[a-z.\-]+|query-[a-z-]+|ls-type|hl-[a-z-]+|file|file-path|progress|rating)$"
)


class Property(NamedTuple):
    """A property: where it stands, its key and its value."""

    line: int
    key: str
    value: str
    page: bool = False


def properties(lines: Sequence[Line]) -> Iterator[Property]:
    """Yield the properties of a page and of its blocks."""
    head = True
    for index, text in outside_code(lines):
        found = _LINE.match(text)
        if found and (_KNOWN.match(found[2]) or (head and not found[1])):
            yield Property(
                lines[index].number, found[2], (found[3] or "").strip(), head and not found[1]
            )
        elif text.strip() not in ("", "-"):
            head = False


def names(value: str) -> tuple[str, ...]:
    """Return the names in a value: ``[[a b]], #c, d``.

    >>> names("[[deep learning]], #nets, math")
    ('deep learning', 'nets', 'math')
    """
    parts = re.findall(r"#?\[\[([^\[\]]+)\]\]|([^,\[\]]+)", value[:2000])
    found = ((first or second).strip(" #") for first, second in parts)
    return tuple(dict.fromkeys(filter(None, found)))
