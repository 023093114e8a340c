"""Run hostile programs as this user, and see from outside what came of them.

``python -m tests.robustness.attack`` reads lines ``NAME LEVEL`` and answers each with a line of
JSON: what went wrong, and whether the level is said not to hold the program. ``good/3`` is the
level *good* with what Landlock's third version has. ``killed-WAY`` is no program but a way of
killing the owner of one: see `tests.robustness.orphans`.
"""

from __future__ import annotations

import ctypes
import glob
import json
import os
import platform
import re
import select
import shutil
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from kb.evidence import runner
from kb.evidence.runner import Limits, run_snippet
from kb.evidence.sandbox import levels
from kb.model.entry import Snippet
from kb.model.reports import Outcome
from tests.robustness import orphans
from tests.robustness.calls import CALLS
from tests.robustness.orphans import descendants

HOSTILE = Path(__file__).with_name("hostile")
WEAKENED = tuple(f"good/{abi}" for abi in range(1, 7))
_OLDER = """
landlock = sys.modules["kb.evidence.sandbox.landlock"]
landlock.abi = lambda abi=landlock.abi: min(abi(), {})
"""
SHUT = ("strong", "good", *WEAKENED)
PRELUDE = """
import ctypes, os, sys
libc = ctypes.CDLL(None, use_errno=True)

def harm(what):
    print("HARM", what, flush=True)

def tries(what, deed):
    try:
        deed()
    except Exception:
        return
    harm(what)

def checked(name, *given):
    given = [ctypes.c_long(each) if isinstance(each, int) else each for each in given]
    result = libc.syscall(ctypes.c_long(T["calls"][name]), *given)
    if result < 0:
        raise OSError(ctypes.get_errno(), name)
    return result

def call(name, *given):
    if name in T["calls"]:
        tries(f"call {name}", lambda: checked(name, *given))

"""
_SECRET = "hunter2-" + os.urandom(4).hex()
_PATIENCE, _LITTLE_PATIENCE = 60.0, 3.0
"""Seconds that processes may take to end, however busy the machine is, and those of a control."""

_SECONDS, _LITTLE_SECONDS = 120.0, 5.0
"""The time limit of programs that end by themselves, 100 times what they take, and a control's."""

_SUBREAPER = 36


class Told(NamedTuple):
    """What a program says of itself in its comments."""

    ends: tuple[str, ...] = ("ok", "failed")
    code: int | None = None
    seconds: float = _SECONDS
    gaps: tuple[str, ...] = ()
    most: int | None = None
    count: int | None = None
    after: str = ""


def _readable_folder() -> Path:
    """Return a folder that programs may read and that this user may write in."""
    import numpy

    return Path(numpy.__file__).parent


def names() -> list[str]:
    """Return the hostile programs."""
    return sorted(file.stem for file in HOSTILE.glob("[a-z]*.py"))


def told_by(name: str) -> Told:
    """Read what a program says of itself."""
    said: dict[str, list[str]] = {}
    for key, value in re.findall(
        r"^# (\w+): (.+)$", (HOSTILE / f"{name}.py").read_text(), re.MULTILINE
    ):
        said.setdefault(key.lower(), []).append(value)
    first = {key: values[0] for key, values in said.items()}
    return Told(
        tuple(first["ends"].split(", ")) if "ends" in first else ("ok", "failed"),
        int(first["code"]) if "code" in first else None,
        float(first.get("seconds", _SECONDS)),
        tuple(said.get("gap", ())),
        int(first["most"]) if "most" in first else None,
        int(first["count"]) if "count" in first else None,
        first.get("after", ""),
    )


