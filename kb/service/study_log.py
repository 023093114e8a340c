"""The study log and its settings, as a reader's own copies exchange them in a file.

A course never gets them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any, NamedTuple, get_args

from kb import limits
from kb.errors import BadData, UsageError
from kb.model.entry import digest
from kb.model.json import dumps, loads
from kb.model.shapes import NUMBER, TEXT, WHOLE, Choice, Key, Many, Shape
from kb.model.study import Row, Scheduler, What
from kb.settings import Settings, change_settings, is_setting, read_settings
from kb.store.sqlite.store import Store
from kb.study.schedule import Schedule

MARK, SETTINGS = '{"study":', '{"study_settings":'
"""How a line of the log begins, and that of the settings."""

_SHARED = "study_settings"
"""Metadata: the settings as they were last exchanged."""

_STUDYING = tuple(e.name for e in dataclasses.fields(Settings) if e.name.startswith("study_"))

_AT_ONCE = 1000
"""Rows stored in one transaction."""

_LAST_DAY, _ZONE = 3_652_059, 24 * 60
_NUMBERS = {
    "at": (0, 1 << 46), "day": (1, _LAST_DAY), "zone": (-_ZONE, _ZONE), "rating": (0, 4),
    "confidence": (0, 3), "took": (0, 1 << 40), "interval": (-(1 << 31), 1 << 31),
    "begins": (0, 23), "retention": (0, 1),
}  # fmt: skip


class _Line(NamedTuple):
    """A row of the log as any copy writes it, with its scheduler.

    ``of`` is the digest of the undone row's line.
    """

    what: What
    entry: str
    at: int
    zone: int
    day: int
    exercise: str = ""
    rating: int = 0
    interval: int = 0
    confidence: int = 0
    took: int = 0
    outcome: str = ""
    shown: str = ""
    of: str = ""
    weights: tuple[float, ...] = ()
    retention: float = 0.0
    begins: int = 0


def _check(line: _Line, place: str) -> None:
    """Reject numbers that no review has, and a scheduler that is none."""
    within = all(least <= getattr(line, n) <= most for n, (least, most) in _NUMBERS.items())
    named = line.entry and max(map(len, (line.entry, line.exercise, line.shown))) <= limits.NAME
    told = not line.outcome or isinstance(loads(line.outcome, place), dict)
    if not (within and named and told and (line.what == "undo") == bool(line.of)):
        raise BadData("a line is damaged", place=place)
    if line.weights or line.retention or line.begins:
        try:
            Schedule(line.weights, line.retention)
        except UsageError as error:
            raise BadData("a line is damaged", place=place) from error


def _key(name: str, codec: Any) -> Key:
    if name not in _Line._field_defaults:
        return Key(name, codec)
    return Key(name, codec, default=_Line._field_defaults[name], always=False)


_CODECS = {"what": Choice(get_args(What)), "weights": Many(NUMBER), "retention": NUMBER}
_TEXTS = ("entry", "exercise", "outcome", "shown", "of")
_SHAPE: Shape[_Line] = Shape(
    _Line,
    *(_key(n, _CODECS.get(n, TEXT if n in _TEXTS else WHOLE)) for n in _Line._fields),
    check=_check,
)


class StudySettings:
    """The settings of studying: of each one, the value that was changed last counts.

    ``shared`` has the value of each as the copies know it, and when it was changed in milliseconds
    since 1970. A setting that was never changed has the time 0.
    """

    def __init__(self, store: Store, now: int) -> None:
        self._store = store
        settings, problems = read_settings()
        self.usable = not problems
        """Whether the settings can be read: if not, they are left alone."""
        known = loads(store.meta.get(_SHARED) or "{}", _SHARED)
        self.shared: dict[str, tuple[Any, int]] = {}
        for name in _STUDYING:
            here = _plain(getattr(settings, name))
            value, at = known.get(name, (_plain(getattr(Settings(), name)), 0))
            self.shared[name] = (here, at if here == value else max(now, at + 1))

    @property
    def line(self) -> str:
        """The line of the file, with the settings that were ever changed; empty if none was."""
        changed = {name: (value, at) for name, (value, at) in self.shared.items() if at}
        return f"{SETTINGS}{dumps(changed, indent=None)}}}" if changed else ""

    def take(self, line: str, place: str) -> tuple[str, ...]:
        """Take the settings of a line that were changed later; return their names.

        Raises `BadData` for a damaged line.
        """
        said = _read_settings(line, place).items()
        newer = {name: (value, at) for name, (value, at) in said if at > self.shared[name][1]}
        changed = {n: value for n, (value, _) in newer.items() if value != self.shared[n][0]}
        if changed:
            change_settings(changed)
        self.shared |= newer
        return tuple(changed)

    def keep(self) -> None:
        """Remember the values for the next exchange. The caller holds the transaction."""
        if self.usable:
            self._store.meta.put(_SHARED, dumps(self.shared, indent=None))


def _plain(value: Any) -> Any:
    """Return the value of a setting as JSON has it."""
    return list(value) if isinstance(value, tuple) else value


def _read_settings(line: str, place: str) -> dict[str, tuple[Any, int]]:
    """Return the known settings of a line. Raises `BadData` unless each has a value and a time."""
    try:
        said = loads(line, place)["study_settings"]
        found = {name: (value, at) for name, (value, at) in said.items() if name in _STUDYING}
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise BadData("a line is damaged", place=place) from error
    for name, (value, at) in found.items():
        if type(at) is not int or not 0 <= at < 1 << 46 or not is_setting(name, value):
            raise BadData("a line is damaged", place=place)
    return found


class StudyLog:
    """The study log of one file, as lines that say the same in every copy."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def lines(self) -> Iterator[tuple[str, int]]:
        """Yield the line and the id of each row."""
        studies = self._store.studies
        schedulers = studies.schedulers()
        undone = {row.id: digest(_text(row, schedulers, "")) for row in studies.undone()}
        for row in studies.rows():
            yield _text(row, schedulers, undone.get(row.of, "")), row.id

    def add(self, lines: Iterable[str], place: str) -> tuple[int, list[str], int]:
        """Store the rows that are missing here, each at its time.

        Returns how many were stored, the damaged lines, and how many rows here the lines lack.
        Memory states are replayed when they are asked for.
        """
        known = {digest(text): id for text, id in self.lines()}
        lacking, damaged = {*known}, list[str]()
        new: dict[str, _Line] = {}
        for text in lines:
            name = digest(text)
            lacking.discard(name)
            if name not in known and name not in new:
                line = _read(text, place)
                if line is None:
                    damaged.append(text)
                else:
                    new[name] = line
        order = sorted(new.items(), key=lambda item: (bool(item[1].of), item[1].at))
        for first in range(0, len(order), _AT_ONCE):
            with self._store.transaction():
                for name, line in order[first : first + _AT_ONCE]:
                    known[name] = self._put(line, known)
        if order:
            with self._store.transaction():
                self._store.studies.forget()
        lost = [_written(line) for name, line in new.items() if not known[name]]
        return len(new) - len(lost), [*damaged, *lost], len(lacking)

    def _put(self, line: _Line, known: dict[str, int]) -> int:
        """Store a row and return its id; 0 for the undo of an unknown row."""
        studies, of = self._store.studies, known.get(line.of, 0)
        if line.of and not of:
            return 0
        said = line._asdict()
        weights, retention, begins = (said.pop(name) for name in Scheduler._fields)
        number = studies.scheduler(Scheduler(weights, retention, begins)) if retention else 0
        return studies.add(Row(id=0, **{**said, "of": of}, scheduler=number), last=False)


def _text(row: Row, schedulers: dict[int, Scheduler], of: str) -> str:
    said = {name: value for name, value in row._asdict().items() if name in _Line._fields}
    with suppress(KeyError):
        said |= schedulers[row.scheduler]._asdict()
    return _written(_Line(**{**said, "of": of}))


def _written(line: _Line) -> str:
    return f"{MARK}{dumps(_SHAPE.write(line), indent=None)}}}"


def _read(text: str, place: str) -> _Line | None:
    """Return what a line says; nothing unless a copy wrote it, for it would differ ever again."""
    try:
        line = _SHAPE.read(loads(text, place)["study"], place)
    except (BadData, KeyError, TypeError):
        return None
    return line if _written(line) == text else None
