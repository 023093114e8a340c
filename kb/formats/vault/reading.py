"""Reads notes of our own vaults: their text takes precedence over their comments.

Derived text (the words of an annotation, figures, headings of programs) cannot be changed there.
What a note says beyond what its entry is written as again is reported as dropped.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, dropwhile, takewhile
from typing import Any, BinaryIO, NamedTuple

from kb import limits
from kb.errors import BadData, Message
from kb.foreign import decoded, drawn
from kb.formats.book import Batch, Book, reviews_skipped
from kb.formats.markdown import texts_of
from kb.formats.marks import OPENING, is_own, marked, trimmed, unescaped, with_fences
from kb.formats.media import Attachments
from kb.formats.notes.embeds import Gallery
from kb.formats.notes.matter import links_in, read_matter
from kb.formats.vault.writing import (
    ALIASES,
    ATTACHMENTS,
    FACTS,
    HEADINGS,
    OF_SOURCE,
    TAGS,
    Properties,
    callout,
    heading,
    of_facts,
    program,
    tag_of,
    unlinked,
    written,
)
from kb.model.entry import Entry, Media, Review, digest
from kb.model.entry_json import ENTRY, SOURCE
from kb.model.json import check_version
from kb.model.reports import Dropped
from kb.model.values import LAYERS, OWN_VERDICTS, SEVERITIES
from kb.text.languages import guess_language

BEGINNING = 1 << 17
"""The bytes within which the identifying comment must be."""

_MATTER = re.compile(r"\s*---[ \t]*\n(?:.*\n)*?(?:---|\.\.\.)[ \t]*\n\s*(?P<first>[^\n]*)")
_LISTS = (TAGS, ALIASES)
_KEPT = ("id", "collection", "kind")
"""Facts that every entry has; they are kept if a note lacks them."""

_UNREAD = Message("text that danesh does not read from a note")


def is_note(head: bytes) -> bool:
    """Return whether a file is a note of our own vault, by its first bytes."""
    text = head.decode("utf-8", "replace").removeprefix("\ufeff").replace("\r\n", "\n")
    found = _MATTER.match(text)
    return found is not None and is_own(found["first"])


def read_note(
    head: bytes, stream: BinaryIO, name: str, *, reviews: bool, attachments: Attachments | None
) -> Batch:
    """Return the content of a note: an entry, a collection's titles, or a source document.

    Raises `BadData` for unreadable content.
    """
    text = decoded(head + drawn(stream, name, limits.RECORD), name).lstrip()
    if text.partition("\n")[0].endswith("\r"):
        text = text.replace("\r\n", "\n")
    lines = text.split("\n")
    if len(lines) > limits.NOTE_LINES:
        raise BadData("has more than {most:,} lines", place=name, most=limits.NOTE_LINES)
    ends = (n for n, line in enumerate(lines[1:], 2) if re.match(r"(?:---|\.\.\.)\s*$", line))
    matter = lines[: next(ends, 1)]
    found = list(_parts(lines[len(matter) :], len(matter) + 1))
    facts = {each.kind: each.facts for each in found}
    check_version(facts.get(_TOP, {}).get("schema_version"), name)
    try:
        if "source" in facts:
            return _source(found, matter, name)
        if "collection" in facts:
            return _collection(found, matter, name)
        return _Note(found, name).batch(matter, reviews=reviews, attachments=attachments)
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise BadData(
            "danesh cannot read its own comment, which was changed", place=name
        ) from error


# The parts of a note of ours: what stands under each heading and beside each comment.

_TEXT, _SECTION, _PROGRAM, _TOP = "text", "section", "program", "schema_version"
_BEGIN = (_TOP, "annotation", _PROGRAM, "entry", "reviews", "collection", "source")
"""The keys of comments that begin a separate part."""
_RELATED = "## Related"
_SECTIONS = ("## Annotations", "## Programs", _RELATED)
_HEADING = re.compile(r"##\s+(?P<name>[A-Za-z -]+?)\s*(?:\((?P<lang>[^()]*)\))?\s*")
_KINDS = {name.lower(): kind for kind, name in HEADINGS.items()}


class _Part(NamedTuple):
    """A part: first line, kind, data of its comment, and lines."""

    line: int
    kind: str
    heading: str
    facts: Mapping[str, Any]
    lines: list[str]

    def takes(self, key: str) -> bool:
        """Return whether a comment of this kind belongs to this part's heading."""
        own = key == _PROGRAM if self.kind == _PROGRAM else self.kind == _TEXT and not key
        return own and bool(self.heading) and not self.facts and not any(self.lines)

    @property
    def text(self) -> str:
        """Its text without what the export escaped."""
        return unescaped(trimmed(self.lines), self.facts)

    @property
    def place(self) -> tuple[str, ...]:
        """The place of its text: by its heading or, if that is unchanged, by its comment."""
        said = self.facts.get("text")
        if isinstance(said, list) and said and heading(said) == self.heading.strip():
            return tuple(map(str, said))
        return _place_in(self.heading)


