"""A vault as a folder: notes in collection folders, with their media beside them."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from kb import limits
from kb.errors import BadData
from kb.foreign import size
from kb.formats.book import Book
from kb.formats.markdown import evidence_line, inline, program_heading, without_texts
from kb.formats.marks import body, fenced, mark
from kb.formats.media import shows
from kb.formats.names import FOLDER, Names, folded, safe
from kb.formats.names import TITLE as LONGEST
from kb.formats.vault.files import SIDECAR, is_file, lies_within, note_of, sidecar_file
from kb.formats.vault.layout import (
    ANNOTATIONS,
    ATTACHMENTS,
    CALLOUTS,
    DOCUMENT,
    OF_SOURCE,
    PROGRAMS,
    RELATED,
    SOURCES,
    TITLE,
    Properties,
    Text,
    aliases,
    embedded,
    file_name,
    link_words,
    linked,
    of_facts,
    texts,
    unknown,
    unlinked,
    written,
)
from kb.model import Annotation, Entry, Media, Review, Snippet, Source
from kb.model.clauses import SCHEMA_VERSION
from kb.model.entry_json import ANNOTATION, SNIPPET, SOURCE

# The notes of a vault: an entry, a collection, a source document, each as Markdown.

_AT_ONCE = 500  # reviews in a comment
_NO_BLOCK = re.compile(r"[^A-Za-z0-9]+")


class Surroundings(NamedTuple):
    """The surroundings of a note: its title, the path up, and names of other files.

    ``files`` has attachment names by media name, ``notes`` the note titles of related entries by
    id.
    """

    title: str
    up: str
    files: Mapping[str, str]
    notes: Mapping[str, str]


def entry_page(entry: Entry, around: Surroundings, reviews: Sequence[Review]) -> Iterator[str]:
    """Yield the blocks of an entry's note, separated by blank lines."""
    facts = sidecar_texts(entry, around)
    yield from _head(of_facts(facts, facts.get("aliases", ())))
    for each in texts(entry):
        yield from _text(each, around)
    if entry.annotations:
        yield f"## {ANNOTATIONS}"
        named = Names(joint="-")
        for annotation in entry.annotations:
            yield "\n".join(_callout(annotation))
            # The name by which other notes can link to it.
            name = _NO_BLOCK.sub("-", annotation.id).strip("-")[:60] or "annotation"
            yield f"^{named.given(name, annotation.id)}"
    if entry.snippets:
        yield f"## {PROGRAMS}"
        for snippet in entry.snippets:
            yield from _program(snippet)
    if entry.related:
        yield f"## {RELATED}"
        related = []
        for id in entry.related:
            title = around.notes.get(id)
            link = f"[[{title}]]" if title is not None else inline(id)
            to = {} if title is None else {"to": title}
            related.append(f"- {link} {mark({'related': id, **to})}")
        yield "\n".join(related)
    yield mark({"entry": facts})
    rest = iter(reviews)
    while some := [list(each) for each in islice(rest, _AT_ONCE)]:
        yield mark({"reviews": some})


def collection_page(name: str, titles: Mapping[str, str]) -> Iterator[str]:
    """Yield the blocks of a collection's note, with its titles."""
    yield from _head({"collection": name})
    for lang, title in titles.items():
        yield from _text(Text((TITLE, lang), title))
    yield mark({"collection": name, "title": dict(titles)})


def source_page(source: Source) -> Iterator[str]:
    """Yield the blocks of a source document's note."""
    yield from _head({key: value for key in OF_SOURCE if (value := getattr(source, key))})
    yield from _text(Text((DOCUMENT, source.lang), source.text))
    yield mark({"source": {**SOURCE.write(source), "text": ""}})


def sidecar_texts(entry: Entry, around: Surroundings) -> Mapping[str, Any]:
    """Return the fields of an entry without texts, annotations and programs.

    ``aliases`` are those of its note, ``own_aliases`` those of the entry, ``unknown`` are media
    it lacks.
    """
    plain = without_texts(entry)
    for key in ("annotations", "snippets", "related"):
        plain.pop(key, None)
    for media in plain.get("media", ()):
        if media["name"] in around.files:
            media["file"] = around.files[media["name"]]
    names = {media.name: "" for media in entry.media}
    lost = {name: None for text in texts(entry) for name in unknown(text.text, names)}
    more = {
        "own_aliases": plain.pop("aliases", []),
        "aliases": aliases(entry, around.title),
        "unknown": [*lost],
    }
    return plain | {key: value for key, value in more.items() if value}


