"""The message catalogs are complete, not stale and in Persian letters; faces say what they hold."""

from __future__ import annotations

import json
import pickle
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb import i18n
from kb.errors import BadData, Message, NotFound, counted, joined_sentences, nearest
from kb.i18n import _
from kb.i18n.names import figure_in_words
from kb.present.programs import Parameter
from tests.catalog import CATALOGS, GAP, ROOT, finished, messages_of, translated
from tui.phrases import range_of


@pytest.fixture
def persian() -> Iterator[None]:
    i18n.use_language("fa")
    yield
    i18n.use_language("en")


def sentences() -> list[tuple[str, str]]:
    """Return the messages with gaps, and how they are said."""
    found = ((each.id, each.string) for each in translated(CATALOGS[0]))
    return [(one, told) for one, told in found if isinstance(one, str) and GAP.search(one)]


@pytest.mark.long
@pytest.mark.parametrize("path", CATALOGS, ids=lambda path: path.stem)
def test_no_message_is_missing_or_stale(path: Path) -> None:
    found = {m.id if isinstance(m.id, str) else m.id[0]: m.string for m in translated(path) if m.id}
    wanted = {each if isinstance(each, str) else each[0] for each in messages_of(path)}
    assert wanted - set(found) == set()
    assert set(found) - wanted == set()
    for message, string in found.items():
        assert all([string] if isinstance(string, str) else string), message


@pytest.mark.parametrize("path", CATALOGS, ids=lambda path: path.stem)
def test_a_translation_has_the_gaps_of_its_message(path: Path) -> None:
    for message in translated(path):
        for one, told in zip(*map(_texts, (message.id, message.string)), strict=True):
            assert set(GAP.findall(told)) == set(GAP.findall(one)), one


def _texts(one: str | tuple[str, ...] | list[str]) -> list[str]:
    return [one] if isinstance(one, str) else list(one)


@pytest.mark.parametrize("path", CATALOGS, ids=lambda path: path.stem)
def test_translations_are_written_with_persian_letters(path: Path) -> None:
    assert not set(path.read_text()) & set("يكة٠١٢٣")


@pytest.mark.parametrize(("template", "told"), sentences(), ids=lambda each: None)
def test_every_message_is_said_by_its_template(persian: None, template: str, told: str) -> None:
    gaps = {gap[1]: gap[2] for gap in re.finditer(r"(?<!\{)\{(\w+)([^{}]*)\}", template)}
    given = {name: 3 if ":" in how else f"{name}.toml" for name, how in gaps.items()}
    told = told.replace("{{", "{").replace("}}", "}")
    for name, how in gaps.items():
        told = told.replace(f"{{{name}{how}}}", _(f"{{{name}{how}}}", **given))
    assert _(Message(template, **given)) == told


@pytest.mark.parametrize("path", sorted(ROOT.glob("kb/**/*.py")), ids=str)
def test_no_message_is_finished_before_it_is_shown(path: Path) -> None:
    assert path.name == "errors.py" or list(finished(path)) == []


@given(st.text(alphabet="abc: '{}().0123456789آب\n", max_size=60))
def test_any_text_may_stand_in_a_gap_and_none_raises(name: str) -> None:
    i18n.use_language("fa")
    try:
        error = NotFound("no such key '{name}'", nearest(name, ["a"]), place=name, name=name)
        assert f"«{name}»" in _(error.message)
        assert error.hint == "" or _(error.hint) != error.hint
        assert _(name) == name
    finally:
        i18n.use_language("en")


def test_units_of_parameters_are_in_persian(persian: None) -> None:
    assert range_of(Parameter("DEPTH", 20, 2, 80, "layers")).endswith("۲ تا ۸۰ لایه")
    assert range_of(Parameter("DEPTH", 20, 2, 80)).endswith("۲ تا ۸۰")


def test_a_figure_of_ours_has_a_persian_name_and_one_of_the_reader_keeps_its_own(
    persian: None,
) -> None:
    assert figure_in_words("error_one_pass_p95") == "خطای واریانس یک‌گذره (p95)"
    assert figure_in_words("error_one_pass_median") == "خطای واریانس یک‌گذره (میانه)"
    assert figure_in_words("error_one_pass_median", "en") == "error one pass (median)"
    assert figure_in_words("my_own") == "my own"
    assert figure_in_words("error_one_pass_p95", "en") == "error one pass (p95)"


def test_an_error_is_english_and_known_by_its_template(persian: None) -> None:
    error = BadData("has more than {most:,} lines", place="a.tsv", most=20000)
    assert str(error) == error.message == "a.tsv: has more than 20,000 lines"
    assert _(error.message) == "a.tsv: بیش از ۲۰٬۰۰۰ سطر دارد"
    assert _(pickle.loads(pickle.dumps(error)).message) == _(error.message)
    assert json.dumps(error.message) == '"a.tsv: has more than 20,000 lines"'


def test_messages_within_a_message_are_said_in_its_language(persian: None) -> None:
    why = Message("this is a folder", place="b.md")
    told = Message("shows a file that was skipped: {why}", place="a.md:3", why=why)
    assert told == "a.md:3: shows a file that was skipped: b.md: this is a folder"
    assert _(told) == "a.md:3: فایلی را نشان می‌دهد که وارد نمی‌شود: b.md: این پوشه است"
    assert _(joined_sentences("Name a file.", "", why)) == "فایلی را مشخص کنید. b.md: این پوشه است"


def test_what_is_counted_agrees_with_its_number(persian: None) -> None:
    one, many = "{n} skipped: it was there before", "{n} skipped: they were there before"
    assert counted(1, one, many) == "1 skipped: it was there before"
    assert _(counted(1, one, many)) == "۱ مورد وارد نشد: پیش‌تر آمده بود"
    assert _(counted(2, one, many)) == "۲ مورد وارد نشد: پیش‌تر آمده بودند"


def test_a_place_may_be_left_out_or_put_before() -> None:
    message = Message("is {", place="a")
    assert message == "a: is {"
    assert message.without_place("b") == message
    assert message.without_place("a") == message.without_place() == "is {"
    assert Message(message, place="b:3") == "b:3: a: is {"


def test_what_is_not_known_stays_as_it_is(persian: None) -> None:
    assert _("a stone: in the sea") == "a stone: in the sea"


def test_in_english_nothing_is_looked_up() -> None:
    assert _("stopped") == "stopped"


def test_the_app_loads_nothing_heavy_before_it_is_needed() -> None:
    program = "import sys, tui.app\nprint(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT
    )
    heavy = {"numpy", "whoosh", "sqlite_utils", "babel", "pygments", "markdown_it"}
    heavy |= {"kb.model.entry", "kb.evidence.runner", "kb.service"}
    assert not heavy & set(done.stdout.split())
