"""The records of the knowledge base: frozen, and they read nothing.

An *entry* is a question, a card or a note. It holds its texts by language, the
*answers* a source gave and the reference answers, the *snippets* that can be
run, and *annotations*: claims that a span of a source text is weak, each with
what is true and, where a program can show it, *evidence*.

All offsets count characters (code points) from 0, and ``end`` is exclusive.
"""

from kb.records.annotation import Annotation, Evidence, Target, TextSpan
from kb.records.concept import Concept, ConceptName
from kb.records.digest import digest
from kb.records.entry import Answer, Entry, Snippet, Source, Span
from kb.records.progress import Progress, paced, silent
from kb.records.reports import (
    Check,
    GlossaryReport,
    ImportedEntry,
    ImportReport,
    Outcome,
    Verification,
)
from kb.records.results import Excerpt, Filters, Hit, Page, Results, Via

__all__ = [
    "Annotation",
    "Answer",
    "Check",
    "Concept",
    "ConceptName",
    "Entry",
    "Evidence",
    "Excerpt",
    "Filters",
    "GlossaryReport",
    "Hit",
    "ImportReport",
    "ImportedEntry",
    "Outcome",
    "Page",
    "Progress",
    "Results",
    "Snippet",
    "Source",
    "Span",
    "Target",
    "TextSpan",
    "Verification",
    "Via",
    "digest",
    "paced",
    "silent",
]
