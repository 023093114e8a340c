"""Texts in Markdown, for people: in styles, or with signs or words where there are none."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from kb.cli.output import Printer, Span
from kb.errors import Message
from kb.i18n import _

if TYPE_CHECKING:
    from kb.present.markdown.document import Block, Prose, Styled
    from kb.present.markdown.drawing import Drawn

_STYLES: Mapping[str, Mapping[str, Any]] = {
    "bold": {"bold": True},
    "italic": {"italic": True},
    "underline": {"underline": True},
    "strike": {"strikethrough": True},
    "code": {"fg": "cyan"},
    "mark": {"reverse": True},
    "link": {"underline": True},
}
_AS_WRITTEN = Message("(too long or too nested to be laid out: shown as it was written)")


def write_prose(
    printer: Printer,
    text: str,
    lang: str,
    *,
    indent: int = 0,
    style: Mapping[str, Any] | None = None,
) -> None:
    """Write a text in a language; what is written in Markdown is laid out."""
    from kb.present.markdown.reader import read

    document = read(text, lang)
    for block in document.blocks:
        if block.apart:
            printer.write()
        for line in _lines(printer, block, lang, indent, style or {}):
            printer.laid(" " * indent, *line)
    if not document.read:
        printer.write(_(_AS_WRITTEN), indent=indent, style={"dim": True})


def _lines(
    printer: Printer, block: Block, lang: str, indent: int, style: Mapping[str, Any]
) -> Iterator[list[Span]]:
    from kb.display import direction_of
    from kb.present.markdown.drawing import UNBROKEN, draw
    from kb.present.markdown.words import in_words

    if printer.plain:
        yield from ([Span(line)] for line in in_words(block))
        return
    shown = block if printer.colored and printer.terminal else _signed(block, printer)
    width = max(1, printer.width - indent) if printer.laid_out else UNBROKEN
    style = {} if block.kind == "code" else style
    for drawn in draw(shown, width, direction_of(lang), printer.turned):
        right = drawn.line.rtl and printer.turned
        edge = max(0, width - drawn.line.width) if right else 0
        yield [Span(" " * edge), *_styled(printer, drawn, style)]


def _signed(block: Block, printer: Printer) -> Block:
    """Return a block with addresses beside its links, and marks where there are no styles."""
    from kb.present.markdown.document import with_texts
    from kb.present.markdown.words import with_addresses, with_marks

    def signed(prose: Prose) -> Prose:
        return with_addresses(prose if printer.colored else with_marks(prose))

    return with_texts(block, signed)


def _styled(printer: Printer, drawn: Drawn, style: Mapping[str, Any]) -> list[Span]:
    """Return a line in its styles; what is a link leads to its address in a terminal."""
    text = drawn.line.text
    if not printer.colored:
        return [Span(text)]
    over: dict[int, Styled] = {}
    begun: dict[int, dict[int, Styled]] = defaultdict(dict)
    ended: dict[int, list[int]] = defaultdict(list)
    for number, each in enumerate(drawn.styled):
        if each.start < each.end:
            begun[each.start][number] = each
            ended[each.end].append(number)
    spans = []
    for start, end in pairwise(sorted({0, len(text), *begun, *ended})):
        for number in ended[start]:
            del over[number]
        over |= begun[start]
        spans.append(_stretch(text[start:end], [over[n] for n in sorted(over)], style))
    return spans


def _stretch(text: str, over: Iterable[Styled], style: Mapping[str, Any]) -> Span:
    known = dict(style)
    for name in (name for each in over for name in each.styles):
        known |= _STYLES.get(name, {})
    return Span(text, known, next((each.address for each in over if each.address), ""))
