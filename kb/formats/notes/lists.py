"""Lists of questions: decided for a whole file, not sentence by sentence.

Lines that may begin a question have a few kinds: headings, numbered, bold or bulleted items,
quoted lines, text lines. A kind is the list of a file if most of its lines ask (or the file says
so and they are numbered) and most words of the file are under them. Text under an item, up to the
next item or to a heading of equal or higher level, is its answer. Text under other headings is
context for the items below.
"""

from __future__ import annotations

import itertools
import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from kb.formats.notes.hidden import hides_answer
from kb.formats.notes.items import (
    BARE_NUMBER,
    BOLD,
    SOLVES,
    TASK,
    TRUTH,
    WITHIN,
    Start,
    answer_label,
    card_of,
    divided,
    is_furniture,
    is_part,
    is_remark,
    rows_of,
)
from kb.formats.notes.language import language_of
from kb.formats.notes.outline import (
    BLANK,
    CODE,
    EXERCISE,
    HEADING,
    HIDDEN,
    ITEM,
    QUOTE,
    ROW,
    RULE,
    TEXT,
    Line,
    after,
    source,
)
from kb.formats.notes.page import (
    BOX,
    LONG,
    OPTION,
    SECOND,
    Card,
    Page,
    is_answer_label,
    only_links,
    opened,
)
from kb.formats.notes.wording import (
    ANSWER,
    MARKS,
    QUESTION,
    RATING,
    About,
    about_of,
    ascii_digits,
    asks,
    asks_surely,
    clean,
    ends_asking,
    label,
    sets_task,
    split_level,
    split_number,
    wording,
)

