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


class ConceptName(NamedTuple):
    """A name of a concept as it is kept: the best of its language where ``place`` is 0.

    ``concept`` numbers the concepts of one owner, ``stems`` is by what it is found.
    """

    concept: int
    place: int
    lang: str
    name: str
    stems: str
