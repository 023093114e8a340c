"""The consent question for untrusted code, which is shown in full first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from kb.i18n import _, digits, ngettext
from kb.i18n.names import whose
from kb.model.entry import Program
from kb.present.programs import numbered_rows, turning_lines
from tui.bidi import TextRow
from tui.screens.commanding import PageScreen
from tui.session import Session
from tui.widgets.bidi_text import BidiText
from tui.widgets.snippet_view import LongLines

_SHOWN_OF_DIGEST = 12


class Answer(NamedTuple):
    """The digests that may run: now, or ``always``; none after a no."""

    yes: frozenset[str] = frozenset()
    always: bool = False


async def consent(session: Session, programs: Sequence[Program], hint: str = "") -> frozenset[str]:
    """Ask whether programs may run, unless there are none; return the digests of those that may."""
    if not programs:
        return frozenset()
    answer = await session.screen.app.push_screen_wait(ConsentScreen(programs, hint))
    if answer.always:
        await session.run(lambda: session.library.programs.allow(answer.yes))
    return answer.yes


class ProgramRows(LongLines):
    """The numbered lines of a program, wrapped for the width."""

    def __init__(self, code: str) -> None:
        super().__init__(classes="")
        self._code = code

    def _rows_for(self, width: int) -> list[TextRow]:
        self._text = "\n".join(numbered_rows(self._code, width))
        return super()._rows_for(width)


class ConsentScreen(PageScreen[Answer]):
    """Returns the reader's answer; only a dedicated key means yes."""

    PLACES = ("dialog", "consent")

    def __init__(self, programs: Sequence[Program], hint: str = "") -> None:
        super().__init__(_asked(programs, hint))
        self._digests = frozenset(program.digest for program in programs)

    def action_agree(self) -> None:
        """Let the shown code run now."""
        self.dismiss(Answer(self._digests))

    def action_allow_always(self) -> None:
        """Let the shown code run now, and without asking from now on."""
        self.dismiss(Answer(self._digests, always=True))

    def action_refuse(self) -> None:
        """Run nothing."""
        self.dismiss(Answer())

    action_open = action_back = action_refuse


def _asked(programs: Sequence[Program], hint: str) -> Iterator[BidiText]:
    """Yield the question first, then every program in full."""
    asked = ngettext("May this program run?", "May these {n} programs run?", len(programs))
    yield BidiText(asked, classes="title")
    if hint:
        yield BidiText(hint, classes="hint")
    for program in programs:
        yield from _page(program)


def _page(program: Program) -> Iterator[BidiText]:
    yield BidiText(program.name, classes="caption")
    yield BidiText(_(whose(program)), classes="item")
    shown = f"SHA-256 {program.digest[:_SHOWN_OF_DIGEST]}…"
    yield BidiText(shown, direction="ltr", classes="item")
    for entry in program.entries:
        yield BidiText(_("of the entry {name}").format(name=entry), classes="item")
    turning = turning_lines(program.code)
    if turning:
        numbers = ", ".join(digits(str(number)) for number in turning)
        said = _("Lines with right-to-left letters may show in another order: {lines}")
        yield BidiText(said.format(lines=numbers), classes="item")
    yield ProgramRows(program.code)
