"""The notes of a vault: an entry, a collection, a source document, each as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

from kb.contract.entry import ANNOTATION, ENTRY, SNIPPET, SOURCE
from kb.exchange.markdown import evidence_line, inline
from kb.exchange.marks import body, mark
from kb.exchange.vault import layout, properties
from kb.exchange.vault.attachments import linked, unknown, unlinked
from kb.exchange.vault.layout import Text
from kb.records import Annotation, Entry, Review, Snippet, Source
from kb.records.vocabulary import SCHEMA_VERSION

_AT_ONCE = 500  # reviews in a comment
_NO_BLOCK = re.compile(r"[^A-Za-z0-9]+")


class Surroundings(NamedTuple):
    """What stands around a note: its title, the way up, and what other files are called.

    ``files`` has the names of attachments by those of media, ``notes`` the titles of the notes
    of related entries by their ids.
    """

    title: str
    up: str
    files: Mapping[str, str]
    notes: Mapping[str, str]


def entry_page(entry: Entry, around: Surroundings, reviews: Sequence[Review]) -> Iterator[str]:
    """Yield the blocks of an entry's note, which blank lines part."""
    facts = beside_texts(entry, around)
    yield from _head(properties.of_facts(facts, facts.get("aliases", ())))
    for each in layout.texts(entry):
        yield from _text(each, around)
    if entry.annotations:
        yield f"## {layout.ANNOTATIONS}"
        named: set[str] = set()
        for annotation in entry.annotations:
            yield "\n".join(_callout(annotation))
            yield _block_id(annotation, named)
    if entry.snippets:
        yield f"## {layout.PROGRAMS}"
        for snippet in entry.snippets:
            yield from _program(snippet)
    if entry.related:
        yield f"## {layout.RELATED}"
        yield "\n".join(_related(id, around.notes.get(id)) for id in entry.related)
    yield mark({"entry": facts})
    rest = iter(reviews)
    while some := [list(each) for each in islice(rest, _AT_ONCE)]:
        yield mark({"reviews": some})


def collection_page(name: str, titles: Mapping[str, str]) -> Iterator[str]:
    """Yield the blocks of a collection's note, with its titles."""
    yield from _head({"collection": name})
    for lang, title in titles.items():
        yield from _text(Text((layout.TITLE, lang), title))
    yield mark({"collection": name, "title": dict(titles)})


def source_page(source: Source) -> Iterator[str]:
    """Yield the blocks of a source document's note."""
    yield from _head(properties.of_source(source))
    yield from _text(Text((layout.DOCUMENT, source.lang), source.text))
    yield mark({"source": {**SOURCE.write(source), "text": ""}})


def beside_texts(entry: Entry, around: Surroundings) -> Mapping[str, Any]:
    """Return what an entry is beside its texts, annotations and programs, which say it themselves.

    ``aliases`` are those of its note, ``own_aliases`` those of the entry, and ``unknown`` is
    what it shows and has not.
    """
    elsewhere = ("question", "wording", "annotations", "snippets", "related")
    facts = ENTRY.write(entry)
    plain = {key: value for key, value in facts.items() if value not in (None, [], {})}
    for key in elsewhere:
        plain.pop(key, None)
    for answer in plain.get("answers", ()):
        answer.pop("text")
    for media in plain.get("media", ()):
        if media["name"] in around.files:
            media["file"] = around.files[media["name"]]
    names = {media.name: "" for media in entry.media}
    lost = {name: None for text in layout.texts(entry) for name in unknown(text.text, names)}
    more = {
        "own_aliases": plain.pop("aliases", []),
        "aliases": properties.aliases(entry, around.title),
        "unknown": [*lost],
    }
    return plain | {key: value for key, value in more.items() if value}


def title_line(annotation: Annotation) -> str:
    """Return the first line of an annotation's callout."""
    quote = inline(" ".join(annotation.target.quote.split()))
    weight = "own" if annotation.own else annotation.severity
    look = layout.CALLOUTS.get(annotation.verdict, "bug")
    return f"[!{look}] {annotation.verdict} ({weight}): “{quote}”"


def told_lines(annotation: Annotation) -> Sequence[str]:
    """Return what is told below the notes of an annotation, line by line."""
    same = [f"The same claim as in {inline(annotation.repeats)}."] if annotation.repeats else []
    confirmed = annotation.status == "confirmed"
    evidence = [evidence_line(each, confirmed) for each in annotation.evidence]
    lines = (*same, *evidence, *(f"- {inline(each)}" for each in annotation.references))
    return [" ".join(line.split()) for line in lines]


def program_heading(snippet: Snippet) -> str:
    """Return the heading of a program."""
    titles = " · ".join(snippet.title.values())
    return f"### {inline(f'{snippet.id}: {titles}' if titles else snippet.id)}"


def _head(facts: properties.Properties) -> Iterator[str]:
    yield "\n".join(properties.written(facts))
    yield mark({"schema_version": SCHEMA_VERSION})


def _text(each: Text, around: Surroundings | None = None) -> Iterator[str]:
    """Yield a text under its heading, with what must be known to read it back."""
    shown, facts = each.text, dict[str, Any]()
    if around is not None and around.files:
        shown = linked(each.text, around.files, around.up)
        names = {file: name for name, file in around.files.items()}
        if shown != each.text and unlinked(shown, names) == each.text:
            facts["linked"] = True
        else:
            shown = each.text
    made = body(shown)
    facts |= made.facts
    said = mark({"text": each.place, **facts}) if facts or not each.is_plain else ""
    yield f"{each.heading}\n{said}" if said else each.heading
    if made.text:
        yield made.text


def _callout(annotation: Annotation) -> Iterator[str]:
    yield mark({"annotation": {**ANNOTATION.write(annotation), "note": {}}})
    yield f"> {title_line(annotation)}"
    yield "\n>\n".join(map(_quoted, _said(annotation)))


def _said(annotation: Annotation) -> Iterator[str]:
    """Yield what a callout says below its title."""
    for lang, note in annotation.note.items():
        made = body(note)
        yield "\n".join([mark({"note": lang, **made.facts}), made.text])
    told = told_lines(annotation)
    if told:
        yield "\n".join([mark({"told": len(told)}), *told])


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}" if line else ">" for line in text.split("\n"))


def _block_id(annotation: Annotation, named: set[str]) -> str:
    """Return the name by which other notes can link to an annotation."""
    base = _NO_BLOCK.sub("-", annotation.id).strip("-")[:60] or "annotation"
    name = next(
        n for k in range(len(named) + 1) if (n := f"{base}-{k}" if k else base) not in named
    )
    named.add(name)
    return f"^{name}"


def _program(snippet: Snippet) -> Iterator[str]:
    code = snippet.code.rstrip()
    longest = max((len(run) for run in re.findall(r"`+", code)), default=0)
    fence = "`" * max(3, longest + 1)
    facts = {**SNIPPET.write(snippet), "code": ""}
    said = mark({"program": facts, "tail": snippet.code[len(code) :]})
    yield f"{program_heading(snippet)}\n{said}"
    yield f"{fence}python\n{code}\n{fence}"


def _related(id: str, title: str | None) -> str:
    if title is None:
        return f"- {inline(id)} {mark({'related': id})}"
    return f"- [[{title}]] {mark({'related': id, 'to': title})}"
