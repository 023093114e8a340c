"""A process that builds an index, or that answers queries and says how long each took.

It needs the standard library and its engine alone. ``build ENGINE LEVEL FOLDER SOURCE`` prints
a line of JSON; ``ask ENGINE LEVEL FOLDER ASKS KIND CLOCK`` answers a line of JSON with another,
and at the end of its input says what it took.
"""

from __future__ import annotations

import gc
import json
import resource
import sys
import time
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any

from tests.bench.scale.asks import Source, lines_of, read_asks

_TINY = 50
"""Documents of the base that a process warms up by: its code is loaded, no cache is filled."""


def build(engine: str, level: str, folder: str, source: str) -> None:
    """Build an index, then a tiny one beside it, and say what the first took."""
    module: Any = import_module(f"tests.bench.scale.engines.{engine}")
    index, files = Path(folder) / "index", Source.of(Path(source))
    index.mkdir(parents=True)
    began = time.perf_counter()
    module.build(files, index, level)
    spent = time.perf_counter() - began
    _say(
        seconds=spent,
        peak=peak(),
        bytes=sum(f.stat().st_size for f in index.rglob("*") if f.is_file()),
    )
    tiny = Source.of(Path(folder) / "tiny-source")
    for whole, few in zip(files[:2], tiny[:2], strict=True):
        few.parent.mkdir(exist_ok=True)
        few.write_text("".join(f"{line}\n" for line in islice(lines_of(whole), _TINY)))
    (Path(folder) / "tiny").mkdir()
    module.build(tiny, Path(folder) / "tiny", level)


def ask(engine: str, level: str, folder: str, asks: str, kind: str, clock: str) -> None:
    """Answer until the input ends: the seconds of queries from one on, or what is found."""
    module: Any = import_module(f"tests.bench.scale.engines.{engine}")
    *queries, spare = read_asks(Path(asks))[kind]
    module.opened(Path(folder) / "tiny", level).prepare(spare)()
    index = module.opened(Path(folder) / "index", level)
    runs = [index.prepare(query) for query in queries]
    now = {"wall": time.perf_counter, "cpu": time.process_time}[clock]
    gc.collect()
    gc.freeze()
    _say(queries=len(runs))
    for what, start, stop in map(json.loads, sys.stdin):
        if what == "found":
            _say(found=[run() for run in runs[start:stop]])
            continue
        seconds = []
        for run in runs[start:stop]:
            began = now()
            run()
            seconds.append(now() - began)
        _say(seconds=seconds)
    _say(peak=peak(), stopped=len(set(index.stopped)))


def peak() -> int:
    """Return the most bytes of memory this process has held, with the largest of its children."""
    whose = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    unit = 1 if sys.platform == "darwin" else 1024
    return unit * sum(resource.getrusage(each).ru_maxrss for each in whose)


def _say(**what: object) -> None:
    print(json.dumps(what), flush=True)


if __name__ == "__main__":
    {"build": build, "ask": ask}[sys.argv[1]](*sys.argv[2:])
