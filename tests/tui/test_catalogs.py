"""The message catalogs are complete, not stale and in Persian letters; the app imports little."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po

ROOT = Path(__file__).parents[2]
CATALOGS = sorted(ROOT.glob("tui/locale/*/LC_MESSAGES/*.po"))


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
    heavy = {"numpy", "whoosh", "sqlite_utils", "babel", "pygments", "markdown_it"}
    heavy |= {"kb.records.entry", "kb.records.annotation", "kb.evidence.runner", "kb.service"}
    assert not heavy & set(done.stdout.split())
