"""How a vault writes its cards: the settings of Obsidian's Spaced Repetition plugin.

The plugin stores them in the vault. Without them, its defaults are assumed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from kb import limits
from kb.errors import BadData, NotFound
from kb.foreign import decoded, read_bytes

_SETTINGS = ".obsidian/plugins/obsidian-spaced-repetition/data.json"
_SIDES = ("singleLineCardSeparator", "singleLineReversedCardSeparator")
_TURNS = ("multilineCardSeparator", "multilineReversedCardSeparator")
_GAPS = (
    ("convertHighlightsToClozes", "==answer==", True),
    ("convertBoldTextToClozes", "**answer**", False),
)
"""The settings before ``clozePatterns``, the pattern that each stands for, and its default."""

_PATTERN = re.compile(r"(\S{1,9}?)(?:\[123;;\])?answer(?:\[;;hint\])?(\S{1,9})")
_USUAL = frozenset({"::", ":::", ";;", ";;;"})
_TAGS = ("flashcard", "flashcards")
_MOST = 100  # tags, or patterns of gaps
_SEPARATOR = re.compile(r"(?=.*[^\w\s])\S{1,20}")
_CODE = r"^ {0,3}(?P<fence>```+|~~~+)[^\n]*\n(?:.*\n)*? {0,3}(?P=fence)[^\n]*$|`[^`\n]*`"
HIGHLIGHT = re.compile(
    r"\*\*==(.{1,500}?)==\*\*|(?<!=)={2,}(?=[^\s=])((?:[^=]|=(?!=)){1,500}?)(?<=\S)={2,}", re.DOTALL
)
"""A gap as ``==text==``."""


class CardSigns(NamedTuple):
    """The tags of decks, the separators of sides, and the gaps in a vault.

    ``sides`` separate the sides of a card in a line, ``turns`` are lines between them. No ``gap``
    means that highlights are no gaps. That all folders are decks is ignored: it would make cards
    of every note.
    """

    tags: tuple[str, ...] = _TAGS
    sides: tuple[str, ...] = ()
    turns: tuple[str, ...] = ()
    gap: re.Pattern[str] | None = HIGHLIGHT

    def declares(self, tags: Iterable[str], body: str) -> bool:
        """Return whether a note is a deck by tags in its front matter or text, or by card dates.

        >>> [CardSigns().declares((), each) for each in ("a #flashcards/os", "#flashcards-a")]
        [True, False]
        """
        named = any(f"{each.lower()}/".startswith(f"{tag}/") for each in tags for tag in self.tags)
        signs = rf"(?:^|\s)#(?:{_either(self.tags)})(?![\w-])|<!--\s*SR:"
        return named or re.search(signs, body, re.IGNORECASE) is not None

    def usual(self, body: str) -> str:
        """Return the text of a deck with the usual separators and without a tag before a card.

        >>> CardSigns(sides=("->->",), turns=("+++",)).usual("a ->-> b\\nc\\n+++\\nd `->->`")
        'a :: b\\nc\\n?\\nd `->->`'
        >>> CardSigns().usual("- #flashcards/os a::b")
        '- a::b'
        """
        before = re.compile(
            rf"^([ \t]*(?:[-*+][ \t]+)?)#(?:{_either(self.tags)})(?:/[\w/-]+)?[ \t]+(?=[^\s#])",
            re.IGNORECASE | re.MULTILINE,
        )
        body = before.sub(r"\1", body)
        if self.turns:
            body = _replaced(rf"^[ \t]*(?:{_either(self.turns)})[ \t]*$", "?", body)
        return _replaced(_either(self.sides), "::", body) if self.sides else body


def _replaced(own: str, usual: str, body: str) -> str:
    pattern = re.compile(rf"{_CODE}|(?P<own>{own})", re.MULTILINE)
    return pattern.sub(lambda found: usual if found["own"] else found[0], body)


def _either(signs: Iterable[str]) -> str:
    return "|".join(map(re.escape, sorted(signs, key=len, reverse=True)))


USUAL = CardSigns()


def signs_of(note: Path) -> CardSigns:
    """Return the signs of the vault that a note is in, and of those that this one is in."""
    found: list[CardSigns] = []
    for folder in note.absolute().parents:
        with suppress(OSError):
            changed = (folder / _SETTINGS).stat().st_mtime_ns
            found.append(_read(folder, changed))
    if len(found) < 2:
        return found[0] if found else USUAL
    return CardSigns(
        tuple(tag for each in found for tag in each.tags),
        tuple(sign for each in found for sign in each.sides),
        tuple(sign for each in found for sign in each.turns),
        next(filter(None, (each.gap for each in found)), None),
    )


@lru_cache(maxsize=16)
def _read(vault: Path, changed: int) -> CardSigns:
    """Return the signs in a vault's settings; those of the plugin if they cannot be read."""
    try:
        data = read_bytes(vault / _SETTINGS, limits.RECORD, vault)
        said = json.loads(decoded(data, _SETTINGS))
    except (BadData, NotFound, OSError, ValueError, RecursionError):
        return USUAL
    settings = said.get("settings", said) if isinstance(said, dict) else None
    return _signs(settings) if isinstance(settings, dict) else USUAL


def _signs(settings: Mapping[str, Any]) -> CardSigns:
    patterns = settings.get("clozePatterns")
    if not isinstance(patterns, list):
        patterns = [each for name, each, usual in _GAPS if settings.get(name, usual) is True]
    tags = settings.get("flashcardTags")
    known = tags[:_MOST] if isinstance(tags, list) else []
    named = [each.strip().lstrip("#").lower() for each in known if isinstance(each, str)]
    return CardSigns(
        (*_TAGS, *filter(None, named)),
        _separators(settings, *_SIDES),
        _separators(settings, *_TURNS),
        _gap(patterns),
    )


def _separators(settings: Mapping[str, Any], *names: str) -> tuple[str, ...]:
    said = (str(settings.get(name, "")).strip() for name in names)
    return tuple(each for each in said if _SEPARATOR.fullmatch(each) and each not in _USUAL)


def _gap(patterns: Iterable[object]) -> re.Pattern[str] | None:
    """Return what finds the gaps of such patterns, as ``**[123;;]answer[;;hint]**``."""
    few = islice(patterns, _MOST)
    edges = [found.groups() for each in few if (found := _PATTERN.fullmatch(str(each)))]
    if edges == [("==", "==")]:
        return HIGHLIGHT
    either = [
        HIGHLIGHT.pattern
        if left == right == "=="
        else rf"{re.escape(left)}(?=\S)([^\n]{{1,500}}?)(?<=\S){re.escape(right)}"
        for left, right in edges
    ]
    return re.compile("|".join(either), re.DOTALL) if either else None
