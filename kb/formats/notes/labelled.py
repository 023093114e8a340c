"""Cards by labels: ``Q:`` and ``A:``, ``Question`` and ``Answer``, ``Front`` and ``Back``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import zip_longest

from kb.formats.notes.language import language_of
from kb.formats.notes.outline import (
    BLANK,
    HEADING,
    HIDDEN,
    ITEM,
    ROW,
    RULE,
    Line,
    after,
    source,
)
from kb.formats.notes.page import (
    DETAILS,
    GOES_ON,
    NEAR,
    NUMBERED_GAP,
    SECOND,
    SUMMARY,
    TAGS,
    Card,
    Page,
    gapped,
    plain,
    question,
)
from kb.formats.notes.wording import (
    ANSWER,
    CLOZE,
    QUESTION,
    RESULT,
    Label,
    asks,
    clean,
    label,
    sets_task,
    stated_level,
    wording,
)

_BRACKET_GAP = re.compile(r"(?<![!\\\]])\[(?!\[|\^)([^\[\]\n]+)\](?![(\[])")
PLACEHOLDER = re.compile(
    r"[\W_]*(?:(?:your |the )?answers? (?:goes )?here|tba|tbd|todo|coming soon"
    r"|click [^\n]{1,99}\b(?:solution|answer)"
    r"|(?:see|ver|voir|siehe) (?:the )?(?:answer|respo?sta|respuesta|r[ée]ponse|antwort)[^\n]{0,60}"
    r"|to be (?:added|written)|replace this (?:text|line)[^\n]{0,60}|wip|_{3,}"
    r"|به[‌ ]زودی|در دست نگارش|پاسخ ندارد)[\W_]*",
    re.IGNORECASE,
)
_RULED = re.compile(r"^[=*_-]{3,}\s*$")  # what only separates a label from the text below it
_UNLABELLED = Label(ANSWER, "", kept=True)
"""What stands for the label of an answer that begins with a heading of its own."""


@dataclass(slots=True)
class _Labelled:
    """A card with labels, while it is read.

    ``above`` is the depth of the title above it (0 for none) if its file begins with the heading
    ``Question``: headings below then belong to the answer, and the first one starts an answer
    without a label. ``alone`` means that no other such heading is as high.
    """

    start: int
    depth: int
    number: str | None
    label: Label
    above: int | None = None
    alone: bool = False
    questions: dict[str, list[tuple[int, str]]] = field(default_factory=dict)
    answers: dict[str, list[tuple[int, str]]] = field(default_factory=dict)
    answer_depth: int = 0
    told_inline: bool = False
    paused: bool = False
    end: int = 0


def labelled(page: Page) -> Iterator[Card]:
    """Find cards labelled ``Q:`` and ``A:``, also as headings ``## Front`` and ``## Back``."""
    drafts: list[_Labelled] = []
    draft: _Labelled | None = None
    above = _above_first_label(page)
    heads = ((e.depth, label(e.words)) for e in page.lines if e.kind == HEADING)
    depths = [depth for depth, found in heads if found and found.role == QUESTION]
    top = min(depths, default=0)
    for at, line in enumerate(page.lines):
        found = _label_at(at, page, draft)
        if draft is not None and not found and _waits(line, draft):
            draft.paused = True
        elif draft is not None and (at in page.taken or (not found and _closes(at, page, draft))):
            draft.end = at
            draft = None
        if found and found.role in (QUESTION, CLOZE):
            draft = _next(at, line, found, draft, drafts)
            draft.above = above if draft.depth else None
            draft.alone = draft.depth == top and depths.count(top) == 1 and not draft.number
        elif found and draft is not None:
            _answer(at, line, found, draft)
        elif draft is not None and not draft.paused and line.kind != HIDDEN:
            if line.kind == HEADING and _is_empty(draft):
                draft.depth = draft.depth or line.depth  # the question below a mere label
            _go_on(at, line, draft)
    answers = (list(map(source, each.answers.values())) for each in drafts)
    short = sum(all("\n\n" not in text for text in texts) for texts in answers)
    for each, later in zip_longest(drafts, drafts[1:]):
        each.end = each.end or len(page.lines)
        rule = any(line.kind == RULE for line in page.lines[each.end : each.end + 1])
        last = not rule and (later is None or later.start != each.end)
        yield from _of_labels(each, page, last and short >= len(drafts) - 1 and not each.depth)


def _above_first_label(page: Page) -> int | None:
    """Return the depth of the title above the first heading ``Question``, 0 without one.

    None if anything but a title precedes it.
    """
    lines = (e for e in page.lines[:40] if e.kind not in (BLANK, RULE))
    written = [each for each in lines if TAGS.sub("", each.text).strip()][:2]
    labels = [each.kind == HEADING and label(each.words) is not None for each in written]
    if labels[:1] == [True]:
        return 0
    titled = len(written) > 1 and written[0].kind == HEADING and written[0].depth < written[1].depth
    return written[0].depth if titled and labels[1] else None


