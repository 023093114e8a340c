"""Entries written: what changed is renewed, in the store and in the index alike."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

from kb.content.folder import read_content
from kb.content.glossary import read_glossary
from kb.content.tables import GLOSSARY_FILE, VOCABULARY_FILE, Mistakes
from kb.content.vocabulary import read_vocabulary
from kb.errors import Conflict
from kb.model import ConceptName, Entry, Progress, short_digest
from kb.model.changes import BUNDLED, FieldChange, Record
from kb.model.entry_json import LANGUAGES, Fields, content_digest, difference, entry_of, fields_of
from kb.model.json import dumps, loads
from kb.model.results import silent
from kb.search.index import fts5
from kb.search.translation import names_of, stemmed_name
from kb.service.base import Base
from kb.service.glossary import CONTENT, FINGERPRINT_OF_INDEX, GLOSSARY, TELLING
from kb.service.recording import append
from kb.store.sqlite.rows import Owner
from kb.text.profile import FINGERPRINT

Outcome = Literal["added", "updated", "unchanged"]
"""What became of an entry that was put."""


def put_entry(
    base: Base,
    entry: Entry,
    owner: Owner,
    position: int | None = None,
    layer: int = 0,
    *,
    indexed: bool = True,
) -> Outcome:
    """Store an entry with what a reader added to it elsewhere, or renew it where it changed.

    Whoever says that it is not ``indexed`` rebuilds the index afterwards. Raises `Conflict` when
    a stored entry or snippet of that name is another owner's. The caller holds the transaction.
    """
    stored = base.store.entries.state(entry.id)
    if stored is not None and stored.digest == entry.digest:
        if position is not None:
            base.store.entries.move(entry.id, position)
        if entry.given != entry:
            with base.renewing(entry.id):
                put_additions(base, entry)
        return "unchanged"
    if stored is not None and stored.owner != owner:
        raise Conflict(
            "another entry of that name is already stored",
            "Change the id, or import into an empty database ('kb init --empty').",
            place=entry.id,
        )
    if stored is not None:
        base.index.remove(base.store.entries.documents([entry.id]))
    base.store.entries.put(entry, owner, position, layer)
    put_additions(base, entry)
    _put_documents(base, entry, indexed=indexed and not (stored and stored.hidden))
    return "added" if stored is None else "updated"


def write_entry(
    base: Base, entry: Entry, owner: Owner, position: int | None = None, layer: int = 0
) -> None:
    """Store an entry with exactly what it says a reader added to it; a new one in a ``layer``.

    Raises `Conflict` where a name in it is another's. The caller holds the transaction.
    """
    stored = base.store.entries.get([entry.id]).get(entry.id)
    state = base.store.entries.state(entry.id)
    base.index.remove(base.store.entries.documents([entry.id]))
    measured = entry if stored is None else _with_measured(entry, stored)
    base.store.entries.put(measured, owner, position, layer)
    for name in added_to(stored) - added_to(entry) if stored else ():
        base.store.additions.remove(name)
    put_additions(base, entry)
    _put_documents(base, entry, indexed=not (state and state.hidden))


def _with_measured(entry: Entry, stored: Entry) -> Entry:
    """Return an entry with what was measured of those annotations that stay as they are."""
    known = {each.id: each for each in stored.annotations}
    return dataclasses.replace(
        entry,
        annotations=tuple(
            known[each.id]
            if dataclasses.replace(known.get(each.id, each), status=each.status) == each
            and each.id in known
            else each
            for each in entry.annotations
        ),
    )


def _put_documents(base: Base, entry: Entry, *, indexed: bool) -> None:
    """Store what is searched of an entry, with all that a reader added to it, and index it."""
    documents = base.store.entries.put_documents(entry.given)
    if base.store.additions.holds(entry.id):
        # What is staged has only what came with it.
        whole = base.store.entries.get([entry.id]).get(entry.id, entry)
        documents = base.store.entries.put_documents(whole)
    if indexed:
        base.index.add(documents)


def remove_entry(base: Base, id: str) -> None:
    """Remove an entry from store and index, with what a reader added to it."""
    base.index.remove(base.store.entries.documents([id]))
    base.store.entries.remove(id)


def hide_entry(base: Base, id: str, hidden: bool) -> None:
    """Let an entry be listed and found, or neither."""
    state = base.store.entries.state(id)
    if state is None or state.hidden == hidden:
        return
    if hidden:
        base.index.remove(base.store.entries.documents([id]))
        base.store.entries.hide(id, True)
    else:
        base.store.entries.hide(id, False)
        base.index.add(base.store.entries.documents([id]))


def added_to(entry: Entry) -> set[str]:
    """Return the names of what a reader added to an entry."""
    return set(added_in_order(entry))


def added_in_order(entry: Entry) -> list[str]:
    """Return the names of what a reader added to an entry: programs, and then notes."""
    programs = [each.id for each in entry.snippets if each.own]
    return programs + [each.id for each in entry.annotations if each.own]


def put_additions(base: Base, entry: Entry) -> None:
    """Store what a reader added to an entry elsewhere. Raises `Conflict`."""
    for snippet in entry.snippets:
        if snippet.own:
            base.store.additions.put_snippet(entry.id, snippet)
    for annotation in entry.annotations:
        if annotation.own:
            base.store.additions.put_annotation(entry.id, annotation)


# What an entry's source last said, kept beside what a reader made of it.


def keep_origin(base: Base, before: Entry, after: Entry) -> None:
    """Keep what an entry's source said, where a reader now changes it for the first time.

    Where the change leads back to that, nothing more is kept. The caller holds the transaction.
    """
    record = base.store.ledger.of_entries([before.id]).get(before.id)
    if record is None:
        state = base.store.entries.state(before.id)
        if state is None or state.owner != "bundled":
            return
        record = record_of(before, Record(before.id, BUNDLED, before.id, given=True))
    said = record.base or packed(before)
    same = record.digest == content_digest(after)
    same = same and loads(said, before.id)["collection"] == after.collection
    base.store.ledger.put(record._replace(base=None if same else said))


def record_of(entry: Entry, known: Record) -> Record:
    """Return a record by which what its file says of an entry is known again."""
    return known._replace(
        heading=heading_digest(entry),
        answer=answer_digest(entry),
        digest=content_digest(entry),
    )


def heading_digest(entry: Entry) -> str:
    """Return what two records of one heading have in common, whatever their blanks and case."""
    words = (" ".join(text.casefold().split()) for text in entry.question.values())
    return short_digest("\n".join(words))


def answer_digest(entry: Entry) -> str:
    """Return what two records of one answer have in common; nothing where there is none."""
    words = " ".join(" ".join(answer.text.split()) for answer in entry.answers)
    return short_digest(words) if words else ""


def packed(entry: Entry) -> str:
    """Return what a source says of an entry as a text, without what a reader added."""
    return dumps(fields_of(entry.given), indent=None)


def unpacked(said: str, entry: str) -> Fields:
    """Return the fields that `packed` wrote."""
    fields: Fields = loads(said, entry)
    return fields


# The bundled content written into a database: what changed is renewed, what a user added stays.
#
# A ``stamp`` tells which content, or which glossary, a database then holds.


OURS: Owner = "bundled"


def write_index(base: Base, progress: Progress) -> int:
    """Make the index anew, and the stems of the glossary; return the number of documents."""
    progress(0, 0)
    with base.store.transaction():
        renewed = [
            (number, stemmed_name(name, lang)) for number, name, lang in base.store.glossary.names()
        ]
        base.store.glossary.put_stems(renewed)
        total = base.store.catalog.counts()["document"]
        base.store.entries.renew_titles()
        done = base.index.rebuild(base.store.entries.documents(), total, progress)
        fts5.clear(base.store)
        base.store.meta.put(FINGERPRINT_OF_INDEX, FINGERPRINT)
    base.tidy(progress)
    return done


def write_glossary(base: Base, folder: Path, stamp: str, progress: Progress) -> None:
    """Store the glossary and the vocabulary that come with danesh in place of those stored."""
    progress(0, 0)
    names = _names(folder, stamp)
    progress(0, 0)
    with base.store.transaction():
        base.store.glossary.put(names, OURS)
        base.store.meta.put(GLOSSARY, stamp)


@functools.lru_cache(maxsize=1)
def _names(folder: Path, stamp: str) -> Sequence[ConceptName]:
    """Return the names of the bundled glossary; they are analysed once in a process."""
    terms = read_glossary(folder / GLOSSARY_FILE, Mistakes())
    return names_of([*terms, *read_vocabulary(folder / VOCABULARY_FILE, Mistakes())])


def write_content(base: Base, folder: Path, stamp: str, progress: Progress) -> None:
    """Store the content in one transaction; entries of ours that are gone are removed.

    An entry whose name a user has taken is left out, and so is one with a snippet or an
    annotation whose name is taken: theirs stays. What a reader changed of an entry stays
    changed; where the new content changes the same, that is kept beside it.
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
                with contextlib.suppress(Conflict), store.savepoint():
                    if _publish(base, entry, position, indexed=not first):
                        changed.append(entry.id)
            progress(position + 1, len(content.entries))
        if first:  # one segment, where each entry would have made its own
            base.index.rebuild(store.entries.documents(), len(content.entries), silent)
        changed += _remove(base, sorted(ours - {entry.id for entry in content.entries}))
        if changed and not first:
            told = tuple(FieldChange(entry) for entry in changed)
            append(base, "a new version of what came with danesh", "publish", told)
        store.meta.put(CONTENT, stamp)
        store.meta.put(TELLING, content.telling)
        store.meta.put(FINGERPRINT_OF_INDEX, FINGERPRINT)
    base.tidy(progress)


