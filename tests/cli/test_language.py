"""The command line in the reader's language: what it says changes, what scripts read does not."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from kb.terminal.bidi.direction import has_rtl
from kb.terminal.layout import lay_out, text_width
from tests.cli.process import run

VISUAL = re.compile("[\ufb50-\ufdff\ufe70-\ufeff]")
"""Letters in the forms that only lines in visual order have."""


def lines(text: str) -> list[str]:
    return [line.strip() for line in text.split("\n")]


@pytest.mark.parametrize(
    ("arguments", "environ"),
    [
        (["--language", "fa"], {}),
        ([], {"KB_LANG": "fa"}),
        ([], {"KB_LANG": "", "LANGUAGE": "", "LC_ALL": "fa_IR.UTF-8"}),
    ],
    ids=["option", "KB_LANG", "locale"],
)
def test_headings_and_verdicts_are_in_the_language_that_was_asked_for(
    kb: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], environ: dict[str, str]
) -> None:
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    shown = run("show", "matrix-chain-three", *arguments).stdout
    assert "پاسخ کوتاه" in shown
    assert "Short answer" not in shown


def test_the_settings_name_a_language_and_the_option_another(
    kb: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = tmp_path / "settings.toml"
    settings.write_text('language = "fa"\n')
    monkeypatch.setenv("KB_SETTINGS", str(settings))
    monkeypatch.setenv("KB_LANG", "")
    assert "پاسخ کوتاه" in run("show", "matrix-chain-three").stdout
    assert "Short answer" in run("show", "matrix-chain-three", "--language", "en").stdout


@pytest.mark.long
@pytest.mark.parametrize(
    "command",
    [
        ["list"],
        ["search", "gradient"],
        ["show", "matrix-chain-three"],
        ["info"],
        ["glossary", "show", "loss"],
        ["collection", "list"],
        ["log"],
        ["show", "no-such-entry"],
        ["search", "--limit", "x", "a"],
        ["import", "nowhere.md"],
    ],
    ids=" ".join,
)
def test_json_is_the_same_in_every_language(kb: Path, command: list[str]) -> None:
    english = run(*command, "--json")
    persian = run("--language", "fa", *command, "--json")
    took = re.compile(r'"took_ms": [0-9.]+')
    assert took.sub("", persian.stdout) == took.sub("", english.stdout)
    assert persian.stderr == english.stderr
    assert persian.returncode == english.returncode


@pytest.mark.long
@pytest.mark.parametrize(
    ("command", "code", "name"),
    [
        (["show", "no-such-entry"], 3, "no-such-entry"),
        (["import", "nowhere.md"], 3, "nowhere.md"),
        (["export", "-f", "pdf"], 2, "pdf"),
        (["search", "--limit", "x", "a"], 2, "--limit"),
        (["serach"], 2, "search"),
        (["show"], 2, "ID"),
        (["list", "--nope"], 2, "--nope"),
        (["list", "--limitt"], 2, "--limit"),
        (["history", "x", "--dif"], 2, "--bidi"),
        (["rm"], 2, "ID"),
        (["mv", "x"], 2, "kb mv"),
        (["run", "nothing-here"], 3, "nothing-here"),
        (["restore", "nowhere.db"], 3, "nowhere.db"),
        (["undo"], 3, "kb:"),
    ],
    ids=lambda each: " ".join(each) if isinstance(each, list) else "",
)
def test_an_error_is_said_in_persian_with_its_names_and_the_same_exit_code(
    kb: Path, tmp_path: Path, command: list[str], code: int, name: str
) -> None:
    english = run(*command, cwd=tmp_path)
    persian = run(*command, "--language", "fa", cwd=tmp_path)
    assert (persian.returncode, english.returncode) == (code, code), (english, persian)
    first = persian.stderr.split("\n")[0]
    assert name in persian.stderr
    assert re.search("[آ-ی]", first) and first != english.stderr.split("\n")[0]


@pytest.mark.parametrize("command", [[], ["show"], ["import"], ["collection", "new"], ["verify"]])
def test_help_is_in_persian_and_its_examples_stay(command: list[str]) -> None:
    english, persian = run(*command, "--help"), run("--language", "fa", *command, "--help")
    assert persian.returncode == 0
    told = [line for line in lines(persian.stdout) if line]
    assert "گزینه‌ها:" in told
    commands = re.findall(r"^ +(kb \S.*?)(?: {2,}|$)", english.stdout, re.MULTILINE)
    assert all(any(line.startswith(each) for line in told) for each in commands)
    said = [line for line in told if not line.startswith(("kb", "-", "curl", "کاربرد"))]
    assert all(has_rtl(line) for line in said if re.search("[a-z]{3} [a-z]", line)), said


def test_what_goes_on_to_a_program_stays_in_logical_order(kb: Path) -> None:
    shown = run("show", "matrix-chain-three", "--language", "fa").stdout
    assert has_rtl(shown) and not VISUAL.search(shown)


def test_before_a_pager_the_lines_are_turned_and_fit_where_it_is_told(
    kb: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    command = ["show", "matrix-chain-three", "--language", "fa"]
    shown = run(*command, "--bidi", "app").stdout
    assert VISUAL.search(shown)
    turned = [line for line in shown.split("\n")[1:] if VISUAL.search(line)]
    assert max(map(text_width, turned)) <= 80
    heading = next(lay_out("پاسخ کوتاه", 80)).text
    assert heading.rjust(80) in shown.split("\n")
    plain = run(*command, "--bidi", "app", "--plain").stdout
    assert not VISUAL.search(plain)


def test_help_before_a_pager_is_turned_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    shown = run("show", "--help", "--language", "fa", "--bidi", "app").stdout
    assert VISUAL.search(shown)
    assert any(line.startswith("  --plain") for line in shown.split("\n"))


def test_an_unknown_language_is_refused_by_name() -> None:
    refused = run("list", "--language", "de", "--json")
    assert refused.returncode == 2
    assert "'de'" in json.loads(refused.stderr)["error"]["message"]


@pytest.mark.parametrize("command", ["search", "export", "compact", "new", "list", "import"])
def test_no_option_is_told_in_english(command: str) -> None:
    shown = run(command, "--help", "--language", "fa").stdout
    told = re.findall(r"^ +-\S.*? {2,}(\S.*)$", shown, re.MULTILINE)
    assert told and all(has_rtl(line) for line in told), told
    assert "required" not in shown and "default" not in shown


def test_a_group_alone_shows_its_help_in_lines() -> None:
    for options in ([], ["--language", "fa"]):
        done = run(*options, "collection")
        assert (done.returncode, done.stdout) == (2, "")
        assert "\n    kb collection list\n" in done.stderr


def test_names_in_persian_lines_are_kept_together(
    kb: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for arguments, kept in (
        (["foo"], ".«foo»"),
        (["search", "x", "--limit", "-1"], "-1 :«--limit, -n»"),
        (["show", "radius-mas"], "«radius-mas»"),
        (["rm", "--help-me"], "«kb rm --help»"),
        (["export", "-f", "json", "-o", "out.json"], "۳۳ :out.json"),
    ):
        told = run(*arguments, "--language", "fa", cwd=tmp_path).stderr
        lines_ = [
            line for part in told.splitlines() for line in lay_out(part, 200, direction="base-rtl")
        ]
        assert any(kept in line.text for line in lines_), [line.text for line in lines_]


def test_each_count_stands_at_its_word_and_has_persian_digits(
    kb: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    command = ["list", "--level", "E", "--language", "fa"]
    turned = run(*command, "--bidi", "app").stdout
    for said in ("۲ نادرست", "۱ گمراه‌کننده", "۱.۱"):
        assert next(lay_out(said, 40)).text in turned.split("\n")[0], said
    heads = [line for line in run(*command).stdout.split("\n") if line[:1].isalpha()]
    assert heads and not any(re.search("[0-9]", line.split("  ")[1]) for line in heads)
    info = run("info", "--language", "fa").stdout
    assert "مدخل ۳۳" in info and "entry" not in info


def test_a_search_by_filters_alone_shows_no_passage_of_another_language(kb: Path) -> None:
    shown = run("search", "verdict:wrong", "--language", "fa").stdout
    assert "matrix-chain-three" in shown and "You have three matrices" not in shown


@pytest.mark.long
@pytest.mark.parametrize(
    ("command", "kept", "lost"),
    [
        (["new", "--level", "hrad", "--question", "x"], ["«hrad»", "easy, medium, hard"], "'easy'"),
        (["new", "--kind", "hard", "--question", "x"], ["«hard»", "question, card, note"], "سخت"),
        (["search", "x", "--limit", "abc"], ["«--limit, -n»", "«abc»"], "'"),
        (["collection", "foo"], ["«foo»"], "No such command"),
        (["show", "softmax-of-nothing"], ["مدخل «softmax-of-nothing» وجود ندارد"], "به نام"),
        (["doctor"], ["document_fts"], "of a sample"),
        (["doctor"], ["پایانه"], "a terminal like most"),
    ],
)
def test_what_was_typed_is_quoted_as_it_is_and_all_else_is_persian(
    kb: Path, command: list[str], kept: list[str], lost: str
) -> None:
    done = run(*command, "--language", "fa")
    told = re.sub("[\u200e\u200f]", "", done.stdout + done.stderr)
    assert [each for each in kept if each not in told] == [], told
    assert lost not in told


def test_headings_are_underlined_only_where_no_dots_are_hidden(kb: Path) -> None:
    for lang, underlined in (("en", True), ("fa", False)):
        command = ["show", "rnn-backprop-complexity", "--color", "always", "--language", lang]
        assert ("\x1b[4m" in run(*command).stdout) == underlined


def test_the_log_counts_what_an_import_brought_in_the_readers_language(
    kb: Path, tmp_path: Path
) -> None:
    (tmp_path / "t.md").write_text("Q: Why?\nA: Because.\n", encoding="utf-8")
    assert run("import", str(tmp_path / "t.md")).returncode == 0
    assert "1 entry added from " in run("log").stdout
    assert "۱ مدخل افزوده شد از" in run("log", "--language", "fa").stdout


@pytest.mark.parametrize("flags", [(), ("--language", "fa"), ("--json",)])
def test_what_the_settings_have_wrong_is_told_once_beside_the_data(
    kb: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, flags: tuple[str, ...]
) -> None:
    settings = tmp_path / "settings.toml"
    monkeypatch.setenv("KB_SETTINGS", str(settings))
    silent = run("list", *flags)
    settings.write_text('them = "dark"\nstudy_new = -1\n')
    told = run("list", *flags)
    assert (told.returncode, told.stdout) == (silent.returncode, silent.stdout) and told.stdout
    assert silent.stderr == ""
    plain = re.sub("[\u2066-\u2069\u200e\u200f]", "", told.stderr)
    for words in (
        "settings.toml",
        "them",
        "theme",
        "study_new",
        "9999" if "fa" not in flags else "۹۹۹۹",
    ):
        assert words in plain.replace("،", "").replace(",", "")
    assert told.stderr.count("\n") == 2
