"""``kb show``: an entry with everything that belongs to it."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import click

from kb.cli import messages
from kb.cli.options import Invocation, global_options, plain_option
from kb.cli.output import Printer, Span, write_json
from kb.cli.prose import write_prose
from kb.errors import ExitCode, NotFound, nearest

if TYPE_CHECKING:
    from kb.records import Annotation, Entry, Evidence


@click.command("show")
@click.argument("id")
@click.option("--lang", metavar="CODE", help="Only this language: en, fa, …")
@plain_option
@global_options
def command(invocation: Invocation, id: str, lang: str | None, plain: bool) -> int:
    """Show an entry: question, answers, annotations, snippets.

    \b
      kb show batch-norm-epsilon
      kb show batch-norm-epsilon --lang fa
    """
    with invocation.open() as library:
        entry = library.show(id)
        contested = library.files.contested([entry.id])
    if contested:
        messages.notice(f"its file says something else by now: 'kb resolve {entry.id}' shows both")
    if lang is not None:
        entry = only_language(entry, lang)
    if invocation.as_json:
        from kb.contract.entry import ENTRY

        write_json(ENTRY.write(entry))
    else:
        _write(Printer(invocation.color, plain=plain), entry, lang)
    return ExitCode.DONE


def only_language(entry: Entry, lang: str) -> Entry:
    """Return an entry with the texts of one language; its annotations keep their targets."""
    spoken = entry.languages
    if lang not in spoken:
        raise NotFound(
            f"{entry.id}: this entry has no text in '{lang}'",
            nearest(lang, spoken) or f"It has: {', '.join(spoken)}.",
        )
    return dataclasses.replace(
        entry,
        question={k: v for k, v in entry.question.items() if k == lang},
        origins={k: v for k, v in entry.origins.items() if k == lang},
        restored={k: v for k, v in entry.restored.items() if k == lang},
        wording={k: v for k, v in entry.wording.items() if k == lang},
        answers=tuple(answer for answer in entry.answers if answer.lang == lang),
    )


def _write(printer: Printer, entry: Entry, lang: str | None) -> None:
    facts = [entry.kind, entry.number, entry.level, entry.topic, entry.collection]
    printer.row(Span(entry.id, {"bold": True}), f"  {printer.joined(facts)}")
    for language, question in entry.question.items():
        printer.write()
        write_prose(printer, question, language, style={"bold": True})
        if entry.restored.get(language):
            printer.write(
                "(formulas and layout restored; the source lost them)", style={"dim": True}
            )
        if language in entry.wording:
            printer.write()
            printer.line(f"better wording ({language})", style={"underline": True})
            write_prose(printer, entry.wording[language], language)
    for answer in entry.answers:
        printer.write()
        printer.line(f"{answer.role} answer ({answer.lang})", style={"underline": True})
        write_prose(printer, answer.text, answer.lang)
    from kb.present.annotated import numbered

    for number, annotation in numbered(entry):
        _write_annotation(printer, annotation, lang, f"{number} of {len(entry.annotations)}")
    for snippet in entry.snippets:
        printer.write()
        title = snippet.title.get(lang or "en") or next(iter(snippet.title.values()), "")
        printer.line(f"snippet {snippet.id}: {title}", style={"underline": True})
        printer.write(snippet.code.rstrip(), indent=4)
    if entry.related:
        printer.write()
        printer.line(f"related: {', '.join(entry.related)}")


def _write_annotation(
    printer: Printer, annotation: Annotation, lang: str | None, place: str
) -> None:
    printer.write()
    style = {"fg": "red" if annotation.severity == "high" else "yellow"}
    sign = f"annotation {place}:" if printer.plain else "✗"
    status = f"{annotation.severity}, {annotation.status}"
    if annotation.own:
        status = f"your own {annotation.id}" + (", orphaned" * (annotation.status == "orphaned"))
    head = f"{sign} {annotation.verdict} ({status})"
    printer.line(head, style=style)
    quote = f"“{annotation.target.quote}”"
    printer.write(quote, lang=annotation.target.lang, indent=4, style={"dim": True})
    if annotation.repeats:
        printer.line(f"the same claim as {annotation.repeats}", indent=4)
        return
    for language, note in annotation.note.items():
        if lang in (None, language):
            write_prose(printer, note, language, indent=4)
    for evidence in annotation.evidence:
        printer.line(_measured(printer, evidence), indent=4, style={"bold": True})
    for reference in annotation.references:
        printer.line(f"source: {reference}" if printer.plain else f"· {reference}", indent=4)


def _measured(printer: Printer, evidence: Evidence) -> str:
    from kb.display.figures import figure

    claimed = None if evidence.claimed is None else f"claimed {figure(evidence.claimed)}"
    measured = f"measured {figure(evidence.expected)}"
    return f"{printer.joined([claimed, measured])} ({evidence.snippet}: {evidence.figure})"
