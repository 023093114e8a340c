"""What stands under the items of a question list: questions, their answers and their context."""

from __future__ import annotations

import itertools
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from kb.formats.notes.hidden import hides_answer, is_hint
from kb.formats.notes.labelled import PLACEHOLDER
from kb.formats.notes.matter import is_tag_line, stated_tags
from kb.formats.notes.outline import (
    BLANK,
    CODE,
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
    ALL_BOLD,
    BOX,
    LEVEL,
    LONG,
    OPTION,
    SECOND,
    Card,
    Page,
    bare_summary,
    cells_of,
    is_answer_label,
    is_choice,
    navigates,
    only_links,
    opened,
    tables,
    ticked,
    tidy,
    untick,
    without_lead,
)
from kb.formats.notes.signs import LOGSEQ
from kb.formats.notes.wording import (
    ANSWER,
    QUESTION,
    RESULT,
    Label,
    asks,
    asks_surely,
    clean,
    ends_asking,
    heading_level,
    label,
    level_of,
    sets_task,
    split_level,
    stated_level,
    wording,
)

BOLD = re.compile(r"^\s*(\*\*\*|\*\*|__)(?=[^\s*])(.+?)(?<=\S)\1(.*)$")
_LAYOUT = re.compile(
    r"^\s*(?:(?:</?(?:br|p|div|center|article|section|b|strong|i|em|a|span|hr)\b(?:\s[^<>]*)?/?>"
    r"|&nbsp;|\{%(?!\s*embed\b)[^{}\n]*%\}|\{\{[<%][^{}\n]*[%>]\}\}|\{:[^{}\n]*\})\s*)+$",
    re.IGNORECASE,
)
"""Tags of HTML and of templates (Liquid, Hugo, kramdown) that say nothing themselves."""
_WRAPPER = re.compile(r"<(/?)(?:div|p|center|span)\b", re.IGNORECASE)
WITHIN = re.compile(r"\]\((?:#|\))")  # a link within the file, or to nothing
_ELSEWHERE = re.compile(r"\[[^\[\]\n]+\]\((?!\w+:)[^()#\n]+\.md(?:#[^()\n]*)?\)")  # a file of notes
_FOLLOWS = re.compile(
    r"\b(?:following|below|this)\b.{0,40}\b(?:code|snippet|program)|قطعه\s?کد|کد زیر"
    r"|این (?:کد|برنامه)|برنامه[‌ ]?(?:ی|ٔ)? زیر|\bfollowing (?:\w+ ){0,3}(?:statement|query)\b"
    r"|\bsiguientes? (?:c[óo]digo|instrucc|sentenc|programa|fragmento)|\b(?:este|esse) c[óo]digo"
    r"|\bseguinte (?:c[óo]digo|programa|trecho)|\b(?:seguent[ei] |questo )(?:codice|programma)"
    r"|\b(?:code|programme|script|fonction|instructions?) (?:suivante?s?|ci-dessous)|\bce code"
    r"|\b(?:folgende[nrsm]?|diese[rsm]?) (?:code|programm|quelltext|anweisung|befehl)"
    r"|(?:следующ|этот|эт[ао]|данн|приведённ|приведенн)\w*\s(?:\w+\s)?(?:код|программ|фрагмент)"
    r"|(?:以下|下面|下列|次の).{0,8}(?:代码|程序|语句|コード|プログラム)|aşağıdaki (?:kod|program)"
    r"|다음 (?:코드|프로그램)|(?:الكود|البرنامج|الشيفرة) (?:التالي|الآتي)",
    re.IGNORECASE,
)
_REFERS = re.compile(
    r"\b(?:following|below|for these|assume|consider|suppose|given (?:the|an?)"
    r"|use (?:the|this) (?:\w+ )?(?:tables?|data\w*|schema|code|figure|text|model))\b"
    r"|\bزیر\b|فرض کنید|داده شده|\b(?:considere|supong\w+|soient|soit \$|on considère|supposons"
    r"|gegeben (?:sei|ist|sind)|betrachte|angenommen|siano|si consideri"
    r"|пусть|дан[аоы]?|рассмотри\w*)\b|已知|假设|给定|[`$][^\n]*[:：]\s*\Z",
    re.IGNORECASE,
)
_SHOWS = re.compile(r"^\s*(?:`{3}|~{3}|\||\$\$)|!\[|<img\b", re.MULTILINE)
_OFFERS = re.compile(
    r"^[ \t]*(?:[-*+][ \t]+)?A[.):、．][^\n]*\n[ \t]*(?:[-*+][ \t]+)?B[.):、．]", re.MULTILINE
)  # options of several questions
SOLVES = re.compile(
    r"[\W_]*(?:solution|soluci[óo]n|soluzion|solução|l(?:ö|oe)sung|решени|rozwiąz|çözüm|解决|(?:راه.?|ال)?حل\b)",
    re.IGNORECASE,
)
_GIVES = re.compile(
    r"output|print|logged|console|\bresult|\bvalue of|\breturns?\b|evaluate|خروجی|مقدار|چاپ|نتیجه"
    r"|\b(?:imprim|muestra|devuelve|retorna|salida|saída|valor d|affich|renvoie|valeur d|sortie)"
    r"|ausgegeben|ausgabe|gibt\b.+\baus\b|\bstampa|\brestituisce|\bvalore d|вывед|вернёт|вернет"
    r"|输出|结果|返回|出力|結果|çıktı|yazdır|출력|결과|يطبع|المخرجات|الناتج",
    re.IGNORECASE,
)
_GAP = re.compile(r"(?<![\w_])_{4,}(?![\w_])")
_TO_FILL = re.compile(
    r"\byour (?:(?:code|solution|answer)s?\b.{0,9}\bhere\b|(?:calculation|answer|response)s? ?:)",
    re.IGNORECASE,
)
_WRITES = re.compile(
    r"\b(?:write|implement|how (?:to|do you|can you))\b|بنویس|پیاده[‌ ]?سازی|چگونه|چطور"
    r"|\b(?:escrib|modifi|implement|c[óo]mo\b|escrev|écri[stv]|ajoute|comment\b|schreib|wie\b|scriv|come\b"
    r"|напи[шс]|реализ|как\b|nasıl\b)|yazın|编写|实现|如何|怎么|写(?:一|出|个)|書|どう|작성|어떻게|اكتب|كيف",
    re.IGNORECASE,
)
_UNBROKEN = re.compile(r"(?<!  )(?<!\\)\n(?!\s{0,9}\(?[A-Za-zñ][.)])")
"""An end of a line where a paragraph goes on: no hard break, and no option below."""
_PARAGRAPH_END = re.compile(r"\n\n|\n(?=\s*(?:(?:[-*+]|#{1,6}|\d{1,4}[.)])\s|`{3}|~{3}|\||\$\$))")
_PARTS = 4  # headings in a question, at most
_LONGEST = 4000  # characters of a text that questions below it need
TRUTH = re.compile(
    r"\W*(?:true|false|yes|no|vrai|faux|oui|non|wahr|richtig|falsch|ja|nein|verdader[oa]|falso|sí"
    r"|ver[oa]|fals[oa]|не?верно|да|нет|doğru|yanlış|درست|نادرست|غلط|صحیح|بله|خیر|对|错|正确|错误)\W*",
    re.IGNORECASE,
)
"""An option of a question whether something is true."""
_ORDERS = re.compile(r"\W*(?:\w{3,}ez|\w{2,}n Sie)\b")  # French and German
_TASKS = (
    r"\W*(?:exercises?|problems?|puzzle|exercices?|exerc[ií]cio|ejercicios?|esercizio|aufgaben?|übung"
    r"|problema?|zadanie|zadatak|задача|задание|упражнение|soru|alıştırma|oppgave|opgave|uppgift"
    r"|oefening|úloha|cvičení|练习|練習|习题|習題|演習|問題|题|題|تمرین|مسئله|مسأله)"
)
_EXERCISE = re.compile(rf"{_TASKS}(?![^\W\d])", re.IGNORECASE)
TASK = re.compile(rf"{_TASKS}\W{{0,4}}\d", re.IGNORECASE)
"""A heading whose text belongs to each question below it."""
BARE_NUMBER = re.compile(r"\W{0,4}(\d{1,3}(?:-\d{1,2})?)\W{0,4}")
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


