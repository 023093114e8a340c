"""The state of a knowledge base and its environment, and repairs."""

from __future__ import annotations

import os
import platform
import stat
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path

from kb.content.bundled import VOCABULARY_FILE, bundled_folder
from kb.content.context import Mistakes
from kb.content.folder import read_content
from kb.content.glossary import read_vocabulary
from kb.errors import BadDatabase, KbError, Message, NotFound, joined_sentences
from kb.evidence.runner import Limits, run_snippet, sandbox_level
from kb.model.entry import Concept, Snippet
from kb.model.reports import Check
from kb.model.results import Progress, paced
from kb.search.index import fts5
from kb.service.base import Base, Service, only_our_errors, path_of
from kb.service.content import write_index
from kb.service.meaning import Meaning
from kb.service.opening import FINGERPRINT_OF_INDEX, MEMORY, open_renewed, remake
from kb.settings import read_settings
from kb.store.sqlite.copies import copies_of
from kb.store.sqlite.driver import journal_mode, sqlite3
from kb.store.sqlite.salvage import mend_orphans, orphans
from kb.terminal.terminal import direction_support
from kb.text.languages import FINGERPRINT
from kb.version import __version__


class Diagnose(Service):
    """Checks and repairs of the knowledge base."""

    def info(self) -> dict[str, object]:
        """Return paths, versions, counts and the state of the index."""
        store = self._base.store
        analyzer = store.meta.get(FINGERPRINT_OF_INDEX)
        return {
            "version": __version__,
            "python": platform.python_version(),
            "sqlite": sqlite3.sqlite_version,
            "journal": journal_mode(),
            "database": self._base.path,
            "bytes": os.path.getsize(self._base.path) if os.path.exists(self._base.path) else 0,
            "content": str(bundled_folder()),
            "counts": store.catalog.counts(),
            "index": {"analyzer": analyzer, "current": analyzer == FINGERPRINT},
            "meaning": Meaning(self._base).state(),
        }

    def doctor(self) -> Sequence[Check]:
        """Return for each check its name, result, findings and remedy."""
        return [_checked(name, self._base) for name in _CHECKS]

    def repair(self, progress: Progress | None = None) -> Sequence[str]:
        """Repair the index and rows with invalid references; return what was done.

        A copy is made first. Raises `BadDatabase` with a remedy if stored data is damaged;
        nothing is then changed.
        """
        base, done = self._base, []
        if _is_damaged(base):
            copy = self._remade()
            done.append(Message("the database was rebuilt; the damaged one is {copy}", copy=copy))
        if broken := orphans(base.store.connection):
            kept = base.store.keep_as_it_is("repair")
            with base.store.transaction():
                mend_orphans(base.store.connection)
            told = Message(
                "{rows} rows repaired; a copy of the database before is {kept}",
                rows=sum(broken.values()),
                kept=kept,
            )
            done.append(told)
        if broken or wrongly_indexed(base) or fts5.differing(base.store, base.index):
            done.append(Message("{texts} texts reindexed", texts=self.rebuild(progress)))
        return done

    def rebuild(self, progress: Progress | None = None) -> int:
        """Rebuild the index from the stored texts; return the number of documents.

        If pages of the file are damaged, but no stored data, the file is rebuilt, and the damaged
        one is kept beside it. Raises `BadDatabase` if more is damaged. If ``progress`` raises
        `Cancelled`, the index is unchanged.
        """
        if _is_damaged(self._base):
            self._remade()
        with self._base.store.working("kb rebuild"):
            return write_index(self._base, paced(progress))

    def _remade(self) -> str:
        """Rebuild the file; an error about it names the newest intact copy, if any."""
        try:
            return remake(self._base)
        except BadDatabase as error:
            dated, beside, _ = copies_of(self._base.path)
            copy = next(iter((*dated, *beside)), None)
            way = Message("There is no copy of it.")
            if copy:
                way = Message("'kb restore {copy}' restores that copy.", copy=copy)
            raise BadDatabase(error.message, joined_sentences(error.hint, way)) from error


def wrongly_indexed(base: Base) -> list[int]:
    """Return the wrongly indexed documents, without staged ones."""
    layers = base.store.layers
    staged = {each for layer, *_ in layers.staged() for each in layers.documents(layer)}
    checked = base.index.check(base.store.entries.documents())
    wrong = {each for each in checked if each not in staged} | base.store.entries.wrongly_titled()
    return sorted(wrong)


def check_folder(folder: str | os.PathLike[str]) -> list[Check]:
    """Check a content folder with the layout of ``data/`` without changing anything.

    Every mistake is a failed check with file, line and key; advice is a check named ``advice``.
    Raises `NotFound` if there is none.
    """
    with only_our_errors(str(folder)):
        return _examined(path_of("a folder", folder))


