"""Which program a name means, whatever names entries, programs and annotations have.

An entry's id goes before all else, so that its program is the one that is shown with it;
where that would take over a program that came with danesh, and where a name means several
programs otherwise, nobody chooses for the reader.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from kb.content.entries import trusted_digests
from kb.content.tables import bundled_folder
from kb.errors import Conflict, Message, NotFound, nearest
from kb.present.claims import proof_of
from kb.records import Entry, Snippet
from kb.service.base import Base

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
            "'{name}' is the name of several programs", Message("Say {ways}.", ways=ways), name=name
        )
    if first.program is None:
        hint = Message("")
        if others:
            hint = Message("Of the program that is called so, say {name}.", name=others[0].said)
        raise NotFound("this entry has no program", hint, place=name)
    return first.program


def _meanings(base: Base, name: str) -> Iterator[_Meaning]:
    entry = base.store.entries.get([name]).get(name)
    if entry is not None:
        state = base.store.entries.state(name)
        main = entry.main_snippet()
        said = f"{name}{OF}{main.id}" if main else name
        plain = _plain(main) if main else None
        yield _Meaning(said, plain, state is not None and state.owner == "bundled", True)
    programs = base.store.snippets.get(dict.fromkeys((name, name.removesuffix(".py"))))
    if programs:
        bundled = trusted_digests(bundled_folder() / "snippets")
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
    if found is None:
        return None
    return next((each for each in found.snippets if each.id == program), None)


def _plain(program: Snippet) -> Snippet:
    """Return a program as it is by itself: which one it is does not hang on its entry."""
    return Snippet(program.id, program.title, program.code, own=program.own)


def _none(base: Base, name: str) -> NotFound:
    entry, _, program = name.rpartition(OF)
    found = base.store.entries.get([entry]).get(entry) if entry else None
    if found is not None:
        hint = nearest(program, [each.id for each in found.snippets])
        return NotFound("this entry has no program '{program}'", hint, place=entry, program=program)
    return base.not_found(Message("program or entry"), name)
