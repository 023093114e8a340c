"""Lines that are bold as a whole, or begin with a bold number or question."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb.exchange.questions.asking import Grade, asks
from kb.exchange.questions.blocks import Block, Line
from kb.exchange.questions.head import Head, head
from kb.exchange.questions.labels import label
from kb.exchange.questions.opening import LINE, MARKED, Opening, Survey
from kb.exchange.questions.paragraphs import paragraph

_LEAD = re.compile(r"^\s*(\*\*|__)(?=\S)(?P<bold>.{2,400}?)(?<=\S)\1\s*(?P<rest>\S.*)$", re.DOTALL)
_NUMBER_ONLY = re.compile(
    r"^\s*(?:\*\*|__)\s*\(?\d{1,4}(?:\.\d+)*\s*[).:]?\s*(?:\*\*|__)\s*[.):]?\s*\S"
)

_SIGNED = re.compile(r"^\s*(?:\*\*|__)?\s*[❓❔]")
_WORDS = 3  # from which a bold line can say what is wrong, as lists of frequent questions do


def openings(block: Block, survey: Survey) -> Sequence[Opening]:
    """Return the question that begins with a bold text."""
    if block.kind != "paragraph" or label(block.text):
        return ()
    said = head(block.text, survey.scale)
    if said.bold and "\n" not in said.text:
        marked = MARKED if _SIGNED.match(block.text) else LINE
        return (_opening(block, said)._replace(rank=marked),) if _asks(said, survey) else ()
    if said.number is not None and _NUMBER_ONLY.match(_digits(block.text)):
        return (_opening(block, said),)
    lead = _LEAD.match(block.text)
    if lead:
        inner = head(f"**{lead['bold']}**", survey.scale)
        if inner.number and not asks(inner.text):
            joined = (
                f"{inner.text} {lead['rest']}"
                if lead["rest"][:1].isalnum()
                else f"{inner.text}{lead['rest']}"
            )
            return (_opening(block, head(joined, survey.scale)._replace(number=inner.number)),)
        if asks(inner.text) and (inner.number or not _continues(lead["rest"])):
            return (_opening(block, inner, _below(block, lead["rest"])),)
    if said.number is not None and said.grade is Grade.SURELY:
        first, *rest = block.lines
        one = head(first.text, survey.scale)
        if rest and asks(one.text):
            return (_opening(block, one, (paragraph(rest),)),)
        return (_opening(block, said),)
    return ()


def bold_lead(text: str) -> tuple[str, str] | None:
    """Return a bold question at the beginning of a line, and its answer on the same line.

    >>> bold_lead("**Why?** So."), bold_lead("**Why?** and how")
    (('Why?', 'So.'), None)
    """
    lead = _LEAD.match(text)
    if not lead or not asks(lead["bold"]) or _continues(lead["rest"]):
        return None
    return lead["bold"], lead["rest"]


def _digits(text: str) -> str:
    from kb.exchange.questions.numbers import ascii_digits

    return ascii_digits(text[:40])


def _asks(said: Head, survey: Survey) -> bool:
    if said.grade is Grade.SURELY or said.number is not None or said.level is not None:
        return True
    if said.text.endswith((":", "：")):
        return False
    told = survey.about and survey.bold >= 0.6 and len(said.text.split()) >= _WORDS
    return told or (said.grade is Grade.MAYBE and survey.bold >= 0.4)


def _continues(rest: str) -> bool:
    """Say whether a text goes on in the same sentence."""
    return rest[:1].islower() or rest[:1] in ",;،؛—–-:"


def _below(block: Block, rest: str) -> tuple[Block, ...]:
    """Return what follows a bold question in its paragraph."""
    lines = block.lines
    kept: list[Line] = []
    for at, text in enumerate(rest.split("\n")):
        number = lines[len(lines) - rest.count("\n") - 1 + at].number
        kept.append(Line(number, text))
    return (paragraph(kept),)


def _opening(block: Block, said: Head, body: tuple[Block, ...] = ()) -> Opening:
    return Opening(
        "bold",
        LINE,
        block.lines[:1] if body else block.lines,
        said.text,
        said.number,
        said.level,
        tags=said.tags,
        body=body,
    )
