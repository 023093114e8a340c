"""The app's screens on entries that hold a payload in every field."""

from __future__ import annotations

import asyncio
import dataclasses
import random
from collections import Counter
from pathlib import Path

from textual.pilot import Pilot

from kb import Library, open_library
from kb.model.entry import Answer, Entry, Evidence, Snippet
from kb.service.opening import open_base
from kb.service.write import put_entry
from tests.robustness.payloads import FIELDS, PAYLOADS, orders
from tests.robustness.trial import Finding
from tests.tui.conftest import Reader
from tui.app import DaneshApp
from tui.commands import BY_ID
from tui.screens.commanding import Commanding

_KEYS: tuple[tuple[str, ...], ...] = (
    ("j",),
    ("enter",),
    ("tab",),
    ("r",),
    (":verify",),
    (":change-code", "x", ":reset-code"),
    ("escape",),
    (":history",),
    ("escape",),
    (":collections",),
    ("escape",),
    (":tag",),
    ("escape",),
    (":move",),
    ("escape",),
    ("e",),
    ("escape", "enter"),
    ("a",),
    ("escape",),
    ("n",),
    ("escape", "enter"),
    ("f", "enter"),
    ("down",),
    ("escape",),
    ("escape",),
    ("ctrl+p",),
    ("escape",),
    ("question_mark",),
    ("escape",),
    (":direction",),
    ("escape",),
    (":conflicts",),
    ("escape",),
    ("s",),
    ("enter",),
    ("space",),
    ("s",),
    ("escape",),
    ("escape",),
    ("x",),
    ("escape",),
    ("i",),
    ("/", "x"),
    ("escape",),
    (":mark-all",),
    ("d",),
    ("enter",),
    ("u",),
    (":new-program",),
    ("escape",),
    ("slash", "q"),
    ("escape",),
    (":next",),
)
"""What is pressed, and after each of it what the screen holds is looked at."""


def loaded(sign: str, payload: str) -> Entry:
    """Return an entry that holds a payload in every field."""
    text = f"{sign}{payload}"
    own, noted = FIELDS["own note"](f"{sign}o", text), FIELDS["note"](f"{sign}n", text)
    note = dataclasses.replace(
        noted.annotations[0],
        id=f"{text}-a",
        references=(text,),
        evidence=(Evidence(f"{sign}{payload}s", text, 1.0, 2.0),),
    )
    markdown = FIELDS["markdown"](sign, text).answers
    return Entry(
        id=text,
        kind="question",
        collection=f"{text}/{text}",
        question={"en": text, "fa": text, text: text},
        number=text,
        level="H",
        topic=text,
        tags=(text,),
        wording={"en": text},
        answers=(
            *noted.answers,
            Answer("reference", "en", markdown[0].text),
            Answer("source", "fa", text),
        ),
        snippets=(Snippet(f"{text}s", {"en": text}, f"x = 1  # {text}\n", main=True),),
        annotations=(note, *own.annotations),
        related=(text,),
    )


def screens_of(folder: Path, amount: int, seed: int) -> tuple[Counter[str], list[Finding]]:
    """Look at all screens for so many payloads; return what was looked at, and what was wrong."""
    names = random.Random(seed).sample(list(PAYLOADS), min(amount, len(PAYLOADS)))
    counts: Counter[str] = Counter()
    findings: list[Finding] = []
    for number, name in enumerate(names):
        sign = f"s{number:02}z"
        path = folder / f"screens{number}.db"
        open_library(path, bundled=False).close()
        entry = loaded(sign, PAYLOADS[name])
        with open_base(str(path)) as base, base.store.transaction():
            for collection in (entry.collection, "plain"):
                base.store.collections.put(collection, {"en": entry.id})
            put_entry(base, entry, "user")
            put_entry(base, FIELDS["id"](f"{sign}b", "x"), "user")
        with open_library(path) as library:
            findings += asyncio.run(_walked(library, entry.id, sign, name, counts))
    return counts, findings


async def _walked(
    library: Library, id: str, sign: str, name: str, counts: Counter[str]
) -> list[Finding]:
    app = DaneshApp(library, id)
    found = []
    async with app.run_test(size=(150, 50)) as pilot:
        reader = Reader(app, pilot)
        await reader.settle()
        for keys in ((), *_KEYS):
            for key in keys:
                await _pressed(reader, pilot, key)
            wrong = sorted(
                {repr(char) for char in orders(_written(app, sign, counts)) if char != "\t"}
            )
            if wrong:
                said = f"{name}: {type(app.screen).__name__} after {' '.join(keys)}"
                found.append(Finding(f"{said}: {', '.join(wrong)}", [name, list(keys)]))
            if not app.is_running:
                found.append(Finding(f"{name}: the app ended after {' '.join(keys)}"))
                break
    return found


async def _pressed(reader: Reader, pilot: Pilot[None], key: str) -> None:
    screen = reader.app.screen
    if not key.startswith(":"):
        await pilot.press(key)
    elif isinstance(screen, Commanding):
        await screen.perform(BY_ID[key[1:]])
    await reader.settle()


def _written(app: DaneshApp, sign: str, counts: Counter[str]) -> str:
    """Return what the screen's lines hold, and every address that their styles carry."""
    counts["screens"] += 1
    lines = []
    for strip in app.screen._compositor.render_strips():
        counts["cells of screens"] += strip.cell_length
        lines.append(
            "".join(
                segment.text + ((segment.style and segment.style.link) or "") for segment in strip
            )
        )
    text = "\n".join(lines)
    counts["screens that show it"] += sign in text
    return text
