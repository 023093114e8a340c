"""TeX's commands that put glyphs together: accents, fractions, roots, rows.

What TeX sets above each other stands in one line, in brackets where it would be read
otherwise.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from kb.display.tex import symbols
from kb.display.tex.glyphs import Glyph, braced, bracketed, is_pair, text_of
from kb.display.tex.reader import Reader, Token, Unreadable

_RAISED = frozenset([*symbols.SUPERSCRIPTS.values(), *symbols.SUBSCRIPTS.values(), "!"])
_SINGLE = re.compile(
    rf"\d+|.[{re.escape(''.join(_RAISED))}\u0300-\u036f\u20d0-\u20f0]*(?P<script>[_^]\(.*)?"
)
_ROOTS = {"": "√", "2": "√", "3": "∛", "4": "∜"}
_IN_PRODUCT = frozenset(")]}√∂∇·|‖^_")
_ENDS = frozenset({"\\", "}", "end"})
_APART = frozenset("+-=<>)]},.;:!?|&/'*")


def accent(mark: str, reader: Reader, token: Token, before: Sequence[Glyph]) -> list[Glyph]:
    """Put a mark on a letter, or a line over several."""
    inner = reader.argument()
    if token.name in symbols.LINES:
        return [each for glyph in inner for each in _marked([glyph], mark)]
    if _is_single(text_of(inner)):
        return _marked(inner, mark)
    written = [Glyph(char, token.place + n) for n, char in enumerate(token.text)]
    return written + braced(written[-1].place, inner)


def negation(reader: Reader, token: Token, before: Sequence[Glyph]) -> list[Glyph]:
    """Strike a sign through."""
    return _marked(reader.argument(), "\u0338")


def _marked(glyphs: Sequence[Glyph], mark: str) -> list[Glyph]:
    """Put a mark on the first, as one character where there is one."""
    marked = [
        Glyph(char, glyph.place)
        for glyph in glyphs[:1]
        for char in unicodedata.normalize("NFC", glyph.char + mark)
    ]
    return [*marked, *glyphs[1:]]


def fraction(reader: Reader, token: Token, before: Sequence[Glyph]) -> list[Glyph]:
    """Put a fraction in a line, in brackets where something stands right beside it."""
    above, below = reader.argument(), reader.argument()
    if not above or not below:
        raise Unreadable("half a fraction")
    upper = above if _is_product(text_of(above)) else bracketed(above)
    lower = below if _is_factor(text_of(below)) else bracketed(below)
    whole = [*upper, Glyph("/", below[0].place - 1), *lower]
    led = bool(before) and (before[-1].char.isalnum() or before[-1].char in _RAISED | {")", "]"})
    return bracketed(whole) if led or _followed(reader) else whole


def _followed(reader: Reader) -> bool:
    """Say whether a factor or a power stands right behind."""
    after = reader.peek()
    if after is None or after.text.isspace() or after.text in _APART:
        return False
    apart = (symbols.OPERATORS, symbols.SPACES, symbols.UNSEEN, symbols.RIGHT, _ENDS)
    return not any(after.name in names for names in apart)


def root(reader: Reader, token: Token, before: Sequence[Glyph]) -> list[Glyph]:
    """Read a root, with its degree in square brackets before it."""
    degree = reader.option()
    inner = reader.argument()
    if not inner:
        raise Unreadable("a root of nothing")
    radicand = inner if _is_single(text_of(inner)) else bracketed(inner)
    known = _ROOTS.get(text_of(degree))
    if known:
        return [token.glyph(known), *radicand]
    forms = [symbols.SUPERSCRIPTS.get(glyph.char, "") for glyph in degree]
    if not all(forms):
        raise Unreadable("a degree that cannot be raised")
    raised = [Glyph(form, glyph.place) for form, glyph in zip(forms, degree, strict=True)]
    return [*raised, Glyph("√", degree[-1].place), *radicand]


def binomial(reader: Reader, token: Token, before: Sequence[Glyph]) -> list[Glyph]:
    """Read a binomial coefficient: C(n, k)."""
    above, below = reader.argument(), reader.argument()
    if not above or not below:
        raise Unreadable("half a binomial")
    name = [token.glyph(char) for char in "C("]
    between = [Glyph(char, above[-1].place) for char in ", "]
    return [*name, *above, *between, *below, Glyph(")", below[-1].place)]


def modulus(reader: Reader, token: Token, before: Sequence[Glyph]) -> list[Glyph]:
    """Read what a congruence is by: (mod n)."""
    inner = reader.argument()
    if not inner:
        raise Unreadable("a modulus is missing")
    return [*map(token.glyph, "(mod "), *inner, Glyph(")", inner[-1].place)]


def environment(reader: Reader, token: Token, before: Sequence[Glyph]) -> list[Glyph]:
    """Read rows into a line, in the brackets of their environment."""
    name = text_of(reader.words()).rstrip("*")
    if name not in symbols.BRACKETS:
        raise Unreadable(f"no such environment: {name}")
    if name in ("array", "alignat"):
        reader.words()  # how its columns are set
    rows = reader.sequence("\\end")
    if text_of(reader.words()).rstrip("*") != name:
        raise Unreadable(f"{name} is not ended")
    while rows and rows[-1].char in "; ":
        rows.pop()
    if not rows:
        raise Unreadable(f"{name} is empty")
    opening, closing = symbols.BRACKETS[name][:1], symbols.BRACKETS[name][1:]
    return [
        *map(token.glyph, opening),
        *rows,
        *(Glyph(bracket, rows[-1].place) for bracket in closing),
    ]


def end(reader: Reader, token: Token, before: Sequence[Glyph]) -> list[Glyph]:
    """Refuse the end of what has not begun; an environment takes its own."""
    raise Unreadable("an environment is not begun")


def _is_single(text: str) -> bool:
    """Say whether it is one number, or one letter with its scripts and marks."""
    single = _SINGLE.fullmatch(text)
    return single is not None and (not single["script"] or is_pair(single["script"][1:]))


def _is_factor(text: str) -> bool:
    """Say whether it can stand behind a stroke: a factor, its root or its differential."""
    inner = text[1:]
    return _is_single(text) or (text[0] in "√∂∇d" and (_is_single(inner) or is_pair(inner)))


def _is_product(text: str) -> bool:
    """Say whether it can stand before a stroke: no sum, comparison or list, outside brackets."""
    depth = 0
    for place, char in enumerate(text):
        depth += (char in "([{") - (char in ")]}")
        factor = char.isalnum() or char in _RAISED or char in _IN_PRODUCT
        if place and not depth and not factor and not unicodedata.combining(char):
            return False
    return True
