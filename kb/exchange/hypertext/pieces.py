"""What a line is made of until it is written: words, what is Markdown already, marks, ends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

STYLES = {
    "b": "**", "strong": "**",
    "i": "*", "em": "*", "cite": "*", "dfn": "*", "var": "*",
    "s": "~~", "del": "~~", "strike": "~~",
    "mark": "==",
    "u": "u", "ins": "u",
    "sub": "sub", "sup": "sup",
}  # fmt: skip
"""The marks for the elements that have some; three have none in Markdown and stay HTML."""

LINK = "["
TAGS = frozenset({"u", "sub", "sup"})


class Written(NamedTuple):
    """Markdown that stays as it is; a ``formula`` may stand next to no letter."""

    text: str
    formula: bool = False


@dataclass(eq=False, slots=True)
class Mark:
    """The begin or the end of what is set apart; ``other`` is its partner, once that is known."""

    kind: str
    opens: bool
    address: str = ""
    other: Mark | None = None

    @property
    def text(self) -> str:
        """The mark as it is written."""
        if self.kind == LINK:
            return LINK if self.opens else f"]({self.address})"
        if self.kind in TAGS:
            return f"<{self.kind}>" if self.opens else f"</{self.kind}>"
        return self.kind


BREAK = Written("\n")
"""The end of a line within a paragraph."""

Piece = str | Written | Mark
