"""The Python blocks in an entry's texts, as its programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kb.present.markdown.document import ADDED, Block, Document
from kb.present.markdown.reader import read

if TYPE_CHECKING:
    from kb.model.entry import Entry, Snippet

_PYTHON = ("python", "python3", "py")
BLOCK = "block-"
"""The beginning of a Python block's name; its number follows."""


def fenced_programs(entry: Entry) -> tuple[Snippet, ...]:
    """Return the Python blocks of an entry as programs: ``block-1``, ``block-2`` and so on.

    The order is that of reading: question before answers, language by language, without
    duplicates. An entry that came with programs has none of these.
    """
    from kb.model.entry import Snippet

    if any(not each.own for each in entry.snippets):
        return ()
    documents = (
        read(entry.text(role, lang), lang)
        for lang in entry.languages
        for role in ("question", "source", "reference")
    )
    codes = dict.fromkeys(python_of(each, block) for each in documents for block in each.blocks)
    return tuple(Snippet(f"{BLOCK}{n}", {}, c) for n, c in enumerate(filter(None, codes), 1))


def python_of(document: Document, block: Block) -> str:
    r"""Return the code of a block as written, or nothing if it is not Python.

    >>> page = read("```python\na = 1\n```\n")
    >>> python_of(page, page.blocks[0])
    'a = 1\n'
    """
    if block.kind != "code" or block.language.lower() not in _PYTHON:
        return ""
    from kb.text.program import normal_code  # nor is this

    shown = zip(*block.prose.shown, strict=True)
    written = ((char, document.source[place]) for char, place in shown if place != ADDED)
    # A tab that indents a list may be shown, and be read, as some of its blanks.
    code = "".join(char if source == "\t" else source for char, source in written)
    return normal_code(f"{code}\n") if code.strip() else ""
