"""What an annotation names in the other language, what its figures are, and when it was checked."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb import Library
from kb.model.entry import Anchor
from kb.service.diagnose import check_folder
from tests.content.test_folder import ENTRY, course

__all__ = ["course"]

TRANSLATED = """\
[[answer]]
role = "source"
lang = "fa"
text = "تکانه اندازهٔ گام را دو برابر می‌کند، بله دو برابر."
"""
WHOLE = ENTRY.replace(
    '[[answer]]\nrole = "reference"', f'{TRANSLATED}\n[[answer]]\nrole = "reference"'
)


def written(course: Path, *anchors: str) -> Path:
    said = "\n".join(anchors)
    text = WHOLE.replace('verdict = "wrong"', f'{said}\nverdict = "wrong"')
    (course / "optimization" / "01-momentum.toml").write_text(text)
    return course


def told(course: Path) -> str:
    return "\n".join(f"{each.found} {each.remedy}" for each in check_folder(course))


def test_an_annotation_names_the_words_of_our_translation(bundled: Library, course: Path) -> None:
    bundled.import_file(written(course, 'anchors.fa = "اندازهٔ گام"'))
    entry = bundled.show("momentum")
    text = entry.text("source", "fa")
    (annotation,) = entry.annotations
    assert annotation.anchors == {"fa": Anchor("source", "اندازهٔ گام", 6, 17)}
    assert text[6:17] == "اندازهٔ گام"
    assert [entry.is_translation(each) for each in entry.answers] == [False, True, False]


def test_words_that_stand_twice_are_told_apart(bundled: Library, course: Path) -> None:
    bundled.import_file(written(course, 'anchors.fa = { quote = "دو برابر", nth = 2 }'))
    entry = bundled.show("momentum")
    anchor = entry.annotations[0].anchors["fa"]
    assert anchor.start == entry.text("source", "fa").rindex("دو برابر")


@pytest.mark.long
@pytest.mark.parametrize(
    ("written_as", "sentence"),
    [
        ('anchors.fa = "گام را سه برابر"', "fa: 'گام را سه برابر' is not in the source"),
        ('anchors.fa = "دو برابر"', "fa: 'دو برابر' occurs 2 times"),
        ('anchors.fa = { quote = "دو برابر", nth = 3 }', "occurs 2 times"),
        ('anchors.fa = { quote = "دو برابر", nth = 0 }', "nth: the words are counted from 1"),
        ('anchors.en = "Momentum"', "en: the entry has no other source in 'en'"),
        ('anchors.de = "Momentum"', "de: the entry has no other source in 'de'"),
        ("checked = 2026-01-02", "the key 'until' is missing"),
        ("checked = 2026-01-02\nuntil = 2026-01-01", "until: 2026-01-01 is before the check"),
        ('checked = "today"\nuntil = 2026-01-01', "checked: must be a date"),
    ],
)
def test_an_anchor_or_a_day_that_cannot_be_is_named(
    course: Path, written_as: str, sentence: str
) -> None:
    assert sentence in told(written(course, written_as))


@pytest.mark.long
def test_a_text_without_an_anchor_is_told_as_advice(course: Path) -> None:
    assert "the annotation marks no words in 'fa'" in told(written(course))
    assert "names no words" not in told(written(course, 'anchors.fa = "گام"'))


@pytest.mark.long
def test_what_was_to_be_looked_at_again_is_advice_and_no_mistake(course: Path) -> None:
    past = "checked = 2020-01-02\nuntil = 2021-01-02"
    written(course, 'anchors.fa = "گام"', past)
    assert all(check.well for check in check_folder(course))
    assert "was checked on 2020-01-02, valid until 2021-01-02" in told(course)
    future = past.replace("2021", "9999")
    assert "was checked" not in told(written(course, 'anchors.fa = "گام"', future))


@pytest.mark.long
def test_a_figure_that_does_not_say_what_it_is_is_told(course: Path) -> None:
    file = course / "optimization" / "01-momentum.toml"
    file.write_text(ENTRY.replace('basis = "measured"\n', ""))
    assert "'growth' has no basis" in told(course)
    file.write_text(ENTRY.replace('basis = "measured"', 'basis = "guessed"'))
    assert "basis: unknown value 'guessed'" in told(course)


def test_a_repeat_has_the_days_of_what_it_repeats(bundled: Library, course: Path) -> None:
    start = ENTRY.index("[[annotation]]")
    again = ENTRY[start : ENTRY.index('verdict = "wrong"')]
    for said, other in (
        ("momentum-doubles", "momentum-again"),
        ("end = 31", "end = 16"),
        ("start = 0", "start = 9"),
        ('"Momentum doubles the step size."', '"doubles"'),
    ):
        again = again.replace(said, other)
    days = "checked = 2026-01-02\nuntil = 9999-01-02"
    file = written(course, 'anchors.fa = "گام"', days) / "optimization" / "01-momentum.toml"
    file.write_text(
        f'{file.read_text()}\n{again}repeats = "momentum-doubles"\nanchors.fa = "تکانه"\n'
    )
    bundled.import_file(course)
    said, repeated = bundled.show("momentum").annotations
    assert (
        (repeated.checked, repeated.until)
        == (said.checked, said.until)
        == ("2026-01-02", "9999-01-02")
    )
    assert repeated.anchors["fa"].quote == "تکانه"
