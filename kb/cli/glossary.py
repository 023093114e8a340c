"""``kb glossary``: dictionaries by which words are found in the other language."""

from __future__ import annotations

import click

from kb.cli.options import Invocation, global_options
from kb.cli.output import Printer, write_json
from kb.errors import ExitCode


@click.group("glossary")
def command() -> None:
    """The terms by which a search finds texts in the other language.

    \b
      kb glossary show gradient
      kb glossary add my-terms.tsv
    """


@command.command("add")
@click.argument("file")
@click.option("--from", "left", default="en", metavar="CODE", help="The first column (en).")
@click.option("--to", "right", default="fa", metavar="CODE", help="The second column (fa).")
@global_options
def add(invocation: Invocation, file: str, left: str, right: str) -> int:
    """Add a dictionary: a table with tabs, a word and its translation in each line.

    \b
      kb glossary add my-terms.tsv
      kb glossary add deutsch.tsv --from en --to de

    Adding a file again replaces what it gave before.
    """
    with invocation.open() as library:
        report = library.glossary.add(file, languages=(left, right))
    if invocation.as_json:
        from kb.contract.reports import GLOSSARY

        write_json(GLOSSARY.write(report))
    else:
        printer = Printer(invocation.color)
        printer.line(f"{file}: {report.pairs} pairs in the glossary '{report.name}'")
    return ExitCode.DONE


@command.command("show")
@click.argument("words", nargs=-1, required=True)
@global_options
def show(invocation: Invocation, words: tuple[str, ...]) -> int:
    """Show what a term is translated by."""
    with invocation.open() as library:
        found = library.glossary.translate(" ".join(words))
    if invocation.as_json:
        write_json({"words": " ".join(words), "translations": found})
    else:
        printer = Printer(invocation.color)
        for lang, names in found.items():
            for name in names:
                printer.line(name, lang=lang)
    return ExitCode.DONE if found else ExitCode.FINDINGS
