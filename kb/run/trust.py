"""The trust rule: code that came with danesh runs, everything else is asked for."""

from __future__ import annotations

from collections.abc import Container
from typing import NamedTuple

from kb.errors import Untrusted
from kb.model import Snippet


class Consent(NamedTuple):
    """What may run: code of these digests, and all other where the reader said so."""

    trusted: Container[str]
    to_all: bool = False


def check_trust(snippet: Snippet, consent: Consent) -> None:
    """Raise `Untrusted` unless the code's own digest is trusted, or the reader consents.

    The digest is compared with those of the installed files, never with the database:
    an imported snippet that takes the name of a bundled one gains nothing.
    """
    if consent.to_all or snippet.digest in consent.trusted:
        return
    raise Untrusted(
        f"{snippet.id}: this snippet did not come with danesh, so it was not run",
        "Read its code ('kb show'), and if you trust it run it with --trust.",
    )
