"""What `kb.terminal.tex.formulas` must hold: readable formulas, every character in its place."""

from __future__ import annotations

import subprocess
import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.terminal.bidi.direction import turn
from kb.terminal.layout import first_lines, lay_out, readable
from kb.terminal.tex.formulas import whole, with_formulas

CHAIN = (
    r"شما سه ماتریس دارید: $$A \in R^{100 \times 5}، B \in R^{5 \times 200}، "
    r"C \in R^{200 \times 20}$$ و شما باید محصول $$ABC$$ را محاسبه کنید."
)
SHOWN = (
    "شما سه ماتریس دارید: A ∈ R¹⁰⁰ˣ⁵، B ∈ R⁵ˣ²⁰⁰، C ∈ R²⁰⁰ˣ²⁰ و شما باید محصول ABC را محاسبه کنید."
)
PIECES = r"""
$ $$ \( \) \[ \] { } ^ _ & ~ ' ` ``` \frac \sqrt \sqrt[3] \hat \not \alpha \in \log \text \mathbf
\left( \right) \begin{cases} \end{cases} \begin \end \\ \, \foo \d ( ) [ ] a x 1 + / سلام خطا، ۱۲ و
"""
MORE = [" ", "\n", "\n\n", "\u200c", "\u200f", "\u2066"]
TEX = st.lists(st.sampled_from([*PIECES.split(), *MORE]), max_size=40).map("".join)
ANY = st.text(st.characters(codec="utf-8") | st.sampled_from("$\\{}^_`()[]"))
WITHOUT_MARKS = st.text(st.characters(codec="utf-8", exclude_characters="$\\^"))
INVISIBLE = dict.fromkeys(map(ord, "\u200e\u2066\u2069"))


@pytest.mark.parametrize(
    ("tex", "shown"),
    [
        (r"A \in R^{100 \times 5}", "A ∈ R¹⁰⁰ˣ⁵"),
        (r"A_1A_2...A_n", "A₁A₂...Aₙ"),
        (r"\epsilon", "ϵ"),
        (r"\varepsilon > 0", "ε > 0"),
        (r"x^2", "x²"),
        (r"x_{t-1} + h_{\text{max}}", "xₜ₋₁ + hₘₐₓ"),
        (r"x^{(i)}, W^{Q}, a_{i,j}", "x⁽ⁱ⁾, W^(Q), a_(i,j)"),
        (r"e^{-x^2/2}", "e^(-x²/2)"),
        (r"A^{-1}, v^\top, x^*, 90^\circ, f'(x)", "A⁻¹, vᵀ, x*, 90°, f′(x)"),
        (r"\mathcal{O}(n^2)", "𝒪(n²)"),
        (r"\mathbb{R}^{n\times m}", "ℝⁿˣᵐ"),
        (r"\mathbf{x}^\top \boldsymbol\theta", "𝐱ᵀ 𝛉"),
        (r"\frac{a}{b}", "a/b"),
        (r"\frac{a+b}{c}", "(a+b)/c"),
        (r"\frac{1}{2n}", "1/(2n)"),
        (r"\frac12", "1/2"),
        (r"\frac{1}{n}\sum_{i=1}^{n} x_i", "(1/n)∑ᵢ₌₁ⁿ xᵢ"),
        (r"\frac{\partial L}{\partial w_{ij}}", "∂L/∂wᵢⱼ"),
        (r"\sqrt{x}, \sqrt{x+1}, \sqrt[3]{8}", "√x, √(x+1), ∛8"),
        (r"\frac{x - \mu}{\sqrt{\sigma^2 + \epsilon}}", "(x - μ)/√(σ² + ϵ)"),
        (r"\left( y - \hat{y} \right)^2", "(y - ŷ)²"),
        (r"\left\| x \right\|_2 \leq \lVert y \rVert", "‖x‖₂ ≤ ‖y‖"),
        (r"O(n\log n), \log_2 n, \sin\theta", "O(n log n), log₂ n, sin θ"),
        (r"\operatorname*{argmax}_x f", "argmaxₓ f"),
        (r"a\times b, 2\pi r, \alpha\beta", "a×b, 2πr, αβ"),
        (r"x \not\in \{1, 2\}", "x ∉ {1, 2}"),
        (r"\int_0^1 f(x)\,dx", "∫₀¹ f(x) dx"),
        (r"\begin{bmatrix} a & b \\ c & d \end{bmatrix}", "[a b; c d]"),
        (r"\begin{cases} 1 & \text{if } x > 0 \\ 0 \end{cases}", "{1 if x > 0; 0"),
        (r"\binom{n}{k} \bmod p", "C(n, k) mod p"),
        (r"\overline{AB}, \vec{v}", "A\u0305B\u0305, v\u20d7"),
        (r"\text{خطا} = \left( y - \hat{y} \right)^2", "خطا = (y - ŷ)²"),
        (r"x_{خطا} + ۲", "x_(خطا) + ۲"),
        (r"\foo{x} + \alpha", r"\foo{x} + α"),
        (r"\widehat{xy} = \pi", r"\widehat{xy} = π"),
    ],
)
@pytest.mark.parametrize("marks", ["$ $", "$$ $$", r"\( \)", r"\[ \]"])
def test_a_formula_is_shown_readable(tex: str, shown: str, marks: str) -> None:
    opening, closing = marks.split()
    assert readable(f"so {opening}{tex}{closing}.").translate(INVISIBLE) == f"so {shown}."


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (CHAIN, SHOWN),
        ("ماتریس های $$N$$ $$A_1A_2...A_n$$ را", "ماتریس های N A₁A₂...Aₙ را"),
        (r"یک عبارت $$\epsilon$$ به محاسبه", "یک عبارت ϵ به محاسبه"),
        ("مقدار $x^2$، نه $x$ها", "مقدار x²، نه xها"),
        ("$$\nx = 1\n$$", "x = 1"),
        (r"the $n$th of $n$, $k$-means", "the nth of n, k-means"),
        (r"from $5 on, $x_1$ is", "from $5 on, x₁ is"),
        ("in `$a$` and ``b`$c$`` but $d$", "in `$a$` and ``b`$c$`` but d"),
        ("```\n$a$\n\n$b$\n```\n$c$", "```\n$a$\n\n$b$\n```\nc"),
        ("R^{5}$$ and you want the product $$ABC$$", "R^{5}$$ and you want the product ABC"),
        (r"\begin{align} a &= b \\ c &= d \end{align}", "a = b; c = d"),
    ],
)  # fmt: skip
def test_a_text_is_shown_with_its_formulas(text: str, shown: str) -> None:
    assert readable(text).translate(INVISIBLE) == shown


