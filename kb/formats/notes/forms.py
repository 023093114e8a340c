"""The forms of cards, in one table: name, example, finder.

A form finds cards in the lines of a body. The body is unchanged: a note keeps its text.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate, groupby, zip_longest
from typing import NamedTuple

from kb.formats.notes.language import language_of
from kb.formats.notes.obsidian import HIGHLIGHT
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
    columns,
    source,
)
from kb.formats.notes.wording import (
    ANSWER,
    CLOZE,
    QUESTION,
    RESULT,
    About,
    Label,
    about_of,
    asks,
    asks_surely,
    clean,
    ends_asking,
    label,
    level_of,
    sets_task,
    stated_level,
    with_ticks,
    wording,
)

GAP = "[…]"
_BACK = re.compile(
    r"^\W{0,20}(?:<[^<>]*>\s*)*\W{0,9}(?:\[(?:[^\[\]]|\[[^\[\]]{0,9}\]){0,60}\]\(#[^()]*\)"
    r"|<a\b[^<>]{0,200}href=[\"']?#[^<>]{0,200}>.{0,80}?</a>)"
    r"(?:(?:&nbsp;|[^\w\n]){1,30}\[[^\[\]]{1,60}\]\([^()]*\)){0,3}\W{0,9}(?:<[^<>]*>\s*)*$",
    re.IGNORECASE,
)
_PAGES = re.compile(r"[^\w|]{0,9}\[[^\[\]]+\]\((?!.*://)[^()]*\)\s*\\?[|•·]\s*\[.*\)\W{0,9}$")
_SMALL = re.compile(r"\s*(?:<(su[bp]|small)>.*</\1>|<(div|p)\b[^<>]*></\2>)\s*$", re.IGNORECASE)
_HOME = re.compile(
    r"\W{0,9}\[\W{0,6}(?:back|voltar|volver|zurück|retour|indietro|назад|بازگشت|返回|home|next|prev"
    r"|previous)(?![^\W\d])[^\[\]]{0,40}\]\((?!\w+:)[^()]*\)\W{0,9}$",
    re.IGNORECASE,
)
_BUTTON = re.compile(r"\s*\[.*\]\(javascript:[^\s]*\)\s*$")
_SCHEDULE = re.compile(r"<!--\s*SR:[^<>]{0,2000}-->")
_DECK = re.compile(
    r"^#{1,6}[^\w\n]{1,9}flash ?cards?[^\w\n]{0,9}$",
    re.MULTILINE | re.IGNORECASE,
)
_SIGN = re.compile(r"^\s*(?:[-*+]\s+|\d{1,4}[.)]\s+|>\s?|\[![\w-]+\][+-]?\s)*")
_TURN = re.compile(r"^[\s>]*(?:\?{1,2}|%)\s*$")
_GOES_ON = re.compile(r"^(?:\s*(?:[-*+>|]|\d{1,4}[.)])\s|\s{2,}\S|\t|```|~~~|\$\$|\||!\[|>)")
_SPOKEN = re.compile(r"[^\W\d_]{2}")
_LONG = re.compile(r"\w{3,}")
_PARTS = re.compile(r"\s*(?:(?:[-*+]|\d{1,4}[.)])\s|`{3}|~{3})")
_REMARK = re.compile(r"(?<=\S)\s*\([^()]*\)$")
_SPARED = re.compile(
    r"`[^`\n]*`|\$[^$\n]*\$|\[[^\[\]\n]{0,500}\]\([^()\n]{0,500}\)|https?://\S*|\{\{[^{}]{0,300}\}\}"
)
_SPAN = re.compile(r"`[^`\n]*`")
_PARTED = re.compile(r"(?<![:;(@])(:::?|;;;?)(?![:;)@])")
_MARK = re.compile(
    r"(?<![\w#])#(?:card|flashcard)(?:[/-](?:reverse|spaced))?(?![\w/-])|#?\[\[(?:card|flashcard)\]\]"
)
LEVEL = re.compile(r"level|difficulty|سطح|سختی", re.IGNORECASE)
PROPERTY = re.compile(r"^\s*[A-Za-z][\w.-]*::(?:\s|$)")
LOGSEQ = re.compile(
    r"^\s*(?:[-*+]\s+)?(?:id|title|tags|alias|collapsed|heading|icon|type|public|template"
    r"|deck|author|category|url|full-title|file-path|hl-[\w-]+|ls-type|background-color|(?:created|updated)-at|exclude-from-graph-view|card-[\w-]+|logseq\.[\w.-]+)::\s"
)
"""A property that Logseq itself writes or knows."""
_FLASHCARDS = re.compile(
    r"\W*(?:flash ?cards?|fiszki|karteikarten|lernkarten|tarjetas(?: de \w+)?|карточки"
    r"|(?:فلش[\u200c ]?)?کارت(?:[\u200c ]?ها)?|单词卡|抽认卡|フラッシュカード)"
    r"(?:\W*$|\s*[):|–—,(-]|\s(?:on|for)\b|\W*\d)",
    re.IGNORECASE,
)
_TERM = re.compile(
    r"(?:(?:\*\*|__)(?P<bold>[^*\[\n]{1,100}?)\s*[:：]?\s*(?:\*\*|__)\s*(?:[:：–—=-]|→)?"
    r"|(?P<term>[^*_:：–—?؟\[\n]{1,60}?)(?:\s[-–—=]|[:：]|\s*→))\s+(?P<told>\S.*)$"
)
_TARGET = re.compile(r"\s*(?:TARGET DECK|FILE TAGS)\b")  # of Obsidian_to_Anki
_FIRST_PROPERTY = re.compile(
    r"^([ \t]*[-*+]\s+)(?:id|collapsed)::[^\n]*\n[ \t]*(?![-*+]\s)(?=\S)", re.MULTILINE
)
_NUMBERED_GAP = re.compile(
    r"\{\{c\d+::((?:(?!\{\{)(?!::).){1,500}?)(?:::[^{}]{0,200})?\}\}"
    r"|\{\{(?:cloze|c\d+) ([^{}]{1,500})\}\}",
    re.DOTALL,
)
_BRACKET_GAP = re.compile(r"(?<![!\\\]])\[(?!\[|\^)([^\[\]\n]+)\](?![(\[])")
_DETAILS = re.compile(r"<details\b[^<>]*>", re.IGNORECASE)
_DETAILS_END = re.compile(r"</details\s*>", re.IGNORECASE)
_SUMMARY = re.compile(
    r"<summary\b[^<>]*>(.*?)(?:</summary\s*>|(?=<details\b)|\Z)", re.IGNORECASE | re.DOTALL
)
_WRAPPER = re.compile(r"\s*<(/?)(?:div|p|center|details)\b[^<>]*>\s*", re.IGNORECASE)
_TAGS = re.compile(r"</?[A-Za-z][^<>]*>")
_BOLD_HTML = re.compile(r"^\s*<(b|strong|p|div)\b[^<>]*>(.*)</\1>\s*$", re.IGNORECASE | re.DOTALL)
_EDGE = re.compile(r"\A(?:\s*<(?:/?br|/p|/b|/strong)\s*/?>)+", re.IGNORECASE)
_TAIL = re.compile(r"(?:\s*<(?:br|p|b)\s*/?>)+\s*\Z", re.IGNORECASE)
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
PLACEHOLDER = re.compile(
    r"[\W_]*(?:(?:your |the )?answers? (?:goes )?here|tba|tbd|todo|coming soon"
    r"|click [^\n]{1,99}\b(?:solution|answer)"
    r"|(?:see|ver|voir|siehe) (?:the )?(?:answer|respo?sta|respuesta|r[ée]ponse|antwort)[^\n]{0,60}"
    r"|to be (?:added|written)|replace this (?:text|line)[^\n]{0,60}|wip|_{3,}"
    r"|به[‌ ]زودی|در دست نگارش|پاسخ ندارد)[\W_]*",
    re.IGNORECASE,
)
_PARAGRAPH = 20  # lines, the most around a gap that are learnt with it
_NEAR = 40  # lines, the most between a part of a question and its labelled answer
_AROUND = 3  # items, the most above one that are shown with it
_FREQUENT = 5  # times
_FEW = 2  # words
_ROW = 1000  # characters, from which links in a row are a text
_UNLIKELY = 2000  # characters above a hidden answer, from which they are a text and no question
OPTION = re.compile(
    r"^\s*(?:[-*+]\s+)?(?:\*\*)?\(?([A-Ha-h]|[الفبپتثج]|الف)(?:\*\*)?[.):](?:\*\*)?\s+\S"
)
_NAMES_OPTION = re.compile(r"\W*[^\W\d_][\w ]{1,30}\W{0,4}[:：]\W*[A-Ha-h]\W*")
_CHOICE = 100  # characters
SECOND = re.compile(r"^\s*(?:[-*+]\s+)?(?:\*\*)?[Bbب](?:\*\*)?[.):：]")
BOX = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s*\[([ xX✓✔])\]\s*(?=\S)")
_BEFORE_OPTION = re.compile(rf"{BOX.pattern}|^\s*[-*+]\s+")
_TICK = 20  # characters at the end of an option, among which its tick is
_RIGHT = re.compile(r"\s*[✅✔]\ufe0f?(?=\W*$)")  # behind an option
_LINKS = re.compile(
    r"!?\[[^\[\]\n]*\]\([^()\n]*\)|\[\[[^\[\]\n]*\]\]|<a\b[^<>]*>[^<>]*</a>|https?://\S+",
    re.IGNORECASE,
)
_CALLOUT, _EXERCISE_CALLOUT = (
    re.compile(rf"^\s*(?:>\s?)+\[!(?:{names})\][+-]?\s*(.*)$", re.IGNORECASE)
    for names in ("question|faq|help|quiz|card|flashcard|سوال|پرسش", EXERCISE.pattern)
)
HAND_IN = re.compile(
    r"\W*(?:(?:how to )?(?:submit|submi(?:ssion|tting)|hand(?:ing)?[- ]in|turn in)\b|abgabe|rendu\b"
    r"|remise\b|entrega\b|ارسال|تحویل|提交|提出|сдача|التسليم)",
    re.IGNORECASE,
)
_PART = re.compile(r"\s*#{1,6}\W{0,9}\d{0,2}[^\W\d]?\W{0,9}")
_ITEM = re.compile(r"(?:[-*+]|\d{1,3}[.)])\s+(\S.*)")
_TYPE = re.compile(r"^[\s>]*\[!([\w-]+)\][+-]?\s*")
_SUCCESS = frozenset({"success", "check", "done"})  # the same in Obsidian
_RULED = re.compile(r"^[=*_-]{3,}\s*$")  # what only separates a label from the text below it
END_RULE = re.compile(r"\n\s*(?:-{3,}|\*{3,}|_{3,})\s*\Z")
_CARD_ID = re.compile(r"\s*<!--\s*(?:ID|SR):")  # which plugins write below a card
_ANKI_ID = re.compile(r"\s*<!--\s*ID:\s*\d")
_END_TAG = re.compile(r"\s#(?:[\w/-]+|!)\s*$")
_START = re.compile(r"START(_[A-Z]+|)")
_INLINE_ANKI = re.compile(r"STARTI\s*\[([^\[\]]{1,60})\]\s*((?:(?!STARTI).){1,2000}?)ENDI")
_ANKI_FIELD = re.compile(r"^([A-Z][\w ]{0,30}):\s*(.*)$")
_FIRST_FIELDS = frozenset(["Front", "Text", "Anverso", "Recto", "Vorderseite", "Fronte", "Frente"])
_OF_BASIC = _FIRST_FIELDS | {
    "Back",
    "Extra",
    "Back Extra",
    "Reverso",
    "Verso",
    "Rückseite",
    "Retro",
}
"""The fields of Anki's own note types; with those, another line with a colon is text."""


