"""Undo and redo in the app: its own changes at once, another's after asking."""

from __future__ import annotations

import pytest

from kb.i18n import LRM, _
from kb.library import Library
from kb.model.draft import Amendment, Draft
from kb.model.entry import TextSpan
from tests.databases import new_library
from tui.bidi import label
from tui.screens.questions import ConfirmScreen
from tui.widgets.bidi_text import BidiText
from tui.widgets.entry_list import EntryList
from tui.widgets.entry_view import EntryView


@pytest.fixture
def other(library: Library):
    """Another program that has the same knowledge base open."""
    with new_library(library.path) as opened:
        yield opened


def asked(reader):
    assert isinstance(reader.app.screen, ConfirmScreen)
    every = "\n".join(block.text for block in reader.app.screen.query(BidiText))
    return every.replace(LRM, "")  # the marks around formulas


def said(reader):
    return " ".join(reader.notices().split())


async def tag(reader, *words):
    for word in words:
        await reader.press(":tag", *word, "enter", "ctrl+s")


@pytest.mark.long
async def test_u_undoes_what_the_app_did_and_leaves_what_others_did_since(
    opened, library, other, language
):
    async with opened("flash") as reader:
        await tag(reader, "one", "two")
        other.edit.amend("flash", Amendment(level="H"))
        other.edit.tag(["nasty"], ["theirs"])
        await reader.press("u")
        assert library.show("flash").tags == ("one",)
        title = {"en": "Undone: tag “What is throughput?”", "fa": "What is throughput"}[language]
        assert title in said(reader)
        await reader.press("u")
        assert (library.show("flash").tags, library.show("flash").level) == ((), "H")
        await reader.press("U", "U")
        assert library.show("flash").tags == ("one", "two")
        assert library.show("nasty").tags == ("theirs",)
        assert reader.app.screen is reader.main


async def test_the_notice_of_an_undo_takes_the_place_of_that_of_the_change(opened, language):
    async with opened("flash") as reader:
        await reader.press("d", "y", "u")
        assert len(reader.app._notifications) == 1


async def test_a_longer_notice_stays_longer(opened):
    async with opened() as reader:
        stays = []
        for words in ("Saved", "Exported 34 entries to /home/reader/notes/of/the/course.md"):
            reader.main.session.say(words)
            await reader.settle()
            stays.append(next(reversed([*reader.app._notifications])).timeout)
        assert stays[0] == 5 and stays[1] > 8


async def test_what_is_bundled_is_to_be_hidden_and_the_rest_deleted(
    opened, bundled_library, language, tmp_path
):
    own = bundled_library.edit.new(Draft({"en": "Mine?"})).ids[0]
    (tmp_path / "mine.md").write_text("Q: What is mine?\nA: This.\n")
    bundled_library.import_file(tmp_path / "mine.md")
    listed = bundled_library.list().hits
    imported = next(each.id for each in listed if each.question.get("en") == "What is mine?")
    for entry, question in (
        (own, "Delete the entry “{title}”?"),
        (imported, "Delete the entry “{title}”?"),
        (listed[0].id, "Hide the bundled entry “{title}”?"),
    ):
        async with opened(entry, of=bundled_library) as reader:
            await reader.press("d")
            around = _(question, title="\0").split("\0")
            assert all(part in asked(reader).split("\n")[0] for part in around)
            assert _("Bundled entries are only hidden.") not in asked(reader)
    async with opened(of=bundled_library) as reader:
        await reader.press(":mark-all", "d")
        assert _("Bundled entries are only hidden.") in asked(reader)


@pytest.mark.parametrize("width", [80, 140])
async def test_undo_and_redo_go_to_the_entry_concerned(opened, library, width, language):
    async with opened(size=(width, 40)) as reader:
        entries, view = reader.main.query_one(EntryList), reader.main.query_one(EntryView)

        def here():
            return entries.chosen, width == 80 or view.reading.entry.id == entries.chosen

        first = entries.chosen
        await reader.press("d", "y")
        assert here() == (next(each for each in entries.ids), True) and entries.chosen != first
        await reader.press("G")
        await reader.press("u")
        assert here() == (first, True) and not reader.main.showing
        assert label(_("U redoes it")) in said(reader)
        await reader.press("U")
        assert first not in entries.ids and here()[1]
        await reader.press("u", "G", "enter", "U", "u")
        assert here() == (first, True)
        await reader.press("escape", "n", "a", "ctrl+s", "escape", "u")
        assert not reader.main.showing and reader.main.focused is entries
        await reader.press("g", "U")
        assert here() == ("basics/a", True) and not reader.main.showing


async def test_with_nothing_to_redo_it_says_so_in_two_sentences(opened, language):
    async with opened() as reader:
        await reader.press("U")
        hint = _("What was undone can be redone until the next change.")
        told = f"{_('there is nothing to redo')}. {hint}"
        assert label(told[0].upper() + told[1:]) in reader.notices()


@pytest.mark.long
async def test_u_refuses_to_undo_below_another_programs_change_and_names_it(
    opened, library, other, language
):
    async with opened("flash") as reader:
        await tag(reader, "one")
        other.edit.tag(["flash"], ["theirs"])
        change = library.changes.next_undo()
        await reader.press("u")
        assert reader.app.screen is reader.main
        assert library.show("flash").tags == ("one", "theirs")
        for named in ("flash", label(_("tag")), change.who, change.at[:10]):
            assert named in said(reader)
        other.changes.undo()
        await reader.press("u")
        assert library.show("flash").tags == ()


