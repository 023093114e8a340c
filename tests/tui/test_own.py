"""One's own notes, annotations and programs: made, changed and taken back in the app."""

from __future__ import annotations

import pytest
from textual.events import Key, Paste
from textual.widgets import TextArea
from textual.widgets._toast import Toast

from kb.errors import Untrusted
from kb.i18n import _
from kb.model.draft import Draft
from kb.model.entry import Evidence, TextSpan
from kb.model.reports import Outcome
from tests.behind import raw
from tests.tui.conftest import Reader
from tests.tui.sample import ANSWER, CODE
from tui.app import DaneshApp
from tui.bidi import label
from tui.messages import RunSnippet
from tui.screens.commanding import CommandKey
from tui.screens.consent import ConsentScreen
from tui.screens.note import NoteScreen, ProofLine
from tui.screens.questions import ConfirmScreen
from tui.screens.writing import WritingScreen
from tui.widgets.bidi_text import BidiText
from tui.widgets.chip import Chip
from tui.widgets.entry_view import EntryView
from tui.widgets.figures import EvidenceTable
from tui.widgets.scrolling import line_of, rows_in_sight
from tui.widgets.snippet_view import RunPanel, SnippetView
from tui.widgets.span_picker import SpanPicker
from tui.widgets.text_area import CodeArea
from tui.widgets.text_block import AnnotationHead, TextBlock

PERSIAN = "این را باز بخوان"


def own(library):
    return [each for each in library.show("chain").annotations if each.own]


async def type_at_end(reader, text):
    area = reader.main.query_one(CodeArea)
    area.move_cursor(area.document.end)
    await reader.press(*text)


async def to_passage(reader, role, lang="en"):
    picker = reader.app.screen.query_one(SpanPicker)
    while (picker.passage.role, picker.passage.lang) != (role, lang):
        await reader.press("down")


@pytest.mark.long
@pytest.mark.parametrize("note", ["Read this again.", PERSIAN])
async def test_a_note_is_written_on_words_chosen_by_keys(opened, library, note):
    async with opened("chain", size=(120, 60)) as reader:
        await reader.press("a")
        assert isinstance(reader.app.screen, NoteScreen)
        await to_passage(reader, "source")
        await reader.press("right", "shift+right", "shift+right")
        picker = reader.app.screen.query_one(SpanPicker)
        assert picker.words == TextSpan("source", "en", 7, 7 + len("1 takes 1,000,000"))
        await reader.press("tab", *note, "ctrl+s")
        (made,) = own(library)
        assert made.target.quote == "1 takes 1,000,000"
        assert list(made.note.values()) == [note]
        assert "⟨3⟩ ¶ annotation · your own" in reader.text()
        assert "⟨2⟩ ≈ misleading" in reader.text()  # further down, and with its number still
        assert reader.main.query_one(EntryView).current_annotation.id == made.id


@pytest.mark.parametrize("lang", ["en", "fa"])
async def test_down_and_up_choose_the_word_below_and_above_and_then_go_to_the_next_text(
    opened, library, lang
):
    text = {
        "en": "one two three four five six seven eight nine ten eleven twelve " * 2,
        "fa": "یک دو سه چهار پنج شش هفت هشت نه ده یازده دوازده " * 3,
    }[lang]
    made = library.edit.new(Draft({lang: "Why?"}, {"source": {lang: f"{text}\n\nend"}})).ids[0]
    async with opened(made, size=(60, 30)) as reader:
        await reader.press("a")
        await to_passage(reader, "source", lang)
        picker = reader.app.screen.query_one(SpanPicker)
        width = picker.content_size.width
        forward = "right" if lang == "en" else "left"
        await reader.press(forward, forward)
        first = picker.words
        await reader.press("down")
        below = picker.words
        assert 0 < below.start - first.start < width + 8 and picker.passage.role == "source"
        row = text[: below.start]
        assert abs((below.start - first.start) - width) < 12, row
        await reader.press("up")
        assert picker.words == first
        await reader.press("pagedown")
        assert picker.passage.document.source[picker.words.start : picker.words.end] == "end"
        await reader.press("pageup", *["down"] * 9)
        assert picker.passage.document.source[picker.words.start : picker.words.end] == "end"


