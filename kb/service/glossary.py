"""The glossary: a reader's own dictionaries, and what a term is translated by."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

from kb.content.parallel import Pair, divided, read_parallel, within_limits
from kb.content.vocabulary import read_dictionary
from kb.errors import Message, NotFound, UsageError
from kb.model import Concept, GlossaryReport, LearnedReport, Page, Progress, paced
from kb.model.clauses import Every
from kb.search.parser import LONGEST
from kb.search.translation import key_of, names_of
from kb.service.base import Service, clean, clean_names, door, path_of

LEARNED = "learned"
"""The name of the dictionary that is learned from a base's own entries."""

_BESIDE = ("question", "wording", "source", "reference", "notes")
_AT_ONCE = 200


class Glossary(Service):
    """What a reader does with terms."""

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
        self._put(concepts, name)
        return GlossaryReport(name, len(concepts))

    @door
    def learn(
        self,
        paths: Iterable[str | os.PathLike[str]] = (),
        *,
        languages: tuple[str, str] = ("en", "fa"),
        progress: Progress | None = None,
    ) -> LearnedReport:
        """Learn a dictionary from sentences and their translations, and search by it.

        The files are tables with tabs whose first two columns are a sentence in each of these
        languages. Without any file it is learned from the entries of the base that have texts
        in both. It is known by the names of the files, or as `LEARNED`: to learn again replaces
        what was learned, or added, under that name. Nothing is changed where ``progress`` raises
        `Cancelled`. Raises `UsageError` for one language, `NotFound` and `BadData` for files that
        cannot be read, and where there is nothing to learn from.
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

    def _put(self, concepts: list[Concept], name: str) -> None:
        with self._base.store.transaction():
            self._base.store.glossary.put(names_of(concepts), f"user/{name}")

    def _own(self, languages: tuple[str, str], tell: Progress) -> list[Pair]:
        """Return what stands side by side in the entries. Raises `NotFound` where nothing does."""
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