@pytest.mark.parametrize("width", [80, 140])
async def test_undoing_new_entries_returns_to_the_one_before_each(opened, library, width):
    for word in ("one", "two", "three"):
        library.edit.new(Draft({"en": word}, collection="basics"))
    async with opened("chain", size=(width, 40)) as reader:
        entries, read = reader.main.query_one(EntryList), ["chain"]
        for letter in "ab":
            await reader.press("n", letter, "ctrl+s")
            read.append(reader.main.query_one(EntryView).reading.entry.id)
        assert read == ["chain", "basics/a", "basics/b"]
        for before in read[1::-1]:
            await reader.press("u")
            assert reader.main.query_one(EntryView).reading.entry.id == entries.chosen == before
            assert reader.main.showing
        await reader.press("escape", "n", "a", "ctrl+s", "u")
        assert entries.chosen == "chain" and not reader.main.showing


async def test_undoing_a_new_entry_stays_in_the_list_if_the_one_before_is_gone(
    opened, library, other
):
    async with opened("flash", size=(140, 40)) as reader:
        await reader.press("n", "a", "ctrl+s")
        other.edit.remove(["flash"])
        await reader.press("u")
        chosen = reader.main.query_one(EntryList).chosen
        assert chosen in {"chain", "nasty"}
        assert reader.main.query_one(EntryView).reading.entry.id == chosen


@pytest.mark.long
async def test_an_entry_made_here_and_annotated_elsewhere_is_not_undone(opened, library, other):
    async with opened() as reader:
        await reader.press("n", *"Why", "ctrl+s")
        (made,) = {hit.id for hit in library.list().hits} - {"chain", "flash", "nasty"}
        other.own.annotate(made, TextSpan("question", "en", 0, 3), "Because.")
        await reader.press("u")
        assert f"{made} was changed later (annotate" in said(reader)
        assert len(library.show(made).annotations) == 1


@pytest.mark.long
async def test_after_a_restart_u_names_the_newest_change_and_asks(opened, library, other, language):
    other.edit.tag(["flash"], ["theirs"])
    with new_library(library.path) as again:
        change = again.changes.next_undo()
        async with opened(of=again) as reader:
            await reader.press("u")
            question = asked(reader)
            title = library.show("flash").question["en"]
            assert {"en": f"tag “{title}”?", "fa": title}[language] in question
            assert change.who in question
            when = change.at[:10] if language == "en" else "۲۰"
            assert when in question
            await reader.press("escape")
            assert again.show("flash").tags == ("theirs",)
            await reader.press("u", "y")
            assert again.show("flash").tags == ()
            await reader.press("U")  # undone here: redone unasked
            assert reader.app.screen is reader.main
            assert again.show("flash").tags == ("theirs",)
            await reader.press("u")
            assert again.show("flash").tags == ()


@pytest.mark.long
async def test_what_another_program_undid_is_redone_after_asking(opened, library, other, language):
    async with opened("flash") as reader:
        await tag(reader, "one", "two")
        other.changes.undo()
        await reader.press("U")
        assert library.show("flash").question["en"] in asked(reader)
        await reader.press("escape")
        assert library.show("flash").tags == ("one",)
        await reader.press("u")
        assert library.show("flash").tags == ()
        await reader.press("U")
        assert library.show("flash").tags == ("one",)
        await reader.press("U", "y")
        assert library.show("flash").tags == ("one", "two")


async def test_a_change_that_is_undone_elsewhere_while_it_is_asked_about_is_left(
    opened, library, other
):
    other.edit.tag(["flash"], ["theirs"])
    other.edit.tag(["nasty"], ["theirs"])
    with new_library(library.path) as again:
        async with opened(of=again) as reader:
            await reader.press("u")
            assert "tag “a[i][j]" in asked(reader)
            other.changes.undo()
            await reader.press("y")
            assert "nother program changed it first" in said(reader)
            assert again.show("flash").tags == ("theirs",)


@pytest.mark.long
async def test_u_pressed_faster_than_it_is_done_undoes_one_change_after_the_other(opened, library):
    async with opened("flash") as reader:
        await tag(reader, "one", "two", "three")
        reader.main.query_one("WritingPane").action_undo()
        reader.main.query_one("WritingPane").action_undo()
        await reader.settle()
        assert library.show("flash").tags == ("one",)


async def test_an_import_of_another_program_is_named_by_its_file(opened, library, other, tmp_path):
    bank = tmp_path / "bank.md"
    bank.write_text("## Why?\n\nSo.\n")
    other.import_file(bank)
    with new_library(library.path) as again:
        async with opened(of=again) as reader:
            await reader.press("u")
            assert "Undo this change: import bank.md?" in asked(reader)
            await reader.press("y")
            assert again.list().total == 3


async def test_a_new_entry_that_is_undone_is_named_by_its_title(opened, language):
    async with opened() as reader:
        await reader.press("n", *"Why so?", "ctrl+s")
        await reader.press("u")
        told = {"en": "Undone: new entry “Why so?”", "fa": "واگرد شد: مدخل تازه «Why so?»"}
        assert label(told[language]) in reader.notices()
        assert "why-so" not in reader.notices()
        # The first entry of a collection adds the collection, too.
        await reader.type("zebr")
        await reader.press("enter", "n", *"Why so?", "ctrl+s")
        await reader.press("u")
        assert reader.notices().count(label(told[language])) == 1
