"""A Markdown file to entries: a note, its cards, or a list of questions."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from functools import cached_property, partial
from itertools import chain
from pathlib import PurePath
from typing import BinaryIO, NamedTuple

from kb import limits
from kb.errors import BadData, Message
from kb.foreign import decoded, raw_lines, size
from kb.formats.book import Batch, Book, slug, unused
from kb.formats.media import Attachments
from kb.formats.notes.embeds import shown
from kb.formats.notes.forms import STRONG, WEAK, cards_of
from kb.formats.notes.items import is_furniture, placed, words
from kb.formats.notes.key import answer_keys, answered, without
from kb.formats.notes.language import language_of
from kb.formats.notes.lists import exercise, lines_of, names_goals, question_list
from kb.formats.notes.matter import (
    FileText,
    Matter,
    is_tag_line,
    links_in,
    note_file,
    page_name,
    page_properties,
    read_matter,
    read_text,
    split_tag_line,
    stated_tags,
    tags_in,
)
from kb.formats.notes.obsidian import USUAL, CardSigns
from kb.formats.notes.outline import (
    BLANK,
    CODE,
    HEADING,
    HIDDEN,
    ITEM,
    TEXT,
    Line,
    outline,
    set_apart,
    source,
)
from kb.formats.notes.page import Card, Page, page_of
from kb.formats.notes.signs import PROPERTY
from kb.formats.notes.wording import (
    ANSWER,
    HEAD,
    LINK,
    POINTS,
    about_of,
    ascii_digits,
    asks,
    asks_surely,
    clean,
    label,
    level_of,
    most_stars,
    stated_level,
    vocabulary,
    wording,
)
from kb.model.entry import Answer, Entry, Review
from kb.model.reports import Dropped, FileReading
from kb.model.results import Progress, silent
from kb.model.values import LEVEL_WORDS

# When cards are due, as Obsidian's spaced repetition writes it down beside them.
#
# ``<!--SR:!2024-02-03,4,270!2024-02-05,3,250-->`` ends a card: for each of its sides the day on
# which it is due, the days since it was answered, and its ease in percent. A note has ``sr-due``,
# ``sr-interval`` and ``sr-ease`` in its front matter. That is where a card stands, and no log: of
# it one review is made, on the day of the last answer. How that answer was rated is not written
# down; it is kept as good (3), and as set by hand (kind 4), as no program has logged it.

_SCHEDULE = re.compile(r"<!--\s*SR:([^<>]{1,2000}?)-->")
_STATE = re.compile(r"(?<![\w-])(\d{4})-(\d\d)-(\d\d),(\d{1,6})(?:\.\d+)?,(\d{1,6})(?:\.\d+)?")
_SCHEDULE_KEYS = ("sr-due", "sr-interval", "sr-ease")
_NEW = date(2000, 1, 1)
"""The date of a side that was never answered."""

_GOOD, _BY_HAND = 3, 4
_NO_ENTRY = "the repetition of a note of which no one entry is made"


class _State(NamedTuple):
    """The schedule of a card's side: its line, and its content."""

    line: int
    due: date
    interval: int
    ease: int


def scheduled(
    batch: Batch, lines: Sequence[tuple[int, str]], matter: Matter, name: str, *, kept: bool
) -> Batch:
    """Return a batch with the reviews that a file's dates describe, if they are to be ``kept``.

    ``lines`` are those outside code, with their numbers in the file. If reviews are not kept,
    their count is reported as dropped.
    """
    of_cards = (
        state
        for number, text in lines
        if "SR:" in text
        for comment in _SCHEDULE.finditer(text)
        for state in _states(number, comment[1])
    )
    notes = {each.id for each in batch.book.entries if each.kind == "note"}
    said = ",".join(matter.text(key) for key in _SCHEDULE_KEYS)
    of_note = [*_states(0, said)] if _STATE.fullmatch(said) else []
    lost = [] if notes or not of_note else [Dropped(name, 1, _NO_ENTRY, "")]
    states = [*(of_note if notes else ()), *of_cards]
    found = sorted(states, key=lambda each: each.line)[: limits.LINES]
    book = batch.book
    if found and kept:
        begins = sorted((0 if id in notes else line, id) for id, line in batch.lines.items())
        book = replace(book, reviews=_reviews(found, begins))
    elif found:
        reason = Message(
            "the schedule of {found} cards or sides, which --with-reviews imports", found=len(found)
        )
        lost.append(Dropped(name, max(found[0].line, 1), reason, ""))
    return replace(batch, book=book, dropped=(*batch.dropped, *lost))


