"""The display state of an entry: languages, open layers, and matches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

from kb.i18n import language, of_language
from kb.present.annotated import Numbered, concerning, numbers_of
from kb.present.fences import fenced_programs
from kb.present.layers import DEEPER, Part, Text, layers, shown_languages

if TYPE_CHECKING:
    from kb.model.entry import Entry, Snippet

Places = Sequence[tuple[int, int]]
CODE = ("code", "")
"""In place of a role and a language: the matches in programs."""

Values = Mapping[tuple[str, str], float]
"""The values of runs, by program and figure."""


@dataclass(frozen=True)
class Reading:
    """An entry with its display state: language, matches, answer shown or hidden.

    ``both`` shows two languages. ``opened`` has the keys of unfolded layers and the names of
    unfolded programs. ``own`` is what the reader wrote. ``asked`` has the questions of linked
    entries by id and language, and ``figures`` the values of the last runs by program and name.
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
    similar: Sequence[str] = ()
    asked: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    interface: str = field(default_factory=language)
    figures: Values = field(default_factory=dict)

    @cached_property
    def numbers(self) -> Mapping[str, Numbered]:
        """The annotations with their numbers, by id."""
        return numbers_of(self.entry)

    @cached_property
    def notes(self) -> Sequence[Numbered]:
        """The annotations for readers of these languages, with their numbers."""
        return concerning(self.entry, self.langs)

    @cached_property
    def programs(self) -> Sequence[Snippet]:
        """The programs of the entry, and the Python blocks in its texts."""
        return (*self.entry.snippets, *fenced_programs(self.entry))

    @property
    def langs(self) -> list[str]:
        """The displayed languages: the wanted one if available, or two."""
        first = self.interface if self.both else self.wanted
        return shown_languages(self.entry, first, both=self.both)

    @property
    def bilingual(self) -> bool:
        """Whether two languages are shown."""
        return len(self.langs) > 1

    @property
    def collection(self) -> str:
        """The title of the entry's collection in the interface language."""
        return of_language(self.titles)[1] or self.entry.collection

    @property
    def hidden(self) -> bool:
        """Whether a card's answer is still hidden."""
        return self.entry.kind == "card" and not self.revealed

    @cached_property
    def parts(self) -> Sequence[Part]:
        """The layers of the entry; only the question if the answer is hidden."""
        parts = layers(self.entry, self.langs[0], both=self.bilingual)
        return parts[:1] if self.hidden else parts

    def has(self, key: str) -> bool:
        """Return whether a layer with this key exists."""
        return any(part.key == key for part in self.parts)

    def shows(self, part: Part) -> bool:
        """Return whether a layer is unfolded."""
        return not part.folded or part.fold in self.opened

    @property
    def texts(self) -> Sequence[Text]:
        """The displayed texts."""
        return [text for part in self.parts if self.shows(part) for text in part.texts]

    def with_part(self, id: str) -> Reading:
        """Return the state with the layer of a note or program unfolded."""
        keys = {each.id: "programs" for each in self.programs}
        short = "short" if self.has("short") else "source"
        within = {"short": short, **dict.fromkeys(("reference", *DEEPER), "deeper")}
        for each in self.entry.annotations:
            keys[each.id] = within.get(each.target.role, "source")
        return replace(self, opened=self.opened | {keys[id]}) if id in keys else self

    def hits(self, fold: str) -> int:
        """Return the number of matches in what is unfolded with a layer."""
        if fold == "programs":
            return len(self.matched.get(CODE, ()))
        texts = (text for part in self.parts if part.fold == fold for text in part.texts)
        return sum(t.start <= at < t.end for t in texts for at, _end in self.matched.get(t[:2], ()))

    def with_match(self) -> Reading:
        """Return the state with the first layer with a match unfolded, before the programs."""
        folds = (part.fold for part in self.parts if part.fold != "programs")
        return replace(self, opened=self.opened | {*islice(filter(self.hits, folds), 1)})
