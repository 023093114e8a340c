"""What one language of a text says and the other does not, and that nobody waits for it unasked."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from kb.content.drift.alarm import ALIKE, COLUMNS, LANGS, RULES, Drift, drifts
from kb.content.drift.items import find_numbers, read
from kb.content.folder import read_content
from kb.service.diagnose import check_folder
from tests.content.test_folder import ENTRY, course

__all__ = ["course"]

ALIKE_TEXTS = [
    ("The step takes 2,000 bytes.", "این گام ۲٬۰۰۰ بایت می‌گیرد."),
    ("It is 1.5 million, about 5 %.", "۱٫۵ میلیون است، حدود ۵ درصد."),
    ("For ε = 10⁻⁵ it is at most 316.", "برای ε=10⁻⁵ حداکثر 316 است."),
    ("The gradient does not vanish.", "گرادیان محو نمی‌شود."),
    ("No algorithm solves it.", "هیچ الگوریتمی آن را حل نمی‌کند."),
    ("Neither the mean nor the variance changes.", "نه میانگین عوض می‌شود و نه واریانس."),
    ("Without a cache it waits.", "بدون حافظهٔ نهان منتظر می‌ماند."),
    ("All weights are kept.", "همهٔ وزن‌ها نگه داشته می‌شوند."),
    ("A step takes 3 ms.", "هر گام ۳ میلی‌ثانیه طول می‌کشد."),
    ("The sum is wrong.", "حاصل‌جمع نادرست است."),
    ("It costs 16 bytes. The rest is free.", "۱۶ بایت می‌خواهد و بقیه رایگان است."),
]
DRIFTED = [
    ("number", "The step takes 2,000 bytes.", "این گام ۳٬۰۰۰ بایت می‌گیرد."),
    ("number", "In float32 it is 4.", "در float16 برابر ۴ است."),
    ("unit", "It needs 16 GB of memory.", "به ۱۶ مگابایت حافظه نیاز دارد."),
    ("unit", "8-bit integers", "عددهای صحیح ۸ بایتی"),
    ("formula", "It holds if a ≤ b.", "اگر a≥b باشد برقرار است."),
    ("negation", "The gradient vanishes.", "گرادیان محو نمی‌شود."),
    ("negation", "The gradient does not vanish.", "گرادیان محو می‌شود."),
    ("negation", "It works without a cache.", "با حافظهٔ نهان کار می‌کند."),
]


def told(one: str, other: str) -> list[Drift]:
    return list(drifts(read(one, LANGS[0]), read(other, LANGS[1])))


@pytest.mark.parametrize(("one", "other"), ALIKE_TEXTS)
def test_texts_that_say_the_same_are_not_pointed_at(one: str, other: str) -> None:
    assert told(one, other) == []


@pytest.mark.parametrize(("rule", "one", "other"), DRIFTED)
def test_what_one_language_alone_says_is_pointed_at(rule: str, one: str, other: str) -> None:
    assert rule in {drift.rule for drift in told(one, other)}


def test_every_rule_has_a_text_that_it_points_at() -> None:
    assert {rule for rule, *_ in DRIFTED} == set(RULES)


def test_a_drift_in_a_long_text_is_found_in_its_own_sentence() -> None:
    one = "The first step takes 3 ms. The second does not wait. The third takes 5 ms."
    other = "گام نخست ۳ میلی‌ثانیه طول می‌کشد. دومی منتظر می‌ماند. سومی ۵ میلی‌ثانیه طول می‌کشد."
    (drift,) = told(one, other)
    assert one[slice(*drift.bead.one)] == "The second does not wait."
    assert other[slice(*drift.bead.other)] == "دومی منتظر می‌ماند."
    assert (drift.one, drift.other) == (("not",), ())


@pytest.mark.long
def test_hostile_texts_are_compared_in_reasonable_work() -> None:
    for text in ("", "\n" * 500, "((((" * 500, "هیچ " * 500, "1" * 5_000, "not " * 500):
        told(text, text[::-1])
        told("A plain sentence.", text)


def test_numbers_of_any_length_are_told_apart() -> None:
    digits = "9" * 1_100_000
    one, other = (find_numbers(read(f"It is {digits}{last}.", "en")) for last in "12")
    assert one[0].keys.isdisjoint(other[0].keys)


def drifted(course: Path, said: str) -> Path:
    file = course / "optimization" / "01-momentum.toml"
    file.write_text(ENTRY.replace("= 10 برابر بزرگ می‌شود.", said))
    return file


def advised(course: Path) -> list[str]:
    return [each.found for each in check_folder(course) if each.name == "advice"]


@pytest.mark.long
def test_an_alarm_names_both_lines_the_words_and_the_side_that_lacks_them(course: Path) -> None:
    file = drifted(course, "= 12 برابر بزرگ می‌شود.")
    lines = file.read_text().splitlines()
    places = [
        1 + next(n for n, line in enumerate(lines) if line.startswith(f"note.{lang}"))
        for lang in LANGS
    ]
    (alarm,) = [each for each in advised(course) if "momentum-doubles: number" in each]
    assert alarm == (
        f"{file}:{places[0]} and {file}:{places[1]}: momentum-doubles: number: "
        "English says «10», Persian has nothing for it; "
        "Persian says «12», English has nothing for it"
    )


@pytest.mark.long
def test_a_drift_is_advice_and_never_a_mistake(course: Path) -> None:
    drifted(course, "= 12 برابر بزرگ نمی‌شود.")
    checks = check_folder(course)
    assert all(check.well for check in checks)
    assert not [each for each in checks if each.name == "mistake"]
    assert read_content(course).entries  # who imports is told nothing


@pytest.mark.long
def test_an_alarm_that_was_looked_at_is_silent_until_nothing_gives_it(course: Path) -> None:
    drifted(course, "= 12 برابر بزرگ می‌شود.")
    row = ("momentum", "momentum-doubles", "number", "10, 12", "said so on purpose")
    record = course / ALIKE
    record.write_text("\t".join(COLUMNS) + "\n" + "\t".join(row) + "\n")
    assert not [each for each in advised(course) if "number" in each]
    drifted(course, "= 10 برابر بزرگ می‌شود.")
    assert f"{record}:2: nothing refers to '10, 12'" in advised(course)


def test_a_line_of_the_record_without_a_reason_is_a_mistake(course: Path) -> None:
    row = ("momentum", "momentum-doubles", "number", "10, 12", "")
    (course / ALIKE).write_text("\t".join(COLUMNS) + "\n" + "\t".join(row) + "\n")
    (mistake,) = [each for each in check_folder(course) if each.name == "mistake"]
    assert f"{ALIKE}:2: needs entry, text, rule, words, why" in mistake.found


def test_importing_a_folder_loads_nothing_of_it() -> None:
    program = (
        "import sys\nfrom kb.content.folder import read_content\n"
        "from kb.content.bundled import bundled_folder\n"
        "read_content(bundled_folder())\nprint(*sys.modules)"
    )
    command = [sys.executable, "-c", program]
    loaded = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    assert "kb.content.folder" in loaded
    assert not [name for name in loaded if name.startswith("kb.content.drift")]
