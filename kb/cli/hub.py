"""``kb hub``: a course on PostgreSQL, and who belongs to it."""

from __future__ import annotations

import sys

import click

from kb.cli import messages
from kb.cli.options import Command, Invocation, completed
from kb.cli.output import Printer, write_json
from kb.errors import Message

_course = click.option(
    "--course", metavar="NAME", required=True, shell_complete=completed("collection"),
    help="The shared collection.",
)  # fmt: skip
_hub = click.option(
    "--hub", "address", metavar="URL", default="", help="The hub (default: of 'kb hub init')."
)


@click.group("hub")
def command() -> None:
    """Share a collection on a PostgreSQL server.

    \b
      kb hub init postgresql://teacher@db.example.org/course
      kb hub add ada --course ml --role contributor
      kb hub list --course ml

    Readers propose changes, contributors make them, reviewers decide about proposals, and owners
    choose members. 'kb sync URL --course ml' exchanges changes.
    """


@command.command("init", cls=Command)
@click.argument("address", metavar="URL")
def init(invocation: Invocation, address: str) -> None:
    """Create a hub in a database, or upgrade it.

    You need CREATEROLE and CREATE on the database, and should not be a superuser. Put your
    password into ~/.pgpass, not into URL.
    """
    with invocation.open() as library:
        library.sync.hub_init(address)
    _tell(invocation, Message("the hub is ready; 'kb hub add' adds members"), hub=address)


@command.command("add", cls=Command)
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
    _tell(invocation, Message("{name} is now {role} in {course}", **told), **told)
    if new and not password:
        messages.notice("{name} has no password yet", name=name)


@command.command("remove", cls=Command)
@click.argument("name")
@_course
@_hub
def remove(invocation: Invocation, name: str, course: str, address: str) -> None:
    """Remove somebody from a course. Their changes stay."""
    with invocation.open() as library:
        library.sync.hub_remove(name, course, address=address)
    told = {"name": name, "course": course}
    _tell(invocation, Message("{name} is no longer in {course}", **told), **told)


@command.command("list", cls=Command)
@_course
@_hub
def list_(invocation: Invocation, course: str, address: str) -> None:
    """List the members of a course with their roles."""
    with invocation.open() as library:
        members = library.sync.hub_members(course, address=address)
    if invocation.as_json:
        told = [{"name": name, "role": role} for name, role in members]
        write_json({"members": told})
    else:
        printer = Printer(invocation.color)
        for name, role in members:
            printer.row(f"{role:<12} {name}")


def _tell(invocation: Invocation, said: Message, **facts: str) -> None:
    """Say what was done, with ``--json`` as a document."""
    if invocation.as_json:
        write_json(facts)
    messages.notice(said)
