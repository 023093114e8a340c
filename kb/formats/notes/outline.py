"""The lines of a body, classified: heading, item, code, table row.

People write questions in many ways: a number without a space, Persian digits, a heading in an
item, an HTML list. So lines are read one by one, more leniently than in CommonMark.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from kb.formats.notes.wording import ANSWER, INVISIBLE, answers, ascii_digits, label, split_number

BLANK, CODE, HIDDEN, HEADING, RULE, ITEM, ROW, QUOTE, TEXT = (
    *("blank", "code", "hidden", "heading", "rule", "item", "row", "quote", "text"),
)
_ENDS = re.compile(r"\r\n|\n|\r")
_FENCE = re.compile(r"^[\s>]*(?:[-*+]\s+|\d+[.)]\s+)?(`{3,}|~{3,})")
_HEADING = re.compile(
    r"^ {0,3}(#{1,6})(?:[ \t][ \t\xa0]*(\S.*?)(?:[ \t]+#+)?[ \t]*$|(?<=##)([^\s#].*)$)"
)
_HTML_HEADING = re.compile(
    r"^\s*<h([1-6])\b[^<>]*>(.*?)(?:</h\1\s*>)?\s*(?:<br\s*/?>\s*)*$", re.IGNORECASE
)
_UNDERLINE = re.compile(r"^ {0,3}(=+|-+)\s*$")
_RULE = re.compile(
    r"^\s{0,3}\\?(?:-\s*){3,}$|^\s{0,3}(?:_\s*){3,}$|^\s{0,3}(?:\*\s*){3,}$|^\s*<hr\b[^<>]*>\s*$",
    re.IGNORECASE,
)
_TABBED = re.compile(r"\t[-*+] \S")
_ITEM = re.compile(
    r"^(?P<blanks>[ \t]*)(?:(?P<bullet>[-*+•▪●◦‣])(?:[ \t\u00a0]+|$|(?=\[[ xX]\]))"
    r"|\(?(?P<number>[0-9۰-۹٠-٩]{1,4})(?:[ \t]*[.)](?![.\d۰-۹])[.)\-–—]?[ \t\u00a0]*"
    r"|[ \t]*[-–—:][ \t]+)(?=\S))(?P<rest>.*)$"
)
_EMPTY = re.compile(r"^[ \t]*[0-9۰-۹٠-٩]{1,3}[.)][ \t]*$")
"""An item that somebody left to be written."""
_LIST_TAG = re.compile(r"<(/?)(ul|ol|li)\b[^<>]*>", re.IGNORECASE)
_PARAGRAPH_TAG = re.compile(r"</?p\b[^<>]*>", re.IGNORECASE)
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_ELEMENT = re.compile(r"<(/?)(details|table)\b[^<>]*>", re.IGNORECASE)
_COMMENTS = (("<!--", "-->"), ("%%", "%%"))
_SPAN = re.compile(r"(?<!`)(`+)(?!`)[^`\n]*\1")
_REMARK = re.compile(
    r"^ {0,3}\[(?://|comment)\]:\s*[#<]|^\s*:{3,}\s*(?:(?:[\w-]+|\{[^{}]*\})(?:\s[^{}]*)?)?\s*:*$"
    r"|^\+{3}(?:\s*\{.*\})?\s*$|^\([\w:.-]+\)=\s*$|^\s*(?:<br\s*/?>\s*){2,}$"
    r"|^\s*\([^()\n]{0,40}\bscroll down\b[^()\n]{0,40}\)\s*$",
    re.IGNORECASE,
)
"""A comment, a line that begins or ends a block of Pandoc or a cell of MyST, or empty space."""
_LONGEST_HEADING = 150
_DEEPEST = 12  # lists or blocks within each other that are told apart
_ADMONITION = re.compile(r'^(\s*)(?:\?\?\?\+?|!!!)\s+([\w-]+)(?:\s+"(.*)")?\s*$')

EXERCISE = re.compile(
    r"exercise|challenge|exercice|ejercicio|exerc[ií]cio|esercizio?|aufgabe|übung(?:saufgabe)?"
    r"|упражнение|تمرین|تمرين|练习|練習|演習|연습",
    re.IGNORECASE,
)
"""The name of a block of a course that sets a task."""
_OPTION = re.compile(r":[\w-]+:(?:\s|$)")  # of a block
_YAML = re.compile(r"[\w-]+:|$")
_BLOCK = re.compile(r"\{?\.?([\w-]+)(?:\s*\{[^{}\n]*\}|[^{}\n]*\})?\s*(.*)")
_ROLE = re.compile(r"(?<![`\w])\{[a-z][a-z:-]*\}`([^`<>]+?)\s*<([^`<>\s]+)>`")  # of MyST
_TITLE = re.compile(r"\btitle=\"([^\"\n]*)\"")
_DIRECTIVE = re.compile(
    r"^\s*(`{3,})\{(exercise|solution|figure|image|index)(-start|-end)?\}\s*(.*?)\s*$"
)
_PICTURE = "![]("
_PICTURES = ("figure", "image")
_TITLED = frozenset(
    {"admonition", "note", "tip", "hint", "warning", "important", "caution", "danger"}
)
_LETTER = re.compile(r"(\W{0,6})([QPDFВSVORAОC])(?=\d{0,3} ?[:：](?![/\\]))")
_REPLY = re.compile(r"^(\W{0,6})R(\W{0,3}[:：])(?=\s|\*)")
_OFFER = re.compile(
    r"^(?P<blanks>\s*(?:[-*+]\s+)?)(?P<head>#{1,6}\s+)?(?P<mark>\*\*|__|<mark>)?"
    r"(?P<letter>[A-Ha-h])(?P<sign>[.)])\s*(?P<rest>\S.*)$"
)
_BLOCK_ID = re.compile(r"\s*id:: ([\da-f-]{36})\s*$")
_BLOCK_LINK = re.compile(r"\(\(([\da-f-]{36})\)\)")
_PAIRS = frozenset({"QR", "PR", "DR", "FA", "ВО", "SC", "VA", "PO", "PS"})
"""Question and answer in French, Spanish or Portuguese, Italian, German, Russian, Turkish, Dutch
and Polish, and problem and solution.
"""
_REPLACED = (
    ("{%", re.compile(r"^.*\{%-?\s*(end)?highlight\s*([\w+#-]*)[^{}]*%\}.*$"), r"```\2"),
    (
        "/// details",
        re.compile(r"^\s*/{3,}\s*details\s*\|\s*(.*)$"),
        r"<details><summary>\1</summary>",
    ),
    ("/// details", re.compile(r"^\s*/{3,}\s*$"), "</details>"),
    ("/// details", re.compile(r"^ {4}(?:type|open|attrs):\s.*$"), ""),
    ("}`", _ROLE, r"[\1](\2)"),
    ("# R", re.compile(r"^( {0,3}#{1,6}\s+)R\s*[=:]\s*(?=\S)"), r"\1Answer: "),  # of respuesta
)
"""What is written in the form of another generator: a sign of it, the pattern, and the other."""


class Line(NamedTuple):
    """A line of a body.

    ``text`` is the written text, ``number`` its line in the body from 0. ``words`` are those of a
    heading or item without its sign, ``mark`` its number or bullet. ``depth`` is the level of a
    heading or the indent of an item. ``inside`` counts the elements around the line, such as
    ``<details>``.
    """

    number: int
    text: str
    kind: str
    words: str = ""
    mark: str = ""
    depth: int = 0
    inside: int = 0


def outline(body: str) -> list[Line]:
    """Return the lines of a body. The work is linear in its length."""
    written, apart = _in_one_form(body)
    inside = _inside(written, apart)
    found: list[Line] = []
    listed = False  # whether indented lines belong to an item above them
    for at, (number, text) in enumerate(written):
        kind, above = apart[number], found[-1] if found else None
        clear = above is None or above.kind in (BLANK, CODE, HEADING, RULE)
        if clear and text.strip() and columns(text) >= 4 and not (kind or listed or inside[at]):
            asked = next((each for each in reversed(found) if each.kind != BLANK), None)
            listed = asked is not None and asked.kind != CODE and answers(text, asked.text)
            listed |= asked is above and bool(_TABBED.match(text))  # as in Logseq
            kind = "" if listed else CODE
        line = Line(number, text, kind) if kind else _plain(number, text, above)
        if kind == TEXT:
            line = line._replace(words=text.strip(), depth=columns(text))
        item = line.kind in (ITEM, HEADING) and bool(_ITEM.match(text))
        if item or (text[:1].strip() and (clear or line.kind == HEADING)):
            listed = item
        if line.kind == HEADING and line.mark in "=-" and line.mark and not line.words:
            above = found[-1]
            found[-1] = above._replace(
                kind=HEADING, words=above.text.strip(), depth=1 if line.mark == "=" else 2
            )
            line = line._replace(kind=RULE, mark="")
        found.append(line._replace(inside=inside[at]))
    return found


def _in_one_form(body: str) -> tuple[list[tuple[int, str]], list[str]]:
    """Return the numbered lines of a body with blocks of all generators in the same form.

    Lists of HTML become Markdown, blocks of MkDocs, MyST and Pandoc become callouts. The second
    result tells which lines are code, comments or formulas.
    """
    texts = _ENDS.split(body)
    for sign, rewrite in _REWRITERS:
        if sign in body:
            rewrite(texts)
    for sign, pattern, by in _REPLACED:
        if sign in body:
            _replace(texts, pattern, by)
    apart = set_apart(texts)
    for signs, write in _WRITERS:
        if any(sign in body for sign in signs):
            write(texts, apart)
    written = list(enumerate(texts))
    if "<li" in body.lower():
        written = list(_without_html_lists(written, apart))
    if "??? " in body or "!!! " in body:
        written = _admonitions([*_with_code(written, apart)], apart)
    if ":::" in "\n".join(texts):
        written = _fenced([*_without_options(written)], apart)
    return written, apart


def set_apart(texts: Sequence[str]) -> list[str]:
    """Return which lines are fenced code or a comment of several lines."""
    found: list[str] = []
    fence = until = ""
    for text in texts:
        if fence:
            rest = text.strip(" \t>")
            if rest.startswith(fence) and not rest.strip(fence[0]):
                fence = ""
            found.append(CODE)
            continue
        if until:
            found.append(HIDDEN)
            until = "" if until in text else until
            continue
        opened = _FENCE.match(text)
        if opened and (opened[1][0] == "~" or "`" not in text[opened.end() :]):
            fence = opened[1]
            found.append(CODE)
            continue
        bare = text.lstrip()
        comments = (each for each in _COMMENTS if bare.startswith(each[0]))
        until = next((end for begin, end in comments if end not in bare[len(begin) :]), "")
        found.append(HIDDEN if until else "")
    return found


def _set_formulas_apart(texts: Sequence[str], apart: list[str]) -> None:
    """Mark the lines between two ``$$`` of a paragraph as text, whatever their first signs."""
    start, least = -1, 0  # where one begins, and the indent of its lines
    for at, text in enumerate(texts):
        bare = _SPAN.sub("", text).strip()
        if apart[at] or not bare or bare[0] == ">" or columns(text) < least:
            start, least = -1, 0
        if bare.count("$$") % 2 and not apart[at]:
            if start >= 0:
                apart[start + 1 : at + 1] = [TEXT] * (at - start)
            start = -1 if start >= 0 else at
            least = columns(text) + bool(_ITEM.match(text)) if start >= 0 else 0


def _plain(number: int, text: str, above: Line | None) -> Line:
    bare = text.lstrip(INVISIBLE) if text[:1] in INVISIBLE else text
    if not bare.strip() or (_EMPTY.match(bare) and (not above or above.kind in (ITEM, BLANK))):
        return Line(number, text, BLANK)
    heading = _HEADING.match(bare) if "#" in bare else None
    if heading:
        words = (heading[2] or heading[3]).strip()
        return Line(number, text, HEADING, words, _number(words), len(heading[1]))
    if "<h" in bare or "<H" in bare:
        tagged = _HTML_HEADING.match(bare)
        if tagged:
            return Line(number, text, HEADING, tagged[2], _number(tagged[2]), int(tagged[1]))
    begun = above is not None and (above.kind == HIDDEN or _PICTURE in above.text)
    if _REMARK.match(bare) or (begun and _OPTION.match(bare.strip())):
        return Line(number, text, HIDDEN)
    under = _UNDERLINE.match(bare)
    if under and above is not None and _is_title(above, under[1][0]):
        return Line(number, text, HEADING, "", under[1][0])
    if _RULE.match(bare):
        return Line(number, text, RULE)
    item = _ITEM.match(bare)
    if item:
        return _item(number, text, item)
    sign = bare.lstrip()[0]
    kind = ROW if sign == "|" else QUOTE if sign == ">" else TEXT
    return Line(number, text, kind, bare.strip(), depth=columns(bare))


def _item(number: int, text: str, item: re.Match[str]) -> Line:
    rest = item["rest"].strip()
    depth = columns(item["blanks"])
    mark = item["bullet"] or ascii_digits(item["number"])
    heading = _HEADING.match(rest)
    if heading and depth < 4:
        return Line(number, text, HEADING, heading[2] or heading[3], mark, len(heading[1]))
    return Line(number, text, ITEM, rest, mark, depth)


def _number(words: str) -> str:
    return split_number(words.lstrip("*_ "))[0] or ""


def columns(text: str) -> int:
    """Return how far a text is indented."""
    blanks = text[: len(text) - len(text.lstrip(" \t"))]
    return len(blanks.expandtabs(4))


def _is_title(above: Line, sign: str) -> bool:
    """Return whether an underlined line is a heading, and not a paragraph above a rule."""
    text = above.text.strip()
    if above.kind != TEXT or len(text) > _LONGEST_HEADING:
        return False
    return sign == "=" or (not text.endswith((".", "!", "-->")) and not text.startswith("<"))


def _inside(written: Sequence[tuple[int, str]], apart: Sequence[str]) -> list[int]:
    """Return how many elements enclose each line; an unclosed one encloses none."""
    depth = [0] * (len(written) + 1)
    opened: dict[str, list[int]] = {"details": [], "table": []}
    for at, (number, text) in enumerate(written):
        if apart[number] == CODE or "<" not in text:
            continue
        for tag in _ELEMENT.finditer(text):
            name = tag[2].lower()
            if not tag[1]:
                opened[name].append(at)
            elif opened[name]:
                start = opened[name].pop()
                depth[start] += 1
                depth[at + 1] -= 1
    for at in range(1, len(depth)):
        depth[at] += depth[at - 1]
    return depth[:-1]


def after(lines: Sequence[Line], at: int) -> Line:
    """Return the next line that is not blank, or a blank one if none is near."""
    near = (each for each in lines[at + 1 : at + 9] if each.kind != BLANK)
    return next(near, Line(-1, "", BLANK))


def _without_html_lists(
    written: Iterable[tuple[int, str]], apart: Sequence[str]
) -> Iterator[tuple[int, str]]:
    """Yield lines with HTML lists as Markdown lists, one item per line."""
    signs: list[str] = []  # of the open lists
    sign = ""  # the bullet of an item whose words are still to come
    for number, text in written:
        bare = _SPAN.sub(lambda span: "`" * len(span[0]), text)
        if apart[number] == CODE or (not signs and not _LIST_TAG.search(bare)):
            yield number, text
            continue
        at = 0
        for tag in (*_LIST_TAG.finditer(bare), None):
            for said in _BREAK.split(text[at : tag.start() if tag else len(text)]):
                words = _PARAGRAPH_TAG.sub(" ", said).strip()
                if words:
                    blanks = "  " * min(max(len(signs) - bool(sign), 0), _DEEPEST)
                    yield number, f"{blanks}{sign}{words}" if signs else words
                    sign = ""
            if tag is None:
                break
            at, opens, name = tag.end(), not tag[1], tag[2].lower()
            sign = signs[-1] if name == "li" and opens and signs else ""
            if name != "li" and opens:
                signs.append("- " if name == "ul" else "1. ")
            elif name != "li" and signs:
                signs.pop()


def _replace(texts: list[str], pattern: re.Pattern[str], by: str) -> None:
    """Replace a pattern in lines outside code and comments."""
    for at, kind in enumerate(set_apart(texts)):
        texts[at] = texts[at] if kind else pattern.sub(by, texts[at])


def _write_directives(texts: list[str]) -> None:
    """Write exercises and solutions of MyST between colons instead of backquotes, and pictures."""
    opened: list[tuple[str, str, int]] = []  # the fences, whether a block or a part, their lines
    for at, text in enumerate(texts):
        bare = text.strip()
        ticks = bare and not bare.strip(bare[0])
        ends = (n for n, (fence, *_) in enumerate(opened) if ticks and bare.startswith(fence))
        end = next(ends, len(opened))  # the outermost that the line ends, with all within it
        parts, opened = opened[end:], opened[:end]
        part = opened[-1][1] if opened else "whole"
        if parts and parts[0][1]:
            texts[at] = " ".join(":::" for _, kind, _ in parts if kind == "whole")
            for *_, line in (each for each in parts if not each[1]):
                texts[line] = ""  # code that its author did not end
        elif parts or not part or len(opened) == _DEEPEST:
            continue
        elif (found := _DIRECTIVE.match(text)) and found[2] in ("figure", "image", "index"):
            opened.append((found[1], "part", at))
            texts[at] = "" if found[2] == "index" else f"{_PICTURE}{found[4]})"
        elif found:
            opened.append((found[1], found[3] or "whole", at))
            texts[at] = ":::" if found[3] == "-end" else f"::: {found[2]} {found[4]}"
        elif found := _FENCE.match(text):
            opened.append((found[1], "", at))


def _write_letters(texts: list[str], apart: Sequence[str]) -> None:
    """Write ``Q:`` and ``A:`` for such letters of another language that alternate."""
    lines = [at for at, text in enumerate(texts) if text.strip() and not apart[at]]
    found = [(at, each) for at in lines if (each := _LETTER.match(texts[at]))]
    both = [(a, b) for a, b in itertools.pairwise(found) if a[1][2] + b[1][2] in _PAIRS]
    asking = sum(texts[at].rstrip(" *_").endswith(("?", "؟")) for (at, _), _ in both)
    for (asked, first), (told, second) in both if len(both) < 2 * asking > 2 else ():
        texts[asked] = f"{first[1]}Q{texts[asked][first.end(2) :]}"
        texts[told] = f"{second[1]}A{texts[told][second.end(2) :]}"


def _write_references(texts: list[str]) -> None:
    """Write the text of a block of the same page for ``((its id))``, as Logseq shows it."""
    named: dict[str, str] = {}
    block = ""
    for text in texts:
        block = text.lstrip()[2:] if text.lstrip().startswith("- ") else block
        if found := _BLOCK_ID.match(text):
            named[found[1]] = block
    for at, text in enumerate(texts) if named else ():
        texts[at] = _BLOCK_LINK.sub(lambda found: named.get(found[1], found[0]), text)


def _write_answers(texts: list[str], apart: Sequence[str]) -> None:
    """Write ``Answer:`` for ``R:`` below lines that ask, if there are several."""
    lines = [at for at, text in enumerate(texts) if text.strip() and not apart[at]]
    told = [
        at for above, at in itertools.pairwise(lines)
        if _REPLY.match(texts[at]) and texts[above].rstrip(" *_").endswith(("?", "؟"))
    ]  # fmt: skip
    for at in told if len(told) > 1 else ():
        texts[at] = _REPLY.sub(r"\1Answer\2", texts[at])


def _write_ticks(texts: list[str], apart: Sequence[str]) -> None:
    """Write a tick behind the only option of several that is in bold, marked or a heading."""
    run: list[tuple[int, re.Match[str]]] = []
    for at in (at for at, text in enumerate([*texts, "."]) if text.strip()):
        found = _OFFER.match(texts[at]) if at < len(texts) and not apart[at] else None
        if found and run and ord(found["letter"]) == ord(run[-1][1]["letter"]) + 1:
            run.append((at, found))
            continue
        marked = [(n, each) for n, each in run if each["head"] or each["mark"]]
        if len(marked) == 1 < len(run):
            (n, each), *_ = marked
            rest = re.sub(r"</?mark>|\*\*|__", "", each["rest"]).strip()
            texts[n] = f"{each['blanks']}{each['letter']}{each['sign']} {rest} ✅"
        run = [(at, found)] if found and found["letter"] in "Aa" else []


_WRITERS = (
    ((":", "："), _write_letters),
    (("R:", "R*"), _write_answers),
    (("B)", "b)", "B.", "b."), _write_ticks),
    (("$$",), _set_formulas_apart),
)
_REWRITERS = (("`{", _write_directives), ("((", _write_references))
"""What rewrites the forms of other authors and generators, with signs of what it finds."""


def _solves(name: str) -> bool:
    """Return whether a name is that of a block with an answer."""
    said = label(name)
    return said is not None and said.role == ANSWER and not said.rest


def _with_code(written: Sequence[tuple[int, str]], apart: list[str]) -> Iterator[tuple[int, str]]:
    """Yield lines with the code at the beginning of an admonition fenced and where its text is.

    Its author indented it further: 4 columns make it code without a fence.
    """
    base, shift, last, first = 0, 0, -1, False
    for number, text in written:
        width = columns(text)
        if not text.strip():
            yield number, text
            continue
        if last >= 0 and width < base + 4:
            yield last, f"{' ' * base}```"
            last = -1
        if first and width >= base + 4:
            shift = 4 if apart[number] != CODE else width - base
            if apart[number] != CODE:
                apart[number], last = CODE, number
                yield number, f"{' ' * base}```"
        elif last >= 0:
            apart[number], last = CODE, number
        shift = shift if apart[number] == CODE else 0
        first = not apart[number] and bool(_ADMONITION.match(text))
        base = width + 4 if first else base
        yield number, text.expandtabs(4)[shift:] if shift else text
    if last >= 0:
        yield last, f"{' ' * base}```"


def _admonitions(written: Sequence[tuple[int, str]], apart: Sequence[str]) -> list[tuple[int, str]]:
    """Return lines with MkDocs admonitions as callouts, also within each other.

    A folded one that is only called an answer hides it: an element with a summary.
    """
    out: list[tuple[int, str]] = []
    around: list[int] = []  # the indents of the open ones
    hides = False  # whether the outermost of them hides an answer
    above = ""  # the last line that is not blank
    for number, text in (*written, (len(apart), "")):
        width = columns(text)
        ended = number == len(apart)
        while around and ((text.strip() and width < around[-1] + 4) or ended):
            around.pop()
            if hides and not around:
                out.append((number - ended, "</details>"))
                hides = False
        if ended:
            break
        found = _ADMONITION.match(text) if not apart[number] else None
        below_text = not (around or above.startswith(">"))
        folded = found and text.lstrip().startswith("?")
        if found and folded and below_text and _solves(found[3] or ""):
            around.append(width)
            hides, text = True, f"<details><summary>{found[3]}</summary>"
        elif found:
            around.append(width)
            text = f"[!{found[2]}] {found[3] or ''}"
        elif around:
            text = text.expandtabs(4)[around[-1] + 4 :]
        if around:
            text = f"{' ' * around[0]}{'> ' * (len(around) - hides)}{text}".rstrip()
        above = text.lstrip() or above
        out.append((number, text))
    return out


def _without_options(written: Sequence[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Yield lines without the options between ``---`` at the beginning of a block of MyST."""
    end = 0
    for at, line in enumerate(written):
        if at < end:
            continue
        yield line
        near = [text.strip() for _, text in written[at + 1 : at + 20]]
        if line[1].lstrip().startswith(":::") and near[:1] == ["---"] and "---" in near[1:]:
            last = near.index("---", 1)
            if all(map(_YAML.match, near[1:last])):
                end = at + last + 2


