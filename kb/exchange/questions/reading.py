"""A file of questions, cards or notes, from its bytes to entries."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import BinaryIO, NamedTuple

from kb import limits
from kb.errors import BadData
from kb.exchange.beside import Beside
from kb.exchange.book import Batch, Book
from kb.exchange.questions.admonitions import as_callouts
from kb.exchange.questions.blocks import Block, Line, Tick, numbered
from kb.exchange.questions.comments import comments, told
from kb.exchange.questions.draft import Gathered
from kb.exchange.questions.embeds import shown
from kb.exchange.questions.facts import Facts
from kb.exchange.questions.frontmatter import FrontMatter, front_matter
from kb.exchange.questions.gathering import gather
from kb.exchange.questions.inline import clean
from kb.exchange.questions.leftover import leftover
from kb.exchange.questions.levels import scale_of
from kb.exchange.questions.linecards import line_cards, masked
from kb.exchange.questions.making import Made, made
from kb.exchange.questions.notes import asked_by_matter, note
from kb.exchange.questions.opening import MARKED, Opening
from kb.exchange.questions.own import is_own, read_own
from kb.exchange.questions.parser import parse
from kb.exchange.questions.plainlines import plain_lines
from kb.exchange.questions.properties import Property, names, properties
from kb.exchange.questions.schedule import says_when, scheduled
from kb.exchange.questions.slugs import unique
from kb.exchange.questions.survey import survey
from kb.exchange.questions.tags import line_of_tags
from kb.exchange.questions.unfold import unfold
from kb.exchange.questions.words import words
from kb.foreign import decoded, drawn, raw_lines, size
from kb.records import Dropped, Entry, Progress
from kb.records.progress import silent
from kb.text.slug import slug

_FIELDS = words(
    "title question tags tag keywords aliases alias lang language level difficulty topic",
    "category subject id سوال سؤال پرسش سطح موضوع",
)
_TOML = re.compile(r"^name\s*=")
_BLANKS = re.compile(r"(?<=[^\S\n]{200})[^\S\n]+")
"""Blanks in a row after the first 200: nobody means them, and patterns would go over them often."""

_MOST_BLANK = 1 << 16  # bytes before the first line of a file of ours
_MOST = (
    ("\n\r|", limits.LINES, "lines and cells of tables"),
    ("<>", limits.SIGNS, "angle brackets"),
)
_FEW = 3
_ENOUGH = 0.4  # of a text's words, below which a few weak questions do not make it a list


class _Found(NamedTuple):
    """Entries in order, and the reasons for lines that are in none of them."""

    made: tuple[Made, ...]
    reasons: Mapping[int, str]
    sure: bool


def read(
    stream: BinaryIO,
    name: str,
    progress: Progress = silent,
    *,
    reviews: bool = False,
    beside: Beside | None = None,
) -> Batch:
    """Return the questions, cards and notes of a file; raises `BadData` where there are none.

    What they show is looked for ``beside`` it; what it says of repetition is kept as
    ``reviews``, if these are asked for.
    """
    tick = partial(progress, 0, 0)
    begun = _beginning(stream, name)
    if is_own(begun.decode("utf-8", "replace").lstrip("\ufeff").strip()):
        return read_own(_own_lines(begun, stream, name), name, tick)
    if begun.strip().endswith(b"---"):
        from kb.exchange.vault import reading  # which needs parts of this package itself

        begun += stream.read(reading.BEGINNING)
        if reading.is_note(begun):
            return reading.read_note(begun, stream, name, reviews=reviews, beside=beside)
    text = _text(stream, name)
    lines = numbered(_BLANKS.sub("", text.replace("\r\n", "\n").replace("\r", "\n")))
    matter = front_matter(lines)
    body = lines[len(matter.lines) :]
    said = tuple(properties(body))
    at = {each.line: Line(each.line, "") for each in said}
    at.update(comments(body))
    body = tuple(at.get(each.number, each) for each in body)
    body = tuple(as_callouts(body))
    facts = _facts(text, matter, body, said)
    found = _found(body, facts, name, tick)
    if not found.made:
        raise BadData(
            f"{name}: no questions found",
            "Questions are headings, bold lines or list items that ask, lines like 'Q: …', "
            "'question::answer' or 'question?', or a note with a title and text.",
        )
    batch = _batch(found, lines, matter, said, name)
    batch = scheduled(batch, lines, matter, name, kept=reviews)
    return shown(batch, beside, name)


def _beginning(stream: BinaryIO, name: str) -> bytes:
    """Return a stream up to its first line that is not blank, and with that."""
    begun = b""
    for line, whole in raw_lines(stream, name, limits.FILE, limits.RECORD):
        begun += line
        if line.strip() or not whole or len(begun) > _MOST_BLANK:
            break
    return begun


def _own_lines(begun: bytes, stream: BinaryIO, name: str) -> Iterator[str]:
    """Yield the lines of a file of ours; one that was brought to Windows has other line ends."""
    end = b"\r\n" if begun.endswith(b"\r\n") else b"\n"
    first = begun.removesuffix(end)
    yield from decoded(first, name).split("\n")
    last = b"\n"
    for line, whole in raw_lines(stream, name, limits.FILE, limits.RECORD):
        if not whole:
            raise BadData(f"{name}: a line has more than {size(limits.RECORD)}")
        last = line
        yield decoded(line.removesuffix(end).removesuffix(b"\n"), name, first=False)
    if last.endswith(b"\n"):
        yield ""


def _text(stream: BinaryIO, name: str) -> str:
    """Return other people's text. Raises `BadData` for what would take too long to read."""
    stream.seek(0)
    text = decoded(drawn(stream, name, limits.MARKDOWN), name)
    if "\0" in text:
        raise BadData(f"{name}: this is not a text file")
    for signs, most, what in _MOST:
        if sum(map(text.count, signs)) > most:
            raise BadData(f"{name}: has more than {most:,} {what}", "Divide it.")
    return text


