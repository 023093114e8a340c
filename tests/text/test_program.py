"""What `kb.text.program` must hold: code shows all that Python runs, and Persian stays possible."""

from __future__ import annotations

import sys
import tokenize
import unicodedata
from pathlib import Path

import pytest

from kb.text.program import forbidden_in_name, forbidden_part, is_seen, name_of
from tests.characters import TABLE, made, version
from tests.unicode_data import UNICODE, absent

SNIPPETS = sorted(Path("data/snippets").glob("*.py"))

FIT = [
    "# می‌شود، نامه‌ها، دوره‌ای، آن‌ها، کار‌ها، جزء‌به‌جزء، تقریباً‌ها، خانهٔ‌ما\n",
    'print("می‌شود")\n', "x = f\"{y} می‌شود {{z}} {'ها‌ی'}\"\n", '"""\nمی‌شود\n"""\nx = r\'ه‌ا\'\n',
    'a = "❤️ ☀︎ 1️⃣ #️⃣ ✅ 🇮🇷"\n', "a\u0301 = 1\n", 'x = "한국어 日本語 देवनागरी"\n', "\tx = 1 \n",
    "if x:  # سلام\n    pass\n", "!pip install x\n", "x = '\n",
]  # fmt: skip
HIDDEN = {
    "two joiners": '"می\u200c\u200cشود"',
    "joiners in turn": '"می\u200c\u200dشود"',
    "a joiner of Latin letters": '"a\u200cb"',
    "a joiner at an end": '"می\u200c"',
    "a joiner of emoji": '"👨\u200d👩"',
    "a joiner in a name": "می\u200cشود = 1",
    "a joiner behind a string": '"می"; می\u200cشود = 1',
    "a joiner between strings": '"می"; می\u200cشود = "می"',
    "a joiner where nothing can be read": '"می\u200cشود\n',
    "a joiner after code": "x\u200c = 1",
    "a selector of a letter": '"a\ufe0f"',
    "a selector of a digit": '"3\ufe0f"',
    "another selector": '"❤\ufe00"',
    "two selectors": '"❤\ufe0f\ufe0e"',
    "sixteen": '"a\U000e0100"',
    "a selector in code": "❤\ufe0f",
    "a mark on a blank": '" \u0301"',
    "a mark on a quote": '"\u0301"',
    "a mark on nothing": "\u0301",
    "five marks": '"a\u0301\u0301\u0301\u0301\u0301"',
    "a jamo alone": '"\u1161"',
    "a stacker": '"\u1780\u17d2\u1780"',
    "a grapheme joiner": '"a\u034fb"',
    "left to right": '"\u200e"',
    "right to left": '"\u200f"',
    "an Arabic mark": '"\u061c"',
    "a no-break space": "x\u00a0= 1",
    "an ideographic space": '"\u3000"',
    "a thin space": '"\u2009"',
    "an Ogham space": '"\u1680"',
    "a Braille blank": '"\u2800"',
    "a soft hyphen": '"\u00ad"',
    "a Mongolian separator": '"\u180e"',
    "a Mongolian selector": '"\u180b"',
    "a Hangul filler": 'x = "\u3164"',
    "a halfwidth filler": '"\uffa0"',
    "a jamo filler": '"\u1160"',
    "a null notehead": '"\U0001d159"',
    "a beam": '"\U0001d173"',
    "an annotation": '"\ufff9"',
    "an object": '"\ufffc"',
    "a blank hieroglyph": '"\U00013441"',
    "a tag": '"\U000e0041"',
    "a Khitan filler": '"\U00016fe4"',
    "a word joiner": '"\u2060"',
    "invisible times": '"\u2062"',
    "private use": '"\ue000"',
    "private use beyond": '"\U0010fffd"',
    "unassigned": '"\u0378"',
    "a noncharacter": '"\uffff"',
    "a surrogate": '"\ud800"',
    "a byte order mark": '"\ufeff"',
}


