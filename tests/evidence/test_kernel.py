"""What the sandbox asks of the kernel, by the numbers of its documentation, on any kernel."""

from __future__ import annotations

import ctypes
import errno
import os
import re
import resource
import socket
import stat
import struct
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import kb
from kb.evidence.runner import ending
from kb.evidence.sandbox import (
    folder,
    kernel,
    landlock,
    levels,
    places,
    program,
    seccomp,
    supervisor,
)
from kb.evidence.sandbox.protocol import Report
from tests.behind import still_open

RULESET = 1 << 20
"""What the kernel of these tests answers, which is a descriptor of nothing."""
HEADERS = Path("/usr/include/linux")
"""Where Debian's linux-libc-dev has the numbers."""


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """The calls of this test, of which none reaches the kernel."""
    calls: list[tuple[Any, ...]] = []

    def plain(value: Any) -> Any:
        return bytes(value) if isinstance(value, ctypes.Array) else getattr(value, "value", value)

    def call(name: str) -> Any:
        return lambda *arguments: calls.append((name, *map(plain, arguments))) or RULESET

    names = ("prctl", "syscall", "capset")
    libc = SimpleNamespace(**{name: call(name) for name in names})
    monkeypatch.setattr(kernel, "_libc", lambda: libc)
    close = os.close
    monkeypatch.setattr(landlock.os, "close", lambda number: number == RULESET or close(number))
    return calls


def named(header: str) -> dict[str, int]:
    """Return the constants of a header of the kernel."""
    if not (HEADERS / header).exists():
        pytest.skip("linux-libc-dev is not installed")
    text = (HEADERS / header).read_text(encoding="utf-8")
    shifted = re.findall(r"#\s*define\s+(\w+)\s+\(1ULL << (\d+)\)", text)
    plain = re.findall(r"#\s*define\s+(\w+)\s+(0x[0-9a-fA-F]+|\d+)\b", text)
    return {n: 1 << int(v) for n, v in shifted} | {n: int(v, 0) for n, v in plain}


@pytest.mark.parametrize(
    ("version", "handled"),
    [
        (1, [(1 << 13) - 1]),
        (2, [(1 << 14) - 1]),
        (3, [(1 << 15) - 1]),
        (4, [(1 << 15) - 1, 3]),
        (5, [(1 << 16) - 1, 3]),
        (6, [(1 << 16) - 1, 3, 3]),
        (9, [(1 << 16) - 1, 3, 3]),
    ],
)
def test_landlock_denies_everything_that_a_kernel_knows_to_deny(
    asked: list[Any], monkeypatch: pytest.MonkeyPatch, version: int, handled: list[int]
) -> None:
    monkeypatch.setattr(landlock, "abi", lambda: version)
    landlock.restrict([], [], os.devnull)
    size = 8 * len(handled)
    assert asked[0] == ("syscall", 444, struct.pack(f"={size // 8}Q", *handled), size, 0)
    assert asked[-1] == ("syscall", 446, RULESET, 0)


