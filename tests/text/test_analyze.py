"""What `kb.text` must hold, in English, Persian and other scripts."""

from __future__ import annotations

import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.text.analyzer import analyze, analyzed, joined_pairs, title_key
from kb.text.languages import guess_language, profiles
from kb.text.words import LONGEST_TERM
from tests.terms import SEPARATOR, index_text

PERSIAN = "ابپتجچحخدذرزسشصطعغفقکگلمنوهی" + "يكةئؤأآ\u200c\u064b\u064e\u0651\u0640۱۲٣ ،؛"
MIXED = st.text(st.one_of(st.sampled_from(PERSIAN), st.characters()), max_size=60)
STEMMED = sorted(code for code, each in profiles().items() if each.stem)
LANGUAGE = st.sampled_from([*STEMMED, "xx"])
_WORDS = (
    "می شود نمی رود ها های هایی تر ترین ی شبکه شبکه‌های (شبکه) شبکه، بزرگ. «کتاب» k-NN C++ c# "
    "AllReduce don't np.linalg 東京都 สวัสดี réseaux 2بعدی x² نرم\u00adافزار -a a- '' + ـ"
)
WORDS = st.sampled_from(_WORDS.split())
BLANKS = st.sampled_from([" ", " ", " ", "  ", "\n", "\u00a0", "\u2003 ", "\t"])
PROSE = st.lists(st.tuples(WORDS, BLANKS)).map(lambda found: "".join(map("".join, found)))


def terms(text: str, lang: str = "en") -> set[str]:
    """Return every form a text is indexed by."""
    return set(index_text(text, lang).split()) - {SEPARATOR}


def meet(left: str, right: str) -> bool:
    """Say whether asking for one finds the other, whichever is stored."""
    return bool(terms(left) & terms(right))


@given(st.one_of(MIXED, PROSE, st.builds("{} {}".format, MIXED, PROSE)), LANGUAGE)
def test_what_is_indexed_of_a_text_is_what_its_words_are_made_of(text: str, lang: str) -> None:
    words = list(analyze(text, lang))
    forms = [form.text for word in words for form in word.forms]
    indexed = [term.text for word in words for term in word.terms] + [SEPARATOR] * bool(forms)
    assert index_text(text, lang) == " ".join(indexed + forms)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("می‌شود", "می شود"),
        ("می‌شود", "میشود"),
        ("می شود", "میشود"),
        ("نمی‌توان", "نمی توان"),
        ("شبکه‌های", "شبکه های"),
        ("شبکه‌های", "شبکههای"),
        ("شبكه‌هاي عصبي", "شبکه عصبی"),
        ("شبــکه", "شبکه"),
        ("ویژگی‌هایشان", "ویژگی"),
        ("بیش‌برازش", "بیشبرازش"),
        ("دادهٔ", "داده"),
        ("دادۀ", "داده"),
        ("نُرم", "نرم"),
        ("جریمهٔ", "جریمه"),
        ("مسأله", "مسئله"),
        ("مسئلهٔ", "مساله"),
        ("مقادیر", "مقدار"),
        ("توابع", "تابع"),
        ("فصل ۱۲", "12"),
        ("١٢", "۱۲"),
        ("آرایه", "ارایه"),
        ("ﻣﺎﺗﺮﯾﺲ", "ماتریس"),
        ("overfitting", "overfit"),
        ("matrices", "matrix"),
        ("optimisation", "optimization"),
        ("behaviour", "behavior"),
        ("Networks", "network"),
        ("naïve", "naive"),
        ("k-NN", "kNN"),
        ("L2-norm", "l2"),
        ("AllReduce", "reduce"),
        ("np.linalg.norm(", "norm"),
        ("within_radius", "radius"),
        ("don't", "don’t"),
        ("ＧＰＵ", "gpu"),
        ("x²", "x2"),
    ],
)
def test_two_spellings_of_one_word_meet(left: str, right: str) -> None:
    assert meet(left, right)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("داده", "داد"),
        ("بیش", "بیشه"),
        ("تنها", "تن"),
        ("پارامتر", "پارام"),
        ("میانگین", "انگین"),
        ("C++", "C"),
        ("c#", "c"),
        ("C++", "c#"),
        ("нет", "net"),
        ("کم‌برازش", "بیش‌برازش چیست"[:4]),
        ("overfitting", "underfitting"),
    ],
)
def test_two_words_that_only_look_alike_do_not_meet(left: str, right: str) -> None:
    assert not meet(left, right)


