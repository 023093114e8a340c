"""By what a reader's own annotation is known again, wherever it comes back from."""

from __future__ import annotations

import dataclasses

from kb.contract.codec import dumps
from kb.contract.entry import ANNOTATION
from kb.records import Annotation, digest


def annotation_digest(entry: str, annotation: Annotation) -> str:
    """Return what changes when anything that a reader wrote in an annotation does.

    Where its words stand by now, what was measured and what was looked at are no part of it.
    """
    target = annotation.target._replace(start=0, end=0, file="", prefix="", suffix="")
    evidence = (
        dataclasses.replace(each, quote_hash="", snippet_hash="") for each in annotation.evidence
    )
    plain = dataclasses.replace(
        annotation, target=target, evidence=tuple(evidence), status="unverified", own=True
    )
    return digest(f"{entry}\n{dumps(ANNOTATION.write(plain), indent=None)}")