@dataclass(frozen=True, slots=True)
class Card:
    """A card or question, and its lines from ``start`` to ``end``."""

    form: str
    start: int
    end: int
    question: Mapping[str, str]
    answers: Mapping[str, str]
    kind: str = "card"
    number: str | None = None
    level: str | None = None
    tags: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    context: str = ""


@dataclass
class Page:
    """The lines of a body and their common properties.

    ``deck`` means that the author declared a deck, ``about`` what its titles announce,
    ``filed`` that its folder is named after questions, ``homework`` that there are no answers;
    ``gap`` finds the gaps of a deck, ``end`` is the line below its answers, and ``taken`` has the
    lines of cards found so far.
    """

    lines: Sequence[Line]
    body: str
    stars: int = 1
    deck: bool = False
    about: About = ""
    filed: bool = False
    homework: bool = False
    gap: re.Pattern[str] | None = HIGHLIGHT
    end: str = ""
    taken: set[int] = field(default_factory=set)

    @cached_property
    def summaries(self) -> frozenset[str]:
        """The frequent texts of ``<summary>``, which name no content of their own."""
        found = Counter(bare_summary(each[1]) for each in _SUMMARY.finditer(self.body))
        return frozenset(text for text, count in found.items() if count >= _FREQUENT)

    @cached_property
    def inner(self) -> range:
        """The lines up to the last label of a question, if none has a heading or rule above it."""
        asked = [
            at for at, each in enumerate(self.lines)
            if each.kind in (TEXT, ITEM) and (found := label(each.words)) and found.role == QUESTION
        ]  # fmt: skip
        near = (self.lines[max(at - 3, 0) : at][::-1] for at in asked[1:])
        above = (next((each.kind for each in some if each.kind != BLANK), "") for some in near)
        parted = any(kind in (HEADING, RULE) for kind in above)
        return range(0 if parted or len(asked) < _FREQUENT else asked[-1])

    @cached_property
    def heads(self) -> list[int]:
        """The lines that are headings."""
        return [at for at, each in enumerate(self.lines) if each.kind == HEADING]

    @cached_property
    def blocks(self) -> list[range]:
        """The paragraphs and lists with an ID below them, as Obsidian_to_Anki writes it."""
        found: list[range] = []
        for at in (at for at, each in enumerate(self.lines) if _ANKI_ID.match(each.text)):
            above = itertools.takewhile(self._goes_up, range(at - 1, -1, -1))
            found.append(range(min(above, default=at), at))
        return found

    @cached_property
    def identified(self) -> frozenset[int]:
        """The lines of such blocks."""
        return frozenset(itertools.chain.from_iterable(self.blocks))

    def _goes_up(self, at: int) -> bool:
        line = self.lines[at]
        return line.kind in (TEXT, ITEM, QUOTE, ROW) and not _CARD_ID.match(line.text)

    def free(self, at: int) -> bool:
        """Return whether a line is not code, not a comment and not part of a card."""
        return at not in self.taken and self.lines[at].kind not in (CODE, HIDDEN, BLANK)


