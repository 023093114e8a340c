"""The annotations, programs and related entries of a note, read back."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from kb.contract.entry import ANNOTATION, SNIPPET
from kb.exchange.marks import OPENING, marked, unescaped, with_fences
from kb.exchange.notes.matter import links_in
from kb.exchange.vault.pages import program_heading, title_line, told_lines
from kb.exchange.vault.parts import Part, trimmed
from kb.records.vocabulary import OWN_VERDICTS, SEVERITIES

Tell = Callable[[int, str, str], None]
"""Takes what is not taken over: its line, why, and its text."""

NOWHERE = "text that stands under no heading of a note"
_TOLD = "the words, figures and references of an annotation, which are changed in danesh"
_TITLE = re.compile(r"\[![\w-]+\][+-]?\s*(?P<verdict>[\w-]+) \((?P<weight>[\w-]+)\)(?P<rest>.*)")
_BLOCK_ID = re.compile(r"\^[A-Za-z0-9-]+\s*")


class Related(NamedTuple):
    """The related entries of a note: those of known ids, and what links name otherwise."""

    ids: tuple[str, ...] = ()
    links: tuple[str, ...] = ()


def annotation(part: Part, name: str, tell: Tell) -> Mapping[str, Any] | None:
    """Return an annotation as its shape reads it, or nothing where its callout was removed."""
    callout = list(_callout(part, tell))
    if not callout:
        return None
    plain = {**part.facts["annotation"]}
    was = ANNOTATION.read({**plain, "note": {}}, f"{name}:{part.line}")
    title, *below = callout
    plain |= _judged(title, title_line(was), part.line, tell)
    note: dict[str, str] = {}
    for facts, lines in _segments(below):
        if "note" in facts:
            note[str(facts["note"])] = unescaped(trimmed(lines), facts)
        elif "told" in facts and trimmed(lines) == list(told_lines(was)):
            continue
        elif any(map(str.strip, lines)):
            tell(part.line, _TOLD if "told" in facts else NOWHERE, "\n".join(trimmed(lines)))
    return {**plain, "note": note}


def program(part: Part, name: str, tell: Tell) -> Mapping[str, Any] | None:
    """Return a program as its shape reads it, or nothing where its code was removed."""
    code, beside = _code(part.lines)
    for text in beside:
        tell(part.line, NOWHERE, text)
    if "program" not in part.facts:
        tell(part.line, "a program without the comment of danesh", part.heading)
        return None
    if code is None:
        return None
    plain = {**part.facts["program"], "code": "\n".join(code) + str(part.facts.get("tail", ""))}
    heading = program_heading(SNIPPET.read(plain, f"{name}:{part.line}"))
    if part.heading.strip() != heading.strip():
        tell(part.line, "the heading of a program, which is its name", part.heading)
    return plain


def related(part: Part, tell: Tell) -> Related:
    """Return what a list of related entries names."""
    ids: list[str] = []
    named: list[str] = []
    for number, text in enumerate(part.lines, part.line + 1):
        shown, _, _ = text.partition(OPENING)
        facts = marked(text[len(shown) :]) or {}
        to = links_in(shown)
        if "related" in facts and ("to" not in facts or facts["to"] in to):
            ids.append(str(facts["related"]))
        elif to:
            named += to
        elif shown.strip(" -*+"):
            tell(number, "a related entry that is no link", text)
    return Related(tuple(ids), tuple(named))


def _code(lines: Sequence[str]) -> tuple[list[str] | None, list[str]]:
    """Return the lines of the first fence, if there is one, and those beside it."""
    block: list[str] = []
    beside: list[str] = []
    ended = False
    for text, fence in with_fences(lines):
        if fence and not ended:
            block.append(text)
            ended = len(block) > 1 and text.strip().startswith(fence)
        elif text.strip():
            beside.append(text)
    return (block[1:-1] if ended else block[1:]) if block else None, beside


def _callout(part: Part, tell: Tell) -> Iterator[str]:
    """Yield the lines of a callout without its signs; what stands beside it is told."""
    within = done = False
    for number, text in enumerate(part.lines, part.line + 1):
        quoted = text.startswith(">")
        if not done and (quoted or (within and text.strip())):
            within = True
            yield text[1:].removeprefix(" ") if quoted else text
        elif text.strip() and not _BLOCK_ID.fullmatch(text):
            tell(number, NOWHERE, text)
        done = done or (within and not text.strip())


def _segments(lines: Sequence[str]) -> Iterator[tuple[Mapping[str, Any], list[str]]]:
    """Yield what each comment in a callout says, with the lines below it."""
    facts: Mapping[str, Any] = {}
    held: list[str] = []
    for text, fence in with_fences(lines):
        found = None if fence else marked(text)
        if found is None:
            held.append(text)
            continue
        yield facts, held
        facts, held = found, []
    yield facts, held


def _judged(title: str, was: str, line: int, tell: Tell) -> Mapping[str, str]:
    """Return the verdict and the severity that a callout's title has instead of another."""
    if title.rstrip() == was.rstrip():
        return {}
    now, before = _TITLE.fullmatch(title.strip()), _TITLE.fullmatch(was)
    if now is None or before is None or now["rest"].strip() != before["rest"].strip():
        tell(line, _TOLD, title)
    if now is None:
        return {}
    changed = {"verdict": now["verdict"]} if now["verdict"] in OWN_VERDICTS else {}
    return changed | ({"severity": now["weight"]} if now["weight"] in SEVERITIES else {})
