"""Cards that hide their answer: ``<details>``, callouts and exercises."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from kb.formats.notes.outline import (
    BLANK,
    CODE,
    EXERCISE,
    HEADING,
    HIDDEN,
    QUOTE,
    RULE,
    Line,
    source,
)
from kb.formats.notes.page import (
    BOX,
    LONG,
    OPTION,
    SECOND,
    SIGN,
    UNLIKELY,
    WRAPPER,
    Card,
    Page,
    bare_summary,
    is_answer_label,
    made,
    only_links,
    opened,
    regions,
    ticked,
    untick,
)
from kb.formats.notes.wording import (
    ANSWER,
    QUESTION,
    about_of,
    asks,
    asks_surely,
    clean,
    label,
    with_ticks,
)

_PARTS = re.compile(r"\s*(?:(?:[-*+]|\d{1,4}[.)])\s|`{3}|~{3})")
_CELL = re.compile(r"</?t[dr]\b", re.IGNORECASE)
_HINT = re.compile(
    r"\W*(?:hints?|clues?|(?:show )?examples?|راهنمایی|سرنخ|indices?|pistas?|tipp|hinweis"
    r"|suggerimento|dica|подсказка|ipucu|astuce)(?!\w| answer| solution)",
    re.IGNORECASE,
)
_SHOW = re.compile(
    r"^(?:mostrar|muestra|ver|afficher|voir|mostra|vedi|exibir|zobrazit|poka[zż]|toon|показать|смотреть"
    r"|xem|查看|显示|顯示|点击查看)[ \u200c]*(?:(?:las?|les?|el|los|die|den|o|os|a) |l['’])?"
    r"|[ ](?:anzeigen|zeigen|göster)$",
    re.IGNORECASE,
)
_CLICK = re.compile(
    r"(?:cli(?:ck|que)|haz|haga|klick|нажм|tap|press|toggle|open|expand|انقر|اضغط)", re.IGNORECASE
)
_WORDS = 9  # the most in a summary that says to click for an answer
_REVEALS = re.compile(
    r"(?i)(?:(?:click|tap) )?(?:here )?(?:to )?(?:show|reveal|spoiler)|responses?"
    r"|نمایش|مشاهده|عرض|anzeigen"
    r"|afficher|mostrar|показать|显示|查看|表示|보기"
)
CALLOUT = re.compile(
    r"^\s*(?:>\s?)+\[!(?:question|faq|help|quiz|card|flashcard|سوال|پرسش)\][+-]?\s*(.*)$",
    re.IGNORECASE,
)
_EXERCISE_CALLOUT = re.compile(
    rf"^\s*(?:>\s?)+\[!(?:{EXERCISE.pattern})\][+-]?\s*(.*)$", re.IGNORECASE
)
_TYPE = re.compile(r"^[\s>]*\[!([\w-]+)\][+-]?\s*")
_SUCCESS = frozenset({"success", "check", "done"})  # the same in Obsidian


def is_hint(summary: str) -> bool:
    """Return whether a summary hides a hint or an example, which belongs to the text above.

    >>> is_hint("💡 Hint 2 - the loop"), is_hint("راهنمایی"), is_hint("Hinton"), is_hint("Solution")
    (True, True, False, False)
    >>> is_hint("Show example"), is_hint("Example answer")
    (True, False)
    """
    return bool(_HINT.match(bare_summary(summary)))


def hides_answer(summary: str) -> bool:
    """Return whether a summary only says that an answer is hidden, or asks to show it.

    >>> hides_answer("<b>Answer</b>"), hides_answer("Click to show"), hides_answer("Records")
    (True, True, False)
    >>> [hides_answer(each) for each in ("Mostrar la solución", "Lösung anzeigen", "Ver Roma")]
    [True, True, False]
    >>> hides_answer("Cliquez ici pour voir la solution"), hides_answer("Click on the map")
    (True, False)
    """
    bare = bare_summary(summary)
    words = bare.split()[1:_WORDS] if _CLICK.match(bare) else ()
    if any(is_answer_label(" ".join(words[n:])) for n in range(len(words))):
        return True
    return is_answer_label(_SHOW.sub("", bare)) or bool(_REVEALS.fullmatch(bare))


def details(page: Page) -> Iterator[Card]:
    """Find ``<details>`` whose summary asks, or hides the answer to the text above."""
    last = 0
    found = [
        (start, end, pair)
        for start, end in regions(page)
        if (pair := opened("\n".join(each.text for each in page.lines[start:end])))
    ]
    sure = sum(bool(told.strip()) for *_, (_, told) in found)
    listed = 2 * sure >= len(found) > 2
    folded = sum(len(e.text) for start, end, _ in found for e in page.lines[start:end])
    asking = page.about == "questions" or page.deck
    named = [name for *_, (name, _) in found if bare_summary(name) and not hides_answer(name)]
    mostly = 2 * sum(asks(clean(each)) for each in named) >= len(named) > 2
    asking |= (page.filed or mostly) and 2 * folded > len(page.body)
    hidden = False  # whether the last card has a hidden answer
    out: list[Card] = []
    for start, end, (asked, told) in found:
        if _CELL.search(page.lines[start].text) or is_hint(asked):
            continue
        cards: Iterable[Card] = ()
        own: Sequence[Line] = ()
        hides = hides_answer(asked)
        if hides:
            above = _above(start, last, page, single=len(found) == 1)
            own = [
                e
                for e in page.lines[above:start]
                if e.kind == CODE or not (e.kind == HIDDEN or WRAPPER.fullmatch(e.text))
            ]
            question = source(own)
            if len(question) <= UNLIKELY:
                cards = made("details", (above, end), question.lstrip("# "), told, page)
        elif asks(clean(asked)) or (
            asking
            and asked.strip()
            and not ((said := label(bare_summary(asked))) and not said.rest)
            and not any(map(hides_answer, LONG.findall(asked)))
        ):
            bare = listed or asks(clean(asked))
            rows = asked.strip("\n").split("\n")
            parted = any(map(_PARTS.match, rows[1:]))
            words = with_ticks(source(enumerate(rows))) if parted else " ".join(asked.split())
            cards = made("details", (start, end), words, told, page, bare=bare)
        apart = own if hides else page.lines[last:start]
        if hidden and not (source(apart) or (not hides and asks(clean(asked)))):
            more = told if hides else f"**{bare_summary(asked)}**\n\n{told}"
            before = out[-1].answers.get("", "")
            out[-1] = replace(out[-1], end=end, answers={"": f"{before}\n\n{more}".strip()})
        elif not only_links(told):
            known = len(out)
            out += cards
            hidden = hides and len(out) > known
        last = end
    yield from out


def _above(at: int, last: int, page: Page, *, single: bool = True) -> int:
    """Return where the question above a hidden answer begins: a heading, item or paragraph.

    The title of a file belongs to a ``single`` one.
    """
    for above in range(at - 1, last - 1, -1):
        line = page.lines[above]
        if above in page.taken or line.kind == RULE:
            return above + 1
        if line.kind == HEADING:
            title = not single and line.depth == 1 and page.heads[:1] == [above]
            announces = about_of(line.words) == "questions"
            return above + ((title or announces) and not asks(clean(line.words)))
    return last


def callouts(page: Page) -> Iterator[Card]:
    """Find Obsidian callouts that ask: ``> [!question] Why?`` with the answer below."""
    for span, title, rows in _quoted(page, CALLOUT):
        for asked, told in _called(title, rows, page):
            yield from made("callout", span, asked, told, page, bare=not told)


def exercises(page: Page) -> Iterator[Card]:
    """Find exercises of a course with their solutions."""
    for span, title, rows in _quoted(page, _EXERCISE_CALLOUT):
        rows, told = _solved(rows)
        code = [] if told else [*itertools.takewhile(_goes_on_in_code, page.lines[span[1] :])]
        rows += [each.text for each in code]
        text = source(enumerate(map(untick, rows)))
        span = (span[0], span[1] + len(code))
        answer = source(enumerate(told)) if told else ticked(rows)
        if text:
            asked = f"{title}\n\n{text}".lstrip()
            yield from made("exercise", span, asked, answer, page, bare=True)


def _goes_on_in_code(line: Line) -> bool:
    return line.kind in (CODE, BLANK)


def _quoted(
    page: Page, pattern: re.Pattern[str]
) -> Iterator[tuple[tuple[int, int], str, list[str]]]:
    """Yield the span, title and lines of callouts, with a solution that follows them."""
    for at, line in enumerate(page.lines):
        found = pattern.match(line.text) if page.free(at) and line.kind == QUOTE else None
        if not found:
            continue
        sign = re.compile(rf"\s*(?:>\s?){{{line.text[: found.start(1)].count('>')}}}")
        end, rows = at + 1, list[str]()
        for below in range(at + 1, len(page.lines)):
            quote = sign.match(page.lines[below].text)
            row = page.lines[below].text[quote.end() :] if quote else ""
            other = row.startswith("[!") and not row.lower().startswith("[!hint")
            apart = below > end if quote else page.lines[below].kind != BLANK
            if (apart or other) and not (row.startswith("[!") and _solution(row) is not None):
                break
            if quote:
                rows.append(row)
                end = below + 1
        yield (at, end), found[1], rows


def _solution(row: str) -> str | None:
    """Return what follows the label of an answer, or the type of a callout that is one."""
    found = _TYPE.match(row)
    kind = found[1].lower() if found else row.lstrip("> #")
    said = label("answer" if kind in _SUCCESS else kind)
    if said is None or said.role != ANSWER or said.letter:
        return None
    rest = row[found.end() :] if found else said.rest
    return "" if is_answer_label(rest) else rest


def _solved(rows: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the lines of a callout outside its solutions, and those within them.

    A callout within it becomes its title.
    """
    asked: list[str] = []
    told: list[str] = []
    inside = nested = spoken = code = False
    for row in rows:
        code ^= row.lstrip("> ").startswith(("```", "~~~"))
        part = inside and spoken and not _TYPE.match(row)
        title = None if code or part else _solution(row)
        if title is not None:
            inside, nested, spoken = True, row.startswith(">"), bool(title)
            told += ["", title]
        elif inside and (row.startswith(">") or not nested):
            told.append(re.sub(r"^>\s?", "", row) if nested else row)
            spoken |= bool(told[-1].strip())
        else:
            inside = False
            titled = None if code else _TYPE.match(row)
            rest = row[titled.end() :].strip("* ") if titled else ""
            asked += [f"{row[: row.index('[')]}**{rest}**" if rest else ""] if titled else [row]
    return asked, told


def _offers(rows: Sequence[str]) -> bool:
    """Return whether the last lines of a callout are options."""
    written = [each for each in rows if each.strip()]
    first = next((n for n, each in enumerate(written) if OPTION.match(each) or BOX.match(each)), 0)
    own = written[first:]
    boxed = all(map(BOX.match, own))
    return len(own) > 1 and (boxed or bool(OPTION.match(own[0]) and SECOND.match(own[1])))


def _called(title: str, rows: list[str], page: Page) -> list[tuple[str, str]]:
    """Return the question and answer of a callout."""
    named = label(title)
    listed = about_of(title) == "questions" and not asks_surely(clean(title))
    asked = named.rest if named and named.role == QUESTION else title
    if not asked and rows:
        asked, rows = SIGN.sub("", rows[0], count=1), rows[1:]
    above, below = _solved(rows)
    asked = "\n\n".join(filter(None, (asked, source(enumerate(above if below else ())))))
    if not below and _offers(rows):
        return [(f"{asked}\n\n{source(enumerate(map(untick, rows)))}", ticked(rows))]
    told = source(enumerate(below or rows))
    asking = page.about == "questions" and not listed
    return [(asked, told)] if asking or (told.strip() and (asks(asked) or below)) else []
