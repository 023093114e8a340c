"""The evidence behind annotations, with the programs that it names, as they are stored."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from kb.errors import Message
from kb.records import Annotation, Entry, Snippet, digest
from kb.service.base import Base


class Evidence(NamedTuple):
    """The annotations of entries that have evidence, and the programs it names."""

    entries: Sequence[Entry]
    annotations: Sequence[Annotation]
    snippets: Mapping[str, Snippet]

    def looked_at(self) -> list[Annotation]:
        """Return the annotations with the digests of quotes and programs as they are now."""
        return [_looked_at(each, self.snippets) for each in self.annotations]


def chosen_evidence(base: Base, ids: Sequence[str]) -> Evidence:
    """Return the evidence of these entries (or of annotations of these ids), or all there is.

    Raises `NotFound`.
    """
    entries = _entries(base, ids)
    annotations = [a for entry in entries for a in entry.annotations if a.evidence]
    names = {evidence.snippet for a in annotations for evidence in a.evidence}
    return Evidence(entries, annotations, base.store.snippets.get(sorted(names)))


def _entries(base: Base, ids: Sequence[str]) -> Sequence[Entry]:
    store = base.store
    if not ids:
        return list(store.entries.get(store.evidences.annotated()).values())
    owners = store.evidences.owners(ids)
    wanted = list(dict.fromkeys(owners.get(name, name) for name in ids))
    found = store.entries.get(wanted)
    for name in wanted:
        if name not in found:
            raise base.not_found(Message("entry or annotation"), name)
    return list(found.values())


def _looked_at(annotation: Annotation, snippets: Mapping[str, Snippet]) -> Annotation:
    quote = digest(annotation.target.quote)
    digests = {name: snippet.digest for name, snippet in snippets.items()}
    return dataclasses.replace(
        annotation,
        evidence=tuple(
            dataclasses.replace(each, quote_hash=quote, snippet_hash=digests.get(each.snippet, ""))
            for each in annotation.evidence
        ),
    )
