"""markdown-it, configured to record the position of each token within its line.

Its tokens have line numbers but no columns; a custom state records them.

"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import Any, Literal

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock, table
from markdown_it.rules_inline import StateInline, emphasis, strikethrough
from markdown_it.token import Token

from kb.present.markdown.document import ADDRESS, Unread
from kb.terminal.terminal import safe
from kb.terminal.tex.formulas import Formula, formulas_of

# What of a text is not Markdown's to read, hidden from it character by character.
#
# A formula's ``_``, ``*`` and ``\`` are its own, and so are those of an address. A text that lost
# its marks holds products such as ``2*m*n``, and Persian lists are numbered in Persian digits.
# What is hidden keeps its length, so that places in the one text are places in the other.

_HIDDEN = {code: 0xF0000 + code for code in range(0x80)}
_SHOWN = {hidden: code for code, hidden in _HIDDEN.items()}
_ENDS = {0: 0xFFFD, 0x0D: 0x20}
_DIGITS = str.maketrans("۰۱۲۳۴۵۶۷۸۹٠١٢٣٤٥٦٧٨٩", "01234567890123456789")

_PRODUCT = re.compile(
    r"(?<![\w*\\])[A-Za-z0-9][\w.)\]^\U000f0000-\U000f007f]*+"
    r"(?:\*{1,2}[A-Za-z0-9(\[][\w.()\[\]^\U000f0000-\U000f007f]*+)*(?P<more>\*)?"
)
_NUMBER = re.compile(r"^[ \t>]*+(?:[-*+][ \t]++)*[۰-۹٠-٩]{1,9}(?=[.)][ \t])", re.MULTILINE)
_DEFINITION = re.compile(
    r"^ {0,3}\[(?!(?://|comment)\]:)(?:[^\[\]\\\n]|\\.){1,999}\](?=:)"
    r"(?!:[ \t]*<?(?:https?://|mailto:))",
    re.MULTILINE,
)


def masked(text: str) -> tuple[str, dict[int, Formula]]:
    r"""Return a text of equal length for the parser, and its formulas by position.

    >>> masked("2*m*n and *so*")[0].count("*")
    2
    >>> unmasked(masked("[a](http://x/a_b_c)")[0])
    '[a](http://x/a_b_c)'
    """
    formulas = {formula.start: formula for formula in formulas_of(safe(text))}
    hidden = _without(text.translate(_ENDS), formulas.values())
    if "*" in hidden:
        hidden = _PRODUCT.sub(lambda each: each[0] if each["more"] else _hide(each[0], "*"), hidden)
    hidden = ADDRESS.sub(lambda match: _hide(match[0], "*_~="), hidden)
    hidden = _NUMBER.sub(lambda match: match[0].translate(_DIGITS), hidden)
    # A definition keeps only addresses and comments out of sight.
    return _DEFINITION.sub(lambda match: match[0][:-1] + _hide("]", "]"), hidden), formulas


def unmasked(text: str) -> str:
    """Return the original text of masked formulas."""
    return text.translate(_SHOWN)


def _without(text: str, formulas: Iterable[Formula]) -> str:
    parts, done = [], 0
    for start, end, _glyphs in formulas:
        parts += [text[done:start], text[start:end].translate(_HIDDEN)]
        done = end
    return "".join([*parts, text[done:]])


def _hide(text: str, marks: str) -> str:
    return text.translate({ord(mark): _HIDDEN[ord(mark)] for mark in marks})


# Where the content of a block stands in the source: the lines that markdown-it gives, aligned.


class Lines:
    """The lines of a text by number, with their start positions."""

    def __init__(self, text: str) -> None:
        self._lines = text.split("\n")
        self._starts = [0, *accumulate(len(line) + 1 for line in self._lines)]
        self.end = len(text)

    def __getitem__(self, number: int) -> str:
        return self._lines[number]

    def start(self, number: int) -> int:
        """Return the start of a line; after the last line, the end of the text."""
        return min(self._starts[number], self.end)

    def stop(self, number: int) -> int:
        """Return the end of a line."""
        return self._starts[number] + len(self._lines[number])

    def of_text(self, content: str, first: int) -> list[int]:
        """Return the position of each character of a block's text that begins in a line.

        Blocks strip the start and the end of their lines. Spaces expanded from a tab are at the
        tab.
        """
        places: list[int] = []
        for number, part in enumerate(content.split("\n"), first):
            if number > first:
                places.append(self.start(number) - 1)
            line = self[number] if part else ""
            kept = part if part in line else part.lstrip(" ")
            found = line.rfind(kept)
            if found < 0:
                raise Unread
            start = self.start(number) + found
            places += [max(self.start(number), start - 1)] * (len(part) - len(kept))
            places += range(start, start + len(kept))
        return places

    def of_cells(self, contents: Sequence[str], number: int) -> list[list[int]]:
        """Return the positions of a row's cells; pipes in them are escaped in the source."""
        line, found = self[number], list[list[int]]()
        end = len(line)
        for content in reversed(contents):  # since container marks may precede the first
            end = line.rfind(content.replace("|", "\\|"), 0, end)
            if end < 0:
                raise Unread
            behind = accumulate(1 + (char == "|") for char in content)
            found.append([self.start(number) + end + each - 1 for each in behind])
        return found[::-1]


_DEEPEST = 40
_MOST_COLUMNS = 100
_MARKED = re.compile(r"==(?=[^\s=])(?:[^=\n]|=(?!=)|\n(?!\s*\n)){1,400}?(?<![\s=])==(?![=\w])")
_WIKI = re.compile(r"!?\[\[([^\[\]|\\\n]{1,500})(?:\\?\|([^\[\]\n]{1,300}))?\]\]")

Rule = Callable[[StateInline, bool], bool]


class _Placed(StateInline):
    """A state that records in each token (``meta["at"]``) its position in the line."""

    _started_at = 0

    def append_pending(self, text: str) -> None:
        if not self.pending:
            self._started_at = self.pos
        super().append_pending(text)

    def pushPending(self) -> Token:  # noqa: N802
        token = super().pushPending()
        token.meta["at"] = self._started_at
        return token

    def push(self, ttype: str, tag: str, nesting: Literal[-1, 0, 1]) -> Token:
        token = super().push(ttype, tag, nesting)
        token.meta["at"] = self.pos
        return token


def block_tokens(text: str) -> tuple[list[Token], dict[str, Any]]:
    """Return the blocks of a text and its link definitions.

    Raises `Unread` if nesting is so deep that markdown-it drops something, or if a table has so
    many columns that its missing cells would outweigh the text.
    """
    tokens: list[Token] = []
    known: dict[str, Any] = {}
    markdown = _markdown()
    markdown.block.parse(text, markdown, known, tokens)
    if any(token.level >= _DEEPEST - 1 for token in tokens):
        raise Unread
    return tokens, known


def inline_tokens(content: str, known: dict[str, Any]) -> list[Token]:
    """Return the tokens of a line with their positions."""
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
    # An address is shown and opened as it is written; `opened` says which are opened.
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
        raise Unread
    return False


def _one_by_one(rule: Rule) -> Rule:
    """Give each delimiter of a run its own position."""

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
    """Parse ``==highlighted text==``; two equal signs within words are text."""
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
    """Parse ``[[note|label]]`` and ``![[file|label]]``, the links of Obsidian and Logseq."""
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
