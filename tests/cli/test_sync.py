"""``kb sync`` from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.process import run


@pytest.mark.long
def test_two_copies_sync_and_resolve_a_conflict_through_a_file(tmp_path: Path) -> None:
    stick = str(tmp_path / "stick.sync")

    def kb(name: str, *arguments: str):
        return run("--db", str(tmp_path / f"{name}.db"), *arguments)

    for name in "ab":
        kb(name, "init", "--empty")
    kb("a", "new", "-c", "c", "--question", "Attention?", "--answer", "Weights.")
    assert "1 change sent, 0 changes received, 0 entries changed" in kb("a", "sync", stick).stderr
    done = kb("b", "sync", stick, "--json")
    assert json.loads(done.stdout) == {
        "schema_version": 1,
        "syncs": [{"sent": 0, "received": 1, "entries": ["c/attention"], "conflicts": 0,
                   "unsent": 0, "only": [], "settings": [], "skipped": []}],
    }  # fmt: skip
    kb("a", "edit", "c/attention", "--question", "Why?")
    kb("b", "edit", "c/attention", "--question", "How?")
    kb("a", "sync", stick)
    assert "1 entry with conflicts" in kb("b", "sync", stick).stderr
    told = json.loads(kb("b", "resolve", "--json").stdout)["contested"]
    assert {told[0]["mine"], told[0]["theirs"]} == {"Why?", "How?"}
    kb("b", "resolve", "c/attention", "--theirs")
    kb("b", "sync", stick)
    kb("a", "sync", stick)
    assert kb("a", "resolve").returncode == 1
    shown = [json.loads(kb(name, "show", "c/attention", "--json").stdout) for name in "ab"]
    assert shown[0]["question"] == shown[1]["question"] == {"en": told[0]["theirs"]}


@pytest.mark.long
def test_the_file_of_the_last_sync_needs_no_name(tmp_path: Path) -> None:
    base, stick = str(tmp_path / "a.db"), tmp_path / "stick.sync"
    run("--db", base, "init", "--empty")
    assert "name a file" in run("--db", base, "sync").stderr
    run("--db", base, "sync", str(stick))
    run("--db", base, "new", "-c", "c", "--question", "Attention?", "--answer", "Weights.")
    assert "1 change sent" in run("--db", base, "sync").stderr
    stick.unlink()
    done = run("--db", base, "sync")
    assert done.returncode == 3
    assert str(stick) in done.stderr
    assert not stick.exists()


@pytest.mark.long
def test_a_database_from_elsewhere_does_not_decide_where_changes_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    base, stick = str(tmp_path / "a.db"), tmp_path / "stick.sync"
    run("--db", base, "init", "--empty")
    run("--db", base, "sync", str(stick))
    before = stick.read_bytes()
    monkeypatch.setenv("HOME", str(tmp_path / "other"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "other"))
    run("--db", base, "new", "--question", "Attention?", "--answer", "Weights.")
    done = run("--db", base, "sync")
    assert done.returncode == 5
    assert f"'kb sync {stick}'" in done.stderr
    assert stick.read_bytes() == before
    assert run("--db", base, "sync", str(stick)).returncode == 0
    assert run("--db", base, "sync").returncode == 0


def test_what_a_file_names_reaches_the_terminal_escaped(tmp_path: Path) -> None:
    stick = tmp_path / "stick.sync"
    row = json.dumps(
        {"at": "", "author": "", "entry": "a\x1b]0;x\x07", "fields": {"level": "Z"}, "parents": []},
        separators=(",", ":"), sort_keys=True, ensure_ascii=False,
    )  # fmt: skip
    stick.write_text(f'{{"danesh_sync": 1}}\n{row}\n', encoding="utf-8")
    base = str(tmp_path / "a.db")
    run("--db", base, "init", "--empty")
    done = run("--db", base, "sync", str(stick))
    assert done.returncode == 0
    assert "skipped" in done.stderr
    assert "\x1b" not in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("lang", "said"),
    [("en", "--with-reviews needs a file"), ("fa", "به یک فایل نیاز دارد")],
)
def test_a_study_log_goes_only_into_a_file(tmp_path: Path, lang: str, said: str) -> None:
    base = ("--db", str(tmp_path / "a.db"), "--language", lang)
    for target in ((), ("postgresql://ada@localhost/course",)):
        done = run(*base, "sync", *target, "--with-reviews")
        assert done.returncode == 2 and said in done.stderr


@pytest.mark.parametrize("target", [(), ("stick.sync",)])
@pytest.mark.parametrize(
    ("lang", "said"),
    [("en", "--only needs the address of a hub"), ("fa", "باید نشانی سرور را بدهید")],
)
def test_only_a_course_is_read_in_part(
    tmp_path: Path, target: tuple[str, ...], lang: str, said: str
) -> None:
    base = ("--db", str(tmp_path / "a.db"), "--language", lang)
    done = run(*base, "sync", *target, "--only", "ml/a")
    assert done.returncode == 2 and said in done.stderr
