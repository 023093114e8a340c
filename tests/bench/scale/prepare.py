"""Makes the files of a size, in a process of its own: documents, their terms, the queries.

``python -m tests.bench.scale.prepare documents DATA FOLDER SIZE MORE`` prints a line of JSON;
``asks DATA FOLDER FILE MOST`` draws the queries by the documents of a folder.
"""

from __future__ import annotations

import json
import lzma
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import IO, Any

from tests.bench.scale.asks import Source, lines_of, write_asks
from tests.bench.scale.drawing import draw
from tests.terms import index_text

_NAMES = ("large/docs.jsonl", "docs.jsonl", "large/docs.jsonl.xz", "docs.jsonl.xz")
_KEYS = ("id", "lang", "title", "text")

_LOOKED_AT = 100_000
"""So many documents are asked whether a phrase stands in one."""


def main(data: str, folder: str, size: str, more: str) -> None:
    """Write the files of a size, and say how large the texts are and how long analysis took."""
    source = Source.of(Path(folder))
    with closing(documents(Path(data))) as rows:
        written = _write(source, islice(rows, int(size)))
        with closing(documents(Path(data))) as again, _writing(source.more) as out:
            out.writelines(f"{_line(row)}\n" for row in islice(chain(rows, again), int(more)))
    print(json.dumps(written))


def ask(data: str, folder: str, asks: str, most: str) -> None:
    """Write at most so many queries of each kind, and one more to warm up by."""
    rows = partial(lines_of, Source.of(Path(folder)).terms, _LOOKED_AT)
    large = Path(data) / "large" if (Path(data) / "large").is_dir() else Path(data)
    questions, log = _texts(large / "queries.jsonl"), _texts(large / "queries_fa_log.jsonl")
    write_asks(Path(asks), draw(questions, log, rows, int(most) + 1))


def documents(data: Path) -> Iterator[dict[str, Any]]:
    """Yield the documents of a folder of data."""
    file = next(data / name for name in _NAMES if (data / name).exists())
    with (lzma.open if file.suffix == ".xz" else open)(file, "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            yield {key: row.get(key) or "" for key in _KEYS}


def _write(source: Source, rows: Iterator[dict[str, Any]]) -> dict[str, float]:
    count = size = 0
    spent = 0.0
    with _writing(source.docs) as docs, _writing(source.terms) as terms:
        for row in rows:
            began = time.perf_counter()
            both = [index_text(row[key], row["lang"]) for key in ("title", "text")]
            spent += time.perf_counter() - began
            docs.write(f"{_line(row)}\n")
            terms.write(f"{' '.join(filter(None, both))}\n")
            count += 1
            size += len(row["title"].encode()) + len(row["text"].encode())
    return {"documents": count, "text_bytes": size, "analysis": spent}


def _writing(file: Path) -> IO[str]:
    return file.open("w", encoding="utf-8", newline="\n")


def _line(row: dict[str, Any]) -> str:
    return json.dumps(row, ensure_ascii=False)


def _texts(file: Path) -> list[str]:
    return [json.loads(line)["text"] for line in lines_of(file)]


if __name__ == "__main__":
    {"documents": main, "asks": ask}[sys.argv[1]](*sys.argv[2:])