def words(text: str) -> list[str]:
    """Return words of at least three letters."""
    return LONG.findall(text)


def answer_label(line: Line) -> Label | None:
    """Return the answer label of more than a letter at the start of a line."""
    found = label((line.words or line.text).strip("> ")[:200])
    return found if found and found.role == ANSWER and not found.letter else None


def is_remark(text: str) -> bool:
    """Return whether a text after a question says in brackets, with a link, where it was asked."""
    return bool(re.fullmatch(r"\((?:[^()]|\([^()]*\))*\)", text)) and "](" in text[1:-1]


def is_part(heading: str) -> bool:
    """Return whether a heading announces what follows, as a part of what precedes.

    >>> is_part("**Key points:**"), is_part("3. Write a query:"), is_part("What is it:")
    (True, False, False)
    """
    said, named = wording(heading), label(heading)
    words = clean(said.text)
    asking = said.number or asks(words) or (named and named.role == QUESTION)
    return words.endswith((":", "：")) and not asking


def divided(items: Sequence[Start], page: Page, stops: Sequence[int]) -> Iterator[Card]:
    """Yield the question of each item, with what stands under it up to the next item or stop."""
    chosen = {each.at: each for each in items}
    order = sorted(chosen)
    outside = _answers_outside(order, page)
    stems = _stems(chosen, page)
    stops = sorted({*stops, *(lines.start for lines in stems.values())})
    foot = _foot(order, page)
    section, at = 1, 0
    for start, limit in zip(order, [*order, len(page.lines)][1:], strict=True):
        for line in page.lines[at:start]:
            if line.kind == HEADING and not (line.inside or is_answer_label(line.words)):
                section = line.depth
        behind = bisect_right(stops, start)
        stop = stops[behind : behind + 1]
        limit = min([limit, *stop])
        end = _end_of(chosen[start], start, min(limit, foot), section, page)
        if chosen[start].kind in ("number", "bullet", "nested") and not outside:
            cut = _end_of_item(start, end, page)
            end = end if answer_label(after(page.lines, cut - 1)) else cut
        card = card_of(chosen[start], start, end, page)
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
        inner = is_part(line.words) or (
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
            elif low < 0 and line.kind == TEXT and (bold := BOLD.match(line.text)) and not bold[3]:
                context = "" if navigates(line.text) else line.text.strip()
        first = page.lines[card.start]
        beside = bool(sections) and sections[-1].depth >= first.depth and not page.homework
        if first.kind == HEADING and beside:
            sections = [each for each in sections if each.depth < first.depth]
            low, context = -1, ""
        if low >= 0:
            above = page.homework or bool(sections and TASK.match(sections[-1].words))
            context = _needed(_prose(page.lines[low : card.start]), whole=above)
            low = -1
        named = (each.words for each in sections if not BARE_NUMBER.fullmatch(each.words))
        topics = (clean(wording(each).text).strip(" :：") for each in named)
        levels = [level for each in sections if (level := heading_level(each.words))]
        card = replace(
            card, topics=tuple(filter(None, topics)),
            context="\n\n".join(dict.fromkeys(e for e in (contexts * context, card.context) if e)),
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
    bold = BOLD.match(last)
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


def card_of(item: Start, start: int, end: int, page: Page) -> Card | None:
    """Return an item's question and answer."""
    said = wording(item.text, page.stars)
    text, body = said.text, list(page.lines[start + 1 : end])
    first = page.lines[start]
    whole = ALL_BOLD.fullmatch(first.words) and body and not sets_task(body[0].text, "en")
    goes_on = 0 if whole else _goes_on(item, body)
    gap = "\n" if item.kind == "line" or first.text.endswith(("  ", "\\")) else " "
    text = gap.join([text, *(each.text.strip() for each in body[:goes_on])])
    body = body[goes_on:]
    if item.rest.strip(" :：*_") and not is_remark(item.rest.strip()):
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
    if not told and sum(each.kind == HEADING for each in body) > _PARTS:
        return None  # a page to read
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
    told = bool(body) and (answer_label(body[0]) or _hidden(body, page)) is not None
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
    return count if cut or (behind in (BLANK, ITEM, RULE) and not answer) else 0


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
        part = n and prose and ends_asking(text) and SOLVES.match(bare)
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
    items = [each for each in bare if each.kind == ITEM]
    least = min((each.depth for each in items), default=0)
    tops = [each for each in items if each.depth == least]
    offered = page.homework and len(tops) == len(bare) > 1 and all(map(is_choice, tops))
    offered |= len(tops) > 1 and all(TRUTH.fullmatch(each.words.strip()) for each in tops)
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
    follows = _FOLLOWS.search(text) and code < 6
    gives = _GIVES.search(text) and not _WRITES.search(text)
    gives = not above and (gives or text.rstrip(" *_").endswith(":"))
    if code == len(body) or not (follows or gives):
        return "", _text(body)
    end = next((n for n in range(code, len(body)) if body[n].kind != CODE), len(body))
    return _text(body[:end]), _text(body[end:])


def _hidden(body: Sequence[Line], page: Page) -> tuple[str, str] | None:
    """Return the text above an element that hides the answer, and what it hides."""
    for n, line in enumerate(body):
        if line.kind in (CODE, HIDDEN) or "<details" not in line.text.lower():
            continue
        element = opened("\n".join(each.text for each in body[n:]))
        name = bare_summary(element[0]) if element else ""
        if element is None or is_hint(name):
            continue
        if name and not hides_answer(name):
            return None
        return _text(body[:n]), element[1]
    return None


def _options(body: Sequence[Line]) -> int:
    """Return how many lines below a question end with its options, 0 if it has none."""
    boxes = [n for n, e in enumerate(body) if BOX.match(e.text) and e.kind == ITEM]
    offered = [n for n, e in enumerate(body) if e.kind in (ITEM, TEXT)]
    letters = [n for n in offered if OPTION.match(body[n].text)]
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
    if kept and all(each.kind in (QUOTE, BLANK) for each in kept):
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


def rows_of(page: Page) -> Iterator[Card]:
    """Yield the rows of tables whose header has a column of questions."""
    for start, end in tables(page):
        names = [clean(each).strip() for each in cells_of(page.lines[start].text)]
        column = next((n for n, each in enumerate(names) if _ASKED.fullmatch(each)), None)
        if start in page.taken or page.lines[start].inside or column is None:
            continue
        rows = {at: cells_of(page.lines[at].text) for at in range(start + 2, end)}
        for at, row in rows.items():
            asked = row[column] if len(row) > column else ""
            if any(map(str.isalpha, asked)) and not WITHIN.search(asked):
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
        kind="question", number=said.number, level=next(iter(levels), None),
    )  # fmt: skip
