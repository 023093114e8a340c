"""The first screen of every entry that came with danesh: little to read, the short answer in it."""

from __future__ import annotations

import pytest

from kb.present.layers import short_answers
from tests.tui.conftest import Reader
from tui.widgets.entry_view import EntryView
from tui.widgets.text_block import TextBlock

SIZE = (130, 42)
MOST_WORDS = 180
MAY_HAVE_MORE = 3


def words_in_sight(reader: Reader) -> int:
    """Count the words that are shown of the entry, without the list beside it."""
    x, y, width, height = reader.main.query_one(EntryView).region
    strips = reader.app.screen._compositor.render_strips()[y : y + height]
    shown = " ".join(strip.crop(x, x + width).text for strip in strips)
    return sum(any(char.isalnum() for char in word) for word in shown.split())


def shows_its_short_answer(reader: Reader) -> bool:
    view = reader.main.query_one(EntryView)
    blocks = [
        block for block in view.query(TextBlock) if block.role in ("short", "reference", "source")
    ]
    return bool(blocks) and blocks[0].region in view.region


@pytest.mark.long
async def test_the_first_screen_has_the_short_answer_and_few_words(
    opened, bundled, language, record_property
):
    entries = [hit.id for hit in bundled.list().hits]
    assert len(entries) == 33
    many: dict[str, int] = {}
    async with opened(entries[0], of=bundled, size=SIZE) as reader:
        for entry in entries:
            reader.main.open(entry, read=True)
            await reader.settle()
            view = reader.main.query_one(EntryView)
            if view.reading.hidden:
                await reader.press("space")
            assert view.scroll_offset.y == 0 and view.reading.entry.id == entry
            assert set(view.reading.langs) <= {language}
            assert shows_its_short_answer(reader), entry
            many[entry] = words_in_sight(reader)
    record_property("words", many)
    more = {entry: count for entry, count in many.items() if count > MOST_WORDS}
    assert len(more) <= MAY_HAVE_MORE, more


def test_the_short_answer_takes_half_a_minute_to_read(bundled):
    for hit in bundled.list().hits:
        for lang, short in short_answers(bundled.show(hit.id)).items():
            assert 5 <= len(short.split()) <= 90, (hit.id, lang)
