"""Entries as JSON (``kb show --json``), and source documents."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterator, Mapping, Sized
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from kb import limits
from kb.errors import BadData
from kb.foreign import size
from kb.model.entry import (
    Accepted,
    Anchor,
    Annotation,
    Answer,
    Assessment,
    Entry,
    Evidence,
    Media,
    NoteFile,
    Release,
    Snippet,
    Source,
    Span,
    Target,
    digest,
    is_plain_name,
    short_digest,
)
from kb.model.json import canonical, dumps
from kb.model.shapes import (
    DAY,
    FLAG,
    NUMBER,
    TEXT,
    TEXTS,
    WHOLE,
    WORDS,
    ByName,
    Choice,
    Either,
    Key,
    Many,
    Maybe,
    Shape,
)
from kb.model.values import (
    BASES,
    JUDGEMENTS,
    KINDS,
    LAYERS,
    LEVELS,
    NEWLINES,
    OWN_TARGET_ROLES,
    OWN_VERDICTS,
    ROLES,
    SEVERITIES,
    STATUSES,
    TARGET_ROLES,
    VERDICTS,
    named_level,
)


def _evidence(accepted: Accepted, **values: Any) -> Evidence:
    return Evidence(**values, quote_hash=accepted.quote, snippet_hash=accepted.snippet)


def _check_entry(entry: Entry, place: str) -> None:
    """Reject data that cannot be stored."""
    if not entry.languages or not all(map(str.strip, entry.question.values())):
        raise BadData("an entry needs a question or an answer, and no empty question", place=place)
    roles = [(answer.role, answer.lang) for answer in entry.answers]
    if len(set(roles)) < len(roles):
        raise BadData("two answers of one role in one language", place=place)
    languages = set(entry.languages)
    for lang in (*entry.origins, *entry.restored, *entry.wording):
        if lang not in languages:
            raise BadData(
                "origins, restored or wording has '{lang}', but no text is in it",
                place=place,
                lang=lang,
            )


SOURCE = Shape(Source, *(Key(name, TEXT) for name in Source._fields))

SPAN = Shape(Span, Key("file", TEXT), Key("start", WHOLE), Key("end", WHOLE))

_CHECKED = tuple(Key(name, DAY, default="", always=False) for name in ("checked", "until"))

SNIPPET = Shape(
    Snippet,
    Key("id", TEXT),
    Key("title", TEXTS, default={}),
    Key("code", TEXT),
    Key("main", FLAG, default=False),
    Key("own", FLAG, default=False, always=False),
)

ACCEPTED = Shape(Accepted, Key("quote", TEXT, default=""), Key("snippet", TEXT, default=""))

EVIDENCE = Shape(
    _evidence,
    Key("snippet", TEXT),
    Key("figure", TEXT),
    Key("claimed", Maybe(NUMBER), default=None),
    Key("expected", NUMBER),
    Key("tolerance", NUMBER, default=0.0),
    Key("absolute", FLAG, default=False),
    Key("basis", Choice(BASES), default="", always=False),
    Key("accepted", ACCEPTED, default=Accepted()),
)


class _ForRelease:
    """The release that confirmed evidence: written, but ignored when read."""

    def write(self, value: Release) -> dict[str, str]:
        """Return the release as an object."""
        return value._asdict()

    def read(self, value: Any, place: str, key: str) -> None:
        """Return nothing: only the bundled content says what a release confirmed."""


_STATUS = Key("status", Maybe(Choice(STATUSES), "unverified", spelled=True), default="unverified")
_RELEASE = Key("release", _ForRelease(), default=None, always=False)

ANSWER = Shape(
    Answer,
    Key("role", Choice(ROLES)),
    Key("lang", TEXT),
    Key("text", TEXT),
    Key("origin", Maybe(SPAN), default=None),
    *_CHECKED,
    Key("evidence", Many(EVIDENCE), default=(), always=False),
    dataclasses.replace(_STATUS, default="", always=False),
    _RELEASE,
)

_PLACE = (Key("quote", TEXT), Key("start", WHOLE), Key("end", WHOLE))
_WORDS = (Key("lang", TEXT), *_PLACE)
ANCHOR = Shape(Anchor, Key("role", Choice(OWN_TARGET_ROLES)), *_PLACE)
TARGET = Shape(Target, Key("role", Choice(TARGET_ROLES)), *_WORDS, Key("file", TEXT))
OWN_TARGET = Shape(
    Target,
    Key("role", Choice(OWN_TARGET_ROLES)),
    *_WORDS,
    Key("file", Maybe(TEXT, ""), default=""),
    Key("prefix", TEXT, default=""),
    Key("suffix", TEXT, default=""),
)


def _annotation(target: Shape[Target], verdicts: tuple[str, ...]) -> Shape[Annotation]:
    return Shape(
        Annotation,
        Key("id", TEXT),
        Key("target", target),
        Key("verdict", Choice(verdicts)),
        Key("severity", Choice(SEVERITIES)),
        Key("note", TEXTS, default={}),
        Key("references", WORDS, default=()),
        Key("evidence", Many(EVIDENCE), default=()),
        _STATUS,
        _RELEASE,
        Key("repeats", Maybe(TEXT, ""), default=""),
        Key("anchors", ByName(ANCHOR), default={}, always=False),
        *_CHECKED,
        Key("own", FLAG, default=False, always=False),
    )


def _says_on_text(value: Mapping[str, Any]) -> bool:
    target = value.get("target")
    named = not isinstance(target, dict) or target.get("file", "") is not None
    return value.get("own") is True or not named


ANNOTATION = Either(
    lambda annotation: annotation.own or not annotation.target.file,
    _says_on_text,
    _annotation(TARGET, VERDICTS),
    _annotation(OWN_TARGET, OWN_VERDICTS),
)
"""A reader's own annotation can lack a verdict and mark only the entry's text. So can one without
a file, as stored for another reader."""


def _check_file(file: NoteFile, place: str) -> None:
    """Reject a path outside the imported folder, and unknown line ends."""
    parts = PurePosixPath(file.path).parts
    if not parts or file.path.startswith("/") or ".." in parts:
        raise BadData("'{path}' is not a path below a folder", place=place, path=file.path[:60])


NOTE_FILE = Shape(
    NoteFile,
    Key("path", TEXT),
    Key("head", TEXT),
    Key("encoding", TEXT),
    Key("newline", Choice(NEWLINES)),
    check=_check_file,
)


def _check_media(media: Media, place: str) -> None:
    """Reject names that are not plain file names."""
    if not is_plain_name(media.name):
        raise BadData("'{name}' is not a file name", place=place, name=media.name[:60])
    if not re.fullmatch("[0-9a-f]{64}", media.sha256) or not 0 <= media.size <= limits.MEDIUM:
        raise BadData("{name}: not a valid sha256 or size", place=place, name=media.name)


MEDIA = Shape(Media, Key("name", TEXT), Key("sha256", TEXT), Key("size", WHOLE), check=_check_media)


class Level(Choice):
    """A level, by letter or word."""

    def read(self, value: Any, place: str, key: str) -> str:
        """Return the letter, or an error that lists the levels."""
        return super().read(named_level(TEXT.read(value, place, key)) or value, place, key)


ASSESSMENT = Shape(
    Assessment, Key("judgement", Choice(JUDGEMENTS)), Key("sentence", TEXTS, default={})
)

ENTRY = Shape(
    Entry,
    Key("id", TEXT),
    Key("kind", Choice(KINDS)),
    Key("collection", TEXT),
    Key("number", Maybe(TEXT), default=None),
    Key("level", Maybe(Level(LEVELS)), default=None),
    Key("topic", Maybe(TEXT), default=None),
    Key("tags", WORDS, default=()),
    Key("question", TEXTS, default={}),
    Key("origins", ByName(Many(SPAN)), default={}),
    Key("restored", ByName(FLAG), default={}),
    Key("wording", TEXTS, default={}),
    *(Key(name, TEXTS, default={}, always=False) for name in LAYERS),
    Key("assessment", Maybe(ASSESSMENT), default=None, always=False),
    Key("answers", Many(ANSWER), default=()),
    Key("snippets", Many(SNIPPET), default=()),
    Key("annotations", Many(ANNOTATION), default=()),
    Key("related", WORDS, default=()),
    Key("media", Many(MEDIA), default=(), always=False),
    Key("aliases", WORDS, default=(), always=False),
    *(Key(name, Maybe(TEXT), default=None, always=False) for name in ("context", "within")),
    Key("file", Maybe(NOTE_FILE), default=None, always=False),
    Key("prompts", Many(WORDS), default=(), always=False),
    ignored=("schema_version", "backlinks"),
    check=_check_entry,
)


# An entry as a flat table of its fields, so that two of them can be compared and merged.
#
# A text in a language, an answer, an annotation and a program are fields of their own
# (``question.fa``, ``answers.source.en``, ``annotations.own-1a2b``); so two changes meet only
# where they change the same thing.


Fields = dict[str, Any]

LANGUAGES = "languages"
"""The order of an entry's languages, as a field."""

