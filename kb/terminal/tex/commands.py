"""Reads TeX mathematics: tokens, groups, arguments, scripts, and commands.

The result is a list of `Glyph`, each with its source position, in order. `COMMANDS` has a handler
for the arguments of each command and for how it is shown.

Source: D. E. Knuth, The TeXbook (1984), chapters 7 (tokens) and 16 (typing formulas).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import NamedTuple

from kb.terminal.tex import symbols
from kb.terminal.tex.formulas import Glyph, braced, bracketed, ends_blank, is_pair, text_of, tidy
from kb.terminal.tex.symbols import RIGHT, SUBSCRIPTS, SUPERSCRIPTS

_TOKEN = re.compile(r"\\[A-Za-z]+\*?|\\.|\s+|.", re.DOTALL)
_DEEPEST = 40
_SCRIPTS: Mapping[str, Mapping[str, str]] = {"^": SUPERSCRIPTS, "_": SUBSCRIPTS}


class Unreadable(ValueError):
    """Raised if a text is not a readable formula."""


class Token(NamedTuple):
    """A command, a run of spaces or a character, and its position."""

    text: str
    place: int

    @property
    def name(self) -> str:
        """The name of a command without its asterisk, or nothing."""
        bare = self.text[1:]
        return (bare.rstrip("*") or bare) if self.text[0] == "\\" else ""

    def glyph(self, char: str) -> Glyph:
        """Return the glyph of a command, at the position of its first letter."""
        return Glyph(char, self.place + 1)


Handler = Callable[["Reader", Token, Sequence[Glyph]], list[Glyph]]
"""Reads the arguments of a command; gets the reader, the command, and what precedes it."""


class Reader:
    """The tokens of a formula, in order."""

    def __init__(self, tex: str, start: int) -> None:
        self._tokens = [Token(m[0], start + m.start()) for m in _TOKEN.finditer(tex)]
        self._depth = 0
        self.at = 0

    def peek(self, *, past_blanks: bool = False) -> Token | None:
        """Return the next token, if any, without consuming it."""
        ahead = self._tokens[self.at : self.at + 2]
        if past_blanks and ahead and ahead[0].text.isspace():
            del ahead[0]
        return ahead[0] if ahead else None

    def take(self) -> Token:
        """Consume the next token. Raises `Unreadable` at the end."""
        token = self.peek()
        if token is None:
            raise Unreadable("the end is missing")
        self.at += 1
        return token

    def skip_blanks(self) -> None:
        """Skip spaces, which mean nothing in mathematics."""
        token = self.peek()
        self.at += token is not None and token.text.isspace()

    def sequence(self, end: str = "") -> list[Glyph]:
        """Read up to the token that ends a group, which is consumed, or to the end."""
        read: list[Glyph] = []
        while end or self.peek():
            token = self.take()
            if token.text == end:
                break
            if ends_blank(read) and (token.text in _SCRIPTS or token.name in RIGHT):
                read.pop()
            read += self._glyphs(token, read)
        return tidy(read)

    def argument(self) -> list[Glyph]:
        """Read the argument of a command: a group, a command with its own, or one character."""
        self.skip_blanks()
        token = self.take()
        if token.text in ("}", "^", "_", "&"):
            raise Unreadable("an argument is missing")
        read = self._glyphs(token, ())
        if token.name and self._tokens[self.at - 1].text.isspace():
            self.at -= 1  # the blank behind it belongs to what holds the argument
        return tidy(read)

    def option(self) -> list[Glyph]:
        """Read an argument in square brackets, if any."""
        if (token := self.peek()) is None or token.text != "[":
            return []
        self.at += 1
        return self.sequence("]")

    def words(self) -> list[Glyph]:
        """Read a group of words as written."""
        self.skip_blanks()
        if self.take().text != "{":
            raise Unreadable("words stand in braces")
        read: list[Glyph] = []
        depth = 1
        while True:
            token = self.take()
            depth += (token.text == "{") - (token.text == "}")
            if not depth:
                return read
            if token.text not in ("{", "}"):
                escaped = len(token.text) == 2 and token.text[0] == "\\"
                written = token.text[1:] if escaped else token.text
                read += [
                    Glyph(" " if char.isspace() else char, token.place + escaped + n)
                    for n, char in enumerate(written)
                ]

    def _glyphs(self, token: Token, before: Sequence[Glyph]) -> list[Glyph]:
        """Read a token with its scripts and arguments."""
        self._depth += 1
        if self._depth > _DEEPEST or token.text == "}":
            raise Unreadable("nested too deep, or a brace that is not opened")
        read = self._glyphs_of(token, before)
        self._depth -= 1
        return read

    def _glyphs_of(self, token: Token, before: Sequence[Glyph]) -> list[Glyph]:
        text, place = token
        if text in _SCRIPTS:
            return self._script(token)
        if text == "{":
            return self.sequence("}")
        if token.name:
            return COMMANDS.get(token.name, as_written)(self, token, before)
        if text in "&~" or text.isspace():
            return [Glyph(" ", place)]
        return [Glyph("′" if text == "'" else text, place)]

    def _script(self, token: Token) -> list[Glyph]:
        """Read a superscript or subscript; brackets replace missing Unicode forms."""
        inner = self.argument()
        forms = _SCRIPTS[token.text]
        close = [glyph for glyph, joined in zip(inner, _joined(inner), strict=True) if not joined]
        if all(glyph.char in forms for glyph in close):
            return [Glyph(forms[glyph.char], glyph.place) for glyph in close]
        return [Glyph(token.text, token.place), *bracketed(inner)]


def as_written(reader: Reader, token: Token, before: Sequence[Glyph]) -> list[Glyph]:
    """Keep an unknown command and its arguments as written.

    Raises `Unreadable` for a one-letter command: that is a path or a pattern.
    """
    if len(token.name) == 1:
        raise Unreadable(f"no such command: {token.text}")
    read = [Glyph(char, token.place + n) for n, char in enumerate(token.text)]
    while (opened := reader.peek()) is not None and opened.text == "{":
        reader.take()
        read += braced(opened.place, reader.sequence("}"))
    return read


def _joined(glyphs: Sequence[Glyph]) -> list[bool]:
    """Return for each glyph whether it is an unneeded space beside an operator."""
    chars = [" ", *(glyph.char for glyph in glyphs), " "]
    return [
        here == " " and not (before.isalnum() and after.isalnum())
        for (before, here), (_, after) in pairwise(pairwise(chars))
    ]


# TeX's commands that combine glyphs: accents, fractions, roots, rows.
#
# What TeX sets above each other stands in one line, in brackets where it would be read
# otherwise.

_RAISED = frozenset([*symbols.SUPERSCRIPTS.values(), *symbols.SUBSCRIPTS.values(), "!"])
_SINGLE = re.compile(
    rf"\d+|.[{re.escape(''.join(_RAISED))}\u0300-\u036f\u20d0-\u20f0]*(?P<script>[_^]\(.*)?"
)
_ROOTS = {"": "√", "2": "√", "3": "∛", "4": "∜"}
_IN_PRODUCT = frozenset(")]}√∂∇·|‖^_")
_ENDS = frozenset({"\\", "}", "end"})
_APART = frozenset("+-=<>)]},.;:!?|&/'*")


def accent(mark: str, reader: Reader, token: Token, before: Sequence[Glyph]) -> list[Glyph]:
    """Put a mark on a letter, or a line over several letters."""
    inner = reader.argument()
    if token.name in symbols.LINES:
        return [each for glyph in inner for each in _marked([glyph], mark)]
    if _is_single(text_of(inner)):
        return _marked(inner, mark)
    written = [Glyph(char, token.place + n) for n, char in enumerate(token.text)]
    return written + braced(written[-1].place, inner)


def _marked(glyphs: Sequence[Glyph], mark: str) -> list[Glyph]:
    """Put a mark on the first letter, as one character if it exists."""
    marked = [
        Glyph(char, glyph.place)
        for glyph in glyphs[:1]
        for char in unicodedata.normalize("NFC", glyph.char + mark)
    ]
    return [*marked, *glyphs[1:]]


def fraction(reader: Reader, token: Token, before: Sequence[Glyph]) -> list[Glyph]:
    """Write a fraction in a line, in brackets if something is right next to it."""
    above, below = reader.argument(), reader.argument()
    if not above or not below:
        raise Unreadable("half a fraction")
    upper = above if _is_product(text_of(above)) else bracketed(above)
    lower = below if _is_factor(text_of(below)) else bracketed(below)
    whole = [*upper, Glyph("/", below[0].place - 1), *lower]
    led = bool(before) and (before[-1].char.isalnum() or before[-1].char in _RAISED | {")", "]"})
    return bracketed(whole) if led or _followed(reader) else whole


def _followed(reader: Reader) -> bool:
    """Return whether a factor or a power follows directly."""
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


def around(first: str, *texts: str) -> Handler:
    """Return the handler of a command that is shown as its arguments between these texts."""

    def read(reader: Reader, token: Token, before: Sequence[Glyph]) -> list[Glyph]:
        glyphs = [*map(token.glyph, first)]
        for text in texts:
            inner = reader.argument()
            if not inner:
                raise Unreadable(f"{token.text} lacks an argument")
            glyphs += [*inner, *(Glyph(char, inner[-1].place) for char in text)]
        return glyphs

    return read


def environment(reader: Reader, token: Token, before: Sequence[Glyph]) -> list[Glyph]:
    """Read the rows of an environment into a line, in its brackets."""
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


def _is_single(text: str) -> bool:
    """Return whether it is one number, or one letter with scripts and marks."""
    single = _SINGLE.fullmatch(text)
    return single is not None and (not single["script"] or is_pair(single["script"][1:]))


def _is_factor(text: str) -> bool:
    """Return whether it can follow a slash: a factor, its root or its differential."""
    factors = (text, text[1:]) if text[0] in "√∂∇d" else (text,)
    return any(map(_is_single, factors)) or (len(factors) > 1 and is_pair(text[1:]))


def _is_product(text: str) -> bool:
    """Return whether it can precede a slash: no sum, comparison or list outside brackets."""
    depth = 0
    for place, char in enumerate(text):
        depth += (char in "([{") - (char in ")]}")
        factor = char.isalnum() or char in _RAISED or char in _IN_PRODUCT
        if place and not depth and not factor and not unicodedata.combining(char):
            return False
    return True


_SIZES = symbols.SIZES | {"left", "right"}
_BESIDE_FUNCTION = frozenset("_^([)]},.;:|!'&")


def read(tex: str, start: int = 0) -> list[Glyph]:
    r"""Read the mathematics of a formula; positions count from ``start``.

    Raises `Unreadable` for unmatched braces or missing arguments.

    >>> text_of(read(r"\frac{a+b}{c} \in R^{100 \times 5}, A_1A_2...A_n"))
    '(a+b)/c ∈ R¹⁰⁰ˣ⁵, A₁A₂...Aₙ'
    """
    return Reader(tex, start).sequence()


def _letter(char: str, reader: Reader, token: Token, before: Sequence[Glyph]) -> list[Glyph]:
    """Show a letter; a space after its command stays only between letters."""
    after = reader.peek(past_blanks=True)
    beside = after is not None and (after.text.isalnum() or after.name in symbols.LETTERS)
    if beside and not ends_blank(before):
        reader.skip_blanks()
    return [token.glyph(char)]


def _operator(char: str, reader: Reader, token: Token, before: Sequence[Glyph]) -> list[Glyph]:
    """Show an operator, with a space after it if there is one before."""
    if not before:
        return [token.glyph(char)]
    reader.skip_blanks()
    return [token.glyph(char), *map(token.glyph, " " if ends_blank(before) else "")]


def _apart(name: list[Glyph], reader: Reader, token: Token, before: Sequence[Glyph]) -> list[Glyph]:
    """Separate a function name from neighbouring letters."""
    led = bool(before) and (before[-1].char.isalnum() or before[-1].char in ")]}")
    after = reader.peek(past_blanks=True)
    reader.skip_blanks()
    beside = after is None or after.text in _BESIDE_FUNCTION or after.name in _SIZES
    blank = [] if beside or not name else [Glyph(" ", name[-1].place)]
    return [*([Glyph(" ", token.place)] if led else []), *name, *blank]


def _unseen(reader: Reader, token: Token, before: Sequence[Glyph]) -> list[Glyph]:
    """Omit commands for layout."""
    reader.skip_blanks()
    return []


def _side(reader: Reader, token: Token, before: Sequence[Glyph]) -> list[Glyph]:
    """Read the bracket behind ``\\left`` or ``\\right``; a full stop stands for none."""
    bracket = reader.argument()
    if token.name == "left":
        reader.skip_blanks()
    return [] if text_of(bracket) == "." else bracket


def _each(show: Callable[..., list[Glyph]], table: Mapping[str, str]) -> dict[str, Handler]:
    """Return a handler for each command of a table of replacements."""
    return {name: partial(show, shown) for name, shown in table.items()}


COMMANDS: dict[str, Handler] = {
    **_each(_letter, symbols.LETTERS),
    **_each(_letter, symbols.SUMS),
    **_each(lambda char, *of: [*_unseen(*of), of[1].glyph(char)], symbols.PREFIXES),
    **_each(_operator, symbols.OPERATORS),
    **_each(lambda name, *of: _apart([*map(of[1].glyph, name)], *of), symbols.FUNCTIONS),
    **_each(
        lambda name, reader, *_: [
            Glyph(symbols.in_alphabet(char, name), place) for char, place in reader.argument()
        ],
        symbols.ALPHABETS,
    ),
    **_each(accent, symbols.ACCENTS),
    **dict.fromkeys(symbols.SPACES, lambda reader, token, _: [Glyph(" ", token.place)]),
    **dict.fromkeys(symbols.UNSEEN, _unseen),
    **dict.fromkeys(symbols.PLAIN, lambda reader, *_: reader.argument()),
    **dict.fromkeys(symbols.WORDS, lambda reader, *_: reader.words()),
    **dict.fromkeys(("frac", "dfrac", "tfrac", "cfrac"), fraction),
    **dict.fromkeys(("binom", "dbinom", "tbinom"), around("C(", ", ", ")")),
    "operatorname": lambda reader, *of: _apart(reader.argument(), reader, *of),
    "left": _side,
    "right": _side,
    "sqrt": root,
    "not": lambda reader, *_: _marked(reader.argument(), "\u0338"),
    "pmod": around("(mod ", ")"),
    "begin": environment,
    "\\": lambda reader, token, _: [Glyph(";", token.place), Glyph(" ", token.place)],
}
