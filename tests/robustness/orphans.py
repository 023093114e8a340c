"""Kill whoever runs a program, and see what of it lives on, and what it leaves behind."""

from __future__ import annotations

import contextlib
import glob
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

WAYS = {
    "killed-sleeping": ("import time\nprint('begun')\ntime.sleep(3600)", False),
    "killed-busy": ("print('begun')\nwhile True: pass", False),
    "killed-writing": ("print('begun')\nwhile True: open('x', 'w').write('x' * 10000)", False),
    "killed-with-all-above": ("import time\nprint('begun')\ntime.sleep(3600)", True),
}
"""What the program does, and whether the processes between it and its owner are killed, too."""

_OWNER = """
import sys
from kb.evidence.runner import Limits, run_snippet
from kb.model.entry import Snippet
tell = lambda stream, text: print(text, end="", flush=True)
run_snippet(Snippet("orphan", {}, sys.argv[2]), Limits(3600), tell, level=sys.argv[1])
"""
_PATIENCE = 60.0
"""Seconds that processes may take to end, however busy the machine is; usual are hundredths."""


def left(way: str, level: str) -> list[str]:
    """Kill an owner in a way while its program runs; return what was left of it."""
    code, all_above = WAYS[way]
    with tempfile.TemporaryDirectory(prefix="danesh-orphans-") as folder:
        with _owner(level, code, folder) as owner:
            assert owner.stdout is not None
            if b"begun" not in owner.stdout.readline():
                owner.kill()
                return ["the program did not begin"]
            below = descendants(owner.pid)
            above = sorted(below)[:-1] if all_above else []
            for pid in (owner.pid, *above):
                _kill(pid)
        found = _alive(below)
        with _owner(level, "print('begun')", folder) as owner:
            owner.wait()
        litter = glob.glob(f"{folder}/*")
        return found + [f"left {path} after the next start" for path in litter]


def _owner(level: str, code: str, folder: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", _OWNER, level, code],
        stdout=subprocess.PIPE,
        env={**os.environ, "TMPDIR": folder},
    )


def _alive(pids: list[int]) -> list[str]:
    """Return which of these processes live on after a while, and end them."""
    deadline = time.monotonic() + _PATIENCE
    while (alive := [pid for pid in pids if _lives(pid)]) and time.monotonic() < deadline:
        time.sleep(0.02)
    for pid in alive:
        _kill(pid)
    return [f"process {pid} lived on" for pid in alive]


def _kill(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError):  # it died with one that was killed before
        os.kill(pid, signal.SIGKILL)


def _lives(pid: int) -> bool:
    return _state(pid) not in ("", "Z", "X")


def _state(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[0].decode()
    except OSError:
        return ""


def descendants(pid: int) -> list[int]:
    """Return the processes below one, those that have ended left out."""
    below: dict[int, list[int]] = {}
    for path in glob.glob("/proc/[0-9]*/stat"):
        try:
            stat = Path(path).read_bytes()
        except OSError:
            continue
        state, parent = stat.rpartition(b")")[2].split()[:2]
        if state != b"Z":
            below.setdefault(int(parent), []).append(int(stat.split()[0]))
    found, left = [], [pid]
    while left:
        children = below.get(left.pop(), [])
        found += children
        left += children
    return found
