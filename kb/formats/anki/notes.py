"""Notes to entries: fields on the front of a card are the question, the others the answer.

A note becomes one entry, whatever its cards: everything that a card hides becomes a gap in the
question.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from kb import limits
from kb.errors import BadData, Message
from kb.foreign import size
from kb.formats.anki.collection import Note
from kb.formats.anki.media import Files
from kb.formats.anki.notetypes import FIELDS, NAMES, Notetype, sides_of
from kb.formats.hypertext import reading
from kb.formats.hypertext.quoting import escaped
from kb.formats.hypertext.scanning import words
from kb.formats.labels import label
from kb.formats.notes.forms import GAP
from kb.formats.notes.language import language_of
from kb.model import Answer, Dropped, Entry
from kb.model.clauses import named_level
from kb.model.entry_json import bounded
from kb.text.languages import guess_language

_BETWEEN = "\x1f"
_FACTS = ("Id", "Number", "Level", "Topic")
"""Fields of notes exported by danesh that are not texts."""

_BLOCK = re.compile(r"(?:[-#>|]|```|\$\$|[0-9]{1,9}\. |\*\*[^*\n]+:\*\*)")
_NO_WORDS = re.compile(r"!?\[[^\]\n]*\]\([^)\s]*\)|\$[^$]*\$|`[^`]*`")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_HEADING = re.compile(r"\A#{1,6}[ \t]+(?=\S)")
_NAMED_BY = 60  # characters of a note that name it in a message
_LOOKED_AT = 4000
"""The number of characters used to detect the language of a text."""

_OURS = frozenset(NAMES.values())
_SHOWN = 200

_BEGIN = r"\{\{c(?P<numbers>[0-9][0-9,]{0,30})::"
_INNER = rf"[^{{}}]*+(?:(?!{_BEGIN.replace('?P<numbers>', '?:')}|\}}\}}).[^{{}}]*+)*"
_GAP = re.compile(rf"{_BEGIN}(?P<all>{_INNER})\}}\}}", re.IGNORECASE | re.DOTALL)
_OCCLUSION = re.compile(
    rf"{_BEGIN}image-occlusion:(?P<all>{_INNER})\}}\}}", re.IGNORECASE | re.DOTALL
)
_DEEPEST = 8
_WORDS = re.compile(r"(?<!\\):text=((?:[^:\\]++|\\.)*)", re.DOTALL)
"""The words that a place on an image shows or hides."""


class Leftover:
    """What is skipped of a package: each reason once, with its first example.

    >>> left = Leftover("deck.apkg")
    >>> left.add("a file is missing", "a.png", "abc")
    >>> left.add("a file is missing", "b.png", "abc")
    >>> [each.reason for each in left.told()]
    ["a file is missing, of note 'abc' (and 1 more like it)"]
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._first: dict[str, tuple[str, str]] = {}
        self._count: Counter[str] = Counter()

    def add(self, reason: str, text: str = "", note: str = "", count: int = 1) -> None:
        """Add something that is skipped; above a limit only the count grows."""
        if reason not in self._first and len(self._first) >= limits.KEYS:
            reason, text, note = "something else is not taken", "", ""
        self._first.setdefault(reason, (text, note))
        self._count[reason] += count

    def told(self) -> Iterator[Dropped]:
        """Yield each reason with its first example and the number of others."""
        for reason, (text, note) in self._first.items():
            said = Message(reason)
            if note:
                said = Message("{reason}, of note '{note}'", reason=said, note=note)
            if more := self._count[reason] - 1:
                said = Message("{reason} (and {more:,} more like it)", reason=said, more=more)
            yield Dropped(self._name, None, said, text[:_SHOWN])


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

    def entry(self, note: Note) -> Entry | None:
        """Return the entry of a note, or nothing if the note is empty.

        Raises `BadData` for a note with an invalid row, too much text, or the guid of another
        note.
        """
        guid, fields, tags = self._row(note)
        named = _beginning(fields) or guid
        place = f"{self.name}: note '{named}'"
        # A note type has as many fields as the note; without one they are named by their order.
        notetype = self.notetypes.get(note.notetype) or Notetype("", (), "", "", (), cloze=False)
        names = map(str, range(len(notetype.fields) + 1, len(fields) + 1))
        notetype = notetype._replace(fields=(*notetype.fields, *names))
        facts, fields = _facts(notetype, fields)
        question, answer = self._texts(notetype, fields, named)
        media = self.files.taken(lambda why, which: self.left.add(why, which, named))
        if not question:
            self.left.add("a note is empty", "", named)
            return None
        id, level = facts.get("Id") or guid, facts.get("Level", "")
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
            tags=tags,
            answers=(Answer("source", language_of(answer, lang), answer),) if answer else (),
            media=media,
        )
        made = bounded(made, place)
        self.known.add(id)
        self.ids[note.id] = id
        return made

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

    def _texts(self, notetype: Notetype, fields: Sequence[str], named: str) -> tuple[str, str]:
        """Return the question and answer of a note; no question if it has none."""
        sides = sides_of(notetype)
        asked: list[str] = []
        told: list[str] = []
        masks = 0
        for number in sides.front:
            source = fields[number]
            hidden = gapped(source) if number in sides.gapped else Gapped(source, source)
            asked += [self._markdown(hidden.asked, named), *map(escaped, hidden.shown)]
            if hidden.masks and not self.whole:
                self.left.add(
                    "a place that an image hides is kept only with --with-reviews",
                    "", named, hidden.masks,
                )  # fmt: skip
            masks += hidden.masks
            if hidden.told != hidden.asked:
                told.append(self._markdown(hidden.told, named))
            told += map(escaped, hidden.hidden)
        for number in sides.back:
            text = self._markdown(fields[number], named)
            if text and number in sides.labelled and notetype.name not in _OURS:
                name = escaped(" ".join(notetype.fields[number].split()))
                apart = "\n" in text or _BLOCK.match(text)
                text = f"**{name}:**\n\n{text}" if apart else f"**{name}:** {text}"
            told.append(text)
        for number in sides.switches:
            if fields[number].strip():
                said = Message(
                    "the field '{field}' only decides whether there is a card",
                    field=notetype.fields[number],
                )
                self.left.add(said, fields[number], named)
        question = _HEADING.sub("", "\n\n".join(filter(None, asked)))
        told = [each for each in told if each]
        if not question and told:
            question, *told = told
        answer = "\n\n".join(told)
        if masks:
            question += "\n\n" + label("masks", _language(question, answer), number=masks)
        return question, answer

    def _markdown(self, source: str, named: str) -> str:
        """Return a field as Markdown and record what was left out."""
        if not source or source.isspace():
            return ""
        read = reading.read(source, self.files.name)
        for why, what in read.left_out:
            self.left.add(why, what, named)
        return read.text


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
