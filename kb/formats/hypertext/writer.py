"""Writes parsed HTML as Markdown: the current line and its containers.

In CommonMark a star is a mark only next to a word (section 6.2, left- and right-flanking). A mark
that would not count is dropped with its partner: the words lose their style, and no stray star is
shown.
"""

from __future__ import annotations

import re
import string
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Literal, NamedTuple

from kb.formats.hypertext.quoting import at_line_start, code_span, destination, escaped, kept_apart
from kb.formats.hypertext.scanning import Formula
from kb.formats.marks import fenced
from kb.terminal.tex.symbols import SUBSCRIPTS, SUPERSCRIPTS

# What a line is made of until it is written: words, what is Markdown already, marks, ends.

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
TAGS = frozenset({"u", "sub", "sup"})


class Written(NamedTuple):
    """Finished Markdown; a ``formula`` must not touch a letter."""

    text: str
    formula: bool = False


@dataclass(eq=False, slots=True)
class Mark:
    """The start or end of a styled part; ``other`` is its partner, once known."""

    kind: str
    opens: bool
    address: str = ""
    other: Mark | None = None

    @property
    def text(self) -> str:
        """The mark as it is written."""
        if self.kind == LINK:
            return LINK if self.opens else f"]({self.address})"
        if self.kind in TAGS:
            return f"<{self.kind}>" if self.opens else f"</{self.kind}>"
        return self.kind


BREAK = Written("\n")
"""The end of a line within a paragraph."""

Piece = str | Written | Mark


_TRIES = 3
_FORMS = {"sub": SUBSCRIPTS, "sup": SUPERSCRIPTS}
_BLANKS = re.compile(r"\s+")
_BEFORE_PRODUCT = re.compile(r"[\w.)\]^]")
_IN_PRODUCT = re.compile(r"[A-Za-z0-9(\[]")
_BEHIND_FORMULA = re.compile(r"[\d_$]|(?!(?:th|st|nd|rd|s)\b)[A-Za-z]")
_CLOSES_HEADING = re.compile(r"(?:(?<= )|^)(#+)$")
_ADDRESS = re.compile(r"(?:://|mailto:)\S*\Z")
_LOOKED_AT = 500  # characters before a mark in which an address may begin
_PUNCTUATION = frozenset(string.punctuation)
LINE_END = "  \n"
"""A line end that is kept."""


def joined(pieces: Sequence[Piece]) -> str:
    """Return a paragraph as Markdown.

    >>> begin, end = Mark("**", True), Mark("**", False)
    >>> begin.other, end.other = end, begin
    >>> joined(["a", begin, " bold* ", end, "end"])
    'a **bold\\\\*** end'
    """
    if len(pieces) > 1:
        behind = _moved(reversed(_short(_merged(pieces))), opens=True)
        pieces = _leaning(_paired(_merged(_moved(reversed(behind), opens=False))))
    lines = (" ".join(line.split()) for line in _text(pieces).split("\n"))
    return LINE_END.join(at_line_start(line) for line in lines if line)