def _parts(lines: Iterable[str], first: int) -> Iterator[_Part]:
    """Yield the parts of a note from the line ``first``; the first part may have no kind."""
    part, section = _Part(first, "", "", {}, []), ""
    for number, (text, fence) in enumerate(with_fences(lines), first):
        said = None if fence else marked(text)
        begins = next((key for key in _BEGIN if said is not None and key in said), "")
        headed = "" if fence or said is not None else _headed(text, section)
        if said is not None and part.takes(begins):
            part = part._replace(facts=said)
        elif begins or headed:
            yield part
            part = _Part(number, begins or headed, "" if begins else text, said or {}, [])
            section = text.rstrip() if headed == _SECTION else "" if headed == _TEXT else section
        else:
            part.lines.append(text)
    yield part


def _headed(text: str, section: str) -> str:
    """Return the kind of the part that a heading line begins."""
    if text.startswith("### "):
        return _PROGRAM if section == "## Programs" else ""
    return _SECTION if text.rstrip() in _SECTIONS else _TEXT if _place_in(text) else ""


def _place_in(text: str) -> tuple[str, ...]:
    """Return the place that a heading names, with an empty language if it names none.

    >>> _place_in("## Reference answer (fa)"), _place_in("## question"), _place_in("## Notes")
    (('answers', 'reference', 'fa'), ('question', ''), ())
    """
    found = _HEADING.fullmatch(text)
    kind = _KINDS.get(found["name"].lower()) if found else None
    return () if kind is None or found is None else (*kind, (found["lang"] or "").strip())


def _edited(matter: list[str], was: Properties, name: str) -> dict[str, Any]:
    """Return the properties that were changed, and unknown ones; deleted ones are empty.

    Front matter is parsed only if it differs. Raises `BadData`.
    """
    if list(written(was)) == matter:
        return {}
    found = read_matter("\n".join(matter) + "\n")
    if found.fault:
        raise BadData("the front matter of the note cannot be read", place=f"{name}:1")
    known = (*FACTS, *OF_SOURCE, *_LISTS)
    changed = {key: value for key, value in found.values.items() if key not in known}
    for key in known:
        said, before = found.values.get(key), was.get(key, "")
        now: str | list[str] = list(found.texts(key))
        if key not in _LISTS:
            now = said if isinstance(said, str) else ", ".join(now)
        if now != (list(before) if key in _LISTS else before):
            changed[key] = now
    return changed


def _source(found: Sequence[_Part], matter: list[str], name: str) -> Batch:
    """Return a source document, unless its text was changed: annotations depend on it."""
    end = next(each for each in found if each.kind == "source")
    plain = {**end.facts["source"]}
    plain["text"] = "\n".join(each.text for each in found if each.kind == _TEXT)
    shown = {key: plain[key] for key in OF_SOURCE if plain.get(key)}
    changed = _edited(matter, shown, name)
    plain |= {key: changed[key] for key in OF_SOURCE[1:] if key in changed}
    source = SOURCE.read(plain, name)
    if digest(source.text) != source.sha256:
        said = Message("the text of a source document was changed, and annotations depend on it")
        return Batch(Book(()), own=True, dropped=(Dropped(name, end.line, said, source.file),))
    return Batch(Book((), (source,)), own=True)


def _collection(found: Sequence[_Part], matter: list[str], name: str) -> Batch:
    end = next(each for each in found if each.kind == "collection")
    was = str(end.facts["collection"])
    now = str(_edited(matter, {"collection": was}, name).get("collection") or was)
    titles = {each.place[-1] or "en": each.text for each in found if each.kind == _TEXT}
    return Batch(Book((), collections={now: titles}), own=True)


# The note of an entry, read back.

_TITLE = re.compile(r"\[![\w-]+\][+-]?\s*(?P<verdict>[\w-]+) \((?P<weight>[\w-]+)\)")
_LOOK = re.compile(r"^\^[A-Za-z0-9-]+$|\[![\w-]+\][+-]?|[\s>\\]+")
"""What says nothing in a line: the name of a block, marks of callouts, blanks, escapes."""


