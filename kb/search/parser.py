"""Parses any typed text into a tree.

Whoosh is used only if the query may contain operators and is short enough. A longer or deeper
query is read as plain words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple
from unicodedata import normalize

from kb.errors import Message, joined_sentences
from kb.model.clauses import FIELDS
from kb.model.values import LEVELS, OWN_VERDICTS, named_level
from kb.text.analyzer import is_function_word
from kb.text.fold import fold
from kb.text.words import parts

LONGEST = 512
DEEPEST = 20
MOST_WORDS = 64
_QUOTED_SHARE = 0.6  # of what the same words in order count for that were asked for alone
_FIRST_WORDS = Message("its first {most} words were read.", most=MOST_WORDS)
_PAIR = 2  # characters of a word where words are not parted
_LONGEST_SPELLED_OUT = 2 * LONGEST  # a ligature may stand for a sentence
_MAYBE_OPERATOR = re.compile(r'["*():]|(?:^|\s)-|\b(?:AND|OR|NOT)\b')
_FIELDS_IN_PERSIAN = {
    "زبان": "lang", "مجموعه": "collection", "سطح": "level", "داوری": "verdict", "برچسب": "tag",
    "موضوع": "topic", "نوع": "kind", "شناسه": "id",
}  # fmt: skip
_VERDICTS_IN_PERSIAN = {
    "نادرست": "wrong", "گمراه‌کننده": "misleading", "ناقص": "incomplete", "قدیمی": "outdated",
    "یادداشت": "note",
}  # fmt: skip
_FIELD_IN_PERSIAN = re.compile(rf"(?<![^\s(\-])({'|'.join(_FIELDS_IN_PERSIAN)}):(?=\S)")
_VERDICT_IN_PERSIAN = re.compile(rf"\bverdict:({'|'.join(_VERDICTS_IN_PERSIAN)})(?![^\s)])")


class Parsed(NamedTuple):
    """The tree, or nothing for an empty query, with notices for the reader."""

    node: Node | None
    notice: str | None = None

    def also(self, notice: str) -> Parsed:
        """Return this result with a notice before its own."""
        return self._replace(notice=joined_sentences(notice, self.notice or ""))


def parse(text: str) -> Parsed:
    """Return the tree of a query. No input raises.

    >>> parse("batch norm").node
    Bare(of=(Keyword(text='batch'), Keyword(text='norm')))
    >>> parse("level:H -gpu").node
    Bare(of=(FieldValue(name='level', value='H'), Not(node=Keyword(text='gpu'))))
    >>> parse("سطح:سخت داوری:نادرست").node
    Bare(of=(FieldValue(name='level', value='سخت'), FieldValue(name='verdict', value='wrong')))
    >>> parse("(" * 30).notice
    'The query is nested deeper than 20, so it was read as plain words.'
    """
    if len(text) > LONGEST or len(normalize("NFKC", text)) > _LONGEST_SPELLED_OUT:
        notice = Message(
            "The query is longer than {most} characters; {first_words}",
            most=LONGEST,
            first_words=_FIRST_WORDS,
        )
        return Parsed(_plain(text).node, notice)
    if not _MAYBE_OPERATOR.search(text):
        return _plain(text)
    text = _FIELD_IN_PERSIAN.sub(lambda found: f"{_FIELDS_IN_PERSIAN[found[1]]}:", text)
    text = _VERDICT_IN_PERSIAN.sub(lambda found: f"verdict:{_VERDICTS_IN_PERSIAN[found[1]]}", text)
    if _depth(text) > DEEPEST:
        notice = Message(
            "The query is nested deeper than {most}, so it was read as plain words.", most=DEEPEST
        )
        return _plain(text).also(notice)
    read = sentence(text)
    if read is not None:
        return read
    from kb.search import grammar

    try:
        tree = grammar.parse(text, FIELDS)
        return Parsed(tree, unknown_value(tree) if tree is not None else None)
    except Exception:  # Whoosh promises nothing about odd input, and words are always there
        return _plain(text).also("The query could not be parsed, so it was read as plain words.")


def _plain(text: str) -> Parsed:
    """Return a text's first distinct words, within the limit.

    A word counts by its number of parts. In languages without word breaks, two characters count
    as one.
    """
    words: list[Keyword] = []
    room, notice = MOST_WORDS, None
    for written in dict.fromkeys(text[: LONGEST * MOST_WORDS].split()):
        word, counted = _beginning(written, room) if room else ("", 0)
        if word != written:
            notice = Message(
                "The query has more than {most} words; {first_words}",
                most=MOST_WORDS,
                first_words=_FIRST_WORDS,
            )
        if not word:
            break
        words.append(Keyword(word))
        room -= counted
    node = words[0] if len(words) == 1 else Bare(tuple(words)) if words else None
    return Parsed(node, notice)


def _beginning(word: str, most: int) -> tuple[str, int]:
    """Return the start of a word with at most this many parts, and their number.

    >>> _beginning("np.linalg.norm", 2), _beginning("梯度下降", 2), _beginning("?!", 2)
    (('np.linalg', 2), ('梯度下降', 2), ('?!', 1))
    """
    if len(word) < 2 or (len(word) <= LONGEST and word.isascii() and word.isalnum()):
        return word, 1
    counted, end = 0, 0
    for part in parts(word[:LONGEST]):
        length = part.end - part.start
        size = -(-length // _PAIR) if part.kind == "pairs" else 1
        if counted + size > most:
            taken = (most - counted) * _PAIR
            return word[: part.start + taken if part.kind == "pairs" and taken else end], most
        counted, end = counted + size, part.end
    return word[:LONGEST], max(1, counted)


def _depth(text: str) -> int:
    """Return the maximum nesting of brackets, closed or not.

    >>> _depth("(a) (b (c))"), _depth("))(("), _depth("(a")
    (2, 2, 1)
    """
    signs = ((char == "(") - (char == ")") for char in text)
    return max(accumulate(signs, lambda depth, sign: max(0, depth + sign), initial=0))


# Sentences: in a question of words, quotes and brackets are signs of writing, not operators.


_ENOUGH = 2
"""So many function words make a sentence: operators join content words."""

_FIELD = re.compile(rf"\b(?:{'|'.join(FIELDS)}):\S")
_IN_QUOTES = re.compile(r'"([^"]*)"')
_OPERATORS = frozenset({"AND", "OR", "NOT"})
_SIGNS = "\"'()[]{}*.,;:!?-،؛؟«»"
_EXCLUDED = re.compile(r"(?:\s-[^\W_]\w+)+\s*$")


def sentence(text: str) -> Parsed | None:
    """Return the words of a sentence; nothing for other queries.

    A match of its quoted words ranks higher. Exclusions are recognized only at its end.

    >>> sentence('What does "TGIF" stand for?').node.of[-3:]
    (Keyword(text='"TGIF"'), Keyword(text='stand'), Keyword(text='for?'))
    >>> sentence("how to train a network -gpu").node.of[-2:]
    (Keyword(text='network'), Not(node=Keyword(text='gpu')))
    >>> [sentence(each) for each in ('"to be or not" -film', "norm AND the", "why is level:H it")]
    [None, None, None]
    """
    if _FIELD.search(text) or not _is_sentence(text):
        return None
    found = _EXCLUDED.search(text)
    asked, excluded = (text[: found.start()], found[0].split()) if found else (text, [])
    node, notice = _plain(asked)
    quoted = (each for each in _IN_QUOTES.findall(asked) if " " in each)
    beside: tuple[Node, ...] = (
        *(Quoted(each, _QUOTED_SHARE, finds=False) for each in quoted),
        *(Not(Keyword(word[1:])) for word in excluded),
    )
    if node is None or not beside:
        return Parsed(node, notice)
    return Parsed(Bare((*(node.of if isinstance(node, Bare) else (node,)), *beside)), notice)


def _is_sentence(text: str) -> bool:
    outside = _IN_QUOTES.sub(" ", text)
    if outside.rstrip().endswith(("?", "؟")):
        return True
    words = (word.strip(_SIGNS) for word in outside.split() if word not in _OPERATORS)
    return sum(is_function_word(fold(word)) for word in words if word) >= _ENOUGH


# The query as a tree: what a person asked for, before any language or index is known.


@dataclass(frozen=True, slots=True)
class Keyword:
    """Text to find: a word, or several independent words."""

    text: str


@dataclass(frozen=True, slots=True)
class Prefix:
    """A prefix."""

    text: str


@dataclass(frozen=True, slots=True)
class Quoted:
    """An exact phrase.

    Its weight is a ``share`` of that of a plain text. If it does not ``find`` anything, it only
    raises the rank of matches.
    """

    text: str
    share: float = 1.0
    finds: bool = True


@dataclass(frozen=True, slots=True)
class FieldValue:
    """Entries with a field value."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class Bare:
    """Adjacent parts: as many texts as possible, and all other conditions."""

    of: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class And:
    """All of them."""

    of: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Or:
    """At least one part."""

    of: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Not:
    """Entries that do not match it."""

    node: Node


