"""What must hold after a command was disturbed: all or nothing, sound, and no litter."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from kb.errors import KbError
from tests.robustness.commands import DATABASE, run
from tests.robustness.looking import State, difference, files_of, seen
from tests.robustness.works import Stage


class Aftermath(NamedTuple):
    """A place after a command was disturbed, which may have told by then that it was done.

    Where it is ``examined`` danesh itself is asked what is wrong, and what was not done is done
    again; that takes a second or two.
    """

    stage: Stage
    place: Path
    acknowledged: bool
    examined: bool = False


def look(left: Aftermath) -> str:
    """Start danesh there again; return what is wrong, or nothing."""
    return "; ".join(wrong for check in _CHECKS for wrong in check(left))


def _target(left: Aftermath) -> Iterator[str]:
    """Look at the file that was to be written, before anything else is started."""
    if wrong := left.stage.wrong_target(left.place, told=left.acknowledged):
        yield wrong


def _next_start(left: Aftermath) -> Iterator[str]:
    if not (left.place / DATABASE).exists():
        run(left.place, left.stage.arguments)
    done = run(left.place, ("doctor" if left.examined else "info", "--json"))
    # The first start after a migration that did not begin makes it, and says so.
    if (done.err and "was upgraded from format" not in done.err) or not done.out:
        yield f"the next start: exit code {done.code}: {done.err.strip()}"
    elif left.examined:
        for check in json.loads(done.out)["checks"]:
            if not check["ok"] and check["check"] in ("database", "index", "imports"):
                yield f"doctor: {check['check']}: {check['found']}"


def _litter(left: Aftermath) -> Iterator[str]:
    found = files_of(left.place)
    if extra := found - left.stage.files - left.stage.made - _WORKPLACES:
        yield f"left over: {', '.join(sorted(extra))}"
    if missing := left.stage.files - found:
        yield f"gone: {', '.join(sorted(missing))}"


_WORKPLACES = frozenset(("home", "tmp", "out", DATABASE))


def _state(left: Aftermath) -> Iterator[str]:
    try:
        found = seen(left.place / DATABASE)
    except KbError as error:
        yield error.message
        return
    wanted = _wanted(left)
    if found not in wanted:
        yield " or ".join(difference(found, state) for state in wanted)
    elif left.acknowledged and found != left.stage.after:
        yield f"told as done and lost: {difference(found, left.stage.after)}"
    elif left.examined and found != left.stage.after:
        yield from _again(left)


def _again(left: Aftermath) -> Iterator[str]:
    """Do what was not done: it comes to what it would have come to."""
    done = run(left.place, left.stage.arguments)
    if done.code != left.stage.code:
        yield f"done again: exit code {done.code}: {done.err.strip()}"
    elif (found := seen(left.place / DATABASE)) != left.stage.after:
        yield f"done again: {difference(found, left.stage.after)}"


def _wanted(left: Aftermath) -> list[State]:
    """Return what may be there: all of the work, or nothing of it.

    An import begins by giving up what could be done again, as any change does.
    """
    before = left.stage.state
    if before is None:
        return [left.stage.after]
    given_up = {**before, "log": [_given_up(*change) for change in before["log"]]}
    imported = [given_up] if left.stage.arguments[0] == "import" else []
    return [left.stage.after, before, *imported]


def _given_up(what: str, deed: str, state: str, fields: object) -> tuple[object, ...]:
    return (what, deed, "dropped" if state == "undone" else state, fields)


_CHECKS: tuple[Callable[[Aftermath], Iterator[str]], ...] = (
    _target,
    _next_start,
    _litter,
    _state,
)
"""In this order: the first start comes after the target was seen, and litter after that start."""