@pytest.mark.parametrize(
    "text",
    [
        "It costs $5 and $10.",
        "$5, not 6$ and US$7/CA$8, 5$/10$ or \\$3 and \\$4",
        "from $5 to 10$, then $20 (or 15$)",
        "بهای آن $5 و 10$ است، نه ۵$ و ۱۰$.",
        "a lone $ and a lone \\ and $$",
        "$ x$ and $y $",
        r"unclosed \(x and \[y and $$z",
        r"unbalanced $\frac{1}{2$ and $x}$ and $x^$",
        r"a pattern \(\d+\) and \[note\] \[1\] \(see below\)",
        r"C:\new\table and \\(x\\)",
        "$HOME/$USER and $a+$b",
        "`$x$`",
        "```py\ncost = '$x$'\n```",
        "~~~\n$x$\n\n$y$",
        r"$$\foo$$ $$ $$ $$$$ \(\)",
        "a formula $x\n\n y$ over paragraphs",
        "$" + "{" * 60 + "x" + "}" * 60 + "$",
        r"$\begin{nothing} x \end{nothing}$ $\begin{cases} x$ $\end{cases}$",
    ],
)
def test_what_is_no_formula_or_cannot_be_read_stays_as_it_is_written(text: str) -> None:
    assert readable(text) == text
    assert with_formulas(text).places == range(len(text))


def test_a_number_or_a_sign_in_brackets_of_tex_is_a_formula() -> None:
    assert readable(r"it costs \(0\), and \(=\) or \(|<|\)") == "it costs 0, and = or |<|"


@given(TEX | ANY)
def test_every_text_is_shown_with_places_that_never_go_back(text: str) -> None:
    shown = with_formulas(text)
    assert len(shown.text) == len(shown.places)
    assert list(shown.places) == sorted(shown.places)
    assert all(0 <= place < len(text) for place in shown.places)


@given(WITHOUT_MARKS)
def test_a_text_without_the_marks_of_formulas_is_unchanged(text: str) -> None:
    assert with_formulas(text) == (text, range(len(text)))


@given(TEX, st.integers(1, 12), st.sampled_from(["auto", "ltr", "rtl"]), st.booleans())
def test_lines_with_formulas_keep_to_their_width_and_their_places(
    text: str, width: int, direction: str, turned: bool
) -> None:
    lines = list(lay_out(text, width, direction=direction, turned=turned, formulas=True))
    lines += first_lines(text, width, 2, direction=direction, turned=turned, formulas=True)
    assert all(line.width <= width for line in lines)
    assert all(len(line.text) == len(line.places) for line in lines)
    assert all(0 <= place < max(1, len(text)) for line in lines for place in line.places)
    assert len(lines) >= 2


def test_a_formula_stands_between_marks_in_every_line_for_a_terminal_that_turns() -> None:
    lines = lay_out(CHAIN.split(" و شما")[0], 20, direction="rtl", turned=False, formulas=True)
    within = [line.text for line in lines if "R" in line.text]
    assert len(within) == 2
    for text in within:
        assert not {"\u2066", "\u2069"} & set(text)  # some terminals give isolates a cell
        between = text[text.index("\u200e") + 1 : text.rindex("\u200e")]
        assert all(char in between for char in text if char in "ABCR∈²⁰")


