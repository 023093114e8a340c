"""Records as the JSON of the public contract (``schema_version`` 1)."""

from __future__ import annotations

import json
from typing import Any

from kb.records import (
    Annotation,
    Answer,
    Entry,
    Evidence,
    Hit,
    Snippet,
    Source,
    Target,
)


def dumps(value: object, indent: int | None = 2) -> str:
    """Write JSON as UTF-8 text in logical order; the same value gives the same bytes."""
    return json.dumps(value, ensure_ascii=False, indent=indent, allow_nan=False)


def entry_json(entry: Entry) -> dict[str, Any]:
    """Return an entry in the shape of ``kb show --json``, without its schema version."""
    return {
        "id": entry.id,
        "kind": entry.kind,
        "collection": entry.collection,
        "number": entry.number,
        "level": entry.level,
        "topic": entry.topic,
        "tags": list(entry.tags),
        "question": dict(entry.question),
        "origins": {lang: [s._asdict() for s in spans] for lang, spans in entry.origins.items()},
        "restored": {lang: True for lang, mended in entry.restored.items() if mended},
        "wording": dict(entry.wording),
        "answers": [_answer_json(answer) for answer in entry.answers],
        "snippets": [snippet_json(snippet) for snippet in entry.snippets],
        "annotations": [annotation_json(annotation) for annotation in entry.annotations],
        "related": list(entry.related),
    }


def snippet_json(snippet: Snippet) -> dict[str, Any]:
    """Return a snippet as it stands in an entry."""
    title = dict(snippet.title)
    shape = {"id": snippet.id, "title": title, "code": snippet.code, "main": snippet.main}
    return shape | ({"own": True} if snippet.own else {})


def annotation_json(annotation: Annotation) -> dict[str, Any]:
    """Return an annotation as it stands in an entry; a reader's is marked ``own``."""
    shape = {
        "id": annotation.id,
        "target": _target_json(annotation.target),
        "verdict": annotation.verdict,
        "severity": annotation.severity,
        "note": dict(annotation.note),
        "references": list(annotation.references),
        "evidence": [_evidence_json(evidence) for evidence in annotation.evidence],
        "status": annotation.status,
        "repeats": annotation.repeats or None,
    }
    return shape | ({"own": True} if annotation.own else {})


def _target_json(target: Target) -> dict[str, Any]:
    """Return a target; one without a file has what stood around its words."""
    shape = {
        "role": target.role,
        "lang": target.lang,
        "quote": target.quote,
        "start": target.start,
        "end": target.end,
        "file": target.file or None,
    }
    return shape if target.file else shape | {"prefix": target.prefix, "suffix": target.suffix}


def hit_json(hit: Hit) -> dict[str, Any]:
    """Return a hit; a listed one has no score, via and excerpt."""
    shape: dict[str, Any] = {
        "id": hit.id,
        "kind": hit.kind,
        "collection": hit.collection,
        "number": hit.number,
        "level": hit.level,
        "lang": hit.lang,
    }
    if hit.excerpt is not None:
        marks = [list(mark) for mark in hit.excerpt.marks]
        shape |= {"score": hit.score, "via": hit.via}
        shape |= {"excerpt": {"text": hit.excerpt.text, "marks": marks}}
    return shape | {
        "question": dict(hit.question),
        "verdicts": dict(hit.verdicts),
        "snippets": list(hit.snippets),
    }


def source_json(source: Source) -> dict[str, str]:
    """Return a source document with its text."""
    return {name: getattr(source, name) for name in Source._fields}


def _answer_json(answer: Answer) -> dict[str, Any]:
    origin = answer.origin._asdict() if answer.origin else None
    return {"role": answer.role, "lang": answer.lang, "text": answer.text, "origin": origin}


def _evidence_json(evidence: Evidence) -> dict[str, Any]:
    return {
        "snippet": evidence.snippet,
        "figure": evidence.figure,
        "claimed": evidence.claimed,
        "expected": evidence.expected,
        "tolerance": evidence.tolerance,
        "absolute": evidence.absolute,
        "accepted": {"quote": evidence.quote_hash, "snippet": evidence.snippet_hash},
    }
