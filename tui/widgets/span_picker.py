"""Chooses words of an entry's texts by keys or mouse, one passage at a time."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partialmethod
from typing import ClassVar, NamedTuple

from textual import events, work
from textual.geometry import Region
from textual.message import Message

from kb.i18n import _
from kb.model.entry import Entry, TextSpan
from kb.model.values import OWN_TARGET_ROLES
from kb.present.markdown.document import ADDED, Document, Passage
from kb.present.markdown.reader import read
from kb.terminal.bidi.direction import direction_of
from kb.terminal.tex.formulas import whole
from tui.bidi import StyledSpan
from tui.choices import Choice
from tui.commands import Place, bindings
from tui.terminal import turned
from tui.widgets.prose import ProseText
from tui.widgets.scrolling import ScrollingForm

_CHOSEN = "reverse"

# What stands between blanks, without the punctuation that ends it.
_WORD = re.compile(r"\S*[^\s.,;:!?،؛؟]")

_PHRASE = 8  # words at most that are found together


class Part(NamedTuple):
    """A passage of a text, with role and language."""

    role: str
    lang: str
    document: Document
    passage: Passage


def parts_of(entry: Entry, wanted: str) -> list[Part]:
    """Return the passages of an entry, the wanted language first."""
    langs = sorted(entry.languages, key=lambda lang: lang != wanted)
    texts = [
        (role, lang, read(entry.text(role, lang), lang))
        for lang in langs
        for role in OWN_TARGET_ROLES
    ]
    parts = (Part(*text, passage) for text in texts for passage in text[2].passages)
    return [part for part in parts if _words(part)]


def _words(part: Part) -> list[tuple[int, int]]:
    """Return the source positions of a passage's displayed words; formulas are one word."""
    found: list[tuple[int, int]] = []
    for prose in (prose for block in part.passage.blocks for prose in block.proses):
        text, shown = prose.shown
        for match in _WORD.finditer(text):
            places = [place for place in shown[match.start() : match.end()] if place != ADDED]
            if places:
                start, end = whole(part.document.source, places[0], places[-1] + 1)
                if found and start < found[-1][1]:
                    start, end = found[-1][0], max(end, found.pop()[1])
                found.append((start, end))
    return found


