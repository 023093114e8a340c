"""Checks an installed wheel from outside the checkout: ``python check_wheel.py VENV``.

Run by ``.ci/run`` with the interpreter of the clean environment.
"""

from __future__ import annotations

import importlib.metadata
import json
import subprocess
import sys
from pathlib import Path


def kb(venv: Path, *arguments: str) -> str:
    """Run the installed command."""
    command = [str(venv / "bin" / "kb"), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def main() -> None:
    """Use what was installed, and look at what was put where."""
    venv = Path(sys.argv[1])
    import kb as package

    place = Path(package.__file__).parent
    assert venv in place.parents, place
    site = place.parent
    assert not (site / "data").exists(), "a folder called data in site-packages"
    assert (place / "data" / "sources" / "sources.toml").is_file()
    assert list((site / "tui").rglob("*.tcss")), "no styles"
    assert list((site / "kb").rglob("*.mo")), "no compiled messages"
    assert json.loads(kb(venv, "list", "--json"))["total"] == 33
    assert "intractable-problem" in kb(venv, "search", "intractable")
    assert "numerical-instability-causes" in kb(venv, "search", "بي ثباتي")
    assert json.loads(kb(venv, "verify", "--json"))["refuted"] == 0
    assert kb(venv, "--version").split()[1] == importlib.metadata.version("danesh")
    assert "danesh" in (venv / "share/man/man1/kb.1").read_text(encoding="utf-8")
    print("the installed wheel works")


if __name__ == "__main__":
    main()
