"""The ledger of an audit: every sentence of the source answers, and what was found of it.

A table with tabs between its columns: the span of a sentence, ``right``, ``true, but leaves
out`` or the annotations that stand in it, why, and the sentence itself. What is left out is
told with the words, in “…”, by which our answer in English says it. The ledger is complete when
every character of an audited document's answers and cards stands in one row.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from kb import limits
from kb.errors import BadData, nearest
from kb.foreign import read_text, unix
from kb.model.entry import Annotation, Entry, Source, Span

COLUMNS = ("file", "start", "end", "judgement", "why", "sentence")
RIGHT = "right"
LEAVES_OUT = "true, but leaves out"
_SAID = re.compile(r"“([^“”]+)”")


class Judgement(NamedTuple):
    """A sentence of a source document, and the annotations found in it (none if true).

    ``said`` has the words of our answer that say what the sentence leaves out.
    """

    place: str
    span: Span
    judgement: tuple[str, ...]
    why: str
    said: tuple[str, ...] = ()


def read_ledger(file: Path, sources: Iterable[Source]) -> tuple[Judgement, ...]:
    """Read the ledger; each row must quote what stands at its span."""
    texts = {source.file: source.text for source in sources}
    lines = unix(read_text(file, limits.DICTIONARY)).splitlines()
    if tuple(lines[0].split("\t")) != COLUMNS:
        raise BadData(f"{file}:1: the columns must be {', '.join(COLUMNS)}, separated by tabs")
    return tuple(_row(f"{file}:{number}", line, texts) for number, line in enumerate(lines[1:], 2))


def _row(place: str, line: str, texts: Mapping[str, str]) -> Judgement:
    cells = line.split("\t")
    if len(cells) != len(COLUMNS):
        raise BadData(f"{place}: has {len(cells)} columns instead of {len(COLUMNS)}")
    name, start, end, judgement, why, sentence = cells
    if name not in texts:
        raise BadData(f"{place}: file: no source document '{name}'", nearest(name, texts))
    if not (start.isdecimal() and end.isdecimal()):
        raise BadData(f"{place}: start and end must be whole numbers")
    span = Span(name, int(start), int(end))
    if " ".join(texts[name][span.start : span.end].split()) != " ".join(sentence.split()):
        raise BadData(f"{place}: sentence: is not at {start} to {end}")
    if judgement == RIGHT and not why:
        raise BadData(f"{place}: why: say why the sentence is right, or that it claims nothing")
    if judgement == RIGHT:
        return Judgement(place, span, (), why)
    if judgement != LEAVES_OUT:
        return Judgement(place, span, tuple(judgement.split()), why)
    said = tuple(_SAID.findall(why))
    if not said:
        raise BadData(f"{place}: why: say what is left out, and quote the “words” that say it")
    return Judgement(place, span, (), why, said)


def open_points(
    rows: Iterable[Judgement],
    entries: Iterable[Entry],
    sources: Iterable[Source],
    files: Iterable[str],
) -> Iterator[str]:
    """Yield what is missing before every sentence of these documents counts as examined."""
    texts = {source.file: source.text for source in sources}
    judged, taken = list(rows), list(entries)
    annotations = [a for entry in taken for a in entry.annotations]
    yield from _disagreements(judged, annotations)
    yield from _unsaid(judged, taken)
    for file in files:
        covered = bytearray(len(texts[file]))
        for row in judged:
            if row.span.file == file:
                if any(covered[row.span.start : row.span.end]):
                    yield f"{row.place}: stands within another row"
                covered[row.span.start : row.span.end] = b"\1" * (row.span.end - row.span.start)
        for span in _audited(taken, file):
            left = [n for n in range(span.start, span.end) if not covered[n]]
            missing = "".join(texts[file][n] for n in left).strip()
            if missing:
                yield f"{file}:{left[0]}: not examined: '{missing[:40]}'"


def _disagreements(rows: Iterable[Judgement], annotations: Iterable[Annotation]) -> Iterator[str]:
    known = list(annotations)
    for row in rows:
        here = {
            a.id
            for a in known
            if a.target.file == row.span.file
            and a.target.start < row.span.end
            and row.span.start < a.target.end
        }
        if here != set(row.judgement):
            said = ", ".join(row.judgement) or RIGHT
            yield f"{row.place}: judged {said}, annotated by {', '.join(sorted(here)) or 'none'}"


def _unsaid(rows: Iterable[Judgement], entries: Iterable[Entry]) -> Iterator[str]:
    known = list(entries)
    for row in rows:
        texts = [
            " ".join(answer.text.split())
            for entry in known
            if any(_holds(span, row.span) for span in _spans(entry))
            for answer in entry.answers
            if (answer.role, answer.lang) == ("reference", "en")
        ]
        for words in row.said:
            if not any(" ".join(words.split()) in text for text in texts):
                yield f"{row.place}: no answer says '{words}'"


def _holds(outer: Span, inner: Span) -> bool:
    return outer.file == inner.file and outer.start <= inner.start and inner.end <= outer.end


def _spans(entry: Entry) -> Iterator[Span]:
    yield from (a.origin for a in entry.answers if a.origin is not None)
    yield from (span for found in entry.origins.values() for span in found)


def _audited(entries: Iterable[Entry], file: str) -> Iterator[Span]:
    """Yield the answers, and of cards the questions too, that a document holds."""
    for entry in entries:
        spans = [a.origin for a in entry.answers if a.origin is not None]
        if entry.kind == "card":
            spans += [span for found in entry.origins.values() for span in found]
        yield from (span for span in spans if span.file == file)
