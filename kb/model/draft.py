"""The editable content of an entry."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from kb.errors import UsageError
from kb.model.entry import Answer, Entry
from kb.model.values import LAYERS, NOTES

Texts = Mapping[str, str]


class Amendment(NamedTuple):
    """Changes to an entry; nothing keeps a field, an empty value removes it.

    ``lang`` is the language of question and answer, or the new language of existing texts.
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
    """An entry in a form; ``answers`` and layers by role, then by language."""

    question: Texts = field(default_factory=dict)
    answers: Mapping[str, Texts] = field(default_factory=dict)
    kind: str = "question"
    collection: str = NOTES
    level: str | None = None
    number: str | None = None
    topic: str | None = None
    tags: tuple[str, ...] = ()

    @classmethod
    def of(cls, entry: Entry) -> Draft:
        """Return the form of an entry."""
        answers: dict[str, dict[str, str]] = {}
        for answer in _texts(entry):
            answers.setdefault(answer.role, {})[answer.lang] = answer.text
        return cls(
            dict(entry.question), answers, entry.kind, entry.collection, entry.level,
            entry.number, entry.topic, entry.tags,
        )  # fmt: skip

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages of its texts, the question's first."""
        answered = (lang for texts in self.answers.values() for lang in texts)
        return tuple(dict.fromkeys((*self.question, *answered)))

    @property
    def texts(self) -> tuple[str, ...]:
        """All its texts, the question's first."""
        answers = (text for texts in self.answers.values() for text in texts.values())
        return (*self.question.values(), *answers)

    def in_language(self, lang: str) -> Draft:
        """Return the draft with its texts in another language; it must have only one.

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
        """Return the draft with an amendment whose texts have a language."""
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
        """Return the new entry."""
        return self.applied(Entry(id=id, kind=self.kind, collection=self.collection, question={}))

    def applied(self, entry: Entry) -> Entry:
        """Return an entry with the form's values; other fields stay."""
        known = {text[:2]: text for text in _texts(entry)}
        texts = [
            _framed(known.get((role, lang), Answer(role, lang, text)), text)
            for lang in self.languages
            for role, texts in self.answers.items()
            if (text := texts.get(lang)) is not None
        ]
        layers: Any = {n: {t.lang: t.text for t in texts if t.role == n} for n in LAYERS}
        facts = ("kind", "collection", "level", "number", "topic", "tags")
        by_language: dict[str, Any] = {
            name: {k: v for k, v in getattr(entry, name).items() if k in self.languages}
            for name in ("origins", "restored", "wording")
        }
        return dataclasses.replace(
            entry,
            question=dict(self.question),
            **layers,
            answers=tuple(each for each in texts if each.role not in LAYERS),
            **{name: getattr(self, name) for name in facts},
            **by_language,
        )


def _texts(entry: Entry) -> list[Answer]:
    """Return the answers and layers of an entry."""
    layers = (
        Answer(name, lang, text) for name in LAYERS for lang, text in getattr(entry, name).items()
    )
    return [*entry.answers, *layers]


def _framed(answer: Answer, text: str) -> Answer:
    """Return an answer with a new text and its old surrounding blank lines, which forms omit."""
    said = answer.text.strip("\n").rstrip()
    before, _, after = answer.text.partition(said) if said else ("", "", "")
    return answer._replace(text=f"{before}{text.strip(chr(10)).rstrip()}{after}")
