"""``kb sync``, ``hub`` and ``review``: exchange changes with other copies, and with a course.

A course is on PostgreSQL. Proposals of its readers are shown as differences with their evidence.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from kb.cli import messages
from kb.cli.changes import write_difference
from kb.cli.consenting import agreed
from kb.cli.messages import working
from kb.cli.options import Command, Invocation, completed, unsafe_run_option
from kb.cli.output import Printer, write_json
from kb.errors import ExitCode, Message, UsageError, counted
from kb.i18n import N_, _
from kb.i18n.names import author_named, field_name

if TYPE_CHECKING:
    from kb.library import Library
    from kb.service.review import Proposal
    from kb.service.sync import Synced


_NAMED = 20
_ADDRESSES = ("postgresql://", "postgres://")


@click.command("sync", cls=Command)
@click.argument("target", required=False, metavar="[FILE|URL]")
@click.option("--course", metavar="NAME", help="The course on the hub, once.")
@click.option(
    "--only", multiple=True, metavar="COLLECTION",
    help="Read only this collection of the course (repeatable). Its own name means all.",
)  # fmt: skip
@click.option(
    "--with-reviews", "reviews", is_flag=True,
    help="Also exchange how you studied, and the settings of studying.",
)  # fmt: skip
def sync(
    invocation: Invocation,
    target: str | None,
    course: str | None,
    only: Sequence[str],
    reviews: bool,
) -> None:
    """Exchange changes with your other copies, or with a course.

    \b
      kb sync /media/stick/notes.sync     on one machine, then on the other
      kb sync postgresql://ada@db.example.org/course --course ml
      kb sync                             the last file and courses again
      kb resolve                          what was changed in two ways

    FILE is created by the first copy. It holds everything that you wrote, imported or changed,
    and after --with-reviews your study log and the settings of studying. A course gets only
    entries of its collection, without your private notes. Changes merge. What two copies changed
    in different ways is a conflict: both versions are kept until you choose.
    """
    to_hub = target is not None and target.startswith(_ADDRESSES)
    if reviews and (target is None or to_hub):
        raise UsageError("--with-reviews needs a file")
    if only and not to_hub:
        raise UsageError("--only needs the address of a hub")
    with invocation.open() as library, working("syncing", "the next sync continues") as progress:
        if target is None:
            done = library.sync.sync_known(course, progress=progress)
            if not done:
                raise UsageError("name a file, or the address of a hub")
        elif not to_hub:
            if course is not None:
                raise UsageError("--course needs the address of a hub")
            done = [library.sync.sync_file(target, reviews=reviews, progress=progress)]
        else:
            known = [each.course for each in library.sync.courses() if each.target == target]
            courses = known if known and course is None and not only else [course]
            done = [
                library.sync.sync_hub(target, each, only=only, progress=progress)
                for each in courses
            ]
    if invocation.as_json:
        write_json({"syncs": [_sync_json(each) for each in done]})
    for each in done:
        _tell_synced(each)


def _sync_json(done: Synced) -> dict[str, object]:
    told = {n: list(v) if isinstance(v, tuple) else v for n, v in done._asdict().items()}
    told["conflicts"] = told.pop("disputed")
    skipped = told.pop("aside")
    told["skipped"] = [{"name": each.text, "reason": str(each.reason)} for each in skipped]
    return told


def _tell_synced(done: Synced) -> None:
    for each in done.aside[:_NAMED]:
        messages.notice("skipped: {name} ({reason})", name=each.text[:80], reason=each.reason)
    if len(done.aside) > _NAMED:
        messages.notice("and {more} more; --json names all", more=len(done.aside) - _NAMED)
    sent, received, unsent = (
        counted(n, "{n} change", "{n} changes") for n in (done.sent, done.received, done.unsent)
    )
    entries, disputed = counted(len(done.entries)), counted(done.disputed)
    told = {"sent": sent, "received": received, "entries": entries}
    messages.notice("{sent} sent, {received} received, {entries} changed", **told)
    if done.only:
        messages.notice("read: only {collections}", collections=", ".join(done.only))
    if done.settings:
        messages.notice("changed settings: {names}", names=", ".join(done.settings))
    if done.unsent:
        messages.notice("{changes} not sent yet", changes=unsent)
    if done.disputed:
        messages.notice("{entries} with conflicts: see 'kb resolve'", entries=disputed)


_course = click.option(
    "--course", metavar="NAME", required=True, shell_complete=completed("collection"),
    help="The shared collection.",
)  # fmt: skip
_hub = click.option(
    "--hub", "address", metavar="URL", default="", help="The hub (default: of 'kb hub init')."
)


@click.group("hub")
def hub() -> None:
    """Share a collection on a PostgreSQL server.

    \b
      kb hub init postgresql://teacher@db.example.org/course
      kb hub add ada --course ml --role contributor
      kb hub list --course ml

    Readers propose changes, contributors make them, reviewers decide about proposals, and owners
    choose members. 'kb sync URL --course ml' exchanges changes.
    """


@hub.command("init", cls=Command)
@click.argument("address", metavar="URL")
def init(invocation: Invocation, address: str) -> None:
    """Create a hub in a database, or upgrade it.

    You need CREATEROLE and CREATE on the database, and should not be a superuser. Put your
    password into ~/.pgpass, not into URL.
    """
    with invocation.open() as library:
        library.sync.hub_init(address)
    _tell_done(invocation, Message("the hub is ready; 'kb hub add' adds members"), hub=address)


@hub.command("add", cls=Command)
@click.argument("name")
@_course
@click.option(
    "--role", default="reader", metavar="ROLE",
    help="reader (default), contributor, reviewer or owner.",
)  # fmt: skip
@click.option("--password-stdin", is_flag=True, help="Set the password in the first input line.")
@_hub
def add(
    invocation: Invocation, name: str, course: str, role: str, password_stdin: bool, address: str
) -> None:
    """Give somebody a role in a course.

    \b
      kb hub add ada --course ml --role contributor --password-stdin < password

    The course is created if necessary. NAME is a role in PostgreSQL. A new one has no
    password unless you set one here or with psql's \\password.
    """
    password = sys.stdin.readline().rstrip("\n") if password_stdin else None
    with invocation.open() as library:
        new = library.sync.hub_add(name, role, course, address=address, password=password)
    told = {"name": name, "role": role, "course": course}
    _tell_done(invocation, Message("{name} is now {role} in {course}", **told), **told)
    if new and not password:
        messages.notice("{name} has no password yet", name=name)


@hub.command("remove", cls=Command)
@click.argument("name")
@_course
@_hub
def remove(invocation: Invocation, name: str, course: str, address: str) -> None:
    """Remove somebody from a course. Their changes stay."""
    with invocation.open() as library:
        library.sync.hub_remove(name, course, address=address)
    told = {"name": name, "course": course}
    _tell_done(invocation, Message("{name} is no longer in {course}", **told), **told)


@hub.command("list", cls=Command)
@_course
@_hub
def list_(invocation: Invocation, course: str, address: str) -> None:
    """List the members of a course with their roles."""
    with invocation.open() as library:
        members = library.sync.hub_members(course, address=address)
    told = [{"name": name, "role": role} for name, role in members]
    if printer := invocation.unless_json({"members": told}):
        for name, role in members:
            printer.row(f"{role:<12} {name}")


def _tell_done(invocation: Invocation, said: Message, **facts: str) -> None:
    """Say what was done, with ``--json`` as a document."""
    if invocation.as_json:
        write_json(facts)
    messages.notice(said)


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
def review(
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
    if printer := invocation.unless_json({"proposals": [_proposal_json(e) for e in found]}):
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
    results = [{"annotation": r.annotation, "status": r.status} for r in done.results]
    told = {"id": done.proposal.id, "accepted": done.accepted, "results": results}
    if not invocation.unless_json(told):
        return ExitCode.DONE
    for each in done.results:
        messages.notice("{annotation}: {status}", annotation=each.annotation, status=_(each.status))
    messages.notice("accepted; 'kb sync' sends it" if accept else "rejected; 'kb sync' sends it")
    return ExitCode.DONE


def _proposal_json(proposal: Proposal) -> dict[str, object]:
    told = proposal._asdict()
    told["changes"] = [
        {"field": each.field, "before": each.before, "after": each.after}
        for each in proposal.changes
    ]
    return told


def _write(printer: Printer, proposal: Proposal, *, whole: bool) -> None:
    author = author_named(proposal.author, proposal.says)
    facts = [proposal.id[:_SHORT], proposal.entry, author, _(_STATES[proposal.status])]
    printer.line(printer.joined(facts), style={"bold": True})
    for each in proposal.changes:
        if whole:
            write_difference(printer, each)
        else:
            printer.line(field_name(str(each.field)), indent=4, style={"dim": True})
    if whole and proposal.reason:
        printer.write(proposal.reason, indent=2)
