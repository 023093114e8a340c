"""HTML of other programs as Markdown: what it says is kept, what runs is not, and it ends soon."""

from __future__ import annotations

import sys
import unicodedata
from html import escape
from html.parser import HTMLParser

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from kb.formats.hypertext.reading import read
from kb.present.markdown.reader import read as shown
from kb.terminal.terminal import safe
from tests.plugin import times


def text(source: str) -> str:
    return read(source).text


def left(source: str) -> list[str]:
    return [what for _, what in read(source).left_out]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("<b>bold</b> and <i>italic</i>", "**bold** and *italic*"),
        ("<strong> bold </strong>text", "**bold** text"),
        ("<b>a</b><b>b</b>", "**ab**"),
        ("pre<b>fix</b>, <i>n</i>-gram, <s>a</s>b", "pre<b>fix</b>, *n*-gram, <s>a</s>b"),
        ("<i>a</i><b>b</b> <b>*</b> <b>کتاب</b>ها", r"<i>a</i><b>b</b> <b>\*</b> **کتاب**ها"),
        ("<b></b>nothing", "nothing"),
        ("<s>gone</s> <u>under</u> <mark>seen</mark>", "~~gone~~ <u>under</u> ==seen=="),
        ("H<sub>2</sub>O, x<sup>2</sup>, e<sup>-iωt</sup>", "H₂O, x², e<sup>-iωt</sup>"),
        ("one<br>two", "one  \ntwo"),
        ("<div>one</div><div>two</div>", "one  \ntwo"),
        ("one<div><br></div>two", "one\n\ntwo"),
        ("<p>one</p><p>two</p>", "one\n\ntwo"),
        ("<h2>Title</h2>text", "## Title\n\ntext"),
        ("a<hr>b", "a\n\n---\n\nb"),
        ("<blockquote>a<p>b</blockquote>c", "> a\n>\n> b\n\nc"),
        ("<ul><li>a<li>b<ul><li>c</ul></ul>d", "- a\n- b\n  - c\n\nd"),
        ('<ol start="3"><li>a</li><li>b</li></ol>', "3. a\n4. b"),
        ("<code>x = `1`</code>", "`` x = `1` ``"),
        ("<code>a_b*c</code> a_b", "`a_b*c` a_b"),
        ('<pre><code class="language-python">if a:<br>    b &lt; c</code></pre>',
         "```python\nif a:\n    b < c\n```"),
        ("<pre>```\nx\n```</pre>", "````\n```\nx\n```\n````"),
        ("<table><tr><th>a</th><th>b|c</th></tr><tr><td>1</td><td>2<br>3</td></tr></table>",
         "| a | b\\|c |\n| --- | --- |\n| 1 | 2<br>3 |"),
        ("<table><tr><td>alone<ul><li>in it</ul></table>", "alone\n\n- in it"),
        ('<a href="https://example.org/a b">there</a>', "[there](https://example.org/a%20b)"),
        ('<a href="mailto:a@b.org">write</a>', "[write](mailto:a@b.org)"),
        ('<a href="https://a.b/c_d">https://a.b/c_d</a>', "https://a.b/c_d"),
        ('<a href="https://a.b/c"><p></p></a>', "https://a.b/c"),
        ('<img src="a.png" alt="a [b]">', "![a [b]](a.png)"),
        ('<img src="a.png" alt="a]">', "![a&#93;](a.png)"),
        ('<img src="https://a.b/c.png">', "[https://a.b/c.png](https://a.b/c.png)"),
        ("[sound:a.mp3]", "[a.mp3](a.mp3)"),
        ('<audio src="a.mp3" controls></audio>', "[a.mp3](a.mp3)"),
        (r"so \(x &lt; <b>y</b>\) is", "so $x < y$ is"),
        (r"\[x^2\]", "$$x^2$$"),
        (r"a\(x\)b", "a $x$ b"),
        ("[latex]$x$ is[/latex], [$]y[/$], [$$]z[/$$]", "$x$ is, $y$,\n\n$$z$$"),
        (r"[latex]\begin{align}x\end{align}[/latex]", r"$$\begin{align}x\end{align}$$"),
        (r"\(\text{if $x$}\)", r"$\text{if \(x\)}$"),
        (r"grep '\(a' <img src=b.png> '\)'", r"grep '\\(a' ![](b.png) '\\)'"),
        ("it costs $5, not $6", r"it costs \$5, not \$6"),
        ("&lt;b&gt; &amp;lt; &nbsp;&copy;", r"\<b> \&lt; ©"),
        ("می&zwnj;شود <b>«مهم»</b> است", "می\u200cشود **«مهم»** است"),
        ("<b>می‌شود</b>", "**می‌شود**"),
        ("# a<br>- b<br>1. c<br>۱. د<br>&gt; e<br>---<br>===<br>+ f",
         "\\# a  \n\\- b  \n1\\. c  \n۱\\. د  \n\\> e  \n\\---  \n\\=\\=\\=  \n\\+ f"),
        ("snake_case, 2 * 3, a < b, __init__, [x] and [1]",
         r"snake_case, 2 * 3, a < b, \_\_init\_\_, [x] and [1]"),
        ("<!-- nothing -->a<!doctype html>b<?php c ?>", "ab"),
        ("a <unknown x=1>b</unknown> c", "a b c"),
    ],
)  # fmt: skip
def test_each_element_has_its_equivalent(source: str, expected: str) -> None:
    assert text(source) == expected


