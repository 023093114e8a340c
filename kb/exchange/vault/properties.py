"""The front matter of a note: its facts as Obsidian's properties, and what became of them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from kb.records import Entry, Source

Properties = Mapping[str, str | Sequence[str]]
"""Texts and lists of texts by their keys; what is empty is left out."""

FACTS = ("id", "collection", "kind", "level", "topic", "number")
TAGS, ALIASES = "tags", "aliases"
OF_SOURCE = ("file", "title", "author", "lang", "rights")

_WORDS = re.compile(r"(?![yYnN]$)[^\W\d_](?:[\w/-]| (?=\w))*")
_KEYWORDS = ("yes", "no", "true", "false", "on", "off", "null")
_NOT_PRINTED = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")
_NO_TAG = re.compile(
    "[\\s\x00-\x20\x7f-\x9f\u2000-\u206f\u2e00-\u2e7f'!\"#$%&()*+,.:;<=>?@^`{|}~\\[\\]\\\\]+"
)
_MOST = 20_000  # characters of tags and aliases; a note says a few hundred of itself
_BRACKETS = re.compile(r"[\[{]")
_FEW = 20  # brackets in a value: of many, one who reads YAML might fear the depth
_ALIAS = 100  # characters
_ALIASES = 20


def of_facts(facts: Mapping[str, Any], aliases: Sequence[str]) -> Properties:
    """Return the properties of an entry, of which there are such facts beside its texts."""
    shown: dict[str, str | Sequence[str]] = {key: facts[key] for key in FACTS if facts.get(key)}
    tags = [tag_of(tag) for tag in facts.get(TAGS, ())]
    if sum(map(len, tags)) < _MOST and len(tags) < _MOST // 100:
        shown |= {key: value for key, value in ((TAGS, tags), (ALIASES, aliases)) if value}
    return shown


def aliases(entry: Entry, title: str) -> Sequence[str]:
    """Return by what else the note of an entry is found: its aliases, and its questions."""
    heads = (
        " ".join(text[: 4 * _ALIAS].split())[:_ALIAS].strip() for text in entry.question.values()
    )
    named = [head for head in heads if head and head != title][:_ALIASES]
    return list(dict.fromkeys((*entry.aliases, *named)))


def of_source(source: Source) -> Properties:
    """Return the properties of a source document."""
    return {key: value for key in OF_SOURCE if (value := getattr(source, key))}


def tag_of(tag: str) -> str:
    """Return a tag as Obsidian has tags: without blanks, and with more in it than digits.

    >>> tag_of("deep learning"), tag_of("c++"), tag_of("2024"), tag_of("شبکه‌ها")
    ('deep-learning', 'c', 'y2024', 'شبکه-ها')
    """
    named = _NO_TAG.sub("-", tag).strip("-/") or "tag"
    return f"y{named}" if named.isdigit() else named


def written(properties: Properties) -> Iterator[str]:
    """Yield the lines of a front matter."""
    yield "---"
    for key, value in properties.items():
        if isinstance(value, str):
            yield f"{key}: {_scalar(value)}"
        else:
            yield f"{key}:"
            yield from (f"  - {_scalar(each)}" for each in value)
    yield "---"


def _scalar(text: str) -> str:
    """Return a text as YAML: quoted, unless it can be nothing but a text.

    >>> _scalar("deep learning"), _scalar("no"), _scalar("1.2"), _scalar("a: b")
    ('deep learning', '"no"', '"1.2"', '"a: b"')
    """
    if _WORDS.fullmatch(text) and text.lower() not in _KEYWORDS:
        return text
    quoted = json.dumps(text, ensure_ascii=False)
    quoted = _NOT_PRINTED.sub(lambda found: f"\\u{ord(found[0]):04x}", quoted)
    if len(_BRACKETS.findall(quoted)) > _FEW:
        quoted = _BRACKETS.sub(lambda found: f"\\x{ord(found[0]):02x}", quoted)
    return quoted


def edited(found: Mapping[str, Any], properties: Properties) -> Mapping[str, str | Sequence[str]]:
    """Return what a front matter says otherwise than these properties, empty where it is gone.

    >>> edited({"level": "M", "tags": "a, b"}, {"level": "H", "tags": ["a", "b"], "topic": "x"})
    {'level': 'M', 'topic': ''}
    """
    changed: dict[str, str | Sequence[str]] = {}
    for key in (*FACTS, *OF_SOURCE, TAGS, ALIASES):
        many = key in (TAGS, ALIASES)
        now = _texts(found.get(key)) if many else _text(found.get(key))
        was = list(properties.get(key, ())) if many else properties.get(key, "")
        if now != was:
            changed[key] = now
    return changed


def tags_again(shown: Sequence[str], tags: Sequence[str]) -> Sequence[str]:
    """Return the tags that are meant by those shown: as they were, where they show them.

    >>> tags_again(["c", "new"], ["c++", "deep learning"])
    ['c++', 'new']
    """
    were = {tag_of(tag): tag for tag in reversed(tags)}
    bare = (each.removeprefix("#") for each in shown)
    return list(dict.fromkeys(were.get(each, each) for each in bare if each))


def _text(value: object) -> str:
    return value if isinstance(value, str) else ", ".join(_texts(value))


def _texts(value: object) -> list[str]:
    """Return the texts of a list, or of a line that commas part."""
    many = value if isinstance(value, list) else str(value or "").split(",")
    return [each.strip() for each in many if isinstance(each, str) and each.strip()]
