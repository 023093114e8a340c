"""Parameters of programs: what declares one, and how a run gets other values."""

from __future__ import annotations

import pytest

from kb import Library
from kb.content.bundled import bundled_folder
from kb.errors import UsageError
from kb.evidence.parameters import SEED, Parameter, drawn, parameters_of, with_values

CODE = """'''Rows.

ROWS = 9  # parameter: 1 to 9 rows
'''
SEED = 0  # parameter: 0 to 1_000
ROWS = 32  # parameter: 8 to 512 rows
RATE = 0.5  # parameter: 1e-3 to 1
WIDTH = 3  # a plain comment
def f():
    LOCAL = 1  # parameter: 0 to 2
print(f"rows: {ROWS}", f"rate: {RATE}", f"seed: {SEED}", sep="\\n")
"""


def test_only_constants_of_the_module_with_a_range_are_parameters() -> None:
    assert parameters_of(CODE) == (
        Parameter("SEED", 0, 0, 1000),
        Parameter("ROWS", 32, 8, 512, "rows"),
        Parameter("RATE", 0.5, 0.001, 1),
    )
    assert parameters_of("ROWS = 1  # parameter: 0 to 2\nx = =") == ()


@pytest.mark.parametrize(
    "range", ["_ to 5", "0 to _", "5 to 0", f"0 to {'9' * 5000}", "0 to 1e400", "-1e308 to 1e308"]
)
def test_a_range_without_numbers_or_an_end_declares_nothing(range: str) -> None:
    code = f"SEED = 0  # parameter: {range}\n"
    assert parameters_of(code) == ()
    assert drawn(code, "a") == {}


def test_of_parameters_of_one_name_the_last_counts() -> None:
    code = "A = 1  # parameter: 0 to 2\nA = 3  # parameter: 0 to 4\n"
    assert parameters_of(code) == (Parameter("A", 3, 0, 4),)


@pytest.mark.parametrize("range", ["7 to 9", "-3 to -1", "0 to 0", "0 to 0.5"])
def test_a_drawn_seed_is_in_its_range(range: str) -> None:
    code = f"SEED = 0  # parameter: {range}\n"
    for seed in "abcdef":
        with_values(code, drawn(code, seed))


def test_values_change_their_lines_and_nothing_else() -> None:
    changed = with_values(CODE, {"ROWS": "۶۴", "RATE": 1})
    before, after = CODE.split("\n"), changed.split("\n")
    differ = [pair for pair in zip(before, after, strict=True) if pair[0] != pair[1]]
    assert [new for _, new in differ] == [
        "ROWS = 64  # parameter: 8 to 512 rows",
        "RATE = 1.0  # parameter: 1e-3 to 1",
    ]


@pytest.mark.parametrize("value", ["7", "513", "32.5", "nan", "inf", "many", "", "1;import os"])
def test_a_value_outside_the_range_or_that_is_no_number_is_refused(value: str) -> None:
    with pytest.raises(UsageError, match=r"ROWS is a whole number from 8 to 512, not"):
        with_values(CODE, {"ROWS": value})


def test_an_unknown_parameter_is_refused_with_the_nearest_or_with_all() -> None:
    with pytest.raises(UsageError, match="no parameter 'ROW'") as near:
        with_values(CODE, {"ROW": 9})
    assert near.value.hint == "Nearest: ROWS."
    with pytest.raises(UsageError) as far:
        with_values(CODE, {"x": 9})
    assert far.value.hint == "Its parameters: SEED, ROWS, RATE."
    with pytest.raises(UsageError, match="declares no parameters"):
        with_values("print(1)", {"ROWS": 9})


@pytest.mark.long
def test_a_run_with_a_seed_draws_other_numbers_and_leaves_the_program_trusted(
    bundled: Library,
) -> None:
    plain = bundled.run("batch_norm_epsilon")
    again = bundled.run("batch_norm_epsilon", values={SEED: 0})
    other = bundled.run("batch_norm_epsilon", values={SEED: 1000, "ROWS": 64})
    assert plain.figures == again.figures
    assert other.status == "ok"
    assert other.figures != plain.figures
    assert bundled.run("batch_norm_epsilon").figures == plain.figures


def test_every_bundled_program_that_draws_numbers_takes_a_seed() -> None:
    for file in sorted((bundled_folder() / "snippets").glob("*.py")):
        code = file.read_text(encoding="utf-8")
        seeded = code.count("default_rng(SEED") + code.count(", SEED + ")
        assert code.count("default_rng(") == seeded, file.name
        names = [each.name for each in parameters_of(code)]
        assert (SEED in names) == bool(seeded), file.name
        assert code.count("# parameter: ") == len(names), file.name
