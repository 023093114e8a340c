"""All that is shown of an entry, read before it is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kb.present.markdown.reader import read

if TYPE_CHECKING:
    from kb.records import Entry


def read_ahead(entry: Entry) -> None:
    """Read the texts of an entry, and its notes; they are kept, so that no screen need wait."""
    for lang, text in (*entry.question.items(), *entry.wording.items()):
        read(text, lang)
    for answer in entry.answers:
        read(answer.text, answer.lang)
    for annotation in entry.annotations:
        for lang, note in annotation.note.items():
            read(note, lang)