_GOALS = re.compile(
    r"\b(?:goals|objectives|outcomes|tips|advice|check ?list|rubric|road ?map"
    r"|study (?:plan|approach|strategy)|response framework"
    r"|interview (?:process|format|strategy|framework|stages|rounds)"
    r"|how to (?:prepare|use|study|practi[cs]e|answer|approach|succeed|contribute)"
    r"|what to (?:expect|bring|prepare|study|do|say|wear)"
    r"|journal(?:ing)? (?:prompts?|questions?)|gratitude|tagebuchfragen|journal intime)\b"
    r"|^\W*(?:requirements|constraints|deliverables|instructions|submission|criteria)\W*$"
    r"|اهداف|توصیه‌ها|چگونه آماده|نحوه آمادگی|نقشه راه|روند مصاحبه|خودکاوی|روزنگاری|日记提示"
    r"|^\W*(?:requisiti|requisitos|anforderungen|exigences|требования|wymagania)\W*$"
    r"|^\W*(?:الزامات|نیازمندی‌ها|محدودیت‌ها)\W*$|要求\W*$|^\W*(?:约束|限制)(?:条件)?\W*$"
    r"|\b(?:weekly|daily|monthly|yearly|annual) (?:review|reflection)\b"
    r"|(?:wochen|tages|monats|jahres)[\W_]*(?:r(?:ü|ue)ckblick|reflexion)"
    r"|^\W*(?:c[óo]mo (?:usar|utilizar|estudiar)|instrucciones|instruções|istruzioni|anleitung"
    r"|mode d.emploi|comment utiliser|как пользоваться|инструкци[яи]|راهنمای استفاده|نحوه استفاده"
    r"|使用方法|使用说明|使い方)"
    r"|^\W*(?:tipps|consejos|conseils|consigli|dicas|советы)\b"
    r"|^\W*(?:rules|regeln|règles|regole|reglas|regras|правила|قواعد|قوانین)\W*$"
    r"|^\W*правила оформления",
    re.IGNORECASE,
)
"""Learning goals and rules, which look like tasks but ask nothing."""
_CONTENTS = re.compile(r"\W*(?:(?:table of )?contents?|toc|index|فهرست(?:\s+\S+)?)", re.IGNORECASE)
_BESIDE = re.compile(r"\s*(?:[(（](?!.*\]\()[^()（）]*[)）]\.?|[^.!?؟？]{1,200}[?؟？])\s*")
"""What belongs to the question before it: brackets without a link, or another question."""
_SHOWN = re.compile(r"\s*(?:!\[|<(?:img|figure)\b|\{%|>)")  # a picture, or a quoted question
_DIFFICULTY = re.compile(r"\W*(?:problem|مسئله|مسأله|问题|問題|문제)(?!\w)", re.IGNORECASE)
_MOST, _HALF = 0.6, 0.5
_MANY = 16  # guides and articles ask less often
_CHECKS = re.compile(
    r"\W*(?:is|are|was|were|do|does|did|can|could|should|would|will|has|have|آیا)\b",
    re.IGNORECASE,
)
_NAME = re.compile(r"^[^:：]{1,40}[:：]\s*")  # of what an item checks
_CHECKS_ELSEWHERE = re.compile(
    r"(?i)(?:ist|sind|hat|haben|kann|wird|est-ce)\b|.*吗$"
    r"|(?!.*(?:무엇|왜|어떻게|어떤|언제|누가|어디|뭐|몇)).*는가$"
)
_FEW = 10  # lines of a file for each plain one that asks
_MESSAGE = re.compile(r"\W{0,2}\d{1,4}[./-]\d{1,2}[./-]\d{2,4}\D{1,3}\d{1,2}[:.]\d\d")  # of a chat
_SEVERAL = 5  # of numbered lines, or in a folder of questions
_CLARIFIES = re.compile(
    r"clarif|rhetoric|ask yourself|questions? to\b|\bopen\b|interviewer|\b(?:notes?|mistakes)\b"
    r"|summar|خلاصه|zusammenfassung|résumé|resumen|итог|总结|まとめ|요약|ملخص"
    r"|entrevistador|интервьюер|面试官|面接官|مصاحبه[\s\u200c]?کننده|از خود\S*\s*بپرس|نکته|نکات",
    re.IGNORECASE,
)
_PRACTISED = re.compile(
    rf"{EXERCISE.pattern}|interview|quiz|exam|review|practi[cs]e|sample|technical|prüfung|klausur"
    r"|discussion|comprehension|بحث|درک مطلب|kontroll|verständnis|контрольн|самопроверк|خودآزمایی"
    r"|wiederholung|entretien|révision|entrevista|repaso|собеседован|экзамен|مصاحبه|آزمون|امتحان"
    r"|مرور|面试|面試|面接|复习|復習|考试|試験|면접|시험|복습|مقابلة|مراجعة",
    re.IGNORECASE,
)
"""Titles of questions to learn; others may be the author's own, which nobody has answered."""
_TOLD = re.compile(
    r"(?P<asked>[\"“«].+?[\"”»](?=\s*(?:→|->|=>))|[^?؟？]*!(?=\s*(?:→|->|=>)\s)"
    r"|.*?[?؟？][\"'”’»*_)]{0,3})\s*"
    r"(?:(?P<arrow>→|->|=>)\s+|(?:—|–|-|:)\s+|(?=\b(?:yes|no|بله|خیر|آری|نه)\b))(?P<told>\S.*)$",
    re.IGNORECASE | re.DOTALL,
)
"""An item that asks and answers: ``Why? → because``, ``"So." → No``, ``Is it? NO``."""
_ASIDE = re.compile(r"(?P<asked>.*?[?؟？]\S{0,3})\s*[(（](?P<told>[^()（）]+)[)）]\W*", re.DOTALL)
_WEAK = frozenset({"line", "nested", "bullet"})  # seldom the list itself
_TASK_NUMBER = re.compile(r"(\d{1,4}(?:\.\d{1,3})*)[\s.:：)–—*_-]*(.*)$")
SOLUTIONS = re.compile(
    r"\W*(?:(?:solutions?|answers?) (?:of|to|for|and)|(?:risposte|soluzioni) (?:e|alle|domande)"
    r"|(?:respuestas|respostas|soluciones) [ey]|r[ée]ponses et|antworten und|ответы и"
    r"|soluci[óo]n(?:es)? (?:de|a)|solutions? des?"
    r"|l(?:ö|oe)sung(?:en)? (?:der|zu|von)|corrig[ée]s?|correcci[óo]n)\b"
    r"|\W*(?:التصحيح|الحلول|الأجوبة)|\W*(?:حل|پاسخ)\S* (?:تمرین|سوال|سؤال|پرسش)",
    re.IGNORECASE,
)


def question_list(page: Page, *, forced: bool = False, goals: bool = False) -> list[Card]:
    """Return the questions of a file that is a list, or of its sections that say so.

    A file that names ``goals`` in its titles has only such sections.
    """
    rows = list(rows_of(page))
    page.taken.update(card.start for card in rows)
    starts = _asking(_starts(page), page)
    found = [] if goals else _listed(starts, rows, page, page.about, forced)
    if found:
        return found
    several = list(_declared(starts))
    if goals and not several:
        return []
    found = _forced([own for _, own in several], page)
    answered = {card.start for card in found if card.answers}
    sure = bool(page.about or page.filed)
    kept = [own for to_learn, own in several if sure or to_learn or answered & {e.at for e in own}]
    return _forced(kept if several else [_told(starts, page)], page)


def announces_solutions(heading: str) -> bool:
    """Return whether a heading announces the solutions of exercises above it."""
    return is_answer_label(heading) or bool(SOLUTIONS.match(heading))


def _forced(several: Sequence[Sequence[Start]], page: Page) -> list[Card]:
    chosen = [each for some in several for each in some]
    return _listed(chosen, [], page, about="questions", forced=True) if chosen else []


