"""The meaning of table columns: by their names in either language, or as the reader says.

A reader identifies columns by number, from 1, or by name: ``question=2,answer=3+4,tags=5``. A
language follows a dot: ``question.fa=Farsi``. ``header=yes`` means that the first row only names
the columns, and ``header=no`` that it is an entry.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from kb import limits
from kb.errors import Message, UsageError, nearest
from kb.text.fold import fold

ROLES: Mapping[str, tuple[str, ...]] = {
    "question": ("question", "front", "title", "term", "prompt", "q", "پرسش", "سوال", "عنوان",
                 "واژه"),
    "answer": ("answer", "back", "text", "definition", "response", "solution", "a", "پاسخ",
               "جواب", "متن", "تعریف"),
    "id": ("id", "guid", "key", "شناسه"),
    "lang": ("lang", "language", "زبان"),
    "tags": ("tags", "tag", "labels", "برچسب", "برچسبها"),
    "level": ("level", "difficulty", "سطح", "دشواری"),
    "topic": ("topic", "subject", "category", "موضوع"),
    "number": ("number", "no", "شماره"),
}  # fmt: skip
"""The roles of a column, each with its possible names."""

_TEXTS = ("question", "answer")
KNOWN = (*_TEXTS, *(f"{role}.{lang}" for lang in ("en", "fa") for role in _TEXTS),
         *(role for role in ROLES if role not in _TEXTS))  # fmt: skip
"""The roles offered to a reader."""

_LONGEST_NAME = 100
_MARKS = ("?", "؟", "？")
_EXAMPLE = Message("Write --map question=2,answer=3+4,tags=5.")
_HEADER = {"header=yes": True, "header=no": False}
_ONE = re.compile(r"\s*(?P<role>[a-z]+)(?:\.(?P<lang>[\w-]+))?\s*=\s*(?P<columns>.+?)\s*")
_NAMED = re.compile(r"(?P<name>.+?)(?:[\s._]+\(?(?P<lang>[a-z]{2})\)?)?")


class Column(NamedTuple):
    """The role of some columns in order; a text also has its language."""

    role: str
    places: tuple[int, ...]
    lang: str = ""


class Mapped(NamedTuple):
    """The roles of columns, and whether the first row is a header.

    If there is a column ``last``, it includes all cells after it.
    """

    columns: tuple[Column, ...]
    header: bool
    last: int | None = None

    @property
    def places(self) -> set[int]:
        """The columns that have a role."""
        return {place for column in self.columns for place in column.places}

    def said(self, cells: Sequence[str]) -> dict[tuple[str, str], str]:
        """Return the content of a row by role and language, without empty cells."""
        found = {
            (column.role, column.lang): "\n\n".join(
                cells[place].strip()
                for place in column.places
                if place < len(cells) and cells[place].strip()
            )
            for column in self.columns
        }
        return {key: text for key, text in found.items() if text}


def by_names(names: Sequence[str]) -> Mapped | None:
    """Return the roles of columns by name, or nothing without question and answer.

    >>> by_names(["شناسه", "پرسش", "Answer (fa)"]).columns[2]
    Column(role='answer', places=(2,), lang='fa')
    """
    found = [_named(name, place) for place, name in enumerate(names)]
    columns = [each for each in found if each is not None]
    kept = {(each.role, each.lang): each for each in reversed(columns)}
    said = {each.role: names[each.places[0]].strip() for each in columns if each.role in _TEXTS}
    if not said or (len(said) == 1 and all(len(name) == 1 for name in said.values())):
        return None  # a letter alone says nothing, but q beside a does
    return Mapped(tuple(each for each in columns if kept[each.role, each.lang] is each), True)


def by_asking(rows: Sequence[Sequence[str]]) -> Mapped | None:
    """Return the roles of unnamed columns: one that mostly asks, and the next one answers.

    If some rows have more cells after the answer, its commas were not quoted.

    >>> found = by_asking([["1", "Why?", "So"], ["2", "How?", "Thus, so", " or so"]])
    >>> found.columns[0].role, found.columns[0].places, found.columns[1].places, found.last
    ('question', (1,), (2,), 2)
    """
    widths = {len(row) for row in rows}
    asking = (
        place
        for place in range(min(widths, default=0) - 1)
        if 2 * sum(row[place].rstrip().endswith(_MARKS) for row in rows) > len(rows)
    )
    place = next(asking, min(widths, default=0))
    behind = range(place + 1, min(widths, default=0))
    answer = next((n for n in behind if 2 * sum(bool(row[n]) for row in rows) > len(rows)), None)
    if answer is None:
        return None
    ragged = len(widths) > 1 and min(widths) == answer + 1
    columns = Column("question", (place,)), Column("answer", (answer,))
    return Mapped(columns, header=False, last=answer if ragged else None)


def as_said(said: str, first: Sequence[str]) -> Mapped:
    """Return the roles that the reader gives; ``first`` is the first row.

    Raises `UsageError` with the mistake and the nearest valid word.
    """
    parts = [part for part in said.split(",") if "".join(part.split()) not in _HEADER]
    told = [_HEADER["".join(part.split())] for part in said.split(",") if part not in parts]
    columns = tuple(_said(part, first) for part in parts)
    if not any(each.role in _TEXTS for each in columns):
        raise UsageError("--map names neither a question nor an answer")
    keys = [(each.role, each.lang) for each in columns]
    twice = next((role for role, lang in keys if keys.count((role, lang)) > 1), None)
    if twice is not None:
        raise UsageError("--map names {twice} twice", "Join columns: answer=3+4.", twice=twice)
    numbers = re.findall(r"[=+]\s*([^+,]+)", ",".join(parts))
    names = not all(each.strip().isdecimal() for each in numbers)
    return Mapped(columns, told[-1] if told else names or by_names(first) is not None)


def _named(name: str, place: int) -> Column | None:
    if len(name) > _LONGEST_NAME:
        return None
    found = _NAMED.fullmatch(name.strip().casefold())
    for given, lang in ((name, ""), (found["name"], found["lang"] or "") if found else ("", "")):
        plain = fold(given.replace("\u200c", "")).strip()
        role = next((r for r, known in ROLES.items() if plain in map(fold, known)), None)
        if role is not None and (not lang or role in _TEXTS):
            return Column(role, (place,), lang)
    return None


def _said(part: str, first: Sequence[str]) -> Column:
    found = _ONE.fullmatch(part)
    if found is None:
        raise UsageError("--map: '{part}' is not like question=2", _EXAMPLE, part=part.strip()[:60])
    if found["role"] not in ROLES:
        raise UsageError(
            "--map: a column cannot be '{role}'",
            nearest(found["role"], ROLES) or Message("Known: {known}.", known=", ".join(ROLES)),
            role=found["role"],
        )
    if found["lang"] and found["role"] not in _TEXTS:
        raise UsageError("--map: {role} needs a language", _EXAMPLE, role=found["role"])
    places = tuple(_place(name.strip(), first) for name in found["columns"].split("+"))
    return Column(found["role"], places, found["lang"] or "")


def _place(name: str, first: Sequence[str]) -> int:
    """Return the position of a column by its number, or else by its name."""
    if name.isdecimal() and name not in first:
        if len(name) > len(str(limits.COLUMNS)) or not 1 <= int(name) <= len(first):
            raise UsageError(
                "--map: there is no column {name} (there are {first})",
                name=name[:60],
                first=len(first),
            )
        return int(name) - 1
    folded = [fold(each).strip() for each in first]
    if fold(name).strip() not in folded:
        known = nearest(name, first) or f"Columns: {', '.join(map(repr, first))[:200]}."
        raise UsageError("--map: there is no column '{name}'", known, name=name[:60])
    return folded.index(fold(name).strip())