def printed(text: str, width: int = 200) -> list[str]:
    """Return what is seen from left to right, with plain letters in place of joined ones."""
    lines = lay_out(text, width, direction="rtl", formulas=True)
    return [
        "".join(
            unicodedata.normalize("NFKC", char) if "\ufb50" <= char <= "\ufeff" else char
            for char in line.text
        )
        for line in lines
    ]


def test_a_formula_reads_from_left_to_right_within_persian() -> None:
    (line,) = printed(CHAIN)
    before, after = CHAIN.split(" $$A")[0], "و شما باید محصول"
    formula = "A ∈ R¹⁰⁰ˣ⁵، B ∈ R⁵ˣ²⁰⁰، C ∈ R²⁰⁰ˣ²⁰"
    assert f"{after[::-1]} {formula} {before[::-1]}" in line


def test_without_isolates_it_would_not() -> None:
    text = "مقدار (x₁+1)/2 است"
    assert "(x₁+1)/2" not in turn(text, 1).text
    assert "(x₁+1)/2" in printed(text)[0]
    assert "(x₁+1)/2" in printed(r"مقدار $\frac{x_1+1}{2}$ است")[0]


def test_formulas_between_persian_commas_follow_each_other_as_one_reads() -> None:
    (line,) = printed(readable(CHAIN).translate(INVISIBLE))
    assert "C ∈ R²⁰⁰ˣ²⁰ ،B ∈ R⁵ˣ²⁰⁰ ،A ∈ R¹⁰⁰ˣ⁵" in line


def test_persian_within_a_formula_turns_nothing_but_itself() -> None:
    (line,) = printed(r"یعنی $\text{خطای کل} = 2x - ۳$ است")
    assert f"{'خطای کل'[::-1]} = 2x - ۳" in line
    (line,) = printed(r"یعنی $x_{خطا} + 1$ است")
    assert f"x_({'خطا'[::-1]}) + 1" in line


def test_a_formula_over_two_lines_reads_from_left_to_right_in_both() -> None:
    lines = printed(CHAIN, 36)
    assert lines[0].startswith("A ∈ R¹⁰⁰ˣ⁵، B ∈ ")
    assert lines[1].endswith("R⁵ˣ²⁰⁰، C ∈ R²⁰⁰ˣ²⁰")
    lines = printed(r"یعنی $(a+1)/2 + (b+2)/3 + (c+3)/4$ است", 18)
    assert [line.strip() for line in lines[:2]] == ["(a+1)/2 + ینعی", "(b+2)/3 + (c+3)/4"]


def test_a_paragraph_that_begins_with_a_formula_runs_as_its_words_do() -> None:
    (line,) = lay_out("$x$ ورودی است", 40, formulas=True)
    assert line.rtl
    (line,) = lay_out(r"$\text{خطا}$ is the error", 40, formulas=True)
    assert not line.rtl


def test_an_english_text_gets_no_invisible_characters() -> None:
    text = "So $x^2$.\n\nپس $y^2$."
    assert readable(text) == "So x².\n\nپس \u2066y²\u2069."


def test_every_character_keeps_the_place_of_what_it_stands_for() -> None:
    text = r"so $\frac{a}{\epsilon} \leq x^{10}$ is"
    shown, places = with_formulas(text)
    assert shown == "so a/ϵ ≤ x¹⁰ is"
    at = dict(zip(shown, places, strict=True))
    for char, written in (("a", "a}"), ("ϵ", "epsilon"), ("≤", "leq"), ("¹", "10"), ("⁰", "0}")):
        assert text[at[char] :].startswith(written), char


def test_a_cut_line_ends_in_an_ellipsis_behind_its_formula() -> None:
    first, second = first_lines(CHAIN, 30, 2, direction="rtl", formulas=True)
    assert first.text.startswith("A ∈ :")
    assert second.text == "…R¹⁰⁰ˣ⁵، B ∈ R⁵ˣ²⁰⁰، C ∈"
    assert second.places[0] == max(second.places)


def test_a_stretch_is_widened_to_the_formulas_it_cuts_into() -> None:
    text = "a $x + y$ b"
    assert [whole(text, *pair) for pair in ((0, 4), (4, 5), (8, 11), (0, 2), (9, 9))] == [
        (0, 9), (2, 9), (2, 11), (0, 2), (9, 9)
    ]  # fmt: skip


def test_formulas_are_read_only_where_it_is_asked_for() -> None:
    assert [line.text for line in lay_out("x = '$a$'", 40)] == ["x = '$a$'"]


def test_what_reads_formulas_is_loaded_only_when_there_is_one() -> None:
    script = (
        "import sys; from kb.terminal.layout import readable; readable('no formula');"
        "assert 'kb.terminal.tex.symbols' not in sys.modules; readable('$x$');"
        "assert 'kb.terminal.tex.symbols' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
