"""The forms of Persian words: affixes separated, half-joined or joined.

می‌شود, می شود and میشود are one word, and so are شبکه‌ها, شبکه ها and شبکهها. A separated affix
is always removed; a joined one only if no other word can be meant. The stemmer is light on
purpose: Snowball makes داد (gave) from داده (data), and Lucene's stop words delete بیش, the first
half of بیش‌برازش (overfitting).

All text here is normalized (see `kb.text.fold`).
"""

from __future__ import annotations

import re

from kb.text.languages import Affixes, Profile

_VERB_PREFIXES = frozenset({"می", "نمی", "همی"})
# First halves of compounds, which many write apart: بیش برازش is not any برازش.
_WORD_PREFIXES = frozenset({
    "ابر", "باز", "بر", "برون", "بی", "بیش", "پس", "پیش", "تک", "چند", "خود", "درون", "ریز",
    "زیر", "غیر", "فرا", "کم", "میان", "نا", "نیم", "هم",
})  # fmt: skip

_PLURALS = (
    "هایشان", "هایتان", "هایمان", "هایش", "هایت", "هایم", "هایی", "های", "ها",
)  # fmt: skip
_ENDINGS = (
    "ترینها", "ترین", "تر", "ام", "ات", "اش", "ای", "اند", "ایم", "اید", "مان", "تان", "شان",
    "ی", "یی", "ست", "است", "هاست",
)  # fmt: skip
_DEGREES = ("تر", "ترین", "ترینها")
SUFFIXES_JOINED = (*_PLURALS, "ترین")
SHORTEST_STEM = 3

# Broken plurals and doubled spellings that no rule reaches.
IRREGULAR = {
    "اجزا": "جز", "اعداد": "عدد", "افراد": "فرد", "توابع": "تابع", "تغییرات": "تغییر",
    "جملات": "جمله", "حالات": "حالت", "دلایل": "دلیل", "روابط": "رابطه", "سوالات": "سوال",
    "سیوال": "سوال", "سیوالات": "سوال", "ضرایب": "ضریب", "علل": "علت", "عناصر": "عنصر",
    "عوامل": "عامل", "قواعد": "قاعده", "مباحث": "مبحث", "محاسبات": "محاسبه", "مراحل": "مرحله",
    "مزایا": "مزیت", "مساله": "مسیله", "مسایل": "مسیله", "مشکلات": "مشکل", "معادلات": "معادله",
    "معایب": "عیب", "مفاهیم": "مفهوم", "مقادیر": "مقدار", "منابع": "منبع", "موارد": "مورد",
    "نتایج": "نتیجه", "نقاط": "نقطه", "نقایص": "نقص",
}  # fmt: skip


def stem(word: str) -> str:
    """Remove a joined plural or superlative from a normalized word, or undo a broken plural.

    >>> stem("شبکههای"), stem("مقادیر"), stem("داده"), stem("تنها")
    ('شبکه', 'مقدار', 'داده', 'تنها')
    """
    irregular = IRREGULAR.get(word)
    if irregular:
        return irregular
    for suffix in SUFFIXES_JOINED:
        if word.endswith(suffix) and len(word) - len(suffix) >= SHORTEST_STEM:
            base = word[: -len(suffix)]
            return IRREGULAR.get(base, base)
    return word


_FUNCTION_WORDS = """
و در به از که را با برای این ان انها اینها است بود شد هست هستند بودند شدند شده بوده باشد باشند
کرد کند کنند کرده کردند میکند میکنند میشود میشوند شود شوند دارد دارند داشت داشته داشتند دهد داد
چه چیست چیستند چرا چگونه چطور کدام کدامند کجا کجاست ایا تا یا اما ولی نیز هم هر خود او ما شما من
تو ایشان یعنی باید میتوان میتواند بودن شدن کردن چقدر
چقدره چیه چطوره چطوریه چجوری چجوریه کدومه کجاست لازمه میشه نمیشه بشه باشه داره کنم کنیم کنه میکنم
میکنیم میکنه واسه رو اینه همینه
"""
PROFILE = Profile(
    "fa",
    "arabic",
    usual=True,
    direction="rtl",
    stem=stem,
    affixes=Affixes(
        verb_prefixes=_VERB_PREFIXES,
        apart=frozenset({*_PLURALS, *_DEGREES, "ی"}),
        half_joined=frozenset({*_PLURALS, *_ENDINGS}),
        word_prefixes=_WORD_PREFIXES,
        degrees=frozenset(_DEGREES),
    ),
    function_words=frozenset(_FUNCTION_WORDS.split()),
    numerals="۰۱۲۳۴۵۶۷۸۹٬٫٪",
    signs=re.compile(r"[پچژگ]|\b(?:است|را|که|در|از|به|می|این|برای|چیست|چرا)\b"),
)