def title_line(annotation: Annotation) -> str:
    """Return the first line of an annotation's callout."""
    quote = inline(" ".join(annotation.target.quote.split()))
    weight = "own" if annotation.own else annotation.severity
    look = CALLOUTS.get(annotation.verdict, "bug")
    return f"[!{look}] {annotation.verdict} ({weight}): “{quote}”"


def told_lines(annotation: Annotation) -> Sequence[str]:
    """Return the lines below the note of an annotation."""
    same = [f"The same claim as in {inline(annotation.repeats)}."] if annotation.repeats else []
    evidence = [evidence_line(each, annotation.holds) for each in annotation.evidence]
    lines = (*same, *evidence, *(f"- {inline(each)}" for each in annotation.references))
    return [" ".join(line.split()) for line in lines]


def _head(facts: Properties) -> Iterator[str]:
    yield "\n".join(written(facts))
    yield mark({"schema_version": SCHEMA_VERSION})


def _text(each: Text, around: Surroundings | None = None) -> Iterator[str]:
    """Yield a text under its heading, with the data needed to read it back."""
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
    notes = {lang: body(note) for lang, note in annotation.note.items()}
    said = [f"{mark({'note': lang, **made.facts})}\n{made.text}" for lang, made in notes.items()]
    if told := told_lines(annotation):
        said.append("\n".join([mark({"told": len(told)}), *told]))
    quoted = (each.replace("\n", "\n> ").replace("> \n", ">\n") for each in said)
    yield "\n>\n".join(f"> {each}" for each in quoted)


def _program(snippet: Snippet) -> Iterator[str]:
    code = snippet.code.rstrip()
    facts = {**SNIPPET.write(snippet), "code": ""}
    said = mark({"program": facts, "tail": snippet.code[len(code) :]})
    yield f"{program_heading(snippet)}\n{said}"
    yield fenced(code, "python")


_LINK = re.compile(r"!?\[([^\[\]\n]*)\]\([^()\n]*\)")
_DEEPEST = 8
"""The maximum folder depth; deeper files go into the last folder."""


