"""What a reader adds to entries: notes, annotations and programs."""

from __future__ import annotations

import ast
import dataclasses
import math
import secrets
from collections.abc import Iterable, Sequence

from kb.errors import Message, NotFound, UsageError, nearest
from kb.evidence.trust import remember_written, trust
from kb.model.entry import Annotation, Entry, Evidence, Snippet, Target, TextSpan, digest
from kb.model.entry_json import annotation_digest
from kb.model.values import NOTE, OWN_TARGET_ROLES, OWN_VERDICTS, SEVERITIES
from kb.service.base import Service, clean, one_of, visible
from kb.service.programs import typed_program
from kb.service.write import ADDED, added_to, recorded
from kb.text.languages import guess_language
from kb.text.program import forbidden_in_name, forbidden_part, normal_code
from kb.text.quotation import quote

_LONGEST_NOTE = 100_000


class Notes(Service):
    """The reader's additions, which no import or update changes."""

    def annotate(
        self,
        entry: str,
        words: TextSpan,
        note: str,
        *,
        verdict: str = NOTE,
        severity: str = "low",
        evidence: Iterable[Evidence] = (),
    ) -> Annotation:
        """Add a note, or an annotation with a verdict, to words of an entry's text.

        ``evidence`` are figures that programs of the entry print. Raises `NotFound` for the entry
        or a program, and `UsageError` for missing words, an unknown verdict, an empty note or an
        invalid figure.
        """
        found = self._base.entry(entry)
        if not isinstance(words, TextSpan):
            raise UsageError("words must be a TextSpan, not {type}", type=type(words).__name__)
        role, lang, start, end = words
        text = found.text(one_of("role", role, OWN_TARGET_ROLES), clean("a language", lang))
        if not 0 <= start < end <= len(text):
            raise UsageError(
                "there are no words at {start} to {end} of its {role}",
                place=entry,
                start=start,
                end=end,
                role=role,
            )
        quoted = quote(text, start, end)
        annotation = Annotation(
            id=f"own-{secrets.token_hex(4)}",
            target=Target(role, lang, quoted.exact, start, end, "", quoted.prefix, quoted.suffix),
            verdict=one_of("verdict", verdict, OWN_VERDICTS),
            severity=one_of("severity", severity, SEVERITIES),
            note=_noted(note),
            evidence=_looked_at(found, quoted.exact, evidence),
            own=True,
        )
        return self._keep(found.id, annotation)

    def amend(
        self,
        annotation: str,
        note: str,
        *,
        verdict: str | None = None,
        evidence: Iterable[Evidence] | None = None,
    ) -> Annotation:
        """Change the reader's own annotation; its evidence stays unless replaced.

        Raises `NotFound` and `UsageError`.
        """
        name = clean("an annotation", annotation)
        own = ((e, a) for e in self._holders(name) for a in e.annotations if a.own and a.id == name)
        entry, stored = next(own, (None, None))
        if entry is None or stored is None:
            raise self._not_own(name)
        changed = dataclasses.replace(
            stored,
            note=_noted(note),
            verdict=one_of("verdict", verdict or stored.verdict, OWN_VERDICTS),
        )
        if evidence is not None:
            proof = _looked_at(entry, stored.target.quote, evidence)
            changed = dataclasses.replace(changed, evidence=proof)
        return self._keep(entry.id, changed)

    def save_snippet(
        self,
        entry: str,
        code: str,
        *,
        name: str | None = None,
        title: str = "",
        main: bool | None = None,
        based_on: str | None = None,
    ) -> Snippet:
        """Store a program that the reader wrote with an entry, and trust it.

        ``based_on`` is the code that the reader started from, if any: changes to untrusted code
        stay untrusted until the reader agrees. Line ends are normalized.

        ``name`` replaces the reader's own program of that name; without it a name is generated.
        The ``main`` program runs for the entry's id: the reader's only one is, unless the entry
        came with another. What the reader typed runs without asking, also on the command line.
        Raises `NotFound`, `UsageError` for empty code or an empty name, and `Conflict` for a name
        of another owner.
        """
        found = self._base.entry(entry)
        written = normal_code(clean("code", code))
        hidden = forbidden_part(written)
        if not written.strip():
            raise UsageError("the program is empty, so it was not saved")
        if hidden is not None:
            raise UsageError(
                "line {line} of the code has {what}", line=hidden.line, what=hidden.what
            )
        said = clean("a title", title).strip() or _first_line(written)
        titles = {guess_language(said): said} if said else {}
        chosen = visible("a name", name) if name else f"own-{secrets.token_hex(4)}"
        if not chosen:
            raise UsageError("a program needs a name")
        hidden_in_name = forbidden_in_name(chosen)
        if hidden_in_name:
            raise UsageError(
                "the name of a program has {hidden_in_name}", hidden_in_name=hidden_in_name
            )
        others = [each for each in found.snippets if each.id != chosen]
        known = next((each for each in found.snippets if each.id == chosen), None)
        renewed = known.code if based_on is None and known is not None else based_on
        _, foreign = typed_program(self._base, written, chosen, renewed)
        first = main if main is not None else known.main if known else not others
        snippet = Snippet(chosen, titles, written, first, own=True)
        with recorded(self._base, "save program", [found.id]):
            self._base.store.additions.put_snippet(found.id, snippet)
            for each in others if first else ():
                if each.own and each.main:
                    second = dataclasses.replace(each, main=False)
                    self._base.store.additions.put_snippet(found.id, second)
        remember_written(snippet.digest, foreign)
        if not foreign:
            trust([snippet.digest])
        return snippet

    def withdraw(self, name: str) -> None:
        """Delete the reader's own annotation or program. Raises `NotFound`."""
        wanted = clean("a name", name)
        entries = self._holders(wanted)
        if not entries:
            raise self._not_own(wanted)
        with recorded(self._base, "withdraw", [each.id for each in entries]) as recorder:
            for each in entries:
                recorder.field(each.id, ADDED, added_to(each), None)
            self._base.store.additions.remove(wanted)

    def _holders(self, name: str) -> Sequence[Entry]:
        """Return the entries with the reader's own annotation or program of this name."""
        store = self._base.store
        return [*store.entries.get(store.additions.entries_of(name)).values()]

    def _keep(self, entry: str, annotation: Annotation) -> Annotation:
        status = "unverified" if annotation.evidence else "no-evidence"
        annotation = dataclasses.replace(annotation, status=status)
        with recorded(self._base, "note", [entry]):
            self._base.store.additions.put_annotation(entry, annotation)
        remember_written(annotation_digest(entry, annotation))
        return annotation

    def _not_own(self, name: str) -> NotFound:
        known = self._base.store.additions.names()
        said = Message("'{name}' is not an annotation or program of yours", name=name)
        return NotFound(said, nearest(name, known))


