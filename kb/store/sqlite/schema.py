"""The tables as migrations: each is applied once, in order, in a recorded step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kb.model.clauses import LAYERS
from kb.store.sqlite.driver import Connection, Explained
from kb.store.sqlite.files import APPLICATION_ID, VERSION
from kb.store.sqlite.rows import LISTED

if TYPE_CHECKING:
    from sqlite_utils import Database


def migrate(connection: Connection) -> None:
    """Apply the missing migrations. The caller holds the write lock."""
    from sqlite_utils import Database, Migrations

    migrations = Migrations("danesh")
    for step in _STEPS:
        migrations(name=step.__name__)(step)
    with Explained(connection.path):
        migrations.apply(Database(connection.raw, use_old_upsert=False))
    connection.run(f"PRAGMA user_version = {VERSION}")
    connection.run(f"PRAGMA application_id = {APPLICATION_ID}")


def first_tables(db: Database) -> None:
    """Create the tables of the first version."""
    db.table("meta").create({"key": str, "value": str}, pk="key")
    db.table("source").create(
        {"file": str, "title": str, "author": str, "lang": str, "rights": str, "sha256": str,
         "text": str},
        pk="file",
    )  # fmt: skip
    db.table("collection").create(
        {"position": int, "id": str, "title": str}, pk="position", not_null={"id", "title"}
    )
    db.table("collection").create_index(["id"], unique=True)
    db.table("entry").create(
        {"id": str, "kind": str, "collection": str, "number": str, "level": str, "topic": str,
         "tags": str, "related": str, "position": int, "owner": str, "digest": str},
        pk="id",
        not_null={"kind", "collection", "tags", "related", "position", "owner", "digest"},
        foreign_keys=[("collection", "collection", "id")],
    )  # fmt: skip
    db.table("entry").create_index(["collection", "position"])
    db.table("document").create(
        {"id": int, "entry": str, "lang": str, "question": str, "source": str, "reference": str,
         "notes": str, "code": str, "keywords": str, "origins": str, "restored": int,
         "source_origin": str, "reference_origin": str},
        pk="id",
        not_null={"entry", "lang", "question"},
        foreign_keys=[("entry", "entry", "id")],
    )  # fmt: skip
    db.table("document").create_index(["entry", "lang"], unique=True)
    db.table("document").create_index(["lang"])
    db.table("snippet").create({"id": str, "owner": str, "title": str, "code": str}, pk="id")
    db.table("entry_snippet").create(
        {"entry": str, "position": int, "snippet": str, "main": int},
        pk=("entry", "position"),
        foreign_keys=[("entry", "entry", "id"), ("snippet", "snippet", "id")],
    )
    db.table("annotation").create(
        {"id": str, "entry": str, "position": int, "owner": str, "role": str, "lang": str,
         "quote": str, "start": int, "end": int, "file": str, "verdict": str, "severity": str,
         "note": str, "refs": str, "repeats": str},
        pk="id",
        not_null={"entry", "owner", "quote", "verdict", "severity"},
        foreign_keys=[("entry", "entry", "id")],
    )  # fmt: skip
    db.table("annotation").create_index(["entry", "position"])
    db.table("evidence").create(
        {"annotation": str, "position": int, "snippet": str, "figure": str, "claimed": float,
         "expected": float, "tolerance": float, "absolute": int, "quote_hash": str,
         "snippet_hash": str},
        pk=("annotation", "position"),
        foreign_keys=[("annotation", "annotation", "id")],
    )  # fmt: skip
    db.table("verification").create(
        {"annotation": str, "status": str, "figures": str},
        pk="annotation",
        foreign_keys=[("annotation", "annotation", "id")],
    )


def wording(db: Database) -> None:
    """Add better wordings of questions."""
    db.table("document").add_column("wording", str)


def glossary(db: Database) -> None:
    """Add multilingual concept names, found by stems."""
    db.table("name").create(
        {"id": int, "owner": str, "concept": int, "place": int, "lang": str, "name": str,
         "stems": str},
        pk="id",
        not_null={"owner", "concept", "place", "lang", "name", "stems"},
    )  # fmt: skip
    db.table("name").create_index(["lang", "stems"])
    db.table("name").create_index(["owner", "concept"])


def forward(db: Database) -> None:
    """Add the ordered terms of documents, for the index."""
    db.table("forward").create(
        {"document": int, "terms": str},
        pk="document",
        not_null={"terms"},
        foreign_keys=[("document", "document", "id")],
    )


def surroundings(db: Database) -> None:
    """Add the context of a reader's annotations, to find their words again."""
    db.table("annotation").add_column("prefix", str)
    db.table("annotation").add_column("suffix", str)


