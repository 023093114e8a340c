"""A dictionary learned from parallel texts: which pairs, from what, and found by in a search."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kb import Library, limits
from kb.content.glossary import Pair
from kb.errors import BadData, Cancelled, NotFound, UsageError
from kb.model.draft import Draft
from kb.search import learning
from kb.search.learning import learn
from kb.search.translation import MOST
from tests.databases import new_library
from tests.plugin import times

NOUNS = {
    "otter": "سمور", "river": "رودخانه", "house": "خانه", "garden": "باغ", "door": "در‌وازه",
    "lamp": "چراغ", "horse": "اسب", "bread": "نان", "mountain": "کوه", "ship": "کشتی",
}  # fmt: skip
ADJECTIVES = {
    "red": "قرمز", "old": "قدیمی", "small": "کوچک", "beautiful": "زیبا", "heavy": "سنگین",
    "quiet": "آرام", "cheap": "ارزان", "cold": "سرد",
}  # fmt: skip
KNOWN = {*NOUNS.items(), *ADJECTIVES.items()}
SENTENCES: list[Pair] = [
    (f"The {noun} is {adjective}.", f"{NOUNS[noun]} {ADJECTIVES[adjective]} است.")
    for number, (noun, adjective) in enumerate(itertools.product(NOUNS, ADJECTIVES))
    if number % 3
]


def learned(pairs: list[Pair], left: str = "en", right: str = "fa") -> list[Pair]:
    concepts = learn(pairs, (left, right)).concepts
    return [(each.names[left][0], each.names[right][0]) for each in concepts]


def shuffled(pairs: list[Pair], seed: int) -> list[Pair]:
    others = [other for _, other in pairs]
    random.Random(seed).shuffle(others)
    return [(one, other) for (one, _), other in zip(pairs, others, strict=True)]


def write(file: Path, pairs: list[Pair]) -> Path:
    file.write_text("".join(f"{one}\t{other}\tCC\n" for one, other in pairs), encoding="utf-8")
    return file


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with new_library(tmp_path / "t.db") as opened:
        opened.edit.new(Draft(question={"fa": "سمور کجا زندگی می‌کند؟"}, kind="question"))
        opened.edit.new(Draft(question={"en": "Where is the otter today?"}, kind="question"))
        yield opened


def asked(library: Library, query: str) -> set[str | None]:
    """Return how each entry that a query finds was found."""
    return {hit.via for hit in library.search(query).hits}


def test_words_that_translate_each_other_are_learned_and_no_others() -> None:
    assert set(learned(SENTENCES)) == KNOWN
    backward = [(other, one) for one, other in SENTENCES]
    assert set(learned(backward, "fa", "en")) == {(other, one) for one, other in KNOWN}


@pytest.mark.parametrize("seed", range(5))
def test_from_sentences_beside_others_translations_hardly_anything_is_learned(seed: int) -> None:
    assert len(learned(shuffled(SENTENCES, seed))) <= 1


@settings(max_examples=times(5))
@given(st.permutations(SENTENCES))
def test_in_whatever_order_sentences_come_the_same_is_learned(pairs: list[Pair]) -> None:
    assert learned(pairs) == learned(SENTENCES)


def test_a_word_is_named_as_it_stood_most_often() -> None:
    plural = [(f"Two otters and {x}.", f"دو سمورها و {y}.") for x, y in ADJECTIVES.items()]
    assert ("otters", "سمورها") in learned(SENTENCES + plural)
    assert ("otter", "سمور") not in learned(SENTENCES + plural)


def test_a_word_of_many_names_gets_few() -> None:
    banks = ("بانک", "ساحل", "کرانه", "ردیف", "توده", "ذخیره")
    spread = itertools.product(banks, ADJECTIVES.items())
    pairs = SENTENCES + [(f"The bank is {x}.", f"{bank} {y} است.") for bank, (x, y) in spread]
    names = [other for one, other in learned(pairs) if one == "bank"]
    assert len(names) == MOST
    assert set(names) < set(banks)
    turned = learned([(other, one) for one, other in pairs], "fa", "en")
    assert len([one for one, other in turned if other == "bank"]) == MOST


def test_words_that_never_stand_apart_are_not_told_apart() -> None:
    together = [
        ("The red otter with quokka and numbat.", "سمور قرمز با کوکا و نامبات."),
        ("The old lamp with quokka and numbat.", "چراغ قدیمی با کوکا و نامبات."),
    ]
    assert set(learned(SENTENCES + together)) == KNOWN


def test_a_long_text_is_aligned_in_parts_with_the_same_result(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = learn(SENTENCES, ("en", "fa"))
    monkeypatch.setattr(learning, "_BLOCK", 20)
    assert learn(SENTENCES, ("en", "fa")) == whole


def test_function_words_numbers_and_words_in_another_script_are_no_names() -> None:
    pairs = [(f"{one} with 17 tensors", f"{other} با ۱۷ tensors") for one, other in SENTENCES]
    assert set(learned(pairs)) == KNOWN


def test_a_word_of_one_language_is_no_name_of_what_is_none_of_the_other() -> None:
    pairs = [(f"The zebra is {one}.", f"Zebrix {other} است.") for one, other in ADJECTIVES.items()]
    pairs += [(f"The ۱۷۸ is {one}.", f"گوزن {other} است.") for one, other in ADJECTIVES.items()]
    assert set(learned(SENTENCES + pairs)) == KNOWN
    control = [(one, other.replace("Zebrix", "گورخر")) for one, other in pairs]
    assert set(learned(SENTENCES + control)) == KNOWN | {("zebra", "گورخر")}


def test_what_was_repeated_or_is_too_long_is_told_and_says_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    long = ("otter " * limits.SENTENCE, "چراغ " * limits.SENTENCE)
    found = learn([*SENTENCES, *SENTENCES, long], ("en", "fa"))
    assert (found.repeated, found.too_long) == (len(SENTENCES), 1)
    assert found.concepts == learn(SENTENCES, ("en", "fa")).concepts
    everything = (" ".join(NOUNS), " ".join(NOUNS.values()))
    monkeypatch.setattr(limits, "LINKS", 4 * len(SENTENCES) + 50)
    found = learn([*SENTENCES, everything], ("en", "fa"))
    assert found.too_long == 1
    assert found.concepts == learn(SENTENCES, ("en", "fa")).concepts


def test_a_search_finds_the_other_language_by_a_learned_word(
    library: Library, tmp_path: Path
) -> None:
    assert asked(library, "otter") == asked(library, "سمور") == {"text"}
    report = library.glossary.learn([write(tmp_path / "animals.tsv", SENTENCES)])
    assert report == ("animals", len(KNOWN), len(SENTENCES), 0, 0)
    assert asked(library, "otter") == asked(library, "سمور") == {"text", "translation"}
    assert asked(library, "otters") == asked(library, "سمورها") == {"text", "translation"}


def test_learning_again_replaces_what_was_learned(library: Library, tmp_path: Path) -> None:
    file = write(tmp_path / "animals.tsv", SENTENCES)
    library.glossary.learn([file])
    library.glossary.learn([write(file, shuffled(SENTENCES, 1))])
    assert asked(library, "otter") == {"text"}
    assert library.glossary.translate("gradient")


def test_files_are_learned_from_together(library: Library, tmp_path: Path) -> None:
    files = [write(tmp_path / f"{n}.tsv", SENTENCES[n::2]) for n in range(2)]
    report = library.glossary.learn(files)
    assert (report.name, report.sentences) == ("0+1", len(SENTENCES))
    assert report.pairs == len(KNOWN)


def test_without_files_it_is_learned_from_texts_that_stand_in_both_languages(
    library: Library,
) -> None:
    with pytest.raises(NotFound, match="both languages"):
        library.glossary.learn()
    half = len(SENTENCES) // 2
    for one, other in SENTENCES[:half]:
        library.edit.new(Draft(question={"en": one, "fa": other}, kind="question"))
    one, other = (" ".join(texts) for texts in zip(*SENTENCES[half:], strict=True))
    answers = {"reference": {"en": one, "fa": other}}
    said = {"en": "Say all.", "fa": "همه را بگو."}
    library.edit.new(Draft(question=said, answers=answers, kind="question"))
    report = library.glossary.learn()
    assert (report.name, report.sentences) == ("learned", len(SENTENCES) + 1)
    assert report.pairs == len(KNOWN)
    assert library.glossary.translate("سمور")["en"] == ["otter"]


def test_what_stands_in_different_roles_is_no_translation(library: Library) -> None:
    answers = {"source": {"en": "An otter."}, "reference": {"fa": "یک سمور."}}
    library.edit.new(Draft(question={"en": "Which?"}, answers=answers, kind="question"))
    with pytest.raises(NotFound, match="both languages"):
        library.glossary.learn()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("The otter.\tسمور.\nThe river.\n", ":2: a line needs two columns"),
        ("\tسمور.\n", ":1: a line needs two columns"),
        ("\n\n", "contains no pair of sentences"),
        ("", "contains no pair of sentences"),
    ],
)
def test_a_broken_file_is_named_and_changes_nothing(
    library: Library, tmp_path: Path, text: str, told: str
) -> None:
    file = write(tmp_path / "animals.tsv", SENTENCES)
    library.glossary.learn([file])
    file.write_text(text)
    good = write(tmp_path / "good.tsv", SENTENCES)
    with pytest.raises(BadData, match=rf"animals\.tsv.*{told}"):
        library.glossary.learn([good, file])
    assert asked(library, "otter") == {"text", "translation"}


def test_what_cannot_be_learned_from_is_refused(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = write(tmp_path / "animals.tsv", SENTENCES)
    with pytest.raises(NotFound):
        library.glossary.learn([tmp_path / "none.tsv"])
    with pytest.raises(UsageError, match="two languages"):
        library.glossary.learn([file], languages=("en", "en"))
    with pytest.raises(UsageError, match="several paths"):
        library.glossary.learn(str(file))
    monkeypatch.setattr(limits, "PAIRS", len(SENTENCES))
    with pytest.raises(BadData, match="these files contain more than"):
        library.glossary.learn([file, file])


def test_learning_that_is_ended_changes_nothing(library: Library, tmp_path: Path) -> None:
    file = write(tmp_path / "animals.tsv", SENTENCES)
    steps: list[tuple[int, int]] = []
    library.glossary.learn([file], progress=lambda *step: steps.append(step))
    library.glossary.learn([write(file, shuffled(SENTENCES, 1))])
    write(file, SENTENCES)
    for last in range(len(steps)):
        told: list[tuple[int, int]] = []

        def stop(*step: int, last: int = last, told: list[tuple[int, int]] = told) -> None:
            told.append((step[0], step[1]))
            if len(told) > last:
                raise Cancelled("enough")

        with pytest.raises(Cancelled):
            library.glossary.learn([file], progress=stop)
    assert steps.count(steps[-1]) > 10, "each round in each direction can be ended"
    assert asked(library, "otter") == {"text"}
