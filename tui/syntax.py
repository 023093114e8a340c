"""Code tokens with their styles, for reading and editing."""

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
"""All token styles."""


def colours(code: str, language: str) -> Iterator[StyledSpan]:
    """Yield the styles of code by position; none for an unknown language."""
    for start, end, kind in tokens(code, language):
        yield StyledSpan(start, end, _STYLES[kind])
