"""What was searched for before: a line each in a file beside the settings, the latest last."""

from __future__ import annotations

from pathlib import Path

from kb import limits
from kb.errors import KbError
from kb.foreign import read_text
from kb.settings import settings_path, write_lines

_MOST = 200


def searches() -> list[str]:
    """Return what was searched for, each once; nothing where it cannot be read."""
    try:
        lines = read_text(_file(), limits.FORM).split("\n")
    except KbError:
        return []
    return list(dict.fromkeys(line for line in reversed(lines) if line.strip()))[::-1]


def remember(words: str) -> None:
    """Keep what was searched for, as the latest. Raises `OSError`."""
    kept = [*(each for each in searches() if each != words), words][-_MOST:]
    write_lines(_file(), kept)


def _file() -> Path:
    return settings_path().with_name("searches")
