"""Labels before a text: ``Q:``, ``**Question 3:**``, ``Answer (EN)``, «پاسخ:»."""

from __future__ import annotations

import re
from typing import NamedTuple

from kb.exchange.questions.asking import ends_asking
from kb.exchange.questions.numbers import ascii_digits

QUESTION, ANSWER, EXPLANATION, CLOZE = "question", "answer", "explanation", "cloze"
_WORDS = {
    QUESTION: "question|ques|que|q|problem|exercise|front|card"
    "|رو|روی کارت|کارت|سؤال|سوال|پرسش|تمرین|مسئله|مسأله|س"
    "|вопрос|frage|pregunta|pergunta|domanda|问题|問",
    ANSWER: "(?:correct |right |the |short |sample |model |expected )*answers?(?: key)?|ans|a|back"
    "|پشت|پشت کارت|پ"
    "|solution|پاسخ(?: صحیح| درست| تشریحی)?|جواب(?: صحیح| درست)?|ج|راه‌حل|راه حل"
    "|ответ|antwort|respuesta|réponse|resposta|risposta|答案|答",
    EXPLANATION: "explanation|reason|rationale|توضیح|توضیحات|شرح|دلیل",
    CLOZE: "c|cloze",
}
_ONLY_NUMBERED = frozenset({"problem", "exercise", "card", "تمرین", "مسئله", "مسأله", "کارت"})
_ONLY_WITH_COLON = frozenset({"front", "back", "رو", "روی کارت", "پشت", "پشت کارت", "پ"})
_PERSIAN_P = "پ"  # پرسش before what asks, پاسخ before what does not
_LANGUAGES = {
    "en": "en english eng انگلیسی", "fa": "fa persian farsi فارسی", "ru": "ru russian рус русский",
    "de": "de german deutsch", "fr": "fr french français", "es": "es spanish español",
    "ar": "ar arabic عربی عربي",
}  # fmt: skip
_CODES = {word: code for code, words in _LANGUAGES.items() for word in words.split()}
_ROLE = "|".join(f"(?P<{role}>{words})" for role, words in _WORDS.items())
_ORDINALS = {
    word: str(number)
    for number, words in enumerate(
        (
            "اول یکم one first", "دوم two second", "سوم three third", "چهارم four fourth",
            "پنجم five fifth", "ششم six sixth", "هفتم seven seventh", "هشتم eight eighth",
            "نهم nine ninth", "دهم ten tenth",
        ),
        1,
    )
    for word in words.split()
}  # fmt: skip
_POINTS = r"[(\[]\s*\d{1,3}\s*(?:points?|pts?\.?|marks?|نمره|امتیاز)\s*[)\]]"
_POINTED = re.compile(_POINTS, re.IGNORECASE)
_WORTH = re.compile(rf"\s*{_POINTS}\s*$", re.IGNORECASE)
_LABEL = re.compile(
    rf"^\s*(?P<open>[*_]{{0,3}})\s*(?:[❓❔✅💡🔹👉📝]\ufe0f?\s*)?(?:{_ROLE})(?![\w'’])"
    r"(?:\s*(?:#|no\.?|№|شماره))?"
    rf"(?:[\s\-]*(?P<number>\d{{1,4}}(?:[.\-]\d{{1,3}})*|(?:{'|'.join(_ORDINALS)})(?!\w)))?"
    rf"\s*(?:{_POINTS})?"
    r"\s*(?:\((?P<lang>[^()\n]{2,12})\))?\s*"
    r"(?P<inner>[*_]{0,3})\s*(?P<sign>[:：.)\-–—]|$)(?P<outer>[*_]{0,3})(?P<rest>.*)$",
    re.IGNORECASE | re.DOTALL,
)
_GLUED = re.compile(
    r"^\s*(?P<open>[*_]{0,3})(?P<word>[Qq]|س)\s*\.?\s*(?P<number>\d{1,4}(?:\.\d{1,3})*)(?P<sign>[.:)\-–—]*)"
    r"(?P<close>[*_]{0,3})(?P<rest>\s.*|$)",
    re.DOTALL,
)


class Label(NamedTuple):
    """What a text is by its label: its role, the text itself, its number and language.

    ``sign`` is what stands between, ``letter`` says that the label is a single letter.
    """

    role: str
    rest: str
    number: str | None = None
    lang: str | None = None
    sign: str = ":"
    letter: bool = False


def label(text: str) -> Label | None:
    """Return what the beginning of a text says of it, or None where it says nothing.

    >>> label("**Q1:** Why?")
    Label(role='question', rest='Why?', number='1', lang=None, sign=':', letter=True)
    >>> label("پاسخ: زیرا").role, label("## no"), label("Answer (EN)").lang
    ('answer', None, 'en')
    >>> label("پ: چرا؟").role, label("پ: زیرا").role
    ('question', 'answer')
    >>> label("**Q: Why?**").rest, label("A. one").sign, label("Q12. Why?").number
    ('**Why?**', '.', '12')
    """
    head = ascii_digits(text[:80]) + text[80:]
    glued = _GLUED.match(head)
    if glued:
        rest = _rest(glued["open"], glued["close"], text[glued.start("rest") :])
        return Label(QUESTION, rest, glued["number"], None, glued["sign"] or " ", True)
    found = _LABEL.match(head)
    if not found:
        return None
    role = next(name for name in _WORDS if found[name])
    word, sign = found[role], found["sign"]
    if (len(word) == 1 and not sign) or (
        sign in ".)-–—" and sign and len(word) > 1 and not _set_off(found)
    ):
        return None
    folded = word.casefold()
    if folded in _ONLY_WITH_COLON and (sign not in (":", "：") or found["number"]):
        return None
    if folded in _ONLY_NUMBERED and not found["number"]:
        return None
    lang = _CODES.get((found["lang"] or "").strip().casefold())
    if found["lang"] and not lang:
        return None
    rest = _rest(found["open"], found["inner"] + found["outer"], text[found.start("rest") :])
    if word == _PERSIAN_P and ends_asking(rest):
        role = QUESTION
    number = found["number"] and _ORDINALS.get(found["number"].casefold(), found["number"])
    return Label(role, rest, number, lang, sign, len(word) == 1)


def language_code(name: str) -> str | None:
    """Return the code of a language by its name.

    >>> language_code("Persian"), language_code("فارسی"), language_code("Answer")
    ('fa', 'fa', None)
    """
    return _CODES.get(name.strip().casefold())


def points(text: str) -> str:
    """Return what a problem says it is worth.

    >>> points("## Problem 1 (10 points): Why?"), points("Why (10 times)?")
    ('(10 points)', '')
    """
    found = _POINTED.search(ascii_digits(text[:200]))
    return text[found.start() : found.end()] if found else ""


def without_points(text: str) -> str:
    """Return the name of a problem without what it is worth.

    >>> without_points("Kernels (10 points)"), without_points("کرنل (۵ نمره)")
    ('Kernels', 'کرنل')
    """
    found = _WORTH.search(ascii_digits(text[-40:]))
    return text[: len(text) - len(found[0])] if found else text


def _set_off(found: re.Match[str]) -> bool:
    """Say whether a word is a label although no colon follows: numbered, bold, or alone."""
    return bool(found["number"] or found["inner"] or found["outer"] or not found["rest"].strip())


def _rest(opened: str, closed: str, rest: str) -> str:
    """Return a label's text, with the emphasis that began before the label."""
    bare = rest.strip()
    if opened and not closed:
        return f"{opened}{bare}" if bare else ""
    return bare