async def test_in_persian_text_the_left_key_goes_on(opened, library):
    async with opened("chain", size=(120, 60)) as reader:
        await reader.press("L", "a")
        picker = reader.app.screen.query_one(SpanPicker)
        await to_passage(reader, "reference", "fa")
        await reader.press("left", "shift+left")
        assert picker.words == TextSpan("reference", "fa", 4, len("نیم میلیون و"))
        await reader.press("right", "right")
        assert picker.words == TextSpan("reference", "fa", 0, len("نیم"))


async def test_words_selected_with_the_mouse_are_the_ones_noted(opened, library):
    async with opened("chain", size=(120, 60), whole=True) as reader:
        block = next(b for b in reader.main.query(TextBlock) if b.role == "source")
        line = block.render_line(0).text
        shown = line.index("operations")  # behind a sign that the text itself lacks
        assert shown > block.text.index("operations")
        await reader.pilot.mouse_down(block, offset=(shown, 0))
        await reader.pilot.hover(block, offset=(shown + len("operations") - 1, 0))
        await reader.pilot.mouse_up(block, offset=(shown + len("operations") - 1, 0))
        await reader.press("a", *"why?", "ctrl+s")
        (made,) = own(library)
        assert made.target.quote == "operations"
        start = ANSWER.index("operations")
        assert made.target.start == start


async def test_a_notice_covers_the_bar_alone_and_whole_not_the_note_that_was_written(
    library, language
):
    app = DaneshApp(library, "chain")
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        reader = Reader(app, pilot)
        await reader.settle()
        await reader.press("a", "tab", *"why?", "ctrl+s")
        (notice,) = app.screen.query(Toast)
        assert notice.region == (0, 23, 80, 1)
        assert "why?" in reader.text() and label(_("Annotation saved")) in (reader.lines()[-1])


@pytest.mark.long
async def test_words_are_chosen_with_the_mouse_in_the_form(opened, library):
    async with opened("chain", size=(120, 60)) as reader:
        await reader.press("a")
        await to_passage(reader, "source")
        picker = reader.app.screen.query_one(SpanPicker)
        await reader.pilot.mouse_down(picker, offset=(ANSWER.index("takes"), 0))
        await reader.pilot.hover(picker, offset=(ANSWER.index("oper") + 2, 0))
        await reader.pilot.mouse_up(picker, offset=(ANSWER.index("oper") + 2, 0))
        await reader.settle()
        place = ANSWER.index("takes"), ANSWER.index("operations.") + len("operations")
        assert picker.words == TextSpan("source", "en", *place)


async def test_an_annotation_has_a_verdict_and_is_listed_by_it(opened, library):
    async with opened("chain", size=(140, 60)) as reader:
        await reader.press("a", "tab", *"no", "tab", "enter", "down", "enter", "ctrl+s")
        (made,) = own(library)
        assert made.verdict == "wrong"
        assert "✗2" in reader.text()


@pytest.mark.long
async def test_a_note_is_changed_and_taken_back(opened, library):
    made = library.own.annotate("chain", TextSpan("question", "fa", 0, 8), PERSIAN)
    async with opened("chain", size=(120, 60), whole=True) as reader:
        assert PERSIAN not in reader.text()  # its text is shown in the other language
        heads = list(reader.main.query(AnnotationHead))
        while reader.main.query_one(EntryView).current_annotation != made:
            await reader.press("right_square_bracket")
        assert any(head.annotation == made for head in heads)
        await reader.press("e")
        area = reader.app.screen.query_one(TextArea)
        assert area.text == PERSIAN
        await reader.press(*" و باز", "ctrl+s")
        assert list(own(library)[0].note.values()) == [f"{PERSIAN} و باز"]
        await reader.press("d")
        assert isinstance(reader.app.screen, ConfirmScreen)
        await reader.press("escape")
        assert own(library)
        await reader.press("d", "y")
        assert not own(library) and "Your annotation is deleted" in reader.notices()
        assert not [head for head in reader.main.query(AnnotationHead) if head.annotation.own]


