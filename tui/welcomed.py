"""Whether the reader has been welcomed: a file beside the settings says so."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from kb.settings import settings_path, write_lines


def before() -> bool:
    """Say whether the reader has seen the welcome and gone on."""
    return _file().exists()


def remember() -> None:
    """Welcome the reader no more; where nothing can be kept, the next start does so again."""
    with suppress(OSError):
        write_lines(_file(), [])


def _file() -> Path:
    return settings_path().with_name("welcomed")
