"""Imports: file contents are compared with stored entries, staged, and shown in one step."""

from __future__ import annotations

import collections
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, BinaryIO, Unpack

from kb.errors import Message, UsageError, nearest
from kb.formats.book import Batch
from kb.formats.registry import IMPORTERS, Options, table_in
from kb.model.changes import IMPORT, FieldChange
from kb.model.reports import ImportOptions, ImportReport, TablePreview
from kb.model.results import Progress, paced
from kb.service.base import Base, Service, checked_target, clean, collection_name, path_of
from kb.service.finishing import drop_undone, purge_dropped, settle, unstopped
from kb.service.importing.claims import Claims
from kb.service.importing.materials import Material, Materials, Names, known_file, materials_of
from kb.service.importing.placing import TakenIn, place, renamed, vanished
from kb.service.importing.planning import Plan, Targets, is_step
from kb.service.importing.staging import Work, staged_layer, work_of

Path = str | os.PathLike[str]
TAKEN_AS = ("notes", "questions", "cards")
"""How Markdown files can be read."""


class Import(Service):
    """The import of files."""

    def import_file(
        self, path: Path, *, progress: Progress | None = None, **options: Unpack[ImportOptions]
    ) -> ImportReport:
        """Import a file or folder: `import_files` with one path."""
        (report,) = self.import_files([path], progress=progress, **options)
        return report

    def import_files(
        self,
        paths: Iterable[Path],
        *,
        stream: BinaryIO | None = None,
        progress: Progress | None = None,
        **options: Unpack[ImportOptions],
    ) -> tuple[ImportReport, ...]:
        """Import files and folders as one change: everything or nothing.

        The path ``-`` is ``stream``. A folder with the layout of ``data/`` is a course with its
        own collections; any other becomes a tree of collections. Entries imported from the same
        file before are compared: unchanged ones follow the file, fields changed on both sides are
        reported as conflicts and kept, and entries missing in the file stay until pruned.

        A claim to be the reader's own is accepted for what was written on this machine, or with
        ``mine``, which makes no code trusted; measurements are accepted only from the bundled
        content. Other claims are ignored and reported. So are programs that hide code: they are
        stored as text and never run.

        The options are those of `kb.model.reports.ImportOptions`. Raises `UsageError` for unknown
        ones, and `BadData` with the line for unreadable data, unless that is skipped. If
        ``progress`` raises `Cancelled`, nothing becomes visible; the staged part speeds up a
        repetition. The redo history is cleared at the start.
        """
        known_options = ImportOptions.__annotations__
        for name in options.keys() - known_options:
            raise UsageError(
                "there is no import option '{name}'", nearest(name, known_options), name=name
            )
        tell, base = paced(progress), self._base
        dry_run, skip_bad = options.get("dry_run", False), options.get("skip_bad", False)
        collection, format = options.get("collection"), options.get("format")
        named = None if collection is None else collection_name(collection)
        wanted = None if format is None else clean("a format", format)
        asked, told = tuple(paths), _told(options)
        known = [
            materials_of(path_of("a file", path), named, wanted, stream, told) for path in asked
        ]
        known = _each_once(known)
        with base.store.working("kb import"):
            purge_dropped(base, tell)
            settle(base, tell)
        files = [
            renamed(base, materials, _read(base, materials, named, tell)) for materials in known
        ]
        work = work_of(named, [file for some in files for file in some])
        claims = Claims(base, mine=options.get("mine", False), skip_bad=skip_bad)

        def planned() -> list[list[Plan]]:
            names = Names(base, named, staged_layer(base, work))
            return _planned(base, known, files, names, claims)

        plans = planned()
        if not dry_run and base.store.journal.undone() and any(_changes(plans, tell)):
            drop_undone(base, tell)
            plans = planned()  # what was undone has let go of its names

        def reports() -> tuple[ImportReport, ...]:
            return tuple(
                _report(os.fspath(path), some, materials, dry_run)
                for path, some, materials in zip(asked, plans, known, strict=True)
            )

        if dry_run:
            collections.deque(_changes(plans, tell), 0)
            return reports()
        every = [plan for some in plans for plan in some]
        with base.store.working("kb import"):
            change = Work(base, every, work, lambda: _summary(reports())).store(tell)
        whole = sum(map(len, every))
        at_end = unstopped(tell)
        base.tidy(lambda done, total: at_end(whole, whole))
        for plan in every:
            claims.vouched(plan.placed.batch)
        return tuple(report._replace(change=change) for report in reports())

    def table_in(self, path: Path) -> TablePreview | None:
        """Return a preview of a foreign table; nothing for other files.

        Raises `NotFound`, and `BadData` for an unreadable table.
        """
        return table_in(path_of("a file", path))

    def write_report(self, reports: Iterable[ImportReport], target: Path | BinaryIO) -> None:
        """Write what an import skipped to a file: each span with place and reason."""
        from kb.formats.delivery import Drafting, deliver

        told = [d for report in reports for d in (*report.dropped, *report.bad, *report.unfit)]

        def make(out: BinaryIO) -> None:
            for each in told:
                place = each.file if each.line is None else f"{each.file}:{each.line}"
                lines = (f"    {line}\n" for line in each.text.splitlines())
                out.write(f"{place}: {each.reason}\n{''.join(lines)}".encode())

        deliver(checked_target(target, self._base.path), Drafting(make))

    def endings(self) -> tuple[str, ...]:
        """Return the suffixes of importable files."""
        return tuple(ending for known in IMPORTERS.values() for ending in known.suffixes)


