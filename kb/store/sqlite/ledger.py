"""The origins of entries: records of files, and collections made by files."""

from __future__ import annotations

import hashlib
import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from kb.model.entry import ConceptName, Evidence, Name, Review, Snippet
from kb.store.sqlite import rows
from kb.store.sqlite.driver import Part, Row
from kb.store.sqlite.rows import DARK, LISTED, SHOWN

if TYPE_CHECKING:
    from kb.model.changes import Record
    from kb.model.reports import Proven

_KNOWN = f"layer NOT IN {DARK}"
_DIGESTS = ("heading", "answer", "digest")
_READ = (
    "SELECT r.entry, p.path AS file, r.place, r.given, r.heading, r.answer, r.digest, r.line, "
    "r.gone, r.base, r.theirs, r.layer"
)
_OF_FILE = "record r JOIN path p ON p.id = r.file"


class Ledger(Part):
    """The records of one file."""

    def knows(self, file: str) -> bool:
        """Return whether a file has a record: current, staged or undone."""
        return self._db.row(f"SELECT 1 FROM {_OF_FILE} WHERE p.path = ?", (file,)) is not None

    def of_file(self, file: str, staged: int | None = None) -> Iterator[Record]:
        """Yield the records of a file, in the order of their lines.

        They are the current ones, and those ``staged`` in a layer.
        """
        sql = (
            f"{_READ} FROM {_OF_FILE} WHERE p.path = ? AND (r.{_KNOWN} OR r.layer = ?) "
            "ORDER BY r.line, r.entry"
        )
        return map(_record, self._db.stream(sql, (file, staged)))

    def of_entries(self, entries: Iterable[str], staged: int | None = None) -> dict[str, Record]:
        """Return the records of those entries that have one.

        They are the current ones, and those ``staged`` in a layer.
        """
        sql = (
            f"{_READ} FROM json_each(?) AS asked JOIN record r ON r.entry = asked.value "
            f"JOIN path p ON p.id = r.file WHERE r.{_KNOWN} OR r.layer = ?"
        )
        found = self._db.rows(sql, (json.dumps(list(entries)), staged))
        return {row["entry"]: _record(row) for row in found}

    def gone(self) -> list[str]:
        """Return the entries that are no longer in their files."""
        sql = (
            f"SELECT r.entry FROM {_OF_FILE} JOIN entry e ON e.id = r.entry "
            f"WHERE r.gone = 1 AND r.{_KNOWN} ORDER BY p.path, r.line, r.entry"
        )
        return self._db.column(sql)

    def contested(self) -> list[str]:
        """Return the entries in conflict."""
        sql = f"SELECT entry FROM record WHERE theirs IS NOT NULL AND {_KNOWN} ORDER BY entry"
        return self._db.column(sql)

    def put(self, *records: Record) -> None:
        """Store or update records."""
        from kb.model.changes import Record

        files = {record.file for record in records}
        self._db.run_many(
            "INSERT INTO path (path) VALUES (?) ON CONFLICT DO NOTHING", ((f,) for f in files)
        )
        sql = "SELECT p.path, p.id FROM json_each(?) AS asked JOIN path p ON p.path = asked.value"
        numbers = dict(map(tuple, self._db.rows(sql, (json.dumps(list(files)),))))
        rows = (_row(record, numbers[record.file]) for record in records)
        self._db.upsert_many("record", Record._fields, rows, ("entry",))

    def put_places(self, places: Iterable[tuple[int | None, str, str]]) -> None:
        """Store the places of records in their files: line, name and entry."""
        self._db.run_many(
            "UPDATE record SET line = ?1, place = ?2 WHERE entry = ?3 "
            "AND (line IS NOT ?1 OR place <> ?2)",
            places,
        )

    def remove(self, entry: str) -> None:
        """Delete the record of an entry."""
        self._db.run("DELETE FROM record WHERE entry = ?", (entry,))

    def drop_unused_paths(self) -> None:
        """Delete the paths without records."""
        self._db.run("DELETE FROM path WHERE id NOT IN (SELECT file FROM record)")

    def files_below(self, folder: str) -> list[str]:
        """Return the known files of a folder and its subfolders."""
        sql = f"SELECT path FROM file WHERE instr(path, ?) = 1 AND {_KNOWN} ORDER BY path"
        return self._db.column(sql, (folder,))

    def collection_of(self, file: str) -> str | None:
        """Return the collection that a file was imported into, if any."""
        found = self._db.value(f"SELECT collection FROM file WHERE path = ? AND {_KNOWN}", (file,))
        return None if found is None else str(found)

    def put_file(self, file: str, collection: str, layer: int) -> None:
        """Store the collection that a file was imported into."""
        values = {"path": file, "collection": collection, "layer": layer}
        self._db.upsert("file", values, ("path",))

    def files_in(self, collection: str) -> list[str]:
        """Return the files imported into a collection, or one below it."""
        sql = "SELECT path FROM file WHERE collection = ?1 OR instr(collection, ?1 || '/') = 1"
        return self._db.column(sql, (collection,))

    def rename(self, old: str, new: str, files: Iterable[str]) -> None:
        """Rename the collection of these files."""
        self._db.run_many(
            "UPDATE file SET collection = ? || substr(collection, length(?) + 1) WHERE path = ?",
            ((new, old, file) for file in files),
        )

    def makers(self, collection: str) -> list[str]:
        """Return the files that were imported into a collection."""
        sql = "SELECT path FROM file WHERE collection = ? ORDER BY path"
        return self._db.column(sql, (collection,))

    def unremembered(self, collection: str) -> bool:
        """Return whether all entries of a collection were imported without file records."""
        sql = (
            "SELECT count(*), count(r.entry) FROM entry e LEFT JOIN record r ON r.entry = e.id "
            "AND r.file = (SELECT id FROM path WHERE path = '') WHERE e.collection = ?"
        )
        entries, unknown = self._db.row(sql, (collection,)) or (0, 0)
        return 0 < entries == unknown


