"""Words chosen out of an entry's texts, by keys or mouse, a paragraph at a time."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from textual import events
from textual.containers import VerticalScroll
from textual.geometry import Region
from textual.message import Message

from kb.display import direction_of, paragraphs, whole
from kb.records import Entry, TextSpan
from tui.bidi import StyledSpan
from tui.commands import bindings
from tui.widgets.bidi_text import BidiText

_CHOSEN = "reverse"

# What stands between blanks, without the punctuation that ends it.
_WORD = re.compile(r"\S*[^\s.,;:!?،؛؟]")


class Passage(NamedTuple):
    """A paragraph of an entry's text of a role and a language, which begins at ``start``."""

    role: str
    lang: str
    start: int
    text: str


def passages(entry: Entry, wanted: str) -> list[Passage]:
    """Return the paragraphs of an entry, those in the wanted language first."""
    langs = sorted(entry.languages, key=lambda lang: lang != wanted)
    roles = dict.fromkeys(("question", *(answer.role for answer in entry.answers)))
    return [each for lang in langs for role in roles for each in _paragraphs(entry, role, lang)]


def _paragraphs(entry: Entry, role: str, lang: str) -> Iterator[Passage]:
    text = entry.text(role, lang)
    for start, end in paragraphs(text):
        if _WORD.search(text, start, end):
            yield Passage(role, lang, start, text[start:end])


class SpanPicker(BidiText, can_focus=True):
    """A paragraph in which words are chosen; other paragraphs are a key away.

    A formula is one word, whatever blanks it has.
    """

    ALLOW_SELECT = False
    BINDINGS = bindings("words")

    @dataclass
    class Moved(Message):
        """Another passage is shown."""

        passage: Passage

    def __init__(self, passages: Sequence[Passage], at: TextSpan | None, *, id: str) -> None:
        super().__init__(id=id, formulas=True)
        self._passages = passages
        self._place = 0
        self._anchor = self._head = 0
        self._exactly: TextSpan | None = None
        if at is not None:
            self._go_to(at)

    def on_mount(self) -> None:
        """Show where one begins."""
        self._tell()

    @property
    def passage(self) -> Passage:
        """The paragraph that is shown."""
        return self._passages[self._place]

    @property
    def words(self) -> TextSpan:
        """The words that are chosen."""
        if self._exactly is not None:
            return self._exactly
        spans = self._spans()
        first, last = sorted((self._anchor, self._head))
        role, lang, start, _text = self.passage
        return TextSpan(role, lang, start + spans[first][0], start + spans[last][1])

    def action_word_right(self) -> None:
        """Choose the word at the right, as the text is seen."""
        self._step(1)

    def action_word_left(self) -> None:
        """Choose the word at the left, as the text is seen."""
        self._step(-1)

    def action_more_right(self) -> None:
        """Choose the word at the right, too."""
        self._step(1, extend=True)

    def action_more_left(self) -> None:
        """Choose the word at the left, too."""
        self._step(-1, extend=True)

    def action_passage_before(self) -> None:
        """Go to the paragraph before."""
        self._turn(-1)

    def action_passage_after(self) -> None:
        """Go to the next paragraph."""
        self._turn(1)

    def _step(self, step: int, *, extend: bool = False) -> None:
        self._exactly = None
        forward = -step if direction_of(self.passage.lang) == "rtl" else step
        self._head = min(max(0, self._head + forward), len(self._spans()) - 1)
        if not extend:
            self._anchor = self._head
        self._tell()

    def _turn(self, step: int) -> None:
        self._place = min(max(0, self._place + step), len(self._passages) - 1)
        self._anchor = self._head = 0
        self._exactly = None
        self._tell()

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Choose the word under the mouse, or up to it."""
        word = self._word_at(event)
        if word is not None:
            self._head, self._exactly = word, None
            self._anchor = self._anchor if event.shift else word
            self.capture_mouse()
            self._tell()

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Choose up to the word that the mouse is dragged to."""
        word = self._word_at(event)
        if word is not None and self.app.mouse_captured is self and word != self._head:
            self._head = word
            self._tell()

    def on_mouse_up(self) -> None:
        """End a choice."""
        self.release_mouse()

    def _go_to(self, at: TextSpan) -> None:
        for place, (role, lang, start, text) in enumerate(self._passages):
            if (role, lang) == (at.role, at.lang) and start <= at.start <= start + len(text):
                self._place = place
                self._anchor = self._word_of(at.start - start)
                self._head = self._word_of(max(at.start, at.end - 1) - start)
                self._exactly = at if at.start < at.end <= start + len(text) else None

    def _spans(self) -> list[tuple[int, int]]:
        text = self.passage.text
        found: list[tuple[int, int]] = []
        for match in _WORD.finditer(text):
            start, end = whole(text, *match.span())
            if found and start < found[-1][1]:
                start, end = found[-1][0], max(end, found.pop()[1])
            found.append((start, end))
        return found

    def _word_of(self, place: int) -> int:
        """Return the number of the word at a place, or of the one before it."""
        begun = [number for number, (start, _end) in enumerate(self._spans()) if start <= place]
        return begun[-1] if begun else 0

    def _word_at(self, event: events.MouseEvent) -> int | None:
        offset = event.get_content_offset(self)
        place = self.place_at(*offset) if offset is not None else None
        return None if place is None else self._word_of(place)

    def _tell(self) -> None:
        _role, lang, start, end = self.words
        at = self.passage.start
        chosen = StyledSpan(start - at, end - at, _CHOSEN)
        self.show(self.passage.text, [chosen], direction_of(lang))
        self.post_message(self.Moved(self.passage))
        self.call_after_refresh(self._into_sight)

    def _into_sight(self) -> None:
        head = self._spans()[self._head][0]
        rows = self.rows(max(1, self.content_size.width))
        line = next((y for y, row in enumerate(rows) if row.holds(head)), 0)
        pane = self.query_ancestor(VerticalScroll)
        pane.scroll_to_region(Region(0, line, 1, 1), animate=False, force=True)
