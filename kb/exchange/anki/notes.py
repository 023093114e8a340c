"""Notes to entries: the fields of a card's front are the question, all others the answer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from kb import limits
from kb.contract.bounds import bounded
from kb.errors import BadData
from kb.exchange.anki.collection import Look, Note
from kb.exchange.anki.files import Files
from kb.exchange.anki.gaps import Gapped, gapped
from kb.exchange.anki.leftover import Leftover
from kb.exchange.anki.notetypes import FIELDS, NAMES
from kb.exchange.anki.sides import Sides, sides_of
from kb.exchange.hypertext import reading
from kb.exchange.hypertext.quoting import escaped
from kb.exchange.hypertext.scanning import words
from kb.exchange.notes.language import language_of
from kb.foreign import size
from kb.records import Answer, Entry, Media
from kb.records.vocabulary import LEVELS
from kb.text.languages import guess_language

_BETWEEN = "\x1f"
_FACTS = ("Id", "Number", "Level", "Topic")
"""Fields of notes that we wrote ourselves, which are no texts."""

_BLOCK = re.compile(r"(?:[-#>|]|```|\$\$|[0-9]{1,9}\. |\*\*[^*\n]+:\*\*)")
_NO_WORDS = re.compile(r"!?\[[^\]\n]*\]\([^)\s]*\)|\$[^$]*\$|`[^`]*`")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_HEADING = re.compile(r"\A#{1,6}[ \t]+(?=\S)")
_NAMED_BY = 60  # characters of a note that name it in a message
_LOOKED_AT = 4000
"""Characters of a text that tell its language."""

_OURS = frozenset(NAMES.values())


class _Texts(NamedTuple):
    """A question as Markdown, and the parts of its answer."""

    question: str
    answer: Sequence[str]


class Making:
    """Makes entries of the notes of a package; ``left`` is told what is not taken of them."""

    def __init__(
        self,
        name: str,
        looks: Mapping[Any, Look],
        decks: Mapping[Any, str],
        files: Files,
        left: Leftover,
    ) -> None:
        self._name = name
        self._looks = looks
        self._decks = decks
        self._files = files
        self._left = left
        self.ids: dict[int, str] = {}
        """The ids of entries by those that their notes have in the file."""
        self._known: set[str] = set()

    def entry(self, note: Note) -> Entry | None:
        """Return the entry of a note, or nothing for one that says nothing.

        Raises `BadData` for a note whose row is not what a note's is, is too large, or has the
        guid of another.
        """
        guid, fields, tags = self._row(note)
        named = _beginning(fields) or guid
        place = f"{self._name}: note '{named}'"
        look = _as_long(self._looks.get(note.look), len(fields))
        facts, fields = _facts(look, fields)
        texts = self._texts(look, fields, named)
        media = self._files.taken(lambda why, which: self._left.add(why, which, named))
        if texts is None:
            self._left.add("a note says nothing", "", named)
            return None
        id = facts.get("Id") or guid
        if id in self._known:
            raise BadData(f"{place}: there is another note of this guid")
        made = bounded(_made(id, self._decks.get(note.deck, ""), texts, tags, facts, media), place)
        self._known.add(id)
        self.ids[note.id] = id
        return made

    def _row(self, note: Note) -> tuple[str, list[str], tuple[str, ...]]:
        """Return the guid, the fields and the tags of a row. Raises `BadData`."""
        place = f"{self._name}: note {note.id!r}"
        if not isinstance(note.guid, str) or not isinstance(note.tags, str):
            raise BadData(f"{place}: its guid or its tags are no text")
        if note.fields is None:
            raise BadData(f"{place}: has no fields, or more than {size(limits.RECORD)}")
        if not isinstance(note.fields, str):
            raise BadData(f"{place}: its fields are no text")
        guid = _CONTROL.sub("", note.guid).strip() or str(note.id)
        tags = (_CONTROL.sub("", tag) for tag in note.tags.split())
        return guid, note.fields.split(_BETWEEN), tuple(dict.fromkeys(filter(None, tags)))

    def _texts(self, look: Look, fields: Sequence[str], named: str) -> _Texts | None:
        """Return what a note asks and answers, if it says anything."""
        sides = sides_of(look)
        asked: list[str] = []
        told: list[str] = []
        for number in sides.front:
            hidden = gapped(fields[number]) if number in sides.gapped else None
            source = fields[number] if hidden is None else hidden.asked
            asked.append(self._markdown(source, named))
            if hidden is not None and hidden != Gapped(hidden.asked, hidden.asked):
                asked += map(escaped, hidden.shown)
                told += self._hidden(hidden, named)
        told += self._back(look, sides, fields, named)
        question = _HEADING.sub("", _written(asked))
        told = [each for each in told if each]
        if not question and told:
            question, told = told[0], told[1:]
        return _Texts(question, told) if question else None

    def _hidden(self, hidden: Gapped, named: str) -> Iterator[str]:
        """Yield what a field with gaps tells, once they are filled."""
        if hidden.masks:
            self._left.add("the places that an image hides are not taken", "", named, hidden.masks)
        if hidden.told != hidden.asked:
            yield self._markdown(hidden.told, named)
        yield from map(escaped, hidden.hidden)

    def _back(self, look: Look, sides: Sides, fields: Sequence[str], named: str) -> Iterator[str]:
        for number in sides.back:
            text = self._markdown(fields[number], named)
            labels = number in sides.labelled and look.name not in _OURS
            yield _labelled(look.fields[number], text) if labels and text else text
        for number in sides.switches:
            if fields[number].strip():
                said = f"the field '{look.fields[number]}' only says whether there is a card"
                self._left.add(said, fields[number], named)

    def _markdown(self, source: str, named: str) -> str:
        """Return a field as Markdown, and note what was left out of it."""
        if not source or source.isspace():
            return ""
        read = reading.read(source, self._files.name)
        for why, what in read.left_out:
            self._left.add(why, what, named)
        return read.text


def _made(
    id: str,
    collection: str,
    texts: _Texts,
    tags: tuple[str, ...],
    facts: Mapping[str, str],
    media: tuple[Media, ...],
) -> Entry:
    answer = _written(texts.answer)
    prose = _NO_WORDS.sub(" ", texts.question[:_LOOKED_AT])
    named = any(char.isalpha() for char in prose)
    lang = guess_language(prose if named else _NO_WORDS.sub(" ", answer[:_LOOKED_AT]))
    level = facts.get("Level", "")
    return Entry(
        id=id,
        kind=facts.get("kind", "card"),
        collection=collection,
        question={lang: texts.question},
        number=facts.get("Number") or None,
        level=level if level in LEVELS else None,
        topic=facts.get("Topic") or None,
        tags=tags,
        answers=(Answer("source", language_of(answer, lang), answer),) if answer else (),
        media=media,
    )


def _beginning(fields: Sequence[str]) -> str:
    """Return the first words of a note, by which a person knows it."""
    plain = (words(field[:_LOOKED_AT]) for field in fields)
    said = " ".join(next(filter(None, plain), "").split())
    return said if len(said) <= _NAMED_BY else f"{said[:_NAMED_BY].rsplit(' ', 1)[0]} …"


def _as_long(look: Look | None, count: int) -> Look:
    """Return how a note is shown, with as many fields as it has; one of no kind by their order."""
    look = look or Look("", (), "", "", (), cloze=False)
    if len(look.fields) >= count:
        return look
    names = (f"{number}" for number in range(len(look.fields) + 1, count + 1))
    return look._replace(fields=(*look.fields, *names))


def _facts(look: Look, fields: list[str]) -> tuple[Mapping[str, str], list[str]]:
    """Return what a note of ours says beside its texts, by field, and all fields without that."""
    fields = fields + [""] * (len(look.fields) - len(fields))
    if look.name not in _OURS or look.fields != FIELDS:
        return {}, fields
    kind = next(kind for kind, name in NAMES.items() if name == look.name)
    facts = {name: words(fields[FIELDS.index(name)]) for name in _FACTS}
    texts = ["" if name in _FACTS else text for name, text in zip(FIELDS, fields, strict=True)]
    return {"kind": kind, **facts}, texts


def _labelled(name: str, text: str) -> str:
    """Return the text of a field behind its name."""
    label = f"**{escaped(' '.join(name.split()))}:**"
    return f"{label}\n\n{text}" if "\n" in text or _BLOCK.match(text) else f"{label} {text}"


def _written(parts: Sequence[str]) -> str:
    return "\n\n".join(part for part in parts if part)
