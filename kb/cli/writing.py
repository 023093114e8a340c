"""What the commands that write have in common: their options, and how they tell what they did."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import click

from kb.cli.options import Invocation
from kb.errors import Message, OutputFailed
from kb.records.clauses import KINDS, LEVELS

_Command = Callable[..., Any]


_SHOWN = 50


class Given(NamedTuple):
    """What is said of an entry on the command line."""

    question: str | None = None
    answer: str | None = None
    lang: str | None = None
    level: str | None = None
    tag: tuple[str, ...] = ()
    kind: str | None = None
    collection: str | None = None


def given_options(command: _Command) -> _Command:
    """Add the options that say what an entry is; they arrive as ``given``."""

    @click.option("--question", metavar="TEXT", help="What is asked.")
    @click.option("--answer", metavar="TEXT", help="What is answered.")
    @click.option("--lang", metavar="CODE", help="Their language (else it is guessed): en, fa, …")
    @click.option("--level", type=click.Choice([*LEVELS, ""], case_sensitive=False),
                  help="Easy, medium or hard; '' for none.")  # fmt: skip
    @click.option("--tag", multiple=True, metavar="TAG", help="A tag; may be given several times.")
    @click.option("--kind", type=click.Choice(KINDS), help="What it is.")
    @click.option("-c", "--collection", metavar="NAME", help="Where it stands.")
    @functools.wraps(command)
    def told(*args: Any, **options: Any) -> Any:
        values = {name: options.pop(name) for name in Given._fields}
        return command(*args, given=Given(**values), **options)

    return told


def tell(invocation: Invocation, ids: Iterable[str], change: str | None, said: str) -> None:
    """Write what was done to entries: the contract's document, or a sentence and the ids."""
    from kb.cli import messages
    from kb.cli.output import Printer, write_json

    names = list(ids)
    with done_already(change is not None):
        if invocation.as_json:
            from kb.contract.reports import edited

            write_json(edited(names, change))
            return
        shown = names if len(names) <= _SHOWN else names[:_SHOWN]
        printer = Printer(invocation.color)
        for name in shown:
            printer.row(name)
    if len(shown) < len(names):
        messages.notice("and {more} more; --json names all", more=len(names) - len(shown))
    messages.notice(said if change else "nothing changed")


@contextmanager
def done_already(changed: bool) -> Iterator[None]:
    """Say of what cannot be written that the change it tells of is made, where one was."""
    try:
        yield
    except OutputFailed as error:
        if changed:
            error.hint = Message("What was asked for is done; 'kb undo' takes it back.")
        raise
