"""Pictures of entries: shown at their place, and opened as copies in the system's viewer."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import ClassVar

import pytest
from textual.color import Color

from kb.i18n import _, digits
from kb.library import Library
from kb.model.entry import Media
from tests.databases import new_library
from tests.pictures import GIF, HTML, SVG, gif_of_huge_frame, png, webp, write_entry
from tests.tui.conftest import Reader
from tui import viewer
from tui.messages import OpenPicture
from tui.viewer import Viewer
from tui.widgets.picture import PictureBlock, PictureCells, PictureLine

pytest.importorskip("PIL", reason="the extra 'pictures' is not installed")

WIDE = (130, 50)


@pytest.fixture(autouse=True)
def colours(monkeypatch):
    monkeypatch.setenv("COLORTERM", "truecolor")


@pytest.fixture
def showing(tmp_path: Path, empty: Library):
    """Return what makes a library whose entry ``seen`` shows these media."""

    def make(shown: dict[str, bytes], text: str | None = None) -> Library:
        empty.import_file(write_entry(tmp_path / "in.json", shown, text))
        return empty

    return make


def lines_of(reader: Reader) -> list[str]:
    return [line.text for line in reader.main.query(PictureLine) if line.region]


def refused(name: str, reason: str) -> str:
    return _("Picture {name}: {reason}").format(name=name, reason=_(reason))


async def test_a_picture_stands_below_the_words_for_it(opened, showing, language):
    async with opened("seen", of=showing({"red.png": png(40, 20)}), size=WIDE) as reader:
        assert "the words for it" in reader.text()
        assert lines_of(reader) == [
            _("Picture {name}, {width} × {height}").format(
                name="red.png", width=digits("40"), height=digits("20")
            )
        ]
        (cells,) = reader.main.query(PictureCells)
        assert cells.size.height == 10
        first, last = (
            next(each for each in cells.render_line(y) if each.text.startswith("▀")) for y in (0, 9)
        )
        assert len(first.text) == 40
        assert Color.from_rich_color(first.style.color) == Color(255, 0, 0)
        assert Color.from_rich_color(last.style.bgcolor) == Color(0, 0, 255)
        at_right = cells.render_line(0).text.startswith(" ")
        assert at_right == (language == "fa")


async def test_it_takes_no_more_lines_than_leave_room_for_text(opened, showing):
    async with opened("seen", of=showing({"high.png": png(20, 400)}), size=WIDE) as reader:
        assert reader.main.query_one(PictureCells).size.height == 20
        await reader.pilot.resize_terminal(70, 30)
        await reader.settle()
        assert reader.main.query_one(PictureCells).size.height == 20


async def test_one_named_twice_is_shown_once_in_a_text_and_again_beside_it(opened, showing):
    twice = "![a](red.png)\n\n![a](red.png)"
    async with opened("seen", of=showing({"red.png": png()}, twice), size=(200, 40)) as reader:
        assert len(lines_of(reader)) == 1
        await reader.press("b")
        assert len(lines_of(reader)) == 2


@pytest.mark.parametrize("few", [{"NO_COLOR": "1"}, {"TERM": "linux", "COLORTERM": ""}])
async def test_where_there_are_few_colours_the_line_stands_alone(opened, showing, monkeypatch, few):
    for name, value in few.items():
        monkeypatch.setenv(name, value)
    async with opened("seen", of=showing({"red.png": png()})) as reader:
        assert len(lines_of(reader)) == 1
        assert not reader.main.query(PictureCells)


HOSTILE = {
    "drawing.png": (SVG, "not a PNG, JPEG, GIF or WebP picture"),
    "page.jpg": (HTML, "not a PNG, JPEG, GIF or WebP picture"),
    "cut.png": (png(40, 40)[:70], "the picture is damaged"),
    "cut.gif": (GIF[:15], "the picture is damaged"),
    "vast.png": (png(said=(50_000, 50_000)), "too large to show here"),
    "vast.webp": (webp(16_000, 16_000), "too large to show here"),
    "frame.gif": (gif_of_huge_frame(), "too large to show here"),
}


async def test_each_hostile_one_is_a_line_that_says_why(opened, showing, language):
    media = {name: data for name, (data, _reason) in HOSTILE.items()}
    async with opened("seen", of=showing(media), size=WIDE) as reader:
        assert lines_of(reader) == [refused(name, why) for name, (_d, why) in HOSTILE.items()]
        assert not reader.main.query(PictureCells)
        assert not reader.notices()
        assert not reader.main.situation.picture
        assert reader.app.is_running


async def test_a_picture_under_the_name_of_another_kind_is_shown(opened, showing):
    media = {"a.jpg": png(), "b.exe.png": GIF, "c.mp3": png(8, 8)}
    text = "![a](a.jpg) ![b](b.exe.png) ![c](c.mp3)"
    async with opened("seen", of=showing(media, text), size=WIDE) as reader:
        assert len(reader.main.query(PictureCells)) == 3


async def test_of_a_sound_nothing_is_said(opened, showing):
    async with opened("seen", of=showing({"a.mp3": b"ID3 and so on"}), size=WIDE) as reader:
        assert lines_of(reader) == []


async def test_one_whose_bytes_are_gone_is_a_line_too(opened, showing, tmp_path):
    library = showing({"red.png": png()})
    with library._base.store.transaction():
        library._base.store.connection.run("DELETE FROM media")
    async with opened("seen", of=library, size=WIDE) as reader:
        (line,) = lines_of(reader)
        assert "the file is not in the database" in line


@pytest.mark.long
@pytest.mark.parametrize("name", ["a;rm -rf.png", "a\nb.png", "a\u202egnp.exe", "$(x).png", "-x"])
async def test_no_name_of_a_file_is_obeyed(opened, showing, name):
    library = showing({"red.png": png()})
    async with opened("seen", of=library, size=WIDE) as reader:
        block = reader.main.query_one(PictureBlock)
        block.query_one(PictureLine).media = Media(name, block.media.sha256, 1)
        block.show(*reader.main._entry._pictures[block.media.sha256])
        shown = reader.text()
        assert not set("\u202e\x1b") & set(shown) and reader.app.is_running


class Started:
    """What stands in the place of a started program."""

    calls: ClassVar[list[list[str]]] = []
    code = 0

    def __init__(self, command: list[str], **options: object) -> None:
        assert "shell" not in options and options["start_new_session"]
        self.calls.append(command)

    def wait(self, timeout: float) -> int:
        return self.code

    def poll(self) -> int:
        return self.code


@pytest.fixture
def started(monkeypatch, tmp_path) -> list[list[str]]:
    monkeypatch.setattr(Started, "calls", [])
    monkeypatch.setattr(Started, "code", 0)
    monkeypatch.setattr(viewer.subprocess, "Popen", Started)
    monkeypatch.setattr(viewer.shutil, "which", lambda name: f"/usr/bin/{Path(name).name}")
    monkeypatch.setattr(viewer.tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(viewer.sys, "platform", "linux")
    return Started.calls


async def test_the_command_opens_a_private_copy(opened, showing, started, language, tmp_path):
    library = showing({"evil;name.exe.png": GIF}, "![a](evil;name.exe.png)")
    async with opened("seen", of=library, size=WIDE) as reader:
        await reader.press(":picture")
        ((opener, copy),) = started
        assert opener == "/usr/bin/xdg-open"
        path = Path(copy)
        assert path.is_absolute() and path.name == "picture-1.gif"
        assert path.read_bytes() == GIF
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
        assert path.parent.parent == tmp_path
        name = library.show("seen").media[0].name
        assert name in reader.notices()


async def test_a_click_and_enter_open_it_too(opened, showing, started):
    async with opened("seen", of=showing({"red.png": png()}), size=WIDE) as reader:
        await reader.pilot.click(PictureLine)
        await reader.settle()
        reader.main.query_one(PictureLine).focus()
        await reader.press("enter")
        assert [Path(copy).name for _opener, copy in started] == ["picture-1.png", "picture-2.png"]


@pytest.mark.long
@pytest.mark.parametrize("data", [SVG, HTML, b"#!/bin/sh\nexit", b"%PDF-1.7", b"MZ"])
async def test_nothing_but_a_picture_is_ever_opened(opened, showing, started, data):
    async with opened("seen", of=showing({"x.png": data}), size=WIDE) as reader:
        await reader.pilot.click(PictureLine)
        media = reader.main._entry.reading.entry.media[0]
        reader.main._entry.post_message(OpenPicture(media))
        await reader.settle()
        assert not started
        assert "ot a PNG, JPEG, GIF or WebP picture" in reader.notices().replace("\n", " ")


async def test_an_opener_that_fails_is_told_of(opened, showing, started, monkeypatch):
    monkeypatch.setattr(Started, "code", 3)
    async with opened("seen", of=showing({"red.png": png()}), size=WIDE) as reader:
        await reader.press(":picture")
        assert "could not be opened" in reader.notices().replace("\n", " ")
        monkeypatch.setattr(viewer.shutil, "which", lambda name: None)
        await reader.press(":picture")
        assert "Install xdg-utils." in reader.notices().replace("\n", " ")


@pytest.mark.parametrize(
    ("system", "opener"), [("darwin", "/usr/bin/open"), ("freebsd14", "/usr/bin/xdg-open")]
)
def test_the_opener_is_that_of_the_system(started, monkeypatch, system, opener):
    monkeypatch.setattr(viewer.sys, "platform", system)
    Viewer().open(png())
    assert started[0][0] == opener


def test_the_copies_go_with_the_viewer(started):
    opening = Viewer()
    copy = opening.open(png())
    assert copy.exists()
    del opening
    assert not copy.parent.exists()


@pytest.mark.skipif(os.name == "nt", reason="there it is a call of the system")
def test_the_opener_gets_the_path_as_one_word_and_no_terminal(tmp_path, monkeypatch):
    told = tmp_path / "told"
    opener = tmp_path / "xdg-open"
    opener.write_text(f'#!/bin/sh\n[ -t 0 ] || echo "$#" "$1" > "{told}"\n')
    opener.chmod(0o700)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr(viewer.sys, "platform", "linux")
    opening = Viewer()
    copy = opening.open(png())
    assert told.read_text() == f"1 {copy}\n"


def test_who_sees_no_picture_loads_nothing_for_it(tmp_path):
    path = tmp_path / "kb.db"
    with new_library(path) as library:
        library.import_file(write_entry(tmp_path / "in.json", {}, "No picture."))
    program = f"""
import asyncio, sys
from kb.library import open_library
from tui.app import DaneshApp
async def read():
    with open_library({str(path)!r}, bundled=False) as library:
        async with DaneshApp(library, "seen").run_test() as pilot:
            await pilot.pause()
            await pilot.app.workers.wait_for_complete()
asyncio.run(read())
seldom = {{"PIL", "kb.present.pictures", "tui.widgets.picture", "tui.viewer"}}
print(*(seldom & set(sys.modules)))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.stdout, done.returncode) == ("\n", 0), done.stderr
