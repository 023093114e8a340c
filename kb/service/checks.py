"""What is checked of the database file and of what lies around it, for ``kb doctor``."""

from __future__ import annotations

import os
import shutil
import stat

from kb.errors import BadDatabase, Message, joined_sentences
from kb.model import Check
from kb.service.base import Base

_ROOM = 1 << 20
_WHOLE = "ok"


def file(base: Base) -> Check:
    """Say whether every page of the file is whole, and whether it can be written."""
    found, limit = base.store.check(), base.store.limit()
    if found == _WHOLE and limit is not None:
        return Check("database", False, limit.message, limit.hint)
    remedy = Message(
        "Try 'kb doctor --repair', or save what can be read with 'kb doctor --salvage NEW'."
    )
    return Check("database", found == _WHOLE, Message(found, place=base.path), remedy)


def is_damaged(base: Base) -> bool:
    """Say whether a page of the file is damaged."""
    return base.store.check() != _WHOLE


def advised(base: Base, error: BadDatabase) -> BadDatabase:
    """Return an error about a damaged file with the newest whole copy, where there is one."""
    dated, beside, _ = base.store.copies()
    copy = next(iter((*dated, *beside)), None)
    way = Message("There is no copy of it.")
    if copy:
        way = Message("'kb restore {copy}' puts that copy back.", copy=copy)
    return BadDatabase(error.message, joined_sentences(error.hint, way))


def references(base: Base) -> Check:
    """Say whether every row that speaks of another finds it."""
    broken = base.store.orphans()
    found = Message("every row finds its other")
    if broken:
        rows = ", ".join(f"{count} of {table}" for table, count in sorted(broken.items()))
        found = Message("rows whose other half is missing: {rows}", rows=rows)
    return Check("references", not broken, found, "Mend them with 'kb doctor --repair'.")


def room(base: Base) -> Check:
    """Say how much room there is beside the file."""
    try:
        free = shutil.disk_usage(os.path.dirname(os.path.abspath(base.path))).free
    except OSError as error:
        return Check(
            "room",
            True,
            Message("how much room there is cannot be said ({error})", error=error.strerror),
        )
    return Check(
        "room", free > _ROOM, Message("{free} MiB are free", free=free >> 20), "Free some space."
    )


def rights(base: Base) -> Check:
    """Say who may read and write the file."""
    try:
        mode = os.stat(base.path).st_mode
    except OSError:
        return Check("rights", True, "it lies in memory")
    others = bool(mode & (stat.S_IRWXG | stat.S_IRWXO))
    if not others:
        return Check("rights", True, Message("its owner alone may read it"))
    remedy = Message("chmod 600 {path}", path=base.path)
    return Check("rights", True, Message("others may read or write it, too"), remedy)


def copies(base: Base) -> Check:
    """Say which copies there are, and what was moved aside."""
    dated, beside, strays = base.store.copies()
    last = Message(", the last one {copy}", copy=dated[0]) if dated else ""
    found = Message(
        "{dated} made by 'kb backup'{last}; {beside} beside the database",
        dated=len(dated),
        last=last,
        beside=len(beside),
    )
    if strays:
        found = Message(
            "{found}; journals of databases that are gone: {strays}",
            found=found,
            strays=", ".join(strays),
        )
    return Check("copies", True, found, "" if dated else "Make one with 'kb backup'.")
