"""What a command of the app is, what decides whether it can be done, and the arrow keys' steps."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from kb.i18n import N_

Place = Literal[
    "app", "screen", "search", "chip", "list", "reading", "snippet", "link",
    "dialog", "confirm", "help", "shown", "building", "note", "words", "code",
    "form", "pick", "tags", "columns", "tree", "preview", "sides", "program", "consent",
]  # fmt: skip


class Situation(NamedTuple):
    """What a screen holds at the moment, as far as commands depend on it."""

    typing: bool = False
    editing: bool = False
    reading: bool = False
    entry: bool = False
    listed: bool = False
    languages: int = 0
    runnable: bool = False
    running: bool = False
    hidden_answer: bool = False
    suggestion: bool = False
    notes: bool = False
    deeper: bool = False
    source: bool = False
    picture: bool = False
    earlier: bool = False
    later: bool = False
    own: bool = False
    own_note: bool = False
    changed: bool = False
    filtered: bool = False
    marked: int = 0
    hidden_list: bool = False
    contested: bool = False


def _always(_: Situation) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Command:
    """One thing a reader can ask for.

    ``label`` names it, ``description`` is the sentence in tooltip, palette and help.
    ``keys`` do the same, the one that is shown first; without any it is in the palette alone.
    ``action`` is looked up on the widgets of ``places``. ``bar`` is its rank in the command
    bar of each place where it is offered there, as it is ``named`` in that place; ``twin`` is
    the id of the command that does the opposite, whose key stands before its own.
    ``priority`` are the places where its keys come before those of what is inside.
    """

    id: str
    keys: tuple[str, ...]
    label: str
    description: str
    group: str
    action: str
    places: tuple[Place, ...] = ("screen",)
    available: Callable[[Situation], bool] = _always
    bar: Mapping[Place, int] = field(default_factory=dict)
    named: Mapping[Place, str] = field(default_factory=dict)
    twin: str = ""
    priority: tuple[Place, ...] = ()


class Steps:
    """Does what the arrow keys ask for by steps: 1 down or to the right, -1 up or to the left."""

    def step_down(self, step: int) -> None:
        """Go a line, a row or a value down or up."""

    def step_right(self, step: int) -> None:
        """Go to the right or to the left, as one sees it."""

    def action_down(self) -> None:
        """Go down."""
        self.step_down(1)

    def action_up(self) -> None:
        """Go up."""
        self.step_down(-1)

    def action_right(self) -> None:
        """Go to the right."""
        self.step_right(1)

    def action_left(self) -> None:
        """Go to the left."""
        self.step_right(-1)


BACK, HELP = 980, 990
"""The ranks of what every bar ends with."""

MOVING = N_("Moving about")
FINDING = N_("Finding")
READING = N_("Reading")
RUNNING = N_("Running")
ENTRIES = N_("Entries of your own")
WRITING = N_("Notes and programs of your own")
APP = N_("The app")
GROUPS = (FINDING, MOVING, READING, ENTRIES, RUNNING, WRITING, APP)
