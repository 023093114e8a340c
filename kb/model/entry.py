"""Entries: questions, cards and notes, their answers, programs and source documents."""

from __future__ import annotations

import posixpath
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Literal, NamedTuple, cast
from urllib.parse import unquote

from kb.model.json import canonical
from kb.model.values import LAYERS


class Span(NamedTuple):
    """A place in a source document: ``text[start:end]`` of ``file``."""

    file: str
    start: int
    end: int


class Source(NamedTuple):
    """A source document, stored byte for byte, and its origin."""

    file: str
    title: str
    author: str
    lang: str
    rights: str
    sha256: str
    text: str


class Answer(NamedTuple):
    """One answer in one language; ``origin`` is its span in the source.

    Facts in it that change with time were ``checked`` on a day and expire after ``until``: ISO
    8601 dates, or empty. ``evidence`` has the figures behind it. ``status`` and ``release`` are
    as in an `Annotation`, and mean nothing without evidence.
    """

    role: str
    lang: str
    text: str
    origin: Span | None = None
    checked: str = ""
    until: str = ""
    evidence: tuple[Evidence, ...] = ()
    status: str = ""
    release: Release | None = None

    def claim_of(self, entry: str) -> str:
        """Return the id of its evidence, as for an annotation."""
        return f"{entry}#{self.role}.{self.lang}"


@dataclass(frozen=True, slots=True)
class Snippet:
    """A runnable program: ``main`` for an entry's default, ``own`` for a reader's."""

    id: str
    title: Mapping[str, str]
    code: str
    main: bool = False
    own: bool = False

    @property
    def digest(self) -> str:
        """The SHA-256 of the code, which decides trust and staleness."""
        return digest(self.code)


class NoteFile(NamedTuple):
    """The file of a note: its path in the imported folder, and what its text lacks.

    ``head`` is the front matter, verbatim. ``encoding`` and ``newline`` (lf, crlf, cr or mixed)
    say how to restore the bytes of the file.
    """

    path: str
    head: str
    encoding: str
    newline: str

    @property
    def properties(self) -> Sequence[str]:
        """The lines of the front matter."""
        return self.head.strip().splitlines()[1:-1]


class Assessment(NamedTuple):
    """The assessment of an entry's source answer (see `JUDGEMENTS`), with a sentence about it."""

    judgement: str
    sentence: Mapping[str, str]


