"""The records of the knowledge base: immutable, without any I/O.

An *entry* is a question, a card or a note. It has texts by language: the *answers* of a source
and the reference answers. *Snippets* are its programs. *Annotations* mark spans of a text as
weak, and say what is true; a program can be their *evidence*.

``json`` reads and writes their JSON (``schema_version`` 1), and ``entry_json`` declares the form of
entries. A missing, invalid or unknown value is a `BadData` with its place and the nearest valid key
or value.

All offsets count characters (code points) from 0, and ``end`` is exclusive.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kb.model.entry import (
        Anchor,
        Annotation,
        Answer,
        Concept,
        ConceptName,
        Entry,
        Evidence,
        Media,
        NoteFile,
        Program,
        Review,
        Snippet,
        Source,
        Span,
        Target,
        TextSpan,
        digest,
    )
    from kb.model.reports import (
        Check,
        Dropped,
        FileReading,
        GlossaryReport,
        ImportedEntry,
        ImportOptions,
        ImportReport,
        LearnedReport,
        Outcome,
        Proven,
        Salvaged,
        TablePreview,
        Verification,
    )
    from kb.model.results import Excerpt, Filters, Hit, Page, Progress, Results, paced, silent


def __getattr__(name: str) -> Any:
    """Load records on first use: making their classes would slow every start."""
    for module in ("results", "entry", "reports"):  # those that need the least first
        known = {} if name.startswith("_") else vars(import_module(f"kb.model.{module}"))
        if name in known and not isinstance(known[name], ModuleType):
            return known[name]
    raise AttributeError(f"module 'kb.model' has no attribute {name!r}")
