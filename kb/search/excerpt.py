"""The excerpt of a match, in original spelling with marked words."""

from __future__ import annotations

import re
import unicodedata
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from kb.errors import DeadlineExceeded
from kb.model.results import Excerpt
from kb.search.rerank import TELLING, Wanted
from kb.text.analyzer import LONGEST, Word, analyze, analyzed, chunks_of, words_of
from kb.text.fold import fold, without_accents
from kb.text.languages import right_to_left
from kb.work import Budget

_LENGTH = 160
_LEAD = 40
_SENTENCE = 100  # a sentence that begins farther before what matched is cut

# Units of work: a page, each passage of it, the marks of one. A letter that is looked at is one.
A_PAGE, A_PASSAGE, _MARKED = 20_000, 1_000, 10_000
_A_LETTER = 2  # at most, where words are short
# Prose comes first, and what is read more seldom only if it holds more of the query.
_PROSE = ("source", "reference", "question", "wording", "notes")
_OTHER = ("keywords", "code")  # shown where nothing that tells stands in prose
_BLANKS = str.maketrans("\n\r\t\v\f\x85\u2028\u2029", "        ")


def marks(text: str, lang: str, marker: Marker, budget: Budget) -> tuple[tuple[int, int], ...]:
    """Return the matching spans of ``text`` in order, without overlap, within the budget.

    >>> wanted = Wanted({"matrix": 0}, {}, 1)
    >>> marks("Ill-conditioned matrices", "en", Marker(wanted), Budget(1000))
    ((16, 24),)
    """
    # In this many letters there are about as many words as the budget is for.
    return _apart(list(marker.matches(text, lang, budget, 0, int(budget.left))))


def excerpt(
    texts: Mapping[str, str | None],
    lang: str,
    marker: Marker,
    budget: Budget,
    within: int | None = None,
) -> Excerpt:
    """Return the excerpt of about 160 characters with the most query words, by rarity.

    Function words count only without other words, and to choose between equal passages.

    ``texts`` has the texts of a document by column. ``within`` limits how many characters of each
    are read, from the first place with a wanted spelling. The same happens if the budget is too
    small for a whole text. Offsets are characters of the excerpt.
    """
    wanted = marker.wanted
    best, most = "", 0
    window: Sequence[Match] = ()
    for name in (*_PROSE, *_OTHER):
        text, held = texts.get(name), {match.word for match in window}
        if name in _OTHER and any(map(wanted.tells, held)):
            break
        if not text or (window and not _may_hold_more(text, wanted, held)):
            continue
        if within is None and not budget.affords(_A_LETTER * len(text)):
            within = int(budget.left)
        matches = marker.matches(text, lang, budget, *_chunk(text, wanted, within))
        found, weight = _best_window(matches, wanted)
        if weight > most:
            best, window, most = text, found, weight
    text = best or texts.get("question") or texts.get("source") or ""
    return _cut(text, lang, window, marker)


def place_in(text: str, passage: Excerpt) -> int | None:
    """Return where the first match of a passage stands in a text, or its beginning, if there.

    >>> place_in("x a b\\nc", Excerpt("a b c", ((4, 5),))), place_in("x", Excerpt("a", ()))
    (6, None)
    """
    found = re.search(r"\s".join(map(re.escape, passage.text.split(" "))), text)
    return found and found.start() + (passage.marks[0][0] if passage.marks else 0)


def _may_hold_more(text: str, wanted: Wanted, held: set[int]) -> bool:
    """Return whether a text may contain a missing content word; faster than analysis.

    If no such word was found so far, it is analyzed; otherwise its spelling decides.
    """
    if not any(map(wanted.tells, held)):
        return True
    plain = _plain(text)
    forms = (*wanted.terms.items(), *wanted.prefixes.items())
    return any(
        term in plain for term, number in forms if number not in held and wanted.tells(number)
    )


def _chunk(text: str, wanted: Wanted, within: int | None) -> tuple[int, int]:
    """Return the part of a text to search: all of it, or from the likeliest place."""
    if within is None:
        return 0, len(text)
    forms = {**wanted.terms, **wanted.prefixes}
    telling = [term for term, number in forms.items() if wanted.tells(number)]
    plain = _plain(text)
    any_of = "|".join(map(re.escape, telling))
    # A word that begins so is likelier than one that has it within.
    found = re.search(rf"(?<![^\W_])(?:{any_of})", plain) or re.search(any_of, plain)
    first = found.start() if found else 0
    blank = max(text.rfind(" ", 0, first), text.rfind("\n", 0, first))
    return blank + 1, blank + 1 + within


class _Letters(dict[int, str]):
    """Letters as terms have them, one for each, so that places stay the same."""

    def __missing__(self, code: int) -> str:
        self[code] = letter = (without_accents(fold(chr(code))) or chr(code))[0]
        return letter


_LETTERS = _Letters()


def _plain(text: str) -> str:
    """Return a text with its letters as terms have them.

    >>> _plain("Über كِتاب")
    'uber کِتاب'
    """
    return text.lower() if text.isascii() else text.translate(_LETTERS)


def _best_window(matches: Iterator[Match], wanted: Wanted) -> tuple[Sequence[Match], int]:
    """Return the chunk's best matches by weight, and their weight; the first of equals.

    If all content words are in it, later text is not examined.
    """
    best: Sequence[Match] = ()
    window: deque[Match] = deque()
    often: dict[int, int] = {}
    weights = wanted.weights.get
    most = weight = telling = 0
    for match in matches:
        while window and window[0].start < match.end - (_LENGTH - _LEAD):
            word = window.popleft().word
            often[word] -= 1
            if not often[word]:
                counts = weights(word, TELLING)
                weight -= counts
                telling -= counts >= TELLING
        window.append(match)
        often[match.word] = often.get(match.word, 0) + 1
        if often[match.word] == 1:
            counts = weights(match.word, TELLING)
            weight += counts
            telling += counts >= TELLING
            if weight > most:
                best, most = tuple(window), weight
                if telling >= wanted.words:
                    break
    return best, most


