"""The words of the index: whether a term is known, in how many documents, what follows it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from kb.store.sqlite.driver import Connection
from kb.text.analyzer import SEPARATOR


class Vocabulary:
    """The indexed terms as one search sees them; what was looked up once is remembered."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        for table, kind in (("words", "row"), ("places", "instance")):
            connection.execute(
                f"CREATE VIRTUAL TABLE IF NOT EXISTS temp.{table} "
                f"USING fts5vocab(main, document_fts, {kind})"
            )
        self.frequency: Callable[[str], int] = cache(self._frequency)
        """Return in how many documents a term stands."""
        self.following: Callable[[str], str | None] = cache(self._following)
        """Return the first term that does not sort before a text, or nothing behind the last."""

    def begins(self, beginning: str) -> bool:
        """Say whether any indexed term begins so."""
        found = self.following(beginning)
        return found is not None and found.startswith(beginning)

    def _frequency(self, term: str) -> int:
        sql = "SELECT doc FROM temp.words WHERE term = ?"
        row = self._connection.execute(sql, (term,)).fetchone()
        return int(row[0]) if row else 0

    def _following(self, text: str) -> str | None:
        # A table of places gives a term without counting the documents that hold it.
        sql = "SELECT term FROM temp.places WHERE term >= ? LIMIT 1"
        row = self._connection.execute(sql, (text,)).fetchone()
        found = str(row[0]) if row else None
        return self.following(SEPARATOR + "\0") if found == SEPARATOR else found
