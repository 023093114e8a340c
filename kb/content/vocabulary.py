"""The general vocabulary: common English words and their Persian counterparts, one a line.

The file is a table as the glossary is, without fields and senses. Variants are forms that no
stemmer joins, and counterparts of other senses: that words share one is nothing to tell apart
here. Terms of the field are left to the glossary.
"""

from __future__ import annotations

from pathlib import Path

from kb.content.glossary import lines_of, named
from kb.content.mistakes import Mistakes
from kb.errors import BadData
from kb.records import Concept
from kb.text.analyzer import stems

COLUMNS = ("en", "fa", "en_variants", "fa_variants")
FIELD = "general"


def read_vocabulary(
    file: Path, mistakes: Mistakes, within: Path | None = None
) -> tuple[Concept, ...]:
    """Read a vocabulary, none where there is no file; every mistake names file, line, column.

    The file must lie ``within`` a folder.
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
                    "en: '{en}' stands in line {before} too",
                    place=f"{file}:{number}",
                    en=names["en"][0],
                    before=before,
                )
            concepts.append(Concept(names, FIELD))
    return tuple(concepts)