def _states(line: int, text: str) -> Iterator[_State]:
    """Yield the schedules of a card's sides, as a comment says them."""
    for found in _STATE.finditer(text):
        year, month, day, interval, ease = map(int, found.groups())
        try:
            due = date(year, month, day)
            due - timedelta(interval)
        except (ValueError, OverflowError):
            continue
        if due != _NEW:
            yield _State(line, due, interval, ease)


def _reviews(
    found: Sequence[_State], begins: Sequence[tuple[int, str]]
) -> Mapping[str, Sequence[Review]]:
    """Return reviews by the entries below or around them; ``begins`` are lines of entries."""
    reviews: dict[str, list[Review]] = {}
    for state in found:
        above = bisect_right(begins, state.line, key=lambda each: each[0])
        own = reviews.setdefault(begins[max(above - 1, 0)][1], [])
        answered = datetime.combine(state.due - timedelta(state.interval), datetime.min.time(), UTC)
        at = int(answered.timestamp()) * 1000
        own.append(Review(len(own), at, _GOOD, state.interval, state.ease * 10, 0, _BY_HAND))
    return reviews


_MOST_BLANK = 1 << 16  # bytes before the first line of a file of ours
_DECK = re.compile(rf"\bflash ?cards?{HEAD}|فلش[\u200c ]?کارت", re.IGNORECASE)
_ABOUT_CARDS = re.compile(
    r"\b(?:guide(?:lines?)?|standards?|writing|how to)\b|راهنما", re.IGNORECASE
)
_COVERS = 0.9  # of the words of a file, from which it is nothing but cards
_SPARES = 0.005  # of the words of a file, above which it also stays a note
_BLANKS = re.compile(r"([^\S\r\n]{100})[^\S\r\n]+")
"""Spaces beyond the first hundred in a row: nobody needs them, and patterns would scan them
repeatedly.
"""

_UNNAMED = frozenset({"readme", "index", "_index", "standard input", "-", ""})
_OUTLINER = re.compile(r"\s*(?:- |[a-z-]+:: )")  # how a page of Logseq begins
_ICONS = (":fontawesome-", ":material-", ":octicons-", ":simple-")
_ICON = rf"(?:{'|'.join(_ICONS)})[\w-]+:(?:\{{[^{{}}\n]*\}})?"  # of MkDocs
_UNSEEN = re.compile(
    rf"\]\([^()\n]*\)|https?://\S+|<[^<>\n]{{0,2000}}>|&[a-z]{{2,8}};|\[![\w-]+\]|{_ICON}"
)
_TEXTS = vocabulary(
    "question questions answer answers ques ans front back card flashcard flashcards summary",
    "details solution problem exercise show hide level difficulty easy medium hard start end",
    "basic cloze tags expert beginner advanced fundamental intermediate پرسش سؤال سوال پاسخ",
    "جواب راه\u200cحل تمرین سطح کارت پشت exercice ejercicio exercício esercizio aufgabe zadanie",
    "oppgave задача solução solución soluzione lösung rozwiązanie løsning решение",
)
"""Words of labels that become fields of an entry."""

