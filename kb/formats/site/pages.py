"""A site as a folder: a page for each entry and language, a list of them, and shared files.

The page of an entry has its texts with annotations, its programs, and links to other pages.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from importlib.resources import files
from itertools import accumulate, groupby
from os.path import splitext
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from kb.content.release import printed_charts
from kb.formats.book import Book
from kb.formats.hypertext.rendering import IMAGES, SOUNDS, Marked, rendered
from kb.formats.hypertext.scanning import words
from kb.formats.hypertext.telling import (
    grounds,
    line,
    program,
    prose_line,
    repeats,
    spoken,
    verdict,
)
from kb.formats.labels import label
from kb.formats.names import Names, safe
from kb.formats.site.charts import figure as chart_figure
from kb.formats.site.search.index import SiteIndex
from kb.i18n import LANGUAGES as FACES
from kb.i18n import of_language
from kb.model.entry import Entry, Source
from kb.present.annotated import AnnotatedSpan, Numbered, concerns, marked_words, numbered, worst_of
from kb.present.charts.reading import charts
from kb.present.layers import DEEPER
from kb.present.titles import first_sentence
from kb.terminal.numerals import in_digits, in_numerals

# The languages that pages speak, and which texts of an entry stand on its page in each.

_DEEPER = ("reference", *DEEPER)
ROLES = ("question", "wording", "short", *_DEEPER, "source")
"""The texts of an entry in the order of its page."""


def faces_of(entry: Entry) -> tuple[str, ...]:
    """Return the languages in which an entry has a page: English if it has none of them.

    >>> faces_of(Entry("a", "card", "", {"fa": "چیست؟", "de": "Was?"}))
    ('fa',)
    """
    return tuple(lang for lang in FACES if lang in entry.languages) or (next(iter(FACES)),)


class Text(NamedTuple):
    """A text of an entry: its role, one of `ROLES` or ``context``, and language."""

    role: str
    lang: str
    text: str


def texts(entry: Entry, face: str) -> Iterator[Text]:
    """Yield the texts on an entry's page: those in its language, else in others.

    Texts in a language without pages are on every page.

    >>> from kb.model.entry import Answer
    >>> entry = Entry("a", "card", "", {"en": "What?", "fa": "چیست؟"},
    ...     answers=(Answer("source", "en", "This."),))
    >>> [text.text for text in texts(entry, "fa")]
    ['چیست؟', 'This.']
    """
    for role in ROLES:
        found = _said(entry, role).items()
        here = any(lang == face for lang, _ in found) or (
            role == "wording" and face in entry.question
        )
        for lang, text in found:
            if text.strip() and (lang == face or not here or lang not in FACES):
                yield Text(role, lang, text)


def _said(entry: Entry, role: str) -> Mapping[str, str]:
    if role == "wording":
        return entry.wording
    return {lang: text for lang in entry.languages if (text := entry.text(role, lang))}


def shown_annotations(entry: Entry, face: str) -> list[Numbered]:
    """Return the annotations on an entry's page: all except those only on other pages."""
    others = (other for other in faces_of(entry) if other != face)
    there = {text[:2] for other in others for text in texts(entry, other)}
    only_there = there - {text[:2] for text in texts(entry, face)}
    return [each for each in numbered(entry) if each.annotation.target[:2] not in only_there]


# What stands around every page of a site: its head, with what it may load, and the ways on.

_POLICY = (
    "default-src 'none'; style-src 'self'; img-src 'self' data:; media-src 'self'; "
    "script-src {script}; base-uri 'none'; form-action 'none'"
)
"""The content security policy: a page loads only files of the site."""