def _examined(folder: Path) -> list[Check]:
    if not folder.is_dir():
        raise NotFound("there is no such folder", place=folder)
    mistakes = Mistakes(kept=True)
    content = read_content(folder, mistakes)
    vocabulary: Sequence[Concept] = ()
    with mistakes.noted():
        vocabulary = read_vocabulary(folder / VOCABULARY_FILE, mistakes, folder)
    annotations = sum(len(entry.annotations) for entry in content.entries)
    found = Message(
        "{entries} entries, {annotations} annotations, {sources} source documents, {glossary} "
        "glossary terms, {vocabulary} vocabulary words; {found} mistakes, {advice} hints",
        entries=len(content.entries),
        annotations=annotations,
        sources=len(content.sources),
        glossary=len(content.glossary),
        vocabulary=len(vocabulary),
        found=len(mistakes.found),
        advice=len(mistakes.advice),
    )
    summary = Check("content", not mistakes.found, found, "Correct the fields named below.")
    wrong = [Check("mistake", False, each.message, each.hint) for each in mistakes.found]
    weak = [Check("advice", True, each.message, each.hint) for each in mistakes.advice]
    return [summary, *wrong, *weak]


# What is checked of the database file and of what lies around it.


_WHOLE = "ok"


def _database_file(base: Base) -> Check:
    """Check that every page of the file is intact, and that it is writable."""
    found, limit = base.store.check(), base.store.connection.limit
    if found == _WHOLE and limit is not None:
        return Check("database", False, limit.message, limit.hint)
    return Check(
        "database",
        found == _WHOLE,
        Message("intact" if found == _WHOLE else found, place=base.path),
        "Try 'kb doctor --repair', or recover readable data with 'kb doctor --salvage NEW'.",
    )


def _is_damaged(base: Base) -> bool:
    """Return whether a page of the file is damaged."""
    return base.store.check() != _WHOLE


def _references(base: Base) -> Check:
    """Check that every reference between rows is valid."""
    broken = orphans(base.store.connection)
    found = Message("no row is incomplete")
    if broken:
        rows = ", ".join(f"{count} of {table}" for table, count in sorted(broken.items()))
        found = Message("incomplete rows: {rows}", rows=rows)
    return Check("references", not broken, found, "Repair them with 'kb doctor --repair'.")


def _rights(base: Base) -> Check:
    """Check who may read and write the file."""
    try:
        mode = os.stat(base.path).st_mode
    except OSError:
        return Check("rights", True, "it is in memory")
    if not mode & (stat.S_IRWXG | stat.S_IRWXO):
        return Check("rights", True, Message("only its owner can read it"))
    remedy = Message("chmod 600 {path}", path=base.path)
    return Check("rights", True, Message("others can read or write it, too"), remedy)


def _copies(base: Base) -> Check:
    """Check which copies and moved files exist."""
    dated, beside, strays = copies_of(base.path)
    last = Message(", the last one {copy}", copy=dated[0]) if dated else ""
    found = Message(
        "{dated} made by 'kb backup'{last}; {beside} beside the database",
        dated=len(dated),
        last=last,
        beside=len(beside),
    )
    if strays:
        found = Message(
            "{found}; journals of missing databases: {strays}",
            found=found,
            strays=", ".join(strays),
        )
    return Check("copies", True, found, "" if dated else "Create one with 'kb backup'.")


# What is checked of what the file holds, and of danesh itself.


def _index(base: Base) -> Check:
    damaged = wrongly_indexed(base)
    total = base.store.catalog.counts()["document"]
    found = Message(
        "the index of {damaged} of {total} texts is wrong", damaged=len(damaged), total=total
    )
    return Check("index", not damaged, found, "Rebuild the index with 'kb rebuild'.")


def _sqlite_search(base: Base) -> Check:
    held, damaged = fts5.count(base.store), fts5.differing(base.store, base.index)
    if held is None:
        found = Message("the table document_fts is not kept (setting 'sqlite_search')")
    else:
        found = Message(
            "{held} texts in document_fts; in a sample, {damaged} differ from the index",
            held=held,
            damaged=len(damaged),
        )
    return Check("sqlite search", not damaged, found, "Rebuild the index with 'kb rebuild'.")


def _files(base: Base) -> Check:
    """Check what waits for the reader: unfinished imports, conflicts, removed entries."""
    staged = len(base.store.layers.staged())
    contested = len(base.store.ledger.contested())
    gone = len(base.store.ledger.gone())
    found = Message(
        "{staged} unfinished imports, {contested} conflicts, {gone} entries no longer in their "
        "files",
        staged=staged,
        contested=contested,
        gone=gone,
    )
    return Check(
        "imports",
        True,
        found,
        "Repeat an unfinished import. 'kb resolve' and 'kb prune' handle the rest.",
    )


