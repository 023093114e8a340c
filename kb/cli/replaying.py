"""What ``kb undo`` and ``kb redo`` have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kb.cli.import_ import tell
from kb.cli.messages import working
from kb.cli.options import Invocation
from kb.errors import ExitCode, Message
from kb.i18n import _
from kb.i18n.names import action_name

if TYPE_CHECKING:
    from collections.abc import Callable

    from kb.library import Library
    from kb.model import Progress
    from kb.service.changes import Taken


def replayed(
    invocation: Invocation,
    phrase: str,
    action: Callable[[Library, Progress], Taken],
    said: Callable[[str], Message],
) -> int:
    """Undo or redo changes and report them; ``said`` makes the sentence from their names."""
    with invocation.open() as library, working(phrase) as progress:
        done = action(library, progress)
    tell(invocation, done.ids, done.change, said(_(", ").join(map(action_name, done.actions))))
    return ExitCode.DONE
