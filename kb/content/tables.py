"""A TOML file in which each mistake is reported with file, line, key and suggestion."""

from __future__ import annotations

import contextlib
import datetime
import json
import math
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, TypedDict, TypeVar

from kb import limits
from kb.errors import BadData, Message, nearest
from kb.foreign import read_text, unix
from kb.model.entry import Snippet, Source

T = TypeVar("T")
_LONG_KEY = re.compile(
    r"""(?<![\w.-])(?:(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){64}"""
)  # the parser takes time with the square of a key's parts
_HEADER = re.compile(r"\s*\[\[?[^\]]+\]\]?\s*(?:#.*)?$")
_Step = tuple[str, int]
_NAMES = {
    str: Message("text"),
    int: Message("a whole number"),
    float: Message("a number"),
    bool: Message("true or false"),
    list: Message("a list"),
    dict: Message("a table"),
    datetime.date: Message("a date"),
}


class Table:
    """A table of a TOML file that knows its position.

    ``header`` is its path, each name with its index, as ``(("annotation", 2),)``; it is used to
    find the line of a key, which TOML parsers do not report.
    """

    def __init__(
        self, file: Path, text: str, values: Mapping[str, Any], header: tuple[_Step, ...] = ()
    ) -> None:
        self.file = file
        self._text = text
        self._values = values
        self._header = header

    def __contains__(self, key: str) -> bool:
        return key in self._values

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def holds(self, key: str, kind: type) -> bool:
        """Return whether a key has a value of a type."""
        return type(self._values.get(key)) is kind

    def only(self, *known: str) -> None:
        """Reject unknown keys."""
        for key in self._values:
            if key not in known:
                names = ", ".join(sorted(known))
                hint = nearest(key, known) or Message("Known: {known}.", known=names)
                raise self.error(key, "no such key", hint)

    def get(self, key: str, kind: type[T], default: T | None = None) -> T:
        """Return the value of ``key``, checked for its type; required without a default."""
        if key not in self._values:
            if default is not None:
                return default
            raise self.error(
                "", "the key '{key}' is missing", Message("Write {key} = … here.", key=key), key=key
            )
        value = self._values[key]
        if kind is float and type(value) is int:
            value = float(value)
        if type(value) is not kind:
            raise self.error(
                key,
                "must be {wanted}, not {found}",
                wanted=_NAMES[kind],
                found=_NAMES.get(type(value), Message("that")),
            )
        if isinstance(value, str) and not value.strip():
            raise self.error(key, "is empty")
        if isinstance(value, float) and not math.isfinite(value):
            raise self.error(key, "must be a finite number")
        return value

    def choice(self, key: str, known: Iterable[str]) -> str:
        """Return a text that must be one of ``known``."""
        value, allowed = self.get(key, str), list(known)
        if value not in allowed:
            hint = nearest(value, allowed) or Message("Known: {known}.", known=", ".join(allowed))
            raise self.error(key, "unknown value '{value}'", hint, value=value)
        return value

    def words(self, key: str) -> tuple[str, ...]:
        """Return a list of texts, empty if the key is missing."""
        value = self.get(key, list, [])
        if not all(isinstance(item, str) for item in value):
            raise self.error(key, "must be a list of texts")
        return tuple(value)

    def texts(self, key: str) -> dict[str, str]:
        """Return texts by language; none may be empty."""
        value: dict[str, Any] = self.get(key, dict)
        for lang, text in value.items():
            if not isinstance(text, str) or not text.strip():
                raise self.error(key, "the text in '{lang}' is empty or not a text", lang=lang)
        return value

    def table(self, key: str) -> Table:
        """Return the table under ``key``."""
        return self._below(self.get(key, dict), key)

    def tables(self, key: str) -> list[Table]:
        """Return the list of tables under ``key``, empty if it is missing."""
        value = self.get(key, list, [])
        if not all(isinstance(item, dict) for item in value):
            raise self.error(key, "must be a list of tables")
        return [self._below(item, key, turn) for turn, item in enumerate(value)]

    def error(self, key: str, sentence: str, hint: str = "", /, **arguments: object) -> BadData:
        """Return an error that names this file, the line of ``key``, and the key."""
        message = Message(sentence, place=key, **arguments)
        return BadData(message, hint, place=f"{self.file}:{self._line(key)}")

    def place_of(self, text: str, words: str) -> str:
        """Return the file and line of the first line of some words of a text in this file."""
        begin = max(self._text.find(text.split("\n", 1)[0]), 0)
        at = max(self._text.find(words.strip().split("\n", 1)[0], begin), begin)
        return f"{self.file}:{self._text.count(chr(10), 0, at) + 1}"

    def _below(self, values: Any, key: str, turn: int = 0) -> Table:
        return Table(self.file, self._text, values, (*self._header, (key, turn)))

    def _line(self, key: str) -> int:
        """Return the line of a key, else of the table's header, else the first line."""
        lines, path = self._text.splitlines(), ""
        at = turn = 0
        for name, nth in (*self._header, *([(key, 0)] if key else [])):
            path = f"{path}.{name}".lstrip(".")
            header = re.compile(rf"\s*\[+{re.escape(path)}\]")
            found = [n for n in range(at, len(lines)) if header.match(lines[n])][nth:]
            if not found:  # a table written in one line has no header, and its keys come in turn
                spelled = re.compile(rf"(?:^|[\s{{,])\"?{re.escape(name)}\"?\s*(?:\.\w+\s*)?=")
                ends = (n for n in range(at + 1, len(lines)) if _HEADER.match(lines[n]))
                own = range(at, next(ends, len(lines)))
                found, turn = [n for n in own if spelled.search(lines[n])][turn:], nth
            at = found[0] if found else at
        return at + 1


