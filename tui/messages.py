"""The messages between parts of the app.

A message in the imperative is a request; one in the past tense reports a result. The ``number``
of an answer is that of its request, which identifies late answers.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from textual.message import Message

if TYPE_CHECKING:
    from kb.model.entry import Media, Snippet
    from tui.reading import Reading
    from tui.widgets.picture import PictureBlock

Titles: TypeAlias = Mapping[str, Mapping[str, str]]
"""The titles of collections by id and language."""


@dataclass
class OpenEntry(Message):
    """Show this entry and move the reader there, after having ``followed`` a link."""

    entry: str
    followed: bool = False


@dataclass
class ShowPart(Message):
    """Go to an annotation's note or its marked ``words``, or to the program of a figure, by id."""

    id: str
    words: bool = False


@dataclass
class RunSnippet(Message):
    """Run this program, or the reader's changed ``code``.

    While a program runs, none is started; the key that ``stops`` ends it. ``based_on`` is the
    code that the reader started from.
    """

    snippet: str
    code: str | None = None
    stops: bool = False
    based_on: str | None = None


@dataclass
class KeepCode(Message):
    """Save the reader's changed code."""

    snippet: Snippet
    code: str


@dataclass
class DraftChanged(Message):
    """The reader changed a program's code; without ``code`` it is unchanged."""

    snippet: str
    code: str | None


@dataclass
class ReadPicture(Message):
    """Read the pixels of a block's media, if they are a picture."""

    block: PictureBlock


@dataclass
class OpenPicture(Message):
    """Open a picture in another program."""

    media: Media


@dataclass
class EntryLoaded(Message):
    """An entry was loaded, with matches, backlinks and similar entries."""

    number: int
    reading: Reading
    read: bool


class CodeLeft(Message):
    """The reader stopped editing a program's code."""


@dataclass
class PartsChanged(Message):
    """Annotations, programs or evidence have changed; ``id`` is the addition to go to, if any."""

    id: str | None = None


@dataclass
class EntriesChanged(Message):
    """Entries or collections were changed; ``said`` is the message about it.

    Of the changed entries (``ids``), those ``away`` left all lists, ``opened`` is to be shown, and
    the list goes to the first of ``goals`` that it has. A collection may have been ``renamed``.
    `Session.changed` adds what is known after the change: ``titles`` are the collections' current
    titles, ``gone`` are deleted ones among the marked or open entries.
    """

    said: str
    ids: Collection[str] = ()
    away: Collection[str] = ()
    opened: str | None = None
    goals: Sequence[str] = ()
    renamed: tuple[str, str] | None = None
    titles: Titles = field(default_factory=dict)
    gone: Collection[str] = ()