def _begins_answer(at: int, page: Page, draft: _Labelled) -> bool:
    """Return whether a heading starts an answer without a label: the first below the question.

    It does not below a text that asks nothing.
    """
    line = page.lines[at]
    below = draft.above is not None and line.kind == HEADING and line.depth >= draft.depth
    if not below or draft.answers:
        return False
    later = (label(e.words) for e in page.lines[at + 1 : at + NEAR] if e.kind == HEADING)
    if next((said.role for said in later if said), "") == ANSWER:
        return False
    bare = all(not rows[0][1].strip() for rows in draft.questions.values())
    if not bare or not _has_words(draft.questions):
        return False
    texts = [text for rows in draft.questions.values() for _, text in rows if text.strip()]
    lang = language_of("\n".join(texts))
    return any(asks(clean(text)) or sets_task(text, lang) for text in texts)


def _label_at(at: int, page: Page, draft: _Labelled | None) -> Label | None:
    line = page.lines[at]
    if not page.free(at) or line.kind in (ROW, RULE):
        return None
    text = line.words if line.kind in (HEADING, ITEM) else line.text
    text = re.sub(r"^[\s>]+", "", text)
    found = label(text)
    part = found is None or (found.role == ANSWER and found.letter)
    if part and draft is not None and _begins_answer(at, page, draft):
        return _UNLABELLED
    if found is None or found.role == RESULT or (draft is None and found.role == ANSWER):
        return None
    if found.letter and found.role == ANSWER and not _answers_letter(at, page, draft, found):
        return None
    if found.letter and found.role == CLOZE and not _hides(at, page, found):
        return None
    return found


def _hides(at: int, page: Page, found: Label) -> bool:
    """Return whether ``C:`` begins a text with gaps and is not an option after ``B:``."""
    if "[" not in page.body or found.sign not in (":", "：") or page.lines[at].kind == HEADING:
        return False
    if found.rest.startswith(("\\", "/")):
        return False  # of a drive
    above = [each.text for each in page.lines[max(at - 4, 0) : at] if each.kind != BLANK]
    return not any(map(SECOND.match, above[-1:]))


def _answers_letter(at: int, page: Page, draft: _Labelled | None, found: Label) -> bool:
    """Return whether ``A:`` answers ``Q:`` and is not the first of several options."""
    if draft is None or not draft.label.letter or (draft.number and draft.label.sign != found.sign):
        return False
    return not SECOND.match(after(page.lines, at).text)


def _ends(line: Line, draft: _Labelled) -> bool:
    """Return whether an unlabelled line ends a card."""
    if line.inside or line.kind not in (HEADING, RULE):
        return False
    if line.kind == RULE:
        return bool(draft.answers) and not draft.depth
    if _is_empty(draft) and draft.depth in (0, line.depth):
        return False  # the question itself, below a mere label
    depths = (draft.depth, draft.answer_depth)  # in one language, all below the question answers
    limit = next(filter(None, depths if "" in draft.answers else depths[::-1]), 0)
    if draft.above is not None and draft.alone:
        return line.depth <= draft.above
    return not limit or line.depth <= limit


def _closes(at: int, page: Page, draft: _Labelled) -> bool:
    within = not draft.depth and bool(draft.answers) and at in page.inner
    return not within and _ends(page.lines[at], draft)


def _waits(line: Line, draft: _Labelled) -> bool:
    """Return whether a line ends an answer that continues in another language."""
    return draft.paused or (
        bool(draft.answers)
        and "" not in draft.questions
        and len(draft.answers) < len(draft.questions)
        and _ends(line, draft)
    )


def _next(
    at: int, line: Line, found: Label, draft: _Labelled | None, drafts: list[_Labelled]
) -> _Labelled:
    """Begin a card, or the same question in another language."""
    lang = found.lang or ""
    if draft is not None:
        if _is_empty(draft) or (_is_titled(draft) and line.kind != HEADING):
            draft.questions = {}
        elif draft.depth and not (
            draft.answers or found.lang or found.number or line.kind == HEADING
        ):
            _go_on(at, line._replace(text=found.rest), draft)  # below the setting of the question
            return draft
        elif lang and "" not in draft.questions and lang not in draft.questions:
            draft.questions[lang] = [(at, found.rest)]
            draft.answer_depth = 0
            return draft
        else:
            draft.end = at
            draft = None
    depth = line.depth if line.kind == HEADING else 0
    number = found.number or (line.mark if line.mark.isdigit() else None)
    if draft is None:
        draft = _Labelled(at, depth, number, found)
        drafts.append(draft)
    draft.label = found
    bold = re.match(r"(\*\*|__)(.+?[.?!:؟。？])\1\s+(\S.*)$", found.rest)
    draft.questions[lang] = [(at, bold[2] if bold and depth == 0 else _RULED.sub("", found.rest))]
    if bold and depth == 0:
        draft.answers[""] = [(at, bold[3])]
    return draft


