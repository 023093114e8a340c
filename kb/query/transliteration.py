"""Persian written in Latin letters, as people type it who have no Persian keyboard.

Each Latin letter or pair of letters stands for several Persian ones, and short vowels
for none. The spellings are tried letter by letter against the words that are indexed:
a beginning that no word has is given up at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

PAIRS = {
    "sh": "ش", "ch": "چ", "zh": "ژ", "kh": "خ", "gh": "قغ", "oo": "و", "ou": "و", "ow": "و",
    "ee": "ی", "aa": "ا", "ei": "ی", "ey": "ی", "ck": "ک", "ph": "ف", "th": "تث",
}  # fmt: skip
CONSONANTS = {
    "b": "ب", "p": "پ", "t": "تط", "s": "سصث", "j": "ج", "c": "کس", "d": "د", "z": "زضذظ",
    "r": "ر", "f": "ف", "q": "قغ", "k": "ک", "g": "گ", "l": "ل", "m": "م", "n": "ن", "v": "و",
    "w": "و", "h": "هح", "y": "ی", "x": "خ", "'": "ع",
}  # fmt: skip
VOWELS = {"a": ("", "ا", "ع", "عا"), "e": ("", "ع"), "o": ("", "و", "ع"), "i": ("ی",), "u": ("و",)}
FIRST_VOWELS = {
    "a": ("ا", "ع", "عا"), "e": ("ا", "ع"), "o": ("ا", "او", "ع"), "i": ("ای", "عی"),
    "u": ("او", "یو"),
}  # fmt: skip
LAST_VOWELS = {"a": ("ا", "ه"), "e": ("ه", ""), "o": ("و", ""), "i": ("ی",), "u": ("و",)}
_LONGEST = 24
_MOST_TRIED = 500

Begins = Callable[[str], bool]


def spellings(word: str, begins: Begins) -> list[str]:
    """Return the Persian spellings of a Latin word that are beginnings of indexed words.

    ``begins`` says whether any indexed word begins so; what it denies is not followed.

    >>> known = {"شبکه", "شب"}
    >>> spellings("shabake", lambda start: any(word.startswith(start) for word in known))
    ['شبکه', 'شبک']
    """
    letters = word.casefold()
    if not letters.isascii() or not letters.replace("'", "").isalpha() or len(letters) > _LONGEST:
        return []
    found: dict[str, None] = {}
    tried = 0
    waiting = [("", 0)]
    while waiting and tried < _MOST_TRIED:
        spelled, place = waiting.pop()
        if place == len(letters):
            found[spelled] = None
            continue
        for taken, persian in reversed(list(_choices(letters, place))):
            tried += 1
            if not persian or begins(spelled + persian):
                waiting.append((spelled + persian, place + taken))
    return [spelled for spelled in found if len(spelled) > 1]


def _choices(letters: str, place: int) -> Iterator[tuple[int, str]]:
    """Yield how many letters are taken and what they may stand for, the likeliest first."""
    pair = letters[place : place + 2]
    for persian in PAIRS.get(pair, ""):
        yield 2, persian
    letter = letters[place]
    if letter in VOWELS:
        last = place == len(letters) - 1
        options = FIRST_VOWELS if not place else LAST_VOWELS if last else VOWELS
        yield from ((1, persian) for persian in options[letter])
        return
    doubled = 2 if len(pair) == 2 and pair[0] == pair[1] else 1
    yield from ((doubled, persian) for persian in CONSONANTS.get(letter, ""))
