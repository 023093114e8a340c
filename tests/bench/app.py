"""How the app answers with a large library: ``python -m tests.bench.app --data PATH``.

Prints one table. kb runs in a pseudo-terminal on two databases: the bundled entries alone, and
beside them ``--documents`` texts imported from ``PATH/large/docs.jsonl.xz``. An empty Textual
app with an input is the rival. All do the same in turn, so what counts is the ratio.

``first screen``  from the start to the first frame, as `tests.bench.startup` has it
``list``          from the start to the first row of the list
``letter``        from a key to its letter on the screen, while questions are typed in English
                  and Persian, 80 to 300 ms between keys; the search goes on meanwhile
``hits``          from the last key of what was typed to the last change of the list
``idle``          processor time after that, while nobody types; Textual's cursor blinks, ours
                  does so for ten seconds
``memory``        what lies in memory after all that

Fails when a figure is above what is promised, or when something never came to the screen.
"""

from __future__ import annotations

import argparse
import json
import lzma
import random
import re
import subprocess
import sys
import tempfile
import time
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from statistics import median, quantiles
from typing import NamedTuple

from tests.bench.startup import BIN, EMPTY_APP, environment
from tests.bench.surroundings import parser, surroundings
from tests.bench.terminal import Screen, Terminal

KB, BUNDLED, EMPTY = "kb", "kb, bundled entries", "an empty Textual app"
_BETWEEN_KEYS = (0.08, 0.3)
_PAUSE = 1.5
_EMPTY_THE_INPUT = "\x15"  # Ctrl+U
_INPUT, _LIST = (0, 2), (3, 38, 40)  # the lines and columns where they stand
_BESIDE_INPUT = re.compile(r"danesh|of [\d,]+ verified")
_TYPED = re.compile(r"[^\W\d_]+(?: [^\W\d_]+){2}")  # three words that no input shows otherwise
_MILLISECONDS = 1000.0


class Row(NamedTuple):
    """Figures of kb beside a rival's, the last of which is held to a promise, if there is one.

    ``times`` is the most that the ratio may be, ``most`` the most that kb's figure may be.
    """

    name: str
    ours: Sequence[float]
    rival: str
    theirs: Sequence[float]
    times: float | None = None
    most: float | None = None

    @property
    def ratio(self) -> float:
        """Ours to theirs."""
        return self.ours[-1] / self.theirs[-1]

    @property
    def kept(self) -> bool:
        """Whether kb does what is promised."""
        return self.ratio <= (self.times or self.ratio) and self.ours[-1] <= (
            self.most or self.ours[-1]
        )


class Answers(NamedTuple):
    """What came of typing, in seconds: to each letter, and to the last change of the list."""

    letters: list[float]
    hits: list[float]


def main() -> int:
    """Measure, print the table, and fail where a promise is broken."""
    options = _options()
    sys.setswitchinterval(0.0005)  # the threads that read must not wait for what looks
    with tempfile.TemporaryDirectory() as folder:
        apps = _apps(Path(folder), options)
        rows = [*_starting(apps, options.runs), *_using(apps, options)]
    print(f"{surroundings()}; {options.documents} documents; of two figures p50 / p95\n")
    print("| | kb | beside | | ratio | at most |\n|---|---|---|---|---|---|")
    for row in rows:
        ours, theirs = (" / ".join(f"{n:.1f}" for n in side) for side in (row.ours, row.theirs))
        promise = f"{row.times:g} times" if row.times else f"{row.most:g}" if row.most else ""
        told = promise if row.kept else f"{promise}: broken"
        print(f"| {row.name} | {ours} | {row.rival} | {theirs} | {row.ratio:.2f} | {told} |")
    return int(not all(row.kept for row in rows))


def _starting(apps: Mapping[str, App], runs: int) -> Iterator[Row]:
    """Start the apps in turn, after one start of each to warm up."""
    screens: dict[str, list[float]] = {name: [] for name in apps}
    lists: dict[str, list[float]] = {name: [] for name in apps}
    for run in range(runs + 1):
        for name, app in apps.items():
            with Terminal(*app) as terminal:
                screen = terminal.wait(_has_input) - terminal.began
                listed = terminal.wait(_has_list) - terminal.began if name != EMPTY else 0.0
            if run:
                screens[name].append(screen * _MILLISECONDS)
                lists[name].append(listed * _MILLISECONDS)
    shown = {name: [median(times)] for name, times in screens.items()}
    yield Row("first screen, ms", shown[KB], EMPTY, shown[EMPTY], times=1.3)
    yield Row("first screen, ms", shown[BUNDLED], EMPTY, shown[EMPTY], times=1.3)
    yield Row("list, ms", [median(lists[KB])], BUNDLED, [median(lists[BUNDLED])])


