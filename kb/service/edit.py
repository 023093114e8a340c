"""Writing and changing entries: each action is one change that can be undone."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from urllib.parse import unquote

from kb.errors import Conflict, Message, UsageError
from kb.formats.book import slug, unused
from kb.formats.notes.matter import links_in, page_name
from kb.model.draft import Amendment, Draft
from kb.model.entry import Entry
from kb.model.entry_json import content_digest
from kb.model.results import LONGEST_TAG, is_language_code
from kb.model.values import KINDS, LAYERS, LEVELS, ROLES, named_level
from kb.service.base import Service, clean, clean_names, collection_name, one_of, visible
from kb.service.packages import why_not_back
from kb.service.programs import remember_texts
from kb.service.write import (
    OWNER,
    POSITION,
    Edited,
    Recorder,
    change_entry,
    delete_entry,
    hide_entry,
    recording,
    stand,
    write_entry,
)
from kb.text.fold import script
from kb.text.languages import guess_language, profiles

_LONGEST_TEXT = 1_000_000


class Edit(Service):
    """Writing, changing, moving, tagging and deleting entries."""

    def new(self, draft: Draft) -> Edited:
        """Store a new entry; create its collection if necessary. Raises `UsageError`."""
        checked = _checked(draft)
        with recording(self._base, "new") as recorder:
            stand(self._base, checked.collection, recorder)
            title = next(iter(checked.question.values()), "") or next(
                text for texts in checked.answers.values() for text in texts.values()
            )
            wanted = f"{checked.collection}/{slug(title)}"
            entry = checked.entry(unused(wanted, self._base.store.entries.taken))
            entry = self._linked(entry, ())
            write_entry(self._base, entry, "user")
            state = self._base.store.entries.states([entry.id])[entry.id]
            recorder.entry(None, entry)
            recorder.field(entry.id, OWNER, None, state.owner)
            recorder.field(entry.id, POSITION, None, state.position)
        remember_texts(self._base, None, entry)
        return Edited((entry.id,), recorder.id)

    def edit(self, id: str, draft: Draft, *, seen: str | None = None) -> Edited:
        """Store the form of an entry.

        ``seen`` is the `digest_of` from when the form was made: raises `Conflict` if the entry
        was changed since; also `NotFound` and `UsageError`.
        """
        checked = _checked(draft)
        return self._edited(id, lambda entry: checked, seen)

    def amend(self, id: str, amendment: Amendment, *, seen: str | None = None) -> Edited:
        """Change some fields of an entry. Errors are those of `edit`."""

        def amended(entry: Entry) -> Draft:
            draft, texts = Draft.of(entry), (amendment.question, amendment.answer)
            if amendment.lang and texts == (None, None):
                draft = draft.in_language(amendment.lang)
            lang = amendment.lang or _language(draft, "".join(filter(None, texts)))
            return _checked(draft.amended(amendment, lang))

        return self._edited(id, amended, seen)

    def _edited(self, id: str, drafted: Callable[[Entry], Draft], seen: str | None) -> Edited:
        """Store a draft made from the current entry."""
        with recording(self._base, "edit") as recorder:
            found = self._base.entry(id)
            if seen is not None and content_digest(found) != seen:
                raise Conflict(
                    "{id} was changed by somebody else, so nothing was overwritten",
                    Message("'kb history {id}' shows its changes.", id=found.id),
                    id=found.id,
                )
            changed = self._linked(drafted(found).applied(found), _links(found))
            self._change(recorder, found, changed)
        remember_texts(self._base, found, changed)
        not_back = why_not_back(self._base.store, found, changed)
        return Edited((found.id,), recorder.id, not_back=not_back)

    def _linked(self, entry: Entry, before: Iterable[str]) -> Entry:
        """Return an entry related to the notes that its texts newly link to.

        It is no longer related to those of the links ``before`` that it has lost.
        """
        now = _links(entry)
        gone = {id: None for link in before if link not in now for id in _targets(link, entry)}
        new = {id: None for link in now if link not in before for id in _targets(link, entry)}
        there = self._base.store.entries.get([*new])
        kept = (id for id in entry.related if id in new or id not in gone)
        related = dict.fromkeys((*kept, *(id for id in new if id in there and id != entry.id)))
        return dataclasses.replace(entry, related=tuple(related))

    def blank(self, near: str | None = None) -> Draft:
        """Return an empty draft, in the collection of an own entry if that is ``near``."""
        entries = self._base.store.entries
        state = entries.state(clean("an entry", near)) if near else None
        return Draft(collection=state.collection) if state and state.owner == "user" else Draft()

    def digest_of(self, id: str) -> str:
        """Return a digest of an entry's content. Raises `NotFound`."""
        return content_digest(self._base.entry(id))

    def draft_of(self, id: str) -> Draft:
        """Return the draft of an entry for a form. Raises `NotFound`."""
        return Draft.of(self._base.entry(id))

    def remove(self, ids: Iterable[str], *, action: str = "rm") -> Edited:
        """Delete the reader's own entries; hide bundled ones. Raises `NotFound`."""
        hidden = []

        def removed(recorder: Recorder, entry: Entry) -> None:
            state = self._base.store.entries.states([entry.id])[entry.id]
            if state.owner == "bundled":
                hidden.append(entry.id)
                hide_entry(self._base, entry.id, True, recorder)
            else:
                delete_entry(self._base, recorder, entry, state)

        return self._each(action, ids, removed)._replace(hidden=tuple(hidden))

    def unhide(self, ids: Iterable[str]) -> Edited:
        """Show hidden entries again in lists and search. Raises `NotFound`."""
        return self._each(
            "unhide", ids, lambda recorder, each: hide_entry(self._base, each.id, False, recorder)
        )

    def move(self, ids: Iterable[str], collection: str) -> Edited:
        """Move entries to the end of a collection, which is created if necessary.

        Their ids stay. Raises `NotFound` and `UsageError`.
        """
        wanted = collection_name(collection)

        def moved(recorder: Recorder, entry: Entry) -> None:
            self._change(recorder, entry, dataclasses.replace(entry, collection=wanted))

        return self._each("mv", ids, moved)

    def tag(
        self, ids: Iterable[str], add: Iterable[str] = (), remove: Iterable[str] = ()
    ) -> Edited:
        """Add and remove tags of entries. Raises `NotFound` and `UsageError`."""
        more, less = _tags(add), set(_tags(remove))

        def tagged(recorder: Recorder, entry: Entry) -> None:
            kept = dict.fromkeys(tag for tag in (*entry.tags, *more) if tag not in less)
            self._change(recorder, entry, dataclasses.replace(entry, tags=tuple(kept)))

        return self._each("tag", ids, tagged)

    def _each(
        self, action: str, ids: Iterable[str], change: Callable[[Recorder, Entry], None]
    ) -> Edited:
        """Change each of these entries, as one change. Raises `NotFound` and `UsageError`."""
        names = tuple(dict.fromkeys(clean_names("ids", ids)))
        if not names:
            raise UsageError("name at least one entry")
        with recording(self._base, action) as recorder:
            found = self._base.store.entries.get(names)
            for name in names:
                if name not in found:
                    raise self._base.not_found(Message("entry"), name)
            for entry in found.values():
                change(recorder, entry)
        return Edited(names, recorder.id)

    def _change(self, recorder: Recorder, before: Entry, after: Entry) -> None:
        """Store a changed entry and report the differences; nothing if there are none."""
        if before == after:
            return
        state = self._base.store.entries.states([before.id])[before.id]
        stand(self._base, after.collection, recorder)
        change_entry(self._base, recorder, before, after, state)


