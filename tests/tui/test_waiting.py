"""What was typed is never lost where another program writes, or where it cannot be stored."""

from __future__ import annotations

import contextlib
import math

import pytest
from textual.widgets import Input, TextArea

from kb.store.sqlite import driver, locking
from tests.tui.test_writing import mark, texts
from tui.screens.note import NoteScreen, ProgramScreen
from tui.screens.progress import ProgressScreen
from tui.screens.questions import LineScreen, TagScreen
from tui.screens.writing import WritingScreen

NOTE = "یادداشت of mine"


@contextlib.contextmanager
def locked(library):
    """Let another program hold the write lock."""
    holder = driver.sqlite3.connect(library.path, isolation_level=None, check_same_thread=False)
    holder.execute("BEGIN IMMEDIATE")
    try:
        yield holder
    finally:
        if holder.in_transaction:
            holder.execute("ROLLBACK")
        holder.close()


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(locking, "PATIENCE", 0)


@pytest.fixture
def patient(monkeypatch):
    monkeypatch.setattr(locking, "PATIENCE", math.inf)


async def write_note(reader):
    await reader.press("a", "right", "tab", *NOTE)


def kept(library, entry):
    return [each.note for each in library.show(entry).annotations if each.own]


@pytest.mark.long
async def test_a_note_stays_in_its_form_until_it_is_stored(opened, library, impatient):
    async with opened("chain") as reader:
        before = kept(library, "chain")
        await write_note(reader)
        with locked(library):
            await reader.press("ctrl+s")
            assert isinstance(reader.app.screen, NoteScreen)
            assert reader.app.screen.query_one(TextArea).text == NOTE
            assert "is writing" in texts(reader)
            assert kept(library, "chain") == before
        await reader.press("ctrl+s")
        assert reader.app.screen is reader.main
        assert NOTE in [text for note in kept(library, "chain") for text in note.values()]


@pytest.mark.long
async def test_an_entry_stays_in_its_form_until_it_is_stored(opened, library, impatient):
    async with opened() as reader:
        await reader.press("n", *"What is a logit?")
        with locked(library):
            await reader.press("ctrl+s")
            assert isinstance(reader.app.screen, WritingScreen)
            assert "is writing" in texts(reader)
        assert reader.app.screen.query(TextArea).first().text == "What is a logit?"
        await reader.press("ctrl+s")
        assert library.list().total == 4


@pytest.mark.long
async def test_a_program_and_tags_and_a_name_stay_until_they_are_stored(opened, library, impatient):
    async with opened("chain") as reader:
        await reader.app.run_action("new_program", reader.main._notes)
        await reader.settle()
        assert isinstance(reader.app.screen, ProgramScreen)
        await reader.press("tab", *"print(1)")
        with locked(library):
            await reader.press("ctrl+s")
            assert isinstance(reader.app.screen, ProgramScreen)
            assert reader.app.screen.query_one(TextArea).text == "print(1)"
        await reader.press("ctrl+s")
        assert reader.app.screen is reader.main
        await mark(reader, 1)
        await reader.press(":tag", *"mine")
        with locked(library):
            await reader.press("ctrl+s")
            assert isinstance(reader.app.screen, TagScreen)
            assert reader.app.screen.query_one(Input).value == "mine"
        await reader.press("escape", "y", ":collections", "insert")
        if not isinstance(reader.app.screen, LineScreen):
            await reader.app.screen.run_action("new_collection")
            await reader.settle()
        screen = reader.app.screen
        assert isinstance(screen, LineScreen)
        screen.query_one(Input).value = "خودم/one"
        with locked(library):
            await reader.press("enter")
            assert reader.app.screen is screen
        await reader.press("enter")
        assert "خودم/one" in [each.id for each in library.collections.tree()]


@pytest.mark.long
async def test_whom_a_note_waits_for_is_shown_and_waiting_leads_back_to_the_form(
    opened, library, language, patient
):
    async with opened("chain") as reader:
        before = kept(library, "chain")
        await write_note(reader)
        with locked(library):
            await reader.pilot.press("ctrl+s")
            await reader.until(lambda: isinstance(reader.app.screen, ProgressScreen))
            said = "is writing" if language == "en" else "در حال نوشتن"
            await reader.until(lambda: said in texts(reader))
            await reader.press("escape")
            assert isinstance(reader.app.screen, NoteScreen)
            assert reader.app.screen.query_one(TextArea).text == NOTE
        assert kept(library, "chain") == before
        await reader.press("ctrl+s")
        assert reader.app.screen is reader.main
        assert len(kept(library, "chain")) == len(before) + 1


@pytest.mark.long
async def test_a_note_that_waited_is_stored_once_the_other_has_finished(opened, library, patient):
    async with opened("chain") as reader:
        before = kept(library, "chain")
        await write_note(reader)
        with locked(library) as holder:
            await reader.pilot.press("ctrl+s")
            await reader.until(lambda: isinstance(reader.app.screen, ProgressScreen))
            holder.execute("ROLLBACK")
            await reader.settle()
        assert reader.app.screen is reader.main
        assert len(kept(library, "chain")) == len(before) + 1
