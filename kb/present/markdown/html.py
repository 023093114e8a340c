"""The HTML tags that have an equivalent in plain text; all others are shown as text."""

from __future__ import annotations

import re
from typing import NamedTuple

from kb.display.tex.symbols import SUBSCRIPTS, SUPERSCRIPTS

_TAG = re.compile(r"<(?P<close>/?)\s*(?P<name>[A-Za-z][A-Za-z0-9]*)(?P<rest>(?:\s[^<>]*)?)/?>")
_VALUE = r"""(?<![\w-])(?i:{})\s*=\s*(?:"(?P<double>[^"<>]*)"|'(?P<single>[^'<>]*)')"""

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

BREAKS = {
    **dict.fromkeys(("br", "p", "div", "details", "center", "blockquote"), "\n"),
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6", "dt"), "\n"),
    **dict.fromkeys(
        ("ul", "ol", "dl", "table", "thead", "tbody", "summary", "span", "font", "small"), ""
    ),
    "tr": "\n│",
    **dict.fromkeys(("td", "th"), " "),
    "li": "\n• ",
    "dd": "\n  ",
}
"""Tags that begin a line or a cell, or only arrange, with what stands there."""

ENDS = {"summary": "\n", "td": " │", "th": " │"}
"""Tags whose end begins a line, or ends a cell, with what stands there."""


class Tag(NamedTuple):
    """A tag: its name in small letters, whether it ends what one began, and its attributes."""

    name: str
    closes: bool
    attributes: str

    def value(self, name: str) -> tuple[int, str]:
        """Return where among the attributes the value of one stands, and the value.

        >>> tag_of('<img alt="a plot" src="x.png">').value("src")
        (19, 'x.png')
        """
        found = re.search(_VALUE.format(name), self.attributes)
        if found is None:
            return 0, ""
        group = "double" if found["double"] is not None else "single"
        return found.start(group), found[group]


def tag_of(html: str) -> Tag | None:
    """Return a tag, or nothing for other HTML.

    >>> tag_of("<BR/>"), tag_of("</b>"), tag_of("<!-- x -->")
    (Tag(name='br', closes=False, attributes=''), Tag(name='b', closes=True, attributes=''), None)
    """
    match = _TAG.fullmatch(html)
    return Tag(match["name"].lower(), bool(match["close"]), match["rest"]) if match else None


def script(text: str, name: str) -> str:
    """Return a text lowered (``sub``) or raised (``sup``); in brackets what has no such form.

    >>> script("2", "sup"), script("max", "sub"), script("qy", "sub")
    ('²', 'ₘₐₓ', '_(qy)')
    """
    sign, forms = SCRIPTS[name]
    if all(char in forms for char in text):
        return "".join(forms[char] for char in text)
    return f"{sign}({text})"
