"""A browser without a screen and without a network, for the pages of sites."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Page, sync_playwright

CHROMIUM = shutil.which("chromium")
needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="Debian's chromium is not there")


@dataclass
class Watched:
    """A page of a browser: what its console said, and what it asked for outside of a folder."""

    page: Page
    folder: Path
    said: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)

    def open(self, place: str) -> Page:
        self.page.goto((self.folder / place).as_uri())
        return self.page

    def _asks(self, address: str) -> None:
        if not address.startswith((self.folder.as_uri() + "/", "data:")):
            self.asked.append(address)


@contextmanager
def watched(folder: Path, *, bypass_csp: bool = False) -> Iterator[Watched]:
    with sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"]
        )
        try:
            context = browser.new_context(offline=True, bypass_csp=bypass_csp)
            watching = Watched(context.new_page(), folder)
            page = watching.page
            page.on("console", lambda said: watching.said.append(f"{page.url}: {said.text}"))
            page.on("pageerror", lambda error: watching.said.append(f"{page.url}: {error}"))
            page.on("request", lambda request: watching._asks(request.url))
            yield watching
        finally:
            browser.close()
