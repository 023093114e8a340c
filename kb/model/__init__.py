"""The records of the knowledge base: immutable, without any I/O.

An *entry* is a question, a card or a note. It has texts by language: the *answers* of a source
and the reference answers. *Snippets* are its programs. *Annotations* mark spans of a text as
weak, and say what is true; a program can be their *evidence*.

``json`` reads and writes their JSON (``schema_version`` 1); ``entry_json`` and ``reports_json``
declare the form of each record. A missing, invalid or unknown value is a `BadData` with its place
and the nearest valid key or value.

All offsets count characters (code points) from 0, and ``end`` is exclusive.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kb.model.entry import (
        Accepted,
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
        short_digest,
    )
    from kb.model.reports import (
        Backup,
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
    from kb.model.results import Excerpt, Filters, Hit, Page, Progress, Results, Via, paced, silent

__all__ = [
    "Accepted",
    "Anchor",
    "Annotation",
    "Answer",
    "Backup",
    "Check",
    "Concept",
    "ConceptName",
    "Dropped",
    "Entry",
    "Evidence",
    "Excerpt",
    "FileReading",
    "Filters",
    "GlossaryReport",
    "Hit",
    "ImportOptions",
    "ImportReport",
    "ImportedEntry",
    "LearnedReport",
    "Media",
    "NoteFile",
    "Outcome",
    "Page",
    "Program",
    "Progress",
    "Proven",
    "Results",
    "Review",
    "Salvaged",
    "Snippet",
    "Source",
    "Span",
    "TablePreview",
    "Target",
    "TextSpan",
    "Verification",
    "Via",
    "digest",
    "paced",
    "short_digest",
    "silent",
]


def __getattr__(name: str) -> Any:
    """Load records on first use: making their classes would slow every start."""
    if name in __all__:
        for module in ("results", "entry", "reports"):  # those that need the least first
            known = vars(import_module(f"kb.model.{module}"))
            if name in known:
                return known[name]
    raise AttributeError(f"module 'kb.model' has no attribute {name!r}")
