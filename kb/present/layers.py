"""An entry in layers: what is shown first, and what is shown on demand.

The question and a short answer come first, then what is wrong with the source's answer. The full
answer with its layers, smaller remarks and the source's own words are folded.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from kb.model.values import LAYERS
from kb.present.annotated import Remark, remarks_of, worst_of
from kb.present.fences import fenced_programs
from kb.present.markdown.reader import read
from kb.present.titles import asked_in, best_language

if TYPE_CHECKING:
    from kb.model.entry import Annotation, Answer, Entry


_SOURCES = ("Sources: ", "منابع: ")
"""How the last paragraph of a full answer begins that lists its sources."""


class Text(NamedTuple):
    """A part ``text[start:end]`` of an entry's text of a role in a language.

    The role is one of `Entry.text`, or ``wording``, ``context`` or ``assessment``, which have no
    notes.
    """

    role: str
    lang: str
    text: str
    start: int
    end: int

    def without_sources(self) -> Text:
        """Return the part before the last paragraph, if that lists the sources of a full answer.

        >>> Text("reference", "en", "It is.\\n\\nSources: Knuth.\\n", 0, 24).without_sources().shown
        'It is.'
        """
        place = self.text.rfind("\n\n", self.start, self.end)
        listed = place >= 0 and self.text.startswith(_SOURCES, place + 2)
        return self._replace(end=place) if listed and self.role == "reference" else self

    @property
    def shown(self) -> str:
        """The span itself."""
        return self.text[self.start : self.end]


Row = tuple[Text | None, ...]
"""A text in each displayed language, or nothing if it is missing."""


class Part(NamedTuple):
    """A layer: its key, and its texts or remarks; ``folded`` until requested.

    With a reference answer, the keys in order are ``question``, ``short``, ``deeper`` and those of
    `DEEPER`, ``wrong``, ``own``, ``smaller``, ``source`` and ``programs``. Without one they are
    ``question``, ``short``, ``wrong``, ``answer``, ``deeper``, ``notes`` and ``programs``.
    ``source`` and ``notes`` have the notes that belong to no
    other text. ``claims`` are those of the answer that ends in the layer. ``heading`` is the key
    of its heading, if different.
    """

    key: str
    rows: tuple[Row, ...] = ()
    remarks: tuple[Remark, ...] = ()
    folded: bool = False
    claims: tuple[Annotation, ...] = ()
    heading: str = ""

    @property
    def fold(self) -> str:
        """The key of the layer that it unfolds with."""
        return "deeper" if self.key in DEEPER else self.key

    @property
    def texts(self) -> list[Text]:
        """Its texts in order, without missing ones."""
        return [text for row in self.rows for text in row if text is not None]


DEEPER = LAYERS[1:]
"""The layers that unfold with the full answer."""


def shown_languages(entry: Entry, lang: str, *, both: bool = False) -> list[str]:
    """Return the languages to show: the reader's if available, else the entry's first.

    Two are returned if ``both`` are wanted and available.
    """
    spoken = sorted(entry.languages, key=lambda each: each != lang)
    return spoken[: 2 if both else 1]


def layers(entry: Entry, lang: str, *, both: bool = False) -> list[Part]:
    """Return the non-empty parts of an entry for a reader of a language."""
    langs = shown_languages(entry, lang, both=both)
    found = [_asked(entry, langs), *_answered(entry, langs)]
    if entry.snippets or fenced_programs(entry):
        found.append(Part("programs", folded=True))
    told = [part for part in found if any(part[1:3]) or part.claims or part.key == "programs"]
    folds = {part.fold for part in told}
    return [part for part in found if part in told or part.key in folds]


def short_answers(entry: Entry) -> dict[str, str]:
    """Return the short answers by language, or the first paragraphs of reference answers."""
    begun = {
        each.lang: each.text[: _short_end(each)].strip()
        for each in entry.answers
        if each.role == "reference" and each.lang not in entry.short
    }
    found = {**begun, **entry.short}
    return {lang: found[lang] for lang in entry.languages if lang in found}


def _asked(entry: Entry, langs: Sequence[str]) -> Part:
    context = _whole("context", langs[0], entry.context) if entry.context else None
    titles = [
        _whole("wording" if spoken in entry.wording else "question", spoken, text)
        for spoken, text in (asked_in(entry, lang) for lang in langs)
    ]
    return Part("question", _rows(titles, [context]))


def _answered(entry: Entry, langs: Sequence[str]) -> Iterator[Part]:
    """Yield the answers, with the remarks on the source's between them."""
    source = [each and _whole(*each[:3]) for each in _answers(entry, "source", langs)]
    references = _references(entry, langs)
    remarks = remarks_of(entry, langs)
    worst = worst_of(entry, *langs)
    own = tuple(each for each in remarks if each.each.annotation.own)
    smaller = tuple(each for each in remarks if each not in (*worst, *own))
    short = [_short(entry, *each) for each in zip(langs, references, strict=True)]
    rest = [
        each
        and _whole(*each[:3])._replace(start=begun.end if begun and begun.role == each.role else 0)
        for each, begun in zip(references, short, strict=True)
    ]
    proven = _proven(entry, "reference") if any(references) else ()
    deeper = [
        Part("deeper", _rows(rest), (), True, proven),
        *(Part(name, _rows(_said(getattr(entry, name), name, langs)), (), True) for name in DEEPER),
    ]
    wrong = Part("wrong", (), worst)
    if entry.assessment is not None:
        said = _rows(_said(entry.assessment.sentence, "assessment", langs))
        judged = entry.assessment.judgement
        wrong = Part("wrong", said, worst, heading="" if judged == "flawed" else judged)
    yield Part("short", _rows(short))
    if not any(references):
        yield wrong
        yield Part("answer", _rows(source), claims=_proven(entry, "source"))
        yield from deeper
        yield Part("notes", remarks=remarks)
        return
    yield from deeper
    yield wrong
    yield Part("own", (), own)
    yield Part("smaller", (), smaller, True)
    # What the source asks stands there, too, where the title asks it better.
    reworded = [
        _whole("question", lang, entry.question[lang])
        if lang in entry.wording and lang in entry.question
        else None
        for lang in langs
    ]
    yield Part("source", _rows(reworded, source), remarks, True, _proven(entry, "source"))