class Surroundings:
    """What a program might reach: files, sockets, and this process. `harms` tells what it did."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._name = f"danesh-hostile-{os.getpid()}"
        self._signals = 0
        self._files = {
            "key": folder / ".ssh" / "id_rsa",
            "trusted": folder / "trusted",
            "database": folder / "kb.db",
            "note": folder / "note.txt",
        }
        for file in self._files.values():
            file.parent.mkdir(exist_ok=True)
            file.write_text(_SECRET)
        self._sacrifice = _readable_folder() / f"{self._name}-sacrifice"
        self._sacrifice.write_text(_SECRET)
        self._files["sacrifice"] = self._sacrifice
        self._before = self._look()
        self._listeners = list(self._listen())
        signal.signal(signal.SIGUSR1, self._signalled)

    def _listen(self) -> Iterator[socket.socket]:
        for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
            port = socket.socket(socket.AF_INET, kind)
            port.bind(("127.0.0.1", 0))
            yield port
        for address in (str(self._folder / "socket"), f"\0{self._name}"):
            local = socket.socket(socket.AF_UNIX)
            local.bind(address)
            yield local

    def ready(self) -> None:
        """Listen."""
        for each in self._listeners:
            if each.type == socket.SOCK_STREAM:
                each.listen(100)
            each.setblocking(False)

    def targets(self, level: str) -> dict[str, Any]:
        """Return what a program is told of them."""
        tcp, udp, unix, _ = self._listeners
        return {
            **{name: str(file) for name, file in self._files.items()},
            "home": str(self._folder),
            "mark": f"{tempfile.gettempdir()}/{self._name}",
            "name": self._name,
            "owner": os.getpid(),
            "tcp": tcp.getsockname()[1],
            "udp": udp.getsockname()[1],
            "unix": unix.getsockname(),
            "abstract": self._name,
            "libraries": self._libraries(level),
            "sacrifice": str(self._sacrifice),
            "machine": platform.machine(),
            "calls": CALLS.get(platform.machine(), {}),
            "shut": level in SHUT,
        }

    def _libraries(self, level: str) -> list[tuple[str, str]]:
        """Return folders of libraries and a file in each.

        Where nothing shuts a program in they are not the real ones.
        """
        if level not in SHUT:
            return [(str(self._folder), str(self._files["note"]))]
        import numpy

        return [(os.path.dirname(module.__file__), module.__file__) for module in (os, numpy)]

    def close(self) -> None:
        """Remove what is outside of the folder."""
        self._sacrifice.unlink(missing_ok=True)

    def harms(self) -> list[str]:
        """Return what was done since the last time, and undo it."""
        found = [f"wrote {path}" for path in self._written()]
        if self._look() != self._before:
            found.append("changed a file")
            for file in self._files.values():
                file.unlink(missing_ok=True)
                file.write_text(_SECRET)
            self._before = self._look()
        if self._signals:
            found.append("signalled its owner")
            self._signals = 0
        while reached := select.select(self._listeners, [], [], 0)[0]:
            for each in reached:
                found.append(f"reached {each.getsockname()!r}")
                each.accept()[0].close() if each.type == socket.SOCK_STREAM else each.recv(10)
        return found

    def _look(self) -> list[object]:
        seen = [file.stat() if file.exists() else None for file in self._files.values()]
        return [
            each and (each.st_mode, each.st_size, each.st_mtime_ns, each.st_ino, each.st_ctime_ns)
            for each in seen
        ]

    def _written(self) -> list[str]:
        places = [tempfile.gettempdir(), "/var/tmp", "/dev/shm", "/run", str(self._folder)]
        places += [folder for folder, _ in self._libraries("strong")]
        places += [f"{tempfile.gettempdir()}/danesh-run-*"]
        written = [p for place in places for p in glob.glob(f"{place}/{glob.escape(self._name)}*")]
        written = [path for path in written if path != str(self._sacrifice)]
        written += glob.glob(f"{self._folder}/written*")
        for path in written:
            Path(path).rmdir() if os.path.isdir(path) else os.unlink(path)
        return written

    def _signalled(self, number: int, frame: object) -> None:
        self._signals += 1


def run(name: str, level: str, surroundings: Surroundings) -> Outcome:
    """Run a program, with what it is told of its targets before it."""
    targets = f"T = {surroundings.targets(level)!r}\n"
    code = targets + PRELUDE + (HOSTILE / f"{name}.py").read_text()
    most = _SECONDS if level in SHUT else _LITTLE_SECONDS
    limits = Limits(min(told_by(name).seconds, most), 512)
    return run_snippet(Snippet(name, {}, code), limits, level=level)


def leftover(expected: int, level: str) -> list[str]:
    """Return the processes beyond so many that do not end, and end them."""
    deadline = time.monotonic() + (_PATIENCE if level in SHUT else _LITTLE_PATIENCE)
    while len(left := descendants(os.getpid())) > expected and time.monotonic() < deadline:
        time.sleep(0.02)
    if len(left) <= expected:
        return []
    for pid in sorted(left)[expected:]:
        os.kill(pid, signal.SIGKILL)
    return [f"left {len(left) - expected} processes behind"]


def scratch_left() -> list[str]:
    """Return what is left in the folders of our runs, and remove it."""
    left = glob.glob(f"{tempfile.gettempdir()}/danesh-run-{os.getpid()}-*/*")
    for path in left:
        shutil.rmtree(path, ignore_errors=True)
    return [f"left {path}" for path in left]


def wrong(name: str, level: str, outcome: Outcome) -> list[str]:
    """Return what a program's own output and end say that must not be."""
    told = told_by(name)
    found = re.findall(r"^HARM (.*)", outcome.stdout, re.MULTILINE)
    if _SECRET in outcome.stdout + outcome.stderr:
        found.append("printed a secret")
    numbers = [int(n) for n in re.findall(r"^(?:written|made) (\d+)", outcome.stdout, re.MULTILINE)]
    most = told.most or told.count
    if told.most and level != "strong":
        most = 4 * told.most  # its folder is polled, which a busy processor delays
    if most is not None and max(numbers, default=0) > most:
        found.append(f"made or wrote {max(numbers)}, of at most {most}")
    if outcome.peak_memory_bytes > 600 << 20:
        found.append(f"took {outcome.peak_memory_bytes >> 20} MiB")
    if level in SHUT and outcome.status not in told.ends:
        found.append(f"ended as {outcome.status} ({outcome.reason or outcome.stderr[-200:]})")
    if level in SHUT and told.code is not None and outcome.exit_code != told.code:
        found.append(f"ended with {outcome.exit_code}")
    return found


