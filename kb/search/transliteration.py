"""Persian in Latin letters, for readers without a Persian keyboard.

Each Latin letter or pair stands for several Persian letters, and short vowels for none. Spellings
are tried letter by letter against the indexed words, and abandoned when no word has that prefix.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from kb.model.entry import Name
from kb.search.fallbacks import MOST_UNKNOWN
from kb.search.lexicon import Lexicon
from kb.search.parser import Keyword, Node, positive_texts
from kb.search.translation import Key, Names, key_of
from kb.text.consonants import LEAST, apart, consonant_keys_like
from kb.text.fold import fold, script
from kb.text.languages import default_language
from kb.text.quotation import shared_length

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
_LONGEST_NAME = 24
_MOST_TRIED = 500

Begins = Callable[[str], bool]


def spellings(word: str, begins: Begins) -> list[str]:
    """Return the Persian spellings of a Latin word that are prefixes of indexed words.

    ``begins`` returns whether any indexed word has a prefix; others are not continued.

    >>> known = {"شبکه", "شب"}
    >>> spellings("shabake", lambda start: any(word.startswith(start) for word in known))
    ['شبکه', 'شبک']
    """
    letters = word.casefold()
    plain = letters.isascii() and letters.replace("'", "").isalpha()
    if not plain or len(letters) > _LONGEST_NAME:
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
    """Yield the number of letters read and their possible Persian letters, likeliest first."""
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


# Names that are nowhere as they were typed, by the words that are spellings of the same name.
#
# No dictionary has all names. A word that is indexed, or that the glossary knows by another name
# that is, is taken as it stands; so is one that a fallback reads letter by letter.


MOST = 4
"""The maximum number of spellings of a name."""

_MOST_SEEN = 200
_COMPARED = 40.0
"""The cost of comparing two words, in units of work."""

_FARTHEST = {LEAST: 0.0, LEAST + 1: 1.0}
_FARTHEST_OF_MANY = 1.5
"""The maximum distance of vowels: smaller with few consonants, which many words share."""

_ABOUT = 1.0
"""Spellings that are only this much farther than the nearest are used, too."""


def spelled_alike(node: Node, lexicon: Lexicon, known: Names) -> Mapping[Key, Sequence[Name]]:
    """Return, for each unknown word of a tree, the indexed words that spell its name.

    ``known`` are the glossary's names for texts of the tree.
    """
    words = [text.text for text in positive_texts(node) if isinstance(text, Keyword)]
    unknown = [word for word in words if not lexicon.knows(word)]
    if len(unknown) > MOST_UNKNOWN:
        return {}
    found = {
        key_of(word): [Name(each, default_language(each)) for each in spelled(word, lexicon)]
        for word in unknown
        if not any(lexicon.knows(name.name) for name in known.get(key_of(word), ()))
    }
    return {key: names for key, names in found.items() if names}


def spelled(word: str, lexicon: Lexicon) -> list[str]:
    """Return the indexed spellings of a name, nearest and most frequent first."""
    folded = fold(word)
    wanted = consonant_keys_like(folded)
    if not wanted:
        return []
    if script(folded) == "latin" and any(map(lexicon.frequency, spellings(folded, lexicon.begins))):
        return []  # Persian in Latin letters
    terms = lexicon.like(sorted(wanted), _MOST_SEEN)
    lexicon.budget.spend(len(terms) * _COMPARED)
    far = {term: apart(folded, term) for term in terms if not _is_slip(folded, term)}
    near = min(far.values(), default=0.0) + _ABOUT
    # A letter for a vowel is not a consonant.
    farthest = _FARTHEST.get(min(map(len, wanted)) - 1, _FARTHEST_OF_MANY)
    held = [term for term in far if far[term] <= min(near, farthest)]
    return sorted(held, key=lambda each: (far[each], -lexicon.frequency(each), each))[:MOST]


def _is_slip(word: str, term: str) -> bool:
    """Return whether a word of the same alphabet differs by one letter only."""
    if script(word) != script(term):
        return False
    short, long = sorted((word, term), key=len)
    same = shared_length(short, long)
    rest = long[same + 1 :]
    return rest == short[same:] if len(long) > len(short) else rest == short[same + 1 :]
