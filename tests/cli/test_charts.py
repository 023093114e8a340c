"""``kb run`` draws the charts of a program in a terminal, and passes them on everywhere else."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from kb.present.charts.reading import charts
from tests.cli.process import run
from tests.robustness.forked import told

PROGRAM = "allocator_fragmentation"
BAR = re.compile(r"[█▌▐▕▏]{8}")


def said(path: Path, *arguments: str, lang: str = "en", terminal: bool = True, **more: str) -> str:
    environ = {"KB_DB": str(path), "HOME": str(path.parent), "PATH": "/usr/bin:/bin",
               "TERM": "xterm", "KB_LANG": lang, **more}  # fmt: skip
    return told(["run", *arguments, PROGRAM], environ, terminal=terminal)


def lines_of(output: str, first: str) -> list[str]:
    """Return the title of the chart, without its style, and the three lines below."""
    lines = re.sub(r"\x1b\[[0-9]*m", "", output).split("\n")
    (start,) = (number for number, line in enumerate(lines) if line.strip() == first)
    return lines[start : start + 4]


@pytest.mark.long
def test_a_terminal_gets_the_chart_and_all_else_of_the_output(bundled_path: Path) -> None:
    output = said(bundled_path)
    _, *bars = lines_of(output, "memory reserved, in multiples of what is in use")
    assert [bar.split("│")[0].strip() for bar in bars] == [
        "shortest first", "shuffled", "longest first",
    ]  # fmt: skip
    assert all(map(BAR.search, bars)) and "chart: " not in output and "  fa: " not in output
    assert "reserved_over_live_shuffled_median: " in output


@pytest.mark.long
def test_persian_bars_begin_at_the_right(bundled_path: Path) -> None:
    output = said(bundled_path, lang="fa")
    bars = [line for line in output.split("\n") if re.match(r" *۱٫[۰-۹]+ [▐▕█]", line)]
    assert len(bars) == 3 and "memory reserved" not in output


@pytest.mark.long
def test_a_dumb_terminal_gets_the_chart_without_styles(bundled_path: Path) -> None:
    output = said(bundled_path, TERM="dumb")
    assert "\x1b" not in output and BAR.search(output)


@pytest.mark.long
def test_without_colours_the_chart_stays_and_styles_go(bundled_path: Path) -> None:
    output = said(bundled_path, "--color", "never")
    assert "\x1b" not in output and BAR.search(output)


@pytest.mark.long
@pytest.mark.parametrize("arguments", [["--plain"], ["--json"]])
def test_plain_text_and_json_have_what_the_program_printed(
    bundled_path: Path, arguments: list[str]
) -> None:
    output = said(bundled_path, *arguments)
    if arguments == ["--json"]:
        output = json.loads(output[output.index("{") : output.rindex("}") + 1])["stdout"]
    assert len(charts(output)) == 1


@pytest.mark.long
def test_a_pipe_gets_what_the_program_printed(kb: Path) -> None:
    assert len(charts(run("run", PROGRAM).stdout)) == 1
