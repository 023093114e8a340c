"""Tags in a text: ``#word``, ``#word/part``, ``#[[words]]``; none in words, code or addresses."""

from __future__ import annotations

import re

_TAG = r"#(?:(?=[^\W\d_]|\d*[^\W\d])[\w/\-]+|\[\[[^\[\]\n]{1,100}\]\])"
_ONLY = re.compile(rf"^\s*(?:[Tt]ags\s*:\s*)?(?:{_TAG}[\s,،]*)+$")
_FIND = re.compile(rf"(?<![\w&/#`(\[]){_TAG}")
_ENDS = re.compile(rf"(?:\s+{_TAG})+\s*$")
_MARKS = frozenset({"card", "flashcard"})


def line_of_tags(text: str) -> tuple[str, ...]:
    """Return the tags of a line that holds nothing else.

    >>> line_of_tags("#math #linear/algebra"), line_of_tags("#math is fun"), line_of_tags("#ریاضی")
    (('math', 'linear/algebra'), (), ('ریاضی',))
    """
    return _names(_FIND.findall(text)) if _ONLY.match(text[:500]) else ()


def split_tags(text: str) -> tuple[tuple[str, ...], str]:
    """Return the tags at the end of a text, and the text without them.

    >>> split_tags("What is C#? #lang #card"), split_tags("Why is #5 prime?")
    ((('lang',), 'What is C#?'), ((), 'Why is #5 prime?'))
    >>> split_tags("هسته چیست؟ #[[جبر خطی]]")
    (('جبر-خطی',), 'هسته چیست؟')
    """
    found = _ENDS.search(text[-300:])
    if not found:
        return (), text
    return _names(_FIND.findall(found[0])), text[: len(text) - len(found[0])].rstrip()


def tags_in(text: str) -> tuple[str, ...]:
    """Return all tags of a line of a note.

    >>> tags_in("see #math and `#no`")
    ('math',)
    """
    return _names(_FIND.findall(re.sub(r"`[^`\n]*`|https?://\S+", " ", text)))


def _names(found: list[str]) -> tuple[str, ...]:
    names = (re.sub(r"\s+", "-", each[1:].strip("/-[] ")) for each in found)
    return tuple(dict.fromkeys(each for each in names if each and each.lower() not in _MARKS))
