"""The public contract of the command line: documents, streams and exit codes."""

from __future__ import annotations

import fcntl
import io
import json
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
from pathlib import Path
from typing import Any

import click
import pytest

from kb import __version__
from kb.cli.main import COMMANDS
from kb.cli.main import kb as kb_group
from kb.cli.main import run as run_here
from kb.library import Library
from kb.model.reports import Verification
from kb.model.values import VERDICTS
from kb.terminal.bidi.direction import has_rtl
from tests.cli.process import ROOT, run
from tests.conftest import PATIENCE

HIT = {"id", "kind", "collection", "number", "level", "lang", "question", "verdicts", "snippets"}


def document(*arguments: str, code: int = 0) -> dict[str, Any]:
    done = run(*arguments, "--json")
    assert done.returncode == code, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    assert found["schema_version"] == 1
    return found


def test_search_has_its_shape(kb: Path) -> None:
    found = document("search", "شبکه", "عصبی")
    assert {"query", "took_ms", "total", "suggestion", "hits"} <= set(found)
    for hit in found["hits"]:
        assert set(hit) == HIT | {"score", "via", "excerpt"}
        assert set(hit["excerpt"]) == {"text", "marks"}


def test_a_search_without_hits_prints_its_document_and_exits_with_1(kb: Path) -> None:
    found = document("search", "zzzzzz", code=1)
    assert (found["hits"], found["suggestion"]) == ([], None)


def test_a_misspelt_word_is_found_by_its_spelling_and_says_so(kb: Path) -> None:
    found = document("search", "intratable")
    assert found["suggestion"] == "intractable"
    assert {hit["via"] for hit in found["hits"]} == {"spelling"}


def test_list_has_its_shape_and_everything(kb: Path) -> None:
    found = document("list")
    assert (found["total"], len(found["hits"])) == (33, 33)
    assert set(found["hits"][0]) == HIT
    assert document("list", "--collection", "none", code=1)["hits"] == []


def test_show_has_its_shape_for_every_entry(kb: Path) -> None:
    for hit in document("list")["hits"]:
        shown = json.loads(_here("show", hit["id"], "--json"))
        assert {
            "id", "kind", "collection", "number", "level", "tags", "question", "origins",
            "restored", "answers", "snippets", "annotations", "related",
        } <= set(shown)  # fmt: skip
        for annotation in shown["annotations"]:
            assert annotation["verdict"] in VERDICTS
            assert set(annotation["target"]) == {"role", "lang", "quote", "start", "end", "file"}
            source = (ROOT / "data" / "sources" / annotation["target"]["file"]).read_bytes()
            text = source.decode()
            target = annotation["target"]
            assert text[target["start"] : target["end"]] == target["quote"]


def test_run_has_its_shape(kb: Path) -> None:
    found = document("run", "matrix-chain-three")
    assert set(found) == {
        "schema_version", "snippet", "status", "exit_code", "stdout", "stderr", "truncated",
        "seconds", "peak_memory_bytes", "isolation", "level", "figures",
    }  # fmt: skip
    assert found["figures"]["left_first_multiplications"] == 500_000


def test_verify_has_its_shape(kb: Path) -> None:
    found = document("verify", "radius-mask")
    assert found["checked"] == found["confirmed"] == len(found["results"])
    assert {"refuted", "stale", "cannot_run"} <= set(found)