def changes(db: Database) -> None:
    """Add the change log, file records of entries, and import layers.

    An entry of a hidden layer is staged or undone.
    """
    db.table("entry").add_column("layer", int, not_null_default=0)
    db.table("entry").add_column("hidden", int, not_null_default=0)
    db.table("entry").create_index(["layer"])
    db.table("entry_snippet").create_index(["snippet"])
    db.table("collection").add_column("layer", int, not_null_default=0)
    db.table("layer").create(
        {"id": int, "shown": int, "settled": int, "work": str, "beat": float},
        pk="id",
        not_null={"shown", "settled", "work", "beat"},
    )
    db.table("version").create(
        {"layer": int, "entry": str, "state": str, "seen": str, "settled": int},
        pk=("layer", "entry"),
        not_null={"state", "settled"},
    )
    db.table("change").create(
        {"id": str, "at": str, "who": str, "what": str, "deed": str, "state": str, "layer": int,
         "of": str},
        pk="id",
        not_null={"at", "who", "what", "deed", "state"},
    )  # fmt: skip
    db.table("change").create_index(["state"])
    db.table("journal").create(
        {"id": str, "change": str, "entry": str, "field": str, "before": str, "after": str},
        pk="id",
        not_null={"change"},
        foreign_keys=[("change", "change", "id")],
    )
    db.table("journal").create_index(["change"])
    db.table("journal").create_index(["entry"])
    db.table("retired").create({"id": str}, pk="id")
    db.table("file").create(
        {"path": str, "collection": str, "layer": int}, pk="path", not_null={"collection", "layer"}
    )
    db.table("record").create(
        {"entry": str, "file": str, "place": str, "given": int, "heading": str, "answer": str,
         "digest": str, "line": int, "gone": int, "base": str, "theirs": str, "layer": int},
        pk="entry",
        not_null={"file", "place", "given", "heading", "answer", "digest", "gone", "layer"},
    )  # fmt: skip
    db.table("record").create_index(["file"])
    # Of what was imported before, the file is not known.
    db.conn.execute(
        "INSERT INTO record (entry, file, place, given, heading, answer, digest, gone, layer) "
        "SELECT id, '', id, 0, '', '', '', 0, 0 FROM entry WHERE owner = 'user'"
    )


def own_index(db: Database) -> None:
    """Remove tables that the index no longer uses."""
    db.conn.execute("DROP TABLE IF EXISTS document_fts")
    db.conn.execute("DROP TABLE IF EXISTS forward")


def numbers(db: Database) -> None:
    """Store long ids and paths once, and shorten digests, also in the change log and in layers.

    Documents refer to entries by number, and records to paths. Rows of other tables refer to those
    that are rebuilt, so the caller does without foreign keys meanwhile.
    """
    db.conn.create_function("halved", 1, lambda digest: bytes.fromhex(digest[:32]))
    for statement in _NUMBERS.split(";"):
        db.execute(statement)


_NUMBERS = """
CREATE TABLE path (id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE);
INSERT INTO path (path) SELECT DISTINCT file FROM record;
CREATE TABLE entry_numbered (key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL,
collection TEXT NOT NULL REFERENCES collection(id), number TEXT, level TEXT, topic TEXT,
tags TEXT NOT NULL, related TEXT NOT NULL, position INTEGER NOT NULL, owner TEXT NOT NULL,
digest BLOB NOT NULL, layer INTEGER NOT NULL DEFAULT 0, hidden INTEGER NOT NULL DEFAULT 0);
INSERT INTO entry_numbered SELECT NULL, id, kind, collection, number, level, topic, tags, related,
position, owner, halved(digest), layer, hidden FROM entry ORDER BY rowid;
DROP TABLE entry;
ALTER TABLE entry_numbered RENAME TO entry;
CREATE INDEX idx_entry_collection_position ON entry (collection, position);
CREATE INDEX idx_entry_layer ON entry (layer);
CREATE TABLE document_numbered (id INTEGER PRIMARY KEY,
entry INTEGER NOT NULL REFERENCES entry(key), lang TEXT NOT NULL, question TEXT NOT NULL,
wording TEXT, source TEXT, reference TEXT, notes TEXT, code TEXT, keywords TEXT, origins TEXT,
restored INTEGER, source_origin TEXT, reference_origin TEXT);
INSERT INTO document_numbered SELECT d.id, e.key, lang, question, wording, source, reference, notes,
code, keywords, origins, restored, source_origin, reference_origin
FROM document d JOIN entry e ON e.id = d.entry ORDER BY d.id;
DROP TABLE document;
ALTER TABLE document_numbered RENAME TO document;
CREATE INDEX idx_document_lang ON document (lang);
CREATE UNIQUE INDEX idx_document_entry_lang ON document (entry, lang);
CREATE TABLE record_numbered (entry TEXT PRIMARY KEY, file INTEGER NOT NULL REFERENCES path(id),
place TEXT NOT NULL, given INTEGER NOT NULL, heading BLOB NOT NULL, answer BLOB NOT NULL,
digest BLOB NOT NULL, line INTEGER, gone INTEGER NOT NULL, base TEXT, theirs TEXT,
layer INTEGER NOT NULL);
INSERT INTO record_numbered SELECT entry, p.id, place, given, halved(heading), halved(answer),
halved(digest), line, gone, base, theirs, layer
FROM record r JOIN path p ON p.path = r.file ORDER BY r.rowid;
DROP TABLE record;
ALTER TABLE record_numbered RENAME TO record;
CREATE INDEX idx_record_file ON record (file);
UPDATE version SET seen = substr(seen, 1, 32);
UPDATE version SET state = json_set(state,
'$.record.heading', substr(json_extract(state, '$.record.heading'), 1, 32),
'$.record.answer', substr(json_extract(state, '$.record.answer'), 1, 32),
'$.record.digest', substr(json_extract(state, '$.record.digest'), 1, 32))
WHERE json_type(state, '$.record') = 'object';
UPDATE journal SET before = json_quote(substr(json_extract(before, '$'), 1, 32)),
after = json_quote(substr(json_extract(after, '$'), 1, 32)) WHERE field = 'record.digest'
"""