class Form(NamedTuple):
    """A form: its name, the signs that every text with it contains, an example, its finder."""

    name: str
    signs: tuple[str, ...]
    example: str
    find: Callable[[Page], Iterator[Card]]


def page_of(lines: Sequence[Line], body: str, stars: int, *, deck: bool = False) -> Page:
    """Return a page; a heading makes it a deck, too."""
    return Page(lines, body, stars, deck or bool(_DECK.search(body)))


def cards_of(page: Page, forms: Sequence[Form]) -> list[Card]:
    """Return the cards of some forms in order; each line is in at most one."""
    found: list[Card] = []
    lower = page.body.lower()
    for form in forms:
        own = form.find is _clozes and page.gap is not HIGHLIGHT
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


def made(
    form: str, span: tuple[int, int], asked: str, told: str, page: Page, *, bare: bool = False
) -> Iterator[Card]:
    """Yield a card of two texts unless a side is empty. A ``bare`` card needs no answer."""
    said = wording(asked, page.stars) if "\n" not in asked.strip() else None
    words = clean(said.text) if said else _question(asked, page)
    told = END_RULE.sub("", _SCHEDULE.sub("", told).strip("\n").rstrip())
    if words and (told.strip() or bare):
        yield Card(
            form, *span, {"": words}, {"": told} if told.strip() else {},
            number=said.number if said else None, level=said.level if said else None,
            tags=said.tags if said else (),
        )  # fmt: skip


def _question(text: str, page: Page) -> str:
    """Return a question of several lines: its first paragraph cleaned, the others unchanged."""
    lines = text.strip().split("\n")
    code = lines[0].startswith(("```", "~~~"))
    ends = (n for n, each in enumerate(lines) if n and (not each.strip() or _GOES_ON.match(each)))
    end = 0 if code else next(ends, len(lines))
    words = clean(wording("\n".join(lines[:end]), page.stars).text)
    rest = "\n".join(lines[end:])
    top, _, below = words.partition("\n")
    mere = label(top) if below.strip() or rest.strip() else None
    if mere and mere.role == QUESTION and mere.number and not mere.rest:
        words = below.strip()
    return f"{words}\n{rest}".rstrip() if words else rest.strip()


def without_lead(lines: list[Line]) -> list[Line]:
    """Return lines without a heading or ``Next:`` at their end, whose text is not among them."""
    while lines[1:] and any(each.kind not in (BLANK, HEADING) for each in lines):
        last, above = lines[-1], lines[-2].text.strip()
        leads = not above and last.text.rstrip("*_ ").endswith((":", "："))
        heading = last.kind == HEADING and last.mark not in ("-", "*", "+")
        if last.text.strip() and not heading and not leads:
            break
        lines = lines[:-1]
    return lines


def navigates(text: str) -> bool:
    """Return whether a line only leads to places of its file or folder, or is small print.

    >>> [navigates(each) for each in ("<sub>1</sub>", "[⬆ Back to top](#top)", "Next")]
    [True, True, False]
    >>> navigates("[Previous](a.md) | [Next](b.md)"), navigates("[a](a.md) or [b](b.md)")
    (True, False)
    """
    return len(text) < _ROW and any(e.match(text) for e in (_BACK, _SMALL, _PAGES, _BUTTON, _HOME))


def _plain(lines: Iterable[Line]) -> str:
    """Return lines without card schedules and block properties."""
    kept = [
        each for each in lines if each.kind != HIDDEN and not _SCHEDULE.fullmatch(each.text.strip())
    ]
    tags = ((each, _WRAPPER.fullmatch(each.text)) for each in kept if each.kind != CODE)
    wrappers = {each: found[1] for each, found in tags if found}
    if 2 * sum(not slash for slash in wrappers.values()) != len(wrappers):  # one is outside
        kept = [each for each in kept if each not in wrappers]
    kept = without_lead(kept)
    while kept[1:] and (kept[-1].kind == BLANK or navigates(kept[-1].text)):
        kept.pop()
    return _SCHEDULE.sub("", source(kept)).rstrip()


# Cards of a line.


def _sides(page: Page) -> Iterator[Card]:
    """Find ``front :: back`` and ``front ::: back``: in a deck, or where the front asks.

    A file of which most lines are such is a deck, too, and one with cards below ``?`` lines.
    """
    written = [each for each in page.lines if each.kind not in (BLANK, HEADING, HIDDEN)]
    parted = sum("::" in e.text or ";;" in e.text for e in written if e.kind != CODE)
    mostly = 2 * parted > len(written)
    turned = any(page.lines[at].text.strip() in ("?", "??") for at in page.taken)
    outliner = any(each.kind != CODE and LOGSEQ.match(each.text) for each in page.lines)
    for at, line in enumerate(page.lines):
        if not page.free(at) or line.kind in (HEADING, ROW) or LOGSEQ.match(line.text):
            continue
        if _TARGET.match(line.text) or (at and page.lines[at - 1].text.strip() == "TARGET DECK"):
            continue
        text = _SIGN.sub("", _SCHEDULE.sub("", line.text).rstrip(), count=1)
        bare = _SPARED.sub(_masked, HIGHLIGHT.sub(_masked, text))
        found = _PARTED.search(bare)
        if found is None:
            continue
        asked, told = text[: found.start()], text[found.end() :]
        apart = asked[-1:].isspace() and told[:1].isspace()  # no code
        named = PROPERTY.match(line.text)
        if named and (outliner or not _LINKS.sub("", told).strip(" ,;")):
            continue  # as ``up:: [[note]]``
        listed = page.deck or at in page.identified or (turned and not named)
        if listed or ends_asking(asked) or (apart and (mostly or asks(clean(asked)))):
            yield from made("sides", (at, at + 1), asked, told.strip(), page)


