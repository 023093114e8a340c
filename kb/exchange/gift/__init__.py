"""GIFT, the text that Moodle reads questions of a quiz from: items that are asked and marked.

``items``   an entry → what is asked of it: its question, and what its source says wrongly
``prose``   our Markdown → Markdown in which Moodle finds no markup of a text
``syntax``  items → GIFT
"""

from __future__ import annotations

from typing import BinaryIO

from kb.exchange.book import Book
from kb.exchange.encoding import write_text
from kb.exchange.gift.items import items_of
from kb.exchange.gift.syntax import category_line, item_lines

__all__ = ["write"]


def write(book: Book, out: BinaryIO) -> int:
    """Write the items of every entry in each of its languages, below those of its collection.

    Return how many entries have any, which all have.
    """
    category = None
    for entry in book.entries:
        for item in items_of(entry, book.collections):
            if item.category != category:
                category = item.category
                write_text(out, f"{category_line(category)}\n\n")
            write_text(out, f"{item_lines(item)}\n\n")
    return len(book.entries)
