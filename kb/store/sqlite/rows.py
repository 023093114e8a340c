"""Converts records to rows and back."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator, Mapping
from typing import Any, Literal, NamedTuple

from kb.errors import BadDatabase
from kb.model.documents import COLUMNS, Document, completed, searched_texts
from kb.model.entry import (
    FACTS,
    Anchor,
    Annotation,
    Answer,
    Assessment,
    Entry,
    Evidence,
    Media,
    NoteFile,
    Snippet,
    Span,
    Target,
)
from kb.model.json import canonical
from kb.model.values import LAYERS, TITLES
from kb.store.sqlite.driver import SALVAGE, Row

TEXTS = ", ".join((*(f"d.{name}" for name in (*COLUMNS, *LAYERS)), "e.aliases", "e.context"))
"""The searchable text columns of documents ``d`` of entries ``e``: see `texts_of`."""

_SELDOM = ("media", "aliases", "file", "assessment", "prompts")
"""The fields of an entry that are stored as JSON because few entries have them."""

READER = "reader"
"""The owner of a reader's additions."""


def kept(value: object) -> str:
    """Return a value as `canonical` does, but with keys in their current order."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def decoded(text: str) -> Any:
    """Return the value that `canonical` wrote. Raises `BadDatabase` for any other text."""
    try:
        return json.loads(text)
    except (ValueError, TypeError, RecursionError) as error:
        raise BadDatabase("a stored record is damaged ({error})", SALVAGE, error=error) from error


def title_of(collection: str, stored: str = "{}") -> dict[str, str]:
    """Return the stored title of a collection by language, or its default."""
    return decoded(stored) or TITLES.get(collection, {})


def entry_values(entry: Entry, owner: str, position: int) -> dict[str, Any]:
    """Return the row of an entry."""
    return {
        "id": entry.id,
        "kind": entry.kind,
        "collection": entry.collection,
        **{name: getattr(entry, name) for name in FACTS},
        "tags": canonical(entry.tags),
        "related": canonical(entry.related),
        **{name: canonical(found) if (found := getattr(entry, name)) else None for name in _SELDOM},
        "position": position,
        "owner": owner,
        "digest": bytes.fromhex(entry.digest),
    }


def document_values(entry: Entry, key: int) -> Iterator[dict[str, Any]]:
    """Yield the rows of an entry's languages: displayed and searchable texts."""
    for lang in entry.languages:
        source, reference = entry.answer(lang, "source"), entry.answer(lang, "reference")
        yield {
            "entry": key,
            "lang": lang,
            **searched_texts(entry, lang),
            "origins": canonical(entry.origins.get(lang, ())),
            "restored": int(entry.restored.get(lang, False)),
            "source_origin": _origin(source),
            "reference_origin": _origin(reference),
            "source_checked": _checked(source),
            "reference_checked": _checked(reference),
        }


def _origin(answer: Answer | None) -> str | None:
    return None if answer is None or answer.origin is None else canonical(answer.origin)


def _checked(answer: Answer | None) -> str | None:
    return None if answer is None or not answer.checked else f"{answer.checked} {answer.until}"


def texts_of(row: Row) -> Mapping[str, str | None]:
    """Return the searchable texts of a document by column."""
    return completed(row, decoded(row["aliases"] or "[]"), row["context"])


def read_document(row: Row) -> Document:
    """Return a document from its row, with its entry's fields."""
    given = {name: row[name] for name in ("lang", "collection", "level", "topic", "kind")}
    known = {name: (value,) if value else () for name, value in given.items()}
    lists = {"tag": tuple(decoded(row["tags"])), "verdict": tuple(decoded(row["verdicts"]))}
    return Document(
        row["id"],
        row["entry"],
        row["lang"],
        texts_of(row),
        {**known, **lists, "id": (row["entry"],)},
    )


def snippet_values(snippet: Snippet, owner: str) -> dict[str, Any]:
    """Return the row of a snippet."""
    title = canonical(dict(snippet.title))
    return {"id": snippet.id, "owner": owner, "title": title, "code": snippet.code}


def status_values(annotation: str, status: str, figures: Mapping[str, float]) -> dict[str, Any]:
    """Return the row of an evidence result."""
    return {"annotation": annotation, "status": status, "figures": canonical(dict(figures))}


def annotation_values(entry: str, position: int, owner: str, note: Annotation) -> dict[str, Any]:
    """Return the row of an annotation, without its evidence."""
    return {
        "id": note.id,
        "entry": entry,
        "position": position,
        "owner": owner,
        **note.target._asdict(),
        "verdict": note.verdict,
        "severity": note.severity,
        "note": canonical(dict(note.note)),
        "refs": canonical(note.references),
        "repeats": note.repeats,
        "anchors": canonical(dict(note.anchors)) if note.anchors else None,
        "checked": note.checked or None,
        "until": note.until or None,
    }


