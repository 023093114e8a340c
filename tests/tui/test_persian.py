"""Right to left: cells, terminals, and the Persian interface."""

from __future__ import annotations

import pytest
from textual.driver import Driver

from kb import i18n
from kb.i18n import _, use_language
from kb.model.values import named_level
from kb.search.parser import Bare, FieldValue, Or, parse
from kb.terminal.layout import lay_out
from kb.terminal.terminal import VTE
from tests.catalog import CATALOGS, translated
from tests.tui.sample import QUESTION_FA
from tui import terminal
from tui.app import DaneshApp
from tui.bidi import StyledSpan, first_rows, rows_of, styled
from tui.commands import COMMANDS
from tui.panes.search import ListPane
from tui.screens.help import QUERIES

# "پیچیدگی (زمانی) شبکه RNN چیست؟" as xterm must print it: last letter first, letters joined.
GOLDEN = "؟ﺖﺴﯿﭼ RNN ﻪﮑﺒﺷ (ﯽﻧﺎﻣﺯ) ﯽﮔﺪﯿﭽﯿﭘ"


@pytest.mark.parametrize("query", [query for query, _said in QUERIES])
def test_an_example_of_a_query_means_in_persian_what_it_means_in_english(query: str) -> None:
    def meant(written: str) -> object:
        match parse(written).node:
            case Bare(of) | Or(of):
                return [meant_of(each) for each in of]
            case node:
                return meant_of(node)

    def meant_of(node: object) -> object:
        if isinstance(node, FieldValue):
            return node.name, named_level(node.value) or node.value
        return type(node)

    use_language("fa")
    assert meant(_(query)) == meant(query)


async def test_a_persian_question_is_turned_joined_and_at_the_right_edge(opened):
    async with opened("chain", size=(80, 24)) as reader:
        await reader.press("L")
        line = next(line for line in reader.lines() if "RNN" in line)
        assert line.strip(" ▏") == GOLDEN
        assert line.rstrip().endswith(GOLDEN)
        assert len(line) - len(line.rstrip()) <= 2


async def test_a_terminal_that_turns_by_itself_gets_logical_order(opened, monkeypatch):
    monkeypatch.setenv("TERM_PROGRAM", "Apple_Terminal")
    async with opened("chain", size=(80, 24)) as reader:
        await reader.press("L")
        assert QUESTION_FA in reader.text()


def test_marks_follow_their_letters_whatever_way_they_run():
    row = rows_of(QUESTION_FA, 60)[0]
    start = QUESTION_FA.index("RNN")
    content = styled(row, [StyledSpan(start, start + 3, "bold")], 60)
    assert [content.plain[s.start : s.end] for s in content.spans] == ["RNN"]
    content = styled(row, [StyledSpan(0, 7, "bold")], 60)
    assert [content.plain[s.start : s.end] for s in content.spans] == ["ﯽﮔﺪﯿﭽﯿﭘ"]
    assert content.cell_length == 60


def test_a_long_question_is_cut_at_its_end_with_an_ellipsis():
    rows = first_rows(QUESTION_FA * 5, 20, 2)
    assert len(rows) == 2
    assert rows[1].line.text.startswith("…")
    assert all(row.line.width <= 20 for row in rows)


def test_a_terminal_that_turns_is_stopped_on_entering_and_given_back_on_leaving():
    log = []

    class Plain(Driver):
        def write(self, data):
            log.append(data)

        def start_application_mode(self):
            log.append("start")

        def stop_application_mode(self):
            log.append("stop")

        def disable_input(self):
            log.append("disable")

    terminal.look_at({"VTE_VERSION": "7006"})
    driver = object.__new__(terminal.with_switch(Plain))
    driver.start_application_mode()
    driver.suspend_application_mode()
    start, stopped, stop, again = log
    assert (start, stop, again) == ("start", "stop", VTE.again)
    assert stopped.startswith(VTE.stop)


def test_a_crash_gives_the_terminal_back(monkeypatch, library):
    written = []

    class Terminal:
        def isatty(self):
            return True

        def write(self, text):
            written.append(text)

        def flush(self):
            pass

    def crash(self):
        terminal.tell(lambda text: None)
        raise RuntimeError

    monkeypatch.setenv("VTE_VERSION", "7006")
    monkeypatch.setattr("sys.__stderr__", Terminal())
    monkeypatch.setattr(DaneshApp, "run", crash)
    from tui.app import open_app

    with pytest.raises(RuntimeError):
        open_app(library, None)
    assert written == [VTE.again]


