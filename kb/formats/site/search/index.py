"""The index of a site: a script that assigns a constant, because pages cannot load data.

Pages opened from disk may neither fetch files nor load modules. It indexes the same terms with
the same weights as the database, but no positions, which would double the size: proximity does
not count, and a phrase matches all of its words, except for glossary names.
"""

from __future__ import annotations

import json
import re
import sys
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path

from kb.i18n import LANGUAGES
from kb.model.clauses import K1, B
from kb.model.documents import COLUMNS, completed, searched_texts
from kb.model.entry import ConceptName, Entry
from kb.search import rerank, transliteration
from kb.search.fallbacks import other_layout
from kb.search.translation import MOST
from kb.text.analyzer import indexed
from kb.text.fold import fold, script, without_accents
from kb.text.languages import en, fa, function_words, profiles, reader_of, right_to_left
from kb.text.words import (
    GLUE,
    LONGEST_TERM,
    PART,
    SOFT_HYPHEN,
    SPECIAL,
    SYMBOLS,
    WITHOUT_SPACES,
    parts,
    stem,
)

# Lists of documents as numbers: for each its distance from the one before, and what a term counts
# for there.


class Postings:
    """The posting lists of all terms; documents are added in order."""

    def __init__(self) -> None:
        self._lists: dict[str, bytearray] = {}
        self._last: dict[str, int] = {}

    def __contains__(self, term: str) -> bool:
        return term in self._lists

    def add(self, term: str, document: int, weight: int) -> None:
        """Add a document at the end of a term's list, with the term's weight in it."""
        apart = document - self._last.get(term, 0)
        self._last[term] = document
        self._lists.setdefault(term, bytearray()).extend(b"%d,%d," % (apart, weight))

    def joined(self, between: str) -> tuple[str, str]:
        """Return the terms in JavaScript's sort order, that of UTF-16, and their lists."""
        terms = sorted(self._lists, key=lambda term: term.encode("utf-16-be", "surrogatepass"))
        return between.join(terms), " ".join(self._lists[term][:-1].decode() for term in terms)


# The part of a glossary that a site can use: the terms one of whose names stands in its pages.

Name = tuple[str, ...]
"""The stems of a name."""


class Names:
    """The names of concepts, found in texts by their stems."""

    def __init__(self, names: Iterable[ConceptName]) -> None:
        self._names = list(names)
        self.languages = sorted({each.lang for each in self._names})
        self._by_first_stem: dict[str, list[Name]] = {}
        for stems in dict.fromkeys(tuple(each.stems.split()) for each in self._names):
            if len(stems) > 1:
                self._by_first_stem.setdefault(stems[0], []).append(stems)

    def found(self, stems: Sequence[str]) -> Iterator[str]:
        """Yield the multi-word names in a text, by the stems of both.

        >>> names = Names([ConceptName(1, 0, "en", "gradient descent", "gradient descent")])
        >>> list(names.found(["the", "gradient", "descent", "is"]))
        ['gradient descent']
        """
        for place, first in enumerate(stems):
            for name in self._by_first_stem.get(first, ()):
                if tuple(stems[place : place + len(name)]) == name:
                    yield " ".join(name)

    def translations(self, stands: Callable[[str], bool]) -> Iterator[list[str | int]]:
        """Yield language and stems of a name, how many translations are known, and the best.

        Only those for which ``stands`` is true are given.
        """
        by_concept: dict[int, list[ConceptName]] = {}
        for each in self._names:
            by_concept.setdefault(each.concept, []).append(each)
        known: dict[tuple[str, str], dict[str, tuple[tuple[int, int], str]]] = {}
        for each in self._names:
            for other in by_concept[each.concept]:
                if other.lang != each.lang:
                    order = each.place, other.place
                    names = known.setdefault((each.lang, each.stems), {})
                    found = order, other.stems
                    names[other.name] = min(names.get(other.name, found), found)
        for (lang, stems), names in sorted(known.items()):
            best = [other for _, other in sorted(names.values(), key=lambda each: each[0])]
            standing = [*filter(stands, dict.fromkeys(best[:MOST]))]
            if standing:
                yield [lang, stems, len(names), *standing]


SCRIPTS = (
    "data", "english", "fold", "split", "words", "lists", "query", "translation", "respelling",
    "ranking", "answer", "excerpt", "page",
)  # fmt: skip
"""The parts of search.js in order."""

