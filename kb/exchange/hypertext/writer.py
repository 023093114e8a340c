"""What is read of HTML, put together as Markdown: the line that grows, and what it stands in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from kb.exchange.hypertext import blocks
from kb.exchange.hypertext.blocks import Holder
from kb.exchange.hypertext.joining import joined
from kb.exchange.hypertext.pieces import BREAK, LINK, Mark, Piece, Written
from kb.exchange.hypertext.tex import Formula

_SCOPES = {"li": ("ul", "ol"), "td": ("table",), "th": ("table",), "tr": ("table",)}
"""What an element belongs to, beyond which its end reaches nothing."""


class Writer:
    """Words, marks and blocks come in as they are read; `text` ends them all."""

    def __init__(self) -> None:
        self._stack = [Holder("")]
        self._line: list[Piece] = []
        self._open: list[Mark] = []
        self._fresh = True
        self._says = False
        """Whether anything was said since the last link began."""
        self._level = 0
        self._passed: Counter[str] = Counter()

    def words(self, text: str) -> None:
        """Add words to the line; blanks at its beginning are none."""
        if self._fresh and not text.strip():
            return
        self._line.append(text)
        self._fresh = False
        self._says = self._says or bool(text.strip())

    def put(self, piece: Written) -> None:
        """Add what is Markdown already to the line."""
        if piece.text:
            self._line.append(piece)
            self._fresh, self._says = False, True

    def formula(self, formula: Formula) -> None:
        """Add a formula: to the line, or as a block."""
        if self._in_table:  # where a bar ends the cell
            tex = formula.tex.replace("\\|", "\\Vert ").replace("|", "\\vert ")
            formula = formula._replace(tex=tex)
        if formula.display and not self._in_table:
            self.end_paragraph()
            self._top.add(formula.written)
        else:
            self.put(Written(formula.written, formula=True))

    def end_line(self, *, wanted: bool = False) -> None:
        """End the line if it has anything; where that is ``wanted``, an empty one ends more."""
        if not self._fresh:
            self._line.append(BREAK)
            self._fresh = True
        elif wanted and self._line:
            self.end_paragraph()

    def end_paragraph(self) -> None:
        """Write what has come since the last block; marks that are open go on in the next."""
        open_, self._open = self._open, []
        for mark in reversed(open_):
            self._line.append(_ended(mark))
        text = joined(self._line)
        if text and self._level:
            text = f"{'#' * self._level} {' '.join(text.split())}"
        self._top.add(text)
        self._line, self._fresh = [], True
        self._again(open_)

    def begin_mark(self, kind: str, address: str = "") -> None:
        """Begin what is set apart, unless it is already."""
        if all(mark.kind != kind for mark in self._open):
            self._again([Mark(kind, True, address)])
            self._says = self._says and kind != LINK

    def end_mark(self, kind: str) -> None:
        """End what is set apart; what began within it goes on behind it."""
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
        """Begin a heading, or with level 0 end it."""
        self.end_paragraph()
        self._level = 0 if self._in_table else level

    def rule(self) -> None:
        """Draw a line through."""
        self.end_paragraph()
        self._top.add("---")

    def code(self, text: str, language: str) -> None:
        """Add a block of code."""
        self.end_paragraph()
        if text.strip():
            self._top.blocks.append(blocks.code(text, language))

    def begin(self, name: str, number: int | None = None) -> None:
        """Begin a list, an item, a quotation, a table, a row or a cell."""
        self.end_paragraph()
        if name in _SCOPES:
            self._begin_part(name)
        elif self._depth < blocks.DEEPEST:
            self._stack.append(Holder(name, number=number))
        else:
            self._passed[name] += 1

    def end(self, name: str) -> None:
        """End the innermost of that name, and all within it."""
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
        """Return all of it."""
        self.end_paragraph()
        self._close(1)
        return blocks.written(self._stack[0].blocks)

    @property
    def _top(self) -> Holder:
        return self._stack[-1]

    @property
    def _in_table(self) -> bool:
        return any(each.name == "table" for each in self._stack)

    @property
    def _depth(self) -> int:
        return sum(each.name in ("ul", "ol", "blockquote", "table") for each in self._stack)

    def _again(self, marks: Iterable[Mark]) -> None:
        """Begin what is marked, in this line or anew."""
        for mark in marks:
            self._open.append(Mark(mark.kind, True, mark.address))
            self._line.append(self._open[-1])

    def _begin_part(self, name: str) -> None:
        """Begin an item, a row or a cell; one that is open ends by that."""
        scope = _SCOPES[name]
        place = next(
            (n for n in range(len(self._stack) - 1, 0, -1) if self._stack[n].name in scope), 0
        )
        if not place:
            if name == "li":
                self.begin("ul")
                self._stack.append(Holder("li"))
            return
        self._close(place + 1)
        if name == "tr":
            self._top.rows.append([])
        else:
            self._stack.append(Holder(name))

    def _close(self, place: int) -> None:
        """Write all that is open from a place of the stack on into what it stands in."""
        while len(self._stack) > place:
            holder = self._stack.pop()
            _CLOSERS[holder.name](self._top, holder)


def _ended(mark: Mark) -> Mark:
    mark.other = Mark(mark.kind, False, mark.address, mark)
    return mark.other


def _close_list(outer: Holder, inner: Holder) -> None:
    outer.add(blocks.listed(inner.blocks), "nested")


def _close_item(outer: Holder, inner: Holder) -> None:
    if inner.blocks:
        outer.add(blocks.item(inner.blocks, outer.number), "item")
        if outer.number is not None:
            outer.number += 1


def _close_quote(outer: Holder, inner: Holder) -> None:
    if inner.blocks:
        outer.add(blocks.quoted(inner.blocks), "nested")


def _close_cell(outer: Holder, inner: Holder) -> None:
    if not outer.rows:
        outer.rows.append([])
    outer.rows[-1].append(inner.blocks)


def _close_table(outer: Holder, inner: Holder) -> None:
    outer.blocks += inner.blocks
    outer.blocks += blocks.table(inner.rows)


_CLOSERS = {
    "ul": _close_list,
    "ol": _close_list,
    "li": _close_item,
    "blockquote": _close_quote,
    "td": _close_cell,
    "th": _close_cell,
    "table": _close_table,
}