FACTS = ("number", "level", "topic", "context", "within")
"""The fields of an entry that are a text or nothing, stored unchanged."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A question, card or note, with everything that belongs to it.

    ``wording`` is our better wording of a badly asked question; the source's words stay in
    ``question``. The layers are a ``short`` answer, an ``example``, common ``mistakes``, and
    ``further`` questions. ``aliases`` are other titles, ``context`` is the text above the
    question in its list, and ``within`` is the note of a card. ``prompts`` says for each card of
    an Anki note after the first which parts of the answer it asks, by label (see
    `kb.present.cards`); nothing if that card does not exist.
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
    short: Mapping[str, str] = field(default_factory=dict)
    example: Mapping[str, str] = field(default_factory=dict)
    mistakes: Mapping[str, str] = field(default_factory=dict)
    further: Mapping[str, str] = field(default_factory=dict)
    assessment: Assessment | None = None
    answers: tuple[Answer, ...] = ()
    snippets: tuple[Snippet, ...] = ()
    annotations: tuple[Annotation, ...] = ()
    related: tuple[str, ...] = ()
    media: tuple[Media, ...] = ()
    aliases: tuple[str, ...] = ()
    context: str | None = None
    within: str | None = None
    file: NoteFile | None = None
    prompts: tuple[tuple[str, ...], ...] = ()

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages of its texts, the question's first."""
        answered = (each.lang for each in self.answers)
        beside = (*self.short, *self.example, *self.mistakes, *self.further)
        return tuple(dict.fromkeys((*self.question, *answered, *beside)))

    @property
    def links(self) -> tuple[str, ...]:
        """The related entries, and those linked from its follow-up questions."""
        found = (name for text in self.further.values() for name in _LINK.findall(text))
        return tuple(dict.fromkeys((*self.related, *found)))

    @property
    def given(self) -> Entry:
        """The entry without the reader's additions."""
        if not any(e.own for e in self.annotations) and not any(e.own for e in self.snippets):
            return self
        return replace(
            self,
            annotations=tuple(each for each in self.annotations if not each.own),
            snippets=tuple(each for each in self.snippets if not each.own),
        )

    @property
    def digest(self) -> str:
        """A digest of the entry's content.

        Measurements and the reader's additions are not included.
        """
        given = self.given
        values = {name: getattr(given, name) for name in _FIELDS}
        plain = {k: v for k, v in values.items() if v or k not in _UNSAID}
        plain["answers"] = [
            (*each[: 6 if each.checked else 4], *_figures(each.evidence)) for each in given.answers
        ]
        plain["annotations"] = [
            {k: v for k, v in asdict(replace(each, status="")).items() if v or k not in _UNSAID}
            | {"evidence": _figures(each.evidence)}
            for each in given.annotations
        ]
        plain["snippets"] = [asdict(each) for each in given.snippets]
        return short_digest(canonical(plain))

    def is_translation(self, answer: Answer) -> bool:
        """Return whether a source answer is our translation of the original."""
        return (
            answer.role == "source"
            and answer.origin is None
            and any(each.role == "source" and each.origin for each in self.answers)
        )

    def answer(self, lang: str, role: str = "source") -> Answer | None:
        """Return the answer of that language and role, if any."""
        return next((a for a in self.answers if a.lang == lang and a.role == role), None)

    def text(self, role: str, lang: str) -> str:
        """Return its question or answer of that role in a language, or an empty text."""
        if role == "question":
            return self.question.get(lang, "")
        if role in LAYERS:
            layer: Mapping[str, str] = getattr(self, role)
            return layer.get(lang, "")
        answer = self.answer(lang, role)
        return answer.text if answer else ""

    @property
    def claims(self) -> tuple[Annotation, ...]:
        """Everything that can have evidence: annotations, and answers with evidence.

        An answer is represented as an annotation of its whole text, without a verdict.
        """
        told = (
            Annotation(
                id=each.claim_of(self.id),
                target=Target(each.role, each.lang, each.text, 0, len(each.text)),
                verdict="",
                severity="low",
                note={},
                evidence=each.evidence,
                status=each.status or "unverified",
                release=each.release,
            )
            for each in self.answers
            if each.evidence
        )
        return (*self.annotations, *told)

    def with_claims(self, claims: Iterable[Annotation]) -> Entry:
        """Return the entry with these `claims`; answers are matched by target."""
        claims = tuple(claims)
        told = {each.target[:2]: each for each in claims if not each.verdict}
        answers = (
            each._replace(evidence=claim.evidence, status=claim.status, release=claim.release)
            if (claim := told.get(each[:2]))
            else each
            for each in self.answers
        )
        return replace(
            self, answers=tuple(answers), annotations=tuple(each for each in claims if each.verdict)
        )

    def main_snippet(self) -> Snippet | None:
        """Return the default program of the entry, if any: the reader's first."""
        mains = [snippet for snippet in self.snippets if snippet.main]
        chosen = [snippet for snippet in mains if snippet.own] or mains or self.snippets
        return chosen[0] if chosen else None


_LINK = re.compile(r"(?<!!)\[\[([^\[\]|#\\\n]{1,500})")


def _figures(evidence: Iterable[Evidence]) -> list[dict[str, object]]:
    return [{k: v for k, v in asdict(e).items() if v or k != "basis"} for e in evidence]


_UNSAID = {
    "anchors", "checked", "until", "media", "aliases", "context", "within", "file", "assessment",
    "prompts", *LAYERS,
}  # fmt: skip
_FIELDS = tuple(each.name for each in fields(Entry))


# Annotations: claims on exact words of a text, each with what is true and its evidence.


class Target(NamedTuple):
    """The marked words of an annotation: ``quote`` is ``file[start:end]``.

    Without a file, the positions are in the entry's own text of that role and language, and
    ``prefix`` and ``suffix`` are the context of the quote when it was chosen.
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
    """The words in another language that correspond to a target's words.

    ``quote`` is ``text[start:end]`` of the entry's text of that role and language.
    """

    role: str
    quote: str
    start: int
    end: int


class TextSpan(NamedTuple):
    """A span of an entry's own text of a role (question, source, reference) in a language."""

    role: str
    lang: str
    start: int
    end: int


