"""Programs that come in: their lines ended by a newline, and those named that never run."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from kb.contract.codec import dumps
from kb.contract.entry import ENTRY
from kb.errors import Message
from kb.exchange.book import Batch
from kb.exchange.shelf import Shelf
from kb.records import Dropped, Entry, digest
from kb.text.program import settled, unfit, unfit_name


def fit(batch: Batch, name: str) -> Batch:
    """Return a batch that tells which of its programs hide what Python runs, and so never run.

    ``name`` is the file's. Entries whose programs have such names are its bad ones.
    """
    if batch.plain or not any(entry.snippets for entry in batch.book.entries):
        return batch
    kept, bad, never_run = Shelf(), list(batch.bad), list(batch.unfit)
    for entry in batch.book.entries:
        line = batch.lines.get(entry.id)
        hidden = next(filter(None, (unfit_name(each.id) for each in entry.snippets)), "")
        if hidden:
            place = f"{name}:{line}" if line else f"{name}: {entry.id}"
            told = Message("the name of a program has {hidden}", place=place, hidden=hidden)
            bad.append(Dropped(name, line, told, dumps(ENTRY.write(entry), indent=None)))
            continue
        mended = _settled(entry)
        kept.add(mended)
        never_run += _never_run(name, line, mended)
    book = dataclasses.replace(batch.book, entries=kept)
    return dataclasses.replace(batch, book=book, bad=tuple(bad), unfit=tuple(never_run))


def _never_run(name: str, line: int | None, entry: Entry) -> Iterator[Dropped]:
    """Yield the programs of an entry that hide what Python runs."""
    for program in entry.snippets:
        found = unfit(program.code)
        if found is not None:
            reason = Message("line {line} of its code has {what}", line=found.line, what=found.what)
            yield Dropped(name, line, reason, program.id)


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