@pytest.mark.parametrize(
    ("source", "kept", "told"),
    [
        ("a<script>alert('<b>')</script>b", "ab", "<script>alert('<b>')"),
        ("a<STYLE>b{}</sTyLe >c", "ac", "<style>b{}"),
        ("a<iframe src=x>b</iframe>c", "ac", "<iframe>b"),
        ("a<object data=x>b</object>", "ab", "<object>"),
        ('<a href="javascript:alert(1)">go</a>', "go", "javascript:alert(1)"),
        ('<a href=" java&#10;script:alert(1)">go</a>', "go", "java script:alert(1)"),
        ('<a href="file:///etc/passwd">go</a>', "go", "file:///etc/passwd"),
        ('<img src="data:image/png;base64,AAAA">x', "x", "data:image/png;base64,AAAA"),
    ],
)
def test_what_runs_or_leads_elsewhere_is_left_out_and_told(
    source: str, kept: str, told: str
) -> None:
    assert (text(source), left(source)) == (kept, [told])


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a <b", r"a \<b"),
        ('<a href="x', r'\<a href="x'),
        ("<script>x", "x"),
        ("<!-- x", r"\<!-- x"),
        (r"\(x", r"\\(x"),
        ("</b></ul></td>x", "x"),
        ("<b><ul><li>x</b> y", "- **x** y"),
        ("<td>a<tr>b", "a\n\nb"),
        ("<table><td>b</td>a</table>", "a\n\nb"),
        ("&#99999999999999999999;&#x110000;&#0;&#7;" + "&#" + "9" * 5000 + ";", "\ufffd" * 4),
        ("&#0000000065;", "A"),
        ("\x00\x07\x1b[31m\ud800a", "[31ma"),
    ],
)
def test_what_is_not_whole_is_text(source: str, expected: str) -> None:
    assert text(source) == expected


WORDS = st.text(
    st.sampled_from("ab Zé می\u200cشود۱. 12.)(*_~=`#>+-|:![]<>&;\\$\"'\n\t/…—😀°"), max_size=12
)
INLINE = ["b", "i", "em", "strong", "s", "u", "code", "sub", "sup", "mark", "span", "font"]
OUTER = ["p", "div", "ul", "ol", "li", "blockquote", "pre", "table", "tr", "td", "th", "h3"]


