"""The protections of consent, taken away: what then happens shows that the attacks are ones."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from kb.model.entry import Snippet
from kb.service.base import Base
from kb.service.programs import named_program


def _any_program(base: Base, name: str) -> Snippet:
    """Return the program of a name, whatever entry is called so."""
    found = base.store.snippets.get([name.removesuffix(".py")])
    return next(iter(found.values()), None) or named_program(base, name)


_TAKEN = (
    ("kb.service.programs.named_program", _any_program),
    ("kb.service.programs.named_program", _any_program),
    ("kb.service.programs.clean_names", lambda *_: ()),
    ("kb.service.programs.check_trust", lambda *_: None),
    ("kb.service.verify.check_trust", lambda *_: None),
    ("kb.service.importing.claims.Claims.examined", lambda self, batch, file: batch),
)


def take_away() -> None:
    """Take the protections away for the rest of this process."""
    for name, without in _TAKEN:
        patch(name, without).start()


@contextmanager
def without() -> Iterator[None]:
    """Take the protections away for a while."""
    patches = [patch(name, other) for name, other in _TAKEN]
    for each in patches:
        each.start()
    try:
        yield
    finally:
        for each in patches:
            each.stop()
