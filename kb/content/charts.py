"""What the bundled programs have printed as charts, for what shows them and runs nothing.

``charts.toml`` stands beside the content. A chart is there by the digest of the program that
printed it, so that of a program which is another by now none is shown.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from kb.content.tables import bundled_folder, read_table
from kb.model import Snippet

CHARTS = "charts.toml"


def printed_charts(snippet: Snippet) -> str:
    """Return what a program printed of charts when the release was made, or nothing.

    It is output: what it holds is read as that of any program is.
    """
    return _charts(bundled_folder()).get(snippet.digest, "")


def write_charts(folder: Path, charts: Mapping[str, str]) -> None:
    """Write down the charts of programs by the digests of these."""
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
