"""``kb show``: an entry with everything that belongs to it."""

from __future__ import annotations

import dataclasses
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import click

from kb.cli import messages
from kb.cli.consenting import whose
from kb.cli.options import Invocation, complete_id, global_options, plain_option
from kb.cli.output import Printer, Span, write_json
from kb.errors import ExitCode, Message, NotFound, counted, nearest
from kb.i18n import _, digits
from kb.i18n import language as spoken_language

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kb.library import Library
    from kb.model import Annotation, Answer, Entry, Evidence
    from kb.present.markdown.document import Block, Prose, Styled
    from kb.present.markdown.drawing import Drawn


@click.command("show")
@click.argument("id", shell_complete=complete_id)
@click.option("--lang", metavar="CODE", help="Only this language: en, fa, …")
@click.option("--all", "whole", is_flag=True, help="Also the notes of little weight.")
@plain_option
@global_options
def command(invocation: Invocation, id: str, lang: str | None, whole: bool, plain: bool) -> int:
    """Show an entry: question, answers, annotations, programs.

    \b
      kb show batch-norm-epsilon
      kb show batch-norm-epsilon --lang fa
      kb show notes/kernel#Memory          one section of a note
      kb show matrix_chain_order           a program by its name, and whose it is
    """
    with invocation.open() as library:
        try:
            entry = library.show(id)
        except NotFound as none:
            return _show_program(invocation, library, id, none)
        contested = library.files.contested([entry.id])
        elsewhere = _elsewhere(library, entry)
        backlinks = library.read.backlinks(entry.id)
    if contested:
        messages.notice(
            "its file says something else by now: 'kb resolve {id}' shows both", id=entry.id
        )
    if lang is not None:
        entry = only_language(entry, lang)
    if invocation.as_json:
        from kb.model.entry_json import ENTRY

        always = {"aliases": list(entry.aliases), "context": entry.context}
        write_json({**ENTRY.write(entry), **always, "backlinks": list(backlinks)})
    else:
        printer = Printer(invocation.color, plain=plain)
        _write(printer, entry, lang, elsewhere, whole=whole)
        if backlinks:
            printer.line(_("linked from: {entries}").format(entries=", ".join(backlinks)))
    return ExitCode.DONE


def only_language(entry: Entry, lang: str) -> Entry:
    """Return an entry with the texts of one language; its annotations keep their targets."""
    spoken = entry.languages
    if lang not in spoken:
        raise NotFound(
            "this entry has no text in '{lang}'",
            nearest(lang, spoken) or Message("It has: {spoken}.", spoken=", ".join(spoken)),
            place=entry.id,
            lang=lang,
        )
    return dataclasses.replace(
        entry,
        question={k: v for k, v in entry.question.items() if k == lang},
        origins={k: v for k, v in entry.origins.items() if k == lang},
        restored={k: v for k, v in entry.restored.items() if k == lang},
        wording={k: v for k, v in entry.wording.items() if k == lang},
        answers=tuple(answer for answer in entry.answers if answer.lang == lang),
    )


def _show_program(invocation: Invocation, library: Library, name: str, none: NotFound) -> int:
    """Show the program that a name means where no entry has it; else tell that there is none."""
    try:
        (program,) = library.programs.of_run(name)
    except NotFound:
        raise none from None
    if invocation.as_json:
        from kb.model.reports_json import PROGRAM

        write_json(PROGRAM.write(program))
        return ExitCode.DONE
    from kb.present.programs import shown_code

    printer = Printer(invocation.color)
    printer.line(program.name, style={"bold": True})
    printer.say(whose(program), indent=4)
    printer.line(f"sha256 {program.digest}", indent=4)
    for entry in program.entries:
        printer.line(_("of {entry}").format(entry=entry), indent=4)
    printer.write(shown_code(program.code), indent=4)
    return ExitCode.DONE


def _elsewhere(library: Library, entry: Entry) -> Mapping[str, tuple[str, ...]]:
    """Return the programs that evidence names and the entry does not have, with those that do."""
    here = {snippet.id for snippet in entry.snippets}
    names = {each.snippet for a in entry.annotations for each in a.evidence} - here
    found = library.read.holders(sorted(names)) if names else {}
    return {name: found.get(name, ()) for name in names}