_BY_LANGUAGE = frozenset(("question", "origins", "restored", "wording", *LAYERS))
_BY_ID = frozenset(("snippets", "annotations"))


def fields_of(entry: Entry) -> Fields:
    """Return the non-empty fields of an entry, without measurements."""
    if entry.claims:
        claims = (
            dataclasses.replace(each, status="unverified", release=None) for each in entry.claims
        )
        entry = entry.with_claims(claims)
    found: Fields = {LANGUAGES: list(entry.languages)}
    for name, value in ENTRY.write(entry).items():
        if name in _BY_LANGUAGE:
            found.update({f"{name}.{lang}": text for lang, text in value.items()})
        elif name in _BY_ID:
            found.update({f"{name}.{each['id']}": each for each in value})
        elif name == "answers":
            found.update({f"{name}.{each['role']}.{each['lang']}": each for each in value})
        elif value or value == "":
            found[name] = value
    return found


def entry_of(fields: Mapping[str, Any], place: str = "entry") -> Entry:
    """Return the entry from such fields. Raises `BadData` for contradictions.

    >>> fields = {"id": "a", "kind": "note", "collection": "c", "question.fa": "سلام"}
    >>> entry_of(fields).question
    {'fa': 'سلام'}
    """
    written: dict[str, Any] = {}
    for name, value in fields.items():
        base, _, rest = name.partition(".")
        if base in _BY_LANGUAGE:
            written.setdefault(base, {})[rest] = value
        elif base in _BY_ID or base == "answers":
            written.setdefault(base, []).append(value)
        elif name != LANGUAGES:
            written[name] = value
    order = {lang: n for n, lang in enumerate(fields.get(LANGUAGES, ()))}
    for name in _BY_LANGUAGE & written.keys():
        texts = written[name].items()
        written[name] = dict(sorted(texts, key=lambda pair: order.get(pair[0], len(order))))
    if "answers" in written:
        written["answers"].sort(key=lambda each: order.get(each["lang"], len(order)))
    return ENTRY.read(written, place)


