"""What stands in the lines of a block, in HTML: styles, links, media, formulas, marked words.

Pieces are put side by side, each in the tags that it needs, and tags that two of them share
are not closed between: what comes out is nested right, whatever the text was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby, pairwise, takewhile
from os.path import splitext
from typing import NamedTuple

from kb.display import ISOLATE, ISOLATE_END, Formula, formula_runs
from kb.exchange.hypertext.escaping import escaped, tag
from kb.exchange.hypertext.formulas import Formulas, Shower, shown
from kb.exchange.hypertext.marking import Marks
from kb.present.markdown.document import ADDED, Piece, Prose

Addresses = Callable[[str], str]
"""Gives the address of a file that a text names; nothing where there is none."""

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
"""The tags of styles, the outer ones first."""
_ISOLATES = str.maketrans("", "", ISOLATE + ISOLATE_END)


class Run(NamedTuple):
    """Some HTML, and the start tags that it stands in."""

    tags: tuple[str, ...]
    html: str


@dataclass(frozen=True)
class Setting:
    """What the prose of one text is set with."""

    source: str
    formulas: Formulas
    marks: Marks
    show: Shower
    address: Addresses
    last: list[Formula | None] = field(default_factory=lambda: [None])


def html_of(prose: Prose, setting: Setting, end: int | None = None) -> str:
    """Return prose as HTML, with the signs of what ends in it, or before ``end`` where given."""
    runs: list[Run] = []
    for _leads_to, group in groupby(
        _with_formulas(prose), key=lambda each: (each.address, each.file)
    ):
        pieces = list(group)
        made = _file_of(pieces, setting) or [r for each in pieces for r in _runs(each, setting)]
        runs += made
    last = max((place for piece in prose.pieces for place in piece.places), default=ADDED) + 1
    runs += (Run((), sign) for sign in setting.marks.ended(last if end is None else end))
    return "".join(_nested(runs))


def _with_formulas(prose: Prose) -> Iterator[Piece]:
    """Yield the pieces of prose, parted where formulas in right-to-left text begin and end."""
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


def _file_of(pieces: list[Piece], setting: Setting) -> list[Run]:
    """Return the image or the sound that some pieces name; nothing if they name none."""
    file = pieces[0].file
    address = setting.address(file) if file else ""
    if not address:
        return []
    said = "".join(each.text for each in pieces if "sign" not in each.styles)
    said = said.translate(_ISOLATES).strip()
    ending = splitext(file)[1].lower()
    outer = _link(pieces[0].address)
    if ending in IMAGES:
        return [Run(outer, tag("img", src=address)[:-1] + f' alt="{escaped(said)}">')]
    if ending in SOUNDS:
        name = escaped(said or file)
        sound = tag("audio", src=address, preload="none")[:-1] + " controls>"
        return [Run((), f"{sound}</audio> {tag('a', href=address)}{name}</a>")]
    return [Run((tag("a", href=address),), escaped(said or file))]


def _link(address: str) -> tuple[str, ...]:
    return (tag("a", href=address),) if address else ()


def _runs(piece: Piece, setting: Setting) -> Iterator[Run]:
    """Yield what a piece says, parted where its marks begin and end."""
    places = [place for place in piece.places if place > ADDED]
    tags = [*_link(piece.address), *(_TAGS[style] for style in _TAGS if style in piece.styles)]
    if not places:
        text = piece.text.translate(_ISOLATES)
        yield from [Run(tuple(tags), _lines(text))] if text else []
        return
    formula = setting.formulas.at(places[0]) if "code" not in piece.styles else None
    if formula is not None:
        yield from _formula(formula, tags, setting)
        return
    marks, done = setting.marks, 0
    for _part, group in groupby(piece.places, key=marks.part):
        same = list(group)
        if not piece.address:
            yield from (Run((), sign) for sign in marks.ended(same[0]))
        opening = marks.opening(same[0])
        text = piece.text[done : done + len(same)]
        done += len(same)
        yield Run((*tags, *([opening] if opening else [])), _lines(text))


def _formula(formula: Formula, tags: list[str], setting: Setting) -> Iterator[Run]:
    if setting.last[0] is formula:
        return
    setting.last[0] = formula
    marks = setting.marks
    yield from (Run((), sign) for sign in marks.ended(formula.start))
    opening = marks.opening(formula.start) or marks.opening(formula.end - 1)
    html = shown(setting.source[formula.start : formula.end], setting.show)
    yield Run((*tags, *([opening] if opening else [])), html)


def _lines(text: str) -> str:
    """Return a text as HTML whose lines end where its own do."""
    return escaped(text).replace("\n", "<br>\n")


def _nested(runs: Iterable[Run]) -> Iterator[str]:
    """Yield runs in their tags, keeping open what the next needs, too."""
    open: tuple[str, ...] = ()
    for tags, html in (*runs, Run((), "")):
        same = len(list(takewhile(lambda pair: pair[0] == pair[1], zip(open, tags, strict=False))))
        yield from (closing(each) for each in reversed(open[same:]))
        yield from tags[same:]
        yield html
        open = tags


def closing(opening: str) -> str:
    """Return the end tag of a start tag.

    >>> closing('<a href="#b">')
    '</a>'
    """
    return f"</{opening[1:-1].split(' ', 1)[0]}>"
