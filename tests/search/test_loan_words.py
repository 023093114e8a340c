"""Terms of the field as they are typed in Persian letters, in colloquial Persian."""

from __future__ import annotations

import pytest

from kb import Library


@pytest.mark.parametrize(
    ("query", "entry", "among"),
    [
        ("چقدر رم برای ترین کردن لازمه", "training-memory", 3),
        ("برای ترین کردن چقدر رم لازم است", "training-memory", 5),
        ("بچ نرمالیزیشن", "batch-norm-across-gpus", 3),
        ("بچ نورم", "batch-norm-epsilon", 3),
        ("بازیابی و دقت", "model-part", 3),
        ("recall and precision", "model-part", 3),
        ("8 GPU", "training-on-eight-gpus", 5),
        ("۸ GPU", "training-on-eight-gpus", 5),
        ("eight GPUs", "training-on-eight-gpus", 1),
    ],
)
def test_an_entry_is_found_by_what_people_type(
    bundled: Library, query: str, entry: str, among: int
) -> None:
    assert entry in [hit.id for hit in bundled.search(query, limit=among).hits]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("گرادیان دیسنت", "gradient descent"),
        ("لرنینگ ریت", "learning rate"),
        ("اورفیتینگ", "overfitting"),
        ("دراپ اوت", "dropout"),
        ("سلف اتنشن", "self-attention"),
        ("توکنایزر", "tokenizer"),
        ("فاین تیون کردن", "fine-tuning"),
        ("سی پی یو", "central processing unit"),
    ],
)
def test_the_glossary_knows_loan_words_in_persian_letters(
    bundled: Library, typed: str, meant: str
) -> None:
    assert meant in bundled.glossary.translate(typed)["en"]


def test_colloquial_words_beside_a_term_do_not_hide_what_it_finds(bundled: Library) -> None:
    first = bundled.search("پس‌انتشار").hits[0].id
    for told in ("پس‌انتشار چیه", "پس‌انتشار چطوریه", "برای پس‌انتشار چقدر لازمه"):
        assert bundled.search(told).hits[0].id == first
    assert "preprocessing-bottleneck" not in {hit.id for hit in bundled.search("RNN چقدر").hits}


def test_a_superlative_written_apart_stays_one_word(bundled: Library) -> None:
    apart = [hit.id for hit in bundled.search("بزرگ ترین مقدار").hits]
    joined = [hit.id for hit in bundled.search("بزرگ‌ترین مقدار").hits]
    assert apart == joined != []
