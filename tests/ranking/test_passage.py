"""The passage shown: whole words, whole letters, whole runs against the direction of the text."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kb.query.compile import Analysis, make_plan
from kb.query.tree import Keyword
from kb.ranking.excerpt import excerpt
from kb.ranking.marking import Marker
from kb.ranking.passage import cut_after, cut_before
from kb.work import Budget

PIECES = ["شبکه‌های", "عصبی", "gradient", "descent", "دادهٔ", "مُدَل", "k-NN", "é́", "هم‌چنین", "."]
TEXTS = st.lists(st.sampled_from(PIECES), min_size=30, max_size=120).map(" ".join)


def passage(text: str, lang: str, query: str) -> tuple[str, list[str]]:
    plan = make_plan(Keyword(query), Analysis((lang,)))
    made = excerpt({"source": text}, lang, Marker(plan.wanted), Budget(100_000))
    return made.text, [made.text[start:end] for start, end in made.marks]


@given(text=TEXTS, lang=st.sampled_from(["en", "fa"]), query=st.sampled_from(PIECES[:7]))
@example(text=" ".join(["شبکه‌های"] * 40), lang="en", query="عصبی")
@example(text=" ".join(["gradient"] * 40), lang="fa", query="عصبی")
def test_a_passage_holds_whole_words_of_the_text(text: str, lang: str, query: str) -> None:
    shown, _ = passage(text, lang, query)
    assert shown and f" {shown} " in f" {text} "


@given(text=TEXTS, query=st.sampled_from(["شبکه", "مدل"]))
def test_no_run_of_english_in_a_persian_passage_is_cut(text: str, query: str) -> None:
    shown, marked = passage(text, "fa", query)
    if not marked:
        return
    start = text.index(shown)
    before, after = text[:start].split()[-1:], text[start + len(shown) :].split()[:1]
    words = shown.split()
    if not all(word.isascii() for word in words):
        assert not (before and _is_english(before[0]) and _is_english(words[0]))
        assert not (after and _is_english(after[0]) and _is_english(words[-1]))


def _is_english(word: str) -> bool:
    return word.isascii() and word != "."


def test_the_control_a_cut_at_any_blank_parts_a_run() -> None:
    text = "روش gradient descent ساده است"
    assert text[: text.rindex(" ", 0, 17)] == "روش gradient"
    assert text[: cut_before(text, 16, "fa", 2)] == "روش"


@pytest.mark.parametrize("lang", ["fa", "en"])
def test_a_text_without_blanks_is_cut_between_letters_with_their_marks(lang: str) -> None:
    text = "न\u0940" * 400
    for place in range(1, 400):
        for cut in (cut_before(text, place, lang, 0), cut_after(text, place, lang, 700)):
            assert unicodedata.category(text[cut])[0] != "M"


@pytest.mark.parametrize(
    ("text", "lang", "query", "marked"),
    [
        ("مُدَل‌های زبانی", "fa", "مدل", ["مُدَل‌های"]),
        ("شبکه‌های عصبی و شبکه ها", "fa", "شبکه", ["شبکه‌های", "شبکه ها"]),
        ("Ill-conditioned matrices and a matrix", "en", "matrix", ["matrices", "matrix"]),
        ("AllReduce", "en", "reduce", ["Reduce"]),
        ("همهٔ APIها", "fa", "API", ["APIها"]),
        ("机器学习很好", "zh", "学习", ["学习"]),
    ],
)
def test_all_that_matches_is_marked_as_it_is_written(
    text: str, lang: str, query: str, marked: list[str]
) -> None:
    assert passage(text, lang, query) == (text, marked)
