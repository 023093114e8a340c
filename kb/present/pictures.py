"""The pictures of entries: kinds and pixels, within limits.

The first bytes decide what a picture is, never its name: media may come from anybody. Pillow
decodes the pixels. It is optional, and loaded with the first picture.
"""

from __future__ import annotations

import functools
import io
import struct
import warnings
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple

from kb import limits
from kb.errors import BadData, NotFound

if TYPE_CHECKING:
    from PIL.Image import Image

_PAPER = (255, 255, 255)
"""The background of transparent pictures: diagrams are drawn for paper."""

_SCAN = b"\xff\xda"


_READERS = ("PNG", "JPEG", "GIF", "WEBP")
"""Pillow's readers of these kinds."""

_SIGNATURES: Mapping[str, tuple[int, bytes | tuple[bytes, ...]]] = {
    ".png": (0, b"\x89PNG\r\n\x1a\n"),
    ".jpg": (0, b"\xff\xd8\xff"),
    ".gif": (0, (b"GIF87a", b"GIF89a")),
    ".webp": (8, b"WEBPVP8"),
}
"""The signature bytes by file suffix, with their offsets: PNG (RFC 2083, 3.1), JPEG (ITU-T T.81,
B.1.1.3), GIF89a (section 17), WebP (RFC 9649, 2.4)."""


class Pixels(NamedTuple):
    """A picture scaled for display: three bytes per pixel (red, green, blue), row by row.

    ``original`` is the width and height in its file.
    """

    width: int
    height: int
    rgb: bytes
    original: tuple[int, int]

    def resized(self, width: int, height: int) -> Pixels:
        """Return the picture resized; each pixel is the mean of its source pixels."""
        image = _pillow().frombytes("RGB", (self.width, self.height), self.rgb)
        # Pillow's filter BOX: no edge is drawn that is not there.
        small = image.resize((width, height), _pillow().Resampling.BOX)
        return Pixels(width, height, small.tobytes(), self.original)


def suffix_of(data: bytes) -> str:
    r"""Return the file suffix of a picture, or nothing if danesh does not show it.

    >>> suffix_of(b"\x89PNG\r\n\x1a\n"), suffix_of(b"<svg xmlns='http://www.w3.org/2000/svg'/>")
    ('.png', '')
    """
    known = (kind for kind, (at, sign) in _SIGNATURES.items() if data.startswith(sign, at))
    return next(known, "")


def pixels_of(data: bytes, most: tuple[int, int]) -> Pixels:
    """Return the pixels of a picture, limited in size; of an animation, the first frame.

    Raises `BadData` for another kind of file, a damaged one, or one above the limits, and
    `NotFound` if Pillow is not installed.
    """
    if not suffix_of(data):
        raise BadData("not a PNG, JPEG, GIF or WebP picture")
    if len(data) > limits.MEDIUM or data.count(_SCAN) > limits.SCANS:
        raise BadData("too large to show here")
    pillow = _pillow()
    try:
        # No other reader of Pillow's sees the bytes.
        with pillow.open(io.BytesIO(data), formats=_READERS) as image:
            return _shrunk(image, most)
    except (pillow.DecompressionBombError, pillow.DecompressionBombWarning) as error:
        raise BadData("too large to show here") from error
    # Broken files make Pillow's readers raise almost anything, and its loaders run out of memory.
    except (OSError, ValueError, ArithmeticError, LookupError, TypeError, AttributeError,
            SyntaxError, EOFError, MemoryError, RuntimeError, struct.error) as error:  # fmt: skip
        raise BadData("the picture is damaged") from error


_WITHOUT_LOSS: dict[str, Callable[[Image], Image]] = {
    "P": lambda image: image.convert("RGBA"),  # numbers of colours have no mean
    "CMYK": lambda image: image.convert("RGB"),
    "I;16": lambda image: image.point(lambda grey: grey * (1 / 256)).convert("L"),
}
"""The conversion of modes that Pillow would resize or convert badly."""


def _shrunk(image: Image, most: tuple[int, int]) -> Pixels:
    from PIL import ImageOps

    original = image.size
    if not all(original) or original[0] * original[1] > limits.PIXELS:
        raise BadData("too large to show here")
    change = _WITHOUT_LOSS.get(image.mode)
    whole = change(image) if change is not None else image
    whole.thumbnail(most)  # a JPEG is not read in full for that
    seen = ImageOps.exif_transpose(whole).convert("RGBA")  # as the camera was held
    paper = _pillow().new("RGB", seen.size, _PAPER)
    paper.paste(seen, mask=seen.getchannel("A"))
    return Pixels(paper.width, paper.height, paper.tobytes(), original)


@functools.cache
def _pillow() -> ModuleType:
    """Return Pillow with limits: a picture with too many pixels is refused by its header.

    Raises `NotFound` if it is not installed.
    """
    try:
        from PIL import Image
    except ImportError as error:
        raise NotFound("Pillow is not installed", "To see pictures: pip install Pillow") from error
    Image.MAX_IMAGE_PIXELS = limits.PIXELS
    warnings.simplefilter("error", Image.DecompressionBombWarning)
    return Image