def elements(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    named = st.tuples(st.sampled_from(INLINE + OUTER), st.lists(inner, max_size=4))
    return named.map(lambda each: f"<{each[0]}>{''.join(each[1])}</{each[0]}>")


def href(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return inner.map(lambda said: f'<a href="https://a.b/c_(d)">a{said}</a> ')


PAGES = st.recursive(
    st.one_of(WORDS.map(lambda each: escape(each, quote=False)), st.sampled_from(["<br>", "<hr>"])),
    lambda inner: st.one_of(elements(inner), href(inner), st.lists(inner, max_size=4).map("".join)),
    max_leaves=12,
)


class Texts(HTMLParser):
    """The texts of a page, and whether some stand in a table but in no cell: what is shown
    before the table ("foster parenting", HTML Standard, 13.2.6.1).
    """

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.strays = False
        self._open: list[str] = []

    def handle_data(self, data: str) -> None:
        self.found.append(data)
        self.strays |= bool(data.strip()) and self._between_cells

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "table":
            self.strays |= self._between_cells
            self._open.append(tag)
        elif tag in ("tr", "td", "th") and self._open:
            self._end_cell()
            if tag != "tr":
                self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th") and self._open[-1:] == [tag]:
            self._open.pop()
        elif tag == "table" and self._open:
            self._end_cell()
            self._open.pop()

    @property
    def _between_cells(self) -> bool:
        return self._open[-1:] == ["table"]

    def _end_cell(self) -> None:
        if not self._between_cells:
            self._open.pop()


def texts(source: str) -> Texts:
    """What a page says, by the parser of the standard library."""
    parser = Texts()
    parser.feed(source)
    parser.close()
    return parser


def bare(text: str) -> str:
    return "".join(unicodedata.normalize("NFKC", text).replace("−", "-").split())


def told(markdown: str) -> str:
    """What a reader sees of Markdown, without blanks."""
    document = shown(markdown, "en")
    assert document.read
    every = (prose for block in document.blocks for prose in block.proses)
    pieces = (piece for prose in every for piece in prose.pieces)
    seen = "".join(piece.text for piece in pieces if "sign" not in piece.styles)
    return bare(seen.translate(dict.fromkeys(map(ord, "\u2066\u2067\u2068\u2069"))))


@pytest.mark.long
@given(PAGES)
@example('<a href="https://a.b">[1]</a>')
@example("<h3>1 #</h3>")
@example("<h2>C#, or ##</h2>")
@settings(max_examples=times(200))
def test_what_a_page_says_is_what_its_markdown_shows(source: str) -> None:
    assume("\\(" not in source and "\\[" not in source)
    page = texts(source)
    seen, said = told(text(source)), bare("".join(page.found))
    assert sorted(seen) == sorted(said)
    assert page.strays or seen == said


@given(st.text(max_size=60))
@example("\\")
@example("!")
@example("a\\\nb")
@example("\u2066")
def test_a_text_without_tags_shows_as_it_was(words: str) -> None:
    left_out = ("Cc", "Cs", "Zl", "Zp")
    words = "".join(char for char in words if unicodedata.category(char) not in left_out)
    words = words.replace("^", "").replace("\\(", "").replace("\\[", "")
    assert told(text(escape(words))) == bare(safe(words))


@given(st.one_of(st.text(), PAGES, st.lists(st.sampled_from([
    "<", ">", "<b", "</", "<!--", "-->", "<ul>", "<li>", "<td>", "<table>", "</table>", "<a href=",
    '"', "'", "=", "&#", "&", ";", "\\(", "\\)", "\\[", "[latex]", "[/latex]", "[sound:", "]", "$",
    "<script>", "</script>", "<pre>", "</pre>", "<code>", "</code>", "`", "x", "\n", "\0", "1",
])).map("".join)))  # fmt: skip
@settings(max_examples=times(200))
def test_nothing_raises_and_no_control_character_is_left(source: str) -> None:
    found = text(source)
    assert not [
        char for char in found if unicodedata.category(char) in ("Cc", "Cs") and char != "\n"
    ]


@given(st.one_of(st.text(), PAGES))
def test_no_tag_of_the_page_is_left(source: str) -> None:
    """Of the HTML that Markdown may hold, only styles and line ends are written."""
    tokens = MarkdownIt("commonmark", {"html": True}).enable(["table"]).parse(text(source))
    found = [t.content for block in tokens for t in (block.children or [block]) if "html" in t.type]
    tags = ("b", "i", "s", "mark", "u", "sub", "sup", "br")
    assert {*found} <= {f"<{end}{tag}>" for tag in tags for end in ("", "/")}


class Counted:
    """Counts the steps of our own code."""

    def __init__(self) -> None:
        self.steps = 0

    def __call__(self, frame: object, event: str, arg: object) -> Counted:
        self.steps += 1
        return self


def steps(source: str) -> int:
    counted, before = Counted(), sys.gettrace()
    sys.settrace(counted)
    try:
        read(source)
    finally:
        sys.settrace(before)
    return counted.steps


@pytest.mark.long
@pytest.mark.parametrize(
    "piece",
    ["<b>", "<ul><li>", "<table><tr><td>", "</b>", "<!--", "\\(", "[latex]", "<script>", "<a href=",
     '<a x="', "&#9", "*", "<b>a</b>", "<i>.</i>", "<sub>q", "<blockquote>", "<p>", "<br>", "`", "<",
     "<td>a<td>|", "<pre>", "[sound:", "<b><i>", "</li>"],
)  # fmt: skip
def test_twice_as_much_takes_twice_as_long(piece: str) -> None:
    once, twice = steps(piece * 400), steps(piece * 800)
    assert twice < 2.6 * once + 2000
