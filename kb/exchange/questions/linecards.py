"""Cards of lines, as Obsidian's spaced repetition has them.

``question::answer`` on a line, ``?`` on a line of its own between a question and its answer,
``==hidden==`` and ``{{c1::hidden}}`` within a sentence. Comments with dates end a card.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from kb.exchange.questions.blocks import Block, Line, dedented, trimmed
from kb.exchange.questions.cloze import has_gap, has_highlight
from kb.exchange.questions.head import head
from kb.exchange.questions.levels import Scale
from kb.exchange.questions.opening import MARKED, Opening
from kb.exchange.questions.paragraphs import paragraph
from kb.exchange.questions.regions import outside_code
from kb.exchange.questions.sides import sides

SCHEDULE = re.compile(r"\s*<!--\s*SR:[^<>]*-->\s*")
_DECK = re.compile(r"(?:^|\s)#flashcards?(?![\w-])|<!--\s*SR:")
_TURN = re.compile(r"^\s*\?{1,2}\s*$")
_SIGN = re.compile(r"^(\s*(?:[-*+]|\d{1,4}[.)])\s+|\s+)")
_BREAKS = re.compile(r"^\s*(?:#{1,6}\s|[-*_]{3,}\s*$|<!--|\|)")
_LISTED = re.compile(r"^(?:\s*[-*+]\s|\s*\d{1,4}[.)]\s|\s{2,}|\t)")
_GOES_ON = re.compile(r"^(?:\s*(?:[-*+>|]|\d{1,4}[.)])\s|\s{2,}\S|\t|```|~~~|\$\$|\||!\[|>)")
_SPARED = re.compile(r"`[^`\n]*`|\$[^$\n]*\$|https?://\S*|\{\{[^{}]{0,300}\}\}")
_KEY = re.compile(r"^[a-z][a-z0-9_-]*$")


class LineCards(NamedTuple):
    """The cards of a file that are told by their lines, and the indices of the lines they take."""

    cards: tuple[Opening, ...]
    taken: frozenset[int]


def line_cards(lines: Sequence[Line], scale: Scale) -> LineCards:
    """Return the cards of lines."""
    plain = dict(outside_code(lines))
    deck = any(_DECK.search(text) for text in plain.values())
    turns = {
        at for at, text in plain.items() if _TURN.match(text) and plain.get(at - 1, "").strip()
    }
    cards: list[tuple[int, Opening]] = []
    taken: set[int] = set()
    begins = _begins(turns, plain)
    questions = frozenset(begins.values())
    for at in sorted(turns):
        start, end = begins[at], _end_of_answer(at, lines, plain, questions)
        if start == at or start in taken:
            continue
        answer = trimmed([_plain(line) for line in lines[at + 1 : end]])
        cards.append((start, _card("turned", lines[start:at], answer, scale)))
        taken.update(range(start, end))
    parted = sides(plain)
    few = deck or any(
        _single(text, False, scale, lines[at]) for at, text in plain.items() if "::" in text
    )
    for at, text in plain.items():
        if at in taken:
            continue
        two = parted.get(at)
        single = (
            _sided(*two, scale, lines[at]) if two else _single(text, deck, scale, lines[at], few)
        )
        if single:
            cards.append((at, single))
            taken.add(at)
        elif has_gap(text) or (has_highlight(text) and deck and not _BREAKS.match(text)):
            bare = _SIGN.sub("", SCHEDULE.sub("", text))
            cards.append((at, _cloze(Line(lines[at].number, bare))))
            taken.add(at)
        elif SCHEDULE.fullmatch(text):
            taken.add(at)
    cards.sort(key=lambda each: each[0])
    return LineCards(tuple(card for _, card in cards), frozenset(taken))


def _begins(turns: set[int], plain: dict[int, str]) -> dict[int, int]:
    """Return, for each line that turns a card, where its question begins."""
    found: dict[int, int] = {}
    for at in sorted(turns):
        start = at
        listed = bool(_LISTED.match(plain[at - 1]))
        for above in range(at - 1, max(at - 30, -1), -1):
            text = plain.get(above, "")
            if not text.strip() or _BREAKS.match(text) or above in turns or _parted(text):
                break
            if not listed and _LISTED.match(text):
                break
            start = above
        found[at] = start
    return found


def _end_of_answer(
    at: int, lines: Sequence[Line], plain: dict[int, str], questions: frozenset[int]
) -> int:
    """Return the line after an answer: a card's dates, a heading, or text after a blank line."""
    end = at + 1
    while end < len(lines):
        text = lines[end].text
        if end in plain:
            if SCHEDULE.search(text):
                return end + 1
            if end in questions or (_BREAKS.match(text) and not text.lstrip().startswith("|")):
                return end
            blank_above = end > at + 1 and not lines[end - 1].text.strip()
            dated = blank_above and _dated(end, plain)
            if text.strip() and blank_above and not dated and not _GOES_ON.match(text):
                return end
            if blank_above and _parted(text):
                return end
        end += 1
    return end


