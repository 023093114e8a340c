"""What in a text must not work in a document that is written of it: links, and fences in doubt.

A link may lead to the web, to an address of mail, or to a place beside the document. Any other
scheme (``javascript:``, ``data:``, ``file:``) may run or open something where it is read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_SCHEME = r"(?i:https?://|mailto:)"
# Neither a colon nor an entity that stands for one, up to a sign behind which none is a scheme's.
_RELATIVE = r"[\w.%+~@=,-]*[)/?#]|[\w.%+~@=,-]+(?:[ \t]|$)"
LINK = re.compile(rf"(\])(\\*)([(:])(?![ \t]*(?:{_SCHEME}|{_RELATIVE}))")
"""Where a link or the definition of one begins that leads elsewhere, or over the line's end.

What it looks at is left as it is by every escape, so that it is found again in what is escaped.
"""

RUN = re.compile(r"()(?<!\\)(\\*+)(`{3,}|~{3,})")
"""What can be a fence."""

_FENCE = re.compile(r"( {0,3})(`{3,}(?=[^`]*$)|~{3,})")
_WITHIN = re.compile(r"(?:^|[\s>])(?:[-*+>]|\d{1,9}[.)])[ \t]*(?:`{3}|~{3})")
_BLANKS = re.compile(r"[ \t]*")


def are_plain_fences(fenced: Sequence[tuple[str, str]]) -> bool:
    """Say whether CommonMark has the fences round lines that we have, whatever they stand in.

    With each line comes the fence within which we have it; the last is the one behind the
    text. In doubt are those of list items and quotations, and all where a carriage return
    ends a line.

    >>> are_plain_fences([("```", "```"), ("<b>", "```"), ("```", "```"), ("", "")])
    True
    >>> are_plain_fences([("``` a`b", "```"), ("<b>", "```"), ("", "```")])
    False
    """
    if any("\r" in line[:-1] or _WITHIN.search(line) for line, _ in fenced):
        return not any(RUN.search(line) for line, _ in fenced)
    fence = indent = ""
    for line, said in fenced:
        found = _FENCE.match(line)
        if fence:
            if said != fence or (line.strip() and not line.startswith(indent)):
                return False
            ends = found and found[2].startswith(fence) and not line[found.end() :].strip(" \t\r")
            fence = "" if ends else fence
        else:
            fence, indent = (found[2], found[1]) if found else ("", "")
            if said != fence:
                return False
    return True
