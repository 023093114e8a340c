"""Questions, cards and notes: one TOML file each, checked against their sources."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from kb.content.sources import cut, read_span
from kb.content.tables import Table, read_table
from kb.errors import nearest
from kb.model import Annotation, Answer, Entry, Evidence, Snippet, Source, Span, Target
from kb.vocabulary import KINDS, LEVELS, ROLES, SEVERITIES, TARGET_ROLES, VERDICTS

_ENTRY = ("id", "kind", "number", "level", "topic", "tags", "related", "snippets", "question",
          "answer", "annotation")  # fmt: skip
_QUESTION = ("text", "restored", "origins", "wording")
_ANSWER = ("role", "lang", "text", "origin")
_ANNOTATION = ("id", "role", "lang", "file", "start", "end", "quote", "verdict", "severity",
               "note", "references", "evidence", "repeats")  # fmt: skip
_EVIDENCE = ("snippet", "figure", "claimed", "expected", "tolerance", "absolute")


@dataclass(frozen=True, slots=True)
class Shelf:
    """What the entries of a folder may speak of.

    ``accepted`` has, by annotation, the digests a person last looked at: of the quote
    under ``quote``, and of each snippet under its name.
    """

    sources: dict[str, Source]
    snippets: dict[str, Snippet]
    accepted: Mapping[str, Mapping[str, str]]


def read_entry(file: Path, collection: str, shelf: Shelf) -> Entry:
    """Read one entry; every mistake is a `BadData` that names file, line and key."""
    table = read_table(file)
    table.only(*_ENTRY)
    questions = table.table("question")
    origins = {lang: _origins(questions.table(lang), shelf) for lang in questions}
    texts = {lang: _question(questions.table(lang), origins[lang], shelf) for lang in questions}
    restored = {lang: True for lang in questions if "restored" in questions.table(lang)}
    wording = {
        lang: questions.table(lang).get("wording", str)
        for lang in questions
        if "wording" in questions.table(lang)
    }
    answers = tuple(_answer(row, shelf) for row in table.tables("answer"))
    return Entry(
        id=table.get("id", str),
        kind=table.choice("kind", KINDS),
        collection=collection,
        question=texts,
        number=table.get("number", str) if "number" in table else None,
        level=table.choice("level", LEVELS) if "level" in table else None,
        topic=table.get("topic", str),
        tags=table.words("tags"),
        origins=origins,
        restored=restored,
        wording=wording,
        answers=answers,
        snippets=_snippets(table, shelf),
        annotations=_annotations(table, (origins, answers), shelf),
        related=table.words("related"),
    )


def _origins(question: Table, shelf: Shelf) -> tuple[Span, ...]:
    question.only(*_QUESTION)
    return tuple(read_span(place, shelf.sources) for place in question.tables("origins"))


def _question(question: Table, origins: tuple[Span, ...], shelf: Shelf) -> str:
    """Return the text shown: the first origin's words, or what restores them."""
    if "text" in question:
        if origins and not question.get("restored", bool, False):
            raise question.error("text", "stands beside the source's words", "Say restored = true.")
        return question.get("text", str)
    if not origins:
        raise question.error("", "needs a text or an origin in a source document")
    return cut(origins[0], shelf.sources)


def _answer(row: Table, shelf: Shelf) -> Answer:
    row.only(*_ANSWER)
    role, lang = row.choice("role", ROLES), row.get("lang", str)
    if ("text" in row) == ("origin" in row):
        raise row.error("", "an answer has either a text of its own or an origin")
    if "text" in row:
        return Answer(role, lang, row.get("text", str))
    origin = read_span(row.table("origin"), shelf.sources)
    return Answer(role, lang, cut(origin, shelf.sources), origin)