@pytest.mark.long
async def test_what_came_with_danesh_can_be_neither_changed_nor_taken_back(opened, library):
    before = library.show("chain")
    async with opened("chain", size=(120, 60)) as reader:
        await reader.press("right_square_bracket")
        offered = {each.id for each in reader.main.commands()}
        assert not offered & {"edit-note", "withdraw"}
        await reader.press("e")
        assert isinstance(reader.app.screen, WritingScreen)  # it is the entry that e edits
        await reader.press("escape", "d")
        assert isinstance(reader.app.screen, ConfirmScreen)
        await reader.press("escape")
    assert library.show("chain") == before


LONG = {
    "en": [f"Sentence {n} of the answer that goes on." for n in range(40)],
    "fa": [f"جملهٔ شمارهٔ {n} از پاسخ که دنباله دارد." for n in range(40)],
}


@pytest.mark.parametrize("lang", LONG)
async def test_a_note_begins_at_the_passage_that_is_in_sight(opened, library, lang):
    long = "\n\n".join(LONG[lang])
    id = library.edit.new(Draft({lang: "What? چه؟"}, {"source": {lang: long}})).ids[0]
    async with opened(id, size=(120, 24)) as reader:
        view = reader.main.query_one(EntryView)
        await reader.press("ctrl+d", "ctrl+d")
        blocks = [b for b in view.query(TextBlock) if line_of(view, b) >= view.scroll_target_y]
        seen = blocks[0].text.strip()
        assert seen in LONG[lang][1:] and rows_in_sight(view, blocks[0])
        await reader.press("a")
        assert reader.app.screen.query_one(SpanPicker).text.strip() == seen


@pytest.mark.parametrize("lang", ["en", "fa"])
async def test_a_note_begins_at_the_last_passage_above_where_none_is_in_sight(
    opened, bundled, lang
):
    async with opened("training-on-eight-gpus", of=bundled, size=(120, 16)) as reader:
        await reader.press("G")
        view = reader.main.query_one(EntryView)
        blocks = list(view.query(TextBlock))
        assert not any(rows_in_sight(view, block) for block in blocks)
        await reader.press("a")
        picked = reader.app.screen.query_one(SpanPicker).text
        assert picked.strip() == blocks[-1].text.strip()
        await reader.press("escape", *["right_square_bracket"] * 2)
        view.scroll_to(y=line_of(view, view.query("EvidenceTable").first()), animate=False)
        view.styles.max_height = 1
        await reader.settle()
        blocks = list(view.query(TextBlock))
        above = [each for each in blocks if line_of(view, each) < view.scroll_target_y]
        assert above and above != blocks and not any(rows_in_sight(view, b) for b in blocks)
        await reader.press("a")
        picked = reader.app.screen.query_one(SpanPicker).text
        assert picked.strip() == above[-1].text.strip()


async def test_a_note_begins_at_the_passage_of_the_annotation_one_went_to(opened, library):
    async with opened("chain", size=(120, 60)) as reader:
        await reader.press("right_square_bracket", "a")
        note = reader.main.query_one(EntryView).current_annotation
        passage = reader.app.screen.query_one(SpanPicker).passage
        assert (passage.role, passage.lang) == (note.target.role, note.target.lang)


@pytest.mark.parametrize("scrolls", [False, True])
async def test_a_run_stays_at_the_annotation_and_a_note_begins_at_its_words_unless_one_scrolls(
    opened, library, monkeypatch, scrolls
):
    texts = {"en": "\n\n".join(LONG["en"])}
    id = library.edit.new(Draft({"en": "What?"}, {"source": texts})).ids[0]
    own = library.own.save_snippet(id, "print('left: 1')", name="deep", main=True).id
    start = texts["en"].index("2 of")
    words = TextSpan("source", "en", start, start + 4)
    proof = (Evidence(own, "left", 1.0),)
    library.own.annotate(id, words, "So it is.", verdict="misleading", evidence=proof)
    ran = Outcome(own, "ok", 0, "", "", False, 0.2, 1 << 26, (), {"left": 1.0})
    monkeypatch.setattr(library, "run", lambda *_, **__: ran)
    async with opened(id, size=(120, 20)) as reader:
        view = reader.main.query_one(EntryView)
        await reader.press("right_square_bracket", "r")
        note = view.current_annotation.id
        noted = next(block for block in view.query(TextBlock) if block.words_of(note))
        assert rows_in_sight(view, noted)
        if scrolls:
            await reader.press("G")
            assert not rows_in_sight(view, noted)
        await reader.press("a")
        chosen = reader.app.screen.query_one(SpanPicker).words
        assert (chosen.start == start) == (not scrolls)


