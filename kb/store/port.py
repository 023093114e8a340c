"""The port to what is kept: what services may ask of a store, whatever keeps it.

A store is used from several threads at once. What it changes is changed within a
`Store.transaction` of the calling thread, and a service alone begins one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Literal, NamedTuple, Protocol

from kb.errors import KbError
from kb.records import ConceptName, Entry, Hit, Page, Source
from kb.records.changes import Collection
from kb.records.clauses import Candidate
from kb.records.document import Document
from kb.records.predicates import Predicate
from kb.records.reports import Backup
from kb.records.writer import OnWait
from kb.store.history import Journal, Layers, Ledger
from kb.store.media import MediaFiles, Reviews
from kb.store.proofs import Additions, Evidences, Snippets
from kb.work import Budget

Owner = Literal["bundled", "user"]
"""Whose an entry is: it follows the content that comes with danesh, or a reader's files."""


class Ref(NamedTuple):
    """A document by its entry and its language."""

    entry: str
    lang: str


class Selection(NamedTuple):
    """How many entries meet a predicate, and those of a page, each in its first language."""

    total: int
    refs: Sequence[Ref]


class EntryState(NamedTuple):
    """What is known of a stored entry without reading it."""

    owner: Owner
    digest: str
    collection: str
    position: int
    layer: int
    hidden: bool
    shown: bool


class Name(NamedTuple):
    """A name of a concept, and the best one of its language where ``place`` is 0."""

    name: str
    lang: str
    place: int
    concept: int


Texts = Mapping[str, str | None]
"""The searched texts of a document by column."""


class Catalog(Protocol):
    """What is there: lists, hits, names, counts."""

    def select(self, predicate: Predicate, page: Page, *, hidden: bool = False) -> Selection:
        """Return a page of the entries that meet a predicate, in the order of collections.

        They are those that are listed, or those that the reader has ``hidden``.
        """

    def hits(self, refs: Sequence[Ref]) -> list[Hit]:
        """Return documents as lines of a list; one that is gone is left out."""

    def page(self, refs: Sequence[Ref]) -> list[tuple[Hit, Texts]]:
        """Return documents as lines of a list, each with its searched texts by column.

        One that is gone is left out.
        """

    def texts(self, refs: Sequence[Ref]) -> list[Texts]:
        """Return the searched texts of documents by column; none of one that is gone."""

    def titled(self, title: int, predicate: Predicate) -> list[tuple[bool, Candidate]]:
        """Return the listed documents that have a title (`kb.text.title`) and meet a predicate.

        Each is told with whether the title is an alias of its entry.
        """

    def has_cards(self) -> bool:
        """Say whether any entry is a card that was made from a note."""

    def notes_of(self, entries: Sequence[str]) -> dict[str, str]:
        """Return the notes that these entries were made from, by those that are cards."""

    def backlinks(self, entry: str) -> tuple[str, ...]:
        """Return the listed entries that name an entry as related, by their ids."""

    def languages(self) -> tuple[str, ...]:
        """Return the languages that documents are in."""

    def collections(self) -> dict[str, dict[str, str]]:
        """Return the collections in order, each with its title by language."""

    def facets(self) -> dict[str, list[str]]:
        """Return the values that entries can be narrowed to, by field."""

    def counts(self) -> dict[str, int]:
        """Return how much of everything is stored."""

    def similar_names(self, name: str) -> list[str]:
        """Return ids of entries and snippets that have a part of a name in common."""


