"""What cards say beside the words of entries, in the languages that danesh speaks."""

from __future__ import annotations

from collections.abc import Mapping

_FALLBACK = "en"
_LABELS: Mapping[str, Mapping[str, str]] = {
    "fa": {
        "wording": "بیان بهتر",
        "source": "پاسخ منبع",
        "reference": "پاسخ مرجع",
        "repeats": "همان ادعای {number} است.",
        "told.source": "منبع {figure}",
        "told.measured": "اندازه‌گیری {figure}",
        "told.expected": "انتظار {figure}",
        "high": "زیاد",
        "medium": "متوسط",
        "low": "کم",
        "note": "یادداشت",
        "wrong": "نادرست",
        "misleading": "گمراه‌کننده",
        "incomplete": "ناقص",
        "outdated": "قدیمی",
        "typo": "غلط تایپی",
        "translation-error": "خطای ترجمه",
        "lost-in-extraction": "افتاده در استخراج",
    },
    "en": {
        "wording": "Better wording",
        "source": "Source answer",
        "reference": "Reference answer",
        "repeats": "The same claim as {number}.",
        "told.source": "source {figure}",
        "told.measured": "measured {figure}",
        "told.expected": "expected {figure}",
        "translation-error": "translation error",
        "lost-in-extraction": "lost in extraction",
    },
}


def label(key: str, lang: str, **values: object) -> str:
    """Return what a card says, in a language or else in English.

    >>> label("wrong", "fa"), label("wrong", "tr"), label("repeats", "de", number=2)
    ('نادرست', 'wrong', 'The same claim as 2.')
    """
    known = _LABELS.get(lang, _LABELS[_FALLBACK])
    return known.get(key, key).format(**values)
