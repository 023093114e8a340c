"""An app on the bundled content, and what a test needs to wait for it and to read it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.worker import WorkerCancelled, WorkerFailed

from kb import Library
from tui.app import DaneshApp
from tui.i18n import use_language

Driver = Pilot[None]
Open = Callable[..., Any]


async def settled(pilot: Driver) -> None:
    """Wait until every worker is done and what it told is on the screen."""
    for _ in range(3):
        with suppress(
            WorkerFailed, WorkerCancelled
        ):  # a worker that a newer one replaced, or that is to fail
            await pilot.app.workers.wait_for_complete()
        await pilot.pause()


def screen_text(pilot: Driver) -> str:
    """Return what stands on the screen, line by line."""
    compositor = pilot.app.screen._compositor
    return "\n".join("".join(s.text for s in strip) for strip in compositor.render_strips())


async def until(pilot: Driver, holds: Callable[[], Awaitable[bool] | bool]) -> None:
    """Wait until something holds, by letting the app go on; fail if it never does."""
    for _ in range(400):
        if holds():
            return
        await pilot.pause(0.01)
    raise AssertionError(f"it never came about; the screen:\n{screen_text(pilot)}")


@pytest.fixture(autouse=True)
def _in_english_again() -> Iterator[None]:
    yield
    use_language("en")


@pytest.fixture
def opened(bundled: Library) -> Open:
    """Open the app at a size, on the bundled content or another library."""

    @asynccontextmanager
    async def open_app(
        entry: str | None = None, size: tuple[int, int] = (160, 50), library: Library = bundled
    ) -> AsyncIterator[Driver]:
        async with DaneshApp(library, entry).run_test(size=size, notifications=True) as pilot:
            await settled(pilot)
            yield pilot

    return open_app