def _write(
    printer: Printer,
    entry: Entry,
    lang: str | None,
    elsewhere: Mapping[str, tuple[str, ...]],
    *,
    whole: bool,
) -> None:
    facts = [_(entry.kind), entry.number, entry.level, entry.topic, entry.collection]
    printer.row(Span(entry.id, {"bold": True}), f"  {printer.joined(facts)}")
    if entry.aliases:
        printer.line(_("also called: {titles}").format(titles=printer.joined(entry.aliases)))
    for language, question in entry.question.items():
        printer.write()
        write_prose(printer, question, language, style={"bold": True})
        if entry.restored.get(language):
            printer.say("(formulas and layout restored; the source lost them)", style={"dim": True})
        if language in entry.wording:
            printer.write()
            printer.say("better wording ({language})", style={"underline": True}, language=language)
            write_prose(printer, entry.wording[language], language)
    if entry.context:
        printer.write()
        printer.line(_("context"), style={"underline": True})
        write_prose(printer, entry.context, lang or next(iter(entry.languages)))
    _write_worst(printer, entry, lang or spoken_language())
    for answer in entry.answers:
        printer.write()
        printer.line(_caption(entry, answer), style={"underline": True})
        write_prose(printer, answer.text, answer.lang)
    _write_annotations(printer, entry, lang, elsewhere, whole=whole)
    from kb.present.programs import shown_code

    for snippet in entry.snippets:
        printer.write()
        title = snippet.title.get(lang or "en") or next(iter(snippet.title.values()), "")
        caption = _("program {name}: {title}").format(name=snippet.id, title=title)
        printer.line(caption, style={"underline": True})
        printer.write(shown_code(snippet.code), indent=4)
    if entry.related:
        printer.write()
        printer.line(_("related: {entries}").format(entries=", ".join(entry.related)))


def _caption(entry: Entry, answer: Answer) -> str:
    if entry.is_translation(answer):
        return _("source answer ({lang}, our translation)", lang=answer.lang)
    if answer.role == "source":
        return _("source answer ({lang})", lang=answer.lang)
    return _("reference answer ({lang})", lang=answer.lang)


def _write_worst(printer: Printer, entry: Entry, lang: str) -> None:
    """Write what is worst about an entry, in a sentence each."""
    from kb.present.annotated import worst_of
    from kb.present.weight import SIGNS

    found = worst_of(entry, lang)
    if not found:
        return
    printer.write()
    wrong = counted(len(found), "what is wrong", "the {n} things that are wrong")
    printer.say(wrong, style={"underline": True})
    for (number, annotation), spoken, sentence in found:
        named = _("note {number}:").format(number=digits(str(number)))
        sign = named if printer.plain else f"{SIGNS[annotation.verdict]} {number}."
        printer.write(f"{sign} {sentence}", lang=spoken, indent=2)


def _write_annotations(
    printer: Printer,
    entry: Entry,
    lang: str | None,
    elsewhere: Mapping[str, tuple[str, ...]],
    *,
    whole: bool,
) -> None:
    """Write the annotations; those of little weight are counted, unless they were asked for."""
    from kb.present.annotated import numbered, numbers_of, said_before
    from kb.present.weight import concerns, may_wait

    left: list[str] = []
    numbers = numbers_of(entry)
    for number, annotation in numbered(entry):
        if not whole and (may_wait(annotation) or not concerns(annotation, lang or "")):
            left.append(annotation.verdict)
            continue
        place = f"{number} of {len(entry.annotations)}"
        _write_annotation(printer, annotation, lang, place, said_before(numbers, annotation))
        if not annotation.repeats:
            _tell_elsewhere(printer, annotation, elsewhere)
    if left:
        verdicts = ", ".join(f"{count} {_(each)}" for each, count in Counter(left).items())
        printer.write()
        printer.say(
            "{left} notes of little weight ({verdicts}): --all shows them",
            left=len(left),
            verdicts=verdicts,
        )


def _write_annotation(
    printer: Printer,
    annotation: Annotation,
    lang: str | None,
    place: str,
    before: tuple[int, str] | None,
) -> None:
    """Write an annotation; ``before`` is the number and the words of the one that it repeats."""
    from kb.present.weight import SIGNS

    printer.write()
    style = {"fg": "red" if annotation.severity == "high" else "yellow"}
    sign = (
        _("annotation {number}:").format(number=place)
        if printer.plain
        else SIGNS[annotation.verdict]
    )
    facts = [annotation.severity, annotation.status]
    if annotation.own:
        facts = [
            Message("your own {id}", id=annotation.id),
            *(["orphaned"] * (annotation.status == "orphaned")),
        ]
    status = _(", ").join(map(_, facts))
    head = f"{sign} {_(annotation.verdict)} ({status})"
    printer.line(head, style=style)
    anchor = annotation.anchors.get(lang or "")
    quote, spoken = annotation.target.quote, annotation.target.lang
    if anchor is not None and lang:
        quote, spoken = anchor.quote, lang
    printer.write(f"“{quote}”", lang=spoken, indent=4, style={"dim": True})
    if annotation.repeats:
        number, words = before or (0, annotation.repeats)
        printer.say(
            "the same claim as {number}, on “{words}”", indent=4, number=number, words=words
        )
        return
    for language, note in annotation.note.items():
        if lang in (None, language):
            write_prose(printer, note, language, indent=4)
    for evidence in annotation.evidence:
        figures = _figures(printer, evidence, confirmed=annotation.status == "confirmed")
        printer.line(figures, indent=4, style={"bold": True})
    for reference in annotation.references:
        sign = _("reference:") if printer.plain else "·"
        printer.line(f"{sign} {reference}", indent=4)
    if annotation.checked:
        printer.say(
            "checked on {checked}, until {until}",
            indent=4,
            checked=annotation.checked,
            until=annotation.until,
        )


