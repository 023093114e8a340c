"""The general vocabulary: one common English word and its Persian counterparts per line.

The file has the format of the glossary, without the columns for field and sense. Variants are
forms that no stemmer joins and counterparts of other senses. Words may share them. Terms of the
field are left to the glossary.
"""

from __future__ import annotations

from pathlib import Path

from kb import limits
from kb.content.glossary import first_two, lines_of, named
from kb.content.tables import Mistakes
from kb.errors import BadData
from kb.model import Concept
from kb.text.analyzer import stems

COLUMNS = ("en", "fa", "en_variants", "fa_variants")
FIELD = "general"


def read_vocabulary(
    file: Path, mistakes: Mistakes, within: Path | None = None
) -> tuple[Concept, ...]:
    """Read a vocabulary, or nothing; a mistake names file, line and column.

    The file must be ``within`` a folder.
    """
    if not file.exists():
        return ()
    concepts: list[Concept] = []
    known: dict[tuple[str, ...], int] = {}
    for number, line in lines_of(file, COLUMNS, within):
        with mistakes.noted():
            _, names = named(f"{file}:{number}", line, COLUMNS, mistakes)
            before = known.setdefault(stems(names["en"][0], "en"), number)
            if before != number:
                raise BadData(
                    "en: '{en}' is also in line {before}",
                    place=f"{file}:{number}",
                    en=names["en"][0],
                    before=before,
                )
            concepts.append(Concept(names, FIELD))
    return tuple(concepts)


# A reader's own dictionary: a table with tabs, a word and its translation in each line.
#
# The first two columns are read; what follows (part of speech, sense, source) is left
# out. Lines with the same word and sense are not joined: each is a concept of its own.


_FIELD = "dictionary"


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
    return [Concept({left: (one,), right: (other,)}, _FIELD) for one, other in pairs]
