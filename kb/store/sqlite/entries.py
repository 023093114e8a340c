"""Reads and writes entries and their parts.

The owner of a row decides what may change it: ``bundled`` rows follow the bundled content,
``user`` rows follow their imported files, and ``reader`` rows, a reader's annotations and
programs, are changed only by the reader.
"""

from __future__ import annotations

import dataclasses
import itertools
import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

from kb.errors import Conflict, Message
from kb.model.documents import Document
from kb.model.entry import Annotation, Entry, Snippet, Source, digest
from kb.store.sqlite import rows
from kb.store.sqlite.driver import Connection, Part, RawConnection, Row
from kb.store.sqlite.rows import ASKED, LISTED, SHOWN, EntryState, Owner

T = TypeVar("T")
_OF = f"FROM {ASKED} entry e ON e.id = asked.value"


class Entries(Part):
    """The entries of one file."""

    def get(self, ids: Sequence[str]) -> dict[str, Entry]:
        """Return the existing entries with these ids, in this order.

        They are read with a handful of statements, however many there are.
        """
        asked = (json.dumps(list(dict.fromkeys(ids))),)
        found = self._db.rows(f"SELECT e.* {_OF} WHERE {SHOWN}", asked)
        documents = self._db.rows(
            f"SELECT e.id AS of, d.* {_OF} JOIN document d ON d.entry = e.key ORDER BY d.id", asked
        )
        snippets = self._db.rows(
            f"SELECT s.*, es.entry, es.main FROM {ASKED} entry_snippet es "
            "ON es.entry = asked.value JOIN snippet s ON s.id = es.snippet "
            "ORDER BY es.entry, es.position",
            asked,
        )
        texts = _grouped(documents, "of", lambda row: row)
        programs = _grouped(
            snippets, "entry", lambda row: rows.read_snippet(row, bool(row["main"]))
        )
        annotations = self._annotations(asked)
        read = {}
        for row in found:
            id = row["id"]
            read[id] = rows.read_entry(row, texts[id], programs[id], annotations[id])
        return {id: read[id] for id in dict.fromkeys(ids) if id in read}

    def _annotations(self, asked: tuple[str]) -> dict[str, list[Annotation]]:
        found = self._db.rows(
            f"SELECT a.*, v.status FROM {ASKED} annotation a ON a.entry = asked.value "
            "LEFT JOIN verification v ON v.annotation = a.id ORDER BY a.entry, a.position, a.id",
            asked,
        )
        figures = codes = []
        if found:
            figures = self._db.rows(
                f"SELECT v.* FROM {ASKED} annotation a ON a.entry = asked.value "
                "JOIN evidence v ON v.annotation = a.id ORDER BY v.annotation, v.position",
                asked,
            )
        if figures:
            codes = self._db.rows(
                f"SELECT DISTINCT s.id, s.code FROM {ASKED} annotation a ON a.entry = asked.value "
                "JOIN evidence v ON v.annotation = a.id JOIN snippet s ON s.id = v.snippet",
                asked,
            )
        evidence = _grouped(figures, "annotation", rows.read_evidence)
        digests = {row["id"]: digest(row["code"]) for row in codes}

        def read(row: Row) -> Annotation:
            proof = tuple(evidence.get(row["id"], ()))
            status = row["status"] or "unverified" if proof else "no-evidence"
            annotation = rows.read_annotation(row, proof, status)
            stale = proof and annotation.is_stale(digests)
            return dataclasses.replace(annotation, status="stale") if stale else annotation

        groups = _grouped(found, "entry", read)
        for some in groups.values():
            status = {each.id: each.status for each in some}
            for place, each in enumerate(some):
                if each.repeats in status:
                    some[place] = dataclasses.replace(each, status=status[each.repeats])
        return groups

    def state(self, id: str) -> EntryState | None:
        """Return the state of an entry, or nothing."""
        return self.states((id,)).get(id)

    def states(self, ids: Sequence[str]) -> dict[str, EntryState]:
        """Return the state of each stored entry among these, shown or hidden."""
        known = "owner, digest, collection, position, layer, hidden"
        found = self._db.rows(f"SELECT e.id, {known}, {SHOWN} AS shown {_OF}", (json.dumps(ids),))
        return {
            id: EntryState(owner, digest.hex(), name, position, layer, bool(hidden), bool(shown))
            for id, owner, digest, name, position, layer, hidden, shown in found
        }

    def owned(self, owner: Owner) -> set[str]:
        """Return the ids of an owner's entries."""
        return set(self._db.column("SELECT id FROM entry WHERE owner = ?", (owner,)))

    def put(self, entry: Entry, owner: Owner, position: int | None, layer: int = 0) -> None:
        """Store or update an entry, without a reader's additions. Raises `Conflict`.

        A new one belongs to a ``layer``; an existing one stays in its own.
        """
        stands = self._db.value("SELECT position FROM entry WHERE id = ?", (entry.id,))
        if stands is not None:
            self._clear(entry.id)
        if position is None:
            position = self.next_position(entry.collection) if stands is None else int(stands)
        values = rows.entry_values(entry, owner, position)
        self._db.upsert("entry", {**values, **({"layer": layer} if layer else {})}, ("id",))
        given = entry.given
        self._put_snippets(given, owner)
        self._put_annotations(given, owner)

    def put_new(self, entries: Sequence[Entry], owner: Owner, layer: int) -> list[Document]:
        """Store new text-only entries at the end of their collections.

        Returns their stored documents.
        """
        names = dict.fromkeys(entry.collection for entry in entries)
        place = {name: itertools.count(self.next_position(name)) for name in names}
        first = int(self._db.value("SELECT coalesce(max(key), 0) + 1 FROM entry"))
        keyed = list(enumerate(entries, first))
        made = [
            rows.entry_values(each, owner, next(place[each.collection]))
            | {"key": key, "layer": layer}
            for key, each in keyed
        ]
        self._db.insert_many("entry", made)
        return self._put_documents(keyed)

    def _put_documents(self, keyed: Sequence[tuple[int, Entry]]) -> list[Document]:
        """Store the documents of entries by number, with their titles, and return them.

        Titles are deleted with their document.
        """
        self._db.insert_many(
            "document", [row for key, each in keyed for row in rows.document_values(each, key)]
        )
        ids = [entry.id for _, entry in keyed]
        sql = f"{_STORED} WHERE e.id IN (SELECT value FROM json_each(?))"
        self._db.run_many(_INSERT, _titles(self._db.rows(sql, (json.dumps(ids),))))
        return list(self.documents(ids))

    def move(self, id: str, position: int) -> None:
        """Move an entry within its collection."""
        self._db.run("UPDATE entry SET position = ? WHERE id = ?", (position, id))

    def hide(self, id: str, hidden: bool) -> None:
        """Show or hide an entry in lists."""
        self._db.run("UPDATE entry SET hidden = ? WHERE id = ?", (int(hidden), id))

    def remove(self, id: str) -> None:
        """Delete an entry with its parts and a reader's additions."""
        self._remove_documents(id)
        self._clear_additions(id)
        self._clear(id)
        self._db.run("DELETE FROM entry WHERE id = ?", (id,))

    def retire(self, ids: Sequence[str]) -> None:
        """Prevent ids from being reused."""
        self._db.run_many(
            "INSERT INTO retired (id) VALUES (?) ON CONFLICT DO NOTHING", ((id,) for id in ids)
        )

    def taken(self, id: str) -> bool:
        """Return whether an id is or was that of an entry."""
        return id in self.taken_of((id,))

    def taken_of(self, ids: Sequence[str]) -> set[str]:
        """Return which of these ids are or were those of entries."""
        sql = (
            "SELECT value FROM json_each(?) WHERE value IN (SELECT id FROM entry) "
            "OR value IN (SELECT id FROM retired) OR value IN (SELECT entry FROM record)"
        )
        return set(self._db.column(sql, (json.dumps(ids),)))

    def backlinks(self, entry: str) -> tuple[str, ...]:
        """Return the listed entries that list an entry as related, by id."""
        sql = (
            "SELECT e.id FROM link l JOIN entry e ON e.key = l.entry "
            f"WHERE l.target = ? AND {LISTED} ORDER BY e.id"
        )
        return tuple(row[0] for row in self._db.rows(sql, (entry,)))

    def documents(self, ids: Sequence[str] | None = None) -> Iterator[Document]:
        """Yield the stored documents of entries, or all searchable ones, by number."""
        joined = _OF if ids is not None else "FROM entry e"
        sql = (
            f"SELECT d.id, e.id AS entry, d.lang, {rows.TEXTS}, "
            "e.collection, e.level, e.topic, e.kind, e.tags, "
            "(SELECT json_group_array(a.verdict) FROM annotation a WHERE a.entry = e.id "
            "AND a.verdict > '') "
            f"AS verdicts {joined} JOIN document d ON d.entry = e.key WHERE e.hidden = 0 "
            "ORDER BY d.id"
        )
        values = () if ids is None else (json.dumps(ids),)
        return map(rows.read_document, self._db.stream(sql, values))

    def holding(self, documents: Sequence[int]) -> list[str]:
        """Return the entries of these documents, by number."""
        sql = (
            "SELECT DISTINCT e.id FROM json_each(?) AS asked JOIN document d ON d.id = asked.value "
            "JOIN entry e ON e.key = d.entry"
        )
        return self._db.column(sql, (json.dumps(documents),))

    def put_documents(self, entry: Entry) -> list[Document]:
        """Replace the documents of an entry, and return them."""
        self._remove_documents(entry.id)
        key = self._db.value("SELECT key FROM entry WHERE id = ?", (entry.id,))
        return self._put_documents([(key, entry)])

    def renew_titles(self) -> None:
        """Update the titles of all documents; the caller holds the transaction."""
        fill_titles(self._db.raw)

    def wrongly_titled(self) -> set[int]:
        """Return the documents with wrong stored titles."""
        kept = {tuple(row) for row in self._db.rows("SELECT folded, alias, document FROM title")}
        return {title[2] for title in kept ^ set(_titles(self._db.rows(_STORED)))}

    def _remove_documents(self, id: str) -> None:
        """Delete the documents of an entry."""
        self._db.run(
            "DELETE FROM document WHERE entry = (SELECT key FROM entry WHERE id = ?)", (id,)
        )

    def put_sources(self, sources: Iterable[Source]) -> None:
        """Store or update source documents."""
        for source in sources:
            self._db.upsert("source", source._asdict(), ("file",))

    def media(self) -> list[str]:
        """Return the digests of entries' media, without duplicates."""
        sql = (
            "SELECT DISTINCT json_extract(each.value, '$[1]') "
            "FROM entry e, json_each(e.media) AS each WHERE e.media IS NOT NULL ORDER BY 1"
        )
        return self._db.column(sql)

    def sources(self) -> list[Source]:
        """Return the source documents, by file name."""
        found = self._db.rows("SELECT * FROM source ORDER BY file")
        return [Source(**{name: row[name] for name in Source._fields}) for row in found]

    def drop_unused_snippets(self) -> None:
        """Delete the bundled programs that nothing uses any more."""
        self._db.run(
            "DELETE FROM snippet WHERE owner = 'bundled' "
            "AND id NOT IN (SELECT snippet FROM entry_snippet)"
        )

    def next_position(self, collection: str) -> int:
        """Return the position after the last entry of a collection."""
        sql = "SELECT coalesce(max(position) + 1, 0) FROM entry WHERE collection = ?"
        return int(self._db.value(sql, (collection,)))

    def _clear_additions(self, id: str) -> None:
        """Delete a reader's additions to an entry."""
        notes = f"SELECT id FROM annotation WHERE entry = ? AND owner = '{rows.READER}'"
        _drop_annotations(self._db, notes, (id,))
        programs = self._db.rows(
            "SELECT s.id FROM entry_snippet es JOIN snippet s ON s.id = es.snippet "
            f"WHERE es.entry = ? AND s.owner = '{rows.READER}'",
            (id,),
        )
        self._db.run("DELETE FROM entry_snippet WHERE entry = ?", (id,))
        sql = "DELETE FROM snippet WHERE id = ? AND id NOT IN (SELECT snippet FROM entry_snippet)"
        self._db.run_many(sql, programs)

    def _clear(self, id: str) -> None:
        """Delete the content of an entry, except documents and additions."""
        mine = "SELECT a.id FROM annotation a JOIN entry e ON e.id = a.entry AND e.owner = a.owner"
        readers = f"SELECT 1 FROM snippet s WHERE s.id = snippet AND s.owner = '{rows.READER}'"
        self._db.run(f"DELETE FROM entry_snippet WHERE entry = ? AND NOT EXISTS ({readers})", (id,))
        _drop_annotations(self._db, f"{mine} WHERE a.entry = ?", (id,))

    def _put_snippets(self, entry: Entry, owner: Owner) -> None:
        others = "SELECT 1 FROM entry_snippet WHERE snippet = ? AND entry <> ?"
        for position, snippet in enumerate(entry.snippets):
            stored = self._db.row("SELECT owner, code FROM snippet WHERE id = ?", (snippet.id,))
            theirs = stored is not None and (
                stored["owner"] != owner
                or (owner == "user" and self._db.value(others, (snippet.id, entry.id)))
            )
            if stored is not None and theirs and stored["code"] != snippet.code:
                raise Conflict(
                    "another program of that name is already stored",
                    Message("Rename the program of {id}.", id=entry.id),
                    place=snippet.id,
                )
            if stored is None or stored["owner"] == owner:
                self._db.upsert("snippet", rows.snippet_values(snippet, owner), ("id",))
            link = {"entry": entry.id, "position": position, "snippet": snippet.id}
            self._db.insert("entry_snippet", {**link, "main": int(snippet.main)})

    def _put_annotations(self, entry: Entry, owner: Owner) -> None:
        for position, annotation in enumerate(entry.claims):
            if self._db.row("SELECT 1 FROM annotation WHERE id = ?", (annotation.id,)):
                raise Conflict(
                    "another annotation of that name is already stored",
                    Message("Rename the annotation of {id}.", id=entry.id),
                    place=annotation.id,
                )
            values = rows.annotation_values(entry.id, position, owner, annotation)
            self._db.insert("annotation", values)
            for place, evidence in enumerate(annotation.evidence):
                values = rows.evidence_values(annotation.id, place, evidence)
                self._db.insert("evidence", values)
            if annotation.status in ("confirmed", "refuted", "cannot-run"):
                status = rows.status_values(annotation.id, annotation.status, {})
                self._db.upsert("verification", status, ("annotation",))


