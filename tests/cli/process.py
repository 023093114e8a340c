"""The command line in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]


def run(*arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "kb", *arguments]
    environment = {"KB_LANG": "en", **os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        command, capture_output=True, encoding="utf-8", check=False, env=environment, **options
    )