class Entries(Protocol):
    """Entries with what belongs to them."""

    def get(self, ids: Sequence[str]) -> dict[str, Entry]:
        """Return the entries of these ids that are there."""

    def state(self, id: str) -> EntryState | None:
        """Return what is known of an entry, or nothing where there is none."""

    def states(self, ids: Sequence[str]) -> dict[str, EntryState]:
        """Return what is known of each of these entries that is stored, there or not."""

    def owned(self, owner: Owner) -> set[str]:
        """Return the ids of an owner's entries."""

    def put(self, entry: Entry, owner: Owner, position: int | None, layer: int = 0) -> None:
        """Store an entry, or renew it, without what a reader added to it.

        A new one is of a ``layer``; one that is there stays in its own. It stands at ``position``
        of its collection; without one where it stood, or last.
        Raises `Conflict` where a snippet's or an annotation's name is taken.
        """

    def put_new(self, entries: Sequence[Entry], owner: Owner, layer: int) -> list[Document]:
        """Store entries of texts alone that are not there, each last of its collection.

        Returns their documents, which are stored too.
        """

    def next_position(self, collection: str) -> int:
        """Return the place behind the last entry of a collection."""

    def move(self, id: str, position: int) -> None:
        """Put an entry elsewhere in its collection."""

    def hide(self, id: str, hidden: bool) -> None:
        """Let an entry be listed or not."""

    def remove(self, id: str) -> None:
        """Remove an entry and what belongs to it, with what a reader added to it."""

    def documents(self, ids: Sequence[str] | None = None) -> Iterable[Document]:
        """Return the stored documents of entries, or of all, by their numbers."""

    def holding(self, documents: Sequence[int]) -> list[str]:
        """Return the entries that these documents are of, by their numbers."""

    def put_documents(self, entry: Entry) -> list[Document]:
        """Store the documents of an entry in place of those it had, and return them."""

    def renew_titles(self) -> None:
        """Store the titles of all documents again; the caller holds the transaction."""

    def wrongly_titled(self) -> set[int]:
        """Return the documents whose titles are not stored as they are written."""

    def put_sources(self, sources: Iterable[Source]) -> None:
        """Store source documents, or renew them."""

    def media(self) -> list[str]:
        """Return the digests of what entries show, each once."""

    def sources(self) -> list[Source]:
        """Return the source documents, by file name."""

    def drop_unused_snippets(self) -> None:
        """Remove the bundled snippets that nothing belongs to any more."""


class Collections(Protocol):
    """The collections entries stand in, which their names with slashes make a tree."""

    def put(self, id: str, title: Mapping[str, str], layer: int = 0) -> None:
        """Store a collection; one that exists keeps its place, and its title if none is given.

        One of a ``layer`` is there with it; outside of any it is there for good.
        """

    def light(self, id: str, title: Mapping[str, str], layer: int) -> None:
        """Let a stored collection that is not there be there with a layer, behind all others."""

    def raise_layer(self, layer: int) -> None:
        """Let the collections of a layer stand behind all others, in their order."""

    def there(self, id: str) -> bool:
        """Say whether a collection is stored, and its layer shown."""

    def place(self, id: str) -> tuple[int, int]:
        """Return where a stored collection stands among all, and its layer."""

    def put_back(self, id: str, position: int, layer: int) -> None:
        """Let a collection stand where it stood, in its layer; what stands there goes behind."""

    def retitle(self, id: str, title: Mapping[str, str]) -> None:
        """Give a collection another title, or none."""

    def get(self, id: str) -> Collection | None:
        """Return a collection that is there, or nothing."""

    def tree(self) -> list[Collection]:
        """Return the collections in order, those above others too, each with its entries' count."""

    def entries_in(self, id: str) -> list[str]:
        """Return the entries of a collection and of those below it, hidden ones too."""

    def named(self, id: str) -> list[str]:
        """Return a collection and those below it, as far as they are stored."""

    def rename(self, old: str, new: str) -> None:
        """Give a collection and those below it another name; entries keep their ids."""

    def remove(self, id: str) -> None:
        """Remove a collection; where entries that are not shown stand in it, it goes with them."""

    def drop_empty(self, among: Iterable[str]) -> None:
        """Remove those of these that no entry stands in."""

    def leave_layer(self, layer: int) -> None:
        """Remove the collections of a layer, but leave those that others stand in to them."""


class Glossary(Protocol):
    """The names of concepts in several languages, each found by its stems."""

    def put(self, names: Iterable[ConceptName], owner: str) -> None:
        """Store an owner's names in place of those it had."""

    def names(self) -> list[tuple[int, str, str]]:
        """Return the number, the name and the language of all names."""

    def concept_names(self) -> Iterator[ConceptName]:
        """Yield the names that came with danesh."""

    def put_stems(self, stems: Iterable[tuple[int, str]]) -> None:
        """Let names be found by these stems, by their numbers."""

    def translations(self, keys: Iterable[tuple[str, str]]) -> dict[tuple[str, str], list[Name]]:
        """Return the names in other languages of what has these stems in a language."""

    def languages(self) -> list[str]:
        """Return the languages that names are in."""


class Copies(NamedTuple):
    """Files that were made of a store: the newest first."""

    dated: Sequence[str]
    beside: Sequence[str]
    strays: Sequence[str]


class Engine(NamedTuple):
    """What keeps a store: its version, and how it journals changes."""

    version: str
    journal: str


