"""GIFT for Moodle: what is asked of an entry, and that no text breaks out of its item."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kb import Library
from kb.formats.anki.cards import fragment
from kb.formats.book import Book
from kb.formats.gift import escaped, in_language, quoted, shown
from kb.formats.registry import exporter
from kb.model.entry import Annotation, Answer, Entry, Evidence, Target
from tests.formats.gift_reader import Found, read
from tests.formats.hard import BOOK
from tests.plugin import times

HREF = r"\mmlToken{mi}[href='javascript:1']{x}"


@pytest.mark.parametrize("make", [shown, lambda text, lang: fragment(text, lang, {})])
def test_no_word_becomes_a_formula_and_no_formula_links(make: Callable[[str, str], str]) -> None:
    for tex in (HREF, HREF.replace("mmlToken", "href"), r"\csname a\endcsname{b}"):
        assert r"\(" not in make(f"So ${tex}_1$.", "en")
    twice = HREF.replace("\\", "\\\\")
    for words in (rf"\\({twice}\\)", rf"\\[{twice}\\]", rf"\$\${twice}\$\$", f"`$${HREF}$$`"):
        html = make(words, "en")
        assert not re.search(r"\\[(\[]|\$\$", html), html
    assert r"\begin" not in make(r"\\begin{align}x\\end{align}", "en")
    assert make(r"So $\begin{matrix}a\end{matrix}$.", "en").count(r"\(\begin") == 1


def found(book: Book) -> list[Found]:
    out = io.BytesIO()
    exporter("gift")(book, out)
    return read(out.getvalue().decode("utf-8"))


def others(text: str):
    """Return the items that `pygiftparser` finds."""
    from pygiftparser import parser

    return parser.parseFile(io.StringIO(text))


def words(text: str) -> str:
    """Return what a text of HTML says."""
    return unescape(re.sub(r"<[^<>]*>", "", text)).strip()


def card(answer: str, lang: str = "en", **facts: object) -> Entry:
    return Entry("c/one", "card", "c", {lang: "What?"},
                 answers=(Answer("source", lang, answer),), **facts)  # fmt: skip


def claim(**facts: object) -> Annotation:
    plain = {"verdict": "wrong", "severity": "high", "note": {"en": "It is O(T·W)."}}
    return Annotation("one-1", Target("source", "en", "O(T)", 0, 4), **(plain | facts))


def test_a_short_answer_is_typed_and_a_long_one_is_written() -> None:
    (short,), (long,) = found(Book((card("O(n = m)."),))), found(Book((card("It is so. " * 9),)))
    assert (short.kind, short.answers) == ("short", ("O(n = m).", "O(n = m)"))
    assert (long.kind, words(long.feedback)) == ("essay", ("It is so. " * 9).strip())
    assert (short.title, short.id, short.tags) == ("c/one (en)", "c/one:en", ("en",))


def test_a_persian_answer_is_taken_with_half_spaces_blanks_or_neither_and_any_digits() -> None:
    (item,) = found(Book((card("شبکه‌ی ۲", "fa"),)))
    assert set(item.answers) == {
        f"شبکه{sign}ی {digit}" for sign in ("\u200c", " ", "") for digit in "۲2"
    }
    assert item.text.startswith('<div lang="fa" dir="rtl">')


@pytest.mark.parametrize(
    "answer", ["", "$n^2$", "a -> b", "%50%x", "[html]x", "*", "`x`", "a\nb", "&&058;", "one " * 7]
)
def test_what_nobody_would_type_is_no_short_answer(answer: str) -> None:
    assert found(Book((card(answer),)))[0].kind == "essay"


def test_a_wrong_claim_is_a_false_statement_whose_note_is_told() -> None:
    evidence = (Evidence("run", "cost", 7, 1, 0.1),)
    entry = card("O(T)", annotations=(claim(evidence=evidence, status="confirmed"),))
    item, statement = found(Book((entry,)))
    assert statement.kind == "false"
    assert "True or false?" in statement.text
    assert "O(T)" in statement.text
    assert words(statement.feedback) == "It is O(T·W).\ncost: source 1, measured 7"
    assert statement.id == "one-1:en"
    assert item.kind == "essay", "a wrong answer is not accepted"
    assert "It is O(T·W)." in item.feedback


def test_a_claim_is_judged_in_each_language_of_its_note_and_quoted_in_its_own() -> None:
    note = {"fa": "نه؛ O(T·W) است."}
    entry = Entry(
        "g", "question", "", {"en": "Cost?", "fa": "هزینه؟"}, annotations=(claim(note=note),)
    )
    *_, statement = found(Book((entry,)))
    assert statement.text.startswith('<div lang="fa" dir="rtl">\n<p>هزینه؟')
    assert '<blockquote lang="en" dir="ltr">\n<p>O(T)' in statement.text
    assert "درست یا نادرست؟" in statement.text
    assert words(statement.feedback) == "نه؛ O(T·W) است."


@pytest.mark.parametrize(
    "facts",
    [{"verdict": "incomplete"}, {"status": "refuted"}, {"repeats": "other"}, {"verdict": "note"}],
)
def test_what_is_not_known_to_be_wrong_is_no_statement(facts: dict[str, object]) -> None:
    assert [i.kind for i in found(Book((card("O(T)", annotations=(claim(**facts),)),)))] == [
        "short"
    ]


def test_each_language_is_an_item_of_its_own_below_its_title() -> None:
    kinds = [(item.kind, item.category, item.tags[-1]) for item in found(BOOK)]
    assert kinds == [
        ("essay", "Hard | things", "en"),
        ("false", "Hard | things", "en"),
        ("essay", "چیزهای سخت", "fa"),
        ("false", "چیزهای سخت", "fa"),
        ("essay", "Hard | things", "en"),
    ]


def test_a_reference_answer_and_a_better_wording_come_first() -> None:
    entry = Entry("x", "question", "", {"en": "Bad?"}, wording={"en": "Good?"},
                  answers=(Answer("source", "en", "given"), Answer("reference", "en", "true")))  # fmt: skip
    (item,) = found(Book((entry,)))
    assert (words(item.text), item.answers, item.category) == ("Good?", ("true",), "danesh")


def test_a_note_is_only_read() -> None:
    entry = Entry("n", "note", "", {"fa": "یک"}, answers=(Answer("source", "fa", "{متن}"),))
    (item,) = found(Book((entry,)))
    assert (item.kind, words(item.text)) == ("description", "یک\n{متن}")


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")  # the parser is of an older Python
def test_another_parser_finds_all_that_is_bundled_in_both_languages(
    bundled: Library, tmp_path: Path
) -> None:
    path = tmp_path / "danesh.gift"
    every = [bundled.show(hit.id) for hit in bundled.list().hits]
    assert bundled.export("gift", path) == len(every)
    text = path.read_text(encoding="utf-8")
    items = others(text)
    assert all(item.valid for item in items)
    kinds = [type(item.answers).__name__ for item in items]
    untrue = [a for e in every for a in e.annotations
              if a.verdict in ("wrong", "misleading") and not a.repeats]  # fmt: skip
    assert kinds.count("TrueFalseSet") == sum(len(each.note) for each in untrue) > 100
    assert len(kinds) - kinds.count("TrueFalseSet") == sum(len(each.languages) for each in every)
    assert [item.title for item in read(text)] == [item.title.replace("\\:", ":") for item in items]


ANY = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)
HARD = st.text(st.sampled_from("~=#{}:\\\n/[]`<>&$*_ na0;58%-!|()\r\u200cش\t"), max_size=40)
TEXT = ANY | HARD


@pytest.mark.filterwarnings("ignore")  # the other parser is of an older Python
@settings(max_examples=times(60))
@given(question=TEXT, answer=TEXT, note=TEXT, id=TEXT, title=TEXT, tag=TEXT)
def test_no_text_ends_its_item_or_begins_another(question, answer, note, id, title, tag) -> None:
    entry = Entry(id, "question", "c/d", {"en": question}, tags=(tag,),
                  answers=(Answer("source", "en", answer), Answer("reference", "fa", note)),
                  annotations=(claim(note={"en": note}),))  # fmt: skip
    out = io.BytesIO()
    exporter("gift")(Book((entry,), collections={"c": {"en": title}}), out)
    text = out.getvalue().decode("utf-8")
    items = read(text)
    assert len(others(text)) == len(items)
    assert [item.kind for item in items if item.tags[-1] == "en"] == ["essay", "false"]
    assert len(items) == 3
    for item in items:
        assert item.category.split("/")[-1] == "d"
    assert items[0].text == in_language("en", shown(question or id, "en"))
    assert items[1].feedback == in_language("en", shown(note, "en"))


@given(TEXT)
def test_what_is_escaped_is_read_as_it_was(text: str) -> None:
    (item,) = read(f"::t::[html].{escaped(text)}.{{}}")
    assert item.text == f".{text}."


def test_the_control_of_the_escapes_is_another_item() -> None:
    assert len(read("::t::[html]a}\n\n::x::b{}".replace("a}", "a{}"))) == 2


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.found.append(tag)

    def handle_comment(self, data: str) -> None:
        self.found.append("comment")

    def handle_decl(self, decl: str) -> None:
        self.found.append("declaration")

    def unknown_decl(self, data: str) -> None:
        self.found.append("declaration")

    def handle_pi(self, data: str) -> None:
        self.found.append("instruction")


def tags(text: str) -> set[str]:
    parser = Tags()
    parser.feed(text)
    parser.close()
    return set(parser.found)


MARKUP = st.lists(
    st.sampled_from(["<b>", "</div>", "<script>", "`", "```", "\n", "$", "![", "](", ")", "{", " ",
                     "javascript:x", "http://x", "<!--", "[a]", " :", "~~~", "&lt;", "\\", "a"]),
    max_size=25,
).map("".join)  # fmt: skip


OURS = frozenset(
    [
        "blockquote",
        "p",
        "a",
        "bdi",
        "br",
        "code",
        "del",
        "div",
        "em",
        "h3",
        "h4",
        "h5",
        "h6",
        "hr",
        "li",
        "mark",
        "ol",
        "pre",
        "s",
        "span",
        "strong",
        "sub",
        "sup",
        "table",
        "tbody",
        "td",
        "th",
        "thead",
        "tr",
        "u",
        "ul",
    ]
)


@settings(max_examples=times(60))
@given(TEXT | MARKUP)
def test_nothing_of_a_text_is_a_tag_or_a_link_that_runs(text: str) -> None:
    written = quoted(text, "en")
    assert tags(written) <= OURS
    assert not re.search(r'(?:href|src)="(?!https?://|mailto:)', written)


def test_the_control_of_the_tags_is_live() -> None:
    assert tags("a <b> c") == {"b"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a `b<c` d", '<p>a <code dir="ltr">b&lt;c</code> d</p>'),
        ("می‌شود $\\nabla f_1$", r"<p>می‌شود \(\nabla f_1\)</p>"),
        ("$$\nx < 1\n$$", r"<p>\[x &lt; 1\]</p>"),
        ("<https://x.y>", '<p><a href="https://x.y">https://x.y</a></p>'),
        ("&&058;", "<p>&amp;&amp;058;</p>"),
    ],
)
def test_a_text_is_written_for_moodle(text: str, expected: str) -> None:
    assert shown(text, "fa" if "می" in text else "en").strip() == expected
