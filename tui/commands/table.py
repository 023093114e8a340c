"""Every command of the app, by group; what a command is, and the situation it depends on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from kb.i18n import N_

Place = Literal[
    "app", "screen", "search", "chip", "list", "reading", "snippet", "link",
    "dialog", "confirm", "help", "shown", "building", "note", "words", "code",
    "form", "pick", "tags", "columns", "tree", "preview", "sides", "program", "consent", "study",
    "due", "proposal", "field", "pane",
]  # fmt: skip


class Situation(NamedTuple):
    """The state of a screen that commands depend on."""

    typing: bool = False
    editing: bool = False
    entry: bool = False
    listed: bool = False
    nothing: bool = False
    languages: int = 0
    bilingual: bool = False
    runnable: bool = False
    unproven: bool = False
    running: bool = False
    parameters: bool = False
    ran: bool = False
    hidden_answer: bool = False
    suggestion: bool = False
    notes: bool = False
    foldable: bool = False
    unfolded: bool = False
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
    due: int = 0


@dataclass(frozen=True, slots=True)
class Command:
    """A command of the app.

    ``label`` is its name, ``description`` the sentence in tooltip, palette and help. All ``keys``
    do the same, and the first is shown; without keys it is only in the palette. ``action`` is a
    method of the widgets of ``places``. ``bar`` is its rank in the command bar of each place,
    where ``named`` is its name; ``twin`` is the id of the opposite command, whose key is shown
    before its own. ``told`` is whether the bar shows it where it is available, and ``counted`` the
    number behind its name there, if not 0. ``priority`` are the places where its keys take
    precedence over those of inner widgets.
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
    told: Callable[[Situation], bool] = lambda _: True
    counted: Callable[[Situation], int] = lambda _: 0
    priority: tuple[Place, ...] = ()


BACK, QUIT, HELP = 980, 985, 990
"""The ranks of the last commands in every bar."""

MOVING = N_("Moving about")
FINDING = N_("Finding")
READING = N_("Reading")
RUNNING = N_("Running")
STUDYING = N_("Studying")
ENTRIES = N_("Entries of your own")
WRITING = N_("Annotations and programs of your own")
APP = N_("The app")
GROUPS = (FINDING, MOVING, READING, STUDYING, ENTRIES, RUNNING, WRITING, APP)

_EVERYWHERE: tuple[Place, ...] = (
    "list", "reading", "link", "search", "chip", "code", "dialog", "shown",
)  # fmt: skip
_INNER: tuple[Place, ...] = ("list", "reading")
_PAGED: tuple[Place, ...] = ("list", "reading", "pick", "words")


def _some(situation: Situation) -> bool:
    """Return whether there is an entry to act on."""
    return bool(situation.entry or situation.listed or situation.marked) and not situation.typing


