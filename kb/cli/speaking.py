"""The language that the command line speaks: known before it reads its arguments.

What it writes as JSON never changes: there its errors stay English, too.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

import click

from kb.cli.bidi import Bidi
from kb.i18n import LANGUAGES, language, use_language, wanted_language
from kb.settings import BIDI


def speak(arguments: Sequence[str], *, as_json: bool) -> None:
    """Take up the language that the arguments, the environment or the settings ask for.

    One that is named holds for the app, too, and for what is started from here.
    """
    named = _named("--language", arguments)
    if named in LANGUAGES:
        os.environ["KB_LANG"] = named
    direction = _named("--bidi", arguments)
    if direction in BIDI:
        Bidi.told = direction
    code = "en" if as_json else wanted_language(os.environ)
    if not as_json and not named and not os.environ.get("KB_LANG"):
        from kb.settings import read_settings

        code = wanted_language(os.environ, read_settings()[0].language)
    if code != language():
        use_language(code)


def _named(option: str, arguments: Sequence[str]) -> str:
    """Return what an option names, as the parser will read it; the last one counts."""
    found = ""
    for place, argument in enumerate(arguments):
        if argument == "--":
            break
        if argument == option:
            found = arguments[place + 1] if place + 1 < len(arguments) else ""
        elif argument.startswith(f"{option}="):
            found = argument.partition("=")[2]
    return found


def spoken(command: click.Command) -> click.Command:
    """Return a command whose help is in the language in use."""
    if language() == "en":
        return command
    from kb.cli.helping import localized

    return localized(command)
