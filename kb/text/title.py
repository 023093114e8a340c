"""Titles as they are looked up: two spellings of one title are the same."""

from __future__ import annotations

import re
from functools import lru_cache
from hashlib import blake2b

from kb.text.fold import fold, without_accents

_LONGEST = 1_000
"""Characters of a title; nobody types a longer one."""

_BEFORE = " \t\r\n\"'`*_“”„‘’«»‹›()[]{}¿¡-–—"
_AFTER = _BEFORE + ".,;:!?…؟،؛"
_PARTED = re.compile("(?<=[\u0600-\u06ff])[ \u200c]+(?=[\u0600-\u06ff])")


def title_key(text: str) -> int | None:
    """Return a number that a title shares with all spellings of it, or nothing of an empty one.

    Case, accents, variants of Persian letters and blanks between these, quotes and
    punctuation around it make no difference.

    >>> title_key("«شبكه‌هاي عصبی»") == title_key("شبکه های عصبی")
    True
    >>> title_key("C++") == title_key("C")
    False
    """
    text = text[: _LONGEST + 1].lstrip(_BEFORE).rstrip(_AFTER)
    if not text or len(text) > _LONGEST:
        return None
    if text.isascii():
        folded = " ".join(fold(text).split())
    else:
        words = map(_folded, text.replace("\u200c", " ").split())
        folded = _PARTED.sub("", " ".join(filter(None, words)))
    data = blake2b(folded.encode("utf-8", "replace"), digest_size=8).digest()
    return int.from_bytes(data, "big", signed=True) if folded else None


@lru_cache(maxsize=1 << 12)
def _folded(word: str) -> str:
    return without_accents(fold(word))
