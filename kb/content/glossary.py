"""Tables of words in two languages: glossary, vocabulary, dictionaries, parallel texts.

The glossary has the terms of the field in English and Persian, one concept a line. The file has a
header line and tab-separated columns. Variants are separated by ``|``: other spellings,
abbreviations, transliterations. Two concepts may share a name only if both say in ``sense`` what
they mean.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from kb import limits
from kb.content.context import Mistakes, faults
from kb.errors import BadData, Message, nearest
from kb.foreign import read_text, size, unix
from kb.model.entry import Concept, ConceptName
from kb.text.analyzer import stemmed_name, stems

COLUMNS = ("en", "fa", "en_variants", "fa_variants", "field", "sense")
FIELDS = (
    "machine-learning", "deep-learning", "language-and-vision", "statistics", "optimization",
    "linear-algebra", "numerical-analysis", "algorithms", "programming", "systems", "hardware",
)  # fmt: skip


def read_glossary(
    file: Path, mistakes: Mistakes, within: Path | None = None
) -> tuple[Concept, ...]:
    """Read a glossary; nothing if the file does not exist. A mistake names file, line and column.

    The file must be ``within`` a folder.
    """
    concepts = _concepts(file, COLUMNS, mistakes, within)
    for lang in ("en", "fa"):
        _check_homonyms(file, concepts, lang, mistakes)
    return tuple(concepts.values())


def _concepts(
    file: Path, columns: Sequence[str], mistakes: Mistakes, within: Path | None
) -> dict[int, Concept]:
    """Return the concepts of a table by line."""
    concepts: dict[int, Concept] = {}
    for number, line in lines_of(file, columns, within) if file.exists() else ():
        with mistakes.noted():
            place = f"{file}:{number}"
            row, names = named(place, line, columns, mistakes)
            field = row.get("field", "general")
            if field not in FIELDS and "field" in row:
                known = ", ".join(FIELDS)
                hint = nearest(field, FIELDS) or Message("Known: {known}.", known=known)
                raise BadData("field: unknown value '{field}'", hint, place=place, field=field)
            concepts[number] = Concept(names, field, row.get("sense", ""))
    return concepts


def lines_of(file: Path, columns: Sequence[str], within: Path | None) -> Iterator[tuple[int, str]]:
    """Yield the rows of a table; its header must have these columns.

    The file must be ``within`` a folder.
    """
    first, *lines = _all_lines(file, within) or [""]
    if first.split("\t") != list(columns):
        raise BadData(
            "the columns must be {columns}, separated by tabs",
            place=f"{file}:1",
            columns=", ".join(columns),
        )
    yield from ((number, line) for number, line in enumerate(lines, 2) if line)


def _all_lines(file: Path, within: Path | None = None) -> list[str]:
    lines = unix(read_text(file, limits.DICTIONARY, within)).removesuffix("\n").split("\n")
    if len(lines) > limits.PAIRS:
        raise BadData("has more than {most:,} lines", place=file, most=limits.PAIRS)
    return lines


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
    file: Path, concepts: dict[int, Concept], lang: str, mistakes: Mistakes, most: int | None = None
) -> None:
    """Reject two concepts that share one of their first names and do not both give a sense."""
    owners: dict[tuple[str, ...], list[int]] = {}
    for number, concept in concepts.items():
        for key in dict.fromkeys(stems(name, lang) for name in concept.names[lang][:most]):
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


# The general vocabulary: one common English word and its Persian counterparts per line.
#
# The file has the format of the glossary, without the columns for field and sense. Variants are
# forms that no stemmer joins and counterparts of other senses. Words may share them. Terms of the
# field are left to the glossary.


def read_vocabulary(
    file: Path, mistakes: Mistakes, within: Path | None = None
) -> tuple[Concept, ...]:
    """Read a vocabulary, or nothing; a mistake names file, line and column.

    The file must be ``within`` a folder.
    """
    concepts = _concepts(file, COLUMNS[:4], mistakes, within)
    _check_homonyms(file, concepts, "en", mistakes, most=1)
    return tuple(concepts.values())


def names_of(concepts: Iterable[Concept]) -> list[ConceptName]:
    """Return concept names in stored form, without names that have no word."""
    return [
        ConceptName(number, place, lang, name, stemmed)
        for number, concept in enumerate(concepts)
        for lang, names in concept.names.items()
        for place, name in enumerate(names)
        if (stemmed := stemmed_name(name, lang))
    ]


# The first two columns of a table with tabs: what stands in them line by line.


def first_two(file: Path, hint: str, comment: str | None = None) -> Iterator[tuple[int, str, str]]:
    """Yield the line number and two columns of each line that is not empty or a ``comment``.

    Raises `NotFound` without a file and `BadData` for a line without two columns, with a ``hint``
    on how to write it.
    """
    for number, line in enumerate(_all_lines(file), 1):
        if not line.strip() or (comment and line.startswith(comment)):
            continue
        cells = [cell.strip() for cell in line.split("\t")]
        if len(cells) < 2 or not cells[0] or not cells[1]:
            raise BadData("a line needs two columns", hint, place=f"{file}:{number}")
        yield number, cells[0], cells[1]


# A reader's own dictionary: a table with tabs, a word and its translation in each line.
#
# The first two columns are read; what follows (part of speech, sense, source) is left
# out. Lines with the same word and sense are not joined: each is a concept of its own.


def read_dictionary(file: Path, languages: tuple[str, str]) -> list[Concept]:
    """Return the pairs of a file as concepts in two languages; an error names the broken line.

    Raises `NotFound` without a file, `BadData` for a line without two columns.
    """
    pairs: dict[tuple[str, str], None] = {}
    for number, one, other in first_two(file, "Write a word, a tab, and its translation.", "#"):
        if max(len(one), len(other)) > limits.NAME:
            raise BadData(
                "a word has more than {most:,} characters",
                place=f"{file}:{number}",
                most=limits.NAME,
            )
        pairs[one, other] = None
    if not pairs:
        raise BadData("contains no pair of words", place=file)
    left, right = languages
    return [Concept({left: (one,), right: (other,)}, "dictionary") for one, other in pairs]


# Parallel texts: sentences with their translations.
#
# They come from files with one tab-separated pair per line, or from two texts with the same
# structure.


Pair = tuple[str, str]
"""A sentence and its translation."""

_HINT = Message("Write a sentence, a tab, and its translation.")
_LINE = re.compile(r"\n+")
_SENTENCE = re.compile(r"(?<=[.!?؟…])\s+")


def read_parallel(files: Iterable[Path]) -> list[Pair]:
    """Return the pairs of all files; an error names the broken line.

    Raises `NotFound` without a file, and `BadData` for a line without two columns, for a file
    without pairs, and for too many pairs.
    """
    pairs: list[Pair] = []
    for file in files:
        found = [(one, other) for _, one, other in first_two(file, _HINT)]
        if not found:
            raise BadData("contains no pair of sentences", _HINT, place=file)
        pairs = within_limits([*pairs, *found], Message("these files"))
    return pairs


def within_limits(pairs: Iterable[Pair], what: Message) -> list[Pair]:
    """Return the pairs that are not empty; raise `BadData` if ``what`` contains too many."""
    taken: list[Pair] = []
    room = limits.DICTIONARY
    for one, other in pairs:
        if one and other:
            room -= len(one) + len(other)
            taken.append((one, other))
        if room < 0 or len(taken) > limits.PAIRS:
            raise BadData(
                "{what} contain more than {most:,} pairs of sentences, or {size}",
                "Learn from a part of them.",
                what=what,
                most=limits.PAIRS,
                size=size(limits.DICTIONARY),
            )
    return taken


def divided(one: str, other: str) -> Iterator[Pair]:
    """Yield the corresponding parts of a text and its translation: sentences if possible.

    Lines correspond if both texts have the same number of them, and so do their sentences.

    >>> list(divided("One. Two.\\n\\nThree!", "یک. دو.\\nسه!"))
    [('One.', 'یک.'), ('Two.', 'دو.'), ('Three!', 'سه!')]
    >>> list(divided("One. Two.", "یک و دو."))
    [('One. Two.', 'یک و دو.')]
    """
    for line, translated in _paired(_LINE, one, other):
        yield from _paired(_SENTENCE, line, translated)


def _paired(between: re.Pattern[str], one: str, other: str) -> list[Pair]:
    parts = between.split(one.strip()), between.split(other.strip())
    alike = len(parts[0]) == len(parts[1])
    return list(zip(*parts, strict=True)) if alike else [(one, other)]
