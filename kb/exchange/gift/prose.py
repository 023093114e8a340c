r"""Our Markdown as Moodle is to read it: PHP Markdown Extra, whose HTML is shown as it is.

Nothing of a text is a tag there: the only ones are those written here, around code and around
texts of a language. Formulas get the marks that Moodle looks for, and what Markdown would take
of them and of code is written by number. Links lead to the web or to mail; what a text shows
stands elsewhere and is named.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from itertools import groupby

from kb.display import formulas_of, safe
from kb.exchange.marks import with_fences
from kb.text.languages import right_to_left

_PUNCTUATION = "$&*<>[\\]_`{|}~"
_HIDDEN = {ord(sign): 0xF0000 + ord(sign) for sign in _PUNCTUATION}
_BY_NUMBER = {hidden: f"&#{code};" for code, hidden in _HIDDEN.items()}
_CONTROL = {code: "\ufffd" for code in (*range(0x20), 0x7F) if chr(code) not in "\t\n"}
_MARKS = (("$$", "$$", "$$", "$$"), ("$", "$", r"\(", r"\)"),
          (r"\(", r"\)", r"\(", r"\)"), (r"\[", r"\]", r"\[", r"\]"))  # fmt: skip
_OPENING = {ord("<"): "&lt;", ord("{"): "&#123;", ord("`"): "&#96;"}
_TICKS = re.compile("`+")
_LINK = re.compile(r"(!?)\[([^\[\]\n]*+)\]\([ \t]*+([^\s()\n]*+)[^()\n]*+\)")
_SCHEME = r"(?i:https?://|mailto:)"
_LIVE = re.compile(_SCHEME)
_ADDRESS = re.compile(rf"<({_SCHEME}[^\s<>]+)>")
_LEADS_ELSEWHERE = re.compile(rf"\]\((?!{_SCHEME})")
_DEFINITION = re.compile(r"\]( ?):")
_PLACEHOLDER = re.compile(r"&(?=&0\d\d)")


def in_language(text: str, lang: str, tag: str = "div") -> str:
    """Return a text as Moodle shows it in a language, whatever that of the page."""
    direction = "rtl" if lang in right_to_left() else "ltr"
    named = html.escape(lang)
    return f'<{tag} dir="{direction}" lang="{named}" markdown="1">\n\n{text}\n\n</{tag}>'


def prose(text: str) -> str:
    r"""Return Markdown in which nothing of a text is markup.

    >>> prose("a <b> `c<d` $x_1$")
    'a &lt;b> <code>c&#60;d</code> &#92;(x&#95;1&#92;)'
    >>> prose("[a](javascript:b) ![c](d.png) [e](https://f)")
    'a (c) [e](https://f)'
    """
    bare = text.replace("\r\n", "\n").replace("\r", "\n").translate(_CONTROL).strip("\n")
    lines = _with_formulas(bare).split("\n")
    fenced = with_fences(line.lstrip() for line in lines)  # those of lists, too
    pairs = zip(lines, (fence for _, fence in fenced), strict=True)
    blocks = [list(group) for _, group in groupby(pairs, key=lambda line: bool(line[1]))]
    written = "\n".join(
        _code([line for line, _ in block]) if block[0][1] else _words(line for line, _ in block)
        for block in blocks
    )
    return _PLACEHOLDER.sub("&amp;", written.translate(_BY_NUMBER))


def quoted(text: str, lang: str) -> str:
    """Return a text as a quotation, whatever blocks it has."""
    return in_language(prose(text), lang, "blockquote")


def _with_formulas(text: str) -> str:
    """Return a text whose formulas have Moodle's marks, and nothing that is Markdown's."""
    parts, done = [], 0
    for start, end, _glyphs in formulas_of(safe(text)):
        source = text[start:end]
        marks = next((m for m in _MARKS if source.startswith(m[0]) and source.endswith(m[1])), None)
        if marks is None or len(source) < len(marks[0]) + len(marks[1]):
            continue
        tex = " ".join(source[len(marks[0]) : -len(marks[1])].split())
        parts += [text[done:start], f"{marks[2]}{tex}{marks[3]}".translate(_HIDDEN)]
        done = end
    return "".join([*parts, text[done:]])


def _code(lines: list[str]) -> str:
    """Return fenced lines as code; the last of them may lack the fence that ends it."""
    fence = lines[0].strip()[:3]
    indent = lines[0][: -len(lines[0].lstrip())] if lines[0][0].isspace() else ""
    ends = len(lines) > 1 and lines[-1].strip().startswith(fence)
    inner = lines[1 : -1 if ends else None]
    code = "\n".join(line.removeprefix(indent) for line in inner).translate(_HIDDEN)
    return f"\n<pre><code>{code}\n</code></pre>\n"


def _words(lines: Iterator[str]) -> str:
    text = "\n".join("".join(_pieces(line)) for line in lines)
    text = _LEADS_ELSEWHERE.sub(r"]\\(", _LINK.sub(_link, text))
    return _DEFINITION.sub(r"]\1&#58;", text)


def _pieces(line: str) -> Iterator[str]:
    """Yield a line in pieces, of which only the code is in tags."""
    done = 0
    for start, end, ticks in _code_spans(line):
        code = line[start + ticks : end - ticks].translate(_HIDDEN)
        yield f"{_plain(line[done:start])}<code>{code}</code>"
        done = end
    yield _plain(line[done:])


def _code_spans(line: str) -> Iterator[tuple[int, int, int]]:
    """Yield where each stretch of code begins and ends, and how many ticks are around it."""
    runs = list(_TICKS.finditer(line))
    after: dict[int, int] = {}
    ends = [0] * len(runs)
    for place in range(len(runs) - 1, -1, -1):
        ends[place] = after.get(len(runs[place][0]), 0)
        after[len(runs[place][0])] = place
    place = 0
    while place < len(runs):
        if ends[place]:
            yield runs[place].start(), runs[ends[place]].end(), len(runs[place][0])
        place = (ends[place] or place) + 1


def _plain(text: str) -> str:
    return _ADDRESS.sub(r"\1", text).translate(_OPENING)


def _link(found: re.Match[str]) -> str:
    """Return a link to the web or to mail; of others, and of what is shown, the words."""
    shown, words, address = found.groups()
    if shown:
        return f"({words or address})"
    return f"[{words}]({address})" if _LIVE.match(address) else words
