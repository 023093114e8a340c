"""The form of an entry: question and answers by language, and facts.

A language side has the question and the answers. The facts are kind, level, collection, tags and
topic. The content is read into a draft, and errors are shown by field.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widgets import Input, TextArea

from kb.errors import Conflict
from kb.i18n import LANGUAGES, N_, _, language, of_language
from kb.model.changes import Collection
from kb.model.draft import Draft
from kb.model.results import LONGEST_TAG, in_a_line, is_language_code, tags_in
from kb.present.titles import named
from tui import choices
from tui.choices import Choice
from tui.commands import Situation
from tui.messages import EntriesChanged
from tui.panes.pane import ROOM_FOR_TWO
from tui.panes.writing import FormReady
from tui.phrases import KINDS, role_name
from tui.screens.commanding import SavingForm
from tui.session import Session
from tui.widgets.bidi_input import BidiInput
from tui.widgets.bidi_text import BidiText
from tui.widgets.chip import Chip
from tui.widgets.scrolling import ScrollingForm
from tui.widgets.text_area import BidiArea

_TITLE = 60
_OVERTAKEN = N_(
    "Another program changed this entry, so nothing was overwritten. Press Ctrl+S again to "
    "save your version."
)

Side = tuple[str, Mapping[str, str]]
"""A language and its texts by role."""


class WritingScreen(SavingForm[Draft]):
    """Writes or changes an entry; stays open until saved or left."""

    CSS_PATH = "writing.tcss"
    PLACES = ("dialog", "form")
    AUTO_FOCUS = "TextArea"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (ROOM_FOR_TWO, "-wide")]

    def __init__(self, session: Session, ready: FormReady) -> None:
        super().__init__(session, self._stored)
        self._ready = ready
        self._seen = ready.seen

    def compose(self) -> ComposeResult:
        """Compose the languages side by side, and the facts below."""
        draft, entry = self._ready.draft, self._ready.entry
        with ScrollingForm(id="form"):
            name = named(of_language(draft.question)[1], _TITLE)
            title = _("Edit “{title}”", title=name) if entry else _("A new entry")
            yield BidiText(title, classes="caption")
            with Horizontal(id="sides"):
                # That of the interface first, as in reading.
                langs = draft.languages or draft.question
                yield from map(self._side, sorted(langs, key=lambda lang: lang != language()))
            yield EntryFacts(draft, self._ready.tree)
            yield BidiText(classes="hint")

    def _side(self, lang: str) -> LanguageSide:
        draft = self._ready.draft
        roles = tuple(draft.answers) or ("source",)
        texts = {role: draft.answers.get(role, {}).get(lang, "") for role in roles}
        known = choices.languages(dict.fromkeys((*LANGUAGES, *draft.languages)))
        return LanguageSide(
            lang, {"question": draft.question.get(lang, ""), **texts}, known, own=self._ready.own
        )

    @property
    def sides(self) -> list[Side]:
        """The languages with their texts."""
        return [(side.lang, side.texts) for side in self.query(LanguageSide)]

    @property
    def written(self) -> Draft:
        """The content of the form."""
        return draft_of(self.query_one(EntryFacts).written, self.sides)

    @property
    def situation(self) -> Situation:
        """The state for commands: another language can always be added."""
        return super().situation._replace(languages=len(LANGUAGES))

    async def action_other_language(self) -> None:
        """Add another language, an interface language first."""
        used = [lang for lang, _texts in self.sides]
        side = self._side(next((code for code in LANGUAGES if code not in used), ""))
        await self.query_one("#sides").mount(side)
        side.query(TextArea).first().focus()

    def action_save(self) -> None:
        """Save the entry, including text still being typed."""
        self.call_later(self._check)

    def _check(self) -> None:
        draft = self.written
        problems = problems_of(draft, self.sides)
        self._tell(problems)
        if not problems:
            self.save(draft)

    def warn(self, text: str) -> None:
        """Show the errors; the text stays."""
        self._tell({}, text)

    def _stored(self, draft: Draft) -> EntriesChanged:
        """Store a draft as a new or changed entry."""
        edit, entry, seen = self._session.library.edit, self._ready.entry, self._seen
        try:
            done = edit.edit(entry, draft, seen=seen) if entry else edit.new(draft)
        except Conflict:
            if entry is None or edit.digest_of(entry) == seen:
                raise
            self._seen = edit.digest_of(entry)
            raise Conflict(_OVERTAKEN) from None
        (id,) = done.ids
        title = self._session.title(id)
        saved = " · ".join([_("Saved “{title}”", title=title), _("u undoes it")])
        said = saved if done.change else _("Nothing was changed.")
        if done.not_back:
            why = _("the kept Anki package cannot hold this edit: {why}")
            said = " · ".join([said, why.format(why=_(done.not_back))])
        return EntriesChanged(said, done.ids, opened=id)

    def _tell(self, problems: dict[str, str], said: str = "") -> None:
        """Show errors beside each field, and general ones below."""
        for number, side in enumerate(self.query(LanguageSide)):
            for each in side.query(Problem):
                each.tell(problems.get(f"{each.name}.{number}", ""))
        for each in self.query_one(EntryFacts).query(Problem):
            each.tell(problems.get(str(each.name), ""))
        wrong = said or (_("Not saved: see the messages above.") if problems else "")
        self.hint(wrong, warning=bool(wrong))


def draft_of(draft: Draft, sides: Sequence[Side]) -> Draft:
    """Return a draft with these texts, without blank ones."""
    filled: dict[str, dict[str, str]] = {"question": {}}
    for lang, texts in sides:
        for role, text in texts.items():
            if text.strip():
                filled.setdefault(role, {})[lang] = text
    return replace(draft, question=filled.pop("question"), answers=filled)


def problems_of(draft: Draft, sides: Sequence[Side]) -> dict[str, str]:
    """Return errors by field, numbered for language sides: ``lang.0``, ``question.0``.

    >>> sorted(problems_of(Draft(collection="a//b"), [("en", {"question": " "})]))
    ['collection', 'question.0']
    """
    found = {}
    seen: set[str] = set()
    for number, (lang, texts) in enumerate(sides):
        if not any(text.strip() for text in texts.values()):
            continue
        if not is_language_code(lang):
            found[f"lang.{number}"] = _("A language has a code, such as en, fa, de.")
        elif lang in seen:
            found[f"lang.{number}"] = _("The entry already has this language.")
        seen.add(lang)
    if not seen:
        found["question.0"] = _("An entry needs a question or an answer.")
    if not all(part.strip() for part in draft.collection.split("/")):
        found["collection"] = _("A collection name must not have empty parts.")
    if any(len(tag) > LONGEST_TAG for tag in draft.tags):
        found["tags"] = _("A tag is too long.")
    return found


class Problem(BidiText):
    """The error of the field above, which is its ``name``; hidden if there is none."""

    def tell(self, problem: str) -> None:
        """Show an error, or hide it."""
        self.show(problem)
        self.display = bool(problem)


class LanguageSide(Vertical):
    """A form column: texts by role, the question first, each with its name and its error.

    If an entry has only the source's answer, it is just called the answer.
    """

    def __init__(
        self, lang: str, texts: Mapping[str, str], known: Sequence[Choice], *, own: bool = False
    ) -> None:
        named = {role: role_name(role, own=own) for role in texts}
        if set(texts) <= {"question", "source"}:
            named["source"] = _("Answer")
        self._chip = Chip("lang", known, lang or None, unset=N_("none"), least=0, free=True)
        self._areas = {role: BidiArea(text, lang=lang) for role, text in texts.items()}
        fields = (
            Vertical(BidiText(named[role]), area, Problem(name=role), classes="field")
            for role, area in self._areas.items()
        )
        super().__init__(self._chip, Problem(name="lang"), *fields)

    @on(Chip.Changed)
    def _write_in_another(self) -> None:
        for area in self._areas.values():
            area.write_in(self.lang)

    @property
    def lang(self) -> str:
        """The code of the language."""
        return self._chip.value or ""

    @property
    def texts(self) -> dict[str, str]:
        """The texts by role."""
        return {role: area.text for role, area in self._areas.items()}


class EntryFacts(Vertical):
    """Chips with values from lists, and two text inputs."""

    def __init__(self, draft: Draft, tree: Sequence[Collection]) -> None:
        super().__init__()
        self._draft = draft
        self._tree = tree

    def compose(self) -> ComposeResult:
        """Compose the chips above the inputs."""
        draft, tree = self._draft, choices.collections(self._tree)
        with Horizontal(id="facts"):
            yield Chip("kind", choices.named(KINDS), draft.kind, unset="")
            yield Chip("level", choices.levels(), draft.level, unset=N_("none"))
            yield Chip("collection", tree, draft.collection, unset="", least=0, free=True)
        yield Problem(name="collection")
        yield BidiText(_("Tags, separated by commas"))
        yield BidiInput(in_a_line(draft.tags), id="tags", compact=True)
        yield Problem(name="tags")
        yield BidiText(_("Topic"))
        yield BidiInput(draft.topic or "", id="topic", compact=True)

    def on_input_submitted(self) -> None:
        """Go to the next field."""
        self.screen.focus_next()

    @property
    def written(self) -> Draft:
        """The draft with these values."""
        facts = {chip.field: chip.value for chip in self.query(Chip)}
        return replace(
            self._draft,
            kind=facts["kind"] or self._draft.kind,
            level=facts["level"],
            collection=facts["collection"] or "",
            topic=self.query_one("#topic", Input).value.strip() or None,
            tags=tags_in(self.query_one("#tags", Input).value),
        )
