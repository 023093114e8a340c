"""What the general vocabulary must hold, how a mistake in it is told, and what it is for."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kb import Library
from kb.content.bundled import GLOSSARY_FILE, VOCABULARY_FILE, bundled_folder
from kb.content.context import Mistakes
from kb.content.glossary import COLUMNS, read_glossary, read_vocabulary
from kb.errors import BadData
from kb.text.analyzer import stems

HEADER = "\t".join(COLUMNS[:4])


def write(folder: Path, *lines: str) -> Path:
    file = folder / VOCABULARY_FILE
    file.write_text("\n".join([HEADER, *lines]) + "\n", encoding="utf-8")
    return file


def test_a_word_has_its_counterparts_the_best_first_and_may_share_them(tmp_path: Path) -> None:
    file = write(tmp_path, "step\tگام\t\tقدم", "footstep\tگام\t\tردپا")
    step, footstep = read_vocabulary(file, Mistakes())
    assert step.names == {"en": ("step",), "fa": ("گام", "قدم")}
    assert footstep.names["fa"] == ("گام", "ردپا")


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (["river\t\t\t"], [":2:", "fa", "contains no word"]),
        (["river\tرود"], [":2:", "2 columns instead of 4"]),
        (["river\tرود\t\t", "rivers\tرودها\t\t"], [":3:", "en", "in line 2"]),
        (["river\tرود\t\tرود"], [":2:", "'رود' is given twice"]),
        (["river\tرود \t\t"], [":2:", "fa", "extra spaces"]),
    ],
)
def test_a_mistake_is_named_by_line_and_column(
    tmp_path: Path, lines: list[str], words: list[str]
) -> None:
    with pytest.raises(BadData) as caught:
        read_vocabulary(write(tmp_path, *lines), Mistakes())
    assert all(word in caught.value.message for word in words)


def test_a_header_is_asked_for(tmp_path: Path) -> None:
    file = tmp_path / VOCABULARY_FILE
    file.write_text("river\tرود\n", encoding="utf-8")
    with pytest.raises(BadData, match="columns must be en, fa"):
        read_vocabulary(file, Mistakes())


def test_the_bundled_one_is_written_in_persian_and_leaves_terms_to_the_glossary() -> None:
    mistakes = Mistakes()
    words = read_vocabulary(bundled_folder() / VOCABULARY_FILE, mistakes)
    terms = read_glossary(bundled_folder() / GLOSSARY_FILE, Mistakes())
    assert len(words) > 5_500 and mistakes.advice == []
    names = [name for word in words for name in word.names["fa"]]
    assert [name for name in names if not re.fullmatch(r"[آ-ی\u200cأؤئءۀ ]+", name)] == []
    known = {stems(name, "en") for term in terms for name in term.names["en"]}
    assert [word for word in words if stems(word.names["en"][0], "en") in known] == []


@pytest.mark.parametrize(
    ("word", "lang", "other"),
    [("river", "fa", "رودخانه"), ("phenomena", "fa", "پدیده"), ("رودخانه‌ها", "en", "river")],
)
def test_a_word_is_translated_by_it(bundled: Library, word: str, lang: str, other: str) -> None:
    assert other in bundled.glossary.translate(word)[lang]
