"""Requests to a knowledge base, and their results."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from kb.errors import Message

Via = Literal["text", "translation", "spelling", "transliteration", "layout", "meaning"]
"""How a hit was found: by its own words, or by an interpretation."""

Titled = Literal["", "title", "alias"]
"""Which part of an entry the query equals, if any: its title or an alias."""


class Page(NamedTuple):
    """At most ``limit`` hits, or all without a limit, starting at ``offset``."""

    limit: int | None = 10
    offset: int = 0


class Filters(NamedTuple):
    """The filters of a search, list or export; all must match."""

    lang: str | None = None
    collection: str | None = None
    level: str | None = None
    verdict: str | None = None
    tag: str | None = None


class Excerpt(NamedTuple):
    """A passage in its original spelling, with the spans that matched."""

    text: str
    marks: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Hit:
    """An entry that was found or listed (then without score, via and excerpt).

    ``evidence`` counts the annotations with evidence by status. ``cards`` are other found entries
    of the same note, and ``section`` is the heading of the excerpt in a long note. ``told``
    counts verdicts by the language of the marked words.
    """

    id: str
    kind: str
    collection: str
    number: str | None
    level: str | None
    lang: str
    question: Mapping[str, str]
    verdicts: Mapping[str, int]
    snippets: tuple[str, ...]
    score: float | None = None
    via: Via | None = None
    excerpt: Excerpt | None = None
    evidence: Mapping[str, int] = field(default_factory=dict)
    cards: tuple[str, ...] = ()
    section: str | None = None
    wording: Mapping[str, str] = field(default_factory=dict)
    told: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    titled: Titled = ""


class Results(NamedTuple):
    """The result of a search or list: the requested hits, of ``total`` matches."""

    query: str
    total: int
    hits: tuple[Hit, ...]
    took_ms: float = 0.0
    suggestion: str | None = None
    notice: str | None = None
    explanation: tuple[str, ...] = ()


# How a reader types what is no prose: tags in a line, the code of a language.


LONGEST_TAG = 300
_LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{1,8})*")
_TAG = re.compile(r'\s*"(?:[^"]|"")*"\s*|[^,،]+')
_READ_OTHERWISE = re.compile('[,،"\\[\\]]')


def is_language_code(text: str) -> bool:
    """Return whether a text has the form of a language code (the used part of BCP 47).

    >>> is_language_code("fa"), is_language_code("pt-BR"), is_language_code("Persian")
    (True, True, False)
    """
    return bool(_LANGUAGE.fullmatch(text))


def tags_in(line: str) -> tuple[str, ...]:
    """Return the tags in a line, without duplicates: comma-separated, or in quotes.

    >>> tags_in('exam, later،  exam, "a, b"')
    ('exam', 'later', 'a, b')
    """
    found = []
    for tag in map(str.strip, _TAG.findall(line)):
        quoted = len(tag) > 1 and tag[0] == tag[-1] == '"'
        found.append(tag[1:-1].replace('""', '"').strip() if quoted else tag)
    return tuple(dict.fromkeys(filter(None, found)))


def in_a_line(tags: Iterable[str]) -> str:
    """Return tags as a line that `tags_in` can read.

    >>> in_a_line(["losses", "a, b"])
    'losses, "a, b"'
    """
    return ", ".join(
        '"{}"'.format(tag.replace('"', '""')) if _READ_OTHERWISE.search(tag) else tag
        for tag in tags
    )


# How often long work speaks: often enough to be followed and stopped, and no more.
#
# Work tells its `Progress` at every step, however small; at the door the steps are thinned out.


Progress = Callable[[int, int], None]
"""Called with the work done and the total, which is 0 while unknown.

It is called about ten times a second, even without progress. It raises `kb.errors.Cancelled` to
cancel the work.
"""

_SECONDS = 0.1


def silent(done: int, total: int) -> None:
    """Tell nobody."""


def paced(progress: Progress | None) -> Progress:
    """Return a `Progress` limited to ten calls a second, plus the first and last of each total.

    >>> told = []
    >>> tell = paced(lambda done, total: told.append(done))
    >>> for done in range(1001):
    ...     tell(done, 1000)
    >>> told[0], told[-1], len(told) < 1001
    (0, 1000, True)
    """
    if progress is None:
        return silent
    last, known = 0.0, -1

    def tell(done: int, total: int) -> None:
        nonlocal last, known
        now = time.monotonic()
        if total != known or 0 < total <= done or now - last >= _SECONDS:
            last, known = now, total
            progress(done, total)

    return tell


# The writer that holds the write lock.


class Writer(NamedTuple):
    """A writing program: its action, process (0 if unknown) and duration in seconds."""

    what: str = ""
    pid: int = 0
    seconds: float = 0.0

    @property
    def said(self) -> Message:
        """Its description.

        >>> Writer("kb import", 1234, 12.3).said
        'another danesh (kb import, process 1234) has been writing for 12 s'
        >>> Writer(pid=1234).said, Writer().said
        ('another program (process 1234) is writing', 'another program is writing')
        """
        if self.what:
            return Message(
                "another danesh ({what}, process {pid}) has been writing for {seconds:.0f} s",
                **self._asdict(),
            )
        if self.pid:
            return Message("another program (process {pid}) is writing", pid=self.pid)
        return Message("another program is writing")


OnWait = Callable[[Writer, float], None]
"""Called several times a second with the writer this thread waits for, and the seconds waited.

It raises `kb.errors.Cancelled` to stop waiting.
"""
