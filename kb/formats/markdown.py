"""Markdown: one document to read or to print. Content stays plain: no HTML, no headings.

Headings are in the language of the text below them. Hidden comments say what each text is, so that
the document can be imported again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO, NamedTuple

from kb.formats.book import Book
from kb.formats.labels import label
from kb.formats.marks import body, fenced, mark
from kb.model.entry import Annotation, Entry, Snippet
from kb.model.entry_json import ENTRY
from kb.model.values import LAYERS, SCHEMA_VERSION
from kb.present.titles import asked_in, first_sentence, title_of
from kb.terminal.numerals import figure

_LONGEST = 100
"""The maximum number of letters of an entry's heading."""

_PUNCTUATION = re.compile(r"([\\`*_\[\]<>|#])")


class Piece(NamedTuple):
    """A part of the document: text with language, heading with depth, program, or mark."""

    text: str
    lang: str = ""
    heading: int = 0
    code: str | None = None


def write(book: Book, out: BinaryIO) -> None:
    """Write the document, one entry at a time."""
    between = ""
    for piece in pieces(book):
        if piece.text:
            out.write((between + piece.text).encode())
            between = "\n\n"
    if between:
        out.write(b"\n")


def pieces(book: Book) -> Iterator[Piece]:
    """Yield the parts of the document, one entry at a time."""
    if not book.entries:
        return
    titles = {name: dict(title) for name, title in book.collections.items()}
    about = {"schema_version": SCHEMA_VERSION} | ({"collections": titles} if titles else {})
    yield Piece(mark(about))
    collection = None
    for entry in book.entries:
        if entry.collection != collection:
            collection = entry.collection
            named = " · ".join(book.collections.get(collection, {}).values())
            yield _heading(1, inline(named or collection))
        yield from _entry(entry)


def _heading(depth: int, text: str) -> Piece:
    return Piece(f"{'#' * depth} {text}", heading=depth)


def _entry(entry: Entry) -> Iterator[Piece]:
    level = f" [{entry.level}]" if entry.level else ""
    facts = without_texts(entry).items()
    yield Piece(mark({"entry": {key: value for key, value in facts if value and key != "context"}}))
    asked = first_sentence(title_of(asked_in(entry, "")[1]).text, _LONGEST)
    yield _heading(2, f"{inline(' '.join(filter(None, [entry.number, asked or entry.id])))}{level}")
    yield Piece(f"*{inline(entry.id)}*")
    if entry.context:
        yield from _text(entry.context, "context", "")
    for place, text in texts_of(entry):
        if place[0] != "question":
            yield _heading(3, f"{_named(entry, place)} ({inline(place[-1])})")
        yield from _text(text, *place)
    for claim in entry.claims[len(entry.annotations) :]:
        target = claim.target
        told = label("figures", target.lang, number=label(target.role, target.lang))
        yield _heading(3, f"{told} ({inline(target.lang)})")
        yield from _grounds(claim)
    for annotation in entry.annotations:
        yield from _annotation(annotation)
    for snippet in entry.snippets:
        yield from _snippet(snippet)


def without_texts(entry: Entry) -> dict[str, Any]:
    """Return the facts of an entry without its texts, which are in the document."""
    facts = ENTRY.write(entry).items()
    plain = {key: value for key, value in facts if value not in (None, [], {})}
    for key in ("question", "wording", *LAYERS):
        plain.pop(key, None)
    plain.get("assessment", {}).pop("sentence", None)
    for answer in plain.get("answers", ()):
        answer.pop("text")
    for annotation in plain.get("annotations", ()):
        if not annotation.get("repeats"):  # which stands with the annotation that is repeated
            annotation.pop("note", None)
    for snippet in plain.get("snippets", ()):
        snippet.pop("code")
    return plain


def _text(text: str, *place: str) -> Iterator[Piece]:
    """Yield a text after its identifying mark; the last part of its place is its language."""
    made = body(text)
    yield Piece(mark({"text": place, **made.facts}))
    yield Piece(made.text, lang=place[-1])


def texts_of(entry: Entry) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield the texts of an entry in order, each after its place, such as answers, role, lang."""
    for name in ("question", "wording", "short"):
        yield from (((name, lang), text) for lang, text in getattr(entry, name).items())
    yield from ((("answers", role, lang), text) for role, lang, text, *_ in entry.answers)
    for name in LAYERS[1:]:
        yield from (((name, lang), text) for lang, text in getattr(entry, name).items())
    if entry.assessment is not None:
        yield from (
            (("assessment", lang), text) for lang, text in entry.assessment.sentence.items()
        )


def _named(entry: Entry, place: tuple[str, ...]) -> str:
    """Return the heading of a text, in its language."""
    name = place[1] if place[0] == "answers" else place[0]
    if entry.assessment is not None and name == "assessment":
        name = entry.assessment.judgement
    return label(name, place[-1])


def _annotation(annotation: Annotation) -> Iterator[Piece]:
    lang = annotation.target.lang
    yield _heading(3, judgement(annotation, lambda key: label(key, lang)))
    if annotation.repeats:
        said = label("repeats", lang, number="{id}")
        yield Piece(said.format(id=inline(annotation.repeats)))
        return
    for lang, note in annotation.note.items():
        yield from _text(note, "note", annotation.id, lang)
    yield from _grounds(annotation)


def _grounds(annotation: Annotation) -> Iterator[Piece]:
    if lines := grounds(annotation):
        yield Piece(mark({"text": []}))
        yield Piece("\n".join(lines))


def judgement(annotation: Annotation, named: Callable[[str], str] = str) -> str:
    """Return the verdict and weight of an annotation, and the words that it is about."""
    weight = "own" if annotation.own else annotation.severity
    quote = inline(" ".join(annotation.target.quote.split()))
    return f"{named(annotation.verdict)} ({named(weight)}): “{quote}”"


def grounds(annotation: Annotation) -> list[str]:
    """Return the evidence and references of an annotation as list items."""
    found = []
    for each in annotation.evidence:
        told = each.told(confirmed=annotation.holds)
        lang = annotation.target.lang
        figures = ", ".join(label(f"told.{kind}", lang, figure=figure(v)) for kind, v in told)
        found.append(f"- `{each.snippet}`, `{each.figure}`: {figures}")
    return [*found, *(f"- {inline(each)}" for each in annotation.references)]


def _snippet(snippet: Snippet) -> Iterator[Piece]:
    code = snippet.code.rstrip()
    yield Piece(program_heading(snippet), heading=3)
    yield Piece(mark({"code": snippet.id, "tail": snippet.code[len(code) :]}))
    yield Piece(fenced(code, "python"), code=snippet.code)


def program_heading(snippet: Snippet) -> str:
    """Return the heading of a program."""
    titles = " · ".join(snippet.title.values())
    return f"### {inline(f'{snippet.id}: {titles}' if titles else snippet.id)}"


def inline(text: str) -> str:
    """Escape everything with a meaning in Markdown; line breaks become spaces."""
    return _PUNCTUATION.sub(r"\\\1", " ".join(re.split("[\r\n]", text)))
