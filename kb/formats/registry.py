"""The formats by name, and which of them a file's ending stands for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, cast

from kb import limits
from kb.errors import Message, UsageError, nearest
from kb.foreign import opened
from kb.formats.tabular.dialect import is_anki
from kb.i18n import N_
from kb.model.results import silent

if TYPE_CHECKING:
    from kb.formats.book import Batch, Book
    from kb.formats.media import Attachments
    from kb.model import Progress, TablePreview


class Format(NamedTuple):
    """A format: the module that knows it, the endings it goes by, and a line for the reader."""

    module: str
    suffixes: tuple[str, ...]
    summary: str
    computed: bool = False
    """Whether it has cells that a spreadsheet may compute, which are marked unless asked raw."""
    folder: bool = False
    """Whether it is a folder of files, and no stream."""
    options: tuple[str, ...] = ()
    """What its reader can be told besides, by keyword."""
    beside: bool = False
    """Whether its reader shows what lies in the file's folder, and takes it by this keyword."""


EXPORTERS: Mapping[str, Format] = {
    "json": Format("native", (".json",), N_("one document, imports again with nothing lost")),
    "jsonl": Format("lines", (".jsonl",), N_("one entry a line, imports again")),
    "csv": Format(
        "tables",
        (".csv",),
        N_("one row for each entry and language, texts import again"),
        computed=True,
    ),
    "tsv": Format("tabbed", (".tsv",), N_("the same table with tabs"), computed=True),
    "md": Format("markdown", (".md",), N_("one Markdown document, to read or to print")),
    "jsonld": Format("webannotation", (".jsonld",), N_("the annotations, as W3C Web Annotations")),
    "apkg": Format("anki.writing", (".apkg",), N_("an Anki deck, updated by the next export")),
    "anki": Format("tabular.anki", (".anki.txt",), N_("Anki notes as text, without media")),
    "ipynb": Format(
        "notebooks.writing", (".ipynb",), N_("a Jupyter notebook with runnable programs")
    ),
    "vault": Format(
        "vault",
        (),
        N_("a folder of notes for Obsidian, imports again with nothing lost"),
        folder=True,
    ),
    "site": Format(
        "site", (), N_("a folder of web pages with search, needs no server"), folder=True
    ),
    "gift": Format("gift", (".gift.txt",), N_("questions for a quiz in Moodle")),
    "sqlite": Format("", (".db", ".sqlite"), N_("a database for Datasette or the shell")),
}
"""What can be written. ``sqlite`` is a reduced copy of the file and has no module."""

IMPORTERS: Mapping[str, Format] = {
    "json": Format("native", (".json",), "danesh's own JSON"),
    "jsonl": Format("lines", (".jsonl", ".ndjson"), "a line for each: id, lang, title, text"),
    "csv": Format(
        "tabular.reading", (".csv",), "a table, with cells parted in any way", options=("columns",)
    ),
    "tsv": Format("tabular.reading", (".tsv", ".tab"), "a table, with tabs", options=("columns",)),
    "ipynb": Format("notebooks.reading", (".ipynb",), "a Jupyter notebook"),
    "apkg": Format(
        "anki.reading",
        (".apkg", ".colpkg"),
        "a deck or a collection of Anki's",
        options=("reviews",),
    ),
    "anki": Format("tabular.anki", (), "Anki's notes as text, in any file that says so"),
    "md": Format(
        "notes.reading",
        (".md", ".markdown", ".txt"),
        "question lists, cards and notes as text, and vaults",
        options=("reviews", "taken_as"),
        beside=True,
    ),
}
"""What can be read."""


OPTIONS: Mapping[str, str] = {
    "columns": "--map",
    "reviews": "--with-reviews",
    "taken_as": "--as",
}
"""What readers can be told, and how the command line calls it."""

_BY_HEAD, _BEGINNING = "anki", 200

Exporter = Callable[["Book", Any], int | None]
"""Writes a book to a binary file or, where the format is one, into an empty folder.

It returns how many entries it wrote, or nothing where that is all of them.
"""
Importer = Callable[[BinaryIO, str, "Progress"], "Batch"]
Options = Mapping[str, Any]
"""What a reader is told besides, by the names of `OPTIONS`."""
NO_OPTIONS: Options = {}


def exporter(name: str, *, raw_cells: bool = False) -> Exporter:
    """Return the function that writes a format to a stream.

    With ``raw_cells`` no cell is marked that a spreadsheet would compute. Raises `UsageError`
    for an unknown format, and for raw cells of one that has no such cells.
    """
    found = _known(name, EXPORTERS)
    if raw_cells and not found.computed:
        tables = ", ".join(key for key, format in EXPORTERS.items() if format.computed)
        raise UsageError(
            "'{name}' has no cells to escape",
            Message("Formats with cells: {formats}.", formats=tables),
            name=name,
        )
    module = import_module(f"kb.formats.{found.module}")
    return cast("Exporter", module.write_raw if raw_cells else module.write)


