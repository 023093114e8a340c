"""GIFT: questions for a quiz in Moodle, and wrong claims as statements to be judged.

The format is Moodle's (https://docs.moodle.org/en/GIFT_format). A short answer is asked for, a
longer one is an essay with the answer as feedback; words that an annotation calls wrong are a
statement that is false, with what is true as feedback. Each language is an item of its own.
Entries of the kind ``note`` ask nothing, and have the statements alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import BinaryIO

from kb.display.safe import in_one_line
from kb.exchange.book import Book
from kb.exchange.encoding import write_text
from kb.records import Annotation, Entry

_MEANING = re.compile(r"[\\~=#{}:]")
_SHORT = 100
_FALSE = ("wrong", "misleading")
# A weight, and a pair of a matching question: an answer with these would be another thing.
_OTHER = re.compile(r"^%|->")


def write(book: Book, out: BinaryIO) -> int:
    """Write the items, an entry at a time; return how many entries have any."""
    collection, written = None, 0
    for entry in book.entries:
        items = list(_items(entry))
        if not items:
            continue
        written += 1
        if entry.collection != collection:
            collection = entry.collection
            write_text(out, f"$CATEGORY: $course$/top/{in_one_line(collection)}\n\n")
        for item in items:
            write_text(out, f"{item}\n\n")
    return written


def _items(entry: Entry) -> Iterator[str]:
    for lang, question in entry.question.items() if entry.kind != "note" else ():
        answer = entry.answer(lang, "reference") or entry.answer(lang, "source")
        if answer is not None and answer.text.strip():
            asked = entry.wording.get(lang, question)
            yield f"::{_said(f'{entry.id} {lang}')}:: [markdown]{_said(asked)}{_told(answer.text)}"
    for annotation in entry.annotations:
        if annotation.verdict in _FALSE and not annotation.repeats:
            yield from _statements(annotation)


def _told(answer: str) -> str:
    """Return the answer part of an item: one to be typed, or feedback on what was written."""
    text = answer.strip()
    if len(text) <= _SHORT and "\n" not in text and not _OTHER.search(text):
        return f"{{={_said(text)}}}"
    return f"{{####{_said(answer)}}}"


def _statements(annotation: Annotation) -> Iterator[str]:
    """Yield words that are wrong as a statement, with what is true in each language."""
    for lang, note in annotation.note.items():
        title = _said(f"{annotation.id} {lang}")
        yield f"::{title}:: [markdown]{_said(annotation.target.quote)}{{FALSE####{_said(note)}}}"


def _said(text: str) -> str:
    r"""Return a text of which nothing means anything to GIFT; an empty line would end an item.

    >>> _said("a = {b}\n\n#1: \\n")
    'a \\= \\{b\\}\\n\\n\\#1\\: \\\\n'
    """
    lines = _MEANING.sub(r"\\\g<0>", text.strip()).splitlines()
    said = r"\n".join(line.rstrip() for line in lines)
    return f"{said} " if said.endswith("\\") else said  # not every reader counts backslashes
