"""Link addresses: which may be opened, and how to write them."""

from __future__ import annotations

import re
from urllib.parse import quote

from kb.terminal import safe

_OPENED = re.compile(r"(?:https?://[^\s/?#]|mailto:[^\s@]+@[^\s@])\S*", re.IGNORECASE)

ADDRESS = re.compile(r"(?<![\w/])(?:https?://|mailto:)[^\s<>\"`\x00-\x20\x7f-\xa0]*[\w/=&#%+~]")
"""A pattern of addresses in prose, without a trailing full stop."""


def opened(address: str) -> str:
    r"""Return an address in ASCII for opening; nothing if it must not be opened.

    >>> opened("https://fa.wikipedia.org/wiki/گ"), opened("javascript:alert(1)")
    ('https://fa.wikipedia.org/wiki/%DA%AF', '')
    >>> opened("http://a/\x1b]8;;")
    'http://a/%1B]8;;'
    """
    if not _OPENED.fullmatch(address):
        return ""
    return "".join(
        char if "!" <= char <= "~" else quote(char, safe="", errors="replace") for char in address
    )


def readable_address(address: str) -> str:
    """Return an address in one line, safe for a terminal."""
    return safe(address).replace("\n", " ").replace("\t", " ")
