"""English words that Snowball leaves apart: plurals from Latin and Greek, British spelling."""

from __future__ import annotations

import re

_PLURALS = {
    "analyses": "analysis", "appendices": "appendix", "axes": "axis", "corpora": "corpus",
    "criteria": "criterion", "formulae": "formula", "hypotheses": "hypothesis",
    "indices": "index", "lemmata": "lemma", "matrices": "matrix", "maxima": "maximum",
    "minima": "minimum", "momenta": "momentum", "nuclei": "nucleus", "optima": "optimum",
    "parentheses": "parenthesis", "phenomena": "phenomenon", "quanta": "quantum",
    "radii": "radius", "schemata": "schema", "simplices": "simplex", "spectra": "spectrum",
    "stimuli": "stimulus", "submatrices": "submatrix", "theses": "thesis", "vertices": "vertex",
}  # fmt: skip
_BRITISH = (
    (re.compile(r"(?<=[a-z]{3})is(?=(?:e[sdr]?|ers|ing|ations?|able)$)"), "iz"),
    (re.compile(r"(?<=[a-z]{3})our(?=(?:s|ed|ing|al|ite|hoods?)?$)"), "or"),
    (re.compile(r"^(cent|met|lit|fib|theat)re(?=s?$)"), r"\1er"),
    (re.compile(r"(?<=[a-z]{3})ys(?=(?:e[sdr]?|ing)$)"), "yz"),
)


def regular(word: str) -> str:
    """Return a lower-case word as its regular, American form, whatever it means.

    Both what is stored and what is asked go through here, so a word that only looks
    British (exercise) does no harm.

    >>> regular("matrices"), regular("optimisation"), regular("behaviour"), regular("four")
    ('matrix', 'optimization', 'behavior', 'four')
    """
    word = _PLURALS.get(word, word)
    for pattern, replacement in _BRITISH:
        word = pattern.sub(replacement, word)
    return word
