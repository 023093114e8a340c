"""The house itself: its contracts, its documents, and what importing it costs."""

from __future__ import annotations

import ast
import itertools
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from kb.cli.main import COMMANDS, kb_group
from kb.formats import EXPORTERS, IMPORTERS

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text()


def modules_after(statement: str) -> set[str]:
    """Return what is imported in a clean interpreter after a statement."""
    program = f"import sys\n{statement}\nprint(*sys.modules)"
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    return set(done.stdout.split())


def test_the_library_imports_no_terminal_toolkit() -> None:
    loaded = modules_after(
        "import kb, kb.library, kb.cli.main, kb.search, kb.formats, kb.service.find"
    )
    assert not {"textual", "rich", "tui"} & loaded


@pytest.mark.parametrize(
    ("statement", "heavy"),
    [
        ("import kb", {"numpy", "whoosh", "sqlite_utils", "babel", "click", "Stemmer"}),
        (
            "from kb.cli.main import run; run(['--help'])",
            {"numpy", "whoosh", "sqlite_utils", "markdown_it"},
        ),
        (
            "from kb.cli.main import run; run(['--db', ':memory:', 'search', '--help'])",
            {"numpy", "whoosh", "sqlite_utils", "babel"},
        ),
    ],
)
def test_nothing_heavy_is_imported_before_it_is_needed(statement: str, heavy: set[str]) -> None:
    assert not heavy & modules_after(statement)


def test_a_plain_search_loads_neither_parser_nor_schema_tools(bundled_path: Path) -> None:
    statement = (
        f"from kb import open_library\nwith open_library({str(bundled_path)!r}) as library:\n"
        "    assert library.search('gradient شبکه').total"
    )
    assert not {"whoosh", "sqlite_utils", "numpy", "markdown_it"} & modules_after(statement)


def test_every_dependency_has_an_upper_bound_and_a_locked_version_within_its_bounds() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    lock = (ROOT / "requirements-dev.lock").read_text()
    locked = dict(re.findall(r"^([\w.-]+)==([\w.]+)", lock, re.MULTILINE))
    asked = [*project["dependencies"], *project["optional-dependencies"]["dev"]]
    for requirement in map(Requirement, asked):
        assert any(bound.operator == "<" for bound in requirement.specifier), requirement.name
        assert locked[requirement.name.lower()] in requirement.specifier, requirement.name


def test_every_locked_version_has_hashes() -> None:
    lines = (ROOT / "requirements-dev.lock").read_text().splitlines()
    pairs = itertools.pairwise(lines)
    pinned = [(line, after) for line, after in pairs if "==" in line and "hash" not in line]
    assert len(pinned) > 50
    assert all("--hash=sha256:" in after for _, after in pinned)


def test_every_dependency_is_imported_and_has_its_reason() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    code = "\n".join(
        file.read_text()
        for folder in ("kb", "tui", "data/snippets")
        for file in (ROOT / folder).rglob("*.py")
    )
    names = {"whoosh-reloaded": "whoosh", "pystemmer": "Stemmer", "sqlite-utils": "sqlite_utils",
             "arabic-reshaper": "arabic_reshaper", "markdown-it-py": "markdown_it",
             "pyyaml": "yaml"}  # fmt: skip
    for requirement in project["dependencies"]:
        name = re.split(r"[<>=;\s]", requirement)[0]
        module = names.get(name.lower(), name)
        assert re.search(rf"^\s*(?:from|import) {module}\b", code, re.MULTILINE), name
        assert f"**{name}**" in CONTRIBUTING, name


def test_readme_speaks_of_every_command_and_format() -> None:
    for name in COMMANDS:
        assert f"kb {name}" in README, name
    for name in (*EXPORTERS, *IMPORTERS):
        assert f"`{name}`" in README, name


def test_readme_examples_are_commands_that_exist() -> None:
    group = kb_group()
    for line in re.findall(r"^kb (\S+)", README, re.MULTILINE):
        if not line.startswith("-"):
            assert line in group.list_commands(None), line  # type: ignore[arg-type]


def test_pictures_and_links_of_the_documents_exist() -> None:
    for text in (README, CONTRIBUTING):
        for target in re.findall(r"\]\(([^)#:]+)\)", text):
            assert (ROOT / target).exists(), target


def walks() -> dict[str, list[str]]:
    """Return the walks of CONTRIBUTING: their files in order."""
    part = CONTRIBUTING[CONTRIBUTING.index("## Five walks") : CONTRIBUTING.index("## Invariants")]
    told = re.split(r"^\*\*(.+)\*\*$", part, flags=re.MULTILINE)[1:]
    return {
        name: re.findall(r"^\d+\. `([^`]+)`", text, re.MULTILINE)
        for name, text in zip(told[::2], told[1::2], strict=True)
    }


@pytest.mark.parametrize("walk", walks())
def test_a_walk_has_files_that_exist_each_once(walk: str) -> None:
    files = walks()[walk]
    assert len(files) == len(set(files)) > 10
    assert all((ROOT / file).exists() for file in files)


