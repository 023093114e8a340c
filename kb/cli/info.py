"""``kb info``: paths, versions, counts."""

from __future__ import annotations

import click

from kb.cli.options import Invocation, global_options
from kb.cli.output import Printer, write_json
from kb.errors import ExitCode
from kb.i18n import N_, _, apart, in_own_direction, number


@click.command("info")
@global_options
def command(invocation: Invocation) -> int:
    """Show paths, versions, counts and index state."""
    with invocation.open() as library:
        facts = library.info()
    if invocation.as_json:
        write_json(facts)
        return ExitCode.DONE
    printer = Printer(invocation.color)
    width = max(len(_(name)) for name in facts) + 1
    for name, value in facts.items():
        parts = value.items() if isinstance(value, dict) else [("", value)]
        told = _(", ").join(f"{_(key)} {_told(part)}".strip() for key, part in parts)
        label = f"{apart(_(name))}:{'':{width - len(_(name))}}"
        printer.line(in_own_direction(f"{label}{told}"))
    return ExitCode.DONE


def _told(value: object) -> str:
    """Return a fact as text: numbers in the reader's digits, names isolated from the rest."""
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    return number(value) if isinstance(value, int) else apart(str(value))


_WORDS = (
    *(N_("version"), N_("journal"), N_("database"), N_("bytes")),
    *(N_("content"), N_("counts"), N_("index"), N_("entry"), N_("document"), N_("snippet")),
    *(N_("annotation"), N_("evidence"), N_("source"), N_("collection"), N_("analyzer")),
    *(N_("current"), N_("meaning"), N_("state"), N_("encoded"), N_("texts"), N_("on")),
)
"""The names of the facts."""
