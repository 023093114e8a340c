"""A picture in a text: a caption line, and its pixels as half cells below.

A cell shows two pixels, one above the other, by the colours of a half block and its background.
Every terminal with 256 colours or more can show it, and only coloured text is written to it; with
fewer colours, only the caption is shown.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from rich.color import Color
from rich.segment import Segment
from rich.style import Style
from textual.containers import Vertical
from textual.geometry import Size
from textual.strip import Strip
from textual.widget import Widget

from kb.i18n import _, number
from kb.model.entry import Entry, Media
from kb.present.markdown.document import Passage
from kb.present.pictures import Pixels
from kb.terminal.terminal import in_one_line
from tui.bidi import edge_of
from tui.messages import OpenPicture, ReadPicture
from tui.widgets.links import Link

MOST_CELLS = (80, 20)
"""The maximum columns and lines of a picture, so that text stays visible beside it."""

_MOST_SHOWN = 50
"""The maximum number of pictures shown in a text: each is a widget."""

_UPPER_HALF = "▀"
_COLOURS = ("256", "truecolor")


def shown_media(entry: Entry, passage: Passage, before: dict[str, Media]) -> list[Media]:
    """Return the media of a passage that are not ``before`` it, and add them there."""
    named = {each.name: each for each in entry.media}
    pieces = (piece for block in passage.blocks for prose in block.proses for piece in prose.pieces)
    files = dict.fromkeys(piece.file for piece in pieces if piece.file in named)
    fresh = [name for name in files if name not in before][: _MOST_SHOWN - len(before)]
    before.update((name, named[name]) for name in fresh)
    return [named[name] for name in fresh]


class PictureBlock(Vertical):
    """A picture; it requests its pixels and is hidden until they come.

    Media that are not pictures stay hidden, unless the text calls them pictures.
    """

    def __init__(self, media: Media, lang: str) -> None:
        super().__init__(PictureLine(media), classes="picture")
        self.media = media
        self._lang = lang
        self.seen = False
        """Whether it is a picture that can be opened."""

    def on_mount(self) -> None:
        """Request the pixels."""
        self.post_message(ReadPicture(self))

    def show(self, pixels: Pixels | None, refusal: str = "") -> None:
        """Show the pixels, or why there are none."""
        self.seen = pixels is not None
        self.display = self.seen or bool(refusal)
        self.query_one(PictureLine).tell(pixels, refusal)
        cells = self.app.console.color_system in _COLOURS and not self.app.no_color
        if pixels is not None and cells and not self.query(PictureCells):
            self.mount(PictureCells(pixels, self._lang))


class PictureLine(Link):
    """The caption of a picture; a key or click opens the picture in another program."""

    def __init__(self, media: Media) -> None:
        super().__init__(classes="related")
        self.media = media

    def tell(self, pixels: Pixels | None, refusal: str) -> None:
        """Set the caption: name with size, or with the reason why it is not shown."""
        self.set_class(pixels is None, "-refused")
        self.can_focus = pixels is not None
        told, named = _("Picture {name}: {reason}"), {"reason": refusal}
        if pixels is not None:
            told = _("Picture {name}, {width} × {height}")
            named = dict(zip(("width", "height"), map(number, pixels.original), strict=True))
        self.show(told.format(name=in_one_line(self.media.name), **named))

    def action_open(self) -> None:
        """Open the picture in another program."""
        if self.can_focus:
            self.post_message(OpenPicture(self.media))


class PictureCells(Widget):
    """The pixels of a picture, two per cell, aligned like its text."""

    def __init__(self, pixels: Pixels, lang: str) -> None:
        super().__init__()
        self._pixels = pixels
        self._edge = edge_of(lang)
        self._drawn: tuple[int, list[Strip]] = (0, [])

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return the number of lines."""
        return len(self._lines(width))

    def render_line(self, y: int) -> Strip:
        """Return a line as cells."""
        width = self.content_size.width
        lines, base = self._lines(width), self.visual_style.rich_style
        if y >= len(lines):
            return Strip.blank(width, base)
        blank = Strip.blank(width - lines[y].cell_length, base)
        return Strip.join([blank, lines[y]] if self._edge != "ltr" else [lines[y], blank])

    def _lines(self, width: int) -> list[Strip]:
        """Return the cells for a width, cached until it changes."""
        if self._drawn[0] != width:
            self._drawn = width, list(_half_cells(self._pixels, width))
        return self._drawn[1]


def size_in_cells(pixels: Pixels, room: int) -> tuple[int, int]:
    """Return the columns and lines of a picture within this many columns, never enlarged.

    >>> from kb.present.pictures import Pixels
    >>> size_in_cells(Pixels(800, 400, b"", (800, 400)), 60), size_in_cells(
    ...     Pixels(4, 4, b"", (4, 4)), 60)
    ((60, 15), (4, 2))
    """
    columns, lines = MOST_CELLS
    share = min(1, min(room, columns) / pixels.width, 2 * lines / pixels.height)
    return max(1, round(pixels.width * share)), max(1, round(pixels.height * share / 2))


def _half_cells(pixels: Pixels, room: int) -> Iterator[Strip]:
    columns, lines = size_in_cells(pixels, max(1, room))
    rgb = pixels.resized(columns, 2 * lines).rgb
    row = 3 * columns
    for start in range(0, len(rgb), 2 * row):
        upper, lower = rgb[start : start + row], rgb[start + row : start + 2 * row]
        pairs = [(*upper[at : at + 3], *lower[at : at + 3]) for at in range(0, row, 3)]
        segments = [
            Segment(
                _UPPER_HALF * sum(1 for _each in run),
                Style(color=Color.from_rgb(*pair[:3]), bgcolor=Color.from_rgb(*pair[3:])),
            )
            for pair, run in groupby(pairs)
        ]
        yield Strip(segments, columns)
