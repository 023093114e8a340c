"""The fields of an entry form: texts by language, and facts.

A language side has the question and the answers. The facts are kind, level, collection, tags and
topic.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widgets import Input, TextArea

from kb.i18n import N_, _
from kb.model.results import in_a_line, tags_in
from tui import choices
from tui.choices import Choice
from tui.phrases import role_name
from tui.widgets.bidi_input import BidiInput
from tui.widgets.bidi_text import BidiText
from tui.widgets.chip import Chip
from tui.widgets.text_area import BidiArea

if TYPE_CHECKING:
    from kb.model.changes import Collection
    from kb.model.draft import Draft

QUESTION = "question"


class Problem(BidiText):
    """The error of the field above; hidden if there is none."""

    DEFAULT_CSS = """
    Problem {
        display: none;
        color: $text-warning;
    }
    """

    def tell(self, problem: str) -> None:
        """Show an error, or hide it."""
        self.show(problem)
        self.display = bool(problem)


class TextField(Vertical):
    """A text area with its name above and its error below."""

    DEFAULT_CSS = """
    TextField {
        height: auto;
        BidiArea {
            height: auto;
            min-height: 2;
            max-height: 10;
            background: $panel;
            padding: 0 1;
        }
    }
    """

    def __init__(self, title: str, text: str, *, role: str) -> None:
        super().__init__()
        self.role = role
        self._title = title
        self._text = text

    def compose(self) -> ComposeResult:
        """Compose the parts."""
        yield BidiText(self._title)
        yield BidiArea(self._text)
        yield Problem()

    @property
    def text(self) -> str:
        """The typed text."""
        return self.query_one(TextArea).text if self.is_mounted else self._text

    def tell(self, problem: str) -> None:
        """Show an error of the text, or hide it."""
        self.query_one(Problem).tell(problem)


class LanguageSide(Vertical):
    """A form column: texts by role, the question first.

    If an entry has only the source's answer, it is just called the answer.
    """

    DEFAULT_CSS = """
    LanguageSide {
        height: auto;
    }
    """

    def __init__(
        self, lang: str, texts: Mapping[str, str], known: Sequence[Choice], *, own: bool = False
    ) -> None:
        super().__init__()
        self._own = own
        self._lang = lang
        self._texts = texts
        self._known = known

    def compose(self) -> ComposeResult:
        """Compose the language above the texts."""
        yield Chip("lang", unset=N_("none"), least=0, free=True)
        yield Problem()
        alone = set(self._texts) <= {QUESTION, "source"}
        for role, text in self._texts.items():
            plain = alone and role != QUESTION
            named = _("Answer") if plain else role_name(role, own=self._own)
            yield TextField(named, text, role=role)

    def on_mount(self) -> None:
        """Show the language."""
        chip = self.query_one(Chip)
        chip.offer(self._known)
        chip.take(self._lang or None)

    @property
    def lang(self) -> str:
        """The code of the language."""
        return (self.query_one(Chip).value or "") if self.is_mounted else self._lang

    @property
    def texts(self) -> dict[str, str]:
        """The texts by role."""
        fields = {field.role: field.text for field in self.query(TextField)}
        return fields or dict(self._texts)

    def tell(self, problems: Mapping[str, str]) -> None:
        """Show an error of the language, or of a text by role."""
        self.query_one(Problem).tell(problems.get("lang", ""))
        for field in self.query(TextField):
            field.tell(problems.get(field.role, ""))


class EntryFacts(Vertical):
    """Chips with values from lists, and two text inputs."""

    DEFAULT_CSS = """
    EntryFacts {
        height: auto;
        #facts {
            height: 1;
            margin: 1 0 0 0;
        }
        #tags, #topic {
            background: $panel;
        }
    }
    """

    def __init__(self, draft: Draft, tree: Sequence[Collection]) -> None:
        super().__init__()
        self._draft = draft
        self._tree = tree

    def compose(self) -> ComposeResult:
        """Compose the chips above the inputs."""
        with Horizontal(id="facts"):
            yield Chip("kind", unset="")
            yield Chip("level", unset=N_("none"))
            yield Chip("collection", unset="", least=0, free=True)
        yield Problem(id="collection-problem")
        yield BidiText(_("Tags, separated by commas"))
        yield BidiInput(in_a_line(self._draft.tags), id="tags", compact=True)
        yield Problem(id="tags-problem")
        yield BidiText(_("Topic"))
        yield BidiInput(self._draft.topic or "", id="topic", compact=True)

    def on_mount(self) -> None:
        """Show the entry's values."""
        offered = {"kind": choices.kinds(), "level": choices.levels()}
        offered["collection"] = choices.collections(self._tree)
        for chip in self.query(Chip):
            chip.offer(offered[chip.field])
            chip.take(getattr(self._draft, chip.field))

    def written(self, draft: Draft) -> Draft:
        """Return a draft with these values."""
        facts = {chip.field: chip.value for chip in self.query(Chip)}
        return replace(
            draft,
            kind=facts["kind"] or draft.kind,
            level=facts["level"],
            collection=facts["collection"] or "",
            topic=self.query_one("#topic", Input).value.strip() or None,
            tags=tags_in(self.query_one("#tags", Input).value),
        )

    def tell(self, problems: Mapping[str, str]) -> None:
        """Show an error beside each field."""
        for field in ("collection", "tags"):
            self.query_one(f"#{field}-problem", Problem).tell(problems.get(field, ""))
