"""The one module that writes to stderr: errors, notices and progress."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable

from kb.errors import KbError


def error(problem: KbError, *, as_json: bool) -> None:
    """Say what went wrong: a sentence for people, or the contract's JSON."""
    if as_json:
        body = {"code": problem.code, "message": problem.message, "hint": problem.hint}
        _put(json.dumps({"error": body}, ensure_ascii=False))
        return
    _put(f"kb: {_safe(problem.message)}")
    if problem.hint:
        _put(f"    {_safe(problem.hint)}")


def notice(text: str) -> None:
    """Say something beside the data."""
    _put(f"kb: {_safe(text)}")


def stream(text: str) -> None:
    """Write a piece of a snippet's errors as it comes."""
    sys.stderr.buffer.write(text.encode("utf-8", "replace"))
    sys.stderr.flush()


def progress(what: str) -> Callable[[int, int], None] | None:
    """Return a function that shows how far work is, or nothing where nobody watches."""
    if not sys.stderr.isatty():
        return None

    def show(done: int, total: int) -> None:
        end = "\n" if done >= total else ""
        sys.stderr.write(f"\r{what}: {done} of {total}{end}")
        sys.stderr.flush()

    return show


def _safe(text: str) -> str:
    from kb.display.safe import safe

    return safe(text).replace("\n", " ")


def _put(line: str) -> None:
    sys.stderr.buffer.write(line.encode("utf-8", "replace") + b"\n")
    sys.stderr.flush()
