"""Unicode's own data files, from Debian's package unicode-data."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

UNICODE = Path("/usr/share/unicode")


def unicode_lines(name: str) -> list[str]:
    """Return the lines of a data file without comments.

    Without the file the test is skipped, but in CI it fails.
    """
    path = UNICODE / name
    if not path.exists():
        absent(f"{path} is missing: install the package unicode-data")
    lines = path.read_text("utf-8").splitlines()
    return [line for line in lines if line and line[0] != "#"]


def absent(reason: str) -> None:
    """Skip a test whose data are not here; in CI they must be."""
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


def properties(name: str) -> Iterator[tuple[range, str]]:
    """Yield the code points and the value of each line of a data file."""
    for line in unicode_lines(name):
        codes, value = (field.strip() for field in line.partition("#")[0].split(";")[:2])
        first, _, last = codes.partition("..")
        yield range(int(first, 16), int(last or first, 16) + 1), value
