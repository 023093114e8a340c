"""Labels before a text: ``Q:``, ``**Question 3:**``, ``## Answer (EN)``, «پاسخ:»."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from kb.exchange.notes.matter import language_code
from kb.exchange.notes.wording import ascii_digits, ends_asking

QUESTION, ANSWER, CLOZE = "question", "answer", "cloze"
_WORDS = {
    QUESTION: "question|ques|que|q|problem|exercise|puzzle|front|card"
    "|رو|روی کارت|کارت|سؤال|سوال|پرسش|تمرین|مسئله|مسأله|س"
    "|السؤال|вопрос|frage|vorderseite|pregunta|pergunta|domanda|问题|問題|質問|問|질문",
    ANSWER: "(?:correct |right |the |short |sample |model |show |see |view |reveal |check )*"
    "(?:the )?(?:answers?|solutions?)(?: key)?|ans|a|back"
    "|پشت|پشت کارت|پ|(?:نمایش |دیدن |مشاهده )?(?:پاسخ|جواب|راه‌حل|راه حل)"
    "(?:\u200cنامه|[\u200c ]?ها)?(?: صحیح| درست| تشریحی| کامل| کوتاه)?|ج"
    "|الإجابة|الجواب|إجابة|ответ|antwort|rückseite|lösung|respuesta|solución|réponse|resposta|risposta|soluzione"
    "|odpowiedź|cevap|jawaban|antwoord|vastaus|svar|răspuns|odgovor|відповідь|отговор|përgjigj(?:ja|e)"
    "|đáp án|trả lời|คำตอบ|उत्तर|উত্তর|答案|答|回答|解答|답|정답",
    CLOZE: "c|cloze",
}  # fmt: skip
_NUMBERED = frozenset({"problem", "exercise", "puzzle", "card", "تمرین", "مسئله", "مسأله", "کارت"})
_COLON = frozenset({"رو", "روی کارت", "پشت", "پشت کارت", "پ", "問", "答"})
_ORDINALS = (
    *("اول یکم one first", "دوم two second", "سوم three third", "چهارم four fourth"),
    *("پنجم five fifth", "ششم six sixth", "هفتم seven seventh", "هشتم eight eighth"),
    *("نهم nine ninth", "دهم ten tenth"),
)
_ORDINAL = {word: str(n) for n, many in enumerate(_ORDINALS, 1) for word in many.split()}
_POINTS = r"[(\[]\s*\d{1,3}\s*(?:points?|pts?\.?|marks?|نمره|امتیاز)\s*[)\]]"
_POINTED = re.compile(_POINTS, re.IGNORECASE)
_ROLE = "|".join(f"(?P<{role}>{words})" for role, words in _WORDS.items())
_LABEL = re.compile(
    rf"^\s*(?P<open>[*_]{{0,3}})\s*(?:[❓❔✅💡🔹👉📝]\ufe0f?\s*)?(?:{_ROLE})(?![\w'’])"
    r"(?:\s*(?:#|no\.?|№|شماره))?"
    rf"(?:[\s\-]*(?P<number>\d{{1,4}}(?:[.\-]\d{{1,3}})*|(?:{'|'.join(_ORDINAL)})(?!\w)))?"
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
_UNDERLINE = re.compile(r"\s*:?\s*[=_*~-]{3,}\s*")  # what a label is set off by


class Label(NamedTuple):
    """What a text is by its label: its role, the text itself, its number and language.

    ``letter`` says that the label is a single letter, ``sign`` what stands behind it.
    """

    role: str
    rest: str
    number: str | None = None
    lang: str | None = None
    sign: str = ":"
    letter: bool = False


@lru_cache(maxsize=1 << 12)
def label(text: str) -> Label | None:
    """Return what the beginning of a text says of it, or None where it says nothing.

    >>> label("**Q1:** Why?")
    Label(role='question', rest='Why?', number='1', lang=None, sign=':', letter=True)
    >>> label("پاسخ: زیرا").role, label("Answer (EN)").lang, label("Questions")
    ('answer', 'en', None)
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
    if not found or not _is_label(found):
        return None
    lang = language_code(found["lang"] or "")
    if found["lang"] and not lang:
        return None
    role = next(name for name in _WORDS if found[name])
    rest = _rest(found["open"], found["inner"] + found["outer"], text[found.start("rest") :])
    if found[role] == "پ" and ends_asking(rest):  # پرسش before what asks, else پاسخ
        role = QUESTION
    number = found["number"] and _ORDINAL.get(found["number"].casefold(), found["number"])
    return Label(role, rest, number, lang, found["sign"], len(found[role] or "پ") == 1)


def _is_label(found: re.Match[str]) -> bool:
    """Say whether a word stands there as a label: with its sign, or alone."""
    word = next(found[name] for name in _WORDS if found[name])
    sign, folded = found["sign"], word.casefold()
    if len(word) == 1 and not sign:
        return False
    marked = bool(found["inner"] or found["outer"] or found["number"])
    if len(word) > 1 and sign and sign in ".)-–—" and found["rest"].strip() and not marked:
        return False
    if folded in _COLON and (sign not in (":", "：") or found["number"]):
        return False
    return folded not in _NUMBERED or bool(found["number"])


def points(text: str) -> str:
    """Return what a problem says it is worth.

    >>> points("## Problem 1 (10 points): Why?"), points("Why (10 times)?")
    ('(10 points)', '')
    """
    found = _POINTED.search(ascii_digits(text[:200]))
    return text[found.start() : found.end()] if found else ""


def _rest(opened: str, closed: str, rest: str) -> str:
    """Return a label's text, with the emphasis that began before the label."""
    bare = "" if _UNDERLINE.fullmatch(rest) else rest.strip()
    if opened and not closed:
        return f"{opened}{bare}" if bare.strip("*_") else ""
    return bare