def _short(entry: Entry, lang: str, reference: Answer | None) -> Text | None:
    """Return the entry's short answer, or the beginning of its reference answer."""
    spoken = reference.lang if reference else lang
    if spoken in entry.short:
        return _whole("short", spoken, entry.short[spoken])
    return reference and _whole(*reference[:3])._replace(end=_short_end(reference))


def _said(texts: Mapping[str, str], role: str, langs: Sequence[str]) -> list[Text | None]:
    """Return a text by language, with another language where one is missing."""
    spoken = [best_language(texts, langs[0])] if len(langs) == 1 else langs
    return [_whole(role, lang, texts[lang]) if lang in texts else None for lang in spoken]


def _proven(entry: Entry, role: str) -> tuple[Annotation, ...]:
    """Return the claims of the answers of a role; translations share them."""
    return tuple(each for each in entry.claims if not each.verdict and each.target.role == role)


def _references(entry: Entry, langs: Sequence[str]) -> Sequence[Answer | None]:
    """Return reference answers; the source's precedes one in a foreign language."""
    found = _answers(entry, "reference", langs)
    foreign = len(langs) == 1 and found[0] is not None and found[0].lang != langs[0]
    return [None] if foreign and entry.answer(langs[0], "source") else found


def _answers(entry: Entry, role: str, langs: Sequence[str]) -> Sequence[Answer | None]:
    """Return the answers of a role by language, with another language where one is missing."""
    found = [entry.answer(lang, role) for lang in langs]
    if len(langs) == 1 and found == [None]:
        found = [next((each for each in entry.answers if each.role == role), None)]
    return found


def _rows(*rows: Sequence[Text | None]) -> tuple[Row, ...]:
    """Return the rows that are not empty."""
    return tuple(tuple(row) for row in rows if any(text and text.shown.strip() for text in row))


def _whole(role: str, lang: str, text: str) -> Text:
    return Text(role, lang, text, 0, len(text))


def _short_end(answer: Answer) -> int:
    """Return the end of an answer's first paragraph, including a heading above it."""
    passages = read(answer.text, answer.lang).passages
    said = (each.end for each in passages if each.blocks[-1].kind != "heading")
    return next(said, len(answer.text))
