"""The house itself: its contracts, its documents, and what importing it costs."""

from __future__ import annotations

import ast
import itertools
import re
import subprocess
import sys
import tomllib
from fnmatch import fnmatchcase as fnmatch
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from kb import Library
from kb.cli.main import COMMANDS, run
from kb.model.draft import Draft
from tests.documents import ROOT, entering, section, walk_named, walks

CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text()
DECISIONS = (ROOT / "docs/decisions.md").read_text()
GUIDES = [ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
"""The documents for engineers."""


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


def test_no_expression_repeats_a_group_possessively() -> None:
    """Python before 3.11.5 does not match such a group where it backtracks inside (gh-106052)."""
    for file in (*ROOT.glob("kb/**/*.py"), *ROOT.glob("tui/**/*.py")):
        for number, line in enumerate(file.read_text(encoding="utf-8").split("\n"), 1):
            assert not re.search(r"(?<!\()\)[*+?]\+", line), f"{file}:{number}: {line.strip()}"


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
        assert f"**{name}**" in DECISIONS, name


ENDINGS = (".py", ".md", ".toml", ".tsv", ".tcss", ".lock", ".po", ".js", ".txt")


def tracked() -> list[str]:
    """Return the files of the repository, and those that are new in it."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return [name for name in done.stdout.split("\0") if name]


def quoted(file: Path) -> list[str]:
    """Return what stands in backticks in the prose of a document."""
    prose = re.sub(r"^```.*?^```", "", file.read_text(), flags=re.MULTILINE | re.DOTALL)
    return re.findall(r"`([^`\n]+)`", prose)


def is_path(word: str) -> bool:
    """Say whether what stands in backticks is a path: with a slash, or named like a file.

    >>> is_path("kb/model"), is_path("titles.toml"), is_path("python -m x/y"), is_path("1/2")
    (True, True, False, False)
    """
    slashed = re.fullmatch(r"[A-Za-z.][\w.-]*(/[\w.*-]+)*/[\w.*-]*", word)
    return bool(slashed) or (word.endswith(ENDINGS) and re.fullmatch(r"[\w.-]+", word) is not None)


def names_a_file(path: str, files: list[str]) -> bool:
    """Say whether a path is one of the repository; NAME, ID and NN in it stand for any.

    A name without a folder may lie anywhere.
    """
    pattern = re.sub(r"NAME|\bID\b|\bNN\b", "*", path.rstrip("/"))
    if "/" not in path:
        return any(fnmatch(name.rsplit("/", 1)[-1], pattern) for name in files)
    return any(fnmatch(name, pattern) or fnmatch(name, f"{pattern}/*") for name in files)


@pytest.mark.parametrize("file", GUIDES, ids=lambda file: file.name)
def test_paths_that_the_documents_name_exist(file: Path) -> None:
    files, paths = tracked(), [word for word in quoted(file) if is_path(word)]
    assert [path for path in paths if not names_a_file(path, files)] == []


def test_a_path_that_is_gone_is_noticed() -> None:
    files = ["kb/cli/main.py", "data/glossary.tsv"]
    known = ("kb/cli", "kb/cli/main.py", "kb/cli/NAME.py", "data/", "glossary.tsv")
    assert all(is_path(path) and names_a_file(path, files) for path in known)
    gone = ("kb/cl", "kb/cli/mai.py", "tui/NAME.py", "negation.py")
    assert not any(names_a_file(path, files) for path in gone)
    assert all(map(is_path, gone))


@pytest.mark.parametrize("file", GUIDES, ids=lambda file: file.name)
def test_commands_and_names_of_code_in_the_documents_exist(file: Path) -> None:
    words = quoted(file)
    commands = {found[1] for word in words if (found := re.match(r"kb ([a-z][a-z-]*)", word))}
    assert commands - {*COMMANDS} == set()
    named = {word for word in words if re.fullmatch(r"[A-Za-z_]+(\.[a-z_]+)?", word)}
    code = "\n".join(
        (ROOT / name).read_text(errors="replace")
        for name in tracked()
        if name.endswith((".py", ".toml", ".ci/run"))
    )
    guides = "".join(each.read_text() for each in (ROOT / "docs").rglob("*.md"))
    known = {*re.findall(r"\w+", code), *re.findall(r"[\w-]+", guides)}
    assert [word for word in named if "NAME" not in word and not {*word.split(".")} <= known] == []


@pytest.mark.parametrize("walk", walks())
def test_a_walk_has_files_that_exist_each_once(walk: str) -> None:
    files = walks()[walk]
    assert 10 < len(files) == len(set(files)) <= 20
    assert all((ROOT / file).is_file() for file in files)


def test_there_are_three_walks() -> None:
    assert len(walks()) == 3


def missed(walk: str, entered: set[str]) -> list[str]:
    """Return the files of the library in a walk of which nothing was called."""
    return [file for file in walk_named(walk) if file.startswith("kb/") and file not in entered]


def test_a_search_goes_the_walk(bundled: Library) -> None:
    with entering() as entered:
        assert [*bundled.search_typed("gradint descent")][-1].hits
    assert missed("A search", entered) == []


def test_an_import_goes_the_walk(empty: Library, tmp_path: Path) -> None:
    notes = tmp_path / "notes.md"
    notes.write_text("# Bits\n\nQ: What is a bit?\nA: A binary digit.\n")
    with entering() as entered:
        assert run(["--db", empty.path, "import", str(notes)]) == 0
        assert run(["--db", empty.path, "list"]) == 0
    assert missed("An import", entered) == []
    with entering() as entered:
        assert run(["--db", empty.path, "list"]) == 0
    assert "kb/service/importing/staging.py" in missed("An import", entered)


def test_a_change_goes_the_walk(
    empty: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (id,) = empty.edit.new(Draft({"en": "What is a bit?"}, collection="notes")).ids
    editor = tmp_path / "editor"
    editor.write_text('#!/bin/sh\nsed -i s/bit/byte/ "$1"\n')
    editor.chmod(0o700)
    monkeypatch.setenv("VISUAL", str(editor))
    with entering() as entered:
        assert run(["--db", empty.path, "edit", id]) == 0
        assert empty.show(id).question == {"en": "What is a byte?"}
        assert run(["--db", empty.path, "undo"]) == 0
    assert empty.show(id).question == {"en": "What is a bit?"}
    assert missed("A change", entered) == []


def test_the_picture_of_the_folders_is_that_of_the_import_contract() -> None:
    config = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    contract = next(each for each in config["contracts"] if each["type"] == "layers")
    layers = [{*layer.split(" | ")} for layer in contract["layers"]]
    picture = section("The picture").split("```")[1]
    drawn = [
        {path.removesuffix(".py").replace("/", ".") for path in found}
        for line in picture.splitlines()
        if (found := re.findall(r"(?<!\S)(?:kb/[\w.]+|tui)(?!\S)", line))
    ]
    assert drawn == layers


def test_every_folder_and_module_of_the_top_has_its_sentence() -> None:
    told = re.findall(r"^- `([^`]+)`: .+\.$", section("The folders"), re.MULTILINE)
    assert len(told) == len({*told})
    packages = {file.parent.relative_to(ROOT).as_posix() for file in modules("kb", "tui", but=())}
    formats = {name for name in packages if name.startswith("kb/formats/")}
    alone = {f"kb/{file.name}" for file in (ROOT / "kb").glob("[a-z]*.py")} - {"kb/version.py"}
    assert {*told} == (packages - formats) | alone | {"data", "tests"}


def test_contributing_is_read_in_ten_minutes_and_counts_the_golden_queries() -> None:
    assert len(CONTRIBUTING.split()) <= 1300
    golden = tomllib.loads((ROOT / "tests/search/golden/rankings.toml").read_text())
    assert f": {len(golden)} queries" in " ".join(CONTRIBUTING.split())


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
    speakers = ("kb/store/sqlite", "kb/search/index", "kb/formats/anki", "kb/sync/hub.py")
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
    writers = ("kb/cli/output.py", "kb/terminal/terminal.py", "tui/terminal.py")
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


def test_every_dialog_is_styled_by_the_file_that_it_names() -> None:
    """Else it has no frame and covers the whole screen."""
    folder = ROOT / "tui/screens"
    styled = {
        (node.name, ast.literal_eval(line.value))
        for file in folder.glob("*.py")
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.ClassDef)
        for line in node.body
        if isinstance(line, ast.Assign) and getattr(line.targets[0], "id", "") == "CSS_PATH"
    }
    assert len(styled) > 5
    for name, sheet in styled:
        assert re.search(rf"\b{name}\b", (folder / sheet).read_text("utf-8")), name


def test_services_are_documented_and_a_module_of_records_is_no_module_that_they_import() -> None:
    from kb import Library
    from kb.model import json

    assert Library.find.__doc__ == "Search and lists."
    assert json.__name__ == "kb.model.json"
