"""What the tests share: a small library, and a reader who waits for answers, never for time."""

from __future__ import annotations

import asyncio
import shutil
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path

import pytest
from textual._compositor import Compositor
from textual._context import visible_screen_stack
from textual.command import CommandList, CommandPalette
from textual.pilot import Pilot
from textual.screen import Screen
from textual.worker import Worker, WorkerCancelled, WorkerFailed

from kb import i18n
from kb.library import Library, open_library
from kb.settings import Settings
from tests.conftest import PATIENCE
from tests.databases import new_library
from tests.tui.sample import write_sample
from tui import terminal
from tui.app import DaneshApp
from tui.commands import BY_ID, rebind
from tui.screens.palette import palette_name
from tui.welcoming import remember_welcome
from tui.widgets.entry_view import EntryView

_ENVIRONMENT = ("KB_LANG", "LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG", "VTE_VERSION", "TMUX",
                "STY", "KONSOLE_VERSION", "MLTERM", "KITTY_WINDOW_ID", "TERM_PROGRAM",
                "XTERM_VERSION")  # fmt: skip


class Gate:
    """Holds the work of a thread still where it passes, until the test opens it."""

    def __init__(self) -> None:
        self._reached, self._open = threading.Event(), threading.Event()

    def pass_through(self) -> None:
        """Say that the work is here, and wait in its thread."""
        self._reached.set()
        assert self._open.wait(PATIENCE), "the test never opened its gate"

    async def reached(self) -> None:
        """Wait in the test until the work is here, where it stays."""
        async with asyncio.timeout(PATIENCE):
            while not self._reached.is_set():
                await asyncio.sleep(0.005)

    def open(self) -> None:
        self._open.set()

    def close(self) -> None:
        """Hold what comes from now on."""
        self._reached.clear()
        self._open.clear()


class Reader:
    """The app under test, with what a person would see and do."""

    def __init__(self, app: DaneshApp, pilot: Pilot[None]) -> None:
        self.app = app
        self.pilot = pilot

    @property
    def main(self):
        return self.app.main

    async def settle(self) -> None:
        """Wait until no worker works, every message is handled and what follows is laid out."""
        while True:
            await self.pilot.pause()
            if at_work := self._workers():
                # A newer one has taken its place, or the app tells what failed.
                with suppress(WorkerCancelled, WorkerFailed):
                    await self.app.workers.wait_for_complete(at_work)
            elif not self.pending():
                return

    def pending(self) -> bool:
        """Say whether a message, a layout, a drawing or a scrolling is still to come."""
        if self.app._exit:  # what an app that ends has not handled it handles no more
            return False
        screen, animator = self.app.screen, self.app.animator
        pumps = (self.app, *screen.walk_children(with_self=True))
        undrawn = (
            screen._layout_required
            or screen._scroll_required
            or screen._repaint_required
            or screen._recompose_required
            or screen._dirty_widgets
            or screen._callbacks
            or self.app._resize_event
            or self.app._batch_count
        )
        moving = animator._animations or animator._scheduled
        return bool(
            undrawn
            or moving
            or any(pump.message_queue_size or pump._next_callbacks for pump in pumps)
        )

    def working(self) -> set[str]:
        """Return the groups of the workers that are at work."""
        return {worker.group for worker in self._workers()}

    def _workers(self) -> list[Worker[object]]:
        # A worker of the app's own loop may wait for the reader's answer; a thread never does.
        return [
            worker
            for worker in self.app.workers
            if (worker._thread_worker or worker.group != "default") and not worker.is_finished
        ]

    async def unfold(self) -> None:
        """Unfold every layer of the entry that is read, and the code of its programs."""
        view = self.main.query_one(EntryView)
        programs = [f"code of {each.id}" for each in view.reading.entry.snippets]
        layers = ("deeper", "source", "programs", "related")
        view.turn(replace(view.reading, opened=frozenset([*layers, *programs])))
        await self.settle()

    async def until(self, holds: Callable[[], object]) -> None:
        """Wait for what a thread brings about; it must last until the test lets it go on."""
        async with asyncio.timeout(PATIENCE):
            while not holds():
                await self.pilot.pause(0.005)

    async def press(self, *keys: str) -> None:
        """Press keys, each once what the one before has led to is there.

        ``:ID`` is a command that is chosen from the list of all commands.
        """
        for key in keys:
            if key.startswith(":") and len(key) > 1:
                await self.choose(key[1:])
            else:
                await self.pilot.press(key)
            await self.settle()

    async def choose(self, command: str) -> None:
        """Choose a command from the list of all commands, and do not wait for what it does."""
        await self.pilot.press("ctrl+p")
        await self.until(lambda: self.app.screen.query(CommandList))
        await self.until(lambda: CommandPalette._GATHER_COMMANDS_GROUP not in self.working())
        listed = self.app.screen.query_one(CommandList)
        name = palette_name(BY_ID[command])
        found = [place for place, each in enumerate(listed.options) if each.hit.text == name]
        assert found, f"{command} is not offered"
        listed.highlighted = found[0]
        await self.pilot.press("enter")

    async def type(self, text: str) -> None:
        """Search for a text that is typed in one go."""
        await self.press("slash")
        await self.pilot.press(*text)
        await self.settle()

    def lines(self) -> list[str]:
        return [strip.text for strip in self.app.screen._compositor.render_strips()]

    def text(self) -> str:
        return "\n".join(self.lines())

    def notices(self) -> str:
        return "\n".join(note.message for note in self.app._notifications)


