"""What a program must not be able to, what it must, and what is said of how far it is shut in."""

from __future__ import annotations

import fcntl
import glob
import io
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import pytest

from kb import Library
from kb.cli.main import run as kb_here
from kb.errors import Untrusted
from kb.evidence import runner
from kb.evidence.runner import Limits, run_snippet
from kb.evidence.sandbox import folder, levels, protocol, scratch
from kb.evidence.sandbox.levels import LEVELS, Reached
from kb.model.entry import Snippet
from kb.model.reports import Outcome
from tests.behind import raw, still_open
from tests.conftest import PATIENCE

NAMES = list(LEVELS)
REACHED = runner.sandbox_level().level
SHUT_IN = [name for name in NAMES[NAMES.index(REACHED) :] if name != "limits-only"]
EVERY = NAMES[NAMES.index(REACHED) :]
WITHOUT_LANDLOCK = runner._CHILD.replace(
    "serve(int(", "sys.modules['kb.evidence.sandbox.landlock'].abi = lambda: 0\nserve(int("
)
NO_SANDBOX = Reached("limits-only", ("not good: Landlock: not there",))

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux can shut programs in")


def run(code: str, level: str | None = None, seconds: float = 10, **options: object) -> Outcome:
    snippet = Snippet("test", {}, code)
    return run_snippet(snippet, Limits(seconds), level=level, **options)  # type: ignore[arg-type]


def refuses(code: str, level: str) -> None:
    """Assert that the kernel refuses something."""
    outcome = run(f"try:\n    {code}\nexcept OSError as error:\n    print('no:', error)", level)
    assert outcome.stdout.startswith("no:"), outcome


def test_linux_shuts_programs_in() -> None:
    assert SHUT_IN, runner.sandbox_level(renew=True).missing


@pytest.mark.parametrize("level", SHUT_IN)
def test_a_program_reads_nothing_of_the_readers(level: str, tmp_path: Path) -> None:
    key = tmp_path / "key"
    key.write_text("secret")
    for path in (key, "/etc/passwd", Path.home(), "/proc/self/environ", f"/proc/{os.getpid()}/mem"):
        refuses(f"import os; os.open({str(path)!r}, 0)", level)


@pytest.mark.parametrize("level", SHUT_IN)
def test_a_program_writes_nowhere_but_in_its_folder(level: str, tmp_path: Path) -> None:
    trusted = tmp_path / "trusted"
    trusted.write_text("")
    for path in (trusted, tmp_path / "new", "/tmp/danesh-test-new", "/dev/shm/danesh-test-new"):
        refuses(f"open({str(path)!r}, 'a')", level)
    for deed in (
        "chmod(p, 0o777)",
        "utime(p, (1, 1))",
        "truncate(p, 0)",
        "remove(p)",
        "link(p, 'l')",
    ):
        refuses(f"import os; p = {str(trusted)!r}; os.{deed}", level)
    assert run("open('x', 'w').write('y'); print(open('x').read())", level).stdout == "y\n"


@pytest.mark.parametrize("level", SHUT_IN)
def test_a_program_reaches_no_network_and_no_local_socket(level: str, tmp_path: Path) -> None:
    for family in ("INET", "INET6", "UNIX", "NETLINK"):
        refuses(f"import socket; socket.socket(socket.AF_{family})", level)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(f"\0danesh-test-{os.getpid()}")
        listener.listen()
        refuses(
            f"import socket; socket.socket(socket.AF_UNIX).connect({listener.getsockname()!r})",
            level,
        )


@pytest.mark.parametrize("level", SHUT_IN)
def test_a_program_starts_no_process_also_not_by_the_c_library(level: str) -> None:
    code = (
        "import ctypes; libc = ctypes.CDLL(None)\nprint(libc.fork(), libc.system(b'exit 0') == 0)"
    )
    assert run(code, level).stdout == "-1 False\n"