def _media(base: Base) -> Check:
    """Check the media of entries for missing bytes."""
    shown = base.store.entries.media()
    lost = base.store.media.missing(shown)
    files, size = base.store.media.amount()
    found = Message("{files} files, about {bytes} KiB", files=files, bytes=size // 1024)
    if lost:
        found = Message("{found}; {n} used by entries are missing", found=found, n=len(lost))
    return Check("media", not lost, found, "Import their file again.")


def _content(base: Base) -> Check:
    try:
        content = read_content(bundled_folder())
    except KbError as error:
        return Check("content", False, error.message, error.hint or "Install danesh again.")
    found = Message(
        "{entries} entries bundled, {sources} source documents",
        entries=len(content.entries),
        sources=len(content.sources),
    )
    return Check("content", True, found)


def _sandbox(base: Base) -> Check:
    probe = Snippet("probe", {}, "import numpy\nprint('numpy: 1')\n")
    try:
        reached = sandbox_level(renew=True)
        outcome = run_snippet(probe, Limits(seconds=20), level=reached.level)
    except KbError as error:
        return Check("sandbox", False, error.message, error.hint)
    if outcome.status != "ok":
        return Check(
            "sandbox", False, outcome.stderr.strip(), "Install numpy in the same environment."
        )
    found = joined_sentences(
        _SANDBOX_ADVICE[reached.level], *(f"({each})" for each in reached.missing)
    )
    return Check(
        "sandbox", True, Message("{level}: {found}", level=Message(reached.level), found=found)
    )


_SANDBOX_ADVICE = {
    "strong": Message("Programs cannot use files, network or other processes."),
    "good": Message(
        "Programs cannot use files, network or other processes, but can test whether a file "
        "exists. Debian's package 'bubblewrap' prevents that."
    ),
    "limits-only": Message(
        "Untrusted programs need --unsafe-run here. A sandbox needs Linux 5.13 or later with "
        "Landlock and seccomp."
    ),
}


def _terminal(base: Base) -> Check:
    support = direction_support(os.environ, read_settings()[0].bidi)
    screen = Message("a terminal") if sys.stdout.isatty() else Message("no terminal")
    return Check(
        "terminal",
        True,
        Message(
            "{screen}; {terminal}: {reason}",
            screen=screen,
            terminal=support.terminal,
            reason=support.reason,
        ),
    )


_CHECKS: Mapping[str, Callable[[Base], Check]] = {
    "database": _database_file,
    "references": _references,
    "index": _index,
    "sqlite search": _sqlite_search,
    "imports": _files,
    "media": _media,
    "rights": _rights,
    "copies": _copies,
    "content": _content,
    "sandbox": _sandbox,
    "terminal": _terminal,
}


def _checked(name: str, base: Base) -> Check:
    """Return the result of a check; an error is a result, too."""
    try:
        return _CHECKS[name](base)
    except KbError as error:
        return Check(name, False, error.message, error.hint)


# Whether an installation keeps its promises, tried with the bundled content.


SEARCHES: Mapping[str, str] = {
    "vanishing gradient": "numerical-instability-causes",
    "order of matrix chain multiplication": "matrix-chain-many",
    "mean of a million floats": "accurate-mean",
    "gpus_vs_TPU": "gpus-and-tpus",
    "NP-hard": "intractable-problem",
    "بی‌ثباتی عددی": "numerical-instability-causes",
    "ضرب زنجیره اي ماتريس": "matrix-chain-many",
    "تحمل خطا": "error-tolerance",
    "پس‌انتشار در شبکهٔ بازگشتی": "rnn-backprop-complexity",
    "گلوگاه پیش پردازش": "preprocessing-bottleneck",
}
"""Queries, and the bundled entry that each must find first."""


def examine_installation(progress: Progress) -> Sequence[Check]:
    """Check the installation with an in-memory database of the bundled content."""
    base, _ = open_renewed(MEMORY, True, progress)
    with closing(base.store):
        return (_searches(base), _evidence(base, progress))


def _searches(base: Base) -> Check:
    from kb.service.find import Find

    hits = {query: Find(base).search(query, limit=1).hits for query in SEARCHES}
    found = {query: each[0].id if each else "" for query, each in hits.items()}
    missed = [query for query, wanted in SEARCHES.items() if found[query] != wanted]
    said = Message(
        "{found} of {total} known searches find their entry first",
        found=len(SEARCHES) - len(missed),
        total=len(SEARCHES),
    )
    if missed:
        others = "; ".join(f"{query}: {found[query] or 'nothing'}" for query in missed)
        said = Message("{said}: {others}", said=said, others=others)
    return Check("search", not missed, said, _REMEDY)


def _evidence(base: Base, progress: Progress) -> Check:
    from kb.service.verify import Verify

    results = Verify(base).verify(progress=progress)
    failed = [each for each in results if each.status != "confirmed"]
    said = Message(
        "{confirmed} of {results} annotations and answers with evidence are confirmed",
        confirmed=len(results) - len(failed),
        results=len(results),
    )
    for each in failed[:1]:
        why = Message(each.reason, place=each.annotation)
        said = Message("{said}; {why}", said=said, why=why)
    return Check("evidence", bool(results) and not failed, said, _REMEDY)


_REMEDY = Message(
    "Install danesh again. If that does not help, report it with the output of 'kb info'."
)