_UNREAD = re.compile(
    r"(?<!`)(`+)(?!`)[^`\n]*\1|(?<![^\s>])%%(?=[^%\n])[^%\n]*(?:%[^%\n]+)*%%(?!\S)"
    rf"|{_ICON}"
    r"|<!--(?:[^-]|-(?!->))*-->|(?<=\))\{(?:[:.#]|[\w-]+=)[^{}\n]*\}|\{[a-z]+(?::[a-z]+)?\}(?=`)"
    r"|^\s*(?:(?!\{[{%][^{}\n]*\"[^\"{}\n]*[/.])(?:\{%[^{}\n]*%\}|\{\{[<%][^{}\n]*[%>]\}\}|\{:[^{}\n]*\})\s*)+$"
)
"""Code, which stays, or what only programs read: comments, attributes, lines of templates.

A line of a template that names a file or an address is none: it may show a picture.
"""
_TEMPLATE = r"(?:template|vorlage|plantilla|шаблон|قالب|模板|模版)"
_TEMPLATES = re.compile(rf"[\W\d_]*{_TEMPLATE}s?", re.IGNORECASE)  # a folder of them
_TEMPLATE_FILE = re.compile(rf"[\W\d_]*(?:[^\W_]+[\W_]+){{0,3}}{_TEMPLATE}", re.IGNORECASE)
_HOMEWORK = re.compile(
    r"\b(?:homework|assignments?|problem sets?|work ?sheets?|mid-?term|final exam"
    r"|multiple[- ]choice|arbeitsblatt|übungsblatt|feuille d.exercices|hoja de ejercicios)\b|تکلیف"
    r"|تکالیف|تمرین|کاربرگ|امتحان|(?:چند|چهار) ?گزینه.?ای|练习题|作业|ورقة عمل",
    re.IGNORECASE,
)
_EXERCISE = re.compile(
    r"(?:exercise|assignment|task|aufgabe(?:nbeschreibung|nstellung)?|übung(?:saufgabe)?|exercice"
    r"|ejercicio|esercizio|تمرین|تکلیف)[\W_\d]*",
    re.IGNORECASE,
)
_SOLVED = re.compile(r"\b(?:solutions?|answers)\b|\bحل\b|\bپاسخ(?!\s?ب?ده)", re.IGNORECASE)
_BEFORE = "text before the first question"
_BETWEEN = "text that belongs to no question"
_FURNITURE = "a comment, a link within the file, or what stands in place of an answer"
_ID = re.compile(r"[\w.+/-]{1,80}")
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_FRONT_MATTER = "front matter"
_KEY = "a key of the front matter that entries do not have"
_KNOWN = vocabulary(
    "title question tags tag keywords aliases alias lang language level difficulty topic",
    "category subject id سوال سؤال پرسش سطح موضوع sr-due sr-interval sr-ease",
)


@dataclass(frozen=True)
class _File:
    """Properties of a whole file."""

    name: str
    text: FileText
    matter: Matter
    title: str
    lang: str
    first: int

    @cached_property
    def level(self) -> str | None:
        """The level in its front matter."""
        said = self.matter.text("level", "difficulty", "سطح")
        return level_of(said) if said else None

    @property
    def topic(self) -> str | None:
        """The topic in its front matter."""
        return self.matter.text("topic", "category", "subject", "موضوع") or None


@dataclass(slots=True)
class _Taken:
    """The cards of a file, how it was read, and why."""

    cards: list[Card] = field(default_factory=list)
    taken_as: str = "notes"
    form: str = ""
    reason: str = ""
    note: bool = True


def read(
    stream: BinaryIO,
    name: str,
    progress: Progress = silent,
    *,
    reviews: bool = False,
    attachments: Attachments | None = None,
    signs: CardSigns = USUAL,
    taken_as: str | None = None,
) -> Batch:
    """Return the note, cards or questions of a file; raises `BadData` if it is not text.

    ``taken_as`` sets how to read it: notes, questions or cards. Its media are looked up among
    the ``attachments``; ``signs`` are those of its vault, and its schedule is kept as ``reviews``
    if requested.
    """
    tick = partial(progress, 0, 0)
    head = _beginning(stream, name)
    first = head.decode("utf-8", "replace").lstrip("\ufeff").strip()
    if first.startswith("<!--"):
        from kb.formats.marks import is_own
        from kb.formats.notes.own import read_own

        if is_own(first):
            return read_own(_own_lines(head, stream, name), name, tick)
    if head.strip().endswith(b"---"):
        from kb.formats.vault import reading  # which needs parts of this package itself

        head += stream.read(reading.BEGINNING)
        if reading.is_note(head):
            return reading.read_note(head, stream, name, reviews=reviews, attachments=attachments)
    stream.seek(0)
    file = _file(read_text(stream, name), name)
    tick()
    body = _BLANKS.sub(r"\1", file.text.body)
    deck = bool(file.matter.text("cards-deck")) or signs.declares(file.matter.tags, body)
    body = signs.usual(body) if deck else body
    long = body.count("\n") > limits.CARD_LINES
    lines = [] if long else outline(body)
    page = replace(page_of(lines, body, most_stars(body), deck=deck), gap=signs.gap)
    taken = _taken(page, file, "notes" if long else taken_as)
    if long:
        taken.reason = Message("it has more than {most:,} lines", most=limits.CARD_LINES)
    tick()
    batch = _batch(taken, page, file, tick)
    told = [(each.number + file.first, each.text) for each in lines if each.kind != CODE]
    batch = scheduled(batch, told, file.matter, name, kept=reviews)
    return shown(batch, attachments, name)


