"""The public API, used by the command line, the app and other programs.

Methods raise only `KbError`, whatever their arguments; the `BrokenPipeError` of a caller's own
stream is passed on. A library can be used from several threads; each has its own connection,
which ends with the thread. Each method is documented in the service that it names.
"""

from __future__ import annotations

import functools
from importlib import import_module
from typing import TYPE_CHECKING, Any, Unpack

from kb import limits

if TYPE_CHECKING:
    import os
    import threading
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import BinaryIO

    from kb.model.entry import Entry, Snippet
    from kb.model.reports import Check, ImportOptions, ImportReport, Outcome, Verification
    from kb.model.results import Filters, OnWait, Progress, Results
    from kb.service.base import Base, Service
    from kb.service.changes import Changes
    from kb.service.collections import Collections
    from kb.service.diagnose import Diagnose
    from kb.service.edit import Edit
    from kb.service.exporting import Export
    from kb.service.files import Files
    from kb.service.find import Find
    from kb.service.glossary import Glossary
    from kb.service.importing import Import
    from kb.service.meaning import Meaning
    from kb.service.notes import Notes
    from kb.service.opening import Backups
    from kb.service.programs import Programs, Run
    from kb.service.read import Read
    from kb.service.review import Reviews
    from kb.service.study import Study
    from kb.service.sync import Sync
    from kb.service.verify import Verify


def open_library(
    path: str | os.PathLike[str] | None = None,
    *,
    bundled: bool = True,
    progress: Progress | None = None,
) -> Library:
    """Open a knowledge base; create it if necessary, with the bundled content or empty.

    Changed bundled entries are updated; what a user added is never touched. Raises `BadDatabase`
    if it is not a database, too new, or cannot be created, and `Cancelled` if ``progress`` does:
    a new file is then removed and an old one unchanged.
    """
    from kb.service.opening import open_renewed

    return Library(*open_renewed(path, bundled, progress))


def _service(module: str, name: str, doc: str = "") -> Any:
    """Return a service of the library, which loads on first use, with its documentation."""

    def load(self: Library) -> Service:
        service: Service = getattr(import_module(f"kb.service.{module}"), name)(self._base)
        return service

    load.__doc__ = doc
    return functools.cached_property(load)


