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
from dataclasses import replace
from typing import NamedTuple

from kb.formats.notes.forms import (
    BOX,
    LEVEL,
    LOGSEQ,
    OPTION,
    PLACEHOLDER,
    SECOND,
    Card,
    Page,
    bare_summary,
    cells_of,
    hides_answer,
    is_answer_label,
    is_choice,
    is_hint,
    navigates,
    only_links,
    opened,
    tables,
    ticked,
    tidy,
    untick,
    without_lead,
)
from kb.formats.notes.language import language_of
from kb.formats.notes.matter import is_tag_line, stated_tags
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
from kb.formats.notes.wording import (
    ANSWER,
    MARKS,
    QUESTION,
    RATING,
    RESULT,
    About,
    Label,
    about_of,
    ascii_digits,
    asks,
    asks_surely,
    clean,
    ends_asking,
    heading_level,
    label,
    level_of,
    sets_task,
    split_level,
    split_number,
    stated_level,
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
_BOLD = re.compile(r"^\s*(\*\*\*|\*\*|__)(?=[^\s*])(.+?)(?<=\S)\1(.*)$")
_BESIDE = re.compile(r"\s*(?:[(（](?!.*\]\()[^()（）]*[)）]\.?|[^.!?؟？]{1,200}[?؟？])\s*")
"""What belongs to the question before it: brackets without a link, or another question."""

_LAYOUT = re.compile(
    r"^\s*(?:(?:</?(?:br|p|div|center|article|section|b|strong|i|em|a|span|hr)\b(?:\s[^<>]*)?/?>"
    r"|&nbsp;|\{%(?!\s*embed\b)[^{}\n]*%\}|\{\{[<%][^{}\n]*[%>]\}\}|\{:[^{}\n]*\})\s*)+$",
    re.IGNORECASE,
)
"""Tags of HTML and of templates (Liquid, Hugo, kramdown) that say nothing themselves."""
_WRAPPER = re.compile(r"<(/?)(?:div|p|center|span)\b", re.IGNORECASE)
_WITHIN = re.compile(r"\]\((?:#|\))")  # a link within the file, or to nothing
_ELSEWHERE = re.compile(r"\[[^\[\]\n]+\]\((?!\w+:)[^()#\n]+\.md(?:#[^()\n]*)?\)")  # a file of notes
_FOLLOWS = re.compile(
    r"\b(?:following|below|this)\b.{0,40}\b(?:code|snippet|program)|قطعه\s?کد|کد زیر"
    r"|این (?:کد|برنامه)|برنامه[‌ ]?(?:ی|ٔ)? زیر|\bfollowing (?:\w+ ){0,3}(?:statement|query)\b",
    re.IGNORECASE,
)
_REFERS = re.compile(
    r"\b(?:following|below|for these|assume|consider|suppose|given (?:the|an?)"
    r"|use (?:the|this) (?:\w+ )?(?:tables?|data\w*|schema|code|figure|text|model))\b"
    r"|\bزیر\b|فرض کنید|داده شده",
    re.IGNORECASE,
)
_SHOWS = re.compile(r"^\s*(?:`{3}|~{3}|\||\$\$)|!\[|<img\b", re.MULTILINE)
_OFFERS = re.compile(
    r"^[ \t]*(?:[-*+][ \t]+)?A[.):、．][^\n]*\n[ \t]*(?:[-*+][ \t]+)?B[.):、．]", re.MULTILINE
)  # options of several questions
_SHOWN = re.compile(r"\s*(?:!\[|<(?:img|figure)\b|\{%|>)")  # a picture, or a quoted question
_DIFFICULTY = re.compile(r"\W*(?:problem|مسئله|مسأله|问题|問題|문제)(?!\w)", re.IGNORECASE)
_GUIDES = re.compile(
    r"\W*(?:(?:guide|hints?|tips|notes|review|hinweise|tipps|pistas)\b|راهنما|نکات|提示|ヒント)",
    re.IGNORECASE,
)
_SOLVES = re.compile(
    r"[\W_]*(?:solution|soluci[óo]n|soluzion|solução|l(?:ö|oe)sung|решени|rozwiąz|çözüm|解决|(?:راه.?|ال)?حل\b)",
    re.IGNORECASE,
)
_GIVES = re.compile(
    r"output|print|logged|console|\bresult|\bvalue of|\breturns?\b|evaluate|خروجی|مقدار|چاپ|نتیجه",
    re.IGNORECASE,
)
_GAP = re.compile(r"(?<![\w_])_{4,}(?![\w_])")
_TO_FILL = re.compile(
    r"\byour (?:(?:code|solution|answer)s?\b.{0,9}\bhere\b|(?:calculation|answer|response)s? ?:)",
    re.IGNORECASE,
)
_WRITES = re.compile(
    r"\b(?:write|implement|how (?:to|do you|can you))\b|بنویس|پیاده[‌ ]?سازی", re.IGNORECASE
)
_UNBROKEN = re.compile(r"(?<!  )(?<!\\)\n(?!\s{0,9}\(?[A-Ha-h][.)])")
"""An end of a line where a paragraph goes on: no hard break, and no option below."""
_PARAGRAPH_END = re.compile(r"\n\n|\n(?=\s*(?:(?:[-*+]|#{1,6}|\d{1,4}[.)])\s|`{3}|~{3}|\||\$\$))")
_WORD = re.compile(r"\w{3,}")
_LONGEST = 4000  # characters of a text that questions below it need
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
    r"|kontroll|verständnis|контрольн|самопроверк|خودآزمایی"
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
_CHOICES = re.compile(
    r"\W*(?:answer )?(?:choices|options|opciones|opções|optionen"
    r"|варианты(?: ответа)?|گزینه‌ها|选项|選択肢)\W*[:：]",
    re.IGNORECASE,
)
_TRUTH = re.compile(
    r"\W*(?:true|false|yes|no|vrai|faux|oui|non|wahr|richtig|falsch|ja|nein|verdader[oa]|falso|sí"
    r"|ver[oa]|fals[oa]|не?верно|да|нет|doğru|yanlış|درست|نادرست|غلط|صحیح|بله|خیر|对|错|正确|错误)\W*",
    re.IGNORECASE,
)
"""An option of a question whether something is true."""
_WEAK = frozenset({"line", "nested", "bullet"})  # seldom the list itself
_ORDERS = re.compile(r"\W*(?:\w{3,}ez|\w{2,}n Sie)\b")  # French and German
_TASKS = (
    r"\W*(?:exercises?|problems?|puzzle|exercices?|exerc[ií]cio|ejercicios?|esercizio|aufgaben?|übung"
    r"|problema?|zadanie|zadatak|задача|задание|упражнение|soru|alıştırma|oppgave|opgave|uppgift"
    r"|oefening|úloha|cvičení|练习|練習|习题|習題|演習|問題|题|題|تمرین|مسئله|مسأله)"
)
_EXERCISE = re.compile(rf"{_TASKS}(?![^\W\d])", re.IGNORECASE)
_TASK = re.compile(rf"{_TASKS}\W{{0,4}}\d", re.IGNORECASE)
"""A heading whose text belongs to each question below it."""
_TASK_NUMBER = re.compile(r"(\d{1,4}(?:\.\d{1,3})*)[\s.:：)–—*_-]*(.*)$")
_TABS = re.compile(r'^[ \t>]*===[!+]? "', re.MULTILINE)
SOLUTIONS = re.compile(
    r"\W*(?:(?:solutions?|answers?) (?:of|to|for|and)|(?:risposte|soluzioni) (?:e|alle|domande)"
    r"|(?:respuestas|respostas|soluciones) [ey]|r[ée]ponses et|antworten und|ответы и"
    r"|soluci[óo]n(?:es)? (?:de|a)|solutions? des?"
    r"|l(?:ö|oe)sung(?:en)? (?:der|zu|von)|corrig[ée]s?|correcci[óo]n)\b"
    r"|\W*(?:التصحيح|الحلول|الأجوبة)|\W*(?:حل|پاسخ)\S* (?:تمرین|سوال|سؤال|پرسش)",
    re.IGNORECASE,
)
_BARE_NUMBER = re.compile(r"\W{0,4}(\d{1,3}(?:-\d{1,2})?)\W{0,4}")
_ALL_BOLD = re.compile(r"\s*(\*\*|__)(?!\s)(?:(?!\1).)+\1\s*")
_NUMBERED = re.compile(r"(?:\*\*|__)`?\d{1,3}`?[.)]?(?:\*\*|__)[.)]?(?:\s|$)")


class Start(NamedTuple):
    """A line that may begin a question: its kind, number and words, and whether it asks."""

    at: int
    kind: str
    text: str
    rest: str = ""
    number: str = ""
    depth: int = 0
    asks: bool = False
    marked: bool = False
    labelled: bool = False
    sure: bool = False
    linked: bool = False


def question_list(page: Page, *, forced: bool = False, goals: bool = False) -> list[Card]:
    """Return the questions of a file that is a list, or of its sections that say so.

    A file that names ``goals`` in its titles has only such sections.
    """
    rows = list(_rows(page))
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
    sure = bool(page.about or page.filed) and not goals
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
            if solved and each.depth > solved and each.labelled and not each.asks:
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
            sure = sum(each.asks or (each.labelled and bool(each.number)) for each in own)
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
        task = _TASK.match(each.text)
        lines = (e for e in below if page.about or task or not _SOLVES.match(e.words or e.text))
        named = (_answer_label(e) for e in lines if e.kind in (TEXT, HEADING))
        if (each.asks or each.number or task) and any(e and not e.kept for e in named):
            told.append(each)
    name, count = next(iter(Counter(map(_name, told)).most_common(1)), ("", 0))
    least = 1 if page.about == "questions" else 3
    alike = (each for each in own if _name(each) == name and count >= least)
    return [_task(e) if e in told else e._replace(linked=True, sure=False) for e in alike]


def _task(start: Start) -> Start:
    """Return a start called ``Ejercicio 3: …`` with that number and the words behind it."""
    found = _TASK_NUMBER.search(start.text) if _TASK.match(start.text) else None
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
    items = _chosen(starts, kinds)
    heads = [each for each in items if each.kind == "heading"]
    asking = sum(ends_asking(clean(each.text)) for each in heads)
    if heads and not forced and (not about or 2 * asking > len(heads)):
        items = [e for e in items if e.kind != "heading" or e.asks or e.marked or e.number]
    stops = [each.at for each in starts if each.linked and items and each.kind == items[0].kind]
    cards = list(_divided(items, page, stops))
    taken = lines_of(cards)
    cards = _posed([*cards, *(card for card in rows if card.start not in taken)], items, page)
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

    They are solutions whose questions stand elsewhere. A question in tabs is left out: one of
    them answers.
    """
    heads = {e.at: e.text for e in items if e.kind == "heading" and e.labelled}
    bare = {at for at, text in heads.items() if label(text) or sum(map(str.isalpha, text)) < 2}
    own = [e for e in cards if e.start in bare]
    spans = (page.lines[e.start + 1 : e.end] for e in own if not e.answers)
    texts = [source(each for each in lines if each.kind not in (CODE, ROW)) for lines in spans]
    lang = language_of("\n".join(texts))
    silent = sum(not (_SHOWN.match(each) or sets_task(each, lang)) for each in texts)
    cards = [e for e in cards if not any(map(_TABS.search, e.question.values()))]
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


def words(text: str) -> list[str]:
    """Return words of at least three letters."""
    return _WORD.findall(text)


def _share(page: Page, used: set[int]) -> float:
    """Return the share of a file's text that is in its questions, without the table of contents."""
    counts = [
        (at in used, len(_WORD.findall(each.text)))
        for at, each in enumerate(page.lines)
        if at in used or not (at in page.taken or each.inside)
        if each.kind != HEADING and not (each.kind in (ITEM, ROW) and _WITHIN.search(each.text))
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
    if not begins or not (named or solved) or _GUIDES.match(title) or is_answer_label(title):
        return []
    page.homework = True
    start = _of(heads[0], "heading", page.lines[heads[0]].words, page)._replace(labelled=True)
    card = _card(start, heads[0], len(page.lines), page)
    return [card] if card else []


# Where questions may begin.


def _starts(page: Page) -> list[Start]:
    found: list[Start] = []
    above, base = BLANK, 0
    for at, line in enumerate(page.lines):
        if page.free(at) and not line.inside:
            if line.kind == ITEM:
                base = min(base, line.depth) if base >= 0 else line.depth
            elif (line.kind not in (BLANK, CODE) and line.depth <= base) or line.kind == HEADING:
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
    found = ((e, _answer_label(e)) for e in own if not _SOLVES.match(e.words or e.text))
    return any(said and (said.rest or each.kind != HEADING) for each, said in found)


def _answer_label(line: Line) -> Label | None:
    """Return the answer label of more than a letter at the start of a line."""
    found = label((line.words or line.text).strip("> ")[:200])
    return found if found and found.role == ANSWER and not found.letter else None


def _start(at: int, line: Line, page: Page, *, nested: bool) -> Start | None:
    if line.kind == HEADING:
        return _of_heading(at, line, page)
    if line.kind == ITEM:
        return _of_item(at, line, page, nested=nested)
    if line.kind != TEXT or line.depth > 3:
        return None
    bold = _BOLD.match(line.text)
    found = label(line.text)
    if found and found.role == QUESTION and found.rest and not (bold and _leads(bold)):
        return _of(at, "label", line.text.strip(), page, found.number or "")
    if bold:
        return _of_bold(at, bold, page)
    near = (page.lines[n].text if 0 <= n < len(page.lines) else "" for n in range(at - 2, at + 2))
    asked = [ends_asking(text) and not _MESSAGE.match(text) for text in near]
    if not asked[2] or asked == [False, True, True, False]:
        return None  # no question, or the second line of one
    return _of(at, "line", line.text.strip(), page)


def _of_heading(at: int, line: Line, page: Page) -> Start | None:
    """Return the start of a heading; one that is only a number counts the heading below it."""
    if only_links(line.words) and after(page.lines, at).kind in (HEADING, BLANK):
        return Start(at, "heading", line.words, depth=line.depth, linked=True)
    bare = _BARE_NUMBER.fullmatch(ascii_digits(line.words))
    if bare and _is_deeper(after(page.lines, at), line):
        return None  # the number of the heading below
    said = _answer_label(line)
    if said and said.rest and not said.kept:
        return None
    head = _of(at, "heading", line.words, page, line.mark)
    above = next((e for e in page.lines[max(at - 3, 0) : at][::-1] if e.kind != BLANK), line)
    numbered = _BARE_NUMBER.fullmatch(ascii_digits(above.words))
    if numbered and _is_deeper(line, above):
        head = head._replace(number=numbered[1], depth=above.depth)
    named = label(line.words) if head.labelled and not head.asks else None
    listed = named is not None and not (named.rest or named.number)
    listed &= after(page.lines, at).kind == ITEM and not page.homework
    if named and (_asks_deeper(at, page) or is_answer_label(named.rest.lstrip("-–— "))):
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
    said = _answer_label(line)
    if (said and said.rest and not said.kept) or _TRUTH.fullmatch(text):
        return None
    told, bold, aside = _TOLD.match(text), _BOLD.match(text), _ASIDE.fullmatch(text)
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


def _is_remark(text: str) -> bool:
    """Return whether a text after a question says in brackets, with a link, where it was asked."""
    return bool(re.fullmatch(r"\((?:[^()]|\([^()]*\))*\)", text)) and "](" in text[1:-1]


def _leads(bold: re.Match[str]) -> bool:
    """Return whether bold words fill a line, or ask before the rest of it answers."""
    rest = wording(bold[3]).text.strip(" :.") if bold[3].strip() else ""
    rest = "" if _is_remark(rest) else rest
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
    lines = (e for e in page.lines[: own[0].at] if e.kind != ITEM or not _WITHIN.search(e.text))
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
    return listed and numbered >= 0.8 * len(own) and len(own) > 2


def _within_tasks(own: Sequence[Start], page: Page) -> bool:
    """Return whether all lines of a kind are below headings of exercises.

    These are called ``Ejercicio 3``, or a hidden answer follows the lines below them.
    """
    heads = page.heads
    last = {bisect_right(heads, each.at) - 1: each.at for each in own}
    ends = [*heads[1:], len(page.lines)]
    return all(
        n >= 0 and (_TASK.match(page.lines[heads[n]].words) or _is_solved(at, ends[n], page))
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


def _chosen(starts: Sequence[Start], kinds: frozenset[str]) -> list[Start]:
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
    own = [e for e in alike if e.sure or not _is_part(e.text)]
    few = 2 * sum(each.linked for each in own) < len(own)
    own = [each for each in own if not each.linked or (few and each.sure)]
    heads = [each.at for each in starts if each.kind == "heading"]
    items = _sequence(own, heads) if main != "line" else own
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


def _is_part(heading: str) -> bool:
    """Return whether a heading announces what follows, as a part of what precedes.

    >>> _is_part("**Key points:**"), _is_part("3. Write a query:"), _is_part("What is it:")
    (True, False, False)
    """
    said, named = wording(heading), label(heading)
    words = clean(said.text)
    asking = said.number or asks(words) or (named and named.role == QUESTION)
    return words.endswith((":", "：")) and not asking


def _name(start: Start) -> str:
    if start.kind != "heading":
        return start.kind
    return "heading label" if start.labelled else f"heading {start.depth}"


def _sequence(own: Sequence[Start], heads: Sequence[int]) -> list[Start]:
    """Return the starts of a kind that continue the numbering or ask."""
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
        if not sure and (levelled or (numbered and (not each.number or not goes_on or again))):
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
        return [e for s in sections if 2 * sum(e.asks or e.marked for e in s) >= len(s) for e in s]
    return kept


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
        asking = sum(each.asks or each.marked for each in parts)
        if asks or item.rest or len(parts) < 2 or asking < _MOST * len(parts):
            chosen[item.at] = item
            if not item.rest and all(each.asks and each.rest for each in parts):
                asked += parts
        else:
            asked += below.pop(item.at)
    others = (each for at, parts in below.items() if at not in chosen for each in parts)
    asked += (each for each in others if each.asks or each.marked)
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
            if head and head.number and ends_asking(head.text) and _name(head) in kinds:
                out.append(head)
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


# What stands under them.


def _divided(items: Sequence[Start], page: Page, stops: Sequence[int]) -> Iterator[Card]:
    chosen = {each.at: each for each in items}
    order = sorted(chosen)
    outside = _answers_outside(order, page)
    stems = _stems(chosen, page)
    stops = sorted({*stops, *(lines.start for lines in stems.values())})
    foot = _foot(order, page)
    section, at = 1, 0
    for start, limit in zip(order, [*order, len(page.lines)][1:], strict=True):
        for line in page.lines[at:start]:
            if line.kind == HEADING and not line.inside:
                section = line.depth
        behind = bisect_right(stops, start)
        stop = stops[behind : behind + 1]
        limit = min([limit, *stop])
        end = _end_of(chosen[start], start, min(limit, foot), section, page)
        if chosen[start].kind in ("number", "bullet", "nested") and not outside:
            cut = _end_of_item(start, end, page)
            end = end if _answer_label(after(page.lines, cut - 1)) else cut
        card = _card(chosen[start], start, end, page)
        if card and not _is_topic(chosen[start], page):
            if start in stems:
                lead, *rest = page.lines[stems[start]]
                words = lead.words if lead.kind == ITEM else _NUMBERED.sub("", lead.text)
                context = f"{words}\n\n{source(rest)}".strip()
                card = replace(card, context=context if any(map(str.isalnum, context)) else "")
            yield card
        at = start + 1


def _is_topic(item: Start, page: Page) -> bool:
    """Return whether a heading that asks nothing has a card of another form directly below it."""
    below = (n for n in range(item.at + 1, len(page.lines)) if page.lines[n].kind != BLANK)
    asking = item.kind != "heading" or item.asks or item.labelled
    return not asking and next(below, -1) in page.taken


def _foot(order: Sequence[int], page: Page) -> int:
    """Return where text below the last item and a rule begins, if no other item has such text."""
    found = 0
    for start, end in itertools.pairwise([*order, len(page.lines)]):
        if found:
            return len(page.lines)
        kinds = [each.kind for each in page.lines[start:end]]
        rule = kinds.index(RULE) if RULE in kinds else len(kinds)
        below = itertools.takewhile(lambda kind: kind != HEADING, kinds[rule:])
        found = start + rule if {TEXT, ITEM, CODE} & {*below} else 0
    return found if found and len(order) > 1 else len(page.lines)


def _stems(chosen: dict[int, Start], page: Page) -> dict[int, slice]:
    """Return for questions within an item, or below a numbered bold line, the lines of that."""
    found: dict[int, slice] = {}
    below: dict[int, int] = {}  # the first item below a line
    lists: list[int] = []
    lead: int | None = None
    for at, line in enumerate(page.lines):
        if line.inside or line.kind in (BLANK, CODE):
            continue
        if line.kind == ITEM:
            while lists and page.lines[lists[-1]].depth >= line.depth:
                lists.pop()
            around, kinds = (lists[-1], ["nested"]) if lists else (lead, ["nested", "bullet"])
            if around is not None:
                low = below.setdefault(around, at)
                if at in chosen and chosen[at].kind in kinds and around not in chosen:
                    found[at] = slice(around, low)
            lists.append(at)
        elif line.text[:1] not in " \t":
            lists.clear()
            if line.kind == HEADING or _NUMBERED.match(line.text):
                lead = None if line.kind == HEADING else at
    return found


def _end_of(item: Start, start: int, limit: int, section: int, page: Page) -> int:
    """Return where an item ends: at the next item, at a heading of its level, at a card."""
    first, depth = page.lines[start], item.depth if item.kind == "heading" else section
    for at in range(start + 1, limit):
        line = page.lines[at]
        if at in page.taken:
            return at
        same = item.kind == "bullet" and line.depth == first.depth
        around = line.kind == ITEM and (same or line.depth + 2 <= first.depth)
        if around and first.kind == ITEM and not line.inside:
            return at  # an item of this list, or of the one around it
        if line.kind != HEADING or line.inside or line.depth > depth:
            continue
        inner = _is_part(line.words) or (
            is_answer_label(line.words) and after(page.lines, at).kind != HEADING
        )
        if item.kind != "heading" or line.depth < depth or not inner:
            return at
    return limit


def _answers_outside(order: Sequence[int], page: Page) -> bool:
    """Return whether unindented text stands between items, as an answer would."""
    parted = [_end_of_item(a, b, page) < b for a, b in itertools.pairwise(order)]
    return sum(parted) * 2 > len(parted) or len(order) == 1


def _end_of_item(start: int, end: int, page: Page) -> int:
    """Return where the text of an item ends that is indented or directly below it."""
    depth = page.lines[start].depth
    for at in range(start + 1, end):
        line = page.lines[at]
        indented = (line.text[:1] in " \t" and line.depth > depth) or line.kind in (CODE, HIDDEN)
        if line.kind in (BLANK, ITEM, ROW) or indented or line.inside:
            continue
        if page.lines[at - 1].kind == BLANK:
            return at
    return end


def placed(cards: Sequence[Card], page: Page, *, contexts: bool) -> list[Card]:
    """Return cards with the headings above them, the level that these name, and their context.

    Context is the text between a heading and the first card below it, if it shows something,
    refers to what follows, or is an exercise. Other text is about the file or its author.
    """
    out: list[Card] = []
    sections: list[Line] = []
    at, low, context = 0, 0, ""
    for card in cards:
        for place in range(at, card.start):
            line = page.lines[place]
            if line.kind == HEADING and not line.inside:
                sections = [*(each for each in sections if each.depth < line.depth), line]
                low, context = place + 1, ""
            elif low < 0 and line.kind == TEXT and (bold := _BOLD.match(line.text)) and not bold[3]:
                context = "" if navigates(line.text) else line.text.strip()
        first = page.lines[card.start]
        beside = bool(sections) and sections[-1].depth >= first.depth and not page.homework
        if first.kind == HEADING and beside:
            sections = [each for each in sections if each.depth < first.depth]
            low, context = -1, ""
        if low >= 0:
            above = page.homework or bool(sections and _TASK.match(sections[-1].words))
            context = _needed(_prose(page.lines[low : card.start]), whole=above)
            low = -1
        named = (each.words for each in sections if not _BARE_NUMBER.fullmatch(each.words))
        topics = (clean(wording(each).text).strip(" :：") for each in named)
        levels = [level for each in sections if (level := heading_level(each.words))]
        card = replace(
            card, topics=tuple(filter(None, topics)),
            context="\n\n".join(filter(None, [context if contexts else "", card.context])),
            level=card.level or (levels[-1] if levels else None),
        )  # fmt: skip
        out.append(card)
        at = max(at, card.end)
    return out


def _needed(above: str, *, whole: bool) -> str:
    """Return the preceding text that questions need: all, its last bold line, or none."""
    if len(above) > _LONGEST:
        return ""
    if whole or any(each.search(above) for each in (_SHOWS, _REFERS, _OFFERS)):
        return above
    last = above.rpartition("\n\n")[2]
    bold = _BOLD.match(last)
    return last if bold and not bold[3] else ""


def _prose(lines: Sequence[Line]) -> str:
    """Return lines without those that only link, show a badge or arrange."""
    kept: list[Line] = []
    no_text = (navigates, is_tag_line, _LAYOUT.match)
    told = (e for e in lines if e.kind == CODE or not any(each(e.text) for each in no_text))
    for blank, some in itertools.groupby(told, lambda each: each.kind == BLANK):
        part = list(some)
        text = "\n".join(each.text for each in part)
        if not (
            blank
            or part[0].kind in (RULE, HIDDEN)
            or only_links(text)
            or not any(char.isalnum() for char in re.sub(r"<[^<>]*>", "", text))
        ):
            kept += [*part, Line(0, "", BLANK)]
    return source(kept)


def _card(item: Start, start: int, end: int, page: Page) -> Card | None:
    """Return an item's question and answer."""
    said = wording(item.text, page.stars)
    text, body = said.text, list(page.lines[start + 1 : end])
    first = page.lines[start]
    whole = _ALL_BOLD.fullmatch(first.words) and body and not sets_task(body[0].text, "en")
    goes_on = 0 if whole else _goes_on(item, body)
    gap = "\n" if item.kind == "line" or first.text.endswith(("  ", "\\")) else " "
    text = gap.join([text, *(each.text.strip() for each in body[:goes_on])])
    body = body[goes_on:]
    if item.rest.strip(" :：*_") and not _is_remark(item.rest.strip()):
        body.insert(0, first._replace(text=item.rest.strip(), kind=TEXT))
    leads = [each.kind != CODE and navigates(each.text) for each in body]
    ends = (n for n, each in enumerate(leads) if each and after(body, n).kind == RULE)
    below = zip(body[: next(ends, len(body))], leads, strict=False)
    body = [each for each, led in below if not led]
    while body and (body[-1].kind == RULE or _arranges(body[-1])):
        body.pop()
    body = [*itertools.dropwhile(lambda each: each.kind in (BLANK, RULE), body)]
    tags = stated_tags(body[0].text) if body else ()
    body = without_lead(body[bool(tags) :])
    levels = [level for each in body[:4] if (level := stated_level(each.text, page.stars))]
    if levels:
        body = [e for e in body if e not in body[:4] or not stated_level(e.text, page.stars)]
    named = label(split_level(item.text, page.stars)[1]) if item.labelled else None
    bare = named is not None and not named.rest
    text = "" if bare else text
    asked, told = _asked_and_told(text, body, page)
    if item.labelled and not asked and _only_asks(item, bare, body, page):
        asked, told = _text(body), ""
    elif item.labelled and not asked and bare:
        asked, told = _first_asked(body)
    question = clean(text) if text else ""
    if not question and asked:
        question, asked = _first_of(asked, body[0].kind)
    if not any(map(str.isalnum, question)) or _ELSEWHERE.fullmatch(told):
        return None
    if asked:
        lettered = OPTION.match(body[0].text)
        question += f"\n{asked}" if lettered else f"\n\n{asked}"
    return Card(
        item.kind, start, end, {"": question},
        {} if not told or PLACEHOLDER.fullmatch(told) else {"": told},
        kind="question" if item.kind != "line" else "card",
        number=item.number or None,
        level=said.level or next(iter(levels), None),
        tags=(*said.tags, *tags),
    )  # fmt: skip


def _first_of(asked: str, kind: str) -> tuple[str, str]:
    """Split the words of a question from what belongs to it; ``kind`` is that of its first line.

    A question that begins with code or a formula includes everything below it.
    """
    if kind == CODE or asked.startswith("$$"):
        return asked, ""
    element = opened(asked) if asked[:8].lower() == "<details" else None
    if element and element[0]:
        return bare_summary(element[0]), element[1]
    question, *rest = re.split(_PARAGRAPH_END if kind == TEXT else "\n", asked, maxsplit=1)
    question = question if kind == ITEM else _UNBROKEN.sub(" ", question)
    words = question if kind == ITEM else clean(wording(question).text)
    return words, "".join(rest).strip("\n")


def _only_asks(item: Start, bare: bool, body: Sequence[Line], page: Page) -> bool:
    """Return whether everything below ``Question 3: A title`` asks: homework, or no title.

    Then the text below asks, or the title is that of an exercise. Code alone does what it says.
    """
    titled = not bare and bool(item.number) and not item.asks
    texts = [each.text for each in body if each.kind in (TEXT, HEADING)]
    exercise = _EXERCISE.match(page.lines[item.at].text)
    tasks = (asks_surely(clean(each)) or _ORDERS.match(each) for each in texts[:1])
    asks_below = any(map(ends_asking, texts)) or any(tasks)
    parted = item.asks and bool(body) and body[0].kind == HEADING
    asking = (page.homework and not parted) or (titled and bool(exercise or asks_below))
    told = bool(body) and (_answer_label(body[0]) or _hidden(body, page)) is not None
    return asking and not (told or (titled and {each.kind for each in body} <= {CODE, BLANK}))


def _first_asked(body: Sequence[Line]) -> tuple[str, str]:
    """Split the text below a bare ``Question 3``: all asks, or only its first part.

    A list of short items at the end is its options.
    """
    first = next((n for n, each in enumerate(body) if each.kind == BLANK), len(body))
    last = [each for each in body if each.kind not in (BLANK, QUOTE)][-2:]
    options = len(last) > 1 and all(map(is_choice, last))
    if options or not (first and ends_asking(body[first - 1].text)):
        return _text(body), ""
    return _text(body[:first]), _text(body[first:])


def _goes_on(item: Start, body: Sequence[Line]) -> int:
    """Return how many lines below an item continue its sentence."""
    if item.kind == "line":
        return int(bool(body) and body[0].kind == TEXT and ends_asking(body[0].text))
    if item.kind not in ("number", "bullet", "nested", "label") or item.rest.strip():
        return 0
    if ends_asking(item.text):
        return len([*itertools.takewhile(_asks_on, body)])
    count = 0
    for each in body:
        other = OPTION.match(each.text) or label(each.text)
        if each.kind != TEXT or other or (only_links(each.text) and not ends_asking(each.text)):
            break
        count += 1
        if ends_asking(each.text):
            return count + len([*itertools.takewhile(_asks_on, body[count:])])
    cut = item.text[-1:].isalpha() and body[:1] and body[0].text.lstrip()[:1].islower()
    answer = item.asks and not (item.marked or cut) and any(each.depth for each in body[:count])
    behind = body[count].kind if count < len(body) else BLANK
    return count if behind in (BLANK, ITEM, RULE) and not answer else 0


def _asks_on(line: Line) -> bool:
    return line.kind == TEXT and ends_asking(line.text) and not OPTION.match(line.text)


def _asked_and_told(text: str, body: list[Line], page: Page) -> tuple[str, str]:
    """Return which text below a question belongs to it, and its answer."""
    hidden = _hidden(body, page)
    if hidden is not None:
        return hidden
    prose = 0
    for n, line in enumerate(body):
        if line.kind in (CODE, HIDDEN, BLANK, ROW, RULE):
            continue
        bare = line.words if line.kind in (HEADING, ITEM) else line.text
        found = label(re.sub(r"^[\s>]+", "", bare))
        tells = found and found.role in (ANSWER, RESULT) and not (found.kept and text)
        part = n and prose and ends_asking(text) and _SOLVES.match(bare)
        if found and tells and not part and _answers(found, body, n):
            told = re.sub(r"^[\s>]+", "", line.text) if found.kept else found.rest
            first = [line._replace(text=told, kind=TEXT)] if told else []
            return _text(body[:n]), _text([*first, *body[n + 1 :]])
        prose += len(line.text)
    options = _options(body)
    if options:
        told = ticked(each.text for each in body[:options])
        rest = _text(body[options:])
        offered = (each._replace(text=untick(each.text)) for each in body[:options])
        return _text(offered), "\n\n".join(filter(None, (told, rest)))
    return _parted(text, body, page)


def _answers(found: Label, body: Sequence[Line], n: int) -> bool:
    """Return whether an answer label is not an option called A."""
    if not found.letter:
        return bool(found.sign) or not found.rest
    return not (n or any(SECOND.match(each.text) for each in body))


def _parted(text: str, body: list[Line], page: Page) -> tuple[str, str]:
    """Split a question from its answer if no label does."""
    bare = [each for each in body if each.kind != BLANK]
    if any(_CHOICES.match(each.words or each.text) for each in bare[:3]):
        return _text(body), ""
    items = [each for each in bare if each.kind == ITEM]
    least = min((each.depth for each in items), default=0)
    tops = [each for each in items if each.depth == least]
    offered = page.homework and len(tops) == len(bare) > 1 and all(map(is_choice, tops))
    offered |= len(tops) > 1 and all(_TRUTH.fullmatch(each.words.strip()) for each in tops)
    asking = offered or all(asks(clean(each.words)) for each in tops)
    gaps = sum(e.kind != CODE and bool(_GAP.search(e.text)) for e in bare)
    to_fill = any(each.kind == CODE and _TO_FILL.search(each.text) for each in body)
    if to_fill or 2 * gaps > len(bare):
        return _text(body), ""
    if tops and bare[0].kind == ITEM and asking:
        last = max((n for n, each in enumerate(body) if each.kind == ITEM), default=0)
        behind = (n for n in range(last + 1, len(body)) if body[n - 1].kind == BLANK)
        told = next((n for n in behind if body[n].kind == TEXT and not body[n].depth), len(body))
        return _text(body[:told]), _text(body[told:])
    code = next((n for n, each in enumerate(body) if each.kind == CODE), len(body))
    above = [each.kind for each in body[:code] if each.kind != BLANK]
    follows = _FOLLOWS.search(text) and code < 6 and {*above} <= {TEXT}
    gives = _GIVES.search(text) and not _WRITES.search(text)
    gives = not above and (gives or text.rstrip(" *_").endswith(":"))
    if code == len(body) or not (follows or gives):
        return "", _text(body)
    end = next((n for n in range(code, len(body)) if body[n].kind != CODE), len(body))
    return _text(body[:end]), _text(body[end:])


def _hidden(body: Sequence[Line], page: Page) -> tuple[str, str] | None:
    """Return the text above an element that hides the answer, and what it hides.

    Whatever a summary says that occurs often, its element hides the answer if it is all there is.
    """
    for n, line in enumerate(body):
        if line.kind in (CODE, HIDDEN) or "<details" not in line.text.lower():
            continue
        element = opened("\n".join(each.text for each in body[n:]))
        name = bare_summary(element[0]) if element else ""
        if element is None or is_hint(name):
            continue
        alone = not n and body[-1].text.rstrip().lower().endswith("</details>")
        if name and not (hides_answer(name) or (alone and name in page.summaries)):
            return None
        return _text(body[:n]), element[1]
    return None


def _options(body: Sequence[Line]) -> int:
    """Return how many lines below a question end with its options, 0 if it has none."""
    boxes = [n for n, e in enumerate(body) if BOX.match(e.text) and e.kind == ITEM]
    letters = [n for n, e in enumerate(body) if OPTION.match(e.text) and e.kind in (ITEM, TEXT)]
    found = boxes if len(boxes) > 1 else letters if len(letters) > 1 else []
    above = body[: found[0]] if found else ()
    if not found or any(each.kind in (ITEM, HEADING) for each in above):
        return 0
    among = (n for n in range(found[0] + 2, found[-1]) if body[n - 1].kind == BLANK)
    parts = any(body[n].kind == TEXT and n not in found for n in among)
    again = any(SECOND.match(body[n].text) for n in found[2:])  # options of several questions
    return 0 if parts and not again else found[-1] + 1


def _text(lines: Iterable[Line]) -> str:
    kept = [e for e in lines if e.kind != HIDDEN and not (e.kind != CODE and LOGSEQ.match(e.text))]
    while kept and _arranges(kept[-1]):
        kept.pop()
    tags = [tag for each in kept if each.kind != CODE for tag in _WRAPPER.findall(each.text)]
    if 2 * sum(not tag for tag in tags) != len(tags):  # one begins or ends outside
        kept = [each for each in kept if each.kind in (CODE, BLANK) or not _arranges(each)]
    kept = [*itertools.dropwhile(lambda e: _arranges(e) and not _WRAPPER.search(e.text), kept)]
    if kept and all(each.kind in (QUOTE, BLANK) for each in kept) and kept[0].kind == QUOTE:
        return tidy(source((each.number, re.sub(r"^\s*>\s?", "", each.text)) for each in kept))
    return tidy(source(kept))


def _arranges(line: Line) -> bool:
    empty = line.text.strip() == "-" or _LAYOUT.match(line.text)
    return line.kind == BLANK or (line.kind != CODE and bool(empty))


def is_furniture(text: str) -> bool:
    """Return whether a line only navigates, or is a placeholder for an answer.

    >>> is_furniture("**[⬆ Back to Top](#contents)**"), is_furniture("Answer here")
    (True, True)
    """
    return navigates(text) or bool(PLACEHOLDER.fullmatch(text))


# Tables of questions.

_ASKED = re.compile(r"questions?|prompt|سؤال|سوال|پرسش|سوالات|вопрос|frage|pregunta", re.IGNORECASE)


def _rows(page: Page) -> Iterator[Card]:
    """Yield the rows of tables whose header has a column of questions."""
    for start, end in tables(page):
        names = [clean(each).strip() for each in cells_of(page.lines[start].text)]
        column = next((n for n, each in enumerate(names) if _ASKED.fullmatch(each)), None)
        if start in page.taken or page.lines[start].inside or column is None:
            continue
        if column > 1 and not all(names[:column]):
            continue  # forms of a word, as in grammars
        rows = {at: cells_of(page.lines[at].text) for at in range(start + 2, end)}
        few = (row[: len(names)] for row in rows.values())
        cells = itertools.zip_longest(names, *few, fillvalue="")
        names = ["" if len({*each}) == 1 else each[0] for each in cells]  # boxes to tick
        for at, row in rows.items():
            asked = row[column] if len(row) > column else ""
            if any(map(str.isalpha, asked)) and not _WITHIN.search(asked):
                yield _of_row(row, column, names, (at if at > start + 2 else start, at + 1), page)


def _of_row(
    row: Sequence[str], column: int, names: Sequence[str], span: tuple[int, int], page: Page
) -> Card:
    said = wording(row[column], page.stars)
    others = [
        (name, cell)
        for n, (name, cell) in enumerate(zip(names, row, strict=False))
        if n != column and name and cell and not cell.strip(".").isdigit()
    ]
    levels = [level_of(cell, page.stars) for name, cell in others if LEVEL.fullmatch(name)]
    told = [f"{name}: {cell}" for name, cell in others if not LEVEL.fullmatch(name)]
    return Card(
        "table", *span, {"": clean(said.text)}, {"": "\n".join(told)} if told else {},
        kind="question", number=said.number, level=said.level or next(iter(levels), None),
    )  # fmt: skip
