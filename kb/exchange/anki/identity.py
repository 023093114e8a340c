"""The ids that Anki knows things by: made of our own, so that a second import finds the first."""

from __future__ import annotations

from hashlib import sha256
from string import ascii_letters, digits

_SIGNS = ascii_letters + digits
_GUID = 11  # signs that hold 64 bits, as Anki's own guids do
_FIRST = 1_262_304_000_000
_RANGE = 1 << 38
"""Anki takes an id for the time in milliseconds at which a thing was made, and shows it: ours
lie between 2010 and September 2018, before whatever a reader adds to a collection today."""


def guid_of(entry: str) -> str:
    """Return the guid of an entry's note: the same wherever and whenever it is exported.

    Its signs mean nothing in Anki's search, nor in its text files.

    >>> guid_of("batch-norm-epsilon"), len(guid_of("شبکه"))
    ('w4W5BTHyAxb', 11)
    """
    number, signs = _number("note", entry), ""
    for _ in range(_GUID):
        number, sign = divmod(number, len(_SIGNS))
        signs += _SIGNS[sign]
    return signs


def id_of(what: str, name: str) -> int:
    """Return the number of a deck, a kind of note or a note: a time in milliseconds.

    Two may have the same; whoever gives them gives the second the next.

    >>> id_of("deck", "a") == id_of("deck", "a"), id_of("deck", "a") == id_of("deck", "b")
    (True, False)
    """
    return _FIRST + _number(what, name) % _RANGE


def checksum(field: str) -> int:
    """Return what Anki finds notes of the same first field by: 32 bits of its SHA-1.

    >>> checksum("a")
    2264392759
    """
    from hashlib import sha1

    return int(sha1(field.encode("utf-8", "replace"), usedforsecurity=False).hexdigest()[:8], 16)


def _number(what: str, name: str) -> int:
    found = sha256(f"danesh:{what}:{name}".encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(found[:8], "big")
