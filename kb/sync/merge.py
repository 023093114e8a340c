"""The merged state of an entry: a pure function of the set of its rows.

Each field is merged by itself. Its value is that of the last rows that set it; if several did, not
knowing of each other, they are merged in the order of their ids, against the value that both
knew. What cannot be merged is a dispute, and the first version is shown. Nothing depends on
clocks, authors or the order in which rows arrived.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from graphlib import TopologicalSorter
from typing import Any, NamedTuple

from kb.errors import BadData
from kb.model.entry_json import LANGUAGES, Fields, entry_of
from kb.model.values import LAYERS
from kb.sync.rows import EXISTS, Row
from kb.text.quotation import shared_length

_SETS = frozenset((LANGUAGES, "tags", "related", "aliases", "references"))
_TEXTS = frozenset(("question", "wording", "context", *LAYERS))
_PARTS = frozenset(("answers", "annotations", "snippets", "assessment"))
_BY_KEY = frozenset(("note", "title", "sentence", "anchors"))
_DEPTH = 100
"""Merges within merges; below that, a base counts as unknown, so more is in dispute."""


class Dispute(NamedTuple):
    """A field that was changed in several ways: the common value, and the version of each row.

    The first one is shown.
    """

    base: Any
    versions: tuple[tuple[str, Any], ...]


class State(NamedTuple):
    """The merged fields of an entry, or nothing if it does not exist, and the disputes.

    ``heads`` are the rows that no other row knows.
    """

    fields: Fields | None
    disputes: Mapping[str, Dispute]
    heads: tuple[str, ...]


_IMPOSSIBLE = object()
"""What a merge gives that cannot be made."""


def merged(rows: Iterable[Row], without: Collection[str] = ()) -> State:
    """Return the state of an entry after all its rows, except those ``without`` effect."""
    graph = _Graph(rows, without)
    return graph.state(graph.all)


class _Graph:
    """The rows of an entry, parents first; a set of rows is a number with a bit for each."""

    def __init__(self, rows: Iterable[Row], without: Collection[str]) -> None:
        self._rows = _sorted(rows)
        self.all = 0
        self._known: list[int] = []
        self._setters: dict[str, int] = {}
        self._values: dict[tuple[str, int], tuple[Any, Dispute | None]] = {}
        index = {row.id: n for n, row in enumerate(self._rows)}
        for n, row in enumerate(self._rows):
            known = 1 << n
            for parent in row.parents:
                if parent in index:
                    known |= self._known[index[parent]]
            self._known.append(known)
            if row.id not in without:
                self.all |= 1 << n
                for name in row.fields:
                    self._setters[name] = self._setters.get(name, 0) | 1 << n

    def state(self, among: int) -> State:
        """Return the state after a set of rows."""
        heads = self._last(among)
        found = self._state(among, heads)
        if len(heads) < 2 or found.fields is None or _is_entry(found.fields):
            return found
        # Each part is sound, the whole is not: a person has to choose.
        states = [self._state(self._known[n] & among, [n]) for n in heads]
        first = next((each for each in states if each.fields), found)
        names = dict.fromkeys(name for each in states for name in each.fields or ())
        disputes = dict(found.disputes)
        for name in names:
            values = [(each.heads[0], (each.fields or {}).get(name)) for each in states]
            if any(value != values[0][1] for _, value in values):
                disputes.setdefault(name, Dispute(None, tuple(values)))
        return State(first.fields, disputes, found.heads)

    def _state(self, among: int, heads: Sequence[int]) -> State:
        ids = tuple(self._rows[n].id for n in heads)
        there, dispute = self._existence(among)
        if not there:
            return State(None, {}, ids)
        fields: Fields = {}
        disputes = {} if dispute is None else {EXISTS: dispute}
        for name, setters in self._setters.items():
            if name == EXISTS or not setters & among:
                continue
            value, dispute = self._value(name, among)
            if value is not None:
                fields[name] = value
            if dispute is not None:
                disputes[name] = dispute
        return State(fields, disputes, ids)

    def _last(self, among: int) -> list[int]:
        """Return the rows of a set that no other of them knows, in the order of their ids."""
        found, covered = [], 0
        for n in _bits(among):
            if not covered >> n & 1:
                found.append(n)
                covered |= self._known[n]
        return sorted(found, key=lambda n: self._rows[n].id)

    def _existence(self, among: int) -> tuple[bool, Dispute | None]:
        """Return whether there is an entry; it stays while a deletion is in dispute."""
        last = self._last(self._setters.get(EXISTS, 0) & among)
        deletions = [n for n in last if not self._rows[n].fields[EXISTS]]
        if not deletions:
            return bool(last), None
        others = {n for n in last if n not in deletions}
        for deletion in deletions:
            for n in _bits(among & ~self._known[deletion]):
                # A change by somebody who did not know of the deletion.
                if not self._known[n] >> deletion & 1 and self._rows[n].fields.keys() - {EXISTS}:
                    others.add(n)
        if not others:
            return False, None
        edited = [(self._rows[n].id, True) for n in self._last(sum(1 << n for n in others))]
        deleted = [(self._rows[n].id, False) for n in deletions]
        return True, Dispute(True, (*edited, *deleted))

    def _value(self, name: str, among: int, depth: int = 0) -> tuple[Any, Dispute | None]:
        """Return the value of a field after a set of rows, and the dispute about it."""
        setters = self._setters[name] & among
        key = (name, setters)
        if key not in self._values:
            self._values[key] = self._fold(name, self._last(setters), among, depth)
        return self._values[key]

    def _fold(
        self, name: str, last: Sequence[int], among: int, depth: int
    ) -> tuple[Any, Dispute | None]:
        if not last:
            return None, None
        value = self._rows[last[0]].fields[name]
        versions, root, seen = [(self._rows[last[0]].id, value)], None, self._known[last[0]]
        for n in last[1:]:
            row, base = self._rows[n], None
            if depth < _DEPTH:
                base, _ = self._value(name, seen & self._known[n] & among, depth + 1)
            both = _merge((name,), base, value, row.fields[name])
            if both is _IMPOSSIBLE:
                versions.append((row.id, row.fields[name]))
                root = base
            else:
                value = both
                versions[0] = (versions[0][0], value)
            seen |= self._known[n]
        return value, Dispute(root, tuple(versions)) if len(versions) > 1 else None


def _sorted(rows: Iterable[Row]) -> list[Row]:
    """Return rows with parents first, and otherwise by id."""
    left = {row.id: row for row in rows}
    order = TopologicalSorter(
        {row.id: [each for each in row.parents if each in left] for row in left.values()}
    )
    order.prepare()
    found = []
    while ready := sorted(order.get_ready()):
        found += [left[id] for id in ready]
        order.done(*ready)
    return found


def _bits(number: int) -> Iterator[int]:
    """Yield the places of the bits that are set, highest first."""
    while number:
        n = number.bit_length() - 1
        yield n
        number ^= 1 << n


def _is_entry(fields: Fields) -> bool:
    try:
        entry_of({**fields, "id": "entry"})
    except BadData:
        return False
    return True


def _merge(path: tuple[str, ...], base: Any, mine: Any, theirs: Any) -> Any:
    """Return a value with both changes, or that this is impossible."""
    if mine == theirs or theirs == base:
        return mine
    if mine == base:
        return theirs
    root, last = path[0].partition(".")[0], path[-1]
    if isinstance(mine, dict) and isinstance(theirs, dict):
        deep = (len(path) == 1 and root in _PARTS) or last in _BY_KEY
        known = base if isinstance(base, dict) else {}
        return _merge_parts(path, known, mine, theirs) if deep else _IMPOSSIBLE
    if isinstance(mine, list) and isinstance(theirs, list) and last in _SETS:
        before = base if isinstance(base, list) else []
        kept = [each for each in mine if each in theirs or each not in before]
        return kept + [each for each in theirs if each not in mine and each not in before]
    if _is_text(path) and all(isinstance(each, str) for each in (base, mine, theirs)):
        text = merge_texts(base, mine, theirs, words=last != "code")
        return _IMPOSSIBLE if text is None else text
    return _IMPOSSIBLE


def _is_text(path: tuple[str, ...]) -> bool:
    """Return whether a value is a text that people write, or code."""
    if len(path) == 1:
        return path[0].partition(".")[0] in _TEXTS
    return path[-1] in ("text", "code") if len(path) == 2 else path[-2] in _BY_KEY


def _merge_parts(
    path: tuple[str, ...],
    base: Mapping[str, Any],
    mine: Mapping[str, Any],
    theirs: Mapping[str, Any],
) -> Any:
    found = {}
    for name in dict.fromkeys((*mine, *theirs)):
        values = (each.get(name) for each in (base, mine, theirs))
        value = _merge((*path, name), *values)
        if value is _IMPOSSIBLE:
            return _IMPOSSIBLE
        if value is not None or (name in mine and name in theirs):
            found[name] = value
    return found


# Two changes of a text, merged by diff3: by line first, then by word within conflicting lines.
#
# S. Khanna, K. Kunal, B. C. Pierce, "A formal investigation of diff3", FSTTCS 2007: the parts that
# both sides left unchanged separate regions, and in each region at most one side may differ.


_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_WORD = re.compile(r"\s*\S+|\s+")
_MOST = 4_000_000
"""Pairs of parts to compare, about a second; larger differences count as a conflict."""


def merge_texts(base: str, mine: str, theirs: str, *, words: bool = True) -> str | None:
    """Return the text with both changes, or nothing if they conflict.

    Without ``words`` it is merged by line only, as programs are.

    >>> merge_texts("a b c d", "a B c d", "a b c D")
    'a B c D'
    >>> merge_texts("a b", "a c", "a d") is None
    True
    """
    merged: list[str] = []
    for region in _regions(*(_LINE.findall(text) for text in (base, mine, theirs))):
        chosen = _chosen(region)
        if chosen is None and words:
            said = ("".join(part) for part in region)
            parts = [_chosen(each) for each in _regions(*(_WORD.findall(text) for text in said))]
            chosen = None if None in parts else [word for part in parts for word in part or ()]
        if chosen is None:
            return None
        merged += chosen
    return "".join(merged)


class _Region(NamedTuple):
    base: Sequence[str]
    mine: Sequence[str]
    theirs: Sequence[str]


def _chosen(region: _Region) -> Sequence[str] | None:
    """Return the side that changed a region, or nothing if both did differently."""
    if region.mine == region.theirs or region.theirs == region.base:
        return region.mine
    return region.theirs if region.mine == region.base else None


def _regions(base: Sequence[str], mine: Sequence[str], theirs: Sequence[str]) -> Iterator[_Region]:
    """Yield the regions of three texts: unchanged in all of them, or what lies between."""
    here, there = _matches(base, mine), _matches(base, theirs)
    if here is None or there is None:
        yield _Region(base, mine, theirs)
        return
    at = (0, 0, 0)
    for start in range(len(base) + 1):
        last = start == len(base)
        if not last and (start not in here or start not in there):
            continue
        place = (start, len(mine), len(theirs)) if last else (start, here[start], there[start])
        if place != at:
            ends = zip((base, mine, theirs), at, place, strict=True)
            yield _Region(*(text[begin:end] for text, begin, end in ends))
        if not last:
            same = base[start : start + 1]
            yield _Region(same, same, same)
            at = (place[0] + 1, place[1] + 1, place[2] + 1)


def _matches(base: Sequence[str], other: Sequence[str]) -> dict[int, int] | None:
    """Return the unchanged parts by their places, or nothing if that is too much work."""
    start = shared_length(base, other)
    end = shared_length(reversed(base[start:]), reversed(other[start:]))
    found = {n: n for n in range(start)}
    found |= {len(base) - 1 - n: len(other) - 1 - n for n in range(end)}
    middle, changed = base[start : len(base) - end], other[start : len(other) - end]
    if len(middle) * len(changed) > _MOST:
        return None
    for block in SequenceMatcher(None, middle, changed, autojunk=False).get_matching_blocks():
        found |= {start + block.a + n: start + block.b + n for n in range(block.size)}
    return found
