"""Notebooks to entries: texts as a document of Markdown, and programs where they stood in it."""

from __future__ import annotations

import dataclasses
import io
import itertools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from kb.exchange.book import Batch
from kb.exchange.notebooks.cells import Notebook, read_cells
from kb.exchange.notebooks.shown import fenced
from kb.exchange.notebooks.writing import RIGHT_TO_LEFT
from kb.exchange.notes.reading import read as read_document
from kb.exchange.shelf import Shelf
from kb.records import Dropped, Entry, Progress, Snippet, digest, silent
from kb.text.slug import slug

_MAGIC = re.compile(r"^[ \t]*(?:[%!]|\?\w|\w+\?+[ \t]*$)", re.MULTILINE)
_STOOD = "danesh-cell-"
_STANDS = re.compile(rf"^`{{3,}}python {_STOOD}\d+$", re.MULTILINE)
_PROGRAM = re.compile(rf"(?P<fence>`{{3,}})python {_STOOD}\d+")


def read(stream: BinaryIO, name: str, progress: Progress = silent) -> Batch:
    """Return the entries of a notebook.

    One of ours is read as its Markdown is. Other people's are a note each, or a list of
    questions as a file of Markdown may be. A cell of Python is a program of the entry that it
    stands in, and other code is text. What it has written stands behind it, and attached
    pictures where they are shown. Raises `BadData` that names the cell.
    """
    notebook = read_cells(stream, name, progress)
    if isinstance(notebook.metadata.get("danesh"), dict):
        batch = read_document(_stream(_ours(notebook)), name, progress)
        return dataclasses.replace(batch, dropped=(*batch.dropped, *_written(notebook, name)))
    beside = notebook.shown.beside
    batch = read_document(_stream(_theirs(notebook)), name, progress, beside=beside)
    stem = slug(Path(name).stem)
    plain = (dataclasses.replace(entry, file=None) for entry in batch.book.entries)
    entries = Shelf(_with_programs(entry, stem) for entry in plain)
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
            yield fenced(cell.source.rstrip(), "python")
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
            yield fenced(cell.source.strip("\n"), mark)
            yield from cell.outputs


def _with_programs(entry: Entry, stem: str) -> Entry:
    """Return an entry whose cells of Python are its programs.

    In the text of a note they stay where they stand; a question or card has them apart.
    """
    divided = [(answer, *_divided(answer.text)) for answer in entry.answers]
    if entry.kind == "note":
        whole = ((each, _STANDS.sub(_plain_mark, each.text), some) for each, _, some in divided)
        divided = list(whole)
    codes = dict.fromkeys(code for *_, some in divided for code in some)
    programs = [Snippet(f"{stem}-{digest(code)[:8]}", {}, code) for code in codes]
    if not programs:
        return entry
    return dataclasses.replace(
        entry,
        answers=tuple(each._replace(text=text) for each, text, _ in divided if text),
        snippets=(dataclasses.replace(programs[0], main=True), *programs[1:]),
    )


def _plain_mark(found: re.Match[str]) -> str:
    return found[0].partition(" ")[0]


def _divided(text: str) -> tuple[str, list[str]]:
    """Return a text without the programs that cells of code became, and these."""
    kept: list[str] = []
    programs: list[str] = []
    lines = iter(text.split("\n"))
    behind = False
    for line in lines:
        opening = _PROGRAM.fullmatch(line)
        if opening is None:
            if line or not behind:
                kept.append(line)
            behind = False
            continue
        behind = True
        code = list(itertools.takewhile(opening["fence"].__ne__, lines))
        programs.append("\n".join(code) + "\n")
    return "\n".join(kept).strip(), programs


def _written(notebook: Notebook, name: str) -> Iterator[Dropped]:
    """Yield that what the programs of one of ours have written is not taken."""
    if count := sum(len(cell.outputs) for cell in notebook.cells):
        yield Dropped(name, None, f"what its programs wrote is not taken ({count:,})", "")


def _left(notebook: Notebook, name: str) -> Iterator[Dropped]:
    """Yield what the cells show and no entry has."""
    for said, count in notebook.shown.left.items():
        if count:
            yield Dropped(name, None, f"{said} are not taken ({count:,})", "")