def _cut(text: str, lang: str, window: Sequence[Match], marker: Marker) -> Excerpt:
    """Cut the excerpt around the window, from the start of its sentence, and mark matches."""
    first, last = (window[0].start, window[-1].end) if window else (0, 0)
    start = sentence_start(text, first, max(0, first - _SENTENCE))
    if start is None:
        start = cut_after(text, first - _LEAD, lang, first)
    end = cut_before(text, max(last, start + _LENGTH), lang, last)
    passage = text[start:end].strip().translate(_BLANKS)
    return Excerpt(passage, marks(passage, lang, marker, Budget(_MARKED)) if window else ())


def _apart(matches: Sequence[Match]) -> tuple[tuple[int, int], ...]:
    """Merge overlapping spans."""
    merged: list[tuple[int, int]] = []
    for start, end, _ in matches:
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return tuple(merged)


# Where a passage may be cut out of a text: at a blank, and never inside what is one piece.
#
# Words between blanks stay whole, and so does a run of words against the direction of the
# text (English terms in a Persian sentence), whose halves would change places on the
# screen. A text without blanks is cut between graphemes.


# A full stop before a small letter ends an abbreviation.
_SENTENCE_END = re.compile(r"[.!?؟…]++[\"'”’»)\]]*+\s++(?![a-z])|\n[^\S\n]*+\n\s*+")
_JOINERS = "\u200c\u200d"


def cut_before(text: str, place: int, lang: str, least: int) -> int:
    """Return the last position up to ``place``, not below ``least``, where an excerpt may end.

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
    """Return the first position from ``place``, not above ``most``, where one may begin.

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


def sentence_start(text: str, place: int, least: int) -> int | None:
    """Return the start of the sentence at ``place``; nothing if it is below ``least``.

    >>> text = 'Is it so? "Yes." That is (e.g. here) all.'
    >>> text[sentence_start(text, 30, 0) :]
    'That is (e.g. here) all.'
    """
    before = text[least:place]
    ends = [end.end() for end in _SENTENCE_END.finditer(before)]
    if ends:
        return least + ends[-1]
    return None if least else len(text) - len(text.lstrip())


def _last_blank(text: str, place: int) -> int:
    """Return the last space up to a place, after the first word, or 0.

    >>> _last_blank("ab cd ef", 5), _last_blank("ab cd ef", 4), _last_blank(" ab", 2)
    (5, 2, 0)
    """
    start = len(text) - len(text.lstrip())
    return max((at for at in range(start + 1, place + 1) if text[at].isspace()), default=0)


def _without_blanks(text: str, start: int, end: int) -> bool:
    return not any(map(str.isspace, text[start:end]))


def _inside_run(text: str, blank: int, lang: str) -> bool:
    """Return whether a space is within a run against the text's direction."""
    against = "L" if lang in right_to_left() else "R"
    return _direction(text[blank::-1]) == against == _direction(text[blank:])


def _direction(text: str) -> str:
    """Return the direction of a text's first letter: L, R, or nothing."""
    for char in text:
        kind = unicodedata.bidirectional(char)
        if kind in ("L", "R", "AL"):
            return kind[0].replace("A", "R")
    return ""


def _whole_grapheme(text: str, place: int) -> int:
    """Return the nearest place at or before ``place`` that does not split a grapheme.

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


# What of a text matches a query, as it is written there.


# Units of work: a word that is looked at, each beginning that it is compared with, and a match.
_WORD, _PREFIX, _MATCH = 6.0, 0.3, 12.0


class Match(NamedTuple):
    """A span of a text that matches a query word, by the word's number."""

    start: int
    end: int
    word: int


class Marker:
    """Finds the wanted words in texts."""

    def __init__(self, wanted: Wanted) -> None:
        self.wanted = wanted
        self._word = _WORD + _PREFIX * len(wanted.prefixes)

    def matches(
        self, text: str, lang: str, budget: Budget, start: int = 0, end: int | None = None
    ) -> Iterator[Match]:
        """Yield the matches in a text in order, within the budget.

        ``start`` and ``end`` limit the search; a word begins at ``start``.
        """
        known, at, unspent = analyzed(lang), start, 0
        with suppress(DeadlineExceeded):
            for each in chunks_of(text[start:end], lang):
                at = text.index(each, at)
                chunk = known[each] if len(each) <= LONGEST else None
                if chunk is None or self.wanted.any_of(chunk.stems + chunk.forms):
                    for word in analyze(each, lang) if chunk is None else words_of(each, lang):
                        self._count(unspent + 1, budget)
                        unspent = 0
                        found = self._marked(word)
                        if found:
                            budget.spend(_MATCH)
                        yield from (Match(at + s, at + e, number) for s, e, number in found)
                else:
                    unspent += chunk.words
                at += len(each)
            self._count(unspent, budget)

    def _count(self, words: int, budget: Budget) -> None:
        """Count examined words, up to one more than the budget allows."""
        budget.spend(self._word * min(words, int(budget.left / self._word) + 1))

    def _marked(self, word: Word) -> list[Match]:
        terms = sorted((t.start, t.end, t.text) for t in (*word.terms, *word.forms))
        numbered = ((start, end, self.wanted.word_of(text)) for start, end, text in terms)
        return [Match(start, end, n) for start, end, n in numbered if n is not None]
