"""The glossary: terms of the field in English and Persian, one concept a line.

The file has a header line and tab-separated columns. Variants are separated by ``|``: other
spellings, abbreviations, transliterations. Two concepts may share a name only if both say in
``sense`` what they mean.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from kb import limits
from kb.content.tables import Mistakes, faults
from kb.errors import BadData, Message, nearest
from kb.foreign import read_text
from kb.model import Concept
from kb.text.analyzer import stems

COLUMNS = ("en", "fa", "en_variants", "fa_variants", "field", "sense")
FIELDS = (
    "machine-learning",
    "deep-learning",
    "language-and-vision",
    "statistics",
    "optimization",
    "linear-algebra",
    "numerical-analysis",
    "algorithms",
    "programming",
    "systems",
    "hardware",
)


def read_glossary(
    file: Path, mistakes: Mistakes, within: Path | None = None
) -> tuple[Concept, ...]:
    """Read a glossary; nothing if the file does not exist. A mistake names file, line and column.

    The file must be ``within`` a folder.
    """
    if not file.exists():
        return ()
    concepts: dict[int, Concept] = {}
    for number, line in lines_of(file, COLUMNS, within):
        with mistakes.noted():
            concepts[number] = _concept(f"{file}:{number}", line, mistakes)
    for lang in ("en", "fa"):
        _check_homonyms(file, concepts, lang, mistakes)
    return tuple(concepts.values())


def lines_of(file: Path, columns: Sequence[str], within: Path | None) -> Iterator[tuple[int, str]]:
    """Yield the rows of a table; its header must have these columns.

    The file must be ``within`` a folder.
    """
    lines = read_text(file, limits.DICTIONARY, within).split("\n")
    if len(lines) > limits.PAIRS:
        raise BadData("has more than {most:,} lines", place=file, most=limits.PAIRS)
    if lines[0].split("\t") != list(columns):
        raise BadData(
            "the columns must be {columns}, separated by tabs",
            place=f"{file}:1",
            columns=", ".join(columns),
        )
    for number, line in enumerate(lines[1:], 2):
        if line:
            yield number, line


def named(
    place: str, line: str, columns: Sequence[str], mistakes: Mistakes
) -> tuple[dict[str, str], dict[str, tuple[str, ...]]]:
    """Return the cells of a row by column, and its names by language, best first."""
    cells = line.split("\t")
    if len(cells) != len(columns):
        raise BadData(
            "has {cells} columns instead of {columns}",
            place=place,
            cells=len(cells),
            columns=len(columns),
        )
    row = dict(zip(columns, cells, strict=True))
    for column, cell in row.items():
        if cell != cell.strip() or "  " in cell:
            raise BadData(
                "{column}: extra spaces around or within '{cell}'",
                place=place,
                column=column,
                cell=cell,
            )
    for found, sentence in faults(row["fa"]):
        mistakes.advise(
            BadData("fa: «{found}»: {sentence}", place=place, found=found, sentence=sentence)
        )
    return row, {lang: _names(place, row, lang) for lang in ("en", "fa")}


def _concept(place: str, line: str, mistakes: Mistakes) -> Concept:
    row, names = named(place, line, COLUMNS, mistakes)
    if row["field"] not in FIELDS:
        hint = nearest(row["field"], FIELDS) or Message("Known: {known}.", known=", ".join(FIELDS))
        raise BadData("field: unknown value '{field}'", hint, place=place, field=row["field"])
    return Concept(names, row["field"], row["sense"])


def _names(place: str, row: dict[str, str], lang: str) -> tuple[str, ...]:
    """Return the names of a concept in a language, best first."""
    variants = row[f"{lang}_variants"]
    names = [row[lang], *(name.strip() for name in variants.split("|") if variants)]
    for name in names:
        if not stems(name, lang):
            raise BadData("{lang}: '{name}' contains no word", place=place, lang=lang, name=name)
        if names.count(name) > 1:
            raise BadData("{lang}: '{name}' is given twice", place=place, lang=lang, name=name)
    return tuple(names)


def _check_homonyms(
    file: Path, concepts: dict[int, Concept], lang: str, mistakes: Mistakes
) -> None:
    """Reject two concepts that share a name and do not both give a sense."""
    owners: dict[tuple[str, ...], list[int]] = {}
    for number, concept in concepts.items():
        for key in dict.fromkeys(stems(name, lang) for name in concept.names[lang]):
            owners.setdefault(key, []).append(number)
    for key, lines in owners.items():
        senses = [concepts[number].sense for number in lines]
        if len(lines) > 1 and (not all(senses) or len(set(senses)) < len(senses)):
            with mistakes.noted():
                others = ", ".join(map(str, lines[:-1]))
                raise BadData(
                    "{lang}: '{key}' is also a name in line {others}",
                    "Give each its meaning in the column 'sense', or join the lines.",
                    place=f"{file}:{lines[-1]}",
                    lang=lang,
                    key=" ".join(key),
                    others=others,
                )


# The first two columns of a table with tabs: what stands in them line by line.


def first_two(file: Path, hint: str, comment: str | None = None) -> Iterator[tuple[int, str, str]]:
    """Yield the line number and two columns of each line that is not empty or a ``comment``.

    Raises `NotFound` without a file and `BadData` for a line without two columns, with a ``hint``
    on how to write it.
    """
    for number, line in enumerate(read_text(file, limits.DICTIONARY).splitlines(), 1):
        if number > limits.PAIRS:
            raise BadData("has more than {most:,} lines", place=file, most=limits.PAIRS)
        if not line.strip() or (comment and line.startswith(comment)):
            continue
        cells = [cell.strip() for cell in line.split("\t")]
        if len(cells) < 2 or not cells[0] or not cells[1]:
            raise BadData("a line needs two columns", hint, place=f"{file}:{number}")
        yield number, cells[0], cells[1]
