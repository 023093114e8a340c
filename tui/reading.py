"""How an entry is read: in which languages, which of its answers, with what marked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from kb.i18n import language, of_language
from kb.present.annotated import Numbered, numbers_of

if TYPE_CHECKING:
    from kb.model import Answer, Entry

Places = Sequence[tuple[int, int]]


@dataclass(frozen=True)
class Reading:
    """An entry, and how it is read: in which language, with what matched, answer shown or not.

    ``both`` asks for two of its languages, beside each other where there is ``room``, else
    with a line to choose between them; ``role`` shows only the answers of a role.
    """

    entry: Entry
    wanted: str
    titles: Mapping[str, str] = field(default_factory=dict)
    matched: Mapping[tuple[str, str], Places] = field(default_factory=dict)
    revealed: bool = False
    both: bool = False
    room: bool = True
    role: str = ""
    backlinks: Sequence[str] = ()
    interface: str = field(default_factory=language)

    @cached_property
    def numbers(self) -> Mapping[str, Numbered]:
        """The annotations with their numbers, by their ids."""
        return numbers_of(self.entry)

    @property
    def lang(self) -> str:
        """The language shown: the one wanted, or the first the entry has."""
        return of_language(self.entry.question, self.wanted)[0]

    @property
    def collection(self) -> str:
        """The title of the entry's collection in the language of the interface."""
        return of_language(self.titles)[1] or self.entry.collection

    @property
    def hidden(self) -> bool:
        """Whether the answer is kept back: that of a card, until it is asked for."""
        return self.entry.kind == "card" and not self.revealed

    @property
    def languages(self) -> list[str]:
        """The languages that the entry's texts are in."""
        spoken = [*self.entry.question, *(answer.lang for answer in self.entry.answers)]
        return list(dict.fromkeys(spoken))

    @property
    def roles(self) -> tuple[str, ...]:
        """The kinds of answer, in the order they are read: what speaks the reader's language first.

        Among those the source's comes first, since the notes below it speak of its words.
        Where one kind is asked for and there is one, it is shown alone.
        """
        if self.role in self.answered:
            return (self.role,)
        spoken = {answer.role for answer in self.entry.answers if answer.lang == self.wanted}
        alone = spoken == {"reference"} and not self.beside
        return ("reference", "source") if alone else ("source", "reference")

    @property
    def answered(self) -> list[str]:
        """The kinds of answer that the entry has."""
        return list(dict.fromkeys(answer.role for answer in self.entry.answers))

    def answers(self, role: str) -> Sequence[Answer]:
        """Return the answers of a role that are shown: in the language read, else all there are.

        Beside another language only its own are.
        """
        answers = [answer for answer in self.entry.answers if answer.role == role]
        in_language = [answer for answer in answers if answer.lang == self.wanted]
        return in_language if self.beside else in_language or answers

    @property
    def beside(self) -> bool:
        """Whether two languages are shown beside each other."""
        return self.both and self.room and len(self.languages) > 1

    @property
    def tabbed(self) -> bool:
        """Whether two languages were asked for, and there is room for one."""
        return self.both and not self.room and len(self.languages) > 1

    @property
    def spoken(self) -> list[str]:
        """The languages as they are read one after the other: that of the interface first."""
        return sorted(self.languages, key=lambda lang: lang != self.interface)

    @property
    def sides(self) -> list[Reading]:
        """The same in each language that is shown: the one wanted, or two side by side."""
        if not self.beside:
            return [self]
        return [replace(self, wanted=lang) for lang in self.spoken[:2]]

    def in_next_language(self) -> Reading:
        """Return the same, read in the next language."""
        languages = self.languages
        after = (languages.index(self.lang) + 1) % len(languages)
        return replace(self, wanted=languages[after])

    def with_next_role(self) -> Reading:
        """Return the same with the source's answers alone, the reference answers alone, or all."""
        choices = ["", *self.answered]
        at = choices.index(self.role) if self.role in choices else 0
        return replace(self, role=choices[(at + 1) % len(choices)])
