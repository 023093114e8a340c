"""Read-only queries on stored entries: lists, hits, names, counts."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache

from kb.model.clauses import (
    Candidate,
    Clause,
    Every,
    Has,
    Lacks,
    Matches,
    Named,
    Predicate,
    Some,
    is_of_entries,
)
from kb.model.entry import Accepted, digest
from kb.model.results import Hit, Page
from kb.store.sqlite.driver import Part, Row
from kb.store.sqlite.rows import ASKED, DARK, LISTED, SHOWN, TEXTS, Ref, Texts, texts_of, title_of

_SIMILAR = 60
_LATEST = 1_000
"""The number of latest changes searched for the last changed entry."""
_LONG_PIECE, _MOST_PIECES = 4, 12
_DOCUMENTS = f"{ASKED} entry e ON e.id = asked.value JOIN document d ON d.entry = e.key"


class Catalog(Part):
    """The lists of one file."""

    def _to_sql(self, predicate: Predicate) -> SqlFragment:
        return to_sql(predicate, self._store.matching)

    def select(
        self, predicate: Predicate, page: Page, *, hidden: bool = False
    ) -> tuple[int, list[Ref]]:
        """Return how many entries match a predicate, and a page of them in order of collections.

        They are the listed entries, or those that the reader has ``hidden``, in their first
        language.
        """
        sql, values = self._to_sql(predicate)
        matching = f"FROM document d WHERE d.entry = e.key AND ({sql})"
        listed = f"{SHOWN} AND e.hidden = 1" if hidden else LISTED
        # Every entry has a document; to look for it costs as much as all the rest.
        there = (
            listed if not values and sql == "1" else f"{listed} AND EXISTS (SELECT 1 {matching})"
        )
        total = self._db.value(f"SELECT count(*) FROM entry e WHERE {there}", values)
        # Collection by collection the index gives the order, so nothing behind a page is read.
        found = self._db.rows(
            f"SELECT e.id, (SELECT d.lang {matching} ORDER BY d.id LIMIT 1) "
            "FROM collection c CROSS JOIN entry e ON e.collection = c.id "
            f"WHERE {there} ORDER BY c.position, e.position, e.id LIMIT ? OFFSET ?",
            (*values, *values, -1 if page.limit is None else page.limit, page.offset),
        )
        return total, [Ref(*row) for row in found]

    def hits(self, refs: Sequence[Ref]) -> list[Hit]:
        """Return documents as list lines, without deleted ones."""
        asked = self._db.rows(
            f"SELECT e.id, d.lang, d.question, d.wording FROM {_DOCUMENTS} ORDER BY d.id",
            (_ids(refs),),
        )
        return [hit for _, hit in self._lines(refs, asked)]

    def page(self, refs: Sequence[Ref]) -> list[tuple[Hit, Texts]]:
        """Return documents as list lines, each with its searchable texts by column.

        Deleted ones are omitted.
        """
        asked = self._db.rows(
            f"SELECT e.id, d.lang, {TEXTS} FROM {_DOCUMENTS} ORDER BY d.id", (_ids(refs),)
        )
        texts = {(row["id"], row["lang"]): texts_of(row) for row in asked}
        return [(hit, texts.get(ref, {})) for ref, hit in self._lines(refs, asked)]

    def _lines(self, refs: Sequence[Ref], asked: Sequence[Row]) -> Iterator[tuple[Ref, Hit]]:
        """Yield documents with their list lines, without deleted ones."""
        rows, ids = self._db.rows, _ids(refs)
        questions, wordings = _by_entry(asked, "question"), _by_entry(asked, "wording")
        entries = {
            row[0]: row
            for row in rows(
                "SELECT e.id, e.kind, e.collection, e.number, e.level "
                f"FROM {ASKED} entry e ON e.id = asked.value WHERE {SHOWN}",
                (ids,),
            )
        }
        verdicts: dict[str, Counter[str]] = defaultdict(Counter)
        told: dict[str, dict[str, dict[str, int]]] = {}
        claims = rows(
            f"SELECT a.entry, a.verdict, a.lang, count(*) FROM {ASKED} annotation a "
            "ON a.entry = asked.value GROUP BY asked.key, 1, 2, 3 ORDER BY 2",
            (ids,),
        )
        for entry, verdict, lang, count in claims:
            if verdict:  # else an answer with evidence
                verdicts[entry][verdict] += count
                told.setdefault(entry, {}).setdefault(lang, {})[verdict] = count
        snippets: dict[str, list[str]] = defaultdict(list)
        for entry, snippet in rows(
            f"SELECT DISTINCT s.entry, s.snippet FROM {ASKED} entry_snippet s "
            "ON s.entry = asked.value ORDER BY s.entry, s.position",
            (ids,),
        ):
            snippets[entry].append(snippet)
        evidence = self.evidence_states(ids) if claims else {}
        for ref in (each for each in refs if each.entry in entries):
            entry, lang = ref
            id, kind, collection, number, level = entries[entry]
            yield ref, Hit(
                id, kind, collection, number, level, lang,
                questions.get(entry, {}), verdicts.get(entry, {}), tuple(snippets.get(entry, ())),
                evidence=evidence.get(entry, {}), wording=wordings.get(entry, {}),
                told=told.get(entry, {}),
            )  # fmt: skip

    def evidence_states(self, asked: str) -> Mapping[str, Mapping[str, int]]:
        """Return the number of annotations with evidence per entry, by status.

        ``asked`` is a JSON list of entry ids. Entries without evidence are omitted.
        """
        found = self._db.rows(
            "SELECT a.entry, a.id, a.quote, s.code, v.quote_hash, v.snippet_hash, r.status "
            f"FROM {ASKED} annotation a ON a.entry = asked.value "
            "JOIN evidence v ON v.annotation = a.id "
            "LEFT JOIN verification r ON r.annotation = a.id "
            "LEFT JOIN snippet s ON s.id = v.snippet AND r.status > ''",
            (asked,),
        )
        digest_of = cache(digest)
        states = {(row["entry"], row["id"]): row["status"] or "unverified" for row in found}
        for entry, id, quote, code, *accepted, status in found:
            program = None if code is None else digest_of(code)
            if status and not Accepted(*accepted).holds(digest_of(quote), program):
                states[entry, id] = "stale"
        counted: dict[str, Counter[str]] = defaultdict(Counter)
        for (entry, _), state in states.items():
            counted[entry][state] += 1
        return counted

    def titled(self, title: int, predicate: Predicate) -> list[tuple[bool, Candidate]]:
        """Return the listed documents with a title that match a predicate.

        Each comes with whether the title is an alias.
        """
        rows = self._db.rows
        if not rows("SELECT 1 FROM title WHERE folded = ? LIMIT 1", (title,)):
            return []
        sql, values = self._to_sql(predicate)
        found = rows(
            "SELECT t.alias, d.id, e.id, d.lang FROM title t JOIN document d ON d.id = t.document "
            f"JOIN entry e ON e.key = d.entry WHERE t.folded = ? AND {LISTED} AND ({sql})",
            (title, *values),
        )
        return [(bool(alias), Candidate(*of)) for alias, *of in found]

    def matching(self, documents: Sequence[int], predicate: Predicate) -> list[Candidate]:
        """Return those of these documents that are listed and match a predicate."""
        sql, values = self._to_sql(predicate)
        found = self._db.rows(
            "SELECT d.id, e.id, d.lang FROM json_each(?) AS asked JOIN document d "
            f"ON d.id = asked.value JOIN entry e ON e.key = d.entry WHERE {LISTED} AND ({sql})",
            (json.dumps(documents), *values),
        )
        return [Candidate(*row) for row in found]

    def has_cards(self) -> bool:
        """Return whether any entry is a card from a note."""
        return bool(self._db.value("SELECT EXISTS (SELECT 1 FROM entry WHERE within > '')"))

    def notes_of(self, entries: Sequence[str]) -> dict[str, str]:
        """Return the notes of those entries that are cards."""
        sql = f"SELECT e.id, e.within FROM {ASKED} entry e ON e.id = asked.value"
        found = self._db.rows(f"{sql} WHERE e.within > ''", (json.dumps(entries),))
        return dict(map(tuple, found))

    def languages(self) -> tuple[str, ...]:
        """Return the languages of documents, with one index lookup each."""
        return tuple(self._db.languages_of("document"))

    def collections(self) -> dict[str, dict[str, str]]:
        """Return the collections in order, with titles by language."""
        sql = f"SELECT id, title FROM collection WHERE layer NOT IN {DARK} ORDER BY position"
        found = self._db.rows(sql)
        return {row["id"]: title_of(row["id"], row["title"]) for row in found}

    def facets(self) -> dict[str, list[str]]:
        """Return the filter values of entries, in order of occurrence."""
        sql = {
            "lang": "SELECT DISTINCT lang FROM document ORDER BY lang",
            "collection": (
                f"SELECT id FROM collection WHERE layer NOT IN {DARK} ORDER BY position"
            ),
            "level": f"SELECT DISTINCT level FROM entry e WHERE level <> '' AND {LISTED} "
            "ORDER BY level",
            "tag": f"SELECT value FROM entry e, json_each(e.tags) WHERE {LISTED} "
            "GROUP BY value ORDER BY count(*) DESC, value",
            "verdict": "SELECT verdict FROM annotation WHERE verdict > '' GROUP BY verdict "
            "ORDER BY count(*) DESC",
        }
        return {field: self._db.column(each) for field, each in sql.items()}

    def counts(self) -> dict[str, int]:
        """Return the counts of stored data."""
        tables = ("entry", "document", "snippet", "annotation", "evidence", "source", "collection")
        value = self._db.value
        counts = {table: int(value(f"SELECT count(*) FROM {table}")) for table in tables}
        return counts | {
            "entry": int(value(f"SELECT count(*) FROM entry e WHERE {SHOWN}")),
            "annotation": int(value("SELECT count(*) FROM annotation WHERE verdict > ''")),
        }

    def last_changed(self) -> str | None:
        """Return the listed entry that was changed last, among the latest changes."""
        sql = (
            "SELECT e.id FROM (SELECT id, entry FROM journal ORDER BY id DESC LIMIT ?) j "
            f"CROSS JOIN entry e ON e.id = j.entry WHERE {LISTED} ORDER BY j.id DESC LIMIT 1"
        )
        found = self._db.row(sql, (_LATEST,))
        return None if found is None else str(found[0])

    def entries_called(self, name: str) -> list[str]:
        """Return the ids that end in a name's segments, or else the entries with this number."""
        end = f"/{name}"
        sql = f"SELECT id FROM entry e WHERE {SHOWN} AND substr(id, ?) = ? ORDER BY id"
        numbered = f"SELECT id FROM entry e WHERE {SHOWN} AND number = ? ORDER BY id"
        return self._db.column(sql, (-len(end), end)) or self._db.column(numbered, (name,))

    def entries_beginning(self, prefix: str, limit: int) -> list[str]:
        """Return some ids, or their last segments, that begin with the typed text."""
        sql = (
            f"SELECT id FROM entry e WHERE {SHOWN} AND instr('/' || id, ?) > 0 ORDER BY id LIMIT ?"
        )
        found = self._db.column(sql, (f"/{prefix}", limit))
        return [id[f"/{id}".index(f"/{prefix}") :] for id in found]

    def similar_names(self, name: str) -> list[str]:
        """Return ids of entries and programs that share a part with a name.

        A misspelt name usually has other parts that are right. Those with most shared parts come
        first, then those of similar length.
        """
        pieces = _pieces(name)
        if not pieces:
            return []
        shared = " + ".join(["(instr(id, ?) > 0)"] * len(pieces))
        sql = (
            f"SELECT id, {shared} AS shared"
            f" FROM (SELECT id FROM entry e WHERE {SHOWN} UNION SELECT id FROM snippet)"
            " WHERE shared > 0 ORDER BY shared DESC, abs(length(id) - ?) LIMIT ?"
        )
        return [r[0] for r in self._db.rows(sql, (*pieces, len(name), _SIMILAR))]


