"""Nothing from outside reaches the terminal as an order: payloads, fields, commands, screens."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from kb import open_library
from kb.cli.main import COMMANDS
from tests.robustness.forked import told
from tests.robustness.payloads import FIELDS, PAYLOADS, Case, cases, fill, orders
from tests.robustness.screens import screens_of
from tests.robustness.trial import Finding, Tally, Trial

_ESCAPE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[ -/]*[0-~])")


class Asked(NamedTuple):
    """A command line; ``changes`` says that it needs a database of its own."""

    arguments: Sequence[str]
    changes: bool = False


_ALL = len(PAYLOADS) * len(FIELDS)
_WAYS = ((True, ("--color", "always")), (True, ("--json",)), (False, ()), (False, ("--json",)))
"""On a terminal or a pipe, and with what options."""

Ask = Callable[[Case], Iterable[Asked]]


def _of_all(case: Case) -> Iterable[Asked]:
    for each in (
        ["list"],
        ["list", "--hidden"],
        ["info"],
        ["doctor"],
        ["collection", "list"],
        ["log"],
        ["verify"],
        ["resolve"],
        ["prune", "--dry-run"],
        ["search", "what"],
        ["due"],
        ["stats"],
        *(["export", "-f", name] for name in ("json", "jsonl", "jsonld", "md", "csv")),
    ):
        yield Asked(each)


def _of_one(case: Case) -> Iterable[Asked]:
    id = case.entry.id
    for each in (
        ["show", id],
        ["show", id, "--plain"],
        ["show", id, "--all"],
        ["show", id, "--lang", "fa"],
        ["run", id],
        ["search", case.sign, "--explain"],
        ["list", "--collection", case.entry.collection],
        ["history", id],
        ["verify", id],
        ["resolve", id],
        ["study", "--preview", "-c", case.entry.collection],
    ):
        yield Asked(each)
    for each in (
        ["edit", id, "--level", "H"],
        ["edit", id],
        ["tag", id, "+plain2"],
        ["rm", id],
        ["mv", id, "elsewhere"],
        ["unhide", id],
        ["undo"],
        ["redo"],
        ["collection", "rename", case.entry.collection, "other"],
        ["collection", "rm", case.entry.collection],
    ):
        yield Asked(each, changes=True)


def _of_arguments(case: Case) -> Iterable[Asked]:
    text = case.text.replace("\0", "")
    for each in (
        ["show", text],
        ["search", text],
        ["search", f"tag:{text}"],
        [text],
        [f"--{text}"],
        ["list", f"--{text}"],
        ["list", "--lang", text],
        ["list", "--level", text],
        ["list", "--tag", text],
        ["list", "--limit", text],
        ["run", text],
        ["verify", text],
        ["history", text],
        ["log", "--offset", text],
        ["completion", text],
        ["tui", text],
        ["import", text],
        ["import", "-f", text, "x"],
        ["export", "-f", text],
        ["export", "-f", "json", "-o", f"no{text}/x"],
        ["doctor", text],
        ["restore", text],
        ["backup", f"no{text}/x"],
        ["self-test", text],
        ["glossary", "show", text],
        ["glossary", "add", text],
        ["glossary", "learn", text],
        ["--db", f"no{text}/x", "list"],
        ["resolve", text],
        ["sync", f"no{text}/x"],
        ["review", text],
        ["hub", "list", "--course", text, "--hub", "postgresql:///x?host=/nowhere"],
        ["compact", "--days", text],
        ["init", text],
        ["edit", text],
        ["unhide", text],
        ["rebuild", text],
        ["due", text],
        ["stats", text],
        ["study", "-c", text],
        ["study", "--add", text],
        ["undo", text],
    ):
        yield Asked(each)
    for each in (
        ["new", "--question", text, "--answer", text, "--tag", text, "-c", text],
        ["collection", "new", text, "--title", text],
        ["rm", text],
        ["redo", text],
        ["mv", case.entry.id, text],
        ["tag", case.entry.id, f"+{text}", f"-{text}"],
        ["edit", case.entry.id, "--question", text, "--lang", text],
    ):
        yield Asked(each, changes=True)


def _of_files(case: Case, folder: Path) -> Iterable[Asked]:
    """Make files whose names and words are payloads, and ask for them."""
    name = case.text.replace("/", "").replace("\0", "")[:60]
    below = folder / name
    below.mkdir(exist_ok=True)
    line = json.dumps(
        {"id": case.text, "title": case.text, case.text: case.text, "tags": [case.text]}
    )
    for ending, words in {
        "jsonl": f"{line}\n",
        "json": line,
        "md": f"1. {case.text}?\n\n   {case.text}\n\n<{case.text}\n",
        "csv": f"id,{case.text}\n",
        "tsv": f"{case.text}\ta\n",
        "xyz": "",
        "bad.jsonl": f"{case.text}\n",
        "toml": f"{case.text}",
    }.items():
        (below / f"{name}.{ending}").write_text(words, encoding="utf-8", newline="")
    course = below / "course"
    course.mkdir(exist_ok=True)
    said = json.dumps(case.text)
    (course / "collection.toml").write_text(f"order = 1\ntitle = {{ en = {said} }}\n{said} = 1\n")
    (course / f"01-{name}.toml").write_text(f"id = {said}\nlevel = {said}\n{said} = 1\n")
    for ending in ("jsonl", "json", "md", "csv", "xyz", "bad.jsonl"):
        yield Asked(["import", f"{below}/{name}.{ending}"], changes=True)
    for each in (
        ["import", str(below)],
        ["import", "--dry-run", str(below)],
        ["import", "--skip-bad", f"{below}/{name}.bad.jsonl"],
        ["import", str(course)],
        ["glossary", "add", f"{below}/{name}.tsv"],
        ["glossary", "learn", f"{below}/{name}.tsv"],
        ["doctor", str(course)],
        ["export", "-f", "csv", "-o", f"{below}/{name}.out"],
    ):
        yield Asked(each, changes=True)


class _Trying:
    """Runs commands on a database of payloads, and on one of the same entries without them."""

    def __init__(self, folder: Path, amount: int, seed: int) -> None:
        self.folder, self.chosen = folder, cases(min(_ALL, 40 + 8 * amount), seed)
        self.random = random.Random(seed)
        self.databases = {
            clean: folder / f"{'clean' if clean else 'hostile'}.db" for clean in (True, False)
        }
        for clean, path in self.databases.items():
            open_library(path, bundled=False).close()
            fill(path, self.chosen, clean=clean)
        self.known: set[str] = set()
        self.counts: Counter[str] = Counter()
        self.tried: set[str] = set()

    def learn(self) -> None:
        """Take as known what orders a terminal gets where nothing is hostile."""
        signs = [next(c.sign for c in self.chosen if c.field == field) for field in FIELDS]
        shown = [Asked([deed, sign]) for sign in signs for deed in ("show", "search")]
        for asked in (*_of_all(self.chosen[0]), *shown, Asked(["--help"])):
            said = self.said(asked, clean=True, terminal=True, more=["--color", "always"])
            self.known |= set(_ESCAPE.findall(said))

    def said(
        self, asked: Asked, *, terminal: bool, more: Sequence[str] = (), clean: bool = False
    ) -> str:
        database = self.databases[clean]
        if asked.changes:
            database = Path(shutil.copy(database, self.folder / "changed.db"))
        environ = {
            "KB_DB": str(database),
            "HOME": str(self.folder),
            "PATH": os.environ["PATH"],
            "TERM": "xterm-256color",
            "EDITOR": "true",
            "LC_ALL": "C.UTF-8",
        }
        return told([*more, *asked.arguments], environ, terminal=terminal, into=str(self.folder))

    def try_(self, asked: Asked, shown: Sequence[Case]) -> Iterator[Finding]:
        """Ask in all ways, or of one entry in one of them; yield what came that is an order."""
        self.tried |= set(asked.arguments)
        for terminal, more in _WAYS if len(shown) > 1 else self.random.sample(_WAYS, 1):
            said = self.said(asked, terminal=terminal, more=more)
            self.counts["combinations"] += len(shown)
            self.counts["seen in them"] += sum(case.sign in said for case in shown)
            exact = not terminal and asked.arguments[0] == "export"
            if exact and asked.arguments[2:3] in (["md"], ["csv"]):
                continue  # bytes of an export down a pipe are what is stored
            left = said if not terminal else _ESCAPE.sub(self._unknown, said)
            ours = "\t\r" if terminal else "\t"  # a line that says how far work is begins so
            wrong = sorted({repr(char) for char in orders(left) if char not in ours})
            wrong += [
                repr(p)
                for p in PAYLOADS.values()
                if p.strip("\t") and any(set(orders(p)) - {"\t"}) and p in said
            ]
            if wrong:
                way = f"{'terminal' if terminal else 'pipe'} {' '.join(more)}"
                yield Finding(
                    f"kb {' '.join(asked.arguments)[:80]!r} ({way}): {', '.join(wrong)[:100]}",
                    [list(asked.arguments), terminal, list(more)],
                )

    def _unknown(self, found: re.Match[str]) -> str:
        return "" if found[0] in self.known else found[0]


def _commands(trying: _Trying, amount: int) -> Iterator[Finding]:
    trying.learn()
    for asked in _of_all(trying.chosen[0]):
        yield from trying.try_(asked, trying.chosen)
    for case in trying.chosen[:amount]:
        for ask in (_of_one, _of_arguments, lambda case: _of_files(case, trying.folder)):
            for asked in ask(case):
                yield from trying.try_(asked, [case])
    for left in set(COMMANDS) - trying.tried:
        yield Finding(f"kb {left} was not tried")


def _tried(amount: int, seed: int) -> Tally:
    with tempfile.TemporaryDirectory(prefix="kb-terminal-") as name:
        trying = _Trying(Path(name), amount, seed)
        findings = list(_commands(trying, amount))
        counted, found = screens_of(Path(name), max(1, amount // 8), seed)
        figures = {name: f"{count:,}" for name, count in (trying.counts + counted).items()}
        done = trying.counts["combinations"] + counted["screens"]
        return Tally(done, (*findings, *found), figures)


def _unprotected(amount: int, seed: int) -> Tally:
    """Try the same while nothing makes text safe."""
    signs = sys.modules["kb.terminal.terminal"]._SIGNS  # a function of that name hides the module
    kept = dict(signs)
    signs.clear()
    try:
        tally = _tried(amount, seed)
    finally:
        signs.update(kept)
    # What goes wrong here is meant to: it is no case to keep.
    return Tally(tally.done, tuple(Finding(each.said) for each in tally.findings), tally.figures)


TRIAL = Trial(
    name="terminal",
    promise="no order of a payload reaches the terminal, by any field, command or screen",
    short=2,
    long=_ALL,
    run=_tried,
    control=_unprotected,
    controls=1,
)
