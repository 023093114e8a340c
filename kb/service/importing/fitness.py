"""Programs that come in: their lines ended by a newline, and nothing in them that hides code."""

from __future__ import annotations

import dataclasses

from kb.contract.document import dumps
from kb.contract.entry import ENTRY
from kb.exchange.book import Batch
from kb.exchange.shelf import Shelf
from kb.records import Dropped, Entry, Snippet, digest
from kb.text.program import settled, unfit


def fit(batch: Batch, name: str) -> Batch:
    """Return a batch whose programs show what Python runs; entries with others are its bad ones.

    ``name`` is the file's.
    """
    if batch.plain or not any(entry.snippets for entry in batch.book.entries):
        return batch
    kept, bad = Shelf(), list(batch.bad)
    for entry in batch.book.entries:
        mended = _settled(entry)
        hidden = next(filter(None, map(_hidden, mended.snippets)), "")
        if not hidden:
            kept.add(mended)
            continue
        line = batch.lines.get(entry.id)
        place = f"{name}:{line}" if line else f"{name}: {entry.id}"
        bad.append(
            Dropped(name, line, f"{place}: {hidden}", dumps(ENTRY.write(entry), indent=None))
        )
    book = dataclasses.replace(batch.book, entries=kept)
    return dataclasses.replace(batch, book=book, bad=tuple(bad))


def _hidden(program: Snippet) -> str:
    """Say what in a program, or in its name, would hide what Python runs."""
    found = unfit(program.id.replace("\n", "\x0b").replace("\t", "\x0b"))
    if found is not None:
        return "the name of a program has a control character or one that nobody sees in it"
    found = unfit(program.code)
    return f"line {found.line} of the program {program.id} has {found.what}" if found else ""


def _settled(entry: Entry) -> Entry:
    """Return an entry with the lines of its programs ended by a newline, and evidence with them."""
    codes = {each.id: settled(each.code) for each in entry.snippets}
    if all(codes[each.id] == each.code for each in entry.snippets):
        return entry
    renewed = {digest(each.code): digest(codes[each.id]) for each in entry.snippets}
    annotations = (
        dataclasses.replace(
            note,
            evidence=tuple(
                dataclasses.replace(e, snippet_hash=renewed.get(e.snippet_hash, e.snippet_hash))
                for e in note.evidence
            ),
        )
        for note in entry.annotations
    )
    snippets = (dataclasses.replace(each, code=codes[each.id]) for each in entry.snippets)
    return dataclasses.replace(entry, snippets=tuple(snippets), annotations=tuple(annotations))
