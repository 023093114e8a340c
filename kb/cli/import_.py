"""``kb import`` and ``kb export``: question banks, decks and notes, and all in another format."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

import click

from kb.cli import documents, messages
from kb.cli.messages import working
from kb.cli.options import Command, Invocation, Level, collection_option, completed, filter_options
from kb.cli.output import Printer, binary, write_json
from kb.errors import BadData, Conflict, ExitCode, KbError, Message, UsageError, counted
from kb.formats.registry import EXPORTERS, IMPORTERS, format_of
from kb.i18n import N_, _, digits
from kb.model.values import KINDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kb.model.reports import Dropped, ImportOptions, ImportReport
    from kb.model.results import Filters


_SHOWN = 20
_FEW_LOST = 0.02  # of the words of a file, above which it is named
_COLLECTIONS = 3  # that are named after an import; of more it says how many
_TAKEN_AS = {"notes": N_("a note"), "questions": N_("questions"), "cards": N_("cards")}


@click.command("import", cls=Command)
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option(
    "--format",
    "-f",
    metavar="FORMAT",
    help=f"File format (default: detected): {', '.join(IMPORTERS)}.",
)
@collection_option("Target collection (default: the file's own).")
@click.option(
    "--as", "taken_as", metavar="KIND", help="Read Markdown as notes, questions or cards."
)
@click.option("--report", metavar="FILE", help="Write everything that was skipped to FILE.")
@click.option("--dry-run", is_flag=True, help="Show what would be imported, without importing.")
@click.option("--skip-bad", is_flag=True, help="Write unreadable lines to a file and continue.")
@click.option("--mine", is_flag=True, help="Accept that annotations are yours if the file says so.")
@click.option(
    "--map", "columns", metavar="COLUMNS", help="Columns of a table: question=2,answer=3,tags=5."
)
@click.option("--with-reviews", "reviews", is_flag=True, help="Also import the review history.")
def import_(
    invocation: Invocation,
    paths: tuple[str, ...],
    report: str | None,
    **options: Unpack[ImportOptions],
) -> int:
    """Import questions, answers, cards and notes from files.

    \b
      kb import questions.md
      kb import notes/                     a folder becomes a collection
      kb import deck.jsonl --collection mine
      kb import bank.csv --map question=2,answer=3,tags=5
      kb import --with-reviews deck.apkg   an Anki deck and its review history
      kb import --dry-run notes/           what would be imported or skipped
      kb import backup.json
      kb import --mine backup.json         your annotations stay yours, code stays untrusted
      curl … | kb import - --format jsonl --collection web

    An import is one change, which 'kb undo' undoes. Import a file again to update its entries.
    Your changes stay. If you and the file changed the same text, 'kb resolve' decides. Entries
    no longer in the file stay until 'kb prune'.
    """
    what = Path(paths[0]).name if len(paths) == 1 else counted(len(paths), "{n} file", "{n} files")
    stream = sys.stdin.buffer if "-" in paths and sys.stdin is not None else None
    dry_run, duplicates = options["dry_run"], {}
    if report is not None and _is_imported(report, paths):
        raise Conflict("this file is to be imported", "Name another file.", place=report)
    with invocation.open() as library:
        with working(Message("importing {what}", what=what), "nothing was imported") as progress:
            reports = library.imports.import_files(
                paths, stream=stream, progress=progress, **options
            )
        changed = any(each.added or each.updated for each in reports) and not dry_run
        with done_already(changed):
            if report is not None:
                library.imports.write_report(reports, report)
            if not dry_run:
                fresh = not any(each.updated or each.unchanged for each in reports)
                new = [entry.id for each in reports for entry in each.entries] if fresh else ()
                duplicates = library.meaning.near_duplicates(new)
    with done_already(changed):
        if invocation.as_json:
            write_json(documents.imports(reports, dry_run))
        else:
            _write(Printer(invocation.color), reports, dry_run)
        messages.tell_duplicates(duplicates)
        bad = [line for each in reports for line in each.bad]
        if bad and not dry_run:
            lines = counted(len(bad), "{n} line", "{n} lines")
            messages.notice("{lines} written to {file}", lines=lines, file=_set_aside(bad))
    return ExitCode.CONFLICT if any(each.conflicts for each in reports) else ExitCode.DONE


def _is_imported(file: str, paths: Iterable[str]) -> bool:
    """Return whether a file is one of these, or stands in one of these folders."""
    place = Path(os.path.realpath(file))
    imported = map(Path, map(os.path.realpath, paths))
    within = (place, *place.parents) if os.path.lexists(place) else (place,)
    return any(each in within for each in imported)


def _write(printer: Printer, reports: Sequence[ImportReport], dry_run: bool) -> None:
    for report in reports:
        if dry_run:
            for reading in report.readings:
                form = f" ({reading.form})" if reading.form not in ("", "note") else ""
                kind = _(_TAKEN_AS[reading.taken_as])
                printer.line(f"{reading.file}: {kind}{form}: {_(reading.why)}")
            for entry in report.entries:
                line = _("line {line}").format(line=digits(str(entry.line))) if entry.line else None
                question = next(iter(entry.question.values()), "").split("\n")[0]
                printer.line(printer.joined([entry.id, line]))
                printer.line(question, indent=4)
        printer.line(_sentence(report))
        for assumed in report.assumed:
            printer.line(_("assumed: {what}").format(what=_(assumed)), indent=2)
        for id in report.conflicts:
            printer.say("changed here and in the file: {id}", indent=2, id=id)
        for id in report.gone:
            printer.say("no longer in the file: {id}", indent=2, id=id)
        _write_dropped(printer, (*report.dropped, *report.bad), whole=dry_run)
        _write_dropped(printer, report.disbelieved, whole=dry_run, what=_("not trusted"))
        _write_dropped(printer, report.unfit, whole=dry_run, what=_("never runs"))
    _warn_of_lost(reports)
    if any(report.conflicts for report in reports):
        messages.notice("'kb resolve' shows both versions of each conflict")
    if any(report.gone for report in reports):
        messages.notice("'kb prune' deletes entries that are no longer in their files")


def _write_dropped(
    printer: Printer, dropped: Sequence[Dropped], *, whole: bool, what: str = N_("skipped")
) -> None:
    """List what was skipped: everything, or the first of each reason with a count of the rest."""
    groups: dict[str, list[Dropped]] = {}
    for each in dropped:
        groups.setdefault(str(len(groups)) if whole else each.reason, []).append(each)
    shown = [*groups.values()] if whole else [*groups.values()][:_SHOWN]
    for first, *more in shown:
        place = f"{first.file}:{first.line}" if first.line else first.file
        place = _("{named} and {more} more", named=place, more=len(more)) if more else place
        began = first.text.strip().split("\n")[0][:60]
        why = f"{_(what)}: {place}: {_(first.reason)}"
        printer.line(why + (f": {began}" if began else ""), indent=2)
    if not whole and len(dropped) > len(shown):
        printer.line(_("'kb import --dry-run' lists everything that is skipped."), indent=2)


def _warn_of_lost(reports: Sequence[ImportReport]) -> None:
    """Name the files with many words that are in no entry, the worst first."""
    found = [
        (each.lost / each.words, each)
        for report in reports
        for each in report.readings
        if each.lost > _FEW_LOST * each.words
    ]
    for share, each in sorted(found, key=lambda pair: -pair[0])[:_SHOWN]:
        messages.notice("{share:.0%} of its words are in no entry", place=each.file, share=share)


def _sentence(report: ImportReport) -> str:
    added, updated, left = report.added, report.updated, report.unchanged
    said = N_("{added} added, {updated} updated, {left} unchanged")
    if report.dry_run:
        said = N_("{added} would be added, {updated} would be updated, {left} unchanged")
    told = _(said, added=added, updated=updated, left=left)
    named = report.collection.split(", ") if report.collection else []
    place = _("in {collection}").format(collection=report.collection) if named else ""
    if len(named) > _COLLECTIONS:
        place = _("in {n} collections", n=len(named))
    return f"{report.file}: {_(', ').join(filter(None, [told, place]))}"


def _set_aside(bad: Sequence[Dropped]) -> str:
    """Write unreadable lines to a new file in this folder and return its name."""
    stem, number = Path(bad[0].file).name, 1
    while os.path.lexists(place := f"{stem}.bad" if number == 1 else f"{stem}.bad-{number}"):
        number += 1
    try:
        with open(place, "x", encoding="utf-8") as out:
            out.writelines(f"{each.text}\n" for each in bad)
    except OSError as error:
        raise BadData("cannot be written ({error})", place=place, error=error.strerror) from error
    return place


# What the commands that write have in common: their options, and how they tell what they did.


_Command = Callable[..., Any]
_SHOWN_BEFORE = 50


def given_options(command: _Command) -> _Command:
    """Add the options that set fields of an entry; the command gets them as ``given``."""

    @click.option("--question", metavar="TEXT", help="Question text.")
    @click.option("--answer", metavar="TEXT", help="Answer text.")
    @click.option(
        "--lang", metavar="CODE", help="Language of the texts (default: detected): en, fa, …"
    )
    @click.option("--level", type=Level(""), help="Level, or E, M, H ('' for none).")
    @click.option(
        "--tag",
        multiple=True,
        metavar="TAG",
        shell_complete=completed("tag"),
        help="Tag (repeat the option for several).",
    )
    @click.option("--kind", type=click.Choice(KINDS), help="Entry type.")
    @collection_option("Collection of the entry.")
    @functools.wraps(command)
    def told(*args: Any, **options: Any) -> Any:
        from kb.model.draft import Amendment

        values = {name: options.pop(name) for name in Amendment._fields}
        given = Amendment(**{**values, "tag": values["tag"] or None})
        return command(*args, given=given, **options)

    return told


def tell(invocation: Invocation, ids: Iterable[str], change: str | None, said: str) -> None:
    """Report changed entries: as JSON, or as a sentence and the ids."""
    names = list(ids)
    with done_already(change is not None):
        if invocation.as_json:
            write_json({"ids": names, "change": change})
            return
        shown = names if len(names) <= _SHOWN_BEFORE else names[:_SHOWN_BEFORE]
        printer = Printer(invocation.color)
        for name in shown:
            printer.row(name)
    if len(shown) < len(names):
        messages.notice("and {more} more; --json names all", more=len(names) - len(shown))
    messages.notice(said if change else "nothing changed")


@contextmanager
def done_already(changed: bool) -> Iterator[None]:
    """If a write fails after a change was made, say that the change was made."""
    try:
        yield
    except KbError as error:
        if changed:
            error.hint = Message("The change was made. 'kb undo' undoes it.")
        raise


_FORMATS = "\n".join(f"      {name:<8}{format.summary}" for name, format in EXPORTERS.items())


@click.command(
    "export",
    cls=Command,
    help=f"""Export the knowledge base, or a filtered part.

    \b
      kb export -o everything.json
      kb export --level H -o hard.csv
      kb export -f jsonld

    Formats:

    \b
{_FORMATS}

    A spreadsheet would compute a cell that begins with = + - or @. Such a cell gets an
    apostrophe, which 'kb import' removes. --raw-cells leaves cells unchanged. A terminal shows
    control characters as signs. A file or a pipe gets the stored text.
    """,
)
@click.option(
    "--format",
    "-f",
    metavar="FORMAT",
    help="A format of the list above (default: by the file's ending).",
)
@click.option(
    "--output",
    "-o",
    metavar="PATH",
    default="-",
    help="File or folder (default: -, standard output).",
)
@click.option("--with-reviews", "reviews", is_flag=True, help="Also export how you studied.")
@click.option("--raw-cells", is_flag=True, help="Do not escape formulas in tables.")
@filter_options
def export(
    invocation: Invocation,
    format: str | None,
    output: str,
    reviews: bool,
    raw_cells: bool,
    filters: Filters,
) -> None:
    """Write an export to a file or to stdout."""
    to_stdout = output == "-"
    if format is None and to_stdout:
        raise UsageError("name a format with -f, or a file with -o")
    format = format_of(format, Path(output), EXPORTERS)
    if to_stdout and format == "sqlite" and os.isatty(1):
        raise UsageError("a database cannot be shown in a terminal", "Name a file with -o PATH.")
    if to_stdout and format in EXPORTERS and EXPORTERS[format].folder:
        raise UsageError(
            "'{format}' is a folder of files", "Name a folder with -o PATH.", format=format
        )
    with invocation.open() as library:
        target = binary() if to_stdout else output
        written = library.export(
            format, target, filters=filters, raw_cells=raw_cells, reviews=reviews
        )
    if not to_stdout:
        said = counted(written, "{n} entry written", "{n} entries written")
        messages.notice(said, place=output)
