"""The bundled evidence that was confirmed for this release, and the charts of its programs.

``verified.toml`` in the content folder has the release, the versions used, and a digest of each
confirmed annotation. It applies to any annotation with the same claim, figures and programs, and
to no other. ``charts.toml`` has recorded charts by the digest of their program, so a changed
program shows none.
"""

from __future__ import annotations

import dataclasses
from functools import cache
from pathlib import Path

from kb.content.bundled import bundled_folder
from kb.content.tables import Table, read_table
from kb.model.entry import Annotation, Entry, Release, Snippet, digest
from kb.model.entry_json import ANNOTATION
from kb.model.json import dumps

VERIFIED, CHARTS = "verified.toml", "charts.toml"


def released(entry: Entry) -> Entry:
    """Return an entry whose claims say whether their evidence was confirmed for the release.

    An annotation that repeats another is confirmed with it. A stale annotation is not confirmed:
    its quote or programs have changed.
    """
    claims = entry.claims
    if not any(each.evidence for each in claims):
        return entry
    table = _table(bundled_folder() / VERIFIED)
    if table is None:
        return entry
    release = Release(*(table.get(name, str) for name in Release._fields))
    digests = table.texts("confirmed")
    held = {
        each.id
        for each in claims
        if each.evidence and each.status != "stale" and digests.get(each.id) == claim_digest(each)
    }
    return entry.with_claims(
        dataclasses.replace(each, release=release) if (each.repeats or each.id) in held else each
        for each in claims
    )


def claim_digest(annotation: Annotation) -> str:
    """Return the digest of an annotation's claim, figures and programs."""
    plain = dataclasses.replace(annotation, status="unverified", release=None)
    return digest(dumps(ANNOTATION.write(plain), indent=None))


def printed_charts(snippet: Snippet) -> str:
    """Return the charts that a program printed for the release, or nothing.

    They are treated as untrusted output, like that of any program.
    """
    table = _table(bundled_folder() / CHARTS)
    return table.get(snippet.digest, str) if table and snippet.digest in table else ""


@cache
def _table(file: Path) -> Table | None:
    return read_table(file) if file.exists() else None