def _looked_at(entry: Entry, quote: str, evidence: Iterable[Evidence]) -> tuple[Evidence, ...]:
    """Return evidence with the current digests of quote and programs."""
    programs = {snippet.id: snippet for snippet in entry.snippets}
    found = []
    for each in evidence:
        if not isinstance(each, Evidence):
            raise UsageError("evidence must be Evidence, not {type}", type=type(each).__name__)
        if each.snippet not in programs:
            said = Message(
                "{id} has no program '{snippet}'",
                id=entry.id,
                snippet=clean("a program", each.snippet),
            )
            raise NotFound(said, nearest(each.snippet, programs))
        figures = (each.expected, each.tolerance, *([each.claimed] if each.claimed else []))
        if not clean("a figure", each.figure).strip() or not all(map(math.isfinite, figures)):
            raise UsageError("evidence needs a name and finite numbers")
        code = programs[each.snippet].digest
        found.append(dataclasses.replace(each, quote_hash=digest(quote), snippet_hash=code))
    return tuple(found)


def _noted(note: str) -> dict[str, str]:
    """Return a note by its language. Raises `UsageError` for an empty or overlong note."""
    said = clean("a note", note).strip()
    if not said:
        raise UsageError("an annotation needs some words")
    if len(said) > _LONGEST_NOTE:
        raise UsageError("an annotation has at most {most} characters", most=_LONGEST_NOTE)
    return {guess_language(said): said}


def _first_line(code: str) -> str:
    """Return the title of a program: the first line of its docstring, if any."""
    try:
        docstring = ast.get_docstring(ast.parse(code))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""
    return docstring.splitlines()[0].rstrip(".") if docstring else ""
