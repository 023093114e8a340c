"""Markdown: one document to read or to print. Content stays content: no HTML, no headings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import BinaryIO

from kb.display.figures import figure
from kb.exchange.book import Book
from kb.exchange.encoding import write_text
from kb.records import Annotation, Entry, Evidence, Snippet

_PUNCTUATION = re.compile(r"([\\`*_\[\]<>|#])")
_TAG = re.compile(r"<(?=[A-Za-z/!?])")
_HEADING = re.compile(r"^(\s{0,3})(#{1,6}(?:\s|$)|=+\s*$|-+\s*$)")
_FENCE = re.compile(r"^\s{0,3}(`{3,}|~{3,})")


def write(book: Book, out: BinaryIO) -> None:
    """Write the document."""
    write_text(out, document(book))


def document(book: Book) -> str:
    """Return the document."""
    blocks: list[str] = []
    collection = None
    for entry in book.entries:
        if entry.collection != collection:
            collection = entry.collection
            titles = book.collections.get(collection, {}).values()
            blocks.append(f"# {_inline(' · '.join(titles) or collection)}")
        blocks.extend(_entry(entry))
    return "\n\n".join(filter(None, blocks)) + "\n" if blocks else ""


def _entry(entry: Entry) -> Iterator[str]:
    level = f" [{entry.level}]" if entry.level else ""
    yield f"## {_inline(' '.join(filter(None, [entry.number, entry.id])))}{level}"
    for question in entry.question.values():
        yield _body(question)
    for lang, wording in entry.wording.items():
        yield f"### Better wording ({_inline(lang)})"
        yield _body(wording)
    for answer in entry.answers:
        yield f"### {answer.role.capitalize()} answer ({_inline(answer.lang)})"
        yield _body(answer.text)
    for annotation in entry.annotations:
        yield from _annotation(annotation)
    for snippet in entry.snippets:
        yield _snippet(snippet)


def _annotation(annotation: Annotation) -> Iterator[str]:
    quote = " ".join(annotation.target.quote.split())
    weight = "own" if annotation.own else annotation.severity
    yield f"### {annotation.verdict} ({weight}): “{_inline(quote)}”"
    if annotation.repeats:
        yield f"The same claim as in {_inline(annotation.repeats)}."
        return
    yield from (_body(note) for note in annotation.note.values())
    lines = [*map(_evidence, annotation.evidence), *map(_reference, annotation.references)]
    if lines:
        yield "\n".join(lines)


def _evidence(evidence: Evidence) -> str:
    claimed = "" if evidence.claimed is None else f"claimed {figure(evidence.claimed)}, "
    name = f"`{evidence.snippet}`, `{evidence.figure}`"
    return f"- {name}: {claimed}measured {figure(evidence.expected)}"


def _reference(reference: str) -> str:
    return f"- {_inline(reference)}"


def _snippet(snippet: Snippet) -> str:
    titles = " · ".join(snippet.title.values())
    name = _inline(f"{snippet.id}: {titles}" if titles else snippet.id)
    longest = max((len(run) for run in re.findall(r"`+", snippet.code)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"### {name}\n\n{fence}python\n{snippet.code.rstrip()}\n{fence}"


def _inline(text: str) -> str:
    """Escape everything that means something to Markdown; line breaks become blanks."""
    return _PUNCTUATION.sub(r"\\\1", " ".join(text.split("\n")))


def _body(text: str) -> str:
    """Return text that is Markdown by itself, without HTML and headings, its fences closed."""
    lines, fence = [], ""
    for line in text.strip("\n").split("\n"):
        opened = _FENCE.match(line)
        if fence:
            fence = "" if opened and line.strip().startswith(fence) else fence
            lines.append(line)
        elif opened:
            fence = opened[1]
            lines.append(line)
        else:
            lines.append(_HEADING.sub(r"\1\\\2", _TAG.sub(r"\\<", line)))
    return "\n".join([*lines, fence] if fence else lines)
