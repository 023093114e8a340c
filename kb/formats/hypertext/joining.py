"""Joins the pieces of a paragraph into Markdown.

In CommonMark a star is a mark only next to a word (section 6.2, left- and right-flanking). A mark
that would not count is dropped with its partner: the words lose their style, and no stray star is
shown.
"""

from __future__ import annotations

import re
import string
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from kb.formats.hypertext.quoting import at_line_start, destination, escaped, kept_apart
from kb.terminal.tex.symbols import SUBSCRIPTS, SUPERSCRIPTS

# What a line is made of until it is written: words, what is Markdown already, marks, ends.

STYLES = {
    "b": "**", "strong": "**",
    "i": "*", "em": "*", "cite": "*", "dfn": "*", "var": "*",
    "s": "~~", "del": "~~", "strike": "~~",
    "mark": "==",
    "u": "u", "ins": "u",
    "sub": "sub", "sup": "sup",
}  # fmt: skip
"""Marks by element; three elements have none in Markdown and stay HTML."""

LINK = "["
TAGS = frozenset({"u", "sub", "sup"})


class Written(NamedTuple):
    """Finished Markdown; a ``formula`` must not touch a letter."""

    text: str
    formula: bool = False


@dataclass(eq=False, slots=True)
class Mark:
    """The start or end of a styled part; ``other`` is its partner, once known."""

    kind: str
    opens: bool
    address: str = ""
    other: Mark | None = None

    @property
    def text(self) -> str:
        """The mark as it is written."""
        if self.kind == LINK:
            return LINK if self.opens else f"]({self.address})"
        if self.kind in TAGS:
            return f"<{self.kind}>" if self.opens else f"</{self.kind}>"
        return self.kind


BREAK = Written("\n")
"""The end of a line within a paragraph."""

Piece = str | Written | Mark


_TRIES = 3
_FORMS = {"sub": SUBSCRIPTS, "sup": SUPERSCRIPTS}
_BLANKS = re.compile(r"\s+")
_BEFORE_PRODUCT = re.compile(r"[\w.)\]^]")
_IN_PRODUCT = re.compile(r"[A-Za-z0-9(\[]")
_BEHIND_FORMULA = re.compile(r"[\d_$]|(?!(?:th|st|nd|rd|s)\b)[A-Za-z]")
_ADDRESS = re.compile(r"(?:://|mailto:)\S*\Z")
_LOOKED_AT = 500  # characters before a mark in which an address may begin
_PUNCTUATION = frozenset(string.punctuation)
LINE_END = "  \n"
"""A line end that is kept."""


def joined(pieces: Sequence[Piece]) -> str:
    """Return a paragraph as Markdown.

    >>> begin, end = Mark("**", True), Mark("**", False)
    >>> begin.other, end.other = end, begin
    >>> joined(["a", begin, " bold* ", end, "end"])
    'a **bold\\\\*** end'
    """
    if len(pieces) > 1:
        behind = _moved(reversed(_short(_merged(pieces))), opens=True)
        pieces = _leaning(_paired(_merged(_moved(reversed(behind), opens=False))))
    lines = (" ".join(line.split()) for line in _text(pieces).split("\n"))
    return LINE_END.join(at_line_start(line) for line in lines if line)


