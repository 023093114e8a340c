"""What a command asks of the system, call by call, seen and tampered with from outside by strace.

A call is named by its own name and by how often the command had made it by then: that is how
strace finds it again in another run of the same command.
"""

from __future__ import annotations

import functools
import os
import re
import shutil
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from tests.robustness.commands import Done, run

WRITING = (
    "write", "pwrite64", "writev", "pwritev", "pwritev2", "ftruncate", "truncate", "fallocate",
    "fsync", "fdatasync", "sync_file_range", "rename", "renameat", "renameat2", "link", "linkat",
    "unlink", "unlinkat", "mkdir", "mkdirat", "rmdir", "symlink", "symlinkat",
    "copy_file_range", "sendfile",
)  # fmt: skip
"""The calls that change files, or wait until they are on the disk."""

OPENING = ("open", "openat", "creat")
READING = ("read", "pread64")
EVERY = (*OPENING, *READING, *WRITING)
_LINE = re.compile(r"^(?P<pid>\d+) +(?P<name>\w+)\((?P<rest>.*)$")
_RESUMED = re.compile(r"^(?P<pid>\d+) +<\.\.\. (?P<name>\w+) resumed>(?P<rest>.*)$")
_ENDED = re.compile(r"^(?P<arguments>.*)\) += (?P<result>.*)$", re.DOTALL)
_UNFINISHED = " <unfinished ...>"


class Call(NamedTuple):
    """A call as it was seen: its arguments and its result as strace writes them."""

    name: str
    number: int
    arguments: str
    result: str

    @property
    def value(self) -> int:
        """What it returned; below zero where it failed."""
        return int(re.match(r"-?\d+", self.result or "-1")[0]) if self.result[:1] != "?" else -1  # type: ignore[index]


def check_tracer() -> None:
    """Raise `RuntimeError` where strace is not there or may not trace: no trial passes then."""
    _allowed()


@functools.cache
def _allowed() -> None:
    if shutil.which("strace") is None:
        raise RuntimeError("strace is not installed: nothing can be tried without it")
    tried = subprocess.run(
        ["strace", "-f", "-e", "trace=openat", "true"],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    if tried.returncode or "openat(" not in tried.stderr:
        said = tried.stderr.strip()[-300:]
        raise RuntimeError(f"strace may not trace here, so nothing can be tried: {said}")


def tracer(
    log: Path, names: Sequence[str], tampering: str = "", *, whole: bool = False
) -> list[str]:
    """Return the command that traces another; ``whole`` keeps all that is written, as hex."""
    check_tracer()
    wanted = ",".join(f"?{name}" for name in names)
    shown = ["-xx", "-s", "1000000000"] if whole else ["-s", "200"]
    inject = ["-e", f"inject={tampering}"] if tampering else []
    return [
        "strace", "-f", "-qq", "-y", *shown, "-o", str(log),
        "-e", f"trace={wanted}", "-e", "signal=none", *inject,
    ]  # fmt: skip


def traced(
    place: Path,
    arguments: Sequence[str],
    names: Sequence[str],
    *,
    tampering: str = "",
    spoil: str = "",
    whole: bool = False,
) -> tuple[Done, list[Call]]:
    """Run a command and return what became of it, and the calls of these names that it made."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        done = run(place, arguments, tracer=tracer(log, names, tampering, whole=whole), spoil=spoil)
        return done, list(calls_of(log))


def calls_of(log: Path) -> Iterator[Call]:
    """Yield the calls of a log in the order in which they ended."""
    waiting: dict[str, tuple[str, str]] = {}
    counts: Counter[str] = Counter()
    with log.open(encoding="utf-8", errors="surrogateescape") as lines:
        for line in lines:
            text = line.rstrip("\n")
            if found := _LINE.match(text):
                name, rest = found["name"], found["rest"]
                if rest.endswith(_UNFINISHED):
                    waiting[found["pid"]] = (name, rest.removesuffix(_UNFINISHED))
                    continue
            elif found := _RESUMED.match(text):
                name, rest = waiting.pop(found["pid"])
                rest += found["rest"]
            else:
                continue
            counts[name] += 1
            ended = _ENDED.match(rest)
            if ended:
                yield Call(name, counts[name], ended["arguments"], ended["result"])


def paths_in(call: Call, folder: str) -> list[str]:
    """Return the whole paths that a call names, or has open; ``folder`` is where it was made.

    >>> paths_in(Call("fsync", 1, "3</a/b c>", "0"), "/w")
    ['/a/b c']
    >>> paths_in(Call("openat", 1, 'AT_FDCWD</a>, "b", O_RDONLY', "3</a/b>"), "/w")
    ['/a/b']
    >>> paths_in(Call("rename", 1, '"/a", "b"', "0"), "/w")
    ['/a', '/w/b']
    """
    if call.name in _BY_NUMBER:
        found = _OPEN.match(call.arguments)
        return [_plain(found[1])] if found else []
    open_ones = [_plain(path) for path in _OPEN.findall(call.arguments)]
    names = [_plain(name) for name in _NAMED.findall(call.arguments)]
    return [os.path.join(at, name) for at, name in zip(open_ones or [folder] * 2, names)]  # noqa: B905


_OPEN = re.compile(r"(?:AT_FDCWD|\d+)<((?:[^>\\]|\\.)*)>")
_NAMED = re.compile(r'"((?:[^"\\]|\\.)*)"(?!\.\.\.)')
_BY_NUMBER = frozenset((
    *READING, "lseek", "write", "pwrite64", "writev", "pwritev", "ftruncate", "fsync", "fdatasync",
    "fallocate", "sync_file_range",
))  # fmt: skip


def concerns(call: Call, root: Path, folder: Path) -> bool:
    """Say whether a call that was made in a folder is about a file below the root."""
    return any(path.startswith(f"{root}/") for path in paths_in(call, str(folder)))


def _plain(text: str) -> str:
    """Return a path as it is, where strace wrote it as hex or with escapes."""
    return (
        text.encode("latin-1", "replace")
        .decode("unicode_escape")
        .encode("latin-1")
        .decode(errors="replace")
    )
