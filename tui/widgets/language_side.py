"""The texts of an entry in one language: which it is, the question, the answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from textual.app import ComposeResult
from textual.containers import Vertical

from kb.i18n import N_, _
from tui.choices import Choice
from tui.phrases import ROLES
from tui.widgets.chip import Chip
from tui.widgets.text_field import Problem, TextField

QUESTION = "question"


class LanguageSide(Vertical):
    """A column of a form: texts by their roles, the question first.

    Where an entry has the source's answer alone, it is called just the answer.
    """

    DEFAULT_CSS = """
    LanguageSide {
        height: auto;
    }
    """

    def __init__(self, lang: str, texts: Mapping[str, str], known: Sequence[Choice]) -> None:
        super().__init__()
        self._lang = lang
        self._texts = texts
        self._known = known

    def compose(self) -> ComposeResult:
        """Put the language above the texts."""
        yield Chip("lang", unset=N_("none"), least=0, free=True)
        yield Problem()
        alone = set(self._texts) <= {QUESTION, "source"}
        for role, text in self._texts.items():
            named = _("Answer") if alone else _(ROLES.get(role, role))
            yield TextField(_("Question") if role == QUESTION else named, text, role=role)

    def on_mount(self) -> None:
        """Show which language it is."""
        chip = self.query_one(Chip)
        chip.offer(self._known)
        chip.take(self._lang or None)

    @property
    def lang(self) -> str:
        """The code of the language."""
        return (self.query_one(Chip).value or "") if self.is_mounted else self._lang

    @property
    def texts(self) -> dict[str, str]:
        """What was written, by role."""
        fields = {field.role: field.text for field in self.query(TextField)}
        return fields or dict(self._texts)

    def tell(self, problems: Mapping[str, str]) -> None:
        """Say what is wrong: with the language, or with a text of a role."""
        self.query_one(Problem).tell(problems.get("lang", ""))
        for field in self.query(TextField):
            field.tell(problems.get(field.role, ""))
