r"""Which of three layouts a package has, and so which of its members are the deck and its media.

=========  =======================  =======================================================
``meta``   the collection           the names of the media
=========  =======================  =======================================================
(none)     ``collection.anki2``     ``media``, JSON by the members' names
``08 02``  ``collection.anki21``    the same
``08 03``  ``collection.anki21b``   ``media``, a message in protocol buffers; each is packed
=========  =======================  =======================================================

The second and the third hold a ``collection.anki2``, too: it has one note, which asks to update
Anki. So what ``meta`` says is a lower bound, and the newest collection there is taken.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO, NamedTuple

from kb import limits
from kb.errors import BadData
from kb.exchange.anki import wire
from kb.exchange.anki.archive import Archive
from kb.foreign import drawn

_NEWEST = 3
_MEMBERS = {1: "collection.anki2", 2: "collection.anki21", 3: "collection.anki21b"}
_META = "meta"
_LONGEST_META = 1 << 10


class Layout(NamedTuple):
    """The member that is the deck, and whether it and the media are packed by Zstandard."""

    collection: str
    packed: bool


def layout_of(archive: Archive) -> Layout:
    """Return the layout of a package. Raises `BadData` for none, and for one that is newer."""
    said = _version(archive)
    there = [version for version, member in _MEMBERS.items() if member in archive.members]
    if not there:
        raise BadData(f"{archive.name}: there is no deck of Anki's in this archive")
    if said > _NEWEST:
        hint = "In Anki, export it with 'Support older Anki versions'."
        raise BadData(f"{archive.name}: a newer Anki wrote this package ({said})", hint)
    found = max(there)
    if found < said:
        hint = "The one that is there only asks to update Anki. Export the deck again."
        raise BadData(f"{archive.name}: {_MEMBERS[said]} is missing", hint)
    return Layout(_MEMBERS[found], found == _NEWEST)


def is_known(member: str) -> bool:
    """Say whether a member is one that packages have beside their media."""
    return member in (_META, "media", *_MEMBERS.values())


def _version(archive: Archive) -> int:
    """Return the version that a package says it has, 0 where it says nothing."""
    if _META not in archive.members:
        return 0
    place = f"{archive.name}: {_META}"
    data = member(archive, _META, _LONGEST_META, packed=False)
    try:
        return wire.whole(data, 1)
    except ValueError as error:
        raise BadData(f"{place} says no version ({error})") from error


def member(archive: Archive, name: str, limit: int, *, packed: bool) -> bytes:
    """Return a member, unpacked if it is packed, of at most so many bytes. Raises `BadData`."""
    with opened_member(archive, name, limit, packed=packed) as file:
        return drawn(file, f"{archive.name}: {name}", limit)


@contextmanager
def opened_member(archive: Archive, name: str, limit: int, *, packed: bool) -> Iterator[BinaryIO]:
    """Open a member, unpacked if it is packed. Raises `BadData`, also for one above a limit."""
    from kb.exchange.anki.unpacking import unpacked

    with archive.opened(name, limits.FILE if packed else limit) as file:
        if not packed:
            yield file
            return
        with unpacked(file, f"{archive.name}: {name}") as inner:
            yield inner