def difference(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, tuple[Any, Any]]:
    """Return the differing fields with their values before and after.

    >>> difference({"level": "E", "topic": "a"}, {"topic": "a", "number": "1"})
    {'level': ('E', None), 'number': (None, '1')}
    """
    names = dict.fromkeys((*before, *after))
    pairs = {name: (before.get(name), after.get(name)) for name in names}
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}


class Merged(NamedTuple):
    """The merge of two changes, and the fields in conflict."""

    fields: Fields
    contested: tuple[str, ...]


def merge(base: Mapping[str, Any], mine: Mapping[str, Any], theirs: Mapping[str, Any]) -> Merged:
    """Return ``mine`` with the changes that ``theirs`` made to ``base``.

    A field that both changed differently is in conflict and stays as in ``mine``.

    >>> base = {"level": "E", "topic": "nets", "number": "1"}
    >>> mine = {"level": "H", "topic": "nets", "number": "1"}
    >>> merge(base, mine, {"level": "E", "topic": "graphs", "number": "1"}).fields
    {'level': 'H', 'topic': 'graphs', 'number': '1'}
    >>> merge(base, mine, {"level": "M", "number": "1"}).contested
    ('level',)
    """
    ours, others = difference(base, mine), difference(base, theirs)
    merged, contested = dict(mine), []
    for name, (_, after) in others.items():
        if name in ours and name != LANGUAGES:
            if ours[name][1] != after:
                contested.append(name)
        elif name == LANGUAGES:
            merged[name] = list(dict.fromkeys((*mine.get(name, ()), *(after or ()))))
        elif after is None:
            merged.pop(name, None)
        else:
            merged[name] = after
    return Merged(merged, tuple(contested))


