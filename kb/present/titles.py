"""Texts for places with little space: titles without Markdown signs, and first sentences."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from kb.model.entry import Entry
    from kb.model.results import Hit

_MOST = 2000
"""The number of characters read: no list shows more."""

_SIGNS = re.compile(
    r"(?P<as_it_is>\$[^$\n]+\$)"
    r"|\\(?P<escaped>[!-/:-@\[-`{-~])"
    r"|!\[(?P<said>[^\[\]\n]*)\]\((?P<file>[^()\s]*)\)"
    r"|!?\[\[(?:[^\[\]|\n]*\|)?(?P<label>[^\[\]|\n]*)\]\]"
    r"|(?<!\S)(?P<heading>#{2,6}[ \t]+)"
    r"|\[(?P<words>[^\[\]\n]*)\]\([^()\s]*\)"
    r"|(?P<code>`+)(?P<within>[^`\n]+)(?P=code)"
    r"|(?<!\w)(?P<mark>\*{1,3})(?P<marked>[^\s*](?:[^*\n]*[^\s*])?)(?P=mark)(?!\w)"
)
_PARTS = ("as_it_is", "escaped", "said", "file", "label", "words", "within", "marked")
_READ_AGAIN = ("words", "marked")


def best_language(texts: Mapping[str, str], lang: str) -> str:
    """Return the display language of a text: the wanted one, or the first."""
    return lang if lang in texts else next(iter(texts), lang)


def asked_in(record: Entry | Hit, lang: str) -> tuple[str, str]:
    """Return the displayed question and its language: the better wording, if there is one."""
    texts = {**record.question, **record.wording}
    spoken = best_language(texts, lang)
    return spoken, texts.get(spoken, "")


class Title(NamedTuple):
    """The words of a text, and the source position of each character."""

    text: str
    places: tuple[int, ...] = ()

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the position in the title of a span of the text."""
        if not self.places:
            return start, end
        return bisect_left(self.places, start), bisect_left(self.places, end)


def title_of(text: str) -> Title:
    r"""Return a text without marks of emphasis, links, images and headings.

    >>> title_of("**Why** 2*m*n, `a*b` and $x_1$? ![](loss.png)").text
    'Why 2*m*n, a*b and $x_1$? loss.png'
    >>> title_of("## Use [[Nets|neural nets]] and [[SVM]]").text
    'Use neural nets and SVM'
    >>> title_of("a \\< b").span(5, 6)
    (4, 5)
    """
    if not _SIGNS.search(text, 0, _MOST):
        return Title(text)
    places = tuple(_kept(text, 0, min(len(text), _MOST)))
    return Title("".join(text[place] for place in places), places)


def _kept(text: str, start: int, end: int) -> Iterator[int]:
    """Yield the source positions of what is displayed of a span."""
    for found in _SIGNS.finditer(text, start, end):
        yield from range(start, found.start())
        part = next((each for each in _PARTS if found[each]), None)
        if part in _READ_AGAIN:
            yield from _kept(text, *found.span(part))
        elif part is not None:
            yield from range(*found.span(part))
        start = found.end()
    yield from range(start, end)


# A full stop behind a letter that stands alone ends no sentence ("e.g.", "D. Zipser"), nor
# does one that a small letter follows.
_END = re.compile(r"(?:(?<![\s.(]\w)\.|[!?؟…])[)»”\"]?(?=\s+[^\sa-z]|\s*\Z)")


def first_sentence(text: str, most: int) -> str:
    """Return the first sentence in one line; above ``most`` letters, only its first words.

    >>> first_sentence("It is, e.g. by D. Zipser, in\\nO(T). So it is not.", 60)
    'It is, e.g. by D. Zipser, in O(T).'
    >>> first_sentence("one two three", 10), first_sentence("آیا؟ نه.", 10)
    ('one two…', 'آیا؟')
    """
    words = " ".join(text.split())
    found = _END.search(words)
    return first_words(words[: found.end()] if found else words, most)


def first_words(text: str, most: int) -> str:
    """Return a text in one line, cut after the first words above ``most`` letters.

    >>> first_words("so it  is not", 9)
    'so it is…'
    """
    words = " ".join(text.split())
    if len(words) <= most:
        return words
    return words[:most].rpartition(" ")[0].rstrip(" ,;:،؛") + "…" if most else ""


def named(question: str, most: int) -> str:
    """Return a question as a title in one line, with readable formulas: `first_words`.

    >>> named("Is **A** ∈ ℝ^(100×5)?", 20), named("$x_1$", 20)
    ('Is A ∈ ℝ¹⁰⁰ˣ⁵?', 'x₁')
    """
    from kb.terminal.layout import unisolated
    from kb.terminal.tex.formulas import with_formulas

    return first_words(unisolated(with_formulas(title_of(question).text).text), most)


def said_first(note: str, lang: str, most: int) -> str:
    """Return the first sentence of a Markdown text as displayed, safe and without marks."""
    from kb.present.markdown.reader import read

    proses = (prose for block in read(note, lang).blocks for prose in block.proses)
    return first_sentence(next((prose.text for prose in proses if prose.text), ""), most)
