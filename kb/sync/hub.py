"""A hub: a course in a PostgreSQL database, reached through its functions only.

Connections, TLS and passwords are libpq's (`~/.pgpass`, service files, environment variables).
What a hub answers is untrusted: texts of rows are checked where they are stored.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from kb import limits
from kb.errors import BadData, HubError, Message, UsageError, shown

if TYPE_CHECKING:
    import psycopg

VERSION = 2
ROLES = ("reader", "contributor", "reviewer", "owner")
MEMBERS = "danesh_member"
"""The role in PostgreSQL that may call the hub's functions."""

_SECONDS = 10
_WORK = "60s"
_ROWS, _SOME = 500, 100


class Position(NamedTuple):
    """The state of a course: who one is there, the last row, and the digest of all of them."""

    name: str
    role: str
    seq: int
    chain: str


class HubRow(NamedTuple):
    """A row of a hub: its position, who sent it, its standing, and its text."""

    seq: int
    chain: str
    author: str
    standing: int
    body: str


class Pushed(NamedTuple):
    """What a hub made of rows: its last row before and after, and their standing."""

    before: int
    seq: int
    chain: str
    standing: int


class UnknownPosition(HubError):
    """The hub does not have what it had: it was restored from a backup."""


@contextmanager
def connected(address: str) -> Iterator[Hub]:
    """Connect to a hub. Raises `HubError` if it cannot be reached, and `UsageError`.

    A password in the address is refused, because addresses are stored.
    """
    if _has_password(address):
        raise UsageError(
            "the address must not contain a password", "Put it into ~/.pgpass, or set PGPASSWORD."
        )
    try:
        import psycopg
    except ImportError as error:
        raise UsageError(
            "a hub needs psycopg, which is not installed", "Run: pip install 'danesh[hub]'"
        ) from error
    with _told(address):
        connection = psycopg.connect(
            address,
            autocommit=True,
            connect_timeout=_SECONDS,
            application_name="danesh",
            options=f"-c statement_timeout={_WORK}",
        )
        with connection:
            yield Hub(connection, address)


def _has_password(address: str) -> bool:
    try:
        parts = urlsplit(address)
        return parts.password is not None or "password=" in parts.query
    except ValueError as error:
        raise UsageError("this address cannot be read: {text}", text=shown(address)) from error


