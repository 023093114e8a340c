"""The metadata of a note: front matter, page properties, tags and links."""

from __future__ import annotations

import codecs
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, BinaryIO, Literal
from urllib.parse import unquote

from kb import limits
from kb.errors import BadData
from kb.foreign import drawn, size, unix
from kb.model.entry import NoteFile

# The text of a file, and what gives its bytes back: encoding, line ends, front matter.

Newline = Literal["lf", "crlf", "cr", "mixed"]
_ENDS: dict[str, str] = {"lf": "\n", "crlf": "\r\n", "cr": "\r"}
_BOMS = (
    ("utf-8-sig", codecs.BOM_UTF8),
    ("utf-16-le", codecs.BOM_UTF16_LE),
    ("utf-16-be", codecs.BOM_UTF16_BE),
)
_END = r"(?>\r\n|\r|\n)"
_HEAD = re.compile(
    rf"(?P<rule>---|\+\+\+)[ \t]*{_END}(?![ \t]*[\r\n])"
    rf"(?:(?!(?:(?P=rule)|\.\.\.)[ \t]*(?:[\r\n]|\Z))[^\r\n]*+{_END})*"
    rf"(?:(?P=rule)|\.\.\.)[ \t]*(?:{_END}|\Z)"
)


@dataclass(frozen=True, slots=True)
class FileText:
    """A file as text: ``head`` is the front matter as written, ``body`` the rest.

    If all line ends are equal, head and body use newlines. If they are mixed, they are unchanged.
    """

    encoding: str
    newline: Newline
    head: str
    body: str


def note_file(text: FileText, path: str) -> NoteFile:
    """Return the parts of a file that are stored beside its body; all of an empty file."""
    head = text.head if text.body.strip() else text.head + text.body
    return NoteFile(path, head, text.encoding, text.newline)


def encoded(file: NoteFile, body: str) -> bytes:
    """Return the bytes of a file with this body."""
    text = file.head + body
    if file.newline in ("crlf", "cr"):
        text = text.replace("\n", _ENDS[file.newline])
    bom = dict(_BOMS).get(file.encoding, b"")
    return bom + text.encode("utf-8" if file.encoding == "utf-8-sig" else file.encoding)


def read_text(stream: BinaryIO, name: str) -> FileText:
    """Return the text of a stream. Raises `BadData` with the first line that is not text."""
    try:
        return file_text(drawn(stream, name, limits.MARKDOWN), name)
    except BadData:
        if not stream.seekable():
            raise
        stream.seek(0)
        data = stream.read(limits.MARKDOWN + 1) or b""  # a pipe that waits has nothing
        if len(data) <= limits.MARKDOWN:
            raise
    line = unix(data.decode("utf-8", "replace")).count("\n") + 1
    raise BadData(
        "the file contains more than {most}",
        "Split it into several files.",
        place=f"{name}:{line}",
        most=size(limits.MARKDOWN),
    )


def file_text(data: bytes, name: str) -> FileText:
    """Return the text that bytes hold, by their byte order mark, or else as UTF-8.

    >>> file_text(b"---\\r\\na: 1\\r\\n---\\r\\nText\\r\\n", "x.md")
    FileText(encoding='utf-8', newline='crlf', head='---\\na: 1\\n---\\n', body='Text\\n')
    """
    encoding, bom = next((each for each in _BOMS if data.startswith(each[1])), ("utf-8", b""))
    codec = "utf-8" if encoding == "utf-8-sig" else encoding
    try:
        text = data[len(bom) :].decode(codec)
    except UnicodeDecodeError as error:
        line = unix(data[len(bom) : len(bom) + error.start].decode(codec, "replace")).count("\n")
        byte = len(bom) + error.start
        shown = "UTF-8" if codec == "utf-8" else "UTF-16"
        raise BadData(
            "this is not {shown} text (byte {byte})",
            place=f"{name}:{line + 1}",
            shown=shown,
            byte=byte,
        ) from error
    if "\0" in text:
        line = unix(text[: text.index("\0")]).count("\n") + 1
        raise BadData("this is not a text file: it contains NUL", place=f"{name}:{line}")
    newline = _newline(text)
    if newline in ("crlf", "cr"):
        text = text.replace(_ENDS[newline], "\n")
    found = _HEAD.match(text)
    end = found.end() if found else 0
    return FileText(encoding, newline, text[:end], text[end:])


