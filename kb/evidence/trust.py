"""The trust rule: bundled code and the reader's own code run; other code needs consent.

Consent is to the digest of code that was shown, never to a name. Three lists are stored beside the
settings, never in a database: ``trusted`` has the digests of code that runs without asking,
``written`` those of what the reader wrote on this machine, ``synced`` those of the files and
addresses that the reader named to sync with.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from kb.errors import Message, Untrusted
from kb.model.entry import Snippet, digest
from kb.settings import remembered, settings_path
from kb.text.program import forbidden_part


class Consent(NamedTuple):
    """The digests that may run: trusted ones, and those the reader consented to now.

    ``unsafe`` lets the latter run without a sandbox, too.
    """

    trusted: Collection[str]
    given: Collection[str] = ()
    unsafe: bool = False


def check_trust(snippet: Snippet, consent: Consent) -> None:
    """Raise `Untrusted` unless the code's digest is trusted or the reader consents.

    The digest is compared with installed files, never with the database: an imported program
    gains nothing from a bundled name. Code that hides what Python runs is always refused.
    """
    hidden = hides(snippet)
    if hidden:
        raise Untrusted("{reason}; it was not run", "Stored data can still be read.", reason=hidden)
    if snippet.digest not in consent.trusted and snippet.digest not in consent.given:
        raise Untrusted(
            "this program is untrusted, so it was not run",
            "Read its code ('kb show --code'), and if you trust it run it with --trust.",
            place=snippet.id,
        )


def hides(snippet: Snippet) -> str:
    """Return the part of a program that hides what Python runs, or nothing."""
    found = forbidden_part(snippet.code)
    if found is None:
        return ""
    return Message(
        "line {line} of its code has {what}", place=snippet.id, line=found.line, what=found.what
    )


def trusted_by_reader() -> frozenset[str]:
    """Return the digests that run without asking: what the reader wrote here or always allows."""
    return frozenset(line.split()[0] for line in remembered("trusted"))


def trust(digests: Iterable[str]) -> None:
    """Let code of these digests run without asking from now on. Raises `OSError`."""
    known = trusted_by_reader()
    _add("trusted", (digest for digest in digests if digest not in known))


def written_by_reader() -> Mapping[str, str]:
    """Return the digests of what the reader wrote on this machine: programs and annotations.

    Each has the digest of the foreign code that it is based on, or nothing.
    """
    pairs = (line.split() for line in remembered("written"))
    return {digest: next(iter(based_on), "") for digest, *based_on in pairs}


def remember_written(digest: str, based_on: str = "") -> None:
    """Record what the reader wrote, and the foreign code it is based on, if any.

    This does not permit it to run. Raises `OSError`.
    """
    if digest not in written_by_reader():
        _add("written", [f"{digest} {based_on}".rstrip()])


def is_synced(place: str) -> bool:
    """Return whether the reader named this file or address to sync with."""
    return digest(place) in remembered("synced")


def remember_synced(place: str) -> None:
    """Let syncs that name no place use this one from now on. Raises `OSError`."""
    if not is_synced(place):
        _add("synced", [digest(place)])


def _add(name: str, lines: Iterable[str]) -> None:
    fresh = "".join(f"{line}\n" for line in lines)
    path = settings_path().parent / name
    if fresh:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8") as file:
            file.write(fresh)
