"""The tokens of code, each in the style that it is read and changed in.

Pygments is loaded here only, with the first code that is shown.
"""

from __future__ import annotations

from collections.abc import Iterator

from pygments.lexers import get_lexer_by_name
from pygments.token import Token
from pygments.util import ClassNotFound

from tui.bidi import StyledSpan

MOST_COLOURED = 100_000
"""Characters; longer code stays plain, since it would hold up the screen."""

_KEYWORD, _NAME, _BUILTIN = "$code-keyword bold", "$code-name bold", "$code-builtin"
_STRING, _NUMBER, _COMMENT = "$code-string", "$code-number", "$code-comment italic"
_STYLES = {
    Token.Comment: _COMMENT,
    Token.Keyword: _KEYWORD,
    Token.Operator.Word: _KEYWORD,
    Token.Literal.Number: _NUMBER,
    Token.Keyword.Constant: _NUMBER,
    Token.Literal.String: _STRING,
    Token.Literal.String.Doc: "$code-string italic",
    Token.Name.Builtin: _BUILTIN,
    Token.Name.Exception: _BUILTIN,
    Token.Name.Class: _NAME,
    Token.Name.Function: _NAME,
    Token.Name.Decorator: _NAME,
}
STYLES = frozenset(_STYLES.values())
"""Every style that a token may have."""


def colours(code: str, language: str) -> Iterator[StyledSpan]:
    """Yield the styles of code by places in it; none where the language is not known."""
    if len(code) > MOST_COLOURED:
        return
    try:
        lexer = get_lexer_by_name(language)
    except ClassNotFound:
        return
    for start, kind, token in lexer.get_tokens_unprocessed(code):
        style = _style(kind)
        if style and token.strip():
            yield StyledSpan(start, start + len(token), style)


def _style(kind: tuple[str, ...]) -> str:
    """Return the style of a kind of token, or of the nearest kind that holds it."""
    within = (kind[:end] for end in range(len(kind), 0, -1))
    return next((_STYLES[each] for each in within if each in _STYLES), "")