def _facts(text: str, matter: FrontMatter, body: Sequence[Line], said: Sequence[Property]) -> Facts:
    """Return what is said of the file as a whole: in its front matter, or above everything else."""
    tags = [each.lstrip("#") for each in matter.texts("tags", "tag", "keywords")]
    tags += [
        name
        for each in said
        if each.page and each.key in ("tags", "tag")
        for name in names(each.value)
    ]
    for line in body:
        found = line_of_tags(line.text)
        tags += found
        if (
            not found
            and any(char.isalnum() for char in line.text)
            and not line.text.startswith("# ")
        ):
            break
    titles = (each.value for each in said if each.page and each.key == "title")
    title = matter.text("title") or next(titles, "")
    return Facts(matter, scale_of(text), tuple(dict.fromkeys(tags)), clean(title))


def _found(body: Sequence[Line], facts: Facts, name: str, tick: Tick) -> _Found:
    asked = asked_by_matter(body, facts)
    if asked is not None:
        return _Found((asked,), {}, True)
    cards = line_cards(body, facts.scale)
    lines = tuple(masked(body, cards.taken))
    blocks = _with_cards(unfold(parse(lines, tick), tick), cards.cards)
    view = survey(blocks, facts.matter, name, facts.scale)._replace(cards=cards.cards)
    found = _entries(gather(blocks, view, tick), facts)
    if not found.made:
        found = _entries(plain_lines(lines, facts.scale, tick), facts)
    if found.made and (found.sure or view.about or not _scarce(found, body)):
        return found
    whole = note(body, blocks, facts, name)
    return _Found((whole,), {}, True) if whole is not None else found


def _with_cards(blocks: Sequence[Block], cards: Sequence[Opening]) -> tuple[Block, ...]:
    """Return blocks with the cards that were told by their lines, in the order of the file."""
    own = [Block("card", card.lines, number=str(n)) for n, card in enumerate(cards)]
    return tuple(sorted((*blocks, *own), key=lambda each: each.start))


