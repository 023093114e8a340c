"""Reads notes of our own vaults: their text takes precedence over their comments.

Derived text (the words of an annotation, figures, headings of programs) cannot be changed there:
such changes are reported as dropped.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, BinaryIO

from kb import limits
from kb.errors import BadData, Message
from kb.foreign import decoded, drawn
from kb.formats.book import Batch, Book, reviews_skipped
from kb.formats.markdown import program_heading
from kb.formats.marks import OPENING, marked, trimmed, unescaped, with_fences
from kb.formats.media import Attachments
from kb.formats.notes.embeds import Gallery
from kb.formats.notes.matter import links_in
from kb.formats.notes.own import is_own
from kb.formats.vault.layout import (
    ALIASES,
    ANSWERS,
    ASSESSMENT,
    ATTACHMENTS,
    FACTS,
    OF_SOURCE,
    PROGRAM,
    QUESTION,
    RELATED,
    SECTION,
    TAGS,
    TEXT,
    TOP,
    WORDING,
    Matter,
    Part,
    Text,
    of_facts,
    parts,
    place_in,
    tags_again,
    unlinked,
)
from kb.formats.vault.writing import title_line, told_lines
from kb.model import Dropped, Entry, Media, Review, digest
from kb.model.clauses import LAYERS, OWN_VERDICTS, SCHEMA_VERSION, SEVERITIES
from kb.model.entry_json import ANNOTATION, ENTRY, SNIPPET, SOURCE
from kb.text.languages import guess_language

BEGINNING = 1 << 17
"""The bytes within which the identifying comment must be."""

_MATTER = re.compile(r"\s*---[ \t]*\n(?:.*\n)*?(?:---|\.\.\.)[ \t]*\n\s*(?P<first>[^\n]*)")


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
    matter = Matter(_matter(lines), name)
    after = len(matter.lines)
    found = [each for each in parts(lines[after:], after + 1) if each.kind or any(each.lines)]
    told = next((each.facts for each in found if each.kind == TOP), {})
    if told.get("schema_version") != SCHEMA_VERSION:
        raise BadData(
            "this danesh reads version {schema_version}",
            "Upgrade danesh.",
            place=name,
            schema_version=SCHEMA_VERSION,
        )
    kinds = {each.kind for each in found}
    try:
        if "source" in kinds:
            return _source(found, matter, name)
        if "collection" in kinds:
            return _collection(found, matter)
        return entry_batch(found, matter, name, reviews=reviews, attachments=attachments)
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise BadData(
            "danesh cannot read its own comment, which was changed", place=name
        ) from error


def _matter(lines: Sequence[str]) -> Sequence[str]:
    """Return the lines of the front matter."""
    ends = (n for n, line in enumerate(lines[1:], 1) if re.match(r"(?:---|\.\.\.)\s*$", line))
    return lines[: next(ends, 0) + 1]


def _source(found: Sequence[Part], matter: Matter, name: str) -> Batch:
    """Return a source document, unless its text was changed: annotations depend on it."""
    end = next(each for each in found if each.kind == "source")
    plain = {**end.facts["source"]}
    texts = [unescaped(each.written, each.facts) for each in found if each.kind == TEXT]
    plain["text"] = "\n".join(texts)
    shown = {key: plain[key] for key in OF_SOURCE if plain.get(key)}
    changed = matter.edited(shown)
    plain |= {key: changed[key] for key in OF_SOURCE[1:] if key in changed}
    source = SOURCE.read(plain, name)
    if digest(source.text) != source.sha256:
        said = Message("the text of a source document was changed, and annotations depend on it")
        return Batch(Book(()), own=True, dropped=(Dropped(name, end.line, said, source.file),))
    return Batch(Book((), (source,)), own=True)


def _collection(found: Sequence[Part], matter: Matter) -> Batch:
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


# The note of an entry, read back.

_KEPT = ("id", "collection", "kind")
"""Facts that every entry has; they are kept if a note lacks them."""

_END = "entry"
Tell = Callable[[int, str, str], None]
"""Receives what is skipped: its line, the reason, and its text."""


def entry_batch(
    found: Sequence[Part],
    matter: Matter,
    name: str,
    *,
    reviews: bool,
    attachments: Attachments | None,
) -> Batch:
    """Return the entry of a note. Raises `BadData`, or the error of an invalid comment."""
    note = _Note(found, matter, name)
    entry = note.shown(ENTRY.read(note.plain(), name), attachments)
    media = attachments.media if attachments is not None and entry.media else {}
    studied = note.reviews(kept=reviews)
    return Batch(
        Book((entry,), media=media, reviews={entry.id: studied} if studied else {}),
        own=True,
        lines={entry.id: 1},
        links={entry.id: tuple(note.links)} if note.links else {},
        given=frozenset({entry.id}),
        dropped=tuple(note.dropped),
    )


class _Note:
    """The note of an entry: its parts combined."""

    def __init__(self, found: Sequence[Part], matter: Matter, name: str) -> None:
        self._parts = found
        self._matter = matter
        self._name = name
        self.dropped: list[Dropped] = []
        self.links: Sequence[str] = ()
        end = next((each.facts[_END] for each in found if each.kind == _END), None)
        if end is None:
            self._tell(1, "the origins and files of an entry, whose comment is gone", "")
        self._said: dict[str, Any] = {**(end or {})}
        self._said["media"] = [{**each} for each in self._said.get("media", ())]
        self._aliases: Sequence[str] = self._said.pop("aliases", ())
        self._said["aliases"] = self._said.pop("own_aliases", [])
        self._unknown: Sequence[str] = self._said.pop("unknown", ())
        shown = self._said["media"]
        self._files = {each.pop("file"): each["name"] for each in shown if "file" in each}

    def plain(self) -> Mapping[str, Any]:
        """Return the parsed entry."""
        plain = {**self._said, **self._facts(), **self._texts(), "related": []}
        records = (("annotations", "annotation", annotation), ("snippets", PROGRAM, program))
        for key, kind, read in records:
            found = (read(p, self._name, self._tell) for p in self._parts if p.kind == kind)
            plain[key] = [each for each in found if each is not None]
        for part in self._parts:
            if part.kind == SECTION and RELATED in part.heading:
                plain["related"], self.links = related(part, self._tell)
            elif part.kind not in (TEXT, PROGRAM, "annotation") and part.written:
                self._tell(part.line, NOWHERE, "\n".join(part.written))
        return plain

    def shown(self, entry: Entry, attachments: Attachments | None) -> Entry:
        """Return an entry with its files in the vault, and newly shown ones."""
        files = {name: file for file, name in self._files.items()}
        media = [_found(each, files.get(each.name), attachments) for each in entry.media]
        gallery = Gallery(attachments, media, self._unknown)
        hung = gallery.hung(entry)
        self.dropped += [
            Dropped(self._name, 1, reason, target) for target, reason in gallery.lost.items()
        ]
        return hung

    def reviews(self, *, kept: bool) -> tuple[Review, ...]:
        """Return the reviews of a note if requested; otherwise report their count."""
        said = [each for part in self._parts for each in part.facts.get("reviews", ())]
        found = tuple(Review(*each) for each in said)
        if not all(isinstance(value, int) for each in found for value in each):
            raise TypeError
        if found and not kept:
            line = next(part.line for part in self._parts if "reviews" in part.facts)
            self.dropped.append(reviews_skipped(self._name, line, len(found)))
        return found if kept else ()

    def _tell(self, line: int, reason: str, text: str) -> None:
        self.dropped.append(Dropped(self._name, line, reason, text))

    def _facts(self) -> Mapping[str, Any]:
        """Return the facts that the front matter changes."""
        was = of_facts(self._said, self._aliases)
        changed = self._matter.edited(was)
        for key, value in self._matter.others(was).items():
            said = "a key of the front matter that entries do not have"
            self._tell(self._matter.line(key), said, str(value)[:200])
        facts: dict[str, Any] = {
            key: changed[key] or None
            for key in FACTS
            if key in changed and (changed[key] or key not in _KEPT)
        }
        if TAGS in changed:
            facts[TAGS] = tags_again(changed[TAGS], self._said.get("tags", ()))
        if ALIASES in changed:
            questions = {*self._aliases} - {*self._said["aliases"]}
            facts[ALIASES] = [each for each in changed[ALIASES] if each not in questions]
        return facts

    def _texts(self) -> Mapping[str, Any]:
        """Return the texts under headings, with their stored data."""
        texts: dict[tuple[str, ...], str] = {}
        for part in (each for each in self._parts if each.kind == TEXT):
            place, text = self._text(part)
            if place in texts:
                self._tell(part.line, f"there is another text under '{part.heading}'", text)
            else:
                texts[place] = text
        answers = {place[1:]: text for place, text in texts.items() if place[0] == ANSWERS}
        told = {(each["role"], each["lang"]): each for each in self._said.get(ANSWERS, ())}
        order = [*(key for key in told if key in answers), *(a for a in answers if a not in told)]
        plain = [
            {**told.get(key, {"role": key[0], "lang": key[1]}), "text": answers[key]}
            for key in order
        ]
        question = _texts_of(texts, QUESTION)
        langs = {*question, *(lang for _, lang in answers)}
        wording = _texts_of(texts, WORDING)
        judged = self._said.get(ASSESSMENT)
        sentence = _texts_of(texts, ASSESSMENT)
        if judged is None and sentence:
            self._tell(1, "an assessment without danesh's comment", next(iter(sentence.values())))
        for lang in wording.keys() - langs:
            self._tell(1, "a better wording of a question in a language without one", wording[lang])
        return {
            QUESTION: question,
            ANSWERS: plain,
            WORDING: {lang: text for lang, text in wording.items() if lang in langs},
            **{name: _texts_of(texts, name) for name in LAYERS},
            **({ASSESSMENT: {**judged, "sentence": sentence}} if judged else {}),
            **{
                key: {lang: each for lang, each in self._said[key].items() if lang in langs}
                for key in ("origins", "restored")
                if key in self._said
            },
        }

    def _text(self, part: Part) -> tuple[tuple[str, ...], str]:
        """Return a text and its place: from the heading or, if that is unchanged, from the mark."""
        text = unescaped(part.written, part.facts)
        if part.facts.get("linked"):
            text = unlinked(text, self._files)
        place = place_in(part.heading) or ()
        said = part.facts.get("text")
        if (
            isinstance(said, list)
            and said
            and Text(tuple(said), "").heading == part.heading.strip()
        ):
            place = tuple(map(str, said))
        return (*place[:-1], place[-1] or guess_language(text)), text


def _texts_of(texts: Mapping[tuple[str, ...], str], kind: str) -> dict[str, str]:
    return {place[1]: text for place, text in texts.items() if place[0] == kind}


def _found(media: Media, file: str | None, attachments: Attachments | None) -> Media:
    """Return a file of the vault by its name in the texts."""
    if file is None or attachments is None:
        return media
    try:
        now = attachments.find(f"/{ATTACHMENTS}/{file}")
    except BadData:
        return media
    return media if now is None else now._replace(name=media.name)


# The annotations, programs and related entries of a note, read back.

NOWHERE = "text that stands under no heading of a note"
_TOLD = "the words, figures and references of an annotation, which are changed in danesh"
_TITLE = re.compile(r"\[![\w-]+\][+-]?\s*(?P<verdict>[\w-]+) \((?P<weight>[\w-]+)\)(?P<rest>.*)")
_BLOCK_ID = re.compile(r"\^[A-Za-z0-9-]+\s*")


def annotation(part: Part, name: str, tell: Tell) -> Mapping[str, Any] | None:
    """Return a parsed annotation, or nothing if its callout was removed."""
    callout = list(_callout(part, tell))
    if not callout:
        return None
    plain = {**part.facts["annotation"]}
    was = ANNOTATION.read({**plain, "note": {}}, f"{name}:{part.line}")
    title, *below = callout
    plain |= _judged(title, title_line(was), part.line, tell)
    note: dict[str, str] = {}
    for facts, lines in _segments(below):
        if "note" in facts:
            note[str(facts["note"])] = unescaped(trimmed(lines), facts)
        elif "told" in facts and trimmed(lines) == list(told_lines(was)):
            continue
        elif any(map(str.strip, lines)):
            tell(part.line, _TOLD if "told" in facts else NOWHERE, "\n".join(trimmed(lines)))
    return {**plain, "note": note}


def program(part: Part, name: str, tell: Tell) -> Mapping[str, Any] | None:
    """Return a parsed program, or nothing if its code was removed."""
    code, others = _code(part.lines)
    for text in others:
        tell(part.line, NOWHERE, text)
    if "program" not in part.facts:
        tell(part.line, "a program without danesh's comment", part.heading)
        return None
    if code is None:
        return None
    plain = {**part.facts["program"], "code": "\n".join(code) + str(part.facts.get("tail", ""))}
    heading = program_heading(SNIPPET.read(plain, f"{name}:{part.line}"))
    if part.heading.strip() != heading.strip():
        tell(part.line, "the heading of a program, which is its name", part.heading)
    return plain


def related(part: Part, tell: Tell) -> tuple[list[str], list[str]]:
    """Return the related entries that a list names: known ids, and links to other notes."""
    ids: list[str] = []
    named: list[str] = []
    for number, text in enumerate(part.lines, part.line + 1):
        shown, _, _ = text.partition(OPENING)
        facts = marked(text[len(shown) :]) or {}
        to = links_in(shown)
        if "related" in facts and ("to" not in facts or facts["to"] in to):
            ids.append(str(facts["related"]))
        elif to:
            named += to
        elif shown.strip(" -*+"):
            tell(number, "a related entry that is not a link", text)
    return ids, named


def _code(lines: Sequence[str]) -> tuple[list[str] | None, list[str]]:
    """Return the lines of the first fence, if any, and the lines beside it."""
    block: list[str] = []
    others: list[str] = []
    ended = False
    for text, fence in with_fences(lines):
        if fence and not ended:
            block.append(text)
            ended = len(block) > 1 and text.strip().startswith(fence)
        elif text.strip():
            others.append(text)
    return (block[1:-1] if ended else block[1:]) if block else None, others


def _callout(part: Part, tell: Tell) -> Iterator[str]:
    """Yield the lines of a callout without its signs; lines beside it are reported."""
    within = done = False
    for number, text in enumerate(part.lines, part.line + 1):
        quoted = text.startswith(">")
        if not done and (quoted or (within and text.strip())):
            within = True
            yield text[1:].removeprefix(" ") if quoted else text
        elif text.strip() and not _BLOCK_ID.fullmatch(text):
            tell(number, NOWHERE, text)
        done = done or (within and not text.strip())


def _segments(lines: Sequence[str]) -> Iterator[tuple[Mapping[str, Any], list[str]]]:
    """Yield the data of each comment in a callout, with the lines below it."""
    facts: Mapping[str, Any] = {}
    held: list[str] = []
    for text, fence in with_fences(lines):
        found = None if fence else marked(text)
        if found is None:
            held.append(text)
            continue
        yield facts, held
        facts, held = found, []
    yield facts, held


def _judged(title: str, was: str, line: int, tell: Tell) -> Mapping[str, str]:
    """Return a changed verdict and severity in a callout's title."""
    if title.rstrip() == was.rstrip():
        return {}
    now, before = _TITLE.fullmatch(title.strip()), _TITLE.fullmatch(was)
    if now is None or before is None or now["rest"].strip() != before["rest"].strip():
        tell(line, _TOLD, title)
    if now is None:
        return {}
    changed = {"verdict": now["verdict"]} if now["verdict"] in OWN_VERDICTS else {}
    return changed | ({"severity": now["weight"]} if now["weight"] in SEVERITIES else {})
