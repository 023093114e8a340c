"""The ``kb`` command: subcommands that load on first use, and exit codes."""

from __future__ import annotations

import inspect
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from typing import Any, TypeVar

import click

from kb import __version__
from kb.cli import messages
from kb.cli.messages import check_output, in_terminal
from kb.cli.options import Command
from kb.cli.output import Bidi, inline, reorders
from kb.errors import ExitCode, Message, UsageError, joined_sentences, nearest
from kb.i18n import LANGUAGES, N_, _, language, use_language, wanted_language
from kb.settings import BIDI

GROUPS: dict[str, tuple[str, ...]] = {
    N_("Read and search"): ("tui", "search", "show", "list"),
    N_("Study"): ("study", "due", "stats"),
    N_("Write and change"): (
        "new", "edit", "rm", "unhide", "mv", "tag", "collection", "undo", "redo", "log", "history",
    ),
    N_("Import and export"): ("import", "export", "prune", "resolve", "glossary"),
    N_("Work together"): ("sync", "hub", "review"),
    N_("Evidence"): ("run", "verify"),
    N_("Database"): ("init", "backup", "restore", "compact", "rebuild", "doctor"),
    N_("Installation and help"): ("self-test", "info", "completion"),
}  # fmt: skip
"""The commands in each group of the help; most are the ``command`` in ``kb/cli/NAME.py``."""
_TOGETHER = {
    "changes": ("undo", "redo", "log", "history"),
    "database": ("init", "backup", "restore", "compact", "rebuild"),
    "doctor": ("doctor", "self-test", "info", "completion"),
    "edit": ("new", "edit"),
    "entries": ("rm", "unhide", "mv", "tag", "collection", "prune", "resolve"),
    "import_": ("import", "export"),
    "run": ("run", "verify"),
    "search": ("search", "list"),
    "study": ("study", "due", "stats"),
    "sync": ("sync", "hub", "review"),
}
"""The modules with several commands, each a function named after it."""
_MODULES = {name: module for module, names in _TOGETHER.items() for name in names}
COMMANDS = tuple(name for names in GROUPS.values() for name in names)
"""All commands in the order of the help."""


class _Commands(Command, click.Group):
    """A group that imports its commands on first use."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command, or nothing for an unknown name."""
        if cmd_name not in COMMANDS:
            return None
        # "import" and "list" are words of Python.
        name = f"{cmd_name}_" if cmd_name in ("import", "list") else cmd_name.replace("-", "_")
        module = import_module(f"kb.cli.{_MODULES.get(cmd_name, name)}")
        command: click.Command = getattr(module, name if cmd_name in _MODULES else "command")
        return spoken(command)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands in groups."""
        widest = max(map(len, COMMANDS))
        for group, names in GROUPS.items():
            commands = ((name, self.get_command(ctx, name)) for name in names)
            rows = [(name.ljust(widest), each.short_help or "") for name, each in commands if each]
            with formatter.section(group):
                formatter.write_dl(rows)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Suggest the nearest command for an unknown name."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            raise UsageError(
                joined_sentences(
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
    epilog="Without a command, 'kb' opens the app in a terminal.",
)
@click.version_option(__version__, prog_name="danesh", message="%(prog)s %(version)s")
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
        from kb.cli.app import open_at

        open_at(invocation.db, None, invocation.bidi)
        return
    click.echo(context.get_help())


def run(arguments: list[str]) -> int:
    """Run a command line and return its exit code. Nothing is raised."""
    as_json = "--json" in arguments
    speak(arguments, as_json=as_json)
    spoken(kb)
    return messages.exit_code_of(lambda: _run(arguments), as_json=as_json)


def _run(arguments: list[str]) -> int:
    try:
        check_output()
        result = kb.main(args=arguments, prog_name="kb", standalone_mode=False)
        return int(result) if isinstance(result, int) else ExitCode.DONE
    except click.exceptions.NoArgsIsHelpError as error:
        messages.show(error.format_message().split("\n"))
        return ExitCode.USAGE
    except click.ClickException as error:
        told = " ".join(error.format_message().split())  # click lists choices in lines of their own
        context = getattr(error, "ctx", None)
        path = context.command_path if context is not None else "kb"
        hint = Message("See '{command}'.", command=f"{path} --help")
        raise UsageError(_of_click(told), hint) from error
    except (click.Abort, KeyboardInterrupt):
        messages.notice("stopped")
        return ExitCode.INTERRUPTED


_CLICK = (
    N_("Missing argument '{name}'."),
    N_("Missing option '{name}'."),
    N_("No such command '{name}'."),
    N_("No such option '{name}'."),
    N_("No such option '{name}'. Did you mean '{nearest}'?"),
    N_("No such option '{name}'. (Did you mean one of: {known}?)"),
    N_("Option '{name}' requires an argument."),
    N_("Got unexpected extra argument ({words})"),
    N_("Got unexpected extra arguments ({words})"),
    N_("Invalid value for '{name}': {problem}"),
    N_("'{value}' is not one of {known}."),
    N_("'{value}' is not a valid integer."),
    N_("'{value}' is not a valid integer range."),
    N_("'{value}' is not a valid float."),
    N_("{value} is not in the range {known}."),
    N_("default: {value}"),
    N_("required"),
    N_("Show this message and exit."),
    N_("Show the version and exit."),
)
"""Click's own messages, which arrive as complete sentences."""