def _grouped(found: Sequence[Row], column: str, read: Callable[[Row], T]) -> dict[str, list[T]]:
    """Return the records of rows by the value of a column."""
    groups: dict[str, list[T]] = defaultdict(list)
    for row in found:
        groups[row[column]].append(read(row))
    return groups


def _drop_annotations(connection: Connection, which: str, values: Sequence[object]) -> None:
    """Delete the annotations that a query names, with their evidence."""
    for table in ("verification", "evidence"):
        connection.run(f"DELETE FROM {table} WHERE annotation IN ({which})", values)
    connection.run(f"DELETE FROM annotation WHERE id IN ({which})", values)


# What a reader added to entries: annotations and snippets of one's own.
#
# They belong to nobody's file, so no renewal of an entry touches them.


# They stand behind what came with an entry, however much of that there will be.
_BEHIND = 1 << 20

_ADDED = (
    f"SELECT id AS name, entry FROM annotation WHERE owner = '{rows.READER}' UNION ALL "
    "SELECT s.id, es.entry FROM snippet s LEFT JOIN entry_snippet es ON es.snippet = s.id "
    f"WHERE s.owner = '{rows.READER}'"
)
"""The names of all additions, with their entries."""


class Additions(Part):
    """A reader's additions to entries."""

    def put_annotation(self, entry: str, annotation: Annotation) -> None:
        """Store or update a reader's annotation of an entry. Raises `Conflict`."""
        stored = self._stored("annotation", annotation.id)
        if stored is not None and stored["entry"] != entry:
            raise Conflict("another entry has an annotation of that name", place=annotation.id)
        position = stored["position"] if stored else self._next("annotation", entry)
        values = rows.annotation_values(entry, position, rows.READER, annotation)
        self._db.upsert("annotation", values, ("id",))
        self._db.run("DELETE FROM evidence WHERE annotation = ?", (annotation.id,))
        for place, evidence in enumerate(annotation.evidence):
            self._db.insert("evidence", rows.evidence_values(annotation.id, place, evidence))

    def put_snippet(self, entry: str, snippet: Snippet) -> None:
        """Store or update a reader's program of an entry. Raises `Conflict`."""
        self._stored("snippet", snippet.id)
        self._db.upsert("snippet", rows.snippet_values(snippet, rows.READER), ("id",))
        sql = "SELECT position FROM entry_snippet WHERE entry = ? AND snippet = ?"
        position = self._db.value(sql, (entry, snippet.id))
        if position is None:
            position = self._next("entry_snippet", entry)
        link = {"entry": entry, "position": position, "snippet": snippet.id}
        self._db.upsert("entry_snippet", {**link, "main": int(snippet.main)}, ("entry", "position"))

    def arrange(self, entry: str, names: Iterable[str]) -> None:
        """Set the order of a reader's additions to an entry."""
        for name in names:
            for table, column in (("annotation", "id"), ("entry_snippet", "snippet")):
                self._db.run(
                    f"UPDATE {table} SET position = ? WHERE entry = ? AND {column} = ?",
                    (self._next(table, entry), entry, name),
                )

    def entries_of(self, name: str) -> list[str]:
        """Return the entries with a reader's annotation or program of this name."""
        sql = f"SELECT DISTINCT entry FROM ({_ADDED}) WHERE name = ? AND entry IS NOT NULL"
        return self._db.column(sql, (name,))

    def remove(self, name: str) -> None:
        """Delete a reader's annotation or program."""
        mine = "SELECT id FROM annotation WHERE id = ? AND owner = ?"
        program = "SELECT id FROM snippet WHERE id = ? AND owner = ?"
        _drop_annotations(self._db, mine, (name, rows.READER))
        for statement in (
            f"DELETE FROM entry_snippet WHERE snippet IN ({program})",
            "DELETE FROM snippet WHERE id = ? AND owner = ?",
        ):
            self._db.run(statement, (name, rows.READER))

    def names(self) -> list[str]:
        """Return the ids of all additions."""
        return self._db.column(f"SELECT DISTINCT name FROM ({_ADDED})")

    def holds(self, entry: str) -> bool:
        """Return whether a reader added anything to an entry, which is then never pruned."""
        return self._db.row(f"SELECT 1 FROM ({_ADDED}) WHERE entry = ?", (entry,)) is not None

    def _stored(self, table: str, name: str) -> Row | None:
        """Return the stored row of that id. Raises `Conflict` if it is not a reader's.

        A program without an entry has no owner.
        """
        row: Row | None = self._db.row(f"SELECT * FROM {table} WHERE id = ?", (name,))
        if row is not None and row["owner"] != rows.READER:
            used = "SELECT 1 FROM entry_snippet WHERE snippet = ?"
            if table == "snippet" and self._db.row(used, (name,)) is None:
                return None
            raise Conflict("this name is used by something that is not yours", place=name)
        return row

    def _next(self, table: str, entry: str) -> int:
        sql = f"SELECT max(coalesce(max(position), 0) + 1, {_BEHIND}) FROM {table} WHERE entry = ?"
        return int(self._db.value(sql, (entry,)))


# Titles and aliases as they are looked up: a number for each that spellings of it share.


_INSERT = "INSERT OR IGNORE INTO title (folded, alias, document) VALUES (?, ?, ?)"
_STORED = "SELECT d.id, d.question, e.aliases FROM document d JOIN entry e ON e.key = d.entry"


def fill_titles(connection: RawConnection) -> None:
    """Replace the stored titles of all documents."""
    connection.execute("DELETE FROM title")
    connection.executemany(_INSERT, _titles(connection.execute(_STORED)))


def _titles(found: Iterable[Any]) -> Iterator[tuple[int, int, int]]:
    """Yield the titles of documents: number, whether it is an alias, and document."""
    from kb.text.analyzer import title_key  # not needed to read

    for document, question, aliases in found:
        for place, text in enumerate((question, *json.loads(aliases or "[]"))):
            key = title_key(text)
            if key is not None:
                yield key, int(place > 0), document