class Accepted(NamedTuple):
    """The reviewed digests of a quote and a program."""

    quote: str = ""
    snippet: str = ""

    def holds(self, quote: str, snippet: str | None) -> bool:
        """Return whether quote and program still have these digests."""
        return self == (quote, self.snippet if snippet is None else snippet)


Basis = Literal["measured", "counted", "simulated", "definition"]


class Told(NamedTuple):
    """A figure of evidence as shown, with its label."""

    kind: Literal["source", "expected"] | Basis
    figure: float


@dataclass(frozen=True, slots=True)
class Evidence:
    """A figure that a program measures, with its claimed and expected value.

    ``tolerance`` is relative to ``expected`` unless ``absolute``. ``basis`` is the origin of the
    figure (see `kb.model.values.BASES`), if known. ``quote_hash`` and ``snippet_hash`` are the
    reviewed digests (see ``accepted``).
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
        """The reviewed digests."""
        return Accepted(self.quote_hash, self.snippet_hash)

    def told(self, *, confirmed: bool) -> Sequence[Told]:
        """Return the displayed figures in order: the source's, then the true one.

        Once a run has ``confirmed`` it, the label is its basis (see ``basis``), otherwise
        "expected".
        """
        source = [] if self.claimed is None else [Told("source", self.claimed)]
        kind = cast("Basis", self.basis or "measured")
        return [*source, Told(kind if confirmed else "expected", self.expected)]

    def agrees(self, measured: float) -> bool:
        """Return whether ``measured`` equals the expected value within the tolerance."""
        return self._near(measured, self.expected)

    def contradicts_claim(self, measured: float) -> bool:
        """Return whether ``measured`` differs from the source's claim."""
        return self.claimed is None or not self._near(measured, self.claimed)

    def _near(self, measured: float, value: float) -> bool:
        scale = 1.0 if self.absolute else abs(value)
        return abs(measured - value) <= self.tolerance * scale


class Release(NamedTuple):
    """The release that confirmed an annotation's evidence, and the versions used."""

    version: str
    day: str
    python: str
    numpy: str
    cpu: str


