"""Selectable parts of an entry: texts, and lines of annotations.

Annotated words are underlined, with a sign after them.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.containers import HorizontalScroll
from textual.content import Content
from textual.style import Style

from kb.i18n import _, of_language
from kb.present.annotated import AnnotatedSpan, Numbered
from kb.present.fences import python_of
from kb.present.markdown.document import ADDED, Block, Document, Passage, Piece, added
from kb.present.titles import said_first
from kb.terminal.bidi.direction import Direction, direction_of
from kb.terminal.layout import lines_of
from kb.terminal.tex.formulas import Shown, whole
from tui.bidi import TOOLTIP, StyledSpan, TextRow, direction_in, styled
from tui.messages import ShowPart
from tui.phrases import annotation_sign, verdict_of
from tui.terminal import turned
from tui.themes import coloured
from tui.widgets.bidi_text import BidiText
from tui.widgets.prose import ProseText

if TYPE_CHECKING:
    from kb.model.entry import Annotation, TextSpan

_ADDRESS = "note:"


def style_of(each: Numbered) -> str:
    """Return the style of annotated words: never colour alone."""
    return f"{verdict_of(each.annotation.verdict).style} underline"


def tinted(marks: Sequence[StyledSpan]) -> list[StyledSpan]:
    """Return marks with a background instead of underlines, which hide the dots of letters.

    >>> tinted([StyledSpan(0, 4, "$verdict-wrong underline")])[0].style
    '$verdict-wrong on $panel'
    """
    return [
        mark._replace(style=mark.style.replace(" underline", " on $panel"))
        if isinstance(mark.style, str) and mark.style.startswith("$verdict")
        else mark
        for mark in marks
    ]


def marks_of(marked: Sequence[AnnotatedSpan]) -> list[StyledSpan]:
    """Return annotated words as marks on their text."""
    return [StyledSpan(start, end, style_of(each)) for each, start, end in marked]


def passages(
    document: Document, marked: Sequence[AnnotatedSpan]
) -> Iterator[tuple[Passage, Sequence[Numbered]]]:
    """Yield the passages of a text, with a sign after each annotation's words.

    With each passage come the annotations that end in it. If the words end within a formula, the
    sign follows the formula.
    """
    from kb.present.markdown.drawing import with_signs

    found = document.passages
    ends = [passage.end for passage in found]
    ended: list[list[AnnotatedSpan]] = [[] for _ in ends]
    for each in sorted(marked, key=lambda span: span.each.number):
        if 0 < each.end <= len(document.source):
            ended[bisect_left(ends, each.end)].append(each)
    for passage, spans in zip(found, ended, strict=True):
        signs = [(whole(document.source, each.end, each.end)[1], _sign(each)) for each in spans]
        blocks = with_signs(passage.blocks, signs) if signs else passage.blocks
        yield passage._replace(blocks=blocks), [each.each for each in spans]


def _sign(marked: AnnotatedSpan) -> Piece:
    style = style_of(marked.each).removesuffix(" underline")
    address = address_of(marked.each.annotation.id)
    return added(annotation_sign(marked.each.number), {f"{style} bold"}, address)


def address_of(annotation: str) -> str:
    """Return the internal address of an annotation's sign, which no text contains."""
    return f"{_ADDRESS}{annotation}"


_LONGEST = 180
"""The letters of a sentence shown in a tooltip, in about five lines."""


