"""The cells of a notebook as they are in its file, checked: versions 3 and 4 of the format."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, BinaryIO, NamedTuple

from kb.errors import BadData
from kb.exchange.notebooks.shown import Shown
from kb.exchange.pieces import Part, read_object
from kb.records import Progress

_VERSIONS = (3, 4)


class Cell(NamedTuple):
    """A cell: its kind, what it says, and what its code has written, as blocks of Markdown."""

    number: int
    kind: str
    source: str
    outputs: Sequence[str] = ()


class Notebook(NamedTuple):
    """The cells of a notebook, what it says of itself, and what its cells show."""

    cells: Sequence[Cell]
    metadata: Mapping[str, Any]
    shown: Shown

    @property
    def language(self) -> str:
        """The language of its code cells, in small letters."""
        told = [self.metadata.get(key) for key in ("language_info", "kernelspec")]
        names = [each.get("name") for each in told if isinstance(each, dict)]
        languages = [each.get("language") for each in told if isinstance(each, dict)]
        found = next((each for each in (*names, *languages) if isinstance(each, str)), "python")
        return found.lower()


def read_cells(stream: BinaryIO, name: str, progress: Progress) -> Notebook:
    """Return the cells of a notebook, read one at a time.

    Raises `BadData` that names the cell for what is no notebook.
    """
    found: list[Cell] = []
    told: dict[str, Any] = {}
    shown = Shown()

    def take(value: Any, place: str, key: str) -> None:
        progress(0, 0)
        found.extend(_cells(value, place, len(found) + 1, shown))

    def tell(value: Any, place: str, key: str) -> None:
        told[key] = value

    parts = {
        "cells": Part(take, many=True),
        "worksheets": Part(take, many=True),
        **{key: Part(tell) for key in ("metadata", "nbformat", "nbformat_minor", "orig_nbformat")},
    }
    read_object(stream, name, parts)
    if told.get("nbformat") not in _VERSIONS:
        said = f"its nbformat is {str(told.get('nbformat'))[:20]}, and neither 3 nor 4"
        raise BadData(f"{name}: {said}", "Jupyter's 'jupyter nbconvert --to notebook' renews it.")
    metadata = told.get("metadata")
    return Notebook(found, metadata if isinstance(metadata, dict) else {}, shown)


def _cells(value: Any, place: str, number: int, shown: Shown) -> Iterator[Cell]:
    """Yield a cell of version 4, or those of a worksheet of version 3."""
    if isinstance(value, dict) and isinstance(value.get("cells"), list):
        for place_in, each in enumerate(value["cells"]):
            yield _cell(each, place, number + place_in, shown)
    else:
        yield _cell(value, place, number, shown)


def _cell(value: Any, place: str, number: int, shown: Shown) -> Cell:
    here = f"{place}: cell {number}"
    if not isinstance(value, dict) or not isinstance(value.get("cell_type"), str):
        raise BadData(f"{here} is none: it has no cell_type")
    kind = value["cell_type"]
    source = _text(value.get("source", value.get("input", "")), here)
    if kind == "heading":
        level = value.get("level")
        depth = level if isinstance(level, int) and 0 < level < 7 else 1
        source = f"{'#' * depth} {' '.join(source.split())}"
        kind = "markdown"
    if kind == "code":
        return Cell(number, kind, source, tuple(shown.outputs(value.get("outputs"), number)))
    return Cell(number, kind, shown.source(source, value.get("attachments"), number))


def _text(value: Any, place: str) -> str:
    lines = [value] if isinstance(value, str) else value
    if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
        raise BadData(f"{place}: source must be a text, or a list of lines")
    text = "".join(lines)
    return text.encode("utf-8", "replace").decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")
