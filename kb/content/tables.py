"""A TOML file whose every mistake is named by file, line, key and nearest right spelling."""

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
    """A table of a TOML file that knows where it stands.

    ``header`` is its path, each name with the number of its turn, as ``(("annotation", 2),)``;
    it serves to find the line of a key, which TOML parsers do not tell.
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
        """Say whether there is a key whose value is of a kind."""
        return type(self._values.get(key)) is kind

    def only(self, *known: str) -> None:
        """Refuse keys that are not known."""
        for key in self._values:
            if key not in known:
                hint = nearest(key, known) or Message(
                    "Known: {known}.", known=", ".join(sorted(known))
                )
                raise self.error(key, "no such key", hint)

    def get(self, key: str, kind: type[T], default: T | None = None) -> T:
        """Return the value of ``key``, of that kind; it is needed unless it has a default."""
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
        """Return a list of texts, empty where the key is absent."""
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
        """Return the list of tables under ``key``, empty where it is absent."""
        value = self.get(key, list, [])
        if not all(isinstance(item, dict) for item in value):
            raise self.error(key, "must be a list of tables")
        return [self._below(item, key, turn) for turn, item in enumerate(value)]

    def error(self, key: str, sentence: str, hint: str = "", /, **arguments: object) -> BadData:
        """Return an error that names this file, the line of ``key``, and the key."""
        place = self.place(key)
        message = Message(sentence, place=key, **arguments)
        return BadData(message, hint, place=place)

    def place(self, key: str, words: str = "") -> str:
        """Return file and line of a key: the line below it that has these words, if one has."""
        line = self._line(key)
        lines = self._text.split("\n") if words else []
        found = (n for n in range(line - 1, len(lines)) if words in lines[n])
        return f"{self.file}:{next(found, line - 1) + 1}"

    def _below(self, values: Any, key: str, turn: int = 0) -> Table:
        return Table(self.file, self._text, values, (*self._header, (key, turn)))

    def _line(self, key: str) -> int:
        """Return the line of a key of this table, or else of its header, or else the first."""
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

    Raises `BadData` where it is gone, does not lie ``within`` that, is not UTF-8 or not TOML.
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
    """Where readers of content report what is wrong.

    ``found`` are mistakes, with which nothing can be stored; unless they are to be
    ``kept``, the first is raised. ``advice`` is what a careful author would still mend.
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
        """Report what is no mistake but weak."""
        _add(self.advice, mistake)

    @property
    def full(self) -> bool:
        """Whether no more advice is told."""
        return len(self.advice) > limits.ADVICE

    @contextlib.contextmanager
    def noted(self) -> Iterator[None]:
        """Report a mistake raised within; what was being read is then left out."""
        try:
            yield
        except BadData as mistake:
            self.add(mistake)


def _add(told: list[BadData], mistake: BadData) -> None:
    """Keep what is told, up to a limit; that there is more is told, too."""
    if len(told) < limits.ADVICE:
        told.append(mistake)
    elif len(told) == limits.ADVICE:
        told.append(BadData("only the first {most:,} are listed", most=limits.ADVICE))


# The days on which what changes with time was checked, and is to be checked again.


class Days(TypedDict):
    """Dates as ISO 8601 writes them, or empty."""

    checked: str
    until: str


def read_days(row: Table, context: Context) -> Days:
    """Return a table's keys ``checked`` and ``until``; what is over is told as advice."""
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
"""The name of a folder's glossary."""

VOCABULARY_FILE = "vocabulary.tsv"
"""The name of the general vocabulary that comes with danesh."""

_SUFFIXES = (".toml", ".tsv", ".txt", ".py")


def bundled_folder() -> Path:
    """Return the folder of the bundled content: inside the package, or in the checkout."""
    package = Path(__file__).parents[1]
    inside = package / "data"
    return inside if inside.is_dir() else package.parent / "data"


def stamp(folder: Path) -> str:
    """Return what changes when a file of the folder does: their sizes and times, unread.

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
    """Yield the files of content; `pathlib` takes five times as long, at every start."""
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
    """What is there beside the entries, and where their mistakes are reported.

    ``accepted`` has, by annotation, the digests a person last looked at: of the quote
    under ``quote``, and of each snippet under its name. Where a folder keeps no such
    record it is None: what is read then counts as looked at.
    """

    sources: dict[str, Source]
    snippets: dict[str, Snippet]
    accepted: Mapping[str, Mapping[str, str]] | None
    mistakes: Mistakes

    def prose(self, table: Table, key: str, lang: str) -> str:
        """Return a text of ours; its faults of writing are told."""
        return self.written(table, key, table.get(key, str), lang)

    def written(self, table: Table, key: str, text: str, lang: str) -> str:
        """Return ``text``, which stands under ``key``, as `prose` does."""
        if lang == "fa" and not self.mistakes.full:
            for found, sentence in islice(faults(text), _MOST_FAULTS):
                self.mistakes.advise(
                    table.error(key, "«{found}»: {sentence}", found=found[:80], sentence=sentence)
                )
        return text.strip("\n")

    def advise(
        self, table: Table, key: str, sentence: str, hint: str = "", /, **arguments: object
    ) -> None:
        """Report what is no mistake but weak, at its place."""
        self.mistakes.advise(table.error(key, sentence, hint, **arguments))


def by_language(table: Table) -> Iterator[tuple[str, Table]]:
    """Yield the tables by language under a table; another name is a mistake."""
    for lang in table:
        yield check_language(table, lang, lang), table.table(lang)


def language_of(row: Table) -> str:
    """Return the language a row names under ``lang``."""
    return check_language(row, "lang", row.get("lang", str))


def check_language(table: Table, key: str, lang: str) -> str:
    """Return a language's code, or name the mistake."""
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
    """What is written otherwise, and a sentence that says how."""

    found: str
    sentence: str


def faults(text: str) -> Iterator[Fault]:
    """Yield the faults of a Persian text, code within it aside, rule by rule."""
    prose = _CODE.sub("`", text).replace("\u200e", "")
    for rule, sentence in _RULES:
        for match in re.finditer(rule, prose):
            yield Fault(match[0].strip(), sentence)