def _asking(starts: Sequence[Start], page: Page) -> list[Start]:
    """Return starts without items below a heading about answers, contents, goals or tips.

    A heading that occurs there repeatedly, such as ``What is it?``, structures the answers. So does
    what is below a heading that asks, unless it surely asks itself.
    """
    found: list[Start] = []
    silent = asking = 0  # the depths of the heading that does, and of the one that asks
    solved = 0  # the depth of a heading of solutions, below which a mere label asks nothing
    first = next((at for at, each in enumerate(page.lines) if each.kind == HEADING), -1)
    heads = [each for each in starts if each.kind == "heading"]
    again = Counter(each.text for each in heads if each.depth > heads[0].depth)
    for each in starts:
        if again[each.text] > 2 and each.kind == "heading" and not each.labelled:
            continue
        if asking and not each.sure and (each.kind != "heading" or each.depth > asking):
            continue
        if each.kind == "heading":
            title = each.at == first and page.about == "questions"
            asking = each.depth if ends_asking(each.text) and not title else 0
            announced = about_of(each.text) == "questions" and not names_goals(each.text)
            if silent and each.depth > silent and not (each.asks or each.labelled or announced):
                continue
            if solved and each.depth > solved and each.labelled:
                continue
            if each.depth <= (solved or 7) and each.at != first:
                solved = each.depth if announces_solutions(each.text) else 0
            lists = is_answer_label(each.text) or names_goals(each.text)
            lists |= bool(_CONTENTS.fullmatch(clean(each.text)))
            silent = each.depth if lists else 0
        if not silent or each.kind not in ("number", "bullet", "nested"):
            found.append(each)
    return found


def names_goals(title: str) -> bool:
    """Return whether a title introduces learning goals or rules, as before an interview.

    >>> names_goals("M5 Learning Goals"), names_goals("اهداف درس"), names_goals("Goal of K-means?")
    (True, True, False)
    """
    return bool(_GOALS.search(title)) and not ends_asking(title)


def _declared(starts: Sequence[Start]) -> Iterator[tuple[bool, list[Start]]]:
    """Yield the items or headings of each section that announces questions, if most ask.

    With each, whether its title says that they are to learn: they need no answer then.
    """
    for n, head in enumerate(starts):
        if head.kind != "heading" or not about_of(head.text):
            continue
        if ends_asking(head.text) or _CLARIFIES.search(head.text):
            continue
        below = [each for each in _below(starts, n) if not each.linked]
        items = list(itertools.takewhile(lambda each: each.kind != "heading", below))
        items = items or [each for each in below if each.kind != "heading"]  # in its parts
        listed = ([e for e in items if e.kind == kind] for kind in ("number", "bullet"))
        heads = [each for each in below if each.kind == "heading"]
        heads = [e for e in heads if e.depth == heads[0].depth and not names_goals(e.text)]
        bold = [e for e in items if e.kind == "bold" and (e.asks or not e.labelled)]
        for own in (*listed, bold, heads):
            sure = sum(each.asks or each.labelled for each in own)
            if sure >= _MOST * len(own) and len(own) > 2 - all(e.labelled for e in own):
                yield bool(_PRACTISED.search(head.text)), own


def _told(starts: Sequence[Start], page: Page) -> list[Start]:
    """Return the kind of headings or numbered items of which three have a labelled answer.

    The others of that kind only end these, as links do. ``Solution`` labels an answer only below
    ``Exercise 3`` or where questions are announced: elsewhere it ends the author's own problem.
    """
    told: list[Start] = []
    own = [each for each in starts if each.kind in ("heading", "number")]
    for each, end in zip(own, [*(e.at for e in own), len(page.lines)][1:], strict=True):
        below = (page.lines[at] for at in range(each.at + 1, end) if at not in page.taken)
        task = TASK.match(each.text)
        lines = (e for e in below if page.about or task or not SOLVES.match(e.words or e.text))
        named = (answer_label(e) for e in lines if e.kind in (TEXT, HEADING))
        if (each.asks or each.number or task) and any(e and not e.kept for e in named):
            told.append(each)
    name, count = next(iter(Counter(map(_name, told)).most_common(1)), ("", 0))
    least = 1 if page.about == "questions" else 3
    alike = (each for each in own if _name(each) == name and count >= least)
    return [_task(e) if e in told else e._replace(linked=True, sure=False) for e in alike]


def _task(start: Start) -> Start:
    """Return a start called ``Ejercicio 3: …`` with that number and the words behind it."""
    found = _TASK_NUMBER.search(start.text) if TASK.match(start.text) else None
    return start._replace(number=found[1], text=found[2], labelled=True) if found else start


def _below(starts: Sequence[Start], n: int) -> Iterator[Start]:
    """Yield what stands between a heading and the next one of its depth or above."""
    for each in map(starts.__getitem__, range(n + 1, len(starts))):  # a slice would copy the rest
        if each.kind == "heading" and each.depth <= starts[n].depth:
            return
        yield each