_TOLD = {"definition": Message("by definition")}
"""How figures are told, where it is not by the word for what they are."""


def _tell_elsewhere(
    printer: Printer, annotation: Annotation, elsewhere: Mapping[str, tuple[str, ...]]
) -> None:
    """Say whose the programs are that evidence names and that are not shown here."""
    for name in dict.fromkeys(each.snippet for each in annotation.evidence):
        holders = elsewhere.get(name)
        if holders:
            printer.say(
                "{name} is a program of {entries}: 'kb show {first}' shows it",
                indent=4,
                name=name,
                entries=", ".join(holders),
                first=holders[0],
            )
        elif name in elsewhere:
            printer.say("there is no program {name} here", indent=4, name=name)


def _figures(printer: Printer, evidence: Evidence, *, confirmed: bool) -> str:
    """Say what the source says and what is expected, or was measured where it is confirmed."""
    from kb.terminal.numerals import figure

    told = [
        f"{_(_TOLD.get(kind, kind))} {figure(value)}"
        for kind, value in evidence.told(confirmed=confirmed)
    ]
    return printer.joined([*told, f"{evidence.snippet}: {evidence.figure}"])


# Texts in Markdown, for people: in styles, or with signs or words where there are none.


_STYLES: Mapping[str, Mapping[str, Any]] = {
    "bold": {"bold": True},
    "italic": {"italic": True},
    "underline": {"underline": True},
    "strike": {"strikethrough": True},
    "code": {"fg": "cyan"},
    "mark": {"reverse": True},
    "link": {"underline": True},
}
_AS_WRITTEN = Message("(too long or too nested to be laid out: shown as it was written)")


def write_prose(
    printer: Printer,
    text: str,
    lang: str,
    *,
    indent: int = 0,
    style: Mapping[str, Any] | None = None,
) -> None:
    """Write a text in a language; what is written in Markdown is laid out."""
    from kb.present.markdown.reader import read

    document = read(text, lang)
    for block in document.blocks:
        if block.apart:
            printer.write()
        for line in _lines(printer, block, lang, indent, style or {}):
            printer.laid(" " * indent, *line)
    if not document.read:
        printer.write(_(_AS_WRITTEN), indent=indent, style={"dim": True})


def _lines(
    printer: Printer, block: Block, lang: str, indent: int, style: Mapping[str, Any]
) -> Iterator[list[Span]]:
    from kb.present.markdown.drawing import UNBROKEN, draw
    from kb.present.markdown.words import in_words
    from kb.terminal import direction_of

    if printer.plain:
        yield from ([Span(line)] for line in in_words(block))
        return
    shown = block if printer.colored and printer.terminal else _signed(block, printer)
    width = max(1, printer.width - indent) if printer.laid_out else UNBROKEN
    style = {} if block.kind == "code" else style
    for drawn in draw(shown, width, direction_of(lang), printer.turned):
        right = drawn.line.rtl and printer.turned
        edge = max(0, width - drawn.line.width) if right else 0
        yield [Span(" " * edge), *_styled(printer, drawn, style)]


def _signed(block: Block, printer: Printer) -> Block:
    """Return a block with addresses beside its links, and marks where there are no styles."""
    from kb.present.markdown.document import with_texts
    from kb.present.markdown.words import with_addresses, with_marks

    def signed(prose: Prose) -> Prose:
        return with_addresses(prose if printer.colored else with_marks(prose))

    return with_texts(block, signed)


def _styled(printer: Printer, drawn: Drawn, style: Mapping[str, Any]) -> list[Span]:
    """Return a line in its styles; what is a link leads to its address in a terminal."""
    text = drawn.line.text
    if not printer.colored:
        return [Span(text)]
    over: dict[int, Styled] = {}
    begun: dict[int, dict[int, Styled]] = defaultdict(dict)
    ended: dict[int, list[int]] = defaultdict(list)
    for number, each in enumerate(drawn.styled):
        if each.start < each.end:
            begun[each.start][number] = each
            ended[each.end].append(number)
    spans = []
    for start, end in pairwise(sorted({0, len(text), *begun, *ended})):
        for number in ended[start]:
            del over[number]
        over |= begun[start]
        spans.append(_stretch(text[start:end], [over[n] for n in sorted(over)], style))
    return spans


def _stretch(text: str, over: Iterable[Styled], style: Mapping[str, Any]) -> Span:
    known = dict(style)
    for name in (name for each in over for name in each.styles):
        known |= _STYLES.get(name, {})
    return Span(text, known, next((each.address for each in over if each.address), ""))
