"""The knowledge base is made, or renewed, in the app, in sight of the reader."""

from __future__ import annotations

import os
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from kb.errors import BadDatabase, Cancelled, DiskFull
from kb.library import Library, open_library
from kb.terminal.layout import lay_out
from tests.tui.conftest import Gate, Reader
from tests.tui.fake_terminal import FakeTerminal
from tui.app import DaneshApp, build_and_open
from tui.screens.progress import BuildingScreen

ROOT = Path(__file__).resolve().parents[2]
TITLES = {"en": "Creating the knowledge base", "fa": "ساختن پایگاه دانش"}
LEFT_SCREEN = "\x1b[?1049l"


@contextmanager
def started(folder: Path, *arguments: str, language: str = "en") -> Iterator[FakeTerminal]:
    variables = {"KB_DB": str(folder / "kb.db"), "KB_LANG": language, "HOME": str(folder),
                 "KB_SETTINGS": str(folder / "settings.toml"), "TERM": "xterm-256color",
                 "PYTHONPATH": str(ROOT)}  # fmt: skip
    terminal = FakeTerminal([sys.executable, "-m", "kb", *arguments], {**os.environ, **variables})
    try:
        yield terminal
    finally:
        terminal.close()


def shown(words: str) -> str:
    return next(lay_out(words, 60)).text


@pytest.mark.long
@pytest.mark.parametrize("key", ["\x1b", "q", "\x11"])
def test_a_first_build_that_is_stopped_leaves_no_file_and_the_terminal_as_it_was(
    tmp_path: Path, language: str, key: str
) -> None:
    with started(tmp_path, language=language) as terminal:
        terminal.until_shown(shown(TITLES[language]))
        terminal.send(key)
        assert terminal.until_ended() == 130
        assert LEFT_SCREEN in terminal.written
        told = {"en": "kb: stopped, nothing was changed", "fa": shown("تغییر نکرد")}[language]
        assert told in terminal.written.split(LEFT_SCREEN)[-1]
    assert not list(tmp_path.glob("kb.db*"))


@pytest.mark.long
def test_after_the_first_build_the_main_screen_comes_by_itself(
    tmp_path: Path, language: str
) -> None:
    with started(tmp_path, "tui", "chain-rule-nothing", language=language) as terminal:
        assert terminal.until_ended() == 3
        assert {"en": "there is no entry", "fa": ":kb"}[language] in terminal.written
        assert "chain-rule-nothing" in terminal.written
    with started(tmp_path, language=language) as terminal:
        terminal.until_shown(shown({"en": "33 entries", "fa": "۳۳ مدخل"}[language]))
        assert shown(TITLES[language]) not in terminal.shown
        terminal.leave()
        assert terminal.process.returncode == 0


async def test_a_renewal_is_made_in_sight_and_stopped_without_loss(
    bundled, tmp_path: Path, gate: Gate
) -> None:
    path = tmp_path / "kb.db"
    bundled.backups.make(path)
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE meta SET value = 'older' WHERE key = 'analyzer'")
    copies = {file.name for file in tmp_path.glob("kb.db*")}

    def opening(progress):
        def step(done, total):
            gate.pass_through()
            progress(done, total)

        return open_library(path, progress=step)

    app = DaneshApp(opening)
    async with app.run_test(size=(80, 24)) as pilot:
        await gate.reached()
        await pilot.pause()
        assert TITLES["en"] in Reader(app, pilot).text()
        await pilot.press("q")
        gate.open()
        await Reader(app, pilot).settle()
    assert isinstance(app.refusal, Cancelled) and app.main is None
    with sqlite3.connect(path) as connection:
        (kept,) = connection.execute("SELECT value FROM meta WHERE key = 'analyzer'").fetchone()
    assert kept == "older"
    assert {file.name for file in tmp_path.glob("kb.db*")} - copies <= {"kb.db-wal", "kb.db-shm"}


def test_what_was_opened_is_closed_where_the_app_ends_by_an_error(monkeypatch) -> None:
    closed, library = [], ExitStack()
    library.callback(closed.append, "library")

    def run(app):
        app._opening(lambda done, total: None)
        raise RuntimeError("it broke")

    monkeypatch.setattr("sys.setswitchinterval", lambda seconds: None)
    monkeypatch.setattr(DaneshApp, "run", run)
    with pytest.raises(RuntimeError):
        build_and_open(lambda progress: library, None)
    assert closed == ["library"]


def test_what_is_no_database_is_told_before_there_is_an_app(tmp_path: Path) -> None:
    (tmp_path / "kb.db").write_text("no database at all, though long enough to be looked at")
    with started(tmp_path) as terminal:
        assert terminal.until_ended() == 4
        assert "\x1b[?1049h" not in terminal.written


async def test_steps_are_shown_and_another_key_stops_nothing(library: Library, gate: Gate) -> None:
    def opening(progress):
        progress(3, 12)
        gate.pass_through()
        progress(12, 12)
        return library

    app = DaneshApp(opening)
    async with app.run_test(size=(80, 24)) as pilot:
        await gate.reached()
        await pilot.press("x", "enter", "ctrl+p", "escape")
        assert isinstance(app.screen, BuildingScreen)
        assert "3 of 12" in Reader(app, pilot).text()
        gate.open()
        await Reader(app, pilot).settle()
        assert app.screen is app.main and "3 entries" in Reader(app, pilot).text()


@pytest.mark.parametrize("error", [DiskFull("no room is left"), BadDatabase("it is damaged")])
async def test_what_makes_it_fail_ends_the_app_and_is_raised(error) -> None:
    def opening(progress):
        progress(0, 0)
        raise error

    app = DaneshApp(opening)
    async with app.run_test() as pilot:
        await Reader(app, pilot).settle()
    assert app.refusal is error and app.main is None
