"""The forms of cards, in one table: name, example, finder.

A form finds cards in the lines of a body. The body is unchanged: a note keeps its text.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from kb.formats.notes.hidden import callouts, details, exercises
from kb.formats.notes.labelled import labelled
from kb.formats.notes.obsidian import HIGHLIGHT
from kb.formats.notes.outline import BLANK, HEADING, ITEM, TEXT, Line, source
from kb.formats.notes.page import (
    BOX,
    LEVEL,
    OPTION,
    TAGS,
    Card,
    Page,
    cells_of,
    made,
    tables,
    ticked,
    untick,
)
from kb.formats.notes.signs import anki, clozes, identified, marked, sides, turned
from kb.formats.notes.wording import (
    ANSWER,
    QUESTION,
    RESULT,
    clean,
    ends_asking,
    label,
    level_of,
    wording,
)

_REMARK = re.compile(r"(?<=\S)\s*\([^()]*\)$")


class Form(NamedTuple):
    """A form: its name, the signs that every text with it contains, an example, its finder."""

    name: str
    signs: tuple[str, ...]
    example: str
    find: Callable[[Page], Iterator[Card]]


def cards_of(page: Page, forms: Sequence[Form]) -> list[Card]:
    """Return the cards of some forms in order; each line is in at most one."""
    found: list[Card] = []
    lower = page.body.lower()
    for form in forms:
        own = form.find is clozes and page.gap is not HIGHLIGHT
        if form.signs and not own and not any(sign in lower for sign in form.signs):
            continue
        last = (0, 0)
        for card in form.find(page):
            span = (card.start, card.end)
            if span == last or page.taken.isdisjoint(range(*span)):
                page.taken.update(range(*span))
                found.append(card)
                last = span
    return sorted(found, key=lambda each: each.start)


# Cards with options, and in tables.
def _choices(page: Page) -> Iterator[Card]:
    """Find multiple-choice questions: with ticked boxes, or with letters and an answer."""
    at, lines = 0, page.lines
    while at < len(lines):
        first = at
        pattern = BOX if BOX.match(lines[at].text) else OPTION
        if not page.free(at) or not pattern.match(lines[at].text):
            at += 1
            continue
        while at < len(lines) and (pattern.match(lines[at].text) or lines[at].kind == BLANK):
            at += 1
        options = [each for each in lines[first:at] if each.kind != BLANK]
        for card in _of_options(first, at, options, page) if len(options) > 1 else ():
            yield card
            at = max(at, card.end)


def _of_options(first: int, end: int, options: Sequence[Line], page: Page) -> Iterator[Card]:
    start = first - 1
    while start >= 0 and page.lines[start].kind == BLANK:
        start -= 1
    if start < 0 or not page.free(start) or page.lines[start].kind not in (TEXT, HEADING, ITEM):
        return
    last = page.lines[start]
    while last.kind == TEXT and start and _is_text(start - 1, page):
        start -= 1
    line = page.lines[start]
    stem = line.words if line.kind in (HEADING, ITEM) else line.text
    own = page.lines[start + 1 : end]
    setting = source((each.number, untick(each.text)) for each in own)
    asking = ends_asking(last.text) or "____" in last.text or label(stem)
    if not (asking or last.inside):
        return
    told = ticked(each.text for each in options)
    found = label(page.lines[end].text) if end < len(page.lines) else None
    if told and found and found.role == RESULT:
        below = itertools.takewhile(lambda each: each.kind == TEXT, page.lines[end:])
        rows = [each for each in below if not TAGS.fullmatch(each.text.strip())]
        told, end = f"{told}\n\n{source(rows)}", end + len(rows)
    if told and told.partition("\n\n")[0].count("\n") + 1 < len(options):
        yield from made("choice", (start, end), f"{stem}\n\n{setting}", told, page)
    elif found and found.role == ANSWER:
        yield from made("choice", (start, end + 1), f"{stem}\n\n{setting}", found.rest, page)


def _is_text(at: int, page: Page) -> bool:
    text = page.lines[at].text.strip()
    return page.free(at) and page.lines[at].kind == TEXT and not TAGS.fullmatch(text)


def _table_cards(page: Page) -> Iterator[Card]:
    """Find tables with columns for questions (or fronts) and answers (or backs)."""
    for start, end in tables(page):
        rows = {at: cells_of(page.lines[at].text) for at in range(start, end) if at != start + 1}
        names = [_REMARK.sub("", clean(each)) for each in rows[start]]
        heads = [(n, found) for n, each in enumerate(names) if (found := label(each))]
        if not names[0] and any(map(str.isalpha, "".join(row[0] for row in rows.values()))):
            continue  # as a table of sounds, by where and how they are made
        asked = {found.lang or "": n for n, found in heads if found.role == QUESTION}
        told = {found.lang or "": n for n, found in heads if found.role == ANSWER}
        if not asked and all(len(row) == 2 and ends_asking(row[0]) for row in rows.values()):
            for at, row in rows.items():
                yield from made("table", (at, at + 1), row[0], _cell(row[1]), page)
        del rows[start]
        for at, row in rows.items() if asked and told else ():
            cells = [*row, *[""] * (len(names) - len(row))]
            said = {lang: clean(wording(cells[n], page.stars).text) for lang, n in asked.items()}
            questions = {lang: text for lang, text in said.items() if text and not text.isdigit()}
            answers = {lang: text for lang, n in told.items() if (text := _cell(cells[n]))}
            rated = (level_of(c) for n, c in zip(names, cells, strict=False) if LEVEL.fullmatch(n))
            if questions and answers:
                yield Card("table", at if at > start + 2 else start, at + 1, questions, answers,
                           level=next(filter(None, rated), None))  # fmt: skip


def _cell(text: str) -> str:
    return re.sub(r"<br\s*/?>", "\n", text.replace("\\|", "|"), flags=re.IGNORECASE).strip()


STRONG: tuple[Form, ...] = (
    Form(
        "exercise",
        ("[!", "!!!", ":::", "{exercise"),
        "> [!exercise] Sums\n> Add 1 and 2.\n>\n> > [!solution]\n> > It is 3.\n",
        exercises,
    ),
    Form("anki", ("start",), "START\nBasic\nWhat is A?\nBack: It is a.\nEND\n", anki),
    Form("turned", ("\n?", "?\n", "\n%"), "What is A?\n?\nIt is a.\n", turned),
    Form("sides", ("::", ";;"), "What is A?::It is a.\n", sides),
    Form("mark", ("card",), "- What is A? #card\n\t- It is a.\n", marked),
    Form("labels", (), "Q: What is A?\nA: It is a.\n", labelled),
    Form("cloze", ("{{", "=="), "The capital is {{c1::Paris}}.\n", clozes),
    Form("callout", ("[!", "???", "!!!"), "> [!question] What is A?\n> It is a.\n", callouts),
    Form("identified", ("<!--id",), "What is A? #qa\nIt is a.\n<!--ID: 123-->\n", identified),
    Form(
        "table", ("|",), "| Question | Answer |\n|--|--|\n| What is A? | It is a. |\n", _table_cards
    ),
)
"""Forms that are cards anywhere."""
WEAK: tuple[Form, ...] = (
    Form(
        "details",
        ("<details", "???", ":::"),
        "<details><summary>What is A?</summary>\nIt is a.\n</details>\n",
        details,
    ),
    Form("choice", (), "Which is even?\n\n- [ ] 3\n- [x] 4\n", _choices),
)
"""Forms that belong to the question above in a list of questions."""
