"""The layout of our notes, for writer and reader.

Below its front matter a note has a comment that identifies it, then texts under headings, as in
the form: ``## Question (en)``. Other data is in comments: beside each annotation and program, and
at the end for the entry.
"""

from __future__ import annotations

import itertools
import json
import posixpath
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple
from urllib.parse import unquote

from kb.errors import BadData
from kb.formats.markdown import texts_of
from kb.formats.marks import marked, trimmed, with_fences
from kb.formats.media import HIDDEN, shows
from kb.formats.names import TITLE as LONGEST
from kb.formats.names import safe
from kb.formats.notes.matter import CODE, read_matter
from kb.formats.notes.matter import Matter as FrontMatter
from kb.i18n.names import LAYERS as NAMES
from kb.model import Entry, Media
from kb.model.clauses import LAYERS
from kb.model.entry import file_named, plain_name

QUESTION, WORDING, ANSWERS, ASSESSMENT = "question", "wording", "answers", "assessment"
ANNOTATIONS, PROGRAMS, RELATED = "Annotations", "Programs", "Related"
TITLE, DOCUMENT = "title", "document"

_HEADINGS: Mapping[tuple[str, ...], str] = {
    (QUESTION,): "Question",
    (WORDING,): "Better wording",
    (ANSWERS, "source"): "Answer",
    (ANSWERS, "reference"): "Reference answer",
    **{(name,): NAMES[name] for name in LAYERS},
    (ASSESSMENT,): "Assessment",
    (TITLE,): "Title",
    (DOCUMENT,): "Document",
}
_KINDS = {name.lower(): kind for kind, name in _HEADINGS.items()}
_HEADING = re.compile(r"##\s+(?P<name>[A-Za-z -]+?)\s*(?:\((?P<lang>[^()]*)\))?\s*")
_SECTIONS = (ANNOTATIONS, PROGRAMS, RELATED)
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


class Text(NamedTuple):
    """A text and its place: ``question`` and language, or ``answers``, role and language."""

    place: tuple[str, ...]
    text: str

    @property
    def heading(self) -> str:
        """The heading above it."""
        lang = self.place[-1]
        return f"## {_HEADINGS[self.place[:-1]]}" + (f" ({lang})" if _LANG.fullmatch(lang) else "")

    @property
    def is_plain(self) -> bool:
        """Whether the heading determines its place."""
        return _LANG.fullmatch(self.place[-1]) is not None


def texts(entry: Entry) -> Iterator[Text]:
    """Yield the texts of an entry under headings, in order."""
    return itertools.starmap(Text, texts_of(entry))


def place_in(heading: str) -> tuple[str, ...] | None:
    """Return the place that a heading names, with an empty language if it names none.

    >>> place_in("## Reference answer (fa)"), place_in("## question"), place_in("## Notes")
    (('answers', 'reference', 'fa'), ('question', ''), None)
    """
    found = _HEADING.fullmatch(heading)
    kind = _KINDS.get(found["name"].lower()) if found else None
    return None if kind is None or found is None else (*kind, (found["lang"] or "").strip())


def section_in(heading: str) -> str | None:
    """Return the section that a heading begins.

    >>> section_in("## Programs"), section_in("## Notes")
    ('Programs', None)
    """
    return next((name for name in _SECTIONS if heading.strip() == f"## {name}"), None)


def link_words(text: str) -> str:
    """Return the first words of a text, valid as a label in double brackets.

    >>> link_words("a[1] | b")
    'a(1) ¦ b'
    """
    return " ".join(text.translate(str.maketrans("[]|", "()¦")).split())[:250]


# The parts of a note of ours: what stands under each heading and beside each comment.

TEXT, SECTION, PROGRAM, TOP = "text", "section", "program", "schema_version"
_BEGIN = (TOP, "annotation", PROGRAM, "entry", "reviews", "collection", "source")
"""The keys of comments that begin a separate part."""


class Part(NamedTuple):
    """A part: first line, kind, data of its comment, and lines."""

    line: int
    kind: str
    heading: str
    facts: Mapping[str, Any]
    lines: list[str]

    def takes(self, key: str) -> bool:
        """Return whether a comment of this kind belongs to this part's heading."""
        own = key == PROGRAM if self.kind == PROGRAM else self.kind == TEXT and not key
        return own and bool(self.heading) and not self.facts and not any(self.lines)

    @property
    def written(self) -> list[str]:
        """Its lines without surrounding blank ones."""
        return trimmed(self.lines)