class SpanPicker(ProseText, can_focus=True):
    """Chooses words in a passage; keys go to other passages.

    A formula counts as one word. Typed or pasted text is not a choice of words: ``write`` gets
    it.
    """

    ALLOW_SELECT = False
    opens_links = False
    PLACES: ClassVar[tuple[Place, ...]] = ("words",)
    BINDINGS = bindings("words")

    _anchor = _head = 0
    _exactly: TextSpan | None = None

    @dataclass
    class Moved(Message):
        """Another passage is shown."""

        passage: Part

    def __init__(
        self,
        passages: Sequence[Part],
        at: TextSpan | None,
        write: Callable[[str], None],
        *,
        id: str,
    ) -> None:
        first = passages[0]
        super().__init__(first.document, first.passage.blocks, id=id)
        self._passages = passages
        self._write = write
        self._show(0)
        self._typed = False
        """Whether letters were passed on since the focus came: the spaces after them follow."""
        if at is not None:
            self._go_to(at)

    def on_mount(self) -> None:
        """Show the start."""
        self._tell()

    @property
    def passage(self) -> Part:
        """The current passage."""
        return self._passages[self._place]

    @property
    def words(self) -> TextSpan:
        """The chosen words."""
        if self._exactly is not None:
            return self._exactly
        first, last = sorted((self._anchor, self._head))
        role, lang, *_rest = self.passage
        return TextSpan(role, lang, self._spans[first][0], self._spans[last][1])

    def on_key(self, event: events.Key) -> None:
        """Pass on typed text at once, because the next key goes to its target."""
        typed = event.character or ""
        text = self._typed or (typed.strip() and event.key not in self.screen.active_bindings)
        if event.is_printable and text:
            event.stop().prevent_default()
            self._typed = True
            self._write(typed)

    def on_focus(self) -> None:
        """Read keys as movements again."""
        self._typed = False

    def on_paste(self, event: events.Paste) -> None:
        """Pass on pasted text."""
        event.stop()
        self._write(event.text)

    @work(exit_on_error=False)
    async def action_find_words(self) -> None:
        """Go to the next place of words that the reader picks; typing narrows the list."""
        from tui.screens.questions import PickScreen

        every = [
            ((more, place, n), " ".join(part.document.source[start:end].split()))
            for place, part in enumerate(self._passages)
            for spans in (_words(part),)
            for more in range(_PHRASE)
            for n, ((start, _end), (_start, end)) in enumerate(
                zip(spans, spans[more:], strict=False)
            )
        ]
        # Words are before phrases, and what follows is first.
        every.sort(key=lambda each: (each[0][0], each[0][1:] <= (self._place, self._head)))
        places = {words: at for at, words in reversed(every)}
        choices = [Choice(words, words) for words in dict.fromkeys(words for _at, words in every)]
        chosen = await self.app.push_screen_wait(PickScreen(_("Find words"), choices))
        if chosen is not None:
            more, place, word = places[chosen]
            self._show(place)
            self._anchor, self._head = word, word + more
            self._tell()

    def _step_right(self, step: int, *, extend: bool = False) -> None:
        """Choose the word at the right or left on the screen; ``extend`` adds it."""
        self._exactly = None
        forward = -step if direction_of(self.passage.lang) == "rtl" else step
        self._head = min(max(0, self._head + forward), len(self._spans) - 1)
        if not extend:
            self._anchor = self._head
        self._tell()

    action_right = partialmethod(_step_right, 1)
    action_left = partialmethod(_step_right, -1)
    action_more_right = partialmethod(_step_right, 1, extend=True)
    action_more_left = partialmethod(_step_right, -1, extend=True)

    def _step_down(self, step: int) -> None:
        """Choose the word below or above; after the last line comes the next passage."""
        lines = self._lines()
        here = next((y for y, words in enumerate(lines) if self._head in words), 0)
        if not 0 <= here + step < len(lines):
            self._go_passage(step)
            return
        column, words = lines[here].get(self._head, 0), lines[here + step]
        self._head = self._anchor = min(words, key=lambda word: abs(words[word] - column))
        self._exactly = None
        self._tell()

    def _lines(self) -> list[dict[int, int]]:
        """Return the words that begin in each line, with their columns from its start."""
        lines: list[dict[int, int]] = []
        begun: set[int] = set()
        for row in self.rows(max(1, self.content_size.width)):
            shown = row.line.places[::-1] if row.line.rtl and turned() else row.line.places
            words = {
                self._word_of(row.start + place): column
                for column, place in reversed([*enumerate(shown)])
                if place != ADDED
            }
            lines.append({word: words[word] for word in words.keys() - begun})
            begun |= words.keys()
        return [words for words in lines if words]

    def _go_passage(self, step: int) -> None:
        """Move to the next or previous passage."""
        self._show(min(max(0, self._place + step), len(self._passages) - 1))
        self._tell()

    action_page_down = partialmethod(_go_passage, 1)
    action_page_up = partialmethod(_go_passage, -1)
    action_down = partialmethod(_step_down, 1)
    action_up = partialmethod(_step_down, -1)

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Choose the word under the mouse, or extend to it."""
        word = self._word_at(event)
        if word is not None:
            self._head, self._exactly = word, None
            self._anchor = self._anchor if event.shift else word
            self.capture_mouse()
            self._tell()

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Extend the selection to the word under the mouse."""
        word = self._word_at(event)
        if word is not None and self.app.mouse_captured is self and word != self._head:
            self._head = word
            self._tell()

    def on_mouse_up(self) -> None:
        """End a choice."""
        self.release_mouse()

    def _go_to(self, at: TextSpan) -> None:
        for place, (role, lang, _document, (start, end, _blocks)) in enumerate(self._passages):
            if (role, lang) == (at.role, at.lang) and start <= at.start <= end:
                self._show(place)
                self._anchor = self._word_of(at.start)
                self._head = self._word_of(max(at.start, at.end - 1))
                self._exactly = at if at.start < at.end <= end else None

    def _show(self, place: int) -> None:
        """Show a passage with its first word chosen."""
        self._place, self._spans = place, _words(self._passages[place])
        self._anchor = self._head = 0
        self._exactly = None

    def _word_of(self, place: int) -> int:
        """Return the number of the word at a position, or before it."""
        before = [number for number, (start, _end) in enumerate(self._spans) if start <= place]
        return before[-1] if before else 0

    def _word_at(self, event: events.MouseEvent) -> int | None:
        offset = event.get_content_offset(self)
        place = self.place_at(*offset) if offset is not None else None
        return None if place is None else self._word_of(place)

    def _tell(self) -> None:
        _role, _lang, start, end = self.words
        chosen = StyledSpan(start, end, _CHOSEN)
        self.show_blocks(self.passage.document, self.passage.passage.blocks, [chosen])
        self.post_message(self.Moved(self.passage))
        self.call_after_refresh(self._into_sight)

    def _into_sight(self) -> None:
        head = self._spans[self._head][0]
        rows = self.rows(max(1, self.content_size.width))
        ends = (max(row.line.places, default=ADDED) + row.start for row in rows)
        line = next((y for y, end in enumerate(ends) if end >= head), 0)
        pane = self.query_ancestor(ScrollingForm)
        pane.scroll_to_region(Region(0, line, 1, 1), animate=False, force=True)
