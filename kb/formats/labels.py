"""Labels of cards and pages, in the languages of the interface."""

from __future__ import annotations

from collections.abc import Mapping

from kb.i18n import translated
from kb.i18n.names import LAYERS, LEVELS
from kb.terminal.numerals import in_numerals

_LABELS: Mapping[str, tuple[str, str]] = {
    "wording": ("Better wording", "بیان بهتر"),
    "source": ("Source answer", "پاسخ منبع"),
    "reference": ("Reference answer", "پاسخ مرجع"),
    "repeats": ("The same claim as {number}.", "همان ادعای {number} است."),
    "claim": ("True or false?", "درست یا نادرست؟"),
    "own": ("your own", "از خودتان"),
    "figures": ("Figures: {number}", "مقدارها: {number}"),
    "told.source": ("source {figure}", "منبع {figure}"),
    "told.measured": ("measured {figure}", "اندازه‌گیری {figure}"),
    "told.counted": ("counted {figure}", "شمارش {figure}"),
    "told.simulated": ("simulated {figure}", "شبیه‌سازی {figure}"),
    "told.definition": ("by definition {figure}", "بنا بر تعریف {figure}"),
    "told.expected": ("expected {figure}", "انتظار {figure}"),
    "worst": ("What is wrong", "آنچه نادرست است"),
    "question": ("Question", "پرسش"),
    "context": ("Context", "زمینه"),
    "annotations": ("Other annotations", "توضیح‌های دیگر"),
    "annotation": ("annotation {number}", "توضیح {number}"),
    "words": ("back to the words", "بازگشت به متن"),
    "programs": ("Programs", "برنامه‌ها"),
    "related": ("Related", "مرتبط"),
    "origin": ("Sources", "منبع‌ها"),
    "contents": ("All entries", "همهٔ مدخل‌ها"),
    "skip": ("Skip to the text", "رفتن به متن"),
    "search": ("Search", "جست‌وجو"),
    "keys": (
        "The key / leads to the search; ↓ and ↑ move among what is found.",
        "کلید / به جست‌وجو می‌برد؛ ↓ و ↑ در یافته‌ها حرکت می‌کنند.",
    ),
    "noscript": (
        "Searching needs JavaScript; all pages can be read without it.",
        "جست‌وجو به جاوااسکریپت نیاز دارد؛ همهٔ صفحه‌ها بی آن هم خوانده می‌شوند.",
    ),
    "collections": ("Collections", "مجموعه‌ها"),
    "others": ("In no collection", "بدون مجموعه"),
    "masks": ("Covered places of the image: {number}", "جاهای پوشیدهٔ تصویر: {number}"),
}
"""The labels in English and Persian; others are in the catalog of the interface."""


_IN_CATALOG = {**LAYERS, **LEVELS, "flawed": LAYERS["wrong"], "wrong": "wrong"}
"""Layers, levels and judgements; what is wrong is a verdict here."""


def label(key: str, lang: str, **values: object) -> str:
    """Return a label in a language, or else in English, with that language's digits.

    >>> label("wrong", "fa"), label("wrong", "tr"), label("repeats", "de", number=2)
    ('نادرست', 'wrong', 'The same claim as 2.')
    >>> label("mistakes", "fa"), label("mistakes", "tr")
    ('اشتباه‌های رایج', 'Common mistakes')
    """
    if key not in _LABELS:
        return translated(_IN_CATALOG.get(key, key.replace("-", " ")), lang)
    return in_numerals(_LABELS[key][lang == "fa"].format(**values), lang)
