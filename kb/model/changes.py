"""What is remembered of changes and of where entries came from."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

What = Literal["write", "import", "publish", "undo", "redo"]
"""What kind of change it was."""

State = Literal["done", "undone", "dropped"]
"""Whether a change stands, is undone, or is undone and can be redone no more."""


class FieldChange(NamedTuple):
    """One field of one entry, before a change and after it, as the contract writes it.

    Without a ``field`` it is the whole entry, with nothing before or after where there was
    none. Without an ``entry`` it is a collection's or an import's.
    """

    entry: str | None
    field: str | None = None
    before: Any = None
    after: Any = None
    id: str = ""


class Change(NamedTuple):
    """A change of content: when it was (ISO 8601, UTC), whose, of what kind, which command made it.

    ``layer`` is what an import stored its entries under; ``of`` the change that an undo or a
    redo was of. The id is a UUID of version 7 (RFC 9562): later ones sort behind earlier ones.
    ``session`` names the open library that made it: each has its own, for as long as it is open.
    A change of an older danesh has none.
    """

    id: str
    at: str
    who: str
    what: str
    action: str
    state: str = "done"
    layer: int | None = None
    of: str | None = None
    session: str | None = None
    fields: tuple[FieldChange, ...] = ()


IMPORT = "import"
"""The field that tells of an import what it did, in numbers."""


class Record(NamedTuple):
    """What is known of an entry's origin: the record of a file that it came from.

    ``file`` is an absolute path, `BUNDLED`, or empty where that is not remembered. ``place`` is
    the record's name within the file, and ``given`` says that the file itself names it so.
    ``heading``, ``answer`` and ``digest`` are digests of the question, of the answers and of
    all that the file said when it was last taken. ``base`` is that as JSON where a reader has
    changed the entry since, and ``theirs`` what the file says now where both were changed.
    """

    entry: str
    file: str
    place: str
    given: bool = False
    heading: str = ""
    answer: str = ""
    digest: str = ""
    line: int | None = None
    gone: bool = False
    base: str | None = None
    theirs: str | None = None
    layer: int = 0


BUNDLED = ":danesh"
"""The ``file`` of the records that came with danesh."""


class Version(NamedTuple):
    """What an import makes of an entry that is there: applied, or what it was before.

    ``seen`` is the digest of the entry that the import compared itself with.
    """

    entry: str
    state: Any
    seen: str
    settled: bool


class Collection(NamedTuple):
    """A collection, the one above it, and how many entries it holds with all below it."""

    id: str
    title: dict[str, str]
    entries: int
    parent: str | None
