"""The names of concepts in several languages, each found by its stems.

Rows of the owner ``bundled`` follow the glossary that comes with the program; those of
a dictionary a reader added have its name and nothing else touches them.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator

from kb.records import ConceptName
from kb.store.rows import Name
from kb.store.sqlite.connection import Connection

Key = tuple[str, str]
"""The stems of a name, with blanks between, and its language."""


class Glossary:
    """The names of one file."""

    def __init__(self, connection: Callable[[], Connection]) -> None:
        self._connection = connection

    def put(self, names: Iterable[ConceptName], owner: str) -> None:
        """Store an owner's names in place of those it had."""
        self._connection().run("DELETE FROM name WHERE owner = ?", (owner,))
        self._connection().run_many(
            "INSERT INTO name (owner, concept, place, lang, name, stems) VALUES (?, ?, ?, ?, ?, ?)",
            ((owner, *row) for row in names),
        )

    def names(self) -> list[tuple[int, str, str]]:
        """Return the number, the name and the language of all names."""
        return list(map(tuple, self._connection().rows("SELECT id, name, lang FROM name")))

    def concept_names(self) -> Iterator[ConceptName]:
        """Yield the names that came with danesh."""
        rows = self._connection().rows(
            "SELECT concept, place, lang, name, stems FROM name "
            "WHERE owner = 'bundled' ORDER BY concept, lang, place"
        )
        return (ConceptName(*row) for row in rows)

    def put_stems(self, stems: Iterable[tuple[int, str]]) -> None:
        """Let names be found by these stems, by their numbers."""
        rows = ((stemmed, id) for id, stemmed in stems)
        self._connection().run_many("UPDATE name SET stems = ? WHERE id = ?", rows)

    def translations(self, keys: Iterable[Key]) -> dict[Key, list[Name]]:
        """Return the names in other languages of what has these stems in a language, best first."""
        by_language: dict[str, list[str]] = defaultdict(list)
        for stemmed, lang in keys:
            by_language[lang].append(stemmed)
        names: dict[Key, list[Name]] = defaultdict(list)
        for lang, asked in by_language.items():
            found = self._connection().rows(
                # The names are few that are asked for: each is looked for by itself.
                "SELECT DISTINCT name.stems, other.name, other.lang, other.place, other.concept "
                "FROM json_each(?) AS asked "
                "CROSS JOIN name ON name.lang = ? AND name.stems = asked.value "
                "JOIN name other ON other.owner = name.owner AND other.concept = name.concept "
                "AND other.lang <> name.lang "
                "ORDER BY name.owner <> 'bundled', name.place, other.place, name.owner, other.id",
                (json.dumps(asked), lang),
            )
            for stemmed, *name in found:
                names[stemmed, lang].append(Name(*name))
        return names

    def languages(self) -> list[str]:
        """Return the languages that names are in, a step for each and not for every name."""
        return self._connection().languages_of("name")
