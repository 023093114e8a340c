"""The Unicode Bidirectional Algorithm for one line: levels and visual order.

A level is a number: even levels run left to right, odd ones right to left. Of the explicit
controls only left-to-right isolates (LRI to PDI) occur, one beside the other: `kb.terminal.layout`
sets them, and `kb.terminal.terminal` removes all others, which are ignored like BN here. A text is
one paragraph; the caller splits paragraphs (rule P1).

Source: UAX #9 (Unicode 15.0), https://www.unicode.org/reports/tr9/tr9-46.html; characters removed
by X9 are handled as in its section 5.2.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from itertools import takewhile
from typing import NamedTuple

ISOLATES = frozenset({"LRI", "PDI"})
IGNORED = frozenset({"BN", "LRE", "RLE", "LRO", "RLO", "PDF", "RLI", "FSI"})


def bidi_class(char: str) -> str:
    """Return the Bidi_Class of a character as its short name.

    One that this Python's version of Unicode does not assign counts as a Latin letter.

    >>> bidi_class("a"), bidi_class("س"), bidi_class("۱"), bidi_class("٣")
    ('L', 'AL', 'EN', 'AN')
    """
    return unicodedata.bidirectional(char) or "L"


# Rule N0 of UAX #9: the two brackets of a pair get one direction.
#
# Source: UAX #9 (Unicode 15.0), definitions BD14 to BD16 and rule N0,
# https://www.unicode.org/reports/tr9/tr9-46.html#N0


MAX_OPEN = 63
STRONG = {"L": "L", "R": "R", "E": "R", "N": "R"}


def resolve_brackets(
    chars: Sequence[str], original: Sequence[str], types: list[str], edge: str
) -> None:
    """Set the types of paired brackets, in place (N0).

    ``original`` are the classes before rule W1, ``types`` those after W7; ``edge`` is the
    embedding direction, also at both ends of the run.
    """
    for opening, closing in bracket_pairs(chars):
        inside = {STRONG[kind] for kind in types[opening + 1 : closing] if kind in STRONG}
        if not inside:
            continue
        before = (STRONG[kind] for kind in reversed(types[:opening]) if kind in STRONG)
        kind = edge if edge in inside else next(before, edge)
        for place in (opening, closing):  # with the combining marks on it
            behind = range(place + 1, len(types))
            for changed in (place, *takewhile(lambda n: original[n] == "NSM", behind)):
                types[changed] = kind


def bracket_pairs(chars: Sequence[str]) -> list[tuple[int, int]]:
    """Return the positions of matching brackets, in order (BD16).

    The result is empty if more than ``MAX_OPEN`` brackets are open.

    >>> bracket_pairs("a(b[c)d]")
    [(1, 5)]
    """
    waiting: list[tuple[str, int]] = []
    found: list[tuple[int, int]] = []
    for place, char in enumerate(chars):
        if char in CLOSER_OF:
            if len(waiting) == MAX_OPEN:
                return []
            waiting.append((CLOSER_OF[char], place))
        elif char in CLOSERS:
            closed = [depth for depth, (closer, _) in enumerate(waiting) if closer == CLOSERS[char]]
            if closed:  # the nearest; those opened between stay alone
                found.append((waiting[closed[-1]][1], place))
                del waiting[closed[-1] :]
    return sorted(found)


# Mirror images of characters, and the brackets that form pairs.
#
# A mirrored character without an image of its own, such as the root and integral
# signs, has no entry: a terminal cannot turn a glyph.
#
# Source: ``BidiMirroring.txt`` (Unicode 15.0). Bracket pairs follow
# from it by the rule in the head of ``BidiBrackets.txt``: an opening (Ps) and a
# closing (Pe) punctuation mark that are each other's image.


# The angle brackets U+2329 and U+232A are escaped: normalising this file would change them.
_PAIRS = (
    "()<>[]{}«»༺༻༼༽᚛᚜‹›⁅⁆⁽⁾₍₎∈∋∉∌∊∍∕⧵∟⯾∠⦣∡⦛∢⦠∤⫮∼∽≃⋍≅≌≒≓≔≕≤≥≦≧≨≩≪≫≮≯≰≱≲≳≴≵≶≷≸≹≺≻≼≽≾≿⊀⊁⊂⊃⊄⊅⊆⊇⊈⊉⊊⊋"
    "⊏⊐⊑⊒⊘⦸⊢⊣⊦⫞⊨⫤⊩⫣⊫⫥⊰⊱⊲⊳⊴⊵⊶⊷⊸⟜⋉⋊⋋⋌⋐⋑⋖⋗⋘⋙⋚⋛⋜⋝⋞⋟⋠⋡⋢⋣⋤⋥⋦⋧⋨⋩⋪⋫⋬⋭⋰⋱⋲⋺⋳⋻⋴⋼⋶⋽⋷⋾⌈⌉⌊⌋\u2329\u232a❨❩❪❫❬❭"
    "❮❯❰❱❲❳❴❵⟃⟄⟅⟆⟈⟉⟋⟍⟕⟖⟝⟞⟢⟣⟤⟥⟦⟧⟨⟩⟪⟫⟬⟭⟮⟯⦃⦄⦅⦆⦇⦈⦉⦊⦋⦌⦍⦐⦎⦏⦑⦒⦓⦔⦕⦖⦗⦘⦤⦥⦨⦩⦪⦫⦬⦭⦮⦯⧀⧁⧄⧅⧏⧐⧑⧒⧔⧕⧘⧙⧚⧛⧨⧩⧸⧹⧼⧽⨫⨬⨭⨮"
    "⨴⨵⨼⨽⩤⩥⩹⩺⩻⩼⩽⩾⩿⪀⪁⪂⪃⪄⪅⪆⪇⪈⪉⪊⪋⪌⪍⪎⪏⪐⪑⪒⪓⪔⪕⪖⪗⪘⪙⪚⪛⪜⪝⪞⪟⪠⪡⪢⪦⪧⪨⪩⪪⪫⪬⪭⪯⪰⪱⪲⪳⪴⪵⪶⪷⪸⪹⪺⪻⪼⪽⪾⪿⫀⫁⫂⫃⫄⫅⫆⫇⫈⫉⫊⫋⫌⫍⫎⫏⫐"
    "⫑⫒⫓⫔⫕⫖⫬⫭⫷⫸⫹⫺⸂⸃⸄⸅⸉⸊⸌⸍⸜⸝⸠⸡⸢⸣⸤⸥⸦⸧⸨⸩⹕⹖⹗⹘⹙⹚⹛⹜〈〉《》「」『』【】〔〕〖〗〘〙〚〛﹙﹚﹛﹜﹝﹞﹤﹥（）＜＞［］｛｝｟｠｢｣"
)
_IMAGES = dict(zip(_PAIRS[::2], _PAIRS[1::2], strict=True))
_IMAGES |= {image: char for char, image in _IMAGES.items()}


def _canonical(char: str) -> str:
    """Return the character that U+2329 or U+232A is canonically equivalent to, else itself."""
    return unicodedata.normalize("NFD", char)


CLOSER_OF = {
    char: _canonical(image)
    for char, image in _IMAGES.items()
    if unicodedata.category(char) == "Ps" and unicodedata.category(image) == "Pe"
}
"""The closing bracket of each opening bracket."""

CLOSERS = {char: _canonical(char) for char, image in _IMAGES.items() if image in CLOSER_OF}
"""Closing brackets in canonical form, as in ``CLOSER_OF``."""


def mirror(char: str) -> str:
    """Return the mirror image of a character, or the character if it has none (rule L4).

    >>> mirror("("), mirror("≤"), mirror("a")
    (')', '≥', 'a')
    """
    return _IMAGES.get(char, char)


# Rules W1 to W7 and N0 to N2 of UAX #9, for one isolating run sequence.
#
# The types of a run's characters are letters of a text that each rule changes. At both ends
# stands ``edge``, "L" or "R": the direction of the embedding. Without explicit embeddings
# both ends of a run (``sos`` and ``eos``) always have it: what stands around an
# isolate has a lower level, and the higher level decides (X10).
#
# Source: UAX #9 (Unicode 15.0), https://www.unicode.org/reports/tr9/tr9-46.html


_LETTERS = {
    "L": "L", "R": "R", "AL": "A", "EN": "E", "AN": "N", "ES": "S", "ET": "T", "CS": "C",
    "NSM": "M", **dict.fromkeys(ISOLATES, "i"),
}  # fmt: skip
"""The letter of each type; neutrals are ``o``."""

_Run = re.Match[str]
WEAK: dict[str, tuple[str, str | Callable[[_Run], str]]] = {
    # A combining mark gets the type of its base; after an isolate it is neutral.
    "W1a": ("iM+", lambda run: run[0].replace("M", "o")),
    "W1b": ("(.)M+", lambda run: run[1] * len(run[0])),
    # Numbers after an Arabic letter become Arabic numbers; the letter becomes R.
    "W2": ("A[^LRA]*", lambda run: run[0].replace("E", "N")),
    "W3": ("A", "R"),
    # A single separator between two numbers of one type joins them.
    "W4a": ("(?<=E)[SC](?=E)", "E"),
    "W4b": ("(?<=N)C(?=N)", "N"),
    # Terminators next to a European number join it; others become neutral.
    "W5": ("T+(?=E)|(?<=E)T+", lambda run: "E" * len(run[0])),
    "W6": ("[TSC]", "o"),
    # A European number after a left-to-right letter becomes L.
    "W7": ("L[^LR]*", lambda run: run[0].replace("E", "L")),
}
"""Each rule for weak types: what it changes, and into what."""

_NEUTRAL = re.compile("(?<=([LREN]))[io]+(?=([LREN]))")


def resolve_types(chars: Sequence[str], original: Sequence[str], edge: str) -> str:
    """Return the type of each character of a run: L, R, E (EN) or N (AN).

    ``original`` are the bidirectional classes of ``chars``, without characters removed by X9.

    >>> resolve_types("GPU ها", ["L", "L", "L", "WS", "AL", "AL"], "R")
    'LLLRRR'
    """
    found = edge + "".join(_LETTERS.get(kind, "o") for kind in original) + edge
    for pattern, change in WEAK.values():
        found = re.sub(pattern, change, found)
    types = list(found[1:-1])
    resolve_brackets(chars, original, types, edge)

    def between(run: _Run) -> str:
        """N1, N2: neutrals get the direction of both neighbours, else that of the embedding."""
        before, after = STRONG[run[1]], STRONG[run[2]]
        return (before if before == after else edge) * len(run[0])

    return _NEUTRAL.sub(between, f"{edge}{''.join(types)}{edge}")[1:-1]


_ISOLATED = 2  # the next even level above both that a paragraph can have
_STRONG_LEVEL = {"L": 0, "R": 1, "AL": 1}
_BLANK = ISOLATES | IGNORED | {"WS"}
# I1, I2: what each resolved type adds to an even and to an odd level.
_RAISE = ({"L": 0, "R": 1, "E": 2, "N": 2}, {"L": 1, "R": 0, "E": 1, "N": 1})


class _Sequence(NamedTuple):
    """An isolating run sequence: its level and character positions."""

    level: int
    places: list[int]


def paragraph_level(text: str) -> int:
    """Return the level of a paragraph by its first strong letter outside isolates (P2, P3).

    Without one it is 0.

    >>> paragraph_level("123 سلام GPU"), paragraph_level("GPU سلام"), paragraph_level("1+1")
    (1, 0, 0)
    """
    isolated = False
    for kind in map(bidi_class, text):
        if kind in ISOLATES:
            isolated = kind == "LRI"
        elif not isolated and kind in _STRONG_LEVEL:
            return _STRONG_LEVEL[kind]
    return 0


def levels(text: str, base: int) -> list[int]:
    """Return the level of each character of a line (X1 to L1).

    ``base`` is the level of the paragraph, 0 or 1. A character removed by X9 gets the level of
    the previous one.

    >>> levels("f(سلام) 12", 0)
    [0, 0, 1, 1, 1, 1, 0, 0, 2, 2]
    """
    classes = [bidi_class(char) for char in text]
    found = [-1] * len(text)
    for run in _isolating_runs(classes, base):
        chars = [text[place] for place in run.places]
        types = resolve_types(chars, [classes[place] for place in run.places], "LR"[run.level % 2])
        raised = _RAISE[run.level % 2]
        for place, kind in zip(run.places, types, strict=True):
            found[place] = run.level + raised[kind]
    _fill_ignored(found, base)
    _lower_blanks(classes, found, base)
    return found


def visual_order(line: Sequence[int]) -> list[int]:
    """Return the character index at each visual position, by levels (L2).

    >>> visual_order([0, 1, 1, 2, 2, 0])
    [0, 3, 4, 2, 1, 5]
    """
    order = list(range(len(line)))
    lowest_odd = min((level for level in line if level % 2), default=0)
    if not lowest_odd:
        return order
    for level in range(max(line), lowest_odd - 1, -1):
        start = 0
        for end in range(len(line) + 1):
            if end == len(line) or line[end] < level:
                order[start:end] = order[start:end][::-1]
                start = end + 1
    return order


def _isolating_runs(classes: Sequence[str], base: int) -> list[_Sequence]:
    """Split a line into isolating run sequences: the line, and each isolate (X5b, X6a, X10).

    An initiator and its PDI belong to the line.
    """
    runs = [_Sequence(base, [])]
    inner: _Sequence | None = None
    for place, kind in enumerate(classes):
        if kind in IGNORED:
            continue
        if kind == "PDI":
            inner = None
        (inner or runs[0]).places.append(place)
        if kind == "LRI" and inner is None:
            inner = _Sequence(_ISOLATED, [])
            runs.append(inner)
    return runs


def _fill_ignored(found: list[int], base: int) -> None:
    """Give removed characters the previous level (UAX #9, section 5.2)."""
    for place, level in enumerate(found):
        if level < 0:
            found[place] = found[place - 1] if place else base


def _lower_blanks(classes: Sequence[str], found: list[int], base: int) -> None:
    """Give tabs, and spaces before them or at the line end, the base level (L1)."""
    at_end = True
    for place in range(len(classes) - 1, -1, -1):
        kind = classes[place]
        at_end = kind in ("B", "S") or (at_end and kind in _BLANK)
        if at_end:
            found[place] = base
