"""Our Persian prose: one term for a concept, half-spaces where they belong, Persian signs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from kb.content.folder import read_content
from kb.model.entry import Entry
from kb.model.values import LAYERS

ROOT = Path(__file__).parents[2]
CATALOG = ROOT / "kb/i18n/locale/fa/LC_MESSAGES/danesh.po"

TERMS = {
    "تحلیل عددی": ["آنالیز عددی"],
    "سیستم": ["سامانه"],
    "نقطهٔ تقسیم": ["نقطهٔ شکست", "نقطه شکست"],
    "all-reduce حلقوی": ["all-reduce حلقه‌ای"],
    "ان‌پی-سخت": ["ان پی سخت", "ان‌پی سخت"],
    "قلهٔ حافظه": ["اوج حافظه", "بیشینهٔ حافظه"],
    "ناهم‌پوشان": ["بی‌هم‌پوشانی"],
    "کوانتیزه‌سازی": ["کوانتیزاسیون", "کوانتایز"],
    "گرادیان کاهشی": ["کاهش گرادیان", "نزول گرادیان"],
    "ریزدسته": ["مینی‌بچ", "مینی بچ"],
    "میکرودسته": ["ریز‌دسته", "میکروبچ", "میکرو بچ"],
    "بیش‌برازش": ["اورفیت", "فرابرازش"],
    "منجمد": ["آماره‌های ثابت", "لایه‌های ثابت", "وزن‌های ثابت"],
    "برش (clipping)": ["بریدن (clipping)", "برش گرادیان‌ها (truncation)"],
    "هستهٔ تنسوری": ["هستهٔ تنسور ", "هسته‌های تنسور ", "تنسور کور", "واحدهای ماتریسی (tensor"],
    "گواه": ["شواهد"],
    "فایل": ["پرونده"],
    "درون‌بری": ["درونبری", "وارد کردن"],
    "درستی": ["صحت", "دقت مدل"],
    "گذردهی": ["توان عملیاتی"],
    "نرمال‌سازی": ["هنجارسازی", "بهنجار"],
    "منظم‌سازی": ["قاعده‌مندسازی", "نظم‌دهی"],
    "تنظیم دقیق": ["ریزتنظیم", "فاین‌تیون"],
    "فراپارامتر": ["ابرپارامتر", "هایپرپارامتر"],
    "مجموعه‌داده": ["مجموعه داده", "دیتاست"],
    "پس‌انتشار": ["انتشار به عقب", "پس انتشار"],
    "درایه‌به‌درایه": ["عنصربه‌عنصر", "عنصر به عنصر", "درایه به درایه"],
    "نقطهٔ وارسی": ["چک‌پوینت", "نقطهٔ بازیابی"],
    "حافظهٔ نهان": ["حافظهٔ کش", "حافظهٔ پنهان"],
    "شتاب‌دهنده": ["تسریع‌کننده"],
    "نمونه‌گیری": ["نمونه‌برداری"],
    "استنتاج": ["استنباط"],
    "اریبی": ["سوگیری"],
    "برآورد": ["تخمین"],
    "زیان": ["تابع هزینه", "تابع ضرر"],
    "جست‌وجو": ["جستجو"],
    "نویز": ["نوفه"],
}
"""The term that our prose has for a concept, and what is not written for it."""

RULES = {
    "an ending is joined by a half-space to Latin letters": r"[A-Za-z](?:ها|های|هایی)(?!\w)",
    "an ending is joined by a half-space to a number": r"[0-9۰-۹](?:بیتی|بایتی|تایی|لایه)",
    "می is joined by a half-space": r"(?<!\w)ن?می (?=\w)",
    "Persian has its own letters": r"[يكةى٠-٩]",
    "Persian has its own signs": r"[؀-ۿ] ?[,;?](?:\s|$)",
    "به‌تنهایی is one word": r"(?<!\w)به تنهایی",
}


def own_prose(entry: Entry) -> Iterator[str]:
    """Yield what we wrote of an entry: not the words of its sources."""
    layers = (entry.short, entry.example, entry.mistakes, entry.further)
    assessed = [entry.assessment.sentence] if entry.assessment else []
    yield from (texts["fa"] for texts in (entry.wording, *layers, *assessed) if "fa" in texts)
    yield from (a.text for a in entry.answers if a.lang == "fa" and a.role == "reference")
    yield from filter(None, (entry.text(name, "fa") for name in LAYERS))
    if entry.assessment is not None and "fa" in entry.assessment.sentence:
        yield entry.assessment.sentence["fa"]
    yield from (each.note["fa"] for each in entry.annotations if "fa" in each.note)
    yield from (each.title["fa"] for each in entry.snippets if "fa" in each.title)


def without_code_and_quotes(text: str) -> str:
    plain = re.sub(r"```.*?```|`[^`\n]*`", " ", text, flags=re.DOTALL)
    return re.sub(r"«[^»]*»", " ", plain)


@pytest.fixture(scope="module")
def prose() -> list[str]:
    entries = read_content(ROOT / "data").entries
    told = [text for entry in entries for text in own_prose(entry)]
    told += re.findall(r'^msgstr(?:\[\d\])? "(.*)"$', CATALOG.read_text("utf-8"), re.MULTILINE)
    return [without_code_and_quotes(text) for text in told]


@pytest.mark.parametrize("term", TERMS)
def test_a_concept_has_one_term(prose: list[str], term: str) -> None:
    for other in TERMS[term]:
        assert not [text for text in prose if other in text], other


@pytest.mark.parametrize("rule", RULES)
def test_persian_is_spelled_by_rule(prose: list[str], rule: str) -> None:
    found = [
        match[0]
        for text in prose
        for match in re.finditer(rf".{{0,20}}{RULES[rule]}.{{0,9}}", text)
    ]
    assert found == []


def test_the_control_of_the_rules_is_prose_that_breaks_each() -> None:
    broken = "GPUها 8بیتی می شود علي چیست? به تنهایی"
    assert all(re.search(rule, broken) for rule in RULES.values())
