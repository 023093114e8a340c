"""What tests look at and make behind the door: the file's own rows, the index, old formats."""

from __future__ import annotations

import contextlib
import io
import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

from kb import Library
from kb.formats.book import Batch, Book
from kb.model.documents import completed, searched_texts
from kb.model.results import silent
from kb.model.values import LAYERS
from kb.service.diagnose import wrongly_indexed
from kb.text.analyzer import indexed


def raw(library: Library) -> Any:
    """Return SQLite's own connection of this thread."""
    return library._base.store.connection.raw


def damaged(library: Library) -> Sequence[int]:
    """Return the documents that are not indexed as their texts say."""
    return wrongly_indexed(library._base)


def still_open(folder: Path) -> list[str]:
    """Return the paths below a folder that this process has open."""
    found = []
    for number in os.listdir("/proc/self/fd"):
        with contextlib.suppress(OSError):
            found.append(os.readlink(f"/proc/self/fd/{number}"))
    return [path for path in found if path.startswith(str(folder))]


def remember(library: Library, key: str, value: str) -> None:
    """Let a database remember something else."""
    with library._base.store.transaction():
        library._base.store.meta.put(key, value)


def written(write: Callable[[Book, BinaryIO], None], book: Book) -> str:
    """Return what a format makes of a book."""
    out = io.BytesIO()
    write(book, out)
    return out.getvalue().decode("utf-8")


def batch(read: Callable[..., Batch], text: str, name: str) -> Batch:
    """Return what a format reads of a text."""
    return read(io.BytesIO(text.encode("utf-8", "surrogatepass")), name, silent)