def framed(
    face: str, title: str, body: Iterable[str], others: Mapping[str, str], contents: str = ""
) -> str:
    """Return a page as a document: that of an entry, or the list of all, which is searched.

    ``others`` are the addresses of the page in other languages. ``contents`` is the file of the
    list, which an entry's page leads to.
    """
    up, scripts = ("../", ()) if contents else ("", SEARCH)
    said = {key: line(label(key, face)) for key in ("skip", "contents")}
    here = f'<a href="{up}{contents}">{said["contents"]}</a>' if contents else ""
    links = "".join(
        f'<a {spoken(lang)} hreflang="{lang}" href="{address}">{FACES[lang]}</a>'
        for lang, address in others.items()
    )
    also = "".join(
        f'<link rel="alternate" hreflang="{lang}" href="{address}">\n'
        for lang, address in others.items()
    )
    also += "".join(f'<script defer src="{up}{name}"></script>\n' for name in scripts)
    policy = _POLICY.format(script="'self'" if scripts else "'none'")
    return f"""<!doctype html>
<html {spoken(face)}>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>{line(title)}</title>
<link rel="stylesheet" href="{up}site.css">
{also}</head>
<body>
<a class="skip" href="#text">{said["skip"]}</a>
<header><nav>{here}{links}</nav></header>
<main id="text">
{"".join(body)}</main>
</body>
</html>
"""


# The page that lists the entries of a site by their collections, and is searched.

_LONGEST = 140
_END = re.compile(r"</(?:p|li|h\d|t[dhr])>")
_RAISED = re.compile(r"<sup>([^<>]{1,100})</sup>")
SEARCH = ("index.js", "search.js")


class Title(NamedTuple):
    """A question in one line, and its language."""

    text: str
    lang: str


class Listed(NamedTuple):
    """An entry in lists: the file of its page and its titles by page language."""

    file: str
    collection: str
    number: str
    titles: Mapping[str, Title]

    @property
    def address(self) -> str:
        """The file name encoded for an address."""
        return quote(self.file)

    def link(self, face: str, up: str = "") -> str:
        """Return a link to its page, in this language if possible."""
        lang = face if face in self.titles else next(iter(self.titles))
        title = self.titles[lang]
        number = f"<bdi>{line(self.number)}</bdi> " if self.number else ""
        href = f'href="{up}{lang}/{self.address}"'
        return f"<a {href} {spoken(title.lang)}>{number}{prose_line(title.text, title.lang)}</a>"


def contents(
    listed: Sequence[Listed], collections: Mapping[str, Mapping[str, str]], face: str
) -> Iterator[str]:
    """Yield the contents page: the search, and all entries in order."""
    groups = [(key, list(some)) for key, some in groupby(listed, lambda each: each.collection)]
    yield f"<h1>{line(label('contents', face))}</h1>\n"
    yield '<div role="search" hidden>\n'
    yield f'<label for="search">{line(label("search", face))}</label>\n'
    yield '<input type="search" id="search" dir="auto" autocomplete="off" spellcheck="false" '
    yield 'aria-describedby="keys" maxlength="500">\n'
    yield f'<p id="keys">{line(label("keys", face))}</p>\n<ol id="results" hidden></ol>\n</div>\n'
    yield f"<noscript><p>{line(label('noscript', face))}</p></noscript>\n"
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


def _collection(name: str, known: Mapping[str, Mapping[str, str]], face: str) -> str:
    """Return the titles of a collection and its parents, in this language or another."""
    if not name:
        return line(label("others", face))
    parts = name.split("/")
    above = accumulate(parts, "{}/{}".format)
    found = (of_language(known.get(path, {}), face) for path in above)
    return " / ".join(
        f"<span {spoken(lang)}>{line(title)}</span>" if title else f"<bdi>{line(part)}</bdi>"
        for (lang, title), part in zip(found, parts, strict=True)
    )


def title_of(entry: Entry, face: str) -> Title:
    """Return the title of an entry in a page language: our wording if there is one."""
    known = {**entry.question, **{k: v for k, v in entry.wording.items() if v.strip()}}
    answers = {answer.lang: answer.text for answer in reversed(entry.answers)}
    for texts in (known, answers):
        lang = face if texts.get(face, "").strip() else next(iter(texts), "")
        shown = plain(rendered(texts[lang][: 8 * _LONGEST], lang)) if lang else ""
        if shown:
            return Title(first_sentence(shown, _LONGEST), lang)
    return Title(entry.id, "en")