def _record(row: Row) -> Record:
    from kb.model.changes import Record

    values = {name: row[name] for name in Record._fields}
    digests = {name: row[name].hex() for name in _DIGESTS}
    flags = {name: bool(row[name]) for name in ("given", "gone")}
    return Record(**{**values, **digests, **flags})


def _row(record: Record, file: int) -> tuple[object, ...]:
    """Return the values of a record in the order of its fields."""
    digests = {name: bytes.fromhex(getattr(record, name)) for name in _DIGESTS}
    return tuple({**record._asdict(), **digests, "file": file}.values())


# The evidence behind annotations, and what came of running it.


_HELD = f"FROM entry_snippet es JOIN entry e ON e.id = es.entry WHERE {SHOWN}"
# What only entries have that are not there, staged or undone, is not there either.
_THERE = (
    f"(EXISTS (SELECT 1 {_HELD} AND es.snippet = s.id) "
    "OR NOT EXISTS (SELECT 1 FROM entry_snippet es WHERE es.snippet = s.id))"
)
_BLANKS = " \t\r\n"


class Snippets(Part):
    """The programs of one file."""

    def get(self, names: Iterable[str]) -> dict[str, Snippet]:
        """Return the existing programs with these names."""
        sql = (
            "SELECT s.* FROM json_each(?) AS asked JOIN snippet s ON s.id = asked.value "
            f"WHERE {_THERE}"
        )
        found = self._db.rows(sql, (json.dumps(list(names)),))
        return {row["id"]: rows.read_snippet(row) for row in found}

    def holders(self, names: Iterable[str]) -> dict[str, tuple[str, ...]]:
        """Return the existing entries with these programs."""
        sql = (
            f"SELECT es.snippet, es.entry {_HELD} "
            "AND es.snippet IN (SELECT value FROM json_each(?)) ORDER BY es.entry"
        )
        found: dict[str, tuple[str, ...]] = {}
        for name, entry in self._db.rows(sql, (json.dumps(list(names)),)):
            found[name] = (*found.get(name, ()), entry)
        return found

    def with_code(self, code: str) -> list[Snippet]:
        """Return the existing programs with equal code, except trailing spaces."""
        sql = f"SELECT s.* FROM snippet s WHERE rtrim(s.code, ?) = ? AND {_THERE}"
        found = self._db.rows(sql, (_BLANKS, code.rstrip(_BLANKS)))
        return [rows.read_snippet(row) for row in found]


