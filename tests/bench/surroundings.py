"""On what a figure was measured, and where the data lie."""

from __future__ import annotations

import argparse
import datetime
import os
import platform
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def surroundings() -> str:
    """Return the day, the commit and the machine in a line."""
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True,
        check=False,
    ).stdout.strip()  # fmt: skip
    day = datetime.datetime.now(datetime.UTC).date().isoformat()
    return f"{day}, commit {commit}, Python {platform.python_version()}, {os.cpu_count()} cores"


def parser(about: str | None) -> argparse.ArgumentParser:
    """Return a parser that describes itself by a docstring's first line and knows ``--data``."""
    made = argparse.ArgumentParser(description=(about or "").split("\n")[0])
    data = ROOT.parent / "shared" / "bench"
    made.add_argument("--data", type=Path, default=data, metavar="PATH")
    return made
