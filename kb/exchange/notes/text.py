"""The text of a file, and what gives its bytes back: encoding, line ends, front matter."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from typing import BinaryIO, Literal

from kb import limits
from kb.errors import BadData
from kb.foreign import drawn, size, unix
from kb.records import NoteFile

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
    rf"(?:(?!(?:(?P=rule)|\.\.\.)[ \t]*(?:[\r\n]|\Z))[^\r\n]*+{_END})*+"
    rf"(?:(?P=rule)|\.\.\.)[ \t]*(?:{_END}|\Z)"
)


@dataclass(frozen=True, slots=True)
class FileText:
    """A file as text: ``head`` is its front matter as written, ``body`` the rest.

    Where all line ends are alike, head and body have newlines. Where they are mixed, they stay
    as they are.
    """

    encoding: str
    newline: Newline
    head: str
    body: str


def note_file(text: FileText, path: str) -> NoteFile:
    """Return what an entry keeps of a file beside its body; of an empty one that is all of it."""
    head = text.head if text.body.strip() else text.head + text.body
    return NoteFile(path, head, text.encoding, text.newline)


def encoded(file: NoteFile, body: str) -> bytes:
    """Return the bytes of a file that has this body."""
    text = file.head + body
    if file.newline in ("crlf", "cr"):
        text = text.replace("\n", _ENDS[file.newline])
    bom = dict(_BOMS).get(file.encoding, b"")
    return bom + text.encode("utf-8" if file.encoding == "utf-8-sig" else file.encoding)


def read_text(stream: BinaryIO, name: str) -> FileText:
    """Return the text of a stream. Raises `BadData` that names the line of what is no text."""
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
        f"{name}:{line}: the file holds more than {size(limits.MARKDOWN)}",
        "Divide it into several files.",
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
        raise BadData(f"{name}:{line + 1}: this is not {shown} text (byte {byte})") from error
    if "\0" in text:
        line = unix(text[: text.index("\0")]).count("\n") + 1
        raise BadData(f"{name}:{line}: this is not a text file")
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
