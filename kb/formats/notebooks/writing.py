"""Export as a notebook: the pieces of the Markdown export as cells, programs as code cells."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, BinaryIO

from kb.formats.book import Book
from kb.formats.markdown import Piece, pieces
from kb.terminal import direction_of

FORMAT, MINOR = 4, 5
RIGHT_TO_LEFT = '<div dir="rtl">', "</div>"
"""Lines around a right-to-left text: Jupyter shows Markdown left to right."""

_METADATA = {
    "danesh": {"version": 1},
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python", "file_extension": ".py", "mimetype": "text/x-python"},
}
_ID = 16


def write(book: Book, out: BinaryIO) -> None:
    """Write the notebook, one cell at a time; equal books give equal bytes."""
    out.write(b'{\n "cells": [')
    between = "\n"
    for number, cell in enumerate(_cells(pieces(book))):
        said = json.dumps([number, cell["source"]], ensure_ascii=False)
        id = hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()[:_ID]
        written = json.dumps({"id": id, **cell}, ensure_ascii=False, sort_keys=True)
        out.write(f"{between}  {written}".encode())
        between = ",\n"
    metadata = json.dumps(_METADATA, ensure_ascii=False, sort_keys=True)
    told = f'"metadata": {metadata},\n "nbformat": {FORMAT},\n "nbformat_minor": {MINOR}'
    out.write(f"\n ],\n {told}\n}}\n".encode())


def _cells(parts: Iterable[Piece]) -> Iterator[Mapping[str, Any]]:
    """Yield the cells: a new one at each heading, and one for each program."""
    texts: list[str] = []
    for part in parts:
        if (part.heading or part.code is not None) and not all(
            text.startswith("<!--") for text in texts
        ):
            yield _markdown(texts)
            texts = []
        if part.code is not None:
            yield from (_markdown([text]) for text in texts)
            yield {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [],
                   "source": part.code.splitlines(keepends=True)}  # fmt: skip
            texts = []
        elif part.text:
            texts.append(_turned(part))
    if texts:
        yield _markdown(texts)


def _turned(part: Piece) -> str:
    if not part.lang or direction_of(part.lang) != "rtl":
        return part.text
    opening, closing = RIGHT_TO_LEFT
    return f"{opening}\n\n{part.text}\n\n{closing}"


def _markdown(texts: Iterable[str]) -> Mapping[str, Any]:
    lines = "\n\n".join(texts).splitlines(keepends=True)
    return {"cell_type": "markdown", "metadata": {}, "source": lines}
