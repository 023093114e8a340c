"""Reading: entries, programs, and the values to choose from."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from kb.content.release import released
from kb.errors import Message, NotFound, nearest, shown
from kb.model.entry import Entry, Media, Snippet
from kb.present.annotated import anchored
from kb.service.base import Service, clean, clean_names
from kb.service.opening import TELLING

if TYPE_CHECKING:
    from kb.model.reports import Proven

_WITHIN = re.compile(r"#|::")
"""Separates an id from a name within its entry: a heading, a program."""

_NAMED, _OFFERED = 20, 200


class Read(Service):
    """Reading of entries and programs."""

    def show(self, entry: str) -> Entry:
        """Return an entry with everything that belongs to it. Raises `NotFound`.

        ``ID#heading`` is one section of a note, without the note's other data;
        ``ID#heading#heading`` is a subsection.
        """
        try:
            return released(anchored(self._base.entry(entry)))
        except NotFound:
            for place in [at for at, sign in enumerate(entry) if sign == "#"][::-1]:
                note = self._base.store.entries.get([entry[:place]]).get(entry[:place])
                if note is not None:
                    return _section(note, entry[place + 1 :])
            raise

    def full_ids(self, names: Iterable[str]) -> tuple[str, ...]:
        """Return full ids for names that are their unique last segments, or unique numbers.

        An existing or earlier id of an entry, program or annotation is unchanged, as is a name
        that matches none. A suffix after ``#`` or ``::`` is kept. Raises `NotFound` with the ids
        if several match.
        """
        return tuple(map(self._full_id, clean_names("ids", names)))

    def _full_id(self, name: str) -> str:
        store = self._base.store
        for end in (len(name), *(within.start() for within in _WITHIN.finditer(name))):
            short = name[:end]
            if (
                store.entries.taken(short)
                or store.snippets.get([short, short.removesuffix(".py")])
                or store.evidences.owners([short])
            ):
                return name
            found = store.catalog.entries_called(short)
            if len(found) > 1:
                raise NotFound(
                    "'{name}' can mean {n} entries",
                    Message("Name one of them: {ids}.", ids=", ".join(found[:_NAMED])),
                    n=len(found),
                    name=shown(short),
                )
            if found:
                return found[0] + name[end:]
        return name

    def beginning(self, field: str, prefix: str) -> list[str]:
        """Return the values of a field (see `facets`), or ids, that begin with the typed text."""
        catalog = self._base.store.catalog
        if field == "id":
            return catalog.entries_beginning(clean("an id", prefix), _OFFERED)
        return [each for each in catalog.facets().get(field, ()) if each.startswith(prefix)]

    def bytes_of(self, media: Media) -> bytes:
        """Return the bytes of an entry's picture or sound. Raises `NotFound`."""
        found = self._base.store.media.get(clean("a digest", media.sha256))
        if found is None:
            raise NotFound("the file is not in the database", place=media.name)
        return found

    def backlinks(self, entry: str) -> tuple[str, ...]:
        """Return the entries that list this one as related."""
        return self._base.store.entries.backlinks(clean("an entry", entry))

    def questions(self, ids: Iterable[str]) -> dict[str, dict[str, str]]:
        """Return the displayed question of each of these entries by language."""
        found = self._base.store.entries.get([clean("an entry", each) for each in ids])
        return {id: {**entry.question, **entry.wording} for id, entry in found.items()}

    def is_own(self, entry: str) -> bool:
        """Return whether the reader wrote an entry: it is neither bundled nor from a file."""
        name, store = clean("an entry", entry), self._base.store
        state = store.entries.state(name)
        return state is not None and state.owner == "user" and not store.ledger.of_entries([name])

    def is_bundled(self, entry: str) -> bool:
        """Return whether an entry comes with danesh, so that deleting it only hides it."""
        state = self._base.store.entries.state(clean("an entry", entry))
        return state is not None and state.owner == "bundled"

    def snippet(self, name: str) -> Snippet:
        """Return a program, an entry's main program, or the one that proves an annotation.

        An entry's id takes precedence over a program's name, and ``ENTRY::SNIPPET`` names a
        program of an entry. Raises `NotFound`, and `Conflict` for an ambiguous name.
        """
        from kb.service.programs import named_program

        return named_program(self._base, clean("a program", name))

    def holders(self, names: Iterable[str]) -> dict[str, tuple[str, ...]]:
        """Return the entries that have these programs, by program name."""
        return self._base.store.snippets.holders(clean_names("names", names))

    def collections(self) -> dict[str, dict[str, str]]:
        """Return the collections in order, with titles by language."""
        return self._base.store.catalog.collections()

    def telling(self) -> str:
        """Return the entry that the content names as the first to show, if any."""
        return self._base.store.meta.get(TELLING) or ""

    def last_changed(self) -> str:
        """Return the listed entry that the reader changed last, if known."""
        return self._base.store.catalog.last_changed() or ""

    def facets(self) -> dict[str, list[str]]:
        """Return the filter values by field: lang, collection, level, verdict."""
        return self._base.store.catalog.facets()

    def proven(self) -> Proven:
        """Return the number of confirmed annotations, and of those with evidence."""
        return self._base.store.evidences.proven()


def _section(note: Entry, heading: str) -> Entry:
    """Return a note reduced to the first section with such a heading. Raises `NotFound`."""
    from kb.text.sections import named, sections

    known: dict[str, None] = {}
    for answer in note.answers:
        every = sections(answer.text)
        known |= dict.fromkeys(each.title for each in every)
        found = named(every, heading)
        if found is not None:
            text = answer.text[found.start : found.end]
            part = answer._replace(text=text, origin=None)
            return dataclasses.replace(note, answers=(part,), annotations=(), snippets=())
    raise NotFound(
        "there is no heading '{heading}'",
        nearest(heading, known),
        place=note.id,
        heading=heading[:60],
    )