def _beginning(stream: BinaryIO, name: str) -> bytes:
    """Return the first line that is not blank, and the stream including it."""
    head = b""
    for line, whole in raw_lines(stream, name, limits.FILE, limits.RECORD):
        head += line
        if line.strip() or not whole or len(head) > _MOST_BLANK:
            break
    return head


def _own_lines(head: bytes, stream: BinaryIO, name: str) -> Iterator[str]:
    """Yield the lines of our own file, also with Windows line ends."""
    end = b"\r\n" if head.endswith(b"\r\n") else b"\n"
    first = head.removesuffix(end)
    yield from decoded(first, name).split("\n")
    last = b"\n"
    for line, whole in raw_lines(stream, name, limits.FILE, limits.RECORD):
        if not whole:
            raise BadData("a line has more than {most}", place=name, most=size(limits.RECORD))
        last = line
        yield decoded(line.removesuffix(end).removesuffix(b"\n"), name, first=False)
    if last.endswith(b"\n"):
        yield ""


def _file(text: FileText, name: str) -> _File:
    matter = read_matter(text.head) if text.head else Matter()
    if matter.fault:
        text = replace(text, head="", body=text.head + text.body)
    said = page_properties(text.body)
    matter = replace(matter, values={**said, **matter.values})
    title = matter.text("title") or _title(text.body, name)
    lang = matter.language or language_of(f"{title}\n{text.body}")
    return _File(name, text, matter, title, lang, text.head.count("\n") + 1)


def _title(body: str, name: str) -> str:
    """Return the name of a file, or else its first heading or words."""
    stem = PurePath(name).stem
    if stem.casefold() not in _UNNAMED:
        return page_name(stem) if _OUTLINER.match(body) else stem
    heading = re.search(r"^ {0,3}#{1,6}[ \t]+(\S.*?)[ \t]*#*$", body[:20_000], re.MULTILINE)
    first = clean(heading[1]) if heading else " ".join(clean(body[:200]).split()[:9])
    return first or stem or "note"


# What a file is taken for.


def _taken(page: Page, file: _File, taken_as: str | None) -> _Taken:
    keys = answer_keys(page) if taken_as != "notes" else []
    if keys:
        taken = _taken_alone(without(page, keys), file, taken_as)
        cards = answered(taken.cards, keys)
        if cards:
            return replace(taken, cards=cards)
    return _taken_alone(page, file, taken_as)


def _taken_alone(page: Page, file: _File, taken_as: str | None) -> _Taken:
    """Return how a file is read whose answer keys, if any, are read."""
    if taken_as == "notes":
        return _Taken(form="note", reason=Message("--as says so"))
    path = PurePath(file.name)
    template = _TEMPLATE_FILE.fullmatch(path.stem) or _TEMPLATES.fullmatch(path.parent.name)
    if taken_as is None and template:
        return _Taken(form="note", reason=Message("its name or folder says that it is a template"))
    question = file.matter.text("question", "سوال", "سؤال", "پرسش")
    if question:
        return _of_title(question, page, file)
    heads = [each for each in page.lines if each.kind == HEADING and each.depth < 3]
    parts = len(heads) > 1 and heads[0].depth > 1  # then the first begins one of them
    firsts = [each.words for each in heads[: not parts] if each.number < 40]
    titles = " ".join(named := (file.title, *firsts))
    page.about = about_of(file.title, path.stem, *firsts)
    page.filed = bool(about_of(*path.parent.parts))
    page.homework = bool(_HOMEWORK.search(titles)) and not _SOLVED.search(titles)
    strong = cards_of(page, (*STRONG, *WEAK) if page.deck else STRONG)
    deck = not strong and any(map(_DECK.search, named)) and not _ABOUT_CARDS.search(titles)
    forced = taken_as is not None or deck
    goals = not forced and names_goals(titles)
    found = question_list(page, forced=forced, goals=goals)
    if deck and taken_as is None and _share(found, page) < _COVERS:
        deck, found = False, question_list(page, forced=False)
    page.taken |= lines_of(found)
    cards = sorted((*strong, *found, *cards_of(page, WEAK)), key=lambda each: each.start)
    told = {text for each in cards if each.answers for text in each.question.values()}
    cards = [e for e in cards if e.answers or told.isdisjoint(e.question.values())]
    if deck or taken_as == "cards":
        cards = [replace(each, kind="card") for each in cards]
    first = firsts[: file.text.body.lstrip().startswith("#")]
    titled = [file.matter.text("title"), *first]
    title = next(filter(asks_surely, titled), "")
    if not title and " " in path.stem and asks(path.stem):
        title = path.stem  # no name of a file ends in a question mark everywhere
    if not cards and page.filed and title:
        return _of_title(title, page, file)
    if not (cards or goals):
        cards = exercise(page, named=bool(_EXERCISE.fullmatch(path.stem)))
    return _decided(cards, bool(found), page, taken_as)