class _Note:
    """The note of an entry: its parts combined; ``dropped`` is what was skipped."""

    def __init__(self, found: Sequence[_Part], name: str) -> None:
        self._parts = found
        self._name = name
        self._dropped: list[Dropped] = []
        end = next((each.facts["entry"] for each in found if each.kind == "entry"), None)
        if end is None:
            said = Message("the origins and files of an entry, whose comment is gone")
            self._tell(1, said, "")
        self._said: dict[str, Any] = {**(end or {})}
        self._said["media"] = [{**each} for each in self._said.get("media", ())]
        self._aliases: Sequence[str] = self._said.pop("aliases", ())
        self._said["aliases"] = self._said.pop("own_aliases", [])
        self._unknown: Sequence[str] = self._said.pop("unknown", ())
        shown = self._said["media"]
        self._files = {each.pop("file"): each["name"] for each in shown if "file" in each}

    def batch(self, matter: list[str], *, reviews: bool, attachments: Attachments | None) -> Batch:
        """Return the entry. Raises `BadData`, or the error of an invalid comment."""
        annotations = map(_annotation, self._of("annotation"))
        plain = {
            **self._said,
            **self._facts(matter),
            **self._texts(),
            "related": [],
            "annotations": list(filter(None, annotations)),
            "snippets": list(filter(None, map(_program, self._of(_PROGRAM)))),
        }
        links: list[str] = []
        for part in self._of(_SECTION):
            if part.heading.rstrip() == _RELATED:
                plain["related"], links = self._related(part)
        entry = ENTRY.read(plain, self._name)
        self._compare(entry)
        entry = self._shown(entry, attachments)
        media = attachments.media if attachments is not None and entry.media else {}
        studied = self._reviews(kept=reviews)
        return Batch(
            Book((entry,), media=media, reviews={entry.id: studied} if studied else {}),
            own=True,
            lines={entry.id: 1},
            links={entry.id: tuple(links)} if links else {},
            given=frozenset({entry.id}),
            dropped=tuple(self._dropped),
        )

    def _of(self, kind: str) -> list[_Part]:
        return [each for each in self._parts if each.kind == kind]

    def _tell(self, line: int, reason: str, text: str) -> None:
        self._dropped.append(Dropped(self._name, line, reason, text))

    def _facts(self, matter: list[str]) -> Mapping[str, Any]:
        """Return the facts that the front matter changes."""
        changed = _edited(matter, of_facts(self._said, self._aliases), self._name)
        for key in changed:
            if key not in (*FACTS, *_LISTS):
                said = Message("a key of the front matter that entries do not have")
                self._tell(1, said, f"{key}: {changed[key]}"[:200])
        facts = {key: changed[key] or None for key in FACTS if key in changed}
        facts = {key: fact for key, fact in facts.items() if fact or key not in _KEPT}
        if TAGS in changed:
            were = {tag_of(tag): tag for tag in reversed(self._said.get("tags", ()))}
            bare = (each.removeprefix("#") for each in changed[TAGS])
            facts[TAGS] = list(dict.fromkeys(were.get(each, each) for each in bare if each))
        if ALIASES in changed:
            questions = {*self._aliases} - {*self._said["aliases"]}
            facts[ALIASES] = [each for each in changed[ALIASES] if each not in questions]
        return facts

    def _texts(self) -> Mapping[str, Any]:
        """Return the texts under headings, with their stored data."""
        texts: dict[str, dict[tuple[str, ...], str]] = {}
        for part in self._of(_TEXT):
            (key, *place), text = self._text(part)
            texts.setdefault(key, {}).setdefault(tuple(place), text)
        answers = texts.pop("answers", {})
        told = {(each["role"], each["lang"]): each for each in self._said.get("answers", ())}
        order = [*(key for key in told if key in answers), *(a for a in answers if a not in told)]
        plain: dict[str, Any] = {
            key: {lang: text for (lang,), text in texts.get(key, {}).items()}
            for key in ("question", "wording", *LAYERS, "assessment")
        }
        langs = {*plain["question"], *(lang for _, lang in answers)}
        for key in ("wording", "origins", "restored"):
            said = plain.get(key, self._said.get(key, {})).items()
            plain[key] = {lang: each for lang, each in said if lang in langs}
        judged = self._said.get("assessment")
        plain["assessment"] = judged and {**judged, "sentence": plain["assessment"]}
        plain["answers"] = [
            {**told.get(key, {"role": key[0], "lang": key[1]}), "text": answers[key]}
            for key in order
        ]
        return plain

    def _text(self, part: _Part) -> tuple[tuple[str, ...], str]:
        """Return the place of a text, and the text."""
        text = unlinked(part.text, self._files) if part.facts.get("linked") else part.text
        *place, lang = part.place
        return (*place, lang or guess_language(text)), text

    def _related(self, part: _Part) -> tuple[list[str], list[str]]:
        """Return the related entries that a list names: known ids, and links to other notes."""
        ids: list[str] = []
        named: list[str] = []
        for number, text in enumerate(part.lines, part.line + 1):
            shown, _, _ = text.partition(OPENING)
            facts, to = marked(text[len(shown) :]) or {}, links_in(shown)
            if "related" in facts and ("to" not in facts or facts["to"] in to):
                ids.append(str(facts["related"]))
            elif to:
                named += to
            elif shown.strip(" -*+"):
                self._tell(number, _UNREAD, text)
        return ids, named

    def _compare(self, entry: Entry) -> None:
        """Report what the note says beyond what its entry is written as again."""
        texts = dict(texts_of(entry))
        blocks = [*map(callout, entry.annotations), *chain(*map(program, entry.snippets))]
        known = {_LOOK.sub("", line) for each in blocks for line in each.split("\n")} | {""}
        for part in self._parts:
            if part.kind == _TEXT:
                place, text = self._text(part)
                if texts.get(place) != text:
                    self._tell(part.line, _UNREAD, text)
            elif part.heading.rstrip() != _RELATED:
                lines = [part.heading] * (part.kind == _PROGRAM) + part.lines
                found = known if part.facts else {""}
                more = [each for each in lines if _LOOK.sub("", each) not in found]
                more = [each for each in more if marked(each.lstrip("> ")) is None]
                if more:
                    self._tell(part.line, _UNREAD, "\n".join(more))

    def _shown(self, entry: Entry, attachments: Attachments | None) -> Entry:
        """Return an entry with its files in the vault, and newly shown ones."""
        files = {name: file for file, name in self._files.items()}
        media = [_found(each, files.get(each.name), attachments) for each in entry.media]
        gallery = Gallery(attachments, media, self._unknown)
        hung = gallery.hung(entry)
        for target, reason in gallery.lost.items():
            self._tell(1, reason, target)
        return hung

    def _reviews(self, *, kept: bool) -> tuple[Review, ...]:
        """Return the reviews of a note if requested; otherwise report their count."""
        said = [each for part in self._parts for each in part.facts.get("reviews", ())]
        found = tuple(Review(*each) for each in said)
        if not all(isinstance(value, int) for each in found for value in each):
            raise TypeError
        if not all(each.is_possible for each in found):
            raise ValueError
        if found and not kept:
            line = next(part.line for part in self._parts if "reviews" in part.facts)
            self._dropped.append(reviews_skipped(self._name, line, len(found)))
        return found if kept else ()


