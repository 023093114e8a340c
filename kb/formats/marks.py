"""The hidden comments of our Markdown, and its escaping."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from kb import limits

# What in a text must not work in a document that is written of it: links, and fences in doubt.
#
# A link may lead to the web, to an address of mail, or to a place beside the document. Any other
# scheme (``javascript:``, ``data:``, ``file:``) may run or open something where it is read.

_SCHEME = r"(?i:https?://|mailto:)"
# Neither a colon nor an entity that stands for one, up to a sign behind which none is a scheme's.
# Two slashes begin the name of a host.
_RELATIVE = r"(?!//)[\w.%+~@=,-]*[)/?#]|[\w.%+~@=,-]+(?:[ \t]|$)"
LINK = re.compile(rf"(\])(\\*)([(:])(?![ \t]*(?:{_SCHEME}|{_RELATIVE}))")
"""The start of a link or link definition that leads elsewhere or spans lines.

No escape changes what it looks at, so that it is found again in escaped text.
"""

RUN = re.compile(r"()(?<!\\)(\\*+)(`{3,}|~{3,})")
"""A possible fence."""

_TICKS = re.compile("`{3,}")
_PLAIN_FENCE = re.compile(r"( {0,3})(`{3,}(?=[^`]*$)|~{3,})")
_WITHIN = re.compile(r"(?:^|[\s>])(?:[-*+>]|\d{1,9}[.)])[ \t]*(?:`{3}|~{3})")


def are_plain_fences(fenced: Sequence[tuple[str, str]]) -> bool:
    """Return whether CommonMark sees the same fences around lines, in any container.

    Each line comes with the fence we see around it; the last one is that after the text. Fences
    in list items and quotations are uncertain, and all fences if lines end with a carriage
    return.

    >>> are_plain_fences([("```", "```"), ("<b>", "```"), ("```", "```"), ("", "")])
    True
    >>> are_plain_fences([("``` a`b", "```"), ("<b>", "```"), ("", "```")])
    False
    """
    if any("\r" in line[:-1] or _WITHIN.search(line) for line, _ in fenced):
        return not any(RUN.search(line) for line, _ in fenced)
    fence = indent = ""
    for line, said in fenced:
        found = _PLAIN_FENCE.match(line)
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


OPENING = "<!-- danesh "
_CLOSING = " -->"
_TAG = re.compile(r"()(?<!\\)(\\*+)(<)(?=[A-Za-z/!?])")
_HEADING = re.compile(r"^(\s{0,3})(\\*)(#{1,6}(?:\s|$)|=+\s*$|-+\s*$)")
_FENCE = re.compile(r"^\s{0,3}(`{3,}|~{3,})")
_HIDDEN = {"<": "\\u003c", ">": "\\u003e", "--": "-\\u002d"}


class Body(NamedTuple):
    """A text as it is in a document, and what its mark must say to read it back."""

    text: str
    facts: Mapping[str, Any]


def mark(facts: Mapping[str, Any]) -> str:
    """Return facts as a comment line.

    >>> mark({"text": ["question", "en"]})
    '<!-- danesh {"text":["question","en"]} -->'
    """
    written = json.dumps(facts, ensure_ascii=False, separators=(",", ":"))
    for sign, hidden in _HIDDEN.items():
        written = written.replace(sign, hidden)
    return f"{OPENING}{written}{_CLOSING}"


def marked(line: str) -> Mapping[str, Any] | None:
    """Return the facts of a mark line, or None for other lines.

    >>> marked('<!-- danesh {"a":1} -->'), marked("<!-- danesh")
    ({'a': 1}, None)
    """
    if not line.startswith(OPENING) or not line.rstrip().endswith(_CLOSING):
        return None
    try:
        found = json.loads(line.rstrip()[len(OPENING) : -len(_CLOSING)])
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def is_own(first: str) -> bool:
    """Return whether this is the first line of our own document: a mark with a version."""
    facts = marked(first) if first.startswith(OPENING) else None
    return facts is not None and "schema_version" in facts


def body(text: str) -> Body:
    r"""Return text as self-contained Markdown: no HTML, no headings, only links to the web.

    Its fences are closed. If another Markdown parser could see other fences, so that our code
    would be active there, fences in the text are escaped.

    >>> body("# <b>").text
    '\\# \\<b>'
    >>> body("[a](javascript:b) [c](https://d)").text
    '[a]\\(javascript:b) [c](https://d)'
    """
    bare = text.strip("\n")
    given = bare.split("\n")
    fenced = list(with_fences([*given, ""]))
    plain = not are_plain_fences(fenced)
    lines = [line if fence and not plain else _escaped(line) for line, fence in fenced[:-1]]
    still = "" if plain else fenced[-1][1]
    facts = {
        "before": len(text) - len(text.lstrip("\n")) if bare else len(text),
        "after": len(text) - len(text.rstrip("\n")) if bare else 0,
        "open": bool(still),
        "plain": plain,
        "links": any(map(LINK.search, lines)),
    }
    if plain:
        lines = [RUN.sub(_doubled, line) for line in lines]
    if facts["links"]:
        lines = [line if fence and not plain else LINK.sub(_doubled, line)
                 for line, (_, fence) in zip(lines, fenced, strict=False)]  # fmt: skip
    return Body(
        "\n".join([*lines, still] if still else lines), {k: v for k, v in facts.items() if v}
    )


def unescaped(lines: list[str], facts: Mapping[str, Any]) -> str:
    r"""Return the text from which `body` made lines.

    >>> made = body("\n<b>\n```")
    >>> unescaped(made.text.split("\n"), made.facts)
    '\n<b>\n```'
    """
    kept = lines[:-1] if facts.get("open") and lines else lines
    plain = [line if inside else _plain(line, facts) for line, inside in with_fences(kept)]
    before, after = (_blank(facts.get(key, 0)) for key in ("before", "after"))
    return before + "\n".join(plain) + after


def _blank(count: object) -> str:
    """Return a number of line ends. Raises `ValueError` above the limit of an entry."""
    if not isinstance(count, int) or count > limits.ENTRY:
        raise ValueError(f"{count} blank lines")
    return "\n" * count


def with_fences(lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield each line with the fence around it; fence lines count."""
    fence = ""
    for line in lines:
        found = _FENCE.match(line)
        if fence:
            yield line, fence
            fence = "" if found and line.strip().startswith(fence) else fence
        else:
            fence = found[1] if found else ""
            yield line, fence


def _escaped(line: str) -> str:
    """Return a line with literal characters escaped, and existing backslashes doubled."""
    return _HEADING.sub(_doubled, _TAG.sub(_doubled, line))


def _plain(line: str, facts: Mapping[str, Any]) -> str:
    patterns = [LINK] * bool(facts.get("links")) + [RUN] * bool(facts.get("plain"))
    for pattern in (*patterns, _HEADING, _TAG):
        line = pattern.sub(lambda found: found[1] + found[2][: len(found[2]) // 2] + found[3], line)
    return line


def _doubled(found: re.Match[str]) -> str:
    return found[1] + found[2] * 2 + "\\" + found[3]


def fenced(code: str, mark: str) -> str:
    """Return code as a Markdown block, in a fence that the code does not contain."""
    fence = "`" * max([3, *(len(run) + 1 for run in _TICKS.findall(code))])
    return f"{fence}{mark}\n{code}\n{fence}"


def trimmed(lines: Sequence[str]) -> list[str]:
    """Return lines without blank ones at both ends."""
    return "\n".join(lines).strip("\n").split("\n") if any(lines) else []
