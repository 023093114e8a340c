"""Cards by signs: a separator, a gap, a tag, an ID, or a block of Anki."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

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
    columns,
    source,
)
from kb.formats.notes.page import (
    GOES_ON,
    LINKS,
    LISTED,
    LONG,
    NEAR,
    NUMBERED_GAP,
    SCHEDULE,
    SIGN,
    SPARED,
    SPOKEN,
    UNLIKELY,
    Card,
    Page,
    gapped,
    made,
    outdented,
    plain,
)
from kb.formats.notes.wording import clean, ends_asking, wording

_TURN = re.compile(r"^[\s>]*\?{1,2}\s*$")
_SPAN = re.compile(r"`[^`\n]*`")
_PARTED = re.compile(r"(?<![:;(@])(:::?|;;;?)(?![:;)@])")
_MARK = re.compile(
    r"(?<![\w#])#(?:card|flashcard)(?:[/-](?:reverse|spaced))?(?![\w/-])|#?\[\[(?:card|flashcard)\]\]"
)
PROPERTY = re.compile(r"^\s*[A-Za-z][\w.-]*::(?:\s|$)")
LOGSEQ = re.compile(
    r"^\s*(?:[-*+]\s+)?(?:id|title|tags|alias|collapsed|heading|icon|type|public|template"
    r"|deck|author|category|url|full-title|file-path|hl-[\w-]+|ls-type|background-color|(?:created|updated)-at|exclude-from-graph-view|card-[\w-]+|logseq\.[\w.-]+)::\s"
)
"""A property that Logseq itself writes or knows."""
_TARGET = re.compile(r"\s*(?:TARGET DECK|FILE TAGS)\b")  # of Obsidian_to_Anki
_FIRST_PROPERTY = re.compile(
    r"^([ \t]*[-*+]\s+)(?:id|collapsed)::[^\n]*\n[ \t]*(?![-*+]\s)(?=\S)", re.MULTILINE
)
_PARAGRAPH = 20  # lines, the most around a gap that are learnt with it
_AROUND = 3  # items, the most above one that are shown with it
_FEW = 2  # words
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


# Cards of a line.
def sides(page: Page) -> Iterator[Card]:
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
        if _TARGET.match(line.text):
            continue
        text = SIGN.sub("", SCHEDULE.sub("", line.text).rstrip(), count=1)
        bare = SPARED.sub(_masked, HIGHLIGHT.sub(_masked, text))
        found = _PARTED.search(bare)
        if found is None:
            continue
        asked, told = text[: found.start()], text[found.end() :]
        apart = asked[-1:].isspace() and told[:1].isspace()  # no code
        named = PROPERTY.match(line.text)
        if named and (outliner or not LINKS.sub("", told).strip(" ,;")):
            continue  # as ``up:: [[note]]``
        listed = page.deck or at in page.identified or (turned and not named)
        if listed or ends_asking(asked) or (apart and mostly):
            yield from made("sides", (at, at + 1), asked, told.strip(), page)


def _masked(found: re.Match[str]) -> str:
    return "\x00" * len(found[0])


def turned(page: Page) -> Iterator[Card]:
    """Find cards whose sides are separated by a line of ``?`` or ``??``."""
    turns = [at for at, each in enumerate(page.lines) if page.free(at) and _TURN.match(each.text)]
    begins = {at: _begin(at, page) for at in turns}
    starts = frozenset(begins.values())
    for at in turns:
        start, end = begins[at], _end(at, page, starts)
        if start == at:
            continue
        own = page.lines[start:end]
        if page.lines[at].kind == QUOTE:
            own = [each._replace(text=re.sub(r"^\s*>\s?", "", each.text)) for each in own]
        first = SIGN.sub("", own[0].text, count=1)
        asked = f"{first}\n{source(own[1 : at - start])}"
        told = plain(own[at - start + 1 :])
        yield from made("turned", (start, end), asked, told, page)


def _begin(at: int, page: Page) -> int:
    """Return where the question above a ``?`` line begins: its paragraph, or only a heading."""
    start = at
    for above in range(at - 1, max(at - 30, -1), -1):
        line = page.lines[above]
        outside = page.lines[at].kind == QUOTE != line.kind
        if outside or not page.free(above) or line.kind in (HEADING, RULE, ROW):
            break
        if SCHEDULE.search(line.text) or "::" in SPARED.sub("", line.text):
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
    spaced = end < len(lines) and lines[end].kind == BLANK
    while end < len(lines):
        line = lines[end]
        if line.kind not in (CODE, HIDDEN):
            if end in page.taken or end in starts or line.kind in (HEADING, RULE):
                return end
            if SCHEDULE.search(line.text):
                return end + 1
            below_blank = end > at + 1 and lines[end - 1].kind == BLANK
            text_below = below_blank and line.kind != BLANK and not GOES_ON.match(line.text)
            if text_below and not spaced:
                return end
        end += 1
    return end


def clozes(page: Page) -> Iterator[Card]:
    """Find texts with ``{{c1::gaps}}``, and with ``==gaps==`` in a deck: a card for each line.

    What has an ID below it is one card.
    """
    around = _items_around(page)
    patterns = [NUMBERED_GAP, *([page.gap] if page.gap else ())]
    blocks = {} if page.deck else {at: each for each in page.blocks for at in each}
    last = range(0)
    for at in [at for at in range(len(page.lines)) if _has_gap(at, page)]:
        if at in last:
            continue
        last = blocks.get(at, range(0))
        start, end = (last.start, last.stop) if last else _paragraph(at, page)
        own = (n for n in range(start, end) if n == at or not PROPERTY.match(page.lines[n].text))
        texts = [(n, SCHEDULE.sub("", page.lines[n].text).rstrip()) for n in own]
        rows = ((gapped(text, *patterns) if last or n == at else (text, text)) for n, text in texts)
        asked, told = map("\n".join, zip(*rows, strict=True))
        if end - start == 1 or not last:
            asked, told = (SIGN.sub("", each, 1) for each in (asked, told))
        said = wording(asked, page.stars)
        bare = not around.get(start) and not SPOKEN.search(said.text)
        if not bare:
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
            near = (each.words for each in around[-_AROUND:] if len(each.text) <= UNLIKELY)
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
    if NUMBERED_GAP.search(text):
        return True
    if page.gap is HIGHLIGHT and "==" in text:
        text = SPARED.sub("\x00", line.text)
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


# Cards below a mark, and above an ID.
def marked(page: Page) -> Iterator[Card]:
    """Find blocks tagged ``#card``, answered by the indented lines below or the next lines."""
    around = _items_around(page)
    for at, line in enumerate(page.lines):
        marked = page.free(at) and not PROPERTY.match(line.text)
        if not (marked and _MARK.search(SPARED.sub("", line.text))):
            continue
        start = _block(at, page)
        item = bool(LISTED.match(page.lines[start].text.strip()))
        start = start if item else at
        first, end = _children(start, page) if item else (at + 1, _below(at, page))
        top = page.lines[start]
        own = (each for each in page.lines[start + 1 : first] if not PROPERTY.match(each.text))
        gap = "\n" * (1 + any(e.kind == BLANK for e in page.lines[start + 1 : start + 2]))
        asked = gap.join(filter(None, ((top.words or top.text).strip(), source(own))))
        asked = "\n".join(_MARK.sub("", each).rstrip() for each in asked.split("\n")).strip()
        if not re.search(r"\w", re.sub(r"#[\w/-]+", "", asked)):
            continue
        told = plain(each for each in page.lines[first:end] if not PROPERTY.match(each.text))
        if item:
            told = outdented(_FIRST_PROPERTY.sub(r"\1", told))
        asked, whole = gapped(asked) if not told and "{{" in asked else (asked, told)
        told = gapped(told)[1] if "{{" in told else told or (whole if whole != asked else "")
        short = len(LONG.findall(asked)) < _FEW  # as Summary, which says nothing by itself
        found = made("mark", (start, end), asked, told, page)
        yield from (replace(e, context=around.get(start, "") if short else "") for e in found)