class _Vault:
    """A vault being written: the names given to files and folders."""

    def __init__(self, book: Book, folder: Path) -> None:
        self._book = book
        self._folder = folder
        self._folders = Names(ATTACHMENTS, SOURCES)
        paths = (entry.file.path for entry in book.entries if entry.file and is_file(entry))
        self._titles = Names(*(PurePosixPath(path).stem for path in paths))
        self._attachments = Names(joint="-")
        self._written: set[str] = set()
        self._done: set[str] = set()
        self._paths: set[str] = set()
        self._places: dict[str, str] = {}
        self._bytes = 0

    def write(self) -> None:
        """Write all notes and media."""
        book = self._book
        of_files = self._files()
        for name, titles in book.collections.items():
            if name in of_files and not titles:
                continue  # its folder says all there is to say
            words = next(iter(titles.values()), "") or name.rpartition("/")[2]
            title = self._titles.given(safe(words, LONGEST), f"collection {name}")
            self._note(f"{self._folder_of(name)}/{title}.md", collection_page(name, titles))
        for source in book.sources:
            title = self._titles.given(safe(source.file, LONGEST), f"source {source.file}")
            self._note(f"{SOURCES}/{title}.md", source_page(source))
        notes = {entry.id: self._title_of(entry) for entry in book.entries}
        for entry in book.entries:
            if entry.id not in self._done:
                self._entry(entry, notes)

    def _files(self) -> set[str]:
        """Write notes that were files unchanged; return collections that have only these."""
        entries = self._book.entries
        cards: dict[str, list[Entry]] = {}
        for entry in entries:
            if entry.within is not None:
                cards.setdefault(entry.within, []).append(entry)
        sidecar = {}
        for entry in entries:
            if is_file(entry):
                own = cards.get(entry.id, [])
                path = self._free(entry)
                data, said = note_of(entry, own)
                self._put(path, data)
                self._shown_by(entry, PurePosixPath(path))
                self._done |= {entry.id, *(card.id for card in own)}
                if said:
                    sidecar[path] = said
        if sidecar:
            self._put(SIDECAR, sidecar_file(sidecar))
        others = {entry.collection for entry in entries if entry.id not in self._done}
        return {entry.collection for entry in entries} - others

    def _free(self, entry: Entry) -> str:
        """Return the path of a note's file; in its collection's folder if the path is taken."""
        assert entry.file is not None
        path = entry.file.path
        if folded(path) in self._paths or folded(path) == SIDECAR:
            path = f"{self._folder_of(entry.collection)}/{path}"
        self._paths.add(folded(path))
        return path

    def _shown_by(self, entry: Entry, path: PurePosixPath) -> None:
        """Write the media of a note where its text expects them."""
        digests = {media.name: media.sha256 for media in entry.media}
        texts = "\n".join(answer.text for answer in entry.answers)
        for target, name in embedded(texts, digests):
            if digests[name] in self._book.media:
                place = self._place_of(target, path, Media(name, digests[name], 0))
                self._show(place, digests[name])

    def _place_of(self, target: str, note: PurePosixPath, media: Media) -> str:
        """Return the path for a file that a note names: that path, or in the attachments."""
        place = posixpath.normpath((note.parent / target).as_posix())
        folder, _, name = place.rpartition("/")
        if not (lies_within(place) and shows(place)):
            name = file_name(media)
        elif (
            "/" in target
            and folder != ATTACHMENTS
            and self._places.setdefault(folded(place), media.sha256) == media.sha256
        ):
            return place
        return f"{ATTACHMENTS}/{self._attachments.given(name, media.sha256)}"

    def _title_of(self, entry: Entry) -> str:
        texts = (*entry.question.values(), *(each.text for each in entry.answers), entry.id)
        words = (link_words(_LINK.sub(r"\1", text.strip()[:1000])) for text in texts)
        line = f"{entry.number or ''} {next(filter(None, words), '')}"
        return self._titles.given(safe(line, LONGEST), f"entry {entry.id}")

    def _entry(self, entry: Entry, notes: Mapping[str, str]) -> None:
        folder = self._folder_of(entry.collection)
        up = "../" * len(folder.split("/"))
        around = Surroundings(notes[entry.id], up, self._shown(entry), notes)
        reviews = self._book.reviews.get(entry.id, ()) if self._book.reviews else ()
        self._note(f"{folder}/{notes[entry.id]}.md", entry_page(entry, around, reviews))

    def _shown(self, entry: Entry) -> Mapping[str, str]:
        """Write the media of an entry unless they exist; return their names."""
        files = {}
        for media in entry.media:
            if media.sha256 in self._book.media:  # else its bytes are lost
                file = self._attachments.given(file_name(media), media.sha256)
                files[media.name] = file
                self._show(f"{ATTACHMENTS}/{file}", media.sha256)
        return files

    def _show(self, place: str, digest: str) -> None:
        if place not in self._written:
            self._written.add(place)
            self._put(place, self._book.media[digest])

    def _folder_of(self, collection: str) -> str:
        parts = collection.split("/")
        first, rest = parts[: _DEEPEST - 1], parts[_DEEPEST - 1 :]
        made = ""
        for depth, part in enumerate((*first, *([" ".join(rest)] if rest else []))):
            above = "/".join(parts[: depth + 1]) if depth < _DEEPEST - 1 else collection
            path = f"{made}/{safe(part, FOLDER, 'collection')}".lstrip("/")
            made = self._folders.given(path, above)
        return made

    def _note(self, place: str, blocks: Iterable[str]) -> None:
        self._put(place, ("\n\n".join(blocks) + "\n").encode())

    def _put(self, place: str, data: bytes) -> None:
        self._bytes += len(data)
        if self._bytes > limits.FILE:
            raise BadData("a vault has at most {most}", "Export its parts.", most=size(limits.FILE))
        file = self._folder / place
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)


def write(book: Book, folder: Path) -> None:
    """Write a vault into an empty folder. Raises `BadData` above the limits of an import."""
    if len(book.entries) > limits.FILES:
        raise BadData("a vault has at most {most:,} notes", "Export its parts.", most=limits.FILES)
    _Vault(book, folder).write()
