"""What was measured, as tables in Markdown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from tests.bench.scale.asks import KINDS
from tests.bench.scale.engines import LEVELS
from tests.bench.scale.figures import (
    MIB,
    Answers,
    Changed,
    Size,
    Times,
    growth,
    percentiles,
    shown,
)

Row = Sequence[str]
T = TypeVar("T")


def table(header: Row, rows: Iterable[Row]) -> str:
    """Return a table in Markdown.

    >>> print(table(["engine", "ms"], [["FTS5", "1"]]))
    | engine | ms |
    |---|---|
    | FTS5 | 1 |
    """
    lines = [f"| {' | '.join(row)} |" for row in (header, *rows)]
    return "\n".join([lines[0], "|---" * len(header) + "|", *lines[1:]])


def of_size(size: Size) -> Iterator[str]:
    """Yield the parts of the report on a size."""
    mean = size.text_bytes / size.documents
    yield f"### {size.documents:,} documents, {mean:.0f} bytes of title and text each"
    yield _built(size)
    yield from of_answers(size.answers)
    if size.changed:
        yield from _changed(size, size.changed)


def of_answers(answers: Answers) -> Iterator[str]:
    """Yield how long answers took, which were stopped, and how exact they are."""
    header = ["ms at p50 / p95 / p99", *KINDS]
    yield "First pass, empty caches:"
    yield table(header, _by_kind(answers.times, lambda times: _spread(times.first)))
    yield "Warm passes:"
    yield table(header, _by_kind(answers.times, lambda times: _spread(times.warm)))
    yield "Recall of the exact top ten:"
    yield table(["", *KINDS], _by_kind(answers.recall, lambda r: "" if r is None else f"{r:.4f}"))
    yield from answers.failed
    for label, of in answers.stopped.items():
        for kind, count in of.items():
            if count:
                yield f"{label}, {kind}: {count} queries were stopped before their end."


def of_growth(smallest: Size, largest: Size) -> Iterator[str]:
    """Yield how each figure grew."""
    yield (
        f"### From {smallest.documents:,} to {largest.documents:,} documents, "
        f"{largest.documents / smallest.documents:.0f} times as many"
    )
    before, after = smallest.answers.times, largest.answers.times
    rows = [
        [label, *(_grown(of.get(kind), after[label].get(kind)) for kind in KINDS)]
        for label, of in ((label, before.get(label, {})) for label in LEVELS)
        if of and label in after
    ]
    yield table(["times as long at p50 / p95 / p99, warm", *KINDS], rows)
    built = [
        [name, *(shown(a / b) for a, b in zip(largest.built[name], small, strict=True))]
        for name, small in smallest.built.items()
        if name in largest.built
    ]
    yield table(["times as much", "build time", "build memory", "file"], built)


def of_anchor(size: Size) -> Iterator[str]:
    """Yield what FTS5 takes, by which figures of other machines and days are scaled."""
    yield f"### The anchor: FTS5 at {size.documents:,} documents in this run"
    cells = _by_kind(size.answers.times, lambda times: shown(percentiles(times.warm)[0]))
    yield table(["ms at p50, warm", *KINDS], cells)


def _built(size: Size) -> str:
    header = [
        "built", "seconds", "documents a second", "with analysis", "bytes a document",
        "times title and text", "peak memory, MiB", "asking, MiB",
    ]  # fmt: skip
    rows = []
    for name, built in size.built.items():
        whole = built.seconds + (0 if name == "danesh" else size.analysis)
        asking = [p for label, p in size.answers.peaks.items() if LEVELS[label].built == name]
        rates = ["" if name == "danesh" else f"{size.documents / built.seconds:,.0f}"]
        sizes = [f"{built.bytes / size.documents:.1f}", f"{built.bytes / size.text_bytes:.2f}"]
        peaks = [f"{each / MIB:.0f}" for each in (built.peak, max(asking, default=0))]
        whole_rate = f"{size.documents / whole:,.0f}"
        rows.append([name, shown(built.seconds), *rates, whole_rate, *sizes, *peaks])
    none = [""] * (len(header) - 2)
    return table(header, [*rows, *([name, why, *none] for name, why in size.missing.items())])


def _changed(size: Size, changed: Changed) -> Iterator[str]:
    count = sum(map(len, changed.spent.values()))
    yield f"#### danesh after {count:,} commits, each of an entry added, changed or deleted"
    rows = [[deed, _spread(spent)] for deed, spent in changed.spent.items()]
    yield table(["a commit", "ms at p50 / p95 / p99"], rows)
    yield f"The file has {changed.bytes / size.documents:.1f} bytes a document."
    yield from of_answers(changed.answers)


def _by_kind(of: Mapping[str, Mapping[str, T]], cell: Callable[[T], str]) -> list[Row]:
    return [
        [label, *(cell(of[label][kind]) if kind in of[label] else "" for kind in KINDS)]
        for label in LEVELS
        if label in of
    ]


def _spread(seconds: Sequence[float]) -> str:
    return " / ".join(map(shown, percentiles(seconds))) if seconds else ""


def _grown(before: Times | None, after: Times | None) -> str:
    if not (before and after):
        return ""
    return " / ".join(map(shown, growth(before.warm, after.warm)))
