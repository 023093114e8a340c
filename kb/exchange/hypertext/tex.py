r"""Formulas of Anki's marks in the marks of ours: ``$…$`` in a line, ``$$…$$`` apart."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from kb.exchange.hypertext.scanning import words


class Formula(NamedTuple):
    """TeX without marks; a ``display`` is one that stands apart."""

    tex: str
    display: bool = False

    @property
    def written(self) -> str:
        """The formula in its marks."""
        mark = "$$" if self.display else "$"
        return f"{mark}{self.tex}{mark}"


_OPEN = re.compile(r"(?<!\\)\$")
_IN_LATEX = re.compile(
    r"\$\$((?:[^$\\]++|\\.)++)\$\$|\$((?:[^$\\]++|\\.)++)\$|\\\[((?:[^\\]++|\\[^\[\]])++)\\\]"
    r"|\\\(((?:[^\\]++|\\[^()])++)\\\)",
    re.DOTALL,
)
_DISPLAYS = (True, False, True, False)


def formulas(mark: str, inside: str) -> Iterator[Formula | str]:
    r"""Yield what HTML between two marks holds: formulas, and the words that stand between them.

    >>> list(formulas("\\(", "x &lt; <b>y</b>")), list(formulas("[latex]", "the $x$"))
    ([Formula(tex='x < y', display=False)], ['the ', Formula(tex='x', display=False)])
    """
    return _READERS[mark](words(inside))


def _inline(tex: str) -> Iterator[Formula | str]:
    if tex:
        yield Formula(_without_dollars(tex))


def _display(tex: str) -> Iterator[Formula | str]:
    if tex:
        yield Formula(_without_dollars(tex), display=True)


def _latex(text: str) -> Iterator[Formula | str]:
    """Read what LaTeX sets as a text, with its own marks around the formulas within."""
    found = list(_IN_LATEX.finditer(text))
    if not found:
        yield from _display(text) if text.startswith("\\begin{") else _inline(text)
        return
    done = 0
    for each in found:
        if each.start() > done:
            yield text[done : each.start()]
        number = each.lastindex or 1
        read = _display if _DISPLAYS[number - 1] else _inline
        yield from read(each[number].strip())
        done = each.end()
    if done < len(text):
        yield text[done:]


def _without_dollars(tex: str) -> str:
    r"""Return TeX that ends with none of its own signs: ``\text{if $x$}`` has other marks there.

    >>> _without_dollars(r"\text{if $x$}"), _without_dollars("a$")
    ('\\text{if \\(x\\)}', 'a\\$')
    """
    if "$" not in tex:
        return tex.rstrip("\\") if tex.endswith("\\") else tex
    parts = _OPEN.split(tex)
    if len(parts) % 2 == 0:
        return "\\$".join(parts)
    return "".join(part if n % 2 == 0 else f"\\({part}\\)" for n, part in enumerate(parts))


_READERS: Mapping[str, Callable[[str], Iterator[Formula | str]]] = {
    "\\(": _inline,
    "\\[": _display,
    "[$]": _inline,
    "[$$]": _display,
    "[latex]": _latex,
}
