"""Proposals of readers, and the decisions of reviewers about them."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from kb import limits
from kb.errors import BadData, Conflict, Message, NotFound, UsageError, nearest, shown
from kb.evidence.runner import Limits
from kb.evidence.verify import programs_of, verified
from kb.model.changes import FieldChange
from kb.model.entry import Entry, Program
from kb.model.entry_json import Fields, difference, entry_of
from kb.model.reports import Verification
from kb.model.results import Progress, paced
from kb.service.base import Service, clean, clean_names, visible
from kb.service.merging import Merging, ancestors, decisions, normal, state_of, without
from kb.service.programs import Evidence, Programs, consent
from kb.service.verify import Verify
from kb.service.write import recording
from kb.store.sqlite.syncs import GOOD, PROPOSAL, Space, StoredRow
from kb.sync.merge import merged
from kb.sync.rows import Review, make_row, parsed

_REVIEWERS = ("reviewer", "owner")


class Proposal(NamedTuple):
    """A change that somebody proposed: what it would make of an entry.

    ``author`` sent it to the hub, and ``says`` is the author that it names. ``status`` is
    pending, accepted or rejected, for a ``reason``.
    """

    id: str
    entry: str
    course: str
    author: str
    says: str
    at: str
    changes: tuple[FieldChange, ...]
    status: str = "pending"
    reason: str = ""


class Decided(NamedTuple):
    """A decision about a proposal, and the results of its evidence."""

    proposal: Proposal
    accepted: bool
    results: tuple[Verification, ...]


class _Found(NamedTuple):
    space: Space
    before: Entry | None
    after: Entry | None
    proposal: Proposal


class Reviews(Service):
    """Proposals and decisions; both reach others at the next sync."""

    def proposals(self, *, decided: bool = False) -> Sequence[Proposal]:
        """Return the proposals that wait for a reviewer, or all that were ``decided``, too."""
        found = (each.proposal for each in self._all())
        return [each for each in found if decided or each.status == "pending"]

    def programs(self, id: str) -> tuple[Program, ...]:
        """Return the programs that `decide` would start. Raises `NotFound`."""
        evidence = self._evidence(self._one(id))
        started = programs_of(evidence.annotations, evidence.snippets)
        return Programs(self._base).told(started)

    def decide(
        self,
        id: str,
        *,
        accept: bool,
        reason: str = "",
        yes: Iterable[str] = (),
        unsafe_run: bool = False,
        progress: Progress | None = None,
    ) -> Decided:
        """Accept or reject a proposal.

        Before it is accepted, its new evidence runs, as far as its programs are trusted or their
        digests are in ``yes``. What is not confirmed is accepted only for a ``reason``. Raises
        `Conflict` otherwise, `NotFound`, and `UsageError` for anybody but a reviewer.
        """
        found, told = self._one(id), visible("a reason", reason)
        if found.space.role not in _REVIEWERS:
            raise UsageError("only reviewers and owners decide about proposals")
        given, results = clean_names("digests", yes), []
        if accept:
            evidence = self._evidence(found)
            allowed = consent(given, unsafe=unsafe_run)
            refused = Verify(self._base).refused(evidence, allowed)
            most = Limits(limits.EVIDENCE_SECONDS)
            runs = verified(evidence.annotations, evidence.snippets, refused, most, paced(progress))
            results = list(runs)
        doubtful = next((each for each in results if each.status != "confirmed"), None)
        if doubtful is not None and not told:
            raise Conflict(
                "{id} is {status}, so the proposal was not accepted",
                "Reject it, or give a reason with --reason.",
                id=doubtful.annotation,
                status=Message(doubtful.status),
            )
        self._record(found, Review(found.proposal.id, accept, told))
        return Decided(found.proposal, accept, tuple(results))

    def _record(self, found: _Found, review: Review) -> None:
        """Store a decision as a row, and apply it here."""
        syncs, space, id = self._base.store.syncs, found.space, found.proposal.entry
        at = datetime.now(UTC).isoformat(timespec="milliseconds")
        with recording(self._base, "review", "sync") as recorder:
            heads = state_of(syncs.rows(space, [id])[id], space.me).heads
            row = make_row(id, (*{*heads, review.row},), space.me, at, {}, review)
            stored = (row.id, id, row.text, space.me, GOOD)
            syncs.add(space, [stored], made_here=False, sent=False)
            if review.accepted:
                syncs.send_accepted(space, id)
            Merging(self._base, space).apply_rows(recorder, [id])

    def _evidence(self, found: _Found) -> Evidence:
        """Return the evidence that a proposal adds or changes, with its programs."""
        after, before = found.after, found.before
        if after is None:
            return Evidence((), (), {})
        codes = {each.id: each.code for each in before.snippets} if before else {}
        old = {each.id: each for each in before.claims} if before else {}
        changed = {each.id for each in after.snippets if codes.get(each.id) != each.code}
        claims = [
            each
            for each in after.claims
            if each.evidence
            and (old.get(each.id) != each or any(e.snippet in changed for e in each.evidence))
        ]
        names = {one.snippet for each in claims for one in each.evidence}
        snippets = self._base.store.snippets.get(sorted(names))
        snippets = {**snippets, **{each.id: each for each in after.snippets if each.id in names}}
        evidence = Evidence((after,), claims, snippets)
        return evidence._replace(annotations=evidence.looked_at())

    def _one(self, id: str) -> _Found:
        """Return a proposal by the beginning of its id, or the only one of an entry."""
        name, known = clean("a proposal", id), list(self._all())
        found = [each for each in known if name and each.proposal.id.startswith(name)]
        found = found or [
            each
            for each in known
            if f"/{each.proposal.entry}".endswith(f"/{name}") and each.proposal.status == "pending"
        ]
        if len(found) != 1:
            names = [each.proposal.id[:12] for each in found or known]
            if found:
                hint = Message("Name one of them: {ids}.", ids=", ".join(names))
                raise NotFound(
                    "'{name}' can mean {n} proposals", hint, name=shown(name), n=len(found)
                )
            raise NotFound("there is no proposal '{name}'", nearest(name, names), name=shown(name))
        return found[0]

    def _all(self) -> Iterable[_Found]:
        syncs = self._base.store.syncs
        for space in syncs.spaces():
            pending = syncs.proposals(space)
            entries = {parsed(each.id, each.body).entry for each in pending}
            rows = syncs.rows(space, entries) if entries else {}
            for each in pending:
                found = _found(space, each, rows[parsed(each.id, each.body).entry])
                if found is not None:
                    yield found


def _found(space: Space, row: StoredRow, stored: Sequence[StoredRow]) -> _Found | None:
    """Return a proposal with the entry before and after; none for a step towards another one."""
    rows = [parsed(each.id, each.body) for each in stored]
    hidden, decided = without(stored, None), decisions(stored)
    later = (each for each in rows if row.id in each.parents and each.id in hidden)
    if row.id not in decided and any(each.id not in decided for each in later):
        return None
    known = ancestors(rows, {row.id})
    if row.id in decided:  # what it changed then
        rows = [each for each in rows if each.id in known]
    steps = {each.id for each in stored if each.standing == PROPOSAL and each.id in known}
    states = merged(rows, hidden | steps), merged(rows, hidden - known)
    said = parsed(row.id, row.body)
    before, after = (normal(s.fields, said.entry) if s.fields else {} for s in states)
    changes = tuple(FieldChange(said.entry, n, *p) for n, p in difference(before, after).items())
    decision = decided.get(row.id)
    status = "pending" if decision is None else "accepted" if decision.accepted else "rejected"
    proposal = Proposal(
        row.id, said.entry, space.course, row.author, said.author, said.at, changes, status,
        decision.reason if decision else "",
    )  # fmt: skip
    return _Found(space, _entry(before), _entry(after), proposal)


def _entry(fields: Fields) -> Entry | None:
    with contextlib.suppress(BadData):
        return entry_of(fields) if fields else None
    return None
