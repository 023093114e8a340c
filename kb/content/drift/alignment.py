"""The texts of an entry in both languages, their places in files, and the pairs to compare."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from kb.content.drift.items import Place, Reading
from kb.content.tables import Table
from kb.model import Entry, Snippet
from kb.model.clauses import LAYERS

LANGS = ("en", "fa")


class Bead(NamedTuple):
    """A span of one text and the corresponding span of the other."""

    one: Place
    other: Place


def align(one: Reading, other: Reading) -> Iterator[Bead]:
    """Yield corresponding spans of both texts, in order.

    Lines correspond if both texts have as many, and so do clauses. Otherwise the texts are
    compared as a whole.
    """
    for lines in _side_by_side(one.lines, other.lines):
        inside = ([*each.clauses(*line)] for each, line in zip((one, other), lines, strict=True))
        yield from _side_by_side(*inside)


def _side_by_side(ones: Sequence[Place], others: Sequence[Place]) -> list[Bead]:
    if len(ones) == len(others):
        return list(map(Bead, ones, others))
    return [Bead(*((side[0][0], side[-1][1]) if side else (0, 0) for side in (ones, others)))]


@dataclass(frozen=True, slots=True)
class Version:
    """A text in one language, with the table and key where it is written.

    A text outside tables is the start of its ``file``.
    """

    text: str
    table: Table
    key: str
    file: Path | None = None

    def place(self, start: int, end: int) -> str:
        """Return the file and line of a span of the text."""
        if self.file is not None:
            return f"{self.file}:1"
        first = self.text[start:end].strip().split("\n", 1)[0]
        return self.table.place(self.key, first)


@dataclass(frozen=True, slots=True)
class Pair:
    """Two texts that should say the same; ``name`` says which part of the entry they are."""

    owner: str
    name: str
    one: Version
    other: Version


def texts_of(entry: Entry) -> Iterator[tuple[str, Mapping[str, str]]]:
    """Yield question, answers and notes that exist in both languages, by name.

    For a question with a better wording of ours, that wording is used.
    """
    yield from _both("question", {**entry.question, **entry.wording})
    for role in dict.fromkeys(answer.role for answer in entry.answers):
        yield from _both(role, {a.lang: a.text for a in entry.answers if a.role == role})
    for name in LAYERS:
        yield from _both(name, getattr(entry, name))
    if entry.assessment is not None:
        yield from _both("assessment", entry.assessment.sentence)
    for each in entry.annotations:
        if not each.repeats:
            yield from _both(each.id, each.note)


def pairs_of(table: Table, entry: Entry) -> Iterator[Pair]:
    """Yield the pairs of `texts_of` with their places in the entry's file."""
    question = table.table("question")
    answers = {(row.get("role", str), row.get("lang", str)): row for row in table.tables("answer")}
    notes = {row.get("id", str): row for row in table.tables("annotation")}

    def version(name: str, lang: str, text: str) -> Version:
        if name == "question":
            key = "wording" if lang in entry.wording else "text"
            return Version(text, question.table(lang), key)
        if name in LAYERS:
            return Version(text, table, name)
        if name == "assessment":
            return Version(text, table.table(name), "sentence")
        if name in notes:
            return Version(text, notes[name], "note")
        return Version(text, answers[name, lang], "text")

    for name, said in texts_of(entry):
        one, other = (version(name, lang, said[lang]) for lang in LANGS)
        yield Pair(entry.id, name, one, other)


def titles_of(folder: Path, titles: Table, snippets: Mapping[str, Snippet]) -> Iterator[Pair]:
    """Yield the titles of programs: English ones from the program, others from ``titles``."""
    for name, snippet in snippets.items():
        if name in titles and all(lang in snippet.title for lang in LANGS):
            english, other = (snippet.title[lang] for lang in LANGS)
            one = Version(english, titles, name, folder / f"{name}.py")
            yield Pair(name, "title", one, Version(other, titles.table(name), LANGS[1]))


def _both(name: str, said: Mapping[str, str]) -> Iterator[tuple[str, Mapping[str, str]]]:
    if all(lang in said for lang in LANGS):
        yield name, said
