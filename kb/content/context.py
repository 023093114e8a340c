"""What the entries of a folder may speak of, and what is asked of every text of ours."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from kb.content.mistakes import Mistakes
from kb.content.orthography import faults
from kb.content.tables import Table
from kb.records import Snippet, Source

_MOST_FAULTS = 100  # of one text
_LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]+)*")


@dataclass(frozen=True, slots=True)
class Context:
    """What is there beside the entries, and where their mistakes are reported.

    ``accepted`` has, by annotation, the digests a person last looked at: of the quote
    under ``quote``, and of each snippet under its name. Where a folder keeps no such
    record it is None: what is read then counts as looked at.
    """

    sources: dict[str, Source]
    snippets: dict[str, Snippet]
    accepted: Mapping[str, Mapping[str, str]] | None
    mistakes: Mistakes

    def prose(self, table: Table, key: str, lang: str) -> str:
        """Return a text of ours; its faults of writing are told."""
        return self.written(table, key, table.get(key, str), lang)

    def written(self, table: Table, key: str, text: str, lang: str) -> str:
        """Return ``text``, which stands under ``key``, as `prose` does."""
        if lang == "fa" and not self.mistakes.full:
            for found, sentence in islice(faults(text), _MOST_FAULTS):
                self.mistakes.advise(
                    table.error(key, "«{found}»: {sentence}", found=found[:80], sentence=sentence)
                )
        return text.strip("\n")

    def advise(
        self, table: Table, key: str, sentence: str, hint: str = "", /, **arguments: object
    ) -> None:
        """Report what is no mistake but weak, at its place."""
        self.mistakes.advise(table.error(key, sentence, hint, **arguments))


def by_language(table: Table) -> Iterator[tuple[str, Table]]:
    """Yield the tables by language under a table; another name is a mistake."""
    for lang in table:
        yield check_language(table, lang, lang), table.table(lang)


def language_of(row: Table) -> str:
    """Return the language a row names under ``lang``."""
    return check_language(row, "lang", row.get("lang", str))


def check_language(table: Table, key: str, lang: str) -> str:
    """Return a language's code, or name the mistake."""
    if not _LANGUAGE.fullmatch(lang):
        raise table.error(
            key, "'{lang}' is not the code of a language", "Write en, fa, …", lang=lang
        )
    return lang
