"""Markdown as safe HTML: the blocks and tags are ours, with only text within them.

It shows the same as the terminal: both use the same blocks.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import groupby, pairwise, takewhile
from os.path import splitext
from typing import NamedTuple

from kb.present.markdown.document import ADDED, Block, Lead, Piece, Prose
from kb.present.markdown.reader import read
from kb.terminal.bidi.direction import (
    ISOLATE,
    ISOLATE_END,
    Direction,
    base_of,
    direction_of,
    formula_runs,
)
from kb.terminal.terminal import safe
from kb.terminal.tex.formulas import Formula, formulas_of, text_of

# Text made fit to stand in HTML: no browser takes any of it for markup.


def escaped(text: str) -> str:
    r"""Return a text escaped for HTML content or attribute values.

    Forbidden characters, and those that reorder a line invisibly, become visible signs.

    >>> escaped('<b class="a">&\x00')
    '&lt;b class=&quot;a&quot;&gt;&amp;␀'
    """
    return escape(safe(text))


def tag(name: str, **attributes: str) -> str:
    """Return a start tag; empty attributes are omitted, ``_`` stands for nothing.

    >>> tag("a", href="?a&b", class_="", lang="fa")
    '<a href="?a&amp;b" lang="fa">'
    """
    said = (f' {key.rstrip("_")}="{escaped(value)}"' for key, value in attributes.items() if value)
    return f"<{name}{''.join(said)}>"


# The words of a text that something is said of, parted where they overlap.


class Marked(NamedTuple):
    """Marked words of a text, ``text[start:end]``, with HTML of the caller.

    ``sign`` follows them, and ``note`` follows the paragraph in which they end.
    """

    start: int
    end: int
    sign: str = ""
    note: str = ""


class Marks:
    """The places of a text that are marked, and the pending signs and notes.

    >>> marks = Marks([Marked(0, 9), Marked(2, 5)])
    >>> [(marks.part(place), marks.tags(place)) for place in (0, 2, 5, 9)]
    [(1, ('<mark>',)), (2, ('<mark>',)), (3, ('<mark>',)), (4, ())]
    """

    def __init__(self, marked: Sequence[Marked]) -> None:
        self._starts = sorted(each.start for each in marked)
        self._ends = sorted(each.end for each in marked)
        # What is said of the same words is said in the order it was given in.
        self._waiting = sorted(marked, key=lambda each: each.end)[::-1]
        self._notes: list[str] = []

    def part(self, place: int) -> int:
        """Return a number that is equal for places with the same marks."""
        return bisect_right(self._starts, place) + bisect_right(self._ends, place)

    def tags(self, place: int) -> tuple[str, ...]:
        """Return the start tag of marked words at a place, or nothing."""
        is_marked = bisect_right(self._starts, place) > bisect_right(self._ends, place)
        return ("<mark>",) if is_marked else ()

    def ended(self, place: int) -> Iterator[str]:
        """Yield the pending signs of marks that end up to a place."""
        while self._waiting and self._waiting[-1].end <= place:
            each = self._waiting.pop()
            self._notes.append(each.note)
            yield each.sign

    def notes(self) -> list[str]:
        """Return the notes of marks whose signs were yielded since the last call."""
        given, self._notes = self._notes, []
        return list(filter(None, given))


# The formulas of a text: their TeX, without the marks around it, and how they are shown.

Shower = Callable[[str, bool], str]
"""Gives the HTML of a formula from its TeX and whether it is a display formula."""

_AROUND = (("$$", "$$", True), ("$", "$", False), (r"\(", r"\)", False), (r"\[", r"\]", True))
_BRACKETED = re.compile(r"\((.*)\)", re.DOTALL)


def in_letters(tex: str, display: bool) -> str:
    r"""Return a formula in Unicode, with its TeX as a label.

    >>> in_letters(r"n^2 < \alpha", False)
    '<span class="math" dir="ltr" title="n^2 &lt; \\alpha">n² &lt; α</span>'
    """
    kind = "math display" if display else "math"
    from kb.terminal.tex.commands import Unreadable, read

    try:
        letters = text_of(read(tex))
    except Unreadable:
        letters = tex  # as it is written where it cannot be read
    title = escaped(" ".join(tex.split()))
    return f'<span class="{kind}" dir="ltr" title="{title}">{escaped(letters)}</span>'


def shown(source: str, show: Shower) -> str:
    """Return the HTML of a formula; a power in prose is raised.

    >>> [shown(each, lambda tex, display: f"{tex} {display}") for each in ("$$a$$", "^(2×5)")]
    ['a True', '<sup>2×5</sup>']
    """
    for opening, closing, display in _AROUND:
        if source.startswith(opening):
            return show(source[len(opening) : -len(closing)].strip(), display)
    if not source.startswith("^"):
        return show(source, True)
    bracketed = _BRACKETED.fullmatch(source, 1)
    return f"<sup>{escaped(bracketed[1] if bracketed else source[1:])}</sup>"


# What stands in the lines of a block, in HTML: styles, links, media, formulas, marked words.
#
# Pieces are put side by side, each in the tags that it needs, and tags that two of them share
# are not closed between: what comes out is nested right, whatever the text was.

Addresses = Callable[[str], str]
"""Gives the address of a file that a text names; nothing if there is none."""

IMAGES = frozenset({".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".avif", ".bmp"})
SOUNDS = frozenset({".mp3", ".ogg", ".oga", ".opus", ".wav", ".flac", ".m4a", ".aac"})

_TAGS = {
    "formula": '<bdi dir="ltr">',
    "bold": "<strong>",
    "italic": "<em>",
    "strike": "<s>",
    "underline": "<u>",
    "mark": "<mark>",
    "code": '<code dir="ltr">',
}
"""The tags of styles, outermost first."""
_ISOLATES = str.maketrans("", "", ISOLATE + ISOLATE_END)


Run = tuple[tuple[str, ...], str]
"""The start tags around some HTML, and that HTML."""


def _with_formulas(prose: Prose) -> Iterator[Piece]:
    """Yield pieces of prose, split at formulas in right-to-left text."""
    runs = formula_runs(prose.text)
    bounds = [bound for run in runs for bound in run]
    start = 0
    for piece in prose.pieces:
        end = start + len(piece.text)
        cuts = [start, *(bound for bound in bounds if start < bound < end), end]
        for first, last in pairwise(cuts):
            part = slice(first - start, last - start)
            cut = piece._replace(text=piece.text[part], places=piece.places[part])
            inside = any(begin <= first < stop for begin, stop in runs)
            yield cut._replace(styles=cut.styles | {"formula"}) if inside else cut
        start = end


def _tags(piece: Piece) -> tuple[str, ...]:
    """Return the start tags of a piece: its link, and its styles."""
    link = [tag("a", href=piece.address)] if piece.address else []
    return (*link, *(_TAGS[style] for style in _TAGS if style in piece.styles))


def _lines(text: str) -> str:
    """Return a text as HTML with the same line ends."""
    return escaped(text).replace("\n", "<br>\n")


def _nested(runs: Iterable[Run]) -> Iterator[str]:
    """Yield runs in their tags; tags that the next run needs stay open."""
    open: tuple[str, ...] = ()
    for tags, html in (*runs, ((), "")):
        same = len(list(takewhile(lambda pair: pair[0] == pair[1], zip(open, tags, strict=False))))
        yield from (f"</{each[1:-1].split(' ', 1)[0]}>" for each in reversed(open[same:]))
        yield from tags[same:]
        yield html
        open = tags


# The lists and quotations that blocks stand in.

_NUMBER = re.compile(r"(\d+)[.)]")
_ASCII = re.compile(r"[0-9]")
_TASKS = {"done": "☑ ", "to do": "☐ "}
_ENDS = {"": "", "blockquote": "</blockquote>\n", "ul": "</li>\n</ul>\n", "ol": "</li>\n</ol>\n"}


def leads_of(block: Block) -> list[Lead]:
    """Return the items and quotations around a block, the outermost first."""
    return [lead for lead in block.leads if lead.word]


def grouped(blocks: Sequence[Block], depth: int) -> list[list[Block]]:
    """Return blocks in groups: each item or quotation of a depth, and each block in none."""
    groups: list[list[Block]] = []
    for block in blocks:
        if all(lead.first for lead in leads_of(block)[depth : depth + 1]):
            groups.append([])
        groups[-1].append(block)
    return groups


_DIRECTIONS = ("ltr", "rtl")
_LAST_HEADING = 6
_NAME = re.compile(r"[A-Za-z][\w+#.-]{0,30}")


def rendered(
    text: str,
    lang: str,
    *,
    formula: Shower = in_letters,
    media: Addresses = lambda name: "",
    marked: Sequence[Marked] = (),
) -> str:
    r"""Return a text as HTML without tags or attributes from the text itself.

    It goes into an element with that ``lang`` and its `direction`; blocks of the other direction
    have their own ``dir``. ``formula`` gives the HTML of a formula from its TeX and whether it is
    a display formula, ``media`` the address of a file that the text names (``![loss](loss.png)``)
    or nothing. Headings start with ``<h3>``. The signs and notes of ``marked`` words are inserted
    unescaped and must be safe.

    >>> rendered("A *b* <i onclick='c'>, $n^2$", "en", formula=lambda tex, display: tex)
    '<p>A <em>b</em> &lt;i onclick=&#x27;c&#x27;&gt;, n^2</p>\n'
    >>> rendered("- گام ۱\n- step 2", "fa")
    '<ul>\n<li>گام ۱</li>\n<li><p dir="ltr">step 2</p></li>\n</ul>\n'
    """
    document = read(text, lang)
    page = _Page(text, formula, media, Marks(marked), direction_of(lang), direction(lang))
    if document.read:
        for each in formulas_of(safe(text)):
            page.formulas |= dict.fromkeys(range(each.start, each.end), each)
    return "".join(page.passages(document.blocks))


def direction(lang: str) -> str:
    """Return the direction of a language as an HTML ``dir`` value.

    >>> direction("fa"), direction("en"), direction("tlh")
    ('rtl', 'ltr', 'ltr')
    """
    return _DIRECTIONS[direction_of(lang) == "rtl"]


@dataclass
class _Page:
    """The HTML of a text, block after block."""

    source: str
    show: Shower
    address: Addresses
    marks: Marks
    direction: Direction
    base: str
    """The direction of the page, as HTML names it."""
    formulas: dict[int, Formula] = field(default_factory=dict)
    """The formulas of the text by each of their places."""
    last: Formula | None = None
    """The formula that was written last, which a piece may continue."""
    edge: str = ""
    """The direction of the outermost list or quotation that is open."""

    def passages(self, blocks: Sequence[Block]) -> Iterator[str]:
        """Yield groups of blocks, each with the notes on words that end in it."""
        passages: list[list[list[Block]]] = [[]]
        for group in grouped(blocks, 0):
            leads = leads_of(group[0])
            before = leads_of(passages[-1][-1][0]) if passages[-1] else []
            # An item may be the next one of the list before it.
            if passages[-1] and not (before and leads and not leads[0].goes_on):
                passages.append([])
            passages[-1].append(group)
        for passage in passages:
            html = list(self._elements(passage, 0))
            html += self.marks.ended(1 << 62) if passage is passages[-1] else ()
            yield from self._noted(html)

    def _elements(self, groups: Iterable[Sequence[Block]], depth: int) -> Iterator[str]:
        """Yield groups of one depth as HTML: items in their lists, quotations, and blocks."""
        name, follows = "", 0
        for group in groups:
            block, leads = group[0], leads_of(group[0])
            if len(leads) == depth:
                yield _ENDS[name]
                name = ""
                yield _WRITERS[block.kind](self, block)
                continue
            lead = leads[depth]
            found = None if lead.goes_on else _NUMBER.fullmatch(lead.word)
            kind = "blockquote" if lead.goes_on else "ol" if found else "ul"
            number = int(found[1]) if found else 0
            if kind == name != "blockquote":
                yield "</li>\n"
                yield tag("li", value=str(number) if found and number != follows else "")
            else:
                yield _ENDS[name]
                if not depth:
                    self.edge = {"left": "ltr", "right": "rtl"}.get(block.edge, self.base)
                turned = self.edge if not depth and self.edge != self.base else ""
                persian = found is not None and not _ASCII.match(lead.word)
                start = str(number) if found and number != 1 else ""
                yield tag(kind, class_="persian" if persian else "", start=start, dir=turned) + "\n"
                yield "" if lead.goes_on else "<li>"
            name, follows = kind, number + 1
            yield _TASKS.get(lead.word, "")
            yield from self._elements(grouped(group, depth + 1), depth + 1)
        yield _ENDS[name]
        self.edge = self.edge if depth else ""

    def _noted(self, passage: list[str]) -> Iterator[str]:
        notes = self.marks.notes()
        if not notes:
            yield from passage
            return
        html = "".join(passage)
        yield f'<div class="passage">\n<div class="words">\n{html}</div>\n{"".join(notes)}</div>\n'

    def turned(self, text: str) -> str:
        """Return the direction of a block if it differs from its parent's."""
        own = _DIRECTIONS[base_of(text, self.direction)] if text.strip() else ""
        return own if own != (self.edge or self.base) else ""

    def prose(self, prose: Prose, end: int | None = None) -> str:
        """Return prose as HTML, with the signs of marks that end in it, or before ``end``."""
        runs: list[Run] = []
        for _leads_to, group in groupby(
            _with_formulas(prose), key=lambda each: (each.address, each.file)
        ):
            pieces = list(group)
            runs += self._file(pieces) or [run for each in pieces for run in self._runs(each)]
        last = max((place for piece in prose.pieces for place in piece.places), default=ADDED) + 1
        runs += self._signs(last if end is None else end)
        return "".join(_nested(runs))

    def _signs(self, place: int) -> Iterator[Run]:
        """Yield the signs of marks that end up to a place."""
        return (((), sign) for sign in self.marks.ended(place))

    def _file(self, pieces: list[Piece]) -> list[Run]:
        """Return the image or sound that some pieces name, or nothing."""
        file = pieces[0].file
        address = self.address(file) if file else ""
        if not address:
            return []
        said = "".join(each.text for each in pieces if "sign" not in each.styles)
        said = said.translate(_ISOLATES).strip()
        ending = splitext(file)[1].lower()
        if ending in IMAGES:
            image = tag("img", src=address)[:-1] + f' alt="{escaped(said)}">'
            link = pieces[0].address
            return [((tag("a", href=link),) if link else (), image)]
        if ending in SOUNDS:
            name = escaped(said or file)
            sound = tag("audio", src=address, preload="none")[:-1] + " controls>"
            return [((), f"{sound}</audio> {tag('a', href=address)}{name}</a>")]
        return [((tag("a", href=address),), escaped(said or file))]

    def _runs(self, piece: Piece) -> Iterator[Run]:
        """Yield the content of a piece, split at its marks; a formula only once."""
        places = [place for place in piece.places if place > ADDED]
        tags = _tags(piece)
        if not places:
            text = piece.text.translate(_ISOLATES)
            yield from [(tags, _lines(text))] if text else []
            return
        formula = self.formulas.get(places[0]) if "code" not in piece.styles else None
        if formula is not None:
            if self.last is not formula:
                self.last = formula
                yield from self._signs(formula.start)
                marked = self.marks.tags(formula.start) or self.marks.tags(formula.end - 1)
                html = shown(self.source[formula.start : formula.end], self.show)
                yield (*tags, *marked), html
            return
        done = 0
        for _part, group in groupby(piece.places, key=self.marks.part):
            same = list(group)
            if not piece.address:
                yield from self._signs(same[0])
            text = piece.text[done : done + len(same)]
            done += len(same)
            yield (*tags, *self.marks.tags(same[0])), _lines(text)