def modules(*folders: str, but: tuple[str, ...]) -> list[Path]:
    """Return the modules of folders, without those that lie in some."""
    found = (file for folder in folders for file in (ROOT / folder).rglob("*.py"))
    return [file for file in found if not str(file.relative_to(ROOT)).startswith(but)]


def texts_in(file: Path) -> list[str]:
    """Return the texts of a module that are no docstrings."""
    tree = ast.parse(file.read_text())
    parts = (node for node in ast.walk(tree) if hasattr(node, "body"))
    told = {id(first.value) for part in parts if isinstance(part.body, list)
            for first in part.body if isinstance(first, ast.Expr)}  # fmt: skip
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told
    ]


SQL = re.compile(
    r"\b(SELECT .+ FROM|INSERT INTO|INSERT OR|DELETE FROM|UPDATE \w+ SET|PRAGMA)\b", re.DOTALL
)


@pytest.mark.long
def test_sql_is_spoken_by_the_store_and_the_index_alone() -> None:
    speakers = ("kb/store/sqlite", "kb/search/index", "kb/formats/anki")
    for file in modules("kb", "tui", but=speakers):
        assert not [text for text in texts_in(file) if SQL.search(text)], file
    heard = [text for file in (ROOT / "kb/store").rglob("*.py") for text in texts_in(file)]
    assert any(map(SQL.search, heard))  # or this test would hear nothing anywhere
    assert not any("INSERT OR REPLACE" in text for text in heard)


def test_one_module_writes_to_each_stream() -> None:
    writes = re.compile(r"sys\.(__)?(stdout|stderr)(__)?\.(buffer|write)|^\s*print\(", re.MULTILINE)
    found = {
        str(file.relative_to(ROOT))
        for file in modules(
            "kb", "tui", but=("kb/evidence/sandbox/program.py", "kb/evidence/sandbox/canary.py")
        )
        if writes.search(file.read_text())
    }
    assert found == {"kb/cli/output.py", "kb/cli/messages.py"}


def calls(file: Path) -> list[tuple[str, ast.Call]]:
    """Return what a module calls: the last word of each name, and the call."""
    found = []
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Call):
            name = (
                node.func.attr
                if isinstance(node.func, ast.Attribute)
                else getattr(node.func, "id", "")
            )
            found.append((name, node))
    return found


@pytest.mark.long
def test_only_the_writers_make_escape_sequences_and_click_prints_no_text_of_ours() -> None:
    writers = (
        "kb/cli/output.py",
        "kb/terminal/terminal.py",
        "kb/evidence/child.py",
        "tui/terminal.py",
    )
    for file in modules("kb", "tui", but=writers):
        assert not [text for text in texts_in(file) if "\x1b" in text], file
    for file in modules("kb", "tui", but=("kb/cli/output.py",)):
        named = [ast.unparse(node.func) for _, node in calls(file)]
        used = {
            "click.secho",
            "click.style",
            "click.prompt",
            "click.confirm",
            "click.echo_via_pager",
        }
        assert not used & set(named), file
    echoed = {str(file.relative_to(ROOT)) for file in modules("kb", "tui", but=())
              for _, node in calls(file) if ast.unparse(node.func) == "click.echo"}  # fmt: skip
    assert echoed == {"kb/cli/main.py"}  # the help, which holds no text from outside


MARKED_UP = {
    "Static", "Label", "Button", "RadioButton", "Checkbox", "Option", "OptionList", "Link", "Tab",
    "Markdown", "notify", "DataTable", "Tree", "Select", "RichLog", "Collapsible", "Digits",
}  # fmt: skip
"""What reads a text as markup unless it is told not to, or is given `Content`."""


def test_no_widget_of_the_app_reads_a_text_as_markup() -> None:
    seen = 0
    for file in modules("tui", but=()):
        for name, call in calls(file):
            if name not in MARKED_UP:
                continue
            plain = any(
                key.arg == "markup" and ast.unparse(key.value) == "False" for key in call.keywords
            )
            given = ast.unparse(call.args[0]) if call.args else ""
            content = given.startswith(("Content(", "Content.", "line("))
            assert plain or content or not given, f"{file}: {name}({given})"
            seen += 1
    assert seen > 5


def test_what_textual_shows_beside_widgets_is_content() -> None:
    shown = re.compile(r"\.(tooltip|border_title|border_subtitle|sub_title) = (?!Content|None)")
    for file in modules("tui", but=()):
        assert not shown.search(file.read_text()), file


def test_the_top_level_is_what_the_design_says() -> None:
    tracked = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout.split("\0")
    folders = {line.split("/")[0] for line in tracked if "/" in line}
    assert folders <= {"kb", "data", "docs", "tui", "tests", ".ci"}


def test_mutants_are_drawn_from_files_that_exist() -> None:
    from tests.mutation.areas import AREAS, ROOT, TESTS

    paths = [*TESTS, *(path for area in AREAS.values() for path in area.paths)]
    assert [path for path in paths if not (ROOT / path).exists()] == []
