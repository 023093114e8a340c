"""The question before foreign code runs in the app: whole, in both languages, and no by reflex."""

from __future__ import annotations

import pytest

from kb.contract.entry import ENTRY
from kb.records import Entry, Snippet
from tests.tui.sample import CODE
from tui.screens.consent import Code, ConsentScreen
from tui.widgets.snippet_view import SnippetView

ASKED = {"en": "May this program run?", "fa": "این برنامه اجرا شود؟"}
FILE = {"en": "from the file", "fa": "از فایل"}


async def test_foreign_code_is_shown_with_its_file_and_digest(
    opened, library, language, sample_file
):
    (program,) = library.programs.of_run("chain")
    async with opened("chain", size=(120, 50)) as reader:
        await reader.press("r")
        assert isinstance(reader.app.screen, ConsentScreen)
        shown = "\n".join(block.text for block in reader.app.screen.query("BidiText"))
        assert ASKED[language] in shown and FILE[language] in shown
        assert str(sample_file) in shown and program.digest[:12] in shown
        for number, line in enumerate(CODE.rstrip().split("\n"), 1):
            assert f"{number}  {line}" in shown


@pytest.mark.parametrize("key", ["enter", "escape", "n", "space", "r"])
async def test_only_a_key_of_its_own_is_a_yes(opened, key):
    async with opened("chain", size=(120, 50)) as reader:
        await reader.press("r", key)
        if isinstance(reader.app.screen, ConsentScreen):
            await reader.press("escape")
        assert "only after your yes" in reader.main.query_one(".ending").text
        assert not reader.main.query_one(".output").text


async def test_a_yes_is_for_once_unless_it_is_always(opened, library):
    async with opened("chain", size=(120, 50)) as reader:
        for answer in ("y", "a"):
            await reader.press("r", answer)
            assert "left: 500000" in reader.main.query_one(SnippetView).query_one(".output").text
        await reader.press("r")
        assert reader.app.screen is reader.main
    assert library.run("chain").status == "ok"


async def test_a_long_program_is_scrolled(opened, library, tmp_path):
    code = "".join(f"a{number} = {number}\n" for number in range(200))
    snippet = Snippet("long", {}, code, main=True)
    entry = Entry("long", "note", "web", {"en": "Long?"}, snippets=(snippet,))
    from kb.contract.document import dumps

    file = tmp_path / "web.jsonl"
    file.write_text(dumps(ENTRY.write(entry), indent=None))
    library.import_file(file)
    async with opened("long", size=(80, 24)) as reader:
        await reader.press("r")
        code = reader.app.screen.query_one(Code)
        assert "a199 = 199" not in "".join(reader.lines()[code.region.y : code.region.bottom])
        code.scroll_end(animate=False)
        await reader.settle()
        assert "a199 = 199" in "".join(reader.lines()[code.region.y : code.region.bottom])


async def test_evidence_of_foreign_programs_is_verified_after_a_yes(opened, library):
    library.verify(["chain"], accept=True)
    async with opened("chain", size=(120, 50)) as reader:
        await reader.press("v")
        assert isinstance(reader.app.screen, ConsentScreen)
        await reader.press("enter")
        assert library.show("chain").annotations[0].status == "cannot-run"
        await reader.press("v", "y")
    assert library.show("chain").annotations[0].status == "confirmed"