def _paragraph(page: _Page, block: Block) -> str:
    html = page.prose(block.prose, block.end)
    turned = page.turned(block.prose.text)
    begins_item = any(lead.first and not lead.goes_on for lead in leads_of(block)[-1:])
    if begins_item and not turned:
        return html
    return f"{tag('p', dir=turned)}{html}</p>" + ("" if begins_item else "\n")


def _heading(page: _Page, block: Block) -> str:
    html = page.prose(block.prose, block.end)
    name = f"h{min(_LAST_HEADING, block.level + 2)}"
    return f"{tag(name, dir=page.turned(block.prose.text))}{html}</{name}>\n"


def _code(page: _Page, block: Block) -> str:
    signs = "".join(page.marks.ended(block.end))
    return code(block.prose.text, block.language) + (f"<p>{signs}</p>\n" if signs else "")


def code(text: str, language: str = "python") -> str:
    """Return a program as HTML: left to right and not for translation."""
    name = f"language-{language.lower()}" if _NAME.fullmatch(language) else ""
    # The first line break in <pre> is no part of what it holds.
    opening = '<pre dir="ltr" translate="no" tabindex="0">'
    return f"{opening}{tag('code', class_=name)}{escaped(text)}\n</code></pre>\n"


def _table(page: _Page, block: Block) -> str:
    base = page.turned("\n".join(cell.text for cell in block.proses))
    cells = base or page.base
    rows = [
        "".join(_cell(page, cell, "td" if number else "th", aligned, cells)
                for cell, aligned in zip(row, block.aligned, strict=False))
        for number, row in enumerate(block.rows)
    ]  # fmt: skip
    signs = "".join(page.marks.ended(block.end))
    head, body = f"<thead>\n<tr>{rows[0]}</tr>\n</thead>\n", ""
    if rows[1:]:
        body = "<tbody>\n" + "".join(f"<tr>{row}</tr>\n" for row in rows[1:]) + "</tbody>\n"
    table = f"{tag('table', dir=base)}\n{head}{body}</table>"
    return f'<div class="table" tabindex="0">{table}</div>\n' + (f"<p>{signs}</p>" if signs else "")


def _cell(page: _Page, cell: Prose, name: str, aligned: str, base: str) -> str:
    own = _DIRECTIONS[base_of(cell.text, page.direction)] if cell.text.strip() else base
    scope = "col" if name == "th" else ""
    opening = tag(name, scope=scope, class_=aligned, dir=own if own != base else "")
    return f"{opening}{page.prose(cell)}</{name}>"


_WRITERS: dict[str, Callable[[_Page, Block], str]] = {
    "paragraph": _paragraph,
    "heading": _heading,
    "code": _code,
    "rule": lambda page, block: "<hr>\n",
    "table": _table,
}
