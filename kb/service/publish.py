"""The bundled content written into a database: what changed is renewed, what a user added stays.

A ``stamp`` tells which content, or which glossary, a database then holds.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Sequence
from pathlib import Path

from kb.content.folder import read_content
from kb.content.glossary import read_glossary
from kb.content.location import GLOSSARY_FILE
from kb.content.mistakes import Mistakes
from kb.errors import Conflict
from kb.query.translation import names_of, stemmed_name
from kb.records import ConceptName, Progress
from kb.service.base import Base
from kb.service.keys import CONTENT, FINGERPRINT_OF_INDEX, GLOSSARY
from kb.service.write import put_entry
from kb.text.fingerprint import FINGERPRINT

BUNDLED = "bundled"


def write_index(base: Base, progress: Progress) -> int:
    """Make the index anew, and the stems of the glossary; return the number of documents."""
    progress(0, 0)
    with base.store.transaction():
        renewed = [
            (number, stemmed_name(name, lang)) for number, name, lang in base.store.glossary.names()
        ]
        base.store.glossary.put_stems(renewed)
        total = base.store.catalog.counts()["document"]
        done = base.index.rebuild(base.store.entries.documents(), total, progress)
        base.store.meta.put(FINGERPRINT_OF_INDEX, FINGERPRINT)
    return done


def write_glossary(base: Base, folder: Path, stamp: str, progress: Progress) -> None:
    """Store the glossary that comes with danesh in place of the one that is stored."""
    progress(0, 0)
    names = _names(folder, stamp)
    progress(0, 0)
    with base.store.transaction():
        base.store.glossary.put(names, BUNDLED)
        base.store.meta.put(GLOSSARY, stamp)


@functools.lru_cache(maxsize=1)
def _names(folder: Path, stamp: str) -> Sequence[ConceptName]:
    """Return the names of the bundled glossary; they are analysed once in a process."""
    return names_of(read_glossary(folder / GLOSSARY_FILE, Mistakes()))


def write_content(base: Base, folder: Path, stamp: str, progress: Progress) -> None:
    """Store the content in one transaction; entries of ours that are gone are removed.

    An entry whose name a user has taken is left out, and so is one with a snippet or an
    annotation whose name is taken: theirs stays.
    """
    content = read_content(folder, progress=progress)
    store = base.store
    with store.transaction():
        store.entries.put_sources(content.sources)
        for name, title in content.collections.items():
            store.entries.put_collection(name, title)
        users, ours = store.entries.owned("user"), store.entries.owned("bundled")
        for position, entry in enumerate(content.entries):
            if entry.id not in users:
                with contextlib.suppress(Conflict), store.savepoint():
                    put_entry(base, entry, "bundled", position)
            progress(position + 1, len(content.entries))
        for gone in sorted(ours - {entry.id for entry in content.entries}):
            base.remove(gone)
        store.entries.drop_unused()
        store.meta.put(CONTENT, stamp)
        store.meta.put(FINGERPRINT_OF_INDEX, FINGERPRINT)
