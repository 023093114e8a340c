"""The interface language of app and command line: gettext messages and digits.

Messages are English in the source; Persian ones are in ``locale/``. The catalog is compiled with
Babel and read with the standard library, which starts ten times faster. Messages from the library
are `kb.errors.Message` in English; ``_`` translates them by template. ``names`` has the names of
record keys.
"""

from __future__ import annotations

import gettext
import re
import string
from collections.abc import Callable, Mapping
from pathlib import Path

from kb.errors import Message

LANGUAGES = {"en": "English", "fa": "فارسی"}
"""The available languages, by their own names."""

NAME = "danesh · دانش"
"""The name of the app, in every language."""

FOLDER = Path(__file__).with_name("locale")
"""The compiled catalogs, by language."""

_VARIABLES = ("KB_LANG", "LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
_PERSIAN_DIGITS = str.maketrans("0123456789", "۰۱۲۳۴۵۶۷۸۹")
_FIGURES = _PERSIAN_DIGITS | str.maketrans(",.%", "٬٫٪")
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_BACK = {"→": "←", "▶": "◀", "▸": "◂"}
_LATIN = re.compile(r"[A-Za-z0-9]")
LRM, RLM = "\u200e", "\u200f"
"""Invisible marks that run left to right, or right to left (UAX #9)."""
_GOES_ON = re.compile(f"{LRM}{RLM}(?=[-.:/]?[A-Za-z0-9])")
"""Signs that join a name to the next word: ``{path}-wal``."""


class _Interface:
    """The current language and its catalog; global, as in gettext."""

    language = "en"
    catalog: gettext.NullTranslations = gettext.NullTranslations()


def wanted_language(environ: Mapping[str, str], settled: str = "") -> str:
    """Return the language that the environment asks for, or English.

    The reader's setting (``settled``) comes before the system's language, but after ``KB_LANG``.

    >>> wanted_language({"LANG": "fa_IR.UTF-8"}), wanted_language({"LANG": "de_DE.UTF-8"})
    ('fa', 'en')
    >>> wanted_language({"KB_LANG": "en", "LANG": "fa_IR.UTF-8"})
    'en'
    """
    for variable in _VARIABLES:
        if settled in LANGUAGES and variable != _VARIABLES[0]:
            return settled
        for name in environ.get(variable, "").split(":"):
            code = name.replace("-", "_").partition("_")[0].partition(".")[0].lower()
            if code in LANGUAGES:
                return code
            if code:
                return "en"
    return "en"


def use_language(code: str) -> None:
    """Use this language from now on."""
    _Interface.language = code
    _Interface.catalog = gettext.translation("danesh", str(FOLDER), [code], fallback=True)


def language() -> str:
    """Return the code of the current language."""
    return _Interface.language


def right_to_left() -> bool:
    """Return whether the interface runs right to left."""
    return _Interface.language == "fa"


def ahead(arrow: str = "→") -> str:
    """Return an arrow in reading direction."""
    return _BACK[arrow] if right_to_left() else arrow


def _(message: str, **arguments: object) -> str:
    """Return the message in the current language, with its arguments.

    >>> _("{n} files in {folder}", n=3, folder="notes")
    '3 files in notes'
    """
    return _SAYING.said(Message(message, **arguments))


def in_line(message: str, **arguments: object) -> str:
    """Return the translated message with its names `apart`, for a terminal line."""
    return _APART.said(Message(message, **arguments))


def apart(text: str) -> str:
    """Return a name with direction marks, which keep it together in a line.

    In right-to-left text, a following full stop or number would otherwise join it. Marks are used
    instead of isolates: terminals that reorder text give isolates a cell.

    >>> apart("kb --help")
    'kb --help'
    """
    return f"{LRM}{text}{LRM}{RLM}" if right_to_left() and _LATIN.search(text) else text


class _Saying(string.Formatter):
    """Fills in the arguments of a message: translates messages, localizes numbers."""

    def __init__(self, name: Callable[[str], str] = str) -> None:
        self._name = name

    def said(self, told: Message) -> str:
        """Return a message in the current language."""
        if language() == "en" or not told:
            return told
        catalog = _Interface.catalog
        said = catalog.ngettext(*told.forms) if told.forms else catalog.gettext(told.template)
        if told.arguments:
            said = _GOES_ON.sub("", self.vformat(said, (), told.arguments))
        return f"{self._name(told.place)}: {said}" if told.place else said

    def format_field(self, value: object, format_spec: str) -> str:
        if isinstance(value, Message):
            return self.said(value)
        text = format(value, format_spec)
        return text.translate(_FIGURES) if isinstance(value, int | float) else self._name(text)


_SAYING, _APART = _Saying(), _Saying(apart)


def in_all_languages(message: str) -> str:
    """Return the message in every available language.

    >>> in_all_languages("Back")
    'Back بازگشت'
    """
    return " ".join(translated(message, code) for code in LANGUAGES) if message else ""


def translated(message: str, code: str) -> str:
    """Return the message in a given language.

    >>> translated("Back", "fa")
    'بازگشت'
    """
    return gettext.translation("danesh", str(FOLDER), [code], fallback=True).gettext(message)


def ngettext(one: str, many: str, n: int) -> str:
    """Return the message for ``n`` things, with the number as ``{n}``."""
    return _Interface.catalog.ngettext(one, many, n).format(n=number(n))


def N_(message: str) -> str:  # noqa: N802  # the name that extraction tools know
    """Mark a message for the catalog; it is translated when shown."""
    return message


def number(value: float) -> str:
    """Return a number in the language's digits; in Persian, ``1e-08`` is ``۱×۱۰⁻⁸``.

    A direction mark keeps the sign at the left of the number in right-to-left text.

    >>> number(1000000)
    '1,000,000'
    """
    from kb.terminal.numerals import figure  # not needed to speak

    text = figure(value)
    if not right_to_left():
        return text
    if "e" in text:
        mantissa, exponent = text.split("e")
        raised = str(int(exponent)).translate(_RAISED)
        return f"{LRM}{mantissa.translate(_FIGURES)}×۱۰{raised}"
    # Not needed to start in English.
    from decimal import Decimal

    from babel.numbers import format_decimal

    # Babel writes the signs of the numbering system, but the digits of ASCII.
    plain = Decimal(text.replace(",", ""))
    written = format_decimal(
        plain, locale=_Interface.language, decimal_quantization=False, numbering_system="default"
    )
    return (LRM if "-" in text else "") + digits(written)


def share(done: int, total: int) -> str:
    """Return "done of total" in words.

    >>> share(3, 1000)
    '3 of 1,000'
    """
    return _("{done} of {total}").format(done=number(done), total=number(total))


def fraction(done: int, total: int) -> str:
    """Return "done/total" for small numbers and little space.

    >>> fraction(2, 3)
    '2/3'
    """
    return _("{done}/{total}").format(done=digits(str(done)), total=digits(str(total)))


def digits(text: str) -> str:
    """Return a text (a number such as ``1.1``) with the digits of the language."""
    return text.translate(_PERSIAN_DIGITS) if right_to_left() else text


def in_own_direction(text: str) -> str:
    """Return a line with the interface's direction for terminals that reorder text.

    Such a terminal goes by the first letter, and the line may have none.
    """
    return f"{RLM}{text}" if right_to_left() else text


def of_language(texts: Mapping[str, str], wanted: str | None = None) -> tuple[str, str]:
    """Return the best language and its text: the wanted one, or the first.

    >>> of_language({"en": "loss", "fa": "زیان"}, "fa"), of_language({}, "fa")
    (('fa', 'زیان'), ('fa', ''))
    """
    code = wanted or _Interface.language
    if code in texts:
        return code, texts[code]
    return next(iter(texts.items()), (code, ""))
