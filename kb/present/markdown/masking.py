r"""What of a text is not Markdown's to read, hidden from it character by character.

A formula's ``_``, ``*`` and ``\`` are its own, and so are those of an address. A text that lost
its marks holds products such as ``2*m*n``, and Persian lists are numbered in Persian digits.
What is hidden keeps its length, so that places in the one text are places in the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from kb.display import Formula, formulas_of, safe

_HIDDEN = {code: 0xF0000 + code for code in range(0x80)}
_SHOWN = {hidden: code for code, hidden in _HIDDEN.items()}
_ENDS = {0: 0xFFFD, 0x0D: 0x20}
_DIGITS = str.maketrans("۰۱۲۳۴۵۶۷۸۹٠١٢٣٤٥٦٧٨٩", "01234567890123456789")

ADDRESS = re.compile(r"(?<![\w/])(?:https?://|mailto:)[^\s<>\"`\x00-\x20\x7f-\xa0]*[\w/=&#%+~]")
"""A pattern of addresses as they stand in prose; a full stop behind one is not its own."""

_PRODUCT = re.compile(
    r"(?<![\w*\\])[A-Za-z0-9][\w.)\]^\U000f0000-\U000f007f]*+"
    r"(?:\*{1,2}[A-Za-z0-9(\[][\w.()\[\]^\U000f0000-\U000f007f]*+)*+(?P<more>\*)?"
)
_NUMBER = re.compile(r"^[ \t>]*+(?:[-*+][ \t]++)*+[۰-۹٠-٩]{1,9}(?=[.)][ \t])", re.MULTILINE)
_DEFINITION = re.compile(
    r"^ {0,3}\[(?:[^\[\]\\\n]|\\.){1,999}\](?=:)(?!:[ \t]*<?(?:https?://|mailto:))", re.MULTILINE
)


def masked(text: str) -> tuple[str, dict[int, Formula]]:
    r"""Return a text of the same length for the parser, and the formulas by where they begin.

    >>> masked("2*m*n and *so*")[0].count("*")
    2
    >>> unmasked(masked("[a](http://x/a_b_c)")[0])
    '[a](http://x/a_b_c)'
    """
    formulas = {formula.start: formula for formula in formulas_of(safe(text))}
    hidden = _without(text.translate(_ENDS), formulas.values())
    if "*" in hidden:
        hidden = _PRODUCT.sub(lambda each: each[0] if each["more"] else _hide(each[0], "*"), hidden)
    if "://" in hidden or "mailto:" in hidden:
        hidden = ADDRESS.sub(lambda match: _hide(match[0], "*_~="), hidden)
    hidden = _NUMBER.sub(lambda match: match[0].translate(_DIGITS), hidden)
    if "]:" in hidden:  # only an address is kept out of sight by a definition
        hidden = _DEFINITION.sub(lambda match: match[0][:-1] + _hide("]", "]"), hidden)
    return hidden, formulas


def unmasked(text: str) -> str:
    """Return what was hidden as it was written."""
    return text.translate(_SHOWN)


def _without(text: str, formulas: Iterable[Formula]) -> str:
    parts, done = [], 0
    for start, end, _glyphs in formulas:
        parts += [text[done:start], text[start:end].translate(_HIDDEN)]
        done = end
    return "".join([*parts, text[done:]])


def _hide(text: str, marks: str) -> str:
    return text.translate({ord(mark): _HIDDEN[ord(mark)] for mark in marks})
