"""What there is to choose from, as lines of a list: collections as a tree, words by their names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from kb.i18n import LANGUAGES, _, in_all_languages, number, of_language
from kb.i18n.names import LEVELS
from tui.phrases import KINDS, VERDICTS, level_name, level_sign

if TYPE_CHECKING:
    from kb.model.changes import Collection

_SAME = str.maketrans({"ي": "ی", "ك": "ک", "\u200c": None})


class Choice(NamedTuple):
    """A value, how it is called, how deep it stands in a tree, and what is said beside it.

    ``whole`` is its name where the tree is not seen, ``sign`` what stands before it. It is also
    found by its ``words``, which are not shown.
    """

    value: str
    name: str
    depth: int = 0
    note: str = ""
    whole: str = ""
    sign: str = ""
    words: str = ""

    @property
    def alone(self) -> str:
        """What it is called where it stands alone."""
        return self.whole or self.name


def narrowed(choices: Iterable[Choice], typed: str) -> list[Choice]:
    """Return the choices that hold every word that was typed.

    >>> known = [Choice("ml/rnn", "rnn", 1), Choice("own", "كتاب")]
    >>> [each.value for each in narrowed(known, "RNN ml")], len(narrowed(known, "کتاب"))
    (['ml/rnn'], 1)
    """
    words = _folded(typed).split()
    if not words:
        return list(choices)
    return [
        each
        for each in choices
        if all(
            word in _folded(f"{each.value} {each.name} {each.whole} {each.words}") for word in words
        )
    ]


def _folded(text: str) -> str:
    return text.casefold().translate(_SAME)


def collections(tree: Sequence[Collection]) -> list[Choice]:
    """Return the collections as a tree, each with how many entries it holds."""
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
    """Return languages under their own names, as far as these are known."""
    return [Choice(code, LANGUAGES.get(code, code), note=code) for code in codes]


def levels() -> list[Choice]:
    """Return the levels, each with its letter."""
    return [
        Choice(level, level_name(level), note=level_sign(level), words=in_all_languages(name))
        for level, name in LEVELS.items()
    ]


def named(names: Mapping[str, str]) -> list[Choice]:
    """Return words by what they are called."""
    return [Choice(word, _(name)) for word, name in names.items()]


def kinds() -> list[Choice]:
    """Return the kinds of entries."""
    return named(KINDS)


def verdicts() -> list[Choice]:
    """Return the verdicts, each with its sign."""
    return [Choice(word, _(known.name), sign=known.sign) for word, known in VERDICTS.items()]


def plain(values: Iterable[str]) -> list[Choice]:
    """Return values that are called what they are."""
    return [Choice(value, value) for value in values]
