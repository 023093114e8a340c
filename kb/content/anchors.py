"""Where an annotation stands in the other languages: words of the entry's texts there."""

from __future__ import annotations

import re
from collections.abc import Mapping

from kb.content.context import Context
from kb.content.tables import Table
from kb.errors import Message
from kb.records import Anchor, Target

_KEYS = ("quote", "nth")


def read_anchors(
    row: Table, target: Target, texts: Mapping[str, str], context: Context
) -> dict[str, Anchor]:
    """Return the words that say in other languages what a target's do.

    They are written as ``anchors.fa = "…"``, or as ``{ quote = "…", nth = 2 }`` where the text
    has the words more than once. ``texts`` are those of the target's role. A text without an
    anchor is told as advice.
    """
    anchors: dict[str, Anchor] = {}
    if "anchors" in row:
        written = row.table("anchors")
        for lang in written:
            anchors[lang] = _anchor(written, lang, target, texts)
    for lang in texts:
        if lang != target.lang and lang not in anchors:
            context.advise(
                row, "id", "the annotation names no words in '{lang}'", _hint(lang), lang=lang
            )
    return anchors


def _anchor(written: Table, lang: str, target: Target, texts: Mapping[str, str]) -> Anchor:
    if lang == target.lang or lang not in texts:
        raise written.error(
            lang, "the entry has no other {role} in '{lang}'", role=target.role, lang=lang
        )
    quote, nth = _quoted(written, lang)
    found = [match.start() for match in re.finditer(re.escape(quote), texts[lang])]
    if not found:
        raise written.error(
            lang,
            "'{quote}' does not stand in the {role} in '{lang}'",
            quote=quote,
            role=target.role,
            lang=lang,
        )
    if nth > len(found) or (not nth and len(found) > 1):
        hint = Message("Write {{ quote = …, nth = 1 }} to {found}.", found=len(found))
        raise written.error(
            lang, "'{quote}' stands there {found} times", hint, quote=quote, found=len(found)
        )
    start = found[max(nth, 1) - 1]
    return Anchor(target.role, quote, start, start + len(quote))


def _quoted(written: Table, lang: str) -> tuple[str, int]:
    """Return the words, and which of several they are; 0 where that is not said."""
    if not written.holds(lang, dict):
        return written.get(lang, str), 0
    row = written.table(lang)
    row.only(*_KEYS)
    nth = row.get("nth", int)
    if nth < 1:
        raise row.error("nth", "the words are counted from 1")
    return row.get("quote", str), nth


def _hint(lang: str) -> str:
    return f'Write anchors.{lang} = "…", with words of the text there.'