class Hub:
    """An open connection to a hub."""

    def __init__(self, connection: psycopg.Connection[Any], address: str) -> None:
        self._connection = connection
        self._address = address

    def init(self) -> None:
        """Create or upgrade the schema."""
        with _told(self._address), self._connection.transaction():
            version = self._version()
            self._run("SELECT pg_advisory_xact_lock(36)")
            if not self._rows("SELECT 1 FROM pg_roles WHERE rolname = %s", MEMBERS):
                self._run(f"CREATE ROLE {MEMBERS} NOLOGIN")
            for number, statements in _migrations():
                if number > version:
                    self._run(statements)

    def _version(self) -> int:
        if not self._rows("SELECT 1 FROM pg_namespace WHERE nspname = 'danesh'"):
            return 0
        ((version,),) = self._rows("SELECT danesh.hub_version()")
        if version > VERSION:
            raise BadData(
                "the hub is of a newer danesh", "Upgrade danesh.", place=shown(self._address)
            )
        return int(version)

    def open(self, course: str) -> Position:
        """Return the state of a course. Raises `HubError` unless one is a member of it."""
        version = self._version()
        if version < VERSION:
            raise HubError(
                "there is no hub of this version", "Its owner runs 'kb hub init'.",
                place=shown(self._address),
            )  # fmt: skip
        ((_, name, role, seq, chain),) = self._rows("SELECT * FROM danesh.hub_open(%s)", course)
        return Position(_text(name), _text(role), _number(seq), _text(chain))

    def collections(self, course: str) -> list[str]:
        """Return the collections of a course."""
        found = self._rows("SELECT danesh.hub_collections(%s)", course)
        return [_text(name) for (name,) in found]

    def read(self, course: str, after: int, chain: str, only: Sequence[str] = ()) -> list[HubRow]:
        """Return some rows after a position, of all or ``only`` some collections.

        Raises `UnknownPosition`.
        """
        sql = "SELECT * FROM danesh.hub_read(%s, %s, %s, %s, %s::text[])"
        found = self._rows(sql, course, after, chain, _ROWS, list(only))
        return [
            HubRow(_number(seq), _text(chain), _text(author), _standing(standing), _text(body))
            for seq, chain, author, standing, body in found
        ]

    def bodies(self, course: str, ids: Sequence[str]) -> list[str]:
        """Return the texts of rows by their ids, of which there are a hundred at most."""
        found = self._rows("SELECT body FROM danesh.hub_rows(%s, %s)", course, list(ids))
        return [_text(body) for (body,) in found]

    def history(self, course: str, entries: Sequence[str]) -> Iterator[Sequence[HubRow]]:
        """Yield all rows of some entries, some at a time."""
        sql = "SELECT * FROM danesh.hub_history(%s, %s, %s)"
        for start in range(0, len(entries), _SOME):
            after, asked = 0, list(entries[start : start + _SOME])
            while found := self._rows(sql, course, asked, after):
                if any(_number(seq) <= after for seq, *_ in found):
                    raise _malformed()
                after = found[-1][0]
                yield [
                    HubRow(seq, "", _text(author), _standing(standing), _text(body))
                    for seq, author, standing, body in found
                ]

    def has(self, course: str, seq: int, chain: str) -> bool:
        """Return whether a course has, or had, a position."""
        try:
            self._rows("SELECT seq FROM danesh.hub_read(%s, %s, %s, 1, '{}')", course, seq, chain)
        except UnknownPosition:
            return False
        return True

    def push(self, course: str, bodies: Sequence[str]) -> Pushed:
        """Add rows, all or none. Rows that are there are skipped."""
        sql = "SELECT * FROM danesh.hub_push(%s, %s)"
        ((before, seq, chain, standing),) = self._rows(sql, course, list(bodies))
        return Pushed(_number(before), _number(seq), _text(chain), _standing(standing))

    def put_media(self, course: str, digests: Sequence[str], data_of: Any) -> None:
        """Send the media that the hub does not have."""
        sql = "SELECT * FROM danesh.hub_missing_media(%s, %s)"
        missing = self._rows(sql, course, list(digests)) if digests else []
        for (digest,) in missing:
            data = data_of(digest) if digest in digests else None
            if data is not None:
                self._rows("SELECT danesh.hub_put_medium(%s, %s)", course, data)

    def medium(self, course: str, digest: str) -> bytes | None:
        """Return a media file, or nothing. Its digest is not checked."""
        ((data,),) = self._rows("SELECT danesh.hub_get_medium(%s, %s)", course, digest)
        return bytes(data) if isinstance(data, bytes) and len(data) <= limits.MEDIUM else None

    def members(self, course: str) -> list[tuple[str, str]]:
        """Return the members of a course with their roles."""
        found = self._rows("SELECT * FROM danesh.hub_members(%s)", course)
        return [(_text(name), _text(role)) for name, role in found]

    def add(self, course: str, name: str, role: str, password: str | None) -> bool:
        """Give somebody a role in a course; return whether they are new to the server.

        Their role in PostgreSQL is created if necessary, with a ``password`` that leaves this
        machine only as a SCRAM verifier.
        """
        from psycopg import sql

        user = sql.Identifier(name)
        with _told(self._address), self._connection.transaction():
            new = not self._rows("SELECT 1 FROM pg_roles WHERE rolname = %s", name)
            if new:
                self._run(sql.SQL("CREATE ROLE {} LOGIN").format(user))
            if password:
                encrypt = self._connection.pgconn.encrypt_password
                verifier = encrypt(password.encode(), name.encode(), b"scram-sha-256").decode()
                self._run(sql.SQL("ALTER ROLE {} PASSWORD {}").format(user, sql.Literal(verifier)))
            member = "SELECT pg_has_role(%s, %s, 'MEMBER')"
            if self._rows(member, name, MEMBERS) != [(True,)]:
                self._run(sql.SQL("GRANT {} TO {}").format(sql.Identifier(MEMBERS), user))
            self._rows("SELECT danesh.hub_set_member(%s, %s, %s)", course, name, role)
        return new

    def remove(self, course: str, name: str) -> None:
        """Take somebody's role in a course away; their role in PostgreSQL stays."""
        self._rows("SELECT danesh.hub_set_member(%s, %s, NULL)", course, name)

    def _rows(self, statement: Any, *values: object) -> list[tuple[Any, ...]]:
        with _told(self._address):
            return self._connection.execute(statement, values).fetchall()

    def _run(self, statement: Any) -> None:
        with _told(self._address):
            self._connection.execute(statement)


def _migrations() -> Iterator[tuple[int, str]]:
    text = files("kb.sync").joinpath("hub.sql").read_text(encoding="utf-8")
    _, *parts = re.split(r"^-- version (\d+)$", text, flags=re.MULTILINE)
    for number, statements in zip(parts[::2], parts[1::2], strict=True):
        yield int(number), statements


@contextmanager
def _told(address: str) -> Iterator[None]:
    """Turn the errors of PostgreSQL into ours."""
    import psycopg

    try:
        yield
    except psycopg.Error as error:
        raise _explained(error, address) from error


_CAUSES = {
    "KB002": Message("you are not a member of this course, or there is no such course"),
    "KB003": Message("the hub refused a change that is too large or malformed"),
    "KB004": Message("your role in this course does not allow this"),
    "42501": Message("your role on this server does not allow this"),
    "3F000": Message("there is no hub in this database ('kb hub init' creates one)"),
    "42883": Message("there is no hub in this database ('kb hub init' creates one)"),
    "28P01": Message("the server rejected the password"),
}


def _explained(error: psycopg.Error, address: str) -> HubError:
    if error.sqlstate == "KB001":
        return UnknownPosition(Message("the hub was restored from a backup"))
    place = shown(address)
    cause = _CAUSES.get(error.sqlstate or "")
    if cause is not None:
        return HubError(cause, place=place)
    said = " ".join(str(error).split())[:500]
    return HubError(
        "the hub cannot be used: {error}", "Nothing is lost. Sync again later.",
        place=place, error=said,
    )  # fmt: skip


def _text(value: Any) -> str:
    if not isinstance(value, str) or len(value) > limits.RECORD:
        raise _malformed()
    return value


def _number(value: Any) -> int:
    if not isinstance(value, int) or not 0 <= value < 1 << 62:
        raise _malformed()
    return value


def _standing(value: Any) -> int:
    if value not in (0, 1):
        raise _malformed()
    return int(value)


def _malformed() -> HubError:
    return HubError("the hub's answer is malformed")
