"""What a program must not be able to, what it must, and what is said of how far it is shut in."""

from __future__ import annotations

import glob
import os
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
from kb.evidence.sandbox import folder, levels, limits, protocol, scratch
from kb.evidence.sandbox.levels import LEVELS, Reached
from kb.model import Outcome, Snippet
from tests.behind import raw
from tests.conftest import PATIENCE

NAMES = list(LEVELS)
REACHED = runner.sandbox_level().level
SHUT_IN = [name for name in NAMES[NAMES.index(REACHED) :] if name != "limits-only"]
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
    assert folder.removed_files(b"7-8 r--s 0 00:2a 31 /a\n7-8 r--s 0 00:2b 31 /b\n") == set()
    cut = b"".join(b"%07x-8 r--s 0 0:2a 31 /a\n" % n for n in range(200_000))
    most = limits.LARGEST_FOLDER // limits.LARGEST_FILE
    assert len(folder.removed_files(cut)) > most


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
        monkeypatch.setattr(folder.os, "scandir", moved)
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
        os.posix_fallocate(file.fileno(), 0, limits.LARGEST_FOLDER + 1)
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
    monkeypatch.setitem(levels.LEVELS, "good", LEVELS["good"]._replace(abi=0))
    seen: list[str] = []
    outcome = run("print('ran')", "good", on_output=lambda stream, text: seen.append(text))
    assert (outcome.status, outcome.stdout, outcome.reason) == ("refused", "", "sandbox")
    assert "Landlock" in outcome.stderr
    assert seen == [outcome.stderr]


def test_a_bubblewrap_that_does_not_start_is_no_silent_fallback(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("kb.evidence.sandbox.bubblewrap.program", lambda: "/bin/false")
    outcome = run("print('ran')", "strong")
    assert (outcome.status, outcome.stdout) == ("refused", "")
    assert "could not be put up" in outcome.stderr


def test_without_bubblewrap_the_level_is_good_and_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kb.evidence.sandbox.bubblewrap.program", lambda: None)
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
    with scratch.scratch_folder() as ours:
        assert not left.exists()
        scratch.sweep()
        assert theirs.exists() and Path(ours).exists()
    assert not Path(ours).exists()


def test_an_owner_that_is_killed_leaves_no_process_behind(tmp_path: Path) -> None:
    code = (
        "from kb.evidence.runner import Limits, run_snippet\nfrom kb.model import Snippet\n"
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