def _using(apps: Mapping[str, App], options: argparse.Namespace) -> Iterator[Row]:
    """Type questions into the apps in turn, then leave them alone."""
    with ExitStack() as stack:
        terminals = {n: stack.enter_context(Terminal(*app)) for n, app in apps.items()}
        for name, terminal in terminals.items():
            terminal.wait(_has_list if name != EMPTY else _has_input)
            terminal.type("/" if name != EMPTY else "")
        time.sleep(_PAUSE)
        answers = {name: Answers([], []) for name in apps}
        for text in _texts(options.data / "large" / "queries.jsonl", options.questions):
            for name, terminal in terminals.items():
                _type(terminal, text, answers[name])
        before = {name: terminal.work() for name, terminal in terminals.items()}
        time.sleep(options.idle)
        worked = {n: terminal.work() - before[n] for n, terminal in terminals.items()}
        memory = {n: [terminal.memory()] for n, terminal in terminals.items()}
    idle = {n: [seconds / options.idle * _MILLISECONDS] for n, seconds in worked.items()}
    letters = {name: _spread(each.letters) for name, each in answers.items()}
    hits = {name: _spread(answers[name].hits) for name in (KB, BUNDLED)}
    yield Row("letter, ms", letters[KB], EMPTY, letters[EMPTY], most=33)
    yield Row("hits, ms", hits[KB], BUNDLED, hits[BUNDLED])
    yield Row("idle, ms a second", idle[KB], EMPTY, idle[EMPTY], times=1)
    yield Row("memory, MiB", memory[KB], BUNDLED, memory[BUNDLED], times=1.5)


def _type(terminal: Terminal, text: str, answers: Answers) -> None:
    """Type a text key by key, and note when its letters and what it finds came to the screen."""
    rows = [screen.rows(*_LIST) for _, screen in terminal.look()][-1:]
    sent = []
    hand = random.Random(text)
    for end, key in enumerate(text, 1):
        sent.append((terminal.type(key), text[:end]))
        time.sleep(hand.uniform(*_BETWEEN_KEYS))
    time.sleep(_PAUSE)
    awaited = [(when, _letters(typed)) for when, typed in sent if typed[-1] != " "]
    changed = 0.0
    for when, screen in terminal.look():
        shown = [_letters(_BESIDE_INPUT.sub("", row)) for row in screen.rows(*_INPUT)]
        come = max((n for n, (_, typed) in enumerate(awaited, 1) if typed in shown), default=0)
        answers.letters.extend(when - key for key, _ in awaited[:come])
        del awaited[:come]
        if [screen.rows(*_LIST)] != rows:
            rows, changed = [screen.rows(*_LIST)], when
    if awaited:
        raise TimeoutError(f"not all of '{text}' came to the screen")
    if changed > sent[-1][0]:
        answers.hits.append(changed - sent[-1][0])
    terminal.type(_EMPTY_THE_INPUT)
    time.sleep(_PAUSE)


def _has_input(screen: Screen) -> bool:
    return any("earch" in row for row in screen.rows(*_INPUT))


def _has_list(screen: Screen) -> bool:
    # A frame is there before what it holds.
    return any(char.isalpha() for row in screen.rows(*_LIST) for char in row)


def _letters(text: str) -> list[str]:
    """Return the letters of a text, however they are turned and joined."""
    return sorted(char for char in unicodedata.normalize("NFKC", text) if char.isalpha())


def _spread(values: Sequence[float]) -> list[float]:
    """Return in milliseconds what half of the values, and what 95 of 100 stay below."""
    hundredths = quantiles([value * _MILLISECONDS for value in values], n=100, method="inclusive")
    return [hundredths[49], hundredths[94]]


class App(NamedTuple):
    """What starts an app, and its environment."""

    command: tuple[str, ...]
    environ: Mapping[str, str]


def _apps(folder: Path, options: argparse.Namespace) -> dict[str, App]:
    """Make the databases and return the apps."""
    kb = str(BIN / "kb")
    environ = {**environment(), "KB_SETTINGS": str(folder / "none.toml")}
    small, large = folder / "small.db", options.database or folder / "large.db"
    subprocess.run([kb, "--db", small, "init"], check=True, env=environ)
    if not large.exists():
        file = folder / "large.jsonl"
        with lzma.open(options.data / "large" / "docs.jsonl.xz", "rb") as lines:
            file.write_bytes(b"".join(islice(lines, options.documents)))
        importing = [kb, "--db", large, "import", "--collection", "large", file]
        subprocess.run(importing, check=True, env=environ)
    return {
        KB: App((kb,), {**environ, "KB_DB": str(large)}),
        BUNDLED: App((kb,), {**environ, "KB_DB": str(small)}),
        EMPTY: App((sys.executable, "-c", EMPTY_APP), environ),
    }


def _texts(file: Path, most: int) -> list[str]:
    """Return beginnings of questions, as many in English as in Persian, in turn."""
    found: dict[str, list[str]] = {"en": [], "fa": []}
    with file.open(encoding="utf-8") as lines:
        for question in map(json.loads, lines):
            typed = _TYPED.match(question["text"].lower())
            if typed and question["lang"] in found:
                found[question["lang"]].append(typed[0])
    return [text for pair in islice(zip(*found.values(), strict=False), most) for text in pair]


def _options() -> argparse.Namespace:
    made = parser(__doc__)
    made.add_argument("--documents", type=int, default=100_000, metavar="N")
    made.add_argument(
        "--database", type=Path, metavar="PATH", help="use this one, or make it there"
    )
    made.add_argument("--runs", type=int, default=15, metavar="N", help="starts of each app")
    made.add_argument("--questions", type=int, default=10, metavar="N", help="of each language")
    made.add_argument("--idle", type=float, default=10.0, metavar="SECONDS")
    return made.parse_args()


if __name__ == "__main__":
    sys.exit(main())