def _links(entry: Entry) -> tuple[str, ...]:
    texts = (*entry.question.values(), *(each.text for each in entry.answers))
    return links_in("\n".join(texts))


def _targets(link: str, entry: Entry) -> tuple[str, ...]:
    """Return the ids that the target of a link can have: in the entry's collection, or by its path.

    >>> _targets("Notes/My%20page#Part", Entry("a/x", "note", "a", {}))
    ('a/my-page', 'Notes/my-page')
    """
    path, _, name = unquote(link.partition("#")[0]).removesuffix(".md").rpartition("/")
    page = slug(page_name(name)) if name else ""
    return (f"{entry.collection}/{page}", f"{path}/{page}".lstrip("/")) if page else ()


def _language(draft: Draft, text: str) -> str:
    """Return the language of a text: as detected, or the draft's only one if the script fits."""
    guessed = guess_language(text)
    known = profiles().get(guessed)
    if len(draft.languages) != 1 or guessed in draft.languages or known is None:
        return guessed
    letters = (char for each in draft.texts for char in each if char.isalpha())
    return draft.languages[0] if script(next(letters, "a")) == known.script else guessed


def _checked(draft: Draft) -> Draft:
    """Return a validated draft. Raises `UsageError` for an invalid entry."""
    if not isinstance(draft, Draft):
        raise UsageError("an entry must be a Draft, not {type}", type=type(draft).__name__)
    question = _texts(draft.question)
    answers = {
        one_of("role", role, (*ROLES, *LAYERS)): _texts(t) for role, t in draft.answers.items()
    }
    if not question and not any(answers.values()):
        raise UsageError("an entry needs a question or an answer")
    level = draft.level
    return Draft(
        question,
        {role: texts for role, texts in answers.items() if texts},
        one_of("kind", draft.kind, KINDS),
        collection_name(draft.collection),
        None if not level else one_of("level", named_level(level) or level, LEVELS),
        _line("a number", draft.number),
        _line("a topic", draft.topic),
        _tags(draft.tags),
    )


def _texts(texts: Mapping[str, str]) -> dict[str, str]:
    """Return the non-empty texts by language code."""
    found = {}
    for lang, text in texts.items():
        said = clean("a text", text).strip("\n").rstrip()
        if not said.strip():
            continue
        if len(said) > _LONGEST_TEXT:
            raise UsageError("a text has at most {most:,} characters", most=_LONGEST_TEXT)
        code = clean("a language", lang) or guess_language(said)
        if not is_language_code(code):
            raise UsageError("'{code}' is not a language code (such as en, fa, de)", code=code)
        if code in found:
            raise UsageError("two texts are in '{code}': give one another language", code=code)
        found[code] = said
    return found


def _line(what: str, text: str | None) -> str | None:
    return visible(what, text) or None if text else None


def _tags(tags: Iterable[str]) -> tuple[str, ...]:
    """Return tags without surrounding spaces. Raises `UsageError` for an invalid tag."""
    found = [visible("a tag", tag) for tag in clean_names("tags", tags)]
    for tag in found:
        if not tag:
            raise UsageError("a tag needs a name")
        if len(tag) > LONGEST_TAG:
            raise UsageError("a tag has at most {most} characters", most=LONGEST_TAG)
    return tuple(dict.fromkeys(found))
