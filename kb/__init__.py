"""danesh: an offline knowledge base with multilingual search, for the terminal.

>>> from kb import Filters, open_library
>>> with open_library(":memory:", bundled=False) as library:
...     library.search("gradient", filters=Filters(level="H")).total
0
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from kb.version import __version__

if TYPE_CHECKING:
    from kb.errors import BadData, Cancelled, Conflict, KbError, NotFound, Untrusted, UsageError
    from kb.library import Library, open_library
    from kb.model.entry import Annotation, Answer, Entry, Evidence, Snippet, Source
    from kb.model.reports import ImportOptions, ImportReport, Outcome, Verification
    from kb.model.results import Excerpt, Filters, Hit, Results

__all__ = [
    "Annotation",
    "Answer",
    "BadData",
    "Cancelled",
    "Conflict",
    "Entry",
    "Evidence",
    "Excerpt",
    "Filters",
    "Hit",
    "ImportOptions",
    "ImportReport",
    "KbError",
    "Library",
    "NotFound",
    "Outcome",
    "Results",
    "Snippet",
    "Source",
    "Untrusted",
    "UsageError",
    "Verification",
    "__version__",
    "open_library",
]


def __getattr__(name: str) -> Any:
    """Import a public name on first use, so that ``import kb`` alone stays fast."""
    if name in __all__:
        for place in ("errors", "model.results", "model.entry", "model.reports", "library"):
            module = import_module(f"kb.{place}")
            if hasattr(module, name):
                return getattr(module, name)
    raise AttributeError(f"module 'kb' has no attribute {name!r}")