def _entries(gathered: Gathered, facts: Facts) -> _Found:
    entries = [each for draft in gathered.drafts if (each := made(draft, facts)) is not None]
    sure = any(
        draft.opening.rank == MARKED
        or draft.opening.kind == "card"
        or draft.opening.style in ("details", "table", "callout")
        for draft in gathered.drafts
    )
    reasons = {line.number: reason for block, reason in gathered.left for line in block.lines}
    for each in entries:
        reasons |= {line.number: "an answer that is yet to be written" for line in each.empty}
    return _Found(tuple(sorted(entries, key=lambda each: each.line)), reasons, sure)


def _scarce(found: _Found, body: Sequence[Line]) -> bool:
    """Say whether a few questions take so little of a text that it is a note that has some."""
    if len(found.made) > _FEW:
        return False
    taken = frozenset[int]().union(*(each.taken for each in found.made))
    words = {
        line.number: len(line.text.split())
        for line in body
        if line.number not in found.reasons or found.reasons[line.number].startswith("text")
    }
    return sum(count for number, count in words.items() if number in taken) < _ENOUGH * sum(
        words.values()
    )


def _batch(
    found: _Found, lines: Sequence[Line], matter: FrontMatter, said: Sequence[Property], name: str
) -> Batch:
    given = _given(found.made, matter, said)
    slugs = iter(
        unique(
            (slug(_first(each)) for n, each in enumerate(found.made) if n not in given),
            given.values(),
        )
    )
    ids = [given[n] if n in given else next(slugs) for n in range(len(found.made))]
    entries = tuple(_named(each, id) for each, id in zip(found.made, ids, strict=True))
    return Batch(
        Book(entries),
        lines={id: each.line for id, each in zip(ids, found.made, strict=True)},
        links={id: each.links for id, each in zip(ids, found.made, strict=True) if each.links},
        given=frozenset(given.values()),
        dropped=tuple(_dropped(found, lines, matter, said, name)),
    )


def _named(each: Made, id: str) -> Entry:
    return replace(each.entry, id=id)


def _first(each: Made) -> str:
    return next(iter(each.entry.question.values()))


def _given(
    found: Sequence[Made], matter: FrontMatter, said: Sequence[Property]
) -> Mapping[int, str]:
    """Return the ids that the file gives, by the places of entries; of two alike the first."""
    names: dict[int, str] = {n: each.given for n, each in enumerate(found) if each.given}
    for each in said:
        if each.key == "id" and each.value and not each.page:
            place = sum(entry.line <= each.line for entry in found) - 1
            names.setdefault(max(place, 0), each.value)
    answered = [n for n, each in enumerate(found) if each.entry.answers]
    if matter.text("id") and (len(found) == 1 or answered == [0]):
        names[0] = matter.text("id")
    first: dict[str, int] = {}
    for place, value in sorted(names.items()):
        first.setdefault(value, place)
    return {place: value for value, place in first.items()}


def _dropped(
    found: _Found, lines: Sequence[Line], matter: FrontMatter, said: Sequence[Property], name: str
) -> list[Dropped]:
    taken = frozenset[int]().union(*(each.taken for each in found.made))
    reasons = dict(found.reasons)
    reasons |= {each.line: "a property that entries do not have" for each in said}
    used = {each.line for each in said if each.key in ("tags", "tag", "id", "title")}
    tags = {tag for each in found.made for tag in each.entry.tags}
    used |= {line.number for line in lines if tags.issuperset(line_of_tags(line.text) or ("",))}
    used |= {line.number for line in lines if says_when(line)}
    hidden = comments(lines[len(matter.lines) :])
    used |= hidden.keys()
    field = True
    for line in matter.lines:
        key = _TOML.sub("title:", line.text)
        key = key.split(":")[0].strip().lower() if key[:1].strip() not in ("", "-", "#") else ""
        field = key in _FIELDS if key else field
        if field and not line.text.startswith("#"):  # a comment belongs to no field
            used.add(line.number)
        reasons[line.number] = "a key of the front matter that entries do not have"
    first = min(each.line for each in found.made)
    out = list(leftover(lines, taken | used, reasons, first, name))
    out.extend(Dropped(name, line, "a comment", text) for line, text in told(lines, hidden))
    for each in found.made:
        out.extend(Dropped(name, line, reason, text) for line, reason, text in each.left)
    return sorted(out, key=lambda each: each.line or 0)
