"""The reader's position in an entry, and moves within it.

A `Landmark` is found again after the parts of the pane are rebuilt. `go_to_match` scrolls to the
first match of an entry opened from a search. A `NoteWalk` moves between notes, and between a note
and its words. A `RunFollower` keeps a run visible.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import takewhile
from typing import NamedTuple, TypeAlias

from textual.containers import ScrollableContainer, VerticalScroll
from textual.widget import Widget

from tui.reading import Places
from tui.widgets.scrolling import bring, line_of, rows_in_sight
from tui.widgets.snippet_view import RunPanel, SnippetRun, SnippetView
from tui.widgets.text_block import AnnotationHead, TextBlock

_ABOVE = 2
"""The lines shown above a match, for context."""


class Landmark(NamedTuple):
    """A named part of a pane, and its line in the view."""

    name: str
    y: int


Landmarks: TypeAlias = tuple[Landmark, ...]


def landmarks(pane: ScrollableContainer, first: str | None = None) -> Landmarks:
    """Return the named parts in the view, the ``first`` before others, then those above.

    At the start of a pane there are none: the view stays there.
    """
    if not pane.scroll_offset.y:
        return ()
    named = _named(pane)
    in_sight = [each for each in named if 0 <= each.y < pane.scrollable_content_region.height]
    above = [Landmark(each.name, 0) for each in named if each.y < 0]
    return (*sorted(in_sight, key=lambda each: each.name != first), *above[::-1])


def go_to(pane: ScrollableContainer, wanted: Sequence[Landmark]) -> None:
    """Scroll to the first of some parts that is there, at its previous line, or to the start."""
    there = {each.name: each.y for each in reversed(_named(pane))}
    found = next((each for each in wanted if each.name in there), None)
    y = 0 if found is None else pane.scroll_offset.y + there[found.name] - found.y
    pane.scroll_to(y=y, animate=False, force=True, immediate=True)


def _named(pane: ScrollableContainer) -> list[Landmark]:
    parts = [part for part in pane.walk_children(Widget) if part.name and part.region]
    top = pane.scroll_offset.y
    return [Landmark(str(part.name), line_of(pane, part) - top) for part in parts]


class FirstMatch(NamedTuple):
    """The first search match by role and language: the place to start reading."""

    matched: Mapping[tuple[str, str], Places]


def go_to_match(pane: VerticalScroll, wanted: FirstMatch) -> None:
    """Scroll to the first match, unless one is visible."""
    lines = [
        line_of(pane, block) + block.gutter.top + shown.start
        for block in pane.query(TextBlock)
        if (shown := block.lines_showing(wanted.matched.get((block.role, block.lang), ())))
    ]
    top, room = int(pane.scroll_target_y), pane.scrollable_content_region.height
    if lines and not any(top <= line < top + room for line in lines):
        pane.scroll_to(y=max(0, lines[0] - _ABOVE), animate=False, force=True, immediate=True)


class RunFollower:
    """Shows runs below their programs, and scrolls to new ones.

    A visible run stays visible as it grows and ends; other positions are left alone.
    """

    def __init__(self, pane: VerticalScroll) -> None:
        self._pane = pane
        self._followed: RunPanel | None = None
        self._aside: SnippetRun | None = None
        self._brought_to = 0.0

    @property
    def follows(self) -> bool:
        """Whether a run is visible and the reader has not moved since."""
        return self._followed is not None and self._pane.scroll_target_y == self._brought_to

    @property
    def line(self) -> int:
        """The line of the followed run, or 0."""
        return line_of(self._pane, self._followed) if self._followed and self.follows else 0

    def again(self) -> None:
        """Follow the same run in its new panel."""
        panels = self._pane.query(RunPanel)
        run = self._followed.run if self._followed is not None else None
        self._follow(next((panel for panel in panels if panel.run is run), None))

    async def begin(self, run: SnippetRun, view: SnippetView, *, aside: bool) -> None:
        """Show a new run below its program; one ``aside`` is scrolled to only if it fails."""
        panel = await view.follow(run)
        self._aside = run if aside else None
        if not aside:
            self._brought_to = self._pane.scroll_target_y  # until its layout is there
            self._follow(panel)
            self._bring()  # what ends at once is in sight already then

    def progress(self, run: SnippetRun) -> None:
        """Show the output or result of a run."""
        for panel in self._pane.query(RunPanel):
            if panel.run is run:
                awaited = self.follows or not panel.size.height
                seen = awaited or rows_in_sight(self._pane, panel)
                panel.follow()
                if run is not self._aside:
                    self._follow(panel if seen else None)
                elif run.failed:
                    self._follow(panel)

    def leave(self) -> None:
        """Follow no run until the next one."""
        self._followed = None

    def _follow(self, panel: RunPanel | None) -> None:
        self._followed = panel
        self._pane.call_after_refresh(self._bring)

    def grew(self, panel: RunPanel, before: int) -> None:
        """Follow a panel that has grown from ``before``, while it is visible."""
        if panel is self._followed and (not before or rows_in_sight(self._pane, panel, before)):
            self._bring()

    def shifted(self) -> None:
        """Follow the panel when its surroundings move, unless the reader moved."""
        if self.follows:
            self._pane.call_after_refresh(self._bring)

    def _bring(self) -> None:
        if self._followed is not None and self._followed.is_attached and self._followed.size:
            bring(self._pane, self._followed)
            self._brought_to = self._pane.scroll_target_y


_LINES = 3
"""The lines of a note, with its heading, that must be visible after a move to it."""


def note_after(heads: Sequence[int], by: int, top: int) -> int:
    """Return the next note if there is no current one, from the first visible line.

    ``heads`` are the first lines of notes. After the last comes the first.

    >>> [note_after([5, 20, 40], 1, top) for top in (0, 20, 21, 50)]
    [0, 1, 2, 0]
    >>> [note_after([5, 20, 40], -1, top) for top in (0, 20, 21, 50)]
    [2, 0, 1, 2]
    """
    above = sum(line < top for line in heads)
    return (above + by - (by > 0)) % len(heads)


class NoteWalk:
    """The current annotation, and moves to it and its words.

    Each step is ``told`` to the reader.
    """

    def __init__(self, pane: ScrollableContainer, told: Callable[[], object]) -> None:
        self._pane = pane
        self._told = told
        self.current: str | None = None
        self._opened: set[str] = set()
        self._gone_to = 0

    def light(self) -> None:
        """Highlight the current note and its words."""
        for head in self._pane.query(AnnotationHead):
            head.set_class(head.annotation.id == self.current, "-current")
            for part in _parts(head) if head.annotation.id in self._opened else ():
                part.remove_class("-folded")
        for block in self._pane.query(TextBlock):
            block.light(self.current)

    @property
    def here(self) -> str | None:
        """The current note, while the reader stays at it."""
        heads = [h for h in self._pane.query(AnnotationHead) if h.annotation.id == self.current]
        return self.current if any(map(self._stays, heads)) else None

    def step(self, by: int) -> None:
        """Move by this many notes, from the current one or the view."""
        heads = list(self._pane.query(AnnotationHead))
        if not heads:
            return
        ids = [head.annotation.id for head in heads]
        if self.current in ids and self._stays(heads[ids.index(self.current)]):
            at = (ids.index(self.current) + by) % len(ids)
        else:
            at = note_after([self._line_of(head) for head in heads], by, self._top)
        self.go(ids[at])

    @property
    def _top(self) -> int:
        return int(self._pane.scroll_target_y)

    @property
    def _room(self) -> int:
        return self._pane.scrollable_content_region.height

    def _stays(self, head: AnnotationHead) -> bool:
        """Return whether the reader is still at a note: visible, or not scrolled since."""
        note = self._note_below(head)
        in_sight = note.start < self._top + self._room and self._top < note.stop
        return in_sight or self._gone_to == self._top

    def go(self, annotation: str, *, to_words: bool = False) -> None:
        """Go to the note of an annotation or to its words, with both visible if possible."""
        heads = self._pane.query(AnnotationHead)
        head = next((each for each in heads if each.annotation.id == annotation), None)
        if head is None:
            return
        self.current = annotation
        self._opened.add(annotation)
        folded = any(part.has_class("-folded") for part in _parts(head))
        self.light()
        if folded:  # how much room it takes is known once it is laid out
            self._pane.call_after_refresh(self.go, annotation, to_words=to_words)
        note = self._note_below(head)
        words = self._words_of(annotation) or note
        top, room = self._top, self._room
        shown = range(min(words.start, note.start), max(words.stop, note.stop))
        wanted = words if to_words else note
        if wanted.start - shown.start > room - _LINES:
            shown = wanted
        if not (top <= shown.start and shown.stop <= top + room):
            top = max(0, shown.start - max(0, room - len(shown)) // 2)
        self._gone_to = min(top, int(self._pane.max_scroll_y))
        self._pane.scroll_to(y=self._gone_to, animate=False, immediate=True)
        self._told()

    def _note_below(self, head: AnnotationHead) -> range:
        """Return the lines of a note, from its heading to its last part."""
        last = [head, *(part for part in _parts(head) if part.display)][-1]
        return range(self._line_of(head), self._line_of(last) + last.size.height)

    def _words_of(self, annotation: str) -> range | None:
        for block in self._pane.query(TextBlock):
            lines = block.lines_showing(block.words_of(annotation))
            if lines is not None:
                top = self._line_of(block)
                return range(top + lines.start, top + lines.stop)
        return None

    def _line_of(self, widget: Widget) -> int:
        """Return the pane line where a widget's content begins."""
        return line_of(self._pane, widget) + widget.gutter.top


def _parts(head: AnnotationHead) -> list[Widget]:
    """Return the widgets below a note's heading."""
    siblings = list(head.parent.children) if head.parent else []
    below = siblings[siblings.index(head) + 1 :]
    return list(
        takewhile(
            lambda part: part.has_class("annotation") and not isinstance(part, AnnotationHead),
            below,
        )
    )
