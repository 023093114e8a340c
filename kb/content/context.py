"""What the readers of a content folder share: mistakes, days of checks, written Persian."""

from __future__ import annotations

import contextlib
import datetime
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple, TypedDict

from kb import limits
from kb.content.tables import Table
from kb.errors import BadData, Message
from kb.model.entry import Snippet, Source
from kb.model.results import is_language_code

# What is wrong in a folder of content: the first mistake is raised, or all are kept.


class Mistakes:
    """Collects what readers of content report as wrong.

    ``found`` are mistakes that prevent storing; the first is raised unless they are to be
    ``kept``. ``advice`` is what a careful author would improve.
    """

    def __init__(self, *, kept: bool = False) -> None:
        self.kept = kept
        self.found: list[BadData] = []
        self.advice: list[BadData] = []

    def add(self, mistake: BadData) -> None:
        """Report a mistake."""
        if not self.kept:
            raise mistake
        _add(self.found, mistake)

    def advise(self, mistake: BadData) -> None:
        """Report advice."""
        _add(self.advice, mistake)

    @property
    def full(self) -> bool:
        """Whether the limit of advice is reached."""
        return len(self.advice) > limits.ADVICE

    @contextlib.contextmanager
    def noted(self) -> Iterator[None]:
        """Report a mistake raised within the block; what was being read is left out."""
        try:
            yield
        except BadData as mistake:
            self.add(mistake)


def _add(told: list[BadData], mistake: BadData) -> None:
    """Keep a report up to a limit; beyond that, only say that there are more."""
    if len(told) < limits.ADVICE:
        told.append(mistake)
    elif len(told) == limits.ADVICE:
        told.append(BadData("only the first {most:,} are listed", most=limits.ADVICE))


# The days on which what changes with time was checked, and is to be checked again.


class Days(TypedDict):
    """ISO 8601 dates, or empty."""

    checked: str
    until: str


def read_days(row: Table, context: Context) -> Days:
    """Return the keys ``checked`` and ``until`` of a table; an expired date gives advice."""
    if "checked" not in row and "until" not in row:
        return Days(checked="", until="")
    checked, until = row.get("checked", datetime.date), row.get("until", datetime.date)
    if until < checked:
        raise row.error(
            "until", "{until} is before the check ({checked})", until=until, checked=checked
        )
    if until < datetime.datetime.now(datetime.UTC).date():
        hint = Message("Check it again and write the date.")
        context.advise(
            row,
            "until",
            "was checked on {checked}, valid until {until}",
            hint,
            checked=checked,
            until=until,
        )
    return Days(checked=checked.isoformat(), until=until.isoformat())


# What the entries of a folder may speak of, and what is asked of every text of ours.


_MOST_FAULTS = 100  # of one text


@dataclass(frozen=True, slots=True)
class Context:
    """The data around the entries, and where mistakes are reported.

    ``accepted`` has the reviewed digests by annotation: of the quote under ``quote``, and of each
    program under its name. It is None if a folder has no such record: everything then counts as
    reviewed.
    """

    sources: dict[str, Source]
    snippets: dict[str, Snippet]
    accepted: Mapping[str, Mapping[str, str]] | None
    mistakes: Mistakes

    def prose(self, table: Table, key: str, lang: str) -> str:
        """Return one of our texts and report its writing mistakes."""
        return self.written(table, key, table.get(key, str), lang)

    def texts(self, table: Table, key: str) -> dict[str, str]:
        """Return texts by language, each checked as `prose` does."""
        found = table.texts(key).items()
        return {lang: self.written(table, key, text, lang) for lang, text in found}

    def written(self, table: Table, key: str, text: str, lang: str) -> str:
        """Return ``text`` of the key ``key``, checked as `prose` does."""
        if lang == "fa" and not self.mistakes.full:
            for found, sentence in islice(faults(text), _MOST_FAULTS):
                self.mistakes.advise(
                    table.error(key, "«{found}»: {sentence}", found=found[:80], sentence=sentence)
                )
        return text.strip("\n")

    def advise(
        self, table: Table, key: str, sentence: str, hint: str = "", /, **arguments: object
    ) -> None:
        """Report advice at its place."""
        self.mistakes.advise(table.error(key, sentence, hint, **arguments))


def language_of(row: Table) -> str:
    """Return the language a row names under ``lang``."""
    return check_language(row, "lang", row.get("lang", str))


def check_language(table: Table, key: str, lang: str) -> str:
    """Return a language code, or report the mistake."""
    if not is_language_code(lang):
        raise table.error(
            key, "'{lang}' is not the code of a language", "Write en, fa, …", lang=lang
        )
    return lang


# How Persian is written: the faults that a rule can find.
#
# The rules are those of the Academy of Persian Language and Literature ("Dastur-e Khatt-e
# Farsi") that leave no choice in this field's texts, and Unicode's choice of letters.
#
# >>> [fault.found for fault in faults("شبكه ها می شود")]
# ['ك', 'می شود', 'شبكه ها']
# >>> list(faults("شبکه‌ها می‌شوند، ولی `a - b` می‌ماند."))
# []


_LETTER = r"[آ-غف-يٱ-ۓ]"
_WORD = rf"{_LETTER}{{1,60}}"  # no word is longer, and one that is would be gone over often
_NOT_BEFORE = rf"(?<!{_LETTER}|\u200c)"
_NOT_AFTER = rf"(?!{_LETTER}|\u200c)"
_VERBS = "شو|کن|ده|توا|گیر|رس|ماند|آی|آور|خواه|گذار|یاب|ساز|رود|روند|زن|بر|گوی|شمار|خور|انداز|نویس"

# Compiled with the first text that is asked of: a start of kb asks of none.
_RULES = (
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
)  # fmt: skip
_CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)


class Fault(NamedTuple):
    """A writing mistake, and a sentence that explains it."""

    found: str
    sentence: str


def faults(text: str) -> Iterator[Fault]:
    """Yield the writing mistakes of a Persian text, outside code, rule by rule."""
    prose = _CODE.sub("`", text).replace("\u200e", "")
    for rule, sentence in _RULES:
        for match in re.finditer(rule, prose):
            yield Fault(match[0].strip(), sentence)
