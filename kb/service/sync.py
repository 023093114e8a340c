"""Whether a database holds the bundled content as it is now; asked at every start.

What writes the content is in `kb.service.publish`, loaded only when something changed.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from kb.content.location import GLOSSARY_FILE, stamp
from kb.errors import ReadOnly
from kb.store.sqlite.database import (
    CONTENT_KEY,
    FINGERPRINT_KEY,
    GLOSSARY_KEY,
    NO_CONTENT,
    Database,
    put_meta,
)
from kb.text.fingerprint import FINGERPRINT

if TYPE_CHECKING:
    from kb.records import Progress


def fill(database: Database, folder: Path, bundled: bool, progress: Progress) -> None:
    """Put into a new database the glossary and, if ``bundled``, the entries of a folder.

    Without them it stays without for good.
    """
    from kb.service import publish as renewal

    if bundled:
        renewal.write_content(database, folder, stamp(folder), progress)
    renewal.write_glossary(database, folder, _glossary_stamp(folder), progress)
    if not bundled:
        with database.writing() as connection:
            put_meta(connection, CONTENT_KEY, NO_CONTENT)
            put_meta(connection, FINGERPRINT_KEY, FINGERPRINT)


def refresh(database: Database, folder: Path, bundled: bool, progress: Progress) -> None:
    """Renew the index if the analyzer changed, and the content if ``folder`` did.

    A database that cannot be written keeps what it has.
    """
    with database.errors():
        content, analyzer = database.meta(CONTENT_KEY), database.meta(FINGERPRINT_KEY)
        terms = database.meta(GLOSSARY_KEY)
    names = _glossary_stamp(folder)
    changed = bundled and content not in (NO_CONTENT, stamp(folder))
    if analyzer == FINGERPRINT and terms == names and not changed:
        return
    from kb.service import publish as renewal

    try:
        if analyzer != FINGERPRINT:
            renewal.write_index(database, progress)
        if changed:
            renewal.write_content(database, folder, stamp(folder), progress)
        if terms != names:
            renewal.write_glossary(database, folder, names, progress)
    except ReadOnly:
        return


def _glossary_stamp(folder: Path) -> str:
    """Return what changes when the glossary or its analysis does."""
    file = folder / GLOSSARY_FILE
    status = file.stat() if file.exists() else None
    size, when = (status.st_size, status.st_mtime_ns) if status else (0, 0)
    return f"{size} {when} {FINGERPRINT}"