def parts(lines: Iterable[str], first: int) -> Iterator[Part]:
    """Yield the parts of a note from the line ``first``; the first part may have no kind."""
    part, section = Part(first, "", "", {}, []), ""
    for number, (text, fence) in enumerate(with_fences(lines), first):
        said = None if fence else marked(text)
        begins = next((key for key in _BEGIN if said is not None and key in said), "")
        headed = "" if fence or said is not None else _headed(text, section)
        if said is not None and part.takes(begins):
            part = part._replace(facts=said)
        elif begins or headed:
            yield part
            part = Part(number, begins or headed, "" if begins else text, said or {}, [])
            section = section_in(text) or ("" if headed == TEXT else section)
        else:
            part.lines.append(text)
    yield part


def _headed(text: str, section: str) -> str:
    """Return the part that a heading line begins."""
    if not text.startswith("##"):
        return ""
    if text.startswith("### "):
        return PROGRAM if section == PROGRAMS else ""
    if section_in(text):
        return SECTION
    return TEXT if place_in(text) is not None else ""


# The files that texts show: a link within a text, and the same link from its note.

_TO_FILE = re.compile(
    rf"(?m:(?P<code>{CODE}))"
    r"|(?P<start>\[[^\[\]\n]{0,500}\]\()(?P<target>[^()\s<>]{1,1000})(?=\))"
)
_EMBEDDED = re.compile(
    r"\[\[([^\[\]|#\n]{1,500})|\]\(<([^<>\n]{1,500})>|\]\(([^()\s<>]{1,1000})\)|"
    r"<img\s[^<>]{0,2000}?src\s*=\s*[\"']([^\"'<>]{1,1000})[\"']"
)
_WIKI = re.compile(r"!\[\[([^\[\]|\n]{1,500})")


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
    for found in _EMBEDDED.finditer(text):
        target = unquote(next(filter(None, found.groups())))
        if file_named(target) in known:
            yield target, file_named(target)


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


# The front matter of a note: its facts as Obsidian's properties, and what became of them.

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


def tags_again(shown: Sequence[str], tags: Sequence[str]) -> Sequence[str]:
    """Return the original tags for displayed ones, where they still match.

    >>> tags_again(["c", "new"], ["c++", "deep learning"])
    ['c++', 'new']
    """
    were = {tag_of(tag): tag for tag in reversed(tags)}
    bare = (each.removeprefix("#") for each in shown)
    return list(dict.fromkeys(were.get(each, each) for each in bare if each))


# The front matter of a note of ours, and what of it a reader has changed.


class Matter:
    """The lines of a front matter, parsed only if they were changed."""

    def __init__(self, lines: Sequence[str], name: str) -> None:
        self.lines = lines
        self._name = name

    def edited(self, was: Properties) -> Mapping[str, str | Sequence[str]]:
        """Return the properties that were changed; deleted ones are empty. Raises `BadData`."""
        changed: dict[str, str | Sequence[str]] = {}
        if list(written(was)) == self.lines:
            return changed
        for key in (*FACTS, *OF_SOURCE, TAGS, ALIASES):
            many, said = key in (TAGS, ALIASES), self._found.values.get(key)
            texts = list(self._found.texts(key))
            now = texts if many else said if isinstance(said, str) else ", ".join(texts)
            if now != (list(was.get(key, ())) if many else was.get(key, "")):
                changed[key] = now
        return changed

    def others(self, was: Properties) -> Mapping[str, Any]:
        """Return the content under unknown keys. Raises `BadData`."""
        values = {} if list(written(was)) == self.lines else self._found.values
        known = (*FACTS, TAGS, ALIASES)
        return {key: value for key, value in values.items() if key not in known}

    def line(self, key: str) -> int:
        """Return the line of a key."""
        lines = enumerate(self.lines, 1)
        return next((n for n, text in lines if text.lower().startswith(key)), 1)

    @cached_property
    def _found(self) -> FrontMatter:
        found = read_matter("\n".join(self.lines) + "\n")
        if found.fault:
            raise BadData("the front matter of the note cannot be read", place=f"{self._name}:1")
        return found
