"""What a file brings is checked, entry by entry: sizes, programs, media, claims of trust.

A claim that something is the reader's own, or was measured, is not trusted. What the reader wrote
on this machine is recognized by its digest and stays the reader's, as does what the reader vouches
for. Everything else belongs to the file.
"""

from __future__ import annotations

import dataclasses
import functools
import re
from collections.abc import Collection, Mapping
from typing import Any, TypeVar

from kb.errors import BadData, Message, counted
from kb.formats.book import Batch, Shelf
from kb.model.entry import Annotation, Entry, Snippet, digest
from kb.model.entry_json import ANNOTATION, ENTRY, annotation_digest, bounded
from kb.model.json import dumps
from kb.model.reports import Dropped
from kb.service.base import Base
from kb.text.program import forbidden_in_name, forbidden_part, normal_code

_Part = TypeVar("_Part", Snippet, Annotation)

_FENCED = re.compile("(?:```|~~~)[^\n`~]{,40}py", re.IGNORECASE)
_UNUSUAL = re.compile(r"[^ -~\n\t]|coding")  # without one of these, no Python hides anything
_UNVERIFIED = "unverified"
_MEASURED = ("confirmed", "refuted", "cannot-run")
_TOLD = ("bad", "dropped", "unfit", "disbelieved")
"""What a batch says of a file beside its entries."""


class Claims:
    """The checks of one import; ``mine`` accepts the reader's own, ``skip_bad`` bad entries."""

    def __init__(self, base: Base, *, mine: bool = False, skip_bad: bool = False) -> None:
        self.base = base
        self.mine = mine
        self._skip_bad = skip_bad

    def examined(self, batch: Batch, name: str) -> Batch:
        """Return the batch of a file as it may be stored, with only accepted claims.

        Raises `BadData` for contradictory, oversized or unreadable data.
        """
        found = batch if batch.plain else _Examination(self, batch, name).examined()
        if found.bad and not self._skip_bad:
            said = Message(found.bad[0].reason)
            if more := len(found.bad) - 1:
                said = Message("{reason} (and {more} more lines)", reason=said, more=more)
            raise BadData(said, "--skip-bad writes such lines to a file.")
        return found

    def vouched(self, batch: Batch) -> None:
        """Record what the reader vouched for, after the import."""
        if self.mine:
            from kb.evidence.trust import remember_written

            for entry in batch.book.entries:
                for part in _parts(entry):
                    if part.own:
                        remember_written(_digest(entry.id, part))

    @functools.cached_property
    def written(self) -> Collection[str]:
        """The digests of what the reader wrote on this machine."""
        from kb.evidence.trust import written_by_reader

        return written_by_reader()

    @functools.cached_property
    def bundled(self) -> tuple[Mapping[str, Annotation], Mapping[str, str]]:
        """Return the bundled annotations without measurements, and programs."""
        from kb.content.bundled import bundled_folder
        from kb.content.folder import read_content

        entries = read_content(bundled_folder()).entries
        notes = (each for entry in entries for each in entry.claims)
        return (
            {each.id: dataclasses.replace(each, status=_UNVERIFIED) for each in notes},
            {each.id: each.code for entry in entries for each in entry.snippets},
        )


