"""The ``kb`` command: its subcommands, loaded when they are named, and its exit codes."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import click

from kb import __version__
from kb.cli import messages
from kb.cli.app import in_terminal, open_at
from kb.cli.options import global_options
from kb.cli.output import Bidi
from kb.cli.streams import check_output, give_up
from kb.errors import (
    ExitCode,
    KbError,
    Message,
    OutputClosed,
    OutputFailed,
    UsageError,
    nearest,
    together,
)
from kb.i18n import LANGUAGES, N_, language, use_language, wanted_language
from kb.settings import BIDI

COMMANDS = (
    "tui", "search", "show", "list", "run", "verify",
    "new", "edit", "rm", "unhide", "mv", "tag", "collection", "undo", "redo", "log", "history",
    "import", "export", "prune", "resolve", "glossary",
    "init", "backup", "restore", "compact", "rebuild", "doctor", "self-test", "info", "completion",
)  # fmt: skip
"""The commands in the order of the help; each is ``kb/cli/NAME.py`` with a ``command`` in it."""


class _Commands(click.Group):
    """A group whose commands are imported when they are asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command, or nothing for a name that is none."""
        if cmd_name not in COMMANDS:
            return None
        name = cmd_name.replace("-", "_")
        module = import_module(f"kb.cli.{name}_" if name == "import" else f"kb.cli.{name}")
        return spoken(module.command)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Name the nearest command where there is none of that name."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            raise UsageError(
                together(
                    Message("no such command '{command}'.", command=args[0]),
                    nearest(args[0], COMMANDS),
                ),
                "See 'kb --help'.",
            )
        return super().resolve_command(ctx, args)


@click.group(
    cls=_Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="With no command in a terminal, the app is opened.",
)
@click.version_option(__version__, prog_name="danesh", message="%(prog)s %(version)s")
@global_options
def kb(invocation: Any) -> None:
    """A knowledge base that answers offline, in English and Persian.

    \b
      kb search vanishing gradient       find
      kb show rnn-backprop-complexity    read
      kb run rnn-backprop-complexity     run its program
      kb import questions.md             add your own
    """
    context = click.get_current_context()
    if context.invoked_subcommand is not None:
        return
    if in_terminal():
        open_at(invocation.db, None, invocation.bidi)
        return
    click.echo(context.get_help())


def kb_group() -> _Commands:
    """Return the group itself."""
    assert isinstance(kb, _Commands)
    return kb


def run(arguments: list[str]) -> int:
    """Run a command line; return its exit code. Nothing is raised."""
    as_json = "--json" in arguments
    speak(arguments, as_json=as_json)
    spoken(kb)
    try:
        check_output()
        result = kb.main(args=arguments, prog_name="kb", standalone_mode=False)
        return int(result) if isinstance(result, int) else ExitCode.DONE
    except OutputClosed as error:
        give_up(sys.stdout)
        return error.exit_code
    except OutputFailed as error:
        give_up(sys.stdout)
        messages.error(error, as_json=as_json)
        return error.exit_code
    except KbError as error:
        messages.error(error, as_json=as_json)
        return error.exit_code
    except click.ClickException as error:
        told = " ".join(error.format_message().split())  # click lists choices in lines of their own
        messages.error(UsageError(_of_click(told), _usage_hint(error)), as_json=as_json)
        return ExitCode.USAGE
    except (click.Abort, KeyboardInterrupt):
        messages.notice("stopped")
        return ExitCode.INTERRUPTED
    except OSError as error:
        problem = KbError(
            "{error}", place=error.filename or "output", error=error.strerror or error
        )
        messages.error(problem, as_json=as_json)
        return ExitCode.BAD_DATA
    except Exception as error:  # noqa: BLE001  # a bug of ours, told as one
        from kb.service.base import internal

        messages.error(internal(error), as_json=as_json)
        return ExitCode.INTERNAL


_CLICK = (
    N_("Missing argument '{name}'."),
    N_("Missing option '{name}'."),
    N_("No such option '{name}'."),
    N_("No such option '{name}'. Did you mean '{nearest}'?"),
    N_("Option '{name}' requires an argument."),
    N_("Got unexpected extra argument ({words})"),
    N_("Got unexpected extra arguments ({words})"),
    N_("Invalid value for '{name}': {problem}"),
    N_("'{value}' is not one of {known}."),
    N_("'{value}' is not a valid integer."),
    N_("'{value}' is not a valid integer range."),
    N_("'{value}' is not a valid float."),
    N_("{value} is not in the range {known}."),
    N_("Show this message and exit."),
    N_("Show the version and exit."),
)
"""What click says, which gives its sentences finished."""


def _of_click(sentence: str) -> Message:
    """Return a sentence of click's as a message, by the first template that it is made of."""
    for template in _CLICK:
        pattern = re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>.*?)", re.escape(template))
        if found := re.fullmatch(pattern, sentence, re.DOTALL):
            gaps = {name: _of_click(value) for name, value in found.groupdict().items()}
            return Message(template, **gaps)
    return Message(sentence)


def _usage_hint(error: click.ClickException) -> str:
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "kb"
    return Message("See '{command} --help'.", command=path)


# The language that the command line speaks: known before it reads its arguments.
#
# What it writes as JSON never changes: there its errors stay English, too.


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
