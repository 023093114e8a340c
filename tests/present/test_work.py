"""The work for a text as it is shown: twice the text is at most twice the work."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest

from kb.cli.output import Printer
from kb.cli.show import write_prose
from kb.present.annotated import AnnotatedSpan, Numbered, numbers_of, said_before
from kb.present.markdown.document import added
from kb.present.markdown.drawing import draw, with_signs
from kb.present.markdown.reader import read
from kb.terminal.bidi.direction import turn
from kb.terminal.tex.formulas import formulas_of
from kb.text.quotation import find_quotation, quote
from tests.present.test_weight import entry, note
from tui.widgets.text_block import passages

pytestmark = pytest.mark.long

_MOST = 2.3
_WORDS = {"en": "a", "fa": "ب"}

_REPEATED = [
    "{w} ", "{w}", "{w}\n", "{w}  \n", "{w}\n\n", "{w}\t", "{w}\u200c", "{w}\u0301", " ", "\n",
    "{w} b ب ",
    "# {w}\n", "{w}\n==\n", "---\n", "- {w}\n", "- [ ] {w}\n", "1. {w}\n", "۱. {w}\n", "- {w}\n\n",
    "- {w}\n  - {w}\n", "> {w}\n", "> > > {w}\n", "> ", "- ", "    {w}\n", "```\n{w}\n```\n",
    "~~~\n",
    "*{w}* ", "*{w}_ ", "**{w} ", "*_", "*{w} **{w}_ ", "~~{w}~~ ", "~~{w} ", "=={w}== ",
    "=={w}={w}",
    "`{w}` ", "`{w} ", "``{w}` ", "[", "[{w} ", "[{w}](b", "[{w}](b) ", "[{w}](<b", "[{w}](b \"c",
    "![](",
    "![{w}](b) ", "[{w}][b]", "[{w}]: b\n", "[^1] ", "http://e.org/{w} ", "<http://{w}", "{w}@b.c ",
    "<a <b", "<b>{w}", "<b>{w}</b> ", "<sub>{w}</sub>", "<!-- ", "<details>", "&amp", "&amp; ",
    "\\*",
    "|{w}", "${w} ", "$x$ {w} ", "$$ {w} ", "\\(", "\\begin{{array}}", "\\", "{w}^2 ", "2*{w}*3 ",
    "1-2-", "{w} 1-2 ", "({w}, 1) ", "{w} (", "{w} 1,", "{w}=1 ", "+", ". ", "!",
]  # fmt: skip
_MADE: dict[str, Callable[[int, str], str]] = {
    "a link with many styles": lambda n, w: f"[{f'*{w}* ' * n}](http://x)",
    "references": lambda n, w: f"[b]: http://x\n\n{f'[{w}][b] ' * n}",
    "brackets that close": lambda n, w: "[" * n + w + "]" * n,
    "tags that end at the end": lambda n, w: f"<b>{w}" * n + "</b>" * n,
    "backticks of all lengths": lambda n, w: w.join("`" * each for each in range(int(n**0.5) * 2)),
    "a quotation that goes on": lambda n, w: "> " * 20 + f"{w}\n" * n,
    "lists in lists": lambda n, w: "".join(f"{'  ' * (each % 30)}- {w}\n" for each in range(n)),
    "a table with rows": lambda n, w: f"|{w}|b|\n|-|-|\n" + f"|{w}|d|\n" * n,
    "a table with columns": lambda n, w: f"|{w}" * n + "|\n" + "|-" * n + "|\n" + f"|{w}" * n,
    "a table without its cells": lambda n, w: f"|{w}" * n + "\n" + "|-" * n + "\n" + f"{w}\n" * n,
    "a long heading of a table": lambda n, w: f"|{w * n}|b|\n|-|-|\n" + f"|{w}|d|\n" * n,
    "a long cell": lambda n, w: f"|a|b|\n|-|-|\n|{w * n}|d|\n" + f"|{w}|d|\n" * n,
    "environments in each other": lambda n, w: f"\\begin{{array}}{w * 9}" * n + "\\end{array}",
    "fractions": lambda n, w: "$" + r"\frac12 " * n + f"$ {w}",
    "fractions in fractions": lambda n, w: "$" + r"\frac{a}{" * n + "b" + "}" * n + f"$ {w}",
    "braces": lambda n, w: f"${'{' * n}{'}' * n}$ {w}",
    "blanks between words": lambda n, w: f"{w}{' ' * n}b",
    "marks on a letter": lambda n, w: w + "\u0301" * n,
    "brackets in Persian": lambda n, w: f"ب {'(a ' * n}{')' * n}",
}
FAMILIES: dict[str, Callable[[int, str], str]] = {
    **{text: lambda n, w, text=text: text.format(w=w) * n for text in _REPEATED},
    **_MADE,
}


def steps(work: Callable[[], object]) -> int:
    """Count the lines that are executed, each as often as it is."""
    counted = 0

    def count(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal counted
        counted += 1
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        work()
    finally:
        sys.settrace(before)
    return counted


def grows(work: Callable[[int], Callable[[], object]], n: int) -> float:
    """Return how many times the work for ``n`` that for twice as many is."""
    work(2)()  # loads what is loaded once
    once, twice = work(n), work(2 * n)
    return steps(twice) / steps(once)


@pytest.mark.parametrize("lang", _WORDS)
@pytest.mark.parametrize("family", FAMILIES)
def test_twice_the_text_is_shown_with_at_most_twice_the_work(
    family: str, lang: str, capsys: pytest.CaptureFixture[str]
) -> None:
    coloured, spoken = Printer("always"), Printer("never", plain=True)

    def work(n: int) -> Callable[[], object]:
        text = FAMILIES[family](n, _WORDS[lang])

        def shown() -> None:
            for kept in (read, turn, formulas_of):
                kept.cache_clear()
            document = read(text, lang)
            for block in document.blocks:
                for _line in draw(block, 60, document.direction, turned=True):
                    pass
            write_prose(coloured, text, lang)
            write_prose(spoken, text, lang)

        return shown

    assert grows(work, 100) <= _MOST


def test_twice_the_annotations_are_placed_with_at_most_twice_the_work() -> None:
    def work(n: int) -> Callable[[], object]:
        text = "یک کلمه و word.\n\n" * n
        document = read(text, "fa")
        marked = [
            AnnotatedSpan(
                Numbered(each, note(f"n{each}", "wrong", "high")), 17 * each, 17 * each + 2
            )
            for each in range(n)
        ]

        def placed() -> None:
            found = list(passages(document, marked))
            assert [len(ended) for _passage, ended in found] == [1] * n
            signs = [(each.end, added("‡")) for each in marked]
            with_signs(document.blocks, signs)

        return placed

    assert grows(work, 100) <= _MOST


def test_twice_the_repeats_are_numbered_with_at_most_twice_the_work() -> None:
    def work(n: int) -> Callable[[], object]:
        notes = [note(f"n{each}", "wrong", "high", repeats="n0") for each in range(n)]
        shown = entry(*notes)

        def told() -> None:
            numbers = numbers_of(shown)
            assert all(said_before(numbers, each, "fa") for each in notes)

        return told

    assert grows(work, 100) <= _MOST


def test_words_that_a_text_repeats_are_found_with_at_most_twice_the_work() -> None:
    def work(n: int) -> Callable[[], object]:
        text = "کلمه word " * n
        quotation = quote(text, 10, 14)
        return lambda: find_quotation(text, quotation)

    assert grows(work, 100) <= _MOST