def _listed(
    starts: Sequence[Start], rows: Sequence[Card], page: Page, about: About, forced: bool
) -> list[Card]:
    kinds = _kinds(starts, page, about, forced)
    lines = sum(each.kind == "line" for each in starts)
    written = Counter(each.kind for each in page.lines if each.kind != BLANK)
    few = not about and _FEW * lines < written.total()  # as in a story
    if (few or written[HEADING] > (lines > 2)) and not forced:
        kinds -= {"line"}
    if len(page.taken) * 2 > written.total():
        kinds -= _WEAK
    items = _chosen(starts, kinds, page)
    heads = [each for each in items if each.kind == "heading"]
    asking = sum(ends_asking(clean(each.text)) for each in heads)
    if heads and not forced and (not about or 2 * asking > len(heads)):
        items = [e for e in items if e.kind != "heading" or e.asks or e.marked or e.number]
    stops = [each.at for each in starts if each.linked and items and each.kind == items[0].kind]
    cards = _posed([*divided(items, page, stops), *rows], items, page)
    if not (about or forced) and _is_check_list(items, cards):
        return []
    labelled = sum(each.labelled and each.marked and bool(each.number) for each in items)
    asking = about == "questions" and all(
        each.kind == "heading" and ends_asking(each.text) for each in items
    )
    forced = forced or ((2 * labelled >= len(items) or asking) and len(items) > 2)
    lines = {each.form for each in cards} == {"line"}
    weak = lines or not any(each.asks or each.marked for each in items)
    needed = 0 if forced else _MOST if weak else _HALF - 0.2 * bool(about)
    return cards if _share(page, lines_of(cards)) >= needed else []


def lines_of(cards: Iterable[Card]) -> set[int]:
    """Return the lines that cards cover."""
    return {at for card in cards for at in range(card.start, card.end)}


def _posed(cards: list[Card], items: Sequence[Start], page: Page) -> list[Card]:
    """Return cards without those below mere labels, ``Exercise 3``, if most of these ask nothing.

    They are solutions whose questions stand elsewhere.
    """
    heads = {e.at: e.text for e in items if e.kind == "heading" and e.labelled}
    bare = {at for at, text in heads.items() if label(text) or sum(map(str.isalpha, text)) < 2}
    own = [e for e in cards if e.start in bare]
    spans = (page.lines[e.start + 1 : e.end] for e in own if not e.answers)
    texts = [source(each for each in lines if each.kind not in (CODE, ROW)) for lines in spans]
    lang = language_of("\n".join(texts))
    silent = sum(not (_SHOWN.match(each) or sets_task(each, lang)) for each in texts)
    return [e for e in cards if e.start not in bare] if 2 * silent > len(own) else cards


def _is_check_list(items: Sequence[Start], cards: Sequence[Card]) -> bool:
    """Return whether most lines have no answer, and most ask for yes or no.

    In English and Persian, whose asking words are known, those in no such word are checks, too.
    """
    told = sum(bool(each.answers) for each in cards)
    if 2 * told >= len(cards) or any(e.marked for e in items):
        return False
    asked = [_NAME.sub("", clean(each.text)).rstrip(MARKS).rstrip() for each in items]
    known = language_of("\n".join(asked)) in ("en", "fa")
    pattern = _CHECKS if known else _CHECKS_ELSEWHERE
    checks = sum(bool(pattern.match(each)) or (known and not asks(each)) for each in asked)
    return 2 * checks > len(items)


def _share(page: Page, used: set[int]) -> float:
    """Return the share of a file's text that is in its questions, without the table of contents."""
    counts = [
        (at in used, len(LONG.findall(each.text)))
        for at, each in enumerate(page.lines)
        if at in used or not (at in page.taken or each.inside)
        if each.kind != HEADING and not (each.kind in (ITEM, ROW) and WITHIN.search(each.text))
        if each.kind == CODE or not is_furniture(each.text)
    ]
    total = sum(count for _, count in counts)
    own = sum(count for taken, count in counts if taken)
    headed = sum(1 for at, each in enumerate(page.lines) if each.kind == HEADING and at in used)
    return (own + headed) / (total + headed) if total + headed else 0.0


def exercise(page: Page, *, named: bool) -> list[Card]:
    """Return a file as one exercise, if it is ``named`` so or has a solution in such a folder."""
    heads = page.heads
    solved = page.filed and any(is_answer_label(page.lines[at].words) for at in heads)
    title = page.lines[heads[0]].words if heads else ""
    told = {each.kind for each in page.lines} - {BLANK, HIDDEN, HEADING, ROW, RULE}
    begins = told and heads and not clean(source(page.lines[: heads[0]]))
    if not begins or not (named or solved) or is_answer_label(title):
        return []
    page.homework = True
    start = _of(heads[0], "heading", page.lines[heads[0]].words, page)._replace(labelled=True)
    card = card_of(start, heads[0], len(page.lines), page)
    return [card] if card else []


