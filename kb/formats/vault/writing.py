"""A vault as a folder: notes in collection folders, with their media beside them.

Below its front matter a note has a comment that identifies it, then texts under headings, as in
the form: ``## Question (en)``. Other data is in comments: beside each annotation and program, and
at the end for the entry.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple
from urllib.parse import unquote

from kb import limits
from kb.errors import BadData
from kb.foreign import folded, size
from kb.formats.book import Book
from kb.formats.markdown import grounds, inline, judgement, program_heading, texts_of, without_texts
from kb.formats.marks import body, fenced, mark
from kb.formats.media import HIDDEN, shows
from kb.formats.names import FOLDER, Names, safe
from kb.formats.names import TITLE as LONGEST
from kb.formats.notes.matter import CODE
from kb.formats.vault.files import SIDECAR, is_file, lies_within, note_of, sidecar_file
from kb.i18n.names import LAYERS as NAMES
from kb.model.entry import Annotation, Entry, Media, Review, Snippet, Source, file_named, plain_name
from kb.model.entry_json import ANNOTATION, SNIPPET, SOURCE
from kb.model.values import LAYERS, SCHEMA_VERSION

HEADINGS: Mapping[tuple[str, ...], str] = {
    ("question",): "Question",
    ("wording",): "Better wording",
    ("answers", "source"): "Answer",
    ("answers", "reference"): "Reference answer",
    **{(name,): NAMES[name] for name in LAYERS},
    ("assessment",): "Assessment",
    ("title",): "Title",
    ("document",): "Document",
}
"""The headings of texts by their place without the language."""

_LANG = re.compile(r"[\w-]{1,40}")

ATTACHMENTS, SOURCES = "attachments", "sources"
"""The folders beside those of collections."""

CALLOUTS = {
    "wrong": "failure",
    "misleading": "warning",
    "incomplete": "info",
    "outdated": "warning",
    "note": "note",
}
"""The callout type of an annotation by verdict."""


def heading(place: Sequence[str]) -> str:
    """Return the heading above the text of a place, such as ``answers``, role and language."""
    *kind, lang = place
    return f"## {HEADINGS[tuple(kind)]}" + (f" ({lang})" if _LANG.fullmatch(lang) else "")


def link_words(text: str) -> str:
    """Return the first words of a text, valid as a label in double brackets.

    >>> link_words("a[1] | b")
    'a(1) ¦ b'
    """
    return " ".join(text.translate(str.maketrans("[]|", "()¦")).split())[:250]


# The files that texts show: a link within a text, and the same link from its note.

_TO_FILE = re.compile(
    rf"(?m:(?P<code>{CODE}))"
    r"|(?P<start>\[[^\[\]\n]{0,500}\]\()(?P<target>[^()\s<>]{1,1000})(?=\))"
)
_EMBEDDED = re.compile(
    r"\[\[([^\[\]|#\\\n]{1,500})|\]\(<([^<>\n]{1,500})>|\]\(([^()\s<>]{1,1000})\)|"
    r"<img\s[^<>]{0,2000}?src\s*=\s*[\"']([^\"'<>]{1,1000})[\"']"
)
_WIKI = re.compile(r"!\[\[([^\[\]|\\\n]{1,500})")


def file_name(media: Media) -> str:
    """Return the name of a file in the attachments folder, if the name is free.

    A file that is not a picture or sound gets a suffix that no program opens.

    >>> file_name(Media("a b.png", "", 0)), file_name(Media("con.png", "", 0))
    ('a-b.png', 'con_.png')
    >>> file_name(Media("collection.toml", "", 0))
    'collection.toml.bin'
    """
    name = safe(plain_name(media.name), LONGEST, "shown").replace(" ", "-")
    return name if shows(name) else f"{name}{HIDDEN}"


def linked(text: str, files: Mapping[str, str], up: str) -> str:
    """Return a text with media links changed to files; ``up`` is the path to the root.

    >>> linked("![](a.png) `![](a.png)`", {"a.png": "a 1.png"}, "../")
    '![](../attachments/a 1.png) `![](a.png)`'
    """
    found = {name: f"{up}{ATTACHMENTS}/{file}" for name, file in files.items()}
    return _relinked(text, lambda target: found.get(target) or found.get(unquote(target)))


def unlinked(text: str, names: Mapping[str, str]) -> str:
    """Return a text with attachment links changed to media names.

    >>> unlinked("![](../attachments/b.png) ![](c.png)", {"b.png": "a.png"})
    '![](a.png) ![](c.png)'
    """

    def lead(target: str) -> str | None:
        above, _, file = unquote(target).rpartition("/")
        known = names.get(file)
        return known if above.lstrip("./") == ATTACHMENTS else None

    return _relinked(text, lead)


def embedded(text: str, known: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield the media in a text: the file name used, and the media name.

    >>> list(embedded("![](img/a%20b.png) ![[c.png|200]]", {"a-b.png", "c.png"}))
    [('img/a b.png', 'a-b.png'), ('c.png', 'c.png')]
    """
    names = {folded(each): each for each in known}
    for found in _EMBEDDED.finditer(text):
        target = unquote(next(filter(None, found.groups())))
        if name := names.get(folded(file_named(target))):
            yield target, name