def killed_after(path: Path, change: str) -> None:
    """Leave a database as a session does that is killed after a change to its `library`."""
    code = (
        "import os, signal, sys\n"
        "from kb import open_library\nfrom kb.model.draft import Draft\n"
        "library = open_library(sys.argv[1])\n"
        f"{change}\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    command = [sys.executable, "-c", code, str(path)]
    assert subprocess.run(command, check=False, env=environment).returncode == -signal.SIGKILL


def make_first(path: Path) -> None:
    """Let a file look like one of the first format."""
    with contextlib.closing(sqlite3.connect(path)) as old, old:
        _drop_what_others_read(old)
        old.execute("DROP TABLE index_revision")
        old.execute("CREATE TABLE forward (document INTEGER PRIMARY KEY, terms TEXT)")
        old.execute("ALTER TABLE document DROP COLUMN wording")
        old.execute("DELETE FROM _sqlite_migrations WHERE name IN ('wording', 'own_index')")
        columns = "question, source, reference, notes, code, keywords"
        old.execute(
            f"CREATE VIRTUAL TABLE document_fts USING fts5({columns}, content=document, "
            "content_rowid=id)"
        )
        old.execute("PRAGMA user_version = 1")


def make_seventh(path: Path) -> None:
    """Let a file look like one of the seventh format: ids and paths in all rows, long digests."""
    with contextlib.closing(sqlite3.connect(path)) as old, old:
        _drop_what_others_read(old)
        old.create_function("long", 1, lambda half: (half.hex() if half else "") * 2)
        old.create_function("long_kept", 1, _long_kept)
        for table, key, others in _SEVENTH:
            names = [row[1] for row in old.execute(f"PRAGMA table_info({table})")]
            names = [name for name in names if table != "entry" or name not in ("media", *_LATER)]
            names = [name for name in names if name not in (*LAYERS, "assessment", "prompts")]
            told = [others.get(name, name) for name in names]
            rows = ", ".join(f"{value} AS {name}" for value, name in zip(told, names, strict=True))
            old.execute(f"CREATE TABLE seventh AS SELECT {rows} FROM {table} r")
            made = ", ".join(f'"{name}" {key.get(name, "")}' for name in names if name != "key")
            old.execute(f"CREATE TABLE {table}_text ({made})")
            kept = ", ".join(name for name in names if name != "key")
            old.execute(f"INSERT INTO {table}_text ({kept}) SELECT {kept} FROM seventh")
            old.execute("DROP TABLE seventh")
        for table, _, _ in _SEVENTH:
            old.execute(f"DROP TABLE {table}")
            old.execute(f"ALTER TABLE {table}_text RENAME TO {table}")
        studied = ("study_card", "study_scheduler", "study_log", "study_memory")
        for table in ("path", "media", "review", "link", "title", *studied):
            old.execute(f"DROP TABLE {table}")
        old.execute("UPDATE version SET seen = seen || seen, state = long_kept(state)")
        old.execute(
            "UPDATE journal SET before = long_kept(before), after = long_kept(after) "
            "WHERE field = 'record.digest'"
        )
        for table, names in (
            ("annotation", ("anchors", "checked", "until")),
            ("evidence", ("basis",)),
        ):
            for name in names:
                old.execute(f"ALTER TABLE {table} DROP COLUMN {name}")
        again = "('numbers', 'media', 'anchors', 'notes', 'layers', 'study', 'prompts')"
        old.execute(f"DELETE FROM _sqlite_migrations WHERE name IN {again}")
        old.execute("PRAGMA user_version = 7")


def make_twelfth(path: Path) -> None:
    """Let a file look like one of the twelfth format: without notes, titles and links."""
    with contextlib.closing(sqlite3.connect(path)) as old, old:
        _drop_what_others_read(old)
        triggers = old.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for (name,) in triggers:
            old.execute(f"DROP TRIGGER {name}")
        old.execute("DROP INDEX idx_entry_within")
        for name in _NOTES:
            old.execute(f"ALTER TABLE entry DROP COLUMN {name}")
        for table in ("link", "title"):
            old.execute(f"DROP TABLE {table}")
        old.execute("DELETE FROM _sqlite_migrations WHERE name = 'notes'")
        old.execute("PRAGMA user_version = 12")


def make_thirteenth(path: Path) -> None:
    """Let a file look like one of the thirteenth format: only danesh can search it."""
    with contextlib.closing(sqlite3.connect(path)) as old, old:
        _drop_what_others_read(old)
        old.execute("PRAGMA user_version = 13")


def _drop_what_others_read(old: sqlite3.Connection) -> None:
    old.execute("DROP VIEW entries")
    old.execute("DROP TABLE document_fts")
    old.execute("DELETE FROM meta WHERE key = 'document_fts'")
    old.execute("DELETE FROM _sqlite_migrations WHERE name = 'view'")


def _long_kept(told: str) -> str:
    said = json.loads(told)
    if isinstance(said, str):
        said *= 2
    elif said and said["record"]:
        for name in ("heading", "answer", "digest"):
            said["record"][name] *= 2
    return json.dumps(said)


_NOTES = ("aliases", "context", "within", "file")
_LATER = ("source_checked", "reference_checked", *_NOTES)
_ENTRY = "(SELECT e.id FROM entry e WHERE e.key = r.entry)"
_LONG = {name: f"long({name})" for name in ("heading", "answer", "digest")}
_SEVENTH: Sequence[tuple[str, Mapping[str, str], Mapping[str, str]]] = (
    ("record", {"entry": "TEXT PRIMARY KEY"},
     {**_LONG, "file": "(SELECT p.path FROM path p WHERE p.id = r.file)"}),
    ("document", {"id": "INTEGER PRIMARY KEY", "entry": 'TEXT REFERENCES "entry"("id")'},
     {"entry": _ENTRY}),
    ("entry", {"id": "TEXT PRIMARY KEY"}, {"digest": "long(digest)"}),
)  # fmt: skip


def unlike_texts(library: Library) -> set[tuple[str, str, str]]:
    """Return the words that `document_fts` tells otherwise than a table made of what is listed.

    Each is told with its entry and language. FTS5 also checks itself.
    """
    connection = raw(library)
    connection.execute("INSERT INTO document_fts (document_fts) VALUES ('integrity-check')")
    keys = []
    connection.execute(f"CREATE VIRTUAL TABLE temp.texts USING fts5(x, {_TOKENS})")
    for hit in library.list().hits:
        entry = library.show(hit.id)
        for lang in entry.languages:
            texts = completed(searched_texts(entry, lang), entry.aliases, entry.context).values()
            said = [text for text in texts if text]
            terms = [term for text in said for some in indexed(text, lang) for term in some]
            connection.execute("INSERT INTO texts VALUES (?)", ("\n".join([*said, *terms]),))
            keys.append((entry.id, lang))
    listed = "SELECT DISTINCT term, doc FROM"
    for name, of in (("expected", "temp, texts"), ("held", "main, document_fts")):
        connection.execute(f"CREATE VIRTUAL TABLE temp.{name} USING fts5vocab({of}, instance)")
    expected = {(*keys[doc - 1], term) for term, doc in connection.execute(f"{listed} expected")}
    told = "SELECT d.id, e.id, d.lang FROM document d JOIN entry e ON e.key = d.entry"
    known = {number: (id, lang) for number, id, lang in connection.execute(told)}
    found = connection.execute(f"{listed} held").fetchall()
    held = {(*known.get(doc, (str(doc), "")), term) for term, doc in found}
    for name in ("expected", "held", "texts"):
        connection.execute(f"DROP TABLE temp.{name}")
    return expected ^ held


_TOKENS = "tokenize=\"unicode61 remove_diacritics 0 categories 'L* N* Co M*'\""
