"""The formats by name, and which of them a file's ending stands for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from kb.errors import BadData, NotFound, UsageError, nearest
from kb.records.progress import silent

if TYPE_CHECKING:
    from kb.exchange.book import Batch, Book
    from kb.records import Progress


class Format(NamedTuple):
    """A format: the module that knows it, the endings it goes by, and a line for the reader."""

    module: str
    suffixes: tuple[str, ...]
    summary: str


EXPORTERS: Mapping[str, Format] = {
    "json": Format("native", (".json",), "one document; imports again with nothing lost"),
    "jsonl": Format("lines", (".jsonl",), "an entry a line; imports again"),
    "csv": Format("tables", (".csv",), "a row for each entry and language"),
    "md": Format("markdown", (".md",), "one Markdown document, to read or to print"),
    "jsonld": Format("webannotation", (".jsonld",), "the annotations, as W3C Web Annotations"),
    "sqlite": Format("", (".db", ".sqlite"), "a copy of the database, for Datasette or the shell"),
}
"""What can be written. ``sqlite`` is a copy of the file and has no module."""

IMPORTERS: Mapping[str, Format] = {
    "json": Format("native", (".json",), "danesh's own JSON"),
    "jsonl": Format("lines", (".jsonl", ".ndjson"), "a line for each: id, lang, title, text"),
    "md": Format("questions", (".md", ".markdown", ".txt"), "question lists and cards as text"),
}
"""What can be read."""


Exporter = Callable[["Book", BinaryIO], None]
Importer = Callable[[BinaryIO, str, "Progress"], "Batch"]


def exporter(name: str) -> Exporter:
    """Return the function that writes a format to a stream. Raises `UsageError` for an unknown."""
    found = _known(name, EXPORTERS, "export")
    write: Exporter = import_module(f"kb.exchange.{found.module}").write
    return write


def importer(name: str | None, path: Path) -> Importer:
    """Return the function that reads a format, by its name or else by the file's ending.

    The function takes a stream, the name it goes by in messages, and whom to tell, with
    figures of 0, that it goes on.
    """
    if name is None:
        by_suffix = {suffix: key for key, f in IMPORTERS.items() for suffix in f.suffixes}
        name = by_suffix.get(path.suffix.lower())
        if name is None:
            raise UsageError(
                f"{path}: what is in a '{path.suffix}' file?",
                f"Name its format with --format: {', '.join(IMPORTERS)}.",
            )
    found = _known(name, IMPORTERS, "import")
    read: Importer = import_module(f"kb.exchange.{found.module}").read
    return read


def read_file(file: Path, format: str | None, progress: Progress = silent) -> Batch:
    """Return what a file holds, in the named format or the one its ending stands for.

    Raises `NotFound` without a file, `BadData` for what cannot be read.
    """
    read = importer(format, file)
    progress(0, 0)
    try:
        with file.open("rb") as stream:
            return read(stream, str(file), progress)
    except FileNotFoundError as error:
        raise NotFound(f"{file}: there is no such file") from error
    except OSError as error:
        raise BadData(f"{file}: cannot be read ({error.strerror or error})") from error


def read_stream(stream: BinaryIO, name: str, format: str, progress: Progress = silent) -> Batch:
    """Return what a stream holds, in the named format. Raises `BadData`, `UsageError`."""
    return importer(format, Path(name))(stream, name, progress)


def sniffed(data: bytes) -> str:
    """Return the format that a stream without a name seems to have.

    >>> sniffed(b'{"id": "a"}'), sniffed(b'{\\n  "schema_version": 1'), sniffed(b"# Questions")
    ('jsonl', 'json', 'md')
    """
    text = data.removeprefix(b"\xef\xbb\xbf").lstrip()
    if not text.startswith(b"{"):
        return "md"
    return "json" if text[1:].lstrip(b" \t\r").startswith(b"\n") else "jsonl"


def _known(name: str, formats: Mapping[str, Format], deed: str) -> Format:
    if name not in formats:
        hint = nearest(name, formats) or f"Formats: {', '.join(formats)}."
        raise UsageError(f"no {deed} format '{name}'", hint)
    return formats[name]
