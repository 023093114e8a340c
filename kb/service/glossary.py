"""The glossary: a reader's own dictionaries, and what a term is translated by."""

from __future__ import annotations

import os

from kb.content.dictionary import read_dictionary
from kb.query.parser import LONGEST
from kb.query.translation import key_of, names_of
from kb.records import GlossaryReport
from kb.service.base import Base
from kb.service.guard import clean, clean_names, door, path_of


class Glossary:
    """What a reader does with terms."""

    def __init__(self, base: Base) -> None:
        self._base = base

    @door
    def add(
        self, path: str | os.PathLike[str], *, languages: tuple[str, str] = ("en", "fa")
    ) -> GlossaryReport:
        """Use a reader's own dictionary for searching across languages.

        The file is a table with tabs whose first two columns are words of these languages.
        It is known by its file name: adding it again replaces what it gave before.
        """
        file = path_of("a file", path)
        name = clean("a file", file.stem)
        left, right = clean_names("languages", languages)
        concepts = read_dictionary(file, (left, right))
        with self._base.store.transaction():
            self._base.store.glossary.put(names_of(concepts), f"user/{name}")
        return GlossaryReport(name, len(concepts))

    @door
    def translate(self, text: str) -> dict[str, list[str]]:
        """Return the names of a term in other languages, by language, the best first.

        What is longer than any query that is read has none.
        """
        term = clean("a term", text)
        if len(term) > LONGEST:
            return {}
        key = key_of(term)
        found: dict[str, list[str]] = {}
        for name in self._base.store.glossary.translations([key]).get(key, ()):
            names = found.setdefault(name.lang, [])
            names += [name.name] * (name.name not in names)
        return found
