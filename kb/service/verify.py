"""The evidence behind annotations, run, judged and remembered."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence

from kb.content.accepted import accept_evidence
from kb.content.location import bundled_folder
from kb.evidence.runner import Limits
from kb.evidence.verify import verified
from kb.records import Annotation, Entry, Progress, Snippet, Verification, digest, paced
from kb.service.base import Base
from kb.service.guard import clean_names, door, within_reason
from kb.service.run import consent


class Verify:
    """What a reader verifies."""

    def __init__(self, base: Base) -> None:
        self._base = base

    @door
    def verify(
        self,
        ids: Iterable[str] = (),
        *,
        accept: bool = False,
        trust: bool = False,
        unsafe_run: bool = False,
        timeout: float = 30.0,
        memory: int = 1024,
        progress: Progress | None = None,
    ) -> Sequence[Verification]:
        """Run the evidence behind annotations, of these entries or annotations or of all.

        ``accept`` first renews the hashes of what is stale, here and in the bundled
        content where that is a checkout. Code that did not come with danesh is run only with
        ``trust``, and where programs cannot be shut in also ``unsafe_run``; without them what
        needs it is ``cannot-run``. Raises `NotFound` for an id that
        does not exist. Where ``progress`` raises `Cancelled`, what runs is stopped, and what
        was verified is kept.
        """
        limits = Limits(*within_reason(timeout, memory))
        chosen = self._chosen(clean_names("ids", ids))
        annotations = [a for entry in chosen for a in entry.annotations if a.evidence]
        snippets = self._snippets_of(annotations)
        if accept:
            annotations = self._accept(annotations, snippets)
        results: list[Verification] = []
        try:
            # One at a time: what is ended halfway keeps what it has verified.
            agreed = consent(trust, unsafe_run)
            for result in verified(annotations, snippets, agreed, limits, paced(progress)):
                results.append(result)  # noqa: PERF402
        finally:
            self._remember(results)
        order = {annotation.id: place for place, annotation in enumerate(annotations)}
        return sorted(results, key=lambda result: order[result.annotation])

    def _chosen(self, ids: Sequence[str]) -> Sequence[Entry]:
        """Return the entries of these ids (or of annotations of these ids), or all with any."""
        store = self._base.store
        if not ids:
            return list(store.entries.get(store.evidences.annotated()).values())
        owners = store.evidences.owners(ids)
        wanted = list(dict.fromkeys(owners.get(name, name) for name in ids))
        found = store.entries.get(wanted)
        for name in wanted:
            if name not in found:
                raise self._base.not_found("entry or annotation", name)
        return list(found.values())

    def _snippets_of(self, annotations: Iterable[Annotation]) -> Mapping[str, Snippet]:
        """Return the stored snippets that evidence names."""
        names = {evidence.snippet for a in annotations for evidence in a.evidence}
        return self._base.store.snippets.get(sorted(names))

    def _accept(
        self, annotations: Sequence[Annotation], snippets: Mapping[str, Snippet]
    ) -> list[Annotation]:
        """Renew the hashes kept beside the evidence, here and in a checkout's own record."""
        accepted = [_looked_at(annotation, snippets) for annotation in annotations]
        with self._base.store.transaction():
            for annotation in accepted:
                self._base.store.evidences.renew(annotation.id, annotation.evidence)
        owners = self._base.store.evidences.owners(a.id for a in accepted)
        bundled = self._base.store.entries.owned("bundled")
        ours = [a for a in accepted if owners[a.id] in bundled]
        accept_evidence(bundled_folder(), ours)
        return accepted

    def _remember(self, results: Iterable[Verification]) -> None:
        with self._base.store.transaction():
            for result in results:
                if result.status != "stale":
                    self._base.store.evidences.put_status(
                        result.annotation, result.status, result.figures
                    )


def _looked_at(annotation: Annotation, snippets: Mapping[str, Snippet]) -> Annotation:
    """Return an annotation whose evidence has the digests of quote and snippets as they are."""
    quote = digest(annotation.target.quote)
    digests = {name: snippet.digest for name, snippet in snippets.items()}
    return dataclasses.replace(
        annotation,
        evidence=tuple(
            dataclasses.replace(each, quote_hash=quote, snippet_hash=digests.get(each.snippet, ""))
            for each in annotation.evidence
        ),
    )
