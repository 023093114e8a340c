"""Note types: those we export, and what those of a deck say about their fields.

Ids, field names and card names of our types must not change: Anki updates notes of a type only if
these are the same. If the look or the fields of cards change, raise `VERSION`. Anki ids are
derived from our own ids, so a second import finds the first.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from importlib.resources import files
from string import ascii_letters, digits
from typing import Any, NamedTuple

FIELDS = (
    "Id", "Question", "Answer", "Reference", "Annotations", "Program", "Number", "Level", "Topic",
)  # fmt: skip
NAMES: Mapping[str, str] = {"question": "danesh question", "card": "danesh card"}
"""The kinds of entries that have cards, and the names of their note types."""

VERSION = 2
MADE = 1_700_000_000 + VERSION
"""The modification time that Anki sees, in seconds since 1970: earlier than any change of a
reader, and one second later for each version."""

_ORDERED_BY = FIELDS.index("Question")
_SIGNS = ascii_letters + digits
_GUID = 11  # signs that hold 64 bits, as Anki's own guids do
_FIRST = 1_262_304_000_000
_RANGE = 1 << 38
"""Anki reads an id as a creation time in milliseconds and shows it: ours are between 2010 and
September 2018, before anything a reader adds today."""

_PLACE = re.compile(r"\{\{\{?([^{}]{1,500})\}?\}\}")
_MOST_CARDS, _MOST_PLACES = 50, 500
"""More cards of a type, and more places on a front, are not looked at."""

_EMPTY = re.compile(r"(?:\s|</?(?:br|div)\s*/?>)*", re.IGNORECASE)

_NOT_SHOWN = frozenset({"type", "hint", "tts", "tts-voices"})
"""Filters that show something other than the field on the front: an input box, a hint."""

_FRONT = {
    "question": """<header dir="auto">{{#Number}}<span>{{Number}}</span>{{/Number}}\
{{#Level}}<span>{{Level}}</span>{{/Level}}{{#Topic}}<span>{{Topic}}</span>{{/Topic}}</header>
<main>{{Question}}</main>""",
    "card": "<main>{{Question}}</main>",
}
_BACK = """{{FrontSide}}
<hr id="answer">
""" + "\n".join(
    f'{{{{#{name}}}}}<section class="{name.lower()}">{{{{{name}}}}}</section>{{{{/{name}}}}}'
    for name in ("Answer", "Reference", "Annotations", "Program")
)


class Notetype(NamedTuple):
    """A note type: its field names, and the two sides of each card.

    A ``cloze`` type hides parts of a text.
    """

    name: str
    fields: tuple[str, ...]
    sides: tuple[str, ...]
    cloze: bool


class Sides(NamedTuple):
    """Field numbers: question, answer, and fields with gaps.

    ``labelled`` are fields that need their name as label; ``switches`` only decide whether a card
    exists and are never shown.
    """

    front: tuple[int, ...]
    back: tuple[int, ...]
    gapped: frozenset[int]
    labelled: frozenset[int]
    switches: frozenset[int]


@lru_cache(maxsize=256)
def sides_of(notetype: Notetype) -> Sides:
    """Return which fields of a note are its question and which its answer.

    The first card decides.

    >>> basic = Notetype("Basic", ("Front", "Back", "Source"), ("{{Front}}", "{{Back}}"), False)
    >>> sides_of(basic)[:2]
    ((0,), (1, 2))
    """
    numbers = _numbers(notetype)
    first, second = (*notetype.sides, "", "")[:2]
    every = "".join(notetype.sides)
    front = [(n, f) for n, f in _shown(first, numbers) if _is_asked(f)]
    asking = tuple(dict.fromkeys(n for n, _ in front)) or (0,)
    told = [n for n, _ in _shown(second, numbers) if n not in asking]
    shown = {n for n, _ in _shown(every, numbers)}
    named = (place[1:].strip().casefold() for place in _PLACE.findall(every) if place[0] in "#^")
    switches = {numbers[name] for name in named if name in numbers} - shown - {*asking}
    others = (n for n in range(len(notetype.fields)) if n not in asking and n not in switches)
    back = tuple(dict.fromkeys((*told, *others)))
    gapped = frozenset(n for n, filters in front if notetype.cloze and "cloze" in filters)
    plain = back[:1] if told and not notetype.cloze else ()
    return Sides(asking, back, gapped, frozenset(back) - {*plain}, frozenset(switches))


class Further(NamedTuple):
    """A card of a note after its first: the fields that its front shows, and their switches.

    Without fields there is no such card.
    """

    asked: tuple[int, ...]
    switches: frozenset[int]


def further_cards(notetype: Notetype, fields: Sequence[str]) -> tuple[Further, ...]:
    """Return the cards of a note after its first, one for each template.

    Anki makes a card if its front shows a field with text.

    >>> sides = ("{{A}}", "{{B}}", "{{#Also}}{{B}}{{/Also}}", "{{A}}")
    >>> also = Notetype("Optional", ("A", "B", "Also"), sides, False)
    >>> [further_cards(also, ("a", "b", switch))[0].asked for switch in ("y", "<br>")]
    [(1,), ()]
    """
    if notetype.cloze:
        return ()
    filled, numbers = {n for n, text in enumerate(fields) if is_filled(text)}, _numbers(notetype)
    fronts = notetype.sides[2::2][:_MOST_CARDS]
    return tuple(_further(front, numbers, filled) for front in fronts)


def is_filled(field: str) -> bool:
    """Return whether a field is not empty for Anki.

    >>> is_filled("<img src=a>"), is_filled("<div><br></div>")
    (True, False)
    """
    return not _EMPTY.fullmatch(field)


def _further(front: str, numbers: Mapping[str, int], filled: Collection[int]) -> Further:
    shown: list[int] = []
    switches: set[int] = set()
    conditions: list[tuple[int, bool]] = []
    for place in _PLACE.findall(front)[:_MOST_PLACES]:
        if place[0] == "/":
            del conditions[-1:]
        elif place[0] in "#^":
            number = numbers.get(place[1:].strip().casefold(), -1)
            conditions.append((number, (number in filled) == (place[0] == "#")))
        else:
            number, filters = _field(place, numbers) or (-1, frozenset[str]())
            if number in filled and _is_asked(filters) and all(met for _, met in conditions):
                shown.append(number)
                switches.update(condition for condition, _ in conditions)
    return Further(tuple(dict.fromkeys(shown)), frozenset(switches))


@lru_cache(maxsize=256)
def _numbers(notetype: Notetype) -> Mapping[str, int]:
    """Return the numbers of fields by name; of two alike, the first counts."""
    return {name.casefold(): n for n, name in reversed([*enumerate(notetype.fields)])}


def _is_asked(filters: frozenset[str]) -> bool:
    return not filters & _NOT_SHOWN or "cloze" in filters


def _shown(side: str, numbers: Mapping[str, int]) -> Iterator[tuple[int, frozenset[str]]]:
    """Return the fields that a side shows, each with its filters."""
    return filter(None, (_field(place, numbers) for place in _PLACE.findall(side)))


def _field(place: str, numbers: Mapping[str, int]) -> tuple[int, frozenset[str]] | None:
    *filters, name = (part.strip() for part in place.split(":"))
    number = numbers.get(name.casefold())
    if number is None or place.startswith(("#", "^", "/", "!")):
        return None
    return number, frozenset(each.split(" ")[0].casefold() for each in filters)


def guid_of(entry: str) -> str:
    """Return the guid of an entry's note, which is always the same.

    It contains no characters with a meaning in Anki's search or text files.

    >>> guid_of("batch-norm-epsilon"), len(guid_of("شبکه"))
    ('w4W5BTHyAxb', 11)
    """
    number, signs = _number("note", entry), ""
    for _ in range(_GUID):
        number, sign = divmod(number, len(_SIGNS))
        signs += _SIGNS[sign]
    return signs


def id_of(what: str, name: str) -> int:
    """Return the number of a deck, note type or note: a time in milliseconds.

    Two can be equal; the caller then gives the second the next number.

    >>> id_of("deck", "a") == id_of("deck", "a"), id_of("deck", "a") == id_of("deck", "b")
    (True, False)
    """
    return _FIRST + _number(what, name) % _RANGE


def _number(what: str, name: str) -> int:
    found = sha256(f"danesh:{what}:{name}".encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(found[:8], "big")


def types() -> dict[str, Any]:
    """Return our note types by id, as a collection stores them."""
    css = files(__package__).joinpath("card.css").read_text("utf-8")
    return {str(id_of("type", kind)): {
        "id": id_of("type", kind), "name": NAMES[kind], "type": 0, "mod": MADE, "usn": -1,
        "sortf": _ORDERED_BY, "did": None, "css": css, "tags": [], "vers": [],
        "latexPre": "", "latexPost": "", "latexsvg": False,
        "req": [[0, "any", [_ORDERED_BY]]],
        "flds": [
            {"name": name, "ord": number, "sticky": False, "rtl": False, "font": "sans-serif",
             "size": 16, "media": []}
            for number, name in enumerate(FIELDS)
        ],
        "tmpls": [{
            "name": "Card 1", "ord": 0, "qfmt": _FRONT[kind], "afmt": _BACK,
            "bqfmt": "", "bafmt": "", "did": None, "bfont": "", "bsize": 0,
        }],
    } for kind in NAMES}  # fmt: skip
