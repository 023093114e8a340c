"""Reading: annotated answers, cards, languages, moving about, narrow and wide."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from kb.model.entry import Assessment, Evidence, TextSpan
from kb.model.entry_json import ENTRY
from kb.present.annotated import AnnotatedSpan, find_span, numbered
from kb.present.markdown.reader import read
from tests.tui.conftest import Reader
from tests.tui.sample import ANSWER, CHAIN, QUESTION_EN
from tui.reading import Reading
from tui.screens.commanding import CommandKey
from tui.widgets.bidi_text import BidiText
from tui.widgets.entry_list import EntryList
from tui.widgets.entry_view import EntryView
from tui.widgets.figures import EvidenceTable
from tui.widgets.links import Fold, RemarkLine
from tui.widgets.scrolling import rows_in_sight
from tui.widgets.text_block import AnnotationHead, marks_of, passages


async def test_an_entry_is_read_in_layers(opened):
    async with opened("chain", size=(120, 60)) as reader:
        shown = [
            QUESTION_EN,
            "Short answer",
            "Half a million",
            "What is wrong with the source answer",
            "✗ ⟨1⟩ true words on 1,000,000",
            "≈ ⟨2⟩ true words on choose method 2",
            "▸ Source answer",
            "▸ 1 program",
            "▸ 1 related entry",
        ]
        places = [reader.text().index(words) for words in shown]
        assert places == sorted(places)
        for words in ("Method 1 takes", "Cormen", "Restored", "print("):
            assert words not in reader.text()


async def test_an_entry_unfolded_shows_its_source_with_annotations_and_proof(opened):
    async with opened("chain", size=(120, 60), whole=True) as reader:
        text = reader.text()
        for words in (
            QUESTION_EN,
            "Restored: the source lost formulas or layout",
            "1,000,000⟨1⟩ operations",
            "⟨1⟩ ✗ wrong · high",
            "true words on 1,000,000",
            "figure │   claimed │ expected │ measured",
            "left   │ 1,000,000 │  500,000 │        –",
            "Cormen et al., 15.2",
            "⟨2⟩ ≈ misleading",
            "Half a million",
            "▶ chain_cost · Two orders",
            "→ What is throughput?",
        ):
            assert words in text, words


async def test_a_span_is_underlined_and_coloured_by_its_verdict(opened):
    async with opened("chain", whole=True) as reader:
        answer = next(b for b in reader.main.query(BidiText) if b.text.startswith("Method 1"))
        lines = [answer.render_line(y) for y in range(answer.content_size.height)]
        styles = {segment.text: segment.style for line in lines for segment in line}
        wrong = styles["1,000,000"]
        misleading = next(style for text, style in styles.items() if text.startswith("choose"))
        assert wrong.underline and misleading.underline
        assert not styles["Method 1 takes "].underline
        assert len({wrong.color, misleading.color, styles["Method 1 takes "].color}) == 3


def test_a_span_is_found_by_its_place_and_else_by_its_words(library):
    entry = library.show("chain")
    origin = entry.answers[0].origin
    first = entry.annotations[0]
    assert ANSWER[slice(*find_span(ANSWER, (origin,), first))] == "1,000,000"
    assert find_span(f"Restored. {ANSWER}", (origin,), first)[0] == ANSWER.index("1,000,000") + 10
    assert find_span("another text", (origin,), first) is None


def test_a_sign_stands_behind_its_words_and_no_mark_covers_it(library):
    one, two = numbered(library.show("chain"))[:2]
    spans = [AnnotatedSpan(one, 1, 3), AnnotatedSpan(two, 2, 5)]
    ((passage, _ended),) = passages(read("abcdef"), spans)
    (block,) = passage.blocks
    assert block.prose.text == "abc⟨1⟩de⟨2⟩f"
    marked = [
        "".join(c for c, p in zip(*block.prose.shown, strict=True) if mark.start <= p < mark.end)
        for mark in marks_of(spans)
    ]
    assert marked == ["bc", "cde"]


async def test_the_language_key_changes_the_texts_and_the_notes(opened):
    async with opened("chain", whole=True) as reader:
        await reader.press("L")
        assert reader.main.query_one(EntryView).reading.langs == ["fa"]
        texts = [block.text for block in reader.main.query(BidiText)]
        assert "نیم میلیون و سی هزار." in texts
        assert any(text.startswith("سخن درست") for text in texts)
        await reader.press("L")
        assert "Half a million" in reader.text()


@pytest.mark.long
@pytest.mark.parametrize("by", ["key", "enter", "mouse"])
async def test_a_layer_is_unfolded_and_folded_by_key_enter_and_mouse(opened, by):
    async with opened("chain", size=(120, 60)) as reader:

        async def toggle() -> None:
            if by == "key":
                await reader.press(":answer")
            elif by == "enter":
                await reader.press("enter")
            else:
                await reader.pilot.click("#entry Fold.caption")
                await reader.settle()

        reader.main.query_one("#entry Fold.caption").focus()
        await toggle()
        assert "▾ Source answer" in reader.text() and "Method 1 takes" in reader.text()
        if by == "enter":
            assert reader.app.focused.name == "source"
        await toggle()
        assert "▸ Source answer" in reader.text() and "Method 1 takes" not in reader.text()


@pytest.mark.parametrize("size", [(80, 24), (140, 40)])
async def test_what_space_unfolds_or_folds_is_in_sight_wherever_one_reads(
    opened, bundled, size, language
):
    async with opened("rnn-backprop-complexity", of=bundled, size=size) as reader:
        view = reader.main.query_one(EntryView)
        for way in ("G", "g"):
            await reader.press(way)
            name, shown = view.folding.name, view.folding.shown
            assert rows_in_sight(view, view.folding) or way == "g"
            for _ in range(2):
                await reader.press("space")
                shown, fold = not shown, next(f for f in view.query(Fold) if f.name == name)
                assert fold.shown is shown and rows_in_sight(view, fold)
        assert name == "deeper"


@pytest.mark.parametrize("size", [(60, 20), (130, 42)])
async def test_space_at_an_annotation_unfolds_its_values_and_nothing_out_of_sight(
    opened, bundled, size, language
):
    async with opened("rnn-backprop-complexity", of=bundled, size=size) as reader:
        await reader.press("right_square_bracket", "right_square_bracket", "right_square_bracket")
        view = reader.main.query_one(EntryView)
        note = view.current_annotation
        (table,) = (each for each in view.query(EvidenceTable) if each.annotation is note)
        opened_before = view.reading.opened
        for id, shown in (("reveal", True), ("fold", False), ("reveal", True)):
            assert id in [key.command.id for key in reader.main.query(CommandKey)]
            await reader.press("space")
            assert table.shown is shown and rows_in_sight(view, table)
            assert view.current_annotation is note and view.reading.opened == opened_before


async def test_space_shows_all_of_an_answer_and_the_short_one_again(opened, bundled):
    async with opened("accurate-mean", of=bundled, size=(120, 60)) as reader:
        rest = bundled.show("accurate-mean").answer("en", "reference").text.split("\n\n")[1][:30]
        assert rest not in reader.text()
        await reader.press("space")
        assert rest in reader.text()
        await reader.press("space")
        assert rest not in reader.text()


@pytest.fixture
def deep(library, tmp_path) -> str:
    """Import an entry with all that can stand beside an answer, and return its id."""
    answers = [
        each._replace(evidence=(Evidence("chain_cost", "left", 500_000),))
        if (each.role, each.lang) == ("reference", "en")
        else each
        for each in CHAIN.answers
    ]
    entry = replace(
        CHAIN,
        id="deep",
        origins={},
        restored={},
        annotations=(),
        answers=tuple(each._replace(origin=None) for each in answers),
        short={"en": "It depends on the order."},
        example={"en": "Count 2 × 3 × 4."},
        mistakes={"fa": "ترتیب را مهم ندانستن."},
        further={"en": "- And in [[nasty]]?\n- Why not?"},
        assessment=Assessment("flawed", {"en": "It counts one method *twice*."}),
    )
    file = tmp_path / "deep.jsonl"
    file.write_text(json.dumps(ENTRY.write(entry)))
    return library.import_file(file).entries[0].id


async def test_what_goes_deeper_waits_below_one_line_with_the_figures_of_the_answer(opened, deep):
    async with opened(deep, size=(120, 60)) as reader:
        text = reader.text()
        shown = ["Short answer", "It depends on the order.", "▸ Go deeper · 6 words",
                 "What is wrong with the source answer", "It counts one method twice.",
                 "▸ Source answer", "▸ 2 related entries"]  # fmt: skip
        assert [text.index(words) for words in shown] == sorted(map(text.index, shown))
        assert "Half a million" not in text and "Example" not in text
        await reader.press("space")
        text = reader.text()
        shown = ["▾ Go deeper", "Half a million", "left", "500,000", "Example", "Count 2 × 3 × 4.",
                 "Common mistakes (", "Follow-up questions", "And in nasty?"]  # fmt: skip
        assert [text.index(words) for words in shown] == sorted(map(text.index, shown))
        await reader.press("space")
        assert "Example" not in reader.text()


async def test_a_note_of_ones_own_on_an_example_stands_below_it(opened, library, deep):
    example = library.show(deep).example["en"]
    start = example.index("2 × 3")
    words = TextSpan("example", "en", start, start + 5)
    library.own.annotate(deep, words, "That is 6.")
    async with opened(deep, size=(120, 60)) as reader:
        await reader.press("space")
        text = reader.text()
        assert text.index("Count 2 × 3") < text.index("That is 6.") < text.index("Common mistakes")


async def test_code_waits_below_the_title_of_its_program(opened):
    async with opened("chain", size=(120, 60)) as reader:
        assert "Two orders" not in reader.text()
        reader.main.query("#entry Fold.caption")[-2].focus()
        await reader.press("enter")
        assert "▶ chain_cost · Two orders" in reader.text()
        assert 'print("left' not in reader.text()
        await reader.pilot.click("SnippetView Fold")
        await reader.settle()
        assert 'print("left' in reader.text()


async def test_a_remark_leads_to_its_note_in_the_source_answer(opened):
    async with opened("chain", size=(120, 60)) as reader:
        reader.main.query(RemarkLine).last().focus()
        await reader.press("enter")
        view = reader.main.query_one(EntryView)
        assert view.current_annotation.id == "chain-2"
        assert "⟨2⟩ ≈ misleading" in reader.text()


@pytest.mark.parametrize(("key", "first"), [("]", 0), ("[", -1)])
async def test_the_step_to_a_note_unfolds_what_it_stands_in(opened, key, first):
    names = {"]": "right_square_bracket", "[": "left_square_bracket"}
    async with opened("chain", size=(120, 60)) as reader:
        await reader.press(names[key])
        view = reader.main.query_one(EntryView)
        assert view.current_annotation == view.reading.notes[first].annotation


async def test_a_layer_in_which_a_search_matched_is_unfolded(opened):
    async with opened(size=(120, 60)) as reader:
        await reader.type("operations")
        assert "▾ Source answer" in reader.text()
        await reader.press("escape", "slash", "ctrl+u", *"thirty")
        assert "▸ Source answer" in reader.text()


async def test_figures_that_hold_are_folded(opened, library):
    entry = library.show("chain")
    held = tuple(replace(each, status="confirmed") for each in entry.annotations)
    async with opened("chain", size=(120, 60)) as reader:
        view = reader.main.query_one(EntryView)
        view.show(Reading(replace(entry, annotations=held), "en", opened=frozenset({"source"})))
        await reader.settle()
        assert "✓ 1 of 1 values confirmed ▸" in reader.text() and "claimed" not in reader.text()
        await reader.pilot.click("EvidenceTable")
        await reader.settle()
        assert "claimed" in reader.text()


async def test_a_card_keeps_its_answer_until_it_is_asked_for(opened):
    async with opened("flash") as reader:
        assert "What is throughput?" in reader.text()
        assert "Work done per second." not in reader.text()
        await reader.press("space")
        assert "Work done per second." in reader.text()


@pytest.mark.parametrize("width", [80, 140])
async def test_a_card_that_is_opened_or_shown_in_two_languages_keeps_its_answer_shown(
    opened, width
):
    async with opened(size=(width, 40)) as reader:
        await reader.press("j", *["enter"] * (width == 80), "space", "enter", "b")
        assert "Work done per second." in reader.text()


async def test_beside_each_other_there_is_no_other_language_to_change_to(opened, language):
    async with opened("chain", size=(140, 40)) as reader:
        await reader.press("b", "L", "b")
        assert reader.main.query_one(EntryView).reading.wanted == language


async def test_remarks_without_worse_ones_are_counted_as_all(opened, library, language):
    async with opened("chain", size=(120, 60)) as reader:
        more = {"en": "1 more annotation", "fa": "۱ توضیح دیگر"}[language]
        assert more not in reader.text()
        view = reader.main.query_one(EntryView)
        mild = tuple(replace(each, severity="low") for each in CHAIN.annotations)
        view.show(replace(view.reading, entry=replace(CHAIN, annotations=mild)))
        await reader.settle()
        told = {"en": "2 annotations", "fa": "۲ توضیح"}[language]
        (named,) = (each.text for each in reader.main.query(Fold) if each.name == "smaller")
        assert told in named and "more" not in named and "دیگر" not in named


async def test_a_click_shows_the_answer_of_a_card(opened):
    async with opened("flash") as reader:
        await reader.pilot.click("EntryView ActionText")
        await reader.settle()
        assert "Work done per second." in reader.text()


async def test_the_next_card_hides_its_answer_again(opened):
    async with opened("flash") as reader:
        await reader.press("space", ":previous", ":next")
        assert "Work done per second." not in reader.text()


async def test_a_wide_screen_shows_the_entry_under_the_cursor_beside_the_list(opened):
    async with opened(size=(140, 40)) as reader:
        assert "true words on 1,000,000" in reader.text()
        await reader.press("j")
        assert "Work done" not in reader.text()
        assert "press Space" in reader.text()
        assert reader.main.query_one(EntryList).region.width > 0


async def test_a_narrow_screen_shows_the_list_or_the_entry(opened):
    async with opened(size=(80, 24)) as reader:
        listing, view = reader.main.query_one(EntryList), reader.main.query_one(EntryView)
        assert listing.region and not view.region
        await reader.press("enter")
        assert view.region and not listing.region
        assert reader.app.focused is view
        await reader.press("escape")
        assert listing.region and not view.region


@pytest.mark.long
async def test_resizing_while_it_runs_keeps_entry_and_list_usable(opened):
    async with opened("chain", size=(140, 40), whole=True) as reader:
        for size in ((80, 24), (160, 50), (70, 20), (100, 30)):
            await reader.pilot.resize_terminal(*size)
            await reader.settle()
            assert all(len(line) >= 1 for line in reader.lines())
            assert "1,000,000⟨1⟩" in reader.text()
            assert (
                max(strip.cell_length for strip in reader.app.screen._compositor.render_strips())
                == size[0]
            )


async def test_a_screen_that_grows_wide_fills_the_entry_pane(opened):
    async with opened(size=(80, 24)) as reader:
        await reader.pilot.resize_terminal(140, 40)
        await reader.settle()
        assert "true words on 1,000,000" in reader.text()


async def test_two_resizes_at_once_end_in_one_layout(opened):
    from textual.events import Resize
    from textual.geometry import Size

    async with opened(size=(80, 24)) as reader:
        for width in (100, 90, 100, 90):
            reader.main.post_message(Resize.from_dimensions((width, 30), None))
            reader.main.call_later(lambda: None)
        await reader.settle()
        assert reader.main.size == Size(80, 24)


async def test_vi_keys_and_arrows_move_alike(opened):
    async with opened() as reader:
        listing = reader.main.query_one(EntryList)
        await reader.press("j")
        assert listing.chosen == "flash"
        await reader.press("up")
        assert listing.chosen == "chain"
        await reader.press("G")
        assert listing.chosen == "nasty"
        await reader.press("home")
        assert listing.chosen == "chain"
        await reader.press("pagedown")
        assert listing.chosen == "nasty"
        await reader.press("ctrl+u")
        assert listing.chosen == "chain"


async def test_a_click_on_a_row_opens_it(opened):
    async with opened(size=(80, 24)) as reader:
        row = next(y for y, line in enumerate(reader.lines()) if "What is throughput?" in line)
        await reader.pilot.click(offset=(20, row))
        await reader.settle()
        assert reader.main.query_one(EntryView).reading.entry.id == "flash"
        assert reader.main.showing


async def test_the_bar_names_what_enter_does_on_a_line_that_leads_on(opened):
    async with opened("chain", size=(120, 60)) as reader:
        offered = [key.command.id for key in reader.main.query(CommandKey)]
        assert "open" not in offered
        await reader.unfold()
        reader.main.query_one("RelatedLink").focus()
        await reader.settle()
        keys = list(reader.main.query(CommandKey))
        assert keys[0].command.id == "open"
        assert {"back", "help"} <= {key.command.id for key in keys}
        await reader.pilot.click(keys[0])
        await reader.settle()
        assert reader.main.query_one(EntryView).reading.entry.id == "flash"


@pytest.mark.long
async def test_a_related_entry_opens_by_key_and_by_click(opened):
    async with opened("chain", size=(120, 60), whole=True) as reader:
        reader.main.query_one("RelatedLink").focus()
        await reader.press("enter")
        assert reader.main.query_one(EntryView).reading.entry.id == "flash"
    async with opened("chain", size=(120, 60), whole=True) as reader:
        await reader.pilot.click("RelatedLink")
        await reader.settle()
        assert reader.main.query_one(EntryView).reading.entry.id == "flash"


@pytest.mark.long
async def test_an_entry_is_read_in_the_language_in_which_a_search_found_it(opened):
    async with opened(size=(80, 24)) as reader:
        for asked, said in (("نیم میلیون", "نیم میلیون و سی هزار"), ("thirty", "and thirty")):
            await reader.type(asked)
            await reader.press("enter", "enter")
            view = reader.main.query_one(EntryView)
            assert said in "".join(block.text for block in view.query(BidiText))
            await reader.press("escape", "slash", "ctrl+u")
        await reader.press("escape", "enter")
        assert reader.main.query_one(EntryView).reading.langs == ["en"]


@pytest.mark.long
@pytest.mark.parametrize("key", ["L", ":interface"])
async def test_the_annotation_in_sight_stays_in_its_line_in_the_other_language(
    opened, bundled, key
):
    async with opened("matrix-chain-three", of=bundled, size=(80, 24)) as reader:
        view = reader.main.query_one(EntryView)

        def line() -> int:
            heads = view.query(AnnotationHead).results(AnnotationHead)
            (head,) = [head for head in heads if head.has_class("-current")]
            return head.region.y

        await reader.press(*["right_square_bracket"] * 3)
        before = line()
        for lang in ("fa", "en"):
            await reader.press(key)
            assert (view.reading.wanted, line()) == (lang, before)


async def test_an_annotation_of_one_language_leaves_the_reader_near_it_in_the_other(
    opened, bundled, monkeypatch
):
    monkeypatch.setenv("KB_LANG", "fa")
    async with opened("matrix-chain-three", of=bundled, size=(80, 24)) as reader:
        view = reader.main.query_one(EntryView)
        await reader.press("right_square_bracket")
        while view.current_annotation.verdict != "translation-error":
            await reader.press("right_square_bracket")
        await reader.press("L")
        assert view.reading.wanted == "en" and view.scroll_offset.y > 0


async def test_an_entry_that_is_shown_from_its_beginning_stays_so_in_the_other_language(
    opened, bundled
):
    async with opened("matrix-chain-three", of=bundled, size=(120, 60)) as reader:
        await reader.press("L")
        assert reader.main.query_one(EntryView).scroll_offset.y == 0


@pytest.mark.long
async def test_without_what_was_in_sight_an_entry_is_shown_from_the_part_above_it(opened, bundled):
    async with opened("matrix-chain-three", of=bundled, size=(80, 24)) as reader:
        view = reader.main.query_one(EntryView)
        await reader.press(":answer", "right_square_bracket", *["down"] * 8)
        place = view.scroll_offset.y
        assert place > 8
        view.turn(replace(view.reading, opened=frozenset()))
        await reader.settle()
        assert 0 < view.scroll_offset.y < place


async def test_what_a_search_matched_is_marked_in_the_entry(opened):
    async with opened() as reader:
        await reader.type("operations")
        answer = next(b for b in reader.main.query(BidiText) if b.text.startswith("Method 1"))
        styles = {segment.text: segment.style for segment in answer.render_line(0)}
        assert styles["operations"].bold


async def test_selected_text_is_copied_as_it_is_written(opened):
    from textual.geometry import Offset
    from textual.selection import Selection

    async with opened("chain") as reader:
        await reader.press("L")
        block = next(b for b in reader.main.query(BidiText) if b.text.startswith("نیم میلیون"))
        assert block.get_selection(Selection(None, None))[0] == "نیم میلیون و سی هزار."
        width = block.content_size.width
        picked = block.get_selection(Selection(Offset(width - 3, 0), Offset(width, 0)))
        assert picked[0] == "نیم"


def test_annotations_are_numbered_with_those_of_answers_first_by_place_and_ones_own_last(library):
    entry = library.show("chain")
    first, second = entry.annotations
    asked = replace(first, id="q", target=replace_target(first, role="question", start=90))
    mine = replace(first, id="mine", own=True, target=replace_target(first, start=0))
    mixed = replace(entry, annotations=(mine, second, first, asked))
    assert [each.annotation.id for each in numbered(mixed)] == ["chain-1", "chain-2", "q", "mine"]


def replace_target(annotation, **values):
    from kb.model.entry import Target

    fields = ("role", "lang", "quote", "start", "end", "file")
    return Target(**{name: getattr(annotation.target, name) for name in fields} | values)


async def test_the_collection_is_named_by_its_title_even_before_the_list_is_there(
    library, monkeypatch, gate
):
    listing = library.list

    def late(**options):
        gate.pass_through()
        return listing(**options)

    monkeypatch.setattr(library, "list", late)
    from tui.app import DaneshApp

    app = DaneshApp(library, "chain")
    async with app.run_test(size=(120, 40)) as pilot:
        reader = Reader(app, pilot)
        await reader.until(lambda: app.main.query_one(EntryView).reading)
        assert app.main.query_one(EntryView).reading.collection == "The basics"
        gate.open()
        await reader.settle()


def test_a_note_stands_under_the_paragraph_its_words_end_in(library):
    one, two = numbered(library.show("chain"))[:2]
    spans = [AnnotatedSpan(one, 1, 2), AnnotatedSpan(two, 2, 7)]
    parts = list(passages(read("abc\n\ndefg\n\nhi"), spans))
    texts = ["".join(block.prose.text for block in passage.blocks) for passage, _ in parts]
    assert texts == ["ab⟨1⟩c", "de⟨2⟩fg", "hi"]
    assert [[each.number for each in ended] for _, ended in parts] == [[1], [2], []]


async def test_notes_stand_between_the_paragraphs_they_speak_of(opened, bundled):
    async with opened("matrix-chain-three", of=bundled, whole=True) as reader:
        texts = [block.text for block in reader.main.query(BidiText)]
    verdict = next(n for n, text in enumerate(texts) if "⟨1⟩ ✗ wrong" in text)
    assert "1,000,000" in texts[verdict - 1]
    assert any("50,000" in text for text in texts[verdict:])


async def test_the_cursor_goes_from_annotation_to_annotation_and_round(opened, bundled):
    async with opened("matrix-chain-three", of=bundled, size=(132, 44), whole=True) as reader:
        await reader.press("enter")
        notes = list(reader.main.query(".verdict"))
        await reader.press("right_square_bracket")
        assert [note.has_class("-current") for note in notes].index(True) == 0
        assert notes[0].region.overlaps(reader.main.query_one(EntryView).region)
        await reader.press("چ")
        assert notes[1].has_class("-current") and not notes[0].has_class("-current")
        await reader.press("left_square_bracket", "left_square_bracket")
        assert notes[-1].has_class("-current")


async def test_a_card_keeps_its_answer_back_side_by_side_too(opened, bundled):
    async with opened("preprocessing-bottleneck", of=bundled, size=(200, 60)) as reader:
        await reader.press("b")
        assert len(reader.main.query(".side")) == 2
        assert not reader.main.query(".source") and not reader.main.query(".reference")
        await reader.press("space", ":answer")
        assert reader.main.query(".source")


async def test_an_entry_in_one_language_is_read_whole_in_a_wide_persian_interface(
    opened, monkeypatch
):
    monkeypatch.setenv("KB_LANG", "fa")
    async with opened("flash", size=(200, 60)) as reader:
        await reader.press("space")
        assert not reader.main.query(".side")
        assert "Work done per second." in reader.text()


async def test_what_links_to_an_entry_is_listed_below_it_and_opens(opened):
    async with opened("flash", size=(120, 60)) as reader:
        assert "related entry" not in reader.text()  # a card keeps it back with its answer
        await reader.press("space")
        reader.main.query("#entry Fold.caption").last().focus()
        await reader.press("enter")
        assert "Linked from" in reader.text() and "→ What does a chain" in reader.text()
        reader.main.query_one("RelatedLink").focus()
        await reader.press("enter")
        assert reader.main.query_one(EntryView).reading.entry.id == "chain"