def _masked(found: re.Match[str]) -> str:
    return "\x00" * len(found[0])


def _turned(page: Page) -> Iterator[Card]:
    """Find cards whose sides are separated by a line of ``?`` or ``??``.

    mdanki has a ``%`` instead, below most headings. In MyST it begins a comment.
    """
    turns = [at for at, each in enumerate(page.lines) if page.free(at) and _TURN.match(each.text)]
    heads = sum(each.kind == HEADING for each in page.lines)
    remarks = any(each.kind == TEXT and each.text.startswith("% ") for each in page.lines)
    if remarks or 2 * sum("%" in page.lines[at].text for at in turns) < heads:
        turns = [at for at in turns if "%" not in page.lines[at].text]
    begins = {at: _begin(at, page) for at in turns}
    starts = frozenset(begins.values())
    for at in turns:
        start, end = begins[at], _end(at, page, starts)
        if start == at:
            continue
        own = page.lines[start:end]
        if page.lines[at].kind == QUOTE:
            own = [each._replace(text=re.sub(r"^\s*>\s?", "", each.text)) for each in own]
        first = _SIGN.sub("", own[0].text, count=1)
        asked = f"{first}\n{source(own[1 : at - start])}"
        own = own[at - start + 1 :]
        ended = own and page.end and own[-1].text.strip() == page.end
        told = _plain(own[:-1] if ended else own)
        yield from made("turned", (start, end), asked, told, page)


def _begin(at: int, page: Page) -> int:
    """Return where the question above a ``?`` line begins: its paragraph, or only a heading.

    Above ``%``, it is all text from the heading.
    """
    start, whole = at, page.lines[at].text.strip() == "%"
    for above in range(at - 1, max(at - 30, -1), -1):
        line = page.lines[above]
        if whole and above not in page.taken and line.kind != RULE:
            if line.kind == HEADING:
                return above
            continue
        if whole or not page.free(above) or line.kind in (HEADING, RULE, ROW):
            break
        if page.lines[at].kind == QUOTE and (line.kind != QUOTE or _TURN.match(line.text)):
            break
        if _SCHEDULE.search(line.text) or "::" in _SPARED.sub("", line.text):
            break
        start = above
    if start == at > 0 and page.free(at - 1) and page.lines[at - 1].kind == HEADING:
        return at - 1
    return start


def _end(at: int, page: Page, starts: frozenset[int]) -> int:
    """Return the line after an answer: after the card's dates, or at the paragraph's end.

    An author who leaves a line blank below the ``?`` does not end answers by blank lines.
    """
    lines, end = page.lines, at + 1
    below = range(end, len(lines)) if page.end else ()
    if last := next((n for n in below if n in starts or lines[n].text.strip() == page.end), 0):
        return last + (last not in starts)
    spaced = end < len(lines) and lines[end].kind == BLANK
    while end < len(lines):
        line = lines[end]
        if line.kind not in (CODE, HIDDEN):
            if end in page.taken or end in starts or line.kind in (HEADING, RULE):
                return end
            if _SCHEDULE.search(line.text):
                return end + 1
            below_blank = end > at + 1 and lines[end - 1].kind == BLANK
            text_below = below_blank and line.kind != BLANK and not _GOES_ON.match(line.text)
            if text_below and not spaced:
                return end
        end += 1
    return end


def gapped(text: str, *patterns: re.Pattern[str]) -> tuple[str, str]:
    """Return a text with gaps, and the complete text.

    >>> gapped("Paris is in ==France==.")
    ('Paris is in […].', 'Paris is in France.')
    >>> gapped("{{c1::Paris::city}} is large")[0]
    '[…] is large'
    """
    asked = told = text
    for pattern in patterns or (_NUMBERED_GAP, HIGHLIGHT):
        asked = pattern.sub("\x00", asked)
        told = pattern.sub(lambda found: next(filter(None, found.groups()), ""), told)
    return asked.replace("\x00", GAP), told


def _clozes(page: Page) -> Iterator[Card]:
    """Find texts with ``{{c1::gaps}}``, and with ``==gaps==`` in a deck: a card for each line.

    What has an ID below it is one card.
    """
    around = _items_around(page)
    patterns = [_NUMBERED_GAP, *([page.gap] if page.gap else ())]
    blocks = {} if page.deck else {at: each for each in page.blocks for at in each}
    last = range(0)
    for at in [at for at in range(len(page.lines)) if _has_gap(at, page)]:
        if at in last:
            continue
        last = blocks.get(at, range(0))
        start, end = (last.start, last.stop) if last else _paragraph(at, page)
        own = (n for n in range(start, end) if n == at or not PROPERTY.match(page.lines[n].text))
        texts = [(n, _SCHEDULE.sub("", page.lines[n].text).rstrip()) for n in own]
        rows = ((gapped(text, *patterns) if last or n == at else (text, text)) for n, text in texts)
        asked, told = map("\n".join, zip(*rows, strict=True))
        if end - start == 1 or not last:
            asked, told = (_SIGN.sub("", each, 1) for each in (asked, told))
        said = wording(asked, page.stars)
        bare = not around.get(start) and not _SPOKEN.search(said.text)
        if asked != told and said.text and not bare:
            yield Card(
                "cloze", start, end, {"": clean(said.text)}, {"": told.strip()},
                level=said.level, tags=said.tags, context=around.get(start, ""),
            )  # fmt: skip


def _items_around(page: Page) -> dict[int, str]:
    """Return for each item of a list the innermost items around it, or what introduces the list."""
    found: dict[int, str] = {}
    around: list[Line] = []
    for at, line in enumerate(page.lines):
        if line.kind == ITEM:
            while around and around[-1].kind == ITEM and around[-1].depth >= line.depth:
                around.pop()
            near = (each.words for each in around[-_AROUND:] if len(each.text) <= _UNLIKELY)
            texts = (gapped(words)[1] for words in near)
            found[at] = "\n".join(clean(wording(text).text) for text in texts)
            around.append(line)
        elif line.kind in (HEADING, RULE) or (line.kind == TEXT and not line.depth):
            around = [line] if line.text.rstrip("*_ ").endswith((":", "：")) else []
    return found


