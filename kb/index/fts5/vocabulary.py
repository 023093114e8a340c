"""The words of the index: in how many documents each stands, and what follows a text."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from itertools import groupby

from kb.store.sqlite.connection import Connection
from kb.text.analyzer import SEPARATOR

_PLACES_AHEAD = 64


class Vocabulary:
    """The indexed terms."""

    def __init__(self, connection: Callable[[], Connection]) -> None:
        self._connect = connection

    def frequencies(self, terms: Iterable[str]) -> dict[str, int]:
        """Return in how many documents each of these terms stands; 0 for one nowhere."""
        asked = list(dict.fromkeys(terms))
        sql = (
            "SELECT w.term, w.doc FROM json_each(?) AS asked "
            "CROSS JOIN temp.words w ON w.term = asked.value"
        )
        found = dict(map(tuple, self._opened().rows(sql, (json.dumps(asked),)))) if asked else {}
        return {term: found.get(term, 0) for term in asked}

    def following(self, text: str, most: int) -> list[str]:
        """Return the first terms that do not sort before a text: at most so many, at least one.

        Only behind the last term there is none.
        """
        # A table of places gives a term without counting the documents that hold it.
        sql = "SELECT term FROM temp.places WHERE term >= ? LIMIT ?"
        places = [row[0] for row in self._opened().rows(sql, (text, _PLACES_AHEAD))]
        terms = [term for term, _ in groupby(places) if term != SEPARATOR]
        if not terms and places:
            return self.following(SEPARATOR + "\0", most)
        return terms[:most]

    def places(self) -> Iterable[tuple[str, int, str]]:
        """Yield each place of each term: the term, the document, the column."""
        yield from self._opened().stream("SELECT term, doc, col FROM temp.places")

    def _opened(self) -> Connection:
        """Return the connection with the tables that show the index's words."""
        connection = self._connect()
        if not connection.shows_terms:
            for table, kind in (("words", "row"), ("places", "instance")):
                connection.run(
                    f"CREATE VIRTUAL TABLE IF NOT EXISTS temp.{table} "
                    f"USING fts5vocab(main, document_fts, {kind})"
                )
            connection.shows_terms = True
        return connection