def _merged(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """Yield pieces with adjacent words merged."""
    for are_words, some in groupby(pieces, lambda piece: isinstance(piece, str)):
        if are_words:
            yield _BLANKS.sub(" ", "".join(piece for piece in some if isinstance(piece, str)))
        else:
            yield from some


def _short(pieces: Iterable[Piece]) -> list[Piece]:
    """Return pieces without unnecessary marks.

    Raised or lowered figures have their own characters; an address needs no link to itself.
    """
    found: list[Piece] = []
    for piece in pieces:
        words = found[-1] if found else ""
        whole = isinstance(piece, Mark) and not piece.opens and found[-2:-1] == [piece.other]
        said = _said(piece, words) if whole and isinstance(words, str) else None
        if said is None:
            found.append(piece)
        else:
            found[-2:] = [said]
    return list(_merged(found))


def _said(mark: Piece, words: str) -> str | None:
    """Return characters that replace a mark around words, if possible."""
    if not isinstance(mark, Mark):
        return None
    if mark.kind == LINK:
        return words if destination(words) == mark.address else None
    forms = _FORMS.get(mark.kind)
    if forms is None or not set(words) <= forms.keys():
        return None
    return "".join(forms[char] for char in words)


def _moved(pieces: Iterable[Piece], *, opens: bool) -> list[Piece]:
    """Return pieces with each space before a mark moved behind it."""
    strip = str.lstrip if opens else str.rstrip
    found: list[Piece] = []
    for piece in pieces:
        last = found[-1] if found else None
        if isinstance(piece, Mark) and piece.opens is opens:
            if last is BREAK:
                found[-1:] = [piece, BREAK]
                continue
            if isinstance(last, str) and (bare := strip(last)) != last:
                found[-1:] = [bare, piece, " "] if bare else [piece, " "]
                continue
        found.append(piece)
    return found


def _paired(pieces: Iterable[Piece]) -> list[Piece]:
    """Return pieces without empty marks, and with adjacent equal marks joined."""
    found: list[Piece] = []
    for piece in pieces:
        last = found[-1] if found else None
        if not isinstance(piece, Mark) or not isinstance(last, Mark):
            found.append(piece)
        elif last is piece.other and not piece.opens:
            found.pop()
        elif piece.opens and not last.opens and piece.kind == last.kind != LINK:
            found.pop()
            begin, end = last.other, piece.other
            if begin is not None and end is not None:
                begin.other, end.other = end, begin
        else:
            found.append(piece)
    return list(_merged(found))


def _leaning(pieces: list[Piece]) -> list[Piece]:
    """Return pieces without marks that would show as stars."""
    for _ in range(_TRIES):
        loose = {id(mark) for mark in _loose(pieces)}
        if not loose:
            return pieces
        pieces = list(_merged(piece for piece in pieces if id(piece) not in loose))
    return list(_merged(piece for piece in pieces if not _sign(piece)))


def _loose(pieces: Sequence[Piece]) -> Iterator[Mark]:
    """Yield the marks that do not touch a word, each with its partner."""
    at = 0
    for signs, group in groupby(pieces, _sign):
        some = list(group)
        before = _shown(pieces[at - 1])[-_LOOKED_AT:] if at else ""
        at += len(some)
        after = _shown(pieces[at])[:1] if at < len(pieces) else ""
        for mark in some if signs else ():
            if isinstance(mark, Mark) and not _leans(mark, before, after):
                yield mark
                if mark.other is not None:
                    yield mark.other


def _leans(mark: Mark, before: str, after: str) -> bool:
    if mark.kind in ("~~", "==") and _ADDRESS.search(before):
        return False  # its signs may belong to an address
    before = before[-1:]
    if _BEFORE_PRODUCT.match(before) and _IN_PRODUCT.match(after):
        return False  # such as 2*m*n is read as a product
    inner, outer = (after, before) if mark.opens else (before, after)
    if _is_blank(inner):
        return False
    if mark.kind == "==":
        return inner != "=" and not outer.isalnum() and outer not in ("=", "_")
    # Whether a symbol counts as punctuation depends on the version of CommonMark.
    return not _is_punctuation(inner, "PS") or _is_blank(outer) or _is_punctuation(outer, "P")


def _is_blank(char: str) -> bool:
    return not char or char.isspace()


def _is_punctuation(char: str, categories: str) -> bool:
    return bool(char) and (char in _PUNCTUATION or unicodedata.category(char)[0] in categories)


def _sign(piece: Piece) -> str:
    """Return the character of a mark; nothing for words and for marks that always work."""
    return piece.kind[0] if isinstance(piece, Mark) and piece.kind not in {LINK, *TAGS} else ""


def _shown(piece: Piece) -> str:
    return escaped(piece) if isinstance(piece, str) else piece.text


def _text(pieces: Iterable[Piece]) -> str:
    found: list[str] = []
    in_link = False
    last: Piece | None = None
    for piece in pieces:
        text = escaped(piece, in_link=in_link) if isinstance(piece, str) else piece.text
        if isinstance(piece, Mark) and piece.kind == LINK:
            in_link = piece.opens
        if not text:
            continue
        if isinstance(last, str):
            found[-1] = kept_apart(found[-1], text)
        elif found and found[-1][-1] == text[0] and text[0] in "=~" and isinstance(piece, str):
            text = f"\\{text}"
        found += [" ", text] if _is_too_near(last, piece, found, text) else [text]
        last = piece
    return "".join(found)


def _is_too_near(last: Piece | None, piece: Piece, found: Sequence[str], text: str) -> bool:
    """Return whether a formula touches a letter, or code touches code, and would break."""
    if found and found[-1][-1] == text[0] == "`":
        return True
    if isinstance(last, Written) and last.formula:
        return bool(_BEHIND_FORMULA.match(text))
    return (
        bool(found)
        and isinstance(piece, Written)
        and piece.formula
        and (found[-1][-1].isalnum() or found[-1][-1] in "_$")
    )
