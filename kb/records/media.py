"""What belongs to an entry beside its texts: files that these show, and how it was studied."""

from __future__ import annotations

import posixpath
import re
import unicodedata
from typing import NamedTuple
from urllib.parse import unquote

_NO_NAME = re.compile(r"[/\\:\x00-\x1f\x7f-\x9f]|^\.|^\s|\s$|^$")
_LONGEST = 255
_UNFIT = re.compile(r"[\s()<>\[\]{}|#%^\\\"*?/:\x00-\x1f\x7f-\x9f]+")
_LONGEST_PLAIN = 120  # bytes of a name, which file systems have room for


class Media(NamedTuple):
    """A file that a text of an entry shows by its ``name``; its bytes are kept by their digest."""

    name: str
    sha256: str
    size: int


class Review(NamedTuple):
    """One answer to a card while studying, as a program for repetition has logged it.

    ``card`` counts the cards of an entry from 0; ``at`` is in milliseconds since 1970, UTC.
    ``rating`` is 1 again, 2 hard, 3 good, 4 easy, and ``interval`` the days until the next, or
    below 0 the seconds. ``ease`` is per mille, 0 where it is not known; the answer ``took`` so
    many milliseconds. ``kind`` is 0 learning, 1 review, 2 relearning, 3 out of turn, 4 by hand.
    """

    card: int
    at: int
    rating: int
    interval: int
    ease: int
    took: int
    kind: int


def is_plain_name(name: str) -> bool:
    """Say whether a name can be that of a file, in any one folder and nowhere else.

    >>> is_plain_name("loss.png"), is_plain_name("../loss.png"), is_plain_name(".loss")
    (True, False, False)
    """
    return not _NO_NAME.search(name) and len(name.encode("utf-8", "replace")) <= _LONGEST


def plain_name(name: str) -> str:
    """Return a name under which a text can show a file: nothing in it ends a link.

    >>> plain_name("Pasted image (2).png"), plain_name("نمودار.png")
    ('Pasted-image-2.png', 'نمودار.png')
    """
    stem, ending = posixpath.splitext(unicodedata.normalize("NFC", name))
    ending = _UNFIT.sub("", ending)[:16]
    made = _UNFIT.sub("-", stem).strip("-. ")[:_LONGEST_PLAIN]
    while len((made + ending).encode()) > _LONGEST_PLAIN:
        made = made[:-1]
    return (made or "shown") + ending


def file_named(target: str) -> str:
    """Return the name that media have for what a link names; nothing for an address.

    >>> file_named("img/Loss%20(1).png"), file_named("https://example.org/a.png")
    ('Loss-1.png', '')
    """
    if "://" in target or target.startswith("#"):
        return ""
    return plain_name(posixpath.basename(unquote(target.split("#")[0].split("?")[0])))