async def test_a_run_that_fails_at_an_annotation_is_scrolled_to(opened, monkeypatch, library):
    failed = Outcome("chain_cost", "error", 1, "", "no", False, 0.2, 1 << 26, (), {})
    monkeypatch.setattr(library, "run", lambda *_, **__: failed)
    async with opened("chain", size=(120, 20)) as reader:
        view = reader.main.query_one(EntryView)
        await reader.press("right_square_bracket", "r")
        assert rows_in_sight(view, view.query_one(RunPanel))


async def test_a_changed_run_at_an_annotation_is_scrolled_to_and_proves_nothing(
    opened, monkeypatch, library
):
    changed = Outcome("chain_cost", "ok", 0, "", "", False, 0.2, 1 << 26, (), {"left": 2.0})
    monkeypatch.setattr(library, "run_code", lambda *_, **__: changed)
    async with opened("chain", size=(120, 20)) as reader:
        view = reader.main.query_one(EntryView)
        await reader.press("right_square_bracket")
        before = view.query_one(EvidenceTable).text
        code = view.reading.entry.snippets[0].code
        view.post_message(RunSnippet("chain_cost", f"{code}\n", based_on=code))
        await reader.settle()
        assert rows_in_sight(view, view.query_one(RunPanel))
        assert view.query_one(EvidenceTable).text == before


async def test_an_annotation_says_that_its_program_runs(opened, monkeypatch, library):
    done = Outcome("chain_cost", "failed", 1, "", "no", False, 0.2, 1 << 26, (), {})
    seen = []
    async with opened("chain", size=(120, 40)) as reader:
        view = reader.main.query_one(EntryView)

        def run(*_names, on_output, **_options):
            on_output("stdout", "1")
            table = view.query_one(EvidenceTable)
            reader.app.call_from_thread(lambda: seen.append(table._waits))
            return done

        monkeypatch.setattr(library, "run", run)
        await reader.press("right_square_bracket", "r")
        assert seen == [True] and not view.query_one(EvidenceTable)._waits
        table = view.query_one(EvidenceTable)
        table.shown = False
        table.wait(True)
        assert table.text == f"a program checks 1 value · {_('running…')} {_('(Esc stops it)')} ▸"


async def test_a_note_without_words_is_not_kept_and_says_so(opened, library):
    async with opened("chain", size=(80, 24)) as reader:
        await reader.press("a", "ctrl+s")
        assert "An annotation needs some words." in reader.text()
        await reader.press("escape")
        assert reader.app.screen is reader.main
        assert not own(library)


@pytest.mark.long
@pytest.mark.parametrize("typed", ["just so", "Here, kept", "[1] why", PERSIAN])
async def test_what_is_typed_at_the_words_is_written_in_the_note(opened, library, language, typed):
    async with opened("chain", size=(80, 24)) as reader:
        await reader.press("a")
        words = reader.app.screen.query_one(SpanPicker).words
        await reader.press(*typed, "ctrl+s")
        (made,) = own(library)
        assert list(made.note.values()) == [typed]
        assert (made.target.start, made.target.end) == (words.start, words.end)


async def test_what_is_pasted_at_the_words_is_written_in_the_note(opened):
    async with opened("chain", size=(80, 24)) as reader:
        await reader.press("a")
        reader.app.post_message(Paste(PERSIAN))
        await reader.settle()
        area = reader.app.screen.query_one(TextArea)
        assert area.text == PERSIAN and area.has_focus


async def test_that_a_note_needs_words_is_said_until_one_types(opened, language):
    async with opened("chain", size=(80, 24)) as reader:
        await reader.press("a")
        hint = reader.app.screen.query_one(".hint")
        advice = hint.text
        await reader.press("ctrl+s")
        assert hint.text != advice and hint.has_class("-warning")
        await reader.press("x")
        assert hint.text == advice and not hint.has_class("-warning")