def _told(options: ImportOptions) -> Options:
    """Return the options for format readers."""
    columns, kind = options.get("columns"), options.get("taken_as")
    told: dict[str, Any] = {} if columns is None else {"columns": clean("columns", columns)}
    if kind is not None:
        told["taken_as"] = clean("a kind", kind)
        if kind not in TAKEN_AS:
            known = Message("One of: {taken_as}.", taken_as=", ".join(TAKEN_AS))
            raise UsageError(
                "a file cannot be read as '{kind}'", nearest(kind, TAKEN_AS) or known, kind=kind
            )
    return {**told, "reviews": True} if options.get("reviews") else told


def _read(
    base: Base, materials: Materials, named: str | None, tell: Progress
) -> list[tuple[Material, Batch]]:
    """Return files by identity, with their content."""
    found = []
    for material in materials.files:
        batch = material.read(tell)
        found.append((known_file(base, material, batch, named), batch))
    return found


def _each_once(known: Iterable[Materials]) -> list[Materials]:
    """Return the files to read, without duplicates."""
    seen: set[str] = set()
    found = []
    for materials in known:
        fresh = tuple(each for each in materials.files if each.file not in seen)
        seen |= {each.file for each in fresh}
        found.append(materials._replace(files=fresh))
    return found


def _planned(
    base: Base,
    known: Sequence[Materials],
    files: Sequence[Sequence[tuple[Material, Batch]]],
    names: Names,
    claims: Claims,
) -> list[list[Plan]]:
    """Return the decisions for the files of each path."""
    placed = [[place(base, *file, names, claims) for file in some] for some in files]
    targets = Targets([each for some in placed for each in some])
    moved = {material.was for some in files for material, _ in some if material.was}
    return [
        [Plan(base, each, targets) for each in (*some, *vanished(base, materials, moved))]
        for some, materials in zip(placed, known, strict=True)
    ]


def _changes(plans: Iterable[Iterable[Plan]], tell: Progress) -> Iterator[bool]:
    """Yield for each decision whether it changes anything."""
    return (is_step(each) for some in plans for plan in some for each in plan.decisions(tell))


def _report(path: str, plans: Sequence[Plan], materials: Materials, dry_run: bool) -> ImportReport:
    counts = sum((plan.tally.counts for plan in plans), Counter[str]())
    placed = [plan.placed for plan in plans]
    return ImportReport(
        ", ".join(dict.fromkeys(name for plan in plans for name in plan.tally.collections)),
        counts["added"],
        counts["updated"],
        counts["unchanged"],
        dry_run=dry_run,
        file=path,
        entries=TakenIn(placed),
        dropped=(*materials.dropped, *(d for each in placed for d in each.batch.dropped)),
        bad=tuple(d for each in placed for d in each.batch.bad),
        conflicts=tuple(id for plan in plans for id in plan.tally.conflicts),
        gone=tuple(record.entry for each in placed for record in each.gone),
        disbelieved=tuple(each for known in placed for each in known.batch.disbelieved),
        assumed=tuple(
            Message(said, place=each.material.name)
            for each in placed
            for said in each.batch.assumed
        ),
        unfit=tuple(each for known in placed for each in known.batch.unfit),
        readings=tuple(known.batch.reading for known in placed if known.batch.reading),
    )


def _summary(reports: Sequence[ImportReport]) -> FieldChange:
    """Return the change log data of an import: its files and counts."""
    told = {
        "files": [report.file for report in reports],
        "added": sum(report.added for report in reports),
        "updated": sum(report.updated for report in reports),
        "conflicts": sum(len(report.conflicts) for report in reports),
        "gone": sum(len(report.gone) for report in reports),
    }
    return FieldChange(None, IMPORT, None, told)