# Where questions may begin.
def _starts(page: Page) -> list[Start]:
    found: list[Start] = []
    above, base = BLANK, 0
    for at, line in enumerate(page.lines):
        if page.free(at) and not line.inside:
            if line.kind == ITEM:
                base = min(base, line.depth) if base >= 0 else line.depth
            elif line.kind == HEADING:
                base = base if line.text[:1] == " " else -1  # one within an item leaves its list
            elif line.depth <= base:
                base = -1
            nested = line.kind == ITEM and line.depth >= base + 2
            start = _start(at, line, page, nested=nested)
            if start:
                found.append(start)
        within = line.kind == BLANK or (line.kind == CODE and line.text[:1] in " \t")
        above = line.kind if not within or above != ITEM else above
    found = _below_bold(found)
    ends = [*(each.at for each in found), len(page.lines)][1:]
    heads = [each for each in found if each.kind == "heading"]
    boxed = {each.at for each in heads if BOX.match(after(page.lines, each.at).text)}
    quiz = 2 * sum(each.asks for each in found if each.at in boxed) > len(boxed)
    offered = {each.at for each in found if each.number and _offers(each.at, page)}
    boxed = (boxed if quiz else set()) | (offered if len(offered) >= _SEVERAL else set())
    return [
        each._replace(asks=True, marked=True, sure=True)
        if each.at in boxed or _is_answered(page, range(each.at + 1, min(end, each.at + 9)))
        else each
        for each, end in zip(found, ends, strict=True)
    ]


def _offers(at: int, page: Page) -> bool:
    """Return whether choices with letters stand directly below a line."""
    near = [each.text for each in page.lines[at + 1 : at + 7] if each.kind != BLANK]
    return len(near) > 1 and bool(OPTION.match(near[0]) and SECOND.match(near[1]))


def _below_bold(starts: list[Start]) -> list[Start]:
    """Return starts with bullets nested in the numbered bold line above them, if it is one of many.

    Bold lines without a number then structure the answers.
    """
    bold = {each.at for each in starts if each.kind == "bold" and each.number}
    if len(bold) < _SEVERAL:
        return starts
    found: list[Start] = []
    below = False
    for each in starts:
        below = each.at in bold or (below and each.kind != "heading")
        if each.kind != "bold" or each.at in bold or not below:
            found.append(each._replace(kind="nested") if below and each.kind == "bullet" else each)
    return found


def _is_answered(page: Page, span: range) -> bool:
    """Return whether an answer label follows a line closely, outside cards."""
    lines = (page.lines[at] for at in span if at not in page.taken)
    own = (each for each in lines if each.kind in (TEXT, QUOTE, HEADING))
    found = (answer_label(e) for e in own if not SOLVES.match(e.words or e.text))
    return any(found)


def _start(at: int, line: Line, page: Page, *, nested: bool) -> Start | None:
    if line.kind == HEADING:
        return _of_heading(at, line, page)
    if line.kind == ITEM:
        return _of_item(at, line, page, nested=nested)
    if line.kind != TEXT or line.depth > 3:
        return None
    bold = BOLD.match(line.text)
    found = label(line.text)
    if found and found.role == QUESTION and found.rest and not (bold and _leads(bold)):
        return _of(at, "label", line.text.strip(), page, found.number or "")
    if bold:
        return _of_bold(at, bold, page)
    near = (page.lines[n].text if 0 <= n < len(page.lines) else "" for n in range(at - 2, at + 2))
    asked = [ends_asking(text) and not _MESSAGE.match(text) for text in near]
    told = answer_label(after(page.lines, at))
    alone = not at or page.lines[at - 1].kind == BLANK
    if alone and told and told.rest:
        return _of(at, "line", line.text.strip(), page)
    if not asked[2] or asked == [False, True, True, False]:
        return None  # no question, or the second line of one
    return _of(at, "line", line.text.strip(), page)


def _of_heading(at: int, line: Line, page: Page) -> Start | None:
    """Return the start of a heading; one that is only a number counts the heading below it."""
    if only_links(line.words) and after(page.lines, at).kind in (HEADING, BLANK):
        return Start(at, "heading", line.words, depth=line.depth, linked=True)
    bare = BARE_NUMBER.fullmatch(ascii_digits(line.words))
    if bare and _is_deeper(after(page.lines, at), line):
        return None  # the number of the heading below
    said = answer_label(line)
    if said and said.rest:
        return None
    words = f"Question {bare[1]}" if bare and page.about == "questions" else line.words
    head = _of(at, "heading", words, page, line.mark)
    above = next((e for e in page.lines[max(at - 3, 0) : at][::-1] if e.kind != BLANK), line)
    numbered = BARE_NUMBER.fullmatch(ascii_digits(above.words))
    if numbered and _is_deeper(line, above):
        head = head._replace(number=numbered[1], depth=above.depth)
    named = label(words) if head.labelled and not head.asks else None
    listed = named is not None and not (named.rest or named.number)
    listed &= after(page.lines, at).kind == ITEM and not page.homework
    if named and _asks_deeper(at, page):
        return None
    return head._replace(labelled=False, marked=False, sure=False) if listed else head


