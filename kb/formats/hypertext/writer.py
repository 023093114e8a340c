"""Writes parsed HTML as Markdown: the current line and its containers.

In CommonMark a star is a mark only next to a word (section 6.2, left- and right-flanking). Where a
mark might not count, its HTML tag is written, which always does.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby, takewhile
from typing import Literal, NamedTuple

from kb.formats.hypertext.quoting import at_line_start, code_span, destination, escaped, kept_apart
from kb.formats.hypertext.scanning import Formula
from kb.formats.marks import fenced
from kb.terminal.tex.symbols import SUBSCRIPTS, SUPERSCRIPTS

# What a line is made of until it is written: words, and what is Markdown already, in styles.

STYLES = {
    "b": "**", "strong": "**",
    "i": "*", "em": "*", "cite": "*", "dfn": "*", "var": "*",
    "s": "~~", "del": "~~", "strike": "~~",
    "mark": "==",
    "u": "u", "ins": "u",
    "sub": "sub", "sup": "sup",
}  # fmt: skip
"""Marks by element; three elements have none in Markdown and stay HTML."""

LINK = "["
_TAGS = {"**": "b", "*": "i", "~~": "s", "==": "mark"}


class Style(NamedTuple):
    """An open mark or element; a link has an address, and a number that tells it from others."""

    kind: str
    address: str = ""
    number: int = 0


class Run(NamedTuple):
    """Words, or finished Markdown, in styles, the outermost first.

    A formula must not touch a letter.
    """

    piece: str
    styles: tuple[Style, ...] = ()
    kind: Literal["words", "written", "formula"] = "words"

    @property
    def in_link(self) -> bool:
        """Whether it is within a link."""
        return any(style.kind == LINK for style in self.styles)

    @property
    def text(self) -> str:
        """The piece as it is written."""
        is_words = self.kind == "words"
        return escaped(self.piece, in_link=self.in_link) if is_words else self.piece


_BREAK = "\n"
"""The end of a line within a paragraph."""

_FORMS = {"sub": SUBSCRIPTS, "sup": SUPERSCRIPTS}
_BLANKS = re.compile(r"\s+")
_PARTS = re.compile(r"\S(?:.*\S)?| ")
_BEHIND_FORMULA = re.compile(r"[\d_$]|(?!(?:th|st|nd|rd|s)\b)[A-Za-z]")
_CLOSES_HEADING = re.compile(r"(?:(?<= )|^)(#+)$")
_BEFORE, _BEHIND = frozenset("(«“‘\"'/-–—"), frozenset(".,;:!?…)»”’\"'/-–—،؛؟")
"""Signs that may stand beside the mark of a word, and make no product with it."""
_OF_MARKS = frozenset("*~=_")
_ADDRESS = re.compile(r"://|mailto:")
LINE_END = "  \n"
"""A line end that is kept."""


def joined(runs: Iterable[Run]) -> str:
    """Return a paragraph as Markdown.

    >>> bold = (Style("**"),)
    >>> joined([Run("a"), Run(" bold ", bold), Run("end, b"), Run("ol", bold), Run("d")])
    'a **bold** end, b<b>ol</b>d'
    """
    text = _text(_merged(_short(_merged(_trimmed(runs)))))
    lines = (" ".join(line.split()) for line in text.split("\n"))
    return LINE_END.join(at_line_start(line) for line in lines if line)


def _trimmed(runs: Iterable[Run]) -> list[Run]:
    """Return runs without styles on blanks at their edges."""
    parts: list[Run] = []
    for run in runs:
        if run.kind == "words":
            found = _PARTS.findall(_BLANKS.sub(" ", run.piece))
            parts += (run._replace(piece=each) for each in found)
        else:
            parts.append(run)
    for way in (1, -1):
        near: tuple[Style, ...] = ()
        for n in range(len(parts))[::way]:
            if parts[n].piece in (" ", _BREAK):
                parts[n] = parts[n]._replace(styles=_shared(near, parts[n].styles))
            near = parts[n].styles
    return parts


def _merged(runs: Iterable[Run]) -> list[Run]:
    """Return runs with adjacent words of the same styles merged."""
    found: list[Run] = []
    for (words, styles), some in groupby(runs, lambda run: (run.kind == "words", run.styles)):
        if words:
            text = "".join(run.piece for run in some)
            found.append(Run(_BLANKS.sub(" ", text), styles))
        else:
            found += some
    return found


def _short(runs: Sequence[Run]) -> list[Run]:
    """Return runs without unnecessary styles.

    Raised or lowered figures have their own characters; an address needs no link to itself.
    """
    found = list(runs)
    for n, (piece, styles, what) in enumerate(runs):
        beside = [style for run in (*runs[n - 1 : n], *runs[n + 1 : n + 2]) for style in run.styles]
        if what == "words" and styles and styles[-1] not in beside:
            kind, address, _ = styles[-1]
            forms = _FORMS.get(kind, {})
            if kind == LINK and destination(piece) == address:
                found[n] = Run(piece, styles[:-1])
            elif set(piece) <= forms.keys():
                found[n] = Run("".join(forms[char] for char in piece), styles[:-1])
    return found


def _shared(one: Sequence[Style], other: Sequence[Style]) -> tuple[Style, ...]:
    pairs = takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))
    return tuple(style for style, _ in pairs)


def _signs(runs: Sequence[Run], start: int, depth: int) -> tuple[str, str]:
    """Return what begins and ends a style in a run and those that follow."""
    styles = runs[start].styles[: depth + 1]
    kind, address, _ = styles[-1]
    if kind == LINK:
        return LINK, f"]({address})"
    ends = (n for n in range(start, len(runs)) if runs[n].styles[: depth + 1] != styles)
    end = next(ends, len(runs))
    first, last = runs[start], runs[end - 1]
    before, after = [*runs[start - 1 : start], Run("")][0], [*runs[end : end + 1], Run("")][0]
    in_word = kind[0] == "*" and first.styles == last.styles == styles
    leans = (
        _leans(before.text[-1:], first.text[:1], _BEFORE, in_word=in_word)
        and _leans(after.text[:1], last.text[-1:], _BEHIND, in_word=in_word)
        and _shared(before.styles, first.styles) == before.styles  # else signs could join
        and _shared(after.styles, last.styles) == after.styles
    )
    if kind in ("~~", "=="):  # whose signs may belong to an address
        near = (before, *runs[start:end])
        leans = leans and not any(run.in_link or _ADDRESS.search(run.text) for run in near)
    tag = _TAGS.get(kind, kind)
    return (kind, kind) if leans and kind in _TAGS else (f"<{tag}>", f"</{tag}>")


def _leans(outer: str, inner: str, beside: Iterable[str], *, in_word: bool) -> bool:
    """Return whether a mark between two characters counts, whatever reads it.

    One within a word may be read as a product, if its letters are those of formulas.
    """
    if not inner or inner in _OF_MARKS:
        return False
    in_word = in_word and inner.isalnum() and not (inner.isascii() or outer.isascii())
    return not outer.strip() or outer in beside or in_word


def _text(runs: Sequence[Run]) -> str:
    found: list[str] = []
    ends: list[tuple[Style, str]] = []
    last = Run("", kind="written")
    for n, run in enumerate((*runs, Run(""))):
        same = len(_shared([style for style, _ in ends], run.styles))
        marks = [end for _, end in reversed(ends[same:])]
        del ends[same:]
        for depth, style in enumerate(run.styles[same:], same):
            begin, end = _signs(runs, n, depth)
            marks.append(begin)
            ends.append((style, end))
        behind = "".join([*marks, run.text])
        if last.kind == "words":
            found[-1] = kept_apart(found[-1], behind)
        elif last.kind == "formula" and _BEHIND_FORMULA.match(behind):
            found.append(" ")
        found += marks
        if _is_too_near(found[-1][-1:] if found else "", run):
            found.append(" ")
        found.append(run.text)
        last = run
    return "".join(found)


def _is_too_near(before: str, run: Run) -> bool:
    """Return whether a formula touches a letter, or code touches code, and would break."""
    if before == run.text[:1] == "`":
        return True
    return run.kind == "formula" and (before.isalnum() or before in ("_", "$"))


# The blocks of a text while it is read: what stands in what, each written when it ends.

Kind = Literal["text", "code", "item", "nested"]

DEEPEST = 12
"""The maximum depth of lists, quotations and tables; deeper ones are placed where that depth
ends.
"""

_SPARSE = 4
_LANGUAGE = re.compile(r"[A-Za-z0-9+#_.-]{1,30}")


class Block(NamedTuple):
    """A finished block; a ``nested`` one contains others."""

    kind: Kind
    text: str


@dataclass(slots=True)
class Holder:
    """A container of blocks: the text, a quotation, list, item, table or cell."""

    name: str
    blocks: list[Block] = field(default_factory=list)
    rows: list[list[Sequence[Block]]] = field(default_factory=list)
    number: int | None = None
    """The number of the next item in an ordered list."""

    def add(self, text: str, kind: Kind = "text") -> None:
        """Add a block unless it is empty."""
        if text:
            self.blocks.append(Block(kind, text))


def written(blocks: Sequence[Block]) -> str:
    """Return blocks as one text.

    >>> written([Block("text", "a:"), Block("nested", "- b"), Block("text", "c")])
    'a:\\n\\n- b\\n\\nc'
    """
    return "\n\n".join(block.text for block in blocks)


def item(blocks: Sequence[Block], number: int | None) -> str:
    """Return blocks as an item of a list, with the number that it has if it is ordered.

    >>> item([Block("text", "a"), Block("nested", "- b")], 9)
    '9. a\\n   - b'
    """
    sign = "- " if number is None else f"{number}. "
    tight = len(blocks) == 2 and blocks[1].kind == "nested" and blocks[1].text[:2] in ("- ", "1.")
    text = "\n".join(block.text for block in blocks) if tight else written(blocks)
    first, *others = text.split("\n")
    indent = " " * len(sign)
    return "\n".join(
        [f"{sign}{first}".rstrip(), *(f"{indent}{each}" if each else "" for each in others)]
    )


def table(rows: Sequence[Sequence[Sequence[Block]]]) -> list[Block]:
    """Return rows of cells as a table, or the cells one by one if the table is only layout.

    A cell of a table has one line; a page that is laid out by one has columns of blocks.

    >>> one, two = [Block("text", "a|b")], [Block("text", "c")]
    >>> table([[one, two], [two, []]])[0].text
    '| a\\\\|b | c |\\n| --- | --- |\\n| c |  |'
    """
    lines = [[_in_a_line(cell) for cell in row] for row in rows if any(row)]
    columns = max(map(len, lines), default=0)
    sparse = columns * len(lines) > _SPARSE * sum(map(len, lines))
    if columns < 2 or sparse or any(None in row for row in lines):
        return [block for row in rows for cell in row for block in cell]
    cells = [[(cell or "").replace("|", "\\|") for cell in row] for row in lines]
    cells = [[*row, *[""] * (columns - len(row))] for row in cells]
    cells.insert(1, ["---"] * columns)
    return [Block("text", "\n".join(f"| {' | '.join(row)} |" for row in cells))]


def _in_a_line(cell: Sequence[Block]) -> str | None:
    """Return the content of a cell in one line, if possible."""
    if len(cell) != 1:
        return None if cell else ""
    kind, text = cell[0]
    if kind == "text":
        line = text.replace(LINE_END, "<br>")
        return None if "\n" in line else line
    lines = text.split("\n")
    return code_span(lines[1]) if kind == "code" and len(lines) == 3 else None


_HOLDERS = ("ul", "ol", "blockquote", "table")
_SCOPES = {"li": ("ul", "ol"), "td": ("table",), "th": ("table",), "tr": ("table",)}
"""The scopes of elements: an end tag has no effect beyond them."""


class Writer:
    """Receives words, marks and blocks in order; `text` finishes everything."""

    def __init__(self) -> None:
        self._stack = [Holder("")]
        self._line: list[Run] = []
        self._open: list[Style] = []
        self._links = 0
        self._fresh = True
        self._says = False
        """Whether there was any text since the last link began."""
        self._level = 0
        self._passed: Counter[str] = Counter()

    def words(self, text: str) -> None:
        """Add words to the line, without leading spaces."""
        if self._fresh and not text.strip():
            return
        self._line.append(Run(text, tuple(self._open)))
        self._fresh = False
        self._says = self._says or bool(text.strip())

    def put(self, text: str, kind: Literal["written", "formula"] = "written") -> None:
        """Add finished Markdown to the line."""
        if text:
            self._line.append(Run(text, tuple(self._open), kind))
            self._fresh, self._says = False, True

    def formula(self, formula: Formula) -> None:
        """Add a formula to the line or as a block."""
        mark = "$$" if formula.display else "$"
        if formula.display and not self._in_table:
            self.end_paragraph()
            self._top.add(f"{mark}{formula.tex}{mark}")
            return
        tex = formula.tex
        if self._in_table:  # where a bar ends the cell
            tex = tex.replace("\\|", "\\Vert ").replace("|", "\\vert ")
        self.put(f"{mark}{tex}{mark}", "formula")

    def end_line(self, *, wanted: bool = False) -> None:
        """End the line if it is not empty; a ``wanted`` second end starts a paragraph."""
        if not self._fresh:
            self._line.append(Run(_BREAK, tuple(self._open), "written"))
            self._fresh = True
        elif wanted and self._line:
            self.end_paragraph()

    def end_paragraph(self) -> None:
        """Write the text since the last block; open marks continue in the next."""
        text = joined(self._line)
        if text and self._level:
            line = _CLOSES_HEADING.sub(r"\\\1", " ".join(text.split()))
            text = f"{'#' * self._level} {line}"
        self._top.add(text)
        self._line, self._fresh = [], True

    def begin_mark(self, kind: str, address: str = "") -> None:
        """Open a mark, unless it is open."""
        if all(style.kind != kind for style in self._open):
            self._links += kind == LINK
            self._open.append(Style(kind, address, self._links if kind == LINK else 0))
            self._says = self._says and kind != LINK

    def end_mark(self, kind: str) -> None:
        """Close a mark; marks opened within it continue after it."""
        for style in [style for style in self._open if style.kind == kind]:
            if kind == LINK and not self._says:  # it has its address to show
                self.words(style.address)
            self._open.remove(style)

    def heading(self, level: int) -> None:
        """Begin a heading, or end it with level 0."""
        self.end_paragraph()
        self._level = 0 if self._in_table else level

    def rule(self) -> None:
        """Add a horizontal rule."""
        self.end_paragraph()
        self._top.add("---")

    def code(self, text: str, language: str) -> None:
        """Add a block of code."""
        self.end_paragraph()
        if text.strip():
            named = language if _LANGUAGE.fullmatch(language) else ""
            self._top.add(fenced(text, named), "code")

    def begin(self, name: str, number: int | None = None) -> None:
        """Begin a list, item, quotation, table, row or cell."""
        self.end_paragraph()
        if scope := _SCOPES.get(name):
            places = range(len(self._stack) - 1, 0, -1)
            place = next((n for n in places if self._stack[n].name in scope), 0)
            if place:
                self._close(place + 1)  # what is open in its list or table ends
            elif name == "li":
                self.begin("ul")
            else:
                return
            if name == "tr":
                self._top.rows.append([])
            else:
                self._stack.append(Holder(name))
        elif sum(each.name in _HOLDERS for each in self._stack) < DEEPEST:
            self._stack.append(Holder(name, number=number))
        else:
            self._passed[name] += 1

    def end(self, name: str) -> None:
        """End the innermost element of that name, and everything within it."""
        self.end_paragraph()
        if self._passed[name]:
            self._passed[name] -= 1
            return
        scope = _SCOPES.get(name, ())
        for place in range(len(self._stack) - 1, 0, -1):
            held = self._stack[place].name
            if held == name:
                self._close(place)
                return
            if held in scope or (held in ("td", "th") and name not in ("tr", "table")):
                return

    def text(self) -> str:
        """Return the whole text."""
        self.end_paragraph()
        self._close(1)
        return written(self._stack[0].blocks)

    @property
    def _top(self) -> Holder:
        return self._stack[-1]

    @property
    def _in_table(self) -> bool:
        return any(each.name == "table" for each in self._stack)

    def _close(self, place: int) -> None:
        """Close all open elements from a stack position on, into their container."""
        while len(self._stack) > place:
            inner = self._stack.pop()
            name, outer, blocks = inner.name, self._top, inner.blocks
            if name in ("ul", "ol"):
                # A tight list, unless an item contains a blank line or something else is there.
                tight = all(kind == "item" and "\n\n" not in text for kind, text in blocks)
                between = "\n" if tight else "\n\n"
                outer.add(between.join(text for _, text in blocks), "nested")
            elif name == "blockquote":
                lines = written(blocks).split("\n") if blocks else ()
                outer.add("\n".join(f"> {line}" if line else ">" for line in lines), "nested")
            elif name == "li" and blocks:
                outer.add(item(blocks, outer.number), "item")
                outer.number = None if outer.number is None else outer.number + 1
            elif name in ("td", "th"):
                outer.rows = outer.rows or [[]]
                outer.rows[-1].append(blocks)
            else:
                outer.blocks += [*blocks, *table(inner.rows)]
