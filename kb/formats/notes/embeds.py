"""Files that a note embeds: pictures and sounds, which are imported with it.

``![[image.png|200]]``, ``![alt](img/x.png)``, ``<img src="x.png">`` and links to sounds become
``![alt](image.png)`` and ``[name.mp3](name.mp3)``, with the bytes in the media. An embedded note
(``![[note#heading]]``) is kept as written; its target becomes a related entry.
"""

from __future__ import annotations

import dataclasses
import html
import posixpath
import re
from collections.abc import Collection, Iterable
from urllib.parse import unquote

from kb.errors import BadData, Message
from kb.formats.book import Batch
from kb.formats.media import Attachments, is_picture, shows
from kb.formats.notes.matter import CODE
from kb.model.entry import Entry, Media
from kb.model.reports import Dropped

_EMBED = re.compile(
    rf"(?m:(?P<code>{CODE}))"
    r"|!\[\[(?P<wiki>[^\[\]|\\\n]{1,500})(?:\\?\|(?P<shown>[^\[\]\n]{0,300}))?\]\]"
    r"|(?P<sign>!?)\[(?P<alt>[^\[\]\n]{0,500})\]\(\s*"
    r"(?:<(?P<angled>[^<>\n]{1,500})>|(?P<bare>(?:[^()\s<>]|\([^()\s]{0,100}\)){1,500}))"
    r"(?:\s+(?:\"[^\"\n]{0,200}\"|'[^'\n]{0,200}'))?\s*\)"
    r"|<img\s(?P<tag>[^<>]{1,2000})>"
)
_ATTRIBUTE = re.compile(r"(?<![\w-])(src|alt)\s*=\s*(?:\"([^\"<>]*)\"|'([^'<>]*)')", re.IGNORECASE)
_SIZE = re.compile(r"(?:^|\|)\s*\d{1,5}(?:x\d{1,5})?\s*$")
_CODE_OR_ID = re.compile(
    rf"(?P<code>{CODE})|(?:[ \t]+|^)\^(?=[A-Za-z0-9-]{{3}})[A-Za-z0-9-]{{3,40}}$", re.MULTILINE
)


def shown(batch: Batch, attachments: Attachments | None, name: str) -> Batch:
    """Return a batch whose texts show the files ``beside`` it.

    Missing or oversized files are reported as dropped, and the text is unchanged.
    """
    entries, dropped = [], list(batch.dropped)
    for entry in batch.book.entries:
        gallery = Gallery(attachments)
        if entry.kind != "note":
            answers = (e._replace(text=without_block_ids(e.text)) for e in entry.answers)
            entry = dataclasses.replace(entry, answers=tuple(answers))
        entries.append(gallery.hung(entry))
        line = batch.lines.get(entry.id)
        dropped += [Dropped(name, line, reason, target) for target, reason in gallery.lost.items()]
    media = (
        attachments.media if attachments is not None and any(each.media for each in entries) else {}
    )
    book = dataclasses.replace(batch.book, entries=tuple(entries), media=media)
    return dataclasses.replace(batch, book=book, dropped=tuple(dropped))


class Gallery:
    """The media of one entry, each with a unique name.

    ``media`` are known; ``passed`` are names not to look for.
    """

    def __init__(
        self,
        attachments: Attachments | None,
        media: Iterable[Media] = (),
        passed: Collection[str] = (),
    ) -> None:
        self._attachments = attachments
        self._media = {each.name: each for each in media}
        self._names = {each.sha256: each.name for each in reversed(self._media.values())}
        self._passed = {*self._media, *passed}
        self.lost: dict[str, str] = {}

    def hung(self, entry: Entry) -> Entry:
        """Return an entry with the media that its texts show."""
        question = {lang: self._text(text) for lang, text in entry.question.items()}
        answers = tuple(each._replace(text=self._text(each.text)) for each in entry.answers)
        media = tuple(self._media.values())
        if entry.file is not None:  # a note keeps its text as it is
            return dataclasses.replace(entry, media=media)
        return dataclasses.replace(entry, question=question, answers=answers, media=media)

    def _text(self, text: str) -> str:
        if self._attachments is None or not any(sign in text for sign in ("](", "![[", "<img")):
            return text
        return _EMBED.sub(self._replaced, text)

    def _replaced(self, found: re.Match[str]) -> str:
        if found["code"] is not None:
            return found[0]
        target, alt = _said(found)
        target = target.split("#")[0].split("?")[0].strip()
        link = found["sign"] == ""  # a link, which shows nothing by itself
        if not shows(target) or (link and is_picture(target)):
            return found[0]
        if posixpath.basename(unquote(target)) in self._passed:
            return found[0]
        media = self._found(target, tell=not link)
        if media is None:
            return found[0]
        alt = _SIZE.sub("", alt).strip()
        if is_picture(media.name):
            return f"![{alt}]({media.name})"
        return f"[{alt or media.name}]({media.name})"

    def _found(self, target: str, *, tell: bool) -> Media | None:
        try:
            media = self._attachments.find(target) if self._attachments is not None else None
            reason = Message("shows a file that is not in the folder")
        except BadData as error:
            media = None
            reason = Message("shows a file that was skipped: {why}", why=error.message)
        if media is None:
            if tell:
                self.lost[target] = reason
            return None
        return self._media.setdefault(*self._named(media))

    def _named(self, media: Media) -> tuple[str, Media]:
        """Return a file under its name, or with a number if the name is taken."""
        if media.sha256 in self._names:
            return self._names[media.sha256], media
        stem, ending = posixpath.splitext(media.name)
        number, name = 1, media.name
        while name in self._media and self._media[name].sha256 != media.sha256:
            number += 1
            name = f"{stem}-{number}{ending}"
        return name, media._replace(name=name)


def without_block_ids(text: str) -> str:
    """Return a text without Obsidian's paragraph ids, which it does not show.

    >>> [without_block_ids(each) for each in ("A direction. ^eig1", "`a ^eig1`", "x ^2")]
    ['A direction.', '`a ^eig1`', 'x ^2']
    """
    if "^" not in text:
        return text
    return _CODE_OR_ID.sub(lambda found: found["code"] or "", text).rstrip("\n")


def _said(found: re.Match[str]) -> tuple[str, str]:
    """Return the target of an embed and its alt text."""
    if found["wiki"] is not None:
        return found["wiki"], found["shown"] or ""
    if found["tag"] is None:
        return found["angled"] or found["bare"], found["alt"]
    attributes = _ATTRIBUTE.finditer(found["tag"])
    said = {each[1].lower(): html.unescape(each[2] or each[3] or "") for each in attributes}
    return said.get("src", ""), re.sub(r"[\[\]\n]", " ", said.get("alt", ""))
