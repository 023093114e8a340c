"""What each heading of a file is: a question, a topic, a part of an answer, or an aside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum, auto
from typing import NamedTuple

from kb.exchange.questions.asking import Grade
from kb.exchange.questions.blocks import Block
from kb.exchange.questions.contents import heading_reason, hides_links, link_list
from kb.exchange.questions.head import Head, head
from kb.exchange.questions.inline import clean
from kb.exchange.questions.labels import ANSWER, EXPLANATION, QUESTION, Label, label, without_points
from kb.exchange.questions.leading import ends_in_question, is_explained, opens_file
from kb.exchange.questions.opening import HEADING, LINE, Survey
from kb.exchange.questions.styles import openings
from kb.exchange.questions.styles.decks import CARD

_MANY = 3  # questions below the only heading of its depth, from which it is their title


class Role(Enum):
    """What a heading is."""

    QUESTION = auto()
    TOPIC = auto()
    TEXT = auto()
    ANSWER = auto()
    ASIDE = auto()


class Section(NamedTuple):
    """A heading, where it stands and ends, and what it says.

    ``end`` is the place of the next heading that is not below it; ``body`` that of the next
    heading of any depth. ``own`` says whether words stand directly below it, ``asking`` how
    many questions of other styles begin there, and ``first`` whether one is the first thing.
    """

    place: int
    depth: int
    said: Head
    label: Label | None
    body: int
    end: int
    own: bool
    asking: int
    first: bool
    leads: bool = False
    explained: bool = False

    @property
    def asks(self) -> bool:
        """Whether its words alone make it a question."""
        sure = self.said.grade is Grade.SURELY
        return sure or (self.said.number is not None and self.said.grade is Grade.MAYBE)


class _Depth(NamedTuple):
    """The headings of one depth: how many, how many ask surely, perhaps, are numbered, and both."""

    many: int = 0
    surely: int = 0
    maybe: int = 0
    numbered: int = 0
    numbered_asking: int = 0


class _Alike(NamedTuple):
    """The headings of one depth, labels and all: how many, how many explained, or leading."""

    many: int = 0
    explained: int = 0
    leading: int = 0


class _Outline(NamedTuple):
    sections: tuple[Section, ...]
    depths: Mapping[int, _Depth]
    alike: Mapping[int, _Alike]
    title: int
    survey: Survey


def roles(blocks: Sequence[Block], survey: Survey) -> Mapping[int, Role]:
    """Return what the headings among blocks are, by their places."""
    sections = _sections(blocks, survey)
    outline = _Outline(sections, _depths(sections), _alike(sections), _title(sections), survey)
    found: dict[int, Role] = {}
    _decide(outline, 0, len(sections), found)
    return found


def heading_head(block: Block, survey: Survey) -> Head:
    """Return what a heading says, the number of the item that it stands in counted as its own."""
    text = CARD.sub("", " ".join(block.text.split()))
    marked = label(text)
    asked = marked is not None and marked.role == QUESTION
    said = head(without_points(marked.rest) if marked and asked else text, survey.scale)
    number = (marked.number if marked and asked else None) or said.number or block.number or None
    return said._replace(number=number)


def _sections(blocks: Sequence[Block], survey: Survey) -> tuple[Section, ...]:
    places = [at for at, block in enumerate(blocks) if block.kind == "heading"]
    ends = _ends(blocks, places)
    out: list[Section] = []
    for at, after in zip(places, [*places[1:], len(blocks)], strict=bool(places)):
        block = blocks[at]
        inner = [each for each in blocks[at + 1 : after] if each.kind != "rule"]
        found = [[o for o in openings(each, survey) if o.rank <= LINE + 1] for each in inner[:200]]
        explicit = [
            sum(o.rank <= HEADING or o.style in ("bold", "item", "table", "term") for o in each)
            for each in found
        ]
        marked = label(" ".join(block.text.split()))
        out.append(
            Section(
                at, block.depth, heading_head(block, survey), marked, after, ends[at],
                any(not _void(each) for each in inner), sum(explicit),
                bool(explicit and explicit[0]), bool(inner) and ends_in_question(inner),
                is_explained(blocks, after, ends[at]),
            )
        )  # fmt: skip
    return tuple(out)


def _void(block: Block) -> bool:
    """Say whether a block has no words of its own: HTML, or a list of links."""
    if block.kind == "details":
        return hides_links(block)
    return block.kind == "html" or (block.kind == "list" and link_list(block) is not None)


def _ends(blocks: Sequence[Block], places: Sequence[int]) -> Mapping[int, int]:
    """Return where each section ends; a section goes on over headings that are deeper."""
    ends: dict[int, int] = {}
    stack: list[int] = []
    for at in places:
        while stack and blocks[stack[-1]].depth >= blocks[at].depth:
            ends[stack.pop()] = at
        stack.append(at)
    return ends | {at: len(blocks) for at in stack}


def _depths(sections: Sequence[Section]) -> Mapping[int, _Depth]:
    found: dict[int, _Depth] = {}
    for each in sections:
        if heading_reason(each.said.text) or (
            each.label is not None and each.label.role != QUESTION
        ):
            continue
        old = found.get(each.depth, _Depth())
        asks = each.said.grade is not Grade.NOT
        numbered = each.said.number is not None
        found[each.depth] = _Depth(
            old.many + 1,
            old.surely + (each.said.grade is Grade.SURELY),
            old.maybe + (each.said.grade is Grade.MAYBE),
            old.numbered + numbered,
            old.numbered_asking + (numbered and asks),
        )
    return found


def _alike(sections: Sequence[Section]) -> Mapping[int, _Alike]:
    found: dict[int, _Alike] = {}
    for each in sections:
        old = found.get(each.depth, _Alike())
        leading = each.leads or each.asks
        found[each.depth] = _Alike(
            old.many + 1, old.explained + each.explained, old.leading + leading
        )
    return found


def _title(sections: Sequence[Section]) -> int:
    """Return the place of the title: a first heading above all others, of which there are some."""
    if len(sections) > 1 and all(each.depth > sections[0].depth for each in sections[1:]):
        return sections[0].place
    return -1


def _decide(outline: _Outline, start: int, stop: int, found: dict[int, Role]) -> None:
    """Decide on sections ``start`` to ``stop``, in order; those below a question with it."""
    at = start
    while at < stop:
        section = outline.sections[at]
        inner = at + 1
        while inner < stop and outline.sections[inner].place < section.end:
            inner += 1
        below = outline.sections[at + 1 : inner]
        role = _role(outline, section, below)
        found[section.place] = role
        if role is Role.QUESTION and not _asks_below(outline, section, below):
            inner = _followers(section, below, at, found)
            at = inner
        elif role is Role.ANSWER:
            found.update({each.place: Role.TEXT for each in below})
            at = inner
        else:
            at += 1


def _followers(section: Section, below: Sequence[Section], at: int, found: dict[int, Role]) -> int:
    """Take the headings below a question as its answer's, up to one that counts on from it."""
    answered = 0
    for offset, each in enumerate(below, 1):
        if each.label is not None and each.label.role == ANSWER:
            found[each.place] = Role.ANSWER
            answered = each.depth
            continue
        if _counts_on(section, each) or each.depth <= answered or _labelled_alike(section, each):
            return at + offset
        found[each.place] = Role.TEXT
    return at + len(below) + 1


