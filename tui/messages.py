"""What the parts of the app tell each other.

A message in the imperative asks; one in the past tense tells what came of it. The
``number`` of an answer is that of its question, so that a late answer is known as such.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from textual.message import Message

if TYPE_CHECKING:
    from kb.model import (
        Entry,
        ImportReport,
        Media,
        Snippet,
    )
    from kb.model.changes import Collection
    from tui.widgets.picture import PictureBlock


@dataclass
class OpenEntry(Message):
    """Show this entry; ``read`` moves the reader to it, too, who may have ``followed`` a link."""

    entry: str
    read: bool = True
    followed: bool = False


@dataclass
class ShowPart(Message):
    """Go to the note of an annotation, or to the program that measures a figure, by its id."""

    id: str


@dataclass
class ShowWords(Message):
    """Go to the words that an annotation speaks of."""

    annotation: str


@dataclass
class RunSnippet(Message):
    """Run this snippet; with ``code`` what the reader made of it.

    While one runs nothing is begun; the key that ``stops`` ends it then. ``based_on`` is the
    code that the reader's changes began with.
    """

    snippet: str
    code: str | None = None
    stops: bool = False
    based_on: str | None = None


@dataclass
class KeepCode(Message):
    """Keep what the reader made of a snippet."""

    snippet: Snippet
    code: str


@dataclass
class DraftChanged(Message):
    """The reader changed a snippet's code; without ``code`` it is as it was."""

    snippet: str
    code: str | None


@dataclass
class ColourCode(Message):
    """Find the colours of this code."""

    code: str
    language: str = "python"


@dataclass
class ReadPicture(Message):
    """Read the pixels of the media that a block is to show, if they are a picture."""

    block: PictureBlock


@dataclass
class OpenPicture(Message):
    """Open a picture in another program."""

    media: Media


@dataclass
class EntryLoaded(Message):
    """An entry came back, with what the search matched, what links to it, and where it stands.

    ``titles`` are by language, ``marks`` by role and language.
    """

    number: int
    entry: Entry
    read: bool
    titles: Mapping[str, str] = field(default_factory=dict)
    marks: Mapping[tuple[str, str], tuple[tuple[int, int], ...]] = field(default_factory=dict)
    backlinks: Sequence[str] = ()
    own: bool = False


@dataclass
class Proved(Message):
    """A run has proved something of an entry, which was ``stored`` where the database allows it."""

    entry: str
    stored: bool = True


@dataclass
class CodeLeft(Message):
    """The reader is done with changing a snippet's code for now."""


@dataclass
class OwnChanged(Message):
    """What a reader added to an entry was changed; ``id`` is what it was, if it is still there."""

    entry: str
    id: str | None


@dataclass
class Imported(Message):
    """A file was imported; what there is to choose from now, and the collections' titles."""

    report: ImportReport
    facets: Mapping[str, Sequence[str]]
    collections: Mapping[str, Mapping[str, str]]
    tree: Sequence[Collection] = ()


@dataclass
class EntriesChanged(Message):
    """Entries or collections were changed, and this is to be ``said`` of it.

    ``titles`` are those of the collections now. Of what was marked or open ``gone`` is not
    there any more; ``opened`` is to be read, and a collection may have been ``renamed``.
    """

    said: str
    titles: Mapping[str, Mapping[str, str]]
    gone: frozenset[str] = frozenset()
    opened: str | None = None
    renamed: tuple[str, str] | None = None
