"""The cards of a vault are written as its own settings of Spaced Repetition say."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from kb.formats.notes.obsidian import USUAL, signs_of
from kb.formats.registry import read_file
from kb.model.results import silent
from tests.databases import new_library

SETTINGS = ".obsidian/plugins/obsidian-spaced-repetition/data.json"
BOLD = "**[123;;]answer[;;hint]**"


def vault(folder: Path, text: str, **settings: Any) -> Path:
    """Write a note and the settings of its vault, and return the note."""
    file = folder / SETTINGS
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps({"settings": settings}), encoding="utf-8")
    note = folder / "Deep" / "note.md"
    note.parent.mkdir(exist_ok=True)
    note.write_text(text, encoding="utf-8")
    return note


def cards(note: Path) -> list[tuple[str, str]]:
    found = (each for each in read_file(note, None, silent).book.entries if each.kind != "note")
    return [(next(iter(each.question.values())), each.answers[0].text) for each in found]


A, FA = ("A norm", "a length"), ("نرم", "اندازه است")
SIDES, BACK = "singleLineCardSeparator", "singleLineReversedCardSeparator"
TURNS, TURNED = "multilineCardSeparator", "multilineReversedCardSeparator"


@pytest.mark.parametrize(("asked", "told"), [A, FA])
@pytest.mark.parametrize(
    ("settings", "text"),
    [
        ({SIDES: "->->"}, "{asked} ->-> {told}"),
        ({BACK: ":@:"}, "{asked}:@:{told}"),
        ({TURNS: "+++"}, "{asked}\n+++\n{told}"),
        ({TURNED: "—"}, "{asked}\n—\n{told}"),
        ({TURNS: "?begin"}, "{asked}\n?begin\n{told}"),
    ],
)
def test_the_separators_of_a_vault_make_its_cards(
    asked: str, told: str, settings: dict[str, str], text: str, tmp_path: Path
) -> None:
    body = text.format(asked=asked, told=told)
    note = vault(tmp_path, f"#flashcards\n\n{body}\n", **settings)
    assert cards(note) == [(asked, told)]
    assert cards(vault(tmp_path, f"No deck.\n\n{body}\n", **settings)) == []
    dated = f"No deck.\n\n{body}\n<!--SR:!2026-01-22,2,250-->\n"
    assert cards(vault(tmp_path, dated, **settings)) == [(asked, told)]
    code = f"```\n{body}\n```\n`{body.replace(chr(10), ' ')}`\n"
    assert cards(vault(tmp_path, f"#flashcards\n\n{code}", **settings)) == []
    assert cards(vault(tmp_path, f"#flashcards\n\n{body}\n")) != [(asked, told)]


@pytest.mark.parametrize(("asked", "told"), [A, FA])
def test_a_separator_of_lines_counts_only_alone_in_its_line(
    asked: str, told: str, tmp_path: Path
) -> None:
    text = f"#flashcards\n\n{asked}\n+++\n{told} +++ {told}\n"
    assert cards(vault(tmp_path, text, **{TURNS: "+++"})) == [(asked, f"{told} +++ {told}")]


@pytest.mark.parametrize(("asked", "told"), [A, FA])
@pytest.mark.parametrize("tag", ["#os", "#ریاضی", "#🧠", "os"])
def test_the_tags_of_a_vault_make_its_decks(
    asked: str, told: str, tag: str, tmp_path: Path
) -> None:
    sign = f"#{tag.lstrip('#')}"
    loud = sign.upper()
    for text in (f"{loud}\n\n{asked}::{told}\n", f"a {sign}/b\n\n- {sign}/c {asked}::{told}\n"):
        assert cards(vault(tmp_path, text, flashcardTags=[tag, ""])) == [(asked, told)]
    front = f"---\ntags: [{tag.lstrip('#').upper()}]\n---\n{asked}::{told}\n"
    assert cards(vault(tmp_path, front, flashcardTags=[tag])) == [(asked, told)]
    other = f"---\ntags: [{tag.lstrip('#')}x]\n---\n{asked}::{told}\n"
    assert cards(vault(tmp_path, other, flashcardTags=[tag])) == []
    for other in (f"{sign}x\n\n{asked}::{told}\n", f"{asked}::{told}\nand some more words\n"):
        assert cards(vault(tmp_path, other, flashcardTags=[tag])) == []
    assert cards(vault(tmp_path, f"#flashcards\n\n{asked}::{told}\n", flashcardTags=[tag]))


@pytest.mark.parametrize("said", ["a length", "اندازه"])
def test_the_gaps_of_a_vault_are_the_patterns_it_has(said: str, tmp_path: Path) -> None:
    def asked(sign: str, text: str, **settings: Any) -> list[str]:
        return [each for each, _ in cards(vault(tmp_path, f"#flashcards\n\n{text}\n", **settings))]

    for left, right in (("==", "=="), ("**", "**"), ("{{", "}}"), ("{@{", "}@}")):
        pattern = f"{left}[123;;]answer[;;hint]{right}"
        text = f"A norm is {left}{said}{right} here"
        assert asked(left, text, clozePatterns=[pattern]) == ["A norm is […] here"]
        assert asked(left, text, clozePatterns=["[[answer]]"]) == []
        equal = asked(left, f"1 == 1 in {left}{said}{right} here", clozePatterns=[pattern])
        assert equal == ["1 == 1 in […] here"]
    for code in (f"`a =={said}== c`", f"$a =={said}== c$"):
        assert asked("", code, clozePatterns=[BOLD.replace("**", "==")]) == []
    bold, marked = f"A norm is **{said}** here", f"A norm is =={said}== here"
    assert asked("", bold, convertBoldTextToClozes=True) == ["A norm is […] here"]
    assert asked("", bold, convertHighlightsToClozes=True) == []
    assert asked("", marked, convertHighlightsToClozes=True) == ["A norm is […] here"]
    assert asked("", marked, convertHighlightsToClozes=False) == []
    both = asked("", f"{bold}\n\n{marked}", clozePatterns=[BOLD, BOLD.replace("**", "==")])
    assert both == ["A norm is […] here"] * 2


def test_a_gap_may_contain_an_equals_sign_and_needs_words_beside_it(tmp_path: Path) -> None:
    text = "#flashcards\n\nThe rule is ==a = b== here\n\n==All of it==\n\n- of it:\n  - ==all==\n"
    assert [asked for asked, _ in cards(vault(tmp_path, text))] == ["The rule is […] here", "[…]"]


HOSTILE = {
    "no JSON": b"{",
    "no object": b"[1]",
    "NUL": b"\0\0",
    "deep": b"[" * 100_000,
    "other types": b'{"settings": {"flashcardTags": {"a": 1}, "clozePatterns": "=="}}',
    "other types within": b'{"flashcardTags": [1, null, ["a"]], "clozePatterns": [1, null, []]}',
    "settings of another type": b'{"settings": []}',
    "a letter and a blank as separators": b'{"singleLineCardSeparator": "a", "multilineCardSeparator": " "}',
    "a very long separator": b'{"singleLineCardSeparator": "' + b"-" * 100_000 + b'"}',
}


@pytest.mark.parametrize("data", HOSTILE.values(), ids=HOSTILE)
def test_settings_that_cannot_be_used_are_as_none(data: bytes, tmp_path: Path) -> None:
    note = vault(tmp_path, "#flashcards\n\na norm::a length\n")
    (tmp_path / SETTINGS).write_bytes(data)
    assert cards(note) == [("a norm", "a length")]
    assert not (signs_of(note).sides or signs_of(note).turns)


def test_many_tags_and_patterns_do_not_take_long(tmp_path: Path) -> None:
    many = [f"#tag{n}" for n in range(100_000)]
    patterns = [f"{n}[123;;]answer[;;hint]{n}" for n in range(100_000)]
    signs = signs_of(vault(tmp_path, "", flashcardTags=many, clozePatterns=patterns))
    assert len(signs.tags) < 200
    assert signs.gap and signs.gap.groups < 200


def test_settings_are_those_of_the_vaults_above_and_none_from_outside(tmp_path: Path) -> None:
    outer = vault(tmp_path, "", flashcardTags=["#a"], singleLineCardSeparator="->")
    others = {"singleLineCardSeparator": "=>", TURNS: "+++"}
    inner = vault(tmp_path / "Deep" / "inner", "", flashcardTags=["#b"], **others)
    assert (signs_of(outer).sides, signs_of(inner).sides) == (("->",), ("=>", "->"))
    assert {"a", "b"} <= {*signs_of(inner).tags}
    assert (signs_of(inner).turns, signs_of(inner).gap) == (("+++",), USUAL.gap)
    (tmp_path / "Deep" / "inner" / SETTINGS).unlink()
    os.symlink(tmp_path / SETTINGS, tmp_path / "Deep" / "inner" / SETTINGS)
    assert signs_of(inner).sides == ("->",)


def test_settings_of_older_versions_are_read_and_the_longest_separator_counts(
    tmp_path: Path,
) -> None:
    note = vault(tmp_path, "#flashcards\n\na ->> b\n\nc -> d\n")
    (tmp_path / SETTINGS).write_text(json.dumps({SIDES: "->", BACK: "->>"}))
    assert cards(note) == [("a", "b"), ("c", "d")]


def test_changed_settings_are_noticed(tmp_path: Path) -> None:
    note = vault(tmp_path, "", singleLineCardSeparator="->")
    assert signs_of(note).sides == ("->",)
    vault(tmp_path, "", singleLineCardSeparator="=>")
    os.utime(tmp_path / SETTINGS, (1, 1))
    assert signs_of(note).sides == ("=>",)


def test_cards_of_such_a_vault_are_the_same_alone_and_come_back_from_an_export(
    tmp_path: Path,
) -> None:
    prose = "A note has words of its own. " * 9
    note = vault(tmp_path / "v", f"#os\n\n{prose}\n\nA norm +> a length\n", flashcardTags=["#os"])
    vault(tmp_path / "v", note.read_text(), flashcardTags=["#os"], singleLineCardSeparator="+>")
    with new_library(tmp_path / "kb.db") as library:
        library.import_file(tmp_path / "v")
        (card,) = (hit for hit in library.list().hits if hit.kind == "card")
        report = library.import_file(tmp_path / "v")
        assert (report.added, report.updated, report.gone) == (0, 0, ())
        library.export("vault", tmp_path / "out")
        found = library.show(card.id)
    assert (tmp_path / "out" / "Deep" / "note.md").read_bytes() == note.read_bytes()
    with new_library(tmp_path / "again.db") as again:
        again.import_file(tmp_path / "out", mine=True)
        now = again.show(card.id)
        assert (now.question, now.answers, now.within) == (
            found.question, found.answers, found.within,
        )  # fmt: skip