def evidence_values(annotation: str, position: int, evidence: Evidence) -> dict[str, Any]:
    """Return the row of one figure."""
    return {
        "annotation": annotation,
        "position": position,
        **dataclasses.asdict(evidence),
        "absolute": int(evidence.absolute),
    }


def read_entry(
    row: Row, documents: list[Row], snippets: list[Snippet], annotations: list[Annotation]
) -> Entry:
    """Return the record of an entry from its rows."""
    spans = {d["lang"]: tuple(Span(*span) for span in decoded(d["origins"])) for d in documents}
    layers: Any = {name: {d["lang"]: d[name] for d in documents if d[name]} for name in LAYERS}
    entry = Entry(
        id=row["id"],
        kind=row["kind"],
        collection=row["collection"],
        question={d["lang"]: d["question"] for d in documents if d["question"]},
        **{name: row[name] for name in FACTS},
        tags=tuple(decoded(row["tags"])),
        origins={lang: found for lang, found in spans.items() if found},
        restored={d["lang"]: True for d in documents if d["restored"]},
        wording={d["lang"]: d["wording"] for d in documents if d["wording"]},
        **layers,
        assessment=Assessment(*decoded(row["assessment"])) if row["assessment"] else None,
        answers=tuple(answer for d in documents for answer in _answers(d)),
        snippets=tuple(snippets),
        related=tuple(decoded(row["related"])),
        media=tuple(Media(*each) for each in decoded(row["media"] or "[]")),
        aliases=tuple(decoded(row["aliases"] or "[]")),
        file=NoteFile(*decoded(row["file"])) if row["file"] else None,
        prompts=tuple(map(tuple, decoded(row["prompts"] or "[]"))),
    )
    return entry.with_claims(annotations) if annotations else entry


def read_snippet(row: Row, main: bool = False) -> Snippet:
    """Return the record of a snippet."""
    return Snippet(row["id"], decoded(row["title"]), row["code"], main, row["owner"] == READER)


def read_annotation(row: Row, evidence: tuple[Evidence, ...], status: str) -> Annotation:
    """Return the record of an annotation."""
    placed = {name: row[name] for name in Target._fields if row[name] is not None}
    return Annotation(
        id=row["id"],
        target=Target(**placed),
        verdict=row["verdict"],
        severity=row["severity"],
        note=decoded(row["note"]),
        references=tuple(decoded(row["refs"])),
        evidence=evidence,
        status=status,
        repeats=row["repeats"] or "",
        own=row["owner"] == READER,
        anchors={lang: Anchor(*each) for lang, each in decoded(row["anchors"] or "{}").items()},
        checked=row["checked"] or "",
        until=row["until"] or "",
    )


def read_evidence(row: Row) -> Evidence:
    """Return the record of one figure."""
    values = {field.name: row[field.name] for field in dataclasses.fields(Evidence)}
    return Evidence(**{**values, "absolute": bool(row["absolute"]), "basis": row["basis"] or ""})


def _answers(document: Row) -> Iterator[Answer]:
    for role in ("source", "reference"):
        if document[role] is not None:
            origin = decoded(document[f"{role}_origin"] or "null")
            span = Span(*origin) if origin else None
            checked, _, until = (document[f"{role}_checked"] or "").partition(" ")
            yield Answer(role, document["lang"], document[role], span, checked, until)


# What the store tells of what it keeps, apart from entries themselves.


Owner = Literal["bundled", "user"]
"""The owner of an entry: it follows the bundled content, or a reader's files."""

Texts = Mapping[str, str | None]
"""The searchable texts of a document by column."""


class Ref(NamedTuple):
    """A document by its entry and its language."""

    entry: str
    lang: str


class EntryState(NamedTuple):
    """The state of a stored entry, without its content."""

    owner: Owner
    digest: str
    collection: str
    position: int
    layer: int
    hidden: bool
    shown: bool


# Which entries are there for a reader, in SQL over entries ``e``.
#
# What an import has not finished, or what was undone, lies in a layer that is not shown:
# one row then shows or hides however many entries.


ASKED = "json_each(?) AS asked JOIN"
"""Joins what is asked for, as JSON, with a table."""

DARK = "(SELECT id FROM layer WHERE shown = 0)"
"""The hidden layers."""

SHOWN = f"e.layer NOT IN {DARK}"
"""The entry is not in a hidden layer."""

LISTED = f"{SHOWN} AND e.hidden = 0"
"""The entry is visible and not hidden by the reader."""