def unknown(text: str, known: Mapping[str, str]) -> Iterator[str]:
    """Yield the files in a text that are unknown."""
    for found in _TO_FILE.finditer(text):
        if found["target"] and shows(found["target"]) and found["target"] not in known:
            yield posixpath.basename(unquote(found["target"]))
    yield from (posixpath.basename(found[1]) for found in _WIKI.finditer(text) if shows(found[1]))


def _relinked(text: str, lead: Callable[[str], str | None]) -> str:
    def replaced(found: re.Match[str]) -> str:
        to = None if found["code"] else lead(found["target"])
        return found[0] if to is None else found["start"] + to

    return _TO_FILE.sub(replaced, text) if "](" in text else text


# The front matter of a note: facts of the entry as Obsidian's properties.

Properties = Mapping[str, str | Sequence[str]]
"""Texts and lists of texts by key; empty ones are omitted."""

FACTS = ("id", "collection", "kind", "level", "topic", "number")
TAGS, ALIASES = "tags", "aliases"
OF_SOURCE = ("file", "title", "author", "lang", "rights")

_WORDS = re.compile(r"(?![yYnN]$)[^\W\d_](?:[\w/-]| (?=\w))*")
_KEYWORDS = ("yes", "no", "true", "false", "on", "off", "null")
_NOT_PRINTED = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")
_NO_TAG = re.compile(
    "[\\s\x00-\x20\x7f-\x9f\u2000-\u206f\u2e00-\u2e7f'!\"#$%&()*+,.:;<=>?@^`{|}~\\[\\]\\\\]+"
)
_MOST = 20_000  # characters of tags and aliases; a note says a few hundred of itself
_BRACKETS = re.compile(r"[\[{]")
_FEW = 20  # brackets in a value: of many, one who reads YAML might fear the depth
_ALIAS = 100  # characters
_ALIASES = 20


def of_facts(facts: Mapping[str, Any], aliases: Sequence[str]) -> Properties:
    """Return the properties of an entry with these facts."""
    shown: dict[str, str | Sequence[str]] = {key: facts[key] for key in FACTS if facts.get(key)}
    tags = [tag_of(tag) for tag in facts.get(TAGS, ())]
    if sum(map(len, tags)) < _MOST and len(tags) < _MOST // 100:
        shown |= {key: value for key, value in ((TAGS, tags), (ALIASES, aliases)) if value}
    return shown


def aliases(entry: Entry, title: str) -> Sequence[str]:
    """Return the aliases of an entry's note: its own aliases, and its questions."""
    heads = (
        " ".join(text[: 4 * _ALIAS].split())[:_ALIAS].strip() for text in entry.question.values()
    )
    named = [head for head in heads if head and head != title][:_ALIASES]
    return list(dict.fromkeys((*entry.aliases, *named)))


def tag_of(tag: str) -> str:
    """Return a valid Obsidian tag: without spaces, and not only digits.

    >>> tag_of("deep learning"), tag_of("c++"), tag_of("2024"), tag_of("شبکه‌ها")
    ('deep-learning', 'c', 'y2024', 'شبکه-ها')
    """
    named = _NO_TAG.sub("-", tag).strip("-/") or "tag"
    return f"y{named}" if named.isdigit() else named


def written(properties: Properties) -> Iterator[str]:
    """Yield the lines of the front matter."""
    yield "---"
    for key, value in properties.items():
        if isinstance(value, str):
            yield f"{key}: {_scalar(value)}"
        else:
            yield f"{key}:"
            yield from (f"  - {_scalar(each)}" for each in value)
    yield "---"


