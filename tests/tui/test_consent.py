"""The question before foreign code runs in the app: whole, in both languages, and no by reflex."""

from __future__ import annotations

import pytest

from kb.model.entry import Entry, Snippet
from kb.model.entry_json import ENTRY
from tests.tui.sample import CODE
from tui.screens.consent import ConsentScreen, ProgramRows
from tui.widgets.scrolling import ScrollingPane
from tui.widgets.snippet_view import SnippetView

ASKED = {"en": "May this program run?", "fa": "این برنامه اجرا شود؟"}
FILE = {"en": "from the file", "fa": "از فایل"}


@pytest.mark.long
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


@pytest.mark.long
@pytest.mark.parametrize("key", ["enter", "escape", "n", "space", "r"])
async def test_only_a_key_of_its_own_is_a_yes(opened, key):
    async with opened("chain", size=(120, 50)) as reader:
        await reader.press("r", key)
        if isinstance(reader.app.screen, ConsentScreen):
            await reader.press("escape")
        assert "needs your consent" in reader.main.query_one(".ending").text
        assert not reader.main.query_one(".output").text


@pytest.mark.long
async def test_a_yes_is_for_once_unless_it_is_always(opened, library):
    async with opened("chain", size=(120, 50)) as reader:
        for answer in ("y", "a"):
            await reader.press("r", answer)
            assert "left: 500000" in reader.main.query_one(SnippetView).query_one(".output").text
        await reader.press("r")
        assert reader.app.screen is reader.main
    assert library.run("chain").status == "ok"


@pytest.mark.long
async def test_a_long_program_is_scrolled(opened, library, tmp_path):
    code = "".join(f"a{number} = {number}\n" for number in range(200))
    snippet = Snippet("long", {}, code, main=True)
    entry = Entry("long", "note", "web", {"en": "Long?"}, snippets=(snippet,))
    from kb.model.json import dumps

    file = tmp_path / "web.jsonl"
    file.write_text(dumps(ENTRY.write(entry), indent=None))
    library.import_file(file)
    async with opened("long", size=(80, 24)) as reader:
        await reader.press("r")
        code = reader.app.screen.query_one(ScrollingPane)
        assert "a199 = 199" not in "".join(reader.lines()[code.region.y : code.region.bottom])
        code.scroll_end(animate=False)
        await reader.settle()
        assert "a199 = 199" in "".join(reader.lines()[code.region.y : code.region.bottom])


def imported(library, folder, code):
    from kb.model.json import dumps

    snippet = Snippet("odd", {}, code, main=True)
    file = folder / "odd.jsonl"
    entry = Entry("odd", "note", "web", {"en": "Odd?"}, snippets=(snippet,))
    file.write_text(dumps(ENTRY.write(entry), indent=None))
    return library.import_file(file)


@pytest.mark.long
@pytest.mark.parametrize("width", [24, 80])
async def test_no_row_of_foreign_code_looks_like_a_line_of_its_own(
    opened, library, tmp_path, width
):
    blanks = " " * 3000
    lines = [f"y = 2  #{blanks}3  if x > y:", f"x = 1{blanks}; print(5)", "# سلام دنیا " * 20,
             "机" * 90, "# " + "می‌شود " * 9]  # fmt: skip
    imported(library, tmp_path, "\n".join(lines))
    async with opened("odd", size=(width, 80)) as reader:
        await reader.press("r")
        block = reader.app.screen.query_one(ProgramRows)
        room = block.content_size.width
        rows = block.text.split("\n")
        assert [row[:3] for row in rows if row[:3] != " ↳ "] == [f"{n}  " for n in range(1, 6)]
        whole = "".join(row[3:] for row in rows)
        assert "#⟨␣ × 3000⟩3  if x > y:" in whole and "x = 1⟨␣ × 3000⟩; print(5)" in whole
        assert "می⟨\\u200c⟩شود" in whole and whole.count("机") == 90
        drawn = [block.render_line(y) for y in range(block.content_size.height)]
        assert len(drawn) == len(rows) and all(strip.cell_length == room for strip in drawn)
        assert [strip.text[:3] for strip in drawn] == [row[:3].ljust(3) for row in rows]
        assert sum(strip.text.count("机") for strip in drawn) == 90


async def test_code_that_hides_something_is_asked_about_by_no_one_and_never_runs(
    opened, library, tmp_path
):
    report = imported(library, tmp_path, 'NAME = "Ada\ufe01"\nprint("hidden: 1")\n')
    assert [each.text for each in report.unfit] == ["odd"]
    async with opened("odd", size=(100, 50)) as reader:
        await reader.press("r")
        assert reader.app.screen is reader.main
        assert not reader.main.query_one(".output").text
        assert "VARIATION SELECTOR-2" in reader.text().replace("\n", " ")


@pytest.mark.long
async def test_evidence_of_foreign_programs_is_verified_after_a_yes(opened, library):
    library.verify(["chain"], accept=True)
    async with opened("chain", size=(120, 50)) as reader:
        await reader.press(":verify")
        assert isinstance(reader.app.screen, ConsentScreen)
        await reader.press("enter")
        assert library.show("chain").annotations[0].status == "cannot-run"
        await reader.press(":verify", "y")
    assert library.show("chain").annotations[0].status == "confirmed"
