"""A note of a vault of ours, read back: what stands in it as text wins over its comments.

What is told of a record in words that follow from others (the words an annotation speaks of,
the figures, the headings of programs) is no place to change them: where it was changed, that
is among the dropped pieces.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import BinaryIO

from kb import limits
from kb.contract.entry import SOURCE
from kb.errors import BadData
from kb.exchange.beside import Beside
from kb.exchange.book import Batch, Book
from kb.exchange.marks import unescaped
from kb.exchange.notes.own import is_own
from kb.exchange.vault import properties
from kb.exchange.vault.entries import entry_batch
from kb.exchange.vault.layout import place_in
from kb.exchange.vault.matter import Matter
from kb.exchange.vault.parts import TEXT, TOP, Part, parts
from kb.foreign import decoded, drawn
from kb.records import Dropped, digest
from kb.records.vocabulary import SCHEMA_VERSION

BEGINNING = 1 << 17
"""Bytes of a note within which the comment stands that makes it ours."""

_MATTER = re.compile(r"\s*---[ \t]*\n(?:.*\n)*?(?:---|\.\.\.)[ \t]*\n\s*(?P<first>[^\n]*)")


def is_note(begun: bytes) -> bool:
    """Say whether a file that begins so is a note of a vault of ours."""
    text = begun.decode("utf-8", "replace").removeprefix("\ufeff").replace("\r\n", "\n")
    found = _MATTER.match(text)
    return found is not None and is_own(found["first"])


def read_note(
    begun: bytes, stream: BinaryIO, name: str, *, reviews: bool, beside: Beside | None
) -> Batch:
    """Return what a note holds: an entry, a collection's titles, or a source document.

    Raises `BadData` for what cannot be read.
    """
    text = decoded(begun + drawn(stream, name, limits.RECORD), name).lstrip()
    if text.partition("\n")[0].endswith("\r"):
        text = text.replace("\r\n", "\n")
    lines = text.split("\n")
    if len(lines) > limits.NOTE_LINES:
        raise BadData(f"{name}: has more than {limits.NOTE_LINES:,} lines")
    matter = Matter(_matter(lines), name)
    after = len(matter.lines)
    found = [each for each in parts(lines[after:], after + 1) if each.kind or any(each.lines)]
    told = next((each.facts for each in found if each.kind == TOP), {})
    if told.get("schema_version") != SCHEMA_VERSION:
        raise BadData(f"{name}: this danesh reads version {SCHEMA_VERSION}", "Upgrade danesh.")
    kinds = {each.kind for each in found}
    try:
        if "source" in kinds:
            return _source(found, matter, name)
        if "collection" in kinds:
            return _collection(found, matter, name)
        return entry_batch(found, matter, name, reviews=reviews, beside=beside)
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise BadData(f"{name}: a comment of danesh in it was changed and says nothing") from error


def _matter(lines: Sequence[str]) -> Sequence[str]:
    """Return the lines of a front matter."""
    ends = (n for n, line in enumerate(lines[1:], 1) if re.match(r"(?:---|\.\.\.)\s*$", line))
    return lines[: next(ends, 0) + 1]


def _source(found: Sequence[Part], matter: Matter, name: str) -> Batch:
    """Return a source document, unless its words were changed: what speaks of it counts on them."""
    end = next(each for each in found if each.kind == "source")
    plain = {**end.facts["source"]}
    texts = [unescaped(each.written, each.facts) for each in found if each.kind == TEXT]
    plain["text"] = "\n".join(texts)
    shown = {key: plain[key] for key in properties.OF_SOURCE if plain.get(key)}
    changed = matter.edited(shown)
    plain |= {key: changed[key] for key in properties.OF_SOURCE[1:] if key in changed}
    source = SOURCE.read(plain, name)
    if digest(source.text) != source.sha256:
        said = "a source document whose words were changed: what is said of it counts on them"
        return Batch(Book(()), own=True, dropped=(Dropped(name, end.line, said, source.file),))
    return Batch(Book((), (source,)), own=True)


def _collection(found: Sequence[Part], matter: Matter, name: str) -> Batch:
    end = next(each for each in found if each.kind == "collection")
    collection = str(end.facts["collection"])
    collection = str(matter.edited({"collection": collection}).get("collection") or collection)
    titles: dict[str, str] = {}
    for each in found:
        place = place_in(each.heading) if each.kind == TEXT else None
        if place is not None:
            said = each.facts.get("text")
            lang = said[-1] if isinstance(said, list) and said else place[-1]
            titles[str(lang) or "en"] = unescaped(each.written, each.facts)
    return Batch(Book((), collections={collection: titles}), own=True)
