"""``kb search``: ranked hits."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import click

from kb.cli import messages
from kb.cli.options import Invocation, filter_options, global_options, page_options, plain_option
from kb.errors import ExitCode

if TYPE_CHECKING:
    from kb.records import Filters, Results


_COUNT = re.compile(r"-n\d*")


class _QueryCommand(click.Command):
    """A command whose words may begin with a hyphen: ``-relu`` rules a word out.

    ``-h`` and ``-n`` are options where they stand alone, and whatever begins with two hyphens;
    behind ``--`` all are words.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the options before the words, so that no word is taken for one."""
        return super().parse_args(ctx, _options_first(args, self._with_value()))

    def _with_value(self) -> set[str]:
        """Return the options that are followed by a value."""
        options = (each for each in self.params if isinstance(each, click.Option))
        return {name for each in options if not each.is_flag for name in each.opts}


def _options_first(args: list[str], with_value: set[str]) -> list[str]:
    """Return arguments with the options first, then ``--`` and the words.

    >>> _options_first(["relu", "-gpu", "--json", "-n", "3"], {"--limit", "-n"})
    ['--json', '-n', '3', '--', 'relu', '-gpu']
    """
    options: list[str] = []
    words: list[str] = []
    waiting = list(reversed(args))
    while waiting:
        word = waiting.pop()
        if word == "--":
            words += reversed(waiting)
            break
        if word.startswith("--") or word == "-h" or _COUNT.fullmatch(word):
            options.append(word)
            if word in with_value:
                if not waiting:
                    return options  # click says that its value is missing
                options.append(waiting.pop())
        else:
            words.append(word)
    return [*options, "--", *words]


@click.command("search", cls=_QueryCommand)
@click.argument("query", nargs=-1, required=True)
@filter_options
@page_options(10)
@click.option("--explain", is_flag=True, help="Show how the query was read and ranked.")
@plain_option
@global_options
def command(
    invocation: Invocation,
    query: tuple[str, ...],
    filters: Filters,
    limit: int | None,
    offset: int,
    explain: bool,
    plain: bool,
) -> int:
    """Find entries, best first.

    \b
      kb search vanishing gradient
      kb search "بی ثباتی عددی"
      kb search '"batch norm" level:H -gpu'
      kb search 'topic:hardware OR kind:card'

    Bare words match as many as possible. A "phrase", a prefix*, -without, OR, ( ) and
    field:value (lang level topic tag verdict kind collection id) do what they say.
    """
    text = " ".join(query)
    with invocation.open() as library:
        results = library.search(text, limit=limit, offset=offset, filters=filters, explain=explain)
    if invocation.as_json:
        from kb.cli.output import write_json
        from kb.contract.reports import SEARCH

        write_json(SEARCH.write(results))
    else:
        _write_text(invocation, results, offset, plain)
    return ExitCode.DONE if results.total else ExitCode.FINDINGS


def _write_text(invocation: Invocation, results: Results, offset: int, plain: bool) -> None:
    from kb.cli.hits import tell_how_many, write_hit
    from kb.cli.output import Printer

    printer = Printer(invocation.color, plain=plain)
    for rank, hit in enumerate(results.hits, offset + 1):
        write_hit(printer, hit, rank)
        if results.explanation:
            printer.say(
                "score {score:g} via {via}, in {lang}",
                indent=4,
                score=hit.score,
                via=hit.via,
                lang=hit.lang,
            )
    for line in results.explanation:
        printer.line(line)
    if results.notice:
        messages.notice(results.notice)
    if results.suggestion:
        messages.notice("did you mean: {suggestion}", suggestion=results.suggestion)
    tell_how_many(results, offset)
