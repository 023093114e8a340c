"""How hard a question is, said in words or signs before or after it."""

from __future__ import annotations

import re
from typing import NamedTuple

from kb.exchange.questions.words import words

_EASY = words(
    "easy beginner beginners basic basics fundamental fundamentals elementary simple junior novice",
    "entry entry-level introductory آسان ساده مقدماتی مبتدی پایه ابتدایی лёгкий легкий",
)
_MEDIUM = words(
    "medium intermediate mid mid-level moderate middle normal average متوسط میانی средний",
)
_HARD = words(
    "hard advanced advance expert difficult senior challenging pro tough",
    "سخت دشوار پیشرفته حرفه‌ای خبره پیچیده сложный трудный",
)
WORDS = {
    word: level for level, many in zip("EMH", (_EASY, _MEDIUM, _HARD), strict=True) for word in many
}
_LETTERS = {"e": "E", "m": "M", "h": "H"}
_SIGNS = {"👶": "E", "🐣": "E", "🟢": "E", "🚀": "H", "🔴": "H", "🟡": "M", "🟠": "M", "⭐": "M"}
_JOINERS = "\u200c\u200d\ufe0f\ufe0e"
_SIGN = re.compile(rf"[{_JOINERS}]{{0,20}}[{''.join(_SIGNS)}★☆🌟]")
_RUN = rf"[{_JOINERS}]*(?:[{''.join(_SIGNS)}★☆🌟][{_JOINERS}\s]*)+"
_NAMES = "|".join(sorted(map(re.escape, {*WORDS, "e", "m", "h"}), key=len, reverse=True))
_LEVEL_WORD = r"(?:level|difficulty|سطح|درجه سختی|درجهٔ سختی|сложность)"
_BRACKET = re.compile(
    rf"[\[(（【]\s*[*_]*(?:{_LEVEL_WORD}\s*[:：]?\s*)?(?P<word>{_NAMES})(?:\s+{_LEVEL_WORD})?[*_]*\s*[\])）】]",
    re.IGNORECASE,
)
_ENDS = re.compile(
    rf"^(?P<a>[(\[]?{_RUN}[)\]]?\s*)|(?P<b>\s*(?:[(\[]\s*)?{_RUN}[)\]]?)(?P<tail>[*_:]*\s*)$"
)
_SAYS = re.compile(
    rf"^[\s>*_-]*{_LEVEL_WORD}[*_]*\s*[:：]\s*[*_]*\s*(?P<value>\S[^\n]{{0,40}}?)[*_.]*\s*$",
    re.IGNORECASE,
)
_HEADING = re.compile(
    rf"^(?:سوالات|سؤالات|پرسش‌های|سوال‌های|سطح|بخش|level\s*\d*\s*[:\-–]?)?\s*(?P<word>{_NAMES})"
    r"(?:[\s-]*(?:levels?|questions?|interview questions?|problems?|exercises?|cards?))*\s*[:：]?$",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"[\s*_:.\-–—|،,]*")


class Scale(NamedTuple):
    """What a star means in a file: one is a sign for medium, or more of them are harder."""

    most: int = 1


ONE_STAR = Scale()


def scale_of(text: str) -> Scale:
    """Return what stars mean in a text: counted where two stand together.

    >>> scale_of("Why? ⭐⭐"), scale_of("Why? ⭐️"), scale_of("Why? ★☆☆")
    (Scale(most=2), Scale(most=1), Scale(most=3))
    """
    runs = re.findall(rf"(?:[⭐★🌟☆][{_JOINERS}]*)+", text)
    return Scale(max((sum(map(each.count, "⭐★🌟☆")) for each in runs), default=1))


def split_level(text: str, scale: Scale = ONE_STAR) -> tuple[str | None, str]:
    """Return the level that a question names, and the question without it.

    >>> split_level("[E] What is a norm?"), split_level("نرم چیست؟ (سخت)")
    (('E', 'What is a norm?'), ('H', 'نرم چیست؟'))
    >>> split_level("Is it medium?"), split_level("What is a norm? 🚀")
    ((None, 'Is it medium?'), ('H', 'What is a norm?'))
    """
    for found in _BRACKET.finditer(text[:2000]):
        before, after = text[: found.start()], text[found.end() :]
        word = found["word"].casefold()
        if len(word) == 1 and text[found.start()] == "(" and not _BETWEEN.fullmatch(before):
            continue
        if _BETWEEN.fullmatch(before) or _BETWEEN.fullmatch(after):
            return WORDS.get(word) or _LETTERS[word], _joined(before, after)
    ends = _ENDS.search(text[-2000:] if len(text) > 2000 else text)
    if ends is None:
        return None, text
    run = ends["a"] or ends["b"]
    rest = (
        text.replace(run, "", 1) if ends["a"] else text[: len(text) - len(ends[0])] + ends["tail"]
    )
    return _of_signs(run, scale), rest.strip()


def _joined(before: str, after: str) -> str:
    """Return what stood around a level, without what bound it to the question."""
    if _BETWEEN.fullmatch(before):
        kept = "".join(re.findall(r"[*_]", before))
        return (kept + re.sub(r"^[\s:\-–—|،]+", "", after)).strip()
    return (re.sub(r"[\s:\-–—|،]+$", "", before) + after.strip()).strip()


def _of_signs(run: str, scale: Scale) -> str | None:
    stars = _stars(run)
    if stars and scale.most > 1:
        return "E" if stars * 5 <= scale.most * 2 else "M" if stars * 3 <= scale.most * 2 else "H"
    return next((level for sign, level in _SIGNS.items() if sign in run), "M" if stars else None)


def _stars(run: str) -> int:
    """Return how many stars are filled, or how many there are where none is."""
    return sum(run.count(star) for star in "⭐★🌟") or run.count("☆")


def level_of(text: str, scale: Scale = ONE_STAR) -> str | None:
    """Return the level that a text is, in a table, in front matter or after ``Level:``.

    >>> level_of("Fundamental"), level_of("سخت"), level_of("⭐⭐", Scale(3)), level_of("red")
    ('E', 'H', 'M', None)
    """
    bare = re.sub(r"[*_`()\[\]]", "", text).strip().casefold()
    found = WORDS.get(bare) or _LETTERS.get(bare)
    if found or not bare:
        return found
    if _SIGN.match(bare):
        return _of_signs(bare, scale)
    return next((WORDS[word] for word in re.findall(r"[\w-]+", bare)[:2] if word in WORDS), None)


def stated_level(line: str, scale: Scale = ONE_STAR) -> str | None:
    """Return the level of a line that says nothing else.

    >>> stated_level("**Difficulty:** Easy"), stated_level("سطح: متوسط"), stated_level("Level up")
    ('E', 'M', None)
    """
    found = _SAYS.match(line[:200])
    return level_of(found["value"], scale) if found else None


def heading_level(text: str) -> str | None:
    """Return the level that a heading gives to all below it.

    >>> heading_level("Beginner level"), heading_level("Advanced topics"), heading_level("آسان")
    ('E', None, 'E')
    """
    found = _HEADING.match(text[:200].strip("*_# \t👶⭐🚀\ufe0f🟢🟡🔴"))
    word = found["word"].casefold() if found else ""
    return WORDS.get(word)
