"""What an engine is: made from documents, it gives the ids of what it finds, best first."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tests.bench.judged import Document

Search = Callable[[str, int], list[str]]
"""Finds at most so many ids for a query."""

Make = Callable[[Sequence[Document], str], Search]
"""Makes an engine from documents in a language, "en" where they are in several."""
