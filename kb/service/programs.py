"""The programs that a run or verification would start: code, origin, and need for consent.

Front ends call this before they start anything, show what needs consent, and pass the shown
digests to `run` or `verify`.
"""

from __future__ import annotations

import contextlib
import dataclasses
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from kb import limits
from kb.content.bundled import bundled_folder
from kb.content.entries import trusted_digests
from kb.errors import Conflict, Message, NotFound, Untrusted, nearest
from kb.evidence.parameters import with_values
from kb.evidence.runner import Limits, OnOutput, check_level, run_snippet, sandbox_level
from kb.evidence.trust import (
    Consent,
    check_trust,
    hides,
    remember_written,
    trust,
    trusted_by_reader,
    written_by_reader,
)
from kb.evidence.verify import programs_of
from kb.model.changes import BUNDLED
from kb.model.entry import Annotation, Entry, Program, Snippet, Whose, digest
from kb.model.json import dumps
from kb.model.reports import Outcome
from kb.present.claims import proof_of
from kb.present.fences import fenced_programs
from kb.service.base import Base, Service, clean, clean_names, within_reason
from kb.text.program import normal_code


class Programs(Service):
    """The programs that would be started."""

    def of_run(self, name: str) -> tuple[Program, ...]:
        """Return the program that `run` would start. Errors are those of `run` for its name."""
        return self.told([named_program(self._base, clean("a program", name))])

    def of_code(
        self, code: str, *, name: str = "code", based_on: str | None = None
    ) -> tuple[Program, ...]:
        """Return the program that `run_code` would start.

        ``based_on`` is the code that the reader started from, if any.
        """
        snippet, foreign = typed_program(self._base, code, name, based_on)
        (known,) = self.told([snippet])
        if foreign and known.digest != foreign:
            known = known._replace(whose="changed")
        return (known._replace(asks=bool(foreign) and not known.unfit),)

    def of_verify(self, ids: Iterable[str] = (), *, accept: bool = False) -> tuple[Program, ...]:
        """Return the programs that `verify` would start, by name. Raises `NotFound`.

        Those of entries that the ids do not name are not ``named``.
        """
        evidence = chosen_evidence(self._base, clean_names("ids", ids))
        annotations = evidence.looked_at() if accept else evidence.annotations
        shown = named_digests(evidence.entries)
        started = programs_of(annotations, evidence.snippets)
        return self.told(started, lambda each: each.digest in shown)

    def allow(self, digests: Iterable[str]) -> None:
        """Let code of these digests run without asking from now on: the reader has seen it."""
        trust(clean_names("digests", digests))

    def told(
        self, snippets: Sequence[Snippet], named: Callable[[Snippet], bool] = lambda each: True
    ) -> tuple[Program, ...]:
        """Return programs with their origin, and which of them need consent."""
        store = self._base.store
        bundled, allowed, written = _bundled(), trusted_by_reader(), written_by_reader()
        holders = {
            **{each.id: (entry,) for each in snippets if (entry := each.id.rpartition(OF)[0])},
            **store.snippets.holders(each.id for each in snippets),
        }
        records = store.ledger.of_entries([e for entries in holders.values() for e in entries])
        # Of a file that was put under several collections, the path is the first line.
        files = {
            entry: record.file.split("\n", 1)[0]
            for entry, record in records.items()
            if record.file != BUNDLED
        }
        told = []
        for each in snippets:
            entries, unfit = holders.get(each.id, ()), hides(each)
            brought = next((files[e] for e in entries if files.get(e, "")), "")
            whose = _whose(each.digest, bundled, allowed, written)
            if whose == "elsewhere" and brought:
                whose = "file"
            asks = each.digest not in bundled | allowed and not unfit
            told.append(
                Program(
                    each.id, each.code, each.digest, whose, brought, entries, asks, unfit,
                    named(each),
                )
            )  # fmt: skip
        return tuple(told)


def _whose(
    digest: str, bundled: frozenset[str], allowed: frozenset[str], written: Mapping[str, str]
) -> Whose:
    """Return the origin of code by digest, as far as this machine knows."""
    if digest in bundled:
        return "bundled"
    based_on = written.get(digest)
    if based_on:
        return "kept" if based_on == digest else "changed"
    if digest in allowed:
        return "yours" if based_on is not None else "allowed"
    return "elsewhere"


def typed_program(base: Base, code: str, name: str, based_on: str | None) -> tuple[Snippet, str]:
    """Return a typed program, and the digest of the untrusted code that it is based on, if any.

    That is its base, or the same code if that is stored as untrusted. It then needs consent.
    """
    snippet = Snippet(clean("a name", name), {}, normal_code(clean("code", code)))
    trusted = consent().trusted
    if snippet.digest in trusted:
        return snippet, ""
    before = [Snippet("", {}, clean("code", based_on))] if based_on else []
    sources = [each.digest for each in (*before, *base.store.snippets.with_code(snippet.code))]
    sources += filter(None, [written_by_reader().get(snippet.digest)])
    return snippet, next((each for each in sources if each not in trusted), "")


