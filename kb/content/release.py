"""The bundled evidence that was confirmed for this release.

``verified.toml`` in the content folder has the release, the versions used, and a digest of each
confirmed annotation. It applies to any annotation with the same claim, figures and programs, and
to no other.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from kb.content.tables import bundled_folder, read_table, toml_key
from kb.model import Annotation, Entry, digest
from kb.model.entry import Release
from kb.model.entry_json import ANNOTATION
from kb.model.json import dumps

VERIFIED = "verified.toml"


def released(entry: Entry) -> Entry:
    """Return an entry whose claims say whether their evidence was confirmed for the release.

    An annotation that repeats another is confirmed with it. A stale annotation is not confirmed:
    its quote or programs have changed.
    """
    claims = entry.claims
    if not any(each.evidence for each in claims):
        return entry
    release, digests = _verified(bundled_folder())
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


def write_verified(folder: Path, release: Release, confirmed: Iterable[Annotation]) -> None:
    """Record which annotations of a folder were confirmed for a release."""
    lines = [
        "# Written by 'python -m tests.release': claims that were confirmed, by their SHA-256."
    ]
    lines += [f'{key} = "{value}"' for key, value in release._asdict().items()]
    lines += ["", "[confirmed]"]
    lines += sorted(f'{toml_key(each.id)} = "{claim_digest(each)}"' for each in confirmed)
    (folder / VERIFIED).write_text("\n".join(lines) + "\n", encoding="utf-8")


@cache
def _verified(folder: Path) -> tuple[Release | None, Mapping[str, str]]:
    """Return the release of a folder's content and the digests confirmed for it."""
    file = folder / VERIFIED
    if not file.exists():
        return None, {}
    table = read_table(file)
    release = Release(*(table.get(name, str) for name in Release._fields))
    return release, table.texts("confirmed")
