"""Changes in any order, taken back and done again, leave what a plain model of them holds.

``python -m tests.service.long_changes --sequences 10000`` runs as many sequences as one wants.
"""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from kb import Library
from kb.service import changes
from kb.service.base import Base
from tests.plugin import times
from tests.service.long_changes import run_many

_SEQUENCES, _STEPS = times(15), 10


@pytest.fixture
def template(empty: Library) -> Path:
    empty.close()
    return Path(empty.path)


@pytest.mark.long
@pytest.mark.scaled
def test_whatever_is_done_and_taken_back_the_base_is_what_the_model_says(
    template: Path, tmp_path: Path
) -> None:
    assert run_many(range(_SEQUENCES), _STEPS, template, tmp_path) == []


@pytest.mark.long
@pytest.mark.scaled
def test_what_came_with_danesh_is_edited_hidden_and_taken_back_as_the_model_says(
    bundled_path: Path, tmp_path: Path
) -> None:
    assert run_many(range(times(1)), 8, bundled_path, tmp_path) == []


@pytest.mark.long
@pytest.mark.parametrize("broken", ["tags", "position", "layer"])
def test_a_broken_undo_is_found(
    template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    real = changes.write_entry

    def write(base: Base, entry, owner, position=None, layer=0) -> None:  # type: ignore[no-untyped-def]
        if broken == "tags":
            entry = dataclasses.replace(entry, tags=())
        real(
            base, entry, owner,
            None if broken == "position" else position,
            0 if broken == "layer" else layer,
        )  # fmt: skip

    monkeypatch.setattr(changes, "write_entry", write)
    found = run_many(range(500), 30, template, tmp_path, most=1)
    assert found
    assert "seed" in found[0]
