"""``kb doctor``, ``self-test``, ``info`` and ``completion``: what is here, and what works."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from kb.cli import documents, messages
from kb.cli.messages import working
from kb.cli.options import Command, Invocation
from kb.cli.output import Printer
from kb.errors import BadDatabase, ExitCode, Message, UsageError, counted
from kb.i18n import N_, _, apart, in_own_direction, number

if TYPE_CHECKING:
    from kb.model.reports import Check


@click.command("doctor", cls=Command)
@click.argument("folder", required=False, metavar="[FOLDER]")
@click.option("--repair", is_flag=True, help="Repair the index and incomplete rows.")
@click.option("--salvage", metavar="NEW", help="Recover readable data into a new file.")
def doctor(invocation: Invocation, folder: str | None, repair: bool, salvage: str | None) -> int:
    """Check database, index, content, sandbox and terminal.

    \b
      kb doctor
      kb doctor my-course
      kb doctor --repair
      kb doctor --salvage saved.db

    With a FOLDER of your own content, only that is checked and nothing changes. Then 'kb import
    FOLDER' imports it.

    --salvage reads a damaged database page by page and does not change it. The change log is
    not recovered. Bundled entries are updated when the new file is opened.
    """
    if sum(map(bool, (folder, repair, salvage))) > 1:
        raise UsageError("use only one of FOLDER, --repair and --salvage")
    if salvage is not None:
        return _salvage(invocation, salvage)
    return tell(invocation, _checks(invocation, folder, repair))


def _salvage(invocation: Invocation, new: str) -> ExitCode:
    """Save readable data and report what was saved and what was lost."""
    from kb.service.opening import salvage

    made = salvage(invocation.db, new)
    messages.notice("The change log was not saved.")
    if printer := invocation.unless_json(made._asdict()):
        printer.say("{entries} saved", place=made.path, entries=counted(made.saved.get("entry", 0)))
        for name, count in made.lost.items():
            printer.say("lost: {count} rows of {name}", count=count, name=name)
        for entry in made.partly:
            printer.say("a part of {entry} is lost", entry=entry)
        if made.complete:
            printer.say("Nothing was lost.")
    return ExitCode.DONE if made.complete else ExitCode.FINDINGS


def _checks(invocation: Invocation, folder: str | None, repair: bool) -> Sequence[Check]:
    if folder is not None:
        from kb.service.diagnose import check_folder

        return check_folder(folder)
    try:
        library = invocation.open()
    except BadDatabase as error:
        if repair:
            raise
        from kb.model.reports import Check

        return [Check("database", False, error.message, error.hint)]
    with library:
        if repair:
            with working("repairing", "the index was not changed") as progress:
                for done in library.repair(progress):
                    messages.notice(done)
        return library.doctor()


# How checks are told: what is well, what is not, and what mends it.


_SIGNS = {"advice": "·"}


def tell(invocation: Invocation, checks: Sequence[Check]) -> ExitCode:
    """Write each check and return whether all passed."""
    if printer := invocation.unless_json(documents.checks(checks)):
        for name, well, found, remedy in checks:
            sign = _SIGNS.get(name, "✓" if well else "✗")
            printer.line(f"{sign} {_(name)}: {_(found)}")
            if remedy and (not well or name in _SIGNS):
                printer.say(remedy, indent=4)
    return ExitCode.DONE if all(check.well for check in checks) else ExitCode.FINDINGS


@click.command("self-test", cls=Command)
def self_test(invocation: Invocation) -> int:
    """Test this installation: search and evidence, too.

    \b
      kb self-test

    It also runs ten known searches and all evidence of the bundled content, in memory. Your
    database is checked and does not change.
    """
    from kb.service.diagnose import examine_installation

    with invocation.open() as library:
        checks = list(library.doctor())
    with working("trying searches and evidence") as progress:
        checks.extend(examine_installation(progress))
    return tell(invocation, checks)


@click.command("info", cls=Command)
def info(invocation: Invocation) -> None:
    """Show paths, versions, counts and index state."""
    with invocation.open() as library:
        facts = library.info()
    printer = invocation.unless_json(facts)
    if printer is None:
        return
    width = max(len(_(_LABELS.get(name, name))) for name in facts) + 1
    for name, value in facts.items():
        parts = value.items() if isinstance(value, dict) else [("", value)]
        told = _(", ").join(f"{_(key)} {_told(part)}".strip() for key, part in parts)
        label = _LABELS.get(name, name)
        label = f"{apart(_(label))}:{'':{width - len(_(label))}}"
        printer.line(in_own_direction(f"{label}{told}"))


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


SHELLS = ("bash", "zsh", "fish")


@click.command("completion", cls=Command)
@click.argument("shell", type=click.Choice(SHELLS))
def completion(invocation: Invocation, shell: str) -> None:
    """Print the completion script for a shell.

    \b
      kb completion bash >> ~/.bashrc
      kb completion zsh >> ~/.zshrc
      kb completion fish > ~/.config/fish/completions/kb.fish

    It completes commands, options, ids, collections and tags.
    """
    from click.shell_completion import get_completion_class  # the help does without

    from kb.cli.main import kb

    found = get_completion_class(shell)
    assert found is not None
    script = found(kb, {}, "kb", "_KB_COMPLETE").source()
    Printer(invocation.color).stream(script.strip() + "\n")
