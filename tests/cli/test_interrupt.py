"""Ctrl+C at long work: one sentence, exit code 130, and a database that is whole."""

from __future__ import annotations

import json
import os
import pty
import select
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from kb import Library, open_library
from kb.cli.messages import working
from kb.errors import Cancelled
from kb.model.entry import Annotation, Answer, Entry, Evidence, Snippet, Target, digest
from kb.model.entry_json import ENTRY
from kb.model.json import dumps
from kb.text.languages import FINGERPRINT
from tests.behind import remember
from tests.databases import new_library

ROOT = Path(__file__).parents[2]
MANY = 2000


@pytest.fixture
def heard() -> Iterator[None]:
    """Let Ctrl+C be heard, as a shell in the background does not."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


class Terminal:
    """A command in a pseudo-terminal, with what it has written so far."""

    def __init__(self, arguments: tuple[str, ...], variables: dict[str, str]) -> None:
        self._master, slave = pty.openpty()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "kb", *arguments],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env={"TERM": "xterm", **os.environ, "PYTHONPATH": str(ROOT), **variables},
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        )
        os.close(slave)
        self.seen = ""
        self._bytes = b""

    def read(self) -> bool:
        if not select.select([self._master], [], [], 60)[0]:
            self._process.kill()
            pytest.fail(f"it neither speaks nor ends: {self.seen}")
        try:
            piece = os.read(self._master, 1 << 16)
        except OSError:  # the other end is closed
            return False
        self._bytes += piece
        self.seen = self._bytes.decode("utf-8", "replace")
        return bool(piece)

    def until(self, words: str) -> None:
        while words not in self.seen and self.read():
            pass
        assert words in self.seen

    def interrupt(self) -> None:
        self._process.send_signal(signal.SIGINT)

    def end(self) -> int:
        while self.read():
            pass
        os.close(self._master)
        return self._process.wait()


def interrupted(words: str, *arguments: str, **variables: str) -> tuple[int, str]:
    """Press Ctrl+C when these words appear; return the exit code and all that was written."""
    terminal = Terminal(arguments, variables)
    terminal.until(words)
    terminal.interrupt()
    return terminal.end(), terminal.seen


def undisturbed(*arguments: str, **variables: str) -> tuple[int, str]:
    terminal = Terminal(arguments, variables)
    return terminal.end(), terminal.seen


@contextmanager
def opened(path: Path) -> Iterator[Library]:
    with new_library(path) as library:
        yield library


def sentences(seen: str) -> list[str]:
    return [line for line in seen.replace("\r", "\n").split("\n") if line.startswith("kb: ")]


@pytest.mark.long
def test_a_first_build_that_is_stopped_leaves_nothing_behind(tmp_path: Path) -> None:
    place = tmp_path / "new"
    database = ("--db", str(place / "kb.db"))
    code, seen = interrupted("creating the knowledge base", *database, "list", "--limit", "1")
    assert (code, sentences(seen)) == (130, ["kb: stopped; nothing was changed"])
    assert not list(place.iterdir())
    code, seen = undisturbed(*database, "list", "--limit", "1")
    assert code == 0
    assert "33 of 33" in seen
    assert [file.name for file in place.glob("*.new*")] == []


@pytest.mark.long
def test_an_index_whose_renewal_is_stopped_stays_and_is_renewed_next_time(
    bundled_path: Path,
) -> None:
    with open_library(bundled_path) as library:
        remember(library, "analyzer", "of an older analyzer")
    arguments = ("--db", str(bundled_path), "list", "--limit", "1")
    code, seen = interrupted("creating the knowledge base", *arguments)
    assert (code, sentences(seen)) == (130, ["kb: stopped; nothing was changed"])
    assert analyzer_of(bundled_path) == "of an older analyzer"
    assert undisturbed(*arguments)[0] == 0
    assert analyzer_of(bundled_path) == FINGERPRINT


def analyzer_of(path: Path) -> str:
    with sqlite3.connect(path) as connection:
        (value,) = connection.execute("SELECT value FROM meta WHERE key = 'analyzer'").fetchone()
    return str(value)


def many(path: Path) -> Path:
    lines = (
        json.dumps({"id": f"q{n}", "title": f"What is question {n}?", "text": "An answer. " * 20})
        for n in range(MANY)
    )
    path.write_text("\n".join(lines))
    return path


@pytest.mark.long
def test_of_an_import_that_is_stopped_nothing_is_stored(tmp_path: Path) -> None:
    path, file = tmp_path / "kb.db", many(tmp_path / "many.jsonl")
    with opened(path):
        pass
    arguments = ("--db", str(path), "import", str(file))
    code, seen = interrupted(f" of {MANY:,}", *arguments)
    assert code == 130
    assert sentences(seen) == ["kb: stopped; nothing was imported"]
    with opened(path) as library:
        assert library.list().total == 0
        assert all(check.well for check in library.doctor())
    code, seen = undisturbed(*arguments)
    assert code == 0
    assert f"importing many.jsonl: {MANY:,} of {MANY:,}" in seen
    with opened(path) as library:
        assert library.list(limit=0).total == MANY


@pytest.mark.long
def test_learning_that_is_stopped_changes_nothing(tmp_path: Path) -> None:
    path, file = tmp_path / "kb.db", tmp_path / "words.tsv"
    file.write_text("".join(f"word{n} otter\tواژه{n} سمور\n" for n in range(200_000)))
    with opened(path):
        pass
    code, seen = interrupted(" of 200", "--db", str(path), "glossary", "learn", str(file))
    assert (code, sentences(seen)) == (130, ["kb: stopped; nothing was changed"])
    with opened(path) as library:
        assert library.glossary.translate("otter") == {}
        assert all(check.well for check in library.doctor())


def test_an_import_of_several_files_can_be_stopped_too(tmp_path: Path) -> None:
    path, file = tmp_path / "kb.db", many(tmp_path / "many.jsonl")
    more = many(tmp_path / "more.jsonl")
    with opened(path):
        pass
    arguments = ("--db", str(path), "import", str(file), str(more))
    code, seen = interrupted("importing 2 files…", *arguments)
    assert (code, sentences(seen)) == (130, ["kb: stopped; nothing was imported"])


def claim(name: str, code: str) -> Entry:
    snippet = Snippet(f"{name}_snippet", {}, code, main=True)
    quote = "it is 1"
    evidence = Evidence(snippet.id, "figure", 2.0, 1.0, 0.0, False, digest(quote), snippet.digest)
    target = Target("source", "en", quote, 0, len(quote), "none.txt")
    note = Annotation(f"{name}-note", target, "wrong", "high", {}, evidence=(evidence,))
    return Entry(
        name,
        "question",
        "mine",
        {"en": f"What is {name}?"},
        answers=(Answer("source", "en", quote),),
        snippets=(snippet,),
        annotations=(note,),
    )


def test_a_verify_that_is_stopped_ends_its_snippet_and_keeps_what_was_verified(
    tmp_path: Path,
) -> None:
    path, name = tmp_path / "kb.db", f"endless{os.getpid()}"
    endless = (
        "import ctypes, time\n"
        f"ctypes.CDLL(None).prctl(15, b'{name[-15:]}')\n"
        "while True:\n    time.sleep(1)\n"
    )
    file = tmp_path / "mine.jsonl"
    claims = (claim("quick", "print('figure: 2')"), claim("slow", endless))
    file.write_text("".join(dumps(ENTRY.write(entry), indent=None) + "\n" for entry in claims))
    with opened(path) as library:
        library.import_file(file)
    limit = ("--timeout", "86400")
    code, seen = interrupted("1 of 2", "--db", str(path), "verify", "--trust", *limit)
    *told, last = sentences(seen)
    assert (code, last) == (130, "kb: stopped; what was verified is kept")
    assert [line.split()[3] for line in told] == ["quick_snippet", "slow_snippet"]
    with opened(path) as library:
        states = {id: library.show(id).annotations[0].status for id in ("quick", "slow")}
    assert states == {"quick": "confirmed", "slow": "unverified"}
    named = subprocess.run(["ps", "-eo", "comm"], capture_output=True, text=True, check=True)
    assert name[-15:] not in named.stdout.split()


@pytest.mark.usefixtures("heard")
def test_work_is_told_once_that_ctrl_c_was_pressed_and_a_second_one_waits_for_nothing() -> None:
    with pytest.raises(Cancelled), working("something") as progress:
        progress(0, 2)
        signal.raise_signal(signal.SIGINT)
        progress(1, 2)
    with pytest.raises(KeyboardInterrupt), working("something") as progress:
        progress(0, 2)
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.usefixtures("heard")
def test_a_ctrl_c_that_comes_after_the_last_step_is_not_lost() -> None:
    ended = False
    with pytest.raises(KeyboardInterrupt), working("something") as progress:
        progress(2, 2)
        signal.raise_signal(signal.SIGINT)
        ended = True
    assert ended
