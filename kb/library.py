"""The public API, used by the command line, the app and other programs.

Methods raise only `KbError`, whatever their arguments; the `BrokenPipeError` of a caller's own
stream is passed on. A library can be used from several threads; each has its own connection,
which ends with the thread. Each method is documented in the service that it names.
"""

from __future__ import annotations

import functools
from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Sequence

    from kb.model.results import OnWait, Progress
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


_Bound = TypeVar("_Bound")


def _service(module: str, name: str, doc: str = "") -> Any:
    """Return a service of the library, which loads on first use, with its documentation."""

    def load(self: Library) -> Service:
        service: Service = getattr(import_module(f"kb.service.{module}"), name)(self._base)
        return service

    load.__doc__ = doc
    return functools.cached_property(load)


class _Method(Generic[_Bound]):
    """A method of a service as one of the library; of the class it is only this description."""

    def __init__(self, find: Callable[[Library], _Bound]) -> None:
        self._find = find

    def __get__(self, library: Library | None, kind: type[Library]) -> _Bound:
        return cast("_Bound", self) if library is None else self._find(library)


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

    search = _Method(lambda self: self.find.search)
    search_typed = _Method(lambda self: self.find.search_typed)
    list = _Method(lambda self: self.find.list)
    show = _Method(lambda self: self.read.show)
    snippet = _Method(lambda self: self.read.snippet)
    run = _Method(lambda self: self._runs.run)
    sandbox_level = _Method(lambda self: self._runs.sandbox_level)
    run_code = _Method(lambda self: self._runs.run_code)
    verify = _Method(lambda self: self._evidence.verify)
    judge_run = _Method(lambda self: self._evidence.judge_run)
    import_file = _Method(lambda self: self.imports.import_file)
    export = _Method(lambda self: self.exports.export)
    rebuild = _Method(lambda self: self._state.rebuild)
    info = _Method(lambda self: self._state.info)
    doctor = _Method(lambda self: self._state.doctor)
    repair = _Method(lambda self: self._state.repair)
