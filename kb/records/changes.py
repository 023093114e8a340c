"""What is remembered of changes and of where entries came from."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from kb.errors import UsageError
from kb.records.entry import Answer, Entry

What = Literal["write", "import", "publish", "undo", "redo"]
"""What kind of change it was."""

State = Literal["done", "undone", "dropped"]
"""Whether a change stands, is undone, or is undone and can be redone no more."""


class FieldChange(NamedTuple):
    """One field of one entry, before a change and after it, as the contract writes it.

    Without a ``field`` it is the whole entry, with nothing before or after where there was
    none. Without an ``entry`` it is a collection's or an import's.
    """

    entry: str | None
    field: str | None = None
    before: Any = None
    after: Any = None
    id: str = ""


class Change(NamedTuple):
    """A change of content: when it was (ISO 8601, UTC), whose, of what kind, which command made it.

    ``layer`` is what an import stored its entries under; ``of`` the change that an undo or a
    redo was of. The id is a UUID of version 7 (RFC 9562): later ones sort behind earlier ones.
    ``session`` names the open library that made it: each has its own, for as long as it is open.
    A change of an older danesh has none.
    """

    id: str
    at: str
    who: str
    what: str
    deed: str
    state: str = "done"
    layer: int | None = None
    of: str | None = None
    session: str | None = None
    fields: tuple[FieldChange, ...] = ()


IMPORT = "import"
"""The field that tells of an import what it did, in numbers."""


class Record(NamedTuple):
    """What is known of an entry's origin: the record of a file that it came from.

    ``file`` is an absolute path, `BUNDLED`, or empty where that is not remembered. ``place`` is
    the record's name within the file, and ``given`` says that the file itself names it so.
    ``heading``, ``answer`` and ``digest`` are digests of the question, of the answers and of
    all that the file said when it was last taken. ``base`` is that as JSON where a reader has
    changed the entry since, and ``theirs`` what the file says now where both were changed.
    """

    entry: str
    file: str
    place: str
    given: bool = False
    heading: str = ""
    answer: str = ""
    digest: str = ""
    line: int | None = None
    gone: bool = False
    base: str | None = None
    theirs: str | None = None
    layer: int = 0


BUNDLED = ":danesh"
"""The ``file`` of the records that came with danesh."""


class Version(NamedTuple):
    """What an import makes of an entry that is there: applied, or what it was before.

    ``seen`` is the digest of the entry that the import compared itself with.
    """

    entry: str
    state: Any
    seen: str
    settled: bool


class Collection(NamedTuple):
    """A collection, the one above it, and how many entries it holds with all below it."""

    id: str
    title: dict[str, str]
    entries: int
    parent: str | None


# What a reader writes of an entry: everything about it that can be typed.


Texts = Mapping[str, str]


class Amendment(NamedTuple):
    """What is to change of an entry; nothing for what stays, empty for what is taken away.

    ``lang`` is the language of question and answer, or without them the one that the texts of
    an entry are in.
    """

    question: str | None = None
    answer: str | None = None
    lang: str | None = None
    level: str | None = None
    tag: tuple[str, ...] | None = None
    kind: str | None = None
    collection: str | None = None


@dataclass(frozen=True, slots=True)
class Draft:
    """An entry as it is written in a form; ``answers`` by role, and then by language."""

    question: Texts = field(default_factory=dict)
    answers: Mapping[str, Texts] = field(default_factory=dict)
    kind: str = "question"
    collection: str = "notes"
    level: str | None = None
    number: str | None = None
    topic: str | None = None
    tags: tuple[str, ...] = ()

    @classmethod
    def of(cls, entry: Entry) -> Draft:
        """Return an entry as it stands in a form."""
        answers: dict[str, dict[str, str]] = {}
        for answer in entry.answers:
            answers.setdefault(answer.role, {})[answer.lang] = answer.text
        return cls(
            dict(entry.question), answers, entry.kind, entry.collection, entry.level,
            entry.number, entry.topic, entry.tags,
        )  # fmt: skip

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages of its texts, those of its question first."""
        answered = (lang for texts in self.answers.values() for lang in texts)
        return tuple(dict.fromkeys((*self.question, *answered)))

    @property
    def texts(self) -> tuple[str, ...]:
        """All its texts, those of its question first."""
        answers = (text for texts in self.answers.values() for text in texts.values())
        return (*self.question.values(), *answers)

    def in_language(self, lang: str) -> Draft:
        """Return the draft with its texts in another language; it must be in one alone.

        Raises `UsageError`.
        """
        if len(self.languages) != 1:
            raise UsageError(
                "its texts are in {languages}: name one of them",
                languages=", ".join(self.languages),
            )
        answers = {role: dict.fromkeys([lang], *t.values()) for role, t in self.answers.items()}
        question = dict.fromkeys([lang], *self.question.values()) if self.question else {}
        return dataclasses.replace(self, question=question, answers=answers)

    def amended(self, amendment: Amendment, lang: str) -> Draft:
        """Return the draft with an amendment, whose texts are in a language."""
        changes: dict[str, Any] = {
            "kind": amendment.kind, "collection": amendment.collection, "level": amendment.level,
            "tags": None if amendment.tag is None else tuple(filter(None, amendment.tag)),
        }  # fmt: skip
        changes = {name: value for name, value in changes.items() if value is not None}
        question, answers = dict(self.question), {r: dict(t) for r, t in self.answers.items()}
        if amendment.question is not None:
            question[lang] = amendment.question
        if amendment.answer is not None:
            answers.setdefault("source", {})[lang] = amendment.answer
        return dataclasses.replace(self, question=question, answers=answers, **changes)

    def entry(self, id: str) -> Entry:
        """Return the entry that it makes."""
        return self.applied(Entry(id=id, kind=self.kind, collection=self.collection, question={}))

    def applied(self, entry: Entry) -> Entry:
        """Return an entry as the form now has it; what no form holds stays."""
        known = {answer[:2]: answer for answer in entry.answers}
        answers = tuple(
            _framed(known.get((role, lang), Answer(role, lang, text)), text)
            for lang in self.languages
            for role, texts in self.answers.items()
            if (text := texts.get(lang)) is not None
        )
        kept = self.languages
        return dataclasses.replace(
            entry,
            question=dict(self.question),
            answers=answers,
            kind=self.kind,
            collection=self.collection,
            level=self.level,
            number=self.number,
            topic=self.topic,
            tags=self.tags,
            origins={k: v for k, v in entry.origins.items() if k in kept},
            restored={k: v for k, v in entry.restored.items() if k in kept},
            wording={k: v for k, v in entry.wording.items() if k in kept},
        )


def _framed(answer: Answer, text: str) -> Answer:
    """Return an answer with a new text, and the blank lines around its own, which no form has."""
    said = answer.text.strip("\n").rstrip()
    before, _, after = answer.text.partition(said) if said else ("", "", "")
    return answer._replace(text=f"{before}{text.strip(chr(10)).rstrip()}{after}")
