"""Run all evidence of the bundled content, and write down what it confirmed for the release.

The charts that programs print are written down, too: a site shows them, and runs nothing.

python -m tests.release        after a change of the content, its programs or the version
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from platform import processor, python_version

from kb import Library, __version__, open_library
from kb.content.bundled import bundled_folder
from kb.content.release import CHARTS, VERIFIED, claim_digest
from kb.content.tables import toml_key
from kb.model.entry import Annotation, Entry, Release
from kb.present.charts.reading import charts


def main() -> int:
    """Write the record; 1 where some evidence does not hold, and nothing is written."""
    with tempfile.TemporaryDirectory() as folder, open_library(Path(folder, "kb.db")) as library:
        results = library.verify()
        entries = [library.show(hit.id) for hit in library.list(limit=None).hits]
        printed = dict(_charts(library, entries))
    failed = [each for each in results if each.status != "confirmed"]
    for each in failed:
        print(f"{each.annotation}: {each.status}: {each.reason}")
    if not failed:
        _write_verified(bundled_folder(), _release(), _with_evidence(entries))
        print(f"{len(results)} annotations confirmed; {bundled_folder() / VERIFIED} is written")
        _write_charts(bundled_folder(), printed)
        print(f"{len(printed)} programs with charts; {bundled_folder() / CHARTS} is written")
    return bool(failed)


def _write_verified(folder: Path, release: Release, confirmed: Iterable[Annotation]) -> None:
    """Record which annotations of a folder were confirmed for a release."""
    lines = [
        "# Written by 'python -m tests.release': claims that were confirmed, by their SHA-256."
    ]
    lines += [f'{key} = "{value}"' for key, value in release._asdict().items()]
    lines += ["", "[confirmed]"]
    lines += sorted(f'{toml_key(each.id)} = "{claim_digest(each)}"' for each in confirmed)
    (folder / VERIFIED).write_text("\n".join(lines) + "\n", encoding="utf-8")


def _write_charts(folder: Path, charts: Mapping[str, str]) -> None:
    """Record charts by the digests of their programs."""
    lines = ["# Written by 'python -m tests.release': the charts of programs, by their SHA-256."]
    for digest, text in charts.items():
        assert "'''" not in text, "a chart of ours has no three quotes"
        lines.append(f"\n{digest} = '''\n{text.rstrip()}\n'''")
    (folder / CHARTS).write_text("\n".join(lines) + "\n", encoding="utf-8")


def _with_evidence(entries: Iterable[Entry]) -> list[Annotation]:
    return [each for entry in entries for each in entry.claims if each.evidence]


def _charts(library: Library, entries: Iterable[Entry]) -> Iterator[tuple[str, str]]:
    """Run the programs that may print charts, and yield these by the programs' digests."""
    snippets = {snippet.id: snippet for entry in entries for snippet in entry.snippets}
    for name, snippet in sorted(snippets.items()):
        if "chart: " in snippet.code:
            outcome = library.run(name, timeout=60)
            yield snippet.digest, "".join(piece.text for piece in charts(outcome.stdout))


def _release() -> Release:
    day = datetime.now(UTC).date().isoformat()
    return Release(__version__, day, python_version(), version("numpy"), _cpu())


def _cpu() -> str:
    """Return the name of the processor, as Linux tells it, or what Python knows."""
    told = Path("/proc/cpuinfo")
    lines = told.read_text("utf-8", "replace").splitlines() if told.exists() else []
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(named, processor() or "unknown")


if __name__ == "__main__":
    sys.exit(main())