Text = Keyword | Prefix | Quoted
Node = Text | FieldValue | Bare | And | Or | Not


def positive_texts(node: Node) -> Iterator[Text]:
    """Yield the texts of a query that are not excluded, in order."""
    match node:
        case Keyword() | Prefix() | Quoted():
            yield node
        case Bare(of) | And(of) | Or(of):
            for part in of:
                yield from positive_texts(part)
        case FieldValue() | Not():
            return


def unknown_value(node: Node) -> Message | None:
    """Return a sentence about the first level or verdict that no entry has, if there is one.

    >>> unknown_value(FieldValue("level", "huge")), unknown_value(FieldValue("level", "hard"))
    ("There is no level 'huge'. Known: E, M, H.", None)
    """
    known: tuple[str, ...]
    match node:
        case Bare(of) | And(of) | Or(of):
            return next(filter(None, map(unknown_value, of)), None)
        case Not(inner):
            return unknown_value(inner)
        case FieldValue("level", value) if named_level(value) is None:
            known = LEVELS
        case FieldValue("verdict", value) if value not in OWN_VERDICTS:
            known = OWN_VERDICTS
        case _:
            return None
    return Message(
        "There is no {field} '{value}'. Known: {known}.",
        field=node.name,
        value=value,
        known=", ".join(known),
    )