@dataclass(frozen=True, slots=True)
class Annotation:
    """A claim that a span of a text is weak, the correction, and the evidence.

    ``repeats`` names the annotation with the same claim, which has the verdict, note, status and
    evidence. ``own`` marks a reader's; its status is ``orphaned`` if its words are gone.
    ``anchors`` are the corresponding words in other languages. Facts that change with time were
    ``checked`` on a day and expire after ``until``: ISO 8601 dates, or empty. ``status`` is the
    result of a run here; ``release`` is set for bundled evidence confirmed for a release, and is
    never stored in a database.
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
    release: Release | None = None

    @property
    def holds(self) -> bool:
        """Whether the evidence is confirmed, by a run here or for the release."""
        unverified = self.status == "unverified"
        return self.status == "confirmed" or (unverified and self.release is not None)

    def is_stale(self, snippets: Mapping[str, str]) -> bool:
        """Return whether the quote or a program changed since the last review.

        ``snippets`` has the digest of each existing program.
        """
        quote = digest(self.target.quote)
        return not all(
            each.accepted.holds(quote, snippets.get(each.snippet)) for each in self.evidence
        )


# What belongs to an entry beside its texts: files that these show, and how it was studied.


_NO_NAME = re.compile(r"[/\\:\x00-\x1f\x7f-\x9f]|^\.|^\s|\s$|^$")
_LONGEST = 255
_UNFIT = re.compile(r"[\s()<>\[\]{}|#%^\\\"*?/:\x00-\x1f\x7f-\x9f]+")
_LONGEST_PLAIN = 120  # bytes of a name, which file systems have room for


class Media(NamedTuple):
    """A file that a text shows by ``name``; its bytes are stored by digest."""

    name: str
    sha256: str
    size: int


_CARDS, _LATEST = 1 << 16, 1 << 46
"""More cards than a note of Anki has, and a time in milliseconds, in the year 4199."""


class Review(NamedTuple):
    """One answer to a card in a spaced-repetition program.

    ``card`` is the card's index in the entry; ``at`` is in milliseconds since 1970, UTC.
    ``rating`` is 1 again, 2 hard, 3 good, 4 easy; ``interval`` is in days or, if negative, in
    seconds. ``ease`` is per mille, 0 if unknown; ``took`` is the answer time in milliseconds.
    ``kind`` is 0 learning, 1 review, 2 relearning, 3 early, 4 manual.
    """

    card: int
    at: int
    rating: int
    interval: int
    ease: int
    took: int
    kind: int

    @property
    def is_possible(self) -> bool:
        """Whether its card, time, rating and kind are those of a review."""
        possible = 0 <= self.card < _CARDS and 0 <= self.at < _LATEST
        return possible and 0 <= self.rating <= 4 and self.kind >= 0


def is_plain_name(name: str) -> bool:
    """Return whether a name is a plain file name without any folder.

    >>> is_plain_name("loss.png"), is_plain_name("../loss.png"), is_plain_name(".loss")
    (True, False, False)
    """
    return not _NO_NAME.search(name) and len(name.encode("utf-8", "replace")) <= _LONGEST


def plain_name(name: str) -> str:
    """Return a name that is valid in a media link.

    >>> plain_name("Pasted image (2).png"), plain_name("نمودار.png")
    ('Pasted-image-2.png', 'نمودار.png')
    """
    stem, ending = posixpath.splitext(unicodedata.normalize("NFC", name))
    ending = _UNFIT.sub("", ending)[:16]
    made = _UNFIT.sub("-", stem).strip("-. ")[:_LONGEST_PLAIN]
    while len((made + ending).encode()) > _LONGEST_PLAIN:
        made = made[:-1]
    return (made or "shown") + ending


def file_named(target: str) -> str:
    """Return the media name for a link target; nothing for an address.

    >>> file_named("img/Loss%20(1).png"), file_named("https://example.org/a.png")
    ('Loss-1.png', '')
    """
    if "://" in target or target.startswith("#"):
        return ""
    return plain_name(posixpath.basename(unquote(target.split("#")[0].split("?")[0])))


# Terms of the field in several languages.


class Concept(NamedTuple):
    """A concept of the field and its names by language, best first.

    ``sense`` distinguishes concepts that share a name; otherwise it is empty.
    """

    names: Mapping[str, tuple[str, ...]]
    field: str
    sense: str = ""


class ConceptName(NamedTuple):
    """A stored name of a concept; ``place`` 0 is the best of its language.

    ``concept`` numbers the concepts of one owner, ``stems`` is the search key.
    """

    concept: int
    place: int
    lang: str
    name: str
    stems: str


class Name(NamedTuple):
    """A name of a concept, in a language."""

    name: str
    lang: str


# The digest by which a text is known to be the same.


def digest(text: str) -> str:
    """Return the SHA-256 of a text in UTF-8, in hexadecimal digits.

    >>> digest("")[:8]
    'e3b0c442'
    """
    import hashlib  # it loads a library that starting does without

    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def short_digest(text: str) -> str:
    """Return half of the `digest` of a text, for compact storage.

    128 bits distinguish texts unless somebody constructs a collision (NIST SP 800-107, section
    5.1).

    >>> digest("").startswith(short_digest("")), len(short_digest(""))
    (True, 32)
    """
    return digest(text)[:32]


# A program as it stands before a reader who is asked whether it may run.


Whose = Literal["bundled", "yours", "allowed", "changed", "kept", "file", "elsewhere"]
"""The origin of code, by digest and never from a database: bundled, written here, always allowed,
changed or saved foreign code, from a file, or unknown."""


class Program(NamedTuple):
    """A program about to start, in full.

    ``entries`` have it, and ``file`` is the file it came from, if any. ``asks`` means that it
    needs consent; ``unfit`` is what in it hides code, so that it never runs. It is ``named``
    unless only another entry's evidence refers to it.
    """

    name: str
    code: str
    digest: str
    whose: Whose
    file: str = ""
    entries: tuple[str, ...] = ()
    asks: bool = False
    unfit: str = ""
    named: bool = True
