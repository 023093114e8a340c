"""The exercises of an entry, made from its content without work for the reader.

*Recall*: its short answer, each gap of a text that has gaps, and what the further cards of an Anki
note ask. *Find the fault*: a passage of
the source's answer, wrong or misleading by an annotation, or sound by ``sound.tsv``. *Predict*: a
figure that an annotation rests on, hidden in what the annotation says.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import chain, count, filterfalse, zip_longest
from typing import NamedTuple

from kb import limits
from kb.content.bundled import bundled_folder
from kb.content.drift.items import Item, find_numbers, read
from kb.evidence.parameters import drawn, with_values
from kb.foreign import read_text, unix
from kb.model.entry import Annotation, Entry, Evidence, short_digest
from kb.model.json import dumps
from kb.model.study import Exercise
from kb.present.annotated import span_in
from kb.present.cards import labelled, with_label, words_in_gaps
from kb.present.layers import short_answers
from kb.present.titles import asked_in, best_language

GAP = "[…]"
"""The mark of a gap in a text, as in imported clozes."""

_GAP = re.compile(rf"{re.escape(GAP)}(?: \([^()\n]{{1,100}}\))?")
_MOST_GAPS = 20
_FURTHER = re.compile(r"recall:([0-9]+)")
"""The key of what a further card asks: it has the card's number in the note, from 2 on."""


def exercises(entry: Entry, lang: str, *, across: bool = False) -> list[Exercise]:
    """Return the exercises of an entry in a language, or else in its own.

    ``across`` adds recall that is asked in one language and answered in the other.
    """
    made = [*_recalled(entry, lang), *_predicted(entry, lang), *_faults(entry, lang)]
    # Last, since reviews of other programs know an exercise by its place.
    made += _across(entry, made[0]) if made and across else ()
    return [each._replace(collection=entry.collection, topic=entry.topic or "") for each in made]


def review_numbers(keys: Iterable[str]) -> dict[str, int]:
    """Return for each exercise of an entry, by key, the number of its card in reviews.

    It is the number of the card in Anki, from 0 on, or else the next free one.

    >>> review_numbers(["recall", "recall:3", "predict:a:b"])
    {'recall': 0, 'recall:3': 2, 'predict:a:b': 1}
    """
    keys = list(keys)
    found = {key: int(card[1]) - 1 for key in keys if (card := _FURTHER.fullmatch(key))}
    free = filterfalse({*found.values()}.__contains__, count())
    return {key: found[key] if key in found else next(free) for key in keys}


def _across(entry: Entry, recall: Exercise) -> Iterator[Exercise]:
    for lang in short_answers(entry):
        if recall.key == "recall" and lang != recall.lang:
            answer = _answer(entry, lang)
            yield recall._replace(key="recall:across", answer=answer, answer_lang=lang)


def _recalled(entry: Entry, lang: str) -> Iterator[Exercise]:
    """Yield the recall exercises: one per gap, or the short answer and the further cards."""
    spoken, question = asked_in(entry, lang)
    if entry.context:
        question = f"{entry.context}\n\n{question}"
    answer = _answer(entry, spoken)
    if not question.strip() or not answer.strip():
        return
    gaps = filled(question, answer)
    for number, (asked, told) in enumerate(gaps, 1):
        yield Exercise(
            entry.id, f"cloze:{number}", "cloze", spoken, asked, told, shown=_digest(asked, told)
        )
    if not gaps:
        texts = {each: [asked_in(entry, each)[1], _answer(entry, each)] for each in entry.languages}
        recall = Exercise(
            entry.id, "recall", "recall", spoken, question, answer, shown=_digest(texts)
        )
        yield recall
        yield from _prompted(entry, recall)


def _prompted(entry: Entry, recall: Exercise) -> Iterator[Exercise]:
    """Yield the exercises that ask parts of the answer and tell the question with the others."""
    texts = {each.lang: each.text for each in entry.answers if each.role == "source"}
    lang = best_language(texts, recall.lang)
    parts = labelled(texts.get(lang, ""))
    for number, labels in enumerate(entry.prompts, 2):
        asked = [text for label, text in parts if label in labels and text.strip()]
        others = (with_label(label, text) for label, text in parts if label not in labels)
        if asked:
            yield recall._replace(
                key=f"recall:{number}",
                lang=lang,
                question="\n\n".join(asked),
                answer="\n\n".join((recall.question, *others)),
                answer_lang=recall.lang if recall.lang != lang else "",
            )


