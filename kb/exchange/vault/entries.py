"""The note of an entry, read back."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from kb.contract.entry import ENTRY
from kb.errors import BadData
from kb.exchange.beside import Beside
from kb.exchange.book import Batch, Book
from kb.exchange.marks import unescaped
from kb.exchange.notes.embeds import Gallery
from kb.exchange.vault import properties, records
from kb.exchange.vault.attachments import unlinked
from kb.exchange.vault.layout import (
    ANSWERS,
    ATTACHMENTS,
    QUESTION,
    RELATED,
    WORDING,
    Text,
    place_in,
)
from kb.exchange.vault.matter import Matter
from kb.exchange.vault.parts import PROGRAM, SECTION, TEXT, Part
from kb.exchange.vault.records import NOWHERE
from kb.records import Dropped, Entry, Media, Review
from kb.text.languages import guess_language

_KEPT = ("id", "collection", "kind")
"""The facts that an entry has always: where a note has them no more, they stay."""

_END = "entry"
_Reader = Callable[[Part, str, records.Tell], Mapping[str, Any] | None]


def entry_batch(
    found: Sequence[Part],
    matter: Matter,
    name: str,
    *,
    reviews: bool,
    beside: Beside | None,
) -> Batch:
    """Return the entry of a note. Raises `BadData`, or what a comment of another shape brings."""
    note = _Note(found, matter, name)
    entry = note.shown(ENTRY.read(note.plain(), name), beside)
    media = beside.media if beside is not None and entry.media else {}
    studied = note.reviews(kept=reviews)
    return Batch(
        Book((entry,), media=media, reviews={entry.id: studied} if studied else {}),
        own=True,
        lines={entry.id: 1},
        links={entry.id: note.related.links} if note.related.links else {},
        given=frozenset({entry.id}),
        dropped=tuple(note.dropped),
    )


class _Note:
    """A note of an entry: what its parts say together."""

    def __init__(self, found: Sequence[Part], matter: Matter, name: str) -> None:
        self._parts = found
        self._matter = matter
        self._name = name
        self.dropped: list[Dropped] = []
        self.related = records.Related()
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
        """Return the entry as its shape reads it."""
        plain = {**self._said, **self._facts(), **self._texts()}
        plain["annotations"] = list(self._records("annotation", records.annotation))
        plain["snippets"] = list(self._records(PROGRAM, records.program))
        for part in self._parts:
            self._look_at(part)
        plain["related"] = list(self.related.ids)
        return plain

    def shown(self, entry: Entry, beside: Beside | None) -> Entry:
        """Return an entry with the files that lie in the vault, and those it newly shows."""
        files = {name: file for file, name in self._files.items()}
        media = [_found(each, files.get(each.name), beside) for each in entry.media]
        gallery = Gallery(beside, media, self._unknown)
        hung = gallery.hung(entry)
        self.dropped += [
            Dropped(self._name, 1, reason, target) for target, reason in gallery.lost.items()
        ]
        return hung

    def reviews(self, *, kept: bool) -> tuple[Review, ...]:
        """Return the reviews in a note, if they are to be kept; else how many they are is told."""
        said = [each for part in self._parts for each in part.facts.get("reviews", ())]
        found = tuple(Review(*each) for each in said)
        if not all(isinstance(value, int) for each in found for value in each):
            raise TypeError
        if found and not kept:
            line = next(part.line for part in self._parts if "reviews" in part.facts)
            self._tell(line, f"{len(found)} reviews, which --with-reviews keeps", "")
        return found if kept else ()

    def _tell(self, line: int, reason: str, text: str) -> None:
        self.dropped.append(Dropped(self._name, line, reason, text))

    def _facts(self) -> Mapping[str, Any]:
        """Return the facts that the front matter has otherwise than the comment."""
        was = properties.of_facts(self._said, self._aliases)
        changed = self._matter.edited(was)
        for key, value in self._matter.others(was).items():
            said = "a key of the front matter that entries do not have"
            self._tell(self._matter.line(key), said, str(value)[:200])
        facts: dict[str, Any] = {
            key: changed[key] or None
            for key in properties.FACTS
            if key in changed and (changed[key] or key not in _KEPT)
        }
        if properties.TAGS in changed:
            tags = properties.tags_again(changed[properties.TAGS], self._said.get("tags", ()))
            facts[properties.TAGS] = tags
        if properties.ALIASES in changed:
            questions = {*self._aliases} - {*self._said["aliases"]}
            now = (each for each in changed[properties.ALIASES] if each not in questions)
            facts[properties.ALIASES] = list(now)
        return facts

    def _texts(self) -> Mapping[str, Any]:
        """Return the texts that stand under headings, and with them what was known of them."""
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
        question = {place[1]: text for place, text in texts.items() if place[0] == QUESTION}
        langs = {*question, *(lang for _, lang in answers)}
        wording = {place[1]: text for place, text in texts.items() if place[0] == WORDING}
        for lang in wording.keys() - langs:
            self._tell(1, "a better wording of a question in a language without one", wording[lang])
        return {
            QUESTION: question,
            ANSWERS: plain,
            WORDING: {lang: text for lang, text in wording.items() if lang in langs},
            **{
                key: {lang: each for lang, each in self._said[key].items() if lang in langs}
                for key in ("origins", "restored")
                if key in self._said
            },
        }

    def _text(self, part: Part) -> tuple[tuple[str, ...], str]:
        """Return a text, and its place: what the heading names or, if it is as it was, the mark."""
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

    def _records(self, kind: str, read: _Reader) -> Iterator[Mapping[str, Any]]:
        for part in self._parts:
            if part.kind == kind:
                found = read(part, self._name, self._tell)
                if found is not None:
                    yield found

    def _look_at(self, part: Part) -> None:
        """Take the related entries of a part, or tell of what stands where nothing should."""
        if part.kind == SECTION and RELATED in part.heading:
            self.related = records.related(part, self._tell)
        elif part.kind not in (TEXT, PROGRAM, "annotation") and part.written:
            self._tell(part.line, NOWHERE, "\n".join(part.written))


def _found(media: Media, file: str | None, beside: Beside | None) -> Media:
    """Return a file as it now lies in the vault, under the name that the texts have."""
    if file is None or beside is None:
        return media
    try:
        now = beside.find(f"/{ATTACHMENTS}/{file}")
    except BadData:
        return media
    return media if now is None else now._replace(name=media.name)
