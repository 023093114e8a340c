r"""The two sides of a card as safe HTML: each text with its language and direction.

Texts are HTML with MathJax formulas and Anki's sound tags, and with nothing else active. Beside
HTML, Anki interprets some signs in fields: ``[sound:…]``, ``[latex]``, ``{{c1::…}}`` and the
marks of formulas. If these are words of a text, they are escaped.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import accumulate

from kb.formats.hypertext.rendering import Marked, escaped, in_letters, rendered
from kb.formats.hypertext.scanning import words
from kb.formats.hypertext.telling import (
    grounds,
    line,
    program,
    prose_line,
    repeats,
    spoken,
    verdict,
)
from kb.formats.labels import label
from kb.model.entry import Entry
from kb.model.values import LAYERS
from kb.present.annotated import Numbered, marked_words, numbered
from kb.terminal.terminal import safe

Names = Mapping[str, str]
"""Names of media in the package, by their names in a text."""

_TAG = re.compile(r"(<[^<>]*>)")
_FORMULA = re.compile(r"\\(?=[(\[\])])")
_IN_WORDS = re.compile(rf"{_FORMULA.pattern}|\\(?=begin\b|(?:eq)?ref\b)|\$(?=\$)")
_OBEYED = re.compile(r"\[(?=/?(?:sound:|anki:|latex\]|\$))|\{(?=\{)|\}(?=\})", re.IGNORECASE)
_PLACE = re.compile(r"<x-formula (\d+)>")
_SOUND = re.compile(r'<audio src="([^"]*)"[^>]*></audio> <a href="[^"]*">.*?</a>')
# MathJax fetches, links and styles what these tell it to, and takes other names for these.
_MIGHTY = re.compile(
    r"\\(?:require|href|url|class|cssId|style|data|bbox|unicode|includegraphics|mathtip|texttip"
    r"|mmlToken|toggle|x?[eg]?def|let|(?:re)?new\w+|DeclareMathOperator|catcode|csname|char)"
    r"(?![a-zA-Z])"
)
_BRACE = re.compile(r"\\.|([{}])", re.DOTALL)


def fields(entry: Entry, names: Names) -> tuple[str, ...]:
    """Return the fields of an entry's note in the order of `notetypes.FIELDS`."""
    return (
        inert(line(entry.id)),
        "".join(_question(entry, names)),
        "".join(_answers(entry, "source", names)),
        "".join(_reference(entry, names)),
        "".join(_annotations(entry, names)),
        "".join(inert("".join(program(each))) for each in entry.snippets),
        *(inert(line(fact or "")) for fact in (entry.number, entry.level, entry.topic)),
    )


def shown(entry: Entry) -> str:
    """Return the question for lists and sorting: its first language, in one line."""
    question = next(filter(str.strip, entry.question.values()), entry.id)
    return " ".join(safe(question).split())


def _question(entry: Entry, names: Names) -> Iterator[str]:
    told = list(_blocks(entry.question, names))
    if any("<img" in html or words(html) for html in told):
        yield from (html for html in told if html)
    else:
        yield f'<div dir="auto">{inert(prose_line(shown(entry)))}</div>'  # a card needs a front
    yield from _blocks(entry.wording, names, partial(label, "wording"))


def _answers(entry: Entry, role: str, names: Names) -> Iterator[str]:
    for answer in entry.answers:
        if answer.role == role:
            spans = marked_words(entry, role, answer.lang)
            marked = [Marked(s, e, sign=f"<sup>{n.number}</sup>") for n, s, e in spans]
            yield _block(answer.text, answer.lang, names, label(role, answer.lang), marked)


def _reference(entry: Entry, names: Names) -> Iterator[str]:
    """Yield the short answer, the full one with its figures, and the other layers."""
    yield from _blocks(entry.short, names, partial(label, "short"))
    yield from _answers(entry, "reference", names)
    for claim in entry.claims:
        if not claim.verdict and claim.target.role == "reference":
            yield inert(grounds(claim, claim.target.lang))
    for name in LAYERS[1:]:
        yield from _blocks(getattr(entry, name), names, partial(label, name))


