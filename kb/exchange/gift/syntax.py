r"""Items as GIFT, which Moodle reads (https://docs.moodle.org/en/GIFT_format).

An item is a line, its line breaks written as ``\n``: a blank line would end it, and a line that
begins with two slashes would be a comment. The comment before an item has the id by which Moodle
knows it and its tags. A category is read as it stands, with nothing but backslashes escaped.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from kb.exchange.gift.items import Item

_SPECIAL = re.compile(r"[\\~=#{}:]")
_PLACEHOLDER = re.compile(r"&(?=&0\d\d)")
_UNTAGGED = re.compile(r"[\x00-\x20\x7f<>`]+")
_CONTEXT = re.compile(r"\$\w+\$")
_ID, _TAG, _NAME = 100, 50, 250
"""Characters of an id, a tag and a name that Moodle keeps."""


def category_line(path: Sequence[str]) -> str:
    r"""Return the line that puts the items below it in a category, by its path.

    >>> category_line(["Deep learning", "a/b", "$course$"])
    '$CATEGORY: Deep learning/a//b/course'
    """
    return f"$CATEGORY: {'/'.join(map(_segment, path))}"


def item_lines(item: Item) -> str:
    """Return an item with the comment before it."""
    words = f"::{escaped(_name(item.title))}::[markdown]{escaped(item.text)}"
    return f"{_comment(item)}\n{words}{_ANSWERS[item.kind](item)}"


def escaped(text: str) -> str:
    r"""Return a text in which GIFT sees nothing of its own.

    >>> print(escaped("f(x) = {1}: \\nabla\nelse"))
    f(x) \= \{1\}\: \\nabla\nelse
    """
    return _SPECIAL.sub(r"\\\g<0>", text).replace("\n", r"\n")


def _short(item: Item) -> str:
    return "{" + " ".join(f"={escaped(answer)}" for answer in item.answers) + "}"


def _essay(item: Item) -> str:
    return "{" + _feedback(item) + "}"


def _false(item: Item) -> str:
    return "{FALSE" + _feedback(item) + "}"


_ANSWERS: Mapping[str, Callable[[Item], str]] = {
    "short": _short,
    "essay": _essay,
    "false": _false,
    "description": lambda _item: "",
}


def _feedback(item: Item) -> str:
    return f"####{escaped(item.feedback)}" if item.feedback else ""


def _comment(item: Item) -> str:
    id = _token(item.id)
    tags = (_token(_UNTAGGED.sub(" ", tag))[:_TAG] for tag in item.tags)
    tokens = [f"[id:{id}]"] if len(id) <= _ID else []
    return " ".join(["//", *tokens, *(f"[tag:{tag}]" for tag in tags if tag)])


def _token(text: str) -> str:
    """Return a text in one line that ends no bracket: Moodle keeps the id whole, or none."""
    return _name(text).replace("[", "(").replace("]", ")")


def _name(text: str) -> str:
    """Return a text in one line, without what Moodle takes for a character that was escaped."""
    return _PLACEHOLDER.sub("& ", " ".join(_UNSEEN.sub(" ", text).split()))


_UNSEEN = re.compile(r"[\x00-\x1f\x7f]")


def _segment(name: str) -> str:
    plain = _name(name).strip("/ ")[:_NAME].strip("/ ").replace("/", "//")
    plain = plain[1:-1] if _CONTEXT.fullmatch(plain) else plain
    return plain.replace("\\", "\\\\") or "-"
