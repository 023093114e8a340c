"""The message catalogs are complete, not stale and in Persian letters; faces say what they hold."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb import i18n
from kb.i18n.sentences import said
from tests.catalog import CATALOGS, ROOT, messages, translated

GAP = re.compile(r"\{(?:[0-9]|[a-z_]*)\}")


@pytest.fixture
def persian() -> Iterator[None]:
    i18n.use_language("fa")
    yield
    i18n.use_language("en")


def sentences() -> list[tuple[str, str]]:
    """Return the templates of sentences, and how they are said."""
    found = ((each.id, each.string) for each in translated(CATALOGS[0]))
    return [(one, told) for one, told in found if isinstance(one, str) and "{}" in one]


@pytest.mark.long
@pytest.mark.parametrize("path", CATALOGS, ids=lambda path: path.parent.parent.name)
def test_no_message_is_missing_or_stale(path: Path) -> None:
    found = {m.id if isinstance(m.id, str) else m.id[0]: m.string for m in translated(path) if m.id}
    wanted = {each if isinstance(each, str) else each[0] for each in messages()}
    assert wanted - set(found) == set()
    assert set(found) - wanted == set()
    for message, string in found.items():
        assert all([string] if isinstance(string, str) else string), message


@pytest.mark.parametrize("path", CATALOGS, ids=lambda path: path.parent.parent.name)
def test_a_translation_has_the_gaps_of_its_message(path: Path) -> None:
    for message in translated(path):
        for one, told in zip(*map(_texts, (message.id, message.string)), strict=True):
            wanted = GAP.findall(one)
            if "{}" in wanted:
                wanted = [f"{{{number}}}" for number in range(len(wanted))]
            assert sorted(set(GAP.findall(told))) == sorted(set(wanted)), one


def _texts(one: str | tuple[str, ...] | list[str]) -> list[str]:
    return [one] if isinstance(one, str) else list(one)


@pytest.mark.parametrize("path", CATALOGS, ids=lambda path: path.parent.parent.name)
def test_translations_are_written_with_persian_letters(path: Path) -> None:
    assert not set(path.read_text()) & set("يكة٠١٢٣")


@pytest.mark.parametrize(("template", "told"), sentences(), ids=lambda each: None)
def test_every_sentence_is_known_by_its_template(persian: None, template: str, told: str) -> None:
    names = [f"n{number}.toml" for number in range(template.count("{}"))]
    whole = template
    for name in names:
        whole = whole.replace("{}", name, 1)
    assert said(whole) == re.sub(r"\{(\d)\}", lambda gap: names[int(gap[1])], told)


@given(st.text(alphabet="abc: '{}().0123456789آب\n", max_size=60))
def test_any_text_may_stand_in_a_gap_and_none_raises(name: str) -> None:
    i18n.use_language("fa")
    try:
        assert name in said(f"no such entry '{name}'") or not name
        said(name)
    finally:
        i18n.use_language("en")


def test_what_is_not_known_stays_as_it_is(persian: None) -> None:
    assert said("a stone: in the sea") == "a stone: in the sea"


def test_in_english_nothing_is_looked_up() -> None:
    assert said("stopped") == "stopped"


def test_the_app_loads_nothing_heavy_before_it_is_needed() -> None:
    program = "import sys, tui.app\nprint(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT
    )
    heavy = {"numpy", "whoosh", "sqlite_utils", "babel", "pygments", "markdown_it"}
    heavy |= {"kb.records.entry", "kb.records.annotation", "kb.evidence.runner", "kb.service"}
    assert not heavy & set(done.stdout.split())
