"""Options that several commands share, and the values a command gets from them."""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import click

from kb import limits
from kb.i18n import LANGUAGES
from kb.i18n.names import LEVELS
from kb.model.values import OWN_VERDICTS, named_level
from kb.settings import BIDI

if TYPE_CHECKING:
    from kb.cli.output import Printer
    from kb.library import Library

_Command = Callable[..., Any]
_Complete = Callable[[click.Context, click.Parameter, str], list[str]]
_COUNT = re.compile(r"-n\d*")
_PLAIN = re.compile(r"[\w.][\w./:@%+-]*")
"""Words that are the same in every shell: only these are offered, because ids may come from
files.
"""


@dataclass
class Invocation:
    """The global options, given before the command or after it."""

    db: str | None = None
    as_json: bool = False
    color: str = "auto"
    language: str | None = None
    bidi: str | None = None

    def open(self, *, bundled: bool = True) -> Library:
        """Open the knowledge base that these options name, and create it if it does not exist."""
        from kb.cli import messages
        from kb.cli.messages import working
        from kb.library import open_library
        from kb.settings import read_settings

        with working("creating the knowledge base") as progress:
            library = open_library(self.db, bundled=bundled, progress=progress)
        library.when_waiting(messages.Waiting().tell)
        for notice in (*read_settings()[1], *library.notices):
            messages.notice(notice)
        return library

    def unless_json(self, document: dict[str, Any], *, plain: bool = False) -> Printer | None:
        """Write a document with ``--json``; without it, return what writes text instead."""
        from kb.cli.output import Printer, write_json

        if not self.as_json:
            return Printer(self.color, plain=plain)
        write_json(document)
        return None


_GLOBAL = (
    click.Option(
        ["--db"], metavar="PATH", help="Database file (default: $KB_DB, or your data folder)."
    ),
    click.Option(["--json", "as_json"], is_flag=True, help="Write one JSON document."),
    click.Option(
        ["--color"],
        type=click.Choice(["auto", "always", "never"]),
        help="When to use colour (default: auto).",
    ),
    click.Option(
        ["--language"],
        type=click.Choice(list(LANGUAGES)),
        help="Interface language (default: $KB_LANG, settings, $LANG).",
    ),
    click.Option(
        ["--bidi"],
        type=click.Choice(BIDI),
        help="Who reorders right-to-left text (use 'app' with 'less -R').",
    ),
)
"""The global options, which all commands share: making them again takes 3 ms of ``kb --help``."""


