"""The glossary: a reader's own dictionaries, and translations of terms."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

from kb.content.glossary import (
    Pair,
    divided,
    names_of,
    read_dictionary,
    read_parallel,
    within_limits,
)
from kb.errors import Message, NotFound, UsageError
from kb.model.clauses import Every
from kb.model.entry import Concept
from kb.model.reports import GlossaryReport, LearnedReport
from kb.model.results import Page, Progress, paced
from kb.search.parser import LONGEST
from kb.search.translation import key_of
from kb.service.base import Service, clean, clean_names, path_of

LEARNED = "learned"
"""The name of the dictionary learned from the knowledge base itself."""

_BESIDE = ("question", "wording", "source", "reference", "notes")
_AT_ONCE = 200


class Glossary(Service):
    """Operations on terms."""

    def add(
        self, path: str | os.PathLike[str], *, languages: tuple[str, str] = ("en", "fa")
    ) -> GlossaryReport:
        """Add a reader's own dictionary for search across languages.

        The file is tab-separated; its first two columns are words of these languages. It is
        identified by its file name: adding it again replaces its earlier terms.
        """
        file = path_of("a file", path)
        name = clean("a file", file.stem)
        left, right = clean_names("languages", languages)
        concepts = read_dictionary(file, (left, right))
        self._put(concepts, name)
        return GlossaryReport(name, len(concepts))

    def learn(
        self,
        paths: Iterable[str | os.PathLike[str]] = (),
        *,
        languages: tuple[str, str] = ("en", "fa"),
        progress: Progress | None = None,
    ) -> LearnedReport:
        """Learn a dictionary from sentences and translations, and use it for search.

        The files are tab-separated; their first two columns are a sentence in each language.
        Without files it is learned from the bilingual entries. It is identified by the file
        names, or as `LEARNED`: learning again replaces earlier terms of that name. Nothing
        changes if ``progress`` raises `Cancelled`. Raises `UsageError` for a single language, and
        `NotFound` or `BadData` for unreadable files or without material.
        """
        if isinstance(paths, str | os.PathLike) or not isinstance(paths, Iterable):
            raise UsageError("files must be several paths, not {type}", type=type(paths).__name__)
        files = [path_of("a file", path) for path in paths]
        left, right = clean_names("languages", languages)
        if left == right:
            raise UsageError("a translation needs two languages, not '{left}' alone", left=left)
        tell = paced(progress)
        tell(0, 0)
        pairs = read_parallel(files) if files else self._own((left, right), tell)
        from kb.search.learning import learn  # needs numpy

        learned = learn(pairs, (left, right), tell)
        name = "+".join(clean("a file", file.stem) for file in files) or LEARNED
        self._put(learned.concepts, name)
        counts = len(learned.concepts), len(pairs), learned.repeated, learned.too_long
        return LearnedReport(name, *counts)

    def translate(self, text: str) -> dict[str, list[str]]:
        """Return the names of a term in other languages, best first.

        A text longer than any query has none.
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

    def _put(self, concepts: list[Concept], name: str) -> None:
        with self._base.store.transaction():
            self._base.store.glossary.put(names_of(concepts), f"user/{name}")

    def _own(self, languages: tuple[str, str], tell: Progress) -> list[Pair]:
        """Return the parallel texts of the entries. Raises `NotFound` if there are none."""
        pairs = within_limits(self._beside(languages, tell), Message("the entries"))
        if not pairs:
            raise NotFound(
                "no entry has a text in both languages ({languages})",
                "Name a file with a sentence, a tab, and its translation in each line.",
                languages=" and ".join(languages),
            )
        return pairs

    def _beside(self, languages: tuple[str, str], tell: Progress) -> Iterator[Pair]:
        _, refs = self._base.store.catalog.select(Every(), Page(None))
        for start in range(0, len(refs), _AT_ONCE):
            tell(0, 0)
            some = [ref.entry for ref in refs[start : start + _AT_ONCE]]
            documents = self._base.store.entries.documents(some)
            texts = {(each.entry, each.lang): each.texts for each in documents}
            for entry in some:
                one, other = (texts.get((entry, lang), {}) for lang in languages)
                for role in _BESIDE:
                    yield from divided(one.get(role) or "", other.get(role) or "")
