"""Annotations of an entry's texts: each on its exact span, with what is true and the proof."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping
from typing import NamedTuple

from kb.content.anchors import read_anchors
from kb.content.context import Context, language_of
from kb.content.days import read_days
from kb.content.sources import cut, read_span
from kb.content.tables import Table
from kb.errors import BadData, Message, nearest
from kb.records import Annotation, Answer, Evidence, Span, Target, digest
from kb.records.clauses import BASES, SEVERITIES, TARGET_ROLES, VERDICTS

_KEYS = ("id", "role", "lang", "file", "start", "end", "quote", "anchors", "verdict", "severity",
         "note", "references", "evidence", "repeats", "checked", "until")  # fmt: skip
_EVIDENCE = ("snippet", "figure", "claimed", "expected", "tolerance", "absolute", "basis")
_NOTE_LANGUAGES = ("en", "fa")
# "Incomplete" and "outdated" grant that the words are or were right, "wrong" denies it.
_OPPOSITES = ({"wrong", "incomplete"}, {"wrong", "outdated"}, {"wrong", "typo"})
# A year, or a place to look the thing up, makes a reference one that can be found.
_FINDABLE = re.compile(r"\b(1[89]|20)\d\d\b|https?://|documentation|Reference", re.IGNORECASE)

# The name before the colon of an f-string, ``error_{name}: {error:.3g}``.
_PRINTED = re.compile(r"f\"([A-Za-z_{][^\":\n]*): \{")
_FIELD = re.compile(r"\{[^}]*\}")


class Places(NamedTuple):
    """An entry's question by language, where it stands in the sources, and its answers."""

    questions: Mapping[str, str]
    origins: Mapping[str, tuple[Span, ...]]
    answers: tuple[Answer, ...]

    def texts(self, role: str) -> dict[str, str]:
        """Return the entry's texts of a role by language."""
        if role == "question":
            return dict(self.questions)
        return {answer.lang: answer.text for answer in self.answers if answer.role == role}


def read_annotations(table: Table, places: Places, context: Context) -> tuple[Annotation, ...]:
    """Read the annotations of an entry, in their order; a mistaken one is left out."""
    rows: dict[str, Table] = {}
    for row in table.tables("annotation"):
        with context.mistakes.noted():
            row.only(*_KEYS)
            name = row.get("id", str)
            if name in rows:
                raise row.error("id", "'{name}' stands twice", name=name)
            rows[name] = row
    read: dict[str, Annotation] = {}
    for name, row in rows.items():
        if "repeats" not in row:
            with context.mistakes.noted():
                read[name] = _annotation(row, name, places, context)
    for name, row in rows.items():
        if "repeats" in row:
            with context.mistakes.noted():
                read[name] = _repeated(row, name, places, read, context)
    kept = [(rows[name], read[name]) for name in rows if name in read]
    for (_, one), (row, other) in itertools.combinations(kept, 2):
        with context.mistakes.noted():
            _check_pair(row, one, other)
    return tuple(annotation for _, annotation in kept)


def _annotation(row: Table, name: str, places: Places, context: Context) -> Annotation:
    target = _target(row, places, context)
    annotation = Annotation(
        id=name,
        target=target,
        verdict=row.choice("verdict", VERDICTS),
        severity=row.choice("severity", SEVERITIES),
        note=_note(row, context),
        references=row.words("references"),
        evidence=tuple(_evidence(item, name, row, context) for item in row.tables("evidence")),
        anchors=read_anchors(row, target, places.texts(target.role), context),
        **read_days(row, context),
    )
    _advise(row, annotation, context)
    return annotation


def _note(row: Table, context: Context) -> dict[str, str]:
    note = row.texts("note")
    for lang in _NOTE_LANGUAGES:
        if lang not in note:
            raise row.error(
                "note",
                "is missing in '{lang}'",
                Message("Write note.{lang} = … here.", lang=lang),
                lang=lang,
            )
    return {lang: context.written(row, "note", text, lang) for lang, text in note.items()}


def _advise(row: Table, annotation: Annotation, context: Context) -> None:
    """Tell what makes a claim hard to believe; one of little weight may speak for itself."""
    of_fact = annotation.verdict in ("wrong", "misleading", "incomplete", "outdated")
    if (
        of_fact
        and annotation.severity != "low"
        and not annotation.evidence
        and not annotation.references
    ):
        context.advise(row, "id", "'{id}' has neither evidence nor a reference", id=annotation.id)
    for reference in annotation.references:
        if not _FINDABLE.search(reference):
            hint = Message("Write author, title, year and section, or an address.")
            context.advise(
                row, "references", "'{reference}' cannot be looked up", hint, reference=reference
            )


