"""What danesh is, what its signs say, and the next keys: for a reader who has never seen it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.containers import VerticalScroll

from kb import i18n
from kb.i18n import LANGUAGES, N_, _, ngettext
from kb.terminal import text_width
from tui.commands import BY_ID, Place, bar_key, bindings, written_key
from tui.messages import OpenEntry
from tui.widgets.bidi_text import BidiText
from tui.widgets.help_lines import KeyLine, Legend

_NEXT = {
    "open": N_("read an answer that is wrong"),
    "run": N_("run the program that proves it"),
    "search": N_("search"),
    "help": N_("all keys, and what can be searched for"),
}
_PLAIN = {"open": N_("read this entry"), "run": N_("run its program")}


class Welcome(VerticalScroll, can_focus=True):
    """The welcome to a library of so many entries; Enter opens the most telling one.

    ``wrong`` says whether something in that entry is.
    """

    PLACES: ClassVar[tuple[Place, ...]] = ("link",)
    BINDINGS = bindings("link")
    DEFAULT_CSS = """
    Welcome {
        height: auto;
        max-height: 75%;
        padding: 0 2 1 2;
        border-bottom: solid $border-blurred;
        Legend {
            margin: 1 0 0 0;
        }
        .first {
            margin: 1 0 0 0;
        }
    }
    """

    def __init__(self, entry: str, total: int, *, wrong: bool) -> None:
        super().__init__()
        self.entry = entry
        self._total = total
        self._wrong = wrong
        self._runnable = True
        self._languages: Sequence[str] = tuple(LANGUAGES)

    def compose(self) -> ComposeResult:
        """Put sentences, signs and keys together."""
        yield BidiText(self._sentence(), classes="paragraph")
        yield Legend()
        yield from self._keys()

    def _sentence(self) -> str:
        counted = ngettext("{n} entry", "{n} entries", self._total)
        if not self._wrong:
            return _("{entries}, read and searched offline, in English and Persian.").format(
                entries=counted
            )
        return _(
            "{entries}, examined sentence by sentence: below the words that are wrong stands why, "
            "with a program that proves it. Offline, in English and Persian."
        ).format(entries=counted)

    def _keys(self) -> Iterator[KeyLine]:
        said = _NEXT if self._wrong else {**_NEXT, **_PLAIN}
        other = next(name for code, name in LANGUAGES.items() if code != i18n.language())
        sentences = {id: _(sentence) for id, sentence in said.items()} | {
            "language": _("read it in {language}").format(language=other)
        }
        keys = {id: bar_key(BY_ID[id], typing=False) for id in (*said, "language")}
        column = max(map(text_width, keys.values()))
        for place, id in enumerate(("open", "run", "search", "language", "help")):
            line = KeyLine(written_key(keys[id]), sentences[id], column=column)
            line.id = f"key-{id}"
            line.set_class(not place, "first")
            line.display = self._does_something(id)
            yield line

    def offer(self, *, runnable: bool, languages: Sequence[str]) -> None:
        """Name only keys that do something with the entry."""
        self._runnable, self._languages = runnable, languages
        for id in ("run", "language"):
            for line in self.query(f"#key-{id}"):
                line.display = self._does_something(id)

    def _does_something(self, command: str) -> bool:
        known = {"run": self._runnable, "language": len(self._languages) > 1}
        return known.get(command, True)

    def action_open(self) -> None:
        """Open the entry."""
        self.post_message(OpenEntry(self.entry))
