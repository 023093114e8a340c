"""Code tokens by type; each front end has its own colours for them.

Pygments is imported only here, with the first displayed code.
"""

from __future__ import annotations

from functools import lru_cache

from pygments.lexers import get_lexer_by_name
from pygments.token import Token
from pygments.util import ClassNotFound

MOST_COLOURED = 100_000
"""Characters; longer code stays uncoloured, since colouring would delay the screen."""

_KINDS = {
    Token.Comment: "comment",
    Token.Keyword: "keyword",
    Token.Operator.Word: "keyword",
    Token.Literal.Number: "number",
    Token.Keyword.Constant: "number",
    Token.Literal.String: "string",
    Token.Literal.String.Doc: "doc",
    Token.Name.Builtin: "builtin",
    Token.Name.Exception: "builtin",
    Token.Name.Class: "name",
    Token.Name.Function: "name",
    Token.Name.Decorator: "name",
}


@lru_cache(maxsize=32)
def tokens(code: str, language: str) -> list[tuple[int, int, str]]:
    """Return the coloured tokens of code: start, end and kind; none if the language is unknown.

    >>> [kind for _start, _end, kind in tokens("if 1: pass  # so", "python")]
    ['keyword', 'number', 'keyword', 'comment']
    """
    found: list[tuple[int, int, str]] = []
    if len(code) > MOST_COLOURED:
        return found
    try:
        lexer = get_lexer_by_name(language)
    except ClassNotFound:
        return found
    for start, kind, token in lexer.get_tokens_unprocessed(code):
        within = (kind[:end] for end in range(len(kind), 0, -1))  # its type, then those around it
        named = next((_KINDS[each] for each in within if each in _KINDS), "")
        if named and token.strip():
            found.append((start, start + len(token), named))
    return found
