"""Which entries are there for a reader, in SQL over entries ``e``.

What an import has not finished, or what was taken back, lies in a layer that is not shown:
one row then shows or hides however many entries.
"""

from __future__ import annotations

DARK = "(SELECT id FROM layer WHERE shown = 0)"
"""The layers that are not shown."""

SHOWN = f"e.layer NOT IN {DARK}"
"""The entry is there."""

LISTED = f"{SHOWN} AND e.hidden = 0"
"""The entry is there and the reader has not hidden it."""
