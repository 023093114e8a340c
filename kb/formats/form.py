"""The form of an entry: Markdown with front matter.

    # Save and close to store this. An unchanged or empty form changes nothing.
    ---
    collection: notes
    # kind: one of question, card, note
    kind: question
    # level: easy, medium or hard, or nothing
    level: medium
    tags: attention, transformers
    ---

    ## Question (en)

    Why is attention quadratic in the length of a text?

    ## Answer (fa)

    …

If the language in brackets is missing, it is guessed. A text line that looks like a form heading
is escaped with a backslash. Lines with ``#`` above the texts are comments: the first says what to
do with the form, or what is wrong with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from kb.errors import BadData, Message, nearest
from kb.i18n import N_, _
from kb.i18n.names import LAYERS as NAMES
from kb.i18n.names import LEVELS, TOPICS
from kb.model.draft import Draft
from kb.model.results import in_a_line, tags_in
from kb.model.values import KINDS, LAYERS, named_level
from kb.text.languages import guess_language

_FENCE = "---"
_COMMENT = "# "
_START = N_("Save and close to store this. An unchanged or empty form changes nothing.")
_ROLES = {
    "Answer": "source",
    "Reference answer": "reference",
    **{NAMES[name]: name for name in LAYERS},
}
_ROLE = {name.lower(): role for name, role in _ROLES.items()}
_SECTION = re.compile(
    rf"(?P<escape>\\*)##\s*+(?P<name>question|{'|'.join(_ROLE)})\s*+"
    r"(?:\((?P<lang>[^()]*+)\)\s*+)?",
    re.IGNORECASE,
)


class _Section(NamedTuple):
    name: str
    lang: str
    text: str
    line: int


class FormError(BadData):
    """A mistake in a form; ``line`` is its line."""

    def __init__(
        self, place: str, line: int, message: str, hint: str = "", **arguments: object
    ) -> None:
        super().__init__(message, hint, place=f"{place}:{line}", **arguments)
        self.line = line


def write(draft: Draft, *, languages: Sequence[str] = ("en",)) -> str:
    """Return the form of a draft, with empty texts where it has none."""
    facts = {name: getattr(draft, name) or "" for name in _FACTS}
    facts |= {"level": LEVELS.get(draft.level or "", ""), "tags": in_a_line(draft.tags)}
    lines = [f"{_COMMENT}{_(_START)}", _FENCE]
    for key, value in facts.items():
        lines += [f"{_COMMENT}{key}: {_(_ALLOWED[key])}"] if key in _ALLOWED else []
        lines.append(f"{key}: {value}".rstrip())
    lines += [f"{_COMMENT}{_(_HEADINGS)}", _FENCE, ""]
    for lang in draft.languages or languages:
        lines += _section("Question", lang, draft.question.get(lang, ""))
        for name, role in _ROLES.items():
            text = draft.answers.get(role, {}).get(lang)
            if text is not None or role == "source":
                lines += _section(name, lang, text or "")
    return "\n".join(lines).rstrip("\n") + "\n"


def advised(text: str, problem: str) -> str:
    """Return a form that says in its first line what is wrong with it.

    >>> advised("# kind is no kind\\n---\\n", "no such key")
    '# no such key\\n---\\n'
    """
    first, _end, below = text.partition("\n")
    said = f"{_COMMENT}{' '.join(problem.split())}\n"
    return said + (below if first.startswith(_COMMENT) else text)


def read(text: str, place: str = "form") -> Draft:
    """Return the draft of a form. Raises `FormError` with the line of the first mistake."""
    lines = text.replace("\r\n", "\n").removeprefix("\ufeff").split("\n")
    facts, start = _facts(lines, place)
    question: dict[str, str] = {}
    answers: dict[str, dict[str, str]] = {}
    for section in _sections(lines, start, place):
        if not section.text:
            continue
        name = section.name.lower()
        lang = section.lang or guess_language(section.text)
        texts = question if name == "question" else answers.setdefault(_ROLE[name], {})
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
    """Return the facts of the front matter, and the line after it."""
    said = (n for n, line in enumerate(lines) if line.strip() and not line.startswith(_COMMENT))
    first = next(said, 0)
    if not lines or lines[first].strip() != _FENCE:
        return {}, first
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
            raise FormError(place, number + 1, "'{name}' is given twice", name=name)
        facts[name] = _fact(name, value.strip(), place, number + 1)
    raise FormError(
        place, first + 1, "the line '{fence}' after the fields is missing", fence=_FENCE
    )


def _sections(lines: Sequence[str], start: int, place: str) -> Iterator[_Section]:
    """Yield the texts of a form by heading."""
    found = [_SECTION.fullmatch(line) for line in lines]
    body = [line[1:] if each else line for line, each in zip(lines, found, strict=True)]
    heads = [
        (n, each) for n, each in enumerate(found) if n >= start and each and not each["escape"]
    ]
    ends = [*(n for n, _ in heads), len(lines)]
    if any(map(str.strip, body[start : ends[0]])):
        hint = Message(
            "Begin each text with a line such as '## Question (en)' or '## Answer (fa)'."
        )
        raise FormError(place, start + 1, "this text is under no heading", hint)
    for (head, said), end in zip(heads, ends[1:], strict=True):
        text = "\n".join(body[head + 1 : end]).strip("\n").rstrip()
        yield _Section(said["name"], (said["lang"] or "").strip(), text, head + 1)


_FACTS = ("collection", "kind", "level", "tags", "topic", "number")
"""The keys of the front matter."""


def _fact(name: str, value: str, place: str, line: int) -> object:
    """Return the value of a key of the front matter."""
    match name:
        case "tags":
            return tags_in(value.removeprefix("[").removesuffix("]"))
        case "collection" if not value:
            raise FormError(place, line, "a collection needs a name")
        case "kind" if value.lower() in KINDS:
            return value.lower()
        case "kind":
            known = Message("Kinds: {known}.", known=", ".join(KINDS))
            raise FormError(place, line, "unknown kind '{value}'", known, value=value)
        case "level" if value and named_level(value) is None:
            known = Message("Levels: easy, medium, hard.")
            raise FormError(place, line, "unknown level '{value}'", known, value=value)
        case "level":
            return named_level(value)
    return value or None


_ALLOWED: Mapping[str, Message] = {
    "kind": Message("one of {known}", known=", ".join(KINDS)),
    "level": Message("easy, medium or hard, or nothing"),
    "tags": Message("with commas between them"),
    "topic": Message("your own words, or one of {known}", known=", ".join(TOPICS)),
}
"""The allowed values of a key, as the comment above it says."""

_HEADINGS = Message("Each heading names the language of its text: en, fa, de, …")