def _of_click(sentence: str) -> Message:
    """Convert one of click's sentences to a message, by the first template that matches."""
    if language() == "en":
        return Message(sentence)
    for template in _CLICK:
        pattern = re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>.*?)", re.escape(template))
        if found := re.fullmatch(pattern, sentence, re.DOTALL):
            return Message(template, **{k: _gap(k, v) for k, v in found.groupdict().items()})
    return Message(sentence)


def _gap(name: str, value: str) -> str:
    """Return a variable part of a click sentence, translated if it is a sentence itself."""
    if name == "problem":
        return _of_click(value)
    # Its quotes, of values and between several names, are English: whose they are is plain.
    return re.sub("'([^']+)'", r"\1", value.replace("' / '", ", "))


# The language that the command line speaks: known before it reads its arguments.
#
# What it writes as JSON never changes: there its errors stay English, too.


def speak(arguments: Sequence[str], *, as_json: bool) -> None:
    """Use the language set by the arguments, the environment or the settings.

    A language named in the arguments also applies to the app and to child processes.
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
    """Return the value of an option as the parser will read it; the last one counts."""
    found = ""
    for place, argument in enumerate(arguments):
        if argument == "--":
            break
        if argument == option:
            found = arguments[place + 1] if place + 1 < len(arguments) else ""
        elif argument.startswith(f"{option}="):
            found = argument.partition("=")[2]
    return found


# The help of commands in the language in use: names at the left, prose from the right edge.


_GAP, _FIRST_COLUMN = 2, 30
_WIDEST, _NARROWEST = 100, 20
_COMMENTED = re.compile(r"(\s*\S.*?\S {2,})(\S.*)$")

_Command = TypeVar("_Command", bound=click.Command)


def spoken(command: _Command) -> _Command:
    """Return a command with help in the current language, and that of its subcommands.

    A summary set here is never cut. Click would cut its own.
    """
    command.short_help = _(summary(command))
    if language() != "en":
        command.context_class = _Context
    for below in getattr(command, "commands", {}).values():
        spoken(below)
    return command


def summary(command: click.Command) -> str:
    """Return the first line of a command's help, in English."""
    return next(paragraphs(command.help or ""), "")


def paragraphs(text: str) -> Iterator[str]:
    """Yield the paragraphs of a help in one line each; blocks of examples begin with ``\\b``.

    >>> list(paragraphs("Find\\n    entries."))
    ['Find entries.']
    """
    for paragraph in inspect.cleandoc(text).split("\n\n"):
        if paragraph.startswith("\b"):
            yield paragraph
        elif paragraph:
            yield " ".join(paragraph.split())


def comment_of(example: str) -> str:
    """Return the comment of a help example, which follows two or more spaces.

    >>> comment_of("  kb undo      undoes it"), comment_of("  kb list")
    ('undoes it', '')
    """
    return _COMMENTED.sub(r"\2", example) if _COMMENTED.match(example) else ""


class _Formatter(click.HelpFormatter):
    """Writes help in the current language; names and examples always stand at the left."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        usage = f"{_('Usage')}: "
        super().write_usage(prog, args, inline(usage) if reorders() else usage)

    def write_heading(self, heading: str) -> None:
        self._write_right(f"{_(heading)}:")

    def write_text(self, text: str) -> None:
        for number, paragraph in enumerate(paragraphs(text)):
            if number:
                self.write("\n")
            if paragraph.startswith("\b"):
                self._write_examples(paragraph.split("\n")[1:])
            else:
                self._write_right(_(paragraph), self.current_indent)

    def write_dl(
        self, rows: Iterable[tuple[str, str]], col_max: int = _FIRST_COLUMN, col_spacing: int = _GAP
    ) -> None:
        known = list(rows)
        names = max((len(name) for name, _ in known if len(name) <= col_max), default=0)
        left = self.current_indent + names + col_spacing
        for name, text in known:
            self.write(f"{'':{self.current_indent}}{name}".ljust(left))
            if len(name) > names:
                self.write("\n" + " " * left)
            self._write_right(_option(text), left, began=True)

    def _write_examples(self, lines: Iterable[str]) -> None:
        for line in lines:
            comment = comment_of(line)
            example = f"{'':{self.current_indent}}{line.removesuffix(comment)}"
            self.write(example)
            if comment:
                self._write_right(_(comment), len(example), began=True)
            else:
                self.write("\n")

    def _write_right(self, text: str, indent: int = 0, *, began: bool = False) -> None:
        """Write a right-aligned paragraph; ``began`` means that its first line has text."""
        from kb.terminal.layout import lay_out

        width = max(_NARROWEST, min(self.width, _WIDEST) - indent)
        turned = reorders()
        for line in lay_out(text, width, direction="base-rtl", turned=turned):
            edge = max(0, width - line.width) if turned else 0
            self.write(" " * (edge if began else edge + indent) + line.text + "\n")
            began = False


def _option(help: str) -> str:
    """Return the help of an option, followed by what click adds about its values.

    >>> _option("Show at most N results.  [default: 10; x>=0]")
    'Show at most N results. [default: 10; x>=0]'
    """
    said, _gap, values = help.partition("  [")
    told = [_of_click(value) for value in values.removesuffix("]").split("; ")]
    return f"{_(said)} [{'; '.join(map(_, told))}]" if values else _(said)


class _Context(click.Context):
    formatter_class = _Formatter
