"""Which language a text is in, and what that costs."""

from __future__ import annotations

import tracemalloc

import pytest

from kb.formats.notes import language
from kb.formats.notes.language import language_of

TERSE = """\
Push vs pull

- Push: the server sends, the client waits
- Pull: the client asks with a timeout
- Retry: exponential, jitter, at most five attempts, dead-letter queue, alerting, dashboards
"""
GERMAN = "Ein neuronales Netz lernt seine Gewichte aus Beispielen und nicht aus Regeln."


def test_terse_english_needs_no_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(language, "_identifier", lambda: pytest.fail("the model was loaded"))
    assert language_of(TERSE) == "en"


def test_the_model_decides_as_its_library_does_in_a_third_of_the_memory() -> None:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    language._identifier.cache_clear()
    tracemalloc.start()
    try:
        assert language_of(GERMAN) == "de"
        mapped = tracemalloc.get_traced_memory()[0]
        whole = LanguageIdentifier.from_model_file(MODEL_FILE)
        loaded = tracemalloc.get_traced_memory()[0] - mapped
    finally:
        tracemalloc.stop()
    assert mapped * 3 < loaded
    for text in (GERMAN, TERSE, "Qué es una red neuronal?", "Что такое нейронная сеть?", "x y"):
        scores = dict(whole.rank(text))
        for lang, score in language._identifier().rank(text):
            assert score == pytest.approx(scores[lang], rel=1e-3)


@pytest.mark.parametrize(
    ("asked", "lang"),
    [("چگونه interface را در TypeScript گسترش می‌دهیم؟", "fa"),
     ("Как расширить interface в TypeScript?", "ru"), ("كيف نوسع الواجهة interface في لغة TypeScript؟", "ar")],
)  # fmt: skip
def test_code_and_terms_do_not_make_a_text_english(asked: str, lang: str) -> None:
    code = "readonly x: number"
    assert language_of(f"{asked} {code}") == language_of(f"{asked} {code}", lang) == lang
    longer = f"{asked} {code} interface Point extends Shape"
    assert language_of(longer, lang) == lang
    quoted = (
        f"The word {asked.split()[0]} is a word of the language and means how in that of the book."
    )
    assert language_of(quoted) == language_of(quoted, lang) == "en"


def test_signs_of_formulas_do_not_make_a_text_greek_and_terms_no_text_latin() -> None:
    assert language_of("HbF structure is α2β2 or α2γ2 or δ2γ2") != "el"
    assert language_of("Ποια είναι η δομή HbF;") == "el"
    assert language_of("归并排序用 Master Theorem 怎么算？") == "zh"
    assert language_of("英語論文執筆のコツは Topic sentence である") == "ja"


def test_a_few_kana_do_not_make_a_chinese_text_japanese() -> None:
    assert (
        language_of("这本书讲的是机器学习的基本概念与方法，作者还引用了日语词「の」来说明文字。")
        == "zh"
    )
    assert language_of("東京の大学院の入学試験問題集第一版") == "ja"
