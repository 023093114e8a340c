"""What running a snippet must hold: it ends, it is measured, and it touches nothing of ours."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

import pytest

from kb import Library
from kb.errors import NotFound, Untrusted, UsageError
from kb.evidence.runner import Limits, run_snippet
from kb.model.entry import Snippet
from kb.model.reports import Outcome
from tests.behind import raw

QUICK = Limits(seconds=5)
LOOK_AROUND = """
import os, sys

def is_open(number):
    try:
        os.fstat(number)
    except OSError:
        return False
    return True

print(sorted(os.environ))
print([number for number in range(3, 64) if is_open(number)])
print(os.isatty(0), os.isatty(1))
print(os.environ["HOME"] == os.environ["TMPDIR"] == os.getcwd())
print([name for name in sys.modules if name.partition(".")[0] == "kb"])
"""


def run(code: str, limits: Limits = QUICK, **options: object) -> Outcome:
    return run_snippet(Snippet("test", {}, code), limits, **options)  # type: ignore[arg-type]


def test_output_figures_and_state_come_back() -> None:
    began = time.monotonic()
    outcome = run(
        "import time; time.sleep(0.05)\n"
        "print('سلام')\nprint('values_held: 2272')\nprint('note: 3 rows')"
    )
    around = time.monotonic() - began
    assert (outcome.status, outcome.exit_code) == ("ok", 0)
    assert outcome.stdout.startswith("سلام\n")
    assert outcome.figures == {"values_held": 2272.0}
    assert 0.05 <= outcome.seconds <= round(around, 4)
    assert outcome.seconds == round(outcome.seconds, 4)


def test_a_failure_shows_the_snippets_own_lines_and_no_others() -> None:
    outcome = run("def f():\n    return 1 / 0\nf()")
    assert (outcome.status, outcome.exit_code) == ("failed", 1)
    assert "ZeroDivisionError" in outcome.stderr
    named = [line for line in outcome.stderr.splitlines() if line.startswith("  File ")]
    assert named == ['  File "test.py", line 3, in <module>', '  File "test.py", line 2, in f']


def test_a_snippet_that_is_not_python_fails() -> None:
    assert "SyntaxError" in run("x = = 1").stderr


@pytest.mark.parametrize(
    ("given", "code", "said"),
    [
        ("3", 3, ""),
        ("259", 3, ""),
        ("", 0, ""),
        ("None", 0, ""),
        ("'چرا'", 1, "چرا\n"),
        ("2.5", 1, ""),
    ],
)
def test_a_program_ends_with_the_code_that_it_gives(given: str, code: int, said: str) -> None:
    outcome = run(f"raise SystemExit({given})")
    assert (outcome.exit_code, outcome.stderr) == (code, said)
    assert outcome.status == ("failed" if code else "ok")


@pytest.mark.parametrize(("given", "code"), [("0", 1), ("3", 3)])
def test_what_could_not_be_written_to_the_end_is_a_failure(given: str, code: int) -> None:
    outcome = run(f"import os, sys; sys.stdout.write('x'); os.close(1); sys.exit({given})")
    assert (outcome.status, outcome.exit_code, outcome.stdout) == ("failed", code, "")


def test_a_loop_is_stopped_in_time() -> None:
    assert run("while True: pass", Limits(seconds=0.5)).status == "timeout"


def test_a_sleeper_is_stopped_in_time() -> None:
    assert run("import time; time.sleep(60)", Limits(seconds=0.5)).status == "timeout"


def test_patience_is_for_what_waits_and_not_for_what_computes() -> None:
    patient = Limits(seconds=0.5, patience=100)
    assert run("import time; time.sleep(1); print('x: 1')", patient).figures == {"x": 1}
    assert run("while True: pass", patient).reason == "time"


def test_a_flood_is_cut_off_and_stopped() -> None:
    outcome = run("while True: print('x' * 1000)")
    assert (outcome.status, outcome.truncated) == ("killed", True)
    assert len(outcome.stdout) <= 256 << 10


@pytest.mark.parametrize(("length", "status"), [(256 << 10, "ok"), ((256 << 10) + 1, "killed")])
def test_so_much_output_is_kept_and_no_more(length: int, status: str) -> None:
    outcome = run(f"import sys; sys.stdout.write('x' * {length})")
    assert (outcome.status, outcome.truncated) == (status, status == "killed")
    assert outcome.stdout == "x" * (256 << 10)


def test_what_asks_for_twenty_gigabytes_gets_an_error() -> None:
    outcome = run("x = bytearray(20 << 30)")
    assert outcome.status == "failed"
    assert "MemoryError" in outcome.stderr


def test_numpy_is_held_to_the_memory_limit_too() -> None:
    outcome = run("import numpy as np\nnp.ones(1 << 28)", Limits(seconds=10, memory_mib=512))
    assert outcome.status == "failed"
    assert "Unable to allocate" in outcome.stderr


def test_the_kernel_holds_a_program_to_the_limits_that_were_asked_for() -> None:
    outcome = run(
        "from resource import *\nprint(*getrlimit(RLIMIT_AS), *getrlimit(RLIMIT_CPU))",
        Limits(seconds=2.5, memory_mib=512),
    )
    assert outcome.stdout.split() == [str(512 << 20)] * 2 + ["3", "4"]


def test_memory_is_told_in_bytes() -> None:
    assert 64 << 20 < run("x = bytearray(64 << 20)").peak_memory_bytes < 128 << 20


def test_death_by_a_signal_is_told() -> None:
    outcome = run("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)")
    assert (outcome.status, outcome.exit_code) == ("killed", 139)


@pytest.mark.long
def test_peak_memory_is_the_snippets_own() -> None:
    large = bytearray(300 << 20)  # noqa: F841
    run("x = bytearray(200 << 20)")
    small = run("pass").peak_memory_bytes
    assert 1 << 20 < small < 100 << 20
    assert run("x = bytearray(200 << 20)").peak_memory_bytes > 200 << 20


def test_other_programs_are_not_started() -> None:
    for code in (
        "import os; os.fork()",
        "import os; os.system('true')",
        "import subprocess; subprocess.run(['true'])",
    ):
        outcome = run(code)
        assert outcome.status == "failed"
        assert "may not start" in outcome.stderr


def test_nothing_of_ours_is_inherited(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SECRET_TOKEN", "hunter2")
    with (tmp_path / "open").open("w") as held:
        os.set_inheritable(held.fileno(), True)
        outcome = run(LOOK_AROUND)
    assert "SECRET_TOKEN" not in outcome.stdout
    assert outcome.stdout.splitlines()[1:] == ["[]", "False False", "True", "[]"]


def test_there_is_no_terminal() -> None:
    assert run("open('/dev/tty')").status == "failed"


def test_the_scratch_folder_is_its_own_and_removed() -> None:
    outcome = run("import os; open('x', 'w').close(); print(os.getcwd())")
    folder = Path(outcome.stdout.strip())
    assert folder != Path.cwd()
    assert not folder.exists()


def test_output_streams_while_it_runs() -> None:
    seen: list[str] = []
    stop = threading.Event()

    def watch(stream: str, text: str) -> None:
        seen.append(text)
        stop.set()

    outcome = run("print('now')\nwhile True: pass", on_output=watch, stop=stop)
    assert seen == ["now\n"]
    assert outcome.status == "killed"


def test_bundled_snippets_run_unasked(bundled: Library) -> None:
    assert bundled.run("matrix_chain_order").status == "ok"
    assert bundled.run("matrix-chain-three").snippet == "matrix_chain_order"


def test_other_snippets_are_refused_unless_trusted(bundled: Library) -> None:
    raw(bundled).execute("INSERT INTO snippet VALUES ('mine', 'user', '{}', 'print(1)')")
    with pytest.raises(Untrusted, match="was not run"):
        bundled.run("mine")
    assert bundled.run("mine", trust=True).stdout == "1\n"


def test_changed_code_under_a_bundled_name_is_not_trusted(bundled: Library) -> None:
    raw(bundled).execute("UPDATE snippet SET code = 'print(1)' WHERE id = 'matrix_chain_order'")
    with pytest.raises(Untrusted):
        bundled.run("matrix_chain_order")


def test_a_name_that_does_not_exist_names_the_nearest(bundled: Library) -> None:
    with pytest.raises(NotFound) as caught:
        bundled.run("matrix_chain_ordr")
    assert "matrix_chain_order" in caught.value.hint


def test_an_entry_without_snippet_says_so(bundled: Library, tmp_path: Path) -> None:
    notes = tmp_path / "mine.md"
    notes.write_text("What is mine?\nThis is mine.\n")
    mine = bundled.import_file(notes).entries[0].id
    with pytest.raises(NotFound, match="no program"):
        bundled.run(mine)


@pytest.mark.parametrize("limits", [{"timeout": 0}, {"timeout": -1}, {"memory": 0}])
def test_limits_must_be_above_zero(bundled: Library, limits: dict[str, int]) -> None:
    with pytest.raises(UsageError):
        bundled.run("matrix_chain_order", **limits)  # type: ignore[arg-type]