@pytest.mark.parametrize("level", SHUT_IN)
def test_a_program_can_neither_end_its_supervisor_nor_forge_its_report(level: str) -> None:
    outcome = run(
        "import os\n"
        "for number in range(3, 64):\n"
        "    try: os.write(number, b'ended 0 0 0 \\n')\n    except OSError: pass\n"
        "try:\n    os.kill(os.getppid(), 9)\nexcept OSError:\n    print('refused')\n"
        "os._exit(7)",
        level,
    )
    assert (outcome.status, outcome.exit_code, outcome.stdout) == ("failed", 7, "refused\n")


def is_running(pid: str) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(") ")[2]
    except OSError:
        return False
    return state[0] not in "ZX"


@pytest.mark.parametrize("level", EVERY)
def test_a_program_reads_nothing_of_its_supervisor(level: str) -> None:
    for file in ("environ", "maps", "mem"):
        refuses(f"import os; open(f'/proc/{{os.getppid()}}/{file}').read(1)", level)


def test_a_supervisor_may_look_at_its_program() -> None:
    code = "import ctypes; print(ctypes.CDLL(None).prctl(3, 0, 0, 0, 0))  # PR_GET_DUMPABLE"
    assert run(code, "limits-only").stdout == "1\n"


def test_a_program_has_no_privileges_and_gains_none() -> None:
    shown = run("print(open('/proc/self/status').read())", "limits-only").stdout
    status = dict(line.split(":\t", 1) for line in shown.splitlines() if ":\t" in line)
    assert {int(status[name], 16) for name in ("CapInh", "CapPrm", "CapEff", "CapAmb")} == {0}
    assert status["NoNewPrivs"] == "1"


def test_supervisor_and_program_have_sessions_of_their_own() -> None:
    code = "import os; above = os.getppid(); print(os.getsid(0), os.getsid(above), above)"
    program, supervisor, above = run(code, "limits-only").stdout.split()
    assert supervisor == above != program


def test_a_supervisor_that_hangs_is_killed_and_its_program_with_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(runner, "_GRACE", 0.1)
    outcome = run(
        "import os, signal, time\nprint(os.getpid(), flush=True)\n"
        "os.kill(os.getppid(), signal.SIGSTOP)\ntime.sleep(60)",
        "limits-only",
        seconds=0.5,
    )
    assert (outcome.status, outcome.reason) == ("timeout", "time")
    deadline = time.monotonic() + 30
    while any(map(is_running, outcome.stdout.split())) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not any(map(is_running, outcome.stdout.split()))


def test_nothing_goes_on_running_afterwards() -> None:
    outcome = run(
        "import ctypes, os, time\n"
        "libc = ctypes.CDLL(None)\n"
        "told, tell = os.pipe()\n"
        "if libc.fork() == 0:\n"
        "    libc.setsid()\n"
        "    libc.fork()\n"
        "    print(os.getpid(), flush=True)\n"
        "    os.write(tell, b'.')\n"
        "    time.sleep(20)\n"
        "    os._exit(0)\n"
        "os.read(told, 1), os.read(told, 1)\n",
        "limits-only",
        seconds=5,
    )
    assert outcome.status == "ok"
    left = outcome.stdout.split()
    assert len(left) == 2
    assert not any(map(is_running, left))


def test_a_supervisor_sees_its_program_end_where_its_client_ignores_that() -> None:
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    try:
        assert run("print(1)", "limits-only").status == "ok"
    finally:
        signal.signal(signal.SIGCHLD, before)


@pytest.mark.parametrize("level", SHUT_IN)
def test_a_program_has_threads_numpy_files_and_an_event_loop(level: str) -> None:
    outcome = run(
        "import asyncio, tempfile, threading, numpy as np\n"
        "threads = [threading.Thread(target=print, args=('ran',)) for _ in range(3)]\n"
        "[t.start() for t in threads]; [t.join() for t in threads]\n"
        "print(round(float(np.linalg.svd(np.eye(200))[1].sum())))\n"
        "print(np.random.default_rng(1).random())\n"
        "with tempfile.TemporaryDirectory() as d, open(d + '/x', 'w') as f: f.write('y')\n"
        "np.save('a.npy', np.ones(3)); print(np.load('a.npy', mmap_mode='r').sum())\n"
        "asyncio.run(asyncio.sleep(0))\n",
        level,
    )
    assert outcome.stderr == ""
    assert outcome.stdout.splitlines() == ["ran"] * 3 + ["200", "0.5118216247002567", "3.0"]


