"""The languages that pages speak, and which texts of an entry stand on its page in each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from kb.present.annotated import Numbered, numbered
from kb.records import Answer, Entry

FACES = {"en": "English", "fa": "فارسی"}
"""The languages that pages speak, by their own names."""

ROLES = ("source", "reference")


def faces_of(entry: Entry) -> tuple[str, ...]:
    """Return in which languages an entry has a page: in English if in none that pages speak.

    >>> faces_of(Entry("a", "card", "", {"fa": "چیست؟", "de": "Was?"}))
    ('fa',)
    """
    return tuple(lang for lang in FACES if lang in entry.languages) or (next(iter(FACES)),)


class Text(NamedTuple):
    """A text of an entry: its role (question, wording, source, reference) and language."""

    role: str
    lang: str
    text: str


def texts(entry: Entry, face: str) -> Iterator[Text]:
    """Yield the texts on an entry's page: those in its language, or where there is none in others.

    Languages that no page speaks are on every page.

    >>> entry = Entry("a", "card", "", {"en": "What?", "fa": "چیست؟"},
    ...     answers=(Answer("source", "en", "This."),))
    >>> [text.text for text in texts(entry, "fa")]
    ['چیست؟', 'This.']
    """
    for role, found in _by_role(entry).items():
        here = any(lang == face for lang, _ in found) or (
            role == "wording" and face in entry.question
        )
        for lang, text in found:
            if text.strip() and (lang == face or not here or lang not in FACES):
                yield Text(role, lang, text)


def shown_annotations(entry: Entry, face: str) -> list[Numbered]:
    """Return the annotations on an entry's page: all but those of texts on other pages alone."""
    here = {(text.role, text.lang) for text in texts(entry, face)}
    others = (other for other in faces_of(entry) if other != face)
    there = {(text.role, text.lang) for other in others for text in texts(entry, other)}
    only_there = there - here
    return [each for each in numbered(entry) if _of(each) not in only_there]


def _of(each: Numbered) -> tuple[str, str]:
    return each.annotation.target.role, each.annotation.target.lang


def _by_role(entry: Entry) -> dict[str, list[tuple[str, str]]]:
    answers: Iterable[Answer] = entry.answers
    return {
        "question": list(entry.question.items()),
        "wording": list(entry.wording.items()),
        **{role: [(a.lang, a.text) for a in answers if a.role == role] for role in ROLES},
    }
