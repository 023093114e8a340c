"""All of ``data/`` together, and the file of accepted evidence.

``accepted.toml`` keeps, for each annotation with evidence, the digests of the quote
and of the snippets a person last looked at. It is written by ``kb verify --accept``.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from kb.content.entries import Shelf, read_entry
from kb.content.snippets import read_snippets
from kb.content.sources import read_sources
from kb.content.tables import Table, read_table
from kb.errors import BadData, nearest
from kb.model import Annotation, Entry, Source, digest

_ACCEPTED = "accepted.toml"
_NUMBERED = re.compile(r"\d\d-")


@dataclass(frozen=True, slots=True)
class Content:
    """Everything that comes with danesh, in the order it is listed."""

    sources: tuple[Source, ...]
    collections: Mapping[str, Mapping[str, str]]
    entries: tuple[Entry, ...]


def read_content(folder: Path) -> Content:
    """Read and check the whole folder; the first mistake is raised as `BadData`."""
    sources = read_sources(folder / "sources")
    accepted = _read_accepted(folder / _ACCEPTED)
    shelf = Shelf(sources, read_snippets(folder / "snippets"), accepted)
    collections: dict[str, Mapping[str, str]] = {}
    entries: dict[str, Entry] = {}
    for file, table in _collections(folder):
        collections[file.parent.name] = table.texts("title")
        for place in sorted(file.parent.glob("*.toml")):
            if place != file:
                _add(entries, place, read_entry(place, file.parent.name, shelf))
    _check_related(folder, entries)
    return Content(tuple(sources.values()), collections, tuple(entries.values()))


def accept_evidence(
    folder: Path, annotations: Iterable[Annotation], snippets: Mapping[str, str]
) -> None:
    """Renew the digests of these annotations; ``snippets`` has each snippet's digest.

    Only a checkout is written to: an installed program's files are not the reader's.
    """
    file = folder / _ACCEPTED
    if folder.parent == Path(__file__).parents[1] or not os.access(folder, os.W_OK):
        return
    known = {name: dict(values) for name, values in _read_accepted(file).items()}
    for annotation in annotations:
        named = dict.fromkeys(evidence.snippet for evidence in annotation.evidence)
        known[annotation.id] = {
            "quote": digest(annotation.target.quote),
            **{name: snippets[name] for name in named if name in snippets},
        }
    lines = ["# Written by 'kb verify --accept': what was last looked at, by its SHA-256."]
    for name in sorted(known):
        lines += ["", f"[{name}]", *(f'{k} = "{v}"' for k, v in known[name].items())]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _read_accepted(file: Path) -> dict[str, dict[str, str]]:
    if not file.exists():
        return {}
    table = read_table(file)
    return {name: table.texts(name) for name in table}


def _collections(folder: Path) -> list[tuple[Path, Table]]:
    """Return the collections' own files in the order they ask for."""
    found = []
    for file in sorted(folder.glob("*/collection.toml")):
        table = read_table(file)
        table.only("order", "title")
        found.append((table.get("order", int), file, table))
    return [(file, table) for _, file, table in sorted(found, key=lambda item: item[:2])]


def _add(entries: dict[str, Entry], file: Path, entry: Entry) -> None:
    if entry.id in entries:
        raise BadData(f"{file}:1: id: '{entry.id}' stands in another file too")
    if _NUMBERED.sub("", file.stem, count=1) != entry.id:
        raise BadData(f"{file}:1: id: '{entry.id}' is not the name of its file")
    entries[entry.id] = entry


def _check_related(folder: Path, entries: Mapping[str, Entry]) -> None:
    """Related entries must exist and point back."""
    for entry in entries.values():
        for other in entry.related:
            if other not in entries:
                raise BadData(
                    f"{folder / entry.collection}: related: {entry.id} names '{other}', "
                    "which does not exist",
                    nearest(other, entries),
                )
            if entry.id not in entries[other].related:
                raise BadData(
                    f"{folder / entry.collection}: related: {entry.id} names '{other}', "
                    "which does not name it back",
                )
