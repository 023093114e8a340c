"""What weighs most among the annotations of an entry, and what may wait until it is asked for.

Severity says how much harm the words do, the verdict what is the matter with them: see
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
"""A sign for each verdict: what is wrong looks otherwise than what could say more."""

_OF_ONE_TEXT = frozenset(("typo", "translation-error", "lost-in-extraction"))
_FALSE = ("wrong", "misleading", "outdated")


def concerns(annotation: Annotation, lang: str) -> bool:
    """Say whether an annotation concerns who reads in a language.

    How the text of another language is spelled or translated, or what its file lost, does not.
    """
    return _concerns(annotation.verdict, annotation.target.lang, lang)


def verdicts_in(hit: Hit, lang: str) -> Mapping[str, int]:
    """Return how many annotations of each verdict concern who reads in a language."""
    found: Counter[str] = Counter()
    for spoken, counts in hit.told.items():
        found.update({word: n for word, n in counts.items() if _concerns(word, spoken, lang)})
    return dict(sorted(found.items()))


def _concerns(verdict: str, spoken: str, lang: str) -> bool:
    return verdict not in _OF_ONE_TEXT or lang in ("", spoken)


def may_wait(annotation: Annotation) -> bool:
    """Say whether an annotation is of so little weight that it is told when asked for."""
    return annotation.severity == "low" and not annotation.own


def is_bad(annotation: Annotation) -> bool:
    """Say whether an annotation is told first: what it speaks of in an answer is false.

    What is low, a reader's own, or said before is none of it.
    """
    told = annotation.own or annotation.repeats or annotation.target.role == "question"
    return annotation.verdict in _FALSE and annotation.severity != "low" and not told


def by_weight(annotation: Annotation) -> tuple[bool, int, int]:
    """Return what annotations are sorted by: what is told first, then verdict, then harm."""
    verdict = VERDICTS.index(annotation.verdict) if annotation.verdict in VERDICTS else 0
    return not is_bad(annotation), verdict, SEVERITIES.index(annotation.severity)