def _found(media: Media, file: str | None, attachments: Attachments | None) -> Media:
    """Return a file of the vault by its name in the texts."""
    if file is None or attachments is None:
        return media
    try:
        now = attachments.find(f"/{ATTACHMENTS}/{file}")
    except BadData:
        return media
    return media if now is None else now._replace(name=media.name)


def _annotation(part: _Part) -> Mapping[str, Any] | None:
    """Return a parsed annotation, or nothing if its callout was removed."""
    plain = {**part.facts["annotation"]}
    begun = dropwhile(lambda line: not line.startswith(">"), part.lines)
    lines = [re.sub("^> ?", "", line) for line in takewhile(str.strip, begun)]
    if not lines:
        return None
    title = _TITLE.match(lines[0])
    if title and title["verdict"] in OWN_VERDICTS:
        plain["verdict"] = title["verdict"]
    if title and title["weight"] in SEVERITIES:
        plain["severity"] = title["weight"]
    texts: list[tuple[Mapping[str, Any], list[str]]] = [({}, [])]
    for line, fence in with_fences(lines[1:]):
        found = None if fence else marked(line)
        if found is None:
            texts[-1][1].append(line)
        else:
            texts.append((found, []))
    notes = ((facts, trimmed(held)) for facts, held in texts if "note" in facts)
    return {**plain, "note": {str(facts["note"]): unescaped(each, facts) for facts, each in notes}}


def _program(part: _Part) -> Mapping[str, Any] | None:
    """Return a parsed program, or nothing if its comment or its code was removed."""
    begun = dropwhile(lambda pair: not pair[1], with_fences(part.lines))
    block = list(takewhile(lambda pair: pair[1], begun))
    if _PROGRAM not in part.facts or not block:
        return None
    code = [line for line, _ in block[1:]]
    if code and code[-1].strip().startswith(block[0][1]):
        code.pop()
    return {**part.facts[_PROGRAM], "code": "\n".join(code) + str(part.facts.get("tail", ""))}
