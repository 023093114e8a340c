"""Parses TeX mathematics: tokens, groups, arguments, superscripts and subscripts.

The result is a list of `Glyph`, each with its source position, in order. The handlers of a
`Reader` define commands (`kb.terminal.tex.commands`).

Source: D. E. Knuth, The TeXbook (1984), chapters 7 (tokens) and 16 (typing formulas).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from kb.terminal.tex.formulas import Glyph, braced, bracketed, ends_blank, tidy
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

    def __init__(self, tex: str, start: int, commands: Mapping[str, Handler]) -> None:
        self._tokens = [Token(m[0], start + m.start()) for m in _TOKEN.finditer(tex)]
        self._commands = commands
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
            return self._commands.get(token.name, as_written)(self, token, before)
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
