"""What a reader adds to entries: notes, annotations, and programs of one's own."""

from __future__ import annotations

import ast
import dataclasses
import secrets
from collections.abc import Iterable

from kb.errors import NotFound, UsageError, nearest
from kb.records import Annotation, Entry, Snippet, Target, TextSpan
from kb.records.vocabulary import NOTE, OWN_TARGET_ROLES, OWN_VERDICTS, SEVERITIES
from kb.service.guard import clean, door
from kb.store.sqlite import entries, own
from kb.store.sqlite.database import Database

_LONGEST_NOTE = 100_000


class Own:
    """The part of the door that writes: what is added here, no file and no renewal changes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @property
    def path(self) -> str:
        """The database file."""
        return self._database.path

    @door
    def annotate(
        self,
        entry: str,
        words: TextSpan,
        note: str,
        *,
        verdict: str = NOTE,
        severity: str = "low",
    ) -> Annotation:
        """Add a note, or an annotation with a verdict, to words of an entry's text.

        Raises `NotFound` for the entry and `UsageError` for words that are not there, an
        unknown verdict, an empty note.
        """
        from kb.text.quotation import quote

        found = self._entry(entry)
        role, lang, start, end = words
        text = found.text(_one_of("role", role, OWN_TARGET_ROLES), lang)
        if not 0 <= start < end <= len(text):
            raise UsageError(f"{entry}: there are no words at {start} to {end} of its {role}")
        quoted = quote(text, start, end)
        target = Target(role, lang, quoted.exact, start, end, "", quoted.prefix, quoted.suffix)
        annotation = Annotation(
            id=f"own-{secrets.token_hex(4)}",
            target=target,
            verdict=_one_of("verdict", verdict, OWN_VERDICTS),
            severity=_one_of("severity", severity, SEVERITIES),
            note=_noted(note),
            status="no-evidence",
            own=True,
        )
        return self._keep(found.id, annotation)

    @door
    def amend(self, annotation: str, note: str, *, verdict: str | None = None) -> Annotation:
        """Change what one's own annotation says. Raises `NotFound` and `UsageError`."""
        entry, stored = self._annotation(annotation)
        changed = dataclasses.replace(
            stored,
            note=_noted(note),
            verdict=_one_of("verdict", verdict or stored.verdict, OWN_VERDICTS),
        )
        return self._keep(entry, changed)

    @door
    def save_snippet(
        self, entry: str, code: str, *, name: str | None = None, title: str = ""
    ) -> Snippet:
        """Keep a program that the reader wrote with an entry, and trust it.

        ``name`` renews a program of one's own; without it a new one is kept. What is typed
        by the reader may run unasked, here and on the command line. Raises `NotFound`,
        `UsageError` for code that is empty, and `Conflict` for a name that is another's.
        """
        from kb.evidence.trust import trust
        from kb.text.languages import guess_language

        found = self._entry(entry)
        written = clean(code)
        if not written.strip():
            raise UsageError("an empty program is not kept")
        said = clean(title).strip() or _first_line(written)
        titles = {guess_language(said): said} if said else {}
        chosen = clean(name) if name else f"own-{secrets.token_hex(4)}"
        snippet = Snippet(chosen, titles, written, own=True)
        with self._database.writing() as connection:
            own.put_snippet(connection, found.id, snippet)
            entries.renew_documents(connection, found.id)
        trust(snippet.digest)
        return snippet

    @door
    def withdraw(self, name: str) -> None:
        """Remove an annotation or a program of one's own. Raises `NotFound`."""
        with self._database.writing() as connection:
            changed = own.remove(connection, clean(name))
            if not changed:
                raise self._not_own(name)
            for entry in changed:
                entries.renew_documents(connection, entry)

    def _keep(self, entry: str, annotation: Annotation) -> Annotation:
        with self._database.writing() as connection:
            own.put_annotation(connection, entry, annotation)
            entries.renew_documents(connection, entry)
        return annotation

    def _entry(self, name: str) -> Entry:
        with self._database.errors():
            found = entries.get_entry(self._database.connection, clean(name))
        if found is None:
            raise NotFound(f"there is no entry '{clean(name)}'")
        return found

    def _annotation(self, name: str) -> tuple[str, Annotation]:
        """Return an annotation of one's own and the id of its entry. Raises `NotFound`."""
        with self._database.errors():
            found = own.find_annotation(self._database.connection, clean(name))
        if found is None:
            raise self._not_own(name)
        return found

    def _not_own(self, name: str) -> NotFound:
        known = own.names(self._database.connection)
        said = f"'{clean(name)}' is no note, annotation or program of your own"
        return NotFound(said, nearest(clean(name), known))


def _noted(note: str) -> dict[str, str]:
    """Return a note under its language. Raises `UsageError` for an empty or endless one."""
    from kb.text.languages import guess_language

    said = clean(note).strip()
    if not said:
        raise UsageError("a note needs some words")
    if len(said) > _LONGEST_NOTE:
        raise UsageError(f"a note has at most {_LONGEST_NOTE} characters")
    return {guess_language(said): said}


def _one_of(what: str, value: str, known: Iterable[str]) -> str:
    if value not in known:
        hint = nearest(value, known) or f"Known: {', '.join(known)}."
        raise UsageError(f"there is no {what} '{clean(value)}'", hint)
    return value


def _first_line(code: str) -> str:
    """Return what a program says of itself: the first line of its docstring, if it has one."""
    try:
        docstring = ast.get_docstring(ast.parse(code))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""
    return docstring.splitlines()[0].rstrip(".") if docstring else ""
