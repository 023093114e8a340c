"""The process of a run: ``python -I child.py CONTROL FOLDER ABI [LAYER]...``.

Started by `kb.evidence.runner`: CONTROL is the descriptor of a socket, the other arguments are
those of `kb.evidence.sandbox.supervisor.serve`. It uses only the standard library, and little of
it.
"""

from __future__ import annotations

import os
import sys

_ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def main() -> None:
    """Serve one run."""
    sys.path.insert(0, _ROOT)
    from kb.evidence.sandbox.protocol import Layers
    from kb.evidence.sandbox.supervisor import serve

    sys.path.remove(_ROOT)
    # From here on what is loaded is a program's business, and leaves no trace.
    sys.dont_write_bytecode = True
    control, folder, abi, *names = sys.argv[1:]
    serve(int(control), folder, Layers(tuple(names), int(abi)))


if __name__ == "__main__":
    main()
