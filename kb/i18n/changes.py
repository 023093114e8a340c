"""Changes of entries in the reader's words: names of fields, their values, and differences."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from kb.i18n import _, ahead
from kb.i18n.names import LANGUAGE_NAMES, LEVELS, TOPICS, field_name
from kb.model.values import NOTE

if TYPE_CHECKING:
    from kb.model.changes import FieldChange

_LONGEST = 60

_TELLING = ("text", "code", "quote")
"""The keys whose text stands for a whole record."""

_UNSAID = (
    "id", "start", "end", "prefix", "suffix", "accepted", "status", "file", "own", "anchors",
    "languages", "origins", "restored", "media", "repeats",
)  # fmt: skip
"""The keys of a record that say nothing to a reader."""

_WORDS = ("verdict", "severity", "kind", "judgement")
"""The keys whose values are words of the interface."""


def is_said(field: str | None) -> bool:
    """Return whether a field of a change says something to a reader.

    >>> is_said("tags"), is_said("layer"), is_said("record.base")
    (True, False, False)
    """
    return field not in ("owner", "position", "layer") and not (field or "").startswith("record.")


def texts_of(field: str | None, before: Any, after: Any, *, own: bool = False) -> tuple[str, str]:
    """Return two values of a field as readable texts, which differ if the values do.

    >>> texts_of("annotations.a", None, {"target": {"quote": "A sum"}, "note": {"fa": "نه"}})
    ('', 'Words: A sum\\nAnnotation (Persian): نه')
    >>> texts_of("level", "E", "H"), texts_of("hidden", False, True)
    (('easy', 'hard'), ('no', 'yes'))
    >>> texts_of("", {"quote": "A sum", "start": 0}, {"quote": "A sum", "start": 9})
    ('quote: A sum\\nstart: 0', 'quote: A sum\\nstart: 9')
    """
    key = (field or "").partition(".")[0]
    told = _text(key, before, own), _text(key, after, own)
    return told if told[0] != told[1] else (_whole(before), _whole(after))


def _text(key: str, value: Any, own: bool = False) -> str:
    """Return a value as readable text, without what says nothing to a reader."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, dict):
        telling = (value[key] for key in _TELLING if isinstance(value.get(key), str))
        return next(telling, "\n".join(_lines(value, own)))
    if isinstance(value, list):
        return _(", ").join(_text(key, each).replace("\n", _(", ")) for each in value)
    named = {"level": LEVELS, "topic": TOPICS}.get(key, {}).get(value)
    return _(named or value) if named or (key in _WORDS and value) else str(value)


def _lines(record: dict[str, Any], own: bool) -> Iterator[str]:
    """Yield the fields of a record, and each language of a text."""
    for key, value in record.items():
        base = key.partition(".")[0]
        if base in _UNSAID or value is False or (key, value) == ("verdict", NOTE):
            continue
        if isinstance(value, dict) and value.keys() <= LANGUAGE_NAMES.keys():
            yield from _lines({f"{key}.{lang}": text for lang, text in value.items()}, own)
        elif text := _text(base, value):
            yield f"{field_name(key, own=own)}: {text}"


def _whole(value: Any) -> str:
    """Return a value with all that it holds."""
    if isinstance(value, dict):
        return "\n".join(f"{k}: {_whole(v)}" for k, v in value.items() if v not in (None, [], {}))
    return ", ".join(map(_whole, value)) if isinstance(value, list) else _text("", value)


def lines_of(change: FieldChange, *, own: bool = False) -> Iterator[str]:
    """Yield the lines about a changed field: short values in one, of texts what differs.

    An answer in the reader's ``own`` entry is no source's.

    >>> from kb.model.changes import FieldChange
    >>> list(lines_of(FieldChange("a", "tags", [], ["exam"])))
    ['Tags: nothing → exam']
    >>> list(lines_of(FieldChange("a", "question.en", "a\\nb", "a\\nc")))
    ['Question (English):', ' a', '-b', '+c']
    """
    name = field_name(change.field, own=own) if change.field else _("the whole entry")
    before, after = texts_of(change.field, change.before, change.after, own=own)
    if "\n" not in before + after and len(before + after) < _LONGEST:
        nothing = _("nothing")
        yield f"{name}: {before or nothing} {ahead()} {after or nothing}"
        return
    import difflib  # not needed to start

    yield f"{name}:"
    old, new = (text.split("\n") if text else [] for text in (before, after))
    lines = difflib.unified_diff(old, new, lineterm="", n=1)
    yield from (line for line in list(lines)[2:] if not line.startswith("@@"))
