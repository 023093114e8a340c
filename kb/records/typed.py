"""How a reader types what is no prose: tags in a line, the code of a language."""

from __future__ import annotations

import re
from collections.abc import Iterable

LONGEST_TAG = 300
_LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{1,8})*")
_TAG = re.compile(r'\s*"(?:[^"]|"")*"\s*|[^,،]+')
_READ_OTHERWISE = re.compile('[,،"\\[\\]]')


def is_language_code(text: str) -> bool:
    """Say whether a text has the form of a language's code (BCP 47, as far as it is used here).

    >>> is_language_code("fa"), is_language_code("pt-BR"), is_language_code("Persian")
    (True, True, False)
    """
    return bool(_LANGUAGE.fullmatch(text))


def tags_in(line: str) -> tuple[str, ...]:
    """Return the tags of a line, once each: between commas, Persian ones too, or in quotes.

    >>> tags_in('exam, later،  exam, "a, b"')
    ('exam', 'later', 'a, b')
    """
    found = (_unquoted(each.strip()) for each in _TAG.findall(line))
    return tuple(dict.fromkeys(tag for tag in found if tag))


def in_a_line(tags: Iterable[str]) -> str:
    """Return tags in a line that `tags_in` reads again.

    >>> in_a_line(["losses", "a, b"])
    'losses, "a, b"'
    """
    return ", ".join(_quoted(tag) if _READ_OTHERWISE.search(tag) else tag for tag in tags)


def _quoted(tag: str) -> str:
    escaped = tag.replace('"', '""')
    return f'"{escaped}"'


def _unquoted(tag: str) -> str:
    if len(tag) > 1 and tag[0] == tag[-1] == '"':
        return tag[1:-1].replace('""', '"').strip()
    return tag
