"""Importing: what files hold, compared with what is here, stored unseen and shown in one step."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import BinaryIO

from kb.exchange.registry import IMPORTERS
from kb.records import ImportedEntry, ImportReport, Progress, paced
from kb.records.changes import IMPORT, FieldChange
from kb.service.base import Base
from kb.service.collections import collection_name
from kb.service.guard import clean, door, path_of
from kb.service.importing.materials import Materials, materials_of
from kb.service.importing.naming import Names
from kb.service.importing.planning import Placed, Plan, place, plans_of, vanished
from kb.service.importing.staging import store
from kb.service.settling import purge_dropped, settle

Path = str | os.PathLike[str]


class Import:
    """What a reader takes in."""

    def __init__(self, base: Base) -> None:
        self._base = base

    @door
    def import_file(
        self,
        path: Path,
        *,
        collection: str | None = None,
        format: str | None = None,
        dry_run: bool = False,
        skip_bad: bool = False,
        progress: Progress | None = None,
    ) -> ImportReport:
        """Take in a file or a folder: `import_files` of one path."""
        (report,) = self.import_files(
            [path],
            collection=collection,
            format=format,
            dry_run=dry_run,
            skip_bad=skip_bad,
            progress=progress,
        )
        return report

    @door
    def import_files(
        self,
        paths: Iterable[Path],
        *,
        collection: str | None = None,
        format: str | None = None,
        dry_run: bool = False,
        skip_bad: bool = False,
        stream: BinaryIO | None = None,
        progress: Progress | None = None,
    ) -> tuple[ImportReport, ...]:
        """Take in files and folders, as one change: all they hold, or nothing.

        The path ``-`` is ``stream``. A folder of the form of ``data/`` is a course, which
        names its own collections; any other becomes a tree of collections. An entry that was
        taken from the same file before is compared: what the reader left as it was follows
        the file, what both changed stays and is told as a conflict, and what is gone from the
        file stays until it is pruned.

        Raises `BadData` that names the line of what cannot be read, unless ``skip_bad``. Where
        ``progress`` raises `Cancelled`, nothing is seen of it; what was staged by then saves
        the same import its way.
        """
        tell = paced(progress)
        named = None if collection is None else collection_name(collection)
        wanted = None if format is None else clean("a format", format)
        known = [materials_of(path_of("a file", path), named, wanted, stream) for path in paths]
        purge_dropped(self._base, tell)
        settle(self._base, tell)
        names = Names(self._base, named)
        placed = [
            [
                place(self._base, names.known(m), names, skip_bad=skip_bad, progress=tell)
                for m in each.files
            ]
            for each in known
        ]
        planned = list(plans_of(self._base, [p for each in placed for p in each], tell))
        plans = [
            [*(planned.pop(0) for _ in each), *vanished(self._base, materials)]
            for each, materials in zip(placed, known, strict=True)
        ]
        reports = tuple(
            _report(os.fspath(path), some, materials, dry_run)
            for path, some, materials in zip(paths, plans, known, strict=True)
        )
        if dry_run:
            return reports
        every = [plan for some in plans for plan in some]
        change = store(self._base, every, _summary(reports), tell)
        return tuple(report._replace(change=change) for report in reports)

    @door
    def endings(self) -> tuple[str, ...]:
        """Return how the names of files end that can be imported."""
        return tuple(ending for known in IMPORTERS.values() for ending in known.suffixes)


def _report(path: str, plans: Sequence[Plan], materials: Materials, dry_run: bool) -> ImportReport:
    decisions = [decision for plan in plans for decision in plan.decisions]
    counts = Counter(decision.outcome for decision in decisions)
    placed = [plan.placed for plan in plans]
    return ImportReport(
        ", ".join(dict.fromkeys(e.collection for each in placed for e in each.entries)),
        counts["added"],
        counts["updated"],
        counts["unchanged"],
        dry_run=dry_run,
        file=path,
        entries=tuple(taken for each in placed for taken in _imported(each)),
        dropped=(*materials.dropped, *(d for each in placed for d in each.batch.dropped)),
        bad=tuple(d for each in placed for d in each.batch.bad),
        conflicts=tuple(d.record.entry for d in decisions if d.outcome == "conflict"),
        gone=tuple(record.entry for plan in plans for record in plan.gone),
    )


def _imported(placed: Placed) -> Iterable[ImportedEntry]:
    given = placed.batch.book.entries
    for entry, was in zip(placed.entries, given, strict=True):
        yield ImportedEntry(entry.id, entry.question, placed.batch.lines.get(was.id))


def _summary(reports: Sequence[ImportReport]) -> FieldChange:
    """Return what the journal tells of an import: its files, and in numbers what it did."""
    told = {
        "files": [report.file for report in reports],
        "added": sum(report.added for report in reports),
        "updated": sum(report.updated for report in reports),
        "conflicts": sum(len(report.conflicts) for report in reports),
        "gone": sum(len(report.gone) for report in reports),
    }
    return FieldChange(None, IMPORT, None, told)
