"""What is asked of an entry: its short answer, and each gap of a text that has gaps."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from kb.model import Entry
from kb.model.entry import short_digest
from kb.model.json import dumps
from kb.model.study import Exercise
from kb.present.layers import short_answers
from kb.present.titles import asked_in, best_language

GAP = "[…]"
"""Stands for each gap of a text, as imports of clozes write it."""

_GAP = re.compile(rf"{re.escape(GAP)}(?: \([^()\n]{{1,100}}\))?")
_MOST_GAPS = 20


def exercises(entry: Entry, lang: str) -> list[Exercise]:
    """Return what can be asked of an entry, in a language where it has that, else in its own."""
    return [*_recalled(entry, lang)]


def _recalled(entry: Entry, lang: str) -> Iterator[Exercise]:
    """Yield what is recalled: each gap by itself, or else the short answer."""
    spoken, question = asked_in(entry, lang)
    if entry.context:
        question = f"{entry.context}\n\n{question}"
    answer = _answer(entry, spoken)
    if not question.strip() or not answer.strip():
        return
    gaps = filled(question, answer)
    for number, (asked, told) in enumerate(gaps, 1):
        shown = _digest(asked, told)
        yield Exercise(
            entry.id, f"cloze:{number}", "cloze", spoken, asked, told,
            shown=shown, collection=entry.collection,
        )  # fmt: skip
    if not gaps:
        texts = {each: [asked_in(entry, each)[1], _answer(entry, each)] for each in entry.languages}
        yield Exercise(
            entry.id, "recall", "recall", spoken, question, answer,
            shown=_digest(texts), collection=entry.collection,
        )  # fmt: skip


def _answer(entry: Entry, lang: str) -> str:
    """Return the short answer, or else the whole one; of a note its text."""
    short = short_answers(entry)
    if short:
        return short[best_language(short, lang)]
    texts = {each.lang: each.text for each in entry.answers}
    return texts.get(best_language(texts, lang), "")


def filled(asked: str, told: str) -> list[tuple[str, str]]:
    """Return each gap of a text by itself: the text with the others filled, and what is hidden.

    There is none where the text as a whole does not begin as the answer does.

    >>> filled("[…] lies on the […].", "Paris lies on the Seine.")
    [('[…] lies on the Seine.', 'Paris'), ('Paris lies on the […].', 'Seine')]
    >>> filled("What is […]?", "A gap.")
    []
    """
    gaps = list(_GAP.finditer(asked))
    if not 0 < len(gaps) <= _MOST_GAPS:
        return []
    hidden = _hidden([*_between(asked, gaps)], told)
    if hidden is None:
        return []
    made = []
    for asking in range(len(gaps)):
        text, done = "", 0
        for number, gap in enumerate(gaps):
            text += asked[done : gap.start()]
            text += gap[0] if number == asking else hidden[number]
            done = gap.end()
        made.append((text + asked[done:], hidden[asking]))
    return made


def _between(asked: str, gaps: Sequence[re.Match[str]]) -> Iterator[str]:
    done = 0
    for gap in gaps:
        yield asked[done : gap.start()]
        done = gap.end()
    yield asked[done:]


def _hidden(around: Sequence[str], told: str) -> list[str] | None:
    """Return what stands in a text where others stand around it, or nothing if they do not."""
    if not told.startswith(around[0]):
        return None
    found, at = [], len(around[0])
    for number, text in enumerate(around[1:], 1):
        last = number == len(around) - 1
        end = told.find(text, at) if text or not last else len(told)
        if end < 0 or (not text and not last):
            return None
        found.append(told[at:end])
        at = end + len(text)
    return found if all(each.strip() for each in found) else None


def _digest(*shown: object) -> str:
    return short_digest(dumps(list(shown), indent=None))
