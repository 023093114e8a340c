"""The evidence of the bundled content that was confirmed by a run for this release.

``verified.toml`` stands beside the content: the release, what the programs ran with, and a digest
of each annotation whose evidence held. It is believed of an annotation that is the same to the
letter, claim, figures and programs, and of no other, wherever that one came from.
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

    One that repeats another is confirmed with that. What is stale is confirmed for no release:
    its quote or its programs are others by now.
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
    """Return the digest of what an annotation claims and rests on, programs by theirs."""
    plain = dataclasses.replace(annotation, status="unverified", release=None)
    return digest(dumps(ANNOTATION.write(plain), indent=None))


def write_verified(folder: Path, release: Release, confirmed: Iterable[Annotation]) -> None:
    """Write down which annotations of the content in a folder were confirmed for a release."""
    lines = [
        "# Written by 'python -m tests.release': claims that were confirmed, by their SHA-256."
    ]
    lines += [f'{key} = "{value}"' for key, value in release._asdict().items()]
    lines += ["", "[confirmed]"]
    lines += sorted(f'{toml_key(each.id)} = "{claim_digest(each)}"' for each in confirmed)
    (folder / VERIFIED).write_text("\n".join(lines) + "\n", encoding="utf-8")


@cache
def _verified(folder: Path) -> tuple[Release | None, Mapping[str, str]]:
    """Return the release of a folder's content, and the digests of what was confirmed for it."""
    file = folder / VERIFIED
    if not file.exists():
        return None, {}
    table = read_table(file)
    release = Release(*(table.get(name, str) for name in Release._fields))
    return release, table.texts("confirmed")
