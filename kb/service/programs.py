"""What a run or a verification would start: each program whole, whose it is, whether we ask.

Both faces ask here before they start anything, show what needs a yes, and give the digests
of what they have shown back to `run` or `verify`.
"""

from __future__ import annotations

import contextlib
import dataclasses
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from kb.content.entries import trusted_digests
from kb.content.tables import bundled_folder
from kb.errors import Conflict, Message, NotFound, Untrusted, nearest
from kb.evidence.parameters import with_values
from kb.evidence.runner import Limits, check_level, run_snippet, sandbox_level
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
from kb.model import Annotation, Entry, Outcome, Program, Snippet, digest
from kb.model.changes import BUNDLED
from kb.model.entry import Whose
from kb.model.json import dumps
from kb.present.claims import proof_of
from kb.present.fences import fenced_programs
from kb.service.base import Base, Service, clean, clean_names, door, within_reason
from kb.text.program import settled


class Programs(Service):
    """What would be started, before it is."""

    @door
    def of_run(self, name: str) -> tuple[Program, ...]:
        """Return the program that `run` would start. Raises as that does for its name."""
        return self._told([named_program(self._base, clean("a program", name))])

    @door
    def of_code(
        self, code: str, *, name: str = "code", based_on: str | None = None
    ) -> tuple[Program, ...]:
        """Return the program that `run_code` would start.

        ``based_on`` is the code that the reader's changes began with, if it was any.
        """
        typed = typed_program(self._base, code, name, based_on)
        (known,) = self._told([typed.snippet])
        if typed.foreign and known.digest != typed.based_on:
            known = known._replace(whose="changed")
        return (known._replace(asks=typed.foreign and not known.unfit),)

    @door
    def of_verify(self, ids: Iterable[str] = (), *, accept: bool = False) -> tuple[Program, ...]:
        """Return the programs that `verify` would start, by name. Raises `NotFound`.

        Those of other entries than the ids name are not ``named``.
        """
        evidence = chosen_evidence(self._base, clean_names("ids", ids))
        annotations = evidence.looked_at() if accept else evidence.annotations
        shown = named_digests(evidence.entries)
        started = programs_of(annotations, evidence.snippets)
        return self._told(started, lambda each: each.digest in shown)

    @door
    def allow(self, digests: Iterable[str]) -> None:
        """Let code of these digests run unasked from now on: the reader has seen it."""
        trust(clean_names("digests", digests))

    def _told(
        self, snippets: Sequence[Snippet], named: Callable[[Snippet], bool] = lambda each: True
    ) -> tuple[Program, ...]:
        store, owners = self._base.store, _Owners.known()
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
            whose = owners.of(each.digest)
            if whose == "elsewhere" and brought:
                whose = "file"
            asks = each.digest not in owners.trusted and not unfit
            told.append(
                Program(
                    each.id, each.code, each.digest, whose, brought, entries, asks, unfit,
                    named(each),
                )
            )  # fmt: skip
        return tuple(told)


@dataclasses.dataclass(frozen=True)
class _Owners:
    """Whose code is, by its digest."""

    bundled: frozenset[str]
    allowed: frozenset[str]
    written: dict[str, str]

    @classmethod
    def known(cls) -> _Owners:
        return cls(_bundled(), trusted_by_reader(), dict(written_by_reader()))

    @property
    def trusted(self) -> frozenset[str]:
        """The digests of what runs unasked."""
        return self.bundled | self.allowed

    def of(self, digest: str) -> Whose:
        """Return whose code of a digest is, as far as this machine knows."""
        if digest in self.bundled:
            return "bundled"
        based_on = self.written.get(digest)
        if based_on:
            return "kept" if based_on == digest else "changed"
        if digest in self.allowed:
            return "yours" if based_on is not None else "allowed"
        return "elsewhere"