def remember_texts(base: Base, before: Entry | None, after: Entry) -> None:
    """Record that the reader wrote an entry's texts here, and trust their Python blocks.

    Texts based on others are not the reader's: their blocks need consent.
    """
    with contextlib.suppress(OSError):  # then they ask, too
        if before is not None and _texts_digest(before) not in written_by_reader():
            return
        for each in fenced_programs(after):
            _, foreign = typed_program(base, each.code, each.id, None)
            remember_written(each.digest, foreign)
            if not foreign:
                trust([each.digest])
        remember_written(_texts_digest(after))


def _texts_digest(entry: Entry) -> str:
    said = [("question", lang, text) for lang, text in entry.question.items()]
    said += [each[:3] for each in entry.answers]
    return digest(f"texts\n{dumps(sorted(said), indent=None)}")


def consent(given: Iterable[str] = (), *, unsafe: bool = False) -> Consent:
    """Return the code that may run: bundled code, the reader's code, and code with consent.

    ``unsafe`` consents to running the latter without a sandbox.
    """
    return Consent(_bundled() | trusted_by_reader(), frozenset(given), unsafe)


def named_digests(entries: Iterable[Entry]) -> frozenset[str]:
    """Return the digests of the programs of entries, which are shown with them."""
    return frozenset(each.digest for entry in entries for each in entry.snippets)


def _bundled() -> frozenset[str]:
    return trusted_digests(bundled_folder() / "snippets")


# Which program a name means, whatever names entries, programs and annotations have.
#
# An entry's id goes before all else, so that its program is the one that is shown with it;
# where that would take over a program that came with danesh, and where a name means several
# programs otherwise, nobody chooses for the reader.


OF = "::"
"""Separates an entry's id from the name of its program, where that is ambiguous."""


class _Meaning(NamedTuple):
    """A possible meaning of a name: its unambiguous form, and whether it is bundled."""

    said: str
    program: Snippet | None
    bundled: bool
    entry: bool = False


def named_program(base: Base, name: str) -> Snippet:
    """Return the program with a name. Raises `NotFound` and `Conflict`."""
    meanings = list(_meanings(base, name))
    if not meanings:
        raise _none(base, name)
    first = meanings[0]
    others = [each for each in meanings[1:] if each.program and each.program != first.program]
    # What is said in full is not another's, even where an entry has just that for its id.
    in_full = OF in name and any(each.said == name for each in others)
    taken_over = not first.bundled and any(each.bundled for each in others)
    if others and (in_full or taken_over or not first.entry):
        ways = " or ".join(dict.fromkeys(each.said for each in (first, *others)))
        raise Conflict(
            "'{name}' is the name of several programs", Message("Use {ways}.", ways=ways), name=name
        )
    if first.program is None:
        hint = Message("")
        if others:
            hint = Message("For the program of this name, use {name}.", name=others[0].said)
        raise NotFound("this entry has no program", hint, place=name)
    return first.program


def _meanings(base: Base, name: str) -> Iterator[_Meaning]:
    entry = base.store.entries.get([name]).get(name)
    if entry is not None:
        state = base.store.entries.state(name)
        main = entry.main_snippet() or next(iter(_programs_of(entry).values()), None)
        said = f"{name}{OF}{main.id.removeprefix(name + OF)}" if main else name
        plain = _plain(main) if main else None
        yield _Meaning(said, plain, state is not None and state.owner == "bundled", True)
    programs = base.store.snippets.get(dict.fromkeys((name, name.removesuffix(".py"))))
    if programs:
        bundled = _bundled()
        holders = base.store.snippets.holders(programs)
    for program, found in programs.items():
        said = f"{holders[program][0]}{OF}{program}" if program in holders else program
        yield _Meaning(said, _plain(found), found.digest in bundled)
    for place in (at for at in range(1, len(name)) if name.startswith(OF, at)):
        holder = base.store.entries.get([name[:place]]).get(name[:place])
        owned = _programs_of(holder).get(name[place + len(OF) :]) if holder is not None else None
        if owned is not None:
            yield _Meaning(name, _plain(owned), False)
    for owner in base.store.evidences.owners([name]).values():
        found_entry: Entry | None = base.store.entries.get([owner]).get(owner)
        proof = proof_of(found_entry, name) if found_entry else None
        if proof is not None:
            state = base.store.entries.state(owner)
            bundled_proof = state is not None and state.owner == "bundled"
            yield _Meaning(f"{owner}{OF}{proof.id}", _plain(proof), bundled_proof)


def _programs_of(entry: Entry) -> Mapping[str, Snippet]:
    """Return the programs of an entry by name.

    A block of its text has its full name, which no stored program can have.
    """
    blocks = {
        each.id: dataclasses.replace(each, id=f"{entry.id}{OF}{each.id}")
        for each in fenced_programs(entry)
    }
    return {**blocks, **{each.id: each for each in entry.snippets}}


