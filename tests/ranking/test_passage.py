"""The passage shown: whole words, whole letters, whole runs against the direction of the text."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kb.model.results import Excerpt
from kb.search import excerpt as excerpts
from kb.search.compile import Analysis, make_plan
from kb.search.excerpt import (
    A_PAGE,
    A_PASSAGE,
    Marker,
    cut_after,
    cut_before,
    excerpt,
    marks,
    place_in,
)
from kb.search.parser import Keyword, Prefix
from kb.search.rerank import Wanted
from kb.text.analyzer import chunks_of
from kb.work import Budget

PIECES = ["شبکه‌های", "عصبی", "gradient", "descent", "دادهٔ", "مُدَل", "k-NN", "é́", "هم‌چنین", "."]
TEXTS = st.lists(st.sampled_from(PIECES), min_size=30, max_size=120).map(" ".join)


def passage(text: str, lang: str, query: str) -> tuple[str, list[str]]:
    made = found_in({"source": text}, lang, query)
    return made.text, [made.text[start:end] for start, end in made.marks]


def found_in(texts: dict[str, str | None], lang: str, query: str) -> Excerpt:
    return excerpt(texts, lang, Marker(planned(query, lang)), Budget(100_000))


def planned(query: str, lang: str) -> Wanted:
    return make_plan(Keyword(query), Analysis((lang,))).wanted


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
        ("机器学习很好", "zh", "机器学习", ["机器学习"]),
    ],
)
def test_all_that_matches_is_marked_as_it_is_written(
    text: str, lang: str, query: str, marked: list[str]
) -> None:
    assert passage(text, lang, query) == (text, marked)


@pytest.mark.parametrize(
    ("text", "lang", "prefix", "marked"),
    [
        ("Grand, non-gradient and gradual", "en", "grad", ["gradient", "gradual"]),
        ("گل و گرادیان‌ها و گراد", "fa", "گراد", ["گرادیان‌ها", "گراد"]),
    ],
)
def test_words_that_begin_so_are_marked(
    text: str, lang: str, prefix: str, marked: list[str]
) -> None:
    marker = Marker(make_plan(Prefix(prefix), Analysis((lang,))).wanted)
    spans = marks(text, lang, marker, Budget(1_000))
    assert [text[start:end] for start, end in spans] == marked


FUNCTION_WORDS_FIRST = {
    "en": ("what is the curvature", "This is the one that is what it is. " * 8, "the curvature"),
    "fa": ("انحنا چیست", "این که چیست و آن چیست و که چیست. " * 8, "انحنا"),
}


@pytest.mark.parametrize("lang", FUNCTION_WORDS_FIRST)
def test_a_passage_with_words_that_tell_comes_before_any_with_function_words(lang: str) -> None:
    query, before, held = FUNCTION_WORDS_FIRST[lang]
    shown, marked = passage(f"{before}{held}.", lang, query)
    assert held in shown and held.split()[-1] in marked
    beside = {"source": before, "question": held}
    assert found_in(beside, lang, query).text == held


@pytest.mark.parametrize("lang", FUNCTION_WORDS_FIRST)
def test_function_words_are_marked_where_nothing_else_stands(lang: str) -> None:
    query, before, _ = FUNCTION_WORDS_FIRST[lang]
    _, marked = passage(before, lang, query)
    assert set(marked) <= set(query.split()) | {"This"} and marked


@pytest.mark.parametrize(
    ("lang", "common", "rare", "filler"),
    [("en", "matrix", "zebra", "plain word "), ("fa", "ماتریس", "گورخر", "واژهٔ ساده ")],
)
def test_of_two_passages_that_hold_one_word_each_the_rarer_word_is_shown(
    lang: str, common: str, rare: str, filler: str
) -> None:
    text = f"{common}. {filler * 30}. {rare}."
    wanted = planned(f"{common} {rare}", lang)
    known = {common: 900, rare: 2}
    for often, first in ((known, rare), ({common: 2, rare: 900}, common)):
        marker = Marker(wanted.by_rarity(often.get, 1000))
        made = excerpt({"source": text}, lang, marker, Budget(100_000))
        assert [made.text[start:end] for start, end in made.marks] == [first]


@pytest.mark.parametrize(
    ("lang", "prose", "more", "query"),
    [
        ("en", "The gradient vanishes.", "gradient clipping memory", "gradient memory"),
        ("fa", "گرادیان محو می‌شود.", "گرادیان برش حافظه", "گرادیان حافظه"),
    ],
)
def test_keywords_and_code_are_shown_only_where_prose_tells_nothing(
    lang: str, prose: str, more: str, query: str
) -> None:
    for name in ("keywords", "code"):
        assert found_in({"source": prose, name: more}, lang, query).text == prose
        assert found_in({"source": prose, name: more}, lang, query.split()[1]).text == more


@pytest.mark.parametrize(
    ("before", "lead", "length"),
    [
        ("x " * 150, 40, 159),
        ("x " * 140 + "xx " + "x " * 10, 39, 160),
        ("x. " + "Y " * 49, 98, 159),
        ("x. " + "Y " * 48 + "yy ", 39, 160),
    ],
)
def test_a_passage_is_160_characters_from_its_sentence_or_40_before_the_match(
    before: str, lead: int, length: int
) -> None:
    made = found_in({"source": f"{'x ' * 50}{before}zebra {'x ' * 150}"}, "en", "zebra")
    assert (made.marks[0][0], len(made.text)) == (lead, length)


def test_a_text_too_long_for_the_budget_is_read_from_the_first_wanted_word_on() -> None:
    texts = {"source": f"{'plain ' * 1_000}a zebra"}
    made = excerpt(texts, "en", Marker(planned("zebra", "en")), Budget(500))
    assert [made.text[start:end] for start, end in made.marks] == ["zebra"]


def test_marks_beside_each_other_stay_apart() -> None:
    marker = Marker(planned("all reduce", "en"))
    assert marks("AllReduce", "en", marker, Budget(1_000)) == ((0, 3), (3, 9))


def test_words_more_than_120_characters_apart_are_not_in_one_passage() -> None:
    texts = {"source": f"zebra. {'x ' * 60}quagga zebra"}
    made = excerpt(texts, "en", Marker(planned("quagga zebra", "en")), Budget(5_000))
    assert [made.text[start:end] for start, end in made.marks] == ["quagga", "zebra"]


@pytest.mark.parametrize("length", [9_000, 19_900, 20_400, 60_000])
@pytest.mark.parametrize(
    ("lang", "asked", "written"),
    [
        ("en", "zebra", "zebra"),
        ("en", "zebra", "ZEBRA"),
        ("de", "übungen", "Übung"),
        ("fr", "école", "École"),
        ("fa", "کتاب", "كتاب"),
        ("fa", "علی", "على"),
    ],
)
def test_a_long_text_is_shown_where_the_word_stands_however_it_is_written(
    lang: str, asked: str, written: str, length: int
) -> None:
    texts = {"question": "?", "source": f"{'so it is ' * (length // 9)}{written}"}
    made = excerpt(texts, lang, Marker(planned(asked, lang)), Budget(A_PAGE + A_PASSAGE))
    assert [made.text[start:end] for start, end in made.marks] == [written]


def test_no_more_letters_of_a_text_are_read_than_the_budget_has_units(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read: list[int] = []

    def counted(text: str, lang: str) -> Sequence[str]:
        read.append(len(text))
        return chunks_of(text, lang)

    monkeypatch.setattr(excerpts, "chunks_of", counted)
    text, marker = "zebra " * 1_000, Marker(planned("zebra", "en"))
    marks(text, "en", marker, Budget(500))
    excerpt({"source": text}, "en", marker, Budget(500))
    excerpt({"source": text}, "en", marker, Budget(len(text)))
    assert [each for each in read if each > 200] == [500, 500, len(text)]


@pytest.mark.parametrize(
    ("text", "lang", "asked", "words", "matches"),
    [
        ("a zebra is a zebra", "en", "zebra", 5, 2),
        (f"{'plain ' * 200}zebra, zebra{' plain' * 100}", "en", "zebra", 302, 2),
        ("plain " * 200, "en", "zebra", 200, 0),
        ("学习" * 50, "zh", "学习", 99, 50),
    ],
)
def test_what_reading_a_text_takes_is_counted_by_its_words_and_matches(
    text: str, lang: str, asked: str, words: int, matches: int
) -> None:
    for node, a_word in ((Keyword(asked), 6.0), (Prefix(asked), 6.3)):
        marker, budget = Marker(make_plan(node, Analysis((lang,))).wanted), Budget(10_000)
        assert len(list(marker.matches(text, lang, budget))) == matches
        assert 10_000 - budget.left == pytest.approx(a_word * words + 12 * matches)
    few = Budget(6 * words - 3)
    list(Marker(planned("other", lang)).matches(text, lang, few))
    assert few.ended


@pytest.mark.parametrize(("lang", "asked"), [("en", "zebra lion"), ("fa", "گورخر شیر")])
def test_behind_a_passage_with_all_words_nothing_is_read(lang: str, asked: str) -> None:
    text, budget = f"{asked}. {'plain word, ' * 300}{asked}.", Budget(100_000)
    made = excerpt({"source": text}, lang, Marker(planned(asked, lang)), budget)
    assert made.text.startswith(asked)
    assert 100_000 - budget.left < 200


def test_reading_that_is_given_up_takes_one_word_more_than_there_was_work_for() -> None:
    whole = Budget(10_000)
    part = whole.part(60)
    assert not list(Marker(planned("other", "en")).matches("plain " * 200, "en", part))
    assert part.ended and whole.left == 10_000 - 66


def test_a_page_may_take_1000_units_of_work_for_each_excerpt() -> None:
    assert (A_PAGE, A_PASSAGE) == (20_000, 1_000)


@pytest.mark.parametrize(
    ("lang", "common", "rare", "filler"),
    [("en", "matrix", "zebra", "plain word "), ("fa", "ماتریس", "گورخر", "واژهٔ ساده ")],
)
def test_a_passage_with_all_words_goes_before_earlier_ones_with_one_each(
    lang: str, common: str, rare: str, filler: str
) -> None:
    text = f"{common}. {filler * 30}. {rare}. {filler * 30}. {common} {rare}."
    wanted = planned(f"{common} {rare}", lang).by_rarity({common: 900, rare: 2}.get, 1000)
    made = excerpt({"source": text}, lang, Marker(wanted), Budget(100_000))
    assert [made.text[start:end] for start, end in made.marks] == [common, rare]


@pytest.mark.parametrize(
    ("text", "shown", "place"),
    [
        ("a b", Excerpt("a b", ()), 0),
        ("c a b", Excerpt("a b", ()), 2),
        ("c a\n\nb", Excerpt("a  b", ((3, 4),)), 5),
        ("a c b", Excerpt("a b", ()), None),
    ],
)
def test_a_passage_is_found_in_its_text_at_its_first_mark(
    text: str, shown: Excerpt, place: int | None
) -> None:
    assert place_in(text, shown) == place


def test_the_first_passage_with_all_words_that_tell_is_shown() -> None:
    text = f"Zebra lion. {'Plain word. ' * 30}What is the zebra lion?"
    assert found_in({"source": text}, "en", "what is the zebra lion").text.startswith("Zebra lion")


@pytest.mark.parametrize(
    ("text", "place", "lang", "most", "start"),
    [
        ("ab cd", 0, "en", 5, 0),
        ("روش k means ساده", 5, "fa", 16, 12),
        ("روش k means", 5, "fa", 11, 11),
        ("abcdef", 2, "en", 6, 2),
    ],
)
def test_a_passage_begins_at_a_word_and_outside_a_run(
    text: str, place: int, lang: str, most: int, start: int
) -> None:
    assert cut_after(text, place, lang, most) == start


def test_a_passage_may_end_where_its_text_does() -> None:
    assert cut_before("ab cd", 5, "en", 0) == 5


def test_a_word_that_stands_nowhere_weighs_most() -> None:
    wanted = Wanted({"known": 0, "unknown": 1}, {}, 2)
    weights = wanted.by_rarity({"known": 1}.get, 1000).weights
    assert weights == {0: 6503, 1: 7602}
