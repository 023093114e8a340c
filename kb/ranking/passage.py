"""Where a passage may be cut out of a text: at a blank, and never inside what belongs together.

Words between blanks stay whole, and so does a run of words against the direction of the
text (English terms in a Persian sentence), whose halves would change places on the
screen. A text without blanks is cut between graphemes.
"""

from __future__ import annotations

import re
import unicodedata

from kb.text.languages import right_to_left

# A full stop before a small letter ends an abbreviation.
_SENTENCE_END = re.compile(r"[.!?؟…]++[\"'”’»)\]]*+\s++(?![a-z])|\n[^\S\n]*+\n\s*+")
_JOINERS = "\u200c\u200d"


def cut_before(text: str, place: int, lang: str, least: int) -> int:
    """Return the last place up to ``place`` where a passage may end, but not below ``least``.

    >>> text = "روش gradient descent ساده است"
    >>> text[: cut_before(text, 15, "fa", 2)]
    'روش'
    """
    if place >= len(text):
        return len(text)
    for end in range(place, least, -1):
        if text[end].isspace() and not _inside_run(text, end, lang):
            return end
    # Where nothing matched and all is one run, some of it is more than nothing.
    least = least or _last_blank(text, place)
    return _whole_grapheme(text, place if _without_blanks(text, least, place) else least)


def cut_after(text: str, place: int, lang: str, most: int) -> int:
    """Return the first place from ``place`` on where a passage may begin, but not above ``most``.

    >>> text = "روش gradient descent ساده است"
    >>> text[cut_after(text, 6, "fa", 25) :]
    'ساده است'
    """
    if place <= 0:
        return 0
    for start in range(place, most):
        if text[start - 1].isspace() and not _inside_run(text, start - 1, lang):
            return start
    return _whole_grapheme(text, place if _without_blanks(text, place, most) else most)


def sentence_start(text: str, place: int, least: int = 0) -> int | None:
    """Return where the sentence begins that holds ``place``; nothing where that is below ``least``.

    >>> text = 'Is it so? "Yes." That is (e.g. here) all.'
    >>> text[sentence_start(text, 30) :]
    'That is (e.g. here) all.'
    """
    before = text[least:place]
    ends = [end.end() for end in _SENTENCE_END.finditer(before)]
    if ends:
        return least + ends[-1]
    return None if least else len(text) - len(text.lstrip())


def _last_blank(text: str, place: int) -> int:
    """Return the last blank up to a place, but not before the first word, or 0."""
    start = len(text) - len(text.lstrip())
    return max((at for at in range(start + 1, place + 1) if text[at].isspace()), default=0)


def _without_blanks(text: str, start: int, end: int) -> bool:
    return not any(map(str.isspace, text[start:end]))


def _inside_run(text: str, blank: int, lang: str) -> bool:
    """Say whether the letters on both sides of a blank go against the text's direction."""
    against = "L" if lang in right_to_left() else "R"
    return _direction(text[blank::-1]) == against == _direction(text[blank:])


def _direction(text: str) -> str:
    """Return the direction of the first letter of a text: L, R, or nothing."""
    for char in text:
        kind = unicodedata.bidirectional(char)
        if kind in ("L", "R", "AL"):
            return kind[0].replace("A", "R")
    return ""


def _whole_grapheme(text: str, place: int) -> int:
    """Return the nearest place at or before ``place`` that parts no letter from its marks.

    >>> _whole_grapheme("ab\\u200dc", 3), _whole_grapheme("e\\u0301a", 1), _whole_grapheme("abc", 2)
    (1, 0, 2)
    """
    while 0 < place < len(text) and (
        unicodedata.category(text[place])[0] == "M"
        or text[place] in _JOINERS
        or text[place - 1] in _JOINERS
    ):
        place -= 1
    return place
