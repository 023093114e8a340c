"""Notes to entries: fields on the front of a card are the question, the others the answer.

A note becomes one entry, whatever its cards: everything that a card hides becomes a gap in the
question.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from kb import limits
from kb.errors import BadData, Message
from kb.foreign import size
from kb.formats.anki.collection import Note
from kb.formats.anki.media import Files
from kb.formats.anki.notetypes import FIELDS, NAMES, Notetype, further_cards, is_filled, sides_of
from kb.formats.book import Leftover
from kb.formats.hypertext import reading
from kb.formats.hypertext.quoting import escaped
from kb.formats.hypertext.scanning import words
from kb.formats.labels import label
from kb.formats.notes.language import language_of
from kb.formats.notes.page import GAP
from kb.model.entry import Answer, Entry
from kb.model.entry_json import bounded
from kb.model.values import named_level
from kb.present.cards import with_label
from kb.text.languages import guess_language

_BETWEEN = "\x1f"
_FACTS = ("Id", "Number", "Level", "Topic")
"""Fields of notes exported by danesh that are not texts."""

_NO_WORDS = re.compile(r"!?\[[^\]\n]*\]\([^)\s]*\)|\$[^$]*\$|`[^`]*`")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_HEADING = re.compile(r"\A#{1,6}[ \t]+(?=\S)")
_NAMED_BY = 60  # characters of a note that name it in a message
_LOOKED_AT = 4000
"""The number of characters used to detect the language of a text."""

_OURS = frozenset(NAMES.values())

_BEGIN = r"\{\{c(?P<numbers>[0-9][0-9,]{0,30})::"
_INNER = rf"[^{{}}]*+(?:(?!{_BEGIN.replace('?P<numbers>', '?:')}|\}}\}}).[^{{}}]*+)*"
_GAP = re.compile(rf"{_BEGIN}(?P<all>{_INNER})\}}\}}", re.IGNORECASE | re.DOTALL)
_OCCLUSION = re.compile(
    rf"{_BEGIN}image-occlusion:(?P<all>{_INNER})\}}\}}", re.IGNORECASE | re.DOTALL
)
_DEEPEST = 8
_WORDS = re.compile(r"(?<!\\):text=((?:[^:\\]++|\\.)*)", re.DOTALL)
"""The words that a place on an image shows or hides."""


class Gapped(NamedTuple):
    """A text with gaps, the complete text, and its places on an image.

    ``shown`` are words on the image, ``hidden`` those that a card asks for; ``masks`` counts
    covered places.
    """

    asked: str
    told: str
    shown: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    masks: int = 0


def gapped(source: str) -> Gapped:
    """Return both sides of a field with hidden parts; HTML is unchanged.

    A gap is ``{{c1::hidden::hint}}``, which can be nested, or a place on an image. Only the words
    of such a place can be kept.

    >>> gapped("{{c1::Paris::city}} lies on the {{c2::Seine}}.")[:2]
    ('[…] (city) lies on the […].', 'Paris lies on the Seine.')
    >>> gapped("{{c1::a {{c2::b}}}} {{c3::c")[:2]
    ('[…] {{c3::c', 'a b {{c3::c')
    >>> gapped("{{c1::image-occlusion:text:left=.1:text=a}}{{c0::image-occlusion:rect:left=.2}}")
    Gapped(asked='', told='', shown=(), hidden=('a',), masks=1)
    """
    places = [(place["numbers"] == "0", place["all"]) for place in _OCCLUSION.finditer(source)]
    asked = told = _OCCLUSION.sub("", source)
    for _ in range(_DEEPEST):  # the innermost first
        asked, count = _GAP.subn(_gap, asked)
        told = _GAP.sub(lambda found: found["all"].partition("::")[0], told)
        if not count:
            break
    words: dict[bool, list[str]] = {True: [], False: []}
    for is_shown, said in places:
        found = _WORDS.findall(said) if said.startswith("text:") else ()
        words[is_shown] += (re.sub(r"\\(.)", r"\1", each) for each in found)
    masks = sum(not is_shown for is_shown, _ in places)
    return Gapped(asked, told, tuple(words[True]), tuple(words[False]), masks)


def _gap(found: re.Match[str]) -> str:
    hint = found["all"].partition("::")[2].strip()
    return f"{GAP} ({hint})" if hint else GAP


class Gap(NamedTuple):
    """A gap of a field that is in no other gap: its source, and what is in it as HTML."""

    source: str
    numbers: str
    words: str
    hint: str


def outer_gaps(source: str) -> tuple[str, list[Gap]]:
    """Return a field with the number of each gap between separators, and the gaps in order.

    >>> text, gaps = outer_gaps("{{c1::a {{c2::b}}}} or {{c3::c::hint}}")
    >>> text.replace(_BETWEEN, "|"), gaps[0].words, gaps[1].hint
    ('|0| or |1|', 'a {{c2::b}}', 'hint')
    """
    kept: list[Gap] = []
    place = re.compile(f"{_BETWEEN}(\\d+){_BETWEEN}")

    def keep(found: re.Match[str]) -> str:
        words, _, hint = found["all"].partition("::")
        kept.append(Gap(whole(found[0]), found["numbers"], whole(words), whole(hint).strip()))
        return f"{_BETWEEN}{len(kept) - 1}{_BETWEEN}"

    def whole(text: str) -> str:
        return place.sub(lambda found: kept[int(found[1])].source, text)

    for _ in range(_DEEPEST):
        source, count = _GAP.subn(keep, source)
        if not count:
            break
    outer = [kept[int(number)] for number in place.findall(source)]
    numbers = iter(range(len(outer)))
    return place.sub(lambda _: f"{_BETWEEN}{next(numbers)}{_BETWEEN}", source), outer


class Piece(NamedTuple):
    """A part of a text, the number of its field, and its label, if any.

    Words of an image, and what danesh says of it, are of no field.
    """

    field: int | None
    text: str
    label: str = ""

    @property
    def whole(self) -> str:
        """The text as it stands in the entry."""
        return with_label(self.label, self.text) if self.text else ""


class Texts(NamedTuple):
    """The question and the answer of a note in parts, of which some are empty.

    ``prompts`` are what its further cards ask, as in an `Entry`.
    """

    asked: tuple[Piece, ...]
    told: tuple[Piece, ...]
    prompts: tuple[tuple[str, ...], ...] = ()


def joined(pieces: Iterable[Piece]) -> str:
    """Return the text of an entry from its parts."""
    return "\n\n".join(filter(None, (each.whole for each in pieces)))


@dataclass
class Making:
    """Converts the notes of a package to entries; ``left`` gets what is skipped.

    The package itself may be kept as a ``whole``.
    """

    name: str
    notetypes: Mapping[Any, Notetype]
    decks: Mapping[Any, str]
    files: Files
    left: Leftover
    whole: bool = False
    ids: dict[int, str] = field(default_factory=dict)
    """The ids of entries by the note ids in the file."""
    known: set[str] = field(default_factory=set)
    gaps: dict[int, list[list[int]]] = field(default_factory=dict)
    """The cards of each gap in the order of the text, of notes whose gaps have another order."""

    def entry(self, note: Note) -> Entry | None:
        """Return the entry of a note, or nothing if the note is empty.

        Raises `BadData` for a note with an invalid row, too much text, or the guid of another
        note.
        """
        read = self._read(note)
        named, facts = read.named, read.facts
        texts = self._texts(read)
        question, answer = joined(texts.asked), joined(texts.told)
        media = self.files.taken(lambda why, which: self.left.add(why, which, named))
        if not question:
            self.left.add("a note is empty", "", named)
            return None
        id, level = facts.get("Id") or read.guid, facts.get("Level", "")
        place = f"{self.name}: note '{named}'"
        if id in self.known:
            raise BadData("there is another note of this guid", place=place)
        lang = _language(question, answer)
        made = Entry(
            id=id,
            kind=facts.get("kind", "card"),
            collection=self.decks.get(note.deck, ""),
            question={lang: question},
            number=facts.get("Number") or None,
            level=named_level(level),
            topic=facts.get("Topic") or None,
            tags=read.tags,
            answers=(Answer("source", language_of(answer, lang), answer),) if answer else (),
            media=media,
            prompts=texts.prompts,
        )
        made = bounded(made, place)
        self.known.add(id)
        self.ids[note.id] = id
        gaps = _cards_of_gaps(read)
        if gaps != [[number] for number in range(len(gaps))]:
            self.gaps[note.id] = gaps
        return made

    def exercise_of(self, note: int, card: int) -> int:
        """Return the number of the exercise that a card of a note is: the first of its gaps."""
        gaps = self.gaps.get(note)
        if gaps is None:
            return card
        found = (number for number, cards in enumerate(gaps) if card in cards)
        return next(found, len(gaps) + card)

    def card_of(self, note: int, exercise: int) -> int:
        """Return the card of a note that an exercise is: the other way round."""
        gaps = self.gaps.get(note, [])
        return gaps[exercise][0] if exercise < len(gaps) else exercise - len(gaps)

    def texts(self, note: Note) -> Texts:
        """Return the question and the answer of a note in parts. Raises `BadData`."""
        return self._texts(self._read(note))

    def id(self, note: Note) -> str:
        """Return the id of a note's entry. Raises `BadData`."""
        guid, fields, _ = self._row(note)
        notetype = self.notetypes.get(note.notetype)
        return (_facts(notetype, fields)[0].get("Id") if notetype else "") or guid

    def _read(self, note: Note) -> _Read:
        guid, fields, tags = self._row(note)
        # A note type has as many fields as the note; without one they are named by their order.
        notetype = self.notetypes.get(note.notetype) or Notetype("", (), (), cloze=False)
        names = map(str, range(len(notetype.fields) + 1, len(fields) + 1))
        notetype = notetype._replace(fields=(*notetype.fields, *names))
        named = _beginning(fields) or guid
        facts, fields = _facts(notetype, fields)
        return _Read(guid, notetype, fields, tags, facts, named)

    def _row(self, note: Note) -> tuple[str, list[str], tuple[str, ...]]:
        """Return the guid, fields and tags of a row. Raises `BadData`."""
        place = f"{self.name}: note {note.id!r}"
        if note.fields is None:
            raise BadData(
                "has no fields, or more than {most}", place=place, most=size(limits.RECORD)
            )
        if not all(isinstance(cell, str) for cell in (note.guid, note.tags, note.fields)):
            raise BadData("its guid, tags or fields are not text", place=place)
        guid = _CONTROL.sub("", note.guid).strip() or str(note.id)
        tags = (_CONTROL.sub("", tag) for tag in note.tags.split())
        return guid, note.fields.split(_BETWEEN), tuple(dict.fromkeys(filter(None, tags)))

    def _texts(self, read: _Read) -> Texts:
        """Return the question and the answer in parts; no question if the note is empty."""
        sides = sides_of(read.notetype)
        asked: list[Piece] = []
        told: list[Piece] = []
        masks = 0
        for number in sides.front:
            source = read.fields[number]
            hidden = gapped(source) if number in sides.gapped else Gapped(source, source)
            asked.append(Piece(number, self._markdown(hidden.asked, read.named)))
            asked += (Piece(None, escaped(each)) for each in hidden.shown)
            if hidden.masks and not self.whole:
                self.left.add(
                    "a place that an image hides is kept only with --with-reviews",
                    "", read.named, hidden.masks,
                )  # fmt: skip
            masks += hidden.masks
            if hidden.told != hidden.asked:
                told.append(Piece(number, self._markdown(hidden.told, read.named)))
            told += (Piece(None, escaped(each)) for each in hidden.hidden)
        for number in sides.back:
            text = self._markdown(read.fields[number], read.named)
            told.append(Piece(number, text, _label(read.notetype, sides.labelled, number)))
        prompts = self._prompts(read)
        if (first := _first(asked)) is not None:
            asked[first] = asked[first]._replace(text=_HEADING.sub("", asked[first].text))
        elif (first := _first(told)) is not None:
            asked, told, prompts = [told[first]], told[first + 1 :], ()
        if masks:
            lang = _language(joined(asked), joined(told))
            asked.append(Piece(None, label("masks", lang, number=masks)))
        return Texts(tuple(asked), tuple(told), prompts)

    def _prompts(self, read: _Read) -> tuple[tuple[str, ...], ...]:
        """Return what the further cards of a note ask of its answer, and record the others."""
        sides, prompts = sides_of(read.notetype), list[tuple[str, ...]]()
        used = set[int]()
        for card in further_cards(read.notetype, read.fields):
            known = read.notetype.name not in _OURS and not {*card.asked} & {*sides.front}
            labels = (_label(read.notetype, sides.labelled, n) for n in card.asked if known)
            prompts.append(tuple(labels))
            if known:
                used |= card.switches
            else:
                self.left.add(
                    "a card that asks the question in another way has no exercise", "", read.named
                )
        for number in sides.switches - used:
            if is_filled(read.fields[number]):
                said = Message(
                    "the field '{field}' only decides whether there is a card",
                    field=read.notetype.fields[number],
                )
                self.left.add(said, read.fields[number], read.named)
        while prompts and not prompts[-1]:
            prompts.pop()
        return tuple(prompts)

    def _markdown(self, source: str, named: str) -> str:
        """Return a field as Markdown and record what was left out."""
        read = reading.read(source, self.files.name)
        for why, what in read.left_out:
            self.left.add(why, what, named)
        return read.text


