"""Settings: read by both front ends, written by the app, and never in anyone's way."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.errors import BadData
from kb.settings import Settings, change_settings, read_settings, remembered, settings_path
from kb.terminal.terminal import direction_support


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("KB_SETTINGS", str(tmp_path / "a folder" / "settings.toml"))
    return tmp_path / "a folder" / "settings.toml"


def test_without_a_file_everything_is_at_its_default(file: Path) -> None:
    assert read_settings() == (Settings(), ())
    assert settings_path() == file


@pytest.mark.parametrize("name", ["/", ".", ".."])
def test_settings_named_as_a_folder_keep_nobody_out(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KB_SETTINGS", name)
    assert read_settings()[0] == Settings()
    assert remembered("trusted") == []


def test_settings_behind_a_link_are_written_there(file: Path, tmp_path: Path) -> None:
    kept = tmp_path / "dotfiles" / "mine.toml"
    kept.parent.mkdir()
    kept.write_text('bidi = "off"\n')
    file.parent.mkdir(exist_ok=True)
    file.symlink_to(kept)
    change_settings({"language": "fa"})
    assert file.is_symlink()
    assert kept.read_text() == 'bidi = "off"\nlanguage = "fa"\n'


def test_what_is_written_is_read_again(file: Path) -> None:
    change_settings({"bidi": "terminal", "language": "fa"})
    change_settings({"theme": "light", "bidi": "app"})
    assert read_settings() == (Settings("app", "fa", "light"), ())


def test_what_else_stands_in_the_file_stays(file: Path) -> None:
    file.parent.mkdir()
    file.write_text("# mine\ntheme = 'dark'\nlater = [1]\n\n[keys]\nsearch = 'ctrl+f'\n")
    change_settings({"theme": "light", "language": "fa"})
    assert read_settings()[0] == Settings("auto", "fa", "light", {"search": "ctrl+f"})
    kept = file.read_text().splitlines()
    assert kept[:3] == ["# mine", 'theme = "light"', "later = [1]"]


@pytest.mark.parametrize(
    "content", [b"bidi = 'app'\ntheme = \n", b"'theme' = 'dark'\n", b"# \xff\n"]
)
def test_a_file_with_a_mistake_is_not_written_over(file: Path, content: bytes) -> None:
    file.parent.mkdir()
    file.write_bytes(content)
    with pytest.raises(BadData, match="the settings cannot be read"):
        change_settings({"theme": "light"})
    assert file.read_bytes() == content


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("bidy = 'app'\nlanguage = 'fa'", "there is no setting 'bidy'. Nearest: bidi."),
        (
            "bidi = 'left'\nlanguage = 'fa'",
            "bidi must be one of auto, app, terminal, off, not 'left'.",
        ),
        ("bidi = ['app']\nlanguage = 'fa'", "bidi must be one of"),
    ],
)
def test_a_setting_that_cannot_be_read_is_told_and_the_others_hold(
    file: Path, text: str, told: str
) -> None:
    file.parent.mkdir()
    file.write_text(text)
    settings, problems = read_settings()
    assert settings == Settings(language="fa")
    assert len(problems) == 1 and told in problems[0] and str(file) in problems[0]


@pytest.mark.parametrize("content", [b"bidi = ", b"\xff\xfe", b"keys = 3"])
def test_a_file_that_is_no_settings_keeps_nobody_out(file: Path, content: bytes) -> None:
    file.parent.mkdir()
    file.write_bytes(content)
    assert read_settings()[0] == Settings()


def test_what_was_settled_decides_who_turns_the_text() -> None:
    vte = {"VTE_VERSION": "7006"}
    apple = {"TERM_PROGRAM": "Apple_Terminal"}
    assert direction_support(apple, "app").mode == "app"
    assert direction_support(vte, "app").switch
    for chosen in ("terminal", "off"):
        told = direction_support(vte, chosen)
        assert (told.mode, told.switch) == ("terminal", None)
    assert direction_support(vte, "auto") == direction_support(vte)


@pytest.mark.parametrize("written", ["2026-06-01", '"2026-06-01"'])
def test_the_day_of_an_exam_may_be_a_date_of_toml(file: Path, written: str) -> None:
    file.parent.mkdir()
    file.write_text(f"study_exam = {written}\n")
    assert read_settings() == (Settings(study_exam="2026-06-01"), ())


@pytest.mark.parametrize(
    "line",
    [
        "study_exam = 20260601", "study_exam = 2026-06-01T10:00:00", "study_exam = 'June'",
        f"study_weights = [{', '.join(['nan'] * 17)}]", "study_weights = [1.0]",
    ],
)  # fmt: skip
def test_what_is_no_day_and_no_weights_is_told_and_left_out(file: Path, line: str) -> None:
    file.parent.mkdir()
    file.write_text(f"{line}\n")
    settings, (problem,) = read_settings()
    assert settings == Settings() and line.partition(" ")[0] in problem