class TextBlock(ProseText):
    """A passage of a text; its words can be selected with the mouse.

    Formulas are readable, and are selected as a whole. Annotated words and their signs link to
    the note, and show it as a tooltip in the ``reader``'s language.
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {"text-block--current"}

    def __init__(
        self,
        role: str,
        lang: str,
        document: Document,
        passage: Passage,
        marks: Sequence[StyledSpan] = (),
        marked: Sequence[AnnotatedSpan] = (),
        *,
        reader: str = "",
        classes: str | None = None,
    ) -> None:
        super().__init__(document, passage.blocks, marks, classes=classes)
        self.role = role
        self.lang = lang
        self.start = passage.start
        self._reader = reader
        self._lit: list[tuple[int, int]] = []
        self._spoken = [
            each for each in marked if each.start < passage.end and passage.start < each.end
        ]

    def words(self, start: int, end: int) -> TextSpan:
        """Return words of the entry's text by position."""
        from kb.model.entry import TextSpan

        return TextSpan(self.role, self.lang, start, end)

    def selected_words(self) -> TextSpan | None:
        """Return the selected words of the entry, if any."""
        selection = self.text_selection
        span = self.selected_span(selection) if selection is not None else None
        return None if span is None else self.words(*span)

    def annotation_at(self, x: int, y: int) -> Annotation | None:
        """Return the annotation whose words or sign a cell shows.

        Of words within others it is the inner ones', and of equally long ones the first to end.
        """
        address, place = self.address_at(x, y), self.place_at(x, y)
        signs = (each for each in self._spoken if address_of(each.each.annotation.id) == address)
        around = (e for e in self._spoken if place is not None and e.start <= place < e.end)
        inner = min(around, key=lambda each: (each.end - each.start, each.end), default=None)
        found = next(signs, inner)
        return found.each.annotation if found is not None else None

    def on_click(self, event: events.Click) -> None:
        """Go to the note on the words under the mouse, unless they are a link or selected."""
        offset = event.get_content_offset(self)
        if offset is None or self.text_selection is not None:
            return
        annotation, address = self.annotation_at(*offset), self.address_at(*offset)
        if annotation is not None and address in ("", address_of(annotation.id)):
            event.stop()
            event.prevent_default()
            self.post_message(ShowPart(annotation.id))

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Set the tooltip for the words under the mouse."""
        offset = event.get_content_offset(self)
        annotation = self.annotation_at(*offset) if offset is not None else None
        self.tooltip = None if annotation is None else hint_of(annotation, self._reader)

    def light(self, annotation: str | None) -> None:
        """Highlight only the words of one annotation."""
        before, self._lit = self._lit, self.words_of(annotation)
        if before != self._lit:
            self.refresh()

    def marked(self, row: TextRow, width: int) -> Content:
        """Return a line with marks and highlighted words."""
        current = self._current if self._lit else ""
        lit = [StyledSpan(start, end, current) for start, end in self._lit]
        marks = tinted(self._marks) if self._has_grounds else self._marks
        return styled(row, [*marks, *lit], width)

    @property
    def _has_grounds(self) -> bool:
        """Whether words are marked by background, because underlines would hide dots.

        With sixteen or no colours, backgrounds are not visible.
        """
        app = self.app
        many = app.console.color_system in ("256", "truecolor") and not app.no_color
        return many and direction_of(self.lang) == "rtl"

    @property
    def _current(self) -> Style:
        """The style of highlighted words, including their background."""
        styles = self.get_component_styles("text-block--current")
        ground, style = self.background_colors[1], styles.text_style
        return Style(ground + styles.background, bold=style.bold, reverse=style.reverse)

    def lines_showing(self, spans: Sequence[tuple[int, int]]) -> range | None:
        """Return the lines from the first to the last with words of the text, if any."""
        lines = [
            y
            for y, row in enumerate(self.rows(self.content_size.width))
            if any(s <= row.start + place < e for place in row.line.places for s, e in spans)
        ]
        return range(lines[0], lines[-1] + 1) if lines else None

    def words_of(self, annotation: str | None) -> list[tuple[int, int]]:
        """Return the spans of this passage that an annotation marks."""
        spoken = (each for each in self._spoken if each.each.annotation.id == annotation)
        return [(each.start, each.end) for each in spoken]


class CodeText(TextBlock):
    """Code within a text, coloured and without wrapping."""

    breaks_code = False


def colours_of(block: Block) -> Iterator[StyledSpan]:
    """Yield the styles of a block of code by their positions in the source."""
    written = [each for each in zip(*block.prose.shown, strict=True) if each[1] != ADDED]
    places = [place for _char, place in written]
    for start, end, style in coloured("".join(char for char, _place in written), block.language):
        yield StyledSpan(places[start], places[end - 1] + 1, style)


class CodeBlock(HorizontalScroll):
    """Code within a text; scrolls if it is wider than its pane."""

    def __init__(self, text: CodeText, block: Block, *, classes: str) -> None:
        super().__init__(text, classes=f"program {classes}")
        self.python = python_of(text.document, block)

    def allow_focus(self) -> bool:
        """Accept the focus if there is something to scroll."""
        return self.max_scroll_x > 0


class AnnotationHead(BidiText):
    """The heading of an annotation; a click leads to its words."""

    def __init__(self, annotation: Annotation, text: str, marks: Sequence[StyledSpan]) -> None:
        super().__init__(text, marks, name=annotation.id, classes="verdict")
        self.annotation = annotation

    def on_click(self, event: events.Click) -> None:
        """Go to the words, unless text is being selected."""
        event.stop()
        if self.text_selection is None:
            self.post_message(ShowPart(self.annotation.id, words=True))


def hint_of(annotation: Annotation, lang: str) -> Content:
    """Return an annotation's verdict and the first sentence of its note, for a tooltip."""
    verdict = verdict_of(annotation.verdict)
    name = f"{verdict.sign} {_(verdict.name)}"
    spoken, note = of_language(annotation.note, lang)
    head = _rows(name, direction_in("interface"))
    said = _rows(said_first(note, spoken, _LONGEST), direction_of(spoken)) if note else []
    width = max(row.line.width for row in (*head, *said))
    mark = StyledSpan(0, len(name), f"{verdict.style} bold")
    lines = [styled(row, [mark], width) for row in head]
    return Content("\n").join([*lines, *(styled(row, (), width) for row in said)])


def _rows(text: str, direction: Direction) -> list[TextRow]:
    lines = lines_of(Shown(text, range(len(text))), TOOLTIP, direction, turned())
    return [TextRow(0, line) for line in lines]
