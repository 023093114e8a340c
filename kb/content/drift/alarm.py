"""What is told of a drift: one sentence, with both places and the words that stand alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from kb.content.drift.alike import ALIKE, Alike, alarm_of
from kb.content.drift.compare import Drift, aligned, drifts, usage_in
from kb.content.drift.lexicon import NOTHING, Lexicon, lexicon_of
from kb.content.drift.pairs import LANGS, Pair
from kb.content.drift.reading import Reading, read
from kb.content.drift.usage import Key, Usage
from kb.content.glossary import read_glossary
from kb.content.location import GLOSSARY_FILE, VOCABULARY_FILE, bundled_folder
from kb.content.mistakes import Mistakes
from kb.content.vocabulary import read_vocabulary
from kb.errors import BadData
from kb.records import Concept

_NAMES = {"en": "English", "fa": "Persian"}
_HINT = f"Let both say the same, or say in {ALIKE} why they do."
_OVER = "Leave the line out."


class Known(NamedTuple):
    """What is known of a folder's alarms, and where those that are not are reported."""

    alike: Mapping[Alike, str]
    mistakes: Mistakes


Texts = tuple[tuple[str, str], ...]
"""Texts in the first and the second language."""


def advise_drift(
    pairs: Sequence[Pair],
    around: Callable[[], Texts],
    folder: Known,
    glossary: Sequence[Concept],
) -> None:
    """Report as advice what the texts of each pair do not share, but for alarms that are known.

    Terms are those of a folder's own glossary and of the bundled one; how reliably those that
    stand alone are told is learned from the texts ``around``, too. A known alarm that no text
    gives any more is told.
    """
    lexicon = lexicon_for(tuple(glossary)) if pairs else NOTHING
    texts = tuple((pair.one.text, pair.other.text) for pair in pairs)
    given = set()
    for number, drift in compared(texts, lexicon, _learned(around)):
        alarm = alarm_of(pairs[number], drift)
        given.add(alarm)
        if alarm not in folder.alike:
            folder.mistakes.advise(BadData(sentence(pairs[number], drift), _HINT))
    for alarm, place in folder.alike.items():
        if alarm not in given:
            gone = f"{place}: nothing points at '{alarm.words}' any more"
            folder.mistakes.advise(BadData(gone, _OVER))


def compared(
    texts: Texts, lexicon: Lexicon, around: Callable[[frozenset[Key]], Usage]
) -> Iterator[tuple[int, Drift]]:
    """Yield the drifts of all texts of a folder, each with the number of its text.

    ``around`` returns how other texts tell the terms that stand alone.
    """
    pairs = [aligned(*_readings(said), lexicon) for said in texts]
    own = [usage_in(pair, lexicon) for pair in pairs]
    usage = around(frozenset().union(*(each.alone for each in own)))
    for each in own:
        usage.add(each)
    for number, pair in enumerate(pairs):
        for drift in drifts(pair, lexicon, usage.without(own[number])):
            yield number, drift


def _learned(texts: Callable[[], Texts]) -> Callable[[frozenset[Key]], Usage]:
    """Return what learns from texts, which are not asked for where no term stands alone."""
    return lambda keys: usage_around(texts(), keys) if keys else Usage()


def usage_around(texts: Texts, keys: frozenset[Key]) -> Usage:
    """Return how reliably texts tell some terms; one without any of them is not looked at."""
    lexicon, usage = lexicon_for(()), Usage()
    begins = {(lang, stems[0]) for lang, stems in keys}
    for said in texts:
        readings = _readings(said)
        if any((each.lang, word.stem) in begins for each in readings for word in each.words):
            usage.add(usage_in(aligned(*readings, lexicon), lexicon))
    return usage


def _readings(said: tuple[str, str]) -> tuple[Reading, Reading]:
    return read(said[0], LANGS[0]), read(said[1], LANGS[1])


def lexicon_for(glossary: tuple[Concept, ...]) -> Lexicon:
    """Return the words by which texts are compared, in a folder with a glossary of its own."""
    bundled, words = _bundled()
    return lexicon_of((*bundled, *(each for each in glossary if each not in bundled)), words, LANGS)


def sentence(pair: Pair, drift: Drift) -> str:
    """Return what is told of a drift: where both texts stand, and what each says alone.

    A place that has no words of its own is that of the stretch which should have them.
    """
    one, other = pair.one.place(*drift.bead.one), pair.other.place(*drift.bead.other)
    said = [
        _alone(words, lang) for lang, words in zip(LANGS, (drift.one, drift.other), strict=True)
    ]
    told = "; ".join(each for each in said if each)
    return f"{one} and {other}: {pair.name}: {drift.rule}: {told}"


def _alone(words: Sequence[str], lang: str) -> str:
    if not words:
        return ""
    listed = ", ".join(f"«{each}»" for each in words)
    absent = next(name for code, name in _NAMES.items() if code != lang)
    return f"{_NAMES[lang]} says {listed}, {absent} has nothing for it"


@lru_cache(maxsize=1)
def _bundled() -> tuple[tuple[Concept, ...], tuple[Concept, ...]]:
    folder: Path = bundled_folder()
    return (
        tuple(read_glossary(folder / GLOSSARY_FILE, Mistakes())),
        tuple(read_vocabulary(folder / VOCABULARY_FILE, Mistakes())),
    )