class Typed(NamedTuple):
    """What a reader typed; ``foreign`` where it was begun from code that nobody said yes to.

    ``based_on`` is then the digest of that.
    """

    snippet: Snippet
    based_on: str = ""

    @property
    def foreign(self) -> bool:
        """Whether it may run only after a yes."""
        return bool(self.based_on)


def typed_program(base: Base, code: str, name: str, based_on: str | None) -> Typed:
    """Return what a reader typed as a program, and whether it is still somebody else's.

    It is where what it was begun from is, and where the very same is stored or was kept as
    somebody else's, whatever it is said to be begun from.
    """
    snippet = Snippet(clean("a name", name), {}, settled(clean("code", code)))
    trusted = consent().trusted
    if snippet.digest in trusted:
        return Typed(snippet)
    before = [Snippet("", {}, clean("code", based_on))] if based_on else []
    sources = [each.digest for each in (*before, *base.store.snippets.with_code(snippet.code))]
    sources += filter(None, [written_by_reader().get(snippet.digest)])
    return Typed(snippet, next((each for each in sources if each not in trusted), ""))


def remember_texts(base: Base, before: Entry | None, after: Entry) -> None:
    """Remember that the reader wrote the texts of an entry here, and trust their Python blocks.

    What is made of texts that were not written here is not the reader's: its blocks ask.
    """
    with contextlib.suppress(OSError):  # then they ask, too
        if before is not None and _texts_digest(before) not in written_by_reader():
            return
        for each in fenced_programs(after):
            typed = typed_program(base, each.code, each.id, None)
            remember_written(each.digest, typed.based_on)
            if not typed.foreign:
                trust([each.digest])
        remember_written(_texts_digest(after))


def _texts_digest(entry: Entry) -> str:
    said = [("question", lang, text) for lang, text in entry.question.items()]
    said += [each[:3] for each in entry.answers]
    return digest(f"texts\n{dumps(sorted(said), indent=None)}")


def consent(given: Iterable[str] = (), *, unsafe: bool = False) -> Consent:
    """Return what may run: what came with danesh, what the reader wrote, what has a yes now.

    ``unsafe`` is the yes to run the last also where programs cannot be shut in.
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
"""Stands between an entry's id and the name of its program, where one has to be told apart."""


class _Meaning(NamedTuple):
    """What a name may mean: how that is said without doubt, and whether it came with danesh."""

    said: str
    program: Snippet | None
    bundled: bool
    entry: bool = False


def named_program(base: Base, name: str) -> Snippet:
    """Return the program that a name means. Raises `NotFound` and `Conflict`."""
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
        owned = _program_of(base, name[:place], name[place + len(OF) :])
        if owned is not None:
            yield _Meaning(name, _plain(owned), False)
    for owner in base.store.evidences.owners([name]).values():
        found_entry: Entry | None = base.store.entries.get([owner]).get(owner)
        proof = proof_of(found_entry, name) if found_entry else None
        if proof is not None:
            state = base.store.entries.state(owner)
            bundled_proof = state is not None and state.owner == "bundled"
            yield _Meaning(f"{owner}{OF}{proof.id}", _plain(proof), bundled_proof)


def _program_of(base: Base, entry: str, program: str) -> Snippet | None:
    found = base.store.entries.get([entry]).get(entry)
    return _programs_of(found).get(program) if found is not None else None


def _programs_of(entry: Entry) -> Mapping[str, Snippet]:
    """Return the programs of an entry by their names within it.

    A block of its text is called by its full name: no stored program has that by chance.
    """
    blocks = {
        each.id: dataclasses.replace(each, id=f"{entry.id}{OF}{each.id}")
        for each in fenced_programs(entry)
    }
    return {**blocks, **{each.id: each for each in entry.snippets}}


def _plain(program: Snippet) -> Snippet:
    """Return a program as it is by itself: which one it is does not hang on its entry."""
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
    """What of some entries has evidence (see `Entry.claims`), and the programs it names."""

    entries: Sequence[Entry]
    annotations: Sequence[Annotation]
    snippets: Mapping[str, Snippet]

    def looked_at(self) -> list[Annotation]:
        """Return the annotations with the digests of quotes and programs as they are now."""
        return [_looked_at(each, self.snippets) for each in self.annotations]


