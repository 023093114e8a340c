"""The command line in a process of its own."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
import termios
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]


def run(*arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "kb", *arguments]
    environment = {"KB_LANG": "en", **os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        command, capture_output=True, encoding="utf-8", check=False, env=environment, **options
    )


def at_terminal(
    *arguments: str, answer: str, columns: int = 80, question: bytes = b"[y/N]"
) -> tuple[int, str, str]:
    """Return the exit code, stdout and what stood on the terminal.

    A line of ``answer`` is typed each time the ``question`` is asked.
    """
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (24, columns))
    process = subprocess.Popen(
        [sys.executable, "-m", "kb", *arguments], stdin=theirs, stderr=theirs,
        stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    os.close(theirs)
    seen, answers = b"", answer.splitlines(keepends=True)
    asked = 0
    try:
        while True:
            seen += os.read(ours, 1 << 16)
            if seen.count(question) > asked and answers:
                asked += 1
                os.write(ours, answers.pop(0).encode())
    except OSError:  # the other end is closed
        out = process.communicate()[0]
    os.close(ours)
    return process.returncode, out.decode(), seen.decode().replace("\r\n", "\n")
