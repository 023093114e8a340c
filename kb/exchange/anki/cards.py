"""The two sides of an entry's card, as safe HTML: each text in its language and direction."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from kb.display.safe import safe
from kb.exchange.anki.markup import fragment, inert
from kb.exchange.hypertext.marking import Marked
from kb.exchange.hypertext.scanning import words
from kb.exchange.hypertext.telling import (
    grounds,
    line,
    program,
    prose_line,
    repeats,
    spoken,
    verdict,
)
from kb.exchange.labels import label
from kb.present.annotated import Numbered, marked_words, numbered
from kb.records import Annotation, Entry, Snippet

Names = Mapping[str, str]
"""By the name of media in a text, what the file is called in the package."""


def fields(entry: Entry, names: Names) -> tuple[str, ...]:
    """Return the fields of an entry's note, in the order of `notetypes.FIELDS`."""
    return (
        _line(entry.id),
        "".join(_question(entry, names)),
        "".join(_answers(entry, "source", names)),
        "".join(_answers(entry, "reference", names)),
        "".join(_annotation(entry, each, names) for each in numbered(entry)),
        "".join(map(_program, entry.snippets)),
        *(_line(fact or "") for fact in (entry.number, entry.level, entry.topic)),
    )


def shown(entry: Entry) -> str:
    """Return the question as lists show it and sort by it: its first language, in one line."""
    question = next(filter(str.strip, entry.question.values()), entry.id)
    return " ".join(safe(question).split())


def _question(entry: Entry, names: Names) -> Iterator[str]:
    told = [_block(text, lang, names) for lang, text in entry.question.items()]
    if any("<img" in html or words(html) for html in told):
        yield from (html for html in told if html)
    else:
        yield f'<div dir="auto">{inert(prose_line(shown(entry)))}</div>'  # a card needs a front
    for lang, wording in entry.wording.items():
        yield _block(wording, lang, names, label("wording", lang))


def _answers(entry: Entry, role: str, names: Names) -> Iterator[str]:
    for answer in entry.answers:
        if answer.role == role:
            spans = marked_words(entry, role, answer.lang)
            marked = [Marked(s, e, sign=f"<sup>{n.number}</sup>") for n, s, e in spans]
            yield _block(answer.text, answer.lang, names, label(role, answer.lang), marked)


def _annotation(entry: Entry, each: Numbered, names: Names) -> str:
    target = each.annotation.target
    lang = target.lang
    quote = f"<blockquote>{inert(prose_line(target.quote, lang))}</blockquote>"
    said = "".join([_heading(verdict(each, lang)), quote, *_said(entry, each.annotation, names)])
    return f"<article {spoken(lang)}>{said}</article>"


def _said(entry: Entry, annotation: Annotation, names: Names) -> Iterator[str]:
    lang = annotation.target.lang
    if annotation.repeats:
        yield f"<p>{_line(repeats(entry, annotation, lang))}</p>"
        return
    for spoken_in, note in annotation.note.items():
        yield _block(note, spoken_in, names)
    yield inert(grounds(annotation, lang))


def _program(snippet: Snippet) -> str:
    return inert("".join(program(snippet)))


def _block(
    text: str, lang: str, names: Names, heading: str = "", marked: Sequence[Marked] = ()
) -> str:
    """Return a text as a block of its language, which a heading may say what it is."""
    if not text.strip():
        return ""
    return f"<div {spoken(lang)}>{_heading(heading)}{fragment(text, lang, names, marked)}</div>"


def _heading(text: str) -> str:
    return f"<h4>{_line(text)}</h4>" if text else ""


def _line(text: str) -> str:
    """Return a text that is no Markdown, in one line."""
    return inert(line(text))
