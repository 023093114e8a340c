"""Documents: an entry in one of its languages, as it is searched."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from kb.records.entry import Entry

COLUMNS = ("question", "wording", "source", "reference", "notes", "code", "keywords")
"""The columns of a document that are searched."""


class Document(NamedTuple):
    """A stored document by its number: the texts of its `COLUMNS`, and its entry's fields.

    ``facts`` are the values of `kb.records.clauses.FIELDS`.
    """

    id: int
    entry: str
    lang: str
    texts: Mapping[str, str | None]
    facts: Mapping[str, tuple[str, ...]]


def searched_texts(entry: Entry, lang: str) -> dict[str, str | None]:
    """Return what is searched of an entry in a language, by column."""
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
    }


def completed(
    texts: Mapping[str, str | None], aliases: Sequence[str], context: str | None
) -> Mapping[str, str | None]:
    """Return searched texts with what their entry has in no language.

    Aliases are searched like its question, and the context of that like its answer.
    """
    if not aliases and not context:
        return texts
    question = "\n".join(filter(None, (texts["question"], *aliases)))
    source = "\n\n".join(filter(None, (texts["source"], context))) or None
    return {**texts, "question": question, "source": source}


def facts(entry: Entry, lang: str) -> dict[str, tuple[str, ...]]:
    """Return what a predicate may ask of an entry in a language, by field."""
    return {
        "lang": (lang,),
        "collection": (entry.collection,),
        "level": (entry.level,) if entry.level else (),
        "topic": (entry.topic,) if entry.topic else (),
        "kind": (entry.kind,),
        "id": (entry.id,),
        "tag": entry.tags,
        "verdict": tuple(each.verdict for each in entry.annotations),
    }


def _is_first(entry: Entry, lang: str) -> bool:
    return lang == entry.languages[0]


def _notes(entry: Entry, lang: str) -> Iterator[str]:
    for annotation in entry.annotations:
        for spoken, note in annotation.note.items() if not annotation.repeats else ():
            # A reader may write in a language that the entry has no text in.
            elsewhere = annotation.own and spoken not in entry.languages
            if lang == spoken or (elsewhere and _is_first(entry, lang)):
                yield note


def _keywords(entry: Entry, lang: str) -> Iterator[str]:
    yield from entry.tags
    if entry.topic:
        yield entry.topic
    for snippet in entry.snippets:
        if lang in snippet.title:
            yield snippet.title[lang]
