"""What `kb.terminal.bidi.shaping` must hold: the forms of the Unicode database, one for one."""

from __future__ import annotations

import unicodedata
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.terminal.bidi.shaping import shape

ZWNJ, ZWJ, KASHIDA = "\u200c", "\u200d", "\u0640"
KINDS = (("<isolated>", "<initial>"), ("<final>", "<medial>"))
LETTERS_AND_MARKS = st.text(
    alphabet="ادبکگچپژیهسلء aB1۱(،\u064e\u0651\u0654\u0301\u0640\u200c\u200d\u200e"
)


def presentation_forms() -> dict[tuple[str, str], str]:
    """Return the form for each letter and kind, from the decompositions of the forms."""
    found = {}
    for char in map(chr, range(0xFB50, 0xFEFF)):
        kind, *letters = unicodedata.decomposition(char).split() or [""]
        if kind in KINDS[0] + KINDS[1] and len(letters) == 1:
            found[chr(int(letters[0], 16)), kind] = char
    return found


FORMS = presentation_forms()
LETTERS = sorted({letter for letter, _ in FORMS})


def expected_shape(text: str) -> str:
    """Shape a text by looking at the neighbours of each letter, marks left out."""
    places = [i for i, char in enumerate(text) if unicodedata.category(char) != "Mn"]
    places = [i for i in places if text[i] != "\u200e"]
    shaped = list(text)
    for rank, place in enumerate(places):
        before = text[places[rank - 1]] if rank else ""
        after = text[places[rank + 1]] if rank + 1 < len(places) else ""
        to_right = joins_next(before) and (text[place], "<final>") in FORMS
        to_left = joins_next(text[place]) and joins_previous(after)
        kind = KINDS[to_right][to_left]
        shaped[place] = FORMS.get((text[place], kind), text[place])
    return "".join(shaped)


def joins_next(char: str) -> bool:
    """Say whether a character joins to the one after it."""
    return char in (ZWJ, KASHIDA) or (char, "<initial>") in FORMS


def joins_previous(char: str) -> bool:
    """Say whether a character joins to the one before it."""
    return char in (ZWJ, KASHIDA) or (char, "<final>") in FORMS


def test_each_pair_of_letters_is_joined_as_unicode_says() -> None:
    text = " ".join(first + second for first, second in product(LETTERS, repeat=2))
    assert shape(text) == expected_shape(text)


@given(LETTERS_AND_MARKS)
def test_letters_join_across_marks_and_not_across_half_spaces(text: str) -> None:
    assert shape(text) == expected_shape(text)


def test_unshaped_text_is_not_what_unicode_expects() -> None:
    assert expected_shape("سلام") != "سلام"


@given(st.text())
def test_shaping_any_text_keeps_its_length(text: str) -> None:
    assert len(shape(text)) == len(text)


def test_every_character_of_the_arabic_blocks_keeps_its_place() -> None:
    text = "ب".join(map(chr, [*range(0x0600, 0x0900), *range(0x2000, 0x2070)]))
    shaped = shape(text)
    assert len(shaped) == len(text)
    assert unicodedata.normalize("NFKC", shaped) == unicodedata.normalize("NFKC", text)


@given(LETTERS_AND_MARKS)
def test_shaping_persian_keeps_its_length(text: str) -> None:
    assert len(shape(text)) == len(text)


def test_the_reshaper_itself_shortens_text_with_its_own_settings() -> None:
    reshaper = pytest.importorskip("arabic_reshaper")
    assert len(reshaper.reshape("کِتابِ الله")) < len("کِتابِ الله")
    assert len(reshaper.reshape("ه\u200d")) == 1


@pytest.mark.parametrize(
    ("text", "shaped"),
    [
        ("می\u200cشود", "\ufee3\ufbfd\u200c\ufeb7\ufeee\ufea9"),
        ("ه\u200d.", "\ufeeb\u200d."),
        ("لا", "\ufedf\ufe8e"),
        ("بَب", "\ufe91\u064e\ufe90"),
        ("GPU 12 ۱۲", "GPU 12 ۱۲"),
        ("ب\u06ddب", "\ufe8f\u06dd\ufe8f"),
        ("ب\u200eب", "\ufe91\u200e\ufe90"),
        ("", ""),
    ],
)
def test_words_take_the_forms_a_reader_expects(text: str, shaped: str) -> None:
    assert shape(text) == shaped
