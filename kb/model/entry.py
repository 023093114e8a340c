"""Entries: questions, cards and notes, their answers, programs and source documents."""

from __future__ import annotations

import json
import posixpath
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Literal, NamedTuple, cast
from urllib.parse import unquote

from kb.model.clauses import LAYERS


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
    """One answer in one language; ``origin`` is the span it was taken from.

    What in it changes with time was ``checked`` on a day, and is to be looked at again after
    ``until``: dates as ISO 8601 writes them, or empty. ``evidence`` has the figures that it rests
    on. ``status`` and ``release`` are those of an `Annotation`, and say nothing without evidence.
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
        """Return the id by which its evidence is known, as an annotation's is by its own."""
        return f"{entry}#{self.role}.{self.lang}"


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


class NoteFile(NamedTuple):
    """The file of a note: its path below the imported folder, and what its text does not hold.

    ``head`` is the front matter, verbatim. ``encoding`` and ``newline`` (lf, crlf, cr or mixed)
    say how head and text become the bytes of the file again.
    """

    path: str
    head: str
    encoding: str
    newline: str


class Assessment(NamedTuple):
    """What the source answer of an entry is worth (see `JUDGEMENTS`), and a sentence on it."""

    judgement: str
    sentence: Mapping[str, str]


FACTS = ("number", "level", "topic", "context", "within")
"""The fields of an entry that are a text or nothing, kept as they are."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A question, a card or a note, with everything that belongs to it.

    ``wording`` is how we would ask a question that its source asks badly; the source's
    own words stay in ``question``. Beside the full answer stand a ``short`` one, an ``example``,
    the ``mistakes`` that are often made, and ``further`` questions. ``aliases`` are other titles,
    ``context`` stands above the question in its list and belongs to it, and ``within`` is the note
    that a card was made from.
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

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages of its texts, those of its question first."""
        answered = (each.lang for each in self.answers)
        beside = (*self.short, *self.example, *self.mistakes, *self.further)
        return tuple(dict.fromkeys((*self.question, *answered, *beside)))

    @property
    def links(self) -> tuple[str, ...]:
        """The entries that belong to it, and those that its follow-up questions link to."""
        found = (name for text in self.further.values() for name in _LINK.findall(text))
        return tuple(dict.fromkeys((*self.related, *found)))

    @property
    def given(self) -> Entry:
        """The entry as it was given, without what a reader added."""
        if not any(e.own for e in self.annotations) and not any(e.own for e in self.snippets):
            return self
        return replace(
            self,
            annotations=tuple(each for each in self.annotations if not each.own),
            snippets=tuple(each for each in self.snippets if not each.own),
        )

    @property
    def digest(self) -> str:
        """What changes when anything in the entry does.

        What was measured of it and what a reader added to it are no part of it.
        """
        given = self.given
        values = {name: getattr(given, name) for name in _FIELDS}
        plain = {k: v for k, v in values.items() if v or k not in _UNSAID}
        plain["answers"] = [
            (*each[: 6 if each.checked else 4], *_figures(each.evidence)) for each in given.answers
        ]
        plain["annotations"] = [_said(replace(e, status="")) for e in given.annotations]
        plain["snippets"] = [asdict(each) for each in given.snippets]
        return short_digest(_PLAIN.encode(plain))

    def is_translation(self, answer: Answer) -> bool:
        """Say whether a source's answer is our translation of what it said in another language."""
        return (
            answer.role == "source"
            and answer.origin is None
            and any(each.role == "source" and each.origin for each in self.answers)
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
        if role in LAYERS:
            layer: Mapping[str, str] = getattr(self, role)
            return layer.get(lang, "")
        answer = self.answer(lang, role)
        return answer.text if answer else ""

    @property
    def claims(self) -> tuple[Annotation, ...]:
        """All that evidence may stand behind: the annotations, and each answer that has some.

        An answer is told as an annotation without a verdict on its whole text.
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
        """Return the entry with these `claims` in place of its own, answers by their targets."""
        claims = tuple(claims)
        told = {each.target[:2]: each for each in claims if not each.verdict}
        answers = (
            each._replace(evidence=claim.evidence, status=claim.status, release=claim.release)
            if (claim := told.get(each[:2]))
            else each
            for each in self.answers
        )
        return replace(
            self,
            answers=tuple(answers),
            annotations=tuple(each for each in claims if each.verdict),
        )

    def main_snippet(self) -> Snippet | None:
        """Return the snippet that the entry's own id runs, if it has any: the reader's first."""
        mains = [snippet for snippet in self.snippets if snippet.main]
        chosen = [snippet for snippet in mains if snippet.own] or mains or self.snippets
        return chosen[0] if chosen else None


_LINK = re.compile(r"(?<!!)\[\[([^\[\]|#\n]{1,500})")


def _said(annotation: Annotation) -> dict[str, object]:
    """Return what an annotation says, without what it leaves unsaid."""
    said = {k: v for k, v in asdict(annotation).items() if v or k not in _UNSAID}
    return {**said, "evidence": _figures(annotation.evidence)}


def _figures(evidence: Iterable[Evidence]) -> list[dict[str, object]]:
    return [{k: v for k, v in asdict(e).items() if v or k != "basis"} for e in evidence]


_UNSAID = frozenset(
    (
        *("anchors", "checked", "until", "media", "aliases", "context", "within", "file"),
        *("assessment", *LAYERS),
    )
)
_FIELDS = tuple(each.name for each in fields(Entry))
_PLAIN = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), sort_keys=True)


# Annotations: claims on exact words of a text, each with what is true and its evidence.


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
    """A span of an entry's own text of a role (question, source, reference) in a language."""

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
    figure is (see `kb.model.clauses.BASES`), where that is told. ``quote_hash`` and
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


class Release(NamedTuple):
    """The release whose makers ran the evidence of an annotation, and what they ran it with."""

    version: str
    day: str
    python: str
    numpy: str
    cpu: str


@dataclass(frozen=True, slots=True)
class Annotation:
    """A claim that a span of a source text is weak, what is true, and the proof.

    ``repeats`` names the annotation whose claim the span makes again: verdict, note and
    status are then those, and the evidence stands there. ``own`` marks a reader's; its
    status is ``orphaned`` where the words it speaks of are gone. ``anchors`` are the words
    that say the same in other languages. What changes with time was ``checked`` on a day, and
    is to be looked at again after ``until``; both are dates as ISO 8601 writes them, or empty.
    ``status`` is what a run here came to; ``release`` stands beside it where the evidence of the
    bundled content was confirmed for a release, and is kept by no database.
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
        """Whether the evidence was confirmed: by a run here, or else for the release."""
        unverified = self.status == "unverified"
        return self.status == "confirmed" or (unverified and self.release is not None)

    def is_stale(self, snippets: Mapping[str, str]) -> bool:
        """Say whether the quote or a snippet changed since a person looked at the evidence.

        ``snippets`` has the digest of each snippet that is there.
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
    """A file that a text of an entry shows by its ``name``; its bytes are kept by their digest."""

    name: str
    sha256: str
    size: int


class Review(NamedTuple):
    """One answer to a card while studying, as a program for repetition has logged it.

    ``card`` counts the cards of an entry from 0; ``at`` is in milliseconds since 1970, UTC.
    ``rating`` is 1 again, 2 hard, 3 good, 4 easy, and ``interval`` the days until the next, or
    below 0 the seconds. ``ease`` is per mille, 0 where it is not known; the answer ``took`` so
    many milliseconds. ``kind`` is 0 learning, 1 review, 2 relearning, 3 out of turn, 4 by hand.
    """

    card: int
    at: int
    rating: int
    interval: int
    ease: int
    took: int
    kind: int


def is_plain_name(name: str) -> bool:
    """Say whether a name can be that of a file, in any one folder and nowhere else.

    >>> is_plain_name("loss.png"), is_plain_name("../loss.png"), is_plain_name(".loss")
    (True, False, False)
    """
    return not _NO_NAME.search(name) and len(name.encode("utf-8", "replace")) <= _LONGEST


def plain_name(name: str) -> str:
    """Return a name under which a text can show a file: nothing in it ends a link.

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
    """Return the name that media have for what a link names; nothing for an address.

    >>> file_named("img/Loss%20(1).png"), file_named("https://example.org/a.png")
    ('Loss-1.png', '')
    """
    if "://" in target or target.startswith("#"):
        return ""
    return plain_name(posixpath.basename(unquote(target.split("#")[0].split("?")[0])))


# Terms of the field in several languages.


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


# The digest by which a text is known to be the same.


def digest(text: str) -> str:
    """Return the SHA-256 of a text in UTF-8, in hexadecimal digits.

    >>> digest("")[:8]
    'e3b0c442'
    """
    import hashlib  # it loads a library that starting does without

    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def short_digest(text: str) -> str:
    """Return the first half of the `digest` of a text, where many are kept.

    128 bits tell texts apart that nobody made to be alike (NIST SP 800-107, section 5.1).

    >>> digest("").startswith(short_digest("")), len(short_digest(""))
    (True, 32)
    """
    return digest(text)[:32]


# A program as it stands before a reader who is asked whether it may run.


Whose = Literal["bundled", "yours", "allowed", "changed", "kept", "file", "elsewhere"]
"""Whose code it is, by its digest and never by what a database says: it came with danesh, the
reader wrote it here, allows it always, changed or kept foreign code, it came from a file, or
nothing is known of it."""


class Program(NamedTuple):
    """A program that would be started, whole.

    ``entries`` have it, and ``file`` brought it, if one did. ``asks`` says that it runs only
    after a yes, ``unfit`` what in it hides what Python runs: then it never does. It is ``named``
    unless only evidence of another entry points to it.
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
