"""Which part of what is found is wanted."""

from __future__ import annotations

from typing import NamedTuple


class Page(NamedTuple):
    """At most ``limit`` hits, or all for none, from ``offset`` on."""

    limit: int | None = 10
    offset: int = 0
