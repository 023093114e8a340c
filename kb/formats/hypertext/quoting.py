r"""Words as literal Markdown: possible marks are escaped with a backslash.

Only what needs it is escaped, since escaped text is harder to read, search and edit:
``snake_case``, ``2 * 3`` and ``a < b`` stay as they are.
"""

from __future__ import annotations

import re
from itertools import count
from urllib.parse import quote

from kb.present.markdown.document import opened

_PLAIN = re.compile(r"[^\\`$_*~=\]<&!\[]*+")
_SIGNS = r"""\\(?=[!-/:-@\[-`{-~\n])|[`$]|(?<![^\W_])_++|_++(?![^\W_])
    |(?<!\s)\*++|\*++(?!\s)|~~++|==++|\](?=[(\[:])
    |<(?=[A-Za-z/!?])|&(?=\#?[0-9A-Za-z]{1,32}+;)|!(?=\[)"""
_MARKS = re.compile(_SIGNS, re.VERBOSE)
"""Marks, except underscores within words, stars between spaces, and trailing signs."""

_ADDRESS_OR_MARKS = re.compile(
    rf"(?P<address>(?<![\w/])(?:https?://|mailto:)[^\s<>\"`\\]++)|{_SIGNS}", re.VERBOSE
)
_UNESCAPED = re.compile(r"(?<!\\)(?:\\\\)*.\Z", re.DOTALL)
_HIDDEN = {ord("["): "\x01", ord("]"): "\x02"}
_REFERENCES = {0x01: "&#91;", 0x02: "&#93;"}
_BEFORE_BRACKET = re.compile(r"\\(?=[\x01\x02])")
_BEGINS = re.compile(
    r"(?P<mark>\#{1,6}(?=\s|$)|>|[-+*](?=\s|$)|-(?=[\s-]*$)|=(?=[\s=]*$)|~(?=~~)"
    r"|\|(?=.)|:(?=[\s|:-]*$)|\[(?=[ xX]\]\s))"
    r"|(?P<number>[0-9۰-۹٠-٩]{1,9}+)(?=[.)](?:\s|$))"
)
_RUN = re.compile(r"`+")


def escaped(text: str, *, in_link: bool = False) -> str:
    r"""Return words of a line as literal Markdown; links are not nested.

    >>> escaped("*so* and snake_case, 2 * 3, [a](b), a < b, <b>, &lt;")
    '\\*so\\* and snake_case, 2 * 3, [a\\](b), a < b, \\<b>, \\&lt;'
    >>> escaped("https://example.org/a_b"), escaped("https://example.org/_a")
    ('https://example.org/a_b', '<https://example.org/_a>')
    """
    if _PLAIN.fullmatch(text):
        return text
    if in_link:
        return _in_link(text)
    return _ADDRESS_OR_MARKS.sub(_escape, text)


def _escape(found: re.Match[str]) -> str:
    if found.lastgroup != "address":
        return "".join(f"\\{char}" for char in found[0])
    return f"<{found[0]}>" if _MARKS.search(found[0]) else found[0]


def _in_link(text: str) -> str:
    r"""Return words within a link; brackets that could end it are numeric entities.

    ``\[`` would start a formula.

    >>> _in_link("see [1]"), _in_link("[1]"), _in_link("a] *b*")
    ('see [1]', '&#91;1&#93;', 'a&#93; \\*b\\*')
    """
    if _are_paired(text):
        return _MARKS.sub(_escape, text)
    apart = _MARKS.sub(_escape, text.translate(_HIDDEN))
    return _BEFORE_BRACKET.sub(r"\\\\", apart).translate(_REFERENCES)


def _are_paired(text: str) -> bool:
    """Return whether all brackets are balanced and none makes a link, or a link to a note."""
    depth = 0
    for at, char in enumerate(text):
        depth += (char == "[") - (char == "]")
        if depth < 0 or (char == "]" and text[at + 1 : at + 2] in ("(", "[", ":")):
            return False
    return depth == 0 and not text.startswith("[")


def kept_apart(words: str, behind: str) -> str:
    r"""Return words as Markdown whose last character forms no mark with the next text.

    >>> kept_apart("Look!", "[there](x)"), kept_apart("C:\\", "**so**"), kept_apart("So!", "**no**")
    ('Look\\!', 'C:\\\\', 'So!')
    """
    last, first = words[-1:], behind[:1]
    joins = last in ("!", "]") and first == "["
    if last == "\\" or (joins and _UNESCAPED.search(words[-20:])):
        return f"{words[:-1]}\\{last}"
    return words


def at_line_start(line: str) -> str:
    r"""Return a line of Markdown that starts no block.

    >>> at_line_start("# no heading"), at_line_start("1. no item"), at_line_start("-1 is less")
    ('\\# no heading', '1\\. no item', '-1 is less')
    """
    found = _BEGINS.match(line)
    if found is None:
        return line
    at = found.end("number") if found["number"] else 0
    return f"{line[:at]}\\{line[at:]}"


def code_span(text: str) -> str:
    """Return a span of code in a line.

    >>> code_span("a`b"), code_span("`")
    ('``a`b``', '`` ` ``')
    """
    text = " ".join(text.split())
    if not text:
        return ""
    runs = set(map(len, _RUN.findall(text)))
    length = next(n for n in count(1) if n not in runs)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{'`' * length}{pad}{text}{pad}{'`' * length}"


def destination(address: str) -> str:
    """Return an address as a link destination; nothing if it must not be opened.

    >>> destination("https://example.org/a (b)"), destination("javascript:alert(1)")
    ('https://example.org/a%20%28b%29', '')
    """
    address = address.strip()
    encoded = re.sub(r"[\s()<>\\`$\"&]", lambda found: quote(found[0], safe="&"), address)
    return encoded if opened(encoded) else ""