def _snippets(table: Table, shelf: Shelf) -> tuple[Snippet, ...]:
    found = []
    for place, name in enumerate(table.words("snippets")):
        if name not in shelf.snippets:
            raise table.error("snippets", f"no snippet '{name}'", nearest(name, shelf.snippets))
        known = shelf.snippets[name]
        found.append(Snippet(known.id, known.title, known.code, main=place == 0))
    return tuple(found)


_Places = tuple[dict[str, tuple[Span, ...]], tuple[Answer, ...]]


def _annotations(table: Table, places: _Places, shelf: Shelf) -> tuple[Annotation, ...]:
    rows: dict[str, Table] = {}
    for row in table.tables("annotation"):
        row.only(*_ANNOTATION)
        name = row.get("id", str)
        if name in rows:
            raise row.error("id", f"'{name}' stands twice")
        rows[name] = row
    targets = {name: _target(row, places, shelf) for name, row in rows.items()}
    first = {
        name: _annotation(row, name, targets[name], shelf)
        for name, row in rows.items()
        if "repeats" not in row
    }
    return tuple(
        first.get(name) or _repeated(row, name, targets[name], first) for name, row in rows.items()
    )


def _annotation(row: Table, name: str, target: Target, shelf: Shelf) -> Annotation:
    accepted = shelf.accepted.get(name, {})
    note = row.texts("note")
    for lang in ("en", "fa"):
        if lang not in note:
            raise row.error("note", f"is missing in '{lang}'")
    return Annotation(
        id=name,
        target=target,
        verdict=row.choice("verdict", VERDICTS),
        severity=row.choice("severity", SEVERITIES),
        note=note,
        references=row.words("references"),
        evidence=tuple(_evidence(item, shelf, accepted) for item in row.tables("evidence")),
    )


def _repeated(row: Table, name: str, target: Target, known: Mapping[str, Annotation]) -> Annotation:
    """Return an annotation that says of another span what was said before."""
    for key in ("verdict", "severity", "note", "evidence", "references"):
        if key in row:
            raise row.error(key, "stands with the annotation that is repeated")
    first = row.choice("repeats", known)
    said = known[first]
    return Annotation(
        id=name,
        target=target,
        verdict=said.verdict,
        severity=said.severity,
        note=said.note,
        references=said.references,
        repeats=first,
    )


def _target(row: Table, places: _Places, shelf: Shelf) -> Target:
    """Return what an annotation speaks of: its quote must stand at its span, within its text."""
    role, lang = row.choice("role", TARGET_ROLES), row.get("lang", str)
    span, quote = read_span(row, shelf.sources), row.get("quote", str)
    found = cut(span, shelf.sources)
    if found != quote:
        at = shelf.sources[span.file].text.find(quote)
        hint = f"It stands at {at} to {at + len(quote)}." if at >= 0 else ""
        raise row.error("quote", f"does not stand at {span.start} to {span.end}", hint)
    origins, answers = places
    whole = origins.get(lang, ()) if role == "question" else _answer_spans(answers, lang)
    if not any(o.file == span.file and o.start <= span.start <= span.end <= o.end for o in whole):
        raise row.error("start", f"the span is not within the entry's {role} in '{lang}'")
    return Target(role, lang, quote, span.start, span.end, span.file)


def _answer_spans(answers: tuple[Answer, ...], lang: str) -> tuple[Span, ...]:
    return tuple(a.origin for a in answers if a.lang == lang and a.origin is not None)


def _evidence(row: Table, shelf: Shelf, accepted: Mapping[str, str]) -> Evidence:
    row.only(*_EVIDENCE)
    snippet = row.choice("snippet", shelf.snippets)
    return Evidence(
        snippet=snippet,
        figure=row.get("figure", str),
        expected=row.get("expected", float),
        claimed=row.get("claimed", float) if "claimed" in row else None,
        tolerance=row.get("tolerance", float, 0.0),
        absolute=row.get("absolute", bool, False),
        quote_hash=accepted.get("quote", ""),
        snippet_hash=accepted.get(snippet, ""),
    )
