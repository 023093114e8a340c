"""Documents: an entry in one of its languages, as it is searched."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from kb.model.values import LAYERS

if TYPE_CHECKING:
    from kb.model.entry import Entry

COLUMNS = ("question", "wording", "source", "reference", "notes", "code", "keywords")
"""The searchable columns of a document."""


class Document(NamedTuple):
    """A stored document by number: its `COLUMNS` and its entry's fields.

    ``facts`` are the values of `kb.model.clauses.FIELDS`.
    """

    id: int
    entry: str
    lang: str
    texts: Mapping[str, str | None]
    facts: Mapping[str, tuple[str, ...]]


def searched_texts(entry: Entry, lang: str) -> dict[str, str | None]:
    """Return the searchable texts of an entry in a language, by column, with its layers."""
    source, reference = entry.answer(lang, "source"), entry.answer(lang, "reference")
    return {
        "question": entry.question.get(lang, ""),
        "wording": entry.wording.get(lang),
        "source": source.text if source else None,
        "reference": reference.text if reference else None,
        "notes": "\n\n".join(_notes(entry, lang)) or None,
        # Code has no language: it is found through the entry's first one.
        "code": "\n\n".join(s.code for s in entry.snippets) if _is_first(entry, lang) else None,
        "keywords": "\n".join(_keywords(entry, lang)) or None,
        **{name: entry.text(name, lang) or None for name in LAYERS},
    }


def completed(
    texts: Mapping[str, str | None], aliases: Sequence[str], context: str | None
) -> Mapping[str, str | None]:
    """Return the searchable texts of a document by column, with those of its entry.

    Aliases are searched like the question, its context like the source's answer, and layers like
    the full answer.
    """
    found = {name: texts[name] for name in COLUMNS}
    if aliases:
        found["question"] = "\n".join(filter(None, (found["question"], *aliases)))
    if context:
        found["source"] = "\n\n".join(filter(None, (found["source"], context)))
    if any(texts[name] for name in LAYERS):
        layers = (texts[name] for name in ("reference", *LAYERS))
        found["reference"] = "\n\n".join(filter(None, layers))
    return found


def _is_first(entry: Entry, lang: str) -> bool:
    return lang == entry.languages[0]


def _notes(entry: Entry, lang: str) -> Iterator[str]:
    for annotation in entry.annotations:
        for spoken, note in annotation.note.items() if not annotation.repeats else ():
            # A reader may write in a language that the entry has no text in.
            foreign = annotation.own and spoken not in entry.languages
            if lang == spoken or (foreign and _is_first(entry, lang)):
                yield note
    if entry.assessment is not None and lang in entry.assessment.sentence:
        yield entry.assessment.sentence[lang]


def _keywords(entry: Entry, lang: str) -> Iterator[str]:
    yield from entry.tags
    if entry.topic:
        yield entry.topic
    for snippet in entry.snippets:
        if lang in snippet.title:
            yield snippet.title[lang]
    if entry.file:
        for line in entry.file.properties:
            yield line.partition(":")[2] if ":" in line and not line[:1].isspace() else line