def _is_deeper(line: Line, above: Line) -> bool:
    return line.kind == above.kind == HEADING and line.depth > above.depth


def _asks_deeper(at: int, page: Page) -> bool:
    """Return whether the first line below a heading is a deeper heading that asks."""
    line = after(page.lines, at)
    return _is_deeper(line, page.lines[at]) and asks(clean(line.words))


def _of_item(at: int, line: Line, page: Page, *, nested: bool) -> Start | None:
    kind = "number" if line.mark.isdigit() else "bullet"
    if only_links(line.words):
        sure = asks(clean(line.words))
        return Start(at, kind, line.words, sure=sure, linked=True)
    text, rest = line.words, ""
    said = answer_label(line)
    if (said and said.rest) or TRUTH.fullmatch(text):
        return None
    told, bold, aside = _TOLD.match(text), BOLD.match(text), _ASIDE.fullmatch(text)
    said = label(aside["told"]) if aside else None
    if aside and said and said.role == ANSWER and said.rest:
        text, rest = aside["asked"], said.rest
    elif told and (told["arrow"] or not asks(clean(told["told"]))):
        text, rest = told["asked"], told["told"]
    elif bold and not nested and _leads(bold):
        text, rest = bold[2], bold[3]
    return _of(at, "nested" if nested else kind, text, page, line.mark, rest=rest)


def _of_bold(at: int, bold: re.Match[str], page: Page) -> Start | None:
    """Return the start of a line that begins in bold: its number, the question, or both."""
    said, rest = wording(bold[2]), bold[3].strip()
    if rest and not wording(bold[3]).text.strip(" .:"):
        return _of(at, "bold", f"{bold[2]} {rest}", page)
    number = bold[2].strip("`")
    if re.fullmatch(r"[\d۰-۹.)(:\s-]+", number):
        return _of(at, "bold", f"{number} {rest}", page, number.strip(" .):("))
    if said.number and rest and not ends_asking(bold[2]):
        return _of(at, "bold", f"{bold[2]}{bold[3]}", page, said.number)
    return _of(at, "bold", bold[2], page, said.number or "", rest=rest) if _leads(bold) else None


def _leads(bold: re.Match[str]) -> bool:
    """Return whether bold words fill a line, or ask before the rest of it answers."""
    rest = wording(bold[3]).text.strip(" :.") if bold[3].strip() else ""
    rest = "" if is_remark(rest) else rest
    return not rest or ends_asking(bold[2]) or bool(wording(bold[2]).number)


def _of(at: int, kind: str, text: str, page: Page, mark: str = "", *, rest: str = "") -> Start:
    if _BESIDE.fullmatch(rest):  # a part of the question
        text, rest = f"{text} {rest.strip()}", ""
    bare = split_level(text, page.stars)[1]
    found = label(text) or label(bare) or label(split_number(text)[1])
    labelled = found is not None and found.role == QUESTION
    asked = found.rest if found and labelled and found.rest else text
    said = wording(asked, page.stars)
    given = found.number if found and labelled else None
    number = given or said.number or (mark if mark[:1].isdigit() else "")
    words, line = clean(said.text), page.lines[at]
    listed = bool(page.about or page.deck)
    asking = asks(words)
    rated = bool(said.level) and (listed or asking or not RATING.search(asked))
    titled = bool(found and found.rest) and not (asking or page.homework)
    difficulty = _DIFFICULTY.match(text) and not (listed or page.filed)
    labelled &= not (titled and (difficulty or (found and found.sign == " ")))
    marked = rated or labelled
    return Start(
        at, kind, asked, rest, number, line.depth, asking, marked, labelled,
        sure=marked or asks_surely(words),
    )  # fmt: skip


# Which of them do.
def _kinds(starts: Sequence[Start], page: Page, about: About, forced: bool) -> frozenset[str]:
    """Return the kinds that are lists of questions; if one is required, that of most lines."""
    groups: dict[str, list[Start]] = {}
    for each in starts:
        if not _introduces(each):
            groups.setdefault(_name(each), []).append(each)
    found = {name for name, own in groups.items() if _is_list(own, starts, page, about)}
    if forced and not found and groups:
        found = {max(groups, key=lambda name: len(groups[name]))}
    return frozenset(found)


def _is_bare(own: Sequence[Start], starts: Sequence[Start], page: Page) -> bool:
    """Return whether all lines of a kind ask, and only headings stand above, or only a title."""
    lines = (e for e in page.lines[: own[0].at] if e.kind != ITEM or not WITHIN.search(e.text))
    above = [each.kind for each in lines if each.kind != BLANK]
    titled = {"heading": len(above) < 2, "line": False}.get(own[0].kind, True)
    alike = (each for each in starts if each.kind == own[0].kind and each.at >= own[0].at)
    return titled and {*above} <= {HEADING} and all(each.asks or each.linked for each in alike)


