"""``kb glossary``: dictionaries by which words are found in the other language."""

from __future__ import annotations

import click

from kb.cli.options import Settings, global_options
from kb.cli.output import Page, write_json
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
def add(settings: Settings, file: str, left: str, right: str) -> int:
    """Add a dictionary: a table with tabs, a word and its translation in each line.

    \b
      kb glossary add my-terms.tsv
      kb glossary add deutsch.tsv --from en --to de

    Adding a file again replaces what it gave before.
    """
    with settings.open() as library:
        report = library.add_glossary(file, languages=(left, right))
    if settings.as_json:
        write_json(report._asdict())
    else:
        page = Page(settings.color)
        page.write(f"{file}: {report.pairs} pairs in the glossary '{report.name}'")
    return ExitCode.DONE


@command.command("show")
@click.argument("words", nargs=-1, required=True)
@global_options
def show(settings: Settings, words: tuple[str, ...]) -> int:
    """Show what a term is translated by."""
    with settings.open() as library:
        found = library.translate(" ".join(words))
    if settings.as_json:
        write_json({"words": " ".join(words), "translations": found})
    else:
        page = Page(settings.color)
        for lang, names in found.items():
            for name in names:
                page.write(name, lang=lang)
    return ExitCode.DONE if found else ExitCode.FINDINGS
