"""The trust rule: code that came with danesh runs, everything else is asked for."""

from __future__ import annotations

from collections.abc import Container

from kb.errors import Untrusted
from kb.model import Snippet


def check_trust(snippet: Snippet, trusted: Container[str], consent: bool) -> None:
    """Raise `Untrusted` unless the code's own digest is trusted, or the reader consents.

    The digest is compared with those of the installed files, never with the database:
    an imported snippet that takes the name of a bundled one gains nothing.
    """
    if consent or snippet.digest in trusted:
        return
    raise Untrusted(
        f"{snippet.id}: this snippet did not come with danesh, so it was not run",
        "Read its code ('kb show'), and if you trust it run it with --trust.",
    )