@pytest.mark.parametrize("level", SHUT_IN)
def test_what_a_program_may_write_is_bounded_also_where_it_hides_it(level: str) -> None:
    outcome = run(
        "import os\n"
        "held = []\n"
        "for number in range(60):\n"
        "    held.append(open(str(number), 'wb', buffering=0)); os.unlink(str(number))\n"
        "    for _ in range(15): held[-1].write(bytes(1 << 20))\n"
        "    print(number, flush=True)\n",
        level,
    )
    assert outcome.status in ("killed", "failed")
    assert outcome.reason == "disk" or "No space left" in outcome.stderr
    assert len(outcome.stdout.splitlines()) < 30


def test_a_folder_is_full_above_its_size_and_its_number_of_entries(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nobody = 1 << 30
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "file").write_bytes(bytes(100_000))
    found = (tmp_path / "inner", tmp_path / "inner" / "file")
    size = sum(512 * each.stat().st_blocks for each in found)
    assert not folder.is_full(str(tmp_path), nobody)
    monkeypatch.setattr(folder, "LARGEST_FOLDER", size)
    assert not folder.is_full(str(tmp_path), nobody)
    monkeypatch.setattr(folder, "LARGEST_FOLDER", size - 1)
    assert folder.is_full(str(tmp_path), nobody)
    monkeypatch.undo()
    for number in range(998):
        (tmp_path / str(number)).touch()
    assert not folder.is_full(str(tmp_path), nobody)
    (tmp_path / "more").touch()
    assert folder.is_full(str(tmp_path), nobody)


def test_links_count_as_what_they_are_and_a_folder_that_nobody_may_read_as_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner, outside = tmp_path / "inner", tmp_path / "outside"
    inner.mkdir()
    outside.mkdir()
    (outside / "file").write_bytes(bytes(100_000))
    for name, target in (("a", outside), ("b", outside / "file"), ("c", outside / "none")):
        (inner / name).symlink_to(target)
    monkeypatch.setattr(folder, "LARGEST_FOLDER", 50_000)
    assert not folder.is_full(str(inner), 1 << 30)

    def refuse(path: str) -> object:
        raise PermissionError(path)

    monkeypatch.setattr(folder.os, "scandir", refuse)
    assert folder.is_full(str(inner), 1 << 30)


@pytest.mark.parametrize(
    ("number", "status", "reason"), [(255, "ok", ""), (256, "killed", "threads")]
)
def test_a_program_has_256_threads_and_no_more(number: int, status: str, reason: str) -> None:
    code = (
        "import threading, time\n"
        "threading.stack_size(1 << 16)\nend = threading.Event()\n"
        f"threads = [threading.Thread(target=end.wait) for _ in range({number})]\n"
        "[each.start() for each in threads]\n"
        f"time.sleep({5 if reason else 0.1}); end.set()\n"
    )
    outcome = run_snippet(Snippet("test", {}, code), Limits(10, 4096))
    assert (outcome.status, outcome.reason) == (status, reason), outcome


@pytest.mark.parametrize("level", SHUT_IN)
@pytest.mark.parametrize("name", ["a\rb", "a\r1 2 3 4 0 ", "a\n", " (deleted)", "a)", "\udcff\x85"])
def test_a_program_may_map_a_removed_file_of_any_name(name: str, level: str) -> None:
    outcome = run(
        "import mmap, os, time\n"
        f"name = {name!r}\nfile = os.open(name, os.O_RDWR | os.O_CREAT)\n"
        "os.write(file, bytes(4096)); held = mmap.mmap(file, 4096)\n"
        "os.unlink(name); time.sleep(0.05); print('mapped')\n",
        level,
    )
    assert (outcome.status, outcome.stdout) == ("ok", "mapped\n"), outcome


