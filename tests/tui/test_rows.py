"""The rows of the list: what stands in each of their lines, in both directions."""

from __future__ import annotations

import pytest
from textual.content import Content

from kb.i18n import _, use_language
from kb.model.results import Excerpt, Hit
from kb.terminal.layout import lay_out, text_width
from tests.tui.conftest import Reader
from tui.bidi import first_rows
from tui.widgets.entry_list import EntryList
from tui.widgets.rows import Heading, Lines, columns, list_rows, row_lines

QUESTION = "What are the time and space complexity of backpropagation on an RNN?"
VERDICTS = {"wrong": 3, "misleading": 4, "incomplete": 1, "translation-error": 1}
EVERY = dict.fromkeys(
    ("typo", "outdated", "wrong", "misleading", "incomplete", "translation-error",
     "lost-in-extraction", "note"),
    12,
)  # fmt: skip


def hit(**more: object) -> Hit:
    facts = {"id": "rnn", "kind": "question", "collection": "c", "number": "6", "level": "H",
             "lang": "en", "question": {"en": QUESTION, "fa": "پیچیدگی زمانی چیست؟"},
             "verdicts": VERDICTS, "snippets": ()}  # fmt: skip
    told = {"told": {"en": (facts | more)["verdicts"]}}
    return Hit(**(told | facts | more))


def shown(row: Hit | Heading, width: int) -> list[str]:
    return [line.plain for line in row_lines(row, width, columns([row]))]


def test_a_row_has_question_signs_and_what_is_proved_each_in_its_place():
    lines = shown(hit(evidence={"confirmed": 3, "unverified": 2}), 47)
    assert [line.rstrip() for line in lines] == [
        " 6 H  What are the time and space complexity",
        "      of backpropagation on an RNN?",
        "      ✗3 wrong  ≈4 ◐1 ⇄1                 3/5 ✓",
    ]


@pytest.mark.parametrize(
    ("evidence", "sign"),
    [
        ({}, ""),
        ({"unverified": 4}, ""),
        ({"confirmed": 4}, "✓"),
        ({"confirmed": 3, "stale": 1}, "3/4 ✓"),
        ({"confirmed": 3, "refuted": 1}, "3/4 ✗"),
    ],
)
def test_the_end_of_the_last_line_says_what_is_proved(evidence, sign):
    signs = shown(hit(evidence=evidence), 60)[-1]
    assert signs.partition("⇄1")[2].strip() == sign


def test_a_row_without_verdicts_has_no_line_of_signs_and_columns_only_as_wide_as_needed():
    plain = hit(verdicts={}, number=None, level=None, question={"en": "Why?"})
    assert [line.rstrip() for line in shown(plain, 40)] == [" Why?"]
    both = [plain, hit(number="1.12", level=None)]
    assert columns(both).width == len(" 1.12  ")


def test_a_persian_row_is_the_mirror_of_an_english_one():
    use_language("fa")
    row = hit(told={"fa": VERDICTS}, evidence={"confirmed": 3, "unverified": 2})
    question, signs = shown(row, 47)
    assert question.endswith("  س ۶ ")
    assert signs.endswith("۳✗      ")
    assert signs.startswith(" ✓ ۵ ") and "۳" in signs[:12]
    assert signs.index("۱⇄") < signs.index("۱◐") < signs.index("۴≈") < signs.index("۳✗")


@pytest.mark.parametrize("language", ["en", "fa"])
@pytest.mark.parametrize("width", [12, 24, 38, 40, 72, 120])
def test_every_line_of_any_row_fills_its_width(language, width):
    use_language(language)
    found = Excerpt(QUESTION * 3, ((70, 80),))
    for verdicts in ({}, VERDICTS, EVERY):
        for row in (
            hit(verdicts=verdicts, evidence={"confirmed": 10, "stale": 104}),
            hit(verdicts=verdicts, number="12.3", excerpt=found, via="translation"),
            Heading("A collection with a long name that goes on", apart=True),
        ):
            assert {text_width(line) for line in shown(row, width)} == {width}


def test_what_concerns_the_text_of_another_language_is_not_counted():
    use_language("fa")
    told = {"en": {"wrong": 3, "typo": 1, "translation-error": 1}, "fa": {"lost-in-extraction": 2}}
    signs = shown(hit(told=told), 60)[-1]
    assert {"۲□", "۳✗"} <= set(signs.split()) and not {"✎", "⇄"} & set(signs)


def test_a_title_is_the_better_wording_where_there_is_one():
    use_language("fa")
    worded = hit(wording={"fa": "پیچیدگی زمانی و فضایی چقدر است؟"}, told={})
    assert next(lay_out("فضایی", 60)).text in shown(worded, 60)[0]


def test_where_counts_have_no_room_the_signs_stay():
    row = hit(verdicts=EVERY, evidence={"confirmed": 10, "stale": 104})
    signs = shown(row, 40)[-1]
    assert all(sign in signs for sign in "✗≈◐↺✎⇄□¶")
    assert signs.rstrip().endswith("10/114 ✓")


