"""The answer keys of exams: numbered answers below their questions, in a section of their own."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from kb.formats.notes.hidden import hides_answer
from kb.formats.notes.lists import SOLUTIONS, announces_solutions
from kb.formats.notes.outline import BLANK, CODE, HEADING, ITEM, ROW, Line, source
from kb.formats.notes.page import END_RULE, Card, Page, cells_of, opened, regions
from kb.formats.notes.wording import ANSWER, QUESTION, ascii_digits, label, split_number

_SEVERAL = re.compile(r"(?:^|[\s|,;،])(\d{1,3})\s*[.):=–—-]?\s*[*_]*([A-Ha-h]|[الفبجد])\b")
"""Answers beside each other, as in ``1. B 2. C``."""
_SECTION = re.compile(r"^(\W{0,4})[A-Z]\d{1,2}-(?=\d)")  # as in T1-2: topic 1, question 2
_LEADS = 2  # lines, the most above the first answer
_FIT = 0.8  # of the answers, at least, are those of questions
_TAGS = re.compile(r"\s*</?(?:details|summary)\b.*>\s*", re.IGNORECASE)


class Key(NamedTuple):
    """An answer key: its lines, and its answers with their numbers."""

    start: int
    end: int
    answers: Sequence[tuple[str, str]]


def answer_keys(page: Page) -> list[Key]:
    """Return the answer keys of a page: sections or hidden elements that only have answers.

    Their numbers rise, or begin again with 1.
    """
    found = []
    for start, first, end in _places(page):
        answers = list(_answers(page.lines[first:end]))
        numbers = [[*map(int, re.findall(r"\d+", number))] for number, _ in answers]
        steps = zip([[0], *numbers], numbers, strict=False)
        rising = all(after[-1:] == [1] or after > before for before, after in steps)
        if len(answers) > 1 and rising:
            found.append(Key(start, end, answers))
    return found


def without(page: Page, keys: Sequence[Key]) -> Page:
    """Return a page without its answer keys, and without cards."""
    lines = [*page.lines]
    for key in keys:
        blank = (Line(each.number, "", BLANK) for each in lines[key.start : key.end])
        lines[key.start : key.end] = blank
    return replace(page, lines=lines, taken=set())


def answered(cards: Sequence[Card], keys: Sequence[Key]) -> list[Card] | None:
    """Return cards with the answers of the keys below them, or None if these are for others.

    What a few cards have as their answers belongs to their questions then.
    """
    out, first = [*cards], 0
    starts = [each.start for each in cards]
    for key in keys:
        own = [*range(first, bisect_left(starts, key.start))]
        if not own:
            return None
        lowest = own[-1]
        numbers = [out[n].number or "" for n in own]
        answers = key.answers
        told = [number for number, _ in answers]
        if numbers != told:  # then each number is that of one question
            at = dict(zip(numbers, own, strict=True))
            answers = [each for each in answers if each[0] in at]
            fits = len(answers) >= _FIT * len(told)
            if len({*told}) < len(told) or len(at) < len(own) or not fits:
                return None
            own = [at[number] for number, _ in answers]
        if sum(bool(out[n].answers) for n in own) > (1 - _FIT) * len(own):
            return None
        for n, (_, text) in zip(own, answers, strict=True):
            asked = out[n].question
            if below := out[n].answers:
                asked = {"": "\n\n".join((*asked.values(), *below.values()))}
            out[n] = replace(out[n], question=asked, answers={"": text})
        out[lowest] = replace(out[lowest], end=key.end)
        first = bisect_left(starts, key.end)
    return out


def _places(page: Page) -> Iterator[tuple[int, int, int]]:
    """Yield where each section of answers begins, where its text does, and where it ends."""
    heads = [at for at, each in enumerate(page.lines) if each.kind == HEADING and not each.inside]
    for n, at in enumerate(heads):
        if at and announces_solutions(page.lines[at].words):
            behind = map(heads.__getitem__, range(n + 1, len(heads)))  # a slice would copy the rest
            below = (e for e in behind if page.lines[e].depth <= page.lines[at].depth)
            yield at, at + 1, next(below, len(page.lines))
    for start, end in regions(page):
        element = opened("\n".join(each.text for each in page.lines[start:end]))
        if element and hides_answer(element[0]):
            yield start, start, end


def _answers(lines: Sequence[Line]) -> Iterator[tuple[str, str]]:
    """Yield the numbered answers of a key; nothing below much other text."""
    number, rows, leads, kind = "", list[str](), 0, ""
    for line in (each for each in lines if not _TAGS.fullmatch(each.text)):
        several = _SEVERAL.findall(ascii_digits(line.text)) if line.kind != CODE else ()
        said = _numbered(line)
        if said and said[0] != (kind or said[0]):
            said = None  # within an answer
        if said or len(several) > 2 or line.kind == HEADING:
            if number:
                yield number, _text(rows)
            yield from several if len(several) > 2 else ()
            kind, number, text = said if said and len(several) < 3 else (kind, "", "")
            rows = [text]
        elif number:
            rows.append(line.text)
        elif line.kind != ROW and any(map(str.isalnum, line.text)):
            leads += 1
        if leads > _LEADS:
            return
    if number:
        yield number, _text(rows)


def _text(rows: Sequence[str]) -> str:
    return END_RULE.sub("", source(enumerate(rows)))


def _numbered(line: Line) -> tuple[str, str, str] | None:
    """Return the kind, number and text of an item, of a row of a table, or behind ``Q2:``."""
    if line.kind == CODE or (line.kind != HEADING and line.depth > 1):
        return None
    if line.kind == ITEM and line.mark.isdigit():
        return ITEM, line.mark, line.words
    if line.kind == ROW:
        number, *rest = cells_of(line.text)
        return (ROW, ascii_digits(number), " · ".join(rest)) if number.isdigit() else None
    words = line.words or line.text
    solves = SOLUTIONS.match(words)
    words = words[solves.end() if solves else 0 :].strip()
    found = label(words)
    if found and found.role in (QUESTION, ANSWER) and found.number:
        return "label", found.number, "" if line.kind == HEADING else found.rest
    said, text = split_number(_SECTION.sub(r"\1", words))
    return (line.kind, said, text) if said and said.isdigit() else None
