"""What `kb.terminal.bidi.algorithm` must hold: the results of Unicode's own test file."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.terminal.bidi import algorithm
from kb.terminal.bidi import algorithm as bidi
from kb.terminal.bidi.algorithm import (
    CLOSER_OF,
    CLOSERS,
    IGNORED,
    MAX_OPEN,
    bidi_class,
    bracket_pairs,
    levels,
    mirror,
    paragraph_level,
    visual_order,
)
from tests.unicode_data import properties, unicode_lines

EXPLICIT = IGNORED - {"BN"}
NESTED = re.compile("\u2066[^\u2069]*\u2066")
TYPICAL = st.text(alphabet="ab 12,.+-%()[]<>سلم۱۲٣אב\t\u0301\u200c\u200f\u2066\u2067\u2068\u2069")


class Case(NamedTuple):
    """One line of BidiCharacterTest.txt; ``levels`` has None where X9 removes."""

    text: str
    asked: int | None
    base: int
    levels: tuple[int | None, ...]
    order: tuple[int, ...]


def cases() -> Iterator[Case]:
    """Yield Unicode's own test cases."""
    for line in unicode_lines("BidiCharacterTest.txt"):
        codes, asked, base, found, order = line.split(";")
        yield Case(
            "".join(chr(int(code, 16)) for code in codes.split()),
            None if asked == "2" else int(asked),
            int(base),
            tuple(None if level == "x" else int(level) for level in found.split()),
            tuple(map(int, order.split())),
        )


def agrees(case: Case) -> bool:
    """Say whether base, levels and order come out as the case gives them."""
    base = paragraph_level(case.text) if case.asked is None else case.asked
    found = levels(case.text, base)
    order = tuple(i for i in visual_order(found) if case.levels[i] is not None)
    right_levels = all(want in (None, got) for want, got in zip(case.levels, found, strict=True))
    return base == case.base and right_levels and order == case.order


def is_permutation(order: Sequence[int], length: int) -> bool:
    """Say whether the order has each index once."""
    return sorted(order) == list(range(length))


@pytest.mark.long
def test_every_case_of_the_unicode_standard_comes_out_as_given() -> None:
    ran, left_out, wrong = 0, 0, []
    for case in cases():
        if any(bidi_class(char) in EXPLICIT for char in case.text) or NESTED.search(case.text):
            left_out += 1
            continue
        ran += 1
        if not agrees(case):
            wrong.append(case)
    assert wrong == []
    assert ran > 91_000
    assert left_out < 100, "only controls that `safe` removes, and nested isolates, are left out"


@pytest.mark.parametrize(
    ("kind", "taken_for"),
    [("AL", "R"), ("NSM", "ON"), ("ES", "ON"), ("CS", "ON"), ("ET", "ON"), ("LRI", "ON")],
)
def test_the_cases_notice_when_a_class_is_taken_for_another(
    kind: str, taken_for: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def confused(char: str) -> str:
        return taken_for if bidi_class(char) == kind else bidi_class(char)

    monkeypatch.setattr(bidi, "bidi_class", confused)
    assert not all(map(agrees, cases()))


# Without W3 and W6 letters are left that the rules after them do not know.
@pytest.mark.parametrize("rule", sorted(algorithm.WEAK.keys() - {"W3", "W6"}))
def test_the_cases_notice_when_a_rule_does_nothing(
    rule: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    others = {name: does for name, does in algorithm.WEAK.items() if name != rule}
    monkeypatch.setattr(algorithm, "WEAK", others)
    assert not all(map(agrees, cases()))


def test_the_cases_notice_when_brackets_are_no_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(algorithm, "resolve_brackets", lambda *_: None)
    assert not all(map(agrees, cases()))


def test_a_missing_data_file_is_an_error_in_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "1")
    with pytest.raises(pytest.fail.Exception, match="unicode-data"):
        unicode_lines("no-such-file.txt")


@pytest.mark.long
def test_every_character_has_the_class_the_standard_gives_it() -> None:
    for codes, name in properties("extracted/DerivedBidiClass.txt"):
        known = [char for char in map(chr, codes) if unicodedata.category(char) != "Cn"]
        assert {bidi_class(char) for char in known} <= {name}, codes


def test_mirror_images_are_those_of_the_standard() -> None:
    images = {}
    for line in unicode_lines("BidiMirroring.txt"):
        char, image = line.split("#")[0].split(";")
        images[chr(int(char, 16))] = chr(int(image, 16))
    every = map(chr, range(0x110000))
    assert {char: mirror(char) for char in every if mirror(char) != char} == images


def test_bracket_pairs_are_those_of_the_standard() -> None:
    closers = {}
    for line in unicode_lines("BidiBrackets.txt"):
        char, image, kind = (field.strip() for field in line.partition("#")[0].split(";"))
        if kind == "o":
            closers[chr(int(char, 16))] = chr(int(image, 16))
    canonical = {a: unicodedata.normalize("NFD", b) for a, b in closers.items()}
    assert canonical == CLOSER_OF
    assert set(CLOSERS) == set(closers.values())


@pytest.mark.parametrize(
    ("text", "base"),
    [
        ("سلام", 1),
        ("GPU ها", 0),
        ("123 - (ב)", 1),
        ("", 0),
        ("۱۲۳", 0),
        ("\u2066שלום\u2069 abc", 0),
        ("\u2066 abc שלום", 0),
        ("\u2069 שלום", 1),
        ("\u200f abc", 1),
    ],
)
def test_the_first_strong_letter_outside_isolates_gives_the_base(text: str, base: int) -> None:
    assert paragraph_level(text) == base


@pytest.mark.parametrize(
    ("text", "base", "expected"),
    [
        ("abc", 0, "000"),
        ("abc", 1, "222"),
        ("سلام", 0, "1111"),
        ("س 12", 1, "1122"),
        ("س ۱۲", 0, "1122"),
        ("a (س) b", 0, "0001000"),
        ("س (a) س", 1, "1112111"),
        ("س\u2329a\u3009", 1, "1121"),
        ("س ", 0, "10"),
        ("س\t12", 0, "1022"),
        ("a\u2066b\u2069c", 0, "00200"),
        ("س\u2066س a\u2069", 1, "113221"),
        ("س\u200c", 1, "11"),
        ("\u2066س \u200c", 0, "0300"),
        ("\u2066!\u2069س", 0, "0201"),
    ],
)
def test_levels_are_as_worked_out_by_hand(text: str, base: int, expected: str) -> None:
    assert "".join(map(str, levels(text, base))) == expected


def test_brackets_deeper_than_the_limit_are_no_pairs() -> None:
    within, beyond = ("(" * depth + ")" * depth for depth in (MAX_OPEN, MAX_OPEN + 1))
    assert len(bracket_pairs("()" + within)) == MAX_OPEN + 1
    assert bracket_pairs("()" + beyond) == []


@given(TYPICAL, st.sampled_from([0, 1]))
def test_every_line_has_a_level_for_each_character_and_a_whole_order(text: str, base: int) -> None:
    found = levels(text, base)
    assert len(found) == len(text)
    assert min(found, default=0) >= 0
    assert is_permutation(visual_order(found), len(text))


@pytest.mark.parametrize("order", [[0, 0], [1, 2], [0]])
def test_the_permutation_check_refuses_a_doubled_or_missing_index(order: list[int]) -> None:
    assert not is_permutation(order, 2)


@given(st.lists(st.integers(0, 9), max_size=40))
def test_any_levels_give_a_whole_order(line: list[int]) -> None:
    assert is_permutation(visual_order(line), len(line))
