"""A process that adds, changes and deletes entries, each in a commit of its own.

``python -m tests.bench.scale.changes FOLDER SOURCE COUNT`` prints a line of JSON: the seconds
of each commit by what it did, and the size of the file.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path

from kb.model.draft import Amendment, Draft
from tests.bench.engines import COLLECTION
from tests.bench.scale.asks import Source, lines_of
from tests.bench.scale.engines.danesh import library_in

_TITLE = 60  # characters of a text that its title is made of: titles of poems are all alike


def main(folder: str, source: str, count: str) -> None:
    """Take turns: an entry that comes after those of the base, a changed text, a deleted one."""
    files, spent = Source.of(Path(source)), {"add": [], "change": [], "delete": []}
    rows = [json.loads(line) for line in lines_of(files.more, int(count) // 3)]
    base = [(each["id"], each["lang"]) for each in map(json.loads, lines_of(files.docs))]
    chosen = random.Random(3).sample(base, 2 * len(rows))
    with library_in(Path(folder)) as library:
        for row, (changed, spoken), (deleted, _) in zip(
            rows, chosen[::2], chosen[1::2], strict=True
        ):
            lang, text = row["lang"], row["text"]
            draft = Draft({lang: text[:_TITLE]}, {"source": {lang: text}}, collection=COLLECTION)
            _clock(spent["add"], lambda draft=draft: library.edit.new(draft))
            amended = (f"{COLLECTION}/{changed}", Amendment(answer=text, lang=spoken))
            _clock(spent["change"], lambda amended=amended: library.edit.amend(*amended))
            gone = [f"{COLLECTION}/{deleted}"]
            _clock(spent["delete"], lambda gone=gone: library.edit.remove(gone))
    size = sum(file.stat().st_size for file in Path(folder).iterdir())
    print(json.dumps({"spent": spent, "bytes": size}))


def _clock(spent: list[float], deed: Callable[[], object]) -> None:
    began = time.perf_counter()
    deed()
    spent.append(time.perf_counter() - began)


if __name__ == "__main__":
    main(*sys.argv[1:])
