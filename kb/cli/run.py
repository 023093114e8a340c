"""``kb run`` and ``kb verify``: run programs, each in its own process, and evidence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click

from kb import limits
from kb.cli import documents, messages
from kb.cli.consenting import agreed
from kb.cli.messages import working
from kb.cli.options import (
    Command,
    Invocation,
    complete_id,
    limit_options,
    plain_option,
    unsafe_run_option,
)
from kb.cli.output import Printer, Span, write_json
from kb.errors import ExitCode, Untrusted, UsageError, shown
from kb.i18n import _, digits, language

if TYPE_CHECKING:
    from kb.model.reports import Outcome, Verification
    from kb.present.charts.reading import Chart, Piece


@click.command("run", cls=Command)
@click.argument("snippet", metavar="NAME|ID", shell_complete=complete_id)
@limit_options(limits.SECONDS, "Time limit in seconds (default 10).")
@click.option(
    "--block",
    metavar="N",
    type=click.IntRange(min=1),
    help="Run the Nth Python block of the entry's text.",
)
@click.option(
    "--set",
    "values",
    metavar="NAME=VALUE",
    multiple=True,
    help="Set a parameter of the program for this run.",
)
@click.option("--seed", metavar="N", help="Draw other random numbers: sets SEED.")
@click.option("--trust", is_flag=True, help="Run untrusted code, after naming each program.")
@unsafe_run_option
@plain_option
def run(
    invocation: Invocation,
    snippet: str,
    block: int | None,
    values: tuple[str, ...],
    seed: str | None,
    trust: bool,
    plain: bool,
    **limited: Any,
) -> int:
    """Run a program, or the main program of an entry.

    \b
      kb run matrix_chain_order
      kb run rnn-backprop-complexity --timeout 5
      kb run accurate_mean --set NUMBERS=10000 --seed 7
      kb run notes/what-is-a-logit --block 2     the second Python block of its text

    A program runs in its own process, with limits on time, memory and output. A sandbox keeps
    it from your files, the network and other processes. 'kb doctor' shows how well. Untrusted
    code is shown first and needs your consent. Without a terminal it is refused, unless --trust
    gives that consent to what 'kb show --code' prints. If an id and a program share a name, the
    id wins. ENTRY::NAME always means the program. If an entry came with no program, the
    Python blocks in its text are its programs. Code that you wrote here runs without asking.

    A program declares its parameters in comments, as '# parameter: 8 to 512 rows'. --set gives
    one another value, without a change of the code.

    A terminal shows the charts that a program prints. A pipe and --plain get their numbers.
    """
    from kb.present.fences import BLOCK

    output = _Output(Printer(invocation.color, plain=plain))
    with invocation.open() as library:
        (snippet,) = library.read.full_ids([snippet])
        if block is not None:
            snippet = f"{snippet}::{BLOCK}{block}"
        programs = library.programs.of_run(snippet)
        yes = agreed(programs, trust=trust)
        try:
            on_output = None if invocation.as_json else output.write
            chosen = _values(values, seed)
            outcome = library.run(snippet, values=chosen, yes=yes, on_output=on_output, **limited)
        except Untrusted:
            if invocation.as_json:
                from kb.model.reports import Outcome

                name, level = programs[0].name, library.sandbox_level()
                refused = Outcome(name, "refused", None, "", "", False, 0.0, 0, (), {}, level)
                write_json(documents.outcome(refused))
            raise
        finally:
            output.end()
    if invocation.unless_json(documents.outcome(outcome)):
        _say(outcome)
    if outcome.status == "timeout":
        return ExitCode.TIMEOUT
    return ExitCode.DONE if outcome.status == "ok" else ExitCode.FINDINGS


def _values(given: Iterable[str], seed: str | None) -> dict[str, str]:
    """Return the values of parameters by name. Raises `UsageError` for a value without a name."""
    values = {}
    for each in given:
        name, equals, value = each.partition("=")
        if not equals:
            raise UsageError("--set takes NAME=VALUE, not '{given}'", given=shown(each))
        values[name.strip()] = value.strip()
    return values if seed is None else {**values, "SEED": seed}


class _Output:
    """Writes the output of a program when it arrives; a terminal shows its charts."""

    def __init__(self, printer: Printer) -> None:
        from kb.present.charts.drawing import NARROWEST
        from kb.present.charts.reading import Splitter

        self._printer = printer
        self._draws = printer.laid_out and printer.width >= NARROWEST
        self._splitter = Splitter()

    def write(self, stream: str, text: str) -> None:
        """Write a piece of output to the stream that the program used."""
        if stream != "stdout":
            messages.write(text)
        elif self._draws:
            self._show(self._splitter.feed(text))
        else:
            self._printer.stream(text)

    def end(self) -> None:
        """Write the output that was held back."""
        self._show(self._splitter.end())

    def _show(self, pieces: Iterable[Piece]) -> None:
        for piece in pieces:
            if piece.chart is None:
                self._printer.stream(piece.text)
            else:
                self._draw(piece.chart)

    def _draw(self, chart: Chart) -> None:
        from kb.present.charts.drawing import draw

        printer = self._printer
        drawing = draw(chart, printer.width, lang=language(), turned=printer.turned)
        for line in drawing.title:
            printer.laid(Span(line, {"bold": True}))
        for line in drawing.lines:
            printer.laid(line)


def _say(outcome: Outcome) -> None:
    from kb.i18n.names import RUNS, sandbox_name
    from kb.model.reports import REASONS

    ended = REASONS[outcome.reason] if outcome.reason else RUNS[outcome.status]
    told = _(
        "{status} after {seconds:.2f} s, {peak:.0f} MiB at most",
        status=_(ended),
        seconds=outcome.seconds,
        peak=outcome.peak_memory_bytes / 2**20,
    )
    cut = _("; the output was cut") if outcome.truncated else ""
    sandbox = sandbox_name(outcome.level, outcome.isolation)
    messages.notice("{told}{cut} ({sandbox})", told=told, cut=cut, sandbox=sandbox)


_STATES = {"confirmed": "✓", "refuted": "✗", "stale": "?", "cannot-run": "!"}


@click.command("verify", cls=Command)
@click.argument("ids", nargs=-1, metavar="[ID]...", shell_complete=complete_id)
@click.option("--accept", is_flag=True, help="Mark stale evidence as reviewed.")
@click.option("--trust", is_flag=True, help="Run untrusted code of these entries.")
@limit_options(limits.EVIDENCE_SECONDS, "Processor time of each program in seconds (default 30).")
@unsafe_run_option
def verify(
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
    if printer := invocation.unless_json(documents.verifications(results)):
        for result in results:
            _write_verified(printer, result)
        found = _(", ").join(f"{digits(str(counts[state]))} {_(state)}" for state in _STATES)
        messages.notice(
            "{results} annotations and answers with evidence: {found}",
            results=len(results),
            found=found,
        )
    return ExitCode.DONE if counts["confirmed"] == len(results) else ExitCode.FINDINGS


def _write_verified(printer: Printer, result: Verification) -> None:
    from kb.terminal.numerals import figure

    figures = printer.joined(f"{name} {figure(value)}" for name, value in result.figures.items())
    status = _(result.status).ljust(max(len(_(each)) for each in _STATES))
    printer.row(f"{_STATES[result.status]} {status} {result.annotation}  {figures}")
    if result.reason:
        printer.say(result.reason, indent=14)
