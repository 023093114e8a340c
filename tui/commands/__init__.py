"""Everything a reader can ask for, declared once.

Bindings, the command bar, its tooltips, the palette and the help screen are made from
this list; `Command.available` decides for all of them what can be done now.

``command``   what a command is, and the situation it depends on
``keys``      how keys are written, and where they stand on a Persian keyboard
``table``     all commands
``former``    ids and keys of earlier versions
``registry``  what is made of them
"""

from tui.commands.command import Command, Place, Situation
from tui.commands.registry import (
    BY_ACTION,
    BY_ID,
    action_of,
    bar_key,
    bar_keys,
    bar_name,
    bindings,
    by_current_id,
    by_group,
    clashes,
    in_bar,
    moved,
    offered,
    rebind,
    shown_keys,
    with_twin,
    written_key,
)
from tui.commands.table import COMMANDS

__all__ = [
    "BY_ACTION",
    "BY_ID",
    "COMMANDS",
    "Command",
    "Place",
    "Situation",
    "action_of",
    "bar_key",
    "bar_keys",
    "bar_name",
    "bindings",
    "by_current_id",
    "by_group",
    "clashes",
    "in_bar",
    "moved",
    "offered",
    "rebind",
    "shown_keys",
    "with_twin",
    "written_key",
]
