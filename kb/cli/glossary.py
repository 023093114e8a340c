"""``kb glossary``: dictionaries by which words are found in the other language."""

from __future__ import annotations

import click

from kb.cli.options import Invocation, global_options
from kb.cli.output import Printer, write_json
from kb.cli.working import working
from kb.cli.writing import counted
from kb.errors import ExitCode

_SENTENCES = "sentences and their translations"


@click.group("glossary")
def command() -> None:
    """The terms by which a search finds texts in the other language.

    \b
      kb glossary show gradient
      kb glossary add my-terms.tsv
      kb glossary learn sentences.tsv
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
        printer.say(f"{file}: {report.pairs} pairs in the glossary '{report.name}'")
    return ExitCode.DONE


@command.command("learn")
@click.argument("pairs", nargs=-1)
@click.option("--from", "left", default="en", metavar="CODE", help="The first column (en).")
@click.option("--to", "right", default="fa", metavar="CODE", help="The second column (fa).")
@global_options
def learn(invocation: Invocation, pairs: tuple[str, ...], left: str, right: str) -> int:
    """Learn a dictionary from tables with tabs, a sentence and its translation in each line.

    \b
      kb glossary learn sentences.tsv
      kb glossary learn books.tsv talks.tsv --from en --to de
      kb glossary learn                    from your entries that have texts in both languages

    Few words are taken, those that are likely. Learning from the same files again, or from your
    entries, replaces what was learned before.
    """
    with invocation.open() as library, working("learning") as progress:
        report = library.glossary.learn(pairs, languages=(left, right), progress=progress)
    if invocation.as_json:
        from kb.contract.reports import LEARNED

        write_json(LEARNED.write(report))
        return ExitCode.DONE
    found = counted(report.pairs, "pair of words", "pairs of words")
    read = counted(report.sentences, "sentence and its translation", _SENTENCES)
    printer = Printer(invocation.color)
    printer.say(f"{found} in the glossary '{report.name}', from {read}")
    _tell(printer, report.repeated, "it stood there before", "they stood there before")
    _tell(printer, report.too_long, "it is too long", "they are too long")
    return ExitCode.DONE


def _tell(printer: Printer, count: int, one: str, many: str) -> None:
    """Say of how many sentences nothing was learned, and why."""
    if count:
        printer.say(f"{count} not taken: {one if count == 1 else many}", indent=2)


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
