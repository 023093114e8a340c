"""When cards are due, as Obsidian's spaced repetition writes it down beside them.

``<!--SR:!2024-02-03,4,270!2024-02-05,3,250-->`` ends a card: for each of its sides the day on
which it is due, the days since it was answered, and its ease in percent. A note has ``sr-due``,
``sr-interval`` and ``sr-ease`` in its front matter. That is where a card stands, and no log: of
it one review is made, on the day of the last answer. How that answer was rated is not written
down; it is kept as good (3), and as set by hand (kind 4), as no program has logged it.
"""

from __future__ import annotations

import dataclasses
import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

from kb import limits
from kb.exchange.book import Batch
from kb.exchange.notes.matter import Matter
from kb.records import Dropped, Review

_COMMENT = re.compile(r"<!--\s*SR:([^<>]{1,2000}?)-->")
_STATE = re.compile(r"(?<![\w-])(\d{4})-(\d\d)-(\d\d),(\d{1,6})(?:\.\d+)?,(\d{1,6})(?:\.\d+)?")
_KEYS = ("sr-due", "sr-interval", "sr-ease")
_NEW = date(2000, 1, 1)
"""The day that stands for a side which was never answered."""

_GOOD, _BY_HAND = 3, 4
_NO_ENTRY = "the repetition of a note of which no one entry is made"


class _State(NamedTuple):
    """Where a side of a card stands: the line that says so, and what it says."""

    line: int
    side: int
    due: date
    interval: int
    ease: int


def scheduled(
    batch: Batch, lines: Sequence[tuple[int, str]], matter: Matter, name: str, *, kept: bool
) -> Batch:
    """Return a batch with the reviews that a file's days tell of, if they are to be ``kept``.

    ``lines`` are those outside of code, with their numbers in the file. Where reviews are not
    kept, how many there are is among the dropped pieces.
    """
    of_cards = [state for number, text in lines if "SR:" in text for state in _states(number, text)]
    notes = [each for each in batch.book.entries if each.kind == "note"]
    of_note = [*_of_note(matter)]
    lost = [] if notes or not of_note else [Dropped(name, 1, _NO_ENTRY, "")]
    found = sorted([*(of_note if notes else ()), *of_cards])[: limits.LINES]
    if found and not kept:
        said = f"the repetition of {len(found)} cards or sides, which --with-reviews keeps"
        lost.append(Dropped(name, max(found[0].line, 1), said, ""))
    if not found or not kept:
        return dataclasses.replace(batch, dropped=(*batch.dropped, *lost)) if lost else batch
    book = dataclasses.replace(batch.book, reviews=_reviews(batch, found))
    return dataclasses.replace(batch, book=book, dropped=(*batch.dropped, *lost))


def _states(line: int, text: str) -> Iterator[_State]:
    for comment in _COMMENT.finditer(text):
        for side, found in enumerate(_STATE.finditer(comment[1])):
            yield from _state(line, side, found)


def _of_note(matter: Matter) -> Iterator[_State]:
    found = _STATE.fullmatch(",".join(matter.text(key) for key in _KEYS))
    if found:
        yield from _state(0, 0, found)


def _state(line: int, side: int, found: re.Match[str]) -> Iterator[_State]:
    year, month, day, interval, ease = map(int, found.groups())
    try:
        due = date(year, month, day)
        due - timedelta(interval)
    except (ValueError, OverflowError):
        return
    if due != _NEW:
        yield _State(line, side, due, interval, ease)


def _reviews(batch: Batch, found: Sequence[_State]) -> Mapping[str, Sequence[Review]]:
    """Return reviews by the entries above which, or in which, they stand."""
    notes = {each.id for each in batch.book.entries if each.kind == "note"}
    begins = sorted((0 if id in notes else line, id) for id, line in batch.lines.items())
    reviews: dict[str, list[Review]] = {}
    for state in found:
        above = bisect_right(begins, state.line, key=lambda each: each[0])
        id = begins[max(above - 1, 0)][1]
        reviews.setdefault(id, []).append(_review(state, len(reviews.get(id, ()))))
    return reviews


def _review(state: _State, card: int) -> Review:
    answered = datetime.combine(state.due - timedelta(state.interval), datetime.min.time(), UTC)
    at = int(answered.timestamp()) * 1000
    return Review(card, at, _GOOD, state.interval, state.ease * 10, 0, _BY_HAND)
