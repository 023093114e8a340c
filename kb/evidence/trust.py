"""The trust rule: code that came with danesh or that the reader wrote runs; for the rest we ask."""

from __future__ import annotations

from collections.abc import Container
from pathlib import Path
from typing import NamedTuple

from kb.errors import Untrusted
from kb.records import Snippet
from kb.settings import settings_path


class Consent(NamedTuple):
    """What may run: code of these digests, and all other where the reader said so.

    ``unsafe`` lets other code run also where it cannot be shut in.
    """

    trusted: Container[str]
    to_all: bool = False
    unsafe: bool = False


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


def trusted_by_reader() -> frozenset[str]:
    """Return the digests of the programs that the reader wrote on this machine.

    They stand beside the settings and never in a database, which may come from anyone.
    """
    path = _reader_file()
    try:
        return frozenset(path.read_text(encoding="utf-8").split())
    except (OSError, UnicodeDecodeError):
        return frozenset()


def trust(code: str) -> None:
    """Let code of this digest run unasked from now on. Raises `OSError`."""
    path = _reader_file()
    if code not in trusted_by_reader():
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8") as file:
            file.write(f"{code}\n")


def _reader_file() -> Path:
    return settings_path().with_name("trusted")
