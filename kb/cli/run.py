"""``kb run``: a snippet in a process of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from kb.cli import messages
from kb.cli.options import Invocation, global_options, unsafe_run_option
from kb.cli.output import Printer, write_json
from kb.errors import ExitCode, Untrusted

if TYPE_CHECKING:
    from kb.records import Outcome


@click.command("run")
@click.argument("snippet")
@click.option("--timeout", metavar="S", type=float, default=10.0, help="Seconds (10).")
@click.option("--memory", metavar="MIB", type=int, default=1024, help="MiB of memory (1024).")
@click.option("--trust", is_flag=True, help="Run code that did not come with danesh.")
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
    """Run a snippet, or the main snippet of an entry.

    \b
      kb run matrix_chain_order
      kb run rnn-backprop-complexity --timeout 5

    It runs in a process of its own, with limits on time, memory and output, and shut off
    from your files, the network and other processes as far as this machine can ('kb doctor'
    says how far).
    """
    from kb.contract.reports import OUTCOME  # not needed to tell of the command

    printer = Printer(invocation.color)
    with invocation.open() as library:
        try:
            outcome = library.run(
                snippet,
                timeout=timeout,
                memory=memory,
                trust=trust,
                unsafe_run=unsafe_run,
                on_output=None if invocation.as_json else _stream(printer),
            )
        except Untrusted:
            if invocation.as_json:
                write_json(
                    OUTCOME.write(_refused(library.snippet(snippet).id, library.sandbox_level()))
                )
            raise
    if invocation.as_json:
        write_json(OUTCOME.write(outcome))
    else:
        _say(outcome)
    return _code(outcome)


def _stream(printer: Printer) -> Callable[[str, str], None]:
    """Return what writes the snippet's output as it comes, made safe for a terminal."""
    from kb.display.safe import safe

    def write(stream: str, text: str) -> None:
        if stream == "stdout":
            printer.stream(safe(text))
        else:
            messages.stream(safe(text))

    return write


def _say(outcome: Outcome) -> None:
    from kb.records.reports import REASONS

    peak = outcome.peak_memory_bytes / 2**20
    shut = ", ".join(outcome.isolation)
    why = f" ({REASONS[outcome.reason]})" if outcome.reason else ""
    cut = "; the output was cut" if outcome.truncated else ""
    messages.notice(
        f"{outcome.status}{why} after {outcome.seconds:.2f} s, {peak:.0f} MiB at most{cut} "
        f"(sandbox {outcome.level}: {shut})"
    )


def _refused(snippet: str, level: str) -> Outcome:
    from kb.records import Outcome

    return Outcome(snippet, "refused", None, "", "", False, 0.0, 0, (), {}, level)


def _code(outcome: Outcome) -> int:
    if outcome.status == "timeout":
        return ExitCode.TIMEOUT
    return ExitCode.DONE if outcome.status == "ok" else ExitCode.FINDINGS