COMMANDS: tuple[Command, ...] = (
    # What finds entries and narrows the list.
    Command("search", ("slash",), N_("Search"), N_("Search for words."), FINDING,
            "search", available=lambda s: not s.typing,
            bar={"list": 20, "reading": 120, "link": 30, "chip": 60}, priority=("screen",)),
    Command("filter", ("f",), N_("Filter"),
            N_("Filter by language, collection, level, verdict or tag."), FINDING,
            "filter", available=lambda s: not s.typing, bar={"list": 45}),
    Command("no-filter", (), N_("Clear all filters"), N_("List entries without any filter."),
            FINDING, "no_filter", available=lambda s: s.filtered),
    Command("suggestion", (), N_("Use the suggested spelling"),
            N_("Search again with the spelling that is suggested."), FINDING,
            "take_suggestion", available=lambda s: s.suggestion),
    Command("collections", (), N_("Collections"),
            N_("Choose, create, rename or delete collections."), FINDING,
            "collections", available=lambda s: not s.typing),
    # What moves about: in lists, entries, dialogs.
    Command("open", ("enter",), N_("Open"), N_("Open or choose what is under the cursor."), MOVING,
            "open",
            ("list", "reading", "link", "search", "chip", "pick", "preview", "consent", "study",
             "field"),
            available=lambda s: s.typing or not s.studying or not (s.hidden_answer or s.asked),
            bar={"list": 10, "link": 4, "search": 10, "chip": 10, "pick": 50, "preview": 10,
                 "study": 10, "field": 12},
            named={"list": N_("Read"), "search": N_("Results"), "chip": N_("Choose"),
                   "pick": N_("Choose"), "preview": N_("Import"),
                   "study": N_("Continue"), "due": N_("Study"), "field": N_("Continue")},
            told=lambda s: not s.nothing),
    Command("back", ("escape",), N_("Back"),
            N_("Stop, close, go back, or clear the search and filters."), MOVING,
            "back", ("screen", "dialog", "shown", "help", "building", "code"),
            bar=dict.fromkeys(("reading", "link", "search", "chip", "dialog", "shown", "help",
                               "building", "code", "study"), BACK),
            named={"building": N_("Stop"), "study": N_("Stop"), "due": N_("Close"),
                   "consent": N_("Do not run")},
            priority=("code",)),
    Command("next-note", ("right_square_bracket",), N_("Next annotation"),
            N_("Go to the next annotation of this entry."), MOVING,
            "next_note", available=lambda s: s.notes,
            bar={"reading": 10}, named={"reading": N_("Annotations")}, twin="note-before"),
    Command("note-before", ("left_square_bracket",), N_("Previous annotation"),
            N_("Go to the previous annotation of this entry."), MOVING,
            "note_before", available=lambda s: s.notes),
    Command("next", (), N_("Next entry"), N_("Go to the next entry of the list."),
            MOVING, "next_entry", available=lambda s: s.listed and s.entry),
    Command("previous", (), N_("Previous entry"), N_("Go to the previous entry of the list."),
            MOVING, "previous_entry", available=lambda s: s.listed and s.entry),
    Command("earlier", (), N_("Entry you read before"), N_("Go back to the entry you read before."),
            MOVING, "earlier", available=lambda s: s.earlier),
    Command("later", (), N_("Entry read after"), N_("Go forward to the entry you came back from."),
            MOVING, "later", available=lambda s: s.later),
    Command("down", ("down", "j"), N_("Down"), N_("Go down: a line, a row, a value."), MOVING,
            "down", ("list", "reading", "search", "chip", "pick", "words", "pane"),
            bar={"chip": 30, "pick": 60, "words": 8, "pane": 60}, named={"chip": N_("Values"),
                "pick": N_("Up/down"), "pane": N_("Up/down"), "words": N_("Lines")},
            twin="up"),
    Command("up", ("up", "k"), N_("Up"), N_("Go up, or from the search box to earlier searches."),
            MOVING, "up", ("list", "reading", "search", "chip", "pick", "words"),
            bar={"search": 20}, named={"search": N_("Earlier searches")}),
    Command("right", ("right", "l"), N_("Right"), N_("Go right: from the list to the entry."),
            MOVING, "right", ("screen", "chip", "snippet", "words"),
            available=lambda s: not s.typing, bar={"chip": 20, "words": 6},
            named={"chip": N_("Fields"), "words": N_("Words")}, twin="left"),
    Command("left", ("left", "h"), N_("Left"), N_("Go left: from the entry to the list."),
            MOVING, "left", ("screen", "chip", "snippet", "words"),
            available=lambda s: not s.typing),
    Command("page-down", ("ctrl+d", "pagedown"), N_("Page down"), N_("Go a page down."), MOVING,
            "page_down", _PAGED, twin="page-up"),
    Command("page-up", ("ctrl+u", "pageup"), N_("Page up"), N_("Go a page up."), MOVING,
            "page_up", _PAGED),
    Command("top", ("g", "home"), N_("Top"), N_("Go to the beginning."), MOVING, "top", _INNER),
    Command("bottom", ("G", "end"), N_("Bottom"), N_("Go to the end."), MOVING, "bottom", _INNER,
            twin="top"),
    Command("panes", ("tab",), N_("Next part"),
            N_("Go to the next part of the screen, such as a program."), MOVING,
            "app.focus_next", ("screen", "words", "form", "note"),
            bar={"words": 5, "note": 5, "form": 15}, named={"words": N_("Next field"),
                "note": N_("Next field"), "form": N_("Next field")}, twin="panes-back"),
    Command("panes-back", ("shift+tab",), N_("Previous part"),
            N_("Go to the previous part of the screen."), MOVING, "app.focus_previous"),
    # What shows an entry otherwise, or gives it away.
    Command("reveal", ("space",), N_("Show more"),
            N_("Show the card's answer, or unfold the part you read."), READING,
            "reveal", ("screen", "study"),
            available=lambda s: s.hidden_answer or s.foldable,
            bar={"reading": 5, "list": 37, "study": 10},
            named={"reading": N_("More"), "list": N_("More"), "study": N_("Show")}),
    Command("fold", (), N_("Show less"), N_("Fold the part you read."), READING,
            "fold_answer", available=lambda s: s.unfolded,
            bar={"reading": 5, "list": 37},
            named={"reading": N_("Less"), "list": N_("Less")}, twin="reveal"),
    Command("language", ("L", "ctrl+l"), N_("Other language"),
            N_("Read in the other language, or add one to a form."), READING,
            "other_language", ("screen", "form"),
            available=lambda s: s.languages > 1 and not s.bilingual,
            bar={"reading": 28, "list": 90, "link": 40, "form": 20},
            named={"reading": N_("Language"), "list": N_("Language"), "link": N_("Language"),
                   "form": N_("Add a language")}),
    Command("both", ("b",), N_("Both languages"),
            N_("Show two languages, or only one."), READING,
            "both", available=lambda s: s.languages > 1,
            bar={"reading": 70}, named={"reading": N_("Both")}),
    Command("answer", (), N_("Source answer"),
            N_("Show the source's answer with its annotations, or fold it."), READING,
            "source", available=lambda s: s.source),
    Command("picture", (), N_("Open picture"),
            N_("Open the current picture in another program."), READING,
            "open_picture", available=lambda s: s.picture),
    Command("export", ("x",), N_("Export"),
            N_("Write this entry, the list or everything to a file."), READING, "export",
            available=lambda s: s.entry or s.listed,
            bar={"reading": 100, "list": 110}),
    # What runs programs and evidence.
    Command("run", ("r", "ctrl+r", "f5"), N_("Run"), N_("Run the focused or visible program."),
            RUNNING, "run_snippet", ("screen", "code", "study"),
            available=lambda s: s.editing or (s.runnable and not s.running),
            bar={"reading": 20, "list": 50, "link": 20, "code": 10, "study": 20},
            told=lambda s: not s.unproven),
    Command("run-with", (), N_("Run with other values"),
            N_("Run the program with another number or seed."), RUNNING, "run_with",
            available=lambda s: s.parameters and not s.running,
            bar={"reading": 20, "list": 50, "link": 20}, named={"reading": N_("Run with…"),
                "list": N_("Run with…"), "link": N_("Run with…")},
            twin="run", told=lambda s: s.ran),
    Command("stop", (), N_("Stop"), N_("Stop the program that is running."), RUNNING,
            "stop_run", available=lambda s: s.running, bar={"reading": 5, "list": 5},
            twin="back"),
    Command("verify", (), N_("Verify"),
            N_("Run the evidence of this entry, or of all from the list."), RUNNING,
            "verify", available=lambda s: s.listed or s.entry),
    Command("agree", ("y",), N_("Yes"),
            N_("Confirm, run once, keep yours, or call a passage right."),
            RUNNING, "agree", ("confirm", "consent", "study", "sides", "proposal"),
            available=lambda s: s.asked,
            bar={"confirm": 10, "consent": 20, "study": 15, "sides": 10, "proposal": 10},
            named={"consent": N_("Run once"), "study": N_("Correct"),
                   "sides": N_("Keep yours"), "proposal": N_("Accept")}),
    Command("allow-always", ("a",), N_("Always run"),
            N_("Run this code now, and do not ask again."), RUNNING,
            "allow_always", ("consent",), bar={"consent": 30}),
    Command("refuse", ("n",), N_("No"),
            N_("Decline, take the other version, or call a passage wrong."),
            RUNNING, "refuse", ("confirm", "consent", "study", "sides", "proposal"),
            available=lambda s: s.asked, bar={"study": 16, "sides": 20, "proposal": 20},
            named={"consent": N_("Do not run"), "study": N_("Wrong"),
                   "sides": N_("Take the other"), "proposal": N_("Reject")}),
    # What is studied.
    Command("study", ("s",), N_("Study"), N_("Show what is due, and study it."), STUDYING,
            "study", available=lambda s: not s.typing, bar={"list": 30}, counted=lambda s: s.due),
    Command("statistics", ("s",), N_("Statistics"),
            N_("Show your results, and what is due next."), STUDYING,
            "statistics", ("study",), available=lambda s: not s.typing, bar={"study": 60}),
    Command("rate", ("1", "2", "3", "4"), N_("Rate"),
            N_("Say how sure you are, then how well you knew it."), STUDYING,
            "rate", ("study",), available=lambda s: s.choices > 0),
    Command("hint", ("h", "f2"), N_("Hint"), N_("Show what helps with an exercise."), STUDYING,
            "hint", ("study",),
            available=lambda s: s.studying and (s.hidden_answer or s.asked or s.typing),
            bar={"study": 30}),
    # What writes, changes and arranges entries, and undoes that.
    Command("edit", ("e",), N_("Edit"),
            N_("Edit the current entry, program or annotation."), ENTRIES,
            "edit", ("screen", "study"), available=_some,
            bar={"reading": 30, "list": 80, "study": 50}),
    Command("editor", ("E",), N_("Edit in $EDITOR"), N_("Edit this entry in your own editor."),
            ENTRIES, "editor", available=_some),
    Command("write", ("n",), N_("New entry"), N_("Write a question, an answer, or both."),
            ENTRIES, "write", available=lambda s: not s.typing, bar={"list": 35, "reading": 130},
            named={"list": N_("New"), "reading": N_("New")}),
    Command("delete", ("d", "delete"), N_("Delete"),
            N_("Delete this entry or your annotation, after asking."), ENTRIES,
            "delete", ("screen", "chip"),
            available=lambda s: _some(s) or s.filtered, bar={"list": 150, "chip": 15},
            named={"chip": N_("Remove")}),
    Command("undo", ("u", "ctrl+z"), N_("Undo"),
            N_("Undo the last change or, while studying, the last rating."), ENTRIES,
            "undo", ("screen", "study"),
            available=lambda s: not s.typing and (s.rated or not s.studying),
            bar={"list": 160, "study": 40}),
    Command("redo", ("U", "ctrl+y"), N_("Redo"), N_("Redo the change you undid last."), ENTRIES,
            "redo", available=lambda s: not s.typing, twin="undo"),
    Command("mark", (), N_("Mark"), N_("Mark this entry: actions apply to all marked entries."),
            ENTRIES, "mark", available=lambda s: s.listed and not s.typing),
    Command("mark-all", (), N_("Mark all"), N_("Mark all listed entries, or unmark them."),
            ENTRIES, "mark_all", available=lambda s: bool(s.listed or s.marked) and not s.typing),
    Command("move", (), N_("Move to a collection"),
            N_("Move this entry, or the marked ones, to a collection."), ENTRIES,
            "move", available=_some),
    Command("tag", (), N_("Tags"), N_("Add or remove tags of this entry or the marked ones."),
            ENTRIES, "tag", available=_some),
    Command("change-entry", (), N_("Edit entry"),
            N_("Edit texts, level, kind, tags and collection."), ENTRIES,
            "change_entry", available=_some),
    Command("remove", (), N_("Delete entry"),
            N_("Delete this entry or the marked ones, after asking."), ENTRIES,
            "remove", available=_some),
    Command("show-again", (), N_("Unhide"), N_("List the hidden entry, or the marked ones, again."),
            ENTRIES, "show_again", available=lambda s: s.hidden_list and not s.typing),
    Command("history", (), N_("History"), N_("Show the changes of this entry."), ENTRIES,
            "history", available=_some),
    Command("conflicts", (), N_("Conflicts"),
            N_("Resolve entries that you and their file both changed."),
            ENTRIES, "conflicts", available=lambda s: not s.typing),
    Command("proposals", (), N_("Proposals"),
            N_("Accept or reject what others of a course propose."),
            ENTRIES, "proposals", available=lambda s: not s.typing),
    Command("new-collection", (), N_("New collection"),
            N_("Create a collection (a/b nests b in a)."), ENTRIES,
            "new_collection", ("tree",)),
    Command("rename-collection", (), N_("Rename collection"),
            N_("Rename this collection and all below it."), ENTRIES,
            "rename_collection", ("tree",)),
    Command("remove-collection", (), N_("Delete collection"),
            N_("Delete this collection, which must be empty."), ENTRIES,
            "remove_collection", ("tree",)),
    Command("save", ("ctrl+s",), N_("Save"), N_("Save what you wrote or chose."), ENTRIES,
            "save", ("form", "tags", "columns", "note", "program", "code"),
            bar={"form": 10, "tags": 10, "columns": 10, "note": 4, "program": 10, "code": 20},
            named={"columns": N_("Continue")}),
    # What a reader adds to an entry: annotations, and programs of one's own.
    Command("annotate", ("a",), N_("Annotate"),
            N_("Annotate words of this entry."), WRITING,
            "annotate", available=lambda s: s.entry, bar={"reading": 25}),
    Command("edit-note", (), N_("Edit your annotation"),
            N_("Edit your current annotation."), WRITING,
            "edit_note", available=lambda s: s.own_note),
    Command("withdraw", (), N_("Delete your annotation or program"),
            N_("Delete your current annotation or program."), WRITING,
            "withdraw", available=lambda s: s.own),
    Command("change-code", (), N_("Edit program"),
            N_("Edit the focused or visible program."), WRITING,
            "change_code", available=lambda s: s.runnable),
    Command("reset-code", (), N_("Discard changes to the program"),
            N_("Show the original program, without your changes."), WRITING,
            "reset_code", available=lambda s: s.changed),
    Command("new-program", (), N_("New program"),
            N_("Write a program of your own for this entry."), WRITING,
            "new_program", available=lambda s: s.entry),
    Command("make-main", (), N_("Make it the main program"),
            N_("Let this entry run your program in focus by default."), WRITING,
            "make_main", available=lambda s: s.own),
    Command("more-right", ("shift+right", "greater_than_sign"), N_("Select to the right"),
            N_("Select the word at the right, too."), WRITING,
            "more_right", ("words",), bar={"words": 7}, named={"words": N_("More words")},
            twin="more-left"),
    Command("more-left", ("shift+left", "less_than_sign"), N_("Select to the left"),
            N_("Select the word at the left, too."), WRITING, "more_left", ("words",)),
    Command("find-words", ("slash",), N_("Find words"), N_("Go to the next place of words."),
            WRITING, "find_words", ("words",), bar={"words": 35}, named={"words": N_("Find")}),
    # What concerns the app as a whole.
    Command("import", ("i",), N_("Import"), N_("Import questions, answers and cards from files."),
            APP, "import_file", available=lambda s: not s.typing, bar={"list": 170}),
    Command("interface", (), N_("Settings: interface language"),
            N_("Show menus, messages and entries in English or Persian."), APP,
            "app.other_interface"),
    Command("direction", (), N_("Settings: text direction"),
            N_("Choose how Persian reads right in this terminal."), APP, "app.direction"),
    Command("theme-dark", (), N_("Settings: dark theme"), N_("Use dark colours."),
            APP, "app.use_theme('dark')"),
    Command("theme-light", (), N_("Settings: light theme"), N_("Use light colours."),
            APP, "app.use_theme('light')"),
    Command("help", ("question_mark", "f1"), N_("Help"),
            N_("Show keys, signs and how to search."), APP,
            "app.help", ("screen", "dialog", "shown", "help"),
            bar=dict.fromkeys((*_EVERYWHERE, "study"), HELP)),
    Command("welcome", (), N_("Welcome"), N_("Show the introduction again."), APP,
            "welcome", available=lambda s: not s.typing),
    Command("palette", ("ctrl+p",), N_("All commands"), N_("List every command of this place."),
            APP, "command_palette", ("app",), priority=("app",),
            bar={"list": 38, "reading": 150, "search": 50, "tree": 55},
            named={"list": N_("Commands"), "reading": N_("Commands"), "search": N_("Commands"),
                   "tree": N_("Change")}),
    Command("quit", ("q", "ctrl+q"), N_("Quit"), N_("Leave danesh, or close what is shown."), APP,
            "quit", ("screen", "shown", "building"), available=lambda s: not s.typing,
            bar={"list": QUIT}),
)  # fmt: skip