def _scalar(text: str) -> str:
    """Return a text as YAML, quoted unless it can only be a text.

    >>> _scalar("deep learning"), _scalar("no"), _scalar("1.2"), _scalar("a: b")
    ('deep learning', '"no"', '"1.2"', '"a: b"')
    """
    if _WORDS.fullmatch(text) and text.lower() not in _KEYWORDS:
        return text
    quoted = json.dumps(text, ensure_ascii=False)
    quoted = _NOT_PRINTED.sub(lambda found: f"\\u{ord(found[0]):04x}", quoted)
    if len(_BRACKETS.findall(quoted)) > _FEW:
        quoted = _BRACKETS.sub(lambda found: f"\\x{ord(found[0]):02x}", quoted)
    return quoted


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
    for place, text in texts_of(entry):
        yield from _text(place, text, around)
    if entry.annotations:
        yield "## Annotations"
        named = Names(joint="-")
        for annotation in entry.annotations:
            yield callout(annotation)
            # The name by which other notes can link to it.
            name = _NO_BLOCK.sub("-", annotation.id).strip("-")[:60] or "annotation"
            yield f"^{named.given(name, annotation.id)}"
    if entry.snippets:
        yield "## Programs"
        for snippet in entry.snippets:
            yield from program(snippet)
    if entry.related:
        yield "## Related"
        related = []
        for id in entry.related:
            title = around.notes.get(id)
            link = f"[[{title}]]" if title is not None else inline(id)
            to = {} if title is None else {"to": title}
            related.append(f"- {link} {mark({'related': id, **to})}")
        yield "\n".join(related)
    yield mark({"entry": facts})
    for start in range(0, len(reviews), _AT_ONCE):
        yield mark({"reviews": [list(each) for each in reviews[start : start + _AT_ONCE]]})


def collection_page(name: str, titles: Mapping[str, str]) -> Iterator[str]:
    """Yield the blocks of a collection's note, with its titles."""
    yield from _head({"collection": name})
    for lang, title in titles.items():
        yield from _text(("title", lang), title)
    yield mark({"collection": name, "title": dict(titles)})


def source_page(source: Source) -> Iterator[str]:
    """Yield the blocks of a source document's note."""
    yield from _head({key: value for key in OF_SOURCE if (value := getattr(source, key))})
    yield from _text(("document", source.lang), source.text)
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
    lost = {name: None for _, text in texts_of(entry) for name in unknown(text, names)}
    more = {
        "own_aliases": plain.pop("aliases", []),
        "aliases": aliases(entry, around.title),
        "unknown": [*lost],
    }
    return plain | {key: value for key, value in more.items() if value}


def callout(annotation: Annotation) -> str:
    """Return the callout of an annotation, below the comment that identifies it."""
    look = CALLOUTS.get(annotation.verdict, "bug")
    notes = {lang: body(note) for lang, note in annotation.note.items()}
    said = [f"{mark({'note': lang, **made.facts})}\n{made.text}" for lang, made in notes.items()]
    same = [f"The same claim as in {inline(annotation.repeats)}."] if annotation.repeats else []
    told = [" ".join(line.split()) for line in (*same, *grounds(annotation))]
    if told:
        said.append("\n".join([mark({"told": len(told)}), *told]))
    quoted = [each.replace("\n", "\n> ").replace("> \n", ">\n") for each in said]
    facts = mark({"annotation": {**ANNOTATION.write(annotation), "note": {}}})
    title = f"> [!{look}] {judgement(annotation)}"
    return "\n".join([facts, title, "\n>\n".join(f"> {each}" for each in quoted)])


def _head(facts: Properties) -> Iterator[str]:
    yield "\n".join(written(facts))
    yield mark({"schema_version": SCHEMA_VERSION})


def _text(place: Sequence[str], text: str, around: Surroundings | None = None) -> Iterator[str]:
    """Yield a text under its heading, with the data needed to read it back."""
    shown, facts = text, dict[str, Any]()
    if around is not None and around.files:
        shown = linked(text, around.files, around.up)
        names = {file: name for name, file in around.files.items()}
        if shown != text and unlinked(shown, names) == text:
            facts["linked"] = True
        else:
            shown = text
    made = body(shown)
    facts |= made.facts
    plain = not facts and _LANG.fullmatch(place[-1])
    yield heading(place) + ("" if plain else f"\n{mark({'text': place, **facts})}")
    if made.text:
        yield made.text


def program(snippet: Snippet) -> Iterator[str]:
    """Yield the heading and the code of a program."""
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
            base = posixpath.basename(target)
            name = base if lies_within(base) and shows(base) else file_name(media)
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
        if not (self._folder / place).exists():
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
