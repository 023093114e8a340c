"""Entries of one's own: written, changed, marked, moved, tagged, deleted, and all taken back."""

from __future__ import annotations

from dataclasses import replace

import pytest
from textual import events
from textual.command import CommandList
from textual.widgets import Input, TextArea

from kb import i18n
from kb.errors import Message, UsageError
from kb.model.draft import Draft
from kb.model.entry import TextSpan
from kb.model.results import Filters
from tests.databases import new_library
from tests.tui.sample import QUESTION_EN, QUESTION_FA
from tui.bidi import label
from tui.commands import BY_ID
from tui.panes.pane import Pane
from tui.screens.change_log import ChangedScreen
from tui.screens.commanding import SavingForm
from tui.screens.palette import palette_name
from tui.screens.questions import ConfirmScreen, PickScreen
from tui.screens.writing import LanguageSide, WritingScreen
from tui.widgets.bidi_text import BidiText
from tui.widgets.chip import Chip
from tui.widgets.entry_list import EntryList
from tui.widgets.entry_view import EntryView
from tui.widgets.search_box import SearchBox
from tui.widgets.text_area import BidiArea

PERSIAN = "لگاریتم بخت چیست"


def listed(reader):
    return reader.main.query_one(EntryList).ids


def reading(reader):
    found = reader.main.query_one(EntryView).reading
    return found.entry if found else None


def texts(reader):
    blocks = [block.text for block in reader.app.screen.query(BidiText)]
    return "\n".join([*blocks, *(pane.title for pane in reader.main.query(Pane))])


async def mark(reader, count):
    reader.main.query_one(EntryList).focus()
    await reader.press("g", *[":mark"] * count)


@pytest.mark.long
async def test_an_entry_is_written_in_two_languages_and_read_at_once(opened, library, language):
    async with opened(size=(150, 46)) as reader:
        await reader.press("n")
        assert isinstance(reader.app.screen, WritingScreen)
        first, second = ("What is a logit?", PERSIAN) if language == "en" else (PERSIAN, "Logit?")
        await reader.press(*first, "tab", *"A number.", "ctrl+l", *second, "ctrl+s")
        assert reader.app.screen is reader.main
        (made,) = {hit.id for hit in library.list().hits} - {"chain", "flash", "nasty"}
        entry = library.show(made)
        other = "fa" if language == "en" else "en"
        assert entry.question == {language: first, other: second}
        assert [(a.role, a.lang, a.text) for a in entry.answers] == [
            ("source", language, "A number.")
        ]
        assert entry.collection == "basics"  # where the reader was
        assert reading(reader).id == made and made in listed(reader)
        assert reader.main.query_one(EntryList).chosen == made
        assert ("4 entries" if language == "en" else "۴ مدخل") in texts(reader)


@pytest.mark.parametrize("width", [80, 140])
async def test_a_new_entry_is_listed_though_a_search_would_leave_it_out(
    opened, library, language, width
):
    cleared = "All entries are listed again, with the new one."
    async with opened(size=(width, 40)) as reader:
        await reader.type("nasty")
        await reader.press("enter", "n", *"zebra", "ctrl+s")
        (made,) = {hit.id for hit in library.list().hits} - {"chain", "flash", "nasty"}
        assert len(listed(reader)) == 4 and reader.main.query_one(EntryList).chosen == made
        assert reading(reader).id == made
        assert label(i18n._(cleared)) in reader.notices()
        await reader.press("escape")
        await reader.type("zebr")
        await reader.press("enter", "n", *"zebras", "ctrl+s")
        assert reader.notices().count(label(i18n._(cleared))) == 0
        assert len(listed(reader)) == 2 and reading(reader).id == "notes/zebras"


async def test_a_new_entry_is_shown_though_an_empty_search_is_answered_before_it_is_read(
    opened, monkeypatch, gate
):
    def held(_entry):
        gate.pass_through()

    async with opened(size=(80, 40)) as reader:
        await reader.type("nasty")
        await reader.press("enter", "n", *"zebra")
        monkeypatch.setattr("tui.panes.entry.read_ahead", held)
        await reader.pilot.press("ctrl+s")
        await gate.reached()
        await reader.until(lambda: len(listed(reader)) == 4)
        gate.open()
        await reader.settle()
        assert reading(reader).id == "notes/zebra" and reader.main.showing


