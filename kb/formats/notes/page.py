"""The lines of a note with what all forms of cards need of them, and the card that they make."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate, groupby

from kb.formats.notes.obsidian import HIGHLIGHT
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
    source,
)
from kb.formats.notes.wording import ANSWER, QUESTION, About, clean, label, wording

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
SCHEDULE = re.compile(r"<!--\s*SR:[^<>]{0,2000}-->")
_DECK = re.compile(
    r"^#{1,6}[^\w\n]{1,9}(?:flash ?cards?|فلش[\u200c ]?کارت(?:[\u200c ]?ها)?)[^\w\n]{0,9}$",
    re.MULTILINE | re.IGNORECASE,
)
SIGN = re.compile(r"^\s*(?:[-*+]\s+|\d{1,4}[.)]\s+|>\s?|\[![\w-]+\][+-]?\s)*")
GOES_ON = re.compile(r"^(?:\s*(?:[-*+>|]|\d{1,4}[.)])\s|\s{2,}\S|\t|```|~~~|\$\$|\||!\[|>)")
SPOKEN = re.compile(r"[^\W\d_]{2}")
LONG = re.compile(r"\w{3,}")
SPARED = re.compile(
    r"`[^`\n]*`|\$[^$\n]*\$|\[[^\[\]\n]{0,500}\]\([^()\n]{0,500}\)|https?://\S*|\{\{[^{}]{0,300}\}\}"
)
LEVEL = re.compile(r"level|difficulty|سطح|سختی", re.IGNORECASE)
NUMBERED_GAP = re.compile(
    r"\{\{c\d+::((?:(?!\{\{)(?!::).){1,500}?)(?:::[^{}]{0,200})?\}\}"
    r"|\{\{(?:cloze|c\d+) ([^{}]{1,500})\}\}",
    re.DOTALL,
)
DETAILS = re.compile(r"<details\b[^<>]*>", re.IGNORECASE)
_DETAILS_END = re.compile(r"</details\s*>", re.IGNORECASE)
SUMMARY = re.compile(
    r"<summary\b[^<>]*>(.*?)(?:</summary\s*>|(?=<details\b)|\Z)", re.IGNORECASE | re.DOTALL
)
WRAPPER = re.compile(r"\s*<(/?)(?:div|p|center|details)\b[^<>]*>\s*", re.IGNORECASE)
TAGS = re.compile(r"</?[A-Za-z][^<>]*>")
_BOLD_HTML = re.compile(r"^\s*<(b|strong|p|div)\b[^<>]*>(.*)</\1>\s*$", re.IGNORECASE | re.DOTALL)
_EDGE = re.compile(r"\A(?:\s*<(?:/?br|/p|/b|/strong)\s*/?>)+", re.IGNORECASE)
_TAIL = re.compile(r"(?:\s*<(?:br|p|b)\s*/?>)+\s*\Z", re.IGNORECASE)
NEAR = 40  # lines, the most between a part of a question and its labelled answer
_FREQUENT = 5  # times
_ROW = 1000  # characters, from which links in a row are a text
UNLIKELY = 2000  # characters above a hidden answer, from which they are a text and no question
OPTION = re.compile(
    r"^\s*(?:[-*+]\s+)?(?:\*\*)?\(?([A-Ha-h]|[الفبپتثج]|الف)(?:\*\*)?[.):](?:\*\*)?\s+\S"
)
ALL_BOLD = re.compile(r"\s*(\*\*|__)(?!\s)(?:(?!\1).)+\1\s*")
_CHOICE = 100  # characters
SECOND = re.compile(r"^\s*(?:[-*+]\s+)?(?:\*\*)?[Bbب](?:\*\*)?[.):：]")
BOX = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s*\[([ xX✓✔])\]\s*(?=\S)")
_BEFORE_OPTION = re.compile(rf"{BOX.pattern}|^\s*[-*+]\s+")
_TICK = 20  # characters at the end of an option, among which its tick is
_RIGHT = re.compile(r"\s*(?:[✅✔]\ufe0f?|(?:←|⬅\ufe0f?)\s*\**\w+\**)(?=\W*$)")  # behind an option
LINKS = re.compile(
    r"!?\[[^\[\]\n]*\]\([^()\n]*\)|\[\[[^\[\]\n]*\]\]|<a\b[^<>]*>[^<>]*</a>|https?://\S+",
    re.IGNORECASE,
)
LISTED = re.compile(r"(?:[-*+]|\d{1,3}[.)])\s+(\S.*)")
END_RULE = re.compile(r"\n\s*(?:-{3,}|\*{3,}|_{3,})\s*\Z")
CARD_ID = re.compile(r"\s*<!--\s*(?:ID|SR):")  # which plugins write below a card
_ANKI_ID = re.compile(r"\s*<!--\s*ID:\s*\d")


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
    ``gap`` finds the gaps of a deck, and ``taken`` has the lines of cards found so far.
    """

    lines: Sequence[Line]
    body: str
    stars: int = 1
    deck: bool = False
    about: About = ""
    filed: bool = False
    homework: bool = False
    gap: re.Pattern[str] | None = HIGHLIGHT
    taken: set[int] = field(default_factory=set)

    @cached_property
    def summaries(self) -> frozenset[str]:
        """The frequent texts of ``<summary>``, which name no content of their own."""
        found = Counter(bare_summary(each[1]) for each in SUMMARY.finditer(self.body))
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
        return line.kind in (TEXT, ITEM, QUOTE, ROW) and not CARD_ID.match(line.text)

    def free(self, at: int) -> bool:
        """Return whether a line is not code, not a comment and not part of a card."""
        return at not in self.taken and self.lines[at].kind not in (CODE, HIDDEN, BLANK)