async def test_left_and_right_stay_among_the_properties_of_a_form(opened, language):
    async with opened("chain", size=(80, 24)) as reader:
        await reader.press("a", "tab", "tab")
        for key in ("left", "right"):
            await reader.press(key)
            assert reader.app.focused.id == "verdict"


@pytest.mark.long
async def test_an_orphaned_note_is_shown_with_its_words(opened, library):
    made = library.own.annotate("flash", TextSpan("source", "en", 0, 4), PERSIAN)
    connection = raw(library)
    connection.execute(
        "UPDATE document SET source = 'Other.' WHERE entry = "
        "(SELECT key FROM entry WHERE id = 'flash')"
    )
    async with opened("flash", size=(120, 60)) as reader:
        await reader.press("space")
        head = next(h for h in reader.main.query(AnnotationHead) if h.annotation.id == made.id)
        assert "its words are no longer in the text" in head.text
        assert "“Work”" in reader.text()


async def test_control_characters_pasted_into_a_note_are_shown_not_obeyed(opened, library):
    async with opened("chain", size=(120, 60)) as reader:
        await reader.press("a")
        area = reader.app.screen.query_one(TextArea)
        area.focus()
        area.insert("\x1b[31mred\x1b]0;title\x07")
        assert "\x1b" not in area.text
        await reader.press("ctrl+s")
        assert "␛[31mred" in own(library)[0].note["en"]


@pytest.mark.long
async def test_a_snippet_is_changed_in_its_place_run_and_put_back(opened, library):
    async with opened("chain", size=(120, 70)) as reader:
        await reader.press(":change-code")
        area = reader.main.query_one(CodeArea)
        assert area.has_focus and area.text.rstrip() == CODE.rstrip()
        await type_at_end(reader, "print('left: 7')")
        await reader.press("f5", "y")
        assert "7  changed" in reader.main.query_one(".figures").text
        await reader.press("escape")
        view = reader.main.query_one(SnippetView)
        assert view.has_focus and "changed" in reader.text()
        assert "print('left: 7')" in reader.text()
        await reader.press(":reset-code")
        assert view.draft is None and "print('left: 7')" not in reader.text()
        assert library.show("chain").snippets[0].code == CODE


async def test_changed_code_stays_when_another_entry_is_read_and_is_asked_about_at_the_end(opened):
    async with opened("chain", size=(120, 70)) as reader:
        await reader.press(":change-code")
        await type_at_end(reader, "print('left: 7')")
        await reader.press("escape", ":next", ":previous", ":change-code")
        assert "print('left: 7')" in reader.main.query_one(CodeArea).text
        await reader.press("escape", "q")
        assert isinstance(reader.app.screen, ConfirmScreen)
        await reader.press("escape", ":reset-code", "q")
        assert not reader.app.is_running


@pytest.mark.long
async def test_what_is_typed_runs_unasked_and_what_is_made_of_imported_code_asks(opened, library):
    mine = library.own.save_snippet("flash", "print('mine: 1')\n", name="mine")
    async with opened("chain", size=(120, 70)) as reader:
        await reader.press(":change-code", "f5")
        assert isinstance(reader.app.screen, ConsentScreen)
        await reader.press("enter")
        assert "needs your consent" in reader.main.query_one(".ending").text
        await type_at_end(reader, "#")
        await reader.press("f5")
        assert isinstance(reader.app.screen, ConsentScreen)
        assert "changed by you, based on code from elsewhere" in reader.text()
        await reader.press("y")
        assert (
            "0 of 1 values changed by more than the tolerance"
            in reader.main.query_one(".ending").text
        )
    async with opened("flash", size=(120, 70)) as reader:
        await reader.press("space", ":change-code")
        assert reader.main.query_one(CodeArea).text == mine.code
        await type_at_end(reader, "#")
        await reader.press("f5")
        assert "finished" in reader.main.query_one(".ending").text