def _of_title(question: str, page: Page, file: _File) -> _Taken:
    """Return a file as the answer to its title, without the tags and the label above it."""
    told = source(each for each in page.lines if each.kind != HIDDEN)
    first, _, below = told.partition("\n")
    told = below.strip("\n") if first.strip("# ") == question.strip("# ") else told
    first, _, below = told.partition("\n")
    tags = stated_tags(first)
    first, _, below = (below.lstrip("\n") if tags else told).partition("\n")
    said = label(first)
    first = said.rest if said and said.role == ANSWER and not said.kept else first
    told = f"{first}\n{below}".strip("\n")
    named = wording(question, page.stars)
    card = Card(
        _FRONT_MATTER, 0, len(page.lines), {"": clean(named.text)}, {"": told} if told else {},
        kind="question", number=named.number, tags=tags,
    )  # fmt: skip
    reason = Message("its title or front matter asks")
    return _Taken([card], "questions", _FRONT_MATTER, reason, note=False)


def _decided(cards: list[Card], listed: bool, page: Page, taken_as: str | None) -> _Taken:
    forms = ", ".join(dict.fromkeys(each.form for each in cards))
    if not cards:
        return _Taken(form="note", reason=Message("its author wrote no cards or questions in it"))
    share = _share(cards, page)
    if listed:
        reason = Message("it is mostly a list of questions ({share:.0%} of its words)", share=share)
        return _Taken(cards, taken_as or "questions", forms, reason, note=False)
    if taken_as is not None or share >= _COVERS:
        reason = Message("{share:.0%} of its words are cards", share=share)
        return _Taken(cards, taken_as or "cards", forms, reason, note=False)
    reason = Message("{share:.0%} of its words are cards, so it stays a note", share=share)
    return _Taken(cards, "notes", forms, reason)


def _share(cards: Sequence[Card], page: Page) -> float:
    used = lines_of(cards)
    total = own = 0
    for at, line in enumerate(page.lines):
        if line.kind in (HEADING, HIDDEN) or is_tag_line(line.text):
            continue
        count = len(words(_UNSEEN.sub(" ", line.text)))
        total += count
        own += count if at in used else 0
    return own / total if total else 1.0


# Entries.


def _batch(taken: _Taken, page: Page, file: _File, tick: Callable[[], None]) -> Batch:
    taken.cards = placed(taken.cards, page, contexts=not taken.note)
    entries = []
    for card in taken.cards:
        tick()
        entries.append(_entry(card, file))
    left = [] if taken.note else list(_left(taken.cards, entries, page, file))
    total = len(words(_UNSEEN.sub(" ", file.text.body)))
    lost = sum(len(words(_UNSEEN.sub(" ", each.text))) for each in left)
    aliased = bool(file.matter.aliases) and len(entries) > 1
    if not taken.note and (aliased or lost > _SPARES * total):
        taken.note, left, lost = True, [], 0
        taken.reason = Message("it has questions or cards, and the text around them stays a note")
        if aliased:
            taken.reason = Message("its author gave it aliases, so it stays a note")
    dropped = left
    if taken.note:
        entries = [replace(each, topic=each.topic or file.title) for each in entries]
    else:
        dropped += (*_aside(taken.cards, page, file), *_furniture(page, file), *_unknown_keys(file))
    if file.matter.fault:
        dropped.append(Dropped(file.name, 1, file.matter.fault, ""))
    reading = FileReading(file.name, taken.taken_as, taken.form, taken.reason, total, lost)
    note = [_note(file)] if taken.note else []
    named, given = _named(note, entries, file)
    begins = [*(file.first for _ in note), *(_number(each, page, file) for each in taken.cards)]
    return Batch(
        Book(named),
        lines={each.id: line for each, line in zip(named, begins, strict=True)},
        links={each.id: found for each in named if (found := links_in(_texts(each)))},
        given=given,
        dropped=tuple(sorted(dropped, key=lambda each: each.line or 0)),
        reading=reading,
    )