def _labelled_alike(section: Section, each: Section) -> bool:
    """Say whether both are labelled as questions, and the second is not a part of the first."""
    return _is_question_label(section) and _is_question_label(each) and each.asks


def _counts_on(section: Section, each: Section) -> bool:
    first, second = section.said.number, each.said.number
    if not (first and second and first.isdigit() and second.isdigit() and each.asks):
        return False
    return int(second) == int(first) + 1


def _role(outline: _Outline, section: Section, below: Sequence[Section]) -> Role:
    if section.label is not None:
        if section.label.role == QUESTION:
            return Role.QUESTION
        if section.label.role in (ANSWER, EXPLANATION):
            return Role.ANSWER
    if heading_reason(section.said.text) and section.place != outline.title:
        return Role.ASIDE
    asking = sum(each.asks or _is_question_label(each) for each in below)
    if not _asks(outline, section, asking):
        return Role.TOPIC
    if section.place == outline.title and asking > 1:
        return Role.TOPIC
    if asking and not section.own and not _one_of_many(outline, section, asking, len(below)):
        return Role.TOPIC
    alone = outline.depths.get(section.depth, _Depth()).many == 1
    if alone and section.asking > _MANY and section.said.number is None:
        return Role.TOPIC
    if section.asking > 1 and section.first and section.said.number is None:
        return Role.TOPIC
    return Role.QUESTION


def _one_of_many(outline: _Outline, section: Section, asking: int, below: int) -> bool:
    """Say whether a heading is among numbered questions, and few of those below it ask."""
    numbered = section.asks and section.said.number is not None
    many = outline.depths.get(section.depth, _Depth()).numbered_asking
    return numbered and many > 1 and asking * 2 < below


def _is_question_label(section: Section) -> bool:
    return section.label is not None and section.label.role == QUESTION


def _asks(outline: _Outline, section: Section, asking: int) -> bool:
    """Say whether a heading is a question, by itself or beside others of its depth that are."""
    if section.asks:
        return True
    if section.place == outline.title:
        return False
    depth = outline.depths.get(section.depth, _Depth())
    several = depth.many > 1 or outline.survey.about
    known = depth.surely + depth.maybe
    if section.own and not asking and _led(outline, section):
        return True
    if section.said.grade is Grade.MAYBE:
        return several and known >= 0.5 * depth.many and not asking
    if asking or not section.own or section.asking > 1:
        return False
    if section.said.level is not None and known:
        return True
    if section.said.number is not None and depth.numbered > 1:
        return depth.numbered_asking >= 0.35 * depth.numbered or (
            outline.survey.about and depth.numbered >= 0.6 * depth.many
        )
    if opens_file(section.said.text):
        return False
    if depth.many > 1 and depth.surely >= 0.5 * depth.many:
        return True
    enough = outline.survey.deck or (outline.survey.about and known >= 0.25 * depth.many)
    return enough and _leaf(outline, section)


def _led(outline: _Outline, section: Section) -> bool:
    """Say whether a heading names what is asked below it, or explained, as others beside it do."""
    alike = outline.alike[section.depth]
    if section.explained:
        return alike.explained > 1
    return section.leads and outline.survey.about and alike.leading * 2 >= alike.many > 2


def _leaf(outline: _Outline, section: Section) -> bool:
    """Say whether a heading has none below it and is of the depth that most such have."""
    return (
        section.body == section.end and section.said.text != "" and clean(section.said.text) != ""
    )


def _asks_below(outline: _Outline, section: Section, below: Sequence[Section]) -> bool:
    """Say whether headings below a question ask too, and more of their depth than of its own."""
    asking = [each for each in below if each.said.grade is Grade.SURELY]
    if len(asking) < 2 or len(asking) * 5 < len(below) * 3:
        return False
    depths = outline.depths
    own = depths.get(section.depth, _Depth()).surely
    return depths.get(asking[0].depth, _Depth()).surely > own