def _has_gap(at: int, page: Page) -> bool:
    line = page.lines[at]
    if not page.free(at) or line.kind in (HEADING, ROW):
        return False
    text = _SPAN.sub("\x00", line.text)
    if _NUMBERED_GAP.search(text):
        return True
    if page.gap is HIGHLIGHT and "==" in text:
        text = _SPARED.sub("\x00", line.text)
    deck = page.deck or at in page.identified
    return bool(deck and page.gap and page.gap.search(text))


def _paragraph(at: int, page: Page) -> tuple[int, int]:
    """Return the span of the lines of text around one, with the first line of their item.

    A long paragraph is too much for a card: then it is the span of the line alone.
    """
    start, end, lines = at, at + 1, page.lines
    while end - start <= _PARAGRAPH:
        if lines[start].kind == TEXT and start and lines[start - 1].kind in (TEXT, ITEM):
            start -= 1
        elif end < len(lines) and lines[end].kind in (TEXT, CODE):
            end += 1
        else:
            return start, end
    return at, at + 1


def _terms(page: Page) -> Iterator[Card]:
    """Find the items ``Term: meaning`` of lists below a heading that announces flashcards."""
    for n, at in enumerate(page.heads):
        if not _FLASHCARDS.match(clean(page.lines[at].words)):
            continue
        below = (
            each for each in page.heads[n + 1 :] if page.lines[each].depth <= page.lines[at].depth
        )
        own = range(at + 1, next(below, len(page.lines)))
        items = [each for each in own if page.lines[each].kind == ITEM]
        least = min((page.lines[each].depth for each in items), default=0)
        tops = [each for each in items if page.lines[each].depth == least]
        found = [(each, said) for each in tops if (said := _TERM.match(page.lines[each].words))]
        if len(found) < max(0.8 * len(tops), 2) or not page.taken.isdisjoint(own):
            continue
        for (start, said), end in zip(
            found, [*(each for each, _ in found), own.stop][1:], strict=True
        ):
            later = range(start + 1, end)
            last = next((n for n in later if page.lines[n].kind in (HEADING, RULE, BLANK)), end)
            told = "\n".join((said["told"], source(page.lines[start + 1 : last])))
            yield from made("term", (start, last), said["bold"] or said["term"], told, page)


# Cards below a mark, and above an ID.


def _marked(page: Page) -> Iterator[Card]:
    """Find blocks tagged ``#card``, answered by the indented lines below or the next lines."""
    around = _items_around(page)
    for at, line in enumerate(page.lines):
        marked = page.free(at) and not PROPERTY.match(line.text)
        if not (marked and _MARK.search(_SPARED.sub("", line.text))):
            continue
        start = _block(at, page)
        item = bool(_ITEM.match(page.lines[start].text.strip()))
        start = start if item else at
        first, end = _children(start, page) if item else (at + 1, _below(at, page))
        top = page.lines[start]
        own = (each for each in page.lines[start + 1 : first] if not PROPERTY.match(each.text))
        gap = "\n" * (1 + any(e.kind == BLANK for e in page.lines[start + 1 : start + 2]))
        asked = gap.join(filter(None, ((top.words or top.text).strip(), source(own))))
        asked = "\n".join(_MARK.sub("", each).rstrip() for each in asked.split("\n")).strip()
        if not re.search(r"\w", re.sub(r"#[\w/-]+", "", asked)):
            continue
        told = _plain(each for each in page.lines[first:end] if not PROPERTY.match(each.text))
        if item:
            told = _outdented(_FIRST_PROPERTY.sub(r"\1", told))
        asked, whole = gapped(asked) if not told and "{{" in asked else (asked, told)
        told = gapped(told)[1] if "{{" in told else told or (whole if whole != asked else "")
        short = len(_LONG.findall(asked)) < _FEW  # as Summary, which says nothing by itself
        found = made("mark", (start, end), asked, told, page)
        yield from (replace(e, context=around.get(start, "") if short else "") for e in found)


def _block(at: int, page: Page) -> int:
    """Return where the paragraph of a line begins, or the item whose last paragraph it is."""
    start, line = _paragraph(at, page)[0], page.lines[at]
    above = range(start - 1, max(start - _NEAR, -1), -1) if line.kind == TEXT and line.depth else ()
    for n in above:
        each = page.lines[n]
        if each.kind == ITEM and each.depth < line.depth:
            return n
        if each.kind not in (TEXT, BLANK) or (each.kind == TEXT and each.depth < line.depth):
            break
    return start


def _outdented(text: str) -> str:
    """Return the text of a single item without its bullet; several items are unchanged."""
    lines = text.split("\n")
    single = re.match(r"[-*+]\s+", lines[0])
    if single is None or any(re.match(r"[-*+]\s", each) for each in lines[1:]):
        return text
    rest = source(enumerate(lines[1:]))
    return "\n".join(filter(None, (lines[0][single.end() :], rest)))


def _children(at: int, page: Page) -> tuple[int, int]:
    """Return the span of the items below an item, up to another card."""
    depth, first, below = columns(page.lines[at].text), 0, at + 1
    while below < len(page.lines):
        line = page.lines[below]
        written = line.kind not in (BLANK, CODE, HIDDEN)
        if written and (columns(line.text) <= depth or (first and _MARK.search(line.text))):
            break
        if not first and (line.kind == ITEM or _ITEM.match(line.text.strip())):
            first = below
        below += 1
    return first or below, below


def _below(at: int, page: Page) -> int:
    """Return where the text below a marked line ends: for a heading, at the next heading."""
    heading = page.lines[at].kind == HEADING
    for below in range(at + 1, len(page.lines)):
        line = page.lines[below]
        if line.kind in (HEADING, RULE) or (line.kind == BLANK and not heading):
            return below
        if line.kind not in (CODE, HIDDEN) and _MARK.search(line.text):
            return below
    return len(page.lines)


def _identified(page: Page) -> Iterator[Card]:
    """Find cards above an ID of Obsidian_to_Anki that their author's own pattern finds there.

    Its front ends in a tag, or is the heading above.
    """
    for start, end in ((each.start, each.stop) for each in page.blocks):
        own = page.lines[start:end]
        tagged = next((n for n, each in enumerate(own, 1) if _END_TAG.search(each.text)), 0)
        front = _SIGN.sub("", source(own[:tagged]), count=1)
        asked, tags = _END_TAG.sub("", f" {front}").strip(), re.findall(r"#([\w/-]+)\s*\Z", front)
        while start and page.lines[start - 1].kind in (BLANK, HEADING) and not asked.strip():
            start -= 1
            asked = _END_TAG.sub("", page.lines[start].words)
        found = made("identified", (start, end), asked, source(own[tagged:]), page)
        yield from (replace(each, tags=(*each.tags, *tags)) for each in found)


