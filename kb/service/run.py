"""Running programs: those that are kept, and what a reader has typed."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable

from kb.errors import Untrusted
from kb.evidence.runner import Limits, check_level, run_snippet, sandbox_level
from kb.evidence.trust import check_trust
from kb.records import Outcome
from kb.service.base import Base
from kb.service.guard import clean, clean_names, door, within_reason
from kb.service.naming import named_program
from kb.service.programs import consent, typed_program

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
        yes: Iterable[str] = (),
        unsafe_run: bool = False,
        on_output: OnOutput | None = None,
        stop: threading.Event | None = None,
    ) -> Outcome:
        """Run a snippet, or the main snippet of an entry, in a process of its own.

        ``timeout`` in seconds, ``memory`` in MiB. Raises `Untrusted` for code that did not
        come with danesh unless its digest is among those that the reader said ``yes`` to, or
        ``trust`` says so of whatever the name means, and where programs cannot be shut in also
        without ``unsafe_run``; `NotFound` where there is no such
        snippet, `Conflict` where the name means several.
        """
        given = frozenset(clean_names("digests", yes))
        snippet = named_program(self._base, clean("a program", name))
        if given and snippet.digest not in given:
            raise Untrusted(
                "its code is not what was shown any more, so it was not run",
                "Read it again.",
                place=snippet.id,
            )
        allowed = consent([snippet.digest] if trust else given, unsafe=unsafe_run)
        check_trust(snippet, allowed)
        check_level(snippet, allowed)
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
        begun_from: str | None = None,
        timeout: float = 10.0,
        memory: int = 1024,
        yes: Iterable[str] = (),
        unsafe_run: bool = False,
        on_output: OnOutput | None = None,
        stop: threading.Event | None = None,
    ) -> Outcome:
        """Run code that the reader typed, as `run` does.

        ``begun_from`` is the code that the reader's changes began with, if it was any: what is
        made of code that may not run asks as that does. ``name`` is what the outcome calls it.
        """
        typed = typed_program(self._base, code, name, begun_from)
        allowed = consent(clean_names("digests", yes), unsafe=unsafe_run)
        if not typed.foreign:
            allowed = allowed.trusting(typed.snippet.digest)
        check_trust(typed.snippet, allowed)
        check_level(typed.snippet, allowed)
        return run_snippet(typed.snippet, Limits(*within_reason(timeout, memory)), on_output, stop)