@pytest.mark.parametrize("code", FIT)
def test_what_is_seen_may_stand_in_code(code: str) -> None:
    assert forbidden_part(code) is None


@pytest.mark.parametrize("code", HIDDEN.values(), ids=HIDDEN)
def test_what_is_not_seen_may_not_stand_in_code(code: str) -> None:
    found = forbidden_part(f"x = 1\n{code}\n")
    assert found is not None and found.line == 2


def test_a_payload_of_selectors_is_told_with_its_line() -> None:
    payload = "".join(chr(0xFE00 + n % 16) for n in range(60))
    found = forbidden_part(f'x = 1\nNAME = "Ada{payload}"\nexec(NAME)\n')
    assert found == (2, "a hidden or misplaced character, VARIATION SELECTOR-1 (U+FE00)")


@pytest.mark.parametrize(
    ("character", "name"),
    [
        ("\0", "a NUL (U+0000)"),
        ("\x0b", "a vertical tab (U+000B)"),
        ("\x0c", "a form feed (U+000C)"),
        ("\r", "a carriage return (U+000D)"),
        ("\x1b", "an escape (U+001B)"),
        ("\x7f", "a DEL (U+007F)"),
        ("\x85", "a next-line character (U+0085)"),
        ("\u2028", "a line separator (U+2028)"),
        ("\u2029", "a paragraph separator (U+2029)"),
        ("\ufeff", "a byte order mark (U+FEFF)"),
        ("\x07", "a control character (U+0007)"),
    ],
)
def test_what_has_a_usual_name_is_told_by_it(character: str, name: str) -> None:
    assert name_of(character) == name
    assert forbidden_part(f"x = 1 {character}") == (1, name)


def test_every_bundled_program_may_run() -> None:
    assert SNIPPETS
    assert [file.name for file in SNIPPETS if forbidden_part(file.read_text("utf-8"))] == []


@pytest.mark.long
def test_nothing_that_python_knows_as_unseen_is_seen() -> None:
    unseen = ("Cc", "Cf", "Co", "Cs", "Zl", "Zp", "Zs")
    every = map(chr, range(sys.maxunicode + 1))
    assert [ascii(c) for c in every if is_seen(c) and unicodedata.category(c) in unseen] == []
    assert all(map(is_seen, map(chr, range(0x21, 0x7F))))


def test_the_tokens_of_an_f_string_in_later_pythons_are_one_string(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    code = 'f"می\u200cشود{a}ها\u200cی" + b\n'
    kinds = {900: "FSTRING_START", 901: "FSTRING_MIDDLE", 902: "FSTRING_END"}
    parts = [(900, 0, 2), (901, 2, 9), (54, 9, 10), (1, 10, 11), (54, 11, 12), (901, 12, 16),
             (902, 16, 17), (54, 18, 19), (1, 20, 21)]  # fmt: skip
    tokens = [tokenize.TokenInfo(kind, code[a:b], (1, a), (1, b), code) for kind, a, b in parts]
    for number, name in kinds.items():
        monkeypatch.setitem(tokenize.tok_name, number, name)
    monkeypatch.setattr(tokenize, "generate_tokens", lambda _: iter(tokens))
    assert forbidden_part(code) is None
    assert forbidden_part(code.replace("+", "\u200c")) is not None
    assert forbidden_part(code.replace("+ b", "ه\u200cی")) is not None


def test_a_name_has_what_a_string_may_have_and_no_line_break() -> None:
    assert forbidden_in_name("نامه‌ها 2") == "" == forbidden_in_name("matrix_chain")
    for name in ("a\nb", "a\tb", "a\u200cb", "a\u202eb", "a\u00a0b"):
        assert forbidden_in_name(name), ascii(name)


def test_the_table_of_characters_is_what_the_installed_data_give() -> None:
    there = TABLE.read_text("utf-8")
    if not UNICODE.exists() or f"Unicode {version()} " not in there:
        absent("the tables are of another Unicode: install it, or make them anew")
    assert there == made()
