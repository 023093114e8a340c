"""Checks an installed wheel from outside the checkout: ``python check_wheel.py VENV``.

Run by ``.ci/wheel`` with the interpreter of each clean environment.
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


def check_itself(venv: Path) -> None:
    """Have it test itself beside a reader's database, which stays as it is."""
    own = venv / "own.db"
    kb(venv, "--db", str(own), "init", "--empty")
    before = own.read_bytes()
    tested = [str(venv / "bin" / "kb"), "--db", str(own), "self-test", "--json"]
    # A check that fails makes the exit code 1: what is printed says which one, and why.
    checks = json.loads(subprocess.run(tested, capture_output=True, text=True).stdout)["checks"]
    failed = [f"{check['check']}: {check['found']}" for check in checks if not check["ok"]]
    assert not failed, failed
    found = {check["check"]: check["found"] for check in checks}
    assert {"database", "index", "sandbox", "search", "evidence"} <= found.keys()
    assert found["search"].startswith("10 of 10"), found["search"]
    confirmed, of, every, *_ = found["evidence"].split()
    assert of == "of" and confirmed == every and int(confirmed) > 80, found["evidence"]
    assert own.read_bytes() == before, "the self-test wrote into the database"
    for check, said in found.items():
        print(f"  {check}: {said}")


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
    check_itself(venv)
    assert kb(venv, "--version").split()[1] == importlib.metadata.version("danesh")
    assert "danesh" in (venv / "share/man/man1/kb.1").read_text(encoding="utf-8")
    print("the installed wheel works")


if __name__ == "__main__":
    main()