def test_landlock_allows_reading_using_and_writing_where_it_must(
    asked: list[Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    known = named("landlock.h")

    def rights(*names: str) -> int:
        return sum(known[f"LANDLOCK_ACCESS_FS_{name}"] for name in names)

    monkeypatch.setattr(landlock, "abi", lambda: 3)
    file, read, own = tmp_path / "file", tmp_path / "read", tmp_path / "own"
    file.touch()
    read.mkdir()
    own.mkdir()
    opened, plain = list[int](), os.open

    def watched(path: str, flags: int) -> int:
        opened.append(flags)
        return plain(path, flags)

    monkeypatch.setattr(landlock.os, "open", watched)
    landlock.restrict([str(read), str(file), str(tmp_path / "none")], [str(file)], str(own))
    assert opened == [os.O_PATH | os.O_CLOEXEC] * 5
    assert not still_open(tmp_path)
    rules = [struct.unpack("=Qi", call[4])[0] for call in asked if call[:2] == ("syscall", 445)]
    assert [call[2:4] for call in asked if call[1] == 445] == [(RULESET, 1)] * 4
    keeping = ("READ_FILE", "READ_DIR", "WRITE_FILE", "REMOVE_DIR", "REMOVE_FILE", "MAKE_DIR")
    assert rules == [
        rights("READ_FILE", "READ_DIR"),
        rights("READ_FILE"),
        rights("READ_FILE", "WRITE_FILE") + (1 << 14),
        rights(*keeping, "MAKE_REG") + (1 << 14),
    ]


def test_a_kernel_without_landlock_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(landlock, "abi", lambda: 0)
    with pytest.raises(OSError, match="no version") as raised:
        landlock.restrict([], [], os.devnull)
    assert raised.value.errno == errno.ENOSYS


def test_privileges_are_given_up_by_the_numbers_of_the_kernel(asked: list[Any]) -> None:
    known = named("prctl.h")
    kernel.give_up_privileges()
    assert asked[:2] == [
        ("prctl", known["PR_SET_NO_NEW_PRIVS"], 1, 0, 0, 0),
        ("prctl", known["PR_CAP_AMBIENT"], known["PR_CAP_AMBIENT_CLEAR_ALL"], 0, 0, 0),
    ]
    dropped = [call for call in asked if call[:2] == ("prctl", known["PR_CAPBSET_DROP"])]
    assert [call[2:] for call in dropped] == [(number, 0, 0, 0) for number in range(64)]
    version = named("capability.h")["_LINUX_CAPABILITY_VERSION_3"]
    assert asked[-1] == ("capset", struct.pack("=2I", version, 0), bytes(24))


def test_a_process_is_hidden_and_adopts_by_the_numbers_of_the_kernel(
    asked: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    known = named("prctl.h")
    kernel.hide(True)
    kernel.hide(False)
    kernel.adopt_orphans()
    killed: list[tuple[int, int]] = []
    monkeypatch.setattr(kernel.os, "kill", lambda *given: killed.append(given))
    kernel.die_with_parent(os.getppid(), 9)
    assert not killed
    kernel.die_with_parent(os.getpid(), 9)
    assert killed == [(os.getpid(), 9)]
    assert asked[:-1] == [
        ("prctl", known["PR_SET_DUMPABLE"], 0, 0, 0, 0),
        ("prctl", known["PR_SET_DUMPABLE"], 1, 0, 0, 0),
        ("prctl", known["PR_SET_CHILD_SUBREAPER"], 1, 0, 0, 0),
        ("prctl", known["PR_SET_PDEATHSIG"], 9, 0, 0, 0),
    ]


def test_a_supervisor_is_hidden_before_it_reads_a_program(asked: list[Any], tmp_path: Path) -> None:
    place = tmp_path / "run"
    place.mkdir()
    ours, theirs = socket.socketpair()
    ours.close()
    with theirs, pytest.raises(ValueError, match="not enough values"):
        supervisor.serve(theirs.fileno(), str(place))
    assert asked == [("prctl", named("prctl.h")["PR_SET_DUMPABLE"], 0, 0, 0, 0)]
    assert not place.exists()


def test_the_filter_is_set_by_the_numbers_of_the_kernel(
    asked: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        seccomp.os, "uname", lambda: SimpleNamespace(machine="x86_64"), raising=False
    )
    seccomp.refuse_system_calls()
    ((name, option, mode, *_),) = asked
    assert (name, option, mode) == ("prctl", named("prctl.h")["PR_SET_SECCOMP"], 2)


def test_bubblewrap_shows_python_and_danesh_and_one_folder_to_write_in() -> None:
    command = levels.within_bubblewrap("/usr/bin/bwrap")
    mounts = [
        (command[place], command[place + 1], command[place + 2])
        for place, part in enumerate(command)
        if part.endswith("bind-try")
    ]
    danesh = str(Path(kb.__file__).parent)
    shown = [*places.readable(), *places.starting(), danesh]
    devices = ["/dev/null", "/dev/zero", "/dev/urandom", "/dev/random"]
    assert mounts == [
        *(("--ro-bind-try", path, path) for path in shown),
        *(("--dev-bind-try", path, path) for path in devices),
    ]
    asked = [part for part in command if part not in {*shown, *devices} and "-try" not in part]
    assert asked == [
        "/usr/bin/bwrap", "--unshare-all", "--cap-drop", "ALL", "--proc", "/proc",
        "--size", str(64 << 20), "--perms", "0700", "--tmpfs", "/scratch",
        "--remount-ro", "/", "--chdir", "/",
    ]  # fmt: skip


def test_memory_time_sizes_and_open_files_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    limited: dict[int, tuple[int, int]] = {}
    monkeypatch.setattr(resource, "setrlimit", limited.__setitem__)
    program.limit(1 << 30, 5)
    assert limited == {
        resource.RLIMIT_AS: (1 << 30, 1 << 30),
        resource.RLIMIT_CPU: (5, 6),
        resource.RLIMIT_FSIZE: (16 << 20, 16 << 20),
        resource.RLIMIT_NOFILE: (64, 64),
        resource.RLIMIT_CORE: (0, 0),
    }


@pytest.mark.parametrize(
    ("number", "milliseconds", "reason"),
    [
        (9, 2_999, "memory"),
        (9, 3_000, "time"),
        (9, 3_001, "time"),
        (6, 3_001, "signal"),
        (24, 0, "time"),
        (25, 3_001, "disk"),
        (31, 3_001, "call"),
        (99, 3_001, "signal"),
    ],
)
def test_a_kill_above_the_limit_of_time_is_that_of_the_kernel(
    number: int, milliseconds: int, reason: str
) -> None:
    report = Report(status=number, milliseconds=milliseconds)
    status = "timeout" if reason == "time" else "killed"
    assert ending(report, "", 2.5) == (status, 128 + number, reason)


def test_a_folder_is_removed_with_all_in_it_and_no_link_is_followed(tmp_path: Path) -> None:
    outside, run = tmp_path / "outside", tmp_path / "run"
    outside.mkdir()
    (outside / "kept").touch()
    deep = run / "a" / "b" / "c"
    deep.mkdir(parents=True)
    for place in (run, run / "a", deep):
        (place / "file").touch()
        (place / "link").symlink_to(outside)
    (run / "a" / "b").chmod(stat.S_IRUSR)
    folder.remove(str(run))
    assert not run.exists() and [file.name for file in outside.iterdir()] == ["kept"]


def test_a_folder_is_removed_by_what_no_link_leads_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened, modes, plain, chmod = list[int](), list[int](), os.open, os.chmod

    def watched(path: str, flags: int, *mode: int, **options: int) -> int:
        opened.append(flags)
        return plain(path, flags, *mode, **options)

    def allowed(path: str, mode: int, **options: int) -> None:
        modes.append(mode)
        chmod(path, mode, **options)

    (tmp_path / "run" / "a" / "b").mkdir(parents=True)
    monkeypatch.setattr(folder.os, "open", watched)
    monkeypatch.setattr(folder.os, "chmod", allowed)
    folder.remove(str(tmp_path / "run"))
    assert modes == [0o700] * 4  # one more for what was moved up before it was emptied
    assert not still_open(tmp_path)
    monkeypatch.undo()
    needed = os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
    assert len(opened) == 3 and all(flags & needed == needed for flags in opened)
    outside = tmp_path / "outside"
    outside.mkdir(mode=0o700)
    (outside / "kept").touch()
    (tmp_path / "link").symlink_to(outside)
    with pytest.raises(OSError):
        folder.remove(str(tmp_path / "link"))
    assert (outside / "kept").exists()


def test_a_report_has_the_time_of_a_program_and_of_the_kernel_for_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    used = SimpleNamespace(ru_utime=1.0, ru_stime=2.5, ru_maxrss=7)
    monkeypatch.setattr(supervisor.os, "wait4", lambda pid, options: (pid, 9, used))
    monkeypatch.setattr(supervisor, "_end_orphans", lambda: None)
    assert supervisor._watched(-1, 4321, "") == b"ended 9 7 3500 \n"