@pytest.mark.long
async def test_a_search_that_lists_a_new_entry_further_down_stays(opened, library, tmp_path):
    many = tmp_path / "many.jsonl"
    titles = (f"zebra {number}" for number in range(250))
    many.write_text("".join(f'{{"id": "{t[6:]}", "title": "{t}", "text": ""}}\n' for t in titles))
    library.import_file(many)
    async with opened(size=(140, 40)) as reader:
        await reader.type("zebra")
        await reader.press("enter", "n", *"zebra", "space", *"new", "ctrl+s")
        assert reader.main.query_one(SearchBox).query_one(Input).value == "zebra"
        assert reading(reader).id == "many/zebra-new"


async def test_what_an_entry_lacks_is_said_beside_the_field_and_nothing_is_lost(opened, library):
    async with opened(size=(80, 24)) as reader:
        await reader.press("n", "ctrl+s")
        assert "An entry needs a question or an answer." in reader.text()
        screen = reader.app.screen
        screen.query_one("#tags", Input).value = "x" * 400
        await reader.press(*"Why", "ctrl+s")
        assert "A tag is too long." in texts(reader)
        assert screen.query(TextArea).first().text == "Why"
        await reader.press("ctrl+l", *PERSIAN)
        side = screen.query("LanguageSide").last()
        assert side.query_one(BidiArea).wrapped_document.direction == "rtl"
        side.query_one(Chip).take("fr")
        side.query_one(Chip).post_message(Chip.Changed())
        await reader.pilot.pause()
        assert side.query_one(BidiArea).wrapped_document.direction == "auto"
        side.query_one(Chip).take("en")
        await reader.press("ctrl+s")
        assert "The entry already has this language." in texts(reader)
        assert library.list().total == 3


FORMS = {
    "note": (("a",), ("tab", *"Why", *PERSIAN)),
    "program": ((":new-program",), tuple("mine")),
    "code": ((":new-program", "enter"), (*"a = 1", "escape")),
    "tags": ((":tag",), tuple("exam")),
    "a tag": ((":tag", *"exam", "enter"), ()),
    "collection": ((":collections", ":new-collection"), tuple("own")),
}
"""How forms are opened, and what is done in them."""


@pytest.mark.long
@pytest.mark.parametrize("form", FORMS)
async def test_every_form_asks_before_it_drops_what_was_written(opened, language, form):
    opens, keys = FORMS[form]
    async with opened("chain", size=(120, 40)) as reader:
        await reader.press(*opens, *keys)
        screen = reader.app.screen
        assert isinstance(screen, SavingForm)
        written = screen.written
        await reader.press("escape")
        assert isinstance(reader.app.screen, ConfirmScreen)
        await reader.press("escape")
        assert reader.app.screen is screen
        assert screen.written == written
        await reader.press("ctrl+q")
        assert isinstance(reader.app.screen, ConfirmScreen)
        await reader.press("ctrl+q", "escape", "escape", "y")
        assert reader.app.screen is not screen and reader.app.is_running


@pytest.mark.long
async def test_danesh_is_left_from_a_form_after_a_yes(opened, language):
    async with opened("chain", size=(120, 40)) as reader:
        await reader.press("n", *"Why", "ctrl+q", "y")
        assert not reader.app.is_running
    async with opened("chain", size=(120, 40)) as reader:
        await reader.press("n", "ctrl+q")
        assert not reader.app.is_running


@pytest.mark.long
@pytest.mark.parametrize("form", ["note", "program", "tags", "collection"])
async def test_a_form_in_which_nothing_was_written_is_left_at_once(opened, language, form):
    opens, _ = FORMS[form]
    async with opened("chain", size=(120, 40)) as reader:
        before = len(reader.app.screen_stack)
        await reader.press(*opens[-1:] if form != "collection" else opens)
        await reader.press("escape")
        assert len(reader.app.screen_stack) == before + (form == "collection")


@pytest.mark.long
async def test_leaving_a_form_asks_only_where_something_was_written(opened, library, language):
    async with opened(size=(80, 24)) as reader:
        await reader.press("n", "escape")
        assert reader.app.screen is reader.main
        await reader.press("n", *"Why", "escape")
        assert isinstance(reader.app.screen, ConfirmScreen)
        await reader.press("escape")
        assert reader.app.screen.query(TextArea).first().text == "Why"
        await reader.press("escape", "y")
        assert reader.app.screen is reader.main
        await reader.press("e", "escape")
        assert reader.app.screen is reader.main
    assert library.list().total == 3


