"""Texts are encoded for search by meaning while the app is open."""

from __future__ import annotations

import pytest

from kb.model.draft import Draft
from kb.service import meaning
from tests.pretended import Pretended


async def test_texts_are_encoded_at_the_start_and_after_each_change(
    opened, library, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(meaning, "load_encoder", Pretended)
    async with opened() as reader:
        state = library.meaning.state()
        assert state["encoded"] == state["texts"] > 0
        library.edit.new(Draft({"en": "A new entry"}, {"source": {"en": "And its answer."}}))
        await reader.press(":tag", "x", "enter", "ctrl+s")
        after = library.meaning.state()
        assert after["encoded"] == after["texts"] == state["texts"] + 1


async def test_without_the_encoder_the_app_says_nothing(opened, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    async with opened() as reader:
        assert not reader.notices()
