"""What the documents for engineers say, read for the tests that hold it to be true."""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType

ROOT = Path(__file__).parents[1]
ARCHITECTURE = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")


def section(title: str) -> str:
    """Return what stands below a heading of the architecture, up to the next of its rank."""
    return ARCHITECTURE.split(f"\n## {title}\n")[1].split("\n## ")[0]


def walks() -> dict[str, list[str]]:
    """Return the walks through the code: the files of each, in order."""
    named = re.split(r"^\*\*(.+)\*\*$", section("Three walks"), flags=re.MULTILINE)[1:]
    return {
        name: re.findall(r"^\d+\. `([^`]+)`", text, re.MULTILINE)
        for name, text in zip(named[::2], named[1::2], strict=True)
    }


def walk_named(beginning: str) -> list[str]:
    """Return the files of the walk whose name begins so."""
    return next(files for name, files in walks().items() if name.startswith(beginning))


@contextmanager
def entering() -> Iterator[set[str]]:
    """Collect the files of which a function is called meanwhile, here and in new threads."""
    codes: set[CodeType] = set()
    files: set[str] = set()

    def noted(frame: FrameType, event: str, argument: object) -> None:
        codes.add(frame.f_code)

    before = sys.getprofile()
    threading.setprofile(noted)
    sys.setprofile(noted)
    try:
        yield files
    finally:
        sys.setprofile(before)
        threading.setprofile(None)
        files |= {_relative(code) for code in codes if _is_function(code)}


def _is_function(code: CodeType) -> bool:
    """Say whether code is a function with a name: importing a module calls none."""
    return not code.co_name.startswith("<") and "__module__" not in code.co_names


def _relative(code: CodeType) -> str:
    path = Path(code.co_filename)
    return path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else path.as_posix()
