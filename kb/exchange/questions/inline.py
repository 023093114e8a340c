"""Marks within a line: what wraps the words of a question is taken off, its code stays."""

from __future__ import annotations

import re
from functools import lru_cache

from kb.exchange.questions.html import without_tags

_LONGEST = 4000  # characters; nothing longer is a question on one line
_KEPT = re.compile(
    r"(?<!`)`[^`\n]+`(?!`)|(?<!`)``(?:[^`]|`(?!`))+``(?!`)|(?<!`)```(?:[^`]|`(?!``))+```(?!`)"
    r"|\$\$[^$]+\$\$|\$[^$\n]+\$|!\[\[[^\]\n]{0,300}\]\]"
    r"|!\[[^\[\]\n]{0,300}\]\((?:[^()\s]|\([^()\s]{0,300}\)){0,500}[^()\n]{0,200}\)"
)
_LINK = re.compile(
    r"(?<!!)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(\s*<?((?:[^()\s]|\([^()\s]*\))*)[^()\n]*\)"
)
_REFERENCE = re.compile(r"\[([^\[\]]+)\]\[[^\[\]]*\]")
_WIKI = re.compile(r"(?<!!)\[\[(?:[^\[\]|\n]*\|)?([^\[\]|\n]*)\]\]")
_STRONG = re.compile(r"\*\*|(?<!\w)_{2,3}(?=[^\s_])|(?<=[^\s_])_{2,3}(?!\w)|~~|==")
_EMPHASIS = re.compile(r"(?<![\w*\\])([*_])(?=\S)([^*_\n]+?)(?<=\S)\1(?![\w*])")
_ESCAPE = re.compile(r"\\([#*_~`.!>|+-])")
_ANCHOR = re.compile(r"\s*\{#[\w-]+\}\s*$|\s*\^[A-Za-z0-9-]+\s*$")
_WHOLE = re.compile(r"^(\*\*\*|___|\*\*|__|==)(?=\S)(.+?)(?<=\S)\1\s*([:：]?)\s*$", re.DOTALL)


@lru_cache(maxsize=512)
def clean(text: str) -> str:
    """Return a question's words without emphasis, links and tags; code, images and formulas stay.

    >>> clean("**What is [SVD](a.md)?**"), clean("Is `**kw` <b>bold</b>?"), clean("_Why_ so?")
    ('What is SVD?', 'Is `**kw` bold?', 'Why so?')
    >>> clean("A norm is ____"), clean("__Why__ and ___how___?")
    ('A norm is ____', 'Why and how?')
    """
    text = text.strip()
    if len(text) > _LONGEST:
        return text
    kept: list[str] = []

    def keep(found: re.Match[str]) -> str:
        kept.append(found[0])
        return f"\x00{len(kept) - 1}\x00"

    bare = without_tags(_KEPT.sub(keep, text.replace("\x00", "")))
    bare = _KEPT.sub(keep, bare)
    bare = _ANCHOR.sub("", bare)
    bare = _LINK.sub(r"\1", _LINK.sub(r"\1", bare))
    bare = _WIKI.sub(r"\1", _REFERENCE.sub(r"\1", bare))
    bare = _ESCAPE.sub(r"\1", _EMPHASIS.sub(r"\2", _STRONG.sub("", bare)))
    bare = re.sub(r"[:：]{2,}$", ":", re.sub(r"[ \t]+", " ", bare))
    return re.sub(r"\x00(\d+)\x00", lambda found: kept[int(found[1])], bare).strip()


def addresses(text: str) -> tuple[str, ...]:
    """Return the addresses of the links in a text.

    >>> addresses("[a](b.md) and ![c](d.png)")
    ('b.md',)
    """
    return tuple(found[2] for found in _LINK.finditer(text[:_LONGEST]))


def wrapped_bold(text: str) -> str | None:
    """Return what a text has within bold marks that begin and end it, or None.

    >>> wrapped_bold("**Why?**"), wrapped_bold("**a** and **b**")
    ('Why?', None)
    """
    found = _WHOLE.match(text.strip()[:_LONGEST])
    if not found or re.search(re.escape(found[1]), found[2]):
        return None
    return found[2] + found[3]
