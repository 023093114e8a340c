"""How many changes of meaning the drift alarm notices, and how often it is false.

``python -m tests.bench.drift --half 1`` makes 500 mutations of the bundled texts from a seed
and prints by kind and by language the share that is noticed, and the text pairs that are
pointed at as they are. Rules and tables are chosen on half 0 of the entries and reported on half 1.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from kb.content.drift.alarm import lexicon_for
from kb.content.drift.compare import Aligned, Drift, aligned, drifts, usage_in
from kb.content.drift.pairs import LANGS, texts_of
from kb.content.drift.reading import read
from kb.content.drift.usage import Usage
from kb.content.folder import Content, read_content
from kb.content.location import bundled_folder
from tests.bench.mutations import Mutation, Text, mutations

HALVES = 2


class Asked(NamedTuple):
    """How many mutations to make, from which seed."""

    number: int
    seed: int


@dataclass(slots=True)
class Figures:
    """What was noticed of the mutations of each kind and language, and what was missed."""

    made: Counter[tuple[str, str]] = field(default_factory=Counter)
    noticed: Counter[tuple[str, str]] = field(default_factory=Counter)
    missed: list[Mutation] = field(default_factory=list)

    def recall(self, kind: str = "", lang: str = "") -> float:
        """Return the share noticed of a kind, a language, or of all."""
        of = [key for key in self.made if kind in ("", key[0]) and lang in ("", key[1])]
        return sum(self.noticed[key] for key in of) / max(1, sum(self.made[key] for key in of))


def texts_in(content: Content, half: int | None = None) -> list[Text]:
    """Return the bundled texts in both languages, of every second entry or of all.

    The titles of programs are among those of the first entry that has them.
    """
    texts: dict[str, Text] = {}
    for number, entry in enumerate(content.entries):
        named = {f"{entry.id} {name}": said for name, said in texts_of(entry)}
        named |= {f"title {each.id}": each.title for each in entry.snippets}
        for name, said in named.items():
            if name not in texts and (half is None or number % HALVES == half):
                texts[name] = Text(name, dict(said))
    return list(texts.values())


class Bundle:
    """The bundled texts, compared: what is pointed at in them as they are, and after a change."""

    def __init__(self, content: Content) -> None:
        self.content = content
        self.lexicon = lexicon_for(content.glossary)
        self.usage = Usage()
        self._own: dict[str, Usage] = {}
        self.found: dict[str, list[Drift]] = {}
        pairs = {text.name: self._aligned(text.said) for text in texts_in(content)}
        for name, pair in pairs.items():
            self._own[name] = usage_in(pair, self.lexicon)
            self.usage.add(self._own[name])
        for name, pair in pairs.items():
            self.found[name] = self._drifts(name, pair)

    def notices(self, mutation: Mutation) -> Drift | None:
        """Return what points at a mutation where it stands and was not there before, if any."""
        name, side = mutation.text.name, LANGS.index(mutation.lang)
        known = Counter((each.rule, each.one, each.other) for each in self.found[name])
        for drift in self._drifts(name, self._aligned(mutation.said)):
            said = drift.rule, drift.one, drift.other
            known[said] -= 1
            start, end = drift.bead[side]
            if known[said] < 0 and start <= mutation.start <= end:
                return drift
        return None

    def _aligned(self, said: dict[str, str]) -> Aligned:
        return aligned(read(said["en"], "en"), read(said["fa"], "fa"), self.lexicon)

    def _drifts(self, name: str, pair: Aligned) -> list[Drift]:
        return list(drifts(pair, self.lexicon, self.usage.without(self._own[name])))


def measure(texts: Sequence[Text], bundle: Bundle, asked: Asked) -> Figures:
    """Return what is noticed of mutations."""
    figures = Figures()
    for mutation in mutations(texts, bundle.content.glossary, asked.number, asked.seed):
        key = mutation.kind, mutation.lang
        figures.made[key] += 1
        if bundle.notices(mutation):
            figures.noticed[key] += 1
        else:
            figures.missed.append(mutation)
    return figures


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--half", type=int, choices=range(HALVES))
    parser.add_argument("--number", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--missed", help="a kind whose missed mutations are shown")
    asked = parser.parse_args()
    content = read_content(bundled_folder())
    texts = texts_in(content, asked.half)
    bundle = Bundle(content)
    figures = measure(texts, bundle, Asked(asked.number, asked.seed))
    kinds = dict.fromkeys(kind for kind, _ in figures.made)
    print("| kind | made | noticed | en | fa |\n|---|---|---|---|---|")
    for kind in [*kinds, ""]:
        made = sum(n for key, n in figures.made.items() if kind in ("", key[0]))
        shares = [figures.recall(kind), *(figures.recall(kind, lang) for lang in LANGS)]
        print(f"| {kind or 'all'} | {made} |", " | ".join(f"{each:.3f}" for each in shares), "|")
    flagged = [(text, found) for text in texts if (found := bundle.found[text.name])]
    rules = Counter(rule for _, found in flagged for rule in {each.rule for each in found})
    print(
        f"{len(flagged)} of {len(texts)} text pairs as they are ({len(flagged) / len(texts):.1%})"
    )
    print(dict(rules))
    for each in figures.missed:
        if each.kind == asked.missed:
            start = max(each.start - 70, 0)
            said = each.said[each.lang][start : each.start + 90].replace("\n", " ")
            print(f"{each.text.name} {each.lang} «{each.before}» to «{each.after}»: …{said}…")


if __name__ == "__main__":
    sys.exit(main())
