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
    """An answer key: its lines, and its answers with the numbers of their questions."""

    start: int
    end: int
    answers: Sequence[tuple[str, str]]


def answer_keys(page: Page) -> list[Key]:
    """Return the answer keys of a page: sections or hidden elements that only have answers.

    Their numbers rise, or begin again with 1.
    """
    found = []
    for start, first, end in _places(page):
        lines = [each for each in page.lines[first:end] if not _TAGS.fullmatch(each.text)]
        answers = list(_answers(lines))
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


def answered(cards: Sequence[Card], keys: Sequence[Key]) -> list[Card]:
    """Return cards with the answers of the keys below them, none if a key is for others.

    What a few cards have as their answers belongs to their questions then.
    """
    out, first = [*cards], 0
    starts = [each.start for each in cards]
    for key in keys:
        own = [*range(first, bisect_left(starts, key.start))]
        first = bisect_left(starts, key.end)
        told = _matched(key, own, out)
        if not told:
            return []
        for n, text in told.items():
            asked = out[n].question
            if below := out[n].answers:
                asked = {"": "\n\n".join((*asked.values(), *below.values()))}
            out[n] = replace(out[n], question=asked, answers={"": text})
        out[own[-1]] = replace(out[own[-1]], end=key.end)
    return out


def _matched(key: Key, own: Sequence[int], cards: Sequence[Card]) -> dict[int, str]:
    """Return the answers of a key by the places of their cards, or none if it is for others."""
    told = [name for name, _ in key.answers]
    names = [cards[n].number or "" for n in own]
    if names == told:
        found = dict(zip(own, (text for _, text in key.answers), strict=True))
    else:  # then each number is that of one question
        at = dict(zip(names, own, strict=True))
        found = {at[name]: text for name, text in key.answers if name in at}
        if len(at) < len(own) or len({*told}) < len(told) or len(found) < _FIT * len(told):
            return {}
    busy = sum(bool(cards[n].answers) for n in found)
    return found if busy <= (1 - _FIT) * len(found) else {}


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
    for line in lines:
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