def _newline(text: str) -> Newline:
    pairs, lines, returns = text.count("\r\n"), text.count("\n"), text.count("\r")
    if not returns:
        return "lf"
    if pairs == lines == returns:
        return "crlf"
    return "cr" if not lines else "mixed"


_LARGEST = 1 << 16  # characters; notes say a few hundred about themselves
_BRACKETS = 400
_FLOW = re.compile(r"[\[{]")
_PAIR = re.compile(r"^([A-Za-z_][\w-]*):[ \t]*(.*)$", re.MULTILINE)
_PROPERTY = re.compile(r"^([A-Za-z][\w.-]*)::(?:[ \t]+(.*))?$")
_NAMES = re.compile(r"#?\[\[([^\[\]]+)\]\]|([^,\[\]]+)")
CODE = (
    r"(?:^[ \t]*+(?:(?:[-*+]|\d{1,4}[.)])[ \t]++)?(?P<fence>```++|~~~++)[^\n]*+\n(?s:.*?)"
    r"(?:^[ \t]*(?P=fence)[^\n]*$|\Z))"
    r"|(?:^[ \t]*+>[ \t>]*+(?P<quoted>```++|~~~++)[^\n]*+"
    r"(?:\n[ \t]*+>(?![ \t>]*(?P=quoted))[^\n]*+)*(?:\n[ \t]*+>[ \t>]*+(?P=quoted)[^\n]*+)?)"
    r"|`[^`\n]*`"
)
"""Code in a text, in a line or several lines, also within an item or a quotation."""

_ADDRESS = r"https?://(?:[^\s()<>\[\]\"]|\([^\s()]*\))+"
_CODE = re.compile(rf"{CODE}|{_ADDRESS}|<!--(?s:.{{0,4000}}?)-->", re.MULTILINE)
_TAG = r"#(?:(?=[\d/-]{0,40}[^\W\d])[\w/\-]+|\[\[[^\[\]\n]{1,100}\]\])"
_TAGS = re.compile(rf"(?<![\w&/#`(\[]){_TAG}")
_TAG_LINE = re.compile(rf"\s*(?:[Tt]ags\s*:\s*)?(?:{_TAG}[\s,،]*+)+")
_TAG_LINK = re.compile(rf"\[({_TAG})\]\([^()\s]*\)")
_STATED = re.compile(
    r"\s*(?:tags?|keywords?|标签|标籤|关键[词字]|タグ|태그|теги|schlagw(?:ö|oe)rter|mots[- ]cl[ée]s"
    r"|etiquetas|برچسب[\u200c ]?(?:ها)?)\s*[:：]\s*(\S.*?)\s*",
    re.IGNORECASE,
)
_LAST_TAGS = re.compile(rf"(?:\s+{_TAG})+\s*$")
_MARKS = frozenset({"card", "flashcard"})
_WIKI = re.compile(r"(?<!!)!?\[\[([^\[\]|\\\n]{1,300})(?:\\?\|[^\[\]\n]{0,300})?\]\]")
_LINK = re.compile(
    r"(!?)\[[^\[\]\n]{0,500}\]\(\s*(?:<([^<>\n]{1,500})>|((?:[^()\s]|\([^()\s]{0,100}\)){1,500}))"
    r"[^()\n]{0,200}\)"
)
_OUTSIDE = re.compile(r"[a-z][a-z0-9+.\-]*:|//|#|\?|/(?!/)|\{|<", re.IGNORECASE)
_MEDIUM = re.compile(r"\.(?:png|jpe?g|gif|svg|webp|bmp|mp4|mp3|avif)(?:$|[#?|])", re.IGNORECASE)
LANGUAGES = {
    name: code
    for code, names in {
        "en": "en english eng انگلیسی", "fa": "fa persian farsi فارسی", "ar": "ar arabic عربی عربي",
        "ru": "ru russian рус русский", "de": "de german deutsch", "fr": "fr french français",
        "es": "es spanish español", "it": "it italian italiano", "pt": "pt portuguese português",
        "tr": "tr turkish türkçe", "zh": "zh chinese 中文", "ja": "ja japanese 日本語",
        "ko": "ko korean 한국어",
    }.items()
    for name in names.split()
}  # fmt: skip
"""Language codes by the names that people write."""


