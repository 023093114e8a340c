"""What runs programs and evidence."""

from __future__ import annotations

from kb.i18n import N_
from tui.commands.command import RUNNING, Command

COMMANDS: tuple[Command, ...] = (
    Command("stop", ("x",), N_("Stop"), N_("Stop the program that is running."), RUNNING,
            "stop_run", available=lambda s: s.running, bar={"reading": 10, "list": 10}),
    Command("run", ("r",), N_("Run"),
            N_("Run the program: the one in focus or in sight, or the main one."), RUNNING,
            "run_snippet", available=lambda s: s.runnable and not s.running,
            bar={"reading": 40, "list": 50, "link": 20}),
    Command("verify", ("v",), N_("Verify"),
            N_("Run the evidence of the entry that is read, or all evidence."), RUNNING,
            "verify", available=lambda s: s.listed or s.entry,
            bar={"reading": 58, "list": 100}),
    Command("allow-once", ("y",), N_("Run once"), N_("Run the code that is shown, this once."),
            RUNNING, "allow_once", ("consent",), bar={"consent": 20}),
    Command("allow-always", ("a",), N_("Always run"),
            N_("Run the code that is shown, now and unasked from now on."), RUNNING,
            "allow_always", ("consent",), bar={"consent": 30}),
    Command("refuse", ("n", "enter"), N_("Do not run"), N_("Run nothing of what is shown."),
            RUNNING, "refuse", ("consent",), bar={"consent": 10}),
)  # fmt: skip
