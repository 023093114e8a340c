"""A text in Markdown as safe HTML: blocks and tags of ours, and within them text alone.

What the terminal shows of a text is what the HTML says: both are made of the same blocks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from kb.display import base_of, direction_of
from kb.display.bidi.direction import Direction
from kb.exchange.hypertext.escaping import escaped, tag
from kb.exchange.hypertext.formulas import Formulas, Shower, in_letters
from kb.exchange.hypertext.lists import Lists, first_of_item
from kb.exchange.hypertext.marking import Marked, Marks
from kb.exchange.hypertext.prose import Addresses, Setting, html_of
from kb.present.markdown.document import Block, Prose
from kb.present.markdown.reader import read

_DIRECTIONS = ("ltr", "rtl")
_LAST_HEADING = 6
_NAME = re.compile(r"[A-Za-z][\w+#.-]{0,30}")


def nowhere(name: str) -> str:
    """Return no address: the file that a text names is not there."""
    return ""


def rendered(
    text: str,
    lang: str,
    *,
    formula: Shower = in_letters,
    media: Addresses = nowhere,
    marked: Sequence[Marked] = (),
    heading: int = 3,
) -> str:
    r"""Return a text of a language as HTML that holds no tag and no attribute of the text's own.

    It stands in an element with that ``lang`` and its `direction`; blocks that run the other
    way say so. ``formula`` gives the HTML of a formula from its TeX and whether it stands in a
    line of its own, ``media`` the address of a file that the text names (``![loss](loss.png)``)
    or nothing. Headings begin with ``<h3>``, or as ``heading`` says. Of ``marked`` words signs
    and notes are put behind them; what both say is taken as it is, and must be safe.

    >>> rendered("A *b* <i onclick='c'>, $n^2$", "en", formula=lambda tex, display: tex)
    '<p>A <em>b</em> &lt;i onclick=&#x27;c&#x27;&gt;, n^2</p>\n'
    >>> rendered("- گام ۱\n- step 2", "fa")
    '<ul>\n<li>گام ۱</li>\n<li><p dir="ltr">step 2</p></li>\n</ul>\n'
    """
    document = read(text, lang)
    marks = Marks(marked)
    formulas = Formulas(text if document.read else "")
    setting = Setting(text, formulas, marks, formula, media)
    page = _Page(setting, direction_of(lang), heading)
    return "".join(page.passages(document.blocks))


def direction(lang: str) -> str:
    """Return the way in which texts in a language run, as HTML's ``dir`` has it.

    >>> direction("fa"), direction("en"), direction("tlh")
    ('rtl', 'ltr', 'ltr')
    """
    return _DIRECTIONS[direction_of(lang) == "rtl"]


@dataclass
class _Page:
    """What is written of a text, block after block."""

    setting: Setting
    direction: Direction
    heading: int

    def __post_init__(self) -> None:
        self.base = _DIRECTIONS[self.direction == "rtl"]
        self.lists = Lists()

    def passages(self, blocks: Sequence[Block]) -> Iterator[str]:
        """Yield what stands together, each with the notes on words that end in it."""
        passage: list[str] = []
        for block in blocks:
            if not any(lead.word and not lead.first for lead in block.leads):
                passage += self.lists.leave() if not self._goes_on(block) else ()
                if not self.lists.edge:
                    yield from self._noted(passage)
                    passage = []
            passage += self.lists.enter(block, self.base)
            passage.append(_WRITERS[block.kind](self, block))
        passage += self.lists.leave()
        passage += self.setting.marks.ended(1 << 62)
        yield from self._noted(passage)

    def _goes_on(self, block: Block) -> bool:
        """Say whether a block may be the next item of the list that is open."""
        return any(lead.word and not lead.goes_on for lead in block.leads[:1])

    def _noted(self, passage: list[str]) -> Iterator[str]:
        notes = self.setting.marks.notes()
        if not notes:
            yield from passage
            return
        html = "".join(passage)
        yield f'<div class="passage">\n<div class="words">\n{html}</div>\n{"".join(notes)}</div>\n'

    def turned(self, text: str) -> str:
        """Return the direction of a block where it is not that of what it stands in."""
        own = _DIRECTIONS[base_of(text, self.direction)] if text.strip() else ""
        return own if own != (self.lists.edge or self.base) else ""


def _paragraph(page: _Page, block: Block) -> str:
    html = html_of(block.prose, page.setting, block.end)
    turned = page.turned(block.prose.text)
    if first_of_item(block) and not turned:
        return html
    return f"{tag('p', dir=turned)}{html}</p>" + ("" if first_of_item(block) else "\n")


def _heading(page: _Page, block: Block) -> str:
    html = html_of(block.prose, page.setting, block.end)
    name = f"h{min(_LAST_HEADING, page.heading + block.level - 1)}"
    return f"{tag(name, dir=page.turned(block.prose.text))}{html}</{name}>\n"


def _code(page: _Page, block: Block) -> str:
    signs = "".join(page.setting.marks.ended(block.end))
    return code(block.prose.text, block.language) + (f"<p>{signs}</p>\n" if signs else "")


def code(text: str, language: str = "python") -> str:
    """Return a program as HTML: it runs left to right, and nobody is to translate it."""
    name = f"language-{language.lower()}" if _NAME.fullmatch(language) else ""
    # The first line break in <pre> is no part of what it holds.
    opening = '<pre dir="ltr" translate="no" tabindex="0">'
    return f"{opening}{tag('code', class_=name)}{escaped(text)}\n</code></pre>\n"


def _rule(page: _Page, block: Block) -> str:
    return "<hr>\n"


def _table(page: _Page, block: Block) -> str:
    base = page.turned("\n".join(cell.text for cell in block.proses))
    cells = base or page.base
    rows = [
        "".join(_cell(page, cell, "td" if number else "th", aligned, cells)
                for cell, aligned in zip(row, block.aligned, strict=False))
        for number, row in enumerate(block.rows)
    ]  # fmt: skip
    signs = "".join(page.setting.marks.ended(block.end))
    head, body = f"<thead>\n<tr>{rows[0]}</tr>\n</thead>\n", ""
    if rows[1:]:
        body = "<tbody>\n" + "".join(f"<tr>{row}</tr>\n" for row in rows[1:]) + "</tbody>\n"
    table = f"{tag('table', dir=base)}\n{head}{body}</table>"
    return f'<div class="table" tabindex="0">{table}</div>\n' + (f"<p>{signs}</p>" if signs else "")


def _cell(page: _Page, cell: Prose, name: str, aligned: str, base: str) -> str:
    own = _DIRECTIONS[base_of(cell.text, page.direction)] if cell.text.strip() else base
    scope = "col" if name == "th" else ""
    opening = tag(name, scope=scope, class_=aligned, dir=own if own != base else "")
    return f"{opening}{html_of(cell, page.setting)}</{name}>"


_WRITERS: dict[str, Callable[[_Page, Block], str]] = {
    "paragraph": _paragraph,
    "heading": _heading,
    "code": _code,
    "rule": _rule,
    "table": _table,
}
