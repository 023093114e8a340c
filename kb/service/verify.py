"""Runs, judges and stores the evidence of annotations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from kb import limits
from kb.content.bundled import bundled_folder
from kb.content.folder import accept_evidence
from kb.errors import Message, ReadOnly, Untrusted
from kb.evidence.judge import judge
from kb.evidence.runner import Limits, check_level
from kb.evidence.trust import Consent, check_trust, hides
from kb.evidence.verify import verified
from kb.model.entry import Annotation
from kb.model.reports import Outcome, Verification
from kb.model.results import Progress, paced
from kb.service.base import Service, clean, clean_names, within_reason
from kb.service.programs import Evidence, chosen_evidence, consent, named_digests, named_program


class Verify(Service):
    """Verification of evidence."""

    def verify(
        self,
        ids: Iterable[str] = (),
        *,
        accept: bool = False,
        trust: bool = False,
        yes: Iterable[str] = (),
        unsafe_run: bool = False,
        timeout: float = limits.EVIDENCE_SECONDS,
        memory: int = limits.MEMORY,
        progress: Progress | None = None,
    ) -> Sequence[Verification]:
        """Run the evidence of these entries or annotations, or of all.

        ``accept`` first updates the digests of stale evidence, here and in a checkout's bundled
        content. Untrusted code runs only if its digest is in ``yes``; ``trust`` consents to the
        programs of the verified entries, but not to another entry's program that evidence names.
        Without consent the result is ``cannot-run``. Raises `NotFound` for an unknown id. If
        ``progress`` raises `Cancelled`, running programs are stopped, and finished results are
        kept.
        """
        most = Limits(*within_reason(timeout, memory))
        given = clean_names("digests", yes)
        evidence = chosen_evidence(self._base, clean_names("ids", ids))
        if accept:
            evidence = evidence._replace(annotations=self._accept(evidence))
        shown = named_digests(evidence.entries) if trust else frozenset()
        refused = self.refused(evidence, consent((*given, *shown), unsafe=unsafe_run))
        annotations, snippets = evidence.annotations, evidence.snippets
        results: list[Verification] = []
        try:
            # One at a time: what is ended halfway keeps what it has verified.
            for result in verified(annotations, snippets, refused, most, paced(progress)):
                results.append(result)  # noqa: PERF402
        finally:
            results = self._remember(results)
        order = {annotation.id: place for place, annotation in enumerate(annotations)}
        return sorted(results, key=lambda result: order[result.annotation])

    def judge_run(self, name: str, outcome: Outcome) -> Sequence[Verification]:
        """Judge and store annotations that depend on one program alone, by its last run.

        ``outcome`` is the result of `run` for the same ``name``. Evidence that is stale or needs
        other programs, too, is unchanged. Errors are those of `run` for its name.
        """
        snippet = named_program(self._base, clean("a program", name))
        stored = self._base.store.snippets.get([snippet.id]).get(snippet.id)
        if stored is None or stored.digest != snippet.digest:
            return ()  # a block of a text, whatever program is called as it is
        holders = self._base.store.snippets.holders([snippet.id]).get(snippet.id, ())
        if outcome.status != "ok" or not holders:
            return ()
        evidence = chosen_evidence(self._base, holders)
        results = [
            judge(each, evidence.snippets, {snippet.id: outcome})
            for each in evidence.annotations
            if {one.snippet for one in each.evidence} == {snippet.id}
        ]
        return self._remember(results) if results else results

    def refused(self, evidence: Evidence, allowed: Consent) -> Mapping[str, str]:
        """Return the programs that may not run, by name, with the reason."""
        shown = named_digests(evidence.entries)
        holders = self._base.store.snippets.holders(evidence.snippets)
        refused = {}
        for name, snippet in evidence.snippets.items():
            try:
                check_trust(snippet, allowed)
            except Untrusted:
                unseen = snippet.digest not in shown
                refused[name] = hides(snippet) or _reason(name, unseen, holders.get(name, ()))
                continue
            try:
                check_level(snippet, allowed)
            except Untrusted as error:
                refused[name] = Message("{why}. {hint}", why=error.message, hint=error.hint)
        return refused

    def _accept(self, evidence: Evidence) -> list[Annotation]:
        """Update the stored digests of evidence, and those of a checkout."""
        accepted = evidence.looked_at()
        with self._base.store.transaction():
            for annotation in accepted:
                self._base.store.evidences.renew(annotation.id, annotation.evidence)
        owners = self._base.store.evidences.owners(a.id for a in accepted)
        bundled = self._base.store.entries.owned("bundled")
        ours = [a for a in accepted if owners[a.id] in bundled]
        accept_evidence(bundled_folder(), ours)
        return accepted

    def _remember(self, results: list[Verification]) -> list[Verification]:
        """Store results and return them; a read-only database stores none."""
        try:
            with self._base.store.transaction():
                for result in results:
                    if result.status != "stale":
                        self._base.store.evidences.put_status(
                            result.annotation, result.status, result.figures
                        )
        except ReadOnly:
            return [result._replace(stored=result.status == "stale") for result in results]
        return results


def _reason(name: str, unseen: bool, holders: Sequence[str]) -> str:
    """Return why a program without consent was not run, and how to allow it."""
    if unseen and holders:
        return Message(
            "{name} is untrusted: read 'kb show --code {entry}', then name {entry} with "
            "--trust, too",
            name=name,
            entry=holders[0],
        )
    return Message("{name} is untrusted: read its code, then use --trust", name=name)