def plain(html: str) -> str:
    """Return the text of our HTML in one line.

    >>> plain("<p>a &lt;b&gt;</p><p>n<sup>2</sup>×ℝ<sup>2×5</sup></p>")
    'a <b> n^2×ℝ^(2×5)'
    """
    raised = _RAISED.sub(lambda sup: f"^{sup[1]}" if sup[1].isalnum() else f"^({sup[1]})", html)
    return words(_END.sub("<br>", raised))


@dataclass
class EntryPage:
    """An entry in one page language; ``placed`` are the annotations with a place in the text."""

    entry: Entry
    face: str
    address: Callable[[str], str]
    listed: Mapping[str, Listed]
    sources: Mapping[str, Source]
    placed: set[str] = field(default_factory=set)

    def body(self) -> Iterator[str]:
        """Yield the body."""
        title = self.listed[self.entry.id].titles[self.face]
        yield f"<article>\n<h1 {spoken(title.lang)}>{prose_line(title.text, title.lang)}</h1>\n"
        yield from self._facts()
        context = Text("context", self.face, self.entry.context or "")
        shown = [*[context] * bool(context.text), *texts(self.entry, self.face)]
        told = {each: self._text(each) for each in shown}
        short = any(each.role == "short" for each in told)
        deeper = _DEEPER if short else ()
        yield from self._texts(told, title.text, lambda role: role not in (*deeper, "source"))
        yield from self._fold("deeper", "".join(self._texts(told, "", deeper.__contains__, 3)))
        yield from self._worst()
        if short:
            source = "".join(html for each, html in told.items() if each.role == "source")
            yield from self._fold("source", source)
        else:
            yield from self._texts(told, "", "source".__eq__)
        # Those follow whose words stand in no text of the page.
        every = shown_annotations(self.entry, self.face)
        others = (self._note(each) for each in every if each.annotation.id not in self.placed)
        yield from self._section("annotations", others)
        yield from self._section("programs", self._programs())
        yield from self._section("related", self._related())
        yield from self._section("origin", self._origins())
        yield "</article>\n"

    def _said(self, key: str, **values: object) -> str:
        return line(label(key, self.face, **values))

    def _section(self, key: str, parts: Iterator[str]) -> Iterator[str]:
        """Yield a section unless it is empty."""
        html = "".join(parts)
        if html:
            yield f"<section>\n<h2>{self._said(key)}</h2>\n{html}</section>\n"

    def _facts(self) -> Iterator[str]:
        entry = self.entry
        level = entry.level and label(entry.level, self.face)
        number = entry.number and in_digits(entry.number, self.face)
        facts = {"number": number, "level": level, "topic": entry.topic}
        told = {key: [fact] for key, fact in facts.items() if fact} | {"tags": [*entry.tags]}
        between = "، " if self.face == "fa" else ", "
        items = "".join(
            f"<li>{self._said(key)}: "
            f"{between.join(f'<bdi>{line(fact)}</bdi>' for fact in some)}</li>"
            for key, some in told.items()
            if some
        )
        if items:
            yield f'<ul class="facts">{items}</ul>\n'

    def _texts(
        self, told: Mapping[Text, str], title: str, wanted: Callable[[str], bool], level: int = 2
    ) -> Iterator[str]:
        """Yield the texts of these roles, without the question that is the title."""
        for text, html in told.items():
            if wanted(text.role) and (text.role != "question" or plain(html) != title):
                heading = self._said(text.role)
                yield f"<section>\n<h{level}>{heading}</h{level}>\n{html}</section>\n"

    def _fold(self, key: str, html: str) -> Iterator[str]:
        """Yield a folded layer, unless it is empty."""
        if html:
            yield f"<details>\n<summary><h2>{self._said(key)}</h2></summary>\n{html}</details>\n"

    def _worst(self) -> Iterator[str]:
        """Yield the assessment of the source answer, and its worst remarks, one sentence each.

        Each links to its note.
        """
        others = {each.annotation.id for each in shown_annotations(self.entry, self.face)}
        links = "".join(
            f'<li {spoken(worst.lang)}><a href="#n{worst.each.number}">'
            f"{prose_line(worst.sentence, worst.lang)}</a></li>\n"
            for worst in worst_of(self.entry, self.face)
            if worst.each.annotation.id in self.placed | others
        )
        judged, heading, sentence = self.entry.assessment, label("worst", self.face), ""
        if judged is not None:
            lang, said = of_language(judged.sentence, self.face)
            sentence = f"<div {spoken(lang)}>\n{rendered(said, lang)}</div>\n"
            if judged.judgement != "flawed":
                heading = label(judged.judgement, self.face)
        if links or sentence:
            found_list = f'<ul class="worst">\n{links}</ul>\n' if links else ""
            yield f"<section>\n<h2>{line(heading)}</h2>\n{sentence}{found_list}</section>\n"

    def _text(self, text: Text) -> str:
        spans = marked_words(self.entry, text.role, text.lang)
        self.placed.update(span.each.annotation.id for span in spans)
        html = rendered(
            text.text, text.lang, media=self.address, marked=list(map(self._marked, spans))
        )
        proven = (each for each in self.entry.claims if not each.verdict)
        proofs = (grounds(e, self.face) for e in proven if e.target.role == text.role)
        return f"<div {spoken(text.lang)}>\n{html}{''.join(proofs)}</div>\n"

    def _marked(self, span: AnnotatedSpan) -> Marked:
        number = span.each.number
        name = self._said("annotation", number=number)
        shown, at = in_digits(str(number), self.face), self._place(span.each)
        sign = f'<sup><a id="w{at}" href="#n{at}" aria-label="{name}">{shown}</a></sup>'
        return Marked(span.start, span.end, sign, self._note(span.each, at_words=True))

    def _place(self, each: Numbered) -> str:
        """Return the number of an annotation, and its language if only others share the number."""
        alone = "" if concerns(each.annotation, self.face) else f"-{each.annotation.target.lang}"
        return line(f"{each.number}{alone}")

    def _note(self, each: Numbered, *, at_words: bool = False) -> str:
        """Return an annotation's note, with a link back to its words, or with the words."""
        found, at = each.annotation, self._place(each)
        weight = "own" if found.own else found.severity
        back = f' <a href="#w{at}" aria-label="{self._said("words")}">↩</a>' if at_words else ""
        quoted = prose_line(found.target.quote, found.target.lang)
        quote = f'<blockquote dir="auto">{quoted}</blockquote>\n'
        kind = f'class="note {line(weight)}" id="n{at}" role="note" {spoken(self.face)}'
        return "".join([
            f"<div {kind}>\n",
            f'<p class="verdict">{line(verdict(each, self.face))}{back}</p>\n',
            "" if at_words else quote,
            *self._told(each),
            "</div>\n",
        ])  # fmt: skip

    def _told(self, each: Numbered) -> Iterator[str]:
        found = each.annotation
        if found.repeats:
            yield f"<p>{line(repeats(self.entry, found, self.face))}</p>\n"
            return
        langs = [self.face] if self.face in found.note else list(found.note)
        for lang in langs:
            yield f"<div {spoken(lang)}>\n{rendered(found.note[lang], lang)}</div>\n"
        yield grounds(found, self.face)

    def _programs(self) -> Iterator[str]:
        for number, snippet in enumerate(self.entry.snippets):
            yield from program(snippet, heading=3)
            for at, piece in enumerate(charts(printed_charts(snippet))):
                if piece.chart is not None:
                    yield chart_figure(piece.chart, self.face, f"chart-{number}-{at}")

    def _related(self) -> Iterator[str]:
        known = [self.listed[id] for id in self.entry.links if id in self.listed]
        if known:
            links = (f"<li>{each.link(self.face, '../')}</li>\n" for each in known)
            yield f'<ul class="entries">\n{"".join(links)}</ul>\n'

    def _origins(self) -> Iterator[str]:
        spans = (span for some in self.entry.origins.values() for span in some)
        answers = (answer.origin for answer in self.entry.answers if answer.origin)
        files = dict.fromkeys(span.file for span in (*spans, *answers))
        known = [self.sources[file] for file in files if file in self.sources]
        if known:
            items = (
                f"<li {spoken(each.lang)}>"
                f"{'. '.join(map(line, filter(None, (each.title, each.author, each.rights))))}</li>"
                for each in known
            )
            yield f'<ul class="origins">{"".join(items)}</ul>\n'