@dataclass(frozen=True)
class Matter:
    """The front matter of a note as a mapping with lower-case keys and texts as values.

    ``fault`` says why it cannot be read.
    """

    values: Mapping[str, Any] = field(default_factory=dict)
    fault: str = ""

    def text(self, *keys: str) -> str:
        """Return the first text under one of the keys, or nothing."""
        found = (self.values.get(key) for key in keys)
        texts = (each.strip() for each in found if isinstance(each, str))
        return next(filter(None, texts), "")

    def texts(self, *keys: str) -> tuple[str, ...]:
        """Return all texts under the keys: list items, or comma-separated parts of a line."""
        found: list[str] = []
        for key in keys:
            value = self.values.get(key)
            many = value if isinstance(value, list) else str(value or "").split(",")
            found.extend(each.strip() for each in many if isinstance(each, str))
        return tuple(dict.fromkeys(filter(None, found)))

    @cached_property
    def language(self) -> str | None:
        """The language in the front matter."""
        return language_code(self.text("lang", "language"))

    @cached_property
    def tags(self) -> tuple[str, ...]:
        """The tags; a line of them may be separated by spaces."""
        said = self.texts("tags", "tag", "keywords")
        marked = [part for each in said for part in (each.split() if "#" in each else [each])]
        return tuple(dict.fromkeys(each.lstrip("#") for each in marked if each.lstrip("#")))

    @property
    def aliases(self) -> tuple[str, ...]:
        """The other titles; only in a list may one contain commas."""
        return self.texts("aliases", "alias")


def language_code(name: str) -> str | None:
    """Return the code of a language by its name or code.

    >>> language_code("Persian"), language_code("de-AT"), language_code("Answer")
    ('fa', 'de', None)
    """
    said = name.strip().casefold()
    found = re.match(r"[a-z]{2,3}(?=$|[-_])", said)
    return LANGUAGES.get(said) or (found[0] if found else None)


def read_matter(head: str) -> Matter:
    """Return the front matter of a file; a fault if it is not a mapping."""
    inner = "\n".join(head.replace("\r\n", "\n").replace("\r", "\n").rstrip("\n").split("\n")[1:-1])
    if inner.strip() in ("", "~", "null"):
        return Matter()
    values = _toml(inner) if head.startswith("+++") else _yaml(inner)
    if values is None:
        return Matter(fault="front matter that is no list of keys with values")
    return Matter({str(key).strip().lower(): each for key, each in values.items()})


def _yaml(text: str) -> Mapping[str, Any] | None:
    """Return the mapping in a YAML text with values as texts, or None.

    Anchors are rejected: a few nested ones could fill the memory.
    """
    import yaml

    if len(text) > _LARGEST or len(_FLOW.findall(text)) > _BRACKETS:
        return _pairs(text)
    try:
        tokens = yaml.scan(text, Loader=yaml.BaseLoader)
        if any(isinstance(each, yaml.AliasToken | yaml.AnchorToken) for each in tokens):
            return _pairs(text)
        value = yaml.load(text, Loader=yaml.BaseLoader)  # noqa: S506 - texts only, makes no objects
    except (yaml.YAMLError, ValueError, RecursionError):
        return _pairs(text)
    return value if isinstance(value, dict) else _toml(text)


def _toml(text: str) -> Mapping[str, Any] | None:
    """Return the texts in a TOML text, the form in which ``hashcards`` names a deck.

    >>> _toml('name = "Medicine"')
    {'title': 'Medicine'}
    """
    try:
        found = tomllib.loads(text)
    except (ValueError, RecursionError):
        return None
    texts = {key.lower(): value for key, value in found.items() if isinstance(value, str | list)}
    return {"title" if key == "name" else key: value for key, value in texts.items()}


def _pairs(text: str) -> Mapping[str, Any] | None:
    """Read ``key: value`` lines of a text that is too long for YAML's parser, or not YAML.

    Titles may contain colons.
    """
    return {key: value.strip().strip("\"'") for key, value in _PAIR.findall(text)} or None