def _plain(program: Snippet) -> Snippet:
    """Return a program without its role in an entry."""
    return Snippet(program.id, program.title, program.code, own=program.own)


def _none(base: Base, name: str) -> NotFound:
    entry, _, program = name.rpartition(OF)
    found = base.store.entries.get([entry]).get(entry) if entry else None
    if found is not None:
        hint = nearest(program, _programs_of(found))
        return NotFound("this entry has no program '{program}'", hint, place=entry, program=program)
    return base.not_found(Message("program or entry"), name)


# The evidence behind annotations, with the programs that it names, as they are stored.


class Evidence(NamedTuple):
    """The parts of entries with evidence (see `Entry.claims`), and the programs they name."""

    entries: Sequence[Entry]
    annotations: Sequence[Annotation]
    snippets: Mapping[str, Snippet]

    def looked_at(self) -> list[Annotation]:
        """Return the annotations with the current digests of quotes and programs."""
        codes = {name: snippet.digest for name, snippet in self.snippets.items()}
        found = []
        for each in self.annotations:
            quote = digest(each.target.quote)
            evidence = (
                dataclasses.replace(e, quote_hash=quote, snippet_hash=codes.get(e.snippet, ""))
                for e in each.evidence
            )
            found.append(dataclasses.replace(each, evidence=tuple(evidence)))
        return found


def chosen_evidence(base: Base, ids: Sequence[str]) -> Evidence:
    """Return the evidence of these entries (or annotations), or all evidence.

    Raises `NotFound`.
    """
    store = base.store
    owners = store.evidences.owners(ids) if ids else {}
    wanted = list(dict.fromkeys(owners.get(name, name) for name in ids))
    known = store.entries.get(wanted if ids else store.evidences.annotated())
    for name in wanted:
        if name not in known:
            raise base.not_found(Message("entry or annotation"), name)
    entries = list(known.values())
    annotations = [a for entry in entries for a in entry.claims if a.evidence]
    names = {evidence.snippet for a in annotations for evidence in a.evidence}
    return Evidence(entries, annotations, store.snippets.get(sorted(names)))


# Running programs: those that are kept, and what a reader has typed.


class Run(Service):
    """Running programs."""

    def run(
        self,
        name: str,
        *,
        timeout: float = limits.SECONDS,
        memory: int = limits.MEMORY,
        values: Mapping[str, float | str] | None = None,
        trust: bool = False,
        yes: Iterable[str] = (),
        unsafe_run: bool = False,
        on_output: OnOutput | None = None,
        stop: threading.Event | None = None,
    ) -> Outcome:
        """Run a program, or the main program of an entry, in its own process.

        ``timeout`` is in seconds, ``memory`` in MiB; ``values`` replace those of declared
        parameters (see `kb.evidence.parameters`). Raises `Untrusted` for untrusted code, unless
        its digest is in ``yes`` or ``trust`` is set, and without a sandbox also ``unsafe_run``;
        `NotFound` for an unknown program, `Conflict` for an ambiguous name, and `UsageError` for
        an invalid parameter value.
        """
        given = frozenset(clean_names("digests", yes))
        snippet = named_program(self._base, clean("a program", name))
        if given and snippet.digest not in given:
            raise Untrusted(
                "its code changed after it was shown, so it was not run",
                "Read it again.",
                place=snippet.id,
            )
        allowed = consent([snippet.digest] if trust else given, unsafe=unsafe_run)
        check_trust(snippet, allowed)
        check_level(snippet, allowed)
        if values:
            code = with_values(snippet.code, values, snippet.id)
            snippet = dataclasses.replace(snippet, code=code)
        return run_snippet(snippet, Limits(*within_reason(timeout, memory)), on_output, stop)

    def sandbox_level(self) -> str:
        """Return the sandbox level of this machine: strong, good or limits-only."""
        return sandbox_level().level

    def run_code(
        self,
        code: str,
        *,
        name: str = "code",
        based_on: str | None = None,
        timeout: float = limits.SECONDS,
        memory: int = limits.MEMORY,
        yes: Iterable[str] = (),
        unsafe_run: bool = False,
        on_output: OnOutput | None = None,
        stop: threading.Event | None = None,
    ) -> Outcome:
        """Run typed code, as `run` does.

        ``based_on`` is the code that the reader started from, if any: changes to untrusted code
        need consent, too. ``name`` is used in the outcome.
        """
        snippet, foreign = typed_program(self._base, code, name, based_on)
        allowed = consent(clean_names("digests", yes), unsafe=unsafe_run)
        if not foreign:
            allowed = allowed._replace(trusted={*allowed.trusted, snippet.digest})
        check_trust(snippet, allowed)
        check_level(snippet, allowed)
        return run_snippet(snippet, Limits(*within_reason(timeout, memory)), on_output, stop)