class _Read(NamedTuple):
    """A valid row of a note with its type, and the words that name it for a person."""

    guid: str
    notetype: Notetype
    fields: list[str]
    tags: tuple[str, ...]
    facts: Mapping[str, str]
    named: str


def _cards_of_gaps(read: _Read) -> list[list[int]]:
    """Return the numbers of the cards that hide each gap, in the order of the text."""
    sides = sides_of(read.notetype)
    sources = (read.fields[number] for number in sides.front if number in sides.gapped)
    return [
        [int(number) - 1 for number in gap.numbers.split(",") if number.strip("0")] or [0]
        for source in sources
        for gap in outer_gaps(_OCCLUSION.sub("", source))[1]
    ]


def _first(pieces: Sequence[Piece]) -> int | None:
    """Return the number of the first part with a text."""
    return next((number for number, each in enumerate(pieces) if each.text), None)


def _label(notetype: Notetype, labelled: frozenset[int], number: int) -> str:
    """Return the label of a field of the answer, if it has one."""
    if notetype.name in _OURS or number not in labelled:
        return ""
    return escaped(" ".join(notetype.fields[number].split()))


def _language(question: str, answer: str) -> str:
    """Return the language of a question, or of the answer if the question has no words."""
    prose = _NO_WORDS.sub(" ", question[:_LOOKED_AT])
    named = any(char.isalpha() for char in prose)
    return guess_language(prose if named else _NO_WORDS.sub(" ", answer[:_LOOKED_AT]))


def _beginning(fields: Sequence[str]) -> str:
    """Return the first words of a note, to identify it for a person."""
    plain = (words(field[:_LOOKED_AT]) for field in fields)
    said = " ".join(next(filter(None, plain), "").split())
    return said if len(said) <= _NAMED_BY else f"{said[:_NAMED_BY].rsplit(' ', 1)[0]} …"


def _facts(notetype: Notetype, fields: list[str]) -> tuple[Mapping[str, str], list[str]]:
    """Return the facts in a note exported by danesh by field, and the other fields."""
    fields = fields + [""] * (len(notetype.fields) - len(fields))
    if notetype.name not in _OURS or notetype.fields != FIELDS:
        return {}, fields
    kind = next(kind for kind, name in NAMES.items() if name == notetype.name)
    facts = {name: words(fields[FIELDS.index(name)]) for name in _FACTS}
    texts = ["" if name in _FACTS else text for name, text in zip(FIELDS, fields, strict=True)]
    return {"kind": kind, **facts}, texts