@pytest.mark.parametrize(
    "name", [b"a", b"a\r7-8 r 0 0:0 0 ", b"\r", b" (deleted)", b"\xff\x85\x0b\x0c\x1c", b"a\\012"]
)
def test_no_name_hides_a_mapped_file_that_was_removed(name: bytes) -> None:
    maps = b"7-8 r--s 00000000 00:2a 31    /scratch/%s (deleted)\n8-9 rw-p 00000000 00:00 0 \n"
    assert folder.removed_files(maps % name) == {b"00:2a 31"}


def test_maps_that_cannot_be_read_count_as_files_and_too_long_ones_as_a_full_folder() -> None:
    assert folder.removed_files(b"what is this\n") == {b"what is this"}
    assert folder.removed_files(b"7-8 r--s 0 00:2a\n") == {b"7-8 r--s 0 00:2a"}
    assert folder.removed_files(b"7-8 r--s 0 00:2a 31\n") == set()
    assert folder.removed_files(b"7-8 r--s 0 00:2a 31 /a\n7-8 r--s 0 00:2b 31 /b\n") == set()
    cut = b"".join(b"%07x-8 r--s 0 0:2a 31 /a\n" % n for n in range(200_000))
    most = folder.LARGEST_FOLDER // folder.LARGEST_FILE
    assert len(folder.removed_files(cut)) > most
    longest = b"7-8 r--s 0 00:2a 31 /abcdefghij\n" * (1 << 17)
    assert len(longest) == 4 << 20
    assert folder.removed_files(longest)
    assert not folder.removed_files(longest[32:])


@contextmanager
def another_process(output: IO[bytes] | int) -> Iterator[int]:
    """Give the number of a process that holds a file open and waits."""
    command = [sys.executable, "-c", "input()"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=output) as process:
        yield process.pid
        process.communicate(b"\n")


def test_a_folder_that_changes_at_every_look_counts_as_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "inner").mkdir()
    listed = os.scandir

    def moved(path: str) -> object:
        if path != str(tmp_path):
            os.rename(path, f"{path}x" if len(path) < 200 else str(tmp_path / "inner"))
        return listed(path)

    with another_process(subprocess.DEVNULL) as pid:
        assert not folder.is_full(str(tmp_path), pid)
        with monkeypatch.context() as patch:
            patch.setattr(folder.os, "scandir", moved)
            assert folder.is_full(str(tmp_path), pid)


def test_what_is_held_open_counts_also_where_another_file_was_closed_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked, missed = os.stat, iter([True, True])

    def stat(path: str, **options: object) -> object:
        if "/fd/" in str(path) and next(missed, False):
            raise FileNotFoundError(path)
        return looked(path, **options)  # type: ignore[arg-type]

    with tempfile.TemporaryFile(dir=tmp_path) as file:
        os.posix_fallocate(file.fileno(), 0, folder.LARGEST_FOLDER + 1)
        with another_process(file) as pid:
            monkeypatch.setattr(folder.os, "stat", stat)
            assert folder.is_full(str(tmp_path), pid)


def test_what_a_program_holds_is_counted_when_its_first_thread_has_ended() -> None:
    outcome = run(
        "import ctypes, os, tempfile, threading\n"
        "def fill():\n"
        "    held = []\n"
        "    for number in range(30):\n"
        "        held.append(tempfile.TemporaryFile(dir='.', buffering=0))\n"
        "        for _ in range(15): held[-1].write(bytes(1 << 20))\n"
        "        print(number, flush=True)\n"
        "    os._exit(0)\n"
        "threading.Thread(target=fill).start()\n"
        f"ctypes.CDLL(None).syscall({60 if os.uname().machine == 'x86_64' else 93}, 0)\n",
        SHUT_IN[-1],
    )
    assert (outcome.status, outcome.reason) == ("killed", "disk")
    assert len(outcome.stdout.splitlines()) < 20


def test_a_program_runs_whatever_the_length_of_its_name_in_bytes() -> None:
    assert run_snippet(Snippet("漢" * 100, {}, "pass"), Limits()).status == "ok"


