"""The forms of a Persian word: affixes written apart, half-joined or joined.

می‌شود, می شود and میشود are one word, and so are شبکه‌ها, شبکه ها and شبکهها. An
affix written apart is always taken off; one that is joined is taken off only
where no other word can be meant. The stemmer is deliberately light: Snowball
makes داد (gave) of داده (data), and Lucene's list of stop words deletes بیش,
the first half of بیش‌برازش (overfitting).

Everything here speaks of folded text (see `kb.text.fold`).
"""

from __future__ import annotations

VERB_PREFIXES = frozenset({"می", "نمی", "همی"})
WORD_PREFIXES = frozenset({
    "ابر", "باز", "بر", "برون", "بی", "بیش", "پس", "پیش", "تک", "چند", "خود", "درون", "ریز",
    "زیر", "غیر", "فرا", "کم", "میان", "نا", "نیم", "هم",
})  # fmt: skip
"""First halves of compounds, which many write apart: بیش برازش is not any برازش."""

_PLURALS = (
    "هایشان", "هایتان", "هایمان", "هایش", "هایت", "هایم", "هایی", "های", "ها",
)  # fmt: skip
_ENDINGS = (
    "ترینها", "ترین", "تر", "ام", "ات", "اش", "ای", "اند", "ایم", "اید", "مان", "تان", "شان",
    "ی", "یی", "ست", "است", "هاست",
)  # fmt: skip
SUFFIXES_APART = frozenset({*_PLURALS, "تر", "ترین", "ترینها", "ی"})
SUFFIXES_HALF_JOINED = frozenset({*_PLURALS, *_ENDINGS})
_SUFFIXES_JOINED = (*_PLURALS, "ترین")
_SHORTEST_STEM = 3

# Broken plurals and doubled spellings that no rule reaches.
_IRREGULAR = {
    "اجزا": "جز", "اعداد": "عدد", "افراد": "فرد", "توابع": "تابع", "تغییرات": "تغییر",
    "جملات": "جمله", "حالات": "حالت", "دلایل": "دلیل", "روابط": "رابطه", "سوالات": "سوال",
    "سیوال": "سوال", "سیوالات": "سوال", "ضرایب": "ضریب", "علل": "علت", "عناصر": "عنصر",
    "عوامل": "عامل", "قواعد": "قاعده", "مباحث": "مبحث", "محاسبات": "محاسبه", "مراحل": "مرحله",
    "مزایا": "مزیت", "مساله": "مسیله", "مسایل": "مسیله", "مشکلات": "مشکل", "معادلات": "معادله",
    "معایب": "عیب", "مفاهیم": "مفهوم", "مقادیر": "مقدار", "منابع": "منبع", "موارد": "مورد",
    "نتایج": "نتیجه", "نقاط": "نقطه", "نقایص": "نقص",
}  # fmt: skip


def stem(word: str) -> str:
    """Take a joined plural or superlative off a folded word, or undo a broken plural.

    >>> stem("شبکههای"), stem("مقادیر"), stem("داده"), stem("تنها")
    ('شبکه', 'مقدار', 'داده', 'تنها')
    """
    irregular = _IRREGULAR.get(word)
    if irregular:
        return irregular
    for suffix in _SUFFIXES_JOINED:
        if word.endswith(suffix) and len(word) - len(suffix) >= _SHORTEST_STEM:
            base = word[: -len(suffix)]
            return _IRREGULAR.get(base, base)
    return word
