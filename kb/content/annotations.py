"""Annotations of an entry's texts: exact span, verdict, note and evidence."""

from __future__ import annotations

import hashlib
import itertools
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from kb import limits
from kb.content.context import Context, language_of, read_days
from kb.content.tables import Table, read_table
from kb.errors import KbError, Message, nearest
from kb.foreign import is_below, read_bytes
from kb.model.entry import Anchor, Annotation, Entry, Evidence, Source, Span, Target, digest
from kb.model.values import BASES, SEVERITIES, TARGET_ROLES, VERDICTS

_KEYS = ("id", "role", "lang", "file", "start", "end", "quote", "anchors", "verdict", "severity",
         "note", "references", "evidence", "repeats", "checked", "until")  # fmt: skip
_EVIDENCE = ("snippet", "figure", "claimed", "expected", "tolerance", "absolute", "basis")
_NOTE_LANGUAGES = ("en", "fa")
# "Incomplete" and "outdated" grant that the words are or were right, "wrong" denies it.
_OPPOSITES = ({"wrong", "incomplete"}, {"wrong", "outdated"}, {"wrong", "typo"})

# The name before the colon of an f-string, ``error_{name}: {error:.3g}``.
_PRINTED = re.compile(r"f\"([A-Za-z_{][^\":\n]*): \{")
_FIELD = re.compile(r"\{[^}]*\}")


def read_annotations(table: Table, entry: Entry, context: Context) -> tuple[Annotation, ...]:
    """Read the annotations of an entry with these texts in order; invalid ones are left out."""
    rows: dict[str, Table] = {}
    for row in table.tables("annotation"):
        with context.mistakes.noted():
            row.only(*_KEYS)
            name = row.get("id", str)
            if name in rows:
                raise row.error("id", "'{name}' is given twice", name=name)
            rows[name] = row
    read: dict[str, Annotation] = {}
    for name, row in rows.items():
        if "repeats" not in row:
            with context.mistakes.noted():
                read[name] = _annotation(row, name, entry, context)
    for name, row in rows.items():
        if "repeats" in row:
            with context.mistakes.noted():
                read[name] = _repeated(row, name, entry, read, context)
    kept = [(rows[name], read[name]) for name in rows if name in read]
    for (_, one), (row, other) in itertools.combinations(kept, 2):
        with context.mistakes.noted():
            _check_pair(row, one, other)
    return tuple(annotation for _, annotation in kept)


def _annotation(row: Table, name: str, entry: Entry, context: Context) -> Annotation:
    target = _target(row, entry, context)
    annotation = Annotation(
        id=name,
        target=target,
        verdict=row.choice("verdict", VERDICTS),
        severity=row.choice("severity", SEVERITIES),
        note=_note(row, context),
        references=row.words("references"),
        evidence=read_evidence(row, name, target.quote, context),
        anchors=read_anchors(row, target, entry, context),
        **read_days(row, context),
    )
    of_fact = annotation.verdict in ("wrong", "misleading", "incomplete", "outdated")
    supported = annotation.evidence or annotation.references
    if of_fact and annotation.severity != "low" and not supported:
        context.advise(row, "id", "'{id}' has neither evidence nor a reference", id=name)
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
    return context.texts(row, "note")


def _repeated(
    row: Table, name: str, entry: Entry, known: Mapping[str, Annotation], context: Context
) -> Annotation:
    """Return an annotation that repeats an earlier one on another span."""
    for key in ("verdict", "severity", "note", "evidence", "references", "checked", "until"):
        if key in row:
            raise row.error(key, "is shown with the annotation that is repeated")
    said = known[row.choice("repeats", [k for k, a in known.items() if not a.repeats])]
    target = _target(row, entry, context)
    anchors = read_anchors(row, target, entry, context)
    return replace(said, id=name, target=target, repeats=said.id, evidence=(), anchors=anchors)


