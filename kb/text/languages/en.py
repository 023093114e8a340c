"""English words that Snowball does not join: Latin and Greek plurals, British spelling."""

from __future__ import annotations

import re

from kb.text.languages import Profile, stemmer

PLURALS = {
    "analyses": "analysis", "appendices": "appendix", "axes": "axis", "corpora": "corpus",
    "criteria": "criterion", "formulae": "formula", "hypotheses": "hypothesis",
    "indices": "index", "lemmata": "lemma", "matrices": "matrix", "maxima": "maximum",
    "minima": "minimum", "momenta": "momentum", "nuclei": "nucleus", "optima": "optimum",
    "parentheses": "parenthesis", "phenomena": "phenomenon", "quanta": "quantum",
    "radii": "radius", "schemata": "schema", "simplices": "simplex", "spectra": "spectrum",
    "stimuli": "stimulus", "submatrices": "submatrix", "theses": "thesis", "vertices": "vertex",
}  # fmt: skip
BRITISH = (
    ("is", re.compile(r"(?<=[a-z]{3})is(?=(?:e[sdr]?|ers|ing|ations?|able)$)"), "iz"),
    ("our", re.compile(r"(?<=[a-z]{3})our(?=(?:s|ed|ing|al|ite|hoods?)?$)"), "or"),
    ("re", re.compile(r"^(cent|met|lit|fib|theat)re(?=s?$)"), r"\1er"),
    ("ys", re.compile(r"(?<=[a-z]{3})ys(?=(?:e[sdr]?|ing)$)"), "yz"),
)
"""British spellings: the letters that identify such words, their position, and the American
form.
"""


def regular(word: str) -> str:
    """Return a lower-case word in its regular American form.

    Stored and typed words are both converted, so a word that only looks British (exercise) does
    no harm.

    >>> regular("matrices"), regular("optimisation"), regular("behaviour"), regular("four")
    ('matrix', 'optimization', 'behavior', 'four')
    """
    word = PLURALS.get(word, word)
    for letters, pattern, replacement in BRITISH:
        if letters in word:
            word = pattern.sub(replacement, word)
    return word


_snowball = stemmer("english")


def stem(word: str) -> str:
    """Return the Snowball stem of a word's regular form.

    >>> stem("matrices"), stem("optimisation")
    ('matrix', 'optim')
    """
    return _snowball(regular(word))


_FUNCTION_WORDS = """
a an the and or but if of to in on at by for from with as into than then that this these those
it its is are was were be been being am do does did have has had having can could should would
will shall may might must what which who whom whose when where why how there here so such i you
he she we they me him her us them my your his our their also
dont doesnt didnt isnt arent wasnt werent cant couldnt wont wouldnt shouldnt havent hasnt hadnt
whats wheres whos hows im ive id youre theyre
"""
PROFILE = Profile("en", usual=True, stem=stem, function_words=frozenset(_FUNCTION_WORDS.split()))
