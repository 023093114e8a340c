"""What a text points to within a collection of notes."""

from __future__ import annotations

import re
from collections.abc import Iterator

_WIKI = re.compile(r"(!?)\[\[([^\[\]|\n]{1,300})(?:\|[^\[\]\n]{0,300})?\]\]")
_LINK = re.compile(
    r"(!?)\[[^\[\]\n]{0,500}\]\(\s*(?:<([^<>\n]{1,500})>|([^()\s]{1,500}))[^()\n]{0,200}\)"
)
_CODE = re.compile(r"`[^`\n]*`")
_FENCED = re.compile(
    r"^[ \t]*+(```++|~~~++)[^\n]*+\n.*?(?:^[ \t]*\1[^\n]*$|\Z)", re.DOTALL | re.MULTILINE
)
_SCHEME = re.compile(r"[a-z][a-z0-9+.\-]*:|//|#|\?|/(?!/)|\{|<", re.IGNORECASE)
_PICTURE = re.compile(r"\.(?:png|jpe?g|gif|svg|webp|bmp|mp4|mp3|avif)(?:$|[#?|])", re.IGNORECASE)


def links(text: str) -> tuple[str, ...]:
    """Return the notes and headings that a text points to, as it writes them.

    >>> links("[a](notes/b.md) [[Note#Head|shown]] [w](https://x.org) ![p](p.png) `[[no]]`")
    ('notes/b.md', 'Note#Head')
    """
    return tuple(dict.fromkeys(_found(_CODE.sub(" ", _FENCED.sub(" ", text)))))


def _found(text: str) -> Iterator[str]:
    places = [(m.start(), m[2].strip()) for m in _WIKI.finditer(text)]
    for found in _LINK.finditer(text):
        target = found[2] or found[3]
        if not found[1] and not _SCHEME.match(target):
            places.append((found.start(), target))
    for _, target in sorted(places):
        if target and not _PICTURE.search(target):
            yield target