def _target(row: Table, entry: Entry, context: Context) -> Target:
    """Return the target of an annotation: its quote must be at its span, within the text."""
    role, lang = row.choice("role", TARGET_ROLES), language_of(row)
    span, quote = read_span(row, context.sources), row.get("quote", str)
    if cut(span, context.sources) != quote:
        text = context.sources[span.file].text
        found = [match.start() for match in re.finditer(re.escape(quote), text)]
        stands = " and ".join(f"{at} to {at + len(quote)}" for at in found[:3])
        hint = (
            Message("It is at {stands}.", stands=stands)
            if found
            else Message("It is nowhere in that document.")
        )
        raise row.error("quote", "is not at {start} to {end}", hint, start=span.start, end=span.end)
    own = entry.origins.get(lang, ())
    answered = tuple(a.origin for a in entry.answers if a.lang == lang and a.origin is not None)
    whole = own if role == "question" else answered
    if not any(o.file == span.file and o.start <= span.start <= span.end <= o.end for o in whole):
        raise row.error(
            "start", "the span is outside the entry's {role} in '{lang}'", role=role, lang=lang
        )
    return Target(role, lang, quote, span.start, span.end, span.file)


def read_evidence(row: Table, claim: str, quote: str, context: Context) -> tuple[Evidence, ...]:
    """Return the evidence of a claim about a ``quote``, by the claim's id."""
    return tuple(_evidence(item, claim, quote, context) for item in row.tables("evidence"))


def _evidence(row: Table, claim: str, quote: str, context: Context) -> Evidence:
    row.only(*_EVIDENCE)
    snippet, figure = row.choice("snippet", context.snippets), row.get("figure", str)
    printed = _PRINTED.findall(context.snippets[snippet].code)
    # What matches every name that an f-string can print.
    patterns = (r"\w+".join(map(re.escape, _FIELD.split(name))) for name in printed)
    if not any(re.fullmatch(pattern, figure) for pattern in patterns):
        names = ", ".join(printed)
        hint = nearest(figure, printed) or Message("It prints: {printed}.", printed=names)
        told = {"figure": figure, "snippet": snippet}
        context.advise(row, "figure", "'{figure}' is not printed by {snippet}", hint, **told)
    tolerance = row.get("tolerance", float, 0.0)
    if tolerance < 0:
        raise row.error("tolerance", "must not be below zero")
    if "basis" not in row:
        hint = Message("Write basis = … here: {bases}.", bases=", ".join(BASES))
        context.advise(row, "figure", "'{figure}' has no basis", hint, figure=figure)
    accepted = _looked_at(claim, snippet, quote, context)
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


def _looked_at(claim: str, snippet: str, quote: str, context: Context) -> tuple[str, str]:
    """Return the digests of quote and program that a person last reviewed."""
    if context.accepted is None:
        return digest(quote), context.snippets[snippet].digest
    record = context.accepted.get(claim, {})
    return record.get("quote", ""), record.get(snippet, "")


def _check_pair(row: Table, one: Annotation, other: Annotation) -> None:
    """Reject two contradicting annotations on one span."""
    a, b = one.target, other.target
    if (a.file, a.start, a.end) != (b.file, b.start, b.end):
        return
    if one.verdict == other.verdict or {one.verdict, other.verdict} in _OPPOSITES:
        raise row.error(
            "verdict",
            "'{verdict}' marks the same words as '{id}', which says '{said}'",
            "Use one annotation for both, or mark different words.",
            verdict=other.verdict,
            id=one.id,
            said=one.verdict,
        )


# Where an annotation stands in the other languages: words of the entry's texts there.


_ANCHOR_KEYS = ("quote", "nth")


def read_anchors(row: Table, target: Target, entry: Entry, context: Context) -> dict[str, Anchor]:
    """Return the words that correspond to a target's words in other languages.

    They are written as ``anchors.fa = "…"``, or as ``{ quote = "…", nth = 2 }`` if the words
    occur more than once. For a text without an anchor, advice is given.
    """
    role = target.role
    texts = {lang: text for lang in entry.languages if (text := entry.text(role, lang))}
    anchors: dict[str, Anchor] = {}
    if "anchors" in row:
        written = row.table("anchors")
        for lang in written:
            anchors[lang] = _anchor(written, lang, target, texts)
    for lang in texts:
        if lang != target.lang and lang not in anchors:
            hint = f'Write anchors.{lang} = "…", with words of the text there.'
            context.advise(row, "id", "the annotation marks no words in '{lang}'", hint, lang=lang)
    return anchors