@pytest.mark.long
async def test_saving_imported_code_with_nothing_typed_trusts_nothing(opened, library):
    async with opened("chain", size=(120, 70)) as reader:
        await reader.press(":change-code", "ctrl+s")
        (mine,) = [each for each in library.show("chain").snippets if each.own]
        assert mine.code == CODE
        await reader.press("r")
        assert isinstance(reader.app.screen, ConsentScreen)
        assert "saved by you, written elsewhere" in reader.text()
        await reader.press("enter")
        assert "needs your consent" in reader.main.query_one(".ending").text
        reader.main.query_one(EntryView).view_of(mine.id).focus()
        await reader.press(
            ":make-main", "r"
        )  # the main one of the entry is no more trusted for that
        assert isinstance(reader.app.screen, ConsentScreen)
    for name in ("chain", mine.id):
        with pytest.raises(Untrusted):
            library.run(name)


@pytest.mark.long
async def test_a_changed_program_is_kept_as_ones_own_and_renewed(opened, library):
    async with opened("chain", size=(120, 70)) as reader:
        await reader.press(":change-code")
        await type_at_end(reader, "x = 1")
        await reader.press("ctrl+s")
        theirs, mine = library.show("chain").snippets
        assert theirs.code == CODE and mine.own and mine.code.endswith("x = 1")
        view = next(v for v in reader.main.query(SnippetView) if v.snippet.own)
        assert view.has_focus and "your own" in reader.text()
        await reader.press("r", "y")
        view = next(v for v in reader.main.query(SnippetView) if v.snippet.own)
        assert view.has_focus and "finished" in view.query_one(".ending").text
        await reader.press(":change-code")
        await type_at_end(reader, "23")
        await reader.press("ctrl+s")
        assert [s.code[-7:] for s in library.show("chain").snippets if s.own] == ["x = 123"]
        await reader.press("d", "y")
        assert [s.own for s in library.show("chain").snippets] == [False]


async def test_typing_in_code_is_typing_and_no_command(opened, library):
    async with opened("chain", size=(120, 70)) as reader:
        await reader.press(":change-code")
        await type_at_end(reader, "qxrlش")
        assert reader.main.query_one(CodeArea).text.endswith("qxrlش")
        assert reader.app.is_running


async def test_while_code_is_changed_the_bar_says_how_to_run_and_keep_it(opened, library):
    async with opened("chain", size=(120, 70)) as reader:
        await reader.press(":change-code")
        offered = {key.command.id: key for key in reader.main.query(CommandKey)}
        assert set(offered) == {"run", "save", "back", "help"}
        await type_at_end(reader, "print('left: 7')")
        await reader.pilot.click(offered["run"])
        await reader.settle()
        await reader.press("y")
        assert "7  changed" in reader.main.query_one(".figures").text
        await reader.pilot.click(offered["back"])
        await reader.settle()
        assert not reader.main.query(CodeArea)


@pytest.mark.long
@pytest.mark.parametrize("note", ["It is half of that.", PERSIAN])
async def test_a_note_rests_on_a_figure_of_the_last_run_and_r_runs_what_proves_it(
    opened, library, monkeypatch, note
):
    figures = {"left": 500_000.0}
    ran = Outcome("chain_cost", "ok", 0, "", "", False, 0.2, 1 << 26, (), figures)
    monkeypatch.setattr(library, "run", lambda *_, **__: ran)
    async with opened("chain", size=(120, 60)) as reader:
        await reader.press("r")
        await reader.settle()
        await reader.press("a")
        await to_passage(reader, "source")
        await reader.press("right", "right", "right", "tab")
        proof = reader.app.screen.query_one(ProofLine)
        assert proof.display
        shown = [chip.text for chip in proof.query(Chip)]
        assert shown == ["Evidence from a run: none", "Value in the source: 1000000 ×"]
        proof.query_one("#figure", Chip).action_down()
        await reader.press(*note, "ctrl+s")
        (made,) = own(library)
        (evidence,) = made.evidence
        assert (evidence.snippet, evidence.claimed) == ("chain_cost", 1000000.0)
        assert made.status == "unverified"
        view = reader.main.query_one(EntryView)
        assert view.current_annotation.id == made.id
        assert view.chosen_snippet().id == "chain_cost"