def _is_list(own: Sequence[Start], starts: Sequence[Start], page: Page, about: About) -> bool:
    """Return whether lines of one kind are a list of questions.

    Where nothing says so, they are many, numbered or rated, or the file has nothing else.
    """
    tasks = [each for each in starts if each.kind == "heading" and each.labelled]
    asking = sum(ends_asking(each.text) for each in own)
    steps = own[0].kind in ("number", "bullet") and 2 * asking <= len(own)
    if steps and (_within_tasks(own, page) or (len(tasks) == 1 and own[0].kind == "number")):
        return False  # the steps of an exercise
    asking = sum(each.asks or each.marked for each in own)
    likely = sum(each.asks or each.marked or bool(each.number) for each in own)
    needed = 0.3 if about == "questions" else _HALF
    if about and asking >= needed * len(own) and likely >= min(len(own), 2):
        return True
    sure = sum(each.sure and not each.linked for each in own)
    numbered = sum((bool(each.number) or each.marked) and not each.linked for each in own)
    if sure >= _HALF * len(own) and asking >= _MOST * len(own):
        least = (_MANY, _SEVERAL, 1)[page.filed + (numbered == len(own))]
        few = _is_bare(own, starts, page) or sum(each.marked for each in own) >= 0.8 * len(own)
        if own[0].labelled or asking >= (min(least, 2) if few else least):
            return True
    titled = own[0].kind in ("heading", "bold") and asking > 0
    listed = titled or sure >= 0.3 * len(own) if about == "interviews" else bool(about)
    listed &= titled or not _only_tells(own, page)
    return listed and numbered >= 0.8 * len(own) and len(own) > 2


def _only_tells(own: Sequence[Start], page: Page) -> bool:
    """Return whether most items are sentences that set no task, and have nothing below."""
    lang = language_of("\n".join(each.text for each in own))
    sentences = (each.text for each in own if each.text.endswith(".") and not each.asks)
    telling = sum(not sets_task(each, lang) for each in sentences)
    below = (page.lines[a.at + 1 : b.at] for a, b in itertools.pairwise(own))
    bare = sum(all(line.kind == BLANK for line in lines) for lines in below)
    return len(own) < 2 * min(telling, bare)


def _within_tasks(own: Sequence[Start], page: Page) -> bool:
    """Return whether all lines of a kind are below headings of exercises.

    These are called ``Ejercicio 3``, or a hidden answer follows the lines below them.
    """
    heads = page.heads
    last = {bisect_right(heads, each.at) - 1: each.at for each in own}
    ends = [*heads[1:], len(page.lines)]
    return all(
        n >= 0 and (TASK.match(page.lines[heads[n]].words) or _is_solved(at, ends[n], page))
        for n, at in last.items()
    )


def _is_solved(at: int, end: int, page: Page) -> bool:
    """Return whether an element that hides an answer is behind a line of a section."""
    behind = (
        n for n in range(at + 1, end)
        if page.lines[n].kind != CODE and "<details" in page.lines[n].text.lower()
    )  # fmt: skip
    begin = next(behind, end)
    found = opened("\n".join(each.text for each in page.lines[begin:end]))
    return found is not None and hides_answer(found[0])


def _chosen(starts: Sequence[Start], kinds: frozenset[str], page: Page) -> list[Start]:
    """Return the starts that are items of the file's list."""
    if not kinds:
        return []
    counts: dict[str, float] = {}
    for each in starts:
        if (name := _name(each)) in kinds:
            weight = (each.asks or each.marked) + 0.25 * bool(each.number)
            counts[name] = counts.get(name, 0) + weight
    asking = {_name(each) for each in starts if each.asks or each.marked}
    counts = {name: n for name, n in counts.items() if name in asking} or counts
    order = ["heading", "bold", "number", "label", "bullet", "line", "nested"]
    weighed = {name: n * (0.4 if name in _WEAK else 1.0) for name, n in counts.items()}
    tops = sum(e.asks and not e.linked and e.kind in kinds & {"number", "bullet"} for e in starts)
    if tops >= _SEVERAL:
        counts.pop("nested", None)
    main = max(counts, key=lambda name: (weighed[name], -order.index(name.split()[0])))
    alike = [e for e in starts if _name(e) == main and not _introduces(e)]
    own = [e for e in alike if e.sure or not is_part(e.text)]
    few = 2 * sum(each.linked for each in own) < len(own)
    own = [each for each in own if not each.linked or (few and each.sure)]
    items = _sequence(own, page) if main != "line" else own
    if main.startswith("heading"):  # without those before the first question and after the last
        sure = [n for n, each in enumerate(items) if each.asks or each.number or each.marked]
        items = items[sure[0] : sure[-1] + 1] if sure else items
    else:
        items = _with_nested(items, alike, starts)
    return _with_sections(items, starts, kinds)


