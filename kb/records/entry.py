"""Entries: questions, cards and notes, their answers, programs and source documents."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import NamedTuple

from kb.records.annotation import Annotation
from kb.records.hashing import digest, short_digest
from kb.records.media import Media


class Span(NamedTuple):
    """A place in a source document: ``text[start:end]`` of ``file``."""

    file: str
    start: int
    end: int


class Source(NamedTuple):
    """A source document, kept byte for byte, and where it comes from."""

    file: str
    title: str
    author: str
    lang: str
    rights: str
    sha256: str
    text: str


class Answer(NamedTuple):
    """One answer in one language; ``origin`` is the span it was taken from.

    What in it changes with time was ``checked`` on a day, and is to be looked at again after
    ``until``: dates as ISO 8601 writes them, or empty.
    """

    role: str
    lang: str
    text: str
    origin: Span | None = None
    checked: str = ""
    until: str = ""


@dataclass(frozen=True, slots=True)
class Snippet:
    """A runnable program. ``main`` marks the one that an entry's id runs, ``own`` a reader's."""

    id: str
    title: Mapping[str, str]
    code: str
    main: bool = False
    own: bool = False

    @property
    def digest(self) -> str:
        """The SHA-256 of the code: what trust and staleness are decided by."""
        return digest(self.code)


class NoteFile(NamedTuple):
    """The file of a note: its path below the imported folder, and what its text does not hold.

    ``head`` is the front matter, verbatim. ``encoding`` and ``newline`` (lf, crlf, cr or mixed)
    say how head and text become the bytes of the file again.
    """

    path: str
    head: str
    encoding: str
    newline: str


FACTS = ("number", "level", "topic", "context", "within")
"""The fields of an entry that are a text or nothing, kept as they are."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A question, a card or a note, with everything that belongs to it.

    ``wording`` is how we would ask a question that its source asks badly; the source's
    own words stay in ``question``. ``aliases`` are other titles, ``context`` stands above the
    question in its list and belongs to it, and ``within`` is the note that a card was made from.
    """

    id: str
    kind: str
    collection: str
    question: Mapping[str, str]
    number: str | None = None
    level: str | None = None
    topic: str | None = None
    tags: tuple[str, ...] = ()
    origins: Mapping[str, tuple[Span, ...]] = field(default_factory=dict)
    restored: Mapping[str, bool] = field(default_factory=dict)
    wording: Mapping[str, str] = field(default_factory=dict)
    answers: tuple[Answer, ...] = ()
    snippets: tuple[Snippet, ...] = ()
    annotations: tuple[Annotation, ...] = ()
    related: tuple[str, ...] = ()
    media: tuple[Media, ...] = ()
    aliases: tuple[str, ...] = ()
    context: str | None = None
    within: str | None = None
    file: NoteFile | None = None

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages of its texts, those of its question first."""
        return tuple(dict.fromkeys((*self.question, *(each.lang for each in self.answers))))

    @property
    def given(self) -> Entry:
        """The entry as it was given, without what a reader added."""
        if not any(e.own for e in self.annotations) and not any(e.own for e in self.snippets):
            return self
        return replace(
            self,
            annotations=tuple(each for each in self.annotations if not each.own),
            snippets=tuple(each for each in self.snippets if not each.own),
        )

    @property
    def digest(self) -> str:
        """What changes when anything in the entry does.

        What was measured of it and what a reader added to it are no part of it.
        """
        given = self.given
        values = {name: getattr(given, name) for name in _FIELDS}
        plain = {k: v for k, v in values.items() if v or k not in _UNSAID}
        plain["answers"] = [tuple(each)[: None if each.checked else 4] for each in given.answers]
        plain["annotations"] = [_said(replace(e, status="")) for e in given.annotations]
        plain["snippets"] = [asdict(each) for each in given.snippets]
        return short_digest(_PLAIN.encode(plain))

    def is_translation(self, answer: Answer) -> bool:
        """Say whether a source's answer is our translation of what it said in another language."""
        return (
            answer.role == "source"
            and answer.origin is None
            and any(each.role == "source" and each.origin for each in self.answers)
        )

    def answer(self, lang: str, role: str = "source") -> Answer | None:
        """Return the answer of that language and role, if there is one."""
        for answer in self.answers:
            if answer.lang == lang and answer.role == role:
                return answer
        return None

    def text(self, role: str, lang: str) -> str:
        """Return its question or its answer of that role in a language; empty if it has none."""
        if role == "question":
            return self.question.get(lang, "")
        answer = self.answer(lang, role)
        return answer.text if answer else ""

    def main_snippet(self) -> Snippet | None:
        """Return the snippet that the entry's own id runs, if it has any: the reader's first."""
        mains = [snippet for snippet in self.snippets if snippet.main]
        chosen = [snippet for snippet in mains if snippet.own] or mains or self.snippets
        return chosen[0] if chosen else None


def _said(annotation: Annotation) -> dict[str, object]:
    """Return what an annotation says, without what it leaves unsaid."""
    said = {k: v for k, v in asdict(annotation).items() if v or k not in _UNSAID}
    evidence = [
        {k: v for k, v in asdict(e).items() if v or k != "basis"} for e in annotation.evidence
    ]
    return {**said, "evidence": evidence}


_UNSAID = frozenset(
    ("anchors", "checked", "until", "media", "aliases", "context", "within", "file")
)
_FIELDS = tuple(each.name for each in fields(Entry))
_PLAIN = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), sort_keys=True)