def _repeated(
    row: Table, name: str, places: Places, known: Mapping[str, Annotation], context: Context
) -> Annotation:
    """Return an annotation that says of another span what was said before."""
    for key in ("verdict", "severity", "note", "evidence", "references", "checked", "until"):
        if key in row:
            raise row.error(key, "stands with the annotation that is repeated")
    said = known[row.choice("repeats", [k for k, a in known.items() if not a.repeats])]
    target = _target(row, places, context)
    return Annotation(
        id=name,
        target=target,
        verdict=said.verdict,
        severity=said.severity,
        note=said.note,
        references=said.references,
        repeats=said.id,
        anchors=read_anchors(row, target, places.texts(target.role), context),
        checked=said.checked,
        until=said.until,
    )


def _target(row: Table, places: Places, context: Context) -> Target:
    """Return what an annotation speaks of: its quote must stand at its span, within its text."""
    role, lang = row.choice("role", TARGET_ROLES), language_of(row)
    span, quote = read_span(row, context.sources), row.get("quote", str)
    if cut(span, context.sources) != quote:
        text = context.sources[span.file].text
        found = [match.start() for match in re.finditer(re.escape(quote), text)]
        stands = " and ".join(f"{at} to {at + len(quote)}" for at in found[:3])
        hint = (
            Message("It stands at {stands}.", stands=stands)
            if found
            else Message("It stands nowhere in that document.")
        )
        raise row.error(
            "quote", "does not stand at {start} to {end}", hint, start=span.start, end=span.end
        )
    own = places.origins.get(lang, ())
    whole = own if role == "question" else _answer_spans(places.answers, lang)
    if not any(o.file == span.file and o.start <= span.start <= span.end <= o.end for o in whole):
        raise row.error(
            "start", "the span is not within the entry's {role} in '{lang}'", role=role, lang=lang
        )
    return Target(role, lang, quote, span.start, span.end, span.file)


def _answer_spans(answers: tuple[Answer, ...], lang: str) -> tuple[Span, ...]:
    return tuple(a.origin for a in answers if a.lang == lang and a.origin is not None)


def _evidence(row: Table, annotation: str, above: Table, context: Context) -> Evidence:
    row.only(*_EVIDENCE)
    snippet, figure = row.choice("snippet", context.snippets), row.get("figure", str)
    printed = _PRINTED.findall(context.snippets[snippet].code)
    if not any(_template(name).fullmatch(figure) for name in printed):
        hint = nearest(figure, printed) or Message(
            "It prints: {printed}.", printed=", ".join(printed)
        )
        context.advise(
            row,
            "figure",
            "'{figure}' is not printed by {snippet}",
            hint,
            figure=figure,
            snippet=snippet,
        )
    tolerance = row.get("tolerance", float, 0.0)
    if tolerance < 0:
        raise row.error("tolerance", "must not be below zero")
    if "basis" not in row:
        hint = Message("Write basis = … here: {bases}.", bases=", ".join(BASES))
        context.advise(row, "figure", "'{figure}' does not say what it is", hint, figure=figure)
    accepted = _looked_at(annotation, snippet, above.get("quote", str), context)
    return Evidence(
        snippet=snippet,
        figure=figure,
        expected=row.get("expected", float),
        claimed=row.get("claimed", float) if "claimed" in row else None,
        tolerance=tolerance,
        absolute=row.get("absolute", bool, False),
        basis=row.choice("basis", BASES) if "basis" in row else "",
        quote_hash=accepted[0],
        snippet_hash=accepted[1],
    )


def _template(name: str) -> re.Pattern[str]:
    """Return what matches every name that an f-string can print."""
    return re.compile(r"\w+".join(map(re.escape, _FIELD.split(name))))


def _looked_at(annotation: str, snippet: str, quote: str, context: Context) -> tuple[str, str]:
    """Return the digests of quote and snippet that a person last looked at."""
    if context.accepted is None:
        return digest(quote), context.snippets[snippet].digest
    record = context.accepted.get(annotation, {})
    return record.get("quote", ""), record.get(snippet, "")


def _check_pair(row: Table, one: Annotation, other: Annotation) -> None:
    """Refuse two annotations on one span that contradict each other."""
    a, b = one.target, other.target
    if (a.file, a.start, a.end) != (b.file, b.start, b.end):
        return
    if one.verdict == other.verdict or {one.verdict, other.verdict} in _OPPOSITES:
        error: BadData = row.error(
            "verdict",
            "'{verdict}' stands on the very words of '{id}', which says '{said}'",
            "Say both in one annotation, or of different words.",
            verdict=other.verdict,
            id=one.id,
            said=one.verdict,
        )
        raise error