def chosen_evidence(base: Base, ids: Sequence[str]) -> Evidence:
    """Return the evidence of these entries (or of annotations of these ids), or all there is.

    Raises `NotFound`.
    """
    entries = _entries(base, ids)
    annotations = [a for entry in entries for a in entry.claims if a.evidence]
    names = {evidence.snippet for a in annotations for evidence in a.evidence}
    return Evidence(entries, annotations, base.store.snippets.get(sorted(names)))


def _entries(base: Base, ids: Sequence[str]) -> Sequence[Entry]:
    store = base.store
    if not ids:
        return list(store.entries.get(store.evidences.annotated()).values())
    owners = store.evidences.owners(ids)
    wanted = list(dict.fromkeys(owners.get(name, name) for name in ids))
    found = store.entries.get(wanted)
    for name in wanted:
        if name not in found:
            raise base.not_found(Message("entry or annotation"), name)
    return list(found.values())


def _looked_at(annotation: Annotation, snippets: Mapping[str, Snippet]) -> Annotation:
    quote = digest(annotation.target.quote)
    digests = {name: snippet.digest for name, snippet in snippets.items()}
    return dataclasses.replace(
        annotation,
        evidence=tuple(
            dataclasses.replace(each, quote_hash=quote, snippet_hash=digests.get(each.snippet, ""))
            for each in annotation.evidence
        ),
    )


# Running programs: those that are kept, and what a reader has typed.


OnOutput = Callable[[str, str], None]
"""Is told the stream (stdout, stderr) and the text a program wrote, as it comes."""


class Run(Service):
    """What a reader runs."""

    @door
    def run(
        self,
        name: str,
        *,
        timeout: float = 10.0,
        memory: int = 1024,
        values: Mapping[str, float | str] | None = None,
        trust: bool = False,
        yes: Iterable[str] = (),
        unsafe_run: bool = False,
        on_output: OnOutput | None = None,
        stop: threading.Event | None = None,
    ) -> Outcome:
        """Run a snippet, or the main snippet of an entry, in a process of its own.

        ``timeout`` in seconds, ``memory`` in MiB; ``values`` are other values for the
        parameters that the program declares (see `kb.evidence.parameters`). Raises `Untrusted`
        for code that did not come with danesh unless its digest is among those that the reader
        said ``yes`` to, or ``trust`` says so of whatever the name means, and where programs
        cannot be shut in also without ``unsafe_run``; `NotFound` where there is no such
        snippet, `Conflict` where the name means several, `UsageError` for a value that its
        parameter does not take.
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

    @door
    def sandbox_level(self) -> str:
        """Return how far programs are shut in here: strong, good or limits-only."""
        return sandbox_level().level

    @door
    def run_code(
        self,
        code: str,
        *,
        name: str = "code",
        based_on: str | None = None,
        timeout: float = 10.0,
        memory: int = 1024,
        yes: Iterable[str] = (),
        unsafe_run: bool = False,
        on_output: OnOutput | None = None,
        stop: threading.Event | None = None,
    ) -> Outcome:
        """Run code that the reader typed, as `run` does.

        ``based_on`` is the code that the reader's changes began with, if it was any: what is
        made of code that may not run asks as that does. ``name`` is what the outcome calls it.
        """
        typed = typed_program(self._base, code, name, based_on)
        allowed = consent(clean_names("digests", yes), unsafe=unsafe_run)
        if not typed.foreign:
            allowed = allowed.trusting(typed.snippet.digest)
        check_trust(typed.snippet, allowed)
        check_level(typed.snippet, allowed)
        return run_snippet(typed.snippet, Limits(*within_reason(timeout, memory)), on_output, stop)
