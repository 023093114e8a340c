"""``kb glossary``: manage dictionaries for search across languages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from kb.cli.messages import working
from kb.cli.options import Command, Invocation
from kb.errors import ExitCode, counted


@click.group("glossary")
def command() -> None:
    """Manage the dictionaries for search across languages.

    \b
      kb glossary show gradient
      kb glossary add my-terms.tsv
      kb glossary learn sentences.tsv
    """


def _language(name: str, field: str, code: str, column: str) -> Callable[..., Any]:
    help = f"Language of the {column} column (default {code})."
    return click.option(name, field, default=code, metavar="CODE", help=help)


_from = _language("--from", "left", "en", "first")
_to = _language("--to", "right", "fa", "second")


@command.command("add", cls=Command)
@click.argument("file")
@_from
@_to
def add(invocation: Invocation, file: str, left: str, right: str) -> None:
    """Add a dictionary: a word, a tab, its translation.

    \b
      kb glossary add my-terms.tsv
      kb glossary add deutsch.tsv --from en --to de

    Adding a file again replaces its earlier terms.
    """
    with invocation.open() as library:
        report = library.glossary.add(file, languages=(left, right))
    if printer := invocation.unless_json(report._asdict()):
        printer.say(
            "{pairs} pairs in the glossary '{name}'",
            place=file,
            pairs=report.pairs,
            name=report.name,
        )


@command.command("learn", cls=Command)
@click.argument("pairs", nargs=-1)
@_from
@_to
def learn(invocation: Invocation, pairs: tuple[str, ...], left: str, right: str) -> None:
    """Learn a dictionary from sentences and translations.

    \b
      kb glossary learn sentences.tsv
      kb glossary learn books.tsv talks.tsv --from en --to de
      kb glossary learn                    from your bilingual entries

    Only likely word pairs are learned. Learning from the same source again replaces the earlier
    result.
    """
    with invocation.open() as library, working("learning") as progress:
        report = library.glossary.learn(pairs, languages=(left, right), progress=progress)
    printer = invocation.unless_json(report._asdict())
    if printer is None:
        return
    found = counted(report.pairs, "{n} pair of words", "{n} pairs of words")
    read = counted(
        report.sentences, "{n} sentence and its translation", "{n} sentences and their translations"
    )
    printer.say(
        "{found} in the glossary '{name}', from {read}", found=found, name=report.name, read=read
    )
    if n := report.repeated:
        told = counted(n, "{n} skipped: it was there before", "{n} skipped: they were there before")
        printer.say(told, indent=2)
    if n := report.too_long:
        told = counted(n, "{n} skipped: it is too long", "{n} skipped: they are too long")
        printer.say(told, indent=2)


@command.command("show", cls=Command)
@click.argument("words", nargs=-1, required=True)
def show(invocation: Invocation, words: tuple[str, ...]) -> int:
    """Show the translations of a term."""
    with invocation.open() as library:
        found = library.glossary.translate(" ".join(words))
    if printer := invocation.unless_json({"words": " ".join(words), "translations": found}):
        for lang, names in found.items():
            for name in names:
                printer.line(name, lang=lang)
    return ExitCode.DONE if found else ExitCode.FINDINGS
