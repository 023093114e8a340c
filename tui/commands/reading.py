"""What shows an entry otherwise, or gives it away."""

from __future__ import annotations

from kb.i18n import N_
from tui.commands.command import READING, Command

COMMANDS: tuple[Command, ...] = (
    Command("reveal", ("space",), N_("Show answer"), N_("Show the answer of this card."), READING,
            "reveal", available=lambda s: s.hidden_answer, bar={"reading": 20, "list": 15}),
    Command("language", ("l",), N_("Language"),
            N_("Show this entry's texts in the other language."), READING,
            "other_language", available=lambda s: s.languages > 1,
            bar={"reading": 60, "list": 90, "link": 40}),
    Command("both", ("b",), N_("Side by side"),
            N_("Show two languages beside each other, or one."), READING,
            "both", available=lambda s: s.languages > 1,
            bar={"reading": 70}, short=N_("Both")),
    Command("answer", ("o",), N_("Other answer"),
            N_("Show the source's answer alone, the reference answer alone, or both."), READING,
            "other_answer", available=lambda s: s.answers > 1,
            bar={"reading": 80}, short=N_("Answers")),
    Command("next-note", ("right_square_bracket",), N_("Next note"),
            N_("Go to the next annotation of this entry."), READING,
            "next_note", available=lambda s: s.notes,
            bar={"reading": 30, "list": 95}, short=N_("Notes"), twin="note-before"),
    Command("note-before", ("left_square_bracket",), N_("Previous note"),
            N_("Go to the previous annotation."), READING,
            "note_before", available=lambda s: s.notes),
    Command("export", ("e",), N_("Export"), N_("Write this entry, or what is listed, to a file."),
            READING, "export", available=lambda s: s.entry or s.listed,
            bar={"reading": 100, "list": 110}),
)  # fmt: skip
