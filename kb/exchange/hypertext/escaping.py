"""Text made fit to stand in HTML: no browser takes any of it for markup."""

from __future__ import annotations

from html import escape

from kb.display import safe


def escaped(text: str) -> str:
    r"""Return a text to stand between tags, or between the quotation marks of an attribute.

    What no document may hold, or what turns a line around unseen, becomes a visible sign.

    >>> escaped('<b class="a">&\x00')
    '&lt;b class=&quot;a&quot;&gt;&amp;␀'
    """
    return escape(safe(text))


def tag(name: str, **attributes: str) -> str:
    """Return a start tag; attributes that are empty are left out, ``_`` stands for nothing.

    >>> tag("a", href="?a&b", class_="", lang="fa")
    '<a href="?a&amp;b" lang="fa">'
    """
    said = (f' {key.rstrip("_")}="{escaped(value)}"' for key, value in attributes.items() if value)
    return f"<{name}{''.join(said)}>"
