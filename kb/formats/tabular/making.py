"""The entry of a row: texts by language, facts, and an id from the row or its words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

from kb.errors import BadData, Message
from kb.formats.tabular.columns import Mapped
from kb.formats.tabular.dialect import Row
from kb.model import Answer, Dropped, Entry
from kb.model.clauses import LEVELS, named_level
from kb.model.entry_json import bounded
from kb.model.results import is_language_code, tags_in
from kb.text.languages import guess_language
from kb.text.slug import first_line, slug

_LANGUAGES: Mapping[str, str] = {
    **dict.fromkeys(("english", "انگلیسی"), "en"),
    **dict.fromkeys(("persian", "farsi", "فارسی"), "fa"),
}
_BETWEEN_TAGS = str.maketrans(";؛|", ",,,")


class Making:
    """Makes the entries of one table and collects what to report.

    ``lines`` has the first line of each entry, ``given`` the ids from the table.
    """

    def __init__(self, name: str, mapped: Mapped, names: Sequence[str]) -> None:
        self.name = name
        self.lines: dict[str, int] = {}
        self._mapped = mapped
        self._names = names
        self._width = len(names)
        self._often: Counter[str] = Counter()
        self._left: Counter[int] = Counter()
        self._levels: Counter[str] = Counter()
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
        if graded and level is None and len(self._levels) < 1000:
            self._levels[graded[:60]] += 1
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
        self._left.update(
            place
            for place, cell in enumerate(cells)
            if cell.strip() and place not in self._mapped.places
        )
        return entry

    def dropped(self) -> Iterator[Dropped]:
        """Yield what was skipped, by column."""
        for place, rows in sorted(self._left.items()):
            column = self._names[place] if self._mapped.header else f"column {place + 1}"
            reason = Message("unknown column in {rows} rows", rows=rows)
            yield Dropped(self.name, 1, reason, column)
        known = ", ".join(LEVELS)
        for said, rows in self._levels.most_common(20):
            reason = Message(
                "the level of {rows} rows is not one of {known}", rows=rows, known=known
            )
            yield Dropped(self.name, None, reason, said)

    def assumed(self) -> Iterator[str]:
        """Yield the assumptions about rows, one sentence each."""
        if rows := self._short:
            yield Message(
                "{rows} rows have fewer cells than the first, so the rest is empty", rows=rows
            )

    def _id(self, said: Mapping[tuple[str, str], str], texts: Mapping[str, str], place: str) -> str:
        given = said.get(("id", ""))
        if self._gives:
            given = " ".join((given or "").split())
            if not given:
                raise BadData("id is empty", place=place)
            if given in self.lines:
                raise BadData(
                    "the id '{id}' is also in line {line}",
                    place=place,
                    id=given,
                    line=self.lines[given],
                )
            return given
        return unused(slug(next(iter(texts.values()))), self.lines, self._often)


def unused(wanted: str, taken: Collection[str], often: Counter[str]) -> str:
    """Return a name that no other entry has, with a number added if necessary.

    >>> unused("a", {"a", "a-2"}, Counter())
    'a-3'
    """
    found = wanted
    while found in taken:
        often[wanted] += 1
        found = f"{wanted}-{often[wanted] + 1}"
    return found


def _language(said: str, place: str) -> str:
    """Return the code of a language. Raises `BadData` for an unknown code or name."""
    named = said.casefold()
    code = _LANGUAGES.get(named, named)
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
