"""Where ``data/`` lies, and whether anything in it changed."""

from __future__ import annotations

from pathlib import Path

GLOSSARY_FILE = "glossary.tsv"
"""The name of a folder's glossary."""

_SUFFIXES = (".toml", ".tsv", ".txt", ".py")


def bundled_folder() -> Path:
    """Return the folder of the bundled content: inside the package, or in the checkout."""
    package = Path(__file__).parents[1]
    inside = package / "data"
    return inside if inside.is_dir() else package.parent / "data"


def stamp(folder: Path) -> str:
    """Return what changes when a file of the folder does: their sizes and times, unread."""
    files = sorted(
        file for file in folder.rglob("*") if file.suffix in (".toml", ".tsv", ".txt", ".py")
    )
    facts = []
    for file in files:
        status = file.stat()
        facts.append(f"{file.relative_to(folder)} {status.st_size} {status.st_mtime_ns}")
    return "\n".join(facts)
