"""The formats: by name, by the suffix of a file, and by how it begins."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, cast

from kb import limits
from kb.errors import Message, UsageError, nearest
from kb.foreign import opened
from kb.i18n import N_

if TYPE_CHECKING:
    from kb.formats.book import Batch, Book
    from kb.formats.media import Attachments
    from kb.model.reports import TablePreview
    from kb.model.results import Progress


class Format(NamedTuple):
    """A format: its module, its file suffixes, and how an export describes it to the reader."""

    module: str
    suffixes: tuple[str, ...]
    summary: str = ""
    delimiter: str = ""
    """What stands between cells that a spreadsheet may compute; they are escaped by default."""
    folder: bool = False
    """Whether it is a folder of files instead of a stream."""
    options: tuple[str, ...] = ()
    """The keyword options of its reader, and what it needs of a file's folder."""


EXPORTERS: Mapping[str, Format] = {
    "json": Format("native", (".json",), N_("one document, imports again with nothing lost")),
    "jsonl": Format("lines", (".jsonl",), N_("one entry a line, imports again")),
    "csv": Format(
        "tables",
        (".csv",),
        N_("one row for each entry and language, texts import again"),
        delimiter=",",
    ),
    "tsv": Format("tables", (".tsv",), N_("the same table with tabs"), delimiter="\t"),
    "md": Format("markdown", (".md",), N_("one Markdown document, in all languages")),
    "jsonld": Format("webannotation", (".jsonld",), N_("the annotations, as W3C Web Annotations")),
    "apkg": Format("anki.writing", (".apkg",), N_("an Anki deck, updated by the next export")),
    "anki": Format("tabular.anki", (".anki.txt",), N_("Anki notes as text, without media")),
    "ipynb": Format("notebooks", (".ipynb",), N_("a Jupyter notebook with runnable programs")),
    "vault": Format(
        "vault.writing",
        (),
        N_("a folder of notes for Obsidian, imports again with nothing lost"),
        folder=True,
    ),
    "site": Format(
        "site.pages", (), N_("a folder of web pages with search, needs no server"), folder=True
    ),
    "gift": Format("gift", (".gift.txt",), N_("questions for a quiz in Moodle")),
    "sqlite": Format("", (".db", ".sqlite"), N_("a database for Datasette or the shell")),
}
"""The export formats. ``sqlite`` is a reduced copy of the database and has no module."""

IMPORTERS: Mapping[str, Format] = {
    "json": Format("native", (".json",), options=("reviews",)),
    "jsonl": Format("lines", (".jsonl", ".ndjson")),
    "csv": Format("tabular.reading", (".csv",), options=("columns",)),
    "tsv": Format("tabular.reading", (".tsv", ".tab"), options=("columns",)),
    "ipynb": Format("notebooks", (".ipynb",), options=("attachments",)),
    "apkg": Format("anki.reading", (".apkg", ".colpkg"), options=("reviews",)),
    "anki": Format("tabular.anki", ()),
    "md": Format(
        "notes.reading",
        (".md", ".markdown", ".txt"),
        options=("reviews", "taken_as", "attachments", "signs"),
    ),
}
"""The import formats."""


OPTIONS: Mapping[str, str] = {"columns": "--map", "reviews": "--with-reviews", "taken_as": "--as"}
"""The options of readers, and their names on the command line."""

ANKI_SETTING = re.compile(
    r"^#[ \t]*(separator|html|tags|columns|notetype|deck|if matches|match scope"
    r"|(?:guid|notetype|deck|tags) column)[ \t]*:(.*)",
    re.IGNORECASE | re.MULTILINE,
)
"""A header line of Anki's text format: a setting and its value.

Anki's manual describes them (https://docs.ankiweb.net/importing/text-files.html#file-headers).
"""
_BY_HEAD, _BEGINNING = "anki", 200