def page_of(lines: Sequence[Line], body: str, stars: int, *, deck: bool = False) -> Page:
    """Return a page; a heading makes it a deck, too."""
    return Page(lines, body, stars, deck or bool(_DECK.search(body)))


def made(
    form: str, span: tuple[int, int], asked: str, told: str, page: Page, *, bare: bool = False
) -> Iterator[Card]:
    """Yield a card of two texts unless a side is empty. A ``bare`` card needs no answer."""
    said = wording(asked, page.stars) if "\n" not in asked.strip() else None
    words = clean(said.text) if said else question(asked, page)
    told = END_RULE.sub("", SCHEDULE.sub("", told).strip("\n").rstrip())
    if words and (told.strip() or bare):
        yield Card(
            form, *span, {"": words}, {"": told} if told.strip() else {},
            number=said.number if said else None, level=said.level if said else None,
            tags=said.tags if said else (),
        )  # fmt: skip


def question(text: str, page: Page) -> str:
    """Return a question of several lines: its first paragraph cleaned, the others unchanged."""
    lines = text.strip().split("\n")
    code = lines[0].startswith(("```", "~~~"))
    ends = (n for n, each in enumerate(lines) if n and (not each.strip() or GOES_ON.match(each)))
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


def plain(lines: Iterable[Line]) -> str:
    """Return lines without card schedules and block properties."""
    kept = [
        each for each in lines if each.kind != HIDDEN and not SCHEDULE.fullmatch(each.text.strip())
    ]
    tags = ((each, WRAPPER.fullmatch(each.text)) for each in kept if each.kind != CODE)
    wrappers = {each: found[1] for each, found in tags if found}
    if 2 * sum(not slash for slash in wrappers.values()) != len(wrappers):  # one is outside
        kept = [each for each in kept if each not in wrappers]
    kept = without_lead(kept)
    return SCHEDULE.sub("", source(kept)).rstrip()


def gapped(text: str, *patterns: re.Pattern[str]) -> tuple[str, str]:
    """Return a text with gaps, and the complete text.

    >>> gapped("Paris is in ==France==.")
    ('Paris is in […].', 'Paris is in France.')
    >>> gapped("{{c1::Paris::city}} is large")[0]
    '[…] is large'
    """
    asked = told = text
    for pattern in patterns or (NUMBERED_GAP, HIGHLIGHT):
        asked = pattern.sub("\x00", asked)
        told = pattern.sub(lambda found: next(filter(None, found.groups()), ""), told)
    return asked.replace("\x00", GAP), told


def outdented(text: str) -> str:
    """Return the text of a single item without its bullet; several items are unchanged."""
    lines = text.split("\n")
    single = re.match(r"[-*+]\s+", lines[0])
    if single is None or any(re.match(r"[-*+]\s", each) for each in lines[1:]):
        return text
    rest = source(enumerate(lines[1:]))
    return "\n".join(filter(None, (lines[0][single.end() :], rest)))


def is_answer_label(text: str) -> bool:
    """Return whether a text is only an answer label."""
    found = label(text.strip(" :：.!▶👉"))
    return found is not None and found.role == ANSWER and not found.rest.strip()


def bare_summary(summary: str) -> str:
    """Return the words of a summary in one line."""
    return " ".join(clean(TAGS.sub(" ", summary)).split()).strip(" :：")


def opened(text: str) -> tuple[str, str] | None:
    """Return the summary of the first element in a text, and its content with the text behind.

    >>> opened("<details><summary>Why?</summary><b>So.</b></details> Or so.")
    ('Why?', 'So.\\n\\nOr so.')
    """
    named = SUMMARY.search(text)
    found = named or DETAILS.search(text)
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
    bare = TAGS.sub("", LINKS.sub("", text))
    linked = bool(LINKS.search(text)) and "```" not in text
    return linked and sum(map(str.isalnum, bare)) * 10 < len(text)


def ticked(options: Iterable[str]) -> str:
    """Return the options with a ticked box, or with a letter and a tick behind them.

    >>> ticked(["- [ ] 3", "- [x] - 4"]), ticked(["- A) 3", "- B) 4 ✅"])
    ('- 4', 'B) 4')
    """
    found = (each for each in options if untick(each) != each)
    return "\n".join(_BEFORE_OPTION.sub("", untick(each), count=1).strip() for each in found)


def untick(text: str) -> str:
    """Return an option without its tick: the ticks of a question are its answer.

    >>> [untick(each) for each in ("- [x] Four ← **right**", "Four [x]", "B) Four ✅", "Four ✅")]
    ['- [ ] Four', 'Four [x]', 'B) Four', 'Four ✅']
    """
    if found := BOX.match(text):
        text = f"{text[: found.start(1)]} {text[found.end(1) :]}"
    elif not OPTION.match(text):
        return text
    return text[:-_TICK] + _RIGHT.sub("", text[-_TICK:])


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


def regions(page: Page) -> Iterator[tuple[int, int]]:
    """Yield the span of each outermost ``<details>``.

    An unclosed one ends at the next one or at a heading.
    """
    end, lines = 0, page.lines
    texts = ["" if each.kind in (CODE, HIDDEN) else each.text for each in lines]
    depths = [len(DETAILS.findall(each)) - len(_DETAILS_END.findall(each)) for each in texts]
    for at, text in enumerate(texts):
        if at < end or not DETAILS.search(text):
            continue
        if lines[at].inside:
            around = accumulate(depths[n] for n in range(at, len(lines)))
            ends = (n for n, depth in enumerate(around, at + 1) if depth <= 0)
        else:
            below = range(at + 1, len(lines))
            ends = (n for n in below if lines[n].kind == HEADING or DETAILS.search(lines[n].text))
        end = next(ends, len(lines))
        yield at, end


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