def _answer(entry: Entry, lang: str) -> str:
    """Return the short answer, or else the full one; for a note, its text."""
    short = short_answers(entry)
    if short:
        return short[best_language(short, lang)]
    texts = {each.lang: each.text for each in entry.answers}
    return texts.get(best_language(texts, lang), "")


def filled(asked: str, told: str) -> list[tuple[str, str]]:
    """Return each gap of a text: the text with other gaps filled, and the hidden words.

    There are none if the complete text does not begin like the answer.

    >>> filled("[…] lies on the […].", "Paris lies on the Seine.")
    [('[…] lies on the Seine.', 'Paris'), ('Paris lies on the […].', 'Seine')]
    >>> filled("What is […]?", "A gap.")
    []
    """
    gaps, around = _GAP.findall(asked), _GAP.split(asked)
    hidden = words_in_gaps(around, told) if 0 < len(gaps) <= _MOST_GAPS else None
    if hidden is None:
        return []
    made = []
    for asking, gap in enumerate(gaps):
        filling = [*hidden[:asking], gap, *hidden[asking + 1 :], ""]
        text = "".join(chain.from_iterable(zip(around, filling, strict=True)))
        made.append((text, hidden[asking]))
    return made


# Find the fault: passages of the source's answer that are wrong, misleading or sound.


_FAULTS = ("wrong", "misleading")
"""The verdicts that a reader can find: omissions are not visible in a passage."""

SOUND = "sound.tsv"
"""Rows of the ledger that make a claim and are right, with Persian words and reason."""

_POINTS_BACK = re.compile(r"(?:This|These|It|They|Such|(?:به )?این|آن)\b")
"""How a passage begins that says nothing without the sentence before it."""

_STOPS = ".!?؟\n"


class Sound(NamedTuple):
    """A right passage of an entry's source answer by language, with the reason."""

    texts: Mapping[str, str]
    reasons: Mapping[str, str]


@cache
def sound_passages() -> Mapping[str, Sequence[Sound]]:
    """Return the sound passages of the bundled content by entry."""
    lines = unix(read_text(bundled_folder() / SOUND, limits.DICTIONARY)).splitlines()
    found: dict[str, list[Sound]] = {}
    for line in lines[1:]:
        entry, en, fa, why_en, why_fa = line.split("\t")
        sound = Sound({"en": en, "fa": fa}, {"en": why_en, "fa": why_fa})
        found.setdefault(entry, []).append(sound)
    return found


def _faults(entry: Entry, lang: str) -> Iterator[Exercise]:
    """Yield the passages to judge, alternating between wrong and sound ones."""
    wrong = [
        each
        for each in entry.annotations
        if each.verdict in _FAULTS and each.target.role == "source" and not each.repeats
    ]
    sound = sound_passages().get(entry.id, ())
    for fault, right in zip_longest(wrong, sound):
        made = _fault(entry, fault, lang) if fault else None
        yield from filter(None, (made, _sound(entry, right, lang) if right else None))


def _fault(entry: Entry, annotation: Annotation, lang: str) -> Exercise | None:
    for spoken in dict.fromkeys((lang, annotation.target.lang)):
        span = span_in(entry, annotation, "source", spoken)
        if span is not None and spoken in annotation.note:
            break
    else:
        return None
    text = entry.text("source", spoken)
    passage = sentence_at(text, *span)
    if _POINTS_BACK.match(passage):
        passage = sentence_at(text, max(text.index(passage) - 2, 0), span[1])
    return Exercise(
        entry.id, f"fault:{annotation.id}", "fault", spoken, asked_in(entry, spoken)[1],
        annotation.note[spoken], passage, annotation=annotation,
        shown=_digest(annotation.verdict, annotation.target.quote),
    )  # fmt: skip


def _sound(entry: Entry, sound: Sound, lang: str) -> Exercise | None:
    spoken = next((e for e in (lang, "en") if _stands(sound.texts.get(e), entry, e)), None)
    if spoken is None:
        return None
    passage = sound.texts[spoken]
    return Exercise(
        entry.id, f"fault:{short_digest(sound.texts['en'])[:12]}", "fault", spoken,
        asked_in(entry, spoken)[1], "", passage, sound.reasons[spoken],
        shown=_digest("sound", sound.texts["en"]),
    )  # fmt: skip


