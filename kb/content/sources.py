"""The source documents as received, and the table that says where they come from."""

from __future__ import annotations

import hashlib
from pathlib import Path

from kb import limits
from kb.content.tables import Table, read_table
from kb.errors import KbError, nearest
from kb.foreign import is_below, read_bytes
from kb.records import Source, Span

_KEYS = ("file", "title", "author", "lang", "rights", "sha256", "origin")


def read_sources(folder: Path, within: Path | None = None) -> dict[str, Source]:
    """Read ``sources.toml`` and the documents it names, each checked against its checksum.

    A folder without one has no source documents. Each must lie ``within`` another folder.
    """
    if not (folder / "sources.toml").exists():
        return {}
    table = read_table(folder / "sources.toml", within)
    table.only("source")
    return {
        source.file: source for row in table.tables("source") for source in [_read(row, within)]
    }


def _read(row: Table, within: Path | None) -> Source:
    row.only(*_KEYS)
    file = row.get("file", str)
    if not is_below(file):
        raise row.error("file", "'{file}' does not lie beside this file, or below it", file=file)
    try:
        raw = read_bytes(row.file.parent / file, limits.DOCUMENT, within)
        text = raw.decode("utf-8")
    except (KbError, UnicodeDecodeError) as error:
        raise row.error(
            "file", "'{file}' cannot be read ({error})", file=file, error=error
        ) from error
    found, expected = hashlib.sha256(raw).hexdigest(), row.get("sha256", str)
    if found != expected:
        raise row.error(
            "sha256", "'{file}' was changed: its checksum is {found}", file=file, found=found
        )
    return Source(
        file=file,
        title=row.get("title", str),
        author=row.get("author", str),
        lang=row.get("lang", str),
        rights=f"{row.get('origin', str)} {row.get('rights', str)}",
        sha256=found,
        text=text,
    )


def read_span(place: Table, sources: dict[str, Source]) -> Span:
    """Return the span a table names; it must lie within its document."""
    file = place.get("file", str)
    if file not in sources:
        raise place.error("file", "no source document '{file}'", nearest(file, sources), file=file)
    start, end = place.get("start", int), place.get("end", int)
    length = len(sources[file].text)
    if not 0 <= start < end <= length:
        raise place.error(
            "end",
            "the span {start} to {end} is not within {file} (0 to {length})",
            start=start,
            end=end,
            file=file,
            length=length,
        )
    return Span(file, start, end)


def cut(span: Span, sources: dict[str, Source]) -> str:
    """Return the text of a span."""
    return sources[span.file].text[span.start : span.end]
