"""What the app writes to a real terminal: the same kinds of orders, whatever it shows."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest

from kb.service.opening import open_base
from kb.service.write import put_entry
from tests.cli.process import ROOT
from tests.databases import new_library
from tests.robustness.payloads import PAYLOADS, orders
from tests.robustness.screens import loaded
from tests.tui.fake_terminal import FakeTerminal

ORDER = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[ -/]*[0-~])")
STEPS = ("\r", "h", "\x1b", "\x1b[18~")
"""Open, history, back, collections."""
PAYLOAD = "".join(PAYLOADS[name] for name in ("c1 osc", "override", "osc title"))


def walked(folder: Path, payload: str) -> str:
    path = folder / "kb.db"
    new_library(path).close()
    entry = loaded("sign", payload)
    with open_base(str(path)) as base, base.store.transaction():
        base.store.collections.put(entry.collection, {"en": entry.id})
        put_entry(base, entry, "user")
    environ = {**os.environ, "PYTHONPATH": str(ROOT), "KB_DB": str(path), "TERM": "xterm-256color",
               "COLORTERM": "truecolor", "KB_SETTINGS": str(folder / "settings.toml")}  # fmt: skip
    (folder / "welcomed").touch()
    fake = FakeTerminal([sys.executable, "-m", "kb"], environ, (120, 40))
    try:
        fake.until_shown("sign")
        for step in STEPS:
            fake.send(step)
            fake.until_still()
        fake.leave()
        return fake.written
    finally:
        fake.close()


def kinds(written: str) -> set[str]:
    """Return the orders in what was written, without their figures."""
    return {re.sub(r"[0-9;:]+", "N", order) for order in ORDER.findall(written)}


@pytest.mark.long
def test_no_payload_adds_an_order_to_what_the_app_writes(tmp_path: Path) -> None:
    for folder in ("clean", "hostile"):
        (tmp_path / folder).mkdir()
    clean, written = walked(tmp_path / "clean", "x"), walked(tmp_path / "hostile", PAYLOAD)
    assert kinds(written) - kinds(clean) == set()
    assert set(orders(ORDER.sub("", written))) <= set(orders(ORDER.sub("", clean)))
    assert PAYLOAD not in written
    assert "sign" in written
