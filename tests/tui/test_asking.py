"""The question whether a terminal turns text: asked where it is open, never in the way."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from textual._xterm_parser import XTermParser

from kb.terminal.terminal import ASK_TURNING, KONSOLE, MLTERM, VTE
from tests.databases import new_library
from tests.tui.fake_terminal import PATIENCE, FakeTerminal
from tui import terminal
from tui.terminal import AnsweringParser, DirectionAnswered

ROOT = Path(__file__).resolve().parents[2]
OPEN = """
import sys
from kb.library import open_library
from tui import app
{before}
with open_library(sys.argv[1], bundled=False) as library:
    app.open_app(library, None, sys.argv[2] if len(sys.argv) > 2 else None)
"""
BREAKING = """
def fail(self):
    raise RuntimeError
app.DaneshApp.on_direction_answered = fail
"""
WRITING_LAST = """
give_back = app.terminal.give_back
def write():
    give_back()
    sys.__stdout__.write("more")
app.terminal.give_back = write
"""


def orders_of(fake: FakeTerminal) -> list[str]:
    """Return the orders and questions on direction that were written, in order."""
    known = (ASK_TURNING, *VTE, *KONSOLE, *MLTERM)
    found = ((place, order) for order in known for place in places(fake.written, order))
    return [order for _, order in sorted(found)]


def places(text: str, words: str) -> Iterator[int]:
    place = text.find(words)
    while place >= 0:
        yield place
        place = text.find(words, place + 1)


@pytest.fixture
def in_terminal(tmp_path: Path, sample_file: Path):
    """Return what opens the app in a terminal of which these variables tell."""
    database = tmp_path / "kb.db"
    with new_library(database) as library:
        library.import_file(sample_file)

    @contextmanager
    def opened(*settled: str, before: str = "", **variables: str) -> Iterator[FakeTerminal]:
        command = [sys.executable, "-c", OPEN.format(before=before), str(database), *settled]
        environ = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm-256color", **variables}
        fake = FakeTerminal(command, environ)
        try:
            yield fake
        finally:
            fake.close()

    return opened


def test_a_terminal_that_answers_is_told_to_stop_and_given_back(in_terminal):
    with in_terminal() as fake:
        fake.until_written(ASK_TURNING)
        fake.send("\x1b[8;1$y")
        fake.until_written(VTE.stop)
        fake.until_shown("3 entries")
        fake.leave()
        assert orders_of(fake) == [ASK_TURNING, VTE.stop, VTE.again]


@pytest.mark.long
@pytest.mark.parametrize("setting", "0234")
def test_a_terminal_that_turns_nothing_or_cannot_stop_is_told_nothing(in_terminal, setting):
    with in_terminal() as fake:
        fake.until_shown("3 entries")
        fake.send(f"\x1b[8;{setting}$y")
        fake.search("throughput")
        fake.until_shown("1 found")
        fake.leave()
        assert orders_of(fake) == [ASK_TURNING]


def test_a_terminal_that_never_answers_is_not_waited_for(in_terminal):
    with in_terminal() as fake:
        fake.until_shown("3 entries")
        fake.search("throughput")
        fake.until_shown("1 found")
        fake.leave()
        assert orders_of(fake) == [ASK_TURNING]


@pytest.mark.long
def test_an_answer_that_comes_late_and_in_pieces_is_never_typed(in_terminal):
    with in_terminal() as fake:
        fake.until_shown("3 entries")
        fake.search("thr")
        fake.until_shown(" thr")
        for piece in ("\x1b[8", ";", "1", "$", "y"):
            fake.send(piece)
        fake.until_written(VTE.stop)
        fake.send("ough")
        fake.until_shown(" through")
        fake.leave()
        assert orders_of(fake) == [ASK_TURNING, VTE.stop, VTE.again]


@pytest.mark.long
def test_a_suspended_app_gives_the_terminal_back_until_it_goes_on(in_terminal):
    with in_terminal() as fake:
        fake.until_written(ASK_TURNING)
        fake.send("\x1b[8;1$y")
        fake.until_written(VTE.stop)
        fake.until_shown("3 entries")
        # Textual puts what it draws on a queue, which a signal meanwhile would find locked.
        fake.until_still()
        fake.process.send_signal(signal.SIGTSTP)
        fake.until_written(VTE.again)
        os.waitpid(fake.process.pid, os.WUNTRACED)
        fake.process.send_signal(signal.SIGCONT)
        fake.until_written(VTE.stop, 2)
        fake.leave()
        assert orders_of(fake) == [ASK_TURNING, *[VTE.stop, VTE.again] * 2]


def test_a_crash_after_the_answer_gives_the_terminal_back(in_terminal):
    with in_terminal(before=BREAKING) as fake:
        fake.until_written(ASK_TURNING)
        fake.send("\x1b[8;1$y")
        fake.until_written(VTE.again)
        fake.process.wait(PATIENCE)
        assert fake.process.returncode
        assert orders_of(fake) == [ASK_TURNING, VTE.stop, VTE.again]


@pytest.mark.long
@pytest.mark.parametrize(
    ("settled", "variables", "orders"),
    [
        ([], {"XTERM_VERSION": "XTerm(379)"}, []),
        ([], {"TERM_PROGRAM": "Apple_Terminal"}, []),
        ([], {"TMUX": "/tmp/tmux,1,0"}, []),
        ([], {"VTE_VERSION": "7006"}, [*VTE]),
        ([], {"KONSOLE_VERSION": "221203"}, [*KONSOLE]),
        ([], {"MLTERM": "3.9.0"}, [*MLTERM]),
        ([], {"KITTY_WINDOW_ID": "1"}, []),
        (["terminal"], {}, []),
        (["off"], {}, []),
        (["app"], {}, [*VTE]),
    ],
)
def test_what_is_known_or_settled_is_not_asked(in_terminal, settled, variables, orders):
    with in_terminal(*settled, **variables) as fake:
        fake.until_shown("3 entries")
        fake.leave()
        assert orders_of(fake) == orders


def events_of(parser: XTermParser, pieces: list[str], monkeypatch) -> list[str]:
    """Return what a parser makes of pieces, with a long pause after each."""
    now = 0.0
    monkeypatch.setattr("textual._parser.get_time", lambda: now)
    found = []
    for piece in pieces:
        found += list(parser.feed(piece))
        now += 10
        found += list(parser.tick())
    return [getattr(event, "key", type(event).__name__) for event in found]


@pytest.mark.parametrize("cut", [2, 3, 4, 5])
def test_no_pause_cuts_an_answer_into_keys(cut, monkeypatch):
    answer = "\x1b[8;1$y"
    pieces = ["a", answer[: cut + 1], answer[cut + 1 :], "b"]
    expected = ["a", DirectionAnswered.__name__, "b"]
    assert events_of(AnsweringParser(), pieces, monkeypatch) == expected
    assert "dollar_sign" in events_of(XTermParser(), pieces, monkeypatch)


def test_other_sequences_and_the_escape_key_come_as_before(monkeypatch):
    pieces = ["\x1b", "\x1b[A", "\x1b[8~", "\x1b[?2026;1$y", "\x1b[8x", "\x1b[1;8H", "\x1b["]
    events = events_of(AnsweringParser(), pieces, monkeypatch)
    assert events == events_of(XTermParser(), pieces, monkeypatch)


async def test_a_direction_settled_in_the_app_is_told_to_the_terminal(opened, monkeypatch):
    written = []
    monkeypatch.setattr("textual.drivers.headless_driver.HeadlessDriver.write",
                        lambda _, data: written.append(data))  # fmt: skip
    monkeypatch.setenv("VTE_VERSION", "7006")
    async with opened("chain") as reader:
        terminal.tell(reader.app._driver.write)
        await reader.press(":direction", "2")
        await reader.press(":direction", "1")
    orders = [order for text in written for order in (VTE.stop, VTE.again) if order in text]
    assert orders[:3] == [VTE.stop, VTE.again, VTE.stop]


def test_what_was_answered_is_still_known_when_the_reader_settles_it(monkeypatch):
    terminal.look_at({})
    assert terminal.take_answer(1)
    assert terminal.support().switch
    assert not terminal.settle("terminal").switch
    assert terminal.settle("app").switch
    assert not terminal.take_answer(0)
    assert terminal.support().switch


@pytest.mark.long
@pytest.mark.parametrize("before", ["", WRITING_LAST], ids=["", "while it writes"])
def test_the_app_ends_where_the_terminal_is_gone_without_a_signal(in_terminal, before) -> None:
    with in_terminal("off", before=before, PYTHONUNBUFFERED="") as fake:
        fake.until_shown("danesh")
        fake.vanish()
        assert fake.process.wait(PATIENCE) == 0
