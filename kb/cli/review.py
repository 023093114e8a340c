"""``kb review``: proposals of readers, each as a difference with its evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from kb.cli import messages
from kb.cli.consenting import agreed
from kb.cli.messages import working
from kb.cli.options import Command, Invocation, unsafe_run_option
from kb.cli.output import Printer, write_json
from kb.errors import ExitCode, UsageError, counted
from kb.i18n import N_, _
from kb.i18n.names import author_named, field_name

if TYPE_CHECKING:
    from kb.library import Library
    from kb.service.review import Proposal

_SHORT = 12  # digits of an id
_STATES = {"pending": N_("pending"), "accepted": N_("accepted"), "rejected": N_("rejected")}


@click.command("review", cls=Command)
@click.argument("name", required=False, metavar="[ID]")
@click.option("--accept", is_flag=True, help="Accept the proposal, after its evidence has run.")
@click.option("--reject", is_flag=True, help="Reject the proposal.")
@click.option("--reason", metavar="TEXT", default="", help="Why, kept with the decision.")
@click.option("--all", "decided", is_flag=True, help="Also list decided proposals.")
@click.option("--save", metavar="FILE", help="Write your own proposals to FILE.")
@click.option("--load", metavar="FILE", help="Add the proposals in FILE.")
@click.option("--trust", is_flag=True, help="Run untrusted code of the proposal.")
@unsafe_run_option
def command(
    invocation: Invocation,
    name: str | None,
    accept: bool,
    reject: bool,
    decided: bool,
    save: str | None,
    load: str | None,
    trust: bool,
    **deciding: Any,
) -> int:
    """Show proposals of a course, and decide about them.

    \b
      kb review                                  what waits
      kb review 1f0c9a3b                         one of them
      kb review 1f0c9a3b --accept
      kb review 1f0c9a3b --reject --reason "The source says so, too."

    ID is the beginning of a proposal's id, or an entry with one proposal. Before a proposal is
    accepted, its new evidence runs. Untrusted code is shown first and needs your consent.
    What the evidence does not confirm is accepted only with a reason. 'kb sync' sends
    decisions. Without a network, --save and --load carry proposals in a file, which does
    not prove who wrote it.
    """
    if accept and reject:
        raise UsageError("choose --accept or --reject")
    if (accept or reject) and name is None:
        raise UsageError("name the proposal")
    with invocation.open() as library:
        if save is not None:
            return _save(invocation, library, save)
        if load is not None:
            for row in library.sync.load_proposals(load).aside:
                messages.notice("skipped: {name} ({reason})", name=row.text, reason=row.reason)
        if name is not None and (accept or reject):
            return _decide(invocation, library, name, accept, trust, **deciding)
        found = library.reviews.proposals(decided=decided or name is not None)
        if name is not None:
            found = [
                each
                for each in found
                if each.id.startswith(name) or f"/{each.entry}".endswith(f"/{name}")
            ]
    if invocation.as_json:
        write_json({"proposals": [_as_json(each) for each in found]})
    else:
        printer = Printer(invocation.color)
        for each in found:
            _write(printer, each, whole=name is not None)
    return ExitCode.DONE if found else ExitCode.FINDINGS


def _save(invocation: Invocation, library: Library, path: str) -> int:
    """Write the reader's own proposals to a file."""
    count = library.sync.save_proposals(path)
    if invocation.as_json:
        write_json({"saved": count})
    changes = counted(count, "{n} change", "{n} changes")
    messages.notice("{changes} written to {file}", changes=changes, file=path)
    return ExitCode.DONE


def _decide(
    invocation: Invocation, library: Library, name: str, accept: bool, trust: bool, **deciding: Any
) -> int:
    yes = agreed(library.reviews.programs(name), trust=trust) if accept else frozenset()
    with working("running programs") as progress:
        done = library.reviews.decide(name, accept=accept, yes=yes, progress=progress, **deciding)
    if invocation.as_json:
        results = [{"annotation": r.annotation, "status": r.status} for r in done.results]
        told = {"id": done.proposal.id, "accepted": done.accepted, "results": results}
        write_json(told)
        return ExitCode.DONE
    for each in done.results:
        messages.notice("{annotation}: {status}", annotation=each.annotation, status=_(each.status))
    messages.notice("accepted; 'kb sync' sends it" if accept else "rejected; 'kb sync' sends it")
    return ExitCode.DONE


def _as_json(proposal: Proposal) -> dict[str, object]:
    told = proposal._asdict()
    told["changes"] = [
        {"field": each.field, "before": each.before, "after": each.after}
        for each in proposal.changes
    ]
    return told


def _write(printer: Printer, proposal: Proposal, *, whole: bool) -> None:
    from kb.present.changes import differing, is_short, texts_of

    author = author_named(proposal.author, proposal.says)
    facts = [proposal.id[:_SHORT], proposal.entry, author, _(_STATES[proposal.status])]
    printer.line(printer.joined(facts), style={"bold": True})
    for each in proposal.changes:
        printer.line(field_name(str(each.field)), indent=2, style={"dim": True})
        before, after = texts_of(each.before, each.after)
        if not whole:
            continue
        if is_short(before, after):
            printer.write(f"-{before}", indent=4)
            printer.write(f"+{after}", indent=4)
        else:
            for line in differing(before, after):
                printer.write(line, indent=4)
    if whole and proposal.reason:
        printer.write(proposal.reason, indent=2)
