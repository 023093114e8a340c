"""The table of `kb.formats.tables`, with tabs between its cells."""

from __future__ import annotations

from typing import BinaryIO

from kb.formats.book import Book
from kb.formats.cells import guarded
from kb.formats.tables import write_cells


def write(book: Book, out: BinaryIO) -> None:
    """Write the table, no cell of which a spreadsheet computes."""
    write_cells(book, out, guarded, "\t")


def write_raw(book: Book, out: BinaryIO) -> None:
    """Write the table with every cell as it is: a spreadsheet may compute what is in it."""
    write_cells(book, out, str, "\t")
