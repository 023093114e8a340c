"""The definition of a command, its availability, and the steps of arrow keys."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from kb.i18n import N_

Place = Literal[
    "app", "screen", "search", "chip", "list", "reading", "snippet", "link",
    "dialog", "confirm", "help", "shown", "building", "note", "words", "code",
    "form", "pick", "tags", "columns", "tree", "preview", "sides", "program", "consent", "study",
    "due",
]  # fmt: skip


class Situation(NamedTuple):
    """The state of a screen that commands depend on."""

    typing: bool = False
    editing: bool = False
    reading: bool = False
    entry: bool = False
    listed: bool = False
    languages: int = 0
    runnable: bool = False
    running: bool = False
    parameters: bool = False
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
    studying: bool = False
    asked: bool = True
    choices: int = 0
    rated: bool = False


@dataclass(frozen=True, slots=True)
class Command:
    """A command of the app.

    ``label`` is its name, ``description`` the sentence in tooltip, palette and help. All ``keys``
    do the same, and the first is shown; without keys it is only in the palette. ``action`` is a
    method of the widgets of ``places``. ``bar`` is its rank in the command bar of each place,
    where ``named`` is its name; ``twin`` is the id of the opposite command, whose key is shown
    before its own. ``priority`` are the places where its keys take precedence over those of inner
    widgets.
    """

    id: str
    keys: tuple[str, ...]
    label: str
    description: str
    group: str
    action: str
    places: tuple[Place, ...] = ("screen",)
    available: Callable[[Situation], bool] = lambda _: True
    bar: Mapping[Place, int] = field(default_factory=dict)
    named: Mapping[Place, str] = field(default_factory=dict)
    twin: str = ""
    priority: tuple[Place, ...] = ()


class Steps:
    """Converts arrow keys to steps: 1 down or right, -1 up or left."""

    def step_down(self, step: int) -> None:
        """Move a line, row or value down or up."""

    def step_right(self, step: int) -> None:
        """Move right or left on the screen."""

    def action_down(self) -> None:
        """Go down."""
        self.step_down(1)

    def action_up(self) -> None:
        """Go up."""
        self.step_down(-1)

    def action_right(self) -> None:
        """Move right."""
        self.step_right(1)

    def action_left(self) -> None:
        """Move left."""
        self.step_right(-1)


BACK, HELP = 980, 990
"""The ranks of the last commands in every bar."""

MOVING = N_("Moving about")
FINDING = N_("Finding")
READING = N_("Reading")
RUNNING = N_("Running")
STUDYING = N_("Studying")
ENTRIES = N_("Entries of your own")
WRITING = N_("Notes and programs of your own")
APP = N_("The app")
GROUPS = (FINDING, MOVING, READING, STUDYING, ENTRIES, RUNNING, WRITING, APP)
