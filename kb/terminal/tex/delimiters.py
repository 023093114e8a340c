r"""Finds formulas in a text by their delimiters.

TeX is between ``$``, ``$$``, ``\(`` and ``\)``, ``\[`` and ``\]``, or in an environment. Code in
backticks or fences contains no formulas, and neither does a sentence with two prices.

The rules for ``$`` are those of Pandoc's extension ``tex_math_dollars``,
https://pandoc.org/MANUAL.html#math.

"""

from __future__ import annotations

import re
from typing import NamedTuple

from kb.terminal.bidi.direction import has_rtl
from kb.terminal.tex.formulas import Glyph, is_pair
from kb.terminal.tex.symbols import BRACKETS, FUNCTIONS, SUPERSCRIPTS

# Powers as they are written without TeX: ``ℝ^(100×5)`` for ℝ¹⁰⁰ˣ⁵, in prose of any language.

POWER = (
    r"(?<=[\w)\]])(?P<power>\^"
    r"(?:\([^()\n]{1,60}\)|[+\-−]?\d{1,12}(?![\w.,]?\w)|[A-Za-z](?![\w(^{])))"
)
"""A pattern of brackets, a number or a letter directly after a base."""


def raised(power: str, place: int) -> list[Glyph]:
    """Return an exponent raised, if all of it has superscript forms; ``place`` is its start.

    >>> "".join(glyph.char for glyph in raised("^(100×5)", 0)), raised("^(xⱼ−m)", 0)
    ('¹⁰⁰ˣ⁵', [])
    """
    inner = [Glyph(char, place + at) for at, char in enumerate(power) if at]
    if is_pair(power[1:]):
        inner = inner[1:-1]
    if not all(glyph.char in SUPERSCRIPTS for glyph in inner):
        return []
    return [Glyph(SUPERSCRIPTS[glyph.char], glyph.place) for glyph in inner]


# Code: CommonMark 0.31, sections 4.5 (fenced code blocks) and 6.1 (code spans),
# https://spec.commonmark.org/0.31/.
_BLOCK = (
    r"^[ \t>]*(?P<fence>`{3,}(?=[^`\n]*$)|~{3,})[^\n]*"
    r"(?:\n(?![ \t>]*(?P=fence))[^\n]*)*(?:\n[^\n]*)?"
)
"""A multi-line pattern: from a fence to the next one or the end."""

_SPAN = r"(?<!`)(?P<ticks>`+)(?!`)(?:[^\n]|\n(?![ \t]*\n)){1,2000}?(?<!`)(?P=ticks)(?!`)"
"""A pattern of code between equal numbers of backticks."""

# All but the marks themselves, over ends of lines but no blank line. The limit keeps marks
# that nothing answers from being looked for in all of a long text.
_BETWEEN = r"(?:[^\\\n$]++|\\[^\n()\[\]]|\n(?![ \t]*\n)){1,400}?"
# An environment within one of its own kind is not looked for: the first end is that of the inner.
_ROWS = _BETWEEN.replace(r"\\[", r"\\(?!begin\{(?P=name)\*?\})[", 1)
_PARTS = re.compile(
    rf"{_BLOCK}|{_SPAN}"
    rf"|\$\$(?P<display>{_BETWEEN})\$\$"
    r"|(?<![\w$])\$(?!\s)(?P<dollar>(?:[^\\\n$]++|\\[^\n]){1,200}?)(?<!\s)\$"
    r"(?![\d_$]|(?!(?:th|st|nd|rd|s)\b)[A-Za-z])"
    rf"|\\\((?P<round>{_BETWEEN})\\\)"
    rf"|\\\[(?P<square>{_BETWEEN})\\\]"
    rf"|(?P<rows>\\begin\{{(?P<name>{'|'.join(BRACKETS)})\*?\}}{_ROWS}\\end\{{(?P=name)\*?\}})"
    rf"|{POWER}"
    r"|\\[^\n]",
    re.MULTILINE,
)
_WORD = re.compile(r"(?=[^\W\d_]++\Z)[^a-z\u0600-\u06ff]*+[a-z\u0600-\u06ff].*", re.DOTALL)
_MATHEMATICS = re.compile(r"[\\^_{}=<>+*|]")
_AROUND = ".,:;!?()،؛؟"
_UNSEEN = str.maketrans("", "", "\u200c\u200d\u200e\u200f")

_KINDS = frozenset({"display", "dollar", "round", "square", "rows", "power"})


class Delimited(NamedTuple):
    """A possible formula: its span with delimiters, and the TeX between them.

    ``inside`` is the start of the TeX; ``after`` is where to continue if it is not a formula,
    since its last delimiter may start another. A ``power`` is in prose, without delimiters.
    """

    start: int
    end: int
    tex: str
    inside: int
    after: int
    power: bool = False


def next_candidate(text: str, place: int = 0) -> Delimited | None:
    r"""Return the next possible formula from a position, if any.

    >>> next_candidate(r"`$a$` is $5 here, and $b$ there").tex
    'b'
    """
    while part := _PARTS.search(text, place):
        place = part.end()
        kind = part.lastgroup or ""
        if kind in _KINDS:
            start, inside = part.start(), part.start(kind)
            after = inside if inside > start else start + 1
            if kind == "power":
                return Delimited(start, part.end(), part[kind], inside, after, power=True)
            if not _is_prose(part[kind], kind):
                return Delimited(start, part.end(), part[kind], inside, after)
            place = after
    return None


def _is_prose(tex: str, kind: str) -> bool:
    """Return whether the text between two delimiters is prose: words without a sign.

    It is if they are not a pair, as in "$5 and 6$", and in brackets that Markdown escapes. A
    word alone between dollars is a name.
    """
    words = tex.split()
    if _MATHEMATICS.search(tex) or not words:
        return not words
    if kind == "square" and tex.strip().isdigit():
        return True
    alone = kind in ("dollar", "display") and len(words) == 1 and tex == tex.strip()
    return any(map(_is_word, words)) and not alone


def _is_word(text: str) -> bool:
    bare = text.strip(_AROUND).translate(_UNSEEN)
    known = bare in FUNCTIONS or (len(bare) == 1 and not has_rtl(bare))
    return not known and bool(_WORD.fullmatch(bare))
