"""The parts of a flashcard's texts: labelled paragraphs of an answer, and the words in gaps.

An answer that was several fields of an Anki note begins with the first of them. The others follow
as paragraphs, each after its name as a label: ``**Example:** …``.
"""

from __future__ import annotations

import re
from collections.abc import Container, Sequence

_LABEL = re.compile(r"(?:\A|\n\n)\*\*(?P<label>(?:[^*\n]|\*(?!\*))+?):\*\*(?: |\n\n|(?=\n\n)|\Z)")
_BLOCK = re.compile(r"(?:[-#>|]|```|\$\$|[0-9]{1,9}\. |\*\*[^*\n]+:\*\*)")
"""How a text begins that needs a line of its own."""


def with_label(label: str, text: str) -> str:
    r"""Return a part of an answer after its label; without a label, only the part.

    >>> with_label("Example", "so it is"), with_label("Uses", "- a\n- b")
    ('**Example:** so it is', '**Uses:**\n\n- a\n- b')
    """
    if not label:
        return text
    apart = "\n" in text or _BLOCK.match(text)
    return f"**{label}:**\n\n{text}" if apart else f"**{label}:** {text}"


def labelled(answer: str, known: Container[str] | None = None) -> list[tuple[str, str]]:
    r"""Return the parts of an answer with their labels, of which the first can be empty.

    With ``known`` labels, other bold words are no label.

    >>> labelled("Hund\n\n**Plural:** Hunde\n\n**Use:**\n\n- *der* Hund")
    [('', 'Hund'), ('Plural', 'Hunde'), ('Use', '- *der* Hund')]
    >>> labelled("Hund\n\n**Plural:** Hunde", known=["Use"])
    [('', 'Hund\n\n**Plural:** Hunde')]
    """
    found = [each for each in _LABEL.finditer(answer) if known is None or each["label"] in known]
    ends = [*(each.start() for each in found), len(answer)]
    parts = [("", answer[: ends[0]])] if ends[0] else []
    for each, end in zip(found, ends[1:], strict=True):
        parts.append((each["label"], answer[each.end() : end]))
    return parts


def words_in_gaps(around: Sequence[str], told: str) -> list[str] | None:
    """Return the words between the texts ``around`` gaps; nothing if these are not in ``told``.

    >>> words_in_gaps(["", " lies on the ", "."], "Paris lies on the Seine.")
    ['Paris', 'Seine']
    """
    if not told.startswith(around[0]):
        return None
    found, at = [], len(around[0])
    for number, text in enumerate(around[1:], 1):
        last = number == len(around) - 1
        end = told.find(text, at) if text or not last else len(told)
        if end < 0 or (not text and not last):
            return None
        found.append(told[at:end])
        at = end + len(text)
    return found if all(each.strip() for each in found) else None
