"""Every universal sentence of ours was tried for a counterexample, and the ledger says how."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from pathlib import Path

from kb import Library

ROOT = Path(__file__).parents[2]
LEDGER = ROOT / "data" / "universals.tsv"
PROGRAMS = ROOT / "data" / "snippets"

UNIVERSAL = re.compile(r"\b(?:always|never|cannot|only|any|all|none|at most)\b", re.IGNORECASE)
SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n")
TRIED = ("plain", "proof", "literature")


def universal(text: str) -> Iterator[str]:
    """Yield the sentences of a text that speak of all, or of none."""
    for sentence in SENTENCE_END.split(text):
        if UNIVERSAL.search(sentence):
            yield sentence.strip().removeprefix("- ")


def said(library: Library) -> Iterator[tuple[str, str, str]]:
    """Yield the entry, the place and the words of each universal sentence of ours in English."""
    for hit in library.find.list(limit=None).hits:
        entry = library.show(hit.id)
        for answer in entry.answers:
            if (answer.role, answer.lang) == ("reference", "en"):
                yield from ((entry.id, "reference", each) for each in universal(answer.text))
        for annotation in entry.annotations:
            note = "" if annotation.repeats else annotation.note.get("en", "")
            yield from ((entry.id, annotation.id, each) for each in universal(note))


def rows() -> list[dict[str, str]]:
    with LEDGER.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def test_every_universal_sentence_has_its_row(bundled: Library) -> None:
    known = {(row["entry"], row["place"], row["sentence"]) for row in rows()}
    assert [each for each in said(bundled) if each not in known] == []


def test_no_row_speaks_of_a_sentence_that_is_gone(bundled: Library) -> None:
    there = set(said(bundled))
    gone = [row for row in rows() if (row["entry"], row["place"], row["sentence"]) not in there]
    assert gone == []


def test_a_row_says_what_was_tried_and_what_came_of_it() -> None:
    for row in rows():
        kind, _, program = row["tried"].partition(":")
        assert row["why"], row
        assert kind in TRIED or (kind == "program" and (PROGRAMS / f"{program}.py").is_file()), row


def test_a_universal_sentence_is_known_by_its_words() -> None:
    assert list(universal("It holds. It always holds; see all.\nNot here")) == [
        "It always holds; see all."
    ]
