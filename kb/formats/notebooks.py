"""Jupyter notebooks in format 4.5: texts as Markdown cells, programs as code cells.

Exported ones contain the Markdown export cell by cell, with its marks, so they import again in
the same way. In foreign ones, text cells are read as a document and code cells are programs.
"""

from __future__ import annotations

import binascii
import dataclasses
import hashlib
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from kb import limits
from kb.errors import BadData, Message
from kb.foreign import size, unix
from kb.formats.book import Batch, Book, Leftover, Shelf, slug
from kb.formats.markdown import Piece, pieces
from kb.formats.marks import OPENING, fenced
from kb.formats.media import Attachments, Blobs
from kb.formats.notes.reading import read as read_document
from kb.formats.pieces import Part, read_object
from kb.model.entry import Entry, Media, Snippet, digest, plain_name
from kb.model.reports import Dropped
from kb.model.results import Progress, silent
from kb.terminal.bidi.direction import direction_of

_FORMAT, _MINOR = 4, 5
_RIGHT_TO_LEFT = '<div dir="rtl">\n\n', "\n\n</div>"
"""Lines around a right-to-left text: Jupyter shows Markdown left to right."""
_NEXT = f"\n\n{OPENING}"

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
    told = f'"metadata": {metadata},\n "nbformat": {_FORMAT},\n "nbformat_minor": {_MINOR}'
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
    rtl = part.lang and direction_of(part.lang) == "rtl"
    return part.text.join(_RIGHT_TO_LEFT) if rtl else part.text


def _markdown(texts: Iterable[str]) -> Mapping[str, Any]:
    lines = "\n\n".join(texts).splitlines(keepends=True)
    return {"cell_type": "markdown", "metadata": {}, "source": lines}


# The entries of a notebook: a Markdown document with programs at their places.

_MAGIC = re.compile(r"^[ \t]*(?:[%!]|\?\w|\w+\?+[ \t]*$)", re.MULTILINE)
_STANDS = "python danesh-cell\n"
_PROGRAM = re.compile(rf"^(`{{3,}}){_STANDS}(.*?\n)\1(?:\n\n?|\Z)", re.MULTILINE | re.DOTALL)
"""A Python cell in the Markdown of a notebook, with the blank line behind it."""


def read(
    stream: BinaryIO, name: str, progress: Progress = silent, attachments: Attachments | None = None
) -> Batch:
    """Return the entries of a notebook with the pictures in it, or else beside it.

    One exported by danesh is read as Markdown. A foreign one is a note, or a list of questions,
    as with Markdown files. A Python cell is a program of the entry around it; other code is text.
    Its output follows it, and attachments are where they are shown. Raises `BadData` with the
    name of the cell.
    """
    notebook = read_cells(stream, name, progress)
    if isinstance(notebook.metadata.get("danesh"), dict):
        batch = read_document(_stream(_ours(notebook)), name, progress)
        count = sum(len(cell.outputs) for cell in notebook.cells)
        said = Message("outputs of its programs were skipped ({count:,})", count=count)
        written = [Dropped(name, None, said, "")] if count else []
        return dataclasses.replace(batch, dropped=(*batch.dropped, *written))
    media = notebook.shown.attachments(attachments)
    batch = read_document(_stream(_theirs(notebook)), name, progress, attachments=media)
    stem = slug(Path(name).stem)
    plain = (dataclasses.replace(entry, file=None) for entry in batch.book.entries)
    entries = Shelf(_with_programs(entry, stem) for entry in plain)
    book = dataclasses.replace(batch.book, entries=entries)
    dropped = (each._replace(line=None) for each in batch.dropped)
    told = (*dropped, *notebook.shown.left.told())
    return dataclasses.replace(batch, book=book, lines={}, dropped=told)


def _stream(blocks: Iterator[str]) -> BinaryIO:
    return io.BytesIO("\n\n".join(blocks).encode("utf-8", "surrogatepass"))


def _ours(notebook: Notebook) -> Iterator[str]:
    """Yield the Markdown from which we made the cells."""
    for cell in notebook.cells:
        if cell.kind == "code":
            yield fenced(cell.source.rstrip(), "python")
        else:
            parts = cell.source.split(_NEXT)
            yield _NEXT.join(map(_unturned, parts))