def test_a_half_space_parts_a_compound_and_the_parts_are_found() -> None:
    assert {"بیش", "برازش", "بیشبرازش"} <= terms("بیش‌برازش")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("می-شبکه\u200cها", [("می", 0, 2), ("شبکه", 3, 10)]),
        ("کتاب-می\u200cشود", [("کتاب", 0, 4), ("شود", 5, 11)]),
        ("نمی\u200cشود-ها", [("شود", 0, 7), ("ها", 8, 10)]),
        ("شب\u00adکه", [("شب", 0, 2), ("که", 3, 5)]),
        ("data\u00adset", [("dataset", 0, 8)]),
        ("می", [("می", 0, 2)]),
    ],
)
def test_an_affix_is_one_only_where_a_half_space_joins_it(
    text: str, found: list[tuple[str, int, int]]
) -> None:
    (word,) = analyze(text, "fa")
    assert list(word.terms) == found
    assert (word.start, word.end) == (0, len(text))


def test_the_halves_of_a_name_stand_where_they_are_written() -> None:
    _, word = analyze("x AllReduceOp", "en")
    assert word.forms == (("all", 2, 5), ("reduce", 5, 11), ("op", 11, 13))
    for name in ("Reduce", "REDUCE", "reduce", "R2"):
        assert [form.text for word in analyze(name, "xx") for form in word.forms] == []


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Réseau de neurones", "reseau  de neurones?", True),
        ("«شبكه\u200cهاي عصبی»", "شبکه های عصبی", True),
        ("شبکه\u200cهای عصبی", "شبکههایعصبی", True),
        ("شبکهٔ k-NN", "شبکه k-NN", True),
        ("“K-Means”", " k-means: ", True),
        ("C++", "C", False),
        ("a b", "ab", False),
        ("réseau x", "réseaux", False),
        ("شبکه a b", "شبکه ab", False),
        ("x" * 999 + "y", "x" * 999 + "z", False),
    ],
)
def test_spellings_of_one_title_share_a_number(one: str, other: str, same: bool) -> None:
    assert (title_key(one) == title_key(other)) is same
    assert title_key(one) is not None


@pytest.mark.parametrize("title", ["", " «?» ", "\u064b\u0640", "x" * 1_001])
def test_what_is_no_title_has_no_number(title: str) -> None:
    assert title_key(title) is None


def test_an_affix_written_apart_belongs_to_its_word() -> None:
    (word,) = analyze("شبکه های", "fa")
    assert (word.start, word.end) == (0, 8)
    assert [term.text for term in word.terms] == ["شبکه"]


def test_an_english_term_in_a_persian_text_is_an_english_word() -> None:
    assert "network" in terms("در Networks عمیق", "fa")


@pytest.mark.parametrize(
    ("lang", "one", "other"),
    [
        ("ar", "الخوارزمية", "والخوارزميات"),
        ("ar", "الشبكات العصبية", "شبكة عصبية"),
        ("ar", "التعلّم", "تعلم"),
        ("ar", "الخوارزمية", "خوارزمیه"),  # typed with a Persian keyboard
        ("en", "k-means", "kmeans"),
        ("en", "data-sets", "dataset"),
        ("fa", "پس‌انتشار", "پسانتشار"),
    ],
)
def test_two_ways_to_write_a_word_have_a_term_in_common(lang: str, one: str, other: str) -> None:
    assert terms(one, lang) & terms(other, lang)


def test_an_arabic_word_is_not_taken_for_another_of_its_letters() -> None:
    for one, other in (("كتاب", "مكتب"), ("نموذج", "منهج"), ("وزن", "زن")):
        assert not terms(one, "ar") & terms(other, "ar"), (one, other)


def test_a_persian_text_is_read_as_before_beside_an_arabic_one() -> None:
    assert terms("الگوریتم‌های", "fa") >= {"الگوریتم"}
    assert terms("وزن", "fa") == {"وزن"}


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("ما هي الخوارزمية التي تتعلم من البيانات؟", "ar"),
        ("شبكة عصبية عميقة", "ar"),
        ("الگوریتم یادگیری چیست و چرا مهم است؟", "fa"),
        ("شبكه هاي عصبي عميق را توضيح دهيد", "fa"),
        ("تأثیر نرخ یادگیری بر همگرایی", "fa"),
        ("What is overfitting?", "en"),
        ("Что такое сеть?", "ru"),
        ("Τι είναι δίκτυο;", "el"),
        ("नेटवर्क क्या है?", "hi"),
        ("Ի՞նչ է ցանցը", "hy"),
        ("வலை என்றால் என்ன?", "ta"),
        ("װאָס איז אַ נעץ?", "yi"),
        ("", "en"),
    ],
)
def test_the_language_of_a_text_is_guessed_by_its_letters_and_words(text: str, lang: str) -> None:
    assert guess_language(text) == lang


