"""Edited texts of an entry, back in the fields of the Anki note that they came from.

A text is split where its fields were joined: at the labels of an answer, or around the only part
that changed. The text of a cloze is both question and answer; its gaps stay in their places.
Where a text can be split in several ways, nothing is changed.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import chain, zip_longest
from typing import NamedTuple

from kb.errors import Message
from kb.formats.anki.cards import fragment
from kb.formats.anki.notes import Gap, Piece, Texts, gapped, joined, outer_gaps
from kb.formats.notes.page import GAP
from kb.model.entry import Entry
from kb.present.cards import labelled, words_in_gaps

_PARAGRAPH = re.compile(r"<p(?: [^<>]*)?>((?:(?!<p[ >]).)*)</p>", re.DOTALL)
_QUESTION = Message("it is not clear which fields of the question changed")
_ANSWER = Message("it is not clear which fields of the answer changed")
_GAPS = Message("gaps and their hints can only be changed in Anki")
_WORDS = Message("the new words of a gap do not fit into Anki's gap")


class Unclear(ValueError):
    """An edit that is not certainly one of some fields; its argument is the reason."""


class _Part(NamedTuple):
    """A part of a text before and after an edit."""

    was: Piece
    now: str
    lang: str

    @property
    def is_new(self) -> bool:
        return self.now != self.was.text


def is_edited(before: Entry, now: Entry) -> bool:
    """Return whether a text that Anki has was edited; a language alone is danesh's own."""
    was, texts = _texts(before), _texts(now)
    return was.keys() != texts.keys() or any(
        len(texts[role]) != 1 or [*texts[role].values()] != [*was[role].values()] for role in was
    )


def rewritten(
    texts: Texts, fields: Sequence[str], before: Entry, now: Entry, names: Mapping[str, str]
) -> list[str]:
    """Return the fields of a note with the edited texts of its entry.

    ``texts`` is what the note said ``before``, and ``names`` are the names of media in the package.
    Raises `Unclear`.
    """
    by_field = defaultdict[int | None, list[_Part]](list)
    for part in _parts(texts, before, now):
        by_field[part.was.field].append(part)
    made = [*fields, *[""] * (1 + max((n for n in by_field if n is not None), default=0))]
    for number, parts in by_field.items():
        if not any(each.is_new for each in parts):
            continue
        if number is None or "image-occlusion:" in made[number].lower():
            raise Unclear(Message("the words of an image can only be edited in Anki"))
        made[number] = _field(made[number], parts, names)
    return made[: max(len(fields), *(n + 1 for n, each in enumerate(made) if each), 0)]


def _texts(entry: Entry) -> Mapping[str, Mapping[str, str]]:
    """Return the texts of an entry by role and language, its question and answers."""
    found: dict[str, dict[str, str]] = {"question": dict(entry.question)}
    for each in entry.answers:
        found.setdefault(each.role, {})[each.lang] = each.text
    return {role: texts for role, texts in found.items() if texts}


def _parts(texts: Texts, before: Entry, now: Entry) -> list[_Part]:
    was, said = _texts(before), _texts(now)
    answered = {"question", "source"}
    if not was.keys() <= said.keys() <= answered or any(len(each) != 1 for each in said.values()):
        raise Unclear(Message("a text was added or removed, or is in another language, too"))
    found = []
    for role, pieces in (("question", texts.asked), ("source", texts.told)):
        ((lang, text),) = said.get(role, {"": ""}).items()
        parts = _split(pieces, text)
        if parts is None:
            raise Unclear(_QUESTION if role == "question" else _ANSWER)
        found += [_Part(*each, lang) for each in zip(pieces, parts, strict=True)]
    return found


def _split(pieces: Sequence[Piece], text: str) -> list[str] | None:
    """Return the parts of an edited text that was made of these, if they are certain."""
    if text == joined(pieces):
        return [each.text for each in pieces]
    was = {each.label: each.text.strip() for each in pieces}
    filled = {label: part for label, part in was.items() if part}
    if len(was) == len(pieces) and _labelled(joined(pieces), was) == filled:
        return _by_labels(pieces, was, text)
    return _around_one(pieces, text)


def _by_labels(pieces: Sequence[Piece], was: Mapping[str, str], text: str) -> list[str] | None:
    """Return the parts by their labels, of which ``was`` has the text before.

    A part may be new. One is removed if its paragraph is gone and no other part changed.
    """
    now = _labelled(text, was)
    if now is None or not now.keys() <= was.keys():
        return None
    gone = [label for label, part in was.items() if part and label not in now]
    if gone and any(now[label] != was[label] for label in now):
        return None
    return [
        each.text if now.get(each.label, "") == was[each.label] else now.get(each.label, "")
        for each in pieces
    ]