def read_table(file: Path, within: Path | None = None) -> Table:
    """Read a TOML file of a folder.

    Raises `BadData` if it is missing, not ``within`` that folder, not UTF-8 or not TOML.
    """
    text = unix(read_text(file, limits.TABLE, within))
    if long := _LONG_KEY.search(text):
        at = text.count("\n", 0, long.start()) + 1
        raise BadData("a key has more than 64 parts", place=f"{file}:{at}")
    import tomllib  # with the first table that is read: a start of kb reads none

    try:
        return Table(file, text, tomllib.loads(text))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        line = re.search(r"at line (\d+)", str(error))
        number = line[1] if line else len(text.splitlines())
        raise BadData(
            "this is not TOML ({error})", place=f"{file}:{number}", error=error
        ) from error


_BARE = re.compile(r"[A-Za-z0-9_-]+")


def toml_key(name: str) -> str:
    """Return a name as a key of TOML: quoted, unless it may stand bare.

    >>> toml_key("rnn-backprop"), toml_key("my notes/1")
    ('rnn-backprop', '"my notes/1"')
    """
    # JSON's escapes are TOML's; what JSON leaves as it is TOML does not: a delete sign.
    quoted = json.dumps(name, ensure_ascii=False).replace("\x7f", "\\u007f")
    return name if _BARE.fullmatch(name) else quoted


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


# Where ``data/`` lies, and whether anything in it changed.


GLOSSARY_FILE = "glossary.tsv"
"""The name of the glossary file in a folder."""

VOCABULARY_FILE = "vocabulary.tsv"
"""The name of the bundled vocabulary file."""

_SUFFIXES = (".toml", ".tsv", ".txt", ".py")


def bundled_folder() -> Path:
    """Return the folder of the bundled content: inside the package, or in the checkout."""
    package = Path(__file__).parents[1]
    inside = package / "data"
    return inside if inside.is_dir() else package.parent / "data"


def stamp(folder: Path) -> str:
    """Return a stamp that changes with the files of the folder: their sizes and times.

    >>> stamp(Path("no such folder"))
    ''
    """
    if not folder.is_dir():
        return ""
    facts = []
    for file in _files(str(folder)):
        status = file.stat()
        name = file.path.removeprefix(f"{folder}{os.sep}")
        facts.append(f"{name} {status.st_size} {status.st_mtime_ns}")
    return "\n".join(sorted(facts))


def _files(folder: str) -> Iterator[os.DirEntry[str]]:
    """Yield the content files; `pathlib` would take five times as long at every start."""
    with os.scandir(folder) as found:
        for each in found:
            if each.is_dir():
                yield from _files(each.path)
            elif each.name.endswith(_SUFFIXES):
                yield each


# What the entries of a folder may speak of, and what is asked of every text of ours.


_MOST_FAULTS = 100  # of one text
_LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]+)*")


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
    if not _LANGUAGE.fullmatch(lang):
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
