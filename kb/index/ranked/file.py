"""What the index needs of the store whose file it lies in."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Protocol

from kb.store.sqlite.connection import Connection


class InFile(Protocol):
    """A store in a file."""

    def connection(self) -> Connection:
        """Return this thread's connection."""

    def transaction(self) -> AbstractContextManager[None]:
        """Change all that follows, or nothing."""