async def test_the_interface_speaks_persian_when_the_environment_asks(opened, monkeypatch):
    monkeypatch.setenv("KB_LANG", "fa")
    async with opened("chain", size=(120, 60)) as reader:
        texts = "\n".join(block.text for block in reader.main.query("BidiText"))
        assert "پاسخ کوتاه" in texts
        assert "ایرادهای پاسخ منبع" in texts
        assert reader.main.query_one(ListPane).title == "۳ مدخل"
        assert next(lay_out("بازگشت", 40)).text in reader.lines()[-1]


async def test_a_key_changes_the_language_of_the_interface(opened):
    async with opened("chain", size=(120, 60)) as reader:
        await reader.press(":interface")
        texts = "\n".join(block.text for block in reader.main.query("BidiText"))
        assert "پاسخ کوتاه" in texts
        assert reader.main.query_one("#entry").reading.entry.id == "chain"
        await reader.press(":interface")
        assert "Short answer" in reader.text()


async def test_a_persian_interface_lists_persian_questions_and_titles(opened, monkeypatch):
    monkeypatch.setenv("KB_LANG", "fa")
    async with opened(size=(80, 24)) as reader:
        assert GOLDEN in reader.text()
        assert next(lay_out("مقدمات", 40)).text in reader.text()


def test_figures_wear_the_digits_of_the_language():
    i18n.use_language("fa")
    assert i18n.number(1234567) == "۱٬۲۳۴٬۵۶۷"
    assert i18n.number(-0.5) == "\u200e-۰٫۵"
    assert i18n.number(1e-9) == "\u200e۱×۱۰⁻⁹"


@pytest.mark.parametrize(
    ("environ", "language"),
    [
        ({}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "fa_IR.UTF-8"}, "fa"),
        ({"LC_ALL": "en_GB.UTF-8", "LANG": "fa_IR.UTF-8"}, "en"),
        ({"LANGUAGE": "fa:en", "LANG": "en_US.UTF-8"}, "fa"),
        ({"KB_LANG": "fa", "LC_ALL": "C"}, "fa"),
        ({"KB_LANG": "tlh"}, "en"),
    ],
)
def test_the_environment_chooses_the_language(environ, language):
    assert i18n.wanted_language(environ) == language


def test_every_command_is_named_and_told_in_persian():
    known = {each.id for each in translated(CATALOGS[0]) if each.string}
    assert {c.label for c in COMMANDS} | {c.description for c in COMMANDS} <= known


@pytest.mark.parametrize(
    ("environ", "told"),
    [
        ({"TERM": "xterm", "XTERM_VERSION": "XTerm(379)"}, "truecolor"),
        ({"TERM": "xterm-256color", "XTERM_VERSION": "XTerm(379)"}, "truecolor"),
        ({"TERM": "xterm", "XTERM_VERSION": "XTerm(330)"}, None),
        ({"TERM": "xterm", "XTERM_VERSION": "XTerm(379)", "COLORTERM": ""}, None),
        ({"TERM": "screen", "XTERM_VERSION": "XTerm(379)"}, None),
        ({"TERM": "xterm"}, None),
    ],
)
def test_an_xterm_that_can_draw_all_colours_is_asked_for_them(environ, told):
    assert terminal.colours(environ) == told


async def test_a_long_persian_sentence_in_the_palette_keeps_its_beginning(opened, monkeypatch):
    monkeypatch.setenv("KB_LANG", "fa")
    async with opened("chain", size=(60, 40)) as reader:
        await reader.press("ctrl+p")
        await reader.press(*"برنامه‌های گواه")
        assert next(lay_out("برنامه‌های گواهِ این مدخل را اجرا می‌کند؛", 40)).text in reader.text()


async def test_a_path_in_a_notice_keeps_its_slash_at_its_beginning(opened, monkeypatch):
    monkeypatch.setenv("KB_LANG", "fa")
    async with opened(size=(120, 30)) as reader:
        reader.main.session.say("نسخه‌ای هست در /tmp/kb.db")
        await reader.settle()
        assert "/tmp/kb.db" in reader.notices()
