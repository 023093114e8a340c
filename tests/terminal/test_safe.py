"""What `kb.terminal.terminal` must hold: nothing from outside gives orders to the terminal."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.terminal.terminal import safe

ANY_TEXT = st.text(st.characters() | st.characters(categories=["Cs", "Cc", "Cf", "Cn"]))
KEPT = "\n\t\u200c\u200d\u200e\u200f"
DIRECTION_CONTROLS = "\u202a\u202b\u202c\u202d\u202e" + "".join(map(chr, range(0x2066, 0x2070)))


def obeyed(text: str) -> list[str]:
    """Return the characters of a text that a terminal or a renderer would obey."""
    return [
        char
        for char in text
        if char not in KEPT
        and (
            unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp")
            or char in DIRECTION_CONTROLS
            or 0xE0000 <= ord(char) <= 0xE007F
            or ord(char) & 0xFFFE == 0xFFFE
            or 0xFDD0 <= ord(char) <= 0xFDEF
        )
    ]


@given(ANY_TEXT)
def test_no_text_keeps_a_character_that_a_terminal_obeys(text: str) -> None:
    assert obeyed(safe(text)) == []


def test_every_single_character_is_made_safe_and_stays_one_character() -> None:
    everything = "".join(map(chr, range(0x110000)))
    assert obeyed(safe(everything)) == []
    assert len(safe(everything)) == len(everything)


@pytest.mark.parametrize(
    "raw",
    ["\x1b[31m", "\x9b31m", "\x9d0;title\x9c", "a\u202eb", "\r", "\x7f", "\ud800", "\U000e0041"],
)
def test_the_check_itself_finds_what_is_dangerous_in_raw_text(raw: str) -> None:
    assert obeyed(raw) != []


@given(ANY_TEXT)
def test_offsets_into_a_text_stay_valid(text: str) -> None:
    shown = safe(text)
    assert len(shown) == len(text)
    assert all(new == old or obeyed(old) for new, old in zip(shown, text, strict=True))


@given(ANY_TEXT)
def test_a_safe_text_is_not_changed_again(text: str) -> None:
    assert safe(safe(text)) == safe(text)


@given(ANY_TEXT)
def test_a_safe_text_can_be_written_as_utf_8(text: str) -> None:
    assert safe(text).encode("utf-8").decode("utf-8") == safe(text)


def test_raw_text_with_a_lone_surrogate_cannot_be_written_as_utf_8() -> None:
    with pytest.raises(UnicodeEncodeError):
        "\ud800".encode()


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("\x1b]0;owned\x07", "␛]0;owned␇"),
        ("\x00\x08\x0b\x0c", "␀␈␋␌"),
        ("one\r\ntwo\rthree", "one␍\ntwo␍three"),
        ("\x7f", "␡"),
        ("\x85\x9b", "\ufffd\ufffd"),
        ("if a\u202e {\u2066// admin\u2069", "if a\ufffd {\ufffd// admin\ufffd"),
        ("\u2028\u2029", "\ufffd\ufffd"),
        ("x\U000e0068\U000e0069", "x\ufffd\ufffd"),
        ("\ud800\udfff", "\ufffd\ufffd"),
        ("\ufffe\U0010ffff\ufdd0", "\ufffd\ufffd\ufffd"),
    ],
)
def test_what_a_terminal_obeys_is_shown_as_a_sign(raw: str, shown: str) -> None:
    assert safe(raw) == shown


@pytest.mark.parametrize(
    "text",
    [
        "می\u200cشود\u200f و ه\u200d.ق\u200e",
        "line\n\tindented\n",
        "ĝ ß 中文 हिन्दी कि 👩\u200d🔬 é",
        "\u0627\u0651\u064e",
    ],
)
def test_text_of_any_language_stays_as_it_is(text: str) -> None:
    assert safe(text) == text
