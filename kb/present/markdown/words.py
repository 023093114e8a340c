"""Our own words and signs in a block: read aloud, in place of styles, after words it marks."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, count, groupby

from kb.present.markdown.addresses import readable_address
from kb.present.markdown.document import ADDED, Block, Piece, Prose, added, with_texts
from kb.terminal import unisolated

MARKS: dict[str, tuple[str, str]] = {
    "bold": ("**", "**"),
    "italic": ("*", "*"),
    "strike": ("~~", "~~"),
    "mark": ("==", "=="),
    "code": ("`", "`"),
}
"""The marks around styled words, if styles cannot be shown."""

_NOWHERE = float("inf")
_STRUCK = {"strike": ("(struck out: ", ")")}


def in_words(block: Block) -> Iterator[str]:
    """Yield a block's lines; each names its container.

    >>> from kb.present.markdown.reader import read
    >>> [line for block in read("- a [b](http://c)").blocks for line in in_words(block)]
    ['item: a b (http://c)']
    """
    lead = _lead(block)
    for line in _SAID[block.kind](block):
        yield unisolated(f"{lead}{line}".rstrip())
        lead = ""


def _lead(block: Block) -> str:
    """Describe the containers of a block: quotations, and the innermost list with its level."""
    quotes = [lead.word for lead in block.leads if lead.goes_on]
    items = [lead for lead in block.leads if lead.word and not lead.goes_on]
    said = quotes
    if items and items[-1].first:
        word = items[-1].word
        said = [*quotes, word if len(items) == 1 else f"level {len(items)}, {word}"]
    return "".join(f"{each} " if each[-1] in ".)" else f"{each}: " for each in said)


def with_addresses(prose: Prose) -> Prose:
    """Return prose with each link's address after its words, unless they are equal."""
    pieces: list[Piece] = []
    for address, group in groupby(prose.pieces, key=lambda piece: piece.address):
        some = [*group]
        pieces += some
        shown = readable_address(address)
        words = "".join(piece.text for piece in some)
        if address and words not in (shown, shown.removeprefix("mailto:")):
            pieces.append(added(f" ({shown})", {"sign"}))
    return Prose(tuple(pieces))


def with_marks(prose: Prose, marks: dict[str, tuple[str, str]] = MARKS) -> Prose:
    """Return prose with marks around styled words, if styles cannot be shown."""
    pieces: list[Piece] = []
    before: frozenset[str] = frozenset()
    for piece in (*prose.pieces, Piece("", ())):
        ended = [marks[name][1] for name in [*marks][::-1] if name in before - piece.styles]
        opening = [marks[name][0] for name in marks if name in piece.styles - before]
        pieces += [added(sign, {"sign"}) for sign in (*ended, *opening)]
        pieces.append(piece)
        before = piece.styles
    return Prose(tuple(piece for piece in pieces if piece.text))


def _said(prose: Prose) -> str:
    return with_addresses(with_marks(prose, _STRUCK)).text


def _code(block: Block) -> Iterator[str]:
    yield f"code in {block.language}:" if block.language else "code:"
    yield from block.prose.text.split("\n")
    yield "end of code"


def _table(block: Block) -> Iterator[str]:
    """Write each row in a line, every cell after its heading."""
    headings, *rows = ([_said(cell).replace("\n", " ") for cell in row] for row in block.rows)
    if not rows:
        yield "; ".join(headings)
    for row in rows:
        cells = zip(headings, row, strict=True)
        yield "; ".join(f"{heading}: {cell}" if heading else cell for heading, cell in cells)


_SAID: dict[str, Callable[[Block], Iterable[str]]] = {
    "paragraph": lambda block: _said(block.prose).replace("\n• ", "\nitem: ").split("\n"),
    "heading": lambda block: [f"heading: {_said(block.prose)}"],
    "code": _code,
    "rule": lambda _: ["break"],
    "table": _table,
}


def with_signs(blocks: Sequence[Block], signs: Iterable[tuple[int, Piece]]) -> tuple[Block, ...]:
    """Return blocks with each sign after the last character before its position.

    Signs at one position keep their order.
    """
    pieces = [each for block in blocks for prose in block.proses for each in prose.pieces]
    places = [place if place > ADDED else _NOWHERE for each in pieces for place in each.places]
    lowest = [*accumulate(reversed(places), min)][::-1]  # of all the places from here on
    behind: dict[int, list[Piece]] = defaultdict(list)
    for place, sign in sorted(signs, key=lambda each: each[0]):
        behind[bisect_left(lowest, place)].append(sign)
    numbers = count(1)

    def signed(prose: Prose) -> Prose:
        first = behind.pop(0, [])  # what nothing stands before leads all
        found = (part for each in prose.pieces for part in _parted(each, numbers, behind))
        return Prose((*first, *(part for part in found if part.text)))

    return tuple(with_texts(block, signed) for block in blocks)


def _parted(
    piece: Piece, numbers: Iterator[int], behind: dict[int, list[Piece]]
) -> Iterator[Piece]:
    """Yield the parts of a piece, split after characters with signs, and the signs."""
    start = 0
    for end in range(1, len(piece.text) + 1):
        signs = behind.get(next(numbers))
        if signs:
            yield piece._replace(text=piece.text[start:end], places=piece.places[start:end])
            yield from signs
            start = end
    yield piece._replace(text=piece.text[start:], places=piece.places[start:])