# Cards with labels.


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


def _labelled(page: Page) -> Iterator[Card]:
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
    written = [each for each in lines if _TAGS.sub("", each.text).strip()][:2]
    labels = [each.kind == HEADING and label(each.words) is not None for each in written]
    if labels[:1] == [True]:
        return 0
    titled = len(written) > 1 and written[0].kind == HEADING and written[0].depth < written[1].depth
    return written[0].depth if titled and labels[1] else None


def _begins_answer(at: int, page: Page, draft: _Labelled) -> bool:
    """Return whether a heading starts an answer without a label: the first below the question.

    It does not below a text that asks nothing, or one that is divided into parts.
    """
    line = page.lines[at]
    below = draft.above is not None and line.kind == HEADING and line.depth >= draft.depth
    if not below or draft.answers or line.inside or HAND_IN.match(line.words):
        return False
    later = (label(e.words) for e in page.lines[at + 1 : at + _NEAR] if e.kind == HEADING)
    if next((said.role for said in later if said), "") == ANSWER:
        return False
    bare = all(not rows[0][1].strip() for rows in draft.questions.values())
    written = (e for rows in draft.questions.values() for e in rows if e[1].strip())
    first = next(written, None)
    if first is None or not bare or _PART.fullmatch(first[1]):
        return False
    if any(page.lines[n].kind == HEADING for n, _ in written) or not _has_words(draft.questions):
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
    if found is None or found.role == RESULT or _is_part(line, found, draft):
        return None
    if found.role == QUESTION and not found.rest and _CALLOUT.match(after(page.lines, at).text):
        return None  # it only numbers the callout
    bare = found.role == QUESTION and not (found.sign or found.rest) and text[:1].isalpha()
    if bare and line.kind == TEXT and at and page.lines[at - 1].kind == TEXT:
        return None  # a word in a text
    if found.letter and found.role == ANSWER and not _answers_letter(at, page, draft, found):
        return None
    if draft is not None and 0 < line.depth < draft.depth and line.kind == HEADING:
        later = (page.lines[n] for n in range(at + 1, len(page.lines)))
        below = next((each for each in later if each.kind == HEADING), line)
        if found.role == ANSWER and below.depth > line.depth and label(below.words):
            return None  # the solutions of all questions above
    if found.letter and found.role == CLOZE and not _hides(at, page, found):
        return None
    return found


def _is_part(line: Line, found: Label, draft: _Labelled | None) -> bool:
    """Return whether a label answers nothing, or begins a section of an answer."""
    if draft is None:
        return found.role == ANSWER
    deeper = line.kind == HEADING and line.depth > draft.answer_depth > 0
    return deeper and found.role == QUESTION and not asks(found.rest)


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
    parts = draft.answer_depth == draft.depth or "" in draft.answers
    if draft.above is not None and draft.alone and parts:
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
    opened = [n for n, (_, text) in enumerate(rows) if _DETAILS.search(text)]
    if not opened:
        return []
    told = [(at, _SUMMARY.sub("", _DETAILS.sub("", text))) for at, text in rows[opened[-1] :]]
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


def without_key(text: str) -> tuple[str, str]:
    """Return a question without the line at its end that names the right option, and that line.

    >>> without_key("Which?\\nA) One\\nB) Two\\n**Correct:** B")
    ('Which?\\nA) One\\nB) Two', '**Correct:** B')
    """
    above, _, last = text.rpartition("\n")
    named = _NAMES_OPTION.fullmatch(last)
    return (above.rstrip(), last) if named and OPTION.match(_last(above)) else (text, "")