class Meta(Protocol):
    """What a store remembers of itself."""

    def get(self, key: str) -> str | None:
        """Return what is remembered under a key."""

    def put(self, key: str, value: str) -> None:
        """Remember a value under a key."""


class Store(Protocol):
    """A knowledge base as it is kept."""

    @property
    def path(self) -> str:
        """Where it is kept."""

    @property
    def catalog(self) -> Catalog:
        """What is there: lists, hits, names, counts."""

    @property
    def entries(self) -> Entries:
        """Entries and their texts."""

    @property
    def collections(self) -> Collections:
        """The collections entries stand in."""

    @property
    def journal(self) -> Journal:
        """Every change of content."""

    @property
    def ledger(self) -> Ledger:
        """Where entries came from."""

    @property
    def layers(self) -> Layers:
        """What imports bring in."""

    @property
    def snippets(self) -> Snippets:
        """Programs."""

    @property
    def evidences(self) -> Evidences:
        """What verifying has found."""

    @property
    def additions(self) -> Additions:
        """What a reader adds."""

    @property
    def glossary(self) -> Glossary:
        """Terms and their translations."""

    @property
    def media(self) -> MediaFiles:
        """The bytes of media."""

    @property
    def reviews(self) -> Reviews:
        """How entries were studied."""

    @property
    def meta(self) -> Meta:
        """What the base says of itself, by key."""

    def transaction(self) -> AbstractContextManager[None]:
        """Change all that follows, or nothing. Raises `Conflict` where another keeps the lock."""

    def working(self, what: str) -> AbstractContextManager[None]:
        """Tell other writers what this thread does for long, and let them write in between."""

    def when_waiting(self, tell: OnWait) -> None:
        """Let somebody know whom a transaction waits for, and since when."""

    def limit(self) -> KbError | None:
        """Return why nothing can be written, if so."""

    def snapshot(self) -> AbstractContextManager[None]:
        """Read within what is there at one moment, whoever writes meanwhile."""

    def savepoint(self) -> AbstractContextManager[None]:
        """Within a transaction, change all that follows or nothing of it."""

    def within(self, budget: Budget) -> AbstractContextManager[None]:
        """Stop what this thread asks within once the budget says so."""

    def refuse_target(self, target: str | int) -> None:
        """Refuse a path to write, or an open file by its number, that a database needs.

        That is this one, and what lies beside this or any other one. Raises `Conflict`.
        """

    def copy_to(self, path: str, called: str) -> None:
        """Write a whole, closed copy, even while others write to this one.

        It is ``called`` so where it cannot be written.
        """

    def back_up(self, path: str | None, *, replace: bool = False) -> Backup:
        """Write a verified copy, even while others write to this one; without a path with the date.

        Raises `Conflict` where there is a file of that name.
        """

    def keep_as_it_is(self, why: str) -> str:
        """Keep a verified copy of what is about to be changed, and return where it lies."""

    def restore(self, copy: str) -> Backup:
        """Put a copy in the place of all this, and go on with it; what was there is kept."""

    def remake(self, make: Callable[[str, str], None]) -> str:
        """Put in the place of all this, if it is damaged, what is made of it; return where it is.

        ``make`` is given a copy to read and an empty file to fill; nobody can write meanwhile.
        """

    def keep_only(
        self, entries: Iterable[str], collections: Iterable[str], sources: Iterable[str]
    ) -> None:
        """Remove all but these entries, collections and source documents, and what is private.

        That is the journal, where entries came from, how they were studied, and dictionaries that
        did not come with danesh. The index does not follow. The caller holds the transaction.
        """

    def compact(self) -> None:
        """Give back the room of what was removed, and bring what belongs together together."""

    def give_back(self) -> None:
        """Give back the room of what was removed, where it is much; others write in between."""

    def size(self) -> int:
        """Return how many bytes it takes."""

    def check(self) -> str:
        """Return ``ok``, or what is wrong with the file."""

    def orphans(self) -> dict[str, int]:
        """Return how many rows speak of others that are missing, by their tables."""

    def mend_orphans(self) -> None:
        """Let no row speak of one that is missing; the caller holds the transaction.

        An entry gets its collection back; of what belongs to nothing any more the row goes.
        """

    def copies(self) -> Copies:
        """Return what copies there are of it."""

    def engine(self) -> Engine:
        """Return what keeps it."""

    def close(self) -> None:
        """Let go of it, in all threads."""
