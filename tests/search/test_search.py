"""What searching must hold: finds what is there, in both languages, whatever is typed."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kb import Library
from kb.errors import KbError, NotFound, UsageError
from kb.model.draft import Draft
from kb.model.results import Filters
from kb.search.compile import Analysis, make_plan
from kb.search.parser import (
    LONGEST,
    MOST_WORDS,
    And,
    Bare,
    FieldValue,
    Keyword,
    Node,
    Not,
    Or,
    Prefix,
    Quoted,
    parse,
)
from kb.service import answer
from tests.behind import raw
from tests.matching import any_of
from tests.plugin import times


def found(library: Library, query: str, **options: object) -> list[str]:
    return [hit.id for hit in library.search(query, **options).hits]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("query", "entry"),
    [
        ("intractable", "intractable-problem"),
        ("بی ثباتی عددی", "numerical-instability-causes"),
        ("بي ثباتي", "numerical-instability-causes"),
        ("بی‌ثباتی", "numerical-instability-causes"),
        ("np.linalg.norm(", "radius-mask"),
        ("within_radius", "radius-mask"),
        ("AllReduce", "data-parallelism-methods"),
        ("all reduce", "data-parallelism-methods"),
        ("پس‌انتشار", "rnn-backprop-complexity"),
        ("پس انتشار", "rnn-backprop-complexity"),
        ("شبکه‌های عصبی", "rnn-backprop-complexity"),
        ("نرمال‌سازی دسته‌ای", "batch-norm-across-gpus"),
        ("GPU های", "gpus-and-tpus"),
    ],
)
def test_a_query_finds_its_entry(bundled: Library, query: str, entry: str) -> None:
    assert entry in found(bundled, query)


TREES: list[tuple[str, Node | None]] = [
    ("", None),
    ("   ", None),
    ("batch norm", Bare((Keyword("batch"), Keyword("norm")))),
    ('"batch norm"', Quoted("batch norm")),
    ("grad*", Prefix("grad")),
    ("a -b", Bare((Keyword("a"), Not(Keyword("b"))))),
    ("a NOT b", Bare((Keyword("a"), Not(Keyword("b"))))),
    ("a OR b", Or((Keyword("a"), Keyword("b")))),
    ("a AND b", And((Keyword("a"), Keyword("b")))),
    ("a (b OR c)", Bare((Keyword("a"), Or((Keyword("b"), Keyword("c")))))),
    ("level:H", FieldValue("level", "H")),
    ('tag:"batch norm" x', Bare((FieldValue("tag", "batch norm"), Keyword("x")))),
    ("foo:bar", Keyword("foo:bar")),
    ("c++", Keyword("c++")),
    ("k-NN", Keyword("k-NN")),
    ("O(TW) b", Bare((Keyword("O(TW"), Keyword("b")))),
    ('"missing data', Bare((Keyword('"missing'), Keyword("data")))),
    ("(ridge", Keyword("ridge")),
    ("گرادیان -شبکه", Bare((Keyword("گرادیان"), Not(Keyword("شبکه"))))),
    ('"پس انتشار" سطح', Bare((Quoted("پس انتشار"), Keyword("سطح")))),
    ("or and not", Bare((Keyword("or"), Keyword("and"), Keyword("not")))),
    ("a (b c)", Bare((Keyword("a"), Keyword("b"), Keyword("c")))),
    # A sentence is one, whatever signs it has.
    ('what is "tgif"?', Bare((Keyword("what"), Keyword("is"), Keyword('"tgif"?')))),
    ("why is it AND", Bare((Keyword("why"), Keyword("is"), Keyword("it"), Keyword("AND")))),
    ("در چه (دهه)", Bare((Keyword("در"), Keyword("چه"), Keyword("(دهه)")))),
    ("how to x -gpu", Bare((Keyword("how"), Keyword("to"), Keyword("x"), Not(Keyword("gpu"))))),
    ("how to -x gpu", Bare((Keyword("how"), Keyword("to"), Keyword("-x"), Keyword("gpu")))),
    (
        'چرا "نرخ یادگیری"؟',
        Bare(
            (
                Keyword("چرا"),
                Keyword('"نرخ'),
                Keyword('یادگیری"؟'),
                Quoted("نرخ یادگیری", 0.6, finds=False),
            )
        ),
    ),
    (
        "why is level:H so",
        Bare((Keyword("why"), Keyword("is"), FieldValue("level", "H"), Keyword("so"))),
    ),
]


@pytest.mark.parametrize(("query", "tree"), TREES)
def test_the_query_language_is_this_table(query: str, tree: Node | None) -> None:
    assert parse(query).node == tree


EXPRESSIONS = [
    ("gradient", '"gradient"'),
    ("networks", '"network"'),
    ("k-NN", '("k nn" OR "knn")'),
    ("می‌شود", '("شود" OR "میشود")'),
    ('"neural networks"', '"neural network"'),
    ("grad*", '"grad" *'),
    ("data set", '"data" OR "set" OR "dataset"'),
    ("c++", '"cplusplus"'),
    (
        '"; DROP TABLE entry; --',
        '"drop" OR "tabl" OR "entri" OR "droptable" OR "tableentry"',
    ),
    ("-gpu", ""),
]


@pytest.mark.parametrize(("query", "expression"), EXPRESSIONS)
def test_the_index_is_asked_by_this_table(query: str, expression: str) -> None:
    node = parse(query).node
    assert node is not None
    assert any_of(make_plan(node, Analysis(("en", "fa"))).clauses) == expression


def test_bare_words_match_as_many_as_possible_and_more_is_better(
    empty: Library, tmp_path: Path
) -> None:
    _store(
        empty,
        tmp_path,
        one="gradient descent converges",
        two="gradient clipping",
        three="random forest",
    )
    assert found(empty, "gradient descent zebra") == ["t/one", "t/two"]


def test_a_match_in_the_question_counts_more_than_one_in_the_answer(bundled: Library) -> None:
    assert found(bundled, "batch normalization")[0].startswith("batch-norm")


@pytest.mark.parametrize(
    ("query", "whole", "part", "other"),
    [
        ("why flow_from_dataframe", "It is flow_from_dataframe.", "A dataframe.", "A zebra."),
        ("چرا پیش‌رو/پس‌رو", "گذر پیش‌رو/پس‌رو است.", "گذر پس‌رو است.", "گورخر است."),
    ],
)
def test_what_holds_a_part_of_a_jointed_word_stands_behind_what_holds_it_whole(
    empty: Library, tmp_path: Path, query: str, whole: str, part: str, other: str
) -> None:
    _store(empty, tmp_path, a=part, b=whole, c=other)
    assert found(empty, query) == ["t/b", "t/a"]


@pytest.mark.parametrize(
    ("query", "part", "letter"),
    [("why ax-b-cd", "The cd.", "A letter b."), ("چرا اد-ب-رز", "همان رز.", "حرف ب.")],
)
def test_a_part_of_a_jointed_word_is_found_alone_unless_it_is_one_letter(
    empty: Library, tmp_path: Path, query: str, part: str, letter: str
) -> None:
    _store(empty, tmp_path, a=part, b=letter)
    assert found(empty, query) == ["t/a"]


def test_a_phrase_is_found_only_where_it_stands(empty: Library, tmp_path: Path) -> None:
    _store(empty, tmp_path, one="neural networks learn", two="networks of neural cells")
    assert found(empty, '"neural network"') == ["t/one"]


def test_a_persian_phrase_is_found_however_its_affixes_are_written(
    empty: Library, tmp_path: Path
) -> None:
    _store(empty, tmp_path, one="شبکه‌های عصبی عمیق", two="عصبی بودن شبکه")
    for query in ('"شبکه عصبی"', '"شبکه های عصبی"', '"شبکه‌های عصبی"', '"شبكههاي عصبي"'):
        assert found(empty, query) == ["t/one"], query


def test_a_prefix_finds_words_that_begin_so(empty: Library, tmp_path: Path) -> None:
    _store(empty, tmp_path, one="regularization", two="irregular", three="گرادیان کاهشی")
    assert found(empty, "regul*") == ["t/one"]
    assert found(empty, "گراد*") == ["t/three"]


def test_what_is_ruled_out_is_not_found(bundled: Library) -> None:
    everything = found(bundled, "gpu", limit=None)
    without = found(bundled, "gpu -tpu", limit=None)
    assert "gpus-and-tpus" in everything
    assert "gpus-and-tpus" not in without
    assert set(without) < set(everything)


def test_only_what_is_ruled_out_lists_the_rest(bundled: Library) -> None:
    having = [hit for hit in bundled.search("gpu", limit=None).hits if hit.via != "translation"]
    assert len(found(bundled, "-gpu", limit=None)) == 33 - len(having)


def test_alternatives_and_brackets_do_what_they_say(bundled: Library) -> None:
    either = set(found(bundled, "intractable OR throughput", limit=None))
    assert {"intractable-problem", "training-metric"} <= either
    cards = set(found(bundled, "(intractable OR throughput) AND kind:card", limit=None))
    assert cards == {entry for entry in either if bundled.show(entry).kind == "card"}
    assert "intractable-problem" not in cards


@pytest.mark.parametrize(
    "query",
    [
        'level:H OR "gpu"',
        '"gpu" OR NOT "gpu"',
        '"memory" OR NOT "adam"',
        'kind:card OR (level:H AND "gpu")',
        '("gpu" OR NOT level:H) kind:card',
        'level:سخت OR "اگر"',
        '"حافظه" OR NOT "گرادیان"',
    ],
)
def test_each_entry_matches_a_query_or_its_opposite(bundled: Library, query: str) -> None:
    matching = found(bundled, query, limit=None)
    others = found(bundled, f"NOT ({query})", limit=None)
    assert bundled.search(query, limit=1).total == len(matching)
    assert sorted([*matching, *others]) == sorted(hit.id for hit in bundled.list().hits)


def test_alternatives_without_the_text_follow_those_with_it(bundled: Library) -> None:
    ranked, hard = found(bundled, '"gpu"', limit=None), found(bundled, "level:H", limit=None)
    everything = found(bundled, 'level:H OR "gpu"', limit=None)
    assert everything == [*ranked, *(id for id in hard if id not in ranked)]
    pages = [found(bundled, 'level:H OR "gpu"', limit=4, offset=at) for at in range(0, 20, 4)]
    assert [id for page in pages for id in page] == everything


@pytest.mark.parametrize("query", ["gpu (tensor OR level:H)", "(tensor OR level:H) gpu"])
def test_beside_a_word_what_meets_an_alternative_without_text_is_found(
    bundled: Library, query: str
) -> None:
    hard = set(found(bundled, "level:H", limit=None))
    assert hard and hard <= set(found(bundled, query, limit=None))


def test_a_tag_that_is_called_like_a_level_is_no_level(empty: Library) -> None:
    made = empty.edit.new(Draft({"en": "What is a kernel?"}, tags=("hard",)))
    assert found(empty, "tag:hard") == list(made.ids)
    assert found(empty, "level:hard") == []


def test_a_query_is_translated_where_all_texts_are_in_the_other_language(empty: Library) -> None:
    empty.edit.new(Draft({"fa": "گرادیان چیست؟"}, {}))
    (hit,) = empty.search("gradient").hits
    assert hit.via == "translation"


def test_each_persian_word_that_latin_letters_spell_is_found(empty: Library) -> None:
    for word in ("کار", "کر"):
        empty.edit.new(Draft({"fa": word}, {}))
    assert empty.search("kar").total == 2


def test_text_without_blanks_counts_as_its_words() -> None:
    assert parse("学习" * MOST_WORDS).notice is None
    for before, room in (("", MOST_WORDS), ("kernel", MOST_WORDS - 1)):
        long = parse(before + "学习" * (MOST_WORDS + 1))
        assert long.notice is not None
        assert long.node == Keyword(before + "学习" * room)


@pytest.mark.parametrize("word", ["be", "می‌کند", "خود", "نمی‌کند"])
def test_a_function_word_alone_is_found_wherever_it_stands(bundled: Library, word: str) -> None:
    """Its translations are no reason to leave the word itself out."""
    assert set(found(bundled, f'"{word}"', limit=None)) <= set(found(bundled, word, limit=None))


def test_function_words_alone_are_found_without_being_joined(bundled: Library) -> None:
    assert bundled.search("what is the").total == bundled.search("the").total == 33


@pytest.mark.parametrize(
    ("query", "test"),
    [
        ("level:H", lambda hit: hit.level == "H"),
        ("level:h", lambda hit: hit.level == "H"),
        ("level:hard", lambda hit: hit.level == "H"),
        ("سطح:سخت", lambda hit: hit.level == "H"),
        ("داوری:نادرست", lambda hit: "wrong" in hit.verdicts),
        ("kind:card", lambda hit: hit.kind == "card"),
        ("verdict:wrong", lambda hit: "wrong" in hit.verdicts),
        ("id:radius-mask", lambda hit: hit.id == "radius-mask"),
    ],
)
def test_a_field_narrows(bundled: Library, query: str, test: object) -> None:
    hits = bundled.search(query, limit=None).hits
    assert hits
    assert all(test(hit) for hit in hits)  # type: ignore[operator]


def test_tags_and_topics_narrow(bundled: Library) -> None:
    assert "rnn-backprop-complexity" in found(bundled, "tag:rnn")
    assert "gpus-and-tpus" in found(bundled, "topic:hardware")


def test_a_language_narrows_to_texts_in_it(bundled: Library) -> None:
    hits = bundled.search("GPU lang:fa", limit=None).hits
    assert hits
    assert {hit.lang for hit in hits} == {"fa"}


def test_filters_mean_the_same_as_fields(bundled: Library) -> None:
    by_field = found(bundled, "gradient level:H", limit=None)
    assert found(bundled, "gradient", filters=Filters(level="H"), limit=None) == by_field


def test_the_passage_shows_the_match_in_its_original_spelling(bundled: Library) -> None:
    (hit,) = bundled.search("بي ثباتي عددي id:numerical-instability-causes").hits
    assert hit.excerpt is not None
    marked = {hit.excerpt.text[start:end] for start, end in hit.excerpt.marks}
    assert {"بی‌ثباتی", "عددی"} <= marked


def test_marks_cover_half_spaces_and_vowels(bundled: Library) -> None:
    text = "شَبکه‌های عصبی"
    assert [text[a:b] for a, b in bundled.find.marks(text, "fa", "شبکه")] == ["شَبکه‌های"]


def test_pages_follow_each_other(bundled: Library) -> None:
    whole = found(bundled, "training", limit=None)
    assert (
        found(bundled, "training", limit=3) + found(bundled, "training", limit=3, offset=3)
        == (whole[:6])
    )
    assert bundled.search("training", limit=1, offset=10_000).total == len(whole)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("intratable", "intractable"),
        ("gradeint", "gradient"),
        ("خودهمبستگیی عددی پیچیدیگ", None),
        ("پیچیدکی", "پیچیدگی"),
        ("zzzzzz", None),
    ],
)
def test_what_is_found_nowhere_is_suggested_if_it_is_near(
    bundled: Library, typed: str, meant: str | None
) -> None:
    results = bundled.search(typed)
    if meant is None:
        assert results.total or not results.suggestion
    else:
        assert results.suggestion == meant
        assert {hit.via for hit in results.hits} == {"spelling"}


def test_an_unfinished_word_is_found_as_it_is_typed(bundled: Library) -> None:
    assert "intractable-problem" in found(bundled, "intrac")
    assert "rnn-backprop-complexity" in found(bundled, "پیچید")


def test_an_explanation_says_how_the_query_was_read(bundled: Library) -> None:
    lines = "\n".join(bundled.search("networks level:H", explain=True).explanation)
    for part in ("network", "level", "BM25", "question 4"):
        assert part in lines


def test_a_long_or_deep_query_is_read_as_plain_words_and_says_so(bundled: Library) -> None:
    assert "longer" in str(bundled.search("gradient " * 200).notice)
    assert found(bundled, "gradient " * 200)
    assert "nested" in str(bundled.search("(" * 30 + "gradient" + ")" * 30).notice)
    assert parse("a" * LONGEST).notice is None


def test_a_text_in_the_language_of_the_query_comes_first(bundled: Library) -> None:
    for query, lang in (
        ("gradient", "en"),
        ("GPU memory", "en"),
        ("گرادیان", "fa"),
        ("حافظه", "fa"),
    ):
        assert bundled.search(query).hits[0].lang == lang, query


def test_a_limit_of_zero_still_counts(bundled: Library) -> None:
    results = bundled.search("gradient", limit=0)
    assert (results.hits, results.total) == ((), bundled.search("gradient").total)


def test_a_suggestion_leaves_fields_as_they_are(bundled: Library) -> None:
    assert bundled.search("kind:question intratable").suggestion == "kind:question intractable"


@pytest.mark.parametrize(
    "call",
    [
        lambda library: library.search(None),
        lambda library: library.search(b"x"),
        lambda library: library.search("x", filters={}),
        lambda library: library.search("x", filters=Filters(lang=5)),
        lambda library: library.show(5),
        lambda library: library.run(None),
        lambda library: library.verify([5]),
        lambda library: library.find.marks(None, "en", "x"),
        lambda library: library.export("json", None),
        lambda library: library.import_file("x.md", collection=5),
    ],
)
def test_only_our_errors_leave_the_door(bundled: Library, call: object) -> None:
    with pytest.raises(KbError):
        call(bundled)  # type: ignore[operator]


def test_a_limit_below_zero_is_refused(bundled: Library) -> None:
    with pytest.raises(UsageError):
        bundled.search("x", limit=-1)


SOUP = st.lists(
    st.one_of(
        st.sampled_from(
            ["AND", "OR", "NOT", "(", ")", '"', "*", "-", ":", "lang:", "level:H", "id:", "^2",
             "~", "[a TO", "]", "gradient", "شبکه", "\u200c", "c++", "%", "'", "\\", "NEAR("]
        ),
        st.text(max_size=12),
        st.text(st.characters(), max_size=6),
    ),
    max_size=14,
).map(" ".join)  # fmt: skip


@pytest.mark.long
@settings(
    max_examples=times(80),
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(query=SOUP)
def test_no_query_raises(bundled: Library, query: str) -> None:
    results = bundled.search(query, limit=3)
    assert results.total >= len(results.hits)
    for hit in results.hits:
        assert hit.excerpt is not None
        for start, end in hit.excerpt.marks:
            assert 0 <= start < end <= len(hit.excerpt.text)


@pytest.mark.parametrize(
    "query",
    [
        "\0", "\ud800", "a\0b", "gradient\ud83d", "(" * 10_000, '"' * 501, "a* OR " * 80,
        "gradient " * 1000, "NOT " * 100, "[a TO " * 80, "-" * 400, "a-" * 250, "\u202e" * 100,
    ],
)  # fmt: skip
def test_hostile_queries_are_answered(bundled: Library, query: str) -> None:
    bundled.search(query)


def test_the_control_of_the_fuzz_test_raises(bundled: Library) -> None:
    """Without the plan, what is typed would reach the index, and most of it raises there."""
    connection = raw(bundled)
    connection.execute("CREATE VIRTUAL TABLE temp.texts USING fts5(text)")
    with pytest.raises(Exception, match=r"syntax|no such column"):
        connection.execute("SELECT * FROM texts WHERE texts MATCH ?", ("np.norm(",))


def _store(library: Library, folder: Path, **texts: str) -> None:
    file = folder / "t.jsonl"
    lines = [
        json.dumps({"id": name, "lang": "fa" if re.search("[آ-ی]", text) else "en", "text": text})
        for name, text in texts.items()
    ]
    file.write_text("\n".join(lines))
    library.import_file(file)


ARABIC = (
    "**ما هي الخوارزمية الجشعة؟**\nتختار الأفضل محليا في كل خطوة.\n\n"
    "**كيف تتعلم الشبكات العصبية؟**\nبالانتشار العكسي للخطأ.\n"
)


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("والخوارزميات", "ما هي الخوارزمية"),
        ("خوارزمية", "ما هي الخوارزمية"),
        ("شبكة عصبية", "كيف تتعلم"),
        ("للشبكات", "كيف تتعلم"),
    ],
)
def test_arabic_words_meet_with_their_articles_and_endings(
    empty: Library, tmp_path: Path, query: str, found: str
) -> None:
    file = tmp_path / "arabic.md"
    file.write_text(ARABIC, encoding="utf-8")
    empty.import_file(file)
    (hit,) = empty.search(query).hits
    assert hit.lang == "ar"
    assert hit.question["ar"].startswith(found)
    assert hit.excerpt.marks


def test_the_member_of_a_module_is_found_where_it_is_spoken_of_alone(bundled: Library) -> None:
    first = [bundled.search(query).hits[0].id for query in ("np.float16", "float16")]
    assert first[0] == first[1]


def test_an_id_that_is_misspelt_is_refused_with_the_nearest_one(bundled: Library) -> None:
    with pytest.raises(NotFound) as caught:
        bundled.show("rnn-backprop-complexty")
    assert "rnn-backprop-complexity" in (caught.value.hint or "")


# Titles.


def filled(library: Library, folder: Path, *entries: dict[str, object]) -> Library:
    """Import entries of our own JSON, notes of a collection unless they say otherwise."""
    file = folder / f"own-{len(list(folder.iterdir()))}.jsonl"
    usual = {"kind": "note", "collection": "n"}
    file.write_text("\n".join(json.dumps(usual | entry) for entry in entries))
    library.import_file(file)
    return library


def noted(id: str, title: str, text: str, lang: str = "en", **more: object) -> dict[str, object]:
    answers = [{"role": "source", "lang": lang, "text": text}]
    return {"id": id, "question": {lang: title}, "answers": answers, **more}


@pytest.mark.long
def test_a_title_that_is_the_query_comes_first_however_often_others_hold_its_words(
    empty: Library, tmp_path: Path
) -> None:
    first = ("kernel", "norm", "batch", "loss", "graph")
    second = ("tree", "field", "model", "layer", "cache")
    titles = [f"{a} {b} {n}" for a in first for b in second for n in range(6)]
    tens = ("یک", "دو", "سه", "چهار", "پنج", "شش")
    persian = [f"هستهٔ {a} و {b}" for a in tens for b in titles[:25]]
    rows = [noted(f"t{n}", title, "Short.") for n, title in enumerate(titles)]
    rows += [noted(f"f{n}", t, "کوتاه.", "fa") for n, t in enumerate(persian)]
    rows += [
        noted(f"x{n}", f"{title} {title} {title}", f"{title}. " * 5, lang)
        for lang, some in (("en", titles), ("fa", persian))
        for n, title in enumerate(some)
    ]
    filled(empty, tmp_path, *({**row, "id": f"{n}-{row['id']}"} for n, row in enumerate(rows)))
    every = [*titles, *persian]
    assert len(every) == 300
    ranked = [empty.search(title, limit=1).hits[0].question for title in every]
    assert [next(iter(question.values())) for question in ranked] == every


@pytest.mark.parametrize(
    "query",
    ["support vector machine", "“Support  Vector Machine?”", "SUPPORT VECTOR MACHINE", "svm",
     "SVM.", "ماشین بردار پشتیبان", "ماشين بردارِ پشتيبان", "«ماشین بردار پشتیبان»",
     "رده‌بندها", "رده بندها", "svm lang:en", "SVM -kernels", '"support vector machine"'],
)  # fmt: skip
def test_a_title_or_an_alias_is_found_in_any_spelling(
    empty: Library, tmp_path: Path, query: str
) -> None:
    alias = ["SVM", "ماشین بردار پشتیبان", "رده‌بندها"]
    filled(
        empty,
        tmp_path,
        noted("a", "SVM, SVM and SVM", "SVM SVM SVM. Support vector machine. " * 9),
        noted(
            "b",
            "ماشین بردار پشتیبان: ماشین بردار پشتیبان",
            "رده بندها. ماشین بردار پشتیبان " * 9,
            "fa",
        ),
        noted("z", "Support vector machine", "A classifier with a margin.", aliases=alias),
    )
    assert found(empty, query)[0] == "z"


def test_titles_come_before_aliases_and_those_of_one_title_stand_together_page_after_page(
    empty: Library, tmp_path: Path
) -> None:
    filled(
        empty,
        tmp_path,
        noted("a", "Kernel kernel kernel", "kernel " * 9),
        noted("b", "Nucleus", "In a cell.", aliases=["Kernel"]),
        noted("c", "Kernel", "Of Linux."),
        noted("d", "kernel", "A kernel of a kernel."),
    )
    every = found(empty, "kernel")
    assert set(every[:2]) == {"c", "d"} and every[2:] == ["b", "a"]
    paged = [found(empty, "kernel", limit=1, offset=n)[0] for n in range(4)]
    assert paged == every
    assert empty.search("kernel", limit=1).total == 4
    told = [hit.titled for hit in empty.search("kernel").hits]
    assert told == ["title", "title", "alias", ""]
    assert [hit.id for hit in next(empty.find.search_typed("kernel")).hits] == every


def test_filters_hold_for_titles_and_what_is_hidden_or_removed_is_none(
    empty: Library, tmp_path: Path
) -> None:
    filled(
        empty,
        tmp_path,
        noted("a", "Kernel", "One.", level="E"),
        noted("b", "Kernels", "Kernels.", level="H"),
    )
    assert found(empty, "kernel", filters=Filters(level="H")) == ["b"]
    assert found(empty, "kernel level:H") == ["b"]
    assert found(empty, "kernel -one") == ["b"]
    empty.edit.remove(["a"])
    assert found(empty, "kernel") == ["b"]
    empty.changes.undo()
    assert found(empty, "kernel")[0] == "a"
    empty.changes.undo()
    assert found(empty, "kernel") == []


def test_a_title_made_of_signs_and_function_words_is_found_and_explained(
    empty: Library, tmp_path: Path
) -> None:
    filled(
        empty,
        tmp_path,
        noted("a", "What is it?", "This."),
        noted("b", "It is what it is: what is it", "What it is. " * 9),
    )
    results = empty.search("what is it", explain=True)
    assert results.hits[0].id == "a"
    assert any("exact titles" in line and line.endswith(": a") for line in results.explanation)


@pytest.mark.long
def test_titles_are_checked_and_made_anew_with_the_index(empty: Library, tmp_path: Path) -> None:
    filled(empty, tmp_path, noted("a", "Kernel kernel", "x"), noted("b", "Kernel", "y " * 99))
    raw(empty).execute("DELETE FROM title")
    assert not {each.name: each.well for each in empty.doctor()}["index"]
    empty.rebuild()
    assert all(each.well for each in empty.doctor() if each.name == "index")
    assert found(empty, "kernel")[0] == "b"


@pytest.mark.parametrize("title", ["Linux kernel", "هستهٔ لینوکس"])
@pytest.mark.parametrize(
    ("query", "titled"),
    [
        ("{}", "title"),
        ("{} kind:note", "title"),
        ("kind:note {} -zebra", "title"),
        ("{} kind:card", ""),
        ("{} (words OR zebra)", ""),
    ],
)
def test_a_title_is_known_beside_fields_and_exclusions_that_it_meets(
    empty: Library, tmp_path: Path, title: str, query: str, titled: str
) -> None:
    lang = "en" if title.isascii() else "fa"
    filled(
        empty,
        tmp_path,
        noted("a", title, "Words.", lang, kind="note"),
        noted("b", f"{title} {title}", f"{title}, words. " * 5, lang, kind="note"),
        noted("c", "Other", f"{title}, words.", lang, kind="card"),
    )
    told = {hit.id: hit.titled for hit in empty.search(query.format(title)).hits}
    assert told and told.pop("a", "") == titled
    assert not any(told.values())


@pytest.mark.parametrize(("lang", "title"), [("en", "Kernel"), ("fa", "هسته")])
def test_of_two_entries_of_one_title_the_better_comes_first(
    empty: Library, tmp_path: Path, lang: str, title: str
) -> None:
    filled(
        empty,
        tmp_path,
        noted("a", title, "Words, " * 50, lang),
        noted("b", title, title, lang),
    )
    hits = empty.search(title).hits
    assert [(hit.id, hit.titled) for hit in hits] == [("b", "title"), ("a", "title")]


# A note and its cards.


def with_cards(library: Library, folder: Path) -> Library:
    cards = [
        noted(f"c{n}", f"What is kernel {n}?", "A kernel.", kind="card", within="note",
              related=["note"])
        for n in range(12)
    ]  # fmt: skip
    return filled(
        library,
        folder,
        noted("note", "Kernels", "A kernel and a kernel. " * 30),
        *cards,
        noted("other", "Other", "A kernel, too."),
        noted("هسته", "هستهٔ لینوکس", "A kernel هسته", "fa"),
    )


def test_a_note_and_its_cards_are_one_hit(empty: Library, tmp_path: Path) -> None:
    with_cards(empty, tmp_path)
    results = empty.search("kernel")
    assert results.total == len(results.hits) == 3
    (group,) = [hit for hit in results.hits if hit.cards]
    assert {group.id, *group.cards} == {"note", *(f"c{n}" for n in range(12))}
    paged = [empty.search("kernel", limit=1, offset=n) for n in range(4)]
    assert [hit for page in paged for hit in page.hits] == list(results.hits)
    assert {page.total for page in paged} == {3}
    assert list(empty.find.ids("kernel")) == [hit.id for hit in results.hits]


def test_hits_are_counted_exactly_up_to_a_number_of_matches(
    empty: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_cards(empty, tmp_path)
    hits = empty.search("kernel").hits
    matches = sum(1 + len(hit.cards) for hit in hits)
    monkeypatch.setattr(answer, "CANDIDATES", 4)
    for most, exact in ((matches, True), (matches - 1, False)):
        monkeypatch.setattr(answer, "_COUNTED", most)
        assert (empty.search("kernel", limit=1).total == len(hits)) is exact


def test_what_was_read_in_parts_is_explained(empty: Library, tmp_path: Path) -> None:
    filled(empty, tmp_path, noted("a", "Learners", "First co and later training."))
    results = empty.search("co-training", explain=True)
    assert [hit.id for hit in results.hits] == ["a"]
    assert 'joined words in their parts: "co" or "train" or "cotrain"' in results.explanation


@pytest.mark.parametrize("notes", [30, 45])  # 151 and 226 documents: below and above 200
def test_pages_of_notes_and_cards_follow_each_other_behind_what_is_looked_at_closely(
    empty: Library, tmp_path: Path, notes: int
) -> None:
    made = [
        noted(f"n{n}-{k}", f"Kernel {n}.{k}", f"The kernel of {n}." + " Text." * n,
              **({"kind": "card", "within": f"n{n}-0"} if k else {}))
        for n in range(notes)
        for k in range(5)
    ]  # fmt: skip
    filled(empty, tmp_path, *made, noted("z", "Of it", "A kernel " + "x " * 99))
    whole = empty.search("kernel of", limit=None).hits
    assert len(whole) == notes + 1
    assert all(len(hit.cards) == 4 for hit in whole[:-1])
    for size in (7, 20):
        pages = [empty.search("kernel of", limit=size, offset=at) for at in range(0, notes, size)]
        assert [hit.id for page in pages for hit in page.hits][:notes] == [
            hit.id for hit in whole[:notes]
        ]
        if notes == 30:
            assert {page.total for page in pages} == {notes + 1}
        else:
            assert pages[0].total > notes + 1  # cards of notes that were not fetched count, too


def test_a_card_whose_question_is_the_query_is_the_hit_of_its_note(
    empty: Library, tmp_path: Path
) -> None:
    with_cards(empty, tmp_path)
    hit = empty.search("what is kernel 7").hits[0]
    assert hit.id == "c7" and "note" in hit.cards
    hit = empty.search("kernels").hits[0]
    assert hit.id == "note" and "c7" in hit.cards
    (hit,) = empty.search("kernel", filters=Filters(lang="fa")).hits
    assert (hit.id, hit.cards) == ("هسته", ())
    assert {hit.id for hit in empty.search("kernel kind:card", limit=None).hits} < {
        f"c{n}" for n in range(12)
    }


def test_aliases_and_the_context_of_a_question_are_searched(empty: Library, tmp_path: Path) -> None:
    table = "| employee | salary |\n|---|---|\n| Turing | 7 |"
    filled(
        empty,
        tmp_path,
        noted("a", "Who earns most?", "He does.", context=table),
        noted("b", "Something", "Else.", aliases=["Gram matrix"]),
    )
    (hit,) = empty.search("turing").hits
    assert hit.id == "a" and hit.excerpt is not None and "Turing" in hit.excerpt.text
    assert found(empty, "matrices") == ["b"]


# Sections of long notes.

LONG = "".join(
    f"# Part {n}\n\n{'There is more to say of it. ' * 60}\n\n## Use\n\nWord{n} is used.\n\n"
    for n in range(8)
)


def test_a_hit_in_a_long_note_names_the_section_of_its_passage(
    empty: Library, tmp_path: Path
) -> None:
    persian = LONG.replace("Part", "بخش").replace("Use", "کاربرد")
    filled(
        empty,
        tmp_path,
        noted("long", "Parts", LONG),
        noted("short", "One", LONG[: len(LONG) // 4]),
        noted("fa", "بخش‌ها", persian.replace("word", "x").replace("Word", "y"), "fa"),
    )
    hits = {hit.id: hit for hit in empty.search("word5").hits}
    assert hits["long"].section == "Part 5#Use"
    assert "Word5" in empty.show("long#Part 5#Use").answers[0].text
    (hit,) = empty.search("y6", filters=Filters(lang="fa")).hits
    assert hit.section == "بخش 6#کاربرد"
    assert {hit.id: hit.section for hit in empty.search("word1").hits}["short"] is None


@pytest.mark.parametrize(
    ("address", "begins"),
    [
        ("Part 5", "# Part 5"),
        ("part  5", "# Part 5"),
        ("PART 5#use", "## Use\n\nWord5"),
        ("use", "## Use\n\nWord0"),
        ("Use of C#", "## Use of C#"),
        ("گرادیانِ كاهشي", "## گرادیان کاهشی"),
        ("Title in two lines", "Title in *two* lines\n==="),
    ],
)
def test_a_section_is_shown_alone(
    empty: Library, tmp_path: Path, address: str, begins: str
) -> None:
    more = "Title in *two* lines\n===\nx\n\n## Use of C#\n\n## گرادیان کاهشی\n\nx\n"
    note = noted("n#1", "Parts", f"```\n# Part 9\n```\n{LONG}{more}")
    filled(empty, tmp_path, note, noted("n", "Else", "# Other\n"))
    assert empty.show("n#1").question == {"en": "Parts"}  # an exact id goes before a heading
    (answer,) = empty.show(f"n#1#{address}").answers
    assert answer.text.startswith(begins) and len(answer.text) < 2_100
    for wrong in ("Part 9", "Use#Part 5", "Prt 5"):
        with pytest.raises(NotFound, match="there is no heading") as told:
            empty.show(f"n#1#{wrong}")
    assert "Part 5" in (told.value.hint or "")


@pytest.mark.parametrize("query", ["level:zzz", "net (level:zzz OR gpu)", "-level:zzz net"])
def test_a_level_that_nothing_has_is_told_with_those_that_are_there(query: str) -> None:
    assert parse(query).notice == "There is no level 'zzz'. Known: E, M, H."
    assert parse(query.replace("zzz", "hard")).notice is None
    assert "wrong, misleading" in str(parse("verdict:rong").notice)