def _introduces(start: Start) -> bool:
    """Return whether a heading or bold line names goals, or says that there are questions."""
    if start.kind not in ("heading", "bold") or start.number or start.labelled:
        return False
    return not asks_surely(start.text) and bool(names_goals(start.text) or about_of(start.text))


def _name(start: Start) -> str:
    if start.kind != "heading":
        return start.kind
    return "heading label" if start.labelled else f"heading {start.depth}"


def _sequence(own: Sequence[Start], page: Page) -> list[Start]:
    """Return the starts of a kind that continue the numbering or ask, or stand among such."""
    heads, among = page.heads, _among_questions(own, page)
    numbered = sum(bool(each.number) for each in own) >= 0.8 * len(own)
    levelled = sum(each.marked for each in own) >= 0.8 * len(own)
    alike = sum(each.number == "1" for each in own) > 0.5 * len(own)
    asked = {(bisect_right(heads, e.at), e.number): e.at for e in own if e.asks and e.number}
    kept: list[Start] = []
    last, part = 0, -1
    for each in own:
        digits = re.findall(r"\d{1,9}", each.number)
        number = int(digits[-1]) if digits else 0
        section = bisect_right(heads, each.at)
        sure = each.asks or each.marked
        goes_on = number == last + 1 or alike or (number == 1 and section != part)
        again = not alike and asked.get((section, each.number), -1) > each.at
        fits = each.number and (each.at in among or (goes_on and not again))
        if not sure and (levelled or (numbered and not fits)):
            continue
        kept.append(each)
        last, part = number or last, section
    if numbered or all(each.asks or each.marked for each in own):
        return kept
    if kept[0].kind == "bold":
        return [each for each in kept if each.asks]
    if kept[0].kind == "bullet":  # only those of sections in which half of them ask
        parts = itertools.groupby(kept, lambda each: bisect_right(heads, each.at))
        sections = [list(some) for _, some in parts]
        return [e for s in sections if 2 * sum(e.asks for e in s) >= len(s) for e in s]
    return kept


def _among_questions(own: Sequence[Start], page: Page) -> set[int]:
    """Return the lines of items in rows that mostly ask, with nothing between their items."""
    found: set[int] = set()
    row: list[Start] = []
    for each in (*own, None):
        between = page.lines[row[-1].at + 1 : each.at] if row and each else ()
        if row and (each is None or any(line.kind != BLANK for line in between)):
            if 2 * sum(e.asks or e.marked for e in row) > len(row):
                found |= {e.at for e in row}
            row = []
        if each:
            row.append(each)
    return found


def _with_nested(items: list[Start], own: Sequence[Start], starts: Sequence[Start]) -> list[Start]:
    """Add questions below an item that only introduces them, in place of the item."""
    bounds = [each.at for each in own]
    below: dict[int, list[Start]] = {}
    for each in starts:
        above = bisect_right(bounds, each.at) - 1
        if each.kind == "nested" and above >= 0:
            below.setdefault(bounds[above], []).append(each)
    chosen, asked = {}, list[Start]()
    for item in items:
        parts = below.get(item.at, [])
        asks = item.marked or item.sure or (item.asks and not item.text.endswith((":", "：")))
        asking = sum(each.asks for each in parts)
        if asks or item.rest or len(parts) < 2 or asking < _MOST * len(parts):
            chosen[item.at] = item
            if not item.rest and all(each.asks and each.rest for each in parts):
                asked += parts
        else:
            asked += below.pop(item.at)
    others = (each for at, parts in below.items() if at not in chosen for each in parts)
    asked += (each for each in others if each.asks)
    return sorted([*chosen.values(), *asked])


def _with_sections(
    items: list[Start], starts: Sequence[Start], kinds: frozenset[str]
) -> list[Start]:
    """Add items of other kinds in sections without items of the main kind."""
    if not items:
        return items
    depth = min((each.depth for each in items if each.kind == "heading"), default=7)
    chosen = {each.at for each in items}
    heads = [each for each in starts if each.kind == "heading" and each.at not in chosen]
    bounds = [each for each in heads if each.depth < depth]
    places = sorted(chosen)
    out = list(items)
    lines = [each.at for each in starts]
    alike = depth < 7 and not items[0].labelled  # then other headings that ask are questions, too
    for head, end in zip([None, *bounds], [*(e.at for e in bounds), 1 << 60], strict=True):
        low = head.at if head else -1
        at = bisect_right(places, low)
        if at < len(places) and places[at] < end:
            continue
        if head and head.asks and (_name(head) in kinds or (alike and ends_asking(head.text))):
            out.append(head)
            continue
        below = starts[bisect_right(lines, low) : bisect_left(lines, end)]
        own = [each for each in below if _name(each) in kinds]
        own = [each for each in own if each.kind not in ("line", "nested") and not each.linked]
        own = [each for each in own if each.asks or each.marked]
        if head:
            out += [each for each in own if each.kind == own[0].kind]
    return sorted(out)
