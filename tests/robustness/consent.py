"""Attacks on consent: code from elsewhere that is to run without a yes that showed it."""

from __future__ import annotations

import os
import random
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from unittest.mock import patch

from kb import open_library
from tests.robustness import consent_faces  # noqa: F401  # adds its attacks
from tests.robustness.consent_attacks import ATTACKS
from tests.robustness.consent_control import without
from tests.robustness.consent_ground import TOKEN, Ground
from tests.robustness.trial import Finding, Tally, Trial, kept

_RAN = re.compile(rf"{TOKEN}'?:? 1")
_WRONG = "WRONG "


def attempt(amount: int, seed: int) -> Tally:
    """Try so many attacks, each in turn, and those first that once succeeded."""
    return _attempted(amount, seed, held=True)


def control(amount: int, seed: int) -> Tally:
    """Try them where consent is not asked for, nor files doubted."""
    return _attempted(amount, seed, held=False)


def _attempted(amount: int, seed: int, *, held: bool) -> Tally:
    names = list(ATTACKS)
    before = [(case["attack"], case["seed"]) for case in kept("consent")] if held else []
    # The control tries few, of all kinds: 7 and their number have no factor in common.
    step = 1 if held else 7
    cases = [*before, *((names[n * step % len(names)], seed + n) for n in range(amount))]
    findings = []
    with tempfile.TemporaryDirectory(prefix="consent-") as folder, _home(Path(folder)):
        template = Path(folder, "template.db")
        open_library(template).close()
        for number, (name, chance) in enumerate(cases):
            place = Path(folder, str(number))
            place.mkdir()
            said = _outcome(name, chance, place, template, held=held)
            if said:
                findings.append(Finding(f"{name}: {said}", {"attack": name, "seed": chance}))
    succeeded = len({each.case["attack"] for each in findings})
    figures = {"attacks": str(len(names)), "that succeeded": str(succeeded)}
    return Tally(len(cases), tuple(findings), figures)


def _outcome(name: str, chance: int, place: Path, template: Path, *, held: bool) -> str:
    """Try one attack; say how it succeeded, or nothing."""
    ground = Ground(place, template, random.Random(chance), held)
    os.environ["KB_SETTINGS"] = str(ground.settings)
    # What is accepted of bundled evidence is not to be written into this checkout.
    checkout = patch("kb.service.verify.accept_evidence", lambda *_: None)
    with checkout, nullcontext() if held else without():
        try:
            said = ATTACKS[name](ground)
        except Exception as error:
            if held:
                raise
            return f"it broke ({type(error).__name__})"  # what is unprotected may well break
    if _WRONG in said:
        return said[said.index(_WRONG) + len(_WRONG) :][:200]
    return "it was run" if _RAN.search(said) else ""


@contextmanager
def _home(folder: Path) -> Iterator[None]:
    """Take the machine out: its settings, its database, its language."""
    names = ("KB_SETTINGS", "KB_DB", "KB_LANG", "HOME", "XDG_DATA_HOME", "LC_ALL")
    before = {name: os.environ.pop(name, None) for name in names}
    os.environ |= {"HOME": str(folder), "XDG_DATA_HOME": str(folder / "data"), "LC_ALL": "C.UTF-8"}
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value


TRIAL = Trial(
    name="consent",
    promise="no code from elsewhere runs without a yes that showed it",
    short=len(ATTACKS),
    long=20 * len(ATTACKS),
    run=attempt,
    control=control,
    controls=len(ATTACKS) // 4,
)
