"""The files that texts show: a link within a text, and the same link from its note."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from urllib.parse import unquote

from kb.exchange.beside import HIDDEN, shows
from kb.exchange.names import TITLE, safe
from kb.exchange.vault.layout import ATTACHMENTS
from kb.records import Media
from kb.records.media import file_named, plain_name

_CODE = (
    r"(?m:^[ \t]*+(?P<fence>```++|~~~++)[^\n]*+\n(?s:.*?)(?:^[ \t]*(?P=fence)[^\n]*$|\Z))|`[^`\n]*`"
)
_LINK = re.compile(
    rf"(?P<code>{_CODE})"
    r"|(?P<start>\[[^\[\]\n]{0,500}\]\()(?P<target>[^()\s<>]{1,1000})(?=\))"
)
_EMBEDDED = re.compile(
    r"\[\[([^\[\]|#\n]{1,500})|\]\(<([^<>\n]{1,500})>|\]\(([^()\s<>]{1,1000})\)|"
    r"<img\s[^<>]{0,2000}?src\s*=\s*[\"']([^\"'<>]{1,1000})[\"']"
)
_WIKI = re.compile(r"!\[\[([^\[\]|\n]{1,500})")


def file_name(media: Media) -> str:
    """Return what a file is called in the folder of attachments, where no other has that name.

    What is no picture or sound gets an ending that nothing is read by.

    >>> file_name(Media("a b.png", "", 0)), file_name(Media("con.png", "", 0))
    ('a-b.png', 'con_.png')
    >>> file_name(Media("collection.toml", "", 0))
    'collection.toml.bin'
    """
    name = safe(plain_name(media.name), TITLE, "shown").replace(" ", "-")
    return name if shows(name) else f"{name}{HIDDEN}"


def linked(text: str, files: Mapping[str, str], up: str) -> str:
    """Return a text whose links to media lead to files, by the names of media; ``up`` is the way.

    >>> linked("![](a.png) `![](a.png)`", {"a.png": "a 1.png"}, "../")
    '![](../attachments/a 1.png) `![](a.png)`'
    """

    def lead(target: str) -> str | None:
        file = files.get(target) or files.get(unquote(target))
        return None if file is None else f"{up}{ATTACHMENTS}/{file}"

    return _relinked(text, lead)


def unlinked(text: str, names: Mapping[str, str]) -> str:
    """Return a text whose links to attachments have the names of media, by the names of files.

    >>> unlinked("![](../attachments/b.png) ![](c.png)", {"b.png": "a.png"})
    '![](a.png) ![](c.png)'
    """

    def lead(target: str) -> str | None:
        above, _, file = unquote(target).rpartition("/")
        known = names.get(file)
        return known if above.lstrip("./") == ATTACHMENTS else None

    return _relinked(text, lead)


def embedded(text: str, known: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield what a text shows of media: what it calls the file, and the name of the media.

    >>> list(embedded("![](img/a%20b.png) ![[c.png|200]]", {"a-b.png", "c.png"}))
    [('img/a b.png', 'a-b.png'), ('c.png', 'c.png')]
    """
    for found in _EMBEDDED.finditer(text):
        target = unquote(next(filter(None, found.groups())))
        if file_named(target) in known:
            yield target, file_named(target)


def unknown(text: str, known: Mapping[str, str]) -> Iterator[str]:
    """Yield what a text shows of which nothing is known."""
    for found in _LINK.finditer(text):
        if found["target"] and shows(found["target"]) and found["target"] not in known:
            yield posixpath.basename(unquote(found["target"]))
    yield from (posixpath.basename(found[1]) for found in _WIKI.finditer(text) if shows(found[1]))


def _relinked(text: str, lead: Callable[[str], str | None]) -> str:
    def replaced(found: re.Match[str]) -> str:
        to = None if found["code"] else lead(found["target"])
        return found[0] if to is None else found["start"] + to

    return _LINK.sub(replaced, text) if "](" in text else text
