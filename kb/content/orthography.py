"""How Persian is written: the faults that a rule can find.

The rules are those of the Academy of Persian Language and Literature ("Dastur-e Khatt-e
Farsi") that leave no choice in this field's texts, and Unicode's choice of letters.

>>> [fault.found for fault in faults("شبكه ها می شود")]
['ك', 'می شود', 'شبكه ها']
>>> list(faults("شبکه‌ها می‌شوند، ولی `a - b` می‌ماند."))
[]
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_LETTER = r"[آ-غف-يٱ-ۓ]"
_WORD = rf"{_LETTER}{{1,60}}"  # no word is longer, and one that is would be gone over often
_NOT_BEFORE = rf"(?<!{_LETTER}|\u200c)"
_NOT_AFTER = rf"(?!{_LETTER}|\u200c)"
_VERBS = "شو|کن|ده|توا|گیر|رس|ماند|آی|آور|خواه|گذار|یاب|ساز|رود|روند|زن|بر|گوی|شمار|خور|انداز|نویس"

_RULES = tuple(
    (re.compile(pattern), sentence)
    for pattern, sentence in (
        ("[يكىةٱ]", "this letter is Arabic: Persian writes ی, ک, ه"),
        ("[٠-٩]", "these digits are Arabic: Persian writes ۰ to ۹"),
        ("ـ", "a kashida only stretches a word"),
        (rf"{_NOT_BEFORE}ن?می {_LETTER}+", "می and its verb are joined by a half-space"),
        (rf"{_NOT_BEFORE}ن?می(?:{_VERBS}){_LETTER}*", "می is parted from its verb by a half-space"),
        (rf"{_WORD} (?:ها|های|هایی|هایم|هایش){_NOT_AFTER}", "ها is joined by a half-space"),
        (rf"{_WORD} (?:ترین){_NOT_AFTER}", "ترین is joined by a half-space"),
        (rf"{_LETTER}[,;?]", "Persian has its own ، ؛ ؟"),
        (rf"{_LETTER} [،؛؟!.:](?!\.)", "no blank stands before this sign"),
        (rf"[،؛؟]{_LETTER}", "a blank stands after this sign"),
        (rf"\"{_LETTER}|{_LETTER}\"", "Persian quotes are « and »"),
        (r"(?:^|[\s(«])\u200c|\u200c(?:$|[\s)».،؛؟:])|\u200c\u200c", "a half-space joins nothing"),
        (r"\S {2,}\S", "two blanks stand together"),
        (rf"{_NOT_BEFORE}(?:آن|این) ?\u200c(?:چه|جا|که){_NOT_AFTER}", "this is one word"),
        (rf"{_NOT_BEFORE}می‌باش{_LETTER}+", "است says the same"),
    )
)  # fmt: skip
_CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)


class Fault(NamedTuple):
    """What is written otherwise, and a sentence that says how."""

    found: str
    sentence: str


def faults(text: str) -> Iterator[Fault]:
    """Yield the faults of a Persian text, code within it aside, rule by rule."""
    prose = _CODE.sub("`", text).replace("\u200e", "")
    for rule, sentence in _RULES:
        for match in rule.finditer(prose):
            yield Fault(match[0].strip(), sentence)
