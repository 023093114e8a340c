"""Take pictures of the app in real terminals: ``python tests/tui/shots/make.py [NAME…]``.

Needs Debian's xvfb, xterm, lxterminal (a VTE), xdotool, x11-utils, imagemagick and
fonts-dejavu-core. Pictures that tests and documents keep are those in `KEPT`, in xterm; all
others go to a folder that is named at the end, to be looked at. ``make.py film`` records
README's moving picture, `FILM`, and the Persian picture beside it.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
KB = Path(sys.executable).with_name("kb")
KEPT = {"welcome", "run-fa", "code-run"}
KEPT_SIZE = "100x30"
SIZES = ("80x24", KEPT_SIZE, "150x46", "200x60")
THEMES = ("dark", "light")


_EDIT_PROGRAM = ("ctrl+p", *"edit", "space", *"program", "", "Return", "")
_RUN = ("", "r", "", "", "")
_VERIFY_FA = ("U0631", "U0627", "U0633", "U062A", "U06CC")
"""The first letters of that command in Persian."""


PICTURES = HERE.parents[2] / "docs" / "pictures"
FILM_SIZE = "100x30"
FILM = (
    ("", 150),
    ("slash", 50),
    *((key, 12) for key in (*"rnn", "space", *"backpro")),
    ("p", 150),
    ("Return", 80),
    ("Return", 250),
    *(("bracketright", seen) for seen in (70, 70, 400)),
    ("r", 60),
    ("", 500),
)
"""The keys of the moving picture, and how long what follows each is seen, in hundredths.

It searches, opens an entry, goes to what is wrong with its answer, and runs its program. An
empty key waits.
"""
PERSIAN = ("", *("bracketright", "") * 2)
"""The keys of the Persian picture beside it."""


class Shot(NamedTuple):
    """What to open, which keys to press, and in which language the interface speaks.

    A ``new`` reader is welcomed.
    """

    name: str
    entry: str = ""
    keys: tuple[str, ...] = ()
    language: str = "en"
    new: bool = False


SHOTS = (
    Shot("welcome", new=True),
    Shot("welcome-fa", language="fa", new=True),
    Shot("list"),
    Shot("answer", "matrix-chain-three", ()),
    Shot("persian", "batch-norm-epsilon", ("L",)),
    Shot("run", "rnn-backprop-complexity", ("bracketright", *_RUN)),
    Shot("run-fa", "rnn-backprop-complexity", ("bracketright", *_RUN), "fa"),
    Shot("reading-fa", "batch-norm-epsilon", ("bracketright", "bracketright", ""), "fa"),
    Shot("search", "", ("slash", "U0634", "U0628", "U06A9", "U0647", "space", "U0639", "U0635")),
    Shot("filters", "", ("f", "Return", "Tab", "Tab", "Return", "")),
    Shot("reason", "", ("slash", *"shabake", "space", *"asabi")),
    Shot("note", "matrix-chain-three", ("Return", "bracketright", "bracketright")),
    Shot("filters-fa", "", ("f", "Return", ""), "fa"),
    Shot("reason-fa", "", ("slash", *"underflow", ""), "fa"),
    Shot("both", "batch-norm-epsilon", ("b", "")),
    Shot("both-fa", "batch-norm-epsilon", ("b", ""), "fa"),
    Shot("direction", "matrix-chain-three", ("ctrl+p", *"direction", "", "Return", "")),
    Shot(
        "noting",
        "batch-norm-epsilon",
        ("a", "Down", "Right", "shift+Right", "Tab", "Return", "Tab", *"why", ""),
    ),
    Shot(
        "noting-fa",
        "batch-norm-epsilon",
        (
            "a",
            "",
            "Down",
            "Left",
            "shift+Left",
            "shift+Left",
            "U0686",
            "U0631",
            "U0627",
            "",
        ),
        "fa",
    ),
    Shot("code", "matrix-chain-three", _EDIT_PROGRAM),
    Shot(
        "code-run",
        "matrix-chain-three",
        ("bracketright", *_RUN, *_EDIT_PROGRAM),
    ),
    Shot("import", "", ("i", "")),
    Shot("import-fa", "", ("i", ""), "fa"),
    Shot("verified-fa", "matrix-chain-three", ("ctrl+p", *_VERIFY_FA, "", "Return", "", ""), "fa"),
    Shot("card", "preprocessing-bottleneck"),
    Shot("help", "", ("question",)),
    Shot("interface", "rnn-backprop-complexity", ("L",), "fa"),
)


def terminal(kind: str, size: str, command: list[str]) -> list[str]:
    """Return the command that opens a program in a terminal of this kind."""
    if kind == "xterm":
        name = ["xterm", "-tn", "xterm-256color", "-fa", "DejaVu Sans Mono", "-fs", "10"]
        return [*name, "-geometry", size, "-e", *command]
    return ["lxterminal", "--no-remote", f"--geometry={size}", "-e", " ".join(command)]


def run(*command: str) -> str:
    """Run a program on the virtual screen and return its output."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout


