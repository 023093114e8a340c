"""An entry as a flat table of its fields, so that two of them can be compared and merged.

A text in a language, an answer, an annotation and a program are fields of their own
(``question.fa``, ``answers.source.en``, ``annotations.own-1a2b``); so two changes meet only
where they change the same thing.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from typing import Any

from kb.contract.entry import ENTRY
from kb.records import Entry, short_digest

Fields = dict[str, Any]

LANGUAGES = "languages"
"""The order of an entry's languages, as a field."""

_BY_LANGUAGE = frozenset(("question", "origins", "restored", "wording"))
_BY_ID = frozenset(("snippets", "annotations"))
_SAID = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), sort_keys=True)


def fields_of(entry: Entry) -> Fields:
    """Return the fields of an entry that say anything; what was measured is none of them."""
    if entry.annotations:
        unmeasured = tuple(dataclasses.replace(a, status="unverified") for a in entry.annotations)
        entry = dataclasses.replace(entry, annotations=unmeasured)
    found: Fields = {LANGUAGES: list(entry.languages)}
    for name, value in ENTRY.said(entry).items():
        if name in _BY_LANGUAGE:
            found.update({f"{name}.{lang}": text for lang, text in value.items()})
        elif name in _BY_ID:
            found.update({f"{name}.{each['id']}": each for each in value})
        elif name == "answers":
            found.update({f"{name}.{each['role']}.{each['lang']}": each for each in value})
        else:
            found[name] = value
    return found


def entry_of(fields: Mapping[str, Any], place: str = "entry") -> Entry:
    """Return the entry of such fields. Raises `BadData` where they contradict themselves.

    >>> fields = {"id": "a", "kind": "note", "collection": "c", "question.fa": "سلام"}
    >>> entry_of(fields).question
    {'fa': 'سلام'}
    """
    written: dict[str, Any] = {}
    for name, value in fields.items():
        base, _, rest = name.partition(".")
        if base in _BY_LANGUAGE:
            written.setdefault(base, {})[rest] = value
        elif base in _BY_ID or base == "answers":
            written.setdefault(base, []).append(value)
        elif name != LANGUAGES:
            written[name] = value
    order = {lang: n for n, lang in enumerate(fields.get(LANGUAGES, ()))}
    for name in _BY_LANGUAGE & written.keys():
        written[name] = _ordered(written[name], order)
    if "answers" in written:
        written["answers"].sort(key=lambda each: order.get(each["lang"], len(order)))
    return ENTRY.read(written, place)


def difference(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, tuple[Any, Any]]:
    """Return what differs, by field, as it is before and after; nothing where it says nothing.

    >>> difference({"level": "E", "topic": "a"}, {"topic": "a", "number": "1"})
    {'level': ('E', None), 'number': (None, '1')}
    """
    names = dict.fromkeys((*before, *after))
    pairs = {name: (before.get(name), after.get(name)) for name in names}
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}


def content_digest(entry: Entry) -> str:
    """Return what changes when anything that an entry says does, but its id and its collection."""
    fields = fields_of(entry.given)
    said = {name: value for name, value in fields.items() if name not in ("id", "collection")}
    return short_digest(_SAID.encode(said))


def _ordered(texts: Mapping[str, Any], order: Mapping[str, int]) -> dict[str, Any]:
    return dict(sorted(texts.items(), key=lambda pair: order.get(pair[0], len(order))))
