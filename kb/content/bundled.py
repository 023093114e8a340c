"""Where the bundled content lies, and whether anything in it changed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

GLOSSARY_FILE = "glossary.tsv"
"""The name of the glossary file in a folder."""

VOCABULARY_FILE = "vocabulary.tsv"
"""The name of the bundled vocabulary file."""

_SUFFIXES = (".toml", ".tsv", ".txt", ".py")


def bundled_folder() -> Path:
    """Return the folder of the bundled content: inside the package, or in the checkout."""
    package = Path(__file__).parents[1]
    inside = package / "data"
    return inside if inside.is_dir() else package.parent / "data"


def stamp(folder: Path) -> str:
    """Return a stamp that changes with the files of the folder: their sizes and times.

    >>> stamp(Path("no such folder"))
    ''
    """
    if not folder.is_dir():
        return ""
    facts = []
    for file in _files(str(folder)):
        status = file.stat()
        name = file.path.removeprefix(f"{folder}{os.sep}")
        facts.append(f"{name} {status.st_size} {status.st_mtime_ns}")
    return "\n".join(sorted(facts))


def _files(folder: str) -> Iterator[os.DirEntry[str]]:
    """Yield the content files; `pathlib` would take five times as long at every start."""
    with os.scandir(folder) as found:
        for each in found:
            if each.is_dir():
                yield from _files(each.path)
            elif each.name.endswith(_SUFFIXES):
                yield each