def _block(at: int, page: Page) -> int:
    """Return where the paragraph of a line begins, or the item whose last paragraph it is."""
    start, line = _paragraph(at, page)[0], page.lines[at]
    above = range(start - 1, max(start - NEAR, -1), -1) if line.kind == TEXT and line.depth else ()
    for n in above:
        each = page.lines[n]
        if each.kind == ITEM and each.depth < line.depth:
            return n
        if each.kind not in (TEXT, BLANK) or (each.kind == TEXT and each.depth < line.depth):
            break
    return start


def _children(at: int, page: Page) -> tuple[int, int]:
    """Return the span of the items below an item, up to another card."""
    depth, first, below = columns(page.lines[at].text), 0, at + 1
    while below < len(page.lines):
        line = page.lines[below]
        written = line.kind not in (BLANK, CODE, HIDDEN)
        if written and (columns(line.text) <= depth or (first and _MARK.search(line.text))):
            break
        if not first and (line.kind == ITEM or LISTED.match(line.text.strip())):
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
        if _MARK.search(line.text):
            return below
    return len(page.lines)


def identified(page: Page) -> Iterator[Card]:
    """Find cards above an ID of Obsidian_to_Anki that their author's own pattern finds there.

    Its front ends in a tag, or is the heading above.
    """
    for start, end in ((each.start, each.stop) for each in page.blocks):
        own = page.lines[start:end]
        tagged = next((n for n, each in enumerate(own, 1) if _END_TAG.search(each.text)), 0)
        front = SIGN.sub("", source(own[:tagged]), count=1)
        asked, tags = _END_TAG.sub("", f" {front}").strip(), re.findall(r"#([\w/-]+)\s*\Z", front)
        while start and page.lines[start - 1].kind in (BLANK, HEADING) and not asked.strip():
            start -= 1
            asked = _END_TAG.sub("", page.lines[start].words)
        found = made("identified", (start, end), asked, source(own[tagged:]), page)
        yield from (replace(each, tags=(*each.tags, *tags)) for each in found)


def anki(page: Page) -> Iterator[Card]:
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
        if text.lstrip().startswith("<!--ID"):
            continue
        if found and found[1] == "Tags":
            tags = tuple(found[2].split())
        elif found and any(each.strip() for each in parts[-1]):
            parts.append([found[2]])
        else:
            parts[-1].append(found[2] if found and found[1] in _FIRST_FIELDS else text)
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