_FOLDER = "media"
_DRAWING = ".svg"
_SHOWN = (IMAGES | SOUNDS) - {_DRAWING}
_DIGITS = 24
_STYLE = "site.css"
_LONGEST_NAME = 100  # bytes of the name of a page


class _Site:
    """A site being written: its file names and the addresses of its lists."""

    def __init__(self, book: Book, folder: Path) -> None:
        self._book = book
        self._folder = folder
        self._sources = {source.file: source for source in book.sources}
        names = Names(joint="-")
        self._listed: dict[str, Listed] = {}
        for entry in book.entries:
            name = names.given(safe(entry.id, _LONGEST_NAME, "entry").replace(" ", "-"), entry.id)
            titles = {face: title_of(entry, face) for face in faces_of(entry)}
            self._listed[entry.id] = Listed(
                f"{name}.html", entry.collection, entry.number or "", titles
            )
        spoken = {face for each in self._listed.values() for face in each.titles}
        self._faces = [face for face in FACES if face in spoken] or [next(iter(FACES))]

    def write(self) -> None:
        """Write all pages and shared files."""
        for face in self._faces:
            (self._folder / face).mkdir()
        self._put(_STYLE, files(__package__).joinpath(_STYLE).read_text("utf-8"))
        index = SiteIndex(self._book.names)
        for entry in self._book.entries:
            listed = self._listed[entry.id]
            self._pages(entry, listed)
            index.take(entry, listed.address, next(iter(listed.titles)))
        index.write(self._folder)
        for face in self._faces:
            self._contents(face)

    def _pages(self, entry: Entry, listed: Listed) -> None:
        """Write the pages of an entry."""
        address = partial(self._address, entry)
        for face, title in listed.titles.items():
            page = EntryPage(entry, face, address, self._listed, self._sources)
            others = {each: f"../{each}/{listed.address}" for each in listed.titles}
            del others[face]
            html = framed(face, title.text, page.body(), others, self._list_of(face))
            self._put(f"{face}/{listed.file}", html)

    def _contents(self, face: str) -> None:
        others = {other: self._list_of(other) for other in self._faces if other != face}
        listed = list(self._listed.values())
        body = contents(listed, self._book.collections, face)
        topmost = (known for name, known in self._book.collections.items() if "/" not in name)
        title = next((known[face] for known in topmost if face in known), "danesh")
        self._put(self._list_of(face), framed(face, title, body, others))

    def _list_of(self, face: str) -> str:
        """Return the file of the list of entries; servers open that of the first language."""
        return "index.html" if face == self._faces[0] else f"{face}.html"

    def _address(self, entry: Entry, name: str) -> str:
        """Return the address of a file that an entry shows, which is written once; or nothing.

        An SVG can contain scripts, which run if it is opened as a page: it is embedded as an
        image, in which they do not run.
        """
        digest = next((each.sha256 for each in entry.media if each.name == name), "")
        ending = splitext(name)[1].lower()
        if ending == _DRAWING:
            coded = base64.b64encode(self._book.media.get(digest, b"")).decode("ascii")
            return f"data:image/svg+xml;base64,{coded}" if coded else ""
        file = f"{_FOLDER}/{digest[:_DIGITS]}{ending}"
        place = self._folder / file
        fresh = ending in _SHOWN and not place.exists()
        data = self._book.media.get(digest) if fresh else None
        if data is not None:
            place.parent.mkdir(exist_ok=True)
            place.write_bytes(data)
        return f"../{file}" if place.exists() else ""

    def _put(self, place: str, text: str) -> None:
        (self._folder / place).write_text(text, "utf-8", newline="\n", errors="replace")


def write(book: Book, folder: Path) -> None:
    """Write the pages of a book into an empty folder."""
    _Site(book, folder).write()