def _dated(at: int, plain: dict[int, str]) -> bool:
    """Say whether a paragraph ends in a card's dates, and is no card itself."""
    while plain.get(at, "").strip() and not _TURN.match(plain[at]) and not _parted(plain[at]):
        if SCHEDULE.fullmatch(plain[at]):
            return True
        at += 1
    return False


def _plain(line: Line) -> Line:
    return Line(line.number, SCHEDULE.sub("", line.text))


def _parted(text: str) -> tuple[str, str] | None:
    """Return the two sides of a line that may be a card; code and formulas are passed over."""
    bare = _SPARED.sub(lambda found: "\x00" * len(found[0]), text)
    found = re.search(r"(?<!:)(:::?)(?!:)", bare)
    if not found or text.lstrip().startswith(("#", "|", ">>")):
        return None
    return text[: found.start()], text[found.end() :]


def _single(text: str, deck: bool, scale: Scale, line: Line, few: bool = False) -> Opening | None:
    """Return the card of a line with two colons, unless they are a program's or a property's."""
    bare = SCHEDULE.sub("", text)
    sides = _parted(_SIGN.sub("", bare))
    if sides is None or "\x00" in text:
        return None
    asked, told = sides
    if not asked.strip() or not told.strip():
        return None
    spaced = told[:1].isspace()
    if not deck and spaced and _KEY.match(asked.strip()):
        return None
    ended = asked.rstrip()[-1] in "?؟.!)]}$\"'*»”’`:"
    apart = asked[-1:].isspace() and spaced
    term = few and " " not in asked.strip() and not spaced
    if not (deck or term or apart or ended or (spaced and " " in asked.strip())):
        return None
    return _sided(asked.strip(), told.strip(), scale, line)


def _sided(asked: str, told: str, scale: Scale, line: Line) -> Opening:
    return _card("sided", [Line(line.number, asked)], (Line(line.number, told),), scale)


def _card(style: str, asked: Sequence[Line], told: Sequence[Line], scale: Scale) -> Opening:
    words = [_SIGN.sub("", asked[0].text), *(each.text.strip() for each in asked[1:])]
    said = head("\n".join(words), scale)
    body: tuple[Block, ...] = (paragraph(told),) if told else ()
    return Opening(
        style, MARKED, tuple(asked), said.text, said.number, said.level,
        tags=said.tags, body=body, kind="card", open=False,
    )  # fmt: skip


def _cloze(line: Line) -> Opening:
    text = dedented(line, 80)
    return Opening("cloze", MARKED, (text,), text.text, kind="card", open=False)


def masked(lines: Sequence[Line], taken: frozenset[int]) -> Iterator[Line]:
    """Yield lines, blank where they are taken."""
    for index, line in enumerate(lines):
        yield Line(line.number, "") if index in taken else line
