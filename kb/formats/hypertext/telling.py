"""Annotations and programs beside texts, as safe HTML in the reader's language."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from kb.formats.hypertext.rendering import code, direction, escaped
from kb.formats.labels import label
from kb.i18n.names import figure_in_words
from kb.model.entry import Annotation, Entry, Snippet
from kb.present.annotated import Numbered, numbers_of
from kb.present.programs import shown_code
from kb.terminal.bidi.direction import formula_runs
from kb.terminal.numerals import figure, in_numerals
from kb.terminal.terminal import safe


def spoken(lang: str) -> str:
    """Return the attributes for an element's language and direction.

    >>> spoken("fa")
    'lang="fa" dir="rtl"'
    """
    return f'lang="{escaped(lang)}" dir="{direction(lang)}"'


def line(text: str) -> str:
    """Return plain text in one line, for use in an attribute.

    >>> line("a <b> \\n c")
    'a &lt;b&gt; c'
    """
    return escaped(" ".join(safe(text).split()))


def prose_line(text: str, lang: str = "") -> str:
    """Return text with formulas kept in order and with the language's digits.

    >>> prose_line("کران 1/n و 2 است", "fa")
    'کران <bdi dir="ltr">1/n</bdi> و ۲ است'
    """
    shown = in_numerals(" ".join(safe(text).split()), lang)
    cuts = [0, *(bound for run in formula_runs(shown) for bound in run), len(shown)]
    parts = [escaped(shown[start:end]) for start, end in pairwise(cuts)]
    return "".join(
        f'<bdi dir="ltr">{each}</bdi>' if n % 2 else each for n, each in enumerate(parts)
    )


def verdict(each: Numbered, lang: str) -> str:
    """Return the number, verdict and severity of an annotation."""
    found = each.annotation
    weight = "" if found.own else f" ({label(found.severity, lang)})"
    return in_numerals(f"{each.number}. {label(found.verdict, lang)}{weight}", lang)


def repeats(entry: Entry, annotation: Annotation, lang: str) -> str:
    """Return the sentence that names the annotation being repeated."""
    found = numbers_of(entry).get(annotation.repeats or "")
    return label("repeats", lang, number=found.number if found else annotation.repeats)


def grounds(annotation: Annotation, lang: str) -> str:
    """Return the figures and references of an annotation as a list, or nothing."""
    between = "، " if direction(lang) == "rtl" else ", "
    items = []
    for each in annotation.evidence:
        figures = between.join(
            label(f"told.{kind}", lang, figure=f"<bdi>{figure(value)}</bdi>")
            for kind, value in each.told(confirmed=annotation.holds)
        )
        items.append(f"<li>{line(figure_in_words(each.figure, lang))}: {figures}</li>")
    items += [f'<li dir="auto">{prose_line(each)}</li>' for each in annotation.references]
    return f"<ul>{''.join(items)}</ul>" if items else ""


def program(snippet: Snippet, heading: int = 4) -> Iterator[str]:
    """Yield a program below its titles, as headings of this level."""
    for lang, title in snippet.title.items():
        yield f"<h{heading} {spoken(lang)}>{prose_line(title, lang)}</h{heading}>"
    yield code(shown_code(snippet.code))