def _unturned(part: str) -> str:
    """Return a text below its mark, without the lines that turn it right to left."""
    opening, closing = _RIGHT_TO_LEFT
    head, end, text = part.partition("-->\n\n")
    if text.startswith(opening) and text.endswith(closing):
        text = text[len(opening) : -len(closing)]
    return f"{head}{end}{text}"


def _theirs(notebook: Notebook) -> Iterator[str]:
    language = notebook.language
    for cell in notebook.cells:
        source = unix(cell.source)
        if cell.kind != "code":
            yield source
        elif source.strip():
            python = language.startswith(("python", "ipython")) and not _MAGIC.search(source)
            mark = _STANDS.rstrip() if python else language
            yield fenced(source.strip("\n"), mark)
            yield from cell.outputs


def _with_programs(entry: Entry, stem: str) -> Entry:
    """Return an entry with its Python cells as programs.

    In a note or a question they stay in the text; the answer of one has them separately.
    """
    codes = dict.fromkeys(each[2] for a in entry.answers for each in _PROGRAM.finditer(a.text))
    programs = [Snippet(f"{stem}-{digest(code)[:8]}", {}, code) for code in codes]
    texts = [
        _unmarked(each.text) if entry.kind == "note" else _PROGRAM.sub("", each.text).strip()
        for each in entry.answers
    ]
    answers = zip(entry.answers, texts, strict=True)
    return dataclasses.replace(
        entry,
        question={lang: _unmarked(text) for lang, text in entry.question.items()},
        context=entry.context and _unmarked(entry.context),
        answers=tuple(each._replace(text=text) for each, text in answers if text),
        snippets=tuple(dataclasses.replace(p, main=not n) for n, p in enumerate(programs)),
    )


def _unmarked(text: str) -> str:
    return text.replace(_STANDS, "python\n")


# The cells of a notebook as they are in its file, checked: versions 3 and 4 of the format.


_KEYS = ("metadata", "nbformat", "nbformat_minor", "orig_nbformat", "worksheets")
"""The keys of a notebook beside its cells; ``worksheets`` is from versions before 4."""


class Cell(NamedTuple):
    """A cell: its kind, its source, and its outputs as Markdown blocks."""

    kind: str
    source: str
    outputs: Sequence[str] = ()


class Notebook(NamedTuple):
    """The cells of a notebook, its metadata and its media."""

    cells: Sequence[Cell]
    metadata: Mapping[str, Any]
    shown: Shown

    @property
    def language(self) -> str:
        """The language of its code cells, in lower case."""
        told = [self.metadata.get(key) for key in ("language_info", "kernelspec")]
        known = [each for each in told if isinstance(each, dict)]
        names = (each.get(key) for key in ("name", "language") for each in known)
        return next((each for each in names if isinstance(each, str)), "python").lower()


def read_cells(stream: BinaryIO, name: str, progress: Progress) -> Notebook:
    """Return the cells of a notebook, one at a time.

    Raises `BadData` with the cell if it is not a notebook.
    """
    found: list[Cell] = []
    told: dict[str, Any] = {}
    shown = Shown(name)

    def take(value: Any, place: str, key: str) -> None:
        progress(0, 0)
        found.append(_cell(value, place, len(found) + 1, shown))

    tell = Part(lambda value, place, key: told.update({key: value}))
    read_object(stream, name, {"cells": Part(take, many=True), **dict.fromkeys(_KEYS, tell)})
    if told.get("nbformat") != _FORMAT:
        raise BadData(
            "its nbformat is {nbformat}, not 4",
            "'jupyter nbconvert --to notebook' upgrades it.",
            place=name,
            nbformat=str(told.get("nbformat"))[:20],
        )
    metadata = told.get("metadata")
    return Notebook(found, metadata if isinstance(metadata, dict) else {}, shown)


def _cell(value: Any, place: str, number: int, shown: Shown) -> Cell:
    here = f"{place}: cell {number}"
    if not isinstance(value, dict) or not isinstance(value.get("cell_type"), str):
        raise BadData("{here} is not a cell: cell_type is missing", here=here)
    kind = value["cell_type"]
    source = _text(value.get("source", ""), here)
    if kind == "code":
        return Cell(kind, source, tuple(shown.outputs(value.get("outputs"), number)))
    return Cell(kind, shown.source(source, value.get("attachments"), number))