def _stands(passage: str | None, entry: Entry, lang: str) -> bool:
    """Return whether a passage is in the source's answer and has no mistake."""
    at = entry.text("source", lang).find(passage) if passage else -1
    if passage is None or at < 0:
        return False
    spans = (span_in(entry, each, "source", lang) for each in entry.annotations)
    return not any(span and span[0] < at + len(passage) and at < span[1] for span in spans)


def sentence_at(text: str, start: int, end: int) -> str:
    """Return a span extended to whole sentences.

    >>> text = "It is so. The cost is O(n), as 1.5 shows. It is not."
    >>> sentence_at(text, 19, 24)
    'The cost is O(n), as 1.5 shows.'
    """
    while start and not (text[start - 1] in _STOPS and text[start : start + 1].isspace()):
        start -= 1
    while end < len(text) and not (text[end - 1] in _STOPS and text[end : end + 1].isspace()):
        end += 1
    return text[start:end].strip()


# Predict: a figure that a program measures, hidden in what is said of it.


HIDDEN = "[?]"
"""The mark of the figure to predict."""

_REASONED = ("counted", "")
_SMALL = 10
_ROUNDED = 0.006
"""The maximum relative difference between a figure and its rounded number in a note."""

_OF_DRAWS = ("_lowest", "_highest", "_median", "_draws")
"""The suffixes of figures that summarize random draws."""


def _predicted(entry: Entry, lang: str) -> Iterator[Exercise]:
    """Yield the figures that can be predicted."""
    snippets = {each.id: each for each in entry.snippets}
    for annotation in entry.annotations:
        for evidence in annotation.evidence:
            if not _is_reasoned(entry, annotation, evidence):
                continue
            hidden = {key: _hide(note, key, evidence) for key, note in annotation.note.items()}
            texts = {key: text for key, text in hidden.items() if text}
            if not texts:
                continue
            spoken = best_language(texts, lang)
            yield Exercise(
                entry.id, f"predict:{annotation.id}:{evidence.figure}", "predict", spoken,
                asked_in(entry, spoken)[1], annotation.note[spoken], texts[spoken],
                annotation=annotation, evidence=evidence, snippet=snippets[evidence.snippet],
                shown=_digest(evidence.figure, evidence.expected),
            )  # fmt: skip


def with_other_values(exercise: Exercise, times: int) -> Exercise:
    """Return a prediction that was asked so many ``times`` with other values of its parameters.

    At first it is asked as the annotation says it.
    """
    if exercise.snippet is None or exercise.evidence is None or not times:
        return exercise
    seed = f"{exercise.entry}\n{exercise.key}\n{times}"
    values = drawn(exercise.snippet.code, seed)
    code = with_values(exercise.snippet.code, values) if values else None
    return exercise._replace(values=values, code=code)


def _is_reasoned(entry: Entry, annotation: Annotation, evidence: Evidence) -> bool:
    """Return whether reasoning gives a figure that neither a definition nor another note says."""
    counted = evidence.basis in _REASONED and not evidence.figure.endswith(_OF_DRAWS)
    return (
        evidence.basis != "definition"
        and (counted or evidence.claimed is not None)
        and not annotation.repeats
        and any(each.id == evidence.snippet for each in entry.snippets)
    )


def _hide(note: str, lang: str, evidence: Evidence) -> str:
    """Return a note with a figure hidden everywhere; nothing if that is uncertain.

    A small whole number may mean something else, so it is hidden only if it occurs once. So may
    "no", "once" and an exponent.
    """
    numbers = _numbers(note, lang)
    exact = [each for each in numbers if _tells(each, evidence.expected, 0)]
    found = exact or [each for each in numbers if _tells(each, evidence.expected, _ROUNDED)]
    small = evidence.expected.is_integer() and abs(evidence.expected) <= _SMALL
    said = (note[each.start : each.end] for each in found)
    words = (each for each in said if not any(map(str.isdecimal, each)))
    vague = any(abs(evidence.expected) <= 1 or each.isdigit() for each in words)
    if not found or vague or (small and len(found) > 1):
        return ""
    shown, done = "", 0
    for item in found:
        if item.start >= done:
            shown += note[done : item.start] + HIDDEN
            done = item.end
    return shown + note[done:]


@lru_cache(512)
def _numbers(note: str, lang: str) -> Sequence[Item]:
    return find_numbers(read(note, lang))


def _tells(item: Item, expected: float, rounded: float) -> bool:
    values = map(float, item.keys)
    return any(abs(value - expected) <= rounded * abs(expected) for value in values)


def _digest(*shown: object) -> str:
    return short_digest(dumps(list(shown), indent=None))
