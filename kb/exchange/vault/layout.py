"""What a note of ours looks like, to those who write it and those who read it.

Under its front matter stands a comment that makes it ours, then its texts under headings as
the form has them, ``## Question (en)``. What no heading can say is in comments: beside each
annotation and program what belongs to it, and at the end what belongs to the entry.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from kb.records import Answer, Entry

QUESTION, WORDING, ANSWERS = "question", "wording", "answers"
ANNOTATIONS, PROGRAMS, RELATED = "Annotations", "Programs", "Related"
TITLE, DOCUMENT = "title", "document"

_NAMES: Mapping[tuple[str, ...], str] = {
    (QUESTION,): "Question",
    (WORDING,): "Better wording",
    (ANSWERS, "source"): "Answer",
    (ANSWERS, "reference"): "Reference answer",
    (TITLE,): "Title",
    (DOCUMENT,): "Document",
}
_KINDS = {name.lower(): kind for kind, name in _NAMES.items()}
_HEADING = re.compile(r"##\s+(?P<name>[A-Za-z ]+?)\s*(?:\((?P<lang>[^()]*)\))?\s*")
_SECTIONS = (ANNOTATIONS, PROGRAMS, RELATED)
_LANG = re.compile(r"[\w-]{1,40}")

ATTACHMENTS, SOURCES = "attachments", "sources"
"""The folders beside those of collections."""

CALLOUTS = {
    "wrong": "failure",
    "misleading": "warning",
    "incomplete": "info",
    "outdated": "warning",
    "note": "note",
}
"""The look of an annotation by its verdict."""


class Text(NamedTuple):
    """A text and where it belongs: of ``question``, a language; of ``answers``, its role before."""

    place: tuple[str, ...]
    text: str

    @property
    def heading(self) -> str:
        """The heading that it stands under."""
        lang = self.place[-1]
        return f"## {_NAMES[self.place[:-1]]}" + (f" ({lang})" if _LANG.fullmatch(lang) else "")

    @property
    def is_plain(self) -> bool:
        """Whether the heading says where it belongs."""
        return _LANG.fullmatch(self.place[-1]) is not None


def texts(entry: Entry) -> Iterator[Text]:
    """Yield the texts of an entry that stand under headings, in order."""
    yield from (Text((QUESTION, lang), text) for lang, text in entry.question.items())
    yield from (Text((WORDING, lang), text) for lang, text in entry.wording.items())
    for answer in entry.answers:
        yield Text(place_of(answer), answer.text)


def place_of(answer: Answer) -> tuple[str, ...]:
    """Return where an answer belongs."""
    return (ANSWERS, answer.role, answer.lang)


def place_in(heading: str) -> tuple[str, ...] | None:
    """Return the place that a heading names, with an empty language where it says none.

    >>> place_in("## Reference answer (fa)"), place_in("## question"), place_in("## Notes")
    (('answers', 'reference', 'fa'), ('question', ''), None)
    """
    found = _HEADING.fullmatch(heading)
    kind = _KINDS.get(found["name"].lower()) if found else None
    return None if kind is None or found is None else (*kind, (found["lang"] or "").strip())


def section_in(heading: str) -> str | None:
    """Return the section that a heading begins.

    >>> section_in("## Programs"), section_in("## Notes")
    ('Programs', None)
    """
    return next((name for name in _SECTIONS if heading.strip() == f"## {name}"), None)


def link_words(text: str) -> str:
    """Return the first words of a text as a link in double brackets can show them.

    >>> link_words("a[1] | b")
    'a(1) ¦ b'
    """
    return " ".join(text.translate(str.maketrans("[]|", "()¦")).split())[:250]