def _last(text: str) -> str:
    return text.rstrip().rpartition("\n")[2]


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
        if not draft.answers and _BRACKET_GAP.search(whole):
            gaps, full = gapped(whole, _NUMBERED_GAP, _BRACKET_GAP)
            yield Card("cloze", draft.start, draft.end, {"": gaps.strip()}, {"": full.strip()})
        return
    told = {
        lang: _plain(page.lines[at]._replace(text=text) for at, text in rows)
        for lang, rows in draft.answers.items()
    }
    for lang in asked.keys() & told.keys():
        asked[lang], key = without_key(asked[lang])
        told[lang] = "\n\n".join(filter(None, (key, told[lang])))
    if single and draft.told_inline and not draft.answer_depth:
        rows = next(reversed(draft.answers.values()))
        cut = next((at for n, (at, text) in enumerate(rows) if n and not text.strip()), None)
        below = [
            at for at, _ in rows if cut is not None and at > cut and page.lines[at].kind != BLANK
        ]
        ended = any(_CARD_ID.match(page.lines[at].text) for at in below)
        if cut is not None and below and not (ended or _GOES_ON.match(page.lines[below[0]].text)):
            told[next(reversed(told))] = source(row for row in rows if row[0] < cut)
            draft.end = cut
    questions = {
        lang: _question(text, page) for lang, text in asked.items() if any(map(str.isalnum, text))
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


# Cards in elements.


def is_answer_label(text: str) -> bool:
    """Return whether a text is only an answer label."""
    found = label(text.strip(" :：.!▶👉"))
    return found is not None and found.role == ANSWER and not found.rest.strip()


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


def bare_summary(summary: str) -> str:
    """Return the words of a summary in one line."""
    return " ".join(clean(_TAGS.sub(" ", summary)).split()).strip(" :：")


def regions(page: Page) -> Iterator[tuple[int, int]]:
    """Yield the span of each outermost ``<details>``.

    An unclosed one ends at the next one or at a heading.
    """
    end, lines = 0, page.lines
    texts = ["" if each.kind in (CODE, HIDDEN) else each.text for each in lines]
    depths = [len(_DETAILS.findall(each)) - len(_DETAILS_END.findall(each)) for each in texts]
    for at, text in enumerate(texts):
        if at < end or not _DETAILS.search(text):
            continue
        if lines[at].inside:
            around = accumulate(depths[n] for n in range(at, len(lines)))
            ends = (n for n, depth in enumerate(around, at + 1) if depth <= 0)
        else:
            below = range(at + 1, len(lines))
            ends = (n for n in below if lines[n].kind == HEADING or _DETAILS.search(lines[n].text))
        end = next(ends, len(lines))
        yield at, end


def _details(page: Page) -> Iterator[Card]:
    """Find ``<details>`` whose summary asks, or hides the answer to the text above."""
    last = 0
    found = [
        (start, end, pair)
        for start, end in regions(page)
        if (pair := opened("\n".join(each.text for each in page.lines[start:end])))
    ]
    sure = sum(bool(told.strip()) or asks(clean(asked)) for *_, (asked, told) in found)
    listed = 2 * sure >= len(found) > 2
    folded = sum(len(e.text) for start, end, _ in found for e in page.lines[start:end])
    asking = page.about == "questions" or page.deck
    named = [name for *_, (name, _) in found if bare_summary(name) and not hides_answer(name)]
    mostly = 2 * sum(asks(clean(each)) for each in named) >= len(named) > 2
    asking |= (page.filed or mostly) and 2 * folded > len(page.body)
    task = ""  # above several hidden answers, some of whose questions are only code
    hidden = False  # whether the last card has a hidden answer
    out: list[Card] = []
    for start, end, (asked, told) in found:
        if _CELL.search(page.lines[start].text) or is_hint(asked):
            continue
        cards: Iterable[Card] = ()
        own: Sequence[Line] = ()
        hides = hides_answer(asked) or (not asked.strip() and ends_asking(_before(start, page)))
        if hides:
            above = _above(start, last, page, single=len(found) == 1)
            own = [
                e
                for e in page.lines[above:start]
                if e.kind == CODE
                or not (e.kind == HIDDEN or _WRAPPER.fullmatch(e.text) or is_answer_label(e.text))
            ]
            spoken = any(e.kind != CODE and _SPOKEN.search(_SPARED.sub("", e.text)) for e in own)
            if not spoken and above > last and page.lines[above - 1].kind == RULE:
                task = _task(page.lines[_above(above - 1, last, page) : above + 1]) or task
            question, shared = source(own), "" if spoken else task
            task = _task(own) if spoken else task
            if len(question) <= _UNLIKELY:
                cards = made("details", (above, end), question.lstrip("# "), told, page)
                cards = (replace(each, context=shared) for each in cards)
        elif asks(clean(asked)) or (
            asking
            and asked.strip()
            and not ((said := label(bare_summary(asked))) and not said.rest)
            and not any(map(hides_answer, _LONG.findall(asked)))
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


def _before(at: int, page: Page) -> str:
    """Return the last line above one that is not blank."""
    near = (page.lines[n].text for n in range(at - 1, max(at - 4, -1), -1))
    return next((text for text in near if text.strip()), "")


def _task(lines: Sequence[Line]) -> str:
    """Return the text above the code at the end of some lines, without headings, if it is short."""
    kept = [*lines]
    for kind in (BLANK, CODE, BLANK):
        while kept and kept[-1].kind == kind:
            kept.pop()
    text = source(each for each in kept if each.kind not in (HEADING, RULE))
    return text if len(text) <= _UNLIKELY else ""


def opened(text: str) -> tuple[str, str] | None:
    """Return the summary of the first element in a text, and its content with the text behind.

    >>> opened("<details><summary>Why?</summary><b>So.</b></details> Or so.")
    ('Why?', 'So.\\n\\nOr so.')
    """
    named = _SUMMARY.search(text)
    found = named or _DETAILS.search(text)
    if found is None:
        return None
    *within, behind = _DETAILS_END.split(text[found.end() :])
    parts = ("</details>".join(within), behind) if within else (behind,)
    return named[1] if named else "", "\n\n".join(filter(None, map(tidy, parts)))


def tidy(text: str) -> str:
    """Return the content of an element without layout tags.

    >>> tidy("<br><b> Yes. </b>")
    'Yes.'
    """
    before = None
    while text != before:
        before = text
        text = _EDGE.sub("", text).strip("\n")
        text = text[:-200] + _TAIL.sub("", text[-200:])
        whole = _BOLD_HTML.match(text)
        if whole and f"<{whole[1].lower()}" not in whole[2].lower():
            text = whole[2]
    return source(enumerate(text.split("\n"))).strip()


def only_links(text: str) -> bool:
    """Return whether a text is only a list of links."""
    bare = _TAGS.sub("", _LINKS.sub("", text))
    linked = bool(_LINKS.search(text)) and "```" not in text
    return linked and sum(map(str.isalnum, bare)) * 10 < len(text)


def _above(at: int, last: int, page: Page, *, single: bool = True) -> int:
    """Return where the question above a hidden answer begins: a heading, item or paragraph.

    The title of a file belongs to a ``single`` one.
    """
    for above in range(at - 1, last - 1, -1):
        line = page.lines[above]
        if above in page.taken or (line.kind == RULE and not line.inside):
            return above + 1
        if line.kind == HEADING:
            title = not single and line.depth == 1 and page.heads[:1] == [above]
            announces = about_of(line.words) == "questions"
            return above + ((title or announces) and not asks(clean(line.words)))
    return last


def _callouts(page: Page) -> Iterator[Card]:
    """Find Obsidian callouts that ask: ``> [!question] Why?`` with the answer below."""
    for span, title, rows in _quoted(page, _CALLOUT):
        for asked, told in _called(title, rows, page):
            yield from made("callout", span, asked, told, page, bare=not told)


def _exercises(page: Page) -> Iterator[Card]:
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
    if said is None or said.role != ANSWER or said.letter or said.kept:
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


def _called(title: str, rows: list[str], page: Page) -> list[tuple[str, str]]:
    """Return the question and answer of a callout, or the questions that it lists."""
    named = found if (found := label(title)) and found.role == QUESTION else None
    items = [_ITEM.match(each) for each in rows if each.strip()]
    listed = about_of(title) == "questions" and not asks_surely(clean(title))
    listed |= not title and 2 * sum(map(ends_asking, rows)) > len(items)
    if listed and all(items):
        return [(each[1], "") for each in items if each]
    asked = named.rest if named else title
    if not asked and rows:
        asked, rows = _SIGN.sub("", rows[0], count=1), rows[1:]
    above, below = _solved(rows)
    asked = "\n\n".join(filter(None, (asked, source(enumerate(above if below else ())))))
    lettered = len(rows) > 1 and OPTION.match(rows[0]) and SECOND.match(rows[1])
    if lettered and not below:
        return [(f"{asked}\n\n{source(enumerate(rows))}", "")]
    told = source(enumerate(below or rows))
    asking = page.about == "questions" and not listed
    return [(asked, told)] if asking or (told.strip() and (asks(asked) or named or below)) else []


def _anki(page: Page) -> Iterator[Card]:
    """Find blocks of Obsidian_to_Anki: ``START`` to ``END``, or ``START_CARD`` to ``END_CARD``."""
    start, word = -1, ""
    for at, line in enumerate(page.lines):
        if line.kind == CODE:
            continue
        text = line.text.strip()
        if opened := _START.fullmatch(text):
            start, word = at, f"END{opened[1]}"
        elif text == word and start >= 0:
            rows = [each.text for each in page.lines[start + 1 : at]]
            yield from _of_anki(rows, (start, at + 1), page)
            start = -1
        elif "STARTI" in text:
            for found in _INLINE_ANKI.finditer(text):
                rows = [found[1], *re.split(r"\s(?=[A-Z]\w{2,20}:\s)", found[2].strip())]
                yield from _of_anki(rows, (at, at + 1), page)


def _of_anki(rows: Sequence[str], span: tuple[int, int], page: Page) -> Iterator[Card]:
    parts: list[list[str]] = [[]]
    tags: tuple[str, ...] = ()
    if not rows:
        return
    basic = rows[0].strip().lower().startswith(("basic", "cloze"))
    for text in rows[1:]:
        found = _ANKI_FIELD.match(text)
        if found and found[1] not in (*_OF_BASIC, "Tags") and (basic or parts[1:]):
            found = None
        if text.lstrip().startswith("<!--ID") or text.startswith("ID:"):
            continue
        if found and found[1] == "Tags":
            tags = tuple(found[2].split())
        elif found and any(each.strip() for each in parts[-1]):
            parts.append([found[2]])
        else:
            parts[-1].append(found[2] if found and found[1] in _FIRST_FIELDS else text)
    first = label(parts[0][0]) if parts[0] and parts[1:] else None
    if first and first.role == QUESTION and not first.number:
        parts[0][0] = first.rest
    texts = [source(enumerate(each)) for each in parts]
    asked, told = texts[0], "\n\n".join(texts[1:])
    if "{" in asked and (rows[0].strip().lower().startswith("cloze") or not told):
        asked, whole = gapped(asked if "{{" in asked else _BRACES.sub(_numbered, asked))
        told = "\n\n".join(filter(None, (whole, told)))
    cards = made("anki", span, asked, told, page)
    yield from (replace(each, tags=(*each.tags, *tags)) for each in cards)


_BRACES = re.compile(r"\$[^$]*\$|\{(?!\{)(?:c?\d+[:|])?([^{}]+)\}")  # gaps, none in formulas


def _numbered(found: re.Match[str]) -> str:
    return f"{{{{c1::{found[1]}}}}}" if found[1] else found[0]


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
    if not (asking or last.inside or ends_asking(page.lines[first - 1].text)):
        return
    told = ticked(each.text for each in options)
    found = label(page.lines[end].text) if end < len(page.lines) else None
    if told and found and found.role == RESULT and found.rest:
        below = itertools.takewhile(lambda each: each.kind == TEXT, page.lines[end:])
        rows = [each for each in below if not _TAGS.fullmatch(each.text.strip())]
        told, end = f"{told}\n\n{source(rows)}", end + len(rows)
    if told and told.partition("\n\n")[0].count("\n") + 1 < len(options):
        yield from made("choice", (start, end), f"{stem}\n\n{setting}", told, page)
    elif found and found.role == ANSWER and found.rest:
        yield from made("choice", (start, end + 1), f"{stem}\n\n{setting}", found.rest, page)


def _is_text(at: int, page: Page) -> bool:
    text = page.lines[at].text.strip()
    return page.free(at) and page.lines[at].kind == TEXT and not _TAGS.fullmatch(text)


def ticked(options: Iterable[str]) -> str:
    """Return the options with a ticked box, or with a letter and a tick behind them.

    >>> ticked(["- [ ] 3", "- [x] - 4"]), ticked(["- A) 3", "- B) 4 ✅"])
    ('- 4', 'B) 4')
    """
    found = (each for each in options if untick(each) != each)
    return "\n".join(_BEFORE_OPTION.sub("", untick(each), count=1).strip() for each in found)


def untick(text: str) -> str:
    """Return an option without its tick: the ticks of a question are its answer.

    >>> [untick(each) for each in ("- [x] Four", "Four [x]", "B) Four ✅", "Four ✅")]
    ['- [ ] Four', 'Four [x]', 'B) Four', 'Four ✅']
    """
    if found := BOX.match(text):
        return f"{text[: found.start(1)]} {text[found.end(1) :]}"
    return text[:-_TICK] + _RIGHT.sub("", text[-_TICK:]) if OPTION.match(text) else text


def is_choice(line: Line) -> bool:
    """Return whether a line is a short item, or has the letter of a choice."""
    return (line.kind == ITEM and len(line.words) < _CHOICE) or bool(OPTION.match(line.text))


def cells_of(text: str) -> list[str]:
    """Return the cells of a row of a table.

    >>> cells_of("| a | b \\\\| c |")
    ['a', 'b \\\\| c']
    """
    bare = text.strip().strip("|") if text.strip().endswith("|") else text.strip().lstrip("|")
    return [each.strip() for each in re.split(r"(?<!\\)\|", bare)]


def tables(page: Page) -> Iterator[tuple[int, int]]:
    """Yield the span of each Markdown table."""
    at = 0
    rows = (each.kind in (ROW, TEXT) and "|" in each.text for each in page.lines)
    for is_row, some in groupby(rows):
        end = at + sum(1 for _ in some)
        rule = page.lines[at + 1].text if is_row and end > at + 1 else ""
        if re.fullmatch(r"\s*\|?[\s:|-]*-[\s:|-]*", rule):
            yield at, end
        at = end


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
        ("[!", "!!!", ":::", "{exercise", "{: .", "exercise>"),
        "> [!exercise] Sums\n> Add 1 and 2.\n>\n> > [!solution]\n> > It is 3.\n",
        _exercises,
    ),
    Form("anki", ("start",), "START\nBasic\nWhat is A?\nBack: It is a.\nEND\n", _anki),
    Form("turned", ("\n?", "?\n", "\n%"), "What is A?\n?\nIt is a.\n", _turned),
    Form("sides", ("::", ";;"), "What is A?::It is a.\n", _sides),
    Form("mark", ("card",), "- What is A? #card\n\t- It is a.\n", _marked),
    Form("labels", (), "Q: What is A?\nA: It is a.\n", _labelled),
    Form("term", (), "# Flashcards\n\n- Norm: a length\n- Rank: a number\n", _terms),
    Form("cloze", ("{{", "=="), "The capital is {{c1::Paris}}.\n", _clozes),
    Form("callout", ("[!", "???", "!!!"), "> [!question] What is A?\n> It is a.\n", _callouts),
    Form("identified", ("<!--id",), "What is A? #qa\nIt is a.\n<!--ID: 123-->\n", _identified),
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
        _details,
    ),
    Form("choice", (), "Which is even?\n\n- [ ] 3\n- [x] 4\n", _choices),
)
"""Forms that belong to the question above in a list of questions."""
