"""The program of the pre-forked process: ``python -I child.py SOCKET BASE SWEPT ABI [LAYER]...``

Started by `kb.evidence.sandbox.pool`, which says what the arguments are. Standard library
only, and as little of it as can be.
"""

from __future__ import annotations

import os
import sys

_ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def main() -> None:
    """Serve runs until the owner has gone."""
    sys.path.insert(0, _ROOT)
    from socket import socket

    from kb.evidence.sandbox.program import Walls
    from kb.evidence.sandbox.server import serve

    sys.path.remove(_ROOT)
    # From here on what is loaded is a program's business, and leaves no trace.
    sys.dont_write_bytecode = True
    door, base, swept, abi, *layers = sys.argv[1:]
    with socket(fileno=int(door)) as owner:
        serve(owner, Walls(tuple(layers), int(abi)), base, swept == "1")


if __name__ == "__main__":
    main()
