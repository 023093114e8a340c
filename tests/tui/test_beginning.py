"""The app begins at an entry worth reading: a named one, or that read or changed last."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from tui.welcoming import last_read, remember_read

WIDE = (120, 40)


@pytest.fixture
def own(empty, tmp_path):
    """A reader's own base, of more entries than are listed at once."""
    lines = (
        json.dumps({"id": f"own-{n:03}", "kind": "question", "collection": "own",
                    "question": {"en": f"What is {n}?", "fa": f"عدد {n} چیست؟"}})
        for n in range(400)
    )  # fmt: skip
    path = tmp_path / "own.jsonl"
    path.write_text("\n".join(lines))
    empty.import_file(path)
    return empty


def shown(reader) -> str:
    assert not reader.main.showing
    return reader.main._entry.reading.entry.id


async def test_where_nothing_is_known_it_is_the_first(opened, own, language):
    async with opened(of=own, size=WIDE) as reader:
        assert shown(reader) == "own-000"


async def test_it_is_the_one_that_was_changed_last(opened, own, language):
    for id in ("own-007", "own-003"):
        own.edit.edit(id, replace(own.edit.draft_of(id), level="H"))
    async with opened(of=own, size=WIDE) as reader:
        assert shown(reader) == "own-003"
        assert reader.main._list.entries.chosen == "own-003"


async def test_the_one_that_was_read_last_goes_before(opened, own, language):
    own.edit.edit("own-003", replace(own.edit.draft_of("own-003"), level="H"))
    async with opened("own-005", of=own, size=WIDE) as reader:
        assert reader.main.showing
    async with opened(of=own, size=WIDE) as reader:
        assert shown(reader) == "own-005"


async def test_so_it_does_where_it_is_not_among_those_that_are_listed_first(opened, own):
    remember_read(own.path, "own-390")
    async with opened(of=own, size=WIDE) as reader:
        assert shown(reader) == "own-390"
        await reader.press("j")
        assert shown(reader) == "own-001"


async def test_one_that_is_gone_by_now_is_passed_over(opened, own):
    remember_read(own.path, "gone")
    async with opened(of=own, size=WIDE) as reader:
        assert shown(reader) == "own-000"


async def test_what_the_content_names_goes_before_all(opened, bundled):
    remember_read(bundled.path, bundled.list().hits[3].id)
    async with opened(of=bundled, size=WIDE) as reader:
        assert shown(reader) == bundled.read.telling()


async def test_to_look_at_an_entry_from_the_list_is_not_to_read_it(opened, own):
    async with opened(of=own, size=WIDE) as reader:
        await reader.press("j")
        assert last_read(own.path) == ""
        await reader.press("enter")
        assert last_read(own.path) == "own-001"


def test_each_database_has_its_own_and_a_strange_name_is_none():
    remember_read("/a.db", "one")
    remember_read("/b.db", "two")
    remember_read("/a.db", "three")
    assert (last_read("/a.db"), last_read("/b.db"), last_read("/c.db")) == ("three", "two", "")
    remember_read("/a\n.db", "four")
    remember_read("/b.db", "fi\tve")
    assert (last_read("/a\n.db"), last_read("/b.db")) == ("", "two")
