r"""Texts as HTML of Anki's: formulas for its MathJax, sounds in its tags, and nothing else obeyed.

Beside HTML, Anki reads a few signs in fields: ``[sound:…]``, ``[latex]``, ``{{c1::…}}`` and the
marks of formulas. Where these are words of a text, they are written so that they stay words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from kb.exchange.hypertext.escaping import escaped
from kb.exchange.hypertext.formulas import in_letters
from kb.exchange.hypertext.marking import Marked
from kb.exchange.hypertext.rendering import rendered

_TAG = re.compile(r"(<[^<>]*>)")
_FORMULA = re.compile(r"\\(?=[(\[\])])")
_OBEYED = re.compile(r"\[(?=/?(?:sound:|anki:|latex\]|\$))|\{(?=\{)|\}(?=\})", re.IGNORECASE)
_PLACE = re.compile(r"<x-formula (\d+)>")
_SOUND = re.compile(r'<audio src="([^"]*)"[^>]*></audio> <a href="[^"]*">.*?</a>')
# MathJax fetches, links and styles what these tell it to, and takes other names for these.
_MIGHTY = re.compile(
    r"\\(?:require|href|url|class|cssId|style|data|bbox|unicode|includegraphics|mathtip|texttip"
    r"|toggle|x?[eg]?def|let|(?:re)?new\w+|DeclareMathOperator|catcode|csname|char)(?![a-zA-Z])"
)
_BRACE = re.compile(r"\\.|([{}])", re.DOTALL)


def fragment(text: str, lang: str, names: Mapping[str, str], marked: Sequence[Marked] = ()) -> str:
    r"""Return a text in Markdown as HTML for a field.

    ``names`` has what media of the text are called in the package; other names are text.

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
    html = _SOUND.sub(r"<x-sound \1>", inert(html))
    html = re.sub("<x-sound ([^<>]*)>", r"[sound:\1]", html)
    return _PLACE.sub(lambda found: formulas[int(found[1])], html)


def inert(html: str) -> str:
    r"""Return HTML in whose texts Anki finds nothing to obey; they read as before.

    >>> inert("<b>[latex]</b> {{a}}")
    '<b>&#91;latex]</b> &#123;{a&#125;}'
    """
    html = _OBEYED.sub(lambda found: f"&#{ord(found[0])};", html)
    parts = _TAG.split(html)
    # MathJax joins the texts of a line, but for those that a tag parts.
    parts[::2] = (_FORMULA.sub(r"\\<span></span>", each) for each in parts[::2])
    return "".join(parts)


def _formula(tex: str, display: bool) -> str:
    """Return a formula for MathJax; in letters where that would do more than show it."""
    if _MIGHTY.search(tex) or _FORMULA.search(tex) or not _balanced(tex):
        return inert(in_letters(tex, display))
    opening, closing = (r"\[", r"\]") if display else (r"\(", r"\)")
    return f"{opening}{_OBEYED.sub(lambda found: f'&#{ord(found[0])};', escaped(tex))}{closing}"


def _balanced(tex: str) -> bool:
    """Say whether each brace has its other half: MathJax looks for the end outside of braces."""
    depth = 0
    for brace in filter(None, (found[1] for found in _BRACE.finditer(tex))):
        depth += 1 if brace == "{" else -1
        if depth < 0:
            return False
    return depth == 0
