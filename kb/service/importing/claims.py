"""Claims in a file that are not trusted: that something is the reader's own, or was measured.

What the reader wrote on this machine is recognized by its digest and stays the reader's, as does
what the reader vouches for. Everything else belongs to the file.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Collection, Mapping
from typing import NamedTuple, TypeVar

from kb.errors import Message, counted
from kb.formats.book import Batch
from kb.formats.shelf import Shelf
from kb.model import Annotation, Dropped, Entry, Snippet
from kb.model.entry_json import ANNOTATION, annotation_digest
from kb.service.base import Base

_Part = TypeVar("_Part", Snippet, Annotation)

_UNVERIFIED = "unverified"
_MEASURED = ("confirmed", "refuted", "cannot-run")


class Claimed(NamedTuple):
    """The checked entries of a file, and its ignored claims."""

    batch: Batch
    disbelieved: tuple[Dropped, ...] = ()


class Claims:
    """The claim checks of one import; ``mine`` accepts the reader's own."""

    def __init__(self, base: Base, *, mine: bool = False) -> None:
        self._base = base
        self._mine = mine
        self._bundled: Mapping[str, Annotation] | None = None

    def examined(self, batch: Batch, file: str) -> Claimed:
        """Return a batch with only accepted claims."""
        if batch.plain:
            return Claimed(batch)
        told: list[Dropped] = []
        states: list[str] = []
        entries, same = Shelf(), True
        for entry in batch.book.entries:
            line = batch.lines.get(entry.id)

            def tell(name: str, reason: str, line: int | None = line) -> None:
                told.append(Dropped(file, line, reason, name))

            own = any(each.own for each in _parts(entry))
            known = self._owned(entry, tell) if own else entry
            believed = self._measured(known, states)
            entries.add(believed)
            same = same and believed is entry
        if states:
            said = counted(
                len(states),
                "its status was skipped; 'kb verify' runs the evidence",
                "the status of {n} annotations was skipped; 'kb verify' runs the evidence",
            )
            told.append(Dropped(file, None, said, states[0]))
        if not told and same:
            return Claimed(batch)
        book = dataclasses.replace(batch.book, entries=entries)
        return Claimed(dataclasses.replace(batch, book=book), tuple(told))

    def vouched(self, batch: Batch) -> None:
        """Record what the reader vouched for, after the import."""
        if self._mine:
            from kb.evidence.trust import remember_written

            for entry in batch.book.entries:
                for part in _parts(entry):
                    if part.own:
                        remember_written(_digest(entry.id, part))

    @functools.cached_property
    def _written(self) -> Collection[str]:
        """The digests of what the reader wrote on this machine."""
        from kb.evidence.trust import written_by_reader

        return written_by_reader()

    def _owned(self, entry: Entry, tell: Callable[[str, str], None]) -> Entry:
        """Return an entry with accepted parts marked as the reader's, others as the file's."""
        snippets = [self._part(entry.id, each, tell) for each in entry.snippets]
        notes = [self._part(entry.id, each, tell) for each in entry.annotations]
        return dataclasses.replace(
            entry,
            snippets=tuple(each for each in snippets if each is not None),
            annotations=tuple(each for each in notes if each is not None),
        )

    def _part(self, entry: str, part: _Part, tell: Callable[[str, str], None]) -> _Part | None:
        """Return a part as the reader's or the file's.

        The reader's addition is kept instead of the file's of the same name.
        """
        if not part.own:
            return part
        written, store = _digest(entry, part), self._base.store
        holders = store.entries.get(store.additions.entries_of(part.id))
        for holder in holders.values():
            stored = [_digest(entry, each) for each in _parts(holder) if each.id == part.id]
            if entry != holder.id or written not in stored:
                said = Message(
                    "your annotation or program of this name, at {holder}, stays", holder=holder.id
                )
                tell(part.id, said)
            return None
        if self._mine or written in self._written:
            return part
        tell(part.id, "the file says that it is yours, but danesh does not trust it (use --mine)")
        if isinstance(part, Annotation):
            return dataclasses.replace(part, own=False, target=part.target._replace(file=""))
        return dataclasses.replace(part, own=False)

    def _measured(self, entry: Entry, states: list[str]) -> Entry:
        """Return an entry without measurements that were not made here."""
        claimed = {
            each.id: each.status
            for each in entry.claims
            if each.status in _MEASURED and not self._ours(entry, each)
        }
        if not claimed:
            return entry
        here = self._base.store.entries.get([entry.id]).get(entry.id)
        measured = {each.id: each.status for each in here.claims} if here else {}
        rests = (each for each in entry.claims if each.id in claimed and each.evidence)
        states += [each.id for each in rests if measured.get(each.id) != each.status]
        return entry.with_claims(
            dataclasses.replace(each, status=_UNVERIFIED) if each.id in claimed else each
            for each in entry.claims
        )

    def _ours(self, entry: Entry, annotation: Annotation) -> bool:
        """Return whether an annotation and its programs equal the bundled ones."""
        if annotation.status != "confirmed" or annotation.own:
            return False
        if self._bundled is None:
            self._bundled, self._programs = _bundled()
        ours = self._bundled.get(annotation.id)
        plain = dataclasses.replace(annotation, status=_UNVERIFIED)
        if ours is None or ANNOTATION.write(ours) != ANNOTATION.write(plain):
            return False
        codes = {each.id: each.code for each in entry.snippets}
        return all(
            codes.get(each.snippet) == self._programs.get(each.snippet, "")
            for each in annotation.evidence
        )


def _parts(entry: Entry) -> tuple[Snippet | Annotation, ...]:
    return (*entry.snippets, *entry.annotations)


def _digest(entry: str, part: Snippet | Annotation) -> str:
    return part.digest if isinstance(part, Snippet) else annotation_digest(entry, part)


def _bundled() -> tuple[Mapping[str, Annotation], Mapping[str, str]]:
    """Return the bundled annotations without measurements, and programs."""
    from kb.content.folder import read_content
    from kb.content.tables import bundled_folder

    entries = read_content(bundled_folder()).entries
    notes = (each for entry in entries for each in entry.claims)
    return (
        {each.id: dataclasses.replace(each, status=_UNVERIFIED) for each in notes},
        {each.id: each.code for entry in entries for each in entry.snippets},
    )
