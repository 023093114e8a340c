"""The areas of the code that mutants are drawn from, each with the score that it must reach."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from tests.mutation.operators import Mutant, mutants_of

ROOT = Path(__file__).parents[2]


class Area(NamedTuple):
    """``paths`` are files and folders; ``goal`` is the share of mutants that tests must notice.

    Code that runs in a process of its own is measured by nobody: the tests that run it are
    those of ``asked_by``, the file that starts the process.
    """

    goal: float
    paths: tuple[str, ...]
    asked_by: str = ""


AREAS = {
    "analysis": Area(0.80, ("kb/text",)),
    "query": Area(
        0.85,
        ("kb/search/compile.py", "kb/search/fallbacks.py", "kb/search/grammar.py",
         "kb/search/interpret.py", "kb/search/learning.py", "kb/search/lexicon.py",
         "kb/search/parser.py", "kb/search/translation.py", "kb/search/transliteration.py"),
    ),
    "ranking": Area(
        0.85, ("kb/search/rerank.py", "kb/search/excerpt.py", "kb/service/answer.py")
    ),
    "index": Area(0.80, ("kb/search/index",)),
    "import": Area(0.80, ("kb/service/importing", "kb/service/write.py")),
    "sandbox": Area(
        0.80,
        ("kb/evidence/trust.py", "kb/evidence/runner.py", "kb/evidence/sandbox",
         "kb/service/programs.py"),
        "kb/evidence/runner.py",
    ),
    "journal": Area(0.80, ("kb/store/sqlite/journal.py", "kb/service/changes.py")),
    "evidence": Area(
        0.80,
        ("kb/evidence/judge.py", "kb/evidence/verify.py",
         "kb/service/verify.py", "kb/store/sqlite/ledger.py"),
    ),
}  # fmt: skip


TESTS = ("tests/text", "tests/search", "tests/ranking", "tests/search/index", "tests/service",
         "tests/store", "tests/evidence", "tests/formats/test_import.py",
         "tests/formats/test_foreign.py", "tests/formats/test_large.py",
         "tests/formats/test_media.py", "tests/formats/test_notes.py",
         "tests/formats/test_vault.py", "tests/formats/test_vault_files.py",
         "tests/study/test_session.py",
         *sorted({path for area in AREAS.values() for path in area.paths}))  # fmt: skip
"""The tests of these areas; the others would hold little more of them and take as long again."""


def mutants(area: Area) -> list[Mutant]:
    """Return every mutant of an area, in the order of files and places."""
    found: list[Mutant] = []
    for path in _files(area):
        found += mutants_of(str(path.relative_to(ROOT)), path.read_text(encoding="utf-8"))
    return found


def area_of(path: str) -> Area | None:
    """Return the area that a file belongs to, if it belongs to one."""
    file = ROOT / path
    return next((area for area in AREAS.values() if file in _files(area)), None)


def _files(area: Area) -> list[Path]:
    found: list[Path] = []
    for path in area.paths:
        place = ROOT / path
        found += sorted(place.rglob("*.py")) if place.is_dir() else [place]
    return found