@pytest.mark.parametrize(
    ("name", "file"),
    [("../a b::ج-1", "___a_b__ج_1.py"), ("𝒜" * 60, "𝒜" * 60 + ".py"), ("𝒜" * 61, "𝒜" * 60 + ".py")],
)
def test_the_file_of_a_program_has_its_name_as_far_as_any_folder_takes_it(
    name: str, file: str
) -> None:
    shown = run_snippet(Snippet(name, {}, "print(__file__)"), Limits())
    assert shown.stdout == f"{file}\n"


def test_which_files_exist_is_hidden_by_strong_and_not_by_good(tmp_path: Path) -> None:
    file = tmp_path / "exists"
    file.write_text("")
    seen = {level: run(f"import os; os.stat({str(file)!r})", level).status for level in SHUT_IN}
    assert seen.get("good", "ok") == "ok"
    assert seen.get("strong", "failed") == "failed"


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("import ctypes; ctypes.CDLL(None).syscall(0x40000000 + 39)", "call"),
        ("import os; os.abort()", "signal"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "memory"),
        ("while True: print('x' * 1000)", "output"),
        ("for n in range(3000): open(str(n), 'w').close()\nimport time; time.sleep(1)", "disk"),
    ],
)
def test_why_a_program_was_ended_is_told(code: str, reason: str) -> None:
    if reason == "call" and os.uname().machine != "x86_64":
        pytest.skip("x32 is a matter of x86-64")
    outcome = run(code, SHUT_IN[-1])
    assert (outcome.status, outcome.reason) == ("killed", reason)


def test_a_program_deaf_to_its_time_limit_runs_out_of_time() -> None:
    deaf = "import signal; signal.signal(signal.SIGXCPU, signal.SIG_IGN)\nwhile True: pass"
    assert run(deaf, seconds=0.5).status == "timeout"


def test_a_layer_that_fails_refuses_the_run_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "_CHILD", WITHOUT_LANDLOCK)
    seen: list[str] = []
    outcome = run("print('ran')", "good", on_output=lambda stream, text: seen.append(text))
    assert (outcome.status, outcome.stdout, outcome.reason) == ("refused", "", "sandbox")
    assert "Landlock" in outcome.stderr
    assert seen == [outcome.stderr]
    assert outcome.peak_memory_bytes == 0


def test_where_a_run_was_refused_the_level_is_found_anew_and_else_it_is_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tried: list[str] = []

    def attempt(level: str, code: str) -> str:
        tried.append(level)
        return "" if level == REACHED else "not here"

    def found() -> int:
        assert runner.sandbox_level().level == REACHED
        return tried.count(REACHED)

    monkeypatch.setattr(runner, "_tried", attempt)
    runner.sandbox_level(renew=True)
    assert run("pass").status == "ok"
    assert (found(), found()) == (1, 1)
    monkeypatch.setattr(runner, "_CHILD", WITHOUT_LANDLOCK)
    assert run("pass", REACHED).status == "refused"
    assert found() == 1
    assert run("pass").status == "refused"
    assert (found(), found()) == (2, 2)


@pytest.mark.parametrize(
    ("level", "started", "said"),
    [
        ("strong", "#!/bin/sh\necho one >&2; echo two >&2; exit 1\n", "(two)"),
        ("strong", "#!/bin/sh\nexit 1\n", "(its process ended at once)"),
        ("limits-only", "", "(Python cannot be started ([Errno 2] No such file or directory: "),
    ],
)
def test_a_run_that_could_not_begin_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, level: str, started: str, said: str
) -> None:
    program = tmp_path / "program"
    if started:
        program.write_text(started)
        program.chmod(0o700)
    monkeypatch.setattr("kb.evidence.sandbox.levels.bubblewrap", lambda: str(program))
    monkeypatch.setattr(runner.sys, "executable", str(program))
    outcome = run("print('ran')", level)
    assert (outcome.status, outcome.stdout) == ("refused", "")
    last = outcome.stderr.splitlines()[-1]
    assert last.startswith(f"not run: the sandbox could not be put up {said}")


