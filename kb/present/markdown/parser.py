"""markdown-it, set up to say where in a line each piece of it stands.

Its tokens tell the lines of blocks but no places within a line; a state of our own notes them
as the pieces are found.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Literal

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock, table
from markdown_it.rules_inline import StateInline, emphasis, strikethrough
from markdown_it.token import Token

_DEEPEST = 40
_MOST_COLUMNS = 100
_MARKED = re.compile(r"==(?=[^\s=])(?:[^=\n]|=(?!=)|\n(?!\s*\n)){1,400}?(?<![\s=])==(?![=\w])")
_WIKI = re.compile(r"!?\[\[([^\[\]|\n]{1,500})(?:\|([^\[\]\n]{1,300}))?\]\]")

Rule = Callable[[StateInline, bool], bool]


class TooMuch(Exception):
    """A text is nested too deep to be read, or a table of it has too many columns."""


class _Placed(StateInline):
    """A state that notes in each token (``meta["at"]``) where in the line it begins."""

    _begun = 0

    def append_pending(self, text: str) -> None:
        if not self.pending:
            self._begun = self.pos
        super().append_pending(text)

    def pushPending(self) -> Token:  # noqa: N802
        token = super().pushPending()
        token.meta["at"] = self._begun
        return token

    def push(self, ttype: str, tag: str, nesting: Literal[-1, 0, 1]) -> Token:
        token = super().push(ttype, tag, nesting)
        token.meta["at"] = self.pos
        return token


def block_tokens(text: str) -> tuple[list[Token], dict[str, Any]]:
    """Return the blocks of a text, and the addresses that it defines.

    Raises `TooMuch` where it is nested so deep that markdown-it leaves something out, and for
    a table with so many columns that the cells its rows leave out would outweigh the text.
    """
    tokens: list[Token] = []
    known: dict[str, Any] = {}
    markdown = _markdown()
    markdown.block.parse(text, markdown, known, tokens)
    if any(token.level >= _DEEPEST - 1 for token in tokens):
        raise TooMuch
    return tokens, known


def inline_tokens(content: str, known: dict[str, Any]) -> list[Token]:
    """Return the pieces of a line, each with its place in it."""
    markdown = _markdown()
    state = _Placed(content, markdown, known, [])
    markdown.inline.tokenize(state)
    for rule in markdown.inline.ruler2.getRules(""):
        rule(state)
    return state.tokens


@lru_cache(maxsize=1)
def _markdown() -> MarkdownIt:
    markdown = MarkdownIt("commonmark", {"html": True, "maxNesting": _DEEPEST})
    markdown.enable(["table", "strikethrough"]).disable(["html_block", "fragments_join"])
    markdown.block.ruler.at("table", _table, {"alt": ["paragraph", "reference"]})
    markdown.inline.ruler.at("emphasis", _one_by_one(emphasis.tokenize))
    markdown.inline.ruler.at("strikethrough", _one_by_one(strikethrough.tokenize))
    markdown.inline.ruler.before("emphasis", "mark", _mark)
    markdown.inline.ruler.before("link", "wiki", _wiki)
    # An address is shown and opened as it is written; `addresses` says which are opened.
    markdown.normalizeLink = str  # type: ignore[assignment,method-assign]
    markdown.normalizeLinkText = str  # type: ignore[assignment,method-assign]
    # What an image is said to show is taken as it is written.
    markdown.inline.parse = lambda content, md, env, tokens: tokens  # type: ignore[assignment,method-assign]
    return markdown


def _table(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    first, last = state.bMarks[start], state.eMarks[start]
    if state.src.count("|", first, last) <= _MOST_COLUMNS:
        return table(state, start, end, silent)
    if table(state, start, min(end, start + 2), True):
        raise TooMuch
    return False


def _one_by_one(rule: Rule) -> Rule:
    """Give each of the marks that a rule takes at once its own place."""

    def placed(state: StateInline, silent: bool) -> bool:
        start, before = state.pos, len(state.tokens)
        done = rule(state, silent)
        place = start
        for token in state.tokens[before:]:
            if token.meta["at"] >= start:
                token.meta["at"] = place
                place += len(token.content)
        return done

    return placed


def _mark(state: StateInline, silent: bool) -> bool:
    """Read ``==what is highlighted==``; two equality signs within words are none."""
    if state.src[state.pos] != "=":
        return False
    match = _MARKED.match(state.src, state.pos, state.posMax)
    before = state.src[state.pos - 1] if state.pos else " "
    if match is None or before.isalnum() or before in "_=":
        return False
    if not silent:
        whole = state.posMax
        state.pos, state.posMax = match.start() + 2, match.end() - 2
        state.push("mark_open", "mark", 1)
        state.md.inline.tokenize(state)
        state.push("mark_close", "mark", -1)
        state.posMax = whole
    state.pos = match.end()
    return True


def _wiki(state: StateInline, silent: bool) -> bool:
    """Read ``[[note|label]]`` and ``![[file|label]]``, as Obsidian and Logseq write links."""
    match = (
        _WIKI.match(state.src, state.pos, state.posMax) if state.src[state.pos] in "[!" else None
    )
    if match is None:
        return False
    if not silent:
        token = state.push("embed" if match[0].startswith("!") else "wiki", "", 0)
        token.content = match[1]
        token.meta["shown"] = match.span(2) if match[2] else match.span(1)
    state.pos = match.end()
    return True
