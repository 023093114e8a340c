"""Whole screens, cell by cell, as a terminal that prints cells as they come shows them.

What is expected lies in ``grids/``. After a change that is meant, run the tests once with
``KB_ACCEPT_GRIDS=1`` and look at the difference: each file, printed in a plain xterm, reads as
the app does.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.databases import new_library
from tests.tui.fake_terminal import FakeTerminal

ROOT = Path(__file__).resolve().parents[2]
GRIDS = Path(__file__).with_name("grids")
ACCEPT = bool(os.environ.get("KB_ACCEPT_GRIDS"))

MIXED = """\
شبکه‌های عصبی (RNN و LSTM) در ۲۰ گام، با نرخ 0.5، آموزش می‌بینند: زیان [loss] از 3.2 به 1.8 می‌رسد.

کد `x = a[i] + b(j)` را بخوانید؛ «گرادیان» (یعنی مشتق) از −5 تا 10% است، و O(n^2) می‌ماند.

گام نخست: $\\alpha \\times 2$ را حساب کن. English words (like these) within فارسی stay in order."""
ENGLISH = """\
A recurrent network (شبکهٔ بازگشتی) keeps a state; «حالت» is its Persian name, of size 256.

Its cost is O(T) for T steps."""
DECK = [
    {"id": "mixed", "lang": "fa", "title": "چرا RNN (شبکهٔ بازگشتی) کند است؟", "text": MIXED},
    {"id": "mixed", "lang": "en", "title": "Why is an RNN slow?", "text": ENGLISH},
    {"id": "plain", "lang": "fa", "title": "داده‌های آموزش چند بایت است: 1,024 یا 2^10؟",
     "text": "هر دو یکی است."},
]  # fmt: skip


WRITTEN = [
    {"id": "all", "lang": "en", "title": "What is **it**?", "text": """\
# A *heading*

A [link](https://example.org/), `code`, ~~struck~~ and $a_i*b_j$.

1. one
   - [x] done
   - [ ] to do
2. two

> A quotation
> in two lines

| name | value |
|:-----|------:|
| rate | 0.5 |

```python
x = a[i]
```"""},
    {"id": "all", "lang": "fa", "title": "این **چیست**؟", "text": """\
## سرتیتر

متن با **پررنگ** و `f(x);` و [پیوند](https://example.org/) و $x_i$ است.

- یکی، که از یک خط بلندتر است و خط دومش زیر متن می‌آید و نه زیر نشانهٔ آن در کنار راست
- Adam
  ۱. تو در تو

> نقل قول

| نام | مقدار |
|---|---|
| نرخ $t_1$ | 0.5 |

```python
x = a[i]  # کد
```"""},
]  # fmt: skip


class Scene(NamedTuple):
    """A screen: its size, the interface's language, and once ``ready`` is shown the keys pressed.

    ``words`` are searched for. ``then`` are keys, each pressed once some words are shown.
    """

    name: str
    size: tuple[int, int]
    entry: str = ""
    language: str = "en"
    keys: str = ""
    words: str = ""
    bidi: str = "app"
    ready: str = "deck"
    then: tuple[tuple[str, str], ...] = ()


_RATING = (("↑ ↓", "\r"), ("Space", " "))

SCENES = (
    Scene("list-fa", (80, 24), language="fa"),
    Scene("reading-narrow", (80, 24), "deck/mixed", keys="L", ready="Language"),
    Scene("reading-narrow-fa", (80, 24), "deck/mixed", "fa"),
    Scene("reading-wide-fa", (120, 30), "deck/mixed", "fa"),
    Scene("both", (200, 40), "deck/mixed", keys="b"),
    Scene("logical", (80, 24), "deck/mixed", "fa", bidi="terminal"),
    Scene("search-fa", (80, 24), language="fa", words="شبکهٔ (RNN) 20"),
    Scene("marks-fa", (120, 30), language="fa", words="گرادیان زیان"),
    Scene("help", (100, 40), keys="?", ready="question"),
    Scene("study", (80, 24), keys="s"),
    Scene("study-fa", (80, 24), language="fa", keys="s"),
    Scene("study-rating", (80, 24), keys="s", then=_RATING),
    Scene("study-rating-fa", (80, 24), language="fa", keys="s", then=_RATING),
)
MARKDOWN = (
    Scene("markdown", (80, 36), "written/all", ready="written"),
    Scene("markdown-fa", (80, 36), "written/all", "fa", ready="written"),
    Scene("markdown-slim-fa", (34, 44), "written/all", "fa", ready="written"),
)


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("grids")
    deck = folder / "deck.jsonl"
    deck.write_text("\n".join(json.dumps(line) for line in DECK))
    with new_library(folder / "kb.db") as library:
        library.import_file(deck)
        from kb.model.entry import TextSpan

        start = MIXED.index("نرخ 0.5")
        words = TextSpan("source", "fa", start, start + len("نرخ 0.5"))
        library.own.annotate("deck/mixed", words, "این نرخ (0.5) زیاد است.", verdict="wrong")
    return folder / "kb.db"


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("written")
    deck = folder / "written.jsonl"
    deck.write_text("\n".join(json.dumps(line) for line in WRITTEN))
    with new_library(folder / "kb.db") as library:
        library.import_file(deck)
    return folder / "kb.db"


def terminal(scene: Scene, database: Path) -> FakeTerminal:
    command = [sys.executable, "-m", "kb", "--db", str(database), "tui", "--bidi", scene.bidi]
    environ = {
        **os.environ,
        "KB_LANG": scene.language,
        "PYTHONPATH": str(ROOT),
        "TERM": "xterm-256color",
        "XTERM_VERSION": "XTerm(379)",
        "KB_SETTINGS": str(database.with_name("settings.toml")),
    }
    database.with_name("welcomed").touch()
    return FakeTerminal([*command, *filter(None, [scene.entry])], environ, scene.size)


@pytest.mark.long
@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
def test_a_screen_shows_these_cells(scene: Scene, database: Path) -> None:
    _compare(scene, database)


@pytest.mark.long
@pytest.mark.parametrize("scene", MARKDOWN, ids=lambda scene: scene.name)
def test_markdown_is_laid_out_in_these_cells(scene: Scene, written: Path) -> None:
    _compare(scene, written)


def _compare(scene: Scene, database: Path) -> None:
    expected = GRIDS / f"{scene.name}.txt"
    fake = terminal(scene, database)
    try:
        fake.until_shown(scene.ready)
        fake.send(scene.keys)
        for words, key in scene.then:
            fake.until_shown(words)
            fake.send(key)
        if scene.words:
            fake.search(scene.words)
        if ACCEPT:
            fake.until_still()
            expected.write_text(f"{fake.shown}\n", encoding="utf-8")
        wanted = expected.read_text(encoding="utf-8").rstrip("\n")
        fake.until(lambda: fake.shown == wanted)
    finally:
        fake.close()


def test_the_control_of_these_tests_is_text_that_nobody_turned() -> None:
    logical = (GRIDS / "logical.txt").read_text(encoding="utf-8")
    turned = (GRIDS / "reading-narrow-fa.txt").read_text(encoding="utf-8")
    assert "شبکه" in logical
    assert "شبکه" not in turned
