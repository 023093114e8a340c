"""Running programs: those that are kept, and what a reader has typed."""

from __future__ import annotations

import threading
from collections.abc import Callable

from kb.content.location import bundled_folder
from kb.content.snippets import trusted_digests
from kb.evidence.runner import Limits, check_level, run_snippet, sandbox_level
from kb.evidence.trust import Consent, check_trust, trusted_by_reader
from kb.records import Outcome, Snippet
from kb.service.base import Base
from kb.service.guard import clean, door, within_reason
from kb.service.read import Read

OnOutput = Callable[[str, str], None]
"""Is told the stream (stdout, stderr) and the text a program wrote, as it comes."""


class Run:
    """What a reader runs."""

    def __init__(self, base: Base) -> None:
        self._base = base

    @door
    def run(
        self,
        name: str,
        *,
        timeout: float = 10.0,
        memory: int = 1024,
        trust: bool = False,
        unsafe_run: bool = False,
        on_output: OnOutput | None = None,
        stop: threading.Event | None = None,
    ) -> Outcome:
        """Run a snippet, or the main snippet of an entry, in a process of its own.

        ``timeout`` in seconds, ``memory`` in MiB. Raises `Untrusted` for code that did not
        come with danesh unless ``trust``, and where programs cannot be shut in also unless
        ``unsafe_run``; `NotFound` where there is no such snippet.
        """
        snippet = Read(self._base).snippet(name)
        agreed = consent(trust, unsafe_run)
        check_trust(snippet, agreed)
        check_level(snippet, agreed)
        return run_snippet(snippet, Limits(*within_reason(timeout, memory)), on_output, stop)

    @door
    def sandbox_level(self) -> str:
        """Return how far programs are shut in here: strong, good or limits-only."""
        return sandbox_level().level

    @door
    def run_code(
        self,
        code: str,
        *,
        name: str = "code",
        timeout: float = 10.0,
        memory: int = 1024,
        on_output: OnOutput | None = None,
        stop: threading.Event | None = None,
    ) -> Outcome:
        """Run code that the reader typed, as `run` does; the caller vouches for it.

        ``name`` is what the outcome calls it.
        """
        snippet = Snippet(clean("a name", name), {}, clean("code", code))
        return run_snippet(snippet, Limits(*within_reason(timeout, memory)), on_output, stop)


def consent(trust: bool, unsafe_run: bool = False) -> Consent:
    """Return what may run: what came with danesh, what the reader wrote, or all."""
    known = trusted_digests(bundled_folder() / "snippets") | trusted_by_reader()
    return Consent(known, trust, unsafe_run)