class Library:
    """An open knowledge base. Use it as a context manager, or `close` it.

    ``notices`` are sentences about what happened while opening it.
    """

    def __init__(self, base: Base, notices: Sequence[str] = ()) -> None:
        self._base = base
        self.notices = tuple(notices)

    @property
    def path(self) -> str:
        """The database file."""
        return self._base.path

    find: Find = _service("find", "Find", "Search and lists.")
    read: Read = _service("read", "Read", "Reading of entries, programs and collections.")
    own: Notes = _service(
        "notes", "Notes", "What a reader adds to entries: notes, annotations, programs."
    )
    programs: Programs = _service(
        "programs",
        "Programs",
        "The programs that a run or verification would start, and which need consent.",
    )
    edit: Edit = _service(
        "edit", "Edit", "Writing, changing, moving, tagging and deleting entries."
    )
    collections: Collections = _service("collections", "Collections", "The tree of collections.")
    changes: Changes = _service("changes", "Changes", "The change log: undo, redo, history.")
    files: Files = _service(
        "files",
        "Files",
        "Differences between imported files and entries: removed entries and conflicts.",
    )
    imports: Import = _service("importing", "Import", "Imports of files.")
    exports: Export = _service("exporting", "Export", "Exports to files.")
    backups: Backups = _service("opening", "Backups", "Backup and restore.")
    study: Study = _service(
        "study", "Study", "Studying: due exercises, ratings, undo and statistics."
    )
    sync: Sync = _service("sync", "Sync", "Exchanges with other copies.")
    reviews: Reviews = _service(
        "review", "Reviews", "Proposals of readers, and decisions about them."
    )
    glossary: Glossary = _service(
        "glossary", "Glossary", "The reader's dictionaries, and translations of terms."
    )
    meaning: Meaning = _service("meaning", "Meaning", "Search by meaning: encoding of texts.")
    _runs: Run = _service("programs", "Run")
    _evidence: Verify = _service("verify", "Verify")
    _state: Diagnose = _service("diagnose", "Diagnose")

    def __enter__(self) -> Library:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections of all threads."""
        self._base.store.close()

    def when_waiting(self, tell: OnWait) -> None:
        """Call ``tell`` whenever a change waits for another writer.

        A change waits for a minute, then raises `Conflict` without changing anything.
        """
        self._base.store.write_lock.on_wait = tell

    def search(
        self,
        query: str,
        *,
        limit: int | None = 10,
        offset: int = 0,
        filters: Filters | None = None,
        explain: bool = False,
    ) -> Results:
        """Find entries for a query, best first: `kb.service.find.Find.search`."""
        return self.find.search(query, limit=limit, offset=offset, filters=filters, explain=explain)

    def search_typed(
        self,
        query: str,
        *,
        limit: int | None = 10,
        filters: Filters | None = None,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> Iterator[Results]:
        """Yield the results of a query being typed: `kb.service.find.Find.search_typed`."""
        return self.find.search_typed(query, limit=limit, filters=filters, cancelled=cancelled)

    def list(
        self, *, limit: int | None = None, offset: int = 0, filters: Filters | None = None
    ) -> Results:
        """Return the entries that pass the filters, in order: `kb.service.find.Find.list`."""
        return self.find.list(limit=limit, offset=offset, filters=filters)

    def show(self, entry: str) -> Entry:
        """Return an entry with everything that belongs to it: `kb.service.read.Read.show`."""
        return self.read.show(entry)

    def snippet(self, name: str) -> Snippet:
        """Return a program, or the main one of an entry: `kb.service.read.Read.snippet`."""
        return self.read.snippet(name)

    def run(
        self,
        name: str,
        *,
        timeout: float = limits.SECONDS,
        memory: int = limits.MEMORY,
        values: Mapping[str, float | str] | None = None,
        trust: bool = False,
        yes: Iterable[str] = (),
        unsafe_run: bool = False,
        on_output: Callable[[str, str], None] | None = None,
        stop: threading.Event | None = None,
    ) -> Outcome:
        """Run a program, or the main one of an entry: `kb.service.programs.Run.run`."""
        return self._runs.run(
            name,
            timeout=timeout,
            memory=memory,
            values=values,
            trust=trust,
            yes=yes,
            unsafe_run=unsafe_run,
            on_output=on_output,
            stop=stop,
        )

    def sandbox_level(self) -> str:
        """Return the sandbox level of this machine: `kb.service.programs.Run.sandbox_level`."""
        return self._runs.sandbox_level()

    def run_code(self, code: str, **options: Any) -> Outcome:
        """Run code that the reader typed: `kb.service.programs.Run.run_code`."""
        return self._runs.run_code(code, **options)

    def verify(
        self,
        ids: Iterable[str] = (),
        *,
        accept: bool = False,
        trust: bool = False,
        yes: Iterable[str] = (),
        unsafe_run: bool = False,
        timeout: float = limits.EVIDENCE_SECONDS,
        memory: int = limits.MEMORY,
        progress: Progress | None = None,
    ) -> Sequence[Verification]:
        """Run the evidence behind annotations: `kb.service.verify.Verify.verify`."""
        return self._evidence.verify(
            ids,
            accept=accept,
            trust=trust,
            yes=yes,
            unsafe_run=unsafe_run,
            timeout=timeout,
            memory=memory,
            progress=progress,
        )

    def judge_run(self, name: str, outcome: Outcome) -> Sequence[Verification]:
        """Store what a run has proved: `kb.service.verify.Verify.judge_run`."""
        return self._evidence.judge_run(name, outcome)

    def import_file(
        self,
        path: str | os.PathLike[str],
        *,
        progress: Progress | None = None,
        **options: Unpack[ImportOptions],
    ) -> ImportReport:
        """Add the entries of a file or a folder: `kb.service.importing.Import.import_file`."""
        return self.imports.import_file(path, progress=progress, **options)

    def export(
        self,
        format: str,
        target: str | os.PathLike[str] | BinaryIO,
        *,
        filters: Filters | None = None,
        ids: Iterable[str] | None = None,
        query: str = "",
        raw_cells: bool = False,
        reviews: bool = False,
    ) -> int:
        """Write the knowledge base, or a part of it: `kb.service.exporting.Export.export`."""
        return self.exports.export(
            format,
            target,
            filters=filters,
            ids=ids,
            query=query,
            raw_cells=raw_cells,
            reviews=reviews,
        )

    def rebuild(self, progress: Progress | None = None) -> int:
        """Rebuild the index: `kb.service.diagnose.Diagnose.rebuild`."""
        return self._state.rebuild(progress)

    def info(self) -> dict[str, object]:
        """Return paths, versions, counts: `kb.service.diagnose.Diagnose.info`."""
        return self._state.info()

    def doctor(self) -> Sequence[Check]:
        """Check the knowledge base and its surroundings: `kb.service.diagnose.Diagnose.doctor`."""
        return self._state.doctor()

    def repair(self, progress: Progress | None = None) -> Sequence[str]:
        """Repair the index and incomplete rows: `kb.service.diagnose.Diagnose.repair`."""
        return self._state.repair(progress)
