"""What state a knowledge base and its surroundings are in, and what mends them."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Callable
from pathlib import Path

from kb.content.folder import read_content
from kb.content.location import bundled_folder
from kb.content.mistakes import Mistakes
from kb.display.terminal import direction_support
from kb.errors import KbError, NotFound
from kb.evidence import Limits, run_snippet
from kb.index.fts5 import index
from kb.records import Check, Snippet
from kb.settings import read_settings
from kb.store.sqlite import queries
from kb.store.sqlite.database import FINGERPRINT_KEY, Database
from kb.store.sqlite.driver import journal_mode, sqlite3
from kb.text.fingerprint import FINGERPRINT
from kb.version import __version__


def info(database: Database) -> dict[str, object]:
    """Return paths, versions, counts and the state of the index."""
    with database.errors():
        connection = database.connection
        stored = queries.counts(connection)
        analyzer = database.meta(FINGERPRINT_KEY)
    path = database.path
    return {
        "version": __version__,
        "python": platform.python_version(),
        "sqlite": sqlite3.sqlite_version,
        "journal": journal_mode(),
        "database": path,
        "bytes": os.path.getsize(path) if os.path.exists(path) else 0,
        "content": str(bundled_folder()),
        "counts": stored,
        "index": {"analyzer": analyzer, "current": analyzer == FINGERPRINT},
    }


def examine(database: Database) -> list[Check]:
    """Run every check, whatever the others found."""
    return [check(database) for check in _CHECKS]


def examine_folder(folder: Path) -> list[Check]:
    """Check a folder of content: what it holds, each mistake in it, and what is weak."""
    if not folder.is_dir():
        raise NotFound(f"{folder}: there is no such folder")
    mistakes = Mistakes(kept=True)
    content = read_content(folder, mistakes)
    annotations = sum(len(entry.annotations) for entry in content.entries)
    found = (
        f"{len(content.entries)} entries, {annotations} annotations, "
        f"{len(content.sources)} source documents, {len(content.glossary)} glossary terms; "
        f"{len(mistakes.found)} mistakes, {len(mistakes.advice)} pieces of advice"
    )
    summary = Check("content", not mistakes.found, found, "Mend what is named below.")
    wrong = [Check("mistake", False, each.message, each.hint) for each in mistakes.found]
    weak = [Check("advice", True, each.message, each.hint) for each in mistakes.advice]
    return [summary, *wrong, *weak]


def _file(database: Database) -> Check:
    with database.errors():
        found = database.connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    remedy = "Export what can be read ('kb export -f json') and import it into a new database."
    return Check("database", found == "ok", f"{database.path}: {found}", remedy)


def _index(database: Database) -> Check:
    with database.errors():
        damaged = index.damaged(database.connection)
        total = queries.counts(database.connection)["document"]
    found = f"{len(damaged)} of {total} texts are not indexed as they are stored"
    return Check("index", not damaged, found, "Make the index anew with 'kb rebuild'.")


def _content(database: Database) -> Check:
    try:
        content = read_content(bundled_folder())
    except KbError as error:
        return Check("content", False, error.message, error.hint or "Install danesh again.")
    found = f"{len(content.entries)} entries bundled, {len(content.sources)} source documents"
    return Check("content", True, found)


def _sqlite(database: Database) -> Check:
    mode = journal_mode()
    found = f"SQLite {sqlite3.sqlite_version}, journal {mode}"
    if mode == "wal":
        return Check("sqlite", True, found)
    return Check("sqlite", True, f"{found} (older than 3.51.3: WAL is not safe, so not used)")


def _sandbox(database: Database) -> Check:
    probe = Snippet("probe", {}, "import numpy\nprint('numpy: 1')\n")
    outcome = run_snippet(probe, Limits(seconds=20))
    level = ", ".join(outcome.isolation)
    if outcome.status != "ok":
        return Check("sandbox", False, outcome.stderr.strip(), "Install numpy beside danesh.")
    return Check("sandbox", True, f"limits on {level}; files and network are not closed off")


def _terminal(database: Database) -> Check:
    support = direction_support(os.environ, read_settings()[0].bidi)
    screen = "a terminal" if sys.stdout.isatty() else "no terminal"
    return Check("terminal", True, f"{screen}; {support.terminal}: {support.reason}")


_CHECKS: tuple[Callable[[Database], Check], ...] = (
    _file,
    _index,
    _content,
    _sqlite,
    _sandbox,
    _terminal,
)
