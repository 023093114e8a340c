"""A PostgreSQL server for the tests, on a Unix socket in a folder of its own."""

from __future__ import annotations

import copy
import os
import pwd
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

BIN = next(iter(sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)), None)


def _reason() -> str:
    if BIN is None:
        return "PostgreSQL is not installed (Debian: postgresql-15)"
    try:
        import psycopg  # noqa: F401
    except ImportError:
        return "psycopg is not installed (danesh[hub])"
    return ""


class Server:
    """A running server; ``url`` addresses a database as a role, without a password."""

    settings = "-c fsync=off -c max_connections=60"

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        root = os.geteuid() == 0
        user = next((n for n in ("postgres", "nobody") if root and _known(n)), None)
        self._user = {"user": user, "extra_groups": []} if user else {}
        if user:
            shutil.chown(folder, user)
        self._run("initdb", "-D", str(folder / "data"), "-A", "trust", "-U", "admin", "-E", "UTF8",
                  "--locale=C.UTF-8", "--no-sync")  # fmt: skip
        self.start()

    def _run(self, name: str, *arguments: str) -> None:
        assert BIN is not None
        done = subprocess.run(
            [BIN / name, *arguments], cwd=self.folder, capture_output=True, text=True,
            timeout=300, stdin=subprocess.DEVNULL, **self._user,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr + done.stdout

    def replica(self, folder: Path) -> Server:
        """Return a stopped copy of this server that follows it once started."""
        made = copy.copy(self)
        made.folder = folder
        if self._user:
            shutil.chown(folder, self._user["user"])
        self._run("pg_basebackup", "-h", str(self.folder), "-U", "admin", "-R", "--no-sync",
                  "-c", "fast", "-D", str(folder / "data"))  # fmt: skip
        return made

    def promote(self) -> None:
        self._run("pg_ctl", "-D", str(self.folder / "data"), "-w", "promote")

    def start(self, more: str = "-c listen_addresses=") -> None:
        options = f"-k {self.folder} {self.settings} {more}"
        self._run("pg_ctl", "-D", str(self.folder / "data"), "-w", "-l", str(self.folder / "log"),
                  "-o", options, "start")  # fmt: skip

    def stop(self, mode: str = "fast") -> None:
        self._run("pg_ctl", "-D", str(self.folder / "data"), "-w", "-m", mode, "stop")

    def url(self, database: str, role: str) -> str:
        return f"postgresql://{role}@/{database}?host={self.folder}"

    def sql(self, statement: str, database: str = "postgres", role: str = "admin") -> list:
        import psycopg

        with psycopg.connect(self.url(database, role), autocommit=True) as connection:
            done = connection.execute(statement)
            return done.fetchall() if done.description else []

    def new_database(self) -> str:
        """Return an empty database owned by ``teacher``, a role with CREATEROLE and no more."""
        if not self.sql("SELECT 1 FROM pg_roles WHERE rolname = 'teacher'"):
            self.sql("CREATE ROLE teacher LOGIN CREATEROLE")
        count = len(self.sql("SELECT 1 FROM pg_database"))
        self.sql(f"CREATE DATABASE hub{count} OWNER teacher")
        return f"hub{count}"


def _known(name: str) -> bool:
    try:
        pwd.getpwnam(name)
    except KeyError:
        return False
    return True


@pytest.fixture(scope="session")
def server():
    reason = _reason()
    if reason:
        pytest.skip(reason)
    with tempfile.TemporaryDirectory(prefix="kb-pg-") as name:  # sockets have short paths
        os.chmod(name, 0o755)
        made = Server(Path(name))
        try:
            yield made
        finally:
            made.stop("immediate")


@pytest.fixture
def database(server):
    return server.new_database()
