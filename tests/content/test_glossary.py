"""What a glossary must hold, and how a mistake in it is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.content.context import Mistakes
from kb.content.glossary import COLUMNS, read_glossary
from kb.errors import BadData

HEADER = "\t".join(COLUMNS)
GRADIENT = "gradient\tگرادیان\t\tشیب\toptimization\t"


def write(folder: Path, *lines: str) -> Path:
    file = folder / "glossary.tsv"
    file.write_text("\n".join([HEADER, *lines]) + "\n", encoding="utf-8")
    return file


def test_a_concept_has_its_names_in_both_languages_the_best_first(tmp_path: Path) -> None:
    (concept,) = read_glossary(write(tmp_path, GRADIENT), Mistakes())
    assert concept.names == {"en": ("gradient",), "fa": ("گرادیان", "شیب")}
    assert concept.field == "optimization"


def test_a_name_may_be_shared_by_concepts_that_tell_their_senses(tmp_path: Path) -> None:
    file = write(
        tmp_path,
        "bias\tبایاس\t\t\tdeep-learning\tof a neuron",
        "bias\tاریبی\t\t\tstatistics\tof an estimator",
    )
    assert len(read_glossary(file, Mistakes())) == 2


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (["gradient\t\t\t\toptimization\t"], [":2:", "fa", "contains no word"]),
        (["\tگرادیان\t\t\toptimization\t"], [":2:", "en", "contains no word"]),
        (["gradient\tگرادیان"], [":2:", "2 columns instead of 6"]),
        ([GRADIENT.replace("optimization", "optimisation")], ["field", "Nearest: optimization"]),
        ([GRADIENT, "gradients\tشیب‌ها\t\t\toptimization\t"], [":3:", "en", "in line 2"]),
        ([GRADIENT, "slope\tگرادیان\t\t\tstatistics\t"], [":3:", "fa", "in line 2"]),
        (["gradient\tگرادیان\tgradient\t\toptimization\t"], [":2:", "'gradient' is given twice"]),
        (["gradient \tگرادیان\t\t\toptimization\t"], [":2:", "en", "extra spaces"]),
        (
            ["bias\tبایاس\t\t\tstatistics\tsame", "bias\tاریبی\t\t\tstatistics\tsame"],
            [":3:", "sense"],
        ),
    ],
)
def test_a_mistake_is_named_by_line_and_column(
    tmp_path: Path, lines: list[str], words: list[str]
) -> None:
    with pytest.raises(BadData) as caught:
        read_glossary(write(tmp_path, *lines), Mistakes())
    told = f"{caught.value.message} {caught.value.hint}"
    assert all(word in told for word in words), told


def test_a_wrong_header_is_named(tmp_path: Path) -> None:
    file = tmp_path / "glossary.tsv"
    file.write_text("english\tpersian\n")
    with pytest.raises(BadData, match="columns must be en, fa"):
        read_glossary(file, Mistakes())


def test_no_file_is_an_empty_glossary(tmp_path: Path) -> None:
    assert read_glossary(tmp_path / "none.tsv", Mistakes()) == ()
