"""What is told of a drift: one sentence, with both places and the words that stand alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from kb.content.drift.alignment import Counterparts, counterparts_of
from kb.content.drift.alike import ALIKE, Alike, alarm_of
from kb.content.drift.compare import Drift, drifts
from kb.content.drift.pairs import LANGS, Pair
from kb.content.drift.reading import read
from kb.content.glossary import read_glossary
from kb.content.location import GLOSSARY_FILE, VOCABULARY_FILE, bundled_folder
from kb.content.mistakes import Mistakes
from kb.content.vocabulary import read_vocabulary
from kb.errors import BadData, Message
from kb.records import Concept

_NAMES = {"en": "English", "fa": "Persian"}
_HINT = Message("Let both say the same, or say in {alike} why they do.", alike=ALIKE)


class Known(NamedTuple):
    """What is known of a folder's alarms, and where those that are not are reported."""

    alike: Mapping[Alike, str]
    mistakes: Mistakes


def advise_drift(pairs: Sequence[Pair], folder: Known, glossary: Sequence[Concept]) -> None:
    """Report as advice what the texts of each pair do not share, but for alarms that are known.

    Which stretches say the same is told by the words of a folder's own glossary and of the
    bundled one, too. A known alarm that no text gives any more is told.
    """
    counterparts = counterparts_for(tuple(glossary)) if pairs else {}
    given = set()
    for pair in pairs:
        one, other = read(pair.one.text, LANGS[0]), read(pair.other.text, LANGS[1])
        for drift in drifts(one, other, counterparts):
            alarm = alarm_of(pair, drift)
            given.add(alarm)
            if alarm not in folder.alike:
                folder.mistakes.advise(BadData(sentence(pair, drift), _HINT))
    for alarm, place in folder.alike.items():
        if alarm not in given:
            folder.mistakes.advise(
                BadData(
                    "nothing points at '{words}' any more",
                    "Leave the line out.",
                    place=place,
                    words=alarm.words,
                )
            )


def counterparts_for(glossary: Sequence[Concept]) -> Counterparts:
    """Return the words that say the same, in a folder with a glossary of its own."""
    return counterparts_of((*_bundled(), *glossary), LANGS)


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
def _bundled() -> tuple[Concept, ...]:
    folder: Path = bundled_folder()
    return (
        *read_glossary(folder / GLOSSARY_FILE, Mistakes()),
        *read_vocabulary(folder / VOCABULARY_FILE, Mistakes()),
    )