def _text(value: Any, place: str) -> str:
    lines = [value] if isinstance(value, str) else value
    if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
        raise BadData("source must be a text, or a list of lines", place=place)
    return "".join(lines).encode("utf-8", "replace").decode("utf-8")


# What the cells of a notebook show: pictures attached to texts, and what code has written.
#
# What code has written stands behind the program, in a block or as a picture of its own: no
# word of it becomes a word of the text, or of a program.

_PICTURES: Mapping[str, str] = {
    "image/png": ".png",
    "image/jpeg": ".jpg",
    "image/gif": ".gif",
    "image/webp": ".webp",
    "image/svg+xml": ".svg",
}
"""The picture types that are imported, best first, and their suffixes."""

_DRAWING = "image/svg+xml"

_LONGEST = 20_000
_COLOURS = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_OVERWRITTEN = re.compile(r"[^\n]*\r(?!\n)")
_ATTACHED = re.compile(r"attachment:([^)\s\"'<>]+)")


_DAMAGED = Message(
    "images that are damaged or larger than {most} were skipped ({n})",
    most=size(limits.MEDIUM),
    n=0,
)


class Shown:
    """The stored pictures of a notebook; ``left`` has the skipped ones."""

    def __init__(self, name: str) -> None:
        self._blobs = Blobs()
        self._media: dict[str, Media] = {}
        self.left = Leftover(name)

    def attachments(self, beside: Attachments | None) -> Attachments:
        """Return the pictures by the names from `source` and `outputs`, or else ``beside``."""

        def find(target: str) -> Media | None:
            found = self._media.get(target)
            if found is None and beside is not None and (found := beside.find(target)):
                self._blobs.add(found.name, beside.media[found.sha256])
            return found

        return Attachments(find, self._blobs)

    def source(self, text: str, attachments: Any, number: int) -> str:
        """Return the text of a cell with the new names of its attachments."""
        if not isinstance(attachments, dict):
            return text
        names = {}
        for name, bundle in attachments.items():
            given = f"cell-{number}-{name}"
            found = self._picture(bundle, given.rpartition(".")[0] or given)
            if found:
                names[name] = found
            else:
                self.left.add("attachments that are no pictures were skipped ({n})")
        return _ATTACHED.sub(lambda found: names.get(found[1], found[0]), text)

    def outputs(self, outputs: Any, number: int) -> Iterator[str]:
        """Yield the outputs of a code cell as Markdown blocks."""
        for place, output in enumerate(outputs if isinstance(outputs, list) else (), 1):
            if not isinstance(output, dict):
                continue
            data = output.get("data")
            if output.get("output_type") == "stream":
                data = {"text/plain": output.get("text")}
            bundle = data if isinstance(data, dict) else {}
            picture = self._picture(bundle, f"output-{number}-{place}")
            if picture:
                yield f"![]({picture})"
            elif text := _seen(_joined(bundle.get("text/plain"))):
                yield fenced(text[:_LONGEST], "output")
                if len(text) > _LONGEST:
                    self.left.add("the ends of long outputs were skipped ({n})")
            elif bundle or output.get("output_type") == "error":
                self.left.add("outputs that are neither text nor pictures were skipped ({n})")

    def _picture(self, bundle: Any, stem: str) -> str:
        """Store a picture of an output; return its name, or nothing."""
        for kind, ending in _PICTURES.items():
            told = _joined(bundle.get(kind)) if isinstance(bundle, dict) else ""
            if not told:
                continue
            name = plain_name(f"{stem}{ending}")
            try:
                data = told.encode() if kind == _DRAWING else binascii.a2b_base64(told)
                if data:
                    self._media[name] = self._blobs.add(name, data)
                    return name
            except (ValueError, BadData):
                pass
            self.left.add(_DAMAGED)
            break
        return ""


def _joined(value: Any) -> str:
    lines = value if isinstance(value, list) else [value]
    return "".join(each for each in lines if isinstance(each, str))


def _seen(text: str) -> str:
    """Return the final text as on a terminal: without colours and overwritten text."""
    whole = _COLOURS.sub("", text.encode("utf-8", "replace").decode())
    return _UNSEEN.sub("", _OVERWRITTEN.sub("", whole.replace("\r\n", "\n"))).strip("\n")