Exporter = Callable[["Book", Any], int | None]
"""Writes a book to a binary file or, for folder formats, into an empty folder.

It returns the number of written entries, or nothing if all were written.
"""
Importer = Callable[[BinaryIO, str, "Progress"], "Batch"]
Options = Mapping[str, Any]
"""The options of a reader, by the names in `OPTIONS`."""
NO_OPTIONS: Options = {}


def exporter(name: str, *, raw_cells: bool = False) -> Exporter:
    """Return the function that writes a format to a stream.

    With ``raw_cells``, cells that a spreadsheet would compute are not escaped. Raises
    `UsageError` for an unknown format, and for raw cells of a format without them.
    """
    found = _known(name, EXPORTERS)
    if raw_cells and not found.delimiter:
        tables = ", ".join(key for key, format in EXPORTERS.items() if format.delimiter)
        raise UsageError(
            "'{name}' has no cells to escape",
            Message("Formats with cells: {formats}.", formats=tables),
            name=name,
        )
    module = import_module(f"kb.formats.{found.module}")
    if found.delimiter:
        return partial(module.write, delimiter=found.delimiter, raw=raw_cells)
    return cast("Exporter", module.write)


def importer(name: str | None, path: Path, options: Options = NO_OPTIONS) -> Importer:
    """Return the function that reads a format, by name or by the file's suffix.

    The function takes a stream, its name for messages, and a callback that it calls with zeros
    while it works. Raises `UsageError` for options that the format does not have.
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


def format_of(name: str | None, path: Path, formats: Mapping[str, Format] = IMPORTERS) -> str:
    """Return the format of a file: the named one, or that of its suffix.

    Raises `UsageError` if it is unknown.
    """
    if name is None:
        by_suffix = {suffix: key for key, f in formats.items() for suffix in f.suffixes}
        endings = ("".join(path.suffixes[-2:]).lower(), path.suffix.lower())
        name = next((by_suffix[each] for each in endings if each in by_suffix), None)
        if name is None:
            raise UsageError(
                "no format is known for a '{suffix}' file",
                Message("Name its format with --format: {formats}.", formats=", ".join(formats)),
                place=path,
                suffix=path.suffix or path.name,
            )
    return name


def read_file(
    file: Path,
    format: str | None,
    progress: Progress,
    within: Path | None = None,
    options: Options = NO_OPTIONS,
    attachments: Attachments | None = None,
) -> Batch:
    """Return the content of a file, in the named format or that of its suffix.

    A file that starts like an Anki text file is read as one, whatever its suffix. Its media are
    looked up beside it. Raises `NotFound` without a file, and `BadData` for an unreadable
    file or one not ``within`` the imported folder.
    """
    with opened(file, limits.FILE, within) as stream:
        name = format_of(format, file)
        progress(0, 0)
        if format is None and is_anki(stream.read(_BEGINNING)):
            name = _BY_HEAD
        stream.seek(0)
        needed = _known(name, IMPORTERS).options
        if attachments is not None and "attachments" in needed:
            options = {**options, "attachments": attachments}
        if "signs" in needed:
            from kb.formats.notes.obsidian import signs_of  # other formats need no vault

            options = {**options, "signs": signs_of(file)}
        return importer(name, file, options)(stream, str(file), progress)


def table_in(file: Path) -> TablePreview | None:
    """Return a preview of a foreign table; nothing for other files.

    Raises `NotFound`, and `BadData` for an unreadable table.
    """
    format = next(
        (each for each in IMPORTERS.values() if file.suffix.lower() in each.suffixes), None
    )
    if format is None or "columns" not in format.options:
        return None
    preview = import_module(f"kb.formats.{format.module}").preview
    with opened(file, limits.FILE) as stream:
        return cast("TablePreview | None", preview(stream, str(file)))


def is_anki(data: bytes) -> bool:
    """Say whether a file begins as Anki's plain text does.

    >>> is_anki(b"#separator:tab\\na\\tb"), is_anki(b"#Guid column: 1"), is_anki(b"# so: it is")
    (True, True, False)
    """
    return ANKI_SETTING.match(data.decode("utf-8-sig", "replace")) is not None


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
