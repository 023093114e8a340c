"""Records from the JSON of the public contract: strict, and every mistake has its place.

What is missing, of another kind or unknown is a `BadData` that says where it stands.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeVar

from kb.errors import BadData, nearest
from kb.records import Annotation, Answer, Entry, Evidence, Snippet, Source, Span, Target
from kb.records.vocabulary import (
    KINDS,
    LEVELS,
    OWN_TARGET_ROLES,
    OWN_VERDICTS,
    ROLES,
    SEVERITIES,
    STATUSES,
    TARGET_ROLES,
    VERDICTS,
)

T = TypeVar("T")
_LARGEST = 1 << 63


def loads(text: str, place: str) -> object:
    """Parse JSON. Raises `BadData` for what is not JSON, or nested or long beyond reason."""
    try:
        return json.loads(text, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        line = f"{place}:{error.lineno}" if "\n" in text.strip() else place
        raise BadData(f"{line}: this is not JSON ({error.msg}, column {error.colno})") from error
    except (ValueError, RecursionError) as error:
        raise BadData(f"{place}: this is not JSON we can read ({error})") from error


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is not a number in JSON")


class Reader:
    """A JSON object with its place, read key by key; `done` refuses what was not asked for."""

    def __init__(self, value: object, place: str) -> None:
        if not isinstance(value, dict):
            raise BadData(f"{place}: must be an object")
        self._values: Mapping[str, Any] = value
        self._place = place
        self._asked: set[str] = set()

    def get(self, key: str, kind: type[T], default: T | None = None) -> T:
        """Return a value of that kind, needed unless it has a default."""
        self._asked.add(key)
        value = self._values.get(key, default)
        if value is None and key not in self._values:
            raise BadData(f"{self._place}: {key} is missing")
        if kind is float and type(value) is int:
            value = float(value) if abs(value) < _LARGEST else math.inf
        if isinstance(value, float) and not math.isfinite(value):
            raise BadData(f"{self._place}: {key} is not a finite number")
        if type(value) is not kind or (isinstance(value, str) and not _encodable(value)):
            raise BadData(f"{self._place}: {key} must be {_NAMES[kind]}")
        if isinstance(value, int) and abs(value) >= _LARGEST:
            raise BadData(f"{self._place}: {key} is too large a number")
        return value

    def maybe(self, key: str, kind: type[T]) -> T | None:
        """Return a value of that kind, or nothing where it is null or absent."""
        self._asked.add(key)
        return None if self._values.get(key) is None else self.get(key, kind)

    def choice(self, key: str, known: Iterable[str]) -> str:
        """Return a text that must be one of ``known``."""
        value, allowed = self.get(key, str), list(known)
        if value not in allowed:
            hint = nearest(value, allowed) or f"Known: {', '.join(allowed)}."
            raise BadData(f"{self._place}: {key}: '{value}' is not one of its values", hint)
        return value

    def error(self, key: str, what: str) -> BadData:
        """Return the error that says what is wrong with a key."""
        return BadData(f"{self._place}: {key} {what}")

    def texts(self, key: str) -> dict[str, str]:
        """Return texts by language."""
        values: dict[str, Any] = self.get(key, dict, {})
        if not all(isinstance(v, str) and _encodable(k + v) for k, v in values.items()):
            raise BadData(f"{self._place}: {key} must hold texts by language")
        return values

    def words(self, key: str) -> tuple[str, ...]:
        """Return a list of texts."""
        values = self.get(key, list, [])
        if not all(isinstance(v, str) and _encodable(v) for v in values):
            raise BadData(f"{self._place}: {key} must be a list of texts")
        return tuple(values)

    def objects(self, key: str) -> list[Reader]:
        """Return a list of objects."""
        values = self.get(key, list, [])
        return [Reader(v, f"{self._place}: {key}[{i}]") for i, v in enumerate(values)]

    def under(self, key: str) -> Reader:
        """Return the object under a key."""
        return Reader(self.get(key, dict, {}), f"{self._place}: {key}")

    def __iter__(self) -> Iterator[str]:
        self._asked.update(self._values)
        return iter(list(self._values))

    def done(self) -> None:
        """Refuse keys that nothing asked for: better than to lose what they hold."""
        for key in self._values:
            if key not in self._asked:
                raise BadData(f"{self._place}: no such key '{key}'", nearest(key, self._asked))


_NAMES = {str: "a text", int: "a whole number", float: "a number", bool: "true or false",
          list: "a list", dict: "an object"}  # fmt: skip


def _encodable(text: str) -> bool:
    """Say whether a text is whole: JSON may smuggle in half a surrogate pair, or a NUL."""
    return "\0" not in text and not any("\ud800" <= char <= "\udfff" for char in text)


def read_entry(value: object, place: str) -> Entry:
    """Return an entry from its JSON."""
    raw = Reader(value, place)
    raw.maybe("schema_version", int)
    origins = raw.under("origins")
    restored = raw.under("restored")
    entry = Entry(
        id=raw.get("id", str),
        kind=raw.choice("kind", KINDS),
        collection=raw.get("collection", str),
        question=raw.texts("question"),
        number=raw.maybe("number", str),
        level=raw.choice("level", LEVELS) if raw.maybe("level", str) else None,
        topic=raw.maybe("topic", str),
        tags=raw.words("tags"),
        origins={k: tuple(_span(o) for o in origins.objects(k)) for k in origins},
        restored={k: True for k in restored if restored.get(k, bool)},
        wording=raw.texts("wording"),
        answers=tuple(_answer(o) for o in raw.objects("answers")),
        snippets=tuple(_snippet(o) for o in raw.objects("snippets")),
        annotations=tuple(_annotation(o) for o in raw.objects("annotations")),
        related=raw.words("related"),
    )
    raw.done()
    _check_texts(entry, place)
    return entry


def _check_texts(entry: Entry, place: str) -> None:
    """Refuse what could not be stored whole."""
    if not entry.languages or not all(map(str.strip, entry.question.values())):
        raise BadData(f"{place}: an entry needs a question or an answer, and no empty question")
    roles = [(answer.role, answer.lang) for answer in entry.answers]
    if len(set(roles)) < len(roles):
        raise BadData(f"{place}: two answers of one role in one language")
    for lang in (*entry.origins, *entry.restored, *entry.wording):
        if lang not in entry.languages:
            raise BadData(f"{place}: origins, restored or wording speak of '{lang}', no text does")


def read_source(raw: Reader) -> Source:
    """Return a source document from its JSON."""
    source = Source(**{name: raw.get(name, str) for name in Source._fields})
    raw.done()
    return source


def _span(raw: Reader) -> Span:
    span = Span(raw.get("file", str), raw.get("start", int), raw.get("end", int))
    raw.done()
    return span


def _answer(raw: Reader) -> Answer:
    origin = raw.maybe("origin", dict)
    answer = Answer(
        raw.choice("role", ROLES),
        raw.get("lang", str),
        raw.get("text", str),
        _span(raw.under("origin")) if origin else None,
    )
    raw.done()
    return answer


def _snippet(raw: Reader) -> Snippet:
    snippet = Snippet(
        raw.get("id", str),
        raw.texts("title"),
        raw.get("code", str),
        raw.get("main", bool, False),
        raw.get("own", bool, False),
    )
    raw.done()
    return snippet


def _annotation(raw: Reader) -> Annotation:
    own = raw.get("own", bool, False)
    annotation = Annotation(
        id=raw.get("id", str),
        target=_target(raw.under("target"), own),
        verdict=raw.choice("verdict", OWN_VERDICTS if own else VERDICTS),
        severity=raw.choice("severity", SEVERITIES),
        note=raw.texts("note"),
        references=raw.words("references"),
        evidence=tuple(_evidence(o) for o in raw.objects("evidence")),
        status=raw.choice("status", STATUSES) if raw.maybe("status", str) else "unverified",
        repeats=raw.maybe("repeats", str) or "",
        own=own,
    )
    raw.done()
    if own and annotation.evidence:
        raise raw.error("evidence", "stands with annotations that are not a reader's own")
    return annotation


def _target(raw: Reader, own: bool) -> Target:
    target = Target(
        raw.choice("role", OWN_TARGET_ROLES if own else TARGET_ROLES),
        raw.get("lang", str),
        raw.get("quote", str),
        raw.get("start", int),
        raw.get("end", int),
        "" if own and raw.maybe("file", str) is None else raw.get("file", str),
        raw.get("prefix", str, "") if own else "",
        raw.get("suffix", str, "") if own else "",
    )
    raw.done()
    return target


def _evidence(raw: Reader) -> Evidence:
    accepted = raw.under("accepted")
    evidence = Evidence(
        snippet=raw.get("snippet", str),
        figure=raw.get("figure", str),
        expected=raw.get("expected", float),
        claimed=raw.maybe("claimed", float),
        tolerance=raw.get("tolerance", float, 0.0),
        absolute=raw.get("absolute", bool, False),
        quote_hash=accepted.get("quote", str, ""),
        snippet_hash=accepted.get("snippet", str, ""),
    )
    accepted.done()
    raw.done()
    return evidence
