"""Annotations: claims on exact words of a text, each with what is true and its evidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, cast

from kb.records.hashing import digest


class Target(NamedTuple):
    """The exact words an annotation speaks of: ``quote`` is ``file[start:end]``.

    Without a file the places count in the entry's own text of that role and language, and
    ``prefix`` and ``suffix`` are what stood around the quote when it was chosen.
    """

    role: str
    lang: str
    quote: str
    start: int
    end: int
    file: str = ""
    prefix: str = ""
    suffix: str = ""


class Anchor(NamedTuple):
    """The words of the entry's text in another language that say what a target's do.

    ``quote`` is ``text[start:end]`` of the entry's text of that role and language.
    """

    role: str
    quote: str
    start: int
    end: int


class TextSpan(NamedTuple):
    """A stretch of an entry's own text of a role (question, source, reference) in a language."""

    role: str
    lang: str
    start: int
    end: int


class Accepted(NamedTuple):
    """The digests of a quote and a snippet that a person last looked at."""

    quote: str = ""
    snippet: str = ""

    def holds(self, quote: str, snippet: str | None) -> bool:
        """Say whether quote and snippet have these digests still; a snippet may be elsewhere."""
        return self == (quote, self.snippet if snippet is None else snippet)


Basis = Literal["measured", "counted", "simulated", "definition"]


class Told(NamedTuple):
    """A figure that is told of evidence, and whose it is."""

    kind: Literal["source", "expected"] | Basis
    figure: float


@dataclass(frozen=True, slots=True)
class Evidence:
    """A figure a snippet measures: what the source claims and what is expected of it.

    ``tolerance`` is relative to ``expected`` unless ``absolute``. ``basis`` says what the
    figure is (see `kb.records.vocabulary.BASES`), where that is told. ``quote_hash`` and
    ``snippet_hash`` remember what a person last looked at (see ``accepted``).
    """

    snippet: str
    figure: str
    expected: float
    claimed: float | None = None
    tolerance: float = 0.0
    absolute: bool = False
    quote_hash: str = ""
    snippet_hash: str = ""
    basis: str = ""

    @property
    def accepted(self) -> Accepted:
        """What a person last looked at."""
        return Accepted(self.quote_hash, self.snippet_hash)

    def told(self, *, confirmed: bool) -> Sequence[Told]:
        """Return what is told of it, in order: what the source says, then what is true.

        Where a run has ``confirmed`` that, it is told as what it is (see ``basis``), and as
        expected elsewhere.
        """
        source = [] if self.claimed is None else [Told("source", self.claimed)]
        kind = cast("Basis", self.basis or "measured")
        return [*source, Told(kind if confirmed else "expected", self.expected)]

    def agrees(self, measured: float) -> bool:
        """Say whether ``measured`` equals what is expected, within the tolerance."""
        return self._near(measured, self.expected)

    def contradicts_claim(self, measured: float) -> bool:
        """Say whether ``measured`` differs from what the source claims."""
        return self.claimed is None or not self._near(measured, self.claimed)

    def _near(self, measured: float, value: float) -> bool:
        scale = 1.0 if self.absolute else abs(value)
        return abs(measured - value) <= self.tolerance * scale


@dataclass(frozen=True, slots=True)
class Annotation:
    """A claim that a span of a source text is weak, what is true, and the proof.

    ``repeats`` names the annotation whose claim the span makes again: verdict, note and
    status are then those, and the evidence stands there. ``own`` marks a reader's; its
    status is ``orphaned`` where the words it speaks of are gone. ``anchors`` are the words
    that say the same in other languages. What changes with time was ``checked`` on a day, and
    is to be looked at again after ``until``; both are dates as ISO 8601 writes them, or empty.
    """

    id: str
    target: Target
    verdict: str
    severity: str
    note: Mapping[str, str]
    references: tuple[str, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    status: str = "unverified"
    repeats: str = ""
    own: bool = False
    anchors: Mapping[str, Anchor] = field(default_factory=dict)
    checked: str = ""
    until: str = ""

    def is_stale(self, snippets: Mapping[str, str]) -> bool:
        """Say whether the quote or a snippet changed since a person looked at the evidence.

        ``snippets`` has the digest of each snippet that is there.
        """
        quote = digest(self.target.quote)
        return not all(
            each.accepted.holds(quote, snippets.get(each.snippet)) for each in self.evidence
        )
