"""Table rows to entries: ours keep their ids, and each foreign row is an entry."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, islice
from typing import BinaryIO, NamedTuple

from kb import limits
from kb.errors import BadData, Message, UsageError, nearest
from kb.formats import tables as own
from kb.formats.book import Batch, Book, Leftover, first_line, shelved, slug, unused
from kb.formats.notes.matter import LANGUAGES
from kb.formats.tabular.dialect import SIGNS, Dialect, Row, Written, rows_in, written
from kb.model.entry import Answer, Entry
from kb.model.entry_json import bounded
from kb.model.reports import TablePreview
from kb.model.results import Progress, is_language_code, silent, tags_in
from kb.model.values import LEVELS, named_level
from kb.text.fold import fold
from kb.text.languages import guess_language

# The meaning of table columns: by their names in either language, or as the reader says.
#
# A reader identifies columns by number, from 1, or by name: ``question=2,answer=3+4,tags=5``. A
# language follows a dot: ``question.fa=Farsi``. ``header=yes`` means that the first row only names
# the columns, and ``header=no`` that it is an entry.

ROLES: Mapping[str, tuple[str, ...]] = {
    "question": ("question", "front", "title", "term", "prompt", "q", "پرسش", "سوال", "عنوان",
                 "واژه", "السؤال", "frage", "vorderseite", "pregunta", "pergunta", "domanda",
                 "вопрос", "问题"),
    "answer": ("answer", "back", "text", "definition", "response", "solution", "a", "پاسخ",
               "جواب", "متن", "تعریف", "الجواب", "antwort", "rückseite", "lösung", "réponse",
               "respuesta", "resposta", "risposta", "ответ", "答案"),
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
    letters = [each for each in columns if len(names[each.places[0]].strip()) == 1]
    if len({each.role for each in letters}) == 1:  # a alone may be a choice, q beside a is not
        columns = [each for each in columns if each not in letters]
    if not any(each.role in _TEXTS for each in columns):
        return None
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


# The entries of rows.

_SHOWN = 6
_NO_LEVEL = Message("a level is not one of {known}", known=", ".join(LEVELS))
_BETWEEN_TAGS = str.maketrans(";؛|", ",,,")


def read(
    stream: BinaryIO, name: str, progress: Progress = silent, columns: str | None = None
) -> Batch:
    """Return the entries of a table, ours or foreign.

    ``columns`` sets the roles of columns. Otherwise their names do, or there are only two.
    Assumptions are reported. Unreadable rows are in ``bad``, and columns without a role are
    listed. Raises `BadData`, and `UsageError` for ``columns`` that do not exist.
    """
    found = written(stream, name)
    if columns is None and _is_ours(stream, found, name):
        stream.seek(0)
        return own.read(stream, name, progress, found.dialect.delimiter)
    stream.seek(0)
    rows = _told(stream, found, name)
    head = list(islice(rows, _SHOWN)) or [Row(1, ())]
    mapped = _mapped(head, columns, name)
    whole = partial(_whole, last=mapped.last, sign=found.dialect.delimiter)
    making = Making(name, mapped, whole(head[0]).cells)
    taken = map(whole, chain(head[mapped.header :], rows))
    entries, bad = shelved(name, taken, making.entry, partial(own.bad_row, name), progress)
    first_is = Message("the first row is an entry")
    if columns is None:
        first_is = Message("the first row is an entry, its columns question and answer")
    assumed = () if mapped.header else (first_is,)
    return Batch(
        Book(entries),
        lines=making.lines,
        given=making.given,
        dropped=tuple(making.left.told()),
        bad=bad,
        assumed=(*_written_as(found), *assumed, *making.assumed()),
    )


def preview(stream: BinaryIO, name: str) -> TablePreview | None:
    """Return a preview of a foreign table from its first rows; nothing for ours.

    Raises `BadData` if it is not a table.
    """
    found = written(stream, name)
    if _is_ours(stream, found, name):
        return None
    stream.seek(0)
    rows = tuple(islice(_told(stream, found, name), _SHOWN))
    try:
        mapped = _mapped(rows or [Row(1, ())], None, name)
    except BadData:
        mapped = Mapped((), header=True)
    roles = {
        place: f"{each.role}.{each.lang}" if each.lang else each.role
        for each in mapped.columns
        for place in each.places
    }
    said = tuple(_written_as(found))
    return TablePreview(tuple(tuple(row.cells) for row in rows), roles, KNOWN, mapped.header, said)


def _is_ours(stream: BinaryIO, found: Written, name: str) -> bool:
    stream.seek(0)
    try:
        first = next(rows_in(stream, found, name), None)
    except BadData:
        return False
    return first is not None and 2 * len({*own.COLUMNS} & {*first.cells}) > len(own.COLUMNS)


def _whole(row: Row, last: int | None, sign: str) -> Row:
    """Return a row whose last column includes all further cells."""
    if last is None:
        return row
    return Row(row.line, (*row.cells[:last], sign.join(row.cells[last:])))


def _mapped(head: Sequence[Row], columns: str | None, name: str) -> Mapped:
    first = head[0]
    if columns is not None:
        return as_said(columns, first.cells)
    found = by_names(first.cells) or by_asking([row.cells for row in head])
    filled = [place for place, cell in enumerate(first.cells, 1) if cell.strip()]
    if found is None and len(filled) == 2 and not _is_data(head, *filled):
        found = as_said(f"question={filled[0]},answer={filled[1]},header=no", first.cells)
    if found is None:
        seen = ", ".join(f"{n} {cell[:20]!r}" for n, cell in enumerate(first.cells[:12], 1))
        raise BadData(
            "no column is called question or answer; there are {seen}",
            "Name the columns: --map question=1,answer=2",
            place=f"{name}:1",
            seen=seen or Message("none"),
        )
    return found


def _is_data(rows: Sequence[Row], asked: int, told: int) -> bool:
    """Return whether one column numbers the rows below its header, or the other measures them."""
    header, *below = ("".join(row.cells[asked - 1 : asked]).strip() for row in rows)
    numbers = bool(below) and all(map(_is_number, below)) and not _is_number(header)
    values = [cell for row in rows[1:] for cell in row.cells[told - 1 : told] if "." in cell]
    return numbers or len(list(filter(_is_number, values))) == _SHOWN - 1


def _is_number(text: str) -> bool:
    try:
        float(text.replace(",", "."))
    except ValueError:
        return False
    return True


def _written_as(found: Written) -> Iterator[str]:
    """Yield a description of an unusual dialect."""
    if found.guessed:
        yield Message("it is not UTF-8 and was read as {encoding}", encoding=found.encoding)
    if found.dialect not in (Dialect(","), Dialect("\t")):
        quotes = ", with ' around them" if found.dialect.quote == "'" else ""
        escapes = ", with \\ before quotes" if found.dialect.escaped else ""
        yield Message(
            "cells separated by {sign}{quotes}{escapes}",
            sign=SIGNS[found.dialect.delimiter],
            quotes=quotes,
            escapes=escapes,
        )


def _told(stream: BinaryIO, found: Written, name: str) -> Iterator[Row]:
    """Yield the non-empty rows of a foreign table, without Excel's separator line."""
    for row in rows_in(stream, found, name):
        if any("\0" in cell for cell in row.cells):
            raise BadData("this is not a table: it contains NUL", place=f"{name}:{row.line}")
        if len(row.cells) > limits.COLUMNS:
            raise BadData(
                "has more than {most:,} cells", place=f"{name}:{row.line}", most=limits.COLUMNS
            )
        says = any(cell.strip() for cell in row.cells)
        if says and not (row.line == 1 and row.cells[0].startswith("sep=")):
            yield row


