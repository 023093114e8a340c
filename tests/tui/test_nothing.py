"""An empty list says what was looked for, and offers what would find more."""

from __future__ import annotations

import pytest
from textual.widgets import Input

from kb.i18n import language as spoken
from kb.library import Library
from kb.model.results import Filters, Results
from tests.tui.conftest import Reader
from tui.session import Found
from tui.widgets.bidi_text import BidiText
from tui.widgets.chip import Chip
from tui.widgets.entry_list import EntryList
from tui.widgets.entry_view import EntryView
from tui.widgets.search_box import Context, lines_of

SAID = {
    "en": {"asked": "Nothing matches “{}”.", "meant": "did you mean “{}”?", "beyond": "19 entries"},
    "fa": {"asked": "برای «{}» چیزی پیدا نشد.", "meant": "منظورتان «{}» بود؟", "beyond": "۱۹ مدخل"},
}
HELP = {
    "en": ("Fewer or other words may find more.", "Esc clears the search."),
    "fa": ("شاید با واژه‌های کمتر یا دیگر چیزی پیدا شود.", "Esc جست‌وجو را پاک می‌کند."),
}
BARE = {"en": "This collection is empty.", "fa": "این مجموعه خالی است."}


def said(reader: Reader) -> str:
    """Return what stands in the middle of the list, as it is written."""
    found = reader.main.query("#nothing > *") if reader.main.query("#nothing") else ()
    return "\n".join(each.text for each in found if each.region)


async def look_for(reader: Reader, words: str) -> None:
    reader.main.query_one("#query", Input).value = words
    await reader.settle()


async def narrow(reader: Reader, field: str, value: str) -> None:
    await reader.press("f")
    chip = next(chip for chip in reader.main.query(Chip) if chip.field == field)
    while chip.value != value:
        chip.action_down()
    await reader.settle()


@pytest.mark.long
async def test_it_says_what_was_searched_for_and_the_entry_beside_is_gone(
    opened, bundled, language
):
    async with opened(of=bundled) as reader:
        assert reader.main.query_one(EntryView).reading is not None
        await look_for(reader, "qqqqqq")
        assert said(reader).split("\n")[0].endswith(SAID[language]["asked"].format("qqqqqq"))
        assert reader.main.query_one(EntryView).reading is None
        await look_for(reader, "")
        assert said(reader) == ""
        assert reader.main.query_one(EntryView).reading is not None


@pytest.mark.long
@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ('"gradeint desent"', '"gradient descent"'),
        ("vanshing gradeint desent complexty", "vanishing gradient descent complexity"),
        ('"پیچیدکی زمانیی"', '"پیچیدگی زمانی"'),
    ],
)
async def test_every_misspelt_word_gets_its_help(opened, bundled, language, typed, meant):
    async with opened(of=bundled) as reader:
        await look_for(reader, typed)
        assert SAID[language]["meant"].format(meant) in said(reader)
        asked = SAID[language]["meant"].partition("{}")[0]
        assert asked not in reader.main.query_one("#status", BidiText).text
        offered = f"{SAID[language]['meant'].format(meant)} (Enter)"
        assert offered in said(reader).replace("\u200e", "")
        await reader.press(":suggestion")
        assert reader.main.query_one(EntryList).ids
        assert said(reader) == ""


@pytest.mark.long
async def test_filters_that_hide_what_there_is_are_named_and_taken_away_by_their_key(
    opened, bundled, language
):
    async with opened(of=bundled) as reader:
        await look_for(reader, "gradient")
        everything = reader.main.query_one(EntryList).ids
        await narrow(reader, "tag", rare_tag(bundled))
        assert not reader.main.query_one(EntryList).ids
        assert SAID[language]["beyond"] in said(reader)
        assert "(Ctrl+P)" in said(reader).replace("\u200e", "")  # Enter chooses a value here
        assert rare_tag(bundled) in said(reader)
        await reader.press("escape")
        assert "(Enter)" in said(reader).replace("\u200e", "")
        await reader.press("enter")
        assert reader.main.query_one(EntryList).ids == everything


@pytest.mark.long
async def test_while_one_types_enter_takes_the_filters_away(opened, bundled):
    async with opened(of=bundled) as reader:
        await narrow(reader, "tag", rare_tag(bundled))
        await reader.type("gradient")
        assert "19 entries (Enter)" in said(reader)
        await reader.press("enter")
        assert len(reader.main.query_one(EntryList).ids) == 19


def test_enter_is_named_on_the_one_line_that_it_does():
    found = Found()
    for suggestion, does in (("gradient", "suggestion"), (None, "no-filter")):
        found.take(Results("gradeint", 0, (), suggestion=suggestion), {}, beyond=3)
        offers = {"beyond": 3, "offer": found.offer}
        empty = Context(found.results, narrowed=("RNN",), typing=True, **offers)
        named = [line.command for line in lines_of(empty) if "Enter" in line.text]
        assert named == [found.offer] == [does]


async def test_it_speaks_the_other_language_when_the_interface_does(opened):
    async with opened() as reader:
        await reader.type("qqqqqq")
        await reader.press("escape", ":interface")
        assert spoken() == "fa" and "برای «qqqqqq»" in said(reader)


async def test_where_nothing_can_be_suggested_other_words_and_esc_help(opened, language):
    other, clear = HELP[language]
    async with opened() as reader:
        await reader.type("qqqqqq")
        assert other in said(reader) and clear not in said(reader)  # Esc leaves the box there
        await reader.press("escape")
        assert other in said(reader) and clear in said(reader)
        await reader.press("escape")
        assert len(reader.main.query_one(EntryList).ids) == 3 and said(reader) == ""


def test_a_suggestion_comes_before_everything_else_that_helps():
    results = Results("gradeint", 0, (), suggestion="gradient")
    empty = Context(results, narrowed=("RNN",), beyond=3, offer="suggestion")
    lines = list(lines_of(empty))
    assert [line.command for line in lines if line.command] == ["suggestion", "no-filter"]
    assert lines[1].command == "suggestion"
    (nothing, advice) = lines_of(Context(Results("", 0, ()), hidden=True))
    assert advice.text == "Esc lists all entries." != nothing.text


async def test_an_empty_collection_says_how_to_fill_it_and_is_filled(opened, library, language):
    library.collections.new("bare")
    async with opened() as reader:
        await reader.press(":collections", *"bare", "enter")
        told = said(reader).replace("\u200e", "")
        assert BARE[language] in told and "(n)" in told and "(i)" in told and "(Enter)" in told
        await reader.press("n", *"Why?", "tab", *"So.", "ctrl+s")
        assert [hit.id for hit in library.list(filters=Filters(collection="bare")).hits]
        assert said(reader) == "" and len(reader.main.query_one(EntryList).ids) == 1


def rare_tag(library: Library) -> str:
    """Return a tag that no entry on gradients has."""
    held = {tag for hit in library.search("gradient", limit=None).hits
            for tag in library.show(hit.id).tags}  # fmt: skip
    return next(tag for tag in library.read.facets()["tag"] if tag not in held)
