"""Terms of the field in several languages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Concept(NamedTuple):
    """What a term of the field means, and its names: in each language the best one first.

    ``sense`` tells apart concepts that share a name; it is empty where none is shared.
    """

    names: Mapping[str, tuple[str, ...]]
    field: str
    sense: str = ""
