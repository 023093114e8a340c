"""Two languages: side by side where there is room, else below each other; never unasked."""

from __future__ import annotations

import pytest

from kb.present.annotated import concerning
from tests.tui.conftest import Reader
from tests.tui.sample import QUESTION_EN, QUESTION_FA
from tui.widgets.entry_list import EntryList
from tui.widgets.entry_view import EntryView
from tui.widgets.text_block import AnnotationHead, TextBlock

OTHER = {"en": "fa", "fa": "en"}


def region(reader: Reader, role: str, lang: str):
    return next(b for b in reader.main.query(TextBlock) if (b.role, b.lang) == (role, lang)).region


def sides(reader: Reader) -> int:
    return len(reader.main.query(".sides"))


def shown(reader: Reader) -> set[str]:
    return {block.text for block in reader.main.query(TextBlock)}


def list_is_shown(reader: Reader) -> bool:
    return reader.main.query_one(EntryList).region.width > 0


@pytest.mark.long
@pytest.mark.parametrize("size", [(100, 30), (150, 46), (180, 60)])
async def test_text_stands_beside_text_and_the_notes_below_both(opened, bundled, language, size):
    async with opened("batch-norm-epsilon", of=bundled, size=size) as reader:
        assert not sides(reader)
        await reader.press("b", ":answer")
        for role in ("short", "source"):
            english, persian = region(reader, role, "en"), region(reader, role, "fa")
            assert english.y == persian.y
            assert english.right <= persian.x
            assert abs(english.width - persian.width) <= 2
            assert english.width >= (60 if size[0] >= 180 else 40)
        view = reader.main.query_one(EntryView)
        below = max(row.region.bottom for row in reader.main.query(".sides").results())
        heads = list(reader.main.query(AnnotationHead))
        assert all(head.region.y >= below for head in heads)
        assert min(head.region.width for head in heads) > view.region.width - 12
        shown = {head.annotation.id: head.text.split()[0] for head in heads}
        assert len(heads) == len(shown) == len(view.reading.entry.annotations)
        for lang in ("en", "fa"):  # whoever reads one language sees consecutive numbers
            read = [shown[each.id] for _, each in concerning(view.reading.entry, [lang])]
            assert len(read) == len(set(read))


@pytest.mark.long
async def test_the_list_gives_way_and_comes_back(opened, language):
    async with opened("chain", size=(120, 40)) as reader:
        assert list_is_shown(reader) and not sides(reader)
        await reader.press("b")
        assert sides(reader) and not list_is_shown(reader)
        await reader.press("escape")
        assert list_is_shown(reader) and sides(reader)  # below each other beside the list
        await reader.press("enter")
        assert sides(reader) and not list_is_shown(reader)
        await reader.press("b")
        assert list_is_shown(reader) and not sides(reader)


async def test_from_the_list_the_reader_goes_to_the_entry_to_see_both(opened):
    async with opened(size=(120, 40)) as reader:
        await reader.press("b")
        assert reader.main.showing and sides(reader) and not list_is_shown(reader)
        assert reader.app.focused is reader.main.query_one(EntryView)
        await reader.press(":next")
        assert not sides(reader) and list_is_shown(reader)


@pytest.mark.long
async def test_who_goes_on_to_what_was_found_sees_the_list_again(opened):
    async with opened("chain", size=(120, 40)) as reader:
        await reader.press("b", "slash", *"method", "enter")
        assert list_is_shown(reader)
        assert reader.app.focused is reader.main.query_one(EntryList)


@pytest.mark.long
async def test_where_there_is_room_for_all_the_list_stays(opened):
    for width in (180, 260):
        async with opened("chain", size=(width, 50)) as reader:
            await reader.press("b")
            assert sides(reader) and list_is_shown(reader)
            assert reader.main.query_one(EntryList).region.width >= 40


@pytest.mark.long
@pytest.mark.parametrize("width", [80, 100, 150, 200, 260])
async def test_one_language_is_shown_at_every_width_until_both_are_asked_for(opened, width):
    async with opened("chain", size=(width, 40)) as reader:
        assert not sides(reader) and QUESTION_FA not in shown(reader)
        await reader.press("b")
        assert {QUESTION_EN, QUESTION_FA} <= shown(reader)
        await reader.press("b")
        assert not sides(reader) and QUESTION_FA not in shown(reader)


@pytest.mark.long
async def test_where_it_is_narrow_they_stand_below_each_other(opened, language):
    async with opened("chain", size=(80, 24)) as reader:
        await reader.press("b")
        one, other = (
            region(reader, "question", language),
            region(reader, "question", OTHER[language]),
        )
        assert one.bottom <= other.y and one.width == other.width > 60


@pytest.mark.long
async def test_a_terminal_that_grows_or_shrinks_lays_both_out_anew(opened):
    async with opened("chain", size=(80, 24)) as reader:
        await reader.press("b")
        for width in (120, 80, 200, 99, 100):
            await reader.pilot.resize_terminal(width, 40)
            await reader.settle()
            english, persian = region(reader, "question", "en"), region(reader, "question", "fa")
            assert (english.y == persian.y) == (width >= 100), width
            assert (
                max(strip.cell_length for strip in reader.app.screen._compositor.render_strips())
                == width
            )


@pytest.mark.long
async def test_what_is_missing_in_a_language_is_said(opened, language):
    async with opened("chain", size=(200, 60)) as reader:
        await reader.press("b", ":answer")
        said = [block.text for block in reader.main.query(".side .hint")]
        assert {"en": "Not in this language", "fa": "به این زبان نیست"}[language] in said
        await reader.press(":interface")
        english, persian = region(reader, "question", "en"), region(reader, "question", "fa")
        assert english.x < persian.x
        assert {QUESTION_EN, QUESTION_FA} <= {b.text for b in reader.main.query(TextBlock)}