def test_a_bubblewrap_that_does_not_start_is_no_silent_fallback(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("kb.evidence.sandbox.levels.bubblewrap", lambda: "/bin/false")
    outcome = run("print('ran')", "strong")
    assert (outcome.status, outcome.stdout) == ("refused", "")
    assert "could not be put up" in outcome.stderr


def test_without_bubblewrap_the_level_is_good_and_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kb.evidence.sandbox.levels.bubblewrap", lambda: None)
    found = runner.sandbox_level(renew=True)
    monkeypatch.undo()
    levels.reached.cache_clear()
    assert found == Reached("good", ("not strong: bubblewrap is not installed",))


def test_a_report_of_another_shape_is_none() -> None:
    for told in (b"", b"ended 0 0 0 \n", b"begun", b"refused \n", b"{}", b"\xff\n", b"x" * 10**6):
        assert protocol.read(told) is None
    for told in (b"ended 0 0 0 ", b"ended 0 0 0 \n\n", b"ended -1 0 0 \n", b"", b"begun\n"):
        found = protocol.read(b"begun\n" + told)
        assert found is not None and found.lost


@pytest.mark.parametrize("code", ["", "print('سلام')\n", "a\0b\0c\0d"])
def test_a_program_arrives_as_it_was_sent(code: str) -> None:
    program = protocol.Program("نام.py", 512 << 20, 11, code)
    assert protocol.read_request(io.BytesIO(protocol.request(program) + b"more")) == program


@pytest.mark.parametrize("level", SHUT_IN)
def test_a_later_run_finds_nothing_of_an_earlier_one(level: str) -> None:
    spoil = (
        "import builtins, os, numpy as np\nnp.spoilt = builtins.spoilt = True\n"
        "os.environ['SPOILT'] = '1'; open('spoilt', 'w').close()\n"
    )
    look = (
        "import builtins, os, numpy as np\n"
        "print(hasattr(np, 'spoilt'), hasattr(builtins, 'spoilt'), 'SPOILT' in os.environ,"
        " os.listdir('.'))\n"
    )
    run(spoil, level)
    assert run(look, level).stdout == "False False False ['test.py']\n"
    draw = "import numpy as np; print(np.random.rand())"
    run(draw, level)
    assert run(draw, level).stdout != run(draw, level).stdout


def test_runs_side_by_side_do_not_meet() -> None:
    found: dict[int, str] = {}

    def one(number: int) -> None:
        code = f"import os, time; time.sleep(0.2); print({number}, os.listdir('.'))"
        found[number] = run(code).stdout

    threads = [threading.Thread(target=one, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {number: f"{number} ['test.py']\n" for number in range(6)}


def test_the_scratch_of_a_killed_owner_is_swept_at_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    ended = subprocess.Popen([sys.executable, "-c", "pass"])
    ended.wait()
    left = tmp_path / f"danesh-run-{ended.pid}-abc"
    (left / "deep").mkdir(parents=True)
    (left / "deep" / "file").write_text("x")
    theirs = tmp_path / "danesh-run-notes"
    theirs.mkdir()
    for odd in (f"danesh-run-{'9' * 200}-a", "danesh-run-²-a"):
        (tmp_path / odd).mkdir()
    link = tmp_path / f"danesh-run-{ended.pid}-link"
    link.symlink_to(theirs)
    with scratch.scratch_folder() as ours:
        assert not left.exists()
        scratch.sweep()
        assert theirs.exists() and Path(ours).exists()
        assert link.exists() and (tmp_path / "danesh-run-²-a").exists()
    assert not Path(ours).exists()
    left.mkdir()
    monkeypatch.setattr(scratch.os, "getuid", lambda: os.geteuid() + 1)
    scratch.sweep()
    assert left.exists()


def test_a_folder_that_is_held_is_swept_by_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr("kb.disk.is_alive", lambda pid: False)  # as in another container
    with scratch.scratch_folder() as ours:
        scratch.sweep()
        assert Path(ours).exists()
        with open_folder(ours) as again, pytest.raises(BlockingIOError):
            fcntl.flock(again, fcntl.LOCK_SH | fcntl.LOCK_NB)
    left = tmp_path / "danesh-run-1-abc"
    left.mkdir()
    with open_folder(left) as held:
        fcntl.flock(held, fcntl.LOCK_SH)
        scratch.sweep()
        assert left.exists()
    scratch.sweep()
    assert not left.exists()
    assert not still_open(tmp_path)


@contextmanager
def open_folder(path: str | Path) -> Iterator[int]:
    number = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield number
    finally:
        os.close(number)


def test_an_owner_that_is_killed_leaves_no_process_behind(tmp_path: Path) -> None:
    code = (
        "from kb.evidence.runner import Limits, run_snippet\nfrom kb.model.entry import Snippet\n"
        "run_snippet(Snippet('x', {}, 'print(1)\\nwhile True: pass'), Limits(60),"
        " lambda stream, text: print(text, flush=True))\n"
    )
    root = str(Path(__file__).parents[2])
    environment = {**os.environ, "PYTHONPATH": root, "TMPDIR": str(tmp_path)}
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, env=environment
    ) as owner:
        assert owner.stdout is not None and owner.stdout.readline() == b"1\n"
        owner.kill()
    deadline = time.monotonic() + PATIENCE
    while glob.glob(f"{tmp_path}/danesh-run-*") and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not glob.glob(f"{tmp_path}/danesh-run-*")


def foreign(library: Library) -> None:
    raw(library).execute("INSERT INTO snippet VALUES ('mine', 'user', '{}', 'print(1)')")


def test_where_nothing_shuts_programs_in_foreign_ones_are_refused_even_with_trust(
    bundled: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "sandbox_level", lambda renew=False: NO_SANDBOX)
    foreign(bundled)
    with pytest.raises(Untrusted, match="no sandbox works here") as caught:
        bundled.run("mine", trust=True)
    assert "--unsafe-run" in caught.value.hint
    outcome = bundled.run("mine", trust=True, unsafe_run=True)
    assert (outcome.stdout, outcome.level) == ("1\n", "limits-only")
    assert not {"fs", "net", "processes"} & set(outcome.isolation)
    with pytest.raises(Untrusted):
        bundled.run("mine", unsafe_run=True)
    typed = Snippet("code", {}, "print(2)")
    with pytest.raises(Untrusted, match="no sandbox works here"):
        bundled.run_code(typed.code, based_on="print(1)", yes=[typed.digest])


def test_where_nothing_shuts_programs_in_ones_own_and_the_bundled_run(
    bundled: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "sandbox_level", lambda renew=False: NO_SANDBOX)
    assert bundled.run("matrix_chain_order").status == "ok"
    assert bundled.run_code("print(1)").level == "limits-only"


def test_the_command_line_refuses_with_code_5_and_runs_with_unsafe_run(
    bundled_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(runner, "sandbox_level", lambda renew=False: NO_SANDBOX)
    monkeypatch.setattr("kb.service.programs.sandbox_level", lambda: NO_SANDBOX)
    with Library(*_opened(bundled_path)) as library:
        foreign(library)
    assert kb_here(["--db", str(bundled_path), "run", "mine", "--trust"]) == 5
    assert "no sandbox works here" in capsys.readouterr().err
    asked = ["--db", str(bundled_path), "run", "mine", "--trust", "--unsafe-run"]
    assert kb_here(asked) == 0
    told = capsys.readouterr()
    assert told.out == "1\n"
    assert "sandbox limits only: memory, time" in told.err


def _opened(path: Path) -> tuple[object, ...]:
    from kb.service.opening import open_renewed

    return open_renewed(str(path), True, None)  # type: ignore[return-value]


@pytest.mark.long
def test_doctor_tells_the_level(bundled: Library) -> None:
    check = next(check for check in bundled.doctor() if check.name == "sandbox")
    assert check.well
    assert check.found.startswith(f"{REACHED}: Programs cannot use files")


def test_a_level_found_out_is_kept_until_it_fails() -> None:
    asked: list[str] = []

    def attempt(level: str, code: str) -> str:
        asked.append(level)
        return "" if level == "good" else "it could start a process"

    assert [levels.reached(attempt).level for _ in range(2)] == ["good", "good"]
    assert asked == ["strong", "good"]
    levels.reached.cache_clear()
    assert levels.reached(attempt).level == "good"
    assert len(asked) == 4