def test_verify_says_once_that_a_database_was_not_written(
    kb: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    unwritten = [Verification(name, "confirmed", {}, stored=False) for name in "ab"]
    monkeypatch.setattr(Library, "verify", lambda *given, **more: unwritten)
    notice = "kb: results were not saved: the database is read-only\n"
    for arguments in (["verify"], ["verify", "--json"]):
        assert run_here(arguments) == 0
        assert capsys.readouterr().err.count(notice) == 1


def test_a_snippet_that_runs_out_of_time_exits_with_124(kb: Path) -> None:
    done = run("run", "rnn_backprop_cost", "--timeout", "0.05", "--json")
    assert (done.returncode, json.loads(done.stdout)["status"]) == (124, "timeout")


@pytest.mark.long
def test_a_snippet_that_is_not_trusted_exits_with_5_and_says_refused(
    kb: Path, tmp_path: Path
) -> None:
    book = json.loads(run("export", "-f", "json").stdout)
    entry = next(e for e in book["entries"] if e["id"] == "radius-mask")
    entry |= {"id": "mine", "annotations": [], "related": []}
    entry["snippets"][0] |= {"id": "mine_snippet", "code": "print('hello: 1')"}
    file = tmp_path / "mine.json"
    file.write_text(json.dumps(book | {"entries": [entry]}))
    assert run("import", str(file)).returncode == 0
    done = run("run", "mine", "--json")
    assert done.returncode == 5
    assert json.loads(done.stdout)["status"] == "refused"
    assert json.loads(done.stderr)["error"]["code"] == "untrusted"
    assert "hello" in run("run", "mine", "--trust").stdout


def test_errors_are_json_where_json_is_asked_for(kb: Path) -> None:
    done = run("show", "nothing-of-the-kind", "--json")
    assert (done.returncode, done.stdout) == (3, "")
    assert set(json.loads(done.stderr)["error"]) == {"code", "message", "hint"}
    assert json.loads(run("search", "--json").stderr)["error"]["code"] == "usage"


@pytest.mark.long
def test_global_options_stand_before_or_after_the_command(kb: Path, tmp_path: Path) -> None:
    other = str(tmp_path / "other.db")
    run("--db", other, "init", "--empty")
    assert json.loads(run("--json", "--db", other, "list").stdout)["total"] == 0
    assert json.loads(run("list", "--db", other, "--json").stdout)["total"] == 0


def test_a_word_that_begins_with_a_hyphen_is_no_option(kb: Path) -> None:
    assert "Usage" not in run("search", "norm", "-hidden").stdout
    assert "Usage" in run("search", "-h").stdout


def test_of_several_files_all_are_imported_or_none(kb: Path, tmp_path: Path) -> None:
    good, bad = tmp_path / "good.md", tmp_path / "bad.md"
    good.write_text("What is good?\nThis.\n")
    bad.write_bytes(b"no\0thing\n")
    assert run("import", str(good), str(bad)).returncode == 4
    assert document("list")["total"] == 33


def test_the_app_asks_for_a_terminal(kb: Path) -> None:
    done = run("tui", stdin=subprocess.DEVNULL)
    assert done.returncode == 2
    assert "needs a terminal" in done.stderr


@pytest.mark.long
@pytest.mark.parametrize("arguments", [[], ["tui", "radius-mask"]])
def test_in_a_terminal_the_app_opens_and_leaves_quietly(kb: Path, arguments: list[str]) -> None:
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    process = subprocess.Popen(
        [sys.executable, "-m", "kb", *arguments],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        env={**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm-256color"},
    )
    os.close(slave)
    seen, told = b"", False
    while select.select([master], [], [], PATIENCE)[0]:
        try:
            seen += os.read(master, 1 << 16)
        except OSError:  # the other end is closed
            break
        if b"earch" in seen and not told:
            told = bool(os.write(master, b"\x11"))  # ctrl+q
    assert told
    assert process.wait(PATIENCE) == 0
    assert b"Traceback" not in seen
    os.close(master)


def test_bytes_that_are_no_text_are_a_query(kb: Path) -> None:
    done = subprocess.run(
        [sys.executable.encode(), b"-m", b"kb", b"search", b"\xff\xfe(", b"\xc3"],
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert done.returncode == 1
    assert b"Traceback" not in done.stderr


def test_a_closed_pipe_ends_quietly(kb: Path) -> None:
    done = subprocess.run(
        f"{sys.executable} -m kb export -f json | head -c 10",
        shell=True,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_a_full_disk_under_stdout_is_one_sentence(kb: Path) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "kb", "export", "-f", "json"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
    assert done.returncode == 4
    assert "No space left" in done.stderr
    assert "Traceback" not in done.stderr


def test_without_terminal_kb_prints_its_help(kb: Path) -> None:
    assert "Usage: kb" in run(stdin=subprocess.DEVNULL).stdout


def test_the_version_is_told(kb: Path) -> None:
    assert run("--version").stdout == f"danesh {__version__}\n"


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(name: str) -> None:
    context = kb_group.make_context("kb", [name], resilient_parsing=True)
    command = kb_group.get_command(context, name)
    assert command is not None
    assert command.name == name
    assert command.get_short_help_str()
    for parameter in command.params:
        assert not isinstance(parameter, click.Option) or parameter.help, parameter.name


@pytest.mark.long
@pytest.mark.parametrize(
    ("variables", "option", "colored"),
    [
        ({}, "auto", True),
        ({"NO_COLOR": "1"}, "auto", False),
        ({"NO_COLOR": ""}, "auto", True),
        ({"TERM": "dumb"}, "auto", False),
        ({}, "never", False),
        ({"NO_COLOR": "1"}, "always", True),
    ],
)
def test_colour_is_used_where_it_is_wanted(
    kb: Path, variables: dict[str, str], option: str, colored: bool
) -> None:
    output = _in_terminal(["--color", option, "search", "intractable"], variables)
    assert ("\x1b[" in output) is colored


def test_a_pipe_gets_no_colour(kb: Path) -> None:
    assert "\x1b[" not in run("search", "intractable").stdout


def test_persian_is_turned_in_a_terminal_and_kept_in_logical_order_in_a_pipe(kb: Path) -> None:
    query = ["search", "بی ثباتی id:numerical-instability-causes", "--lang", "fa"]
    assert "بی‌ثباتی عددی" in run(*query).stdout
    shown = _in_terminal(query, {})
    assert "ﺩﺪﻋ" in shown
    assert "بی‌ثباتی" not in shown
    left_alone = _in_terminal(query, {"TERM_PROGRAM": "Apple_Terminal"})
    assert "بی‌ثباتی عددی" in left_alone


@pytest.mark.long
@pytest.mark.parametrize("name", ["empty.db", "خالی.db"])
def test_an_empty_file_becomes_a_database_by_init_alone(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.touch()
    refused = run("--db", str(path), "list", "--json")
    assert refused.returncode == 4
    assert "kb init" in json.loads(refused.stderr)["error"]["hint"]
    assert path.read_bytes() == b""
    assert run("--db", str(path), "init", "--empty").returncode == 0
    assert run("--db", str(path), "list").returncode == 1
    assert run("--db", str(path), "init", "--empty").returncode == 6


@pytest.mark.long
def test_content_never_reaches_the_terminal_raw(empty: object, tmp_path: Path) -> None:
    file = tmp_path / "evil.jsonl"
    evil = "\x1b]52;c;aGk=\x07\x1b[2J\x9b31m\u202eevil"
    file.write_text(json.dumps({"id": f"e{evil}", "title": f"What is {evil}?", "text": evil}))
    database = str(tmp_path / "evil.db")
    run("--db", database, "init", "--empty")
    told = run("--db", database, "import", str(file), "--collection", evil)
    told_again = run("--db", database, "show", f"nothing{evil}")
    shown = _in_terminal(["--db", database, "--color", "never", "search", "evil"], {})
    for text in (told.stdout, told_again.stderr, shown):
        assert not set(text) & {"\x1b", "\x07", "\x9b", "\u202e"}
        assert "evil" in text


MARKDOWN = "- an **item**, [a page](https://x.y/\u202eq) and `code`\n- [x] ~~no~~\n\n> $a_i*b_j$ 🙂"


@pytest.fixture
def deck(empty: object, tmp_path: Path) -> str:
    file, database = tmp_path / "deck.jsonl", str(tmp_path / "deck.db")
    rows = [
        {"id": "e", "lang": "en", "title": "What is **it**?", "text": MARKDOWN},
        {
            "id": "e",
            "lang": "fa",
            "title": "چیست؟",
            "text": "- یک\n- **دو**\n\n| نام |\n|---|\n| نرخ |",
        },
    ]
    file.write_text("\n".join(map(json.dumps, rows)))
    run("--db", database, "init", "--empty")
    assert run("--db", database, "import", str(file)).returncode == 0
    return database


@pytest.mark.long
def test_markdown_is_laid_out_with_signs_where_there_are_no_styles(deck: str) -> None:
    shown = run("--db", deck, "show", "deck/e", "--lang", "both").stdout
    for words in ("What is **it**?", "• an **item**, a page (https://x.y/%E2%80%AEq) and `code`",
                  "☑ ~~no~~", "│ aᵢ*bⱼ 🙂", "• یک", "نرخ"):  # fmt: skip
        assert words in shown, words


@pytest.mark.long
def test_a_terminal_gets_styles_and_links_to_clean_addresses(deck: str) -> None:
    shown = _in_terminal(["--db", deck, "show", "deck/e", "--lang", "en"], {})
    link = "\x1b]8;;https://x.y/%E2%80%AEq\x1b\\"
    assert shown.count(link) == 1 and shown.count("\x1b]8;;\x1b\\") == 1
    assert "**" not in shown and "\x1b[1m" in shown
    plain = _in_terminal(["--db", deck, "--color", "never", "show", "deck/e"], {})
    assert "\x1b" not in plain and "a page (https://x.y/%E2%80%AEq)" in plain


@pytest.mark.long
def test_plain_text_says_what_markdown_shows(deck: str) -> None:
    shown = run("--db", deck, "show", "deck/e", "--plain", "--lang", "both").stdout
    for line in ("item: an item, a page (https://x.y/%E2%80%AEq) and code",
                 "done: (struck out: no)", "quote: aᵢ*bⱼ 🙂", "item: دو", "نام: نرخ"):  # fmt: skip
        assert line in shown.split("\n"), line
    assert not set("•│─☑*`") & set(shown.replace("aᵢ*bⱼ", ""))


def test_the_persian_of_a_list_keeps_to_the_right_with_its_marks(deck: str) -> None:
    shown = _in_terminal(["--db", deck, "show", "deck/e", "--lang", "fa"], {"NO_COLOR": "1"})
    lines = [line.rstrip("\r") for line in shown.split("\n")]
    assert any(line.endswith("ﮏﯾ •") and line.startswith("     ") for line in lines)


def test_json_keeps_markdown_as_it_is_written(deck: str) -> None:
    entry = json.loads(run("--db", deck, "show", "deck/e", "--json").stdout)
    assert [a["text"] for a in entry["answers"] if a["lang"] == "en"] == [MARKDOWN]


def _here(*arguments: str) -> str:
    """Run a command in this process, which is much faster, and return its output."""
    stream, sys.stdout = sys.stdout, io.TextIOWrapper(io.BytesIO(), "utf-8")
    try:
        run_here(list(arguments))
        return sys.stdout.buffer.getvalue().decode()  # type: ignore[attr-defined, no-any-return]
    finally:
        sys.stdout = stream


def _in_terminal(arguments: list[str], variables: dict[str, str]) -> str:
    """Run a command in a pseudo-terminal and return what it wrote there."""
    environment = {"TERM": "xterm-256color", **os.environ, "PYTHONPATH": str(ROOT), **variables}
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "kb", *arguments], stdout=slave, stderr=slave, env=environment
    )
    os.close(slave)
    output = b""
    while select.select([master], [], [], PATIENCE)[0]:
        try:
            piece = os.read(master, 1 << 16)
        except OSError:
            break
        if not piece:
            break
        output += piece
    process.wait()
    os.close(master)
    return output.decode()


def test_an_entry_is_shown_with_question_answers_notes_and_code(kb: Path) -> None:
    parts = (
        "model-parallelism  card · 19",
        "What is model parallelism",
        "\nShort answer\n",
        "\nGo deeper\n",
        "\n  1 more annotation",
        "\nprogram ",
        "\nrelated:",
    )
    shown = run("show", "model-parallelism").stdout
    places = [shown.index(part) for part in parts]
    assert places == sorted(places)
    assert "Source answer" not in shown and "import " not in shown
    assert "```python\n" in run("show", "model-parallelism", "--code").stdout
    whole = run("show", "model-parallelism", "--all").stdout
    parts = (
        "Short answer",
        "Go deeper",
        "Source answer",
        "⟨1⟩",
        "\n≈ 1. misleading (",
        "```python\n",
    )
    places = [whole.index(part) for part in parts]
    assert places == sorted(places)


def test_one_language_is_shown_alone(kb: Path) -> None:
    for options in (["--lang", "fa"], ["--language", "fa"]):
        shown = run("show", "batch-norm-epsilon", *options).stdout
        asked = shown.split("\n")[1]
        assert "نرمال‌سازی دسته‌ای" in asked and "نرمافزار" not in shown
        assert "What’s the purpose" not in shown and "translation" not in shown
    english = run("show", "batch-norm-epsilon", "--all").stdout
    told = re.sub(r"```python\n.*?```", "", english, flags=re.DOTALL)  # charts have names in both
    assert not has_rtl(told) and "translation-error" not in english
    both = run("show", "batch-norm-epsilon", "--lang", "both").stdout
    assert "What’s the purpose" in both and "نرمال‌سازی دسته‌ای" in both
    assert "نرمافزار" in run("show", "batch-norm-epsilon", "--lang", "fa", "--all").stdout
    everything = document("show", "batch-norm-epsilon")
    assert document("show", "batch-norm-epsilon", "--lang", "fa") == everything


@pytest.fixture
def vault(tmp_path: Path) -> str:
    """Make a base with a long note, and a card that was made from it, in both languages."""
    long = "".join(
        f"# Part {n}\n\n{'There is more to say. ' * 120}\n\nword{n}\n\n" for n in range(6)
    )
    entries = [
        {"id": "n/svm", "kind": "note", "collection": "n", "question": {"en": "Vectors"},
         "answers": [{"role": "source", "lang": "en", "text": long}],
         "aliases": ["SVM", "بردار پشتیبان"]},
        {"id": "n/card", "kind": "card", "collection": "n", "question": {"fa": "حاشیه چیست؟"},
         "answers": [{"role": "source", "lang": "fa", "text": "یک فاصله است. word3"}],
         "related": ["n/svm"], "within": "n/svm", "context": "| x | y |\n|---|---|\n| ۱ | ۲ |"},
    ]  # fmt: skip
    (tmp_path / "own.jsonl").write_text("\n".join(map(json.dumps, entries)), encoding="utf-8")
    path = str(tmp_path / "notes.db")
    assert run("--db", path, "init", "--empty").returncode == 0
    assert run("--db", path, "import", str(tmp_path / "own.jsonl")).returncode == 0
    return path


@pytest.mark.long
def test_an_entry_is_shown_with_its_aliases_its_context_and_what_links_to_it(vault: str) -> None:
    note = document("--db", vault, "show", "n/svm")
    assert (note["aliases"], note["context"]) == (["SVM", "بردار پشتیبان"], None)
    assert note["backlinks"] == ["n/card"]
    card = document("--db", vault, "show", "n/card")
    assert (card["aliases"], card["backlinks"], card["within"]) == ([], [], "n/svm")
    assert card["context"].startswith("| x | y |")
    shown = run("--db", vault, "show", "n/svm").stdout
    assert "SVM · بردار پشتیبان" in shown and shown.rstrip().endswith("linked from: n/card")
    shown = run("--db", vault, "show", "n/card", "--plain").stdout
    places = [shown.index(part) for part in ("حاشیه چیست", "Context", "۲", "یک فاصله")]
    assert places == sorted(places)


@pytest.mark.long
def test_an_entry_that_lacks_the_language_is_shown_in_its_own_and_that_is_named(vault: str) -> None:
    shown = run("--db", vault, "show", "n/card").stdout
    assert "only in fa" in shown.split("\n")[0] and "یک فاصله" in shown
    listed = run("--db", vault, "list").stdout.split("\n")
    assert listed[2:] == ["n/card  card · fa", "    حاشیه چیست؟", ""]
    assert "تنها به" in run("--db", vault, "show", "svm", "--language", "fa").stdout.split("\n")[0]


@pytest.mark.long
def test_a_section_is_shown_alone_and_a_hit_in_a_long_note_names_its_own(vault: str) -> None:
    found = document("--db", vault, "search", "word2")["hits"][0]
    assert (found["id"], found["section"]) == ("n/svm", "Part 2")
    assert "n/svm#Part 2" in run("--db", vault, "search", "word2").stdout
    text = run("--db", vault, "show", "n/svm#part 2").stdout
    assert "word2" in text and "word1" not in text
    wrong = run("--db", vault, "show", "n/svm#Prt 2")
    assert wrong.returncode == 3 and "Part 2" in wrong.stderr
    (group,) = document("--db", vault, "search", "word3")["hits"]
    assert {group["id"], *group["cards"]} == {"n/svm", "n/card"}


def test_plain_text_has_words_in_place_of_signs_and_keeps_its_order(kb: Path) -> None:
    shown = run("show", "matrix-chain-three", "--plain", "--all", "--color", "always").stdout
    assert "annotation 1 of " in shown
    told = [line for line in shown.split("\n") if re.match(r"annotation \d+ of ", line)]
    assert told and not set("✗·…│─") & set("".join(told))
    assert "\x1b" not in shown
    found = run("search", "شبکه عصبی", "--plain", "--limit", "1").stdout
    assert "شبکه" in found and " · " not in found.split("\n")[0]


@pytest.mark.long
def test_formulas_are_readable_in_text_and_as_they_are_written_in_json(kb: Path) -> None:
    readable = "A ∈ R¹⁰⁰ˣ⁵، B ∈ R⁵ˣ²⁰⁰، C ∈ R²⁰⁰ˣ²⁰"
    written = r"$$A \in R^{100 \times 5}، B \in R^{5 \times 200}، C \in R^{200 \times 20}$$"
    for arguments, options in (
        (["show", "matrix-chain-three"], ["--lang", "fa", "--all"]),
        (["search", "id:matrix-chain-three ماتریس", "--lang", "fa"], []),
    ):
        for more in ([], ["--plain"]):
            shown = run(*arguments, *options, *more).stdout
            assert (readable if options else "A∈ℝ¹⁰⁰ˣ⁵") in shown.replace("\u200e", "")
            assert "$$" not in shown
        assert written in json.dumps(document(*arguments), ensure_ascii=False).replace("\\\\", "\\")
    assert written in run("export", "--format", "csv").stdout


def test_a_formula_reads_from_left_to_right_in_a_terminal(kb: Path) -> None:
    command = ["show", "matrix-chain-many", "--lang", "fa", "--all"]
    shown = _in_terminal(command, {})
    assert "A₁A₂...Aₙ N ﯼﺎﻫ" in shown
    left_alone = _in_terminal(command, {"TERM_PROGRAM": "Apple_Terminal"})
    assert "\u200eN\u200e \u200eA₁A₂...Aₙ\u200e" in left_alone
