"""The images and sounds that the entries of a site show, each once and by its digest."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from os.path import splitext
from pathlib import Path

from kb.exchange.hypertext.prose import IMAGES, SOUNDS
from kb.records import Entry

FOLDER = "media"
_DRAWING = ".svg"
_SHOWN = (IMAGES | SOUNDS) - {_DRAWING}
_DIGITS = 24


class Files:
    """Writes what entries show beside the pages.

    A drawing (SVG) may hold programs, which run where it is opened as a page of its own: it is
    put into the page as an image, where they do not.
    """

    def __init__(self, media: Mapping[str, bytes], folder: Path) -> None:
        self._media = media
        self._folder = folder / FOLDER
        self._written: set[str] = set()

    def of(self, entry: Entry, up: str) -> Callable[[str], str]:
        """Return the addresses of an entry's files by their names: none of what is not shown."""
        digests = {each.name: each.sha256 for each in entry.media}

        def address(name: str) -> str:
            return self._address(digests[name], name, up) if name in digests else ""

        return address

    def _address(self, digest: str, name: str, up: str) -> str:
        ending = splitext(name)[1].lower()
        if ending == _DRAWING:
            data = self._media.get(digest)
            coded = base64.b64encode(data or b"").decode("ascii")
            return f"data:image/svg+xml;base64,{coded}" if data else ""
        file = f"{digest[:_DIGITS]}{ending}"
        if ending not in _SHOWN or not self._is_written(file, digest):
            return ""
        return f"{up}{FOLDER}/{file}"

    def _is_written(self, file: str, digest: str) -> bool:
        """Say whether a file is beside the pages; it is not where its bytes are lost."""
        if file not in self._written:
            data = self._media.get(digest)
            if data is None:
                return False
            self._folder.mkdir(exist_ok=True)
            (self._folder / file).write_bytes(data)
            self._written.add(file)
        return True
