"""The rows that travel: each is one change of one entry, named by the digest of its content.

A row never changes. It names the rows that its author knew of the entry (``parents``), so any set
of rows is a graph, and its id proves its content. Two copies of one file need no identities.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Mapping
from typing import Any, NamedTuple

from kb import limits
from kb.errors import BadData
from kb.model.entry import digest
from kb.model.entry_json import bounded, entry_of
from kb.model.json import loads
from kb.text.program import forbidden_in_name, normal_code

EXISTS = "exists"
"""The field that says whether there is an entry: true when created, false when deleted."""

_ID = re.compile("[0-9a-f]{64}")
_AT = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]{5,16}(Z|\+00:00)|")
_KEYS = {"entry", "parents", "author", "at", "fields"}
_PARENTS = 100
_SAID = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), sort_keys=True, allow_nan=False)
_PLAIN = {"id": "a", "kind": "note", "collection": "c", "question.en": "a"}


class Review(NamedTuple):
    """A decision about a proposal: the row, whether it is accepted, and why."""

    row: str
    accepted: bool
    reason: str = ""


class Row(NamedTuple):
    """A change of an entry: the new values of its fields, where nothing removes one.

    ``author`` and the time ``at`` are what the row says. No merge depends on them.
    """

    id: str
    entry: str
    parents: tuple[str, ...]
    author: str
    at: str
    fields: Mapping[str, Any]
    review: Review | None = None

    @property
    def text(self) -> str:
        """The row as canonical JSON, without its id."""
        said: dict[str, Any] = {name: getattr(self, name) for name in _KEYS}
        if self.review is not None:
            said["review"] = self.review._asdict()
        return _SAID.encode(said)


def make_row(
    entry: str,
    parents: tuple[str, ...],
    author: str,
    at: str,
    fields: Mapping[str, Any],
    review: Review | None = None,
) -> Row:
    """Return a row with its id."""
    row = Row("", entry, tuple(sorted(parents)), author, at, dict(fields), review)
    return row._replace(id=digest(row.text))


def parsed(id: str, text: str) -> Row:
    """Return a row from its stored text, which was checked before."""
    said = json.loads(text)
    review = Review(**said["review"]) if "review" in said else None
    parents = tuple(said["parents"])
    return Row(id, said["entry"], parents, said["author"], said["at"], said["fields"], review)


def read_row(text: str, place: str) -> Row:
    """Return the row of a text from elsewhere.

    Raises `BadData` unless it is canonical and small enough. Its fields are checked by
    `check_fields`.
    """
    try:
        if len(text.encode()) > limits.RECORD:
            raise BadData("the row is too large", place=place)
        said = loads(text, place)
        if not isinstance(said, dict) or not _KEYS <= said.keys() <= _KEYS | {"review"}:
            raise BadData("this is not a row of a sync", place=place)
        review = _review(said["review"], place) if "review" in said else None
        row = Row(digest(text), **{name: said[name] for name in _KEYS}, review=review)
        row = row._replace(parents=tuple(row.parents))
        if not _is_sound(row) or row.text != text:
            raise BadData("this row is malformed", place=place)
    except (TypeError, ValueError, RecursionError) as error:
        raise BadData("this row is malformed", place=place) from error
    return row


def _review(said: Any, place: str) -> Review:
    if not isinstance(said, dict) or not {"row", "accepted"} <= said.keys() <= {*Review._fields}:
        raise BadData("this row is malformed", place=place)
    review = Review(**said)
    if not (isinstance(review.row, str) and _ID.fullmatch(review.row)):
        raise BadData("this row is malformed", place=place)
    if not isinstance(review.accepted, bool) or not _is_short(review.reason, limits.SENTENCE):
        raise BadData("this row is malformed", place=place)
    return review


def _is_sound(row: Row) -> bool:
    names = (row.entry, row.author)
    return (
        all(_is_short(name, limits.NAME) for name in names)
        and row.entry != ""
        and not any(unicodedata.category(char) == "Cc" for name in names for char in name)
        and isinstance(row.at, str)
        and _AT.fullmatch(row.at) is not None
        and len(row.parents) <= _PARENTS
        and all(isinstance(each, str) and _ID.fullmatch(each) for each in row.parents)
        and isinstance(row.fields, dict)
        and len(row.fields) <= limits.KEYS
        and all(len(name) <= limits.NAME for name in row.fields)
    )


def _is_short(text: Any, most: int) -> bool:
    return isinstance(text, str) and len(text) <= most and "\0" not in text


def check_fields(row: Row, place: str) -> None:
    """Raise `BadData` if a row's values could not be part of any entry."""
    if not isinstance(row.fields.get(EXISTS, True), bool):
        raise BadData("this row is malformed", place=place)
    if any(name == "id" or name in _LISTED for name in row.fields):
        raise BadData("this row is malformed", place=place)
    given = {k: v for k, v in row.fields.items() if v is not None and k != EXISTS}
    langs = {name.partition(".")[2]: "a" for name in given if name.startswith(_BESIDE)}
    texts = {f"question.{lang}": text for lang, text in langs.items()}
    try:
        entry = bounded(entry_of({**_PLAIN, **texts, **given, "id": row.entry}, place), place)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise BadData("this row is malformed", place=place) from error
    if entry.collection and not all(map(str.strip, entry.collection.split("/"))):
        raise BadData("a collection name must not have empty parts", place=place)
    for snippet in entry.snippets:
        if forbidden_in_name(snippet.id) or normal_code(snippet.code) != snippet.code:
            raise BadData("the name or a line end of a program is not allowed", place=place)
    owned = any(s.own for s in entry.snippets) or any(a.own for a in entry.annotations)
    if owned or any(claim.status != "unverified" for claim in entry.claims):
        raise BadData("a row cannot say what is yours or was measured", place=place)


_BESIDE = ("origins.", "restored.", "wording.")
_LISTED = frozenset(("answers", "snippets", "annotations"))
"""Fields that are only given part by part."""
