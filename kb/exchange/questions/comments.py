"""Comments as Obsidian has them: what stands between ``%%`` and ``%%`` is shown to nobody."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence

from kb.exchange.questions.blocks import Line
from kb.exchange.questions.regions import outside_code

_INLINE = re.compile(r"(?<![^\s>])[ \t]*%%(?=[^%\n])[^%\n]*(?:%[^%\n]+)*%%(?!\S)")
_CODE = re.compile(r"`[^`\n]*`")
_MARK = "%%"


def comments(lines: Sequence[Line]) -> Mapping[int, Line]:
    """Return the lines that comments stand in, without these, by their numbers.

    >>> from kb.exchange.questions.blocks import numbered
    >>> found = comments(numbered("a %%b%%\\n%%\\nc\\n%%\\n100%% of 5%% `%%d%%`"))
    >>> {number: line.text for number, line in found.items()}
    {1: 'a', 2: '', 3: '', 4: ''}
    """
    return dict(_found([(lines[at], text) for at, text in outside_code(lines)]))


def told(lines: Sequence[Line], hidden: Mapping[int, Line]) -> Iterator[tuple[int, str]]:
    """Yield what is hidden in lines, with the line in which it begins.

    >>> from kb.exchange.questions.blocks import numbered
    >>> lines = numbered("a %%b%%\\n\\n%%\\nc\\n%%")
    >>> list(told(lines, comments(lines)))
    [(1, '%%b%%'), (3, '%%\\nc\\n%%')]
    """
    held: list[Line] = []
    for line in (*lines, Line(0, "")):
        now = hidden.get(line.number)
        if held and (now is None or now.text):
            yield held[0].number, "\n".join(each.text for each in held)
            held = []
        if now is not None and now.text:
            yield line.number, " ".join(each.strip() for each in _INLINE.findall(line.text))
        elif now is not None:
            held.append(line)


def _found(lines: Sequence[tuple[Line, str]]) -> Iterator[tuple[int, Line]]:
    ends = [at for at, (_, text) in enumerate(lines) if text.rstrip().endswith(_MARK)]
    hidden = -1
    for at, (line, text) in enumerate(lines):
        if at <= hidden:
            yield line.number, line._replace(text="")
            continue
        if text.startswith(_MARK) and text.count(_MARK) == 1:
            after = bisect_right(ends, at)
            end = ends[after] if after < len(ends) else at
            if end > at and _MARK in (text.strip(), lines[end][1].strip()):
                hidden = end
                yield line.number, line._replace(text="")
                continue
        bare = _without(text) if _MARK in text else text
        if bare != text:
            yield line.number, line._replace(text=bare)


def _without(text: str) -> str:
    if "`" in text and any(_MARK in each for each in _CODE.findall(text)):
        return text
    return _INLINE.sub("", text).rstrip()