def test_scripts_without_spaces_are_indexed_by_pairs_of_characters() -> None:
    assert {"机器", "器学", "学习"} == terms("机器学习", "zh")
    assert terms("机", "zh") == {"机"}
    assert terms("ที่ดี", "th") == {"ที่ดี"}, "a letter with its marks is one character"


def test_words_are_joined_up_to_the_longest_term() -> None:
    for length, joined in ((LONGEST_TERM, True), (LONGEST_TERM + 1, False)):
        one, other = "a" * 20, "b" * (length - 20)
        text = f"{one} {other}"
        assert bool(list(joined_pairs(list(analyze(text, "en")), text))) is joined
        assert (one + other in terms(f"{one}-{other}", "en")) is joined


def test_combining_marks_stay_in_their_word() -> None:
    assert [word.end - word.start for word in analyze("नेटवर्क", "xx")] == [7]


def test_every_language_of_the_registry_stems_without_error() -> None:
    for lang in STEMMED:
        assert terms("networks شبکه‌ها сети", lang)


@given(MIXED, LANGUAGE)
def test_places_lie_within_the_text_and_words_follow_each_other(text: str, lang: str) -> None:
    began, ended = -1, 0
    for word in analyze(text, lang):
        assert began < word.start < word.end <= len(text)
        assert ended < word.end  # pairs of characters overlap
        for term in (*word.terms, *word.forms):
            assert word.start <= term.start < term.end <= word.end
            assert term.text
        began, ended = word.start, word.end


@given(MIXED, LANGUAGE)
def test_the_tokenizer_of_sqlite_leaves_every_term_as_it_is(text: str, lang: str) -> None:
    expected = index_text(text, lang).split()
    assert _as_sqlite_reads(" ".join(expected)) == expected


def test_the_check_of_the_tokenizer_finds_a_term_that_is_not_whole() -> None:
    assert _as_sqlite_reads("سلام،دنیا") != ["سلام،دنیا"]


@given(MIXED, LANGUAGE)
def test_analysis_of_a_term_changes_nothing_but_its_stem(text: str, lang: str) -> None:
    for word in analyze(text, lang):
        for form in word.forms:
            again = [t for w in analyze(form.text, lang) for t in (*w.terms, *w.forms)]
            assert any(term.text == form.text for term in again) or len(again) > 1


@given(st.text(st.sampled_from(PERSIAN), min_size=1, max_size=20))
def test_arabic_letters_vowels_and_kashida_change_nothing(word: str) -> None:
    plain = word.replace("\u0640", "").replace("\u064b", "").replace("\u064e", "")
    arabic = plain.replace("ی", "\u064a").replace("ک", "\u0643")
    assert index_text(plain, "fa") == index_text(arabic, "fa")


@given(st.text(max_size=80))
def test_case_changes_no_stem_of_plain_words(text: str) -> None:
    plain = "".join(char for char in text if char.isascii())
    lower = [w.terms[0].text for w in analyze(plain.lower(), "en")]
    upper = [w.terms[0].text for w in analyze(plain.upper(), "en")]
    assert lower == upper


def _as_sqlite_reads(terms: str) -> list[str]:
    """Return the tokens that the tokenizer of the index makes of a text, in order."""
    database = sqlite3.connect(":memory:")
    database.execute(
        "CREATE VIRTUAL TABLE t USING fts5(x, tokenize="
        "\"unicode61 remove_diacritics 0 categories 'L* N* Co M*'\")"
    )
    database.execute("CREATE VIRTUAL TABLE v USING fts5vocab(t, instance)")
    database.execute("INSERT INTO t VALUES (?)", (terms,))
    found = database.execute("SELECT term FROM v ORDER BY offset").fetchall()
    database.close()
    return [row[0] for row in found]


def test_no_more_chunks_of_a_language_are_remembered_than_memory_is_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("kb.text.analyzer._REMEMBERED", 3)
    analyzed.cache_clear()
    known = analyzed("en")
    assert [known[word].stems for word in ("a", "b", "c", "d")] == [("a",), ("b",), ("c",), ("d",)]
    assert len(known) == 1
    analyzed.cache_clear()
