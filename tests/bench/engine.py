"""What an engine is: made from documents, it gives the ids of what it finds, best first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from tests.bench.judged import Document

Search = Callable[[str, int], list[str]]
"""Finds at most so many ids for a query."""

Typed = Callable[[str, int], Iterator[list[str]]]
"""Yields what is found for a query that is being typed, once or in several steps."""


class Engine(NamedTuple):
    """An engine with its documents, and how it is asked; ``typed`` where it has such a query."""

    search: Search
    typed: Typed | None = None


Make = Callable[[Sequence[Document], str], Engine]
"""Makes an engine from documents in a language, "en" where they are in several."""