async def test_an_entry_is_changed_and_keeps_what_the_form_does_not_hold(opened, library):
    before = library.show("chain")
    async with opened("chain", size=(150, 46)) as reader:
        await reader.press("e")
        areas = [area.text for area in reader.app.screen.query(TextArea)]
        assert QUESTION_EN in areas and "نیم میلیون و سی هزار." in areas
        area = reader.app.screen.query(TextArea).first()
        area.move_cursor(area.document.end)
        await reader.press(*" Why", "ctrl+s")
        after = library.show("chain")
        assert after.question["en"] == f"{QUESTION_EN} Why"
        assert after.annotations and after.snippets == before.snippets
        assert reading(reader).question["en"].endswith("Why")
        await reader.press("u")
        assert library.show("chain").question == before.question
        assert reading(reader).question == before.question


@pytest.mark.long
async def test_the_language_of_the_interface_has_the_column_where_one_begins(
    opened, library, language
):
    async with opened("chain", size=(150, 46)) as reader:
        await reader.press("e")
        sides = list(reader.app.screen.query(LanguageSide))
        assert [side.lang for side in sides] == [language, "fa" if language == "en" else "en"]
        first, second = (side.region.x for side in sides)
        assert (first < second) == (language == "en")
        await reader.press("escape")
        assert reader.app.screen is reader.main  # nothing was changed by that


@pytest.mark.long
async def test_what_another_program_changed_is_not_overwritten_unasked(opened, library, language):
    async with opened("flash", size=(150, 46)) as reader:
        await reader.press("e", *"Mine ")
        draft = library.edit.draft_of("flash")
        with new_library(library.path) as other:
            other.edit.edit("flash", Draft({"en": "Theirs"}, draft.answers, collection="cards"))
        await reader.press("ctrl+s")
        assert isinstance(reader.app.screen, WritingScreen)
        said = {"en": "Another program changed this entry", "fa": "برنامهٔ دیگری این مدخل"}
        assert said[language] in texts(reader)
        assert reader.app.screen.query(TextArea).first().text.startswith("Mine ")
        assert library.show("flash").question == {"en": "Theirs"}
        await reader.press("ctrl+s")
        assert library.show("flash").question["en"].startswith("Mine ")


async def test_an_edit_that_a_kept_package_cannot_hold_is_told_as_it_is_saved(
    opened, library, monkeypatch
):
    monkeypatch.setattr("kb.service.edit.why_not_back", lambda *_: Message("it is unclear"))
    async with opened("flash", size=(150, 46)) as reader:
        await reader.press("e", *"Mine ", "ctrl+s")
        assert library.show("flash").question["en"].startswith("Mine ")
        said = "the kept Anki package cannot hold this edit: it is unclear"
        assert said in " ".join(reader.notices().split())


@pytest.mark.long
async def test_marked_entries_are_tagged_moved_deleted_and_all_of_it_taken_back(
    opened, library, language
):
    before = {hit.id: library.show(hit.id) for hit in library.list().hits}
    async with opened(size=(150, 46)) as reader:
        await mark(reader, 2)
        assert ("2 marked" if language == "en" else "۲ انتخاب‌شده") in texts(reader)
        assert reader.text().count("▌") >= 2
        await reader.press(":tag", *"exam", "enter", "ctrl+s")
        assert [h.id for h in library.list(filters=Filters(tag="exam")).hits] == ["chain", "flash"]
        await reader.press(":move")
        assert isinstance(reader.app.screen, PickScreen)
        await reader.press(*"own/new", "enter")
        assert library.list(filters=Filters(collection="own/new")).total == 2
        assert reading(reader).collection == library.show(reading(reader).id).collection
        await reader.press("d", "y")
        assert listed(reader) == ["nasty"]
        assert library.list().total == 1
        assert ("1 entry" if language == "en" else "۱ مدخل") in texts(reader)
        assert reading(reader).id == "nasty"
        await reader.press("u", "u", "u")
        assert {hit.id: library.show(hit.id) for hit in library.list().hits} == before
        assert set(listed(reader)) == set(before)
        await reader.press("U", "U", "U")
        assert listed(reader) == ["nasty"]


async def test_a_key_that_repeats_in_a_list_of_a_form_leaves_the_form_open(opened):
    async with opened(size=(120, 40)) as reader:
        await reader.press("n", *"Why?", "tab", "tab")
        form = reader.app.screen
        await reader.press("enter")
        assert isinstance(reader.app.screen, PickScreen)
        for _ in range(3):
            reader.app.post_message(events.Key("enter", "\r"))
        await reader.settle()
        assert form in reader.app.screen_stack
        if reader.app.screen is not form:  # whether the last key opens the list again is chance
            await reader.press("escape")
        assert "Why?" in reader.text()


