"""The nearest words in the other language: what they find, and what they weigh."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import patch

import pytest

from kb import Library
from kb.content.bundled import bundled_folder
from kb.search.interpret import NEAREST_WEIGHT, interpret
from kb.search.parser import parse
from kb.search.translation import Key, key_of
from kb.service.meaning import NEAREST, _rows, nearest_words
from tests.nearest import DIGEST
from tests.search.test_spellings import lexicon

TABLE: dict[Key, Sequence[str]] = {("zonk", "en"): ("شبکه", "گرادیان"), ("شبک", "fa"): ("zonk",)}


class NoGlossary:
    """A glossary without names."""

    def translations(self, keys: Sequence[Key]) -> dict[Key, list[object]]:
        return {}

    def languages(self) -> tuple[str, ...]:
        return ("en", "fa")


class Glossary(NoGlossary):
    """A glossary that has three English names for every word."""

    def translations(self, keys: Sequence[Key]) -> dict[Key, list[object]]:
        names: list[object] = [SimpleNamespace(name=each) for each in ("network", "net", "mesh")]
        return dict.fromkeys(keys, names)


def test_a_query_is_in_the_language_of_most_of_its_words_and_not_of_its_translations() -> None:
    query = "شبکه 32 RNN گرادیان"
    node = parse(query).node
    assert node is not None
    indexed = lexicon(["شبکه", "گرادیان", "network", "rnn"])
    plan = interpret(node, query, indexed, Glossary()).translated
    assert (plan.lang, plan.translated_into) == ("fa", ("en",))


def nearest_of_a_few(word: Key) -> Sequence[str]:
    return TABLE.get(word, ())


def clauses(query: str, indexed: Sequence[str]) -> list[tuple[str, float]]:
    """Return the first term of each clause of a query, with its weight."""
    node = parse(query).node
    assert node is not None
    plan = interpret(
        node, query, lexicon(indexed), NoGlossary(), lambda word: TABLE.get(word, ())
    ).translated
    return [(clause.phrases[0].terms[0], clause.weight) for clause in plan.clauses]


def test_the_nearest_words_join_a_query_and_weigh_less() -> None:
    indexed = ["zonk", "loss", "شبکه", "گرادیان"]
    found = clauses("zonk loss", indexed)
    assert dict(found)["zonk"] == dict(found)["loss"] == 1.0
    assert found[-2:] == [("شبکه", NEAREST_WEIGHT), ("گرادیان", NEAREST_WEIGHT)]


def test_nearest_words_that_no_text_has_or_the_query_names_are_left_out() -> None:
    assert ("گرادیان", NEAREST_WEIGHT) not in clauses("zonk", ["zonk", "شبکه"])
    assert clauses("zonk شبکه", ["zonk", "شبکه"]).count(("شبکه", NEAREST_WEIGHT)) == 0


def test_operators_and_function_words_have_no_nearest_words() -> None:
    assert all(weight == 1.0 for _, weight in clauses("zonk AND loss", ["zonk", "loss", "شبکه"]))
    with patch.dict(TABLE, {("the", "en"): ("شبکه",)}):
        assert ("شبکه", NEAREST_WEIGHT) not in clauses("the loss", ["loss", "شبکه"])


@pytest.mark.parametrize(("asked", "word"), [("colleagues", "همکاران"), ("پزشکان", "doctor")])
def test_a_text_in_the_other_language_is_found_and_explained(
    empty: Library, tmp_path: Path, asked: str, word: str
) -> None:
    rows = [
        {"id": "a", "lang": "fa", "title": "همکاران", "text": "همکاران آمدند"},
        {"id": "b", "lang": "en", "title": "The doctor", "text": "The doctor came"},
    ]
    file = tmp_path / "two.jsonl"
    file.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows))
    empty.import_file(file, collection="two")
    with patch.object(empty.find._base.store.glossary, "translations", lambda keys: {}):
        found = empty.search(asked, explain=True)
        assert [hit.title if hasattr(hit, "title") else hit.id for hit in found.hits]
        assert any(word in line for line in found.explanation)
        with patch("kb.service.answer.nearest_words", lambda word: ()):
            assert not any(word in line for line in empty.search(asked, explain=True).explanation)


def test_the_stems_of_the_table_are_those_of_the_analyzer() -> None:
    for word in ("networks", "colleagues", "doctors", "همکاران", "پزشکان", "کتاب‌ها"):
        assert nearest_words(key_of(word))


def test_each_word_of_the_table_is_found_and_no_other() -> None:
    for row in map(bytes.decode, _rows(bundled_folder() / NEAREST)):
        lang, stems, others = row.split("\t")
        assert nearest_words((stems, lang)) == tuple(others.split("|"))
        assert not nearest_words((f"{stems}\u200b", lang))
    assert not nearest_words(("colleagues and", "en")) and not nearest_words(("\U0010ffff", "fa"))


def test_the_table_is_sorted_small_and_names_no_word_twice() -> None:
    rows = _rows(bundled_folder() / NEAREST)
    assert rows == sorted(rows) and len(rows) > 20_000
    words = [row.rsplit(b"\t", 1)[0] for row in rows]
    assert len(set(words)) == len(words)
    assert (bundled_folder() / NEAREST).stat().st_size < 1 << 20


def test_the_table_is_the_one_that_the_script_has_made() -> None:
    made = (bundled_folder() / NEAREST).read_bytes()
    assert hashlib.sha256(made).hexdigest() == DIGEST


def test_a_table_that_is_missing_or_damaged_adds_nothing(tmp_path: Path) -> None:
    for data, found in ((None, ()), (b"", ()), (b"lang\nfa\tb\tc|d\nfa\tc", ("c", "d"))):
        _rows.cache_clear()
        if data is not None:
            (tmp_path / NEAREST).write_bytes(data)
        with patch("kb.service.meaning.bundled_folder", lambda: tmp_path):
            assert nearest_words(("b", "fa")) == found
            assert nearest_words(("c", "fa")) == ()
    _rows.cache_clear()