def importer(name: str | None, path: Path, options: Options = NO_OPTIONS) -> Importer:
    """Return the function that reads a format, by its name or else by the file's ending.

    The function takes a stream, the name it goes by in messages, and whom to tell, with
    figures of 0, that it goes on. Raises `UsageError` for options that the format has not.
    """
    name = format_of(name, path)
    found = _known(name, IMPORTERS)
    for option in options.keys() - {*found.options}:
        having = [key for key, format in IMPORTERS.items() if option in format.options]
        raise UsageError(
            "{option} does not work with the format '{name}'",
            Message("It works with these formats: {formats}.", formats=", ".join(having))
            if having
            else "",
            place=path,
            option=OPTIONS[option],
            name=name,
        )
    return partial(import_module(f"kb.formats.{found.module}").read, **options)


def format_of(name: str | None, path: Path) -> str:
    """Return the format of a file: the one named, or what its ending stands for.

    Raises `UsageError` where that is not known.
    """
    if name is None:
        by_suffix = {suffix: key for key, f in IMPORTERS.items() for suffix in f.suffixes}
        name = by_suffix.get(path.suffix.lower())
        if name is None:
            raise UsageError(
                "no format is known for a '{suffix}' file",
                Message("Name its format with --format: {formats}.", formats=", ".join(IMPORTERS)),
                place=path,
                suffix=path.suffix or path.name,
            )
    return name


def read_file(
    file: Path,
    format: str | None,
    progress: Progress = silent,
    within: Path | None = None,
    options: Options = NO_OPTIONS,
    beside: Attachments | None = None,
) -> Batch:
    """Return what a file holds, in the named format or the one its ending stands for.

    A file that begins as Anki's texts do is one of these, whatever its ending. What it shows is
    looked for ``beside`` it. Raises `NotFound` without a file, `BadData` for what cannot be read,
    or does not lie ``within`` the folder that is imported.
    """
    progress(0, 0)
    with opened(file, limits.FILE, within) as stream:
        name = format_of(format, file)
        if format is None and is_anki(stream.read(_BEGINNING)):
            name = _BY_HEAD
        stream.seek(0)
        read: Callable[..., Batch] = importer(name, file, options)
        if beside is not None and IMPORTERS[name].beside:
            read = partial(read, beside=beside)
        return read(stream, str(file), progress)


def read_stream(
    stream: BinaryIO,
    name: str,
    format: str,
    progress: Progress = silent,
    options: Options = NO_OPTIONS,
) -> Batch:
    """Return what a stream holds, in the named format. Raises `BadData`, `UsageError`."""
    return importer(format, Path(name), options)(stream, name, progress)


def table_in(file: Path) -> TablePreview | None:
    """Return what a table of other people's seems to be; nothing of any other file.

    Raises `NotFound`, and `BadData` for a table that cannot be read.
    """
    format = next(
        (each for each in IMPORTERS.values() if file.suffix.lower() in each.suffixes), None
    )
    if format is None or "columns" not in format.options:
        return None
    preview = import_module(f"kb.formats.{format.module}").preview
    with opened(file, limits.FILE) as stream:
        return cast("TablePreview | None", preview(stream, str(file)))


def sniffed(data: bytes) -> str:
    """Return the format that a stream without a name seems to have.

    >>> sniffed(b'{"id": "a"}'), sniffed(b'{\\n  "schema_version": 1'), sniffed(b"# Questions")
    ('jsonl', 'json', 'md')
    >>> sniffed(b"id,kind,collection"), sniffed(b"#separator:tab")
    ('csv', 'anki')
    """
    if is_anki(data):
        return _BY_HEAD
    text = data.removeprefix(b"\xef\xbb\xbf").lstrip()
    if text.startswith((b"id,kind,", b'"id","kind",')):
        return "csv"
    if not text.startswith(b"{"):
        return "md"
    return "json" if text[1:].lstrip(b" \t\r").startswith(b"\n") else "jsonl"


def _known(name: str, formats: Mapping[str, Format]) -> Format:
    if name not in formats:
        hint = nearest(name, formats) or Message("Formats: {known}.", known=", ".join(formats))
        raise UsageError(
            Message("no import format '{name}'", name=name)
            if formats is IMPORTERS
            else Message("no export format '{name}'", name=name),
            hint,
        )
    return formats[name]
