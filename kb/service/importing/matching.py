"""Which entries of a file are records that were taken from it before."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Sequence

from kb.records import Entry
from kb.records.changes import Record
from kb.service.origins import answer_digest, heading_digest


def match(
    entries: Sequence[Entry],
    numbers: Sequence[int],
    given: Collection[str],
    known: Sequence[Record],
) -> tuple[dict[int, Record], list[Record]]:
    """Return the records that some entries were, by their numbers, and the records left over.

    A record is known again by the id that the file gives it, else by its heading, else by its
    answer; where headings repeat, by heading and answer together before that. Of two that
    the file gives different ids, neither is the other.
    """
    ids: dict[int, str] = {}
    headings: dict[int, str] = {}
    answers: dict[int, str] = {}
    for number in numbers:
        entry = entries[number]
        ids[number] = entry.id
        headings[number], answers[number] = heading_digest(entry), answer_digest(entry)
    found: dict[int, Record] = {}
    left = list(known)
    keys: list[tuple[Callable[[int], Hashable], Callable[[Record], Hashable]]] = [
        (
            lambda n: ids[n] if ids[n] in given else None,
            lambda r: r.place if r.given else None,
        ),
        (lambda n: (headings[n], answers[n]), lambda r: (r.heading, r.answer)),
        (lambda n: headings[n], lambda r: r.heading or None),
        (lambda n: answers[n] or None, lambda r: r.answer or None),
    ]
    for key_of, key_of_record in keys:
        waiting: dict[Hashable, list[Record]] = defaultdict(list)
        for record in left:
            key = key_of_record(record)
            if key is not None:
                waiting[key].append(record)
        for number in numbers:
            same = waiting.get(key_of(number), []) if number not in found else []
            chosen = next((r for r in same if _may_be(ids[number], given, r)), None)
            if chosen is not None:
                same.remove(chosen)
                found[number] = chosen
        taken = {record.entry for record in found.values()}
        left = [record for record in left if record.entry not in taken]
    return found, left


def _may_be(id: str, given: Collection[str], record: Record) -> bool:
    """Say whether the file does not itself tell an entry from a record by their ids."""
    return not (record.given and id in given and id != record.place)
