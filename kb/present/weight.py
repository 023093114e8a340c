"""What weighs most among the annotations of an entry, and what may wait until it is asked for.

Severity says how much harm the words do, the verdict what is the matter with them: see
`kb.model.clauses.SEVERITIES`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from kb.model.clauses import OWN_VERDICTS, SEVERITIES

if TYPE_CHECKING:
    from kb.model import Annotation

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

_LETTERS = frozenset(("typo", "lost-in-extraction"))
_FALSE = ("wrong", "misleading", "outdated")


def concerns(annotation: Annotation, lang: str) -> bool:
    """Say whether an annotation concerns who reads in a language.

    How the text of another language is spelled, or what its file lost, does not.
    """
    return annotation.verdict not in _LETTERS or lang in ("", annotation.target.lang)


def may_wait(annotation: Annotation) -> bool:
    """Say whether an annotation is of so little weight that it is told when asked for."""
    return annotation.severity == "low" and not annotation.own


def worst(annotations: Sequence[Annotation], most: int = 3) -> list[Annotation]:
    """Return what does most harm of what is false, or makes an answer fail; at most so many.

    What is only letters, low, a reader's own, or said before is none of it.
    """
    found = [each for each in annotations if _harms(each)]
    return sorted(found, key=_harm)[:most]


def _harms(annotation: Annotation) -> bool:
    if annotation.own or annotation.repeats or annotation.verdict in _LETTERS:
        return False
    high = annotation.severity == "high"
    false = annotation.verdict in _FALSE and annotation.target.role != "question"
    return high or (false and annotation.severity != "low")


def _harm(annotation: Annotation) -> tuple[int, bool, int]:
    """Return what comes first by harm, then what is false, in the order of the verdicts."""
    return (
        SEVERITIES.index(annotation.severity),
        annotation.target.role == "question",
        OWN_VERDICTS.index(annotation.verdict),
    )
