"""Which other spellings of a word are asked for, and how many: limits and ties."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence

import pytest

from kb.model.clauses import Clause
from kb.model.entry import ConceptName
from kb.search.compile import Analysis, make_plan
from kb.search.fallbacks import correct
from kb.search.interpret import with_own_names
from kb.search.lexicon import Lexicon
from kb.search.parser import Bare, Keyword, Quoted, parse
from kb.search.translation import Key, Name, translated
from kb.search.transliteration import spelled, spelled_alike, spellings
from kb.text.consonants import consonant_keys
from kb.work import Budget


class Words:
    """An index of words that stand in so many documents each."""

    def __init__(self, frequencies: Mapping[str, int]) -> None:
        self._of = dict(sorted(frequencies.items()))

    def term_frequencies(self, terms: Iterable[str]) -> Mapping[str, int]:
        return {term: self._of.get(term, 0) for term in terms}

    def frequency(self, clause: Clause) -> int:
        raise NotImplementedError  # only clauses ask for it, and no test here makes one

    def next_terms(self, text: str, most: int) -> list[str]:
        terms = list(self._of)
        return terms[bisect_left(terms, text) :][:most]

    def terms_like(self, wanted: Sequence[str], most: int) -> list[str]:
        return [term for term in self._of if consonant_keys(term) & {*wanted}][:most]


def lexicon(frequencies: Mapping[str, int] | Sequence[str]) -> Lexicon:
    if not isinstance(frequencies, Mapping):
        frequencies = dict.fromkeys(frequencies, 1)
    return Lexicon(Words(frequencies), ("en", "fa"), Budget(1e9))


def corrected(query: str, frequencies: Mapping[str, int], most: int = 2) -> str | None:
    return correct(query, lexicon(frequencies), lambda term: term, most)


# Names.


def test_the_nearest_spellings_of_a_name_come_first_and_the_commonest_of_those_as_near() -> None:
    found = spelled("Heisenberg", lexicon({"هیزنبرگ": 1, "هازنبرگ": 2, "هایزنبرگ": 9}))
    assert found == ["هیزنبرگ", "هایزنبرگ", "هازنبرگ"]


def test_spellings_much_farther_than_the_nearest_are_not_meant() -> None:
    assert spelled("Heisenberg", lexicon(["هزانبرگ"])) == ["هزانبرگ"]
    assert spelled("Heisenberg", lexicon(["هیزنبرگ", "هزانبرگ"])) == ["هیزنبرگ"]
    assert spelled("Heisenberg", lexicon(["هیزنبرگ", "هازنبرگ"])) == ["هیزنبرگ", "هازنبرگ"]


def test_at_most_four_spellings_of_a_name_are_asked_for() -> None:
    every = ["مارکوف", "مارکف", "مرکوف", "مرکف", "میرکوف"]
    assert all(spelled("Markov", lexicon([word])) == [word] for word in every)
    assert spelled("Markov", lexicon(every)) == sorted(every)[:4]


def test_another_letter_in_the_same_alphabet_is_a_slip_and_no_other_spelling() -> None:
    known = lexicon(["هازنبرگ", "هایزنبرگ", "هازنبارگ"])
    assert spelled("هیزنبرگ", known) == ["هازنبارگ"]


@pytest.mark.parametrize(("letters", "read"), [(24, True), (25, False)])
def test_a_latin_word_of_up_to_24_letters_is_read_as_persian(letters: int, read: bool) -> None:
    assert bool(spellings("b" * letters, lambda _: True)) is read


def test_five_hundred_persian_beginnings_of_a_latin_word_are_tried() -> None:
    tried: list[str] = []
    assert spellings("tstststststststs", lambda start: tried.append(start) is None)
    assert len(tried) == 501


def test_a_doubled_letter_is_one_in_persian_and_a_single_letter_is_no_word() -> None:
    assert spellings("mohammad", "محمد".startswith) == ["محمد"]
    assert spellings("sh", lambda _: True)[0] == "سه"
    assert "ش" not in spellings("sh", lambda _: True)


def test_a_deleted_word_is_neither_begun_nor_suggested() -> None:
    words = lexicon({"شبکه": 0, "شبکیه": 1, "dropout": 0, "dropouts": 1})
    assert words.begins("شبک") and not words.begins("شبکه")
    assert corrected("dropuot", {"dropout": 0}) is None


def test_a_query_of_more_than_four_unknown_words_is_in_no_language_that_is_here() -> None:
    words = lexicon(["اینشتین", "known"])
    others = [f"qqxz{letter}" for letter in "abc"]
    for query, asked in ((others, True), ([*others, "qqxzd"], False), ([*others, "known"], True)):
        node = Bare(tuple(map(Keyword, ("Einstein", *query))))
        assert (("einstein", "en") in spelled_alike(node, words, {})) == asked


@pytest.mark.parametrize(
    ("word", "near", "far"),
    [
        ("Markov", "مرکف", "مراکف"),  # three consonants: no vowel apart
        ("Schrodinger", "شاردینگر", "هزانبرگ"),  # four and more: one
        ("Spinoza", "اسپانزا", "اساپنزا"),
        ("Heisenberg", "هزانبرگ", "هایزنبورگ"),  # of many: one and a half
    ],
)
def test_the_fewer_consonants_a_name_has_the_nearer_its_vowels_must_be(
    word: str, near: str, far: str
) -> None:
    assert (spelled(word, lexicon([near])), spelled(word, lexicon([far]))) == ([near], [])


# Slips.


def test_of_words_as_near_the_commoner_is_meant_and_of_those_the_last_by_the_alphabet() -> None:
    assert corrected("grodient", {"gradient": 2, "grudient": 7}) == "grudient"
    assert corrected("grodient", {"gradient": 7, "grudient": 2}) == "gradient"
    assert corrected("grodient", {"grodientz": 3, "grudient": 3}) == "grudient"


def test_a_slip_of_one_letter_goes_before_two_however_common() -> None:
    assert corrected("grodient", {"gradient": 1, "gradiens": 99}) == "gradient"
    assert corrected("ratrix", {"matrix": 1, "rotrax": 99}) == "matrix"


@pytest.mark.parametrize(
    ("query", "known", "meant"),
    [
        ("gt", {"get": 1}, None),  # too short to be a slip of anything
        ("gat", {"get": 1}, "get"),
        ("gretz", {"great": 1}, "great"),  # two slips in five letters
        ("grtz", {"great": 1}, None),  # and in four
        ("xradient", {"gradient": 1}, "gradient"),  # the first letter, where it is the only slip
        ("xrodient", {"gradient": 1}, None),
        ("گردیان", {"گرادیان": 1}, "گرادیان"),
        ("x" * 25, {"x" * 24: 1}, None),
        ("x" * 24, {"x" * 23: 1}, "x" * 23),
    ],
)
def test_how_far_a_slip_may_be(query: str, known: Mapping[str, int], meant: str | None) -> None:
    assert corrected(query, known) == meant


def test_where_more_words_are_unknown_than_slips_are_made_nothing_is_meant() -> None:
    known = {"gradient": 1, "matrix": 1}
    assert corrected("grodient matrex", known, 2) == "gradient matrix"
    assert corrected("grodient matrex", known, 1) is None
    assert corrected("gradient, matrex!", known, 1) == "gradient, matrix!"


def test_words_that_stand_nowhere_any_more_are_no_correction_however_many_they_are() -> None:
    gone = {f"gr{a}{b}dient": 0 for a in "bcdefghijk" for b in "bcdefghijk"}
    assert corrected("grddient", {**gone, "gradient": 1}) == "gradient"


def test_what_a_slip_takes_to_be_looked_for_is_counted_by_the_length_of_its_word() -> None:
    spent = []
    for word in ("grodz", "grodzgrodz"):
        known = lexicon({"matrix": 1})
        before = known.budget.left
        assert correct(word, known, str, 2) is None
        spent.append(before - known.budget.left)
    letters, steps = 5, 1 + 1 + 4  # by the square of each distance
    assert spent[0] >= 40 * letters * steps
    assert spent[1] - spent[0] >= 40 * letters * steps


# Dotted names.


@pytest.mark.parametrize(
    ("word", "member"),
    [
        ("np.float16", "float16"),
        ("(np.float16)", "float16"),
        ("np.abs", "abs"),
        ("np.pi", None),
        ("x.shape", None),
        ("a1.max", "max"),
        ("1a.max", None),
        ("np.1max", None),
        ("torch.nn.Linear", None),
    ],
)
def test_what_counts_as_a_member_of_a_module(word: str, member: str | None) -> None:
    found = with_own_names(Keyword(word))
    if member is None:
        assert found == Keyword(word)
    else:
        assert found == Bare((Keyword(member), Quoted(word, 0.25, finds=False)))


# Translations.


def names(**known: str) -> Mapping[Key, Sequence[Name]]:
    return {
        (key.replace("_", " "), "en"): [
            ConceptName(0, place, "fa", name, name) for place, name in enumerate(many.split(","))
        ]
        for key, many in known.items()
    }


def test_the_longest_run_of_words_is_translated_first_and_a_name_once() -> None:
    node = Bare((Keyword("hidden"), Keyword("layer")))
    found = translated(node, names(hidden="پنهان", hidden_layer="لایه", layer="لایه,قشر"))
    assert isinstance(found, Bare)
    assert [part.text for part in found.of[2:]] == ["لایه", "پنهان", "قشر"]


def test_a_term_is_translated_by_four_names_at_most_each_counting_less() -> None:
    found = translated(Keyword("layer"), names(layer="یکم,دوم,سوم,چهارم,پنجم"))
    assert isinstance(found, Bare)
    others = [part for part in found.of if isinstance(part, Quoted)]
    assert [part.text for part in others] == ["یکم", "دوم", "سوم", "چهارم"]
    alone = translated(Keyword("layer"), names(layer="یکم"))
    assert isinstance(alone, Bare) and isinstance(alone.of[1], Quoted)
    assert alone.of[1].share == 1.0 > others[0].share == others[3].share


@pytest.mark.parametrize(("words", "asked"), [(5, True), (6, False)])
def test_terms_of_up_to_five_words_are_translated(words: int, asked: bool) -> None:
    letters = "qrstuv"[:words]
    known = names(**{"_".join(letters): "نام"})
    found = translated(Bare(tuple(map(Keyword, letters))), known)
    assert isinstance(found, Bare)
    assert (len(found.of) > words) == asked


def test_words_in_quotes_within_a_sentence_count_six_tenths_beside_them() -> None:
    alone = parse('"gradient descent"').node
    within = parse('why does "gradient descent" work').node
    assert isinstance(alone, Quoted) and alone.share == 1.0
    assert isinstance(within, Bare)
    assert [each.share for each in within.of if isinstance(each, Quoted)] == [0.6]


@pytest.mark.parametrize(
    ("lang", "typed", "asked", "surfaces"),
    [
        ("en", "matrices", [("matrix",)], ["matrices"]),
        ("en", "k-NN", [("k", "nn"), ("knn",)], []),
        ("en", "non-linearities", [("non", "linear"), ("nonlinear",)], []),
        ("fa", "شبکه‌ها", [("شبکه",)], ["شبکهها"]),
        ("fa", "بزرگ‌تر", [("بزرگ",), ("بزرگتر",)], ["بزرگتر"]),
        ("fa", "بیش‌برازش", [("بیش", "برازش"), ("بیشبرازش",)], []),
    ],
)
def test_a_word_is_asked_for_by_its_stem_in_its_parts_and_joined(
    lang: str, typed: str, asked: list[tuple[str, ...]], surfaces: list[str]
) -> None:
    (word,) = make_plan(Keyword(typed), Analysis((lang,))).words
    assert (list(word.spellings), list(word.surfaces)) == (asked, surfaces)
