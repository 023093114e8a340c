"""Programs and evidence run in threads, once the reader has said yes to what needs one."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from textual.message_pump import MessagePump

from kb.errors import Untrusted
from kb.i18n import N_, _
from tui.messages import (
    ConsentAsked,
    OutputArrived,
    Proved,
    RunEnded,
    Verified,
    VerifyAsked,
)
from tui.phrases import error_sentence
from tui.session import LONG, Session, Tell, cancelled, following

if TYPE_CHECKING:
    from kb.model import Outcome, Program

REFUSED = N_("Not run: this code came from elsewhere, and it runs only after your yes.")


class Answer(NamedTuple):
    """The digests of the code that was shown and may run: now, or ``always``; none for a no."""

    yes: frozenset[str] = frozenset()
    always: bool = False


class Started(NamedTuple):
    """A program of an entry that is to run, or the code that the reader made of it.

    ``begun_from`` is the code that the changes began with.
    """

    entry: str
    snippet: str
    code: str | None = None
    begun_from: str | None = None

    @property
    def name(self) -> str:
        """The program as the library knows it, whatever else has its name."""
        return f"{self.entry}::{self.snippet}"


class Running:
    """What starts programs for a pane, on the threads of a session."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._library = session.library

    def run(
        self,
        to: MessagePump,
        started: Started,
        answer: Answer,
        number: int,
        stop: threading.Event,
    ) -> None:
        """Run a program → `OutputArrived` as it writes, then `RunEnded`.

        What a kept program has proved is remembered → `Proved`.

        One that needs a yes, and has none by ``answer``, ends at once → `ConsentAsked`.
        """

        def work(tell: Tell) -> None:
            def arrived(stream: str, text: str) -> None:
                if cancelled():
                    stop.set()
                tell(OutputArrived(number, stream, text))

            try:
                outcome = self._run(started, answer, on_output=arrived, stop=stop)
            except Untrusted as error:
                programs = self._needing(started)
                refusal = _(REFUSED) if programs else _(error.message)
                tell(RunEnded(number, None, refusal))
                if programs:
                    tell(ConsentAsked(number, programs))
            except Exception as error:
                tell(RunEnded(number, None, error_sentence(error)))
                raise
            else:
                tell(RunEnded(number, outcome))
                if started.code is None:
                    results = self._library.judge_run(started.name, outcome)
                    if results:
                        tell(Proved(started.entry, all(each.stored for each in results)))

        self._session.start(to, work, "run", exclusive=True)

    def _run(self, started: Started, answer: Answer, **options: Any) -> Outcome:
        if answer.always:
            self._library.programs.allow(answer.yes)
        if answer.yes:
            options["yes"] = answer.yes
        if started.code is None:
            return self._library.run(started.name, **options)
        return self._library.run_code(
            started.code, name=started.snippet, begun_from=started.begun_from, **options
        )

    def _needing(self, started: Started) -> Sequence[Program]:
        """Return the programs that need a yes before this runs."""
        known = self._library.programs
        if started.code is None:
            programs = known.of_run(started.name)
        else:
            programs = known.of_code(
                started.code, name=started.snippet, begun_from=started.begun_from
            )
        return [each for each in programs if each.asks]

    def verify(
        self,
        to: MessagePump,
        ids: Sequence[str],
        stop: threading.Event,
        answer: Answer | None = None,
    ) -> None:
        """Run the evidence of entries, or all there is → `Progressed`, then `Verified`.

        Where programs need a yes and there is no ``answer`` yet, none is run → `VerifyAsked`.
        """

        def work(tell: Tell) -> None:
            if answer is None:
                programs = self._library.programs.of_verify(ids)
                if any(each.asks for each in programs):
                    tell(VerifyAsked(ids, [each for each in programs if each.asks]))
                    return
            if answer is not None and answer.always:
                self._library.programs.allow(answer.yes)
            given: dict[str, Any] = {"yes": answer.yes} if answer is not None else {}
            tell(Verified(self._library.verify(ids, progress=following(tell, stop), **given)))

        self._session.start(to, work, LONG, exclusive=True)
