"""The records of changes and of the origin of entries."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

What = Literal["write", "import", "publish", "undo", "redo", "sync"]
"""The kind of a change."""

Side = Literal["mine", "theirs"]
"""Whose version is kept: the reader's, or the other one."""

State = Literal["done", "undone", "dropped"]
"""The state of a change: current, undone, or undone and no longer redoable."""


class FieldChange(NamedTuple):
    """One field of an entry before and after a change, as in JSON.

    Without a ``field`` it is the whole entry, with nothing before or after if it did not exist.
    Without an ``entry`` it belongs to a collection or an import.
    """

    entry: str | None
    field: str | None = None
    before: Any = None
    after: Any = None
    id: str = ""


class Change(NamedTuple):
    """A change of content: time (ISO 8601, UTC), author, kind and command.

    ``layer`` has the entries of an import; ``of`` is the change that was undone or redone. The id
    is a UUID of version 7 (RFC 9562): ids sort by time. ``session`` identifies the open library
    that made it. Changes by an older danesh have none.
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
"""The field with the counts of an import."""


class Record(NamedTuple):
    """The origin of an entry: the record of a file.

    ``file`` is an absolute path, `BUNDLED`, or empty if unknown. ``place`` is the record's name
    within the file, and ``given`` means that the file itself names it. ``heading``, ``answer``
    and ``digest`` are digests of the question, the answers and the whole record at the last
    import. ``base`` is that record as JSON if the reader has changed the entry since, and
    ``theirs`` the file's current version in a conflict.
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
"""The ``file`` of bundled records."""


class Version(NamedTuple):
    """The new version of an existing entry in an import or, once applied, the previous one.

    ``seen`` is the digest of the entry that the import compared with.
    """

    entry: str
    state: Any
    seen: str
    settled: bool


class Collection(NamedTuple):
    """A collection, its parent, and the number of entries in it and below."""

    id: str
    title: dict[str, str]
    entries: int
    parent: str | None
