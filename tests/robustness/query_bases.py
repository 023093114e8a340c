"""Bases that queries are tried on: the bundled one, and one of many entries made from its words.

The second is the same wherever it is made. Its words follow Zipf's law, as those of any text;
half of its entries are English, half Persian, and a few are as long as a book's chapter.
"""

from __future__ import annotations

import json
import random
import re
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

from kb import open_library
from kb.content.bundled import bundled_folder

MANY = 20_000
LANGUAGES = ("en", "fa")
_SOUNDS = {
    "en": (tuple("bdfgklmnprstvz"), ("a", "e", "i", "o", "u", "ai", "er", "on")),
    "fa": (tuple("بتجدرزسشقکلمنپ"), ("", "ا", "ی", "و")),
}
_WORDS = {"en": re.compile(r"[a-z]{2,}"), "fa": re.compile("[ء-ی\u200c]{2,}")}
_INVENTED = 30_000
_USUAL, _CHAPTER = (15, 90), 12_000
_LONG_EVERY = 1_000
_LEVELS = ("E", "M", "H")


class Vocabulary(NamedTuple):
    """Words of a language, the commonest first, and the weight of each and of all before it."""

    words: Sequence[str]
    weights: Sequence[float]

    def take(self, chance: random.Random, count: int) -> list[str]:
        """Return so many words as a text has them."""
        return chance.choices(self.words, cum_weights=self.weights, k=count)


@cache
def vocabulary(lang: str) -> Vocabulary:
    """Return the words of the bundled texts in a language, then invented ones."""
    chance = random.Random(f"words {lang}")
    words = list(dict.fromkeys([*_bundled(lang), *_invented(lang, chance)]))
    return Vocabulary(words, list(accumulate(1 / (place + 3) for place in range(len(words)))))


def bundled(folder: Path) -> Path:
    """Make a base of the bundled content in a folder; return its file."""
    path = folder / "bundled.db"
    open_library(path).close()
    return path


def made(folder: Path, entries: int) -> Path:
    """Make a base of so many entries in a folder; return its file."""
    path = folder / f"made-{entries}.db"
    with tempfile.TemporaryDirectory() as scratch, open_library(path) as library:
        file = Path(scratch) / "made.jsonl"
        rows = (json.dumps(entry, ensure_ascii=False) for entry in _entries(entries))
        file.write_text("\n".join(rows), encoding="utf-8")
        library.import_file(file, collection="made")
    return path


def _entries(count: int) -> Iterator[dict[str, object]]:
    chance = random.Random("entries")
    for number in range(count):
        lang = LANGUAGES[number % 2]
        length = chance.randint(*_USUAL) if number % _LONG_EVERY else _CHAPTER
        yield {
            "id": f"{chance.choice(vocabulary(lang).words)}-{number}",
            "lang": lang,
            "title": " ".join(vocabulary(lang).take(chance, chance.randint(2, 9))),
            "text": _text(chance, lang, length),
            "level": chance.choice(_LEVELS),
            "tags": [f"tag{chance.randint(0, 3_000)}" for _ in range(chance.randint(0, 3))],
        }


def _text(chance: random.Random, lang: str, length: int) -> str:
    """Return sentences of words, a few of the other language among them."""
    other = LANGUAGES[1 - LANGUAGES.index(lang)]
    words = vocabulary(lang).take(chance, length)
    for _ in range(length // 20):
        words[chance.randrange(length)] = chance.choice(vocabulary(other).words[:500])
    ends = range(12, length, 12)
    for end in ends:
        words[end] += "."
    return " ".join(words)


def _bundled(lang: str) -> list[str]:
    """Return the words of the bundled texts that are in a language's letters, commonest first."""
    files = sorted(bundled_folder().rglob("*.t[ox][mt]*"))
    texts = (file.read_text(encoding="utf-8") for file in files)
    counted = Counter(word for text in texts for word in _WORDS[lang].findall(text.lower()))
    return [word for word, _ in sorted(counted.items(), key=lambda each: (-each[1], each[0]))]


def _invented(lang: str, chance: random.Random) -> list[str]:
    consonants, vowels = _SOUNDS[lang]
    return [
        "".join(
            chance.choice(consonants) + chance.choice(vowels) for _ in range(chance.randint(2, 4))
        )
        for _ in range(_INVENTED)
    ]
