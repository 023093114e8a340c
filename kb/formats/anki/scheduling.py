"""The reviews of a package, in a compact form until they are stored."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence

from kb import limits
from kb.errors import Message
from kb.formats.anki.notes import Leftover
from kb.model import Progress, Review

_WIDTH = len(Review._fields)


class Reviews(Mapping[str, Sequence[Review]]):
    """Reviews by the ids of entries, 56 bytes each.

    >>> reviews = Reviews()
    >>> reviews.add("abc", Review(0, 1_600_000_000_000, 3, 1, 2500, 4000, 0))
    >>> reviews["abc"][0].rating
    3
    """

    def __init__(self) -> None:
        self._values: dict[str, array[int]] = {}

    def add(self, entry: str, review: Review) -> None:
        """Add a review."""
        self._values.setdefault(entry, array("q")).extend(review)

    def __getitem__(self, entry: str) -> Sequence[Review]:
        values = self._values[entry]
        return tuple(Review(*values[at : at + _WIDTH]) for at in range(0, len(values), _WIDTH))

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)


def taken(
    rows: Iterable[tuple[int, Review | None]],
    ids: Mapping[int, str],
    left: Leftover,
    progress: Progress,
) -> Reviews:
    """Return the reviews by entry; ``ids`` maps note ids of the file to entry ids."""
    reviews = Reviews()
    count = 0
    for note, review in rows:
        progress(0, 0)
        count += 1
        if note not in ids:
            left.add("a review belongs to no imported note")
        elif review is None:
            left.add("a review is not in Anki's form", "", ids[note])
        else:
            reviews.add(ids[note], review)
    if count == limits.REVIEWS:
        left.add(Message("only {most:,} reviews are imported", most=limits.REVIEWS))
    return reviews
