"""Records to the values of rows, and rows back to records. No SQL here, and no decisions."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Mapping
from typing import Any

from kb.records import Annotation, Answer, Entry, Evidence, Snippet, Source, Span, Target, digest

Row = Mapping[str, Any]

READER = "reader"
"""The owner of what a reader added to entries."""


def to_json(value: object) -> str:
    """Write a value as compact JSON in logical text order."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


def entry_digest(entry: Entry) -> str:
    """Return what changes when anything in an entry does.

    What was measured of it and what a reader added to it are no part of it.
    """
    given = entry.given
    unmeasured = tuple(dataclasses.replace(each, status="") for each in given.annotations)
    plain = dataclasses.replace(given, annotations=unmeasured)
    return digest(to_json(dataclasses.asdict(plain)))


def entry_values(entry: Entry, owner: str, position: int) -> dict[str, Any]:
    """Return the row of an entry."""
    return {
        "id": entry.id,
        "kind": entry.kind,
        "collection": entry.collection,
        "number": entry.number,
        "level": entry.level,
        "topic": entry.topic,
        "tags": to_json(entry.tags),
        "related": to_json(entry.related),
        "position": position,
        "owner": owner,
        "digest": entry_digest(entry),
    }


def document_values(entry: Entry) -> Iterable[dict[str, Any]]:
    """Yield the row of each language of an entry: what is read, and what is searched."""
    for place, lang in enumerate(entry.languages):
        source, reference = entry.answer(lang, "source"), entry.answer(lang, "reference")
        yield {
            "entry": entry.id,
            "lang": lang,
            "question": entry.question.get(lang, ""),
            "wording": entry.wording.get(lang),
            "source": source.text if source else None,
            "reference": reference.text if reference else None,
            "notes": _notes(entry, lang),
            # Code has no language: it is found through the entry's first one.
            "code": "\n\n".join(s.code for s in entry.snippets) if not place else None,
            "keywords": _keywords(entry, lang),
            "origins": to_json(entry.origins.get(lang, ())),
            "restored": int(entry.restored.get(lang, False)),
            "source_origin": to_json(source.origin) if source else None,
            "reference_origin": to_json(reference.origin) if reference else None,
        }


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
        "note": to_json(dict(note.note)),
        "refs": to_json(note.references),
        "repeats": note.repeats,
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
    spans = {d["lang"]: tuple(Span(*span) for span in json.loads(d["origins"])) for d in documents}
    return Entry(
        id=row["id"],
        kind=row["kind"],
        collection=row["collection"],
        question={d["lang"]: d["question"] for d in documents if d["question"]},
        number=row["number"],
        level=row["level"],
        topic=row["topic"],
        tags=tuple(json.loads(row["tags"])),
        origins={lang: found for lang, found in spans.items() if found},
        restored={d["lang"]: True for d in documents if d["restored"]},
        wording={d["lang"]: d["wording"] for d in documents if d["wording"]},
        answers=tuple(answer for d in documents for answer in _answers(d)),
        snippets=tuple(snippets),
        annotations=tuple(annotations),
        related=tuple(json.loads(row["related"])),
    )


def read_snippet(row: Row, main: bool = False) -> Snippet:
    """Return the record of a snippet."""
    return Snippet(row["id"], json.loads(row["title"]), row["code"], main, row["owner"] == READER)


def read_source(row: Row) -> Source:
    """Return the record of a source document."""
    return Source(**{name: row[name] for name in Source._fields})


def read_annotation(row: Row, evidence: tuple[Evidence, ...], status: str) -> Annotation:
    """Return the record of an annotation."""
    placed = {name: row[name] for name in Target._fields if row[name] is not None}
    target = Target(**placed)
    return Annotation(
        id=row["id"],
        target=target,
        verdict=row["verdict"],
        severity=row["severity"],
        note=json.loads(row["note"]),
        references=tuple(json.loads(row["refs"])),
        evidence=evidence,
        status=status,
        repeats=row["repeats"] or "",
        own=row["owner"] == READER,
    )


def read_evidence(row: Row) -> Evidence:
    """Return the record of one figure."""
    values = {field.name: row[field.name] for field in dataclasses.fields(Evidence)}
    return Evidence(**{**values, "absolute": bool(row["absolute"])})


def _answers(document: Row) -> Iterable[Answer]:
    for role in ("source", "reference"):
        if document[role] is not None:
            origin = json.loads(document[f"{role}_origin"] or "null")
            span = Span(*origin) if origin else None
            yield Answer(role, document["lang"], document[role], span)


def _notes(entry: Entry, lang: str) -> str | None:
    first = entry.languages[0]
    notes = [
        note
        for annotation in entry.annotations
        if not annotation.repeats
        for spoken, note in annotation.note.items()
        # A reader may write in a language that the entry has no text in.
        if lang == spoken or (lang == first and annotation.own and spoken not in entry.languages)
    ]
    return "\n\n".join(notes) or None


def _keywords(entry: Entry, lang: str) -> str | None:
    titles = [title for s in entry.snippets if (title := s.title.get(lang))]
    return "\n".join([*entry.tags, *([entry.topic] if entry.topic else []), *titles]) or None
