"""How fast exercises follow each other in the app: ``python -m tests.bench.studying``.

Prints milliseconds, p50 and p95, from a key to the screen it shows, and the processor time of all
that the key sets off, which a busy machine does not change:

``answer``  from the key that says how sure one is to the answer
``next``    from a rating to the next exercise, the rating stored meanwhile

Fails when a p50 is above 33 ms.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.bench.app import _spread
from tests.bench.startup import environment
from tests.bench.surroundings import parser, surroundings
from tests.bench.terminal import LINES, Terminal

_MOST = 33.0
_PAUSE = 0.7
_SURE, _KNOWN = "How sure are you?", "How well did you know it?"


def main() -> int:
    """Measure, print the table, and fail above the promise."""
    options = parser(__doc__)
    options.add_argument("--exercises", type=int, default=30, metavar="N")
    count = options.parse_args().exercises
    times: dict[str, list[float]] = {"answer": [], "next": []}
    work: dict[str, list[float]] = {"answer": [], "next": []}
    with tempfile.TemporaryDirectory() as folder:
        settings = Path(folder, "settings.toml")
        settings.write_text(f"study_new = {count + 5}\n")
        kb = (sys.executable, "-m", "kb", "--db", str(Path(folder, "kb.db")))
        environ = {**environment(), "KB_SETTINGS": str(settings)}
        subprocess.run([*kb, "init"], check=True, env=environ)
        with Terminal((*kb, "tui"), environ) as terminal:
            terminal.wait(lambda screen: any("earch" in row for row in screen.rows(0, 2)))
            for key in ("\x1b", "s", "\r"):
                time.sleep(3 * _PAUSE)
                terminal.type(key)
            time.sleep(3 * _PAUSE)
            for number in range(2 * count):
                name, key, awaited = [("answer", " ", _KNOWN), ("next", "3", _SURE)][number % 2]
                list(terminal.look())
                before, sent = terminal.work(), terminal.type(key)
                time.sleep(_PAUSE)
                work[name].append(terminal.work() - before)
                times[name].append(
                    next(
                        when - sent
                        for when, screen in terminal.look()
                        if any(awaited in row for row in screen.rows(0, LINES))
                    )
                )
    print(f"{surroundings()}; {count} exercises, p50 / p95\n")
    print("| | ms | processor, ms |\n|---|---|---|")
    for name, found in times.items():
        shown, worked = (" / ".join(f"{n:.1f}" for n in _spread(s)) for s in (found, work[name]))
        print(f"| {name} | {shown} | {worked} |")
    return int(any(_spread(found)[0] > _MOST for found in times.values()))


if __name__ == "__main__":
    sys.exit(main())
