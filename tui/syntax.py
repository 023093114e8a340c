"""The tokens of code, each in the style that it is read and changed in."""

from __future__ import annotations

from collections.abc import Iterator

from kb.present.syntax import tokens
from tui.bidi import StyledSpan

_STYLES = {
    "comment": "$code-comment italic",
    "keyword": "$code-keyword bold",
    "number": "$code-number",
    "string": "$code-string",
    "doc": "$code-string italic",
    "builtin": "$code-builtin",
    "name": "$code-name bold",
}
STYLES = frozenset(_STYLES.values())
"""Every style that a token may have."""


def colours(code: str, language: str) -> Iterator[StyledSpan]:
    """Yield the styles of code by places in it; none where the language is not known."""
    for start, end, kind in tokens(code, language):
        yield StyledSpan(start, end, _STYLES[kind])
