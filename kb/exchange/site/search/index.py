"""The index of a site: a script that assigns a constant, for a page may read no other file.

Pages that are opened from a disk may neither fetch nor load modules. What is indexed and what
it counts for is what the base indexes; left out is where in a text a word stands, which would
double the size: words that stand near each other count no more than others, and a phrase is
looked for as all of its words, but for the names of a glossary.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from importlib.resources import files
from pathlib import Path

from kb.exchange.site.faces import FACES
from kb.exchange.site.search.glossary import Names
from kb.exchange.site.search.postings import Postings
from kb.exchange.site.search.terms import READ_BY_RULE, analysis, stems_of
from kb.ranking.weights import FIELD_WEIGHTS
from kb.records import ConceptName, Entry
from kb.records.document import COLUMNS, completed, searched_texts
from kb.text.indexing import indexed

SCRIPTS = (
    "data", "english", "fold", "split", "words", "lists", "query", "translation", "respelling",
    "ranking", "answer", "excerpt", "page",
)  # fmt: skip
"""What search.js is put together from, in this order."""

_LEAD, _LEAST_LEAD, _LEADS = 600, 120, 600_000
"""Characters of a text that are shown of: at most, at least, and in all as far as these allow."""

_SHOWN = ("source", "reference", "notes")
_TENTHS = {name: round(10 * FIELD_WEIGHTS[name]) for name in COLUMNS}
_UNSAFE = re.compile("[<>&\u2028\u2029\ud800-\udfff]")
_BLANKS = re.compile(r"\s+")
_LATIN_OR_PERSIAN = re.compile("[\0-\u024f\u0600-\u06ff\u2000-\u22ff]*")


def write(
    entries_of_pages: Iterable[tuple[Entry, str, str]],
    folder: Path,
    names: Iterable[ConceptName] = (),
) -> None:
    """Write ``search.js`` and ``index.js`` into a folder: the script, and what it searches.

    Each entry comes with the address of its page in the folder of a language, and the language
    of the page that there is in any case. The
    ``names`` are those of the glossary; only what stands in the pages is written of them.
    """
    gathering = Gathering(names)
    for entry, page, face in entries_of_pages:
        gathering.take(entry, page, face)
    (folder / "index.js").write_text(as_script("DANESH", gathering.index()), "utf-8", newline="\n")
    (folder / "search.js").write_text(script(), "utf-8", newline="\n")


def script() -> str:
    """Return the script that searches, as one function that leaves nothing behind."""
    here = files(__package__) / "script"
    parts = (here.joinpath(f"{name}.js").read_text("utf-8") for name in SCRIPTS)
    return '(() => {\n"use strict";\n' + "\n".join(parts) + "})();\n"


def as_script(name: str, value: object) -> str:
    """Return a script that assigns a constant; nothing in it can end the script or its line.

    >>> as_script("A", ["</script>"])
    'const A = ["\\\\u003c/script\\\\u003e"];\\n'
    """
    written = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    safe = _UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", written)
    return f"const {name} = {safe};\n"


class Gathering:
    """Entries on their way to be an index, analysed as they come."""

    def __init__(self, names: Iterable[ConceptName] = ()) -> None:
        self._names = Names(names)
        self._terms, self._phrases = Postings(), Postings()
        self._pages: list[tuple[str, str]] = []
        self._documents: list[tuple[int, str, int, str, str]] = []
        self._stems: dict[str, dict[str, str]] = {}

    def take(self, entry: Entry, page: str, face: str) -> None:
        """Analyse an entry in each of its languages; it has a page in the language of a face."""
        for lang in entry.languages:
            texts = searched_texts(entry, lang)
            number = len(self._documents)
            whole = completed(texts, entry.aliases, entry.context)
            counted, phrases, length = self._counted(whole, lang)
            for term in sorted(counted):
                self._terms.add(term, number, counted[term])
            for phrase in sorted(phrases):
                self._phrases.add(phrase, number, phrases[phrase])
            title = _on_a_line(texts["wording"] or texts["question"] or "")
            shown = next(filter(None, map(texts.get, _SHOWN)), "")
            lead = _on_a_line(shown[: 2 * _LEAD])
            self._documents.append((len(self._pages), lang, length, title, lead[:_LEAD]))
        self._pages.append((page, face))

    def index(self) -> dict[str, object]:
        """Return what the script searches, as JSON has it: the same for the same entries."""
        room = max(_LEAST_LEAD, _LEADS // max(1, len(self._documents)))
        return {
            "analysis": analysis(),
            "pages": self._pages,
            "faces": list(FACES),
            "languages": sorted({lang for _, lang, *_ in self._documents}),
            "documents": [(*each, _cut(lead, room)) for *each, lead in self._documents],
            "terms": " ".join(self._terms.terms()),
            "lists": " ".join(self._terms.lists()),
            "phrases": "\n".join(self._phrases.terms()),
            "phraseLists": " ".join(self._phrases.lists()),
            "glossary": self._glossary(),
            "glossaryLanguages": self._names.languages,
            "stems": [[lang, sorted(of.items())] for lang, of in sorted(self._stems.items())],
        }

    def _counted(
        self, texts: Mapping[str, str | None], lang: str
    ) -> tuple[Counter[str], Counter[str], int]:
        """Return what terms and names count for in a document, in tenths, and its length."""
        terms, names, length = Counter[str](), Counter[str](), 0
        for column, text in texts.items():
            if text:
                stems, forms = indexed(text, lang)
                length += len(stems) + len(forms)
                _add(terms, (*stems, *forms), _TENTHS[column])
                _add(names, self._names.found(stems), _TENTHS[column])
                self._learn(text, lang)
        return terms, names, length

    def _learn(self, text: str, lang: str) -> None:
        if lang in READ_BY_RULE and _LATIN_OR_PERSIAN.fullmatch(text):
            return
        for reader, spelled, stem in stems_of(text, lang):
            self._stems.setdefault(reader, {})[spelled] = stem

    def _stands(self, name: str) -> bool:
        return name in (self._phrases if " " in name else self._terms)

    def _glossary(self) -> list[list[object]]:
        """Return the names of each term: language, stems, how many it has, and those here."""
        found = self._names.translations(self._stands)
        return [[lang, stems, each.known, *each.names] for (lang, stems), each in found.items()]


def _add(counted: Counter[str], found: Iterable[str], weight: int) -> None:
    for each in found:
        counted[each] += weight


def _on_a_line(text: str) -> str:
    return _BLANKS.sub(" ", text).strip()


def _cut(text: str, room: int) -> str:
    """Return as much of a text as there is room for, to the last blank.

    >>> _cut("one two", 5), _cut("one", 5)
    ('one', 'one')
    """
    return text if len(text) <= room else text[:room].rpartition(" ")[0] or text[:room]
