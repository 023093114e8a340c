"""The man pages in docs/man, made of the help of the commands and of tables in docs/reference.

There is a page for each command, so that ``man kb import`` shows that one, and ``kb.1`` has what
all have in common. ``python -m tests.reference`` writes them again.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from pathlib import Path

import click

from kb import __version__
from kb.cli.main import COMMANDS, GROUPS, comment_of, paragraphs, summary
from kb.cli.main import kb as kb_group

ROOT = Path(__file__).parents[1]
MAN = ROOT / "docs" / "man"
_RELEASED = re.compile(rf"^## {re.escape(__version__)} \((\d{{4}}-\d\d-\d\d)\)$", re.MULTILINE)
_ROW = re.compile(r"^\| (.+?) \| (.+?) \|$", re.MULTILINE)
_NAMED = re.compile(r"(?<![\w-])(--?[a-z][a-z-]*)|'(kb(?: [^']+)?)'")


def manual() -> dict[str, str]:
    """Return every page by the name of its file."""
    group = kb_group
    pages = {"kb.1": _page("kb", group, _of_all())}
    for name in COMMANDS:
        command = group.get_command(click.Context(group), name)
        assert command is not None
        pages[f"kb-{name}.1"] = _page(f"kb {name}", command, _of_one(f"kb {name}", command))
    return pages


def _page(name: str, command: click.Command, parts: Iterator[str]) -> str:
    dashed = name.replace(" ", "-")
    found = _RELEASED.search((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))
    assert found, f"CHANGELOG.md has no date for {__version__}"
    head = [
        '.\\" Written by python -m tests.reference',
        f'.TH {dashed.upper()} 1 {found[1]} "danesh {__version__}" "danesh manual"',
        ".SH NAME",
        f"{escaped(dashed)} \\- {escaped(_begun_small(summary(command)))}",
        ".SH SYNOPSIS",
    ]
    return "\n".join((*head, *parts)) + "\n"


def _of_all() -> Iterator[str]:
    group = kb_group
    yield from (*_usage("kb", group), ".SH DESCRIPTION", *_prose(group))
    yield from (".PP", text(group.epilog or ""), ".SH COMMANDS")
    for heading, names in GROUPS.items():
        yield f".SS {escaped(heading)}"
        for name in names:
            command = group.get_command(click.Context(group), name)
            assert command is not None
            yield from (".TP", f".BR kb\\-{escaped(name)} (1)", text(summary(command)))
    common = "Every command takes these options, except --version."
    yield from (".SH OPTIONS", text(common), *_options(group))
    yield from (".TP", "\\fB\\-h, \\-\\-help\\fR", "Show the help of the command.")
    yield from (".SH ENVIRONMENT", *_table("settings.md", "## Environment variables"))
    yield from (".SH EXIT STATUS", *_table("commands.md", "A script can rely on"))
    yield from (".SH SEE ALSO", text("'kb --help' and the folder docs of the source."))


def _of_one(name: str, command: click.Command) -> Iterator[str]:
    below = dict(getattr(command, "commands", {}))
    for inner, each in below.items() or ():
        yield from _usage(f"{name} {inner}", each)
    yield from () if below else _usage(name, command)
    yield from (".SH DESCRIPTION", *_prose(command))
    for inner, each in below.items():
        yield from (f".SS {escaped(f'{name} {inner}')}", *_prose(each), *_own_options(each))
    if options := [*_own_options(command)]:
        yield from (".SH OPTIONS", *options)
    yield from (".SH SEE ALSO", ".BR kb (1),", "which has the options of every command.")


def _usage(name: str, command: click.Command) -> Iterator[str]:
    pieces = command.collect_usage_pieces(context_of(command))
    yield from (".nf", f"\\fB{escaped(name)}\\fR {escaped(' '.join(pieces))}", ".fi")


def _prose(command: click.Command) -> Iterator[str]:
    """Yield the paragraphs of a help; blocks of examples keep their lines."""
    began = ""
    for paragraph in paragraphs(command.help or ""):
        if paragraph.startswith("\b"):
            lines = textwrap.dedent(paragraph.partition("\n")[2]).split("\n")
            yield from (".PP", ".nf", ".RS 4", *map(_example, lines), ".RE", ".fi")
        else:
            yield from filter(None, (began, text(paragraph)))
        began = ".PP"


def _example(line: str) -> str:
    """Return a line of a block; what an example says of itself becomes a comment."""
    comment = comment_of(line) if line.startswith(("kb ", "curl ")) else ""
    shown = line.removesuffix(comment)
    return escaped(shown + (f"# {comment}" if comment else "").rstrip())


def _own_options(command: click.Command) -> Iterator[str]:
    """Yield the options of a command that not all commands have."""
    common = {parameter.name for parameter in kb_group.params}
    return _options(command, {each.name for each in command.params} - common)


def _options(command: click.Command, names: set[str | None] | None = None) -> Iterator[str]:
    context = context_of(command)
    for option in command.params:
        record = option.get_help_record(context) if isinstance(option, click.Option) else None
        if record and (names is None or option.name in names):
            yield from (".TP", f"\\fB{escaped(record[0])}\\fR", text(record[1]))


def _table(page: str, heading: str) -> Iterator[str]:
    """Yield the rows of the first table of a page behind a text, a term and its meaning each."""
    behind = (ROOT / "docs/reference" / page).read_text(encoding="utf-8").partition(heading)[2]
    table = next(part for part in behind.split("\n\n") if part.startswith("|"))
    for term, meaning in _ROW.findall(table)[1:]:
        if not term.startswith("--"):
            yield from (".TP", f"\\fB{escaped(term.replace('`', ''))}\\fR")
            yield text(meaning.replace("`", ""))


def context_of(command: click.Command) -> click.Context:
    """Return a context with the help options of ``kb``; click keeps those it is asked for first."""
    return click.Context(command, help_option_names=["-h", "--help"])


def text(sentences: str) -> str:
    """Return prose for troff: a sentence a line, names of options and commands in bold."""
    bold = _NAMED.sub(lambda found: f"\0{found[1] or found[2]}\1", " ".join(sentences.split()))
    lines = re.sub(r"(?<=[.!?]) (?=[A-Z\0])", "\n", escaped(bold))
    lines = re.sub(r"^(?=[.'])", r"\\&", lines, flags=re.MULTILINE)
    return lines.replace("\0", "\\fB").replace("\1", "\\fR")


def escaped(line: str) -> str:
    """Return a line that troff shows as it is.

    >>> escaped(".a-b 'c'")
    "\\\\&.a\\\\-b 'c'"
    """
    shown = line.replace("\\", "\\e").replace("-", "\\-").replace("…", "...")
    return f"\\&{shown}" if shown.startswith((".", "'")) else shown


def _begun_small(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:].removesuffix(".")


def write() -> None:
    """Write all pages, and remove those of commands that are no more."""
    MAN.mkdir(exist_ok=True)
    pages = manual()
    for path in MAN.glob("*.1"):
        if path.name not in pages:
            path.unlink()
    for name, page in pages.items():
        (MAN / name).write_text(page, encoding="utf-8")