def test_a_question_ends_in_an_ellipsis_behind_a_whole_word():
    question = shown(hit(question={"en": QUESTION * 2}), 33)[1].strip()
    assert question.endswith("…")
    assert question.removesuffix("…").split()[-1] in (QUESTION * 2).split()


def found_in(text: str, word: str, width: int, lang: str = "en") -> Content:
    start = text.index(word)
    row = hit(verdicts={}, lang=lang, excerpt=Excerpt(text, ((start, start + len(word)),)))
    return row_lines(row, width, columns([row]))[-1]


@pytest.mark.parametrize("lang", ["en", "fa"])
def test_a_match_is_in_sight_however_far_behind_it_stands(lang):
    use_language(lang)
    words, wanted = {"en": ("step by step ", "gradient"), "fa": ("گام به گام ", "RNN")}[lang]
    for times in (0, 2, 9):
        line = found_in(f"{words * times}{wanted} {words * 9}", wanted, 40, lang)
        assert wanted in line.plain
        marked = [line.plain[s.start : s.end] for s in line.spans if "text-muted" not in s.style]
        assert marked == [wanted]


@pytest.mark.long
async def test_an_excerpt_begins_with_the_sentence_of_its_match(opened, bundled):
    async with opened(of=bundled, size=(140, 40)) as reader:
        await reader.type("stochastic gradient")
        assert "Kingma, Ba, Adam: A Method" in reader.text()


async def test_a_blank_line_stands_between_collections_and_none_above_the_first(opened):
    async with opened(size=(80, 24)) as reader:
        lines = reader.lines()
        first = next(y for y, line in enumerate(lines) if "The basics" in line)
        second = next(y for y, line in enumerate(lines) if "Cards" in line)
        assert "entries" in lines[first - 1]
        assert not lines[second - 1].strip()


def test_the_line_between_collections_comes_when_what_stands_before_is_held_too():
    one, other = hit(id="a", collection="a"), hit(id="b", collection="b")
    alone = Lines(list_rows([other], {}), 40)
    assert alone.top(1) == 1
    both = Lines(list_rows([one, other], {}), 40)
    assert both.top(3) - both.top(2) == 2


async def test_going_by_screenfuls_and_back_keeps_the_cursor_in_sight(opened, bundled, language):
    async with opened(of=bundled, size=(60, 20)) as reader:
        listing = reader.main.query_one(EntryList)
        for key in ("pagedown", "pagedown", "pageup", "G", "g"):
            await reader.press(key)
            assert _in_sight(reader, listing)


def _in_sight(reader: Reader, listing: EntryList) -> bool:
    top = listing._lines.top(listing.cursor)
    return listing.scroll_offset.y <= top < listing.scroll_offset.y + listing.size.height


def test_signs_alone_are_mirrored_too():
    use_language("fa")
    signs = shown(hit(told={"fa": EVERY}), 34)[-1].split()[-1]
    assert signs == "¶□⇄✎↺◐≈✗"


@pytest.mark.parametrize("lang", ["en", "fa"])
@pytest.mark.parametrize(
    ("found", "said"),
    [
        ({"via": "text"}, ""),
        ({"via": "text", "titled": "title"}, "exact title"),
        ({"via": "text", "titled": "alias"}, "by an alias"),
        ({"via": "translation"}, "by translation"),
        ({"via": "spelling"}, "by the nearest spelling"),
        ({"via": "transliteration"}, "in another spelling or alphabet"),
        ({"via": "layout"}, "the other keyboard layout"),
    ],
)
def test_each_way_in_which_an_entry_was_found_is_said(lang, found, said):
    use_language(lang)
    excerpt = Excerpt("پیچیدگی زمانی چیست؟" if lang == "fa" else QUESTION, ((0, 4),))
    *above, row = list_rows([hit(**found, verdicts={}, excerpt=excerpt)], {})
    told = [each.title for each in above] + [line.strip() for line in shown(row, 90)[1:]]
    (line,) = first_rows(_(said), 90, 1)
    assert told in ([_(said)], [line.line.text.strip()]) if said else told == []


def test_a_passage_without_a_match_is_not_shown():
    use_language("fa")
    found = hit(verdicts={}, excerpt=Excerpt("An answer of another language.", ()))
    assert "answer" not in " ".join(shown(list_rows([found], {})[-1], 90))


@pytest.mark.parametrize(("lang", "said"), [("en", "by the nearest spelling"),
                                            ("fa", "با نزدیک‌ترین املا")])  # fmt: skip
def test_what_a_fallback_found_stands_under_what_it_is_said_once(lang, said):
    use_language(lang)
    found = {"excerpt": Excerpt(QUESTION, ((0, 4),))}
    hits = [hit(**found, via=via) for via in ("text", "translation", "spelling", "spelling")]
    rows = list_rows(hits, {})
    assert [isinstance(row, Heading) for row in rows] == [False, False, True, False, False]
    assert rows[2].title == said