def _number(card: Card, page: Page, file: _File) -> int:
    """Return the line of the file where a card begins."""
    return page.lines[card.start].number + file.first if card.end else 1


def _named(
    note: Sequence[Entry], made: Sequence[Entry], file: _File
) -> tuple[tuple[Entry, ...], frozenset[str]]:
    """Return entries with unique ids, and the id that the file gives to its only or first one."""
    own = file.matter.text("id")
    giving = _ID.fullmatch(own) and not _UUID.fullmatch(own) and (note or len(made) == 1)
    given = frozenset({own} if giving else ())
    names = set(given)
    entries: list[Entry] = []
    again: Counter[str] = Counter()
    for entry in (*note, *made):
        name = slug(next(iter(entry.question.values())))
        id = own if given and not entries else unused(name, names.__contains__, again)
        names.add(id)
        within = entries[0].id if note and entries else None
        entries.append(replace(entry, id=id, within=within))
    if len(entries) == 1:
        entries = [replace(entries[0], aliases=file.matter.aliases)]
    return tuple(entries), given


def _note(file: _File) -> Entry:
    body = file.text.body
    lang = file.lang
    return Entry(
        "", "note", "", {lang: file.title},
        level=file.level,
        topic=file.topic,
        tags=tuple(dict.fromkeys((*file.matter.tags, *tags_in(body)))),
        answers=(Answer("source", lang, body),) if body.strip() else (),
        aliases=file.matter.aliases,
        file=note_file(file.text, PurePath(file.name).name or "note.md"),
    )  # fmt: skip


def _entry(card: Card, file: _File) -> Entry:
    """Return the entry of a card, in one language unless its author marked several."""
    whole = "\n".join((*card.question.values(), *card.answers.values()))
    marked = [lang for lang in (*card.question, *card.answers) if lang]
    lang = marked[0] if marked else file.matter.language or language_of(whole, file.lang)
    asked = {code: _shown(text) for code, text in card.question.items()}
    below = {code: split_tag_line(_shown(text)) for code, text in card.answers.items()}
    answers = {code: text for code, (_, text) in below.items()}
    return Entry(
        "", card.kind, "", _by_language(asked, lang),
        number=card.number,
        level=card.level or file.level,
        # The headings above it, without the file's title if there are others.
        topic=file.topic
        or " / ".join(dict.fromkeys(card.topics[1:] or card.topics))
        or file.matter.text("title")
        or None,
        tags=tuple(
            dict.fromkeys(chain(file.matter.tags, card.tags, *(tags for tags, _ in below.values())))
        ),
        answers=tuple(Answer("source", *each) for each in _by_language(answers, lang).items()),
        context=_shown(card.context) or None,
    )  # fmt: skip


def _by_language(texts: Mapping[str, str], lang: str) -> dict[str, str]:
    """Return texts by language, ``lang`` if unmarked; two texts of a language are joined."""
    found: dict[str, str] = {}
    for code, text in texts.items():
        key = code or lang
        found[key] = f"{found[key]}\n\n{text}" if key in found else text
    return found


def _shown(text: str) -> str:
    """Return the text of a card without comments, and without what only programs read."""
    if not any(
        sign in text for sign in ("%%", "<!--", "{:", "{%", "{{", "}`", "){", "`#!", ":{", *_ICONS)
    ):
        return text
    lines = text.split("\n")
    kept: list[str] = []
    for line, kind in zip(lines, set_apart(lines), strict=True):
        bare = line if kind else _UNREAD.sub(_code_without_language, line)
        if kind != HIDDEN and (bare.strip() or bare == line):
            kept.append(bare if bare == line else bare.rstrip())
    return "\n".join(kept).strip("\n")


