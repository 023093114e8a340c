"""What the measures must give on cases that can be reckoned by hand."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

import tests.bench
from tests.bench.scores import ndcg, randomisation, reciprocal_rank

FOLDER = Path(tests.bench.__file__).parent
BENCHES = sorted(
    ".".join(file.relative_to(FOLDER).with_suffix("").parts)
    for file in FOLDER.rglob("*.py")
    if file.stem != "__init__"
)


@pytest.mark.parametrize("name", BENCHES)
def test_every_benchmark_knows_the_library_as_it_is(name: str) -> None:
    import_module(f"tests.bench.{name}")


def test_the_best_order_has_gain_one_and_a_worse_one_less() -> None:
    grades = {"a": 1.0, "b": 1.0}
    assert ndcg(["a", "b", "c"], grades) == 1
    assert ndcg(["c", "a"], grades) == pytest.approx(0.6309 / 1.6309, abs=1e-4)
    assert ndcg([], grades) == 0


def test_only_the_first_ten_count() -> None:
    assert ndcg([str(n) for n in range(10)] + ["a"], {"a": 1.0}) == 0
    assert reciprocal_rank(["x", "a"], {"a": 1.0}) == 0.5
    assert reciprocal_rank(["x"] * 10 + ["a"], {"a": 1.0}) == 0


def test_a_difference_by_chance_is_not_called_one() -> None:
    assert randomisation([0.5, 0.6, 0.4], [0.6, 0.5, 0.4]) > 0.5
    assert randomisation([1.0] * 20, [0.0] * 20) < 0.01
