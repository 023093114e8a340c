"""A text by chunks: whatever is written, its words are those of the whole text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.text.analyzer import Term, Word, analyze, analyzed, chunks_of, words_of
from kb.text.words import parts

PIECES = [
    "شبکه", "ها", "های", "می", "نمی", "شود", "بزرگ", "تر", "ترین", "(می", "شود)", "هم",
    "APIها", "k-NN", "C++", "AllReduce", "the", "matrices", "机器学习", "۲", "é́", "،",
    "-", "\u200c", "\u00ad", "می\u200cشود", "شب\u00adکه", "x" * 70, "می" + "x" * 70, "شبکه" * 20,
    "\ufeff",
]  # fmt: skip
BLANKS = [" ", " ", " ", "  ", "\n", "\u00a0", "\u2003", "\x1c", "\u2028", "", "\u200b"]
TEXTS = st.lists(st.tuples(st.sampled_from(PIECES), st.sampled_from(BLANKS)), max_size=14).map(
    lambda pairs: "".join(piece + blank for piece, blank in pairs)
)
LANGS = st.sampled_from(["fa", "en", "ar", "de", "zh"])


def by_stretches(text: str, lang: str) -> list[Word]:
    words, at = [], 0
    for each in chunks_of(text, lang):
        at = text.index(each, at)
        words += [_moved(word, at) for word in words_of(each, lang)]
        at += len(each)
    return words


def _moved(word: Word, by: int) -> Word:
    terms, forms = (
        tuple(Term(t.text, t.start + by, t.end + by) for t in of) for of in (word.terms, word.forms)
    )
    return Word(word.start + by, word.end + by, terms, forms)


@given(text=TEXTS | st.text(max_size=30), lang=LANGS)
def test_the_words_of_the_stretches_are_those_of_the_text(text: str, lang: str) -> None:
    assert by_stretches(text, lang) == list(analyze(text, lang))


@given(text=TEXTS | st.text(max_size=30), lang=LANGS)
def test_a_stretch_is_known_by_what_its_words_are(text: str, lang: str) -> None:
    for each in chunks_of(text, lang):
        words, known = words_of(each, lang), analyzed(lang)[each]
        assert known.words == len(words)
        assert known.stems == tuple(term.text for word in words for term in word.terms)
        assert known.forms == tuple(form.text for word in words for form in word.forms)


@pytest.mark.parametrize("text", ["این می شود", "شبکه ها را", "کتاب بزرگ تر ها"])
def test_the_control_to_part_at_every_blank_takes_affixes_off(text: str) -> None:
    parted = [word for piece in text.split() for word in words_of(piece, "fa")]
    assert len(parted) > len(list(analyze(text, "fa"))) == len(by_stretches(text, "fa"))


def test_a_stretch_without_blanks_is_read_to_its_end_however_long() -> None:
    for text in ("机器学习" * 400, "a-b-" * 400, "شبکه\u200cها" * 400):
        assert by_stretches(text, "fa") == list(analyze(text, "fa"))


@pytest.mark.parametrize(
    ("letters", "kind"),
    [
        ("\u0e01\u0ec0\u1000\u1050\u1780\u3006\u30ff\u31f0\u3400\u9fff\uf900\U00020000", "pairs"),
        ("\u0f00\u10a0\ua000\ufb00", "word"),
    ],
)
def test_scripts_without_blanks_are_read_by_pairs_and_those_beside_them_by_words(
    letters: str, kind: str
) -> None:
    assert {(letter, part.kind) for letter in letters for part in parts(letter)} == {
        (letter, kind) for letter in letters
    }