class Evidences(Part):
    """The evidence of one file."""

    def owners(self, names: Iterable[str]) -> dict[str, str]:
        """Return the existing entries of these annotations."""
        sql = "SELECT a.id, a.entry FROM json_each(?) AS asked JOIN annotation a ON a.id = value"
        return dict(map(tuple, self._db.rows(sql, (json.dumps(list(names)),))))

    def annotated(self) -> list[str]:
        """Return the entries with annotations, in order of collections."""
        sql = (
            "SELECT e.id FROM entry e JOIN collection c ON c.id = e.collection "
            f"WHERE e.id IN (SELECT entry FROM annotation) AND {LISTED} "
            "ORDER BY c.position, e.position, e.id"
        )
        return self._db.column(sql)

    def proven(self) -> Proven:
        """Return the number of listed annotations with evidence, and of confirmed ones."""
        from kb.model.reports import Proven

        sql = (
            "SELECT DISTINCT e.id FROM evidence v JOIN annotation a ON a.id = v.annotation "
            f"JOIN entry e ON e.id = a.entry WHERE {LISTED}"
        )
        entries = json.dumps(self._db.column(sql))
        states = self._store.catalog.evidence_states(entries).values()
        confirmed = sum(counts.get("confirmed", 0) for counts in states)
        return Proven(confirmed, sum(sum(counts.values()) for counts in states))

    def put_status(self, annotation: str, status: str, figures: Mapping[str, float]) -> None:
        """Store the result of the last run of an annotation's evidence."""
        values = rows.status_values(annotation, status, figures)
        self._db.upsert("verification", values, ("annotation",))

    def renew(self, annotation: str, evidence: Sequence[Evidence]) -> None:
        """Store the reviewed digests, and the resulting digest of the entry."""
        for each in evidence:
            self._db.run(
                "UPDATE evidence SET quote_hash = ?, snippet_hash = ? "
                "WHERE annotation = ? AND snippet = ?",
                (each.quote_hash, each.snippet_hash, annotation, each.snippet),
            )
        (owner,) = self.owners([annotation]).values()
        (entry,) = self._store.entries.get([owner]).values()
        self._db.run(
            "UPDATE entry SET digest = ? WHERE id = ?", (bytes.fromhex(entry.digest), owner)
        )


# Media and reviews as tables, beside the entries that they belong to.


_NAMED = re.compile(r"[0-9a-f]{64}")
_NAMING = (("version", "state"), ("journal", "before"), ("journal", "after"),
           ("record", "base"), ("record", "theirs"), ("meta", "value"))  # fmt: skip
"""The columns other than those of entries that may contain a media digest."""


_PACKAGE = "package "
"""The beginning of the key of a package, before its file."""


class MediaFiles(Part, Mapping[str, bytes]):
    """The media of one file by digest, and the Anki packages that entries came from."""

    def put(self, sha256: str, data: bytes) -> None:
        """Store the bytes of a digest."""
        self._db.upsert("media", {"sha256": sha256, "data": data}, ("sha256",))

    def __getitem__(self, sha256: str) -> bytes:
        found = self._db.value("SELECT data FROM media WHERE sha256 = ?", (sha256,))
        if found is None:
            raise KeyError(sha256)
        return bytes(found)

    def __iter__(self) -> Iterator[str]:
        return iter(self._db.column("SELECT sha256 FROM media ORDER BY 1"))

    def __len__(self) -> int:
        return self.amount()[0]

    def put_package(self, file: str, data: bytes) -> None:
        """Keep an imported Anki package with the history of its cards."""
        sha256 = hashlib.sha256(data).hexdigest()
        self.put(sha256, data)
        self._store.meta.put(f"{_PACKAGE}{file}", json.dumps({"sha256": sha256}))

    def package(self, file: str) -> bytes | None:
        """Return the kept package of a file, or nothing."""
        sql = "SELECT value ->> 'sha256' FROM meta WHERE key = ?"
        found = self._db.value(sql, (f"{_PACKAGE}{file}",))
        return None if found is None else self.get(found)

    def missing(self, digests: Iterable[str]) -> list[str]:
        """Return the digests without stored bytes."""
        sql = (
            "SELECT DISTINCT asked.value FROM json_each(?) AS asked "
            "WHERE asked.value NOT IN (SELECT sha256 FROM media)"
        )
        return [row[0] for row in self._db.rows(sql, (json.dumps(list(digests)),))]

    def amount(self) -> tuple[int, int]:
        """Return the number of stored files, and their bytes."""
        return tuple(self._db.rows("SELECT count(*), coalesce(sum(length(data)), 0) FROM media")[0])

    def drop_unused(self) -> None:
        """Delete the bytes that no entry, layer or change uses."""
        if self._db.row("SELECT 1 FROM media LIMIT 1") is None:
            return
        self._db.run(
            "DELETE FROM meta WHERE key LIKE ?1 || '%' AND substr(key, length(?1) + 1) "
            "NOT IN (SELECT path FROM path)",
            (_PACKAGE,),
        )
        kept = json.dumps(list(set(self._named())))
        sql = "DELETE FROM media WHERE sha256 NOT IN (SELECT value FROM json_each(?))"
        self._db.run(sql, (kept,))

    def _named(self) -> Iterator[str]:
        for (text,) in self._db.rows("SELECT media FROM entry WHERE media IS NOT NULL"):
            yield from _NAMED.findall(text)
        for table, column in _NAMING:
            sql = f"SELECT {column} FROM {table} WHERE {column} LIKE '%sha256%'"
            for (text,) in self._db.rows(sql):
                yield from _NAMED.findall(text)


