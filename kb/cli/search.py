"""``kb search`` and ``kb list``: find entries, best first, or list them in order."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from kb.cli import documents, messages
from kb.cli.options import (
    Command,
    Invocation,
    WordsCommand,
    filter_options,
    page_options,
    plain_option,
)
from kb.cli.output import Printer, Span
from kb.errors import ExitCode, Message
from kb.i18n import _, digits, language
from kb.i18n.names import LEVELS, TITLED, VIA
from kb.model.values import OWN_VERDICTS

if TYPE_CHECKING:
    from kb.model.results import Filters, Hit, Results
    from kb.present.titles import Title

_INDENT = 4
_FALSE = ("wrong", "misleading", "outdated")


@click.command("search", cls=WordsCommand)
@click.argument("query", nargs=-1, required=True)
@filter_options
@page_options(10)
@click.option("--explain", is_flag=True, help="Show how the query was parsed and ranked.")
@plain_option
def search(
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

    Entries that match most of your words come first. You can also use a "phrase", a prefix*,
    -word, AND, OR, ( ) and field:value. Fields: lang level topic tag verdict kind collection
    id.
    """
    text = " ".join(query)
    with invocation.open() as library:
        results = library.search(text, limit=limit, offset=offset, filters=filters, explain=explain)
    if printer := invocation.unless_json(documents.search(results), plain=plain):
        _write_text(printer, results, offset, filters.lang or language())
    return ExitCode.DONE if results.total else ExitCode.FINDINGS


def _write_text(printer: Printer, results: Results, offset: int, lang: str) -> None:
    for rank, hit in enumerate(results.hits, offset + 1):
        _write_hit(printer, hit, lang, rank)
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
    _tell_how_many(results, offset)


@click.command("list", cls=Command)
@filter_options
@click.option("--hidden", is_flag=True, help="List hidden entries instead.")
@page_options(None)
def list_(
    invocation: Invocation, filters: Filters, hidden: bool, limit: int | None, offset: int
) -> int:
    """List entries in the order of their collections.

    \b
      kb list
      kb list --level H --verdict wrong
      kb list --collection notes --tag exam
    """
    with invocation.open() as library:
        results = library.find.list(limit=limit, offset=offset, filters=filters, hidden=hidden)
    if printer := invocation.unless_json(documents.listed(results)):
        for hit in results.hits:
            _write_hit(printer, hit, filters.lang or language())
        _tell_how_many(results, offset)
    return ExitCode.DONE if results.total else ExitCode.FINDINGS


# Hits for people: a line or two for each.


def _tell_how_many(results: Results, offset: int) -> None:
    """Say how many results there are, if not all are shown."""
    if not results.total:
        messages.notice(
            Message("nothing matches: {query}", query=results.query)
            if results.query
            else "nothing matches"
        )
    elif not results.hits:
        messages.notice("{total} match; use another --limit or --offset", total=results.total)
    elif results.total > offset + len(results.hits):
        told = {"hits": len(results.hits), "total": results.total}
        messages.notice("{hits} of {total}; more with --limit or --offset", **told)


def _write_hit(printer: Printer, hit: Hit, lang: str, rank: int | None = None) -> None:
    """Write a hit in two lines: its facts and question, then the passage that matched.

    The question is in the reader's language if it has one. The passage is in the language that
    matched; where no word did, there is none.
    """
    from kb.present.titles import Title, asked_in, title_of
    from kb.terminal.layout import text_width

    spoken, asked = asked_in(hit, lang)
    place = f"{digits(str(rank))}. " if rank else ""
    name = f"{hit.id}#{hit.section}" if hit.section else hit.id
    told = f"  {printer.joined(_facts(hit, lang, spoken))}"
    title = title_of(asked.strip().split("\n")[0]).text
    passage = title_of(hit.excerpt.text) if hit.excerpt and hit.excerpt.marks else Title("")
    if not passage.text or passage.text in title:
        printer.row(place, Span(name, {"bold": True}), told)
        printer.write(printer.cut(title, spoken, _INDENT), lang=spoken, indent=_INDENT)
        return
    used = text_width(f"{place}{name}{told}  ")
    printer.row(place, Span(name, {"bold": True}), f"{told}  ", printer.cut(title, spoken, used))
    shown = passage.text if printer.plain else f"… {_around(printer, hit, passage)} …"
    shown = printer.cut(shown, hit.lang, _INDENT)
    printer.write(shown, lang=hit.lang, indent=_INDENT, style={"dim": True})


def _facts(hit: Hit, lang: str, spoken: str) -> list[str]:
    """Return the facts of a hit: what it is, its number of remarks, and how it was found.

    Remarks that only add to the question are not counted.
    """
    from kb.present.annotated import verdicts_in

    counts = verdicts_in(hit, lang)
    told = OWN_VERDICTS if hit.excerpt is None else _FALSE
    return [
        _(hit.kind) if hit.kind != "question" else "",
        digits(hit.number or ""),
        _(LEVELS.get(hit.level or "", "")),
        *(f"{digits(str(counts[each]))} {_(each)}" for each in told if each in counts),
        _(VIA.get(hit.via or "", TITLED.get(hit.titled, ""))),
        spoken if spoken != lang else "",
    ]


def _around(printer: Printer, hit: Hit, passage: Title) -> str:
    """Return a passage that begins shortly before the first match, if the line is short."""
    assert hit.excerpt is not None
    line_width = printer.width - _INDENT
    if not printer.laid_out or len(passage.text) < line_width:
        return passage.text
    first, _end = passage.span(*hit.excerpt.marks[0])
    return passage.text[passage.text.rfind(" ", 0, max(0, first - line_width // 2)) + 1 :]