def _by_entry(rows: Sequence[Row], column: str) -> dict[str, dict[str, str]]:
    """Return the non-empty texts of a column by entry and language."""
    found: dict[str, dict[str, str]] = {}
    for row in rows:
        if row[column]:
            found.setdefault(row["id"], {})[row["lang"]] = row[column]
    return found


def _ids(refs: Sequence[Ref]) -> str:
    return json.dumps(list(dict.fromkeys(ref.entry for ref in refs)))


def _pieces(name: str) -> list[str]:
    """Return the parts of a name to search for, from its start.

    >>> _pieces("radius-mask"), _pieces("gpus"), _pieces("x")
    (['radi', 'us-m', 'ask'], ['gp', 'us'], ['x'])
    """
    length = _LONG_PIECE if len(name) >= 2 * _LONG_PIECE else 2
    end = min(len(name), length * _MOST_PIECES)
    found = [name[start : start + length] for start in range(0, end, length)]
    return [piece for piece in found if len(piece) > 1] or found


# Predicates as SQL over documents (``d``) and their entries (``e``); values are always bound.


SqlFragment = tuple[str, list[str]]
"""An SQL expression and its bound values."""

Matching = Callable[[Clause], Sequence[int]]
"""Returns the numbers of documents that match a clause, from the index."""