@pytest.mark.long
async def test_a_program_is_written_named_and_made_the_main_one(opened, library):
    async with opened("chain", size=(120, 60)) as reader:
        await reader.press(":new-program")
        await reader.press(*"mine", "enter")
        area = reader.app.screen.query_one(TextArea)
        area.load_text("print('total: 7')\n")
        await reader.press("ctrl+s")
        programs = {each.id: each for each in library.show("chain").snippets}
        assert (programs["mine"].own, programs["mine"].main) == (True, False)
        reader.main.query_one(EntryView).view_of("mine").focus()
        await reader.press(":make-main")
        assert library.show("chain").main_snippet().id == "mine"
        assert library.run("chain").figures == {"total": 7.0}
        await reader.press("u", "u")
        assert "mine" not in [each.id for each in library.show("chain").snippets]


@pytest.mark.long
@pytest.mark.parametrize(("lang", "named"), [("en", "Your answer"), ("fa", "پاسخ شما")])
async def test_ones_own_answer_is_called_so_where_one_reads_annotates_and_edits(
    opened, library, monkeypatch, lang, named
):
    monkeypatch.setenv("KB_LANG", lang)
    texts = {"source": {lang: "One. یک."}, "reference": {lang: "Two. دو."}}
    (id,) = library.edit.new(Draft({lang: "What? چه؟"}, texts)).ids
    async with opened(id, size=(120, 40)) as reader:
        shown = [each.text for each in reader.main.query(BidiText)]
        assert any(named in text for text in shown)
        await reader.press("a")
        await to_passage(reader, "source", lang)
        assert reader.app.screen.query_one("#about", BidiText).text.find(named) > 0
        await reader.press("escape", ":change-entry")
        assert named in [each.text for each in reader.app.screen.query(BidiText)]
    async with opened("chain", size=(120, 40)) as reader:
        assert not any(named in each.text for each in reader.main.query(BidiText))


async def test_letters_and_spaces_typed_at_the_words_are_the_note(opened, library):
    async with opened("chain", size=(120, 50)) as reader:
        await reader.press("a")
        picker = reader.app.screen.query_one(SpanPicker)
        for char in "so it is":  # as they come where the focus has not moved yet
            picker.post_message(Key("space" if char == " " else char, char))
        await reader.settle()
        assert reader.app.screen.query_one(TextArea).text == "so it is"


async def test_the_focus_goes_to_the_entry_when_what_had_it_is_gone(opened, library):
    async with opened("chain", size=(120, 60)) as reader:
        view = reader.main.query_one(EntryView)
        reader.main.set_focus(None)
        await reader.press("a", "right", "tab", *"so", "ctrl+s")
        await reader.settle()
        assert own(library)
        assert reader.main.focused is view


async def test_slash_goes_to_the_next_place_of_the_words_that_one_types(opened, library):
    async with opened("chain", size=(120, 60)) as reader:
        await reader.press("a")
        picker = reader.app.screen.query_one(SpanPicker)

        def chosen():
            role, lang, start, end = picker.words
            return start, library.show("chain").text(role, lang)[start:end]

        await reader.press("slash", *"metho", "enter")
        assert picker.has_focus and chosen() == (0, "Method")
        await reader.press("slash", *"choose", "enter")
        assert chosen() == (ANSWER.index("choose"), "choose")
        for place in (ANSWER.rindex("method"), 0, ANSWER.index("Method 2")):
            await reader.press("slash", *"method", "enter")
            assert chosen()[0] == place
        await reader.press("slash", *"choose", "space", *"meth", "enter")
        assert chosen() == (ANSWER.index("choose"), "choose method")
        await reader.press("slash", *"هزار", "enter")
        assert chosen()[1] == "هزار" and picker.passage.lang == "fa"
        await reader.press("slash", *"نیم", "space", *"میل", "enter")
        assert chosen()[1] == "نیم میلیون"
        await reader.press("slash", *"takes 50,000. So choose method", "enter")
        assert chosen()[1] == "takes 50,000. So choose method"
        await reader.press("slash", "escape", *"so")
        assert reader.app.screen.query_one(TextArea).text == "so"
