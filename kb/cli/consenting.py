"""Consent to run untrusted code: asked on a terminal, given by ``--trust`` in scripts.

Everything is written to stderr, so stdout contains only the command's data.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from kb.cli import messages
from kb.errors import Message
from kb.i18n import _
from kb.i18n.names import whose

if TYPE_CHECKING:
    from kb.model.entry import Program

_TO_THE_RIGHT = "\u200e"


def agreed(programs: Sequence[Program], *, trust: bool) -> frozenset[str]:
    """Return the digests of the untrusted programs that may run now.

    ``trust`` consents to the programs that the command line names, and names each on stderr.
    Without it the reader sees each program in full and is asked, if there is a terminal.
    """
    asking = [each for each in programs if each.asks]
    if trust:
        named = [each for each in asking if each.named]
        for each in named:
            told = {"name": each.name, "digest": each.digest, "whose": whose(each)}
            messages.notice("--trust runs {name} (sha256 {digest}), {whose}", **told)
        return frozenset(each.digest for each in named)
    if not asking or not messages.can_ask():
        return frozenset()
    for each in asking:
        messages.show(_page(each))
    question = Message("Run these {n} programs now? [y/N] ", n=len(asking))
    yes = messages.ask("Run this program now? [y/N] " if len(asking) == 1 else question)
    return frozenset(each.digest for each in asking if yes)


def _page(program: Program) -> list[str]:
    """Return a program as shown before it runs: a heading, then every line with its number."""
    from kb.present.programs import hanging, numbered_rows, turning_lines
    from kb.terminal.bidi.direction import has_rtl

    width = messages.line_width()
    of = _(", of {entries}").format(entries=", ".join(program.entries)) if program.entries else ""
    lines = [*hanging(f"{program.name}{of}: {_(whose(program))}", width)]
    lines += [*hanging(f"sha256 {program.digest}", width), ""]
    code = (f"  {row}" for row in numbered_rows(program.code, width - len("  ")))
    # Else a terminal that turns rows by itself begins such a row at the right, its number last.
    lines += [f"{_TO_THE_RIGHT}{row}" if has_rtl(row) else row for row in code]
    turning = ", ".join(map(str, turning_lines(program.code)))
    if turning:
        told = _("Python may read lines with right-to-left letters in another order")
        lines += ["", f"{told}: {turning}."]
    return [*lines, ""]
