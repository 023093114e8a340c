"""``kb run``: a program in a process of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from kb.cli import messages
from kb.cli.consenting import agreed
from kb.cli.options import Invocation, complete_id, global_options, unsafe_run_option
from kb.cli.output import Printer, write_json
from kb.errors import ExitCode, Untrusted
from kb.i18n import _

if TYPE_CHECKING:
    from kb.model import Outcome


@click.command("run")
@click.argument("snippet", metavar="NAME|ID", shell_complete=complete_id)
@click.option("--timeout", metavar="S", type=float, default=10.0, help="Seconds (10).")
@click.option("--memory", metavar="MIB", type=int, default=1024, help="MiB of memory (1024).")
@click.option(
    "--trust", is_flag=True, help="Run it though it did not come with danesh: told first."
)
@unsafe_run_option
@global_options
def command(
    invocation: Invocation,
    snippet: str,
    timeout: float,
    memory: int,
    trust: bool,
    unsafe_run: bool,
) -> int:
    """Run a program, or the main program of an entry.

    \b
      kb run matrix_chain_order
      kb run rnn-backprop-complexity --timeout 5

    It runs in a process of its own, with limits on time, memory and output, and shut off
    from your files, the network and other processes as far as this machine can ('kb doctor'
    says how far). Code that neither came with danesh nor was written by you is shown first,
    and runs after your yes; where there is nobody to ask it is refused. --trust is the yes of a
    script, to what 'kb show' prints under that name. An entry's id goes before a program's name;
    ENTRY::NAME says it in full.
    """
    from kb.model.reports_json import OUTCOME  # not needed to tell of the command

    printer = Printer(invocation.color)
    with invocation.open() as library:
        (snippet,) = library.read.full_ids([snippet])
        programs = library.programs.of_run(snippet)
        yes = agreed(programs, trust=trust)
        try:
            outcome = library.run(
                snippet,
                timeout=timeout,
                memory=memory,
                yes=yes,
                unsafe_run=unsafe_run,
                on_output=None if invocation.as_json else _stream(printer),
            )
        except Untrusted:
            if invocation.as_json:
                write_json(OUTCOME.write(_refused(programs[0].name, library.sandbox_level())))
            raise
    if invocation.as_json:
        write_json(OUTCOME.write(outcome))
    else:
        _say(outcome)
    return _code(outcome)


def _stream(printer: Printer) -> Callable[[str, str], None]:
    """Return what writes the program's output as it comes."""

    def write(stream: str, text: str) -> None:
        if stream == "stdout":
            printer.stream(text)
        else:
            messages.stream(text)

    return write


def _say(outcome: Outcome) -> None:
    from kb.model.reports import REASONS

    peak = outcome.peak_memory_bytes / 2**20
    shut = ", ".join(outcome.isolation)
    status = _(outcome.status)
    if outcome.reason:
        status = f"{status} ({_(REASONS[outcome.reason])})"
    told = _(
        "{status} after {seconds:.2f} s, {peak:.0f} MiB at most",
        status=status,
        seconds=outcome.seconds,
        peak=peak,
    )
    cut = _("; the output was cut") if outcome.truncated else ""
    sandbox = _("sandbox {level}").format(level=outcome.level)
    messages.notice(
        "{told}{cut} ({sandbox}: {shut})", told=told, cut=cut, sandbox=sandbox, shut=shut
    )


def _refused(snippet: str, level: str) -> Outcome:
    from kb.model import Outcome

    return Outcome(snippet, "refused", None, "", "", False, 0.0, 0, (), {}, level)


def _code(outcome: Outcome) -> int:
    if outcome.status == "timeout":
        return ExitCode.TIMEOUT
    return ExitCode.DONE if outcome.status == "ok" else ExitCode.FINDINGS
