"""The HTML tags that have an equivalent in plain text; all others are shown as text."""

from __future__ import annotations

import re

from kb.display.tex.symbols import SUBSCRIPTS, SUPERSCRIPTS

_TAG = re.compile(r"<(?P<close>/?)\s*(?P<name>[A-Za-z][A-Za-z0-9]*)\s*/?>")

STYLES = {
    "b": "bold",
    "strong": "bold",
    "i": "italic",
    "em": "italic",
    "s": "strike",
    "del": "strike",
    "strike": "strike",
    "u": "underline",
    "ins": "underline",
    "mark": "mark",
    "code": "code",
    "kbd": "code",
    "tt": "code",
}
"""Tags around words, with the style that shows them."""

SCRIPTS = {"sub": ("_", SUBSCRIPTS), "sup": ("^", SUPERSCRIPTS)}
"""Tags of what is lowered or raised, with the sign for what has no such form."""

BREAKS = {"br": "\n", "p": "\n", "div": "\n", "ul": "", "ol": "", "li": "\n• "}
"""Tags that begin a line, with what stands there."""


def tag_of(html: str) -> tuple[str, bool] | None:
    """Return the name of a tag without attributes, and whether it ends; nothing for other HTML.

    >>> tag_of("<BR/>"), tag_of("</b>"), tag_of('<img src="x">')
    (('br', False), ('b', True), None)
    """
    match = _TAG.fullmatch(html)
    return (match["name"].lower(), bool(match["close"])) if match else None


def script(text: str, name: str) -> str:
    """Return a text lowered (``sub``) or raised (``sup``); in brackets what has no such form.

    >>> script("2", "sup"), script("max", "sub"), script("qy", "sub")
    ('²', 'ₘₐₓ', '_(qy)')
    """
    sign, forms = SCRIPTS[name]
    if all(char in forms for char in text):
        return "".join(forms[char] for char in text)
    return f"{sign}({text})"
