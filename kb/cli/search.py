"""``kb search``: ranked hits."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import click

from kb.cli import messages
from kb.cli.options import Invocation, filter_options, global_options, page_options, plain_option
from kb.cli.output import Printer, Span
from kb.errors import ExitCode, Message
from kb.i18n import _
from kb.i18n.ways import VIA
from kb.present.titles import title_of

if TYPE_CHECKING:
    from kb.model import Filters, Hit, Results


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
        from kb.model.reports_json import SEARCH

        write_json(SEARCH.write(results))
    else:
        _write_text(invocation, results, offset, plain)
    return ExitCode.DONE if results.total else ExitCode.FINDINGS


def _write_text(invocation: Invocation, results: Results, offset: int, plain: bool) -> None:
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


# Hits for people: a line or two for each.


def tell_how_many(results: Results, offset: int) -> None:
    """Tell how many there are, where not all are shown."""
    if not results.total:
        messages.notice(
            Message("nothing matches: {query}", query=results.query)
            if results.query
            else "nothing matches"
        )
    elif not results.hits:
        messages.notice(
            "{total} match; see them with another --limit or --offset", total=results.total
        )
    elif results.total > offset + len(results.hits):
        messages.notice(
            "{hits} of {total}; more with --limit or --offset",
            hits=len(results.hits),
            total=results.total,
        )


def write_hit(printer: Printer, hit: Hit, rank: int | None = None) -> None:
    """Write a hit: its id, level and verdicts, its question, and the passage that matched."""
    facts = [_(hit.kind) if hit.kind != "question" else "", hit.number or "", hit.level or ""]
    facts += [f"{count} {_(verdict)}" for verdict, count in hit.verdicts.items()]
    facts += [_(VIA[hit.via])] if hit.via in VIA else []
    place = f"{rank}. " if rank else ""
    name = f"{hit.id}#{hit.section}" if hit.section else hit.id
    printer.row(place, Span(name, {"bold": True}), f"  {printer.joined(facts)}")
    for text in questions(hit):
        printer.write(title_of(text).text, lang=hit.lang, indent=4)
    if hit.excerpt is not None and hit.excerpt.text and hit.excerpt.text not in questions(hit):
        passage = title_of(hit.excerpt.text).text
        passage = passage if printer.plain else f"… {passage} …"
        printer.write(passage, lang=hit.lang, indent=4, style={"dim": True})


def questions(hit: Hit) -> list[str]:
    """Return the first line of the question in the language that was found, or in any."""
    text = hit.question.get(hit.lang) or next(iter(hit.question.values()), "")
    return text.strip().split("\n")[:1]
