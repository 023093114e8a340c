"""Every word of a file is in an entry, or in what is listed as not taken; and any file is read."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from kb.errors import BadData
from kb.formats.book import Batch
from kb.formats.notes.reading import read
from kb.model.results import silent
from tests.behind import batch
from tests.plugin import times

MARKS = frozenset(
    """q a e m h x glossary faq answer question card flashcards title tags easy hard c1 what is level br p
    details summary ul li table b note english فارسی problem solution card front back explanation پاسخ سؤال آسان پرسش rest""".split()  # noqa: SIM905
)
"""Words that only mark: levels, labels, ticks, tags of HTML, keys of front matter, heads of tables."""

WORD = st.sampled_from(
    [f"{kind}{n}" for kind in ("alpha", "beta", "واژه", "متن") for n in range(9)]
)
TEXT = st.lists(WORD, min_size=1, max_size=4).map(" ".join)
ASKED = TEXT.map(lambda text: f"What is {text}?") | TEXT.map(lambda text: f"{text} چیست؟")

BLOCKS = st.one_of(
    st.builds("{} {}".format, st.sampled_from(["#", "##", "###"]), TEXT | ASKED),
    st.sampled_from(["# Glossary", "# FAQ"]),
    TEXT,
    ASKED,
    st.builds("**{}** {}".format, ASKED, st.sampled_from(["", "👶", "[E]"])),
    st.builds("**{}. {}**\n{}".format, st.integers(1, 9), ASKED, TEXT),
    st.builds("{}. {}\n   {}".format, st.integers(1, 9), ASKED | TEXT, TEXT),
    st.builds("- {}\n  - {}\n- {}".format, ASKED | TEXT, TEXT, ASKED | TEXT),
    st.builds("- [E] {}\n  {}".format, ASKED, TEXT),
    st.builds("- [ ] {}\n- [x] {}".format, TEXT, TEXT),
    st.builds("Q: {}\nA: {}".format, ASKED | TEXT, TEXT),
    st.builds("سؤال: {}\n\nپاسخ: {}".format, ASKED | TEXT, TEXT),
    st.builds("<details><summary>{}</summary>\n\n{}\n\n</details>".format, ASKED | TEXT, TEXT),
    st.builds("| Question | Answer |\n|--|--|\n| {} | {} |".format, ASKED | TEXT, TEXT),
    st.builds("| {} | {} |\n|--|--|\n| {} | {} |".format, TEXT, TEXT, TEXT, TEXT),
    st.builds("<ul>\n<li>{}</li>\n<li>{}</li>\n</ul>".format, ASKED | TEXT, TEXT),
    st.builds("{}::{}".format, ASKED, TEXT),
    st.builds("{}\n?\n{}".format, ASKED | TEXT, TEXT),
    st.builds("- {} #card\n  - {}".format, TEXT, TEXT),
    st.builds("{} {{{{c1::{}}}}}".format, TEXT, TEXT),
    st.builds("{}\n: {}".format, TEXT, TEXT),
    st.builds("> {}\n> {}".format, ASKED | TEXT, TEXT),
    st.builds("> [!question] {}\n> {}".format, ASKED, TEXT),
    st.builds('??? question "{}"\n    {}'.format, ASKED, TEXT),
    st.builds("**{}** – {}".format, TEXT, TEXT),
    st.builds("- **{}**: {}\n- **{}:** {}".format, TEXT, TEXT, TEXT, TEXT),
    st.builds("- {} >> {}\n- {} ↔ {}".format, TEXT, TEXT, TEXT, TEXT),
    st.builds("{}\t{}\n{}\t{}\n{}\t{}".format, TEXT, TEXT, TEXT, TEXT, TEXT, TEXT),
    st.builds(
        "| English | فارسی |\n|--|--|\n| {} | {} |\n| {} | {} |".format, TEXT, TEXT, ASKED, TEXT
    ),
    st.builds(
        "## Problem {} ({} points)\n\n{}\n\nSolution: {}".format,
        st.integers(1, 9),
        st.integers(1, 9),
        TEXT,
        TEXT,
    ),
    st.builds("### Card {}\n**Front:** {}\n**Back:** {}".format, st.integers(1, 9), TEXT, TEXT),
    st.builds("1. {}\n\n   **Answer:** {}".format, TEXT, TEXT),
    st.builds("1. {}\na) {}\nb) {}\n\nAnswer: b".format, TEXT, TEXT, TEXT),
    st.builds("### {}\n\n{}\n\n#### 💡 Explanation:\n\n{}".format, TEXT, TEXT, TEXT),
    st.builds("```\n{}\n```".format, TEXT),
    st.builds("- [{}](#{})".format, TEXT, WORD),
    st.builds("[{}]({}.md) ![{}](p.png)".format, TEXT, WORD, TEXT),
    st.builds("#{}".format, WORD),
    st.just("---"),
    st.just("<br>"),
)


def words(text: str) -> Counter[str]:
    return Counter(re.findall(r"[^\W_]+", text.casefold()))


def kept(found: Batch) -> Counter[str]:
    """Return all words of entries and of what is listed."""
    out: Counter[str] = Counter()
    for entry in found.book.entries:
        stored = {(each.role, each.lang) for each in entry.answers}
        assert len(stored) == len(entry.answers), "one of two answers in a language would be lost"
        texts = [*entry.question.values(), *(each.text for each in entry.answers)]
        texts += [entry.topic or "", *entry.tags, *found.links.get(entry.id, ())]
        for text in texts:
            out += words(text)
        out += words(entry.context or "")
        out += words(entry.file.head if entry.file else "")
    for each in found.dropped:
        out += words(each.text)
    return out


def lost(text: str, found: Batch) -> set[str]:
    there = kept(found)
    return {
        word
        for word in words(re.sub(r"\]\([^()]*\)", "] ", text))
        if word not in there and word not in MARKS and not word.isdigit()
    }


@example(["---", "## Problem 1 (1 points)\n\nalpha0\n\nSolution: alpha0", "---", "alpha0"])
@given(st.lists(BLOCKS, min_size=1, max_size=8))
def test_no_word_of_a_file_is_lost_in_silence(blocks: list[str]) -> None:
    text = "\n\n".join(blocks)
    try:
        found = batch(read, text, "x.md")
    except BadData:
        return
    assert not lost(text, found)


def test_the_control_of_the_words_finds_what_is_lost() -> None:
    found = batch(read, "## What is alpha1?\n\nbeta1\n", "x.md")
    assert lost("## What is alpha1?\n\nbeta1 beta2\n", found) == {"beta2"}


@given(st.lists(BLOCKS, min_size=1, max_size=8))
def test_ids_are_unique_and_lines_are_those_of_the_file(blocks: list[str]) -> None:
    text = "\n".join(blocks)
    try:
        found = batch(read, text, "x.md")
    except BadData:
        return
    ids = [each.id for each in found.book.entries]
    assert len(set(ids)) == len(ids)
    assert set(found.lines) == set(ids)
    assert all(1 <= line <= len(text.split("\n")) for line in found.lines.values())
    assert all(
        question.strip() for each in found.book.entries for question in each.question.values()
    )


SIGNS = st.sampled_from(
    ["#", "*", "_", "`", "```", "~~~", ">", "-", "1.", "۱.", "|", "::", "?", "؟", "[", "]", "(", ")", "<", "<!--", "-->",
     "<details>", "</details>", "<summary>", "<ul>", "<li>", "</ul>", "<h2>", "</h2>", "==", "{{c1::", "}}", "$", "---",
     "#card", "Q:", "A:", "👶", "⭐", "\t", "    ", "\n", "\n\n", "\r", "\u200f", "a", "ب", "\\", "^x", ":", "[E]", "{"]
)  # fmt: skip


@settings(max_examples=times(60))
@given(st.lists(SIGNS, max_size=60).map("".join))
def test_any_marks_are_read_or_refused(text: str) -> None:
    try:
        batch(read, text, "x.md")
    except BadData as error:
        assert error.message.startswith("x.md")


HOSTILE = {
    "quotations": ">" * 50_000,
    "lists in lists": "\n".join(" " * (2 * n) + "- a?" for n in range(200)),
    "brackets": "# " + "[" * 50_000 + "?",
    "links": "[a](" * 20_000,
    "fences": "# What?\n```\n" + "x\n" * 20_000,
    "elements": "<details>\n" * 5_000,
    "lists of HTML": "<ul><li>" * 5_000,
    "comments": "<!--" * 20_000,
    "stars": "**" * 30_000,
    "ticks": "# " + "`` ` " * 10_000,
    "gaps": "{{c1::" * 10_000,
    "highlights": "==" * 30_000,
    "colons": "a::b " * 10_000,
    "blanks": "a" + " " * 50_000 + "b?",
    "signs": "👶\u200d" * 20_000 + "a",
    "brackets of YAML": "---\n" + "[" * 20_000 + "\n---\n",
    "anchors of YAML": "---\na: &a [x]\n" + "b: [*a, *a]\n" * 2_000 + "---\n",
    "wide table": "|a" * 3_000 + "|\n" + "|-" * 3_000 + "|\n" + "|x" * 3_000 + "|\n",
    "one paragraph": "Q: a\n" * 5_000,
}


@pytest.mark.long
@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_files_are_read_or_refused(text: str) -> None:
    try:
        assert batch(read, text, "x.md").book.entries
    except BadData as error:
        assert error.message.startswith("x.md")


class Ended(Exception):
    """What a reader's wish to end raises."""


def test_reading_can_be_ended_on_the_way() -> None:
    import io

    steps = 0

    def progress(done: int, of: int) -> None:
        nonlocal steps
        steps += 1
        if steps == 20:
            raise Ended

    text = "## What is A?\n\nIt is a.\n\n" * 50
    with pytest.raises(Ended):
        read(io.BytesIO(text.encode()), "x.md", progress)
    assert read(io.BytesIO(text.encode()), "x.md", silent).book.entries
