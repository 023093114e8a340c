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
@click.option(
    "--timeout", metavar="S", type=float, default=10.0, help="Time limit in seconds (default 10)."
)
@click.option(
    "--memory", metavar="MIB", type=int, default=1024, help="Memory limit in MiB (default 1024)."
)
@click.option(
    "--block",
    metavar="N",
    type=click.IntRange(min=1),
    help="Run the Nth Python block of the entry's text.",
)
@click.option("--trust", is_flag=True, help="Run untrusted code, after naming each program.")
@unsafe_run_option
@global_options
def command(
    invocation: Invocation,
    snippet: str,
    timeout: float,
    memory: int,
    block: int | None,
    trust: bool,
    unsafe_run: bool,
) -> int:
    """Run a program, or the main program of an entry.

    \b
      kb run matrix_chain_order
      kb run rnn-backprop-complexity --timeout 5
      kb run notes/what-is-a-logit --block 2     the second Python block of its text

    A program runs in its own process, with limits on time, memory and output. A sandbox keeps
    it from your files, the network and other processes. 'kb doctor' shows how well. Untrusted
    code is shown first and needs your consent. Without a terminal it is refused, unless --trust
    gives that consent to what 'kb show --code' prints. If an id and a program share a name, the
    id wins. ENTRY::NAME always means the program. Python blocks in an entry's text are its
    programs where it came with no other. What you wrote here runs without asking.
    """
    from kb.model.reports_json import OUTCOME  # not needed to tell of the command
    from kb.present.fences import block_name

    printer = Printer(invocation.color)
    with invocation.open() as library:
        (snippet,) = library.read.full_ids([snippet])
        if block is not None:
            snippet = f"{snippet}::{block_name(block)}"
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
