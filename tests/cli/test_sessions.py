"""The command line as it is used: sessions in files, each a command and what it answers.

``$`` begins a command, ``2>`` a line on stderr, ``[n]`` an exit code that is not 0; every
other line stands on stdout.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from kb.cli.main import run

SESSIONS = sorted((Path(__file__).parent / "sessions").glob("*.txt"))


class Step(NamedTuple):
    command: str
    stdout: str
    stderr: str
    code: int


def steps() -> Iterator[object]:
    for file in SESSIONS:
        for part in file.read_text().split("$ ")[1:]:
            command, *lines = part.rstrip("\n").split("\n")
            errors = [line[3:] for line in lines if line.startswith("2> ")]
            code = next((int(line[1:-1]) for line in lines if line.startswith("[")), 0)
            output = [line for line in lines if not line.startswith(("2> ", "["))]
            step = Step(command, "\n".join(output).rstrip("\n"), "\n".join(errors), code)
            yield pytest.param(step, id=f"{file.stem}: {command}")


@pytest.mark.parametrize("step", list(steps()))
def test_a_command_answers_as_its_session_says(
    step: Step,
    bundled_path: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfdbinary: pytest.CaptureFixture[bytes],
) -> None:
    monkeypatch.setenv("KB_DB", str(bundled_path))
    monkeypatch.chdir(tmp_path)
    code = run(shlex.split(step.command)[1:])
    out, err = capfdbinary.readouterr()
    assert out.decode().rstrip("\n") == step.stdout
    assert err.decode().rstrip("\n") == step.stderr
    assert code == step.code