def consonant_keys(_: Database) -> None:
    """Change no table; the index is rebuilt with consonant keys."""


def media(db: Database) -> None:
    """Add media and reviews of entries."""
    db.table("entry").add_column("media", str)
    db.table("media").create({"sha256": str, "data": bytes}, pk="sha256", not_null={"data"})
    numbers = dict.fromkeys(("card", "at", "rating", "interval", "ease", "took", "kind"), int)
    db.table("review").create(
        {"entry": str, **numbers}, pk=("entry", "card", "at"), not_null=set(numbers)
    )


def anchors(db: Database) -> None:
    """Add anchors of annotations, the basis of figures, and check dates."""
    for name in ("anchors", "checked", "until"):
        db.table("annotation").add_column(name, str)
    db.table("evidence").add_column("basis", str)
    for name in ("source_checked", "reference_checked"):
        db.table("document").add_column(name, str)


def sessions(db: Database) -> None:
    """Add the session of each change; older changes have none."""
    db.table("change").add_column("session", str)


def notes(db: Database) -> None:
    """Add aliases, contexts, note files, cards of notes, title lookup and links.

    Triggers keep links equal to ``related``, and delete the titles of deleted documents.
    """
    for name in ("aliases", "context", "within", "file"):
        db.table("entry").add_column(name, str)
    for statement in _NOTES.split("\n\n"):
        db.execute(statement)
    from kb.store.sqlite.entries import fill_titles

    fill_titles(db.conn)


_NOTES = """
CREATE INDEX idx_entry_within ON entry (within)

CREATE TABLE link (target TEXT NOT NULL, entry INTEGER NOT NULL, PRIMARY KEY (target, entry))
WITHOUT ROWID

CREATE INDEX idx_link_entry ON link (entry)

INSERT INTO link SELECT DISTINCT value, entry.key FROM entry, json_each(related)
WHERE related <> '[]' AND json_valid(related)

CREATE TRIGGER link_new AFTER INSERT ON entry WHEN new.related <> '[]' BEGIN
INSERT INTO link SELECT DISTINCT value, new.key FROM json_each(new.related);
END

CREATE TRIGGER link_changed AFTER UPDATE OF related ON entry WHEN new.related <> old.related BEGIN
DELETE FROM link WHERE entry = old.key;
INSERT INTO link SELECT DISTINCT value, new.key FROM json_each(new.related);
END

CREATE TRIGGER link_gone AFTER DELETE ON entry WHEN old.related <> '[]' BEGIN
DELETE FROM link WHERE entry = old.key;
END

CREATE TABLE title (folded INTEGER NOT NULL, alias INTEGER NOT NULL, document INTEGER NOT NULL,
PRIMARY KEY (folded, alias, document)) WITHOUT ROWID

CREATE INDEX idx_title_document ON title (document)

CREATE TRIGGER title_gone AFTER DELETE ON document BEGIN
DELETE FROM title WHERE document = old.id;
END
"""


def view(db: Database) -> None:
    """Add a view of listed entries for other programs; ``rowid`` as in ``document_fts``."""
    db.execute(
        "CREATE VIEW entries AS SELECT d.id AS rowid, e.id, d.lang, "
        "coalesce(d.wording, d.question) AS question, coalesce(d.reference, d.source) AS answer, "
        "e.collection, e.level, e.tags "
        f"FROM document d JOIN entry e ON e.key = d.entry WHERE {LISTED}"
    )


def layers(db: Database) -> None:
    """Add the layers beside full answers, and assessments of source answers.

    From this version on, an answer with evidence has a row in ``annotation``, without a verdict.
    """
    for name in LAYERS:
        db.table("document").add_column(name, str)
    db.table("entry").add_column("assessment", str)


