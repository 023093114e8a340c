"""The records of the knowledge base: frozen, and they read nothing.

An *entry* is a question, a card or a note. It holds its texts by language, the
*answers* a source gave and the reference answers, the *snippets* that can be
run, and *annotations*: claims that a span of a source text is weak, each with
what is true and, where a program can show it, *evidence*.

All offsets count characters (code points) from 0, and ``end`` is exclusive.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

Progress = Callable[[int, int], None]
"""Is told how much of the work is done, and how much there is, 0 while that is not known.

It is called about ten times a second, also where nothing new is done. To end the work it
raises `kb.errors.Cancelled`.
"""

Via = Literal["text", "translation", "spelling", "transliteration", "layout"]


class Span(NamedTuple):
    """A place in a source document: ``text[start:end]`` of ``file``."""

    file: str
    start: int
    end: int


class Source(NamedTuple):
    """A source document, kept byte for byte, and where it comes from."""

    file: str
    title: str
    author: str
    lang: str
    rights: str
    sha256: str
    text: str


class Answer(NamedTuple):
    """One answer in one language; ``origin`` is the span it was taken from."""

    role: str
    lang: str
    text: str
    origin: Span | None = None


@dataclass(frozen=True, slots=True)
class Snippet:
    """A runnable program. ``main`` marks the one that an entry's id runs, ``own`` a reader's."""

    id: str
    title: Mapping[str, str]
    code: str
    main: bool = False
    own: bool = False

    @property
    def digest(self) -> str:
        """The SHA-256 of the code: what trust and staleness are decided by."""
        return digest(self.code)


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


class Words(NamedTuple):
    """Words of an entry's own text of a role (question, source, reference) and a language."""

    role: str
    lang: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Evidence:
    """A figure a snippet measures: what the source claims and what is expected of it.

    ``tolerance`` is relative to ``expected`` unless ``absolute``. ``quote_hash`` and
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
    status is ``orphaned`` where the words it speaks of are gone.
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

    def is_stale(self, snippets: Mapping[str, str]) -> bool:
        """Say whether the quote or a snippet changed since a person looked at the evidence.

        ``snippets`` has the digest of each snippet that is there.
        """
        quote = digest(self.target.quote)
        return any(
            each.quote_hash != quote
            or snippets.get(each.snippet, each.snippet_hash) != each.snippet_hash
            for each in self.evidence
        )


@dataclass(frozen=True, slots=True)
class Entry:
    """A question, a card or a note, with everything that belongs to it.

    ``wording`` is how we would ask a question that its source asks badly; the source's
    own words stay in ``question``.
    """

    id: str
    kind: str
    collection: str
    question: Mapping[str, str]
    number: str | None = None
    level: str | None = None
    topic: str | None = None
    tags: tuple[str, ...] = ()
    origins: Mapping[str, tuple[Span, ...]] = field(default_factory=dict)
    restored: Mapping[str, bool] = field(default_factory=dict)
    wording: Mapping[str, str] = field(default_factory=dict)
    answers: tuple[Answer, ...] = ()
    snippets: tuple[Snippet, ...] = ()
    annotations: tuple[Annotation, ...] = ()
    related: tuple[str, ...] = ()

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages of its texts, those of its question first."""
        return tuple(dict.fromkeys((*self.question, *(each.lang for each in self.answers))))

    @property
    def given(self) -> Entry:
        """The entry as it was given, without what a reader added."""
        return replace(
            self,
            annotations=tuple(each for each in self.annotations if not each.own),
            snippets=tuple(each for each in self.snippets if not each.own),
        )

    def answer(self, lang: str, role: str = "source") -> Answer | None:
        """Return the answer of that language and role, if there is one."""
        for answer in self.answers:
            if answer.lang == lang and answer.role == role:
                return answer
        return None

    def text(self, role: str, lang: str) -> str:
        """Return its question or its answer of that role in a language; empty if it has none."""
        if role == "question":
            return self.question.get(lang, "")
        answer = self.answer(lang, role)
        return answer.text if answer else ""

    def main_snippet(self) -> Snippet | None:
        """Return the snippet that the entry's own id runs, if it has any."""
        for snippet in self.snippets:
            if snippet.main:
                return snippet
        return self.snippets[0] if self.snippets else None


class Filters(NamedTuple):
    """What narrows a search, a list or an export; every part given must hold."""

    lang: str | None = None
    collection: str | None = None
    level: str | None = None
    verdict: str | None = None
    tag: str | None = None


class Excerpt(NamedTuple):
    """A passage in its original spelling and the places in it that matched."""

    text: str
    marks: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Hit:
    """An entry that was found, or listed (then without score, via and excerpt)."""

    id: str
    kind: str
    collection: str
    number: str | None
    level: str | None
    lang: str
    question: Mapping[str, str]
    verdicts: Mapping[str, int]
    snippets: tuple[str, ...]
    score: float | None = None
    via: Via | None = None
    excerpt: Excerpt | None = None


class Results(NamedTuple):
    """The answer to a search or a list: the hits asked for, of ``total`` that match."""

    query: str
    total: int
    hits: tuple[Hit, ...]
    took_ms: float = 0.0
    suggestion: str | None = None
    notice: str | None = None
    explanation: tuple[str, ...] = ()


class Outcome(NamedTuple):
    """What came of running a snippet. Sizes in bytes, time in seconds of wall clock."""

    snippet: str
    status: str
    exit_code: int | None
    stdout: str
    stderr: str
    truncated: bool
    seconds: float
    peak_memory_bytes: int
    isolation: tuple[str, ...]
    figures: Mapping[str, float]


class Verification(NamedTuple):
    """The state of one annotation's evidence, the figures measured, and why it is not confirmed."""

    annotation: str
    status: str
    figures: Mapping[str, float]
    reason: str = ""


class ImportReport(NamedTuple):
    """What an import did, or would do, in numbers of entries."""

    collection: str
    added: int
    updated: int
    unchanged: int
    dry_run: bool = False


class Concept(NamedTuple):
    """What a term of the field means, and its names: in each language the best one first.

    ``sense`` tells apart concepts that share a name; it is empty where none is shared.
    """

    names: Mapping[str, tuple[str, ...]]
    field: str
    sense: str = ""


class GlossaryReport(NamedTuple):
    """What adding a dictionary did: under which name, and how many pairs it has."""

    name: str
    pairs: int


class Check(NamedTuple):
    """A check of a knowledge base: whether all is well, what was found, what mends it."""

    name: str
    well: bool
    found: str
    remedy: str = ""


def digest(text: str) -> str:
    """Return the SHA-256 of a text in UTF-8, in hexadecimal digits.

    >>> digest("")[:8]
    'e3b0c442'
    """
    import hashlib  # it loads a library that starting does without

    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