def _labelled(text: str, known: Mapping[str, str]) -> dict[str, str] | None:
    """Return the parts of a text by label; nothing if a label is there twice."""
    found = [(label, part.strip()) for label, part in labelled(text, known)]
    parts = {label: part for label, part in found if part}
    return parts if len(parts) == len(found) else None


def _around_one(pieces: Sequence[Piece], text: str) -> list[str] | None:
    """Return the parts if only one of them changed, and it is certain which."""
    wholes = [each.whole for each in pieces if each.text]
    numbers = [number for number, each in enumerate(pieces) if each.text]
    found = []
    for at, number in enumerate(numbers):
        head = "".join(f"{each}\n\n" for each in wholes[:at])
        if not text.startswith(head):
            break
        tail = "".join(f"\n\n{each}" for each in wholes[at + 1 :])
        part = text[len(head) : len(text) - len(tail)].strip()
        if part and f"{head}{part}{tail}" == text:
            label = pieces[number].label
            inner = labelled(part, [label])
            if not label or [name for name, _ in inner] == [label]:
                parts = [each.text for each in pieces]
                parts[number] = inner[0][1] if label else part
                found.append(parts)
    return found[0] if len(found) == 1 else None


def _field(source: str, parts: Sequence[_Part], names: Mapping[str, str]) -> str:
    """Return a field with its edited text, which a cloze has in the question and the answer."""
    if len(parts) == 1:
        (part,) = parts
        return fragment(part.now, part.lang, names) if part.now else ""
    asked, told = parts
    skeleton, gaps = outer_gaps(source)
    around = _around(asked.now, gaps)
    if told.is_new:
        gaps = _with_words(gaps, _around(asked.was.text, gaps), around, told, names)
    if asked.is_new:
        return _between(around, gaps, asked.lang, names)
    return re.sub(r"\x1f(\d+)\x1f", lambda found: gaps[int(found[1])].source, skeleton)


def _around(text: str, gaps: Sequence[Gap]) -> list[str]:
    """Return the texts around the gaps of a question, without their hints."""
    first, *others = text.split(GAP)
    hints = [f" ({each.hint})" if each.hint else "" for each in gaps]
    pairs = [*zip_longest(others, hints)]
    if any(other is None or hint is None or not other.startswith(hint) for other, hint in pairs):
        raise Unclear(_GAPS)
    return [first, *(other.removeprefix(hint) for other, hint in pairs)]


def _with_words(
    gaps: Sequence[Gap],
    before: Sequence[str],
    around: Sequence[str],
    told: _Part,
    names: Mapping[str, str],
) -> list[Gap]:
    """Return the gaps with the words that an edited answer has in their places."""
    was, now = _words(before, told.was.text), _words(around, told.now)
    if was is None or now is None:
        raise Unclear(Message("the answer must be the question with its gaps filled"))
    made = []
    for gap, old, new in zip(gaps, was, now, strict=True):
        if old == new:
            made.append(gap)
            continue
        inner = _PARAGRAPH.fullmatch(fragment(new, told.lang, names).strip())
        if inner is None or gapped(gap.words).told != gap.words:
            raise Unclear(_WORDS)
        if "::" in inner[1] or inner[1].endswith("}"):
            raise Unclear(_WORDS)
        hint = f"::{gap.hint}" if gap.hint else ""
        made.append(gap._replace(source=f"{{{{c{gap.numbers}::{inner[1]}{hint}}}}}"))
    return made


def _words(around: Sequence[str], told: str) -> list[str] | None:
    """Return the words of an answer in the gaps, if they are certain."""
    found = _first_words(around, told)
    backwards = _first_words([each[::-1] for each in reversed(around)], told[::-1])
    same = [each[::-1] for each in reversed(backwards or ())]
    return found if found == same else None


def _first_words(around: Sequence[str], told: str) -> list[str] | None:
    last = around[-1]
    if not told.endswith(last):
        return None
    return words_in_gaps([*around[:-1], ""], told[: len(told) - len(last)])


def _between(
    around: Sequence[str], gaps: Sequence[Gap], lang: str, names: Mapping[str, str]
) -> str:
    """Return a text as a field, with its gaps between the texts around them."""
    mark = "gap"
    while any(mark in each for each in (*around, *(gap.source for gap in gaps))):
        mark += "x"
    marks = [f"{mark}{number}z" for number in range(len(gaps))]
    text = "".join(chain.from_iterable(zip_longest(around, marks, fillvalue="")))
    html = fragment(text, lang, names)
    for each, gap in zip(marks, gaps, strict=True):
        if html.count(each) != 1:
            raise Unclear(_GAPS)
        html = html.replace(each, gap.source)
    return html
