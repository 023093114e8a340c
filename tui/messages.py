"""What the parts of the app tell each other.

A message in the imperative asks; one in the past tense tells what came of it. The
``number`` of an answer is that of its question, so that a late answer is known as such.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from textual.message import Message

from tui.bidi import StyledSpan

if TYPE_CHECKING:
    from kb.model import (
        Entry,
        ImportReport,
        Outcome,
        Page,
        Program,
        Proven,
        Results,
        Snippet,
        TablePreview,
        Verification,
    )
    from kb.model.changes import Collection
    from kb.model.results import Writer


@dataclass
class OpenEntry(Message):
    """Show this entry; ``read`` moves the reader to it, too, who may have ``followed`` a link."""

    entry: str
    read: bool = True
    followed: bool = False


@dataclass
class TakeSuggestion(Message):
    """Search for the suggested spelling."""


@dataclass
class ShowNote(Message):
    """Go to the note of an annotation."""

    annotation: str


@dataclass
class ShowWords(Message):
    """Go to the words that an annotation speaks of."""

    annotation: str


@dataclass
class ShowProgram(Message):
    """Go to the program that measures a figure."""

    snippet: str


@dataclass
class RunSnippet(Message):
    """Run this snippet; with ``code`` what the reader made of it.

    While one runs nothing is begun; the key that ``stops`` ends it then. ``begun_from`` is the
    code that the reader's changes began with.
    """

    snippet: str
    code: str | None = None
    stops: bool = False
    begun_from: str | None = None


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
class ProvenFound(Message):
    """It was counted how much of the evidence is confirmed."""

    proven: Proven


@dataclass
class ResultsFound(Message):
    """A search or a list came back; ``collections`` are titles by language.

    Where it is empty, ``beyond`` is how many there are without its filters. ``telling`` is
    the entry that the library names as the most telling one.
    """

    number: int
    results: Results
    collections: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    beyond: int = 0
    telling: str = ""


@dataclass
class PageFound(Message):
    """A page of what was found came back, or could not be fetched.

    ``number`` is that of the question.
    """

    number: int
    page: Page
    results: Results | None = None


@dataclass
class FacetsFound(Message):
    """The values came back that the list can be narrowed to, by field."""

    facets: Mapping[str, Sequence[str]]
    tree: Sequence[Collection] = ()


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


@dataclass
class CodeColoured(Message):
    """The colours of a code were found."""

    code: str
    marks: tuple[StyledSpan, ...]


@dataclass
class OutputArrived(Message):
    """A running snippet wrote something."""

    number: int
    stream: str
    text: str


@dataclass
class RunEnded(Message):
    """A run ended, with its outcome, or refused with a sentence."""

    number: int
    outcome: Outcome | None
    refusal: str = ""


@dataclass
class Proved(Message):
    """A run has proved something of an entry, which was ``stored`` where the database allows it."""

    entry: str
    stored: bool = True


@dataclass
class ConsentAsked(Message):
    """These programs are to run, and some only after the reader's yes; ``number`` is the run's."""

    number: int
    programs: Sequence[Program]


@dataclass
class VerifyAsked(Message):
    """The evidence of these entries is measured by programs that need the reader's yes."""

    ids: Sequence[str]
    programs: Sequence[Program]


@dataclass
class CodeLeft(Message):
    """The reader is done with changing a snippet's code for now."""


@dataclass
class WriterAwaited(Message):
    """A change waits for another program that writes."""

    writer: Writer


@dataclass
class OwnChanged(Message):
    """What a reader added to an entry was changed; ``id`` is what it was, if it is still there."""

    entry: str
    id: str | None


@dataclass
class Exported(Message):
    """A file was written."""

    count: int
    path: str


@dataclass
class Progressed(Message):
    """So much of long work is done, of so much; of 0 while that is not known."""

    done: int
    total: int


@dataclass
class Imported(Message):
    """A file was imported; what there is to choose from now, and the collections' titles."""

    report: ImportReport
    facets: Mapping[str, Sequence[str]]
    collections: Mapping[str, Mapping[str, str]]
    tree: Sequence[Collection] = ()


@dataclass
class TableFound(Message):
    """A file is a table of other people's, whose columns the reader is to name."""

    table: TablePreview


@dataclass
class LookedThrough(Message):
    """It is known what an import would do."""

    report: ImportReport


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


@dataclass
class EntriesListed(Message):
    """The ids of everything that is listed came back."""

    ids: Sequence[str]


@dataclass
class Verified(Message):
    """Evidence was run and judged."""

    results: Sequence[Verification]


@dataclass
class EntryRenewed(Message):
    """An entry that is shown came back as it is stored now."""

    entry: Entry
