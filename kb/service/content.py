"""Writes the bundled content to a database: changes are updated, the reader's work is kept.

A ``stamp`` identifies the stored version of content or glossary.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Sequence
from pathlib import Path

from kb.content.bundled import GLOSSARY_FILE, VOCABULARY_FILE
from kb.content.context import Mistakes
from kb.content.folder import read_content
from kb.content.glossary import names_of, read_glossary, read_vocabulary
from kb.errors import Conflict
from kb.model.changes import FieldChange
from kb.model.entry import ConceptName, Entry
from kb.model.entry_json import content_digest, entry_of, fields_of, merge
from kb.model.results import Progress, silent
from kb.search.index import fts5
from kb.service.base import Base
from kb.service.meaning import put_shipped
from kb.service.opening import CONTENT, FINGERPRINT_OF_INDEX, GLOSSARY, TELLING
from kb.service.write import (
    append,
    packed,
    put_entry,
    record_of,
    remove_entry,
    unpacked,
    write_entry,
)
from kb.store.sqlite.rows import Owner
from kb.text.analyzer import stemmed_name
from kb.text.languages import FINGERPRINT

OURS: Owner = "bundled"


def write_index(base: Base, progress: Progress) -> int:
    """Rebuild the index and the glossary's stems; return the number of documents."""
    progress(0, 0)
    with base.store.transaction():
        names = base.store.glossary.names()
        base.store.glossary.put_stems((stemmed_name(name, lang), n) for n, name, lang in names)
        total = base.store.catalog.counts()["document"]
        base.store.entries.renew_titles()
        done = base.index.rebuild(base.store.entries.documents(), total, progress)
        fts5.clear(base.store)
        base.store.meta.put(FINGERPRINT_OF_INDEX, FINGERPRINT)
    base.tidy(progress)
    return done


def write_glossary(base: Base, folder: Path, stamp: str, progress: Progress) -> None:
    """Replace the stored glossary and vocabulary with the bundled ones."""
    progress(0, 0)
    names = _names(folder, stamp)
    progress(0, 0)
    with base.store.transaction():
        base.store.glossary.put(names, OURS)
        base.store.meta.put(GLOSSARY, stamp)


@functools.lru_cache(maxsize=1)
def _names(folder: Path, stamp: str) -> Sequence[ConceptName]:
    """Return the names of the bundled glossary, analyzed once per process."""
    terms = read_glossary(folder / GLOSSARY_FILE, Mistakes())
    return names_of([*terms, *read_vocabulary(folder / VOCABULARY_FILE, Mistakes())])


def write_content(base: Base, folder: Path, stamp: str, progress: Progress) -> None:
    """Store the content in one transaction; removed bundled entries are deleted.

    An entry is left out if a reader's entry, program or annotation already has its name. Changes
    by a reader are kept; if the new content changes the same field, both versions are kept.
    """
    content = read_content(folder, progress=progress)
    store = base.store
    with store.transaction():
        first = store.meta.get(CONTENT) is None
        store.entries.put_sources(content.sources)
        for name, title in content.collections.items():
            store.collections.put(name, title)
        users, ours = store.entries.owned("user"), store.entries.owned("bundled")
        changed = []
        for position, entry in enumerate(content.entries):
            if entry.id not in users:
                with contextlib.suppress(Conflict), store.connection.savepoint():
                    if _publish(base, entry, position, indexed=not first):
                        changed.append(entry.id)
            progress(position + 1, len(content.entries))
        if first:  # one segment, where each entry would have made its own
            base.index.rebuild(store.entries.documents(), len(content.entries), silent)
        changed += _remove(base, sorted(ours - {entry.id for entry in content.entries}))
        if changed and not first:
            told = tuple(FieldChange(entry) for entry in changed)
            append(base, "a new version of what came with danesh", "publish", told)
        put_shipped(base, [entry.id for entry in content.entries])
        store.meta.put(CONTENT, stamp)
        store.meta.put(TELLING, content.telling)
        store.meta.put(FINGERPRINT_OF_INDEX, FINGERPRINT)
    base.tidy(progress)


def _publish(base: Base, entry: Entry, position: int, *, indexed: bool) -> bool:
    """Store a bundled entry; return whether anything changed."""
    store = base.store
    record = store.ledger.of_entries([entry.id]).get(entry.id)
    if record is None or record.base is None:
        if record is not None:
            store.ledger.put(record_of(entry, record))
        return put_entry(base, entry, OURS, position, indexed=indexed) != "unchanged"
    if record.digest == content_digest(entry):
        return False
    found, state = store.entries.get([entry.id])[entry.id], store.entries.state(entry.id)
    before, now = unpacked(record.base, entry.id), fields_of(entry)
    merged = merge(before, fields_of(found), now)
    kept = entry_of(merged.fields, entry.id)
    # What is contested was not taken: of it, what was there before is what the reader changed.
    taken = now | {name: before.get(name) for name in merged.contested}
    base_of_mine = entry_of({n: v for n, v in taken.items() if v is not None}, entry.id)
    theirs = packed(entry) if merged.contested else None
    store.ledger.put(record_of(entry, record)._replace(base=packed(base_of_mine), theirs=theirs))
    write_entry(base, kept, OURS, state.position if state else position)
    return kept != found


def _remove(base: Base, gone: Sequence[str]) -> list[str]:
    """Delete entries that are no longer bundled, unless a reader's work depends on them."""
    store = base.store
    records = store.ledger.of_entries(gone)
    stood = {entry.collection for entry in store.entries.get(gone).values()}
    removed = [
        entry
        for entry in gone
        if not store.additions.holds(entry)
        and (entry not in records or records[entry].base is None)
    ]
    for entry in removed:
        remove_entry(base, entry)
        store.ledger.remove(entry)
    store.entries.drop_unused_snippets()
    store.collections.drop_empty(stood)
    return removed