class _Examination:
    """One pass through the entries of a file."""

    def __init__(self, claims: Claims, batch: Batch, name: str) -> None:
        self._claims = claims
        self._batch = batch
        self._name = name
        self._texts = {source.file: source.text for source in batch.book.sources}
        self._seen: set[tuple[str, str]] = set()
        self._line: int | None = None
        self._told: dict[str, list[Dropped]] = {name: [*getattr(batch, name)] for name in _TOLD}
        self._states: list[str] = []

    def examined(self) -> Batch:
        for source in self._batch.book.sources:
            if digest(source.text) != source.sha256:
                raise BadData(
                    "{file}: the document's text does not have its checksum",
                    place=self._name,
                    file=source.file,
                )
        entries, same = Shelf(), True
        for entry in self._batch.book.entries:
            self._line = self._batch.lines.get(entry.id)
            found = self._entry(entry)
            same = same and found is entry
            if found is not None:
                entries.add(found)
        if self._states:
            said = counted(
                len(self._states),
                "its status was skipped; 'kb verify' runs the evidence",
                "the status of {n} annotations was skipped; 'kb verify' runs the evidence",
            )
            self._line = None
            self._tell("disbelieved", said, self._states[0])
        kept = self._batch.book.entries if same else entries
        book = dataclasses.replace(self._batch.book, entries=kept)
        told: Any = {name: tuple(some) for name, some in self._told.items()}
        return dataclasses.replace(self._batch, book=book, **told)

    def _entry(self, entry: Entry) -> Entry | None:
        """Return an entry as it may be stored, or nothing."""
        place = self._name if self._line is None else f"{self._name}:{self._line}"
        hidden = next(filter(None, (forbidden_in_name(each.id) for each in entry.snippets)), "")
        if hidden:
            said = Message("the name of a program has {hidden}", place=place, hidden=hidden)
            self._tell("bad", said, dumps(ENTRY.write(entry), indent=None))
            return None
        self._check(entry, place)
        fitting = self._with_bytes(self._fit(entry))
        own = any(each.own for each in _parts(fitting))
        return self._measured(self._owned(fitting) if own else fitting)

    def _tell(self, name: str, reason: str, text: str) -> None:
        self._told[name].append(Dropped(self._name, self._line, reason, text))

    def _check(self, entry: Entry, place: str) -> None:
        """Reject two of a name, an entry that is too large, and a quote that is not there."""
        bounded(entry, f"{place}: {entry.id[:80]}")
        for program in entry.snippets:
            if "\0" in program.code:  # which no stored text may have
                raise BadData("{key} contains the character NUL", place=place, key=program.id)
        for kind, id in (("entry", entry.id), *(("annotation", each.id) for each in entry.claims)):
            if (kind, id) in self._seen:
                raise BadData(
                    "{id}: two of the file's {kind} records have this id",
                    place=place,
                    id=id,
                    kind=kind,
                )
            self._seen.add((kind, id))
        for annotation in entry.annotations if self._texts else ():
            target = annotation.target
            text = self._texts.get(target.file)
            if text is not None and text[target.start : target.end] != target.quote:
                raise BadData(
                    "{id}: the quote is not at {start} to {end} of {file}",
                    place=place,
                    id=annotation.id,
                    start=target.start,
                    end=target.end,
                    file=target.file,
                )

    def _fit(self, entry: Entry) -> Entry:
        """Return an entry whose programs have our line ends; tell those that never run."""
        snippets = tuple(
            dataclasses.replace(each, code=normal_code(each.code)) for each in entry.snippets
        )
        written = "\n".join((*entry.question.values(), *(each.text for each in entry.answers)))
        programs = [*snippets]
        if _FENCED.search(written) and _UNUSUAL.search(written):
            from kb.present.fences import fenced_programs

            programs += fenced_programs(entry)
        for program in programs:
            if (found := forbidden_part(program.code)) is not None:
                reason = Message(
                    "line {line} of its code has {what}", line=found.line, what=found.what
                )
                self._tell("unfit", reason, program.id)
        same = snippets == entry.snippets
        return entry if same else dataclasses.replace(entry, snippets=snippets)

    def _with_bytes(self, entry: Entry) -> Entry:
        """Return an entry that shows only media that its file brings or that are stored."""
        there = self._batch.book.media
        wanted = {each.sha256 for each in entry.media if each.sha256 not in there}
        lost = self._claims.base.store.media.missing(wanted) if wanted else ()
        for each in entry.media if lost else ():
            if each.sha256 in lost:
                self._tell("dropped", Message("its data is not in the file"), each.name)
        kept = tuple(each for each in entry.media if each.sha256 not in lost)
        return dataclasses.replace(entry, media=kept) if lost else entry

    def _owned(self, entry: Entry) -> Entry:
        """Return an entry with accepted parts marked as the reader's, others as the file's."""
        snippets = [self._part(entry.id, each) for each in entry.snippets]
        notes = [self._part(entry.id, each) for each in entry.annotations]
        return dataclasses.replace(
            entry,
            snippets=tuple(each for each in snippets if each is not None),
            annotations=tuple(each for each in notes if each is not None),
        )

    def _part(self, entry: str, part: _Part) -> _Part | None:
        """Return a part as the reader's or the file's.

        The reader's addition is kept instead of the file's of the same name.
        """
        if not part.own:
            return part
        written, store = _digest(entry, part), self._claims.base.store
        holders = store.entries.get(store.additions.entries_of(part.id))
        for holder in holders.values():
            stored = [_digest(entry, each) for each in _parts(holder) if each.id == part.id]
            if entry != holder.id or written not in stored:
                said = Message(
                    "your annotation or program of this name, at {holder}, stays", holder=holder.id
                )
                self._tell("disbelieved", said, part.id)
            return None
        if self._claims.mine or written in self._claims.written:
            return part
        said = Message("the file says that it is yours, but danesh does not trust it (use --mine)")
        self._tell("disbelieved", said, part.id)
        if isinstance(part, Annotation):
            return dataclasses.replace(part, own=False, target=part.target._replace(file=""))
        return dataclasses.replace(part, own=False)

    def _measured(self, entry: Entry) -> Entry:
        """Return an entry without measurements that were not made here."""
        claimed = {
            each.id: each.status
            for each in entry.claims
            if each.status in _MEASURED and not self._ours(entry, each)
        }
        if not claimed:
            return entry
        here = self._claims.base.store.entries.get([entry.id]).get(entry.id)
        measured = {each.id: each.status for each in here.claims} if here else {}
        rests = (each for each in entry.claims if each.id in claimed and each.evidence)
        self._states += [each.id for each in rests if measured.get(each.id) != each.status]
        return entry.with_claims(
            dataclasses.replace(each, status=_UNVERIFIED) if each.id in claimed else each
            for each in entry.claims
        )

    def _ours(self, entry: Entry, annotation: Annotation) -> bool:
        """Return whether an annotation and its programs equal the bundled ones."""
        if annotation.status != "confirmed" or annotation.own:
            return False
        annotations, programs = self._claims.bundled
        ours = annotations.get(annotation.id)
        plain = dataclasses.replace(annotation, status=_UNVERIFIED)
        if ours is None or ANNOTATION.write(ours) != ANNOTATION.write(plain):
            return False
        codes = {each.id: each.code for each in entry.snippets}
        return all(
            codes.get(each.snippet) == programs.get(each.snippet, "")
            for each in annotation.evidence
        )


def _parts(entry: Entry) -> tuple[Snippet | Annotation, ...]:
    return (*entry.snippets, *entry.annotations)


def _digest(entry: str, part: Snippet | Annotation) -> str:
    return part.digest if isinstance(part, Snippet) else annotation_digest(entry, part)