def _answer(at: int, line: Line, found: Label, draft: _Labelled) -> None:
    if not found.lang and draft.answers and "" not in (*draft.answers, *draft.questions):
        _go_on(at, line, draft)  # a part of an answer whose language is marked
        return
    lang = found.lang or ""
    draft.paused = False
    again = lang in draft.answers and not found.letter
    if line.kind == HEADING and not again:
        draft.answer_depth = draft.depth if found is _UNLABELLED else line.depth
    draft.told_inline = bool(found.rest.strip()) and not again
    told = line.text.lstrip(" >") if found.kept or again else _RULED.sub("", found.rest)
    if line.inside and not draft.answers:
        draft.answers[lang] = _unfolded(draft)
    draft.answers.setdefault(lang, []).append((at, told))


def _unfolded(draft: _Labelled) -> list[tuple[int, str]]:
    """Take from a question the element at its end that hides the answer, and return its text."""
    rows = next(reversed(draft.questions.values()))
    opened = [n for n, (_, text) in enumerate(rows) if DETAILS.search(text)]
    if not opened:
        return []
    told = [(at, SUMMARY.sub("", DETAILS.sub("", text))) for at, text in rows[opened[-1] :]]
    del rows[opened[-1] :]
    return told


def _go_on(at: int, line: Line, draft: _Labelled) -> None:
    """Add a line to the current part of a card."""
    parts = draft.answers or draft.questions
    rows = parts[next(reversed(parts))]
    if line.kind == RULE and not rows[-1][1].strip():
        return
    text = "" if line.kind == RULE else line.text
    if parts is draft.questions:
        text = re.sub(r"^\s*>\s?", "", text)
    if text.strip() or rows[-1][1].strip() or line.kind != BLANK:
        rows.append((at, text))


def _has_words(parts: Mapping[str, list[tuple[int, str]]]) -> bool:
    return any(any(map(str.isalnum, text)) for rows in parts.values() for _, text in rows)


def _is_titled(draft: _Labelled) -> bool:
    """Return whether a draft is only a heading that asks nothing, as ``Card 1: A title``."""
    first, *more = (text for rows in draft.questions.values() for _, text in rows)
    plain = bool(draft.depth) and not draft.answers and not asks(clean(first))
    return plain and not any(each.strip() for each in more)


def _is_empty(draft: _Labelled) -> bool:
    return not draft.answers and not _has_words(draft.questions)


def _of_labels(draft: _Labelled, page: Page, single: bool) -> Iterator[Card]:
    """Yield the card from its parts; if it is a ``single`` paragraph as others, end it there."""
    rows_of = draft.questions.items()
    levels = [stated_level(text, page.stars) for _, rows in rows_of for _, text in rows]
    asked = {
        lang: source(row for row in rows if not stated_level(row[1], page.stars))
        for lang, rows in rows_of
    }
    if draft.label.role == CLOZE:
        whole = next(iter(asked.values()), "")
        if _BRACKET_GAP.search(whole):
            gaps, full = gapped(whole, NUMBERED_GAP, _BRACKET_GAP)
            yield Card("cloze", draft.start, draft.end, {"": gaps.strip()}, {"": full.strip()})
        return
    told = {
        lang: plain(page.lines[at]._replace(text=text) for at, text in rows)
        for lang, rows in draft.answers.items()
    }
    if single and draft.told_inline:
        rows = next(reversed(draft.answers.values()))
        cut = next((at for n, (at, text) in enumerate(rows) if n and not text.strip()), None)
        below = [
            at for at, _ in rows if cut is not None and at > cut and page.lines[at].kind != BLANK
        ]
        if cut is not None and below and not GOES_ON.match(page.lines[below[0]].text):
            told[next(reversed(told))] = source(row for row in rows if row[0] < cut)
            draft.end = cut
    questions = {
        lang: question(text, page) for lang, text in asked.items() if any(map(str.isalnum, text))
    }
    told = {lang: text for lang, text in told.items() if text.strip(" .…\n")}
    answers = {lang: text for lang, text in told.items() if not PLACEHOLDER.fullmatch(text)}
    if questions and told:
        first = wording(next(iter(asked.values())).partition("\n")[0], page.stars)
        yield Card(
            "fields" if len(questions) > 1 else "labels", draft.start, draft.end,
            questions, answers, number=draft.number or first.number,
            level=first.level or next(filter(None, levels), None), tags=first.tags,
        )  # fmt: skip