def _annotations(entry: Entry, names: Names) -> Iterator[str]:
    yield from _blocks(entry.assessment.sentence if entry.assessment else {}, names)
    yield from (_annotation(entry, each, names) for each in numbered(entry))


def _annotation(entry: Entry, each: Numbered, names: Names) -> str:
    target = each.annotation.target
    lang = target.lang
    quote = f"<blockquote>{inert(prose_line(target.quote, lang))}</blockquote>"
    annotation = each.annotation
    notes = [f"<p>{inert(line(repeats(entry, annotation, lang)))}</p>"]
    if not annotation.repeats:
        notes = [*_blocks(annotation.note, names), inert(grounds(annotation, lang))]
    said = "".join([_heading(verdict(each, lang)), quote, *notes])
    return f"<article {spoken(lang)}>{said}</article>"


def _blocks(
    texts: Mapping[str, str], names: Names, heading: Callable[[str], str] = lambda lang: ""
) -> Iterator[str]:
    """Yield texts as blocks of their languages, with a heading in each language."""
    return (_block(text, lang, names, heading(lang)) for lang, text in texts.items())


def _block(
    text: str, lang: str, names: Names, heading: str = "", marked: Sequence[Marked] = ()
) -> str:
    """Return a text as a block of its language, with an optional heading."""
    if not text.strip():
        return ""
    return f"<div {spoken(lang)}>{_heading(heading)}{fragment(text, lang, names, marked)}</div>"


def _heading(text: str) -> str:
    return f"<h4>{inert(line(text))}</h4>" if text else ""


def fragment(text: str, lang: str, names: Names, marked: Sequence[Marked] = ()) -> str:
    r"""Return Markdown as HTML for a field.

    ``names`` has the names of media in the package; other names stay text.

    >>> fragment(r"$n^2$, `{{c1::a}}` and [sound:b.mp3]", "en", {})
    '<p>\\(n^2\\), <code dir="ltr">&#123;{c1::a&#125;}</code> and &#91;sound:b.mp3]</p>\n'
    """
    formulas: list[str] = []

    def formula(tex: str, display: bool) -> str:
        formulas.append(_formula(tex, display))
        return f"<x-formula {len(formulas) - 1}>"

    html = rendered(
        text, lang, formula=formula, media=lambda name: names.get(name, ""), marked=marked
    )
    html = _SOUND.sub(r"[sound:\1]", inert(html))
    return _PLACE.sub(lambda found: formulas[int(found[1])], html)


def inert(html: str) -> str:
    r"""Return HTML in which Anki and Moodle interpret nothing; it reads the same.

    >>> inert("<b>[latex]</b> {{a}}")
    '<b>&#91;latex]</b> &#123;{a&#125;}'
    """
    html = _OBEYED.sub(lambda found: f"&#{ord(found[0])};", html)
    parts = _TAG.split(html)
    # MathJax joins the texts of a line, but for those that a tag parts.
    parts[::2] = (_IN_WORDS.sub(r"\g<0><span></span>", each) for each in parts[::2])
    return "".join(parts)


def _formula(tex: str, display: bool) -> str:
    """Return a formula for MathJax, or as letters if it would do more than display."""
    if _MIGHTY.search(tex) or _FORMULA.search(tex) or not _balanced(tex):
        return inert(in_letters(tex, display))
    opening, closing = (r"\[", r"\]") if display else (r"\(", r"\)")
    return f"{opening}{_OBEYED.sub(lambda found: f'&#{ord(found[0])};', escaped(tex))}{closing}"


def _balanced(tex: str) -> bool:
    """Return whether all braces are balanced: MathJax looks for the end outside of braces."""
    braces = ((found[1] == "{") - (found[1] == "}") for found in _BRACE.finditer(tex))
    depths = list(accumulate(braces, initial=0))
    return min(depths) == depths[-1] == 0
