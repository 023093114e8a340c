"""Notebooks to entries: texts as a document of Markdown, and programs where they stood in it."""

from __future__ import annotations

import dataclasses
import io
import itertools
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import BinaryIO

from kb.exchange.book import Batch
from kb.exchange.notebooks.cells import Cell, Notebook, read_cells
from kb.exchange.notebooks.writing import RIGHT_TO_LEFT
from kb.exchange.questions import read as read_document
from kb.exchange.shelf import Shelf
from kb.records import Dropped, Entry, Progress, Snippet, digest, silent
from kb.text.slug import slug

_MAGIC = re.compile(r"^[ \t]*(?:[%!]|\?\w|\w+\?+[ \t]*$)", re.MULTILINE)
_STOOD = "danesh-cell-"
_PROGRAM = re.compile(rf"(?P<fence>`{{3,}})python {_STOOD}\d+")
_FENCES = re.compile("`{3,}")


def read(stream: BinaryIO, name: str, progress: Progress = silent) -> Batch:
    """Return the entries of a notebook.

    One of ours is read as its Markdown is. Of other people's, headings and questions divide
    it; a cell of Python is a program of the entry that it stands in, and other code is text.
    Outputs and attachments are not taken, and listed. Raises `BadData` that names the cell.
    """
    notebook = read_cells(stream, name, progress)
    if isinstance(notebook.metadata.get("danesh"), dict):
        return read_document(_stream(_ours(notebook)), name, progress)
    batch = read_document(_stream(_theirs(notebook)), name, progress)
    stem = slug(Path(name).stem)
    entries = Shelf(_with_programs(entry, stem) for entry in batch.book.entries)
    book = dataclasses.replace(batch.book, entries=entries)
    dropped = (*(each._replace(line=None) for each in batch.dropped), *_left(notebook, name))
    return dataclasses.replace(batch, book=book, lines={}, dropped=dropped)


def _stream(blocks: Iterator[str]) -> BinaryIO:
    return io.BytesIO("\n\n".join(blocks).encode("utf-8", "surrogatepass"))


def _ours(notebook: Notebook) -> Iterator[str]:
    """Yield the Markdown of which we made the cells."""
    opening, closing = RIGHT_TO_LEFT
    for cell in notebook.cells:
        if cell.kind == "code":
            yield _fenced(cell.source.rstrip(), "python")
        else:
            yield cell.source.replace(f"{opening}\n\n", "").replace(f"\n\n{closing}", "")


def _theirs(notebook: Notebook) -> Iterator[str]:
    language = notebook.language
    for cell in notebook.cells:
        if cell.kind != "code":
            yield cell.source
        elif cell.source.strip():
            python = language.startswith(("python", "ipython")) and not _MAGIC.search(cell.source)
            mark = f"python {_STOOD}{cell.number}" if python else language
            yield _fenced(cell.source.strip("\n"), mark)


def _fenced(code: str, mark: str) -> str:
    fence = "`" * max([3, *(len(run) + 1 for run in _FENCES.findall(code))])
    return f"{fence}{mark}\n{code}\n{fence}"


def _with_programs(entry: Entry, stem: str) -> Entry:
    """Return an entry whose cells of Python are its programs and stand in no text of it."""
    divided = [(answer, *_divided(answer.text)) for answer in entry.answers]
    codes = dict.fromkeys(code for *_, some in divided for code in some)
    programs = [Snippet(f"{stem}-{digest(code)[:8]}", {}, code) for code in codes]
    if not programs:
        return entry
    return dataclasses.replace(
        entry,
        answers=tuple(each._replace(text=text) for each, text, _ in divided if text),
        snippets=(dataclasses.replace(programs[0], main=True), *programs[1:]),
    )


def _divided(text: str) -> tuple[str, list[str]]:
    """Return a text without the programs that cells of code became, and these."""
    kept: list[str] = []
    programs: list[str] = []
    lines = iter(text.split("\n"))
    for line in lines:
        opening = _PROGRAM.fullmatch(line)
        if opening is None:
            kept.append(line)
            continue
        code = list(itertools.takewhile(opening["fence"].__ne__, lines))
        programs.append("\n".join(code) + "\n")
    return "\n".join(kept).strip(), programs


def _left(notebook: Notebook, name: str) -> Iterator[Dropped]:
    """Yield what of the cells is in no entry: outputs, attachments, cells of other kinds."""
    counts: Counter[str] = Counter()
    for cell in notebook.cells:
        counts.update(_left_of(cell))
    for said, count in counts.items():
        yield Dropped(name, None, f"{said} of {count} cells are not taken", "")


def _left_of(cell: Cell) -> Mapping[str, int]:
    return {
        said: 1
        for said, there in (("outputs", cell.outputs), ("attachments", cell.attachments))
        if there
    }
