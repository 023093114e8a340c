"""``kb verify``: run the evidence of annotations."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import click

from kb import limits
from kb.cli import documents, messages
from kb.cli.consenting import agreed
from kb.cli.messages import working
from kb.cli.options import Command, Invocation, complete_id, limit_options, unsafe_run_option
from kb.cli.output import Printer, write_json
from kb.errors import ExitCode
from kb.i18n import _, digits

if TYPE_CHECKING:
    from kb.model import Verification

_STATES = {"confirmed": "✓", "refuted": "✗", "stale": "?", "cannot-run": "!"}


@click.command("verify", cls=Command)
@click.argument("ids", nargs=-1, metavar="[ID]...", shell_complete=complete_id)
@click.option("--accept", is_flag=True, help="Mark stale evidence as reviewed.")
@click.option("--trust", is_flag=True, help="Run untrusted code of these entries.")
@limit_options(limits.EVIDENCE_SECONDS, "Time limit of each program in seconds (default 30).")
@unsafe_run_option
def command(
    invocation: Invocation, ids: tuple[str, ...], accept: bool, trust: bool, **limited: Any
) -> int:
    """Run evidence and report whether it confirms annotations.

    \b
      kb verify
      kb verify rnn-backprop-complexity

    confirmed: the program measures the expected value, and not what a wrong claim says.
    refuted: it does not. stale: the quoted text or the program changed since the last review.
    cannot-run: the program fails or is untrusted.

    Untrusted code is shown first and needs your consent. In a script, --trust consents to the
    programs of the named entries, or of all entries with evidence. 'kb show --code' prints
    them. It does not cover programs of other entries that the evidence names.
    """
    with invocation.open() as library:
        ids = library.read.full_ids(ids)
        yes = agreed(library.programs.of_verify(ids, accept=accept), trust=trust)
        with working("running programs", "what was verified is kept") as progress:
            results = library.verify(ids, accept=accept, yes=yes, progress=progress, **limited)
    if not all(result.stored for result in results):
        messages.notice("results were not saved: the database is read-only")
    counts = Counter(result.status for result in results)
    if invocation.as_json:
        write_json(documents.verifications(results))
    else:
        printer = Printer(invocation.color)
        for result in results:
            _write(printer, result)
        found = _(", ").join(f"{digits(str(counts[state]))} {_(state)}" for state in _STATES)
        messages.notice(
            "{results} annotations and answers with evidence: {found}",
            results=len(results),
            found=found,
        )
    return ExitCode.DONE if counts["confirmed"] == len(results) else ExitCode.FINDINGS


def _write(printer: Printer, result: Verification) -> None:
    from kb.terminal.numerals import figure

    figures = printer.joined(f"{name} {figure(value)}" for name, value in result.figures.items())
    status = _(result.status).ljust(max(len(_(each)) for each in _STATES))
    printer.row(f"{_STATES[result.status]} {status} {result.annotation}  {figures}")
    if result.reason:
        printer.say(result.reason, indent=14)