class Command(click.Command):
    """A command with the global options. Its function gets them as ``invocation``."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.params += _GLOBAL

    def invoke(self, ctx: click.Context) -> Any:
        """Run it with the global options that were given before or after its name."""
        invocation = ctx.ensure_object(Invocation)
        for each in fields(invocation):
            value = ctx.params.pop(each.name)
            if value is not None and value is not False:
                setattr(invocation, each.name, value)
        ctx.params["invocation"] = invocation
        return super().invoke(ctx)


class WordsCommand(Command):
    """A command whose words may begin with a hyphen: ``-relu`` excludes a word.

    A lone ``-h`` or ``-n``, and anything that begins with two hyphens, is an option. After ``--``
    everything is a word.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the options before the words, so that no word is read as an option value."""
        options = (each for each in self.params if isinstance(each, click.Option))
        with_value = {name for each in options if not each.is_flag for name in each.opts}
        return super().parse_args(ctx, _options_first(args, with_value))


def _options_first(args: list[str], with_value: set[str]) -> list[str]:
    """Return arguments with the options first, then ``--`` and the words.

    >>> _options_first(["relu", "-gpu", "--json", "-n", "3"], {"--limit", "-n"})
    ['--json', '-n', '3', '--', 'relu', '-gpu']
    """
    options: list[str] = []
    words: list[str] = []
    waiting = list(reversed(args))
    while waiting:
        word = waiting.pop()
        if word == "--":
            words += reversed(waiting)
            break
        counts = "-n" in with_value and _COUNT.fullmatch(word)
        if word.startswith("--") or word == "-h" or counts:
            options.append(word)
            if word in with_value:
                if not waiting:
                    return options  # click says that its value is missing
                options.append(waiting.pop())
        else:
            words.append(word)
    return [*options, "--", *words]


def completed(*fields: str) -> _Complete:
    """Return a shell completion for these fields, read from the existing database."""

    def complete(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
        from kb.errors import KbError
        from kb.service.opening import default_path, open_base
        from kb.service.read import Read

        path = context.params.get("db") or context.find_root().params.get("db") or default_path()
        if not os.path.isfile(path):
            return []
        try:
            with open_base(path) as base:
                found = [
                    each for field in fields for each in Read(base).beginning(field, incomplete)
                ]
        except KbError:
            return []
        return list(filter(_PLAIN.fullmatch, found))

    return complete


complete_id = completed("id")
"""Completes ids, and their last segments."""


def collection_option(help: str) -> Callable[[_Command], _Command]:
    """Return a decorator that adds ``--collection``."""
    complete = completed("collection")
    return click.option("-c", "--collection", metavar="NAME", shell_complete=complete, help=help)


class Level(click.Choice[str]):
    """A level, given by its letter or by its name in an interface language."""

    def __init__(self, *more: str) -> None:
        super().__init__([*LEVELS.values(), *more])

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the letter of a level, or an error that lists the known ones."""
        return named_level(value) or super().convert(value, param, ctx)


def filter_options(command: _Command) -> _Command:
    """Add the filter options, the same for every command, which gets them as ``filters``."""

    @click.option(
        "--lang",
        metavar="CODE",
        shell_complete=completed("lang"),
        help="Only entries with a text in this language: en, fa, …",
    )
    @collection_option("Only entries of this collection and those below it.")
    @click.option("--level", type=Level(), help="Only entries of this level (or E, M, H).")
    @click.option(
        "--verdict", type=click.Choice(OWN_VERDICTS), help="Only entries with this verdict."
    )
    @click.option(
        "--tag", metavar="TAG", shell_complete=completed("tag"), help="Only entries with this tag."
    )
    @functools.wraps(command)
    def filtered(*args: Any, **options: Any) -> Any:
        from kb.model.results import Filters

        values = {name: options.pop(name) for name in Filters._fields}
        return command(*args, filters=Filters(**values), **options)

    return filtered


plain_option = click.option(
    "--plain", is_flag=True, help="Plain lines without symbols, for screen readers."
)
"""Adds ``--plain``."""

unsafe_run_option = click.option(
    "--unsafe-run", is_flag=True, help="Run programs even where no sandbox works (see 'kb doctor')."
)
"""Adds ``--unsafe-run``."""


yes_option = click.option("--yes", "-y", is_flag=True, help="Delete without asking.")
"""Adds ``--yes`` to commands that delete for good, or delete entries nobody named."""


def limit_options(seconds: float, help: str) -> Callable[[_Command], _Command]:
    """Return a decorator that adds ``--timeout``, with this default, and ``--memory``."""
    memory = click.option(
        "--memory", metavar="MIB", type=int, default=limits.MEMORY,
        help="Memory limit in MiB (default 1024).",
    )  # fmt: skip
    timeout = click.option("--timeout", metavar="S", type=float, default=seconds, help=help)
    return lambda command: timeout(memory(command))


def page_options(limit: int | None) -> Callable[[_Command], _Command]:
    """Return a decorator that adds ``--limit``, with this default, and ``--offset``."""
    shown = "all" if limit is None else str(limit)
    number = click.IntRange(min=0)
    offset = click.option(
        "--offset", type=number, default=0, help="Skip the first N results (default 0)."
    )
    most = click.option(
        "--limit", "-n", type=number, default=limit,
        help=f"Show at most N results (default {shown}).",
    )  # fmt: skip
    return lambda command: most(offset(command))
