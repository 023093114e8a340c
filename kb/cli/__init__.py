"""The command line: ``output`` writes stdout, ``messages`` stderr, ``documents`` are the JSON."""

from __future__ import annotations

import gc
import os
import sys
from typing import NoReturn

_ALLOCATIONS_BETWEEN_LOOKS = 100_000


def main() -> NoReturn:
    """Run the command line and exit with its exit code."""
    # Imports make many objects and drop few: looking for garbage meanwhile is a tenth of a start.
    gc.set_threshold(_ALLOCATIONS_BETWEEN_LOOKS)
    # Threads of numpy's matrix products wait by spinning: on a busy machine one thread is faster.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from kb.cli import messages

    messages.make_whole()
    try:
        code = _run()
        gc.freeze()  # at the exit all goes: Python is not to sort through it before
        sys.exit(code)
    except KeyboardInterrupt:
        from kb.errors import ExitCode

        messages.notice("stopped")
        sys.exit(ExitCode.INTERRUPTED)


def _run() -> int:
    from kb.cli.messages import in_terminal

    if len(sys.argv) == 1 and in_terminal():
        from kb.cli.app import open_alone

        return open_alone()
    from kb.cli.main import run

    return run(sys.argv[1:])
