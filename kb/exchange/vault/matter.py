"""The front matter of a note of ours, and what of it a reader has changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from kb.errors import BadData
from kb.exchange.notes.matter import read_matter
from kb.exchange.vault import properties
from kb.exchange.vault.properties import Properties


class Matter:
    """The lines of a front matter, which are parsed only if they are not as they were written."""

    def __init__(self, lines: Sequence[str], name: str) -> None:
        self.lines = lines
        self._name = name

    def edited(self, was: Properties) -> Mapping[str, str | Sequence[str]]:
        """Return what it says otherwise than these properties. Raises `BadData`."""
        return {} if self._is(was) else properties.edited(self._values, was)

    def others(self, was: Properties) -> Mapping[str, Any]:
        """Return what it says under keys of which danesh knows nothing. Raises `BadData`."""
        if self._is(was):
            return {}
        known = (*properties.FACTS, properties.TAGS, properties.ALIASES)
        return {key: value for key, value in self._values.items() if key not in known}

    def line(self, key: str) -> int:
        """Return the line in which a key stands."""
        lines = enumerate(self.lines, 1)
        return next((n for n, text in lines if text.lower().startswith(key)), 1)

    def _is(self, was: Properties) -> bool:
        return list(properties.written(was)) == self.lines

    @cached_property
    def _values(self) -> Mapping[str, Any]:
        found = read_matter("\n".join(self.lines) + "\n")
        if found.fault:
            raise BadData(f"{self._name}:1: the front matter of the note cannot be read")
        return found.values
