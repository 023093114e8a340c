"""Labels of cards and pages, in the languages of the interface."""

from __future__ import annotations

from collections.abc import Mapping

from kb.i18n import translated
from kb.i18n.names import LAYERS
from kb.terminal import in_numerals

_FALLBACK = "en"
_LABELS: Mapping[str, Mapping[str, str]] = {
    "fa": {
        "wording": "بیان بهتر",
        "source": "پاسخ منبع",
        "reference": "پاسخ مرجع",
        "repeats": "همان ادعای {number} است.",
        "claim": "درست یا نادرست؟",
        "told.source": "منبع {figure}",
        "told.measured": "اندازه‌گیری {figure}",
        "told.counted": "شمارش {figure}",
        "told.simulated": "شبیه‌سازی {figure}",
        "told.definition": "بنا بر تعریف {figure}",
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
        "worst": "آنچه نادرست است",
        "question": "پرسش",
        "context": "زمینه",
        "annotations": "توضیح‌های دیگر",
        "annotation": "توضیح {number}",
        "words": "بازگشت به متن",
        "programs": "برنامه‌ها",
        "related": "مرتبط",
        "origin": "منبع‌ها",
        "contents": "همهٔ مدخل‌ها",
        "skip": "رفتن به متن",
        "search": "جست‌وجو",
        "keys": "کلید / به جست‌وجو می‌برد؛ ↓ و ↑ در یافته‌ها حرکت می‌کنند.",
        "noscript": "جست‌وجو به جاوااسکریپت نیاز دارد؛ همهٔ صفحه‌ها بی آن هم خوانده می‌شوند.",
        "collections": "مجموعه‌ها",
        "others": "بدون مجموعه",
        "masks": "جاهای پوشیدهٔ تصویر: {number}",
        "count": "{number} مدخل",
        "fact.number": "شماره",
        "fact.level": "سطح",
        "fact.topic": "موضوع",
        "fact.tags": "برچسب‌ها",
        "level.E": "آسان",
        "level.M": "متوسط",
        "level.H": "سخت",
    },
    "en": {
        "wording": "Better wording",
        "source": "Source answer",
        "reference": "Reference answer",
        "repeats": "The same claim as {number}.",
        "claim": "True or false?",
        "told.source": "source {figure}",
        "told.measured": "measured {figure}",
        "told.counted": "counted {figure}",
        "told.simulated": "simulated {figure}",
        "told.definition": "by definition {figure}",
        "told.expected": "expected {figure}",
        "translation-error": "translation error",
        "lost-in-extraction": "lost in extraction",
        "worst": "What is wrong",
        "question": "Question",
        "context": "Context",
        "annotations": "Other annotations",
        "annotation": "annotation {number}",
        "words": "back to the words",
        "programs": "Programs",
        "related": "Related",
        "origin": "Sources",
        "contents": "All entries",
        "skip": "Skip to the text",
        "search": "Search",
        "keys": "The key / leads to the search; ↓ and ↑ move among what is found.",
        "noscript": "Searching needs JavaScript; all pages can be read without it.",
        "collections": "Collections",
        "others": "In no collection",
        "masks": "Covered places of the image: {number}",
        "count": "{number} entries",
        "fact.number": "number",
        "fact.level": "level",
        "fact.topic": "topic",
        "fact.tags": "tags",
        "level.E": "easy",
        "level.M": "medium",
        "level.H": "hard",
    },
}


def label(key: str, lang: str, **values: object) -> str:
    """Return a label in a language, or else in English, with that language's digits.

    >>> label("wrong", "fa"), label("wrong", "tr"), label("repeats", "de", number=2)
    ('نادرست', 'wrong', 'The same claim as 2.')
    >>> label("count", "fa", number=33)
    '۳۳ مدخل'
    """
    known = _LABELS.get(lang, _LABELS[_FALLBACK])
    return in_numerals(known.get(key, key).format(**values), lang)


def layer_label(key: str, lang: str) -> str:
    """Return the heading of a layer of an entry in a language.

    >>> layer_label("mistakes", "fa"), layer_label("mistakes", "tr")
    ('اشتباه‌های رایج', 'Common mistakes')
    """
    return translated(LAYERS[key], lang)