def content_digest(entry: Entry) -> str:
    """Return a digest of an entry's content without its id and collection."""
    fields = fields_of(entry.given)
    said = {name: value for name, value in fields.items() if name not in ("id", "collection")}
    return short_digest(canonical(said))


def annotation_digest(entry: str, annotation: Annotation) -> str:
    """Return a digest of what a reader wrote in an annotation.

    Current positions, measurements and reviewed digests are not included.
    """
    target = annotation.target._replace(start=0, end=0, file="", prefix="", suffix="")
    evidence = (
        dataclasses.replace(each, quote_hash="", snippet_hash="") for each in annotation.evidence
    )
    plain = dataclasses.replace(
        annotation, target=target, evidence=tuple(evidence), status="unverified", own=True
    )
    return digest(f"{entry}\n{dumps(ANNOTATION.write(plain), indent=None)}")


# How large an entry may be: what is stored can be written and read again, within bounds.


_COUNTS: Mapping[str, tuple[int, Callable[[Entry], Sized]]] = {
    "languages": (limits.LANGUAGES, lambda entry: entry.languages),
    "tags": (limits.TAGS, lambda entry: entry.tags),
    "answers": (limits.PARTS, lambda entry: entry.answers),
    "snippets": (limits.PARTS, lambda entry: entry.snippets),
    "annotations": (limits.PARTS, lambda entry: entry.annotations),
    "related entries": (limits.PARTS, lambda entry: entry.related),
    "files of media": (limits.PARTS, lambda entry: entry.media),
    "aliases": (limits.PARTS, lambda entry: entry.aliases),
    "prompts": (limits.PARTS, lambda entry: entry.prompts),
}
_SHORT = limits.ENTRY // 8
"""Characters of an entry that surely fits the byte limit: JSON uses at most six bytes each."""


def bounded(entry: Entry, place: str) -> Entry:
    """Return an entry. Raises `BadData` for an entry that exceeds a limit."""
    for name, (most, of) in _COUNTS.items():
        if len(of(entry)) > most:
            raise BadData("an entry has at most {most:,} {name}", place=place, most=most, name=name)
    for what, name in _names(entry):
        if len(name) > limits.NAME:
            raise BadData(
                "{what} has more than {most:,} characters: '{name}…'",
                place=place,
                what=what,
                most=limits.NAME,
                name=name[:40],
            )
    if len(repr(entry)) > _SHORT:  # at least the number of its characters
        length = len(dumps(ENTRY.write(entry), indent=None).encode())
        if length > limits.ENTRY:
            raise BadData(
                "an entry has at most {most}, this one has {size}",
                "Split it.",
                place=place,
                most=size(limits.ENTRY),
                size=size(length),
            )
    return entry


def bounded_keys(value: Mapping[str, object], place: str) -> None:
    """Reject an object with too many or too long keys. Raises `BadData`."""
    if len(value) > limits.KEYS:
        raise BadData(
            "has {keys:,} keys, more than {most:,}", place=place, keys=len(value), most=limits.KEYS
        )
    longest = max(value, key=len, default="")
    if len(longest) > limits.NAME:
        raise BadData("a key has more than {most:,} characters", place=place, most=limits.NAME)


def _names(entry: Entry) -> Iterator[tuple[str, str]]:
    yield "the id", entry.id
    yield "the collection", entry.collection
    yield from (("the number", entry.number or ""), ("the topic", entry.topic or ""))
    yield "the note that a card is within", entry.within or ""
    yield from (("a language", lang) for lang in entry.languages)
    yield from (("a tag", tag) for tag in entry.tags)
    yield from (("a related entry", name) for name in entry.related)
    yield from (("a label", label) for labels in entry.prompts for label in labels)
    yield from (("the id of a program", each.id) for each in entry.snippets)
    yield from (("the id of an annotation", each.id) for each in entry.annotations)