def _code_without_language(found: re.Match[str]) -> str:
    """Return code in a line without the language that MkDocs has in it, and nothing else."""
    return re.sub(r"^(`+)#![a-z]\w* +(?=\S)", r"\1", found[0] if found[1] else "")


def _texts(entry: Entry) -> str:
    head = entry.file.head if entry.file else ""
    return "\n".join((head, *entry.question.values(), *(each.text for each in entry.answers)))


# What no entry has.


def _left(
    cards: Sequence[Card], entries: Sequence[Entry], page: Page, file: _File
) -> Iterator[Dropped]:
    """Yield the lines with a word that is in no entry, adjacent ones joined."""
    known = {*_TEXTS, *LEVEL_WORDS, *map(str.casefold, words(" ".join(page.summaries)))}
    for entry, card in zip(entries, cards, strict=True):
        told = (_texts(entry), card.context, entry.topic or "", file.title)
        for text in (*told, *card.topics, *entry.tags):
            known.update(map(str.casefold, words(text)))
    used = lines_of(cards)
    context = {each.strip() for card in cards for each in card.context.split("\n")}
    held: list[Line] = []
    first = min((card.start for card in cards), default=0)
    for at, line in enumerate((*page.lines, Line(-1, "", BLANK))):
        shared = line.text.strip() in context or line.kind == HEADING
        own = at in used or shared or is_tag_line(line.text)
        text = line.text if not own else _unlabelled(line)
        said = [each.casefold() for each in words(_UNSEEN.sub(" ", text))]
        fields = (PROPERTY.match, stated_level, stated_tags)
        if _is_unread(line) or (own and any(field(line.text) for field in fields)):
            said = []
        if said and (not own or any(each not in known for each in said)):
            held.append(line)
        elif held and (said or line.number < 0 or line.kind == HEADING):
            reason = _BEFORE if held[0].number < first else _BETWEEN
            yield Dropped(file.name, held[0].number + file.first, reason, source(held))
            held = []


def _aside(cards: Sequence[Card], page: Page, file: _File) -> Iterator[Dropped]:
    """Yield the parts of a question line that have no field."""
    for card in (each for each in cards if each.end):
        text = page.lines[card.start].text
        number = _number(card, page, file)
        if said := POINTS.search(ascii_digits(text.lstrip("#*> ")[:200])):
            written = text.lstrip("#*> ")[slice(*said.span())]
            yield Dropped(file.name, number, "the points of a problem", written)
        if card.kind != "question":
            continue
        followed = links_in(text)
        for address in (each[2] for each in LINK.finditer(text[:4000])):
            if address not in followed and not address.startswith("#"):
                yield Dropped(file.name, number, "the address of a link in a question", address)


def _furniture(page: Page, file: _File) -> Iterator[Dropped]:
    """Yield comments, navigation lines and answer placeholders, each once."""
    lines = {each.text.strip(): each for each in reversed(page.lines) if _is_unread(each)}
    for text, line in lines.items():
        yield Dropped(file.name, line.number + file.first, _FURNITURE, text)


def _is_unread(line: Line) -> bool:
    text = (
        "" if line.kind == TEXT and "%%" not in line.text and not _shown(line.text) else line.text
    )
    unread = line.kind == HIDDEN or not text or is_furniture(text)
    return bool(line.text.strip()) and unread


def _unlabelled(line: Line) -> str:
    """Return a line without the label that makes it a question or an answer."""
    text = re.sub(r"^[\s>]+", "", line.words if line.kind in (HEADING, ITEM) else line.text)
    found = label(text)
    return f"{found.remark} {found.rest}" if found else line.text


def _unknown_keys(file: _File) -> Iterator[Dropped]:
    key = ""
    for number, line in enumerate(file.text.head.split("\n")[:-1], 1):
        found = re.match(r"([^\s#:=-][^:=]*?)\s*[:=]", line)
        key = found[1].strip().lower() if found else key
        if line.strip() not in ("---", "+++", "...", "") and key not in (*_KNOWN, "name"):
            yield Dropped(file.name, number, _KEY, line)