async def test_all_that_is_listed_is_marked_and_unmarked(opened):
    async with opened(size=(120, 40)) as reader:
        await reader.press(":mark-all")
        assert "3 marked" in texts(reader)
        await reader.press("escape")
        assert "marked" not in texts(reader)
        await reader.type("throughput")
        await reader.press("escape", ":mark-all")
        assert list(reader.main.session.marks) == ["flash"]


async def test_tags_worn_by_some_are_shown_so_and_taken_away(opened, library):
    library.edit.tag(["chain"], add=["old"])
    async with opened(size=(120, 40)) as reader:
        await mark(reader, 2)
        await reader.press(":tag")
        assert "· old" in reader.text() and "1 of 2" in reader.text()
        await reader.press("enter", "enter")
        assert "− old" in reader.text()
        await reader.press("ctrl+s")
        assert library.show("chain").tags == ()
        assert "−old" in reader.notices()


async def test_a_dialog_names_an_entry_by_its_title_and_by_its_id_beside_another_of_that_title(
    opened, library, language
):
    title = {"en": QUESTION_EN, "fa": QUESTION_FA}[language]

    async def asked() -> str:
        async with opened("chain") as reader:
            await reader.press("d")
            return " ".join(each.text for each in reader.app.screen.query(BidiText))

    assert title in await asked() and "chain)" not in await asked()
    library.edit.new(Draft({"en": QUESTION_EN, "fa": QUESTION_FA}, {"source": {"en": "So."}}))
    assert f"{title} (chain)" in await asked()


@pytest.mark.long
async def test_what_came_with_danesh_is_hidden_listed_as_such_and_shown_again(
    opened, bundled_library, language
):
    async with opened(of=bundled_library, size=(120, 40)) as reader:
        first, total = listed(reader)[0], bundled_library.list(limit=0).total
        await reader.press("home", "d", "y")
        said = {"en": "bundled entry hidden", "fa": "خودِ دانش پنهان شد"}
        i18n.use_language(language)
        assert bundled_library.list(limit=0).total == total - 1
        assert said[language] in i18n.ngettext(
            "{n} bundled entry hidden",
            "{n} bundled entries hidden",
            1,
        )
        assert first not in listed(reader)
        await reader.press(":collections", "up", "enter")
        assert listed(reader) == [first]
        await reader.press(":show-again")
        assert bundled_library.list(limit=0).total == total
        assert listed(reader) == []
        await reader.press(":no-filter")
        assert first in listed(reader)


async def test_nothing_to_take_back_is_said_and_changes_nothing(opened, empty):
    async with opened(of=empty, size=(80, 24)) as reader:
        await reader.press("u")
        assert "nothing to undo" in " ".join(reader.notices().split())
        await reader.press("U", "d", "e")
        assert reader.app.screen is reader.main
        await reader.press("ctrl+p")
        listed = [each.hit.text for each in reader.app.screen.query_one(CommandList).options]
        assert not {palette_name(BY_ID[name]) for name in ("move", "tag", "history")} & {*listed}


async def test_the_form_names_the_collection_of_a_new_entry_by_its_title(opened, bundled, language):
    async with opened(of=bundled, size=(120, 40)) as reader:
        await reader.press("n")
        shown = {"en": "Collection: Notes", "fa": "مجموعه: یادداشت‌ها"}[language]
        assert shown in [chip.text.strip() for chip in reader.app.screen.query(Chip)]


async def test_the_history_of_an_entry_shows_what_became_different(opened, library, language):
    library.edit.tag(["flash"], add=["exam"])
    async with opened("flash", size=(120, 40)) as reader:
        await reader.press(":history")
        assert isinstance(reader.app.screen, ChangedScreen)
        tags = {"en": "Tags: ", "fa": "برچسب‌ها: "}[language]
        assert tags in texts(reader) and "exam" in texts(reader)
        await reader.press("escape")
        assert reader.app.screen is reader.main