class Reviews(Part):
    """The reviews of one file."""

    def put(self, reviews: Mapping[str, Sequence[Review]]) -> None:
        """Add the reviews of entries, by id, without duplicates: a time has one review."""
        every = [(entry, review) for entry, some in reviews.items() for review in some]
        sql = "DELETE FROM review WHERE entry = ? AND at = ? AND card <> ?"
        self._db.run_many(sql, ((entry, review.at, review.card) for entry, review in every))
        rows = ((entry, *review) for entry, review in every)
        columns = ("entry", *Review._fields)
        self._db.upsert_many("review", columns, rows, ("entry", "card", "at"))
        self._db.run("DELETE FROM study_memory WHERE card = 0")  # it is replayed again

    def of(self, entries: Sequence[str]) -> dict[str, tuple[Review, ...]]:
        """Return the reviews of entries, by time, without impossible ones of older versions."""
        columns = ", ".join(f"r.{name}" for name in Review._fields)
        found = self._db.rows(
            f"SELECT r.entry, {columns} FROM json_each(?) AS asked "
            "JOIN review r ON r.entry = asked.value ORDER BY r.entry, r.at, r.card",
            (json.dumps(list(entries)),),
        )
        known: dict[str, list[Review]] = defaultdict(list)
        for entry, *values in found:
            if (review := Review(*values)).is_possible:
                known[entry].append(review)
        return {entry: tuple(some) for entry, some in known.items()}

    def entries(self) -> list[str]:
        """Return the stored entries with reviews, in order."""
        sql = "SELECT DISTINCT entry FROM review WHERE entry IN (SELECT id FROM entry) ORDER BY 1"
        return self._db.column(sql)


# The names of concepts in several languages, each found by its stems.
#
# Rows of the owner ``bundled`` follow the glossary that comes with the program; those of
# a dictionary a reader added have its name and nothing else touches them.


Key = tuple[str, str]
"""The stems of a name, separated by spaces, and its language."""


class Glossary(Part):
    """The names of one file."""

    def put(self, names: Iterable[ConceptName], owner: str) -> None:
        """Replace an owner's names."""
        self._db.run("DELETE FROM name WHERE owner = ?", (owner,))
        self._db.run_many(
            "INSERT INTO name (owner, concept, place, lang, name, stems) VALUES (?, ?, ?, ?, ?, ?)",
            ((owner, *row) for row in names),
        )

    def names(self) -> list[tuple[int, str, str]]:
        """Return number, name and language of all names."""
        return list(map(tuple, self._db.rows("SELECT id, name, lang FROM name")))

    def concept_names(self) -> Iterator[ConceptName]:
        """Yield the bundled names; they are read when the first one is asked for."""
        sql = (
            "SELECT concept, place, lang, name, stems FROM name "
            "WHERE owner = 'bundled' ORDER BY concept, lang, place"
        )
        for row in self._db.rows(sql):
            yield ConceptName(*row)

    def put_stems(self, stems: Iterable[tuple[str, int]]) -> None:
        """Set the stems of names, each before its number."""
        self._db.run_many("UPDATE name SET stems = ? WHERE id = ?", stems)

    def translations(self, keys: Iterable[Key]) -> dict[Key, list[Name]]:
        """Return the names in other languages for these stems, best first."""
        by_language: dict[str, list[str]] = defaultdict(list)
        for stemmed, lang in keys:
            by_language[lang].append(stemmed)
        names: dict[Key, list[Name]] = defaultdict(list)
        for lang, asked in by_language.items():
            found = self._db.rows(
                # The names are few that are asked for: each is looked for by itself.
                "SELECT DISTINCT name.stems, other.name, other.lang, other.place, other.concept "
                "FROM json_each(?) AS asked "
                "CROSS JOIN name ON name.lang = ? AND name.stems = asked.value "
                "JOIN name other ON other.owner = name.owner AND other.concept = name.concept "
                "AND other.lang <> name.lang "
                "ORDER BY name.owner <> 'bundled', name.place, other.place, name.owner, other.id",
                (json.dumps(asked), lang),
            )
            for stemmed, *name, _place, _concept in found:
                names[stemmed, lang].append(Name(*name))
        return names

    def languages(self) -> list[str]:
        """Return the languages of names, with one index lookup each."""
        return self._db.languages_of("name")
