"""The page that lists the entries of a site by their collections, and is searched."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple
from urllib.parse import quote

from kb.display import in_numerals
from kb.exchange.hypertext.rendering import rendered
from kb.exchange.hypertext.scanning import words
from kb.exchange.hypertext.telling import line, prose_line, spoken
from kb.exchange.labels import label
from kb.exchange.site.faces import faces_of
from kb.present.sentences import first_sentence
from kb.records import Entry

_LONGEST = 140
_END = re.compile(r"</(?:p|li|h\d|t[dhr])>")
_RAISED = re.compile(r"<sup>([^<>]{1,100})</sup>")
SEARCH = ("index.js", "search.js")


class Title(NamedTuple):
    """A question in one line, and its language."""

    text: str
    lang: str


class Listed(NamedTuple):
    """An entry as lists have it: the file of its page, its titles by the languages of pages."""

    file: str
    collection: str
    number: str
    titles: Mapping[str, Title]

    @property
    def address(self) -> str:
        """The file as it stands in an address."""
        return quote(self.file)

    def link(self, face: str, up: str = "") -> str:
        """Return a link to its page, in this language if it has one in it."""
        lang = face if face in self.titles else next(iter(self.titles))
        title = self.titles[lang]
        number = f"<bdi>{line(self.number)}</bdi> " if self.number else ""
        href = f'href="{up}{lang}/{self.address}"'
        return f"<a {href} {spoken(title.lang)}>{number}{prose_line(title.text, title.lang)}</a>"


def titles(entry: Entry) -> Mapping[str, Title]:
    """Return the titles of an entry by the languages of its pages: our wording if there is one."""
    return {face: _title(entry, face) for face in faces_of(entry)}


def contents(
    listed: Sequence[Listed], collections: Mapping[str, Mapping[str, str]], face: str
) -> Iterator[str]:
    """Yield the page of contents: the search, and all entries in the order of the base."""
    groups = [(key, list(some)) for key, some in groupby(listed, lambda each: each.collection)]
    yield f"<h1>{line(label('contents', face))}</h1>\n"
    yield from _search(face)
    if len(groups) > 1:
        yield f'<nav aria-label="{line(label("collections", face))}"><ul class="collections">\n'
        for number, (name, some) in enumerate(groups):
            title = _collection(name, collections, face)
            count = in_numerals(f"({len(some):,})", face)
            yield f'<li><a href="#c{number}">{title}</a> {count}</li>\n'
        yield "</ul></nav>\n"
    for number, (name, some) in enumerate(groups):
        yield f'<section id="c{number}">\n<h2>{_collection(name, collections, face)}</h2>\n'
        yield '<ul class="entries">\n'
        yield from (f"<li>{each.link(face)}</li>\n" for each in some)
        yield "</ul>\n</section>\n"


def _search(face: str) -> Iterator[str]:
    yield '<div role="search" hidden>\n'
    yield f'<label for="search">{line(label("search", face))}</label>\n'
    yield '<input type="search" id="search" dir="auto" autocomplete="off" spellcheck="false" '
    yield 'aria-describedby="keys" maxlength="500">\n'
    yield f'<p id="keys">{line(label("keys", face))}</p>\n<ol id="results" hidden></ol>\n</div>\n'
    yield f"<noscript><p>{line(label('noscript', face))}</p></noscript>\n"


def _collection(name: str, known: Mapping[str, Mapping[str, str]], face: str) -> str:
    """Return the titles of a collection and of those above it, in this language or another."""
    if not name:
        return line(label("others", face))
    parts = name.split("/")
    above = ["/".join(parts[: depth + 1]) for depth in range(len(parts))]
    return " / ".join(
        _titled(known.get(path, {}), part, face) for path, part in zip(above, parts, strict=True)
    )


def _titled(known: Mapping[str, str], name: str, face: str) -> str:
    lang = face if face in known else next(iter(known), "")
    return (
        f"<span {spoken(lang)}>{line(known[lang])}</span>" if lang else f"<bdi>{line(name)}</bdi>"
    )


def _title(entry: Entry, face: str) -> Title:
    known = {**entry.question, **{k: v for k, v in entry.wording.items() if v.strip()}}
    answers = {answer.lang: answer.text for answer in reversed(entry.answers)}
    for texts in (known, answers):
        lang = face if texts.get(face, "").strip() else next(iter(texts), "")
        shown = plain(rendered(texts[lang][: 8 * _LONGEST], lang)) if lang else ""
        if shown:
            return Title(first_sentence(shown, _LONGEST), lang)
    return Title(entry.id, "en")


def plain(html: str) -> str:
    """Return what HTML of ours says, in one line.

    >>> plain("<p>a &lt;b&gt;</p><p>n<sup>2</sup>×ℝ<sup>2×5</sup></p>")
    'a <b> n^2×ℝ^(2×5)'
    """
    raised = _RAISED.sub(_power, html)
    return words(_END.sub("<br>", raised))


def _power(found: re.Match[str]) -> str:
    return f"^{found[1]}" if found[1].isalnum() else f"^({found[1]})"
