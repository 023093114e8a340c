"""Pictures: known by what they hold, and read within bounds, or refused in a sentence."""

from __future__ import annotations

import io
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb import limits
from kb.errors import BadData, NotFound
from kb.present import pictures
from kb.present.pictures import pixels_of, suffix_of
from tests.pictures import BLUE, GIF, HTML, JPEG_START, RED, SVG, gif_of_huge_frame, png, webp

MOST = (640, 480)
ROOM = 64 << 20


@pytest.fixture
def pillow():
    return pytest.importorskip("PIL.Image", reason="the extra 'pictures' is not installed")


@pytest.mark.parametrize(
    ("data", "suffix"),
    [(png(), ".png"), (GIF, ".gif"), (JPEG_START, ".jpg"), (webp(1, 1), ".webp")],
)
def test_a_picture_is_known_by_its_first_bytes(data: bytes, suffix: str) -> None:
    assert suffix_of(data) == suffix


@pytest.mark.parametrize(
    "data",
    [SVG, HTML, b"", b"\x89PNG", b"%PDF-1.7", b"MZ\x90", b"\x7fELF", b"RIFF\0\0\0\0WAVEfmt ",
     b"\0\0\0\x0cftypavif", b" " + png(), b"#!/bin/sh\n" + png()],
)  # fmt: skip
def test_nothing_else_is_one(data: bytes) -> None:
    assert suffix_of(data) == ""
    with pytest.raises(BadData, match="not a PNG, JPEG, GIF or WebP picture"):
        pixels_of(data, MOST)


def test_its_pixels_are_read(pillow) -> None:
    found = pixels_of(png(4, 4), MOST)
    assert found == (4, 4, bytes(RED * 8 + BLUE * 8), (4, 4))
    assert found.resized(1, 2).rgb == bytes(RED + BLUE)


def test_it_is_made_as_small_as_is_asked_and_keeps_its_form(pillow) -> None:
    found = pixels_of(png(400, 100), (40, 40))
    assert (found.width, found.height, found.original) == (40, 10, (400, 100))


def test_of_a_moving_picture_the_first_is_read(pillow) -> None:
    frames = [pillow.new("RGB", (2, 2), colour) for colour in (RED, BLUE)]
    made = io.BytesIO()
    frames[0].save(made, "GIF", save_all=True, append_images=frames[1:])
    assert pixels_of(made.getvalue(), MOST).rgb[:3] == bytes(RED)


def test_what_one_can_see_through_stands_on_paper(pillow) -> None:
    made = io.BytesIO()
    pillow.new("RGBA", (1, 1), (0, 0, 0, 0)).save(made, "PNG")
    assert pixels_of(made.getvalue(), MOST).rgb == b"\xff\xff\xff"


@pytest.mark.parametrize(
    ("mode", "format", "grey"), [("I;16", "PNG", 128), ("L", "JPEG", 128), ("P", "GIF", 128)]
)
def test_a_grey_stays_that_grey_in_every_mode(pillow, mode: str, format: str, grey: int) -> None:
    made = io.BytesIO()
    image = pillow.new(mode, (8, 8), grey * 256 if mode == "I;16" else grey)
    if mode == "P":
        image.putpalette([each for n in range(256) for each in (n, n, n)])
    image.save(made, format)
    assert all(abs(each - grey) <= 2 for each in pixels_of(made.getvalue(), MOST).rgb)


def test_a_photograph_stands_as_the_camera_was_held(pillow) -> None:
    photograph = pillow.new("RGB", (40, 20))
    turned = photograph.getexif()
    turned[0x0112] = 6  # Orientation: to be turned by a quarter (Exif 2.32, 4.6.4)
    made = io.BytesIO()
    photograph.save(made, "JPEG", exif=turned)
    found = pixels_of(made.getvalue(), MOST)
    assert (found.width, found.height) == (20, 40)


@pytest.mark.parametrize("data", [png(said=(50_000, 50_000)), webp(16_000, 16_000)])
def test_a_huge_picture_is_refused_before_its_pixels_are_made(pillow, data: bytes) -> None:
    tracemalloc.start()
    try:
        with pytest.raises(BadData, match="too large to show here"):
            pixels_of(data, MOST)
        assert tracemalloc.get_traced_memory()[1] < ROOM
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    "data",
    [
        png() + bytes(limits.MEDIUM),
        JPEG_START + b"\xff\xda" * (limits.SCANS + 1),
    ],
)
def test_so_are_too_many_bytes_and_passes(data: bytes) -> None:
    with pytest.raises(BadData, match="too large to show here"):
        pixels_of(data, MOST)


@pytest.mark.parametrize(
    "data",
    [png(40, 40)[:70], png()[:20], GIF[:15], JPEG_START, webp(2, 2), gif_of_huge_frame(),
     png().replace(b"IDAT", b"IDAX")],
)  # fmt: skip
def test_a_damaged_one_is_told_of(pillow, data: bytes) -> None:
    with pytest.raises(BadData, match=r"damaged|too large"):
        pixels_of(data, MOST)


@pytest.mark.scaled
@given(st.data())
def test_no_bytes_raise_anything_else(data) -> None:
    pytest.importorskip("PIL")
    made = bytearray(
        data.draw(st.sampled_from([png(9, 9), GIF, webp(3, 3), JPEG_START + bytes(9)]))
    )
    for place in data.draw(st.lists(st.integers(8, len(made) - 1), max_size=6)):
        made[place] = data.draw(st.integers(0, 255))
    try:
        found = pixels_of(bytes(made[: data.draw(st.integers(0, len(made)))]), MOST)
    except BadData:
        return
    assert len(found.rgb) == 3 * found.width * found.height


def test_without_pillow_one_is_told_how_to_get_it(monkeypatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "PIL", None)
    pictures._pillow.cache_clear()
    try:
        with pytest.raises(NotFound) as refused:
            pixels_of(png(), MOST)
    finally:
        pictures._pillow.cache_clear()
    assert "pip install Pillow" in refused.value.hint
