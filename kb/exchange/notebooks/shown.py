"""What the cells of a notebook show: pictures attached to texts, and what code has written.

What code has written stands behind the program, in a block or as a picture of its own: no
word of it becomes a word of the text, or of a program.
"""

from __future__ import annotations

import binascii
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from kb import limits
from kb.errors import BadData
from kb.exchange.beside import Beside
from kb.exchange.blobs import Blobs
from kb.foreign import size
from kb.records import Media
from kb.records.media import plain_name

_PICTURES: Mapping[str, str] = {
    "image/png": ".png",
    "image/jpeg": ".jpg",
    "image/gif": ".gif",
    "image/webp": ".webp",
    "image/svg+xml": ".svg",
}
"""The kinds of pictures that are taken, the best first, and how their names end."""

_DRAWING = "image/svg+xml"
_OLD = {"png": "image/png", "jpeg": "image/jpeg", "svg": _DRAWING, "text": "text/plain"}
"""What the third version of the format calls them."""

_LONGEST = 20_000
_COLOURS = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_OVERWRITTEN = re.compile(r"[^\n]*\r(?!\n)")
_ATTACHED = re.compile(r"attachment:([^)\s\"'<>]+)")
_FENCES = re.compile("`{3,}")


class Shown:
    """The pictures of a notebook, put aside; ``left`` counts by reason what is not taken."""

    def __init__(self) -> None:
        self._blobs = Blobs()
        self._media: dict[str, Media] = {}
        self.left: Counter[str] = Counter()

    @property
    def beside(self) -> Beside:
        """The pictures, by the names that `source` and `outputs` give them."""
        return Beside(self._media.get, self._blobs)

    def source(self, text: str, attachments: Any, number: int) -> str:
        """Return the text of a cell, with the names that its attachments have here."""
        if not isinstance(attachments, dict):
            return text
        names = {}
        for name, bundle in attachments.items():
            given = f"cell-{number}-{name}"
            found = self._picture(bundle, given.rpartition(".")[0] or given)
            if found:
                names[name] = found
            else:
                self.left["attachments that are no pictures"] += 1
        return _ATTACHED.sub(lambda found: names.get(found[1], found[0]), text)

    def outputs(self, outputs: Any, number: int) -> Iterator[str]:
        """Yield what the code of a cell has written, as blocks of Markdown."""
        for place, output in enumerate(outputs if isinstance(outputs, list) else (), 1):
            if not isinstance(output, dict):
                continue
            bundle = _bundle(output)
            picture = self._picture(bundle, f"output-{number}-{place}")
            if picture:
                yield f"![]({picture})"
            elif text := _seen(_joined(bundle.get("text/plain"))):
                yield fenced(text[:_LONGEST], "output")
                self.left["the ends of long outputs"] += len(text) > _LONGEST
            elif bundle or output.get("output_type") == "error":
                self.left["outputs that are neither text nor pictures"] += 1

    def _picture(self, bundle: Any, stem: str) -> str:
        """Put a picture of a bundle aside; return its name, or nothing if there is none."""
        for kind, ending in _PICTURES.items():
            told = _joined(bundle.get(kind)) if isinstance(bundle, dict) else ""
            if told:
                name = plain_name(f"{stem}{ending}")
                return name if self._put(name, kind, told) else ""
        return ""

    def _put(self, name: str, kind: str, told: str) -> bool:
        try:
            data = told.encode() if kind == _DRAWING else binascii.a2b_base64(told)
            if not data:
                raise ValueError("nothing of it is base64")
            self._media[name] = self._blobs.add(name, data)
        except (ValueError, BadData):
            self.left[f"pictures that are damaged, or have more than {size(limits.MEDIUM)}"] += 1
            return False
        return True


def fenced(code: str, mark: str) -> str:
    """Return code as a block of Markdown, in a fence that it does not hold."""
    fence = "`" * max([3, *(len(run) + 1 for run in _FENCES.findall(code))])
    return f"{fence}{mark}\n{code}\n{fence}"


def _bundle(output: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what an output has by its kinds, as the fourth version of the format says it."""
    if output.get("output_type") == "stream":
        return {"text/plain": output.get("text")}
    data = output.get("data")
    if isinstance(data, dict):
        return data
    return {kind: output[key] for key, kind in _OLD.items() if key in output}


def _joined(value: Any) -> str:
    lines = value if isinstance(value, list) else [value]
    return "".join(each for each in lines if isinstance(each, str))


def _seen(text: str) -> str:
    """Return what a terminal would show in the end: no colours, nothing that was overwritten."""
    whole = _COLOURS.sub("", text.encode("utf-8", "replace").decode())
    return _UNSEEN.sub("", _OVERWRITTEN.sub("", whole.replace("\r\n", "\n"))).strip("\n")
