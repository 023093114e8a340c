"""The tables of the characters that code may hold, made from Unicode's data.

    python -m tests.characters         write `kb/text/characters.txt` anew

A test fails until it is what the installed data give (Debian's package unicode-data).
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path

from tests.unicode_data import UNICODE, properties, unicode_lines

TABLE = Path(__file__).parents[1] / "kb/text/characters.txt"

BLANK = {0x2800, 0xFFFC, 0x13441, 0x13442, 0x16FE4, 0x1D159}
"""What has no ink and no property that says so: BRAILLE PATTERN BLANK, OBJECT REPLACEMENT
CHARACTER, EGYPTIAN HIEROGLYPH FULL BLANK and HALF BLANK, KHITAN SMALL SCRIPT FILLER, MUSICAL
SYMBOL NULL NOTEHEAD.
"""
UNSEEN = {"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp", "Zs"}
"""Controls, formats, blanks, and what no font is sure to have: unassigned and private use."""
STACKERS = {"Invisible_Stacker", "Number_Joiner"}
"""Marks that only make the letters beside them another form."""

HEAD = """\
Which characters are visible, and how they affect their neighbours. Generated from the data of
Unicode {version} by python -m tests.characters; do not edit. Below are ranges of code points:

VISIBLE  visible characters
MARKS    characters drawn on or within the previous one
JOINING  letters of scripts whose letters join
EMOJI    characters that a variation selector shows as text or picture
"""
TABLES = ("VISIBLE", "MARKS", "JOINING", "EMOJI")


def version() -> str:
    """Return the version of the installed data."""
    first = (UNICODE / "PropList.txt").read_text("utf-8").split("\n", 1)[0]
    return first.removeprefix("# PropList-").removesuffix(".txt")


def made() -> str:
    """Return the table as the installed data give it."""
    unicode_lines("PropList.txt")  # tells where they are missing
    parts = [HEAD.format(version=version())]
    for name, ranges in zip(TABLES, _tables(), strict=True):
        body = textwrap.fill(" ".join(_ranges(ranges)), 100, break_on_hyphens=False)
        parts.append(f"# {name}\n{body}\n")
    return "\n".join(parts)


def _tables() -> Iterator[set[int]]:
    categories = {point: kind for points, kind in properties(_CATEGORY) for point in points}
    marks = _having("IndicSyllabicCategory.txt", STACKERS)
    unseen = BLANK | marks | _having("PropList.txt", {"White_Space"})
    unseen |= _having("DerivedCoreProperties.txt", {"Default_Ignorable_Code_Point"})
    unseen |= {point for point, kind in categories.items() if kind in UNSEEN}
    on_others = {point for point, kind in categories.items() if kind in ("Mn", "Me")}
    on_others |= _having("HangulSyllableType.txt", {"V", "T"})
    yield set(categories) - unseen - on_others
    yield on_others - unseen
    joining = {int(line.split(";")[0], 16) for line in unicode_lines("ArabicShaping.txt")}
    yield {point for point in joining - unseen if categories[point].startswith("L")}
    emoji = unicode_lines("emoji/emoji-variation-sequences.txt")
    yield {point for line in emoji if (point := int(line.split()[0], 16)) > 0x7F}


_CATEGORY = "extracted/DerivedGeneralCategory.txt"


def _having(file: str, values: set[str]) -> set[int]:
    return {point for points, value in properties(file) if value in values for point in points}


def _ranges(points: Iterable[int]) -> Iterator[str]:
    for _, run in groupby(enumerate(sorted(points)), lambda pair: pair[1] - pair[0]):
        (_, first), *rest = run
        yield f"{first:X}-{rest[-1][1]:X}" if rest else f"{first:X}"


if __name__ == "__main__":
    TABLE.write_text(made(), encoding="utf-8")
