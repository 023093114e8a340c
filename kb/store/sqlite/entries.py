"""Entries and what belongs to them, written and read.

Who owns a row decides what may change it: ``bundled`` rows follow the content that
comes with the program, ``user`` rows were imported and follow their files, and ``reader``
rows, the annotations and snippets that a reader added to entries, nothing else touches.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterable, Iterator, Sequence

from kb.errors import Conflict, Message
from kb.records import Entry, Snippet, Source
from kb.records.document import Document
from kb.store.rows import EntryState, Owner
from kb.store.sqlite import rows, titles
from kb.store.sqlite.connection import Connection
from kb.store.sqlite.reading import read_entries
from kb.store.sqlite.visibility import SHOWN

_OF = "FROM json_each(?) AS asked JOIN entry e ON e.id = asked.value"


class Entries:
    """The entries of one file."""

    def __init__(self, connection: Callable[[], Connection]) -> None:
        self._connection = connection

    def get(self, ids: Sequence[str]) -> dict[str, Entry]:
        """Return the entries of these ids that are there."""
        return read_entries(self._connection(), ids)

    def state(self, id: str) -> EntryState | None:
        """Return what is known of an entry, or nothing where there is none."""
        return self.states((id,)).get(id)

    def states(self, ids: Sequence[str]) -> dict[str, EntryState]:
        """Return what is known of each of these entries that is stored, there or not."""
        known = "owner, digest, collection, position, layer, hidden"
        sql = f"SELECT e.id, {known}, {SHOWN} AS shown {_OF}"
        found = self._connection().rows(sql, (json.dumps(ids),))
        return {id: _state(*values) for id, *values in found}

    def owned(self, owner: Owner) -> set[str]:
        """Return the ids of an owner's entries."""
        sql = "SELECT id FROM entry WHERE owner = ?"
        return {row[0] for row in self._connection().rows(sql, (owner,))}

    def put(self, entry: Entry, owner: Owner, position: int | None, layer: int = 0) -> None:
        """Store an entry, or renew it, without what a reader added to it. Raises `Conflict`.

        A new one is of a ``layer``; one that is there stays in its own.
        """
        connection = self._connection()
        stands = connection.value("SELECT position FROM entry WHERE id = ?", (entry.id,))
        if stands is not None:
            self._clear(entry.id)
        if position is None:
            position = self.next_position(entry.collection) if stands is None else int(stands)
        values = rows.entry_values(entry, owner, position)
        connection.upsert("entry", {**values, **({"layer": layer} if layer else {})}, ("id",))
        given = entry.given
        self._put_snippets(given, owner)
        self._put_annotations(given, owner)

    def put_new(self, entries: Sequence[Entry], owner: Owner, layer: int) -> list[Document]:
        """Store entries of texts alone that are not there, each last of its collection.

        Returns their documents, which are stored too.
        """
        connection = self._connection()
        names = dict.fromkeys(entry.collection for entry in entries)
        position = {name: itertools.count(self.next_position(name)) for name in names}
        keyed = list(enumerate(entries, self._next("entry", "key")))
        connection.insert_many(
            "entry",
            [
                {
                    "key": key,
                    **rows.entry_values(each, owner, next(position[each.collection])),
                    "layer": layer,
                }
                for key, each in keyed
            ],
        )
        numbers = itertools.count(self._next("document", "id"))
        values = [
            (entry, {"id": next(numbers), **row})
            for key, entry in keyed
            for row in rows.document_values(entry, key)
        ]
        connection.insert_many("document", [row for _, row in values])
        return self._titled(
            [(entry, rows.document_of(entry, row["id"], row)) for entry, row in values]
        )

    def _titled(self, documents: Sequence[tuple[Entry, Document]]) -> list[Document]:
        """Store the titles of new documents, and return these."""
        titles.put(
            self._connection().raw,
            (
                title
                for entry, each in documents
                for title in titles.titles_of(
                    each.id, entry.question.get(each.lang, ""), entry.aliases
                )
            ),
        )
        return [each for _, each in documents]

    def _next(self, table: str, key: str) -> int:
        """Return the number behind the last one of a table."""
        return int(self._connection().value(f"SELECT coalesce(max({key}), 0) + 1 FROM {table}"))

    def move(self, id: str, position: int) -> None:
        """Put an entry elsewhere in its collection."""
        self._connection().run("UPDATE entry SET position = ? WHERE id = ?", (position, id))

    def hide(self, id: str, hidden: bool) -> None:
        """Let an entry be listed or not."""
        self._connection().run("UPDATE entry SET hidden = ? WHERE id = ?", (int(hidden), id))

    def remove(self, id: str) -> None:
        """Remove an entry and what belongs to it, with what a reader added to it."""
        self._remove_documents(id)
        self._clear_additions(id)
        self._clear(id)
        self._connection().run("DELETE FROM entry WHERE id = ?", (id,))

    def documents(self, ids: Sequence[str] | None = None) -> Iterator[Document]:
        """Yield the stored documents of entries, or of all that are searched, by their numbers."""
        joined = _OF if ids is not None else "FROM entry e"
        sql = (
            f"SELECT d.id, e.id AS entry, d.lang, {rows.TEXTS}, "
            "e.collection, e.level, e.topic, e.kind, e.tags, "
            "(SELECT json_group_array(a.verdict) FROM annotation a WHERE a.entry = e.id) "
            f"AS verdicts {joined} JOIN document d ON d.entry = e.key WHERE e.hidden = 0 "
            "ORDER BY d.id"
        )
        values = () if ids is None else (json.dumps(ids),)
        return map(rows.read_document, self._connection().stream(sql, values))

    def holding(self, documents: Sequence[int]) -> list[str]:
        """Return the entries that these documents are of, by their numbers."""
        sql = (
            "SELECT DISTINCT e.id FROM json_each(?) AS asked JOIN document d ON d.id = asked.value "
            "JOIN entry e ON e.key = d.entry"
        )
        return [row[0] for row in self._connection().rows(sql, (json.dumps(documents),))]

    def put_documents(self, entry: Entry) -> list[Document]:
        """Store the documents of an entry in place of those it had, and return them."""
        self._remove_documents(entry.id)
        connection = self._connection()
        key = connection.value("SELECT key FROM entry WHERE id = ?", (entry.id,))
        made = [
            rows.document_of(entry, connection.insert("document", values), values)
            for values in rows.document_values(entry, key)
        ]
        return self._titled([(entry, each) for each in made])

    def renew_titles(self) -> None:
        """Store the titles of all documents again; the caller holds the transaction."""
        titles.fill(self._connection().raw)

    def wrongly_titled(self) -> set[int]:
        """Return the documents whose titles are not stored as they are written."""
        return titles.wrong(self._connection().raw)

    def _remove_documents(self, id: str) -> None:
        """Remove the documents of an entry."""
        self._connection().run(
            "DELETE FROM document WHERE entry = (SELECT key FROM entry WHERE id = ?)", (id,)
        )

    def put_sources(self, sources: Iterable[Source]) -> None:
        """Store source documents, or renew them."""
        for source in sources:
            self._connection().upsert("source", source._asdict(), ("file",))

    def media(self) -> list[str]:
        """Return the digests of what entries show, each once."""
        sql = (
            "SELECT DISTINCT json_extract(each.value, '$[1]') "
            "FROM entry e, json_each(e.media) AS each WHERE e.media IS NOT NULL ORDER BY 1"
        )
        return [row[0] for row in self._connection().rows(sql)]

    def sources(self) -> list[Source]:
        """Return the source documents, by file name."""
        found = self._connection().rows("SELECT * FROM source ORDER BY file")
        return [rows.read_source(row) for row in found]

    def drop_unused_snippets(self) -> None:
        """Remove the bundled snippets that nothing belongs to any more."""
        self._connection().run(
            "DELETE FROM snippet WHERE owner = 'bundled' "
            "AND id NOT IN (SELECT snippet FROM entry_snippet)"
        )

    def next_position(self, collection: str) -> int:
        """Return the place behind the last entry of a collection."""
        sql = "SELECT coalesce(max(position) + 1, 0) FROM entry WHERE collection = ?"
        return int(self._connection().value(sql, (collection,)))

    def _clear_additions(self, id: str) -> None:
        """Remove what a reader added to an entry."""
        notes = f"SELECT id FROM annotation WHERE entry = ? AND owner = '{rows.READER}'"
        connection = self._connection()
        for statement in (
            f"DELETE FROM verification WHERE annotation IN ({notes})",
            f"DELETE FROM evidence WHERE annotation IN ({notes})",
            f"DELETE FROM annotation WHERE id IN ({notes})",
        ):
            connection.run(statement, (id,))
        programs = connection.rows(
            "SELECT s.id FROM entry_snippet es JOIN snippet s ON s.id = es.snippet "
            f"WHERE es.entry = ? AND s.owner = '{rows.READER}'",
            (id,),
        )
        connection.run("DELETE FROM entry_snippet WHERE entry = ?", (id,))
        for (name,) in programs:
            connection.run(
                "DELETE FROM snippet WHERE id = ? "
                "AND id NOT IN (SELECT snippet FROM entry_snippet)",
                (name,),
            )

    def _clear(self, id: str) -> None:
        """Remove what an entry is made of, but neither what is searched nor what others added."""
        mine = "SELECT a.id FROM annotation a JOIN entry e ON e.id = a.entry AND e.owner = a.owner"
        readers = f"SELECT 1 FROM snippet s WHERE s.id = snippet AND s.owner = '{rows.READER}'"
        for statement in (
            f"DELETE FROM entry_snippet WHERE entry = ? AND NOT EXISTS ({readers})",
            f"DELETE FROM verification WHERE annotation IN ({mine} WHERE a.entry = ?)",
            f"DELETE FROM evidence WHERE annotation IN ({mine} WHERE a.entry = ?)",
            f"DELETE FROM annotation WHERE id IN ({mine} WHERE a.entry = ?)",
        ):
            self._connection().run(statement, (id,))

    def _put_snippets(self, entry: Entry, owner: Owner) -> None:
        connection = self._connection()
        for position, snippet in enumerate(entry.snippets):
            sql = "SELECT owner, code FROM snippet WHERE id = ?"
            stored = connection.row(sql, (snippet.id,))
            theirs = stored is not None and (
                stored["owner"] != owner
                or (owner == "user" and self._used_elsewhere(snippet, entry))
            )
            if stored is not None and theirs and stored["code"] != snippet.code:
                raise Conflict(
                    "another program of that name is already stored",
                    Message("Rename the program of {id}.", id=entry.id),
                    place=snippet.id,
                )
            if stored is None or stored["owner"] == owner:
                connection.upsert("snippet", rows.snippet_values(snippet, owner), ("id",))
            link = {"entry": entry.id, "position": position, "snippet": snippet.id}
            connection.insert("entry_snippet", {**link, "main": int(snippet.main)})

    def _used_elsewhere(self, snippet: Snippet, entry: Entry) -> bool:
        """Say whether another entry runs this snippet."""
        sql = "SELECT 1 FROM entry_snippet WHERE snippet = ? AND entry <> ?"
        return self._connection().row(sql, (snippet.id, entry.id)) is not None

    def _put_annotations(self, entry: Entry, owner: Owner) -> None:
        connection = self._connection()
        for position, annotation in enumerate(entry.annotations):
            if connection.row("SELECT 1 FROM annotation WHERE id = ?", (annotation.id,)):
                raise Conflict(
                    "another annotation of that name is already stored",
                    Message("Rename the annotation of {id}.", id=entry.id),
                    place=annotation.id,
                )
            values = rows.annotation_values(entry.id, position, owner, annotation)
            connection.insert("annotation", values)
            for place, evidence in enumerate(annotation.evidence):
                values = rows.evidence_values(annotation.id, place, evidence)
                connection.insert("evidence", values)
            if annotation.status in ("confirmed", "refuted", "cannot-run"):
                status = rows.status_values(annotation.id, annotation.status, {})
                connection.upsert("verification", status, ("annotation",))


def _state(
    owner: Owner, digest: bytes, collection: str, position: int, layer: int, hidden: int, shown: int
) -> EntryState:
    known = bool(hidden), bool(shown)
    return EntryState(owner, digest.hex(), collection, position, layer, *known)