@contextmanager
def screen() -> Iterator[None]:
    """Hold a virtual screen open, of a number that nobody else has."""
    reading, writing = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1600x1000x24"],
        pass_fds=(writing,),
        stderr=subprocess.DEVNULL,
    )
    try:
        os.environ["DISPLAY"] = f":{os.read(reading, 16).decode().strip()}"
        yield
    finally:
        server.terminate()
        server.wait()


def still(path: Path) -> None:
    """Take a picture once the screen stands still."""
    before = b""
    for _ in range(40):
        time.sleep(0.5)
        run("import", "-window", "root", str(path))
        now = path.read_bytes() if path.exists() else b""
        if now and now == before:
            return
        before = now


@contextmanager
def opened(command: list[str], environment: dict[str, str], path: Path) -> Iterator[None]:
    """Hold a terminal open that has been drawn and gets the keys."""
    process = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)
    try:
        still(path)
        window = run("xdotool", "search", "--onlyvisible", "--name", ".").split()[-1:]
        run("xdotool", "windowfocus", *window)
        time.sleep(1)
        yield
    finally:
        process.kill()
        process.wait()


def surroundings(folder: Path, language: str, theme: str) -> dict[str, str]:
    """Return the environment of a reader with a database and settings of their own."""
    return {
        **os.environ,
        "KB_LANG": language,
        "KB_DB": str(folder / "kb.db"),
        "LC_ALL": "C.UTF-8",
        "COLORTERM": "truecolor",
        "XDG_CONFIG_HOME": str(folder),
        "KB_SETTINGS": str(folder / theme / "settings.toml"),
    }


def record(folder: Path) -> None:
    """Record the moving picture: a frame after each key, below 2 MB with what they share."""
    frames = []
    command = terminal("xterm", FILM_SIZE, [str(KB)])
    with opened(command, surroundings(folder, "en", "dark"), folder / "before.png"):
        for number, (key, shown) in enumerate(FILM):
            run("xdotool", "key", key) if key else None
            frame = folder / f"frame{number:03}.png"
            still(frame) if shown >= 100 else snap(frame)
            frames += ["-delay", str(shown), str(frame)]
    PICTURES.mkdir(exist_ok=True)
    run("convert", "-loop", "0", *frames, "+dither", "-colors", "64", "-trim", "+repage",
        "-layers", "optimize", str(PICTURES / "app.gif"))  # fmt: skip


def snap(path: Path) -> None:
    """Take a picture a moment after a key."""
    time.sleep(0.4)
    run("import", "-window", "root", str(path))


def take(kind: str, size: str, theme: str, shot: Shot, folder: Path, path: Path) -> None:
    """Open the app in a terminal, press the keys, and keep what is seen."""
    welcomed = folder / theme / "welcomed"
    if shot.new:
        welcomed.unlink(missing_ok=True)
    else:
        welcomed.touch()
    command = terminal(kind, size, [str(KB), "tui", shot.entry] if shot.entry else [str(KB)])
    with opened(command, surroundings(folder, shot.language, theme), path):
        for key in shot.keys:
            run("xdotool", "key", key) if key else time.sleep(1)
            time.sleep(0.1)
        still(path)
        run("convert", str(path), "-trim", "+repage", "+dither", "-colors", "200", f"png8:{path}")


def main() -> None:
    """Take the pictures that are named, or all."""
    wanted = set(sys.argv[1:]) or {shot.name for shot in SHOTS}
    folder = Path(tempfile.mkdtemp(prefix="danesh-shots-"))
    (folder / "lxterminal").mkdir()
    (folder / "lxterminal" / "lxterminal.conf").write_text(
        "[general]\nfontname=DejaVu Sans Mono 10\nhidescrollbar=true\nhidemenubar=true\n"
    )
    for theme in THEMES:
        (folder / theme).mkdir()
        (folder / theme / "settings.toml").write_text(f'theme = "{theme}"\n')
        (folder / theme / "welcomed").touch()
    run(str(KB), "--db", str(folder / "kb.db"), "init")
    with screen():
        if "film" in wanted:
            record(folder)
            shot = Shot("app-fa", "batch-norm-epsilon", PERSIAN, "fa")
            take("xterm", FILM_SIZE, "dark", shot, folder, PICTURES / "app-fa.png")
        for shot in SHOTS:
            if shot.name not in wanted:
                continue
            for kind, theme, size in product(("xterm", "vte"), THEMES, SIZES):
                path = folder / f"{kind}-{size}-{theme}-{shot.name}.png"
                take(kind, size, theme, shot, folder, path)
                if (kind, size, theme) == ("xterm", KEPT_SIZE, "dark") and shot.name in KEPT:
                    (HERE / f"{shot.name}.png").write_bytes(path.read_bytes())
    print(folder)


if __name__ == "__main__":
    main()