def _publish(base: Base, entry: Entry, position: int, *, indexed: bool) -> bool:
    """Store an entry that comes with danesh; say whether that changed anything."""
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
    """Remove entries that come with danesh no more, but where a reader's work hangs on them."""
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


# Comparing three: what was taken, what the reader made of it, and what is said now.


class Merged(NamedTuple):
    """What two changes make in all, and the fields that both changed to different things."""

    fields: dict[str, Any]
    contested: tuple[str, ...]


def merge(base: Mapping[str, Any], mine: Mapping[str, Any], theirs: Mapping[str, Any]) -> Merged:
    """Return ``mine`` with what ``theirs`` changed of ``base``.

    A field that both changed, and not alike, is contested, and stays as in ``mine``.

    >>> base = {"level": "E", "topic": "nets", "number": "1"}
    >>> mine = {"level": "H", "topic": "nets", "number": "1"}
    >>> merge(base, mine, {"level": "E", "topic": "graphs", "number": "1"}).fields
    {'level': 'H', 'topic': 'graphs', 'number': '1'}
    >>> merge(base, mine, {"level": "M", "number": "1"}).contested
    ('level',)
    """
    ours, others = difference(base, mine), difference(base, theirs)
    merged, contested = dict(mine), []
    for name, (_, after) in others.items():
        if name in ours and name != LANGUAGES:
            if ours[name][1] != after:
                contested.append(name)
        elif name == LANGUAGES:
            merged[name] = list(dict.fromkeys((*mine.get(name, ()), *(after or ()))))
        elif after is None:
            merged.pop(name, None)
        else:
            merged[name] = after
    return Merged(merged, tuple(contested))
