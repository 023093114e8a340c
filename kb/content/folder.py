"""All content of ``data/``, or of a course folder of the same layout."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from kb.content.annotations import read_sources
from kb.content.bundled import GLOSSARY_FILE, bundled_folder
from kb.content.context import Context, Mistakes
from kb.content.entries import read_entry, read_snippets
from kb.content.glossary import read_glossary
from kb.content.tables import Table, read_table, toml_key
from kb.errors import BadData, Message, nearest
from kb.model.entry import Annotation, Concept, Entry, Snippet, Source
from kb.model.results import Progress, silent

# The record of accepted evidence: what a person last looked at.
#
# ``accepted.toml`` keeps, for each annotation with evidence, the digests of the quote
# and of the snippets a person last looked at. It is written by ``kb verify --accept``.


ACCEPTED = "accepted.toml"


def read_accepted(folder: Path, within: Path | None = None) -> dict[str, dict[str, str]] | None:
    """Return the accepted digests by annotation: ``quote`` and each program.

    The file must be ``within`` a folder.
    """
    file = folder / ACCEPTED
    if not file.exists():
        return None
    table = read_table(file, within)
    return {name: table.texts(name) for name in table}


def accept_evidence(folder: Path, annotations: Iterable[Annotation]) -> None:
    """Record the digests of these annotations' evidence as accepted.

    Only a checkout is written: files of an installed program do not belong to the reader.
    """
    file = folder / ACCEPTED
    if folder.parent == Path(__file__).parents[1] or not os.access(folder, os.W_OK):
        return
    known = {name: dict(values) for name, values in (read_accepted(folder) or {}).items()}
    for annotation in annotations:
        looked_at = {each.snippet: each.snippet_hash for each in annotation.evidence}
        quote = annotation.evidence[0].quote_hash
        known[annotation.id] = {"quote": quote, **{k: v for k, v in looked_at.items() if v}}
    lines = ["# Written by 'kb verify --accept': what was last looked at, by its SHA-256."]
    for name in sorted(known):
        lines += ["", f"[{toml_key(name)}]"]
        lines += (f'{toml_key(key)} = "{value}"' for key, value in known[name].items())
    text = "\n".join(lines) + "\n"
    # Written as it is it would count as new content, which every database is renewed by.
    if not file.exists() or file.read_text(encoding="utf-8") != text:
        file.write_text(text, encoding="utf-8")


_COLLECTION = "collection.toml"
_NOT_ENTRIES = (ACCEPTED, _COLLECTION)
_NUMBERED = re.compile(r"\d\d-")


@dataclass(frozen=True, slots=True)
class Content:
    """All content of a folder, in order."""

    sources: tuple[Source, ...]
    collections: Mapping[str, Mapping[str, str]]
    entries: tuple[Entry, ...]
    glossary: tuple[Concept, ...] = ()
    telling: str = ""
    """The entry that the app opens first, if a collection names one."""


def is_course(folder: Path) -> bool:
    """Return whether a folder has the layout of ``data/``: it contains collections or is one."""
    return any(map(os.path.isfile, (folder / _COLLECTION, *folder.glob(f"*/{_COLLECTION}"))))


def read_content(
    folder: Path, mistakes: Mistakes | None = None, *, progress: Progress = silent
) -> Content:
    """Read and check a whole folder; the first mistake raises `BadData`.

    ``mistakes`` can collect them instead: invalid parts are then left out. A folder contains
    collections or is one. Only entries are required. Sources, programs, glossary and accepted
    evidence are read if they exist.
    """
    mistakes = mistakes or Mistakes()
    progress(0, 0)
    # What an installer has linked into its place is danesh's own.
    within = None if folder == bundled_folder() else folder
    context = _context(folder, mistakes, within)
    collections: dict[str, Mapping[str, str]] = {}
    entries: dict[str, tuple[Table, Entry]] = {}
    named: list[tuple[Table, str]] = []
    for file, table in _collections(folder, mistakes, within):
        name = file.parent.resolve().name
        collections[name] = table.texts("title")
        if "telling" in table:
            named.append((table, table.get("telling", str)))
        for place in sorted(file.parent.glob("*.toml")):
            progress(0, 0)
            if place.name not in _NOT_ENTRIES:
                with mistakes.noted():
                    row = read_table(place, within)
                    _add(entries, row, read_entry(row, name, context))
    _check_related(entries, mistakes)
    _check_annotations(entries, mistakes)
    for table, entry in named:
        if entry not in entries:
            hint = nearest(entry, entries)
            missing = table.error("telling", "there is no entry '{entry}'", hint, entry=entry)
            mistakes.add(missing)
    progress(0, 0)
    glossary: tuple[Concept, ...] = ()
    with mistakes.noted():
        glossary = read_glossary(folder / GLOSSARY_FILE, mistakes, within)
    if mistakes.kept:
        _compare_languages(entries, mistakes, folder, within)
    return Content(
        tuple(context.sources.values()),
        collections,
        tuple(entry for _, entry in entries.values()),
        glossary,
        next((entry for _, entry in named if entry in entries), ""),
    )


def _compare_languages(
    entries: Mapping[str, tuple[Table, Entry]],
    mistakes: Mistakes,
    folder: Path,
    within: Path | None,
) -> None:
    """Give advice on what only one language of a text says; slow, so only on request."""
    from kb.content.drift.alarm import advise_drift, pairs_of, read_alike

    with mistakes.noted():
        found = [pair for table, entry in entries.values() for pair in pairs_of(table, entry)]
        advise_drift(found, read_alike(folder, within), mistakes)


def _context(folder: Path, mistakes: Mistakes, within: Path | None) -> Context:
    sources, snippets, accepted = dict[str, Source](), dict[str, Snippet](), None
    with mistakes.noted():
        sources = read_sources(folder / "sources", within)
    with mistakes.noted():
        snippets = read_snippets(folder / "snippets", mistakes, within)
    with mistakes.noted():
        accepted = read_accepted(folder, within)
    return Context(sources, snippets, accepted, mistakes)


def _collections(folder: Path, mistakes: Mistakes, within: Path | None) -> list[tuple[Path, Table]]:
    """Return the files of the collections in the order that they declare."""
    files = sorted([*folder.glob(_COLLECTION), *folder.glob(f"*/{_COLLECTION}")])
    if not files:
        hint = Message("Add a {file} with order and title to the folder.", file=_COLLECTION)
        mistakes.add(BadData("contains no collection", hint, place=folder))
    found = []
    for file in files:
        with mistakes.noted():
            table = read_table(file, within)
            table.only("order", "title", "telling")
            table.texts("title")
            found.append((table.get("order", int), file, table))
    return [(file, table) for _, file, table in sorted(found, key=lambda item: item[:2])]


def _add(entries: dict[str, tuple[Table, Entry]], table: Table, entry: Entry) -> None:
    if entry.id in entries:
        other = entries[entry.id][0].file
        raise table.error("id", "'{id}' is also in {other}", id=entry.id, other=other)
    if _NUMBERED.sub("", table.file.stem, count=1) != entry.id:
        raise table.error(
            "id", "'{id}' is not the name of its file ({stem})", id=entry.id, stem=table.file.stem
        )
    entries[entry.id] = (table, entry)


def _check_related(entries: Mapping[str, tuple[Table, Entry]], mistakes: Mistakes) -> None:
    """Check that linked entries exist, and that related ones link back."""
    for name, (table, entry) in entries.items():
        for other in entry.links:
            with mistakes.noted():
                key = "related" if other in entry.related else "further"
                if other not in entries:
                    hint = nearest(other, entries)
                    raise table.error(key, "there is no entry '{other}'", hint, other=other)
                if key == "related" and name not in entries[other][1].related:
                    hint = Message(
                        "Add '{name}' to related in {file}.",
                        name=name,
                        file=entries[other][0].file.name,
                    )
                    raise table.error(
                        "related",
                        "'{other}' does not list this entry as related",
                        hint,
                        other=other,
                    )


def _check_annotations(entries: Mapping[str, tuple[Table, Entry]], mistakes: Mistakes) -> None:
    """Check that annotation ids are unique in the folder."""
    owners: dict[str, str] = {}
    for name, (table, entry) in entries.items():
        for annotation in entry.annotations:
            with mistakes.noted():
                owner = owners.setdefault(annotation.id, name)
                if owner != name:
                    raise table.error(
                        "annotation",
                        "the id '{id}' belongs to an annotation of {owner}",
                        id=annotation.id,
                        owner=owner,
                    )
