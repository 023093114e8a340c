"""``kb info``: paths, versions, counts."""

from __future__ import annotations

import click

from kb.cli.options import Invocation, global_options
from kb.cli.output import Printer, write_json
from kb.errors import ExitCode, Message
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
    width = max(len(_(_LABELS.get(name, name))) for name in facts) + 1
    for name, value in facts.items():
        parts = value.items() if isinstance(value, dict) else [("", value)]
        told = _(", ").join(f"{_(key)} {_told(part)}".strip() for key, part in parts)
        label = _LABELS.get(name, name)
        label = f"{apart(_(label))}:{'':{width - len(_(label))}}"
        printer.line(in_own_direction(f"{label}{told}"))
    return ExitCode.DONE


def _told(value: object) -> str:
    """Return a fact as text: numbers in the reader's digits, names isolated from the rest."""
    if isinstance(value, Message):
        return _(value)
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    return number(value) if isinstance(value, int) else apart(str(value))


_LABELS = {
    "journal": N_("SQLite journal"),
    "meaning": N_("search by meaning"),
    "content": N_("bundled content"),
}
"""The names of facts whose keys alone say too little."""

_WORDS = (
    *(N_("version"), N_("database"), N_("bytes")),
    *(N_("counts"), N_("index"), N_("entry"), N_("document"), N_("snippet")),
    *(N_("annotation"), N_("evidence"), N_("source"), N_("collection"), N_("analyzer")),
    *(N_("current"), N_("state"), N_("encoded"), N_("texts"), N_("on")),
)
"""The names of the facts."""
