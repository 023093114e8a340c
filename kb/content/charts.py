"""The recorded charts of bundled programs, for readers that run nothing.

``charts.toml`` is in the content folder. Charts are stored by the digest of their program, so a
changed program shows none.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from kb.content.tables import bundled_folder, read_table
from kb.model import Snippet

CHARTS = "charts.toml"


def printed_charts(snippet: Snippet) -> str:
    """Return the charts that a program printed for the release, or nothing.

    They are treated as untrusted output, like that of any program.
    """
    return _charts(bundled_folder()).get(snippet.digest, "")


def write_charts(folder: Path, charts: Mapping[str, str]) -> None:
    """Record charts by the digests of their programs."""
    lines = ["# Written by 'python -m tests.release': the charts of programs, by their SHA-256."]
    for digest, text in charts.items():
        assert "'''" not in text, "a chart of ours has no three quotes"
        lines.append(f"\n{digest} = '''\n{text.rstrip()}\n'''")
    (folder / CHARTS).write_text("\n".join(lines) + "\n", encoding="utf-8")


@cache
def _charts(folder: Path) -> Mapping[str, str]:
    file = folder / CHARTS
    if not file.exists():
        return {}
    table = read_table(file)
    return {digest: table.get(digest, str) for digest in table}