def _anchor(written: Table, lang: str, target: Target, texts: Mapping[str, str]) -> Anchor:
    if lang == target.lang or lang not in texts:
        raise written.error(
            lang, "the entry has no other {role} in '{lang}'", role=target.role, lang=lang
        )
    quote, nth = _quoted(written, lang)
    found = [match.start() for match in re.finditer(re.escape(quote), texts[lang])]
    if not found:
        raise written.error(
            lang,
            "'{quote}' is not in the {role} in '{lang}'",
            quote=quote,
            role=target.role,
            lang=lang,
        )
    if nth > len(found) or (not nth and len(found) > 1):
        hint = Message("Write {{ quote = …, nth = 1 }} to {found}.", found=len(found))
        raise written.error(
            lang, "'{quote}' occurs {found} times", hint, quote=quote, found=len(found)
        )
    start = found[max(nth, 1) - 1]
    return Anchor(target.role, quote, start, start + len(quote))


def _quoted(written: Table, lang: str) -> tuple[str, int]:
    """Return the words and their number among equal ones; 0 if not given."""
    if not written.holds(lang, dict):
        return written.get(lang, str), 0
    row = written.table(lang)
    row.only(*_ANCHOR_KEYS)
    nth = row.get("nth", int)
    if nth < 1:
        raise row.error("nth", "the words are counted from 1")
    return row.get("quote", str), nth


# The source documents as received, and the table that says where they come from.


_SOURCE_KEYS = ("file", "title", "author", "lang", "rights", "sha256", "origin")


def read_sources(folder: Path, within: Path | None = None) -> dict[str, Source]:
    """Read ``sources.toml`` and the documents it names, and check each checksum.

    A folder without that file has no source documents. Each document must be ``within`` the
    folder.
    """
    if not (folder / "sources.toml").exists():
        return {}
    table = read_table(folder / "sources.toml", within)
    table.only("source")
    sources = (_read_source(row, within) for row in table.tables("source"))
    return {source.file: source for source in sources}


def _read_source(row: Table, within: Path | None) -> Source:
    row.only(*_SOURCE_KEYS)
    file = row.get("file", str)
    if not is_below(file):
        raise row.error("file", "'{file}' is not in the folder of this file", file=file)
    try:
        raw = read_bytes(row.file.parent / file, limits.DOCUMENT, within)
        text = raw.decode("utf-8")
    except (KbError, UnicodeDecodeError) as error:
        raise row.error(
            "file", "'{file}' cannot be read ({error})", file=file, error=error
        ) from error
    found, expected = hashlib.sha256(raw).hexdigest(), row.get("sha256", str)
    if found != expected:
        raise row.error(
            "sha256", "'{file}' was changed: its checksum is {found}", file=file, found=found
        )
    return Source(
        file=file,
        title=row.get("title", str),
        author=row.get("author", str),
        lang=row.get("lang", str),
        rights=f"{row.get('origin', str)} {row.get('rights', str)}",
        sha256=found,
        text=text,
    )


def read_span(place: Table, sources: dict[str, Source]) -> Span:
    """Return the span that a table names; it must be within its document."""
    file = place.get("file", str)
    if file not in sources:
        raise place.error("file", "no source document '{file}'", nearest(file, sources), file=file)
    start, end = place.get("start", int), place.get("end", int)
    length = len(sources[file].text)
    if not 0 <= start < end <= length:
        raise place.error(
            "end",
            "the span {start} to {end} is outside {file} (0 to {length})",
            start=start,
            end=end,
            file=file,
            length=length,
        )
    return Span(file, start, end)


def cut(span: Span, sources: dict[str, Source]) -> str:
    """Return the text of a span."""
    return sources[span.file].text[span.start : span.end]
