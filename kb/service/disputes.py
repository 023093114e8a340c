"""Fields that several copies changed in different ways, and their resolution by a person."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal

from kb.service.base import Base

if TYPE_CHECKING:
    from kb.service.recording import Recorder
    from kb.service.write import Contested
    from kb.store.sqlite.syncs import Space
    from kb.sync.merge import Dispute

Side = Literal["mine", "theirs"]
"""Whose version is kept: the reader's, or the other one."""


def disputes(base: Base, ids: Sequence[str]) -> Iterator[Contested]:
    """Yield the fields in dispute with other copies, of these entries or all."""
    for space in base.store.syncs.spaces():
        disputed = base.store.syncs.disputed(space)
        wanted = [id for id in disputed if id in ids] if ids else disputed
        if wanted:
            yield from _contested(base, space, wanted)


def _contested(base: Base, space: Space, ids: Sequence[str]) -> Iterator[Contested]:
    from kb.service.merging import state_of
    from kb.service.write import Contested
    from kb.sync.rows import EXISTS

    for id, stored in base.store.syncs.rows(space, ids).items():
        state = state_of(stored, space.me)
        authors = {each.id: each.author for each in stored}
        for name, dispute in state.disputes.items():
            mine, theirs = sides(dispute, authors, space.me)
            values = (dispute.base, mine, theirs)
            if name == EXISTS:  # the title of an entry that is kept, or nothing
                title = next((v for k, v in (state.fields or {}).items() if "question." in k), id)
                values = (title, title if mine else None, title if theirs else None)
            yield Contested(id, name, *values)


def sides(dispute: Dispute, authors: dict[str, str], me: str) -> tuple[Any, Any]:
    """Return the reader's version, or else the one that is shown, and the first other one."""
    versions = sorted(dispute.versions, key=lambda each: authors.get(each[0]) != me)
    (_, mine), *others = versions
    return mine, next((value for _, value in others if value != mine), others[0][1])


def settle(base: Base, recorder: Recorder, ids: Sequence[str], side: Side) -> set[str]:
    """Resolve the disputes of entries by a row, and return those that had some.

    The caller holds the transaction.
    """
    found: set[str] = set()
    for space in base.store.syncs.spaces():
        if some := [id for id in base.store.syncs.disputed(space) if id in ids]:
            from kb.service.merging import Merging, Tally

            Merging(base, space, Tally()).resolve(recorder, some, side)
            found.update(some)
    return found