Opener = Callable[..., AbstractAsyncContextManager[Reader]]


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in _ENVIRONMENT:
        monkeypatch.delenv(name, raising=False)
    yield
    i18n.use_language("en")
    terminal.look_at({})
    terminal.tell(lambda text: None)
    rebind({})


async def nothing_due(min_sleep: float = 0, max_sleep: float = 0) -> None:
    """Wait until the event loop has nothing to do but for clocks, threads and files.

    Textual's own `wait_for_idle` measures whether the process uses the processor, which it does
    not, either, while it gets none, and sleeps to measure that.
    """
    loop = asyncio.get_running_loop()
    while True:
        await asyncio.sleep(0)
        due = loop._scheduled and loop._scheduled[0].when() <= loop.time()
        if not (loop._ready or due):
            return


@pytest.fixture(autouse=True)
def no_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a pilot wait for what it did, not for time; keys rest at once, notices stay."""
    monkeypatch.setattr("textual.app.wait_for_idle", nothing_due)
    monkeypatch.setattr("textual.pilot.wait_for_idle", nothing_due)
    monkeypatch.setattr("textual.constants.TEXTUAL_ANIMATIONS", "none")
    monkeypatch.setattr("tui.panes.entry._REST_SECONDS", 0)
    monkeypatch.setattr(DaneshApp, "NOTIFICATION_TIMEOUT", 10 * PATIENCE)


def _undrawn(
    self: Compositor, full: bool = False, screen_stack: list[Screen] | None = None, **kept: bool
) -> object:
    visible_screen_stack.set(screen_stack or [])
    if full:
        return self.render_full_update(**kept)
    self._dirty_regions.clear()
    return None


@pytest.fixture(autouse=True)
def drawn_when_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw a screen where a test looks at it, not at each step: there is no terminal."""
    monkeypatch.setattr(Compositor, "render_update", _undrawn)


@pytest.fixture
def gate() -> Iterator[Gate]:
    held = Gate()
    yield held
    held.open()


@pytest.fixture(params=["en", "fa"])
def language(request, monkeypatch):
    monkeypatch.setenv("KB_LANG", request.param)
    return request.param


@pytest.fixture(scope="session")
def sample_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_sample(tmp_path_factory.mktemp("sample") / "sample.json")


@pytest.fixture(scope="session")
def _sample_database(tmp_path_factory: pytest.TempPathFactory, sample_file: Path) -> Path:
    path = tmp_path_factory.mktemp("sample") / "kb.db"
    with new_library(path) as made:
        made.import_file(sample_file)
    return path


@pytest.fixture
def library(tmp_path: Path, _sample_database: Path) -> Iterator[Library]:
    with new_library(shutil.copy(_sample_database, tmp_path / "kb.db")) as opened:
        yield opened


@pytest.fixture(scope="session")
def bundled(_bundled_file: Path) -> Iterator[Library]:
    with open_library(_bundled_file) as opened:
        yield opened


@pytest.fixture
def bundled_library(_bundled_file: Path, tmp_path: Path) -> Iterator[Library]:
    """What came with danesh, for a test that changes it."""
    with open_library(shutil.copy(_bundled_file, tmp_path / "own.db")) as opened:
        yield opened


@pytest.fixture
def opened(library: Library) -> Opener:
    """Return what opens the app and leaves it when the test ends."""

    @asynccontextmanager
    async def reader(
        entry: str | None = None,
        *,
        size: tuple[int, int] = (120, 40),
        of: Library | None = None,
        welcomed: bool = True,
        whole: bool = False,
        settings: Settings | None = None,
    ) -> AsyncIterator[Reader]:
        if welcomed:
            remember_welcome()
        app = DaneshApp(of or library, entry, settings)
        async with app.run_test(size=size) as pilot:
            reading = Reader(app, pilot)
            await reading.settle()
            if whole:
                await reading.unfold()
            yield reading
            if not app._exit:
                reading.lines()  # what stands there at the end can be drawn

    return reader
