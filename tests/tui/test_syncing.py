"""Syncing in the background, with the place that was synced with before, if told to."""

from __future__ import annotations

import select
import socket
import threading

import pytest

from kb import open_library
from kb.evidence.trust import remember_synced
from kb.model.draft import Amendment
from kb.model.results import Filters
from kb.settings import Settings
from kb.store.sqlite.syncs import Space
from tests.conftest import PATIENCE
from tui.app import DaneshApp
from tui.bidi import label
from tui.welcoming import remember_welcome
from tui.widgets.bidi_text import ActionText

ON = Settings(sync="on")
SAID = {
    "en": {"changed": "The sync changed 1 entry", "failed": "Not synced"},
    "fa": {"changed": "همگام‌سازی ۱ مدخل را تغییر داد", "failed": "همگام نشد"},
}


@pytest.fixture
def stick(library, empty, tmp_path, monkeypatch):
    """A file that two copies synced with; the app waits no minutes."""
    monkeypatch.setattr("tui.session._REST_SECONDS", 0.05)
    path = tmp_path / "stick.sync"
    library.edit.tag(["flash"], ["nets"])
    for each in (library, empty):
        each.sync.sync_file(path)
    return path


def status(reader) -> str:
    return reader.main.query_one("#status", ActionText).text


@pytest.mark.long
async def test_changes_arrive_at_the_start_and_leave_after_a_change(
    opened, library, empty, stick, language
):
    empty.edit.amend("flash", Amendment(level="H"))
    empty.sync.sync_file(stick)
    async with opened(settings=ON) as reader:
        assert library.show("flash").level == "H"
        assert reader.notices() == label(SAID[language]["changed"])
        await reader.press(":tag", *"one", "enter", "ctrl+s")
        await reader.until(lambda: "one" in library.show("flash").tags)
        await reader.until(lambda: library.files.unsynced() == (0, 0))
    empty.sync.sync_file(stick)
    assert empty.list(filters=Filters(tag="one")).total == 1


def test_what_is_unsent_is_counted_at_one_moment(library, stick, monkeypatch):
    library.edit.tag(["flash"], ["more"])
    syncs = library._base.store.syncs
    count = syncs.count_unsent

    def meanwhile(space):
        found = count(space)
        if other:  # a sync at work stores the row after the rows were counted
            with open_library(other.pop()) as copy:
                copy.sync.sync_file(stick.with_name("other.sync"))
        return found

    other = [library.path]
    monkeypatch.setattr(syncs, "count_unsent", meanwhile)
    assert library.files.unsynced() == (1, 0)


async def test_nothing_is_synced_unless_told_to(opened, library, empty, stick):
    empty.edit.amend("flash", Amendment(level="H"))
    empty.sync.sync_file(stick)
    async with opened() as reader:
        await reader.press(":tag", *"one", "enter", "ctrl+s")
        assert library.show("flash").level is None
        assert library.files.unsynced() == (1, 0)


async def test_a_base_that_never_synced_says_nothing(opened, tmp_path):
    async with opened(settings=ON) as reader:
        assert not reader.notices()
        assert not status(reader)
    assert not list(tmp_path.glob("*.sync"))


async def test_a_stick_that_is_not_there_is_one_line_in_the_status(
    opened, library, stick, language
):
    away = stick.rename(stick.with_suffix(".away"))
    said = SAID[language]["failed"]
    async with opened(settings=ON) as reader:
        assert not reader.notices()
        await reader.press(":tag", *"one", "enter", "ctrl+s")
        await reader.until(lambda: said in status(reader))
        assert library.files.unsynced() == (1, 0)
        assert not stick.exists()  # a folder where no stick is mounted gets no file
        away.rename(stick)
        await reader.press("u")
        await reader.until(lambda: said not in status(reader))


async def test_the_app_answers_while_it_syncs(opened, library, stick, gate, monkeypatch):
    sync = library.sync.sync_known

    def held(**options):
        gate.pass_through()
        return sync(**options)

    monkeypatch.setattr(library.sync, "sync_known", held)
    gate.open()
    async with opened(settings=ON) as reader:
        gate.close()
        reader.main.syncing.sync()
        await gate.reached()
        library.edit.tag(["flash"], ["meanwhile"])
        await reader.pilot.press("slash", *"throughput")
        await reader.until(lambda: reader.main._search.query_text == "throughput")
        gate.open()
        await reader.settle()
        assert library.files.unsynced() == (0, 0)


def quit_while_it_syncs(library, holds) -> list[threading.Thread]:
    """Quit with q once a sync at the start is where ``holds``; return its thread if it is alive."""

    async def leave(pilot) -> None:
        while not holds():
            await pilot.pause(0.005)
        threads.extend(each for each in threading.enumerate() if each not in before)
        await pilot.press("q")

    before, threads = threading.enumerate(), []
    remember_welcome()
    DaneshApp(library, settings=ON).run(headless=True, auto_pilot=leave)
    return [each for each in threads if each.is_alive()]


def test_quitting_does_not_wait_for_a_silent_hub(library, monkeypatch):
    pytest.importorskip("psycopg")
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"postgresql://127.0.0.1:{silent.getsockname()[1]}/hub?sslmode=disable"
        remember_synced(address)
        with library._base.store.transaction():
            library._base.store.syncs.put_space(Space(address, "basics"))
        told: list[object] = []
        monkeypatch.setattr(threading, "excepthook", told.append)
        (thread,) = quit_while_it_syncs(library, lambda: select.select([silent], [], [], 0)[0])
        library.close()  # while it waits for the hub still
    thread.join(PATIENCE)
    assert not thread.is_alive() and not told


def test_a_sync_that_is_between_two_steps_ends_before_the_app(library, monkeypatch):
    steps: list[int] = []

    def endless(*, progress):
        while True:
            library.edit.tag(["flash"], [f"step-{len(steps)}"])
            steps.append(1)
            progress(0, 0)

    monkeypatch.setattr(library.sync, "sync_known", endless)
    assert not quit_while_it_syncs(library, lambda: len(steps) > 1)
    assert len(library.show("flash").tags) == len(steps)
