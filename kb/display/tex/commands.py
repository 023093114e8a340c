"""TeX's commands: what each reads, and what is shown for it.

A registry: `COMMANDS` has a handler by each name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

from kb.display.tex import structures, symbols
from kb.display.tex.glyphs import Glyph, ends_blank, text_of
from kb.display.tex.reader import Handler, Reader, Token

_SIZES = symbols.SIZES | {"left", "right"}
_BESIDE_FUNCTION = frozenset("_^([)]},.;:|!'&")


def read(tex: str, start: int = 0) -> list[Glyph]:
    r"""Read the mathematics of a formula; places count from ``start``.

    Raises `Unreadable` where braces or arguments do not fit.

    >>> text_of(read(r"\frac{a+b}{c} \in R^{100 \times 5}, A_1A_2...A_n"))
    '(a+b)/c ∈ R¹⁰⁰ˣ⁵, A₁A₂...Aₙ'
    """
    return Reader(tex, start, COMMANDS).sequence()


def _letter(char: str, reader: Reader, token: Token, before: Sequence[Glyph]) -> list[Glyph]:
    """Show a letter; a blank that only ends its name goes where it stands beside another."""
    after = reader.peek(past_blanks=True)
    beside = after is not None and (after.text.isalnum() or after.name in symbols.LETTERS)
    if beside and not ends_blank(before):
        reader.skip_blanks()
    return [token.glyph(char)]


def _prefix(char: str, reader: Reader, token: Token, before: Sequence[Glyph]) -> list[Glyph]:
    reader.skip_blanks()
    return [token.glyph(char)]


def _operator(char: str, reader: Reader, token: Token, before: Sequence[Glyph]) -> list[Glyph]:
    """Show an operator, with a blank behind it where there is one before."""
    if not before:
        return [token.glyph(char)]
    reader.skip_blanks()
    return [token.glyph(char), *map(token.glyph, " " if ends_blank(before) else "")]


def _function(name: str, reader: Reader, token: Token, before: Sequence[Glyph]) -> list[Glyph]:
    return _apart([*map(token.glyph, name)], reader, token, before)


def _named(reader: Reader, token: Token, before: Sequence[Glyph]) -> list[Glyph]:
    """Read a function by its own name: ``\\operatorname{softmax}``."""
    return _apart(reader.argument(), reader, token, before)


def _apart(name: list[Glyph], reader: Reader, token: Token, before: Sequence[Glyph]) -> list[Glyph]:
    """Keep the name of a function apart from letters on its left and right."""
    led = bool(before) and (before[-1].char.isalnum() or before[-1].char in ")]}")
    after = reader.peek(past_blanks=True)
    reader.skip_blanks()
    beside = after is None or after.text in _BESIDE_FUNCTION or after.name in _SIZES
    blank = [] if beside or not name else [Glyph(" ", name[-1].place)]
    return [*([Glyph(" ", token.place)] if led else []), *name, *blank]


def _space(reader: Reader, token: Token, before: Sequence[Glyph]) -> list[Glyph]:
    return [Glyph(" ", token.place)]


def _row(reader: Reader, token: Token, before: Sequence[Glyph]) -> list[Glyph]:
    """Read the end of a row."""
    return [Glyph(";", token.place), Glyph(" ", token.place)]


def _unseen(reader: Reader, token: Token, before: Sequence[Glyph]) -> list[Glyph]:
    """Leave out what only says how a formula is set."""
    reader.skip_blanks()
    return []


def _side(reader: Reader, token: Token, before: Sequence[Glyph]) -> list[Glyph]:
    """Read the bracket behind ``\\left`` or ``\\right``; a full stop stands for none."""
    bracket = reader.argument()
    if token.name == "left":
        reader.skip_blanks()
    return [] if text_of(bracket) == "." else bracket


def _same(reader: Reader, token: Token, before: Sequence[Glyph]) -> list[Glyph]:
    return reader.argument()


def _words(reader: Reader, token: Token, before: Sequence[Glyph]) -> list[Glyph]:
    return reader.words()


def _alphabet(name: str, reader: Reader, token: Token, before: Sequence[Glyph]) -> list[Glyph]:
    return [Glyph(symbols.in_alphabet(char, name), place) for char, place in reader.argument()]


def _each(show: Callable[..., list[Glyph]], table: Mapping[str, str]) -> dict[str, Handler]:
    """Return a handler for each command of a table, which says what it shows."""
    return {name: partial(show, shown) for name, shown in table.items()}


def _all(handler: Handler, names: Iterable[str]) -> dict[str, Handler]:
    return dict.fromkeys(names, handler)


COMMANDS: dict[str, Handler] = {
    **_each(_letter, symbols.LETTERS),
    **_each(_letter, symbols.SUMS),
    **_each(_prefix, symbols.PREFIXES),
    **_each(_operator, symbols.OPERATORS),
    **_each(_function, symbols.FUNCTIONS),
    **_each(_alphabet, symbols.ALPHABETS),
    **_each(structures.accent, symbols.ACCENTS),
    **_all(_space, symbols.SPACES),
    **_all(_unseen, symbols.UNSEEN),
    **_all(_same, symbols.PLAIN),
    **_all(_words, symbols.WORDS),
    **_all(structures.fraction, ("frac", "dfrac", "tfrac", "cfrac")),
    **_all(structures.binomial, ("binom", "dbinom", "tbinom")),
    "operatorname": _named,
    "left": _side,
    "right": _side,
    "sqrt": structures.root,
    "not": structures.negation,
    "pmod": structures.modulus,
    "begin": structures.environment,
    "end": structures.end,
    "\\": _row,
}