def _merged(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """Yield pieces with adjacent words merged."""
    for are_words, some in groupby(pieces, lambda piece: isinstance(piece, str)):
        if are_words:
            yield _BLANKS.sub(" ", "".join(piece for piece in some if isinstance(piece, str)))
        else:
            yield from some


def _short(pieces: Iterable[Piece]) -> list[Piece]:
    """Return pieces without unnecessary marks.

    Raised or lowered figures have their own characters; an address needs no link to itself.
    """
    found: list[Piece] = []
    for piece in pieces:
        found.append(piece)
        match found[-3:]:
            case [Mark() as begin, str() as words, Mark() as end] if end.other is begin:
                forms = _FORMS.get(end.kind, {})
                if end.kind == LINK and destination(words) == end.address:
                    found[-3:] = [words]
                elif set(words) <= forms.keys():
                    found[-3:] = ["".join(forms[char] for char in words)]
    return list(_merged(found))


def _moved(pieces: Iterable[Piece], *, opens: bool) -> list[Piece]:
    """Return pieces with each space before a mark moved behind it."""
    strip = str.lstrip if opens else str.rstrip
    found: list[Piece] = []
    for piece in pieces:
        last = found[-1] if found else None
        if isinstance(piece, Mark) and piece.opens is opens:
            if last is BREAK:
                found[-1:] = [piece, BREAK]
                continue
            if isinstance(last, str) and (bare := strip(last)) != last:
                found[-1:] = [bare, piece, " "] if bare else [piece, " "]
                continue
        found.append(piece)
    return found


def _paired(pieces: Iterable[Piece]) -> list[Piece]:
    """Return pieces without empty marks, and with adjacent equal marks joined."""
    found: list[Piece] = []
    for piece in pieces:
        last = found[-1] if found else None
        if not isinstance(piece, Mark) or not isinstance(last, Mark):
            found.append(piece)
        elif last is piece.other and not piece.opens:
            found.pop()
        elif piece.opens and not last.opens and piece.kind == last.kind != LINK:
            found.pop()
            begin, end = last.other, piece.other
            if begin is not None and end is not None:
                begin.other, end.other = end, begin
        else:
            found.append(piece)
    return list(_merged(found))


def _leaning(pieces: list[Piece]) -> list[Piece]:
    """Return pieces without marks that would show as stars."""
    for _ in range(_TRIES):
        loose = {id(mark) for mark in _loose(pieces)}
        if not loose:
            return pieces
        pieces = list(_merged(piece for piece in pieces if id(piece) not in loose))
    return list(_merged(piece for piece in pieces if not _sign(piece)))


def _loose(pieces: Sequence[Piece]) -> Iterator[Mark]:
    """Yield the marks that do not touch a word, each with its partner."""
    at = 0
    for signs, group in groupby(pieces, _sign):
        some = list(group)
        before = _shown(pieces[at - 1])[-_LOOKED_AT:] if at else ""
        at += len(some)
        after = _shown(pieces[at])[:1] if at < len(pieces) else ""
        for mark in some if signs else ():
            if isinstance(mark, Mark) and not _leans(mark, before, after):
                yield mark
                if mark.other is not None:
                    yield mark.other


def _leans(mark: Mark, before: str, after: str) -> bool:
    if mark.kind in ("~~", "==") and _ADDRESS.search(before):
        return False  # its signs may belong to an address
    before = before[-1:]
    if _BEFORE_PRODUCT.match(before) and _IN_PRODUCT.match(after):
        return False  # such as 2*m*n is read as a product
    inner, outer = (after, before) if mark.opens else (before, after)
    if not inner.strip():
        return False
    if mark.kind == "==":
        return inner != "=" and not outer.isalnum() and outer not in ("=", "_")
    # Whether a symbol counts as punctuation depends on the version of CommonMark.
    return not _is_punctuation(inner, "PS") or not outer.strip() or _is_punctuation(outer, "P")


def _is_punctuation(char: str, categories: str) -> bool:
    return bool(char) and (char in _PUNCTUATION or unicodedata.category(char)[0] in categories)


def _sign(piece: Piece) -> str:
    """Return the character of a mark; nothing for words and for marks that always work."""
    return piece.kind[0] if isinstance(piece, Mark) and piece.kind not in {LINK, *TAGS} else ""


def _shown(piece: Piece) -> str:
    return escaped(piece) if isinstance(piece, str) else piece.text


def _text(pieces: Iterable[Piece]) -> str:
    found: list[str] = []
    in_link = False
    last: Piece | None = None
    for piece in pieces:
        text = escaped(piece, in_link=in_link) if isinstance(piece, str) else piece.text
        if isinstance(piece, Mark) and piece.kind == LINK:
            in_link = piece.opens
        if not text:
            continue
        if isinstance(last, str):
            found[-1] = kept_apart(found[-1], text)
        elif found and found[-1][-1] == text[0] and text[0] in "=~" and isinstance(piece, str):
            text = f"\\{text}"
        found += [" ", text] if _is_too_near(last, piece, found, text) else [text]
        last = piece
    return "".join(found)


def _is_too_near(last: Piece | None, piece: Piece, found: Sequence[str], text: str) -> bool:
    """Return whether a formula touches a letter, or code touches code, and would break."""
    if found and found[-1][-1] == text[0] == "`":
        return True
    if isinstance(last, Written) and last.formula:
        return bool(_BEHIND_FORMULA.match(text))
    return (
        bool(found)
        and isinstance(piece, Written)
        and piece.formula
        and (found[-1][-1].isalnum() or found[-1][-1] in "_$")
    )


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
        self._line: list[Piece] = []
        self._open: list[Mark] = []
        self._fresh = True
        self._says = False
        """Whether there was any text since the last link began."""
        self._level = 0
        self._passed: Counter[str] = Counter()

    def words(self, text: str) -> None:
        """Add words to the line, without leading spaces."""
        if self._fresh and not text.strip():
            return
        self._line.append(text)
        self._fresh = False
        self._says = self._says or bool(text.strip())

    def put(self, piece: Written) -> None:
        """Add finished Markdown to the line."""
        if piece.text:
            self._line.append(piece)
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
        self.put(Written(f"{mark}{tex}{mark}", formula=True))

    def end_line(self, *, wanted: bool = False) -> None:
        """End the line if it is not empty; a ``wanted`` second end starts a paragraph."""
        if not self._fresh:
            self._line.append(BREAK)
            self._fresh = True
        elif wanted and self._line:
            self.end_paragraph()

    def end_paragraph(self) -> None:
        """Write the text since the last block; open marks continue in the next."""
        open_, self._open = self._open, []
        for mark in reversed(open_):
            self._line.append(_ended(mark))
        text = joined(self._line)
        if text and self._level:
            line = _CLOSES_HEADING.sub(r"\\\1", " ".join(text.split()))
            text = f"{'#' * self._level} {line}"
        self._top.add(text)
        self._line, self._fresh = [], True
        self._again(open_)

    def begin_mark(self, kind: str, address: str = "") -> None:
        """Open a mark, unless it is open."""
        if all(mark.kind != kind for mark in self._open):
            self._again([Mark(kind, True, address)])
            self._says = self._says and kind != LINK

    def end_mark(self, kind: str) -> None:
        """Close a mark; marks opened within it continue after it."""
        if all(mark.kind != kind for mark in self._open):
            return
        again: list[Mark] = []
        while self._open:
            mark = self._open.pop()
            if mark.kind == LINK and not self._says:  # it has its address to show
                self.words(mark.address)
            self._line.append(_ended(mark))
            if mark.kind == kind:
                break
            again.append(mark)
        self._again(reversed(again))

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

    def _again(self, marks: Iterable[Mark]) -> None:
        """Open a mark, in this line or again."""
        for mark in marks:
            self._open.append(Mark(mark.kind, True, mark.address))
            self._line.append(self._open[-1])

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


def _ended(mark: Mark) -> Mark:
    mark.other = Mark(mark.kind, False, mark.address, mark)
    return mark.other
