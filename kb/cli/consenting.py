"""The yes to code that did not come with danesh: asked where somebody sits, told where a script is.

All of it is on stderr, so that what a command gives on stdout stays what it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from kb.cli import messages
from kb.i18n import _
from kb.i18n.sentences import said

if TYPE_CHECKING:
    from kb.records import Program

WHOSE = {
    "bundled": "came with danesh",
    "yours": "yours, written here",
    "allowed": "not yours; you always allow it",
    "changed": "changed by you, from code that came from elsewhere",
    "kept": "kept by you, but it came from elsewhere",
    "file": "from a file",
    "elsewhere": "from elsewhere; it was not written on this machine",
}

_TO_THE_RIGHT = "\u200e"


def agreed(programs: Sequence[Program], *, trust: bool) -> frozenset[str]:
    """Return the digests of the programs that may run now, of those that need a yes.

    ``trust`` is the yes to those that the command line names, and each is told. Without it
    the reader sees them whole and is asked, where there is a terminal to ask at.
    """
    asking = [each for each in programs if each.asks]
    if trust:
        named = [each for each in asking if each.named]
        for each in named:
            messages.notice(f"--trust runs {each.name} (sha256 {each.digest}), {whose(each)}")
        return frozenset(each.digest for each in named)
    if not asking or not messages.can_ask():
        return frozenset()
    for each in asking:
        messages.show(_page(each))
    question = f"Run these {len(asking)} programs now? [y/N] "
    if messages.ask("Run this program now? [y/N] " if len(asking) == 1 else question):
        return frozenset(each.digest for each in asking)
    return frozenset()


def whose(program: Program) -> str:
    """Say whose a program is, and where it came from."""
    if program.whose == "file":
        return f"from the file {program.file}"
    known = WHOSE[program.whose]
    return f"{known} ({program.file})" if program.file else known


def _page(program: Program) -> list[str]:
    """Return a program as it is shown before it runs: head, and every line with its number."""
    from kb.display import has_rtl
    from kb.present.programs import hanging, numbered_rows, turning_lines

    width = messages.room()
    of = _(", of {entries}").format(entries=", ".join(program.entries)) if program.entries else ""
    lines = [*hanging(f"{program.name}{of}: {said(whose(program))}", width)]
    lines += [*hanging(f"sha256 {program.digest}", width), ""]
    code = (f"  {row}" for row in numbered_rows(program.code, width - len("  ")))
    # Else a terminal that turns rows by itself begins such a row at the right, its number last.
    lines += [f"{_TO_THE_RIGHT}{row}" if has_rtl(row) else row for row in code]
    turning = ", ".join(map(str, turning_lines(program.code)))
    if turning:
        told = said(
            "Lines with letters that run right to left may show in another order than Python's"
        )
        lines += ["", f"{told}: {turning}."]
    return [*lines, ""]
