"""Entries in the shape of ``kb show --json``, and source documents."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any

from kb import limits
from kb.contract.codec import (
    DAY,
    FLAG,
    NUMBER,
    TEXT,
    WHOLE,
    ByName,
    Choice,
    Flags,
    Many,
    Maybe,
    Texts,
    Words,
)
from kb.contract.shape import Either, Key, Shape
from kb.errors import BadData
from kb.records import (
    Anchor,
    Annotation,
    Answer,
    Entry,
    Evidence,
    Media,
    NoteFile,
    Snippet,
    Source,
    Span,
    Target,
)
from kb.records.annotation import Accepted
from kb.records.media import is_plain_name
from kb.records.vocabulary import (
    BASES,
    KINDS,
    LEVELS,
    NEWLINES,
    OWN_TARGET_ROLES,
    OWN_VERDICTS,
    ROLES,
    SEVERITIES,
    STATUSES,
    TARGET_ROLES,
    VERDICTS,
)


def _evidence(accepted: Accepted, **values: Any) -> Evidence:
    return Evidence(**values, quote_hash=accepted.quote, snippet_hash=accepted.snippet)


def _check_entry(entry: Entry, place: str) -> None:
    """Refuse what could not be stored whole."""
    if not entry.languages or not all(map(str.strip, entry.question.values())):
        raise BadData("an entry needs a question or an answer, and no empty question", place=place)
    roles = [(answer.role, answer.lang) for answer in entry.answers]
    if len(set(roles)) < len(roles):
        raise BadData("two answers of one role in one language", place=place)
    languages = set(entry.languages)
    for lang in (*entry.origins, *entry.restored, *entry.wording):
        if lang not in languages:
            raise BadData(
                "origins, restored or wording speak of '{lang}', no text does",
                place=place,
                lang=lang,
            )


SOURCE = Shape(Source, *(Key(name, TEXT) for name in Source._fields))

SPAN = Shape(Span, Key("file", TEXT), Key("start", WHOLE), Key("end", WHOLE))

_CHECKED = tuple(Key(name, DAY, default="", always=False) for name in ("checked", "until"))

ANSWER = Shape(
    Answer,
    Key("role", Choice(ROLES)),
    Key("lang", TEXT),
    Key("text", TEXT),
    Key("origin", Maybe(SPAN), default=None),
    *_CHECKED,
)

SNIPPET = Shape(
    Snippet,
    Key("id", TEXT),
    Key("title", Texts(), default={}),
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
    flag = Key("own", FLAG, default=False, always=False)
    return Shape(
        Annotation,
        Key("id", TEXT),
        Key("target", target),
        Key("verdict", Choice(verdicts)),
        Key("severity", Choice(SEVERITIES)),
        Key("note", Texts(), default={}),
        Key("references", Words(), default=()),
        Key("evidence", Many(EVIDENCE), default=()),
        Key("status", Maybe(Choice(STATUSES), "unverified", spelled=True), default="unverified"),
        Key("repeats", Maybe(TEXT, ""), default=""),
        Key("anchors", ByName(ANCHOR), default={}, always=False),
        *_CHECKED,
        flag,
    )


def _on_text(annotation: Annotation) -> bool:
    return annotation.own or not annotation.target.file


def _says_on_text(value: Mapping[str, Any]) -> bool:
    target = value.get("target")
    named = not isinstance(target, dict) or target.get("file", "") is not None
    return value.get("own") is True or not named


ANNOTATION = Either(
    _on_text,
    _says_on_text,
    _annotation(TARGET, VERDICTS),
    _annotation(OWN_TARGET, OWN_VERDICTS),
)
"""A reader's own may pass no verdict, and may speak of the entry's text alone; and so may one
that names no file, as another reader's is kept."""


def _check_file(file: NoteFile, place: str) -> None:
    """Refuse a path that leaves the imported folder, and line ends nobody knows."""
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
    """Refuse what could name anything but a file beside others."""
    if not is_plain_name(media.name):
        raise BadData("'{name}' is no name of a file", place=place, name=media.name[:60])
    if not re.fullmatch("[0-9a-f]{64}", media.sha256) or not 0 <= media.size <= limits.MEDIUM:
        raise BadData(
            "{name}: sha256 or size can be no file's of media", place=place, name=media.name
        )


MEDIA = Shape(Media, Key("name", TEXT), Key("sha256", TEXT), Key("size", WHOLE), check=_check_media)

ENTRY = Shape(
    Entry,
    Key("id", TEXT),
    Key("kind", Choice(KINDS)),
    Key("collection", TEXT),
    Key("number", Maybe(TEXT), default=None),
    Key("level", Maybe(Choice(LEVELS)), default=None),
    Key("topic", Maybe(TEXT), default=None),
    Key("tags", Words(), default=()),
    Key("question", Texts(), default={}),
    Key("origins", ByName(Many(SPAN)), default={}),
    Key("restored", Flags(), default={}),
    Key("wording", Texts(), default={}),
    Key("answers", Many(ANSWER), default=()),
    Key("snippets", Many(SNIPPET), default=()),
    Key("annotations", Many(ANNOTATION), default=()),
    Key("related", Words(), default=()),
    Key("media", Many(MEDIA), default=(), always=False),
    Key("aliases", Words(), default=(), always=False),
    Key("context", Maybe(TEXT), default=None, always=False),
    Key("within", Maybe(TEXT), default=None, always=False),
    Key("file", Maybe(NOTE_FILE), default=None, always=False),
    ignored=("schema_version", "backlinks"),
    check=_check_entry,
)
