"""The parts of docs/ that are generated from the code, and the man pages.

    python -m tests.reference            write them again

A page has comments ``<!-- generated: NAME -->`` and ``<!-- end -->``. What stands between them
is written here, so a page can introduce in its own words what the code lists.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import click

from kb.cli.main import COMMANDS, GROUPS, comment_of, kb, paragraphs, summary
from kb.formats.registry import EXPORTERS, IMPORTERS
from kb.settings import CHOICES, RANGES, Settings
from tests import manual
from tui.commands import by_group, shown_keys

DOCS = Path(__file__).parents[1] / "docs"
MARKED = re.compile(r"(?<=<!-- generated: )(\w+)( -->\n).*?(?=<!-- end -->)", re.DOTALL)

_GLOBAL = ("--db", "--json", "--color", "--language", "--bidi", "--help")
"""Options of every command, described once at the top of the page."""


def all_commands() -> Iterator[tuple[str, click.Command]]:
    """Yield every command with its full name, a group before the commands below it."""
    group = kb
    for name in COMMANDS:
        command = group.get_command(click.Context(group), name)
        assert command is not None
        yield f"kb {name}", command
        for below, inner in getattr(command, "commands", {}).items():
            yield f"kb {name} {below}", inner


def commands() -> Iterator[str]:
    """Yield the reference of the command line: a table of each group, then each command."""
    for group, names in GROUPS.items():
        yield from ("", f"**{group}**", "", "| command | summary |", "|---|---|")
        for name, command in all_commands():
            if name.split()[1] in names:
                yield f"| [`{name}`](#{name.replace(' ', '-')}) | {summary(command)} |"
    yield from ("", "## Options of every command", "")
    yield from _options(kb, lambda name: name in (*_GLOBAL, "--version"))
    for name, command in all_commands():
        yield from ("", f"## {name}", "", *_described(name, command))


def _described(name: str, command: click.Command) -> Iterator[str]:
    usage = command.collect_usage_pieces(manual.context_of(command))
    first, *rest = paragraphs(command.help or "")
    yield from (first, "", "```text", " ".join((name, *usage)), "```")
    for paragraph in rest:
        yield ""
        if paragraph.startswith("\b"):
            yield from _block(paragraph.split("\n")[1:])
        else:
            yield re.sub(r"--[a-z-]+|<\w+>|(?<!\w)[*]", r"`\g<0>`", paragraph)
    options = list(_options(command, lambda option: option not in _GLOBAL))
    if len(options) > 2:
        yield from ("", *options)


def _block(lines: list[str]) -> Iterator[str]:
    """Yield examples as commands with comments, and any other block as it is."""
    examples = lines[0].strip().startswith(("kb ", "curl "))
    yield "```sh" if examples else "```text"
    for line in lines:
        comment = comment_of(line) if examples else ""
        shown = line.strip() if examples else line
        yield shown.removesuffix(comment) + (f"# {comment}" if comment else "")
    yield "```"


def _options(command: click.Command, wanted: Callable[[str], bool]) -> Iterator[str]:
    yield "| option | meaning |"
    yield "|---|---|"
    context = manual.context_of(command)
    for parameter in command.get_params(context):
        if isinstance(parameter, click.Option) and wanted(parameter.opts[-1]):
            choices = parameter.type.choices if isinstance(parameter.type, click.Choice) else ()
            value = parameter.metavar or " \\| ".join(filter(None, choices))
            names = ", ".join(sorted(parameter.opts, key=len))
            value = "" if parameter.is_flag else f" {value or 'N'}"
            yield f"| `{names}{value}` | {parameter.help} |"


KINDS = {"keys": "a table", "study_weights": "a list of numbers", "study_exam": "a date"}
"""What settings are that are neither one of some texts nor a number."""


def settings() -> Iterator[str]:
    """Yield the table of settings: name, values, default, meaning."""
    yield "| setting | values | default | meaning |"
    yield "|---|---|---|---|"
    for name, meaning in re.findall(r"^ +(\w+): (.+)$", Settings.__doc__ or "", re.MULTILINE):
        least, most = RANGES.get(name, ("", ""))
        kind = f"{least} to {most}" if name in RANGES else KINDS.get(name, "a text")
        values = ", ".join(f"`{each}`" for each in CHOICES.get(name, ())) or kind
        default = getattr(Settings(), name)
        shown = f"`{default}`" if isinstance(default, str | int | float) and default else "not set"
        yield f"| `{name}` | {values} | {shown} | {meaning} |"


def formats() -> Iterator[str]:
    """Yield the table of file formats, and who reads or writes them."""
    yield "| format | exports | imports | what it is |"
    yield "|---|---|---|---|"
    for name in dict.fromkeys((*EXPORTERS, *IMPORTERS)):
        told = (EXPORTERS.get(name) or IMPORTERS[name]).summary
        marks = ("✓" if name in registry else "" for registry in (EXPORTERS, IMPORTERS))
        yield f"| `{name}` | {' | '.join(marks)} | {told} |"


def keys() -> Iterator[str]:
    """Yield the tables of the app's commands: keys, name, id, meaning."""
    for group, found in by_group().items():
        yield from (
            f"## {group}",
            "",
            "| keys | command | id | what it does |",
            "|---|---|---|---|",
        )
        for each in found:
            pressed = " ".join(f"`{key}`" for key in shown_keys(each))
            yield f"| {pressed} | {each.label} | `{each.id}` | {each.description} |"
        yield ""


GENERATED = {"commands": commands, "settings": settings, "formats": formats, "keys": keys}


def current(text: str) -> str:
    """Return a page with its generated parts as the code has them now."""
    return MARKED.sub(lambda part: f"{part[1]}{part[2]}{_generated(part[1])}\n", text)


def _generated(name: str) -> str:
    return "\n" + "\n".join(GENERATED[name]()).strip() + "\n"


if __name__ == "__main__":
    for page in DOCS.rglob("*.md"):
        page.write_text(current(page.read_text(encoding="utf-8")), encoding="utf-8")
    manual.write()
