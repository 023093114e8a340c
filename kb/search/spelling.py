"""What was probably meant, when what was typed is found nowhere."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from kb.text.chain import analyze
from kb.text.stems import default_language

_FARTHEST = 2
_SHORTEST, _LONGEST = 3, 24


def correct(
    query: str,
    vocabulary: Mapping[str, int],
    spelled: Callable[[str], str],
) -> str | None:
    """Return the query with each unknown word replaced by the nearest known one, or nothing.

    ``vocabulary`` has each indexed term with the number of documents that hold it;
    ``spelled`` gives a term as some document writes it. Of the terms at the smallest edit
    distance (Levenshtein; at most 2, for short words 1) the most frequent is taken.
    """
    words = sorted(vocabulary)
    pieces, last, changed = [], 0, False
    for word in analyze(query, default_language(query)):
        known = [t.text for t in (*word.terms, *word.forms)]
        if any(term in vocabulary for term in known) or not any(map(str.isalpha, known[0])):
            continue
        typed = known[-1] if word.forms else known[0]
        near = _nearest(typed, words, vocabulary)
        if near is not None:
            pieces += [query[last : word.start], spelled(near)]
            last, changed = word.end, True
    return "".join([*pieces, query[last:]]) if changed else None


def _nearest(word: str, words: Sequence[str], vocabulary: Mapping[str, int]) -> str | None:
    from kb.search.grammar import similar

    if not _SHORTEST <= len(word) <= _LONGEST or not words:
        return None
    for distance in range(1, 1 + (_FARTHEST if len(word) > _SHORTEST + 1 else 1)):
        near = [term for term in similar(word, words, distance) if len(term) >= _SHORTEST]
        if near:
            return max(near, key=lambda term: (term[0] == word[0], vocabulary[term], term))
    return None
