"""Where the sections of a text are, and where quoted words are that may have moved."""

from __future__ import annotations

import pytest

from kb.text.quotation import Quotation, find_quotation, quote
from kb.text.sections import named, sections

TEXT = "# A ##\nx\n## B#\n### Long name #\n```\n# no\n```\nD\n===\nE\n---\n## A\n"


def test_a_section_has_the_level_of_its_heading_and_ends_before_the_next_of_its_level() -> None:
    assert sections(TEXT) == [
        ("A", 1, 0, 44), ("B#", 2, 9, 44), ("Long name", 3, 15, 44),
        ("D", 1, 44, 61), ("E", 2, 50, 56), ("A", 2, 56, 61),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "address", "start"),
    [
        ("# A\n## B\n", "a#a", None),
        ("# A\n## A\n", "a#a", 4),
        ("# A\n## B\n### A\n", "b#a", 9),
        ("# A\n## B\n# C\n## B\n", "c#b", 13),
        ("# A\n## B\n# C\n", "c#b", None),
        ("# A\n# B\n", "b#a", None),
        ("", "a", None),
    ],
)
def test_an_address_names_a_section_within_the_ones_before_it(
    text: str, address: str, start: int | None
) -> None:
    found = named(sections(text), address)
    assert (found and found.start) == start


@pytest.mark.parametrize(
    ("quotation", "place"),
    [
        (Quotation("cat", "a ", "", 9), 2),
        (Quotation("cat", "x ", "", 2), 9),
        (Quotation("cat", "", ", x", 9), 2),
        (Quotation("cat", "", ", y", 2), 9),
        (Quotation("cat", " ", ", ", 3), 2),
        (Quotation("cat", " ", ", ", 8), 9),
        (Quotation("cat", "", "", 8), 9),
        (Quotation("cat", "in another text, ", " stood there", 2), None),
    ],
)
def test_of_equal_words_those_are_meant_that_stand_between_the_same_then_the_nearest(
    quotation: Quotation, place: int | None
) -> None:
    found = find_quotation("a cat, x cat, y", quotation)
    assert found == (None if place is None else (place, place + 3))


def test_a_quotation_is_found_where_it_was_quoted_also_at_the_ends_of_a_text() -> None:
    text = "cat cat cat"
    for start in (0, 4, 8):
        assert find_quotation(text, quote(text, start, start + 3)) == (start, start + 3)
