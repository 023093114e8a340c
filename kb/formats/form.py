"""The form an entry is written in: Markdown, with its facts as front matter.

    ---
    collection: notes
    kind: question
    level: M
    tags: attention, transformers
    ---

    ## Question (en)

    Why is attention quadratic in the length of a text?

    ## Answer (fa)

    …

The language in brackets is guessed where it is left out. A line of a text that looks like a
heading of the form has a backslash before it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from kb.errors import BadData, Message, nearest
from kb.model.clauses import KINDS, LEVELS
from kb.model.draft import Draft
from kb.model.results import in_a_line, tags_in
from kb.text.languages import guess_language

_FENCE = "---"
_SECTION = re.compile(
    r"(?P<escape>\\*)##\s*+(?P<name>question|answer|reference answer)\s*+"
    r"(?:\((?P<lang>[^()]*+)\)\s*+)?",
    re.IGNORECASE,
)
_ROLES = {"answer": "source", "reference answer": "reference"}


class _Section(NamedTuple):
    name: str
    lang: str
    text: str
    line: int


class FormError(BadData):
    """A mistake in a form; ``line`` is where it stands."""

    def __init__(
        self, place: str, line: int, message: str, hint: str = "", **arguments: object
    ) -> None:
        super().__init__(message, hint, place=f"{place}:{line}", **arguments)
        self.line = line


def write(draft: Draft, *, languages: Sequence[str] = ("en",)) -> str:
    """Return the form of a draft, with an empty question and answer where it has none."""
    facts = {
        "collection": draft.collection,
        "kind": draft.kind,
        "level": draft.level or "",
        "tags": in_a_line(draft.tags),
        "topic": draft.topic or "",
        "number": draft.number or "",
    }
    lines = [_FENCE, *(f"{key}: {value}".rstrip() for key, value in facts.items()), _FENCE, ""]
    for lang in draft.languages or languages:
        lines += _section("Question", lang, draft.question.get(lang, ""))
        for name, role in _ROLES.items():
            text = draft.answers.get(role, {}).get(lang)
            if text is not None or role == "source":
                lines += _section(name.capitalize(), lang, text or "")
    return "\n".join(lines).rstrip("\n") + "\n"


def read(text: str, place: str = "form") -> Draft:
    """Return the draft of a form. Raises `FormError` at the line of the first mistake."""
    lines = text.replace("\r\n", "\n").removeprefix("\ufeff").split("\n")
    facts, start = _facts(lines, place)
    question: dict[str, str] = {}
    answers: dict[str, dict[str, str]] = {}
    for section in _sections(lines, start, place):
        if not section.text:
            continue
        name = section.name.lower()
        lang = section.lang or guess_language(section.text)
        texts = question if name == "question" else answers.setdefault(_ROLES[name], {})
        if lang in texts:
            raise FormError(
                place, section.line, "there is another {name} in '{lang}'", name=name, lang=lang
            )
        texts[lang] = section.text
    if not question and not answers:
        raise FormError(place, len(lines), "an entry needs a question or an answer")
    return Draft(question, answers, **facts)


def _section(name: str, lang: str, text: str) -> list[str]:
    escaped = [f"\\{line}" if _SECTION.fullmatch(line) else line for line in text.split("\n")]
    return [f"## {name} ({lang})", "", *escaped, ""]


def _facts(lines: Sequence[str], place: str) -> tuple[dict[str, Any], int]:
    """Return the facts of the front matter, and the line behind it; none where there is none."""
    first = next((n for n, line in enumerate(lines) if line.strip()), 0)
    if not lines or lines[first].strip() != _FENCE:
        return {}, 0
    facts: dict[str, Any] = {}
    for number in range(first + 1, len(lines)):
        line = lines[number].strip()
        if line == _FENCE:
            return facts, number + 1
        if not line or line.startswith("#"):
            continue
        key, colon, value = line.partition(":")
        name = key.strip().lower()
        if not colon or name not in _FACTS:
            known = nearest(name, _FACTS) or Message("Known: {known}.", known=", ".join(_FACTS))
            raise FormError(place, number + 1, "no such key '{key}'", known, key=key.strip())
        if name in facts:
            raise FormError(place, number + 1, "'{name}' stands here twice", name=name)
        facts[name] = _FACTS[name](value.strip(), place, number + 1)
    raise FormError(place, first + 1, "the facts end with no line of '{fence}'", fence=_FENCE)


def _sections(lines: Sequence[str], start: int, place: str) -> Iterator[_Section]:
    """Yield the texts of a form under their headings."""
    name, lang, began = "", "", start
    body: list[str] = []
    for number in range(start, len(lines)):
        found = _SECTION.fullmatch(lines[number])
        if found is None or found["escape"]:
            line = lines[number]
            body.append(line[1:] if found else line)
            continue
        yield from _ended(name, lang, body, began, place)
        name, lang, began, body = found["name"], (found["lang"] or "").strip(), number + 1, []
    yield from _ended(name, lang, body, began, place)


def _ended(name: str, lang: str, body: list[str], line: int, place: str) -> Iterator[_Section]:
    text = "\n".join(body).strip("\n").rstrip()
    if name:
        yield _Section(name, lang, text, line)
    elif text.strip():
        hint = Message(
            "Begin each text with a line such as '## Question (en)' or '## Answer (fa)'."
        )
        raise FormError(place, line + 1, "this text stands under no heading", hint)


def _text(value: str, place: str, line: int) -> str | None:
    return value or None


def _name(value: str, place: str, line: int) -> str:
    if not value:
        raise FormError(place, line, "a collection needs a name")
    return value


def _level(value: str, place: str, line: int) -> str | None:
    if value and value.upper() not in LEVELS:
        raise FormError(
            place,
            line,
            "'{value}' is no level",
            Message("Levels: {known}.", known=", ".join(LEVELS)),
            value=value,
        )
    return value.upper() or None


def _kind(value: str, place: str, line: int) -> str:
    if value.lower() not in KINDS:
        raise FormError(
            place,
            line,
            "'{value}' is no kind",
            Message("Kinds: {known}.", known=", ".join(KINDS)),
            value=value,
        )
    return value.lower()


def _tags(value: str, place: str, line: int) -> tuple[str, ...]:
    return tags_in(value.removeprefix("[").removesuffix("]"))


_FACTS: Mapping[str, Callable[[str, str, int], object]] = {
    "collection": _name,
    "kind": _kind,
    "level": _level,
    "tags": _tags,
    "topic": _text,
    "number": _text,
}
"""The keys of the front matter, each with what reads its value."""