FIELDS = {
    "lang": "d.lang = ? COLLATE NOCASE",
    # Its name, or the beginning of it that ends at a slash.
    "collection": "instr(e.collection || '/', ? || '/') = 1",
    "level": "e.level = ? COLLATE NOCASE",
    "topic": "e.topic = ? COLLATE NOCASE",
    "kind": "e.kind = ? COLLATE NOCASE",
    "id": "e.id = ?",
    "tag": "EXISTS (SELECT 1 FROM json_each(e.tags) WHERE value = ? COLLATE NOCASE)",
    "verdict": "EXISTS (SELECT 1 FROM annotation a WHERE a.entry = e.id"
    " AND a.verdict = ? COLLATE NOCASE)",
}
"""The fields of predicates, each with its SQL test of one bound value."""


def to_sql(predicate: Predicate, matching: Matching) -> SqlFragment:
    """Return the predicate in SQL.

    >>> to_sql(Every((Has("level", "H"), Lacks(Matches(Clause(()))))), lambda clause: [7])[1]
    ['H', '[7]']
    """
    match predicate:
        case Matches(clause):
            documents = json.dumps(matching(clause))
            return "d.id IN (SELECT value FROM json_each(?))", [documents]
        case Has(field, value):
            return FIELDS[field], [value]
        case Named(ids):
            return "e.id IN (SELECT value FROM json_each(?))", [json.dumps(ids)]
        case Every(of):
            return _join(of, matching, " AND ", empty="1")
        case Some(of):
            return _join(of, matching, " OR ", empty="0")
        case Lacks(inner):
            sql, values = to_sql(inner, matching)
            if is_of_entries(inner):
                return f"({sql}) IS NOT TRUE", values
            joined = "" if isinstance(inner, Matches) else " JOIN entry e ON e.key = d.entry"
            return f"e.key NOT IN (SELECT d.entry FROM document d{joined} WHERE {sql})", values


def _join(of: tuple[Predicate, ...], matching: Matching, word: str, empty: str) -> SqlFragment:
    if not of:
        return empty, []
    parts = [to_sql(part, matching) for part in of]
    sql = word.join(f"({text})" for text, _ in parts)
    return sql, [value for _, values in parts for value in values]