@dataclass(slots=True)
class _Blocks:
    """The open blocks between lines of colons around a line, within an exercise.

    Of each, the sign of a quote that its lines get (``""`` without one) and its colons. ``near``
    is an exercise or an answer that only blank lines follow, ``folds`` means that the outermost
    block is only called an answer, and hides one. ``tab`` is the name of the part around a line.
    """

    open: list[tuple[str, int]] = field(default_factory=list)
    near: str = ""
    folds: bool = False
    tab: str = ""

    def shown(self, text: str, bare: str) -> str | None:
        """Return the next line as it is shown, or None if only the block needs it."""
        within, folds = bool(self.open), self.folds
        colons = len(bare) - len(bare.lstrip(":"))
        fence = _BLOCK.match(bare.strip(": ")) if colons > 2 else None
        said = self._begin(fence, bare, colons) if fence else text
        if not fence and self.open and colons > 2:
            said = self._end(bare)
        if within or self.open:
            self.near = "answer" if folds or self.folds else "exercise"
        elif bare:
            self.near = ""
        if said is None or (self.open and _OPTION.match(bare)):
            return None
        around = "".join(sign for sign, _ in self.open)
        return f"{around}{said}".rstrip() if self.open else said

    def _begin(self, fence: re.Match[str], bare: str, colons: int) -> str | None:
        name, title = fence.groups()
        solves = (self.open or self.near == "exercise") and _solves(name)
        if solves or (not self.open and EXERCISE.fullmatch(name)):
            self.open.append(("> ", colons))
            titled = _TITLE.search(bare)
            asked = titled[1] if titled else title
            return f"[!solution] {self.tab}" if solves else f"[!exercise] {asked}"
        said = title if _solves(title) else name if self.near == "answer" else ""
        if not self.open and _solves(said):
            self.open.append(("", colons))
            self.folds = True
            return f"<details><summary>{said}</summary>"
        if self.open:
            self.open.append(("", colons))
        elif name not in _PICTURES:
            return bare
        if name == "tab-item":
            self.tab = f"**{title}**"
            return self.tab
        if name in _TITLED and title:
            return f"**{title}**"
        return f"{_PICTURE}{title})" if name in _PICTURES else None

    def _end(self, bare: str) -> str | None:
        for colons in map(len, bare.split()):
            ends = (n for n in range(len(self.open) - 1, -1, -1) if self.open[n][1] == colons)
            del self.open[next(ends, -1) :]
        if self.open:
            return None
        folds, self.folds, self.tab = self.folds, False, ""
        return "</details>" if folds else None


def _fenced(written: list[tuple[int, str]], apart: Sequence[str]) -> list[tuple[int, str]]:
    """Return lines with the exercises between lines of colons, and their solutions, as callouts."""
    out: list[tuple[int, str]] = []
    blocks = _Blocks()
    for number, text in written:
        shown = blocks.shown(text, text.strip() if not apart[number] else "")
        if len(blocks.open) > _DEEPEST:
            break
        if shown is not None:
            out.append((number, shown))
    return written if blocks.open else out


def source(lines: Iterable[Line | tuple[int, str]]) -> str:
    """Return lines as text, without blank ones at the ends and without common indent.

    >>> source(enumerate(["", "  - a", "", "    b"]))
    '- a\\n\\n  b'
    """
    texts = [each[1].rstrip() if not each[1].endswith("  ") else each[1] for each in lines]
    width = min((columns(each) for each in texts if each.strip()), default=0)
    if width:
        texts = [
            " " * (columns(each) - width) + each.lstrip(" \t") if each.strip() else ""
            for each in texts
        ]
    first = next((at for at, each in enumerate(texts) if each.strip()), len(texts))
    return "\n".join(texts[first:]).rstrip()
