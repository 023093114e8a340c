"""Changes of meaning made in one language of a text, from a seed: what a drift alarm must notice.

The words that are changed are declared here and nowhere taken from the rules that are measured.
A negation or a quantifier is dropped, a digit or a unit changed, a term of the glossary swapped
for another.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from kb.records import Concept

_FA = "آ-یٔ"
_IN_FA = rf"(?<![{_FA}\u200c])(?:{{}})(?![{_FA}\u200c])"
_IN_EN = r"\b(?:{})\b"


@dataclass(frozen=True, slots=True)
class Text:
    """A text in both languages."""

    name: str
    said: dict[str, str]


@dataclass(frozen=True, slots=True)
class Mutation:
    """A text of which one language was changed from ``start`` on."""

    kind: str
    text: Text
    lang: str
    start: int
    before: str
    after: str

    @property
    def said(self) -> dict[str, str]:
        """Both languages, with the change."""
        old = self.text.said[self.lang]
        new = old[: self.start] + self.after + old[self.start + len(self.before) :]
        return {**self.text.said, self.lang: new}


Change = tuple[int, str, str]
"""Where something stands, what it is, and what it becomes."""

_NOT = rf"(?<![{_FA}\u200c])ن"
_DENIED = (
    "(?=(?:باید|باشد|شود|شده|شد|دارد|دارند|کند|کنند|کرده|بود|بوده|خواهد|توان|داد|دهد|گیرد|رسد|گفته)"
    rf"(?![{_FA}]))"
)
_NEGATION: dict[str, Sequence[tuple[str, str]]] = {
    "en": [(r"(?<=\w)n['’]t", ""), (_IN_EN.format("cannot"), "can"), (r"\bnot ", ""),
           (r"\bno ", ""), (r"\bnever ", ""), (_IN_EN.format("without"), "with")],
    "fa": [(rf"(?<![{_FA}\u200c])نمی(?=\u200c[{_FA}])", "می"), (_IN_FA.format("نیست"), "است"),
           (_IN_FA.format("نیستند"), "هستند"), (_IN_FA.format("بدون"), "با"),
           (_IN_FA.format("نه "), ""),
           (_NOT + _DENIED, "")],
}  # fmt: skip
_QUANTIFIERS = {
    "en": ["all", "every", "each", "only", "at most", "at least", "always", "both", "none of"],
    "fa": ["همهٔ", "همه", "هر", "تنها", "فقط", "هیچ", "حداکثر", "دست‌کم", "حداقل", "همیشه", "هر دو",
           "همواره"],
}  # fmt: skip
_UNITS = {
    "en": [["bit", "byte"], ["bits", "bytes"], ["KiB", "MiB", "GiB"], ["KB", "MB", "GB", "TB"],
           ["µs", "ms", "ns"], ["seconds", "minutes", "hours", "days"], ["percent", "times"],
           ["GHz", "MHz"], ["second", "minute", "hour"]],
    "fa": [["بیت", "بایت"], ["بیتی", "بایتی"], ["KiB", "MiB", "GiB"], ["KB", "MB", "GB", "TB"],
           ["کیلوبایت", "مگابایت", "گیگابایت", "ترابایت"], ["کیلوبایتی", "مگابایتی", "گیگابایتی"],
           ["میلی‌ثانیه", "میکروثانیه", "نانوثانیه"], ["ثانیه", "دقیقه", "ساعت", "روز"],
           ["درصد", "برابر"], ["گیگاهرتز", "مگاهرتز"], ["µs", "ms", "ns"]],
}  # fmt: skip
_DIGITS = {"en": "0123456789", "fa": "۰۱۲۳۴۵۶۷۸۹"}


def negations(
    text: str, lang: str, draw: random.Random, terms: Sequence[Concept]
) -> Iterator[Change]:
    """Yield each negation, left out."""
    for pattern, without in _NEGATION[lang]:
        for found in re.finditer(pattern, text):
            yield found.start(), found[0], without


def quantifiers(
    text: str, lang: str, draw: random.Random, terms: Sequence[Concept]
) -> Iterator[Change]:
    """Yield each quantifier, left out."""
    form = _IN_FA if lang == "fa" else _IN_EN
    for word in _QUANTIFIERS[lang]:
        for found in re.finditer(form.format(word) + " ", text):
            yield found.start(), found[0], ""


def digits(text: str, lang: str, draw: random.Random, terms: Sequence[Concept]) -> Iterator[Change]:
    """Yield each number with one of its digits another."""
    for found in re.finditer(r"\d+", text):
        at = draw.randrange(len(found[0]))
        old = found[0][at]
        script = _DIGITS["en"] if old.isascii() else _DIGITS["fa"]
        low = 1 if at == 0 else 0
        new = draw.choice([each for each in script[low:] if each != old])
        yield found.start() + at, old, new


def units(text: str, lang: str, draw: random.Random, terms: Sequence[Concept]) -> Iterator[Change]:
    """Yield each unit that stands with a number, as another of its kind."""
    for family in _UNITS[lang]:
        words = "|".join(map(re.escape, family))
        for found in re.finditer(rf"(?<=\d)[\s\u200c-]*({words})(?![\w\u200c])", text):
            other = draw.choice([each for each in family if each != found[1]])
            yield found.start(1), found[1], other


def swapped(
    text: str, lang: str, draw: random.Random, terms: Sequence[Concept]
) -> Iterator[Change]:
    """Yield each term of the glossary as another, of the same field where it has one."""
    names = {name: concept for concept in terms for name in concept.names[lang] if len(name) > 3}
    form = _IN_FA if lang == "fa" else _IN_EN
    for name, concept in names.items():
        if name in text:
            for found in re.finditer(form.format(re.escape(name)), text):
                others = [each for each in terms if each.field == concept.field and each != concept]
                other = draw.choice(others or list(terms)).names[lang][0]
                if other not in text:
                    yield found.start(), found[0], other


KINDS: dict[str, Callable[[str, str, random.Random, Sequence[Concept]], Iterator[Change]]] = {
    "negation": negations,
    "digit": digits,
    "term": swapped,
    "unit": units,
    "quantifier": quantifiers,
}


def mutations(
    texts: Sequence[Text], terms: Sequence[Concept], number: int, seed: int
) -> Iterator[Mutation]:
    """Yield as many mutations of each kind, half of them in each language if there are enough."""
    for kind, change in KINDS.items():
        for turn, lang in enumerate(("en", "fa")):
            draw = random.Random(f"{seed} {kind} {lang}")
            sites = [
                Mutation(kind, text, lang, *each)
                for text in texts
                for each in change(text.said[lang], lang, draw, terms)
            ]
            share = (number // len(KINDS) + turn) // 2
            yield from draw.sample(sites, min(share, len(sites)))
