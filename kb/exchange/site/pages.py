"""The page of an entry: its texts with what is found of them, its programs, the ways on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from kb.display import in_digits
from kb.exchange.hypertext.marking import Marked
from kb.exchange.hypertext.rendering import rendered
from kb.exchange.hypertext.telling import (
    grounds,
    line,
    program,
    prose_line,
    repeats,
    spoken,
    verdict,
)
from kb.exchange.labels import label
from kb.exchange.site.contents import Listed, plain
from kb.exchange.site.faces import Text, shown_annotations, texts
from kb.present.annotated import AnnotatedSpan, Numbered, Worst, marked_words, worst_of
from kb.records import Entry, Source


@dataclass
class EntryPage:
    """An entry in one language of pages; ``placed`` are the annotations that stand at words."""

    entry: Entry
    face: str
    address: Callable[[str], str]
    listed: Mapping[str, Listed]
    sources: Mapping[str, Source]
    placed: set[int] = field(default_factory=set)

    def body(self) -> Iterator[str]:
        """Yield what the page holds."""
        title = self.listed[self.entry.id].titles[self.face]
        yield f"<article>\n<h1 {spoken(title.lang)}>{prose_line(title.text, title.lang)}</h1>\n"
        yield from self._facts()
        told = [*self._texts(title.text)]
        yield from self._section("worst", self._worst())
        yield from told
        yield from self._section("annotations", self._others())
        yield from self._section("programs", self._programs())
        yield from self._section("related", self._related())
        yield from self._section("origin", self._origins())
        yield "</article>\n"

    def _said(self, key: str, **values: object) -> str:
        return line(label(key, self.face, **values))

    def _section(self, key: str, parts: Iterator[str]) -> Iterator[str]:
        """Yield a section, unless it holds nothing."""
        html = "".join(parts)
        if html:
            yield f"<section>\n<h2>{self._said(key)}</h2>\n{html}</section>\n"

    def _facts(self) -> Iterator[str]:
        entry = self.entry
        level = entry.level and label(f"level.{entry.level}", self.face)
        number = entry.number and in_digits(entry.number, self.face)
        facts = {"number": number, "level": level, "topic": entry.topic}
        told = [(key, [fact]) for key, fact in facts.items() if fact]
        if entry.tags:
            told.append(("tags", list(entry.tags)))
        if told:
            items = (f"<li>{self._fact(key, some)}</li>" for key, some in told)
            yield f'<ul class="facts">{"".join(items)}</ul>\n'

    def _fact(self, key: str, facts: Sequence[str]) -> str:
        between = "، " if self.face == "fa" else ", "
        shown = between.join(f"<bdi>{line(fact)}</bdi>" for fact in facts)
        return f"{self._said(f'fact.{key}')}: {shown}"

    def _texts(self, title: str) -> Iterator[str]:
        """Yield the texts, without a question that the title has said."""
        if self.entry.context:
            html = self._text(Text("context", self.face, self.entry.context))
            yield f"<section>\n<h2>{self._said('context')}</h2>\n{html}</section>\n"
        for text in texts(self.entry, self.face):
            html = self._text(text)
            if text.role != "question" or plain(html) != title:
                yield f"<section>\n<h2>{self._said(text.role)}</h2>\n{html}</section>\n"

    def _worst(self) -> Iterator[str]:
        """Yield what is worst about the entry, in a sentence each, which leads to its note."""
        others = {each.number for each in shown_annotations(self.entry, self.face)}
        shown = self.placed | others
        found = [each for each in worst_of(self.entry, self.face) if each.each.number in shown]
        if found:
            yield f'<ul class="worst">\n{"".join(map(self._sentence, found))}</ul>\n'

    def _sentence(self, worst: Worst) -> str:
        said = prose_line(worst.sentence, worst.lang)
        return f'<li {spoken(worst.lang)}><a href="#n{worst.each.number}">{said}</a></li>\n'

    def _text(self, text: Text) -> str:
        spans = marked_words(self.entry, text.role, text.lang)
        self.placed.update(span.each.number for span in spans)
        html = rendered(
            text.text, text.lang, media=self.address, marked=list(map(self._marked, spans))
        )
        return f"<div {spoken(text.lang)}>\n{html}</div>\n"

    def _marked(self, span: AnnotatedSpan) -> Marked:
        number = span.each.number
        name = self._said("annotation", number=number)
        shown = in_digits(str(number), self.face)
        sign = f'<sup><a id="w{number}" href="#n{number}" aria-label="{name}">{shown}</a></sup>'
        return Marked(span.start, span.end, "<mark>", sign, self._note(span.each, at_words=True))

    def _note(self, each: Numbered, *, at_words: bool = False) -> str:
        """Return what is told of an annotation, with a way back to its words or with these."""
        found, number = each.annotation, each.number
        weight = "own" if found.own else found.severity
        back = f' <a href="#w{number}" aria-label="{self._said("words")}">↩</a>' if at_words else ""
        quoted = prose_line(found.target.quote, found.target.lang)
        quote = f'<blockquote dir="auto">{quoted}</blockquote>\n'
        kind = f'class="note {line(weight)}" id="n{number}" role="note" {spoken(self.face)}'
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

    def _others(self) -> Iterator[str]:
        """Yield the annotations whose words stand in no text of the page."""
        for each in shown_annotations(self.entry, self.face):
            if each.number not in self.placed:
                yield self._note(each)

    def _programs(self) -> Iterator[str]:
        for snippet in self.entry.snippets:
            yield from program(snippet, heading=3)

    def _related(self) -> Iterator[str]:
        known = [self.listed[id] for id in self.entry.related if id in self.listed]
        if known:
            links = (f"<li>{each.link(self.face, '../')}</li>\n" for each in known)
            yield f'<ul class="entries">\n{"".join(links)}</ul>\n'

    def _origins(self) -> Iterator[str]:
        spans = (span for some in self.entry.origins.values() for span in some)
        answers = (answer.origin for answer in self.entry.answers if answer.origin)
        files = dict.fromkeys(span.file for span in (*spans, *answers))
        known = [self.sources[file] for file in files if file in self.sources]
        if known:
            items = (f"<li {spoken(each.lang)}>{_told_of(each)}</li>" for each in known)
            yield f'<ul class="origins">{"".join(items)}</ul>\n'


def _told_of(source: Source) -> str:
    return ". ".join(line(each) for each in (source.title, source.author, source.rights) if each)