def study(db: Database) -> None:
    """Add the study log, whose rows never change, and the memory states replayed from it."""
    for statement in _STUDY.split("\n\n"):
        db.execute(statement)


_STUDY = """
CREATE TABLE study_card (card INTEGER PRIMARY KEY, entry TEXT NOT NULL, met INTEGER NOT NULL,
exercise TEXT NOT NULL, UNIQUE (entry, exercise))

CREATE TABLE study_scheduler (id INTEGER PRIMARY KEY, retention REAL NOT NULL,
begins INTEGER NOT NULL, weights TEXT NOT NULL)

CREATE TABLE study_log (id INTEGER PRIMARY KEY, card INTEGER NOT NULL, what TEXT NOT NULL,
at INTEGER NOT NULL, zone INTEGER NOT NULL, day INTEGER NOT NULL, rating INTEGER NOT NULL,
interval INTEGER NOT NULL, confidence INTEGER NOT NULL, took INTEGER NOT NULL,
outcome TEXT NOT NULL, shown TEXT NOT NULL, scheduler INTEGER NOT NULL, of INTEGER NOT NULL)

CREATE INDEX idx_study_log_card ON study_log (card, at, id)

CREATE INDEX idx_study_log_day ON study_log (day)

CREATE INDEX idx_study_log_of ON study_log (of) WHERE of > 0

CREATE TRIGGER study_log_kept BEFORE UPDATE ON study_log BEGIN
SELECT raise(ABORT, 'the log of studying is never changed');
END

CREATE TABLE study_memory (card INTEGER PRIMARY KEY, stability REAL NOT NULL,
difficulty REAL NOT NULL, day INTEGER NOT NULL, due INTEGER NOT NULL, at INTEGER NOT NULL,
reviews INTEGER NOT NULL, lapses INTEGER NOT NULL, cap INTEGER NOT NULL,
suspended INTEGER NOT NULL, changed INTEGER NOT NULL, shown TEXT NOT NULL, seen BLOB)

CREATE INDEX idx_study_memory_due ON study_memory (due, reviews)
"""


def sync(db: Database) -> None:
    """Add the rows that are exchanged with other copies."""
    for statement in _SYNC.split("\n\n"):
        db.execute(statement)


_SYNC = """
CREATE TABLE sync_space (id INTEGER PRIMARY KEY, target TEXT NOT NULL, course TEXT NOT NULL,
me TEXT NOT NULL, role TEXT NOT NULL, seq INTEGER NOT NULL, chain TEXT NOT NULL,
seen TEXT NOT NULL, UNIQUE (target, course))

CREATE TABLE sync_row (key INTEGER PRIMARY KEY, space INTEGER NOT NULL, id TEXT NOT NULL,
entry TEXT NOT NULL, body TEXT NOT NULL, author TEXT NOT NULL, standing INTEGER NOT NULL,
applied INTEGER NOT NULL, sent INTEGER NOT NULL, UNIQUE (space, id))

CREATE INDEX idx_sync_row_entry ON sync_row (space, entry)

CREATE INDEX idx_sync_row_unapplied ON sync_row (space, entry) WHERE applied = 0

CREATE INDEX idx_sync_row_unsent ON sync_row (space, key) WHERE sent = 0

CREATE INDEX idx_sync_row_proposal ON sync_row (space, key) WHERE standing = 1

CREATE TABLE sync_dispute (space INTEGER NOT NULL, entry TEXT NOT NULL,
PRIMARY KEY (space, entry)) WITHOUT ROWID
"""


def vectors(db: Database) -> None:
    """Add the vectors of texts, for search by meaning; they end with their document.

    ``meta`` counts their changes.
    """
    for statement in _VECTORS.split("\n\n"):
        db.execute(statement)


_VECTORS = """
CREATE TABLE vector (document INTEGER PRIMARY KEY, weights TEXT NOT NULL, lang TEXT NOT NULL,
data BLOB NOT NULL)

INSERT INTO meta (key, value) VALUES ('vectors', '0')

CREATE TRIGGER vector_gone AFTER DELETE ON document BEGIN
DELETE FROM vector WHERE document = old.id;
END

CREATE TRIGGER vector_deleted AFTER DELETE ON vector BEGIN
UPDATE meta SET value = value + 1 WHERE key = 'vectors';
END
"""


def parts(db: Database) -> None:
    """Let a copy read only some collections of a course."""
    db.execute("ALTER TABLE sync_space ADD COLUMN only TEXT NOT NULL DEFAULT ''")


_STEPS = (
    first_tables, wording, glossary, forward, surroundings, changes, own_index, numbers,
    consonant_keys, media, anchors, sessions, notes, view, layers, study, sync, vectors, parts,
)  # fmt: skip
