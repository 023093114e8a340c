"""The rows that travel: each is one change of one entry, named by the digest of its content.

A row never changes. It names the rows that its author knew of the entry (``parents``), so any set
of rows is a graph, and its id proves its content. Two copies of one file need no identities.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple

from kb import limits
from kb.errors import BadData
from kb.model.entry import digest
from kb.model.entry_json import bounded, entry_of
from kb.model.json import canonical, loads
from kb.model.shapes import FLAG, TEXT, WORDS, Key, Maybe, Plain, Shape
from kb.text.program import forbidden_in_name, normal_code

EXISTS = "exists"
"""The field that says whether there is an entry: true when created, false when deleted."""

_ID = re.compile("[0-9a-f]{64}")
_AT = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]{5,16}(Z|\+00:00)|")
_PARENTS = 100
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
        return canonical(_ROW.write(self))


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


def _check(row: Row, place: str) -> None:
    """Reject a row that no copy makes."""
    names, review = (row.entry, row.author), row.review or Review("0" * 64, False)
    if not (
        row.entry
        and max(map(len, (*names, *row.fields))) <= limits.NAME
        and not any(unicodedata.category(char) == "Cc" for name in names for char in name)
        and _AT.fullmatch(row.at)
        and len(row.parents) <= _PARENTS
        and all(map(_ID.fullmatch, (*row.parents, review.row)))
        and len(row.fields) <= limits.KEYS
        and len(review.reason) <= limits.SENTENCE
    ):
        raise BadData("this row is malformed", place=place)


_REVIEW = Shape(Review, Key("row", TEXT), Key("accepted", FLAG), Key("reason", TEXT))
_ROW = Shape(
    partial(Row, ""),
    *(Key(name, TEXT) for name in ("entry", "author", "at")),
    Key("parents", WORDS),
    Key("fields", Plain(dict)),
    Key("review", Maybe(_REVIEW), default=None, always=False),
    check=_check,
)


def read_row(text: str, place: str) -> Row:
    """Return the row of a text from elsewhere.

    Raises `BadData` unless it is canonical and small enough. Its fields are checked by
    `check_fields`.
    """
    if len(text.encode("utf-8", "surrogatepass")) > limits.RECORD:
        raise BadData("the row is too large", place=place)
    row = _ROW.read(loads(text, place), place)
    with suppress(ValueError, RecursionError):  # a number or a depth that is never written
        if row.text == text:
            return row._replace(id=digest(text))
    raise BadData("this row is malformed", place=place)


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