def page_properties(body: str) -> Mapping[str, Any]:
    """Return the ``key:: value`` lines that a page of Logseq begins with.

    >>> page_properties("title:: Nets\\nalias:: a, [[b c]]\\n\\n- text")
    {'title': 'Nets', 'alias': ['a', 'b c']}
    """
    found: dict[str, Any] = {}
    for line in body[:_LARGEST].splitlines():
        said = _PROPERTY.match(line)
        if said is None:
            if line.strip():
                break
            continue
        key, value = said[1].lower(), (said[2] or "").strip()
        names = [(each[1] or each[2]).strip(" #") for each in _NAMES.finditer(value)]
        found[key] = value if key in ("title", "id") else [each for each in names if each]
    return found


def page_name(stem: str) -> str:
    """Return the name of a page from that of its file, which Logseq encodes.

    >>> page_name("std%3A%3Amap"), page_name("Engine___Camera")
    ('std::map', 'Engine/Camera')
    """
    return unquote(stem).replace("___", "/")


def tags_in(text: str) -> tuple[str, ...]:
    """Return the tags in a text: none in code, addresses or headings, and no numbers.

    >>> tags_in("see #math, `#no` and #123\\n# Title\\n#opt/sgd #[[two words]]")
    ('math', 'opt/sgd', 'two-words')
    """
    if "#" not in text:
        return ()
    return _tag_names(_TAGS.findall(_CODE.sub(" ", text)))


def split_tags(text: str) -> tuple[tuple[str, ...], str]:
    """Return the tags at the end of a text, and the text without them.

    >>> split_tags("What is C#? #lang #card"), split_tags("Why is #5 prime?")
    ((('lang',), 'What is C#?'), ((), 'Why is #5 prime?'))
    """
    found = _LAST_TAGS.search(text[-300:]) if "#" in text else None
    if not found:
        return (), text
    return _tag_names(_TAGS.findall(found[0])), text[: len(text) - len(found[0])].rstrip()


def stated_tags(line: str) -> tuple[str, ...]:
    """Return the tags of a line that says that they are some.

    >>> stated_tags("Tags: a, b c"), stated_tags("标签：一、二"), stated_tags("Tags are good")
    (('a', 'b c'), ('一', '二'), ())
    """
    found = _STATED.fullmatch(line[:500])
    return tuple(filter(None, re.split(r"\s*[,，、;；،#]\s*", found[1]))) if found else ()


def is_tag_line(text: str) -> bool:
    """Return whether a line contains only tags, with or without links."""
    return "#" in text and bool(_TAG_LINE.fullmatch(_TAG_LINK.sub(r"\1", text[:500])))


def split_tag_line(text: str) -> tuple[tuple[str, ...], str]:
    """Return the tags in the last line of a text if it has only tags, and the text above.

    >>> split_tag_line("It is a.\\n\\n[#opt]() #math"), split_tag_line("#math")
    ((('opt', 'math'), 'It is a.'), ((), '#math'))
    """
    above, _, last = text.rpartition("\n")
    if not above.strip() or not is_tag_line(last):
        return (), text
    return tags_in(_TAG_LINK.sub(r"\1", last)), above.rstrip()


def _tag_names(found: list[str]) -> tuple[str, ...]:
    names = (re.sub(r"\s+", "-", each[1:].strip("/-[] ")) for each in found)
    return tuple(dict.fromkeys(each for each in names if each and each.lower() not in _MARKS))


def links_in(text: str) -> tuple[str, ...]:
    """Return the notes and headings that a text links to, as written.

    >>> links_in("[a](notes/b.md) [[Note#Head|shown]] [w](https://x.org) ![p](p.png) `[[no]]`")
    ('notes/b.md', 'Note#Head')
    """
    if "[[" not in text and "](" not in text:
        return ()
    text = _CODE.sub(" ", text)
    places = [(each.start(), each[1].strip()) for each in _WIKI.finditer(text)]
    for found in _LINK.finditer(text):
        target = found[2] or found[3]
        if not found[1] and not _OUTSIDE.match(target):
            places.append((found.start(), target))
    targets = (target for _, target in sorted(places) if target and not _MEDIUM.search(target))
    return tuple(dict.fromkeys(targets))