class Making:
    """Makes the entries of one table and collects what to report.

    ``lines`` has the first line of each entry, ``given`` the ids from the table, and ``left`` what
    was skipped.
    """

    def __init__(self, name: str, mapped: Mapped, names: Sequence[str]) -> None:
        self.name = name
        self.lines: dict[str, int] = {}
        self._mapped = mapped
        self._names = names
        self._width = len(names)
        self._often: Counter[str] = Counter()
        self.left = Leftover(name)
        self._short = 0
        self._gives = any(column.role == "id" for column in mapped.columns)

    @property
    def given(self) -> Collection[str]:
        """The ids from the table itself."""
        return self.lines.keys() if self._gives else frozenset()

    def entry(self, row: Row) -> Entry:
        """Return the entry of a row. Raises `BadData` for an invalid row."""
        cells, place = row.cells, f"{self.name}:{row.line}"
        if any(cell.strip() for cell in cells[self._width :]):
            raise BadData(
                "has {cells} cells instead of {wanted}",
                place=place,
                cells=len(cells),
                wanted=self._width,
            )
        self._short += len(cells) < self._width
        said = self._mapped.said(cells)
        lang = _language(said.get(("lang", ""), ""), place)
        questions, answers = _texts(said, "question", lang), _texts(said, "answer", lang)
        if not questions and not answers:
            raise BadData("has neither a question nor an answer", place=place)
        graded = said.get(("level", ""), "")
        level = named_level(graded)
        made = Entry(
            id=self._id(said, questions or answers, place),
            kind="question",
            collection="",
            question=questions or {k: first_line(text) for k, text in answers.items()},
            number=said.get(("number", "")),
            level=level,
            topic=said.get(("topic", "")),
            tags=tags_in(said.get(("tags", ""), "").translate(_BETWEEN_TAGS)),
            answers=tuple(Answer("source", key, text) for key, text in answers.items()),
        )
        entry = bounded(made, place)
        self.lines[entry.id] = row.line
        if graded and level is None:
            self.left.add(_NO_LEVEL, graded[:60])
        for number, cell in enumerate(cells):
            if cell.strip() and number not in self._mapped.places:
                column = self._names[number] if self._mapped.header else f"column {number + 1}"
                self.left.add("the column '{text}' of {n} rows was skipped", column, line=1)
        return entry

    def assumed(self) -> Iterator[str]:
        """Yield the assumptions about rows, one sentence each."""
        if rows := self._short:
            yield Message(
                "{rows} rows have fewer cells than the first, so the rest is empty", rows=rows
            )

    def _id(self, said: Mapping[tuple[str, str], str], texts: Mapping[str, str], place: str) -> str:
        if not self._gives:
            return unused(slug(next(iter(texts.values()))), self.lines.__contains__, self._often)
        given = " ".join(said.get(("id", ""), "").split())
        if not given:
            raise BadData("id is empty", place=place)
        if line := self.lines.get(given):
            raise BadData("the id '{id}' is also in line {line}", place=place, id=given, line=line)
        return given


def _language(said: str, place: str) -> str:
    """Return the code of a language. Raises `BadData` for an unknown code or name."""
    named = said.casefold()
    code = LANGUAGES.get(named, named)
    if said and not is_language_code(code):
        raise BadData(
            "'{code}' is not a language code (such as en, fa, de)", place=place, code=said[:60]
        )
    return code


def _texts(said: Mapping[tuple[str, str], str], role: str, lang: str) -> dict[str, str]:
    """Return the texts of a role by language, from the column, the row or the words."""
    return {
        of or lang or guess_language(text): text
        for (name, of), text in said.items()
        if name == role
    }
