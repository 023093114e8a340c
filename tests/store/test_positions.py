"""The forward index: each term of a document in its place, and nothing else."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kb import Library
from kb.text.analyzer import analyze
from kb.text.coding import coded
from tests.behind import damaged, raw

WORDS = st.sampled_from(["شبکه", "می‌شود", "gradient", "k-NN", "matrices", "AllReduce", "و"])


@given(words=st.lists(WORDS, max_size=12))
def test_a_phrase_stands_where_its_terms_stand(words: list[str]) -> None:
    terms = [t.text for word in analyze(" . ".join(words), "en") for t in word.terms]
    row = coded(terms)
    assert len(row) == len(terms)
    for place in range(len(terms) - 1):
        assert row.startswith(coded(terms[place : place + 2]), place)


def test_each_document_has_the_terms_it_is_indexed_by(bundled: Library) -> None:
    connection = raw(bundled)
    documents = [row[0] for row in connection.execute("SELECT id FROM document")]
    read = bundled._base.index.positions(documents)
    assert all(any(text.stems for text in columns.values()) for columns in read)
    assert bundled._base.index.positions([10**6]) == [{}]


def test_a_lost_row_is_found_and_mended(bundled: Library) -> None:
    connection = raw(bundled)
    connection.execute("DELETE FROM forward WHERE document = 4")
    connection.execute("UPDATE forward SET terms = substr(terms, 2) WHERE document = 5")
    assert damaged(bundled) == [4, 5]
    assert bundled.search("gradient").total  # what is lost costs a rank, no answer
    bundled.rebuild()
    assert damaged(bundled) == []
