"""danesh: an offline knowledge base with multilingual search, for the terminal.

>>> from kb import open_library
>>> with open_library(":memory:", bundled=False) as library:
...     library.search("gradient").total
0
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kb.version import __version__

if TYPE_CHECKING:
    from kb.library import Library, open_library

__all__ = ["Library", "__version__", "open_library"]


def __getattr__(name: str) -> Any:
    """Import the door on first use, so that ``import kb`` alone costs nothing."""
    if name in ("Library", "open_library"):
        from kb import library

        return getattr(library, name)
    raise AttributeError(f"module 'kb' has no attribute {name!r}")