_LEAD, _LEAST_LEAD, _LEADS = 600, 120, 600_000
"""Characters of an excerpt: at most, at least, and in total."""

_SHOWN = ("source", "reference", "notes")
_TENTHS = {name: round(10 * rerank.FIELD_WEIGHTS[name]) for name in COLUMNS}
_UNSAFE = re.compile("[<>&\u2028\u2029\ud800-\udfff]")


def as_script(name: str, value: object) -> str:
    """Return a script that assigns a constant; nothing in it can end the script or its line.

    >>> as_script("A", ["</script>"])
    'const A = ["\\\\u003c/script\\\\u003e"];\\n'
    """
    written = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    safe = _UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", written)
    return f"const {name} = {safe};\n"


class SiteIndex:
    """Analyzes entries for the index as they come; ``names`` are those of a glossary."""

    def __init__(self, names: Iterable[ConceptName] = ()) -> None:
        self._names = Names(names)
        self._terms, self._phrases = Postings(), Postings()
        self._pages: list[tuple[str, str]] = []
        self._documents: list[tuple[int, str, int, str, str]] = []
        self._stems: dict[str, dict[str, str]] = {}

    def take(self, entry: Entry, page: str, face: str) -> None:
        """Analyze an entry in each of its languages.

        ``page`` is the address of its page in the folder of an interface language, ``face``.
        """
        for lang in entry.languages:
            texts = searched_texts(entry, lang)
            number = len(self._documents)
            whole = completed(texts, entry.aliases, entry.context)
            counted, phrases, length = self._counted(whole, lang)
            for term in sorted(counted):
                self._terms.add(term, number, counted[term])
            for phrase in sorted(phrases):
                self._phrases.add(phrase, number, phrases[phrase])
            title = " ".join((texts["wording"] or texts["question"] or "").split())
            shown = next(filter(None, map(texts.get, _SHOWN)), "")
            lead = " ".join(shown[: 2 * _LEAD].split())
            self._documents.append((len(self._pages), lang, length, title, lead[:_LEAD]))
        self._pages.append((page, face))

    def write(self, folder: Path) -> None:
        """Write ``search.js`` and ``index.js``, the script and its data, into a folder."""
        index = as_script("DANESH", self._index())
        (folder / "index.js").write_text(index, "utf-8", newline="\n")
        here = files(__package__) / "script"
        parts = (here.joinpath(f"{name}.js").read_text("utf-8") for name in SCRIPTS)
        script = '(() => {\n"use strict";\n' + "\n".join(parts) + "})();\n"  # no global names
        (folder / "search.js").write_text(script, "utf-8", newline="\n")

    def _index(self) -> dict[str, object]:
        """Return the index as JSON; equal entries give an equal index."""
        terms, lists = self._terms.joined(" ")
        phrases, phrase_lists = self._phrases.joined("\n")
        room = max(_LEAST_LEAD, _LEADS // max(1, len(self._documents)))
        return {
            "analysis": _analysis(),
            "pages": self._pages,
            "faces": list(LANGUAGES),
            "languages": sorted({lang for _, lang, *_ in self._documents}),
            "documents": [(*each, _cut(lead, room)) for *each, lead in self._documents],
            "terms": terms,
            "lists": lists,
            "phrases": phrases,
            "phraseLists": phrase_lists,
            "glossary": list(self._names.translations(self._stands)),
            "glossaryLanguages": self._names.languages,
            "stems": [[lang, sorted(of.items())] for lang, of in sorted(self._stems.items())],
        }

    def _counted(
        self, texts: Mapping[str, str | None], lang: str
    ) -> tuple[Counter[str], Counter[str], int]:
        """Return the weights of terms and names in a document, in tenths, and its length."""
        terms, names, length = Counter[str](), Counter[str](), 0
        for column, text in texts.items():
            if text:
                stems, forms = indexed(text, lang)
                length += len(stems) + len(forms)
                for term in (*stems, *forms):
                    terms[term] += _TENTHS[column]
                for name in self._names.found(stems):
                    names[name] += _TENTHS[column]
                for reader, spelled, stem in _stems_of(text, lang):
                    self._stems.setdefault(reader, {})[spelled] = stem
        return terms, names, length

    def _stands(self, name: str) -> bool:
        return name in (self._phrases if " " in name else self._terms)


def _cut(text: str, room: int) -> str:
    """Return as much of a text as fits, up to the last space.

    >>> _cut("one two", 5), _cut("one", 5)
    ('one', 'one')
    """
    return text if len(text) <= room else text[:room].rpartition(" ")[0] or text[:room]


# The tables by which the script analyzes a query as the library does.
#
# They are generated from the library, so a changed letter, affix or weight changes in the next
# site, too. The script has no stemmer for languages other than English and Persian; `_stems_of`
# gives it the stems of words on the pages.

_READ_BY_RULE = frozenset({"en", "fa", "prs"})
"""The languages that the script stems by rules."""


@cache
def _analysis() -> dict[str, object]:
    """Return the script's tables and rules for queries, as JSON."""
    cases, spelled = _folding()
    affixes = fa.PROFILE.affixes
    typed = map(chr, (*range(0x21, 0x7F), *range(0x0600, 0x0700)))
    return {
        "special": list(SPECIAL.items()),
        "unspaced": WITHOUT_SPACES,
        "part": _as_script(PART),
        "glue": _as_script(GLUE),
        "softHyphen": _as_script(SOFT_HYPHEN),
        "cases": cases,
        "spelled": spelled,
        "scripts": sorted({each.script for each in profiles().values()}),
        "profiles": [[p.code, p.script, p.stem is not None] for p in profiles().values()],
        "usual": [[each.script, each.code] for each in profiles().values() if each.usual],
        "rtl": sorted(right_to_left()),
        "functionWords": sorted(function_words()),
        "longestTerm": LONGEST_TERM,
        "symbols": SYMBOLS,
        "english": {
            "plurals": list(en.PLURALS.items()),
            "british": [[p.pattern, to.replace("\\", "$")] for _, p, to in en.BRITISH],
        },
        "persian": {
            "irregular": list(fa.IRREGULAR.items()),
            "suffixes": fa.SUFFIXES_JOINED,
            "shortest": fa.SHORTEST_STEM,
            "affixes": {
                "verbPrefixes": sorted(affixes.verb_prefixes),
                "apart": sorted(affixes.apart),
                "halfJoined": sorted(affixes.half_joined),
                "wordPrefixes": sorted(affixes.word_prefixes),
                "degrees": sorted(affixes.degrees),
            },
        },
        # What each key gives in the other keyboard layout.
        "layout": [(char, other) for char in typed if (other := other_layout(char))],
        # Which Persian letters each Latin one may stand for.
        "letters": {
            "pairs": [[pair, list(of)] for pair, of in transliteration.PAIRS.items()],
            "consonants": [[letter, list(of)] for letter, of in transliteration.CONSONANTS.items()],
            "vowels": list(transliteration.VOWELS.items()),
            "first": list(transliteration.FIRST_VOWELS.items()),
            "last": list(transliteration.LAST_VOWELS.items()),
        },
        "weights": {
            "k1": K1,
            "b": B,
            "translation": rerank.TRANSLATION_WEIGHT,
            "dilution": rerank.TRANSLATION_DILUTION,
            "functionWord": rerank.FUNCTION_WEIGHT,
            "part": rerank.PART_WEIGHT,
            "exact": rerank.EXACT_WEIGHT,
        },
    }


def _stems_of(text: str, lang: str) -> Iterator[tuple[str, str, str]]:
    """Yield the words of a text without rules in the script: language, spelling, stem.

    >>> list(_stems_of("Сети and nets", "en"))
    [('ru', 'сети', 'сет')]
    """
    for part in parts(text):
        written = text[part.start : part.end]
        folded = fold(written)
        reader = reader_of(lang, script(folded))
        if reader is not None and reader.code not in _READ_BY_RULE:
            found = stem(written, lang).stem
            if found != without_accents(folded):
                yield reader.code, folded, found


def _as_script(pattern: re.Pattern[str]) -> str:
    """Return a pattern in JavaScript's syntax."""
    return pattern.pattern.replace("(?P<", "(?<")


def _folding() -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Return the normalization of characters that JavaScript does not know.

    These are capitals whose lower case is not their case-folded form, and characters that `fold`
    replaces or removes.
    """
    cases, spelled = [], []
    for char in map(chr, range(0x80, sys.maxunicode + 1)):
        if (
            unicodedata.category(char)[0] not in "LMN"
            or unicodedata.normalize("NFKC", char) != char
        ):
            continue
        if char.casefold() != char.lower():
            cases.append((char, char.casefold()))
        elif char.casefold() == char and (folded := fold(char)) != char:
            spelled.append((char, folded))
    return cases, spelled
