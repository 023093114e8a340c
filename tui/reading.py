"""How an entry is read: in which languages, which of its layers are open, with what marked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from kb.i18n import language, of_language
from kb.present.annotated import Numbered, concerning, numbers_of
from kb.present.fences import fenced_programs
from kb.present.layers import DEEPER, Part, Text, layers, shown_languages

if TYPE_CHECKING:
    from kb.model import Entry, Snippet

Places = Sequence[tuple[int, int]]


@dataclass(frozen=True)
class Reading:
    """An entry, and how it is read: in which language, with what matched, answer shown or not.

    ``both`` asks for two of its languages. ``opened`` are the keys of the layers and the names of
    the programs that were unfolded. ``own`` is what the reader wrote.
    """

    entry: Entry
    wanted: str
    titles: Mapping[str, str] = field(default_factory=dict)
    matched: Mapping[tuple[str, str], Places] = field(default_factory=dict)
    revealed: bool = False
    both: bool = False
    opened: frozenset[str] = frozenset()
    backlinks: Sequence[str] = ()
    own: bool = False
    interface: str = field(default_factory=language)

    @cached_property
    def numbers(self) -> Mapping[str, Numbered]:
        """The annotations with their numbers, by their ids."""
        return numbers_of(self.entry)

    @cached_property
    def notes(self) -> Sequence[Numbered]:
        """The annotations that concern who reads these languages, with their numbers."""
        return concerning(self.entry, self.langs)

    @cached_property
    def programs(self) -> Sequence[Snippet]:
        """The programs of the entry, and the Python blocks of its texts."""
        return (*self.entry.snippets, *fenced_programs(self.entry))

    @property
    def langs(self) -> list[str]:
        """The languages shown: the one wanted if the entry has it, or two."""
        first = self.interface if self.both else self.wanted
        return shown_languages(self.entry, first, both=self.both)

    @property
    def beside(self) -> bool:
        """Whether two languages are shown."""
        return len(self.langs) > 1

    @property
    def collection(self) -> str:
        """The title of the entry's collection in the language of the interface."""
        return of_language(self.titles)[1] or self.entry.collection

    @property
    def hidden(self) -> bool:
        """Whether the answer is kept back: that of a card, until it is asked for."""
        return self.entry.kind == "card" and not self.revealed

    @cached_property
    def parts(self) -> Sequence[Part]:
        """The layers of the entry; of a card whose answer is kept back, the question."""
        parts = layers(self.entry, self.langs[0], both=self.beside)
        return parts[:1] if self.hidden else parts

    def has(self, key: str) -> bool:
        """Say whether there is a layer of this key."""
        return any(part.key == key for part in self.parts)

    def shows(self, part: Part) -> bool:
        """Say whether a layer is unfolded."""
        return not part.folded or part.fold in self.opened

    @property
    def texts(self) -> Sequence[Text]:
        """The texts that are shown."""
        rows = (row for part in self.parts if self.shows(part) for row in part.rows)
        return [text for row in rows for text in row if text is not None]

    def toggled(self, key: str) -> Reading:
        """Return the same with a layer or a program unfolded, or folded again."""
        return replace(self, opened=self.opened ^ {key})

    def with_part(self, id: str) -> Reading:
        """Return the same with the layer unfolded that the note or the program of an id is in."""
        keys = {each.id: "programs" for each in self.programs}
        short = "short" if self.has("short") else "source"
        within = {"short": short, **dict.fromkeys(("reference", *DEEPER), "deeper")}
        for each in self.entry.annotations:
            keys[each.id] = within.get(each.target.role, "source")
        return replace(self, opened=self.opened | {keys[id]}) if id in keys else self

    def with_match(self) -> Reading:
        """Return the same with the first layer unfolded in which something matched."""
        keys = (part.fold for part in self.parts if any(map(self._matches, part.rows)))
        return replace(self, opened=self.opened | set(list(keys)[:1]))

    def _matches(self, row: Sequence[Text | None]) -> bool:
        texts = (text for text in row if text is not None)
        return any(
            text.start <= start < text.end
            for text in texts
            for start, _end in self.matched.get((text.role, text.lang), ())
        )

    def in_next_language(self) -> Reading:
        """Return the same, read in the next language."""
        languages = self.entry.languages
        after = (languages.index(self.langs[0]) + 1) % len(languages)
        return replace(self, wanted=languages[after])
