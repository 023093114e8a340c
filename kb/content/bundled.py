"""Where the bundled content lies, and whether anything in it changed."""

from __future__ import annotations

import os
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
    facts = []
    for place, _, names in os.walk(folder, followlinks=True):
        for name in (each for each in names if each.endswith(_SUFFIXES)):
            file = os.path.join(place, name)
            status = os.stat(file)
            path = file.removeprefix(f"{folder}{os.sep}")
            facts.append(f"{path} {status.st_size} {status.st_mtime_ns}")
    return "\n".join(sorted(facts))
