"""The examples of the documentation run: their commands succeed, in the order of a page.

A block ```` ```console ```` has commands after ``$``. A comment ``<!-- file: PATH -->`` names the
file that the next block is. A block of Python in the Python page is a program.
"""

from __future__ import annotations

import io
import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from kb.cli.main import run
from kb.i18n import use_language
from tests.test_docs import PAGES, ROOT

_STEPS = re.compile(
    r"<!-- file: (?P<file>\S+) -->\s*```\w+\n(?P<text>.*?)^```$"
    r"|^```console\n(?P<commands>.*?)^```$",
    re.DOTALL | re.MULTILINE,
)
_EXAMPLES = [page for page in PAGES if "```console" in page.read_text(encoding="utf-8")]


def steps(page: Path) -> Iterator[tuple[str, str]]:
    """Yield the files of a page, with their names, and its commands, without any."""
    for step in _STEPS.finditer(page.read_text(encoding="utf-8")):
        if step["file"]:
            yield step["file"], step["text"]
        else:
            yield from (("", line[2:]) for line in step["commands"].splitlines() if line[0] == "$")


@pytest.fixture
def here(bundled_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder to work in, and a knowledge base as it is at first."""
    monkeypatch.setenv("KB_DB", str(bundled_path))
    monkeypatch.setenv("KB_LANG", "en")
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    monkeypatch.setattr("sys.stdin", io.StringIO())
    yield tmp_path / "work"
    use_language("en")


@pytest.mark.long
@pytest.mark.parametrize("page", _EXAMPLES, ids=lambda page: page.stem)
def test_the_commands_of_a_page_succeed(
    page: Path, here: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    for name, text in steps(page):
        if name:
            file = here / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
            continue
        command, *arguments = shlex.split(text)
        assert command == "kb", text
        code = run(arguments)
        assert code == 0, f"{text}\n{capfd.readouterr().err}"


def test_there_are_examples_in_tutorial_guides_and_reference() -> None:
    folders = {str(page.parent.relative_to(ROOT)) for page in _EXAMPLES}
    assert folders >= {"docs", "docs/guides", "docs/reference"}
    assert sum(not name for page in _EXAMPLES for name, _ in steps(page)) > 50


def test_the_programs_of_the_python_page_run(
    here: Path, bundled_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copy(bundled_path, here / "my.db")
    text = (ROOT / "docs/reference/python.md").read_text(encoding="utf-8")
    programs = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    for program in programs:
        exec(program, {})
        assert capsys.readouterr().out.strip()
    assert len(programs) > 1