def main() -> None:
    """Answer requests until there are no more."""
    ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)
    os.environ["SECRET"] = _SECRET
    with tempfile.TemporaryDirectory(prefix="danesh-home-") as folder:
        surroundings = Surroundings(Path(folder))
        surroundings.ready()
        try:
            _answer(surroundings)
        finally:
            surroundings.close()


def _answer(surroundings: Surroundings) -> None:
    expected: dict[str, int] = {}
    levels.LEVELS |= dict.fromkeys(WEAKENED, levels.LEVELS["good"])
    plain = runner._CHILD
    for line in sys.stdin:
        name, level = line.split()
        older = _OLDER.format(level[-1]) if level in WEAKENED else ""
        runner._CHILD = plain.replace("serve(int(", f"{older}serve(int(")
        if name in orphans.WAYS:
            print(json.dumps({"found": orphans.left(name, level), "gap": False}), flush=True)
            continue
        if level not in expected:
            run_snippet(Snippet("first", {}, "import numpy"), Limits(_SECONDS), level=level)
            expected[level] = len(descendants(os.getpid()))
        if told_by(name).after:
            run(told_by(name).after, level, surroundings)
        outcome = run(name, level, surroundings)
        found = wrong(name, level, outcome) + leftover(max(expected.values()), level)
        found += scratch_left() + surroundings.harms()
        print(
            json.dumps({"found": found, "gap": level.partition("/")[0] in told_by(name).gaps}),
            flush=True,
        )


if __name__ == "__main__":
    main()
