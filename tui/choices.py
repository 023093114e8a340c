"""Choices as list lines: collections as a tree, words by name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from kb.i18n import _, in_all_languages, number, of_language
from kb.i18n.names import LEVELS, language_name
from kb.model.changes import Collection
from tui.phrases import VERDICTS, level_name, level_sign

_SAME = str.maketrans({"ي": "ی", "ك": "ک", "\u200c": None})


class Choice(NamedTuple):
    """A value with its name, its depth in a tree, and a remark.

    ``whole`` is its name outside the tree, ``sign`` precedes it. It is also found by its hidden
    ``words``.
    """

    value: str
    name: str
    depth: int = 0
    note: str = ""
    whole: str = ""
    sign: str = ""
    words: str = ""


def narrowed(choices: Iterable[Choice], typed: str) -> list[Choice]:
    """Return the choices that contain every typed word.

    >>> known = [Choice("ml/rnn", "rnn", 1), Choice("own", "كتاب")]
    >>> [each.value for each in narrowed(known, "RNN ml")], len(narrowed(known, "کتاب"))
    (['ml/rnn'], 1)
    """
    told = ((each, f"{each.value} {each.name} {each.whole} {each.words}") for each in choices)
    return [each for each, text in told if matches(text, typed)]


def matches(text: str, typed: str) -> bool:
    """Return whether a text contains every typed word."""
    words = folded(typed).split()
    return not words or all(word in folded(text) for word in words)


def folded(text: str) -> str:
    """Return a text without differences of spelling that are ignored; half-spaces are omitted."""
    return text.casefold().translate(_SAME)


def collections(tree: Sequence[Collection]) -> list[Choice]:
    """Return the collections as a tree with entry counts."""
    return [
        Choice(
            each.id,
            of_language(each.title)[1] or each.id.rpartition("/")[2],
            each.id.count("/"),
            number(each.entries),
            of_language(each.title)[1] or each.id,
        )
        for each in tree
    ]


def languages(codes: Iterable[str]) -> list[Choice]:
    """Return languages by their names, if known."""
    return [Choice(code, language_name(code), note=code) for code in codes]


def levels() -> list[Choice]:
    """Return the levels with their letters."""
    return [
        Choice(level, level_name(level), note=level_sign(level), words=in_all_languages(name))
        for level, name in LEVELS.items()
    ]


def named(names: Mapping[str, str]) -> list[Choice]:
    """Return words by their display names."""
    return [Choice(word, _(name)) for word, name in names.items()]


def verdicts() -> list[Choice]:
    """Return the verdicts with their signs."""
    return [Choice(word, _(known.name), sign=known.sign) for word, known in VERDICTS.items()]
