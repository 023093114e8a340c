"""Where attacks on consent are tried: a knowledge base of its own, and every door to it."""

from __future__ import annotations

import asyncio
import json
import os
import pty
import random
import select
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from kb import Library, open_library
from kb.errors import KbError

ROOT = Path(__file__).parents[2]
TOKEN = "PWNED42"
EVIL = 'print("PW" + "NED" + str(6 * 7) + ": 1")\n'
"""Foreign code; what it prints stands nowhere in it, so that to show it is not to run it."""

FINE = 'print("figure: 1")\n'
_COMMAND = "import sys; from kb.cli.main import run; sys.exit(run(sys.argv[1:]))"
_WITHOUT = "import tests.robustness.consent_control as c; c.take_away(); "
_WAIT = 600.0
"""Seconds after which a command is ended, so that it blocks nothing; one usually takes two."""


class Ground:
    """A knowledge base with what came with danesh, on a machine of its own."""

    def __init__(self, folder: Path, template: Path, chance: random.Random, held: bool) -> None:
        self.folder = folder
        self.chance = chance
        self._held = held
        self.path = Path(shutil.copy(template, folder / "kb.db"))
        self.settings = folder / "config" / "settings.toml"

    @contextmanager
    def library(self) -> Iterator[Library]:
        """Open it."""
        with open_library(self.path) as opened:
            yield opened

    def file(self, *entries: dict[str, Any], name: str = "web.json") -> Path:
        """Return a file from elsewhere that holds these entries."""
        path = self.folder / name
        if name.endswith(".jsonl"):
            text = "".join(f"{json.dumps(each)}\n" for each in entries)
        else:
            text = json.dumps({"schema_version": 1, "entries": entries})
        path.write_text(text, encoding="utf-8")
        return path

    def brought(self, *entries: dict[str, Any], name: str = "web.json", mine: bool = False) -> str:
        """Import such a file; return what was refused, if it was."""
        try:
            with self.library() as library:
                library.import_file(self.file(*entries, name=name), mine=mine)
        except KbError as error:
            return error.message
        return ""

    def said(self, deed: Callable[[Library], Any]) -> str:
        """Return what a deed at the library's door gives: its result in words, or its error."""
        try:
            with self.library() as library:
                return str(deed(library))
        except KbError as error:
            return f"refused: {error.message}"

    def run(self, name: str, **options: Any) -> str:
        """Run what a name means."""
        return self.said(lambda library: library.run(name, **options))

    def command(self, *arguments: str, stdin: str = "") -> str:
        """Return all that a command line writes, where nobody sits."""
        done = subprocess.run(
            self._command(arguments), input=stdin, capture_output=True, encoding="utf-8",
            env=self._environment(), check=False, cwd=ROOT,
        )  # fmt: skip
        return done.stdout + done.stderr

    def terminal(
        self, *arguments: str, answer: str, ahead: str = "", asked: Callable[[], object] = int
    ) -> tuple[str, str]:
        """Answer a command line at a terminal; return its stdout, and what stood on the screen.

        ``ahead`` is typed before the question, and ``asked`` is done once it stands there.
        """
        ours, theirs = pty.openpty()
        process = subprocess.Popen(
            self._command(arguments), stdin=theirs, stderr=theirs, stdout=subprocess.PIPE,
            env=self._environment(), cwd=ROOT,
        )  # fmt: skip
        os.close(theirs)
        os.write(ours, ahead.encode())
        shown, answered, ends = b"", False, time.monotonic() + _WAIT
        while time.monotonic() < ends:
            if select.select([ours], [], [], 0.05)[0]:
                try:
                    shown += os.read(ours, 1 << 16)
                except OSError:  # the other end is closed
                    break
            if not answered and b"[y/N]" in shown:
                asked()
                os.write(ours, answer.encode())
                answered = True
        out = process.communicate(timeout=_WAIT)[0]
        os.close(ours)
        return out.decode("utf-8", "replace"), shown.decode("utf-8", "replace")

    def app(
        self, entry: str, keys: Callable[[Any], Awaitable[str]], size: tuple[int, int] = (120, 70)
    ) -> str:
        """Open the app at an entry and press keys; return what they say that was seen."""
        from tests.tui.conftest import Reader
        from tui.app import DaneshApp

        async def read() -> str:
            with self.library() as library:
                app = DaneshApp(library, entry)
                async with app.run_test(size=size) as pilot:
                    reader = Reader(app, pilot)
                    await reader.settle()
                    return await keys(reader)

        return asyncio.run(read())

    def behind(self, statement: str, *values: object) -> None:
        """Change the file as another program would."""
        with sqlite3.connect(self.path) as connection:
            connection.execute(statement, values)

    def _command(self, arguments: tuple[str, ...]) -> list[str]:
        program = _COMMAND if self._held else _WITHOUT + _COMMAND
        return [sys.executable, "-c", program, "--db", str(self.path), *arguments]

    def _environment(self) -> dict[str, str]:
        return {**os.environ, "PYTHONPATH": str(ROOT), "KB_SETTINGS": str(self.settings)}


def entry(
    id: str = "evil",
    program: str = "evil_prog",
    code: str = EVIL,
    *,
    evidence: str | None = None,
    **more: Any,
) -> dict[str, Any]:
    """Return an entry from elsewhere with a program, and an annotation if it has evidence.

    ``evidence`` is the program that the annotation names; ``snippet`` and ``note`` are put over
    the program and the annotation.
    """
    snippet = {"id": program, "title": {}, "code": code, "main": True, **more.pop("snippet", {})}
    note = {
        "id": f"{id}-1", "verdict": "wrong", "severity": "high", "note": {"en": "No."},
        "target": {"role": "source", "lang": "en", "quote": "It is 1", "start": 0, "end": 7,
                   "file": "elsewhere.txt"},
        "evidence": [{"snippet": evidence, "figure": TOKEN, "claimed": 2, "expected": 1}],
        **more.pop("note", {}),
    }  # fmt: skip
    return {
        "id": id, "kind": "question", "collection": "web", "question": {"en": f"What is {id}?"},
        "answers": [{"role": "source", "lang": "en", "text": "It is 1."}],
        "snippets": [snippet], "annotations": [note] if evidence else [], **more,
    }  # fmt: skip