async def test_history_is_that_of_a_title_and_calls_what_the_reader_wrote_no_source_answer(
    opened, library, language
):
    written = library.edit.new(Draft({"en": "Why so?"}, {"source": {"en": "Therefore."}})).ids[0]
    library.edit.edit(
        written, replace(library.edit.draft_of(written), answers={"source": {"en": "Because."}})
    )
    async with opened(written, size=(120, 40)) as reader:
        await reader.press(":history")
        title = {"en": "History of “Why so?”", "fa": "تاریخچهٔ «Why so?»"}[language]
        answer = {"en": "Answer (English): ", "fa": "پاسخ (انگلیسی): "}[language]
        source = {"en": "Source", "fa": "منبع"}[language]
        assert title in texts(reader) and answer in texts(reader)
        assert source not in texts(reader)


async def test_history_names_fields_and_their_values_in_the_language_of_the_interface(
    opened, library, language
):
    words = TextSpan("source", "en", 0, 4)
    library.own.annotate("flash", words, "Not quite.", verdict="wrong")
    library.edit.edit("flash", replace(library.edit.draft_of("flash"), level="H"))
    async with opened("flash", size=(120, 60)) as reader:
        await reader.press(":history")
        shown = {
            "en": ("Annotation (English): Not quite.", "Verdict: wrong", "Words: Work",
                   "Level: nothing → hard"),
            "fa": ("توضیح (انگلیسی): Not quite.", "داوری: نادرست", "واژه‌ها: Work",
                   "سطح: هیچ ← سخت"),
        }[language]  # fmt: skip
        assert not [words for words in shown if words not in texts(reader)]
        for word in ("+own", "own-", "severity:", "note:", "True"):
            assert word not in texts(reader)


@pytest.mark.long
async def test_an_open_entry_that_is_taken_back_gives_way_to_the_next(opened, library):
    for size in ((80, 24), (120, 40)):
        async with opened(size=size) as reader:
            await reader.press("n", *"Why", "ctrl+s")
            assert reading(reader).question == {"en": "Why"}
            await reader.press("u")
            assert library.list().total == 3
            assert set(listed(reader)) == {"chain", "flash", "nasty"}
            assert reader.main.query_one(EntryList).chosen is not None
            assert not reader.main.showing


async def test_cursor_and_view_stay_where_they_were_before_an_entry_that_is_taken_back(opened):
    async with opened(size=(120, 40)) as reader:
        listing = reader.main.query_one(EntryList)
        await reader.press("G")
        assert listing.chosen == "nasty"
        await reader.press("n", *"Why", "ctrl+s", "escape", "u")
        assert listing.chosen == "nasty" and reading(reader).id == "nasty"


async def test_an_entry_moved_out_of_the_collection_that_is_listed_leaves_the_list(opened, library):
    async with opened(size=(120, 40)) as reader:
        await reader.press(":collections", *"cards", "enter", ":move", *"basics", "enter")
        assert listed(reader) == ["nasty"]
        assert "1 entry" in texts(reader)
        await reader.press("u")
        assert listed(reader) == ["flash", "nasty"]


@pytest.mark.long
async def test_what_is_refused_is_said_and_nothing_is_lost(opened, library, monkeypatch):
    def refuse(*_, **__):
        raise UsageError("no")

    monkeypatch.setattr("kb.service.edit.Edit.new", refuse)
    async with opened(size=(120, 40)) as reader:
        await reader.press("n", *"Why", "ctrl+s")
        assert "No" in texts(reader).split("\n")
        assert reader.app.screen.query(TextArea).first().text == "Why"
        monkeypatch.undo()
        await reader.press("ctrl+s")
        assert reader.app.screen is reader.main and library.list().total == 4


async def test_of_very_many_entries_every_tag_can_be_taken_away(opened, library, monkeypatch):
    monkeypatch.setattr("tui.panes.writing._LOOKED_AT", 1)
    library.edit.tag(["flash"], add=["old"])  # the second: it is not looked at
    async with opened(size=(120, 40)) as reader:
        await reader.press(":mark-all", ":tag", *"old", "enter", "enter", "ctrl+s")
        assert library.show("flash").tags == ()


async def test_a_text_area_is_drawn_again_when_its_width_changes(opened, bundled, monkeypatch):
    """Right-aligned lines move, even if they break as before: else their beginning is cut off."""
    async with opened("chain", size=(120, 40)) as reader:
        await reader.press("n", *PERSIAN)
        area = reader.app.screen.query(TextArea).first()
        drawn = []
        monkeypatch.setattr(area, "refresh", lambda *_, **__: drawn.append(area.size.width))
        await reader.pilot.resize_terminal(119, 40)
        await reader.settle()
        assert area.size.width in drawn
