"""Which annotations of an entry come first, and which are shown on demand.

Severity is the harm that the words do, the verdict the kind of mistake: see
`kb.model.clauses.SEVERITIES`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

from kb.model.clauses import SEVERITIES, VERDICTS

if TYPE_CHECKING:
    from kb.model import Annotation, Hit

SIGNS: Mapping[str, str] = {
    "wrong": "✗",
    "misleading": "≈",
    "incomplete": "◐",
    "outdated": "↺",
    "typo": "✎",
    "translation-error": "⇄",
    "lost-in-extraction": "□",
    "note": "¶",
}
"""A sign for each verdict: mistakes look different from additions."""

_OF_ONE_TEXT = frozenset(("typo", "translation-error", "lost-in-extraction"))
_FALSE = ("wrong", "misleading", "outdated")


def concerns(annotation: Annotation, lang: str) -> bool:
    """Return whether an annotation concerns readers of a language.

    Spelling and translation of another language, and what its file lost, do not.
    """
    return _concerns(annotation.verdict, annotation.target.lang, lang)


def verdicts_in(hit: Hit, lang: str) -> Mapping[str, int]:
    """Return the verdict counts of annotations for readers of a language."""
    found: Counter[str] = Counter()
    for spoken, counts in hit.told.items():
        found.update({word: n for word, n in counts.items() if _concerns(word, spoken, lang)})
    return dict(sorted(found.items()))


def _concerns(verdict: str, spoken: str, lang: str) -> bool:
    return verdict not in _OF_ONE_TEXT or lang in ("", spoken)


def may_wait(annotation: Annotation) -> bool:
    """Return whether an annotation has so little weight that it is shown on demand."""
    return annotation.severity == "low" and not annotation.own


def is_bad(annotation: Annotation) -> bool:
    """Return whether an annotation comes first: it marks a false statement in an answer.

    Annotations of low severity, a reader's own, and repetitions do not.
    """
    told = annotation.own or annotation.repeats or annotation.target.role == "question"
    return annotation.verdict in _FALSE and annotation.severity != "low" and not told


def by_weight(annotation: Annotation) -> tuple[bool, int, int]:
    """Return the sort key of annotations: first ones, then verdict, then severity."""
    verdict = VERDICTS.index(annotation.verdict) if annotation.verdict in VERDICTS else 0
    return not is_bad(annotation), verdict, SEVERITIES.index(annotation.severity)
