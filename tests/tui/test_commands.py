"""The registry of the app's commands: complete, reachable, and nothing bound twice."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po

from tests.tui.conftest import Open, screen_text, settled
from tui.commands import COMMANDS, bindings

ROOT = Path(__file__).parents[2]
CATALOGS = sorted(ROOT.glob("tui/locale/*/LC_MESSAGES/*.po"))


def test_every_command_has_a_name_a_sentence_a_group_and_a_key() -> None:
    for command in COMMANDS:
        assert command.keys
        assert command.label
        assert command.description.endswith(".")
        assert command.group
    assert max(Counter(command.id for command in COMMANDS).values()) == 1


@pytest.mark.parametrize("place", ["app", "screen", "search", "list", "reading", "link"])
def test_no_key_is_bound_twice_in_one_place(place: str) -> None:
    keys = [key for binding in bindings(place) for key in binding.key.split(",")]  # type: ignore[arg-type, union-attr]
    assert [key for key, count in Counter(keys).items() if count > 1] == []


def test_every_binding_has_an_id_a_tooltip_and_a_group() -> None:
    for binding in bindings("screen"):
        assert binding.id  # type: ignore[union-attr]
        assert binding.tooltip  # type: ignore[union-attr]
        assert binding.group  # type: ignore[union-attr]


def test_no_key_that_a_terminal_sends_for_another_is_the_only_way() -> None:
    for command in COMMANDS:
        assert set(command.keys) - {"ctrl+m", "ctrl+i", "ctrl+h"}, command.id


async def test_help_explains_every_command(opened: Open) -> None:
    async with opened(size=(120, 140)) as pilot:
        await pilot.press("question_mark")
        await settled(pilot)
        shown = " ".join(screen_text(pilot).split())
        for command in COMMANDS:
            assert command.description[:30] in shown, command.id


async def test_the_palette_offers_what_can_be_done_now(opened: Open) -> None:
    async with opened("matrix-chain-three", size=(120, 60)) as pilot:
        await pilot.press("ctrl+p")
        await settled(pilot)
        shown = screen_text(pilot)
        assert "Run (r)" in shown
        assert "Stop (x)" not in shown
        assert "Run the snippet" in shown


def messages() -> set[str]:
    found = extract_from_dir(
        str(ROOT / "tui"),
        method_map=[("**.py", "python")],
        keywords={"_": None, "N_": None, "ngettext": (1, 2)},
    )
    return {m[2] if isinstance(m[2], str) else m[2][0] for m in found if m[2]}


@pytest.mark.parametrize("catalog", CATALOGS, ids=lambda path: path.parent.parent.name)
def test_no_message_is_missing_or_stale(catalog: Path) -> None:
    with catalog.open("rb") as file:
        translated = {
            m.id if isinstance(m.id, str) else m.id[0]: m.string for m in read_po(file) if m.id
        }
    assert messages() - set(translated) == set()
    assert set(translated) - messages() == set()
    for message, string in translated.items():
        assert all([string] if isinstance(string, str) else string), message


@pytest.mark.parametrize("catalog", CATALOGS, ids=lambda path: path.parent.parent.name)
def test_translations_are_written_with_persian_letters(catalog: Path) -> None:
    text = catalog.read_text()
    assert not set(text) & set("يكة٠١٢٣")


def test_the_app_loads_nothing_heavy_before_it_is_needed() -> None:
    program = "import sys, tui.app\nprint(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert not {"numpy", "whoosh", "sqlite_utils", "babel", "pygments"} & set(done.stdout.split())
