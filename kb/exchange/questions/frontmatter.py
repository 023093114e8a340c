"""The YAML, or TOML, between two rules at the beginning of a note: keys and texts alone."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from kb.exchange.questions.blocks import Line

_LARGEST = 1 << 16  # characters; notes say a few hundred about themselves
_DEEPEST = 40  # brackets within each other
_FLOW = re.compile(r"[\[{]")
_RULE = re.compile(r"^---\s*$")
_END = re.compile(r"^(?:---|\.\.\.)\s*$")


class FrontMatter(NamedTuple):
    """What a note says about itself, by key in small letters, and the lines in which it does."""

    values: Mapping[str, Any]
    lines: tuple[Line, ...]

    def text(self, *keys: str) -> str:
        """Return the first text under one of the keys, or nothing."""
        found = (self.values.get(key) for key in keys)
        texts = (each.strip() for each in found if isinstance(each, str))
        return next(filter(None, texts), "")

    def texts(self, *keys: str) -> tuple[str, ...]:
        """Return all texts under the keys: of a list its items, of a line its words by commas."""
        found: list[str] = []
        for key in keys:
            value = self.values.get(key)
            many = value if isinstance(value, list) else str(value or "").split(",")
            found.extend(each.strip() for each in many if isinstance(each, str))
        return tuple(dict.fromkeys(filter(None, found)))


NONE = FrontMatter({}, ())


def front_matter(lines: Sequence[Line]) -> FrontMatter:
    """Return what stands before a note; nothing where it has none that can be read."""
    if not lines or not _RULE.match(lines[0].text):
        return NONE
    ends = (n for n, line in enumerate(lines[1:], 1) if _END.match(line.text))
    end = next(ends, None)
    if end is None:
        return NONE
    values = _values("\n".join(line.text for line in lines[1:end]))
    return NONE if values is None else FrontMatter(values, tuple(lines[: end + 1]))


def _values(text: str) -> Mapping[str, Any] | None:
    """Return the mapping that a YAML text holds, all its leaves as texts, or None if it is none.

    Anchors are refused: a few of them, each naming the one before, would fill the memory.
    """
    import yaml

    if len(text) > _LARGEST:
        return _lines_as_values(text)
    if len(_FLOW.findall(text)) > _DEEPEST * 10:
        return None
    try:
        tokens = yaml.scan(text, Loader=yaml.BaseLoader)
        if any(isinstance(each, yaml.AliasToken | yaml.AnchorToken) for each in tokens):
            return _lines_as_values(text)
        value = yaml.load(text, Loader=yaml.BaseLoader)  # noqa: S506 - texts only, makes no objects
    except (yaml.YAMLError, ValueError, RecursionError):
        return _lines_as_values(text)
    if not isinstance(value, dict):
        return _toml(text) if text.strip() else {}
    return {str(key).strip().lower(): each for key, each in value.items()}


def _toml(text: str) -> Mapping[str, Any] | None:
    """Return the texts that a TOML text holds, as a deck of ``hashcards`` names itself in one.

    >>> _toml('name = "Medicine"')
    {'title': 'Medicine'}
    """
    try:
        found = tomllib.loads(text)
    except (ValueError, RecursionError):
        return None
    texts = {key.lower(): value for key, value in found.items() if isinstance(value, str)}
    return {"title" if key == "name" else key: value for key, value in texts.items()}


def _lines_as_values(text: str) -> Mapping[str, Any] | None:
    """Read ``key: value`` lines of a text that is too long for YAML's parser, or is no YAML.

    Titles have colons in them.
    """
    pairs = re.findall(r"^([A-Za-z_][\w-]*):[ \t]*(.*)$", text, re.MULTILINE)
    return {key.lower(): value.strip().strip("\"'") for key, value in pairs} or None
