"""The form an entry is written in: what goes in comes back, and a mistake names its line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.formats import form
from kb.formats.form import FormError
from kb.i18n import use_language
from kb.model.draft import Draft

LINE = st.text(
    st.characters(blacklist_categories=("Cs", "Cc"), blacklist_characters="\u2028\u2029\x85"),
    max_size=30,
)
HEADINGS = st.sampled_from(
    ["## Question (en)", "\\## Answer (fa)", "## Reference answer (de)", "---", "# x"]
)
TEXT = st.lists(LINE | HEADINGS, min_size=1, max_size=5).map(
    lambda some: "\n".join(["x", *some, "y"])
)
TEXTS = st.dictionaries(st.sampled_from(["en", "fa", "de"]), TEXT, max_size=3)
WORD = st.text(
    st.characters(whitelist_categories=("Lu", "Ll", "Lo", "Nd")), min_size=1, max_size=12
)
TAGS = ["a, b", "یک، دو", '"quoted"', "[x]", 'half"', "c d"]
DRAFTS = st.builds(
    Draft,
    question=TEXTS.filter(bool),
    answers=st.dictionaries(st.sampled_from(["source", "reference"]), TEXTS.filter(bool)),
    kind=st.sampled_from(["question", "card", "note"]),
    collection=WORD,
    level=st.sampled_from([None, "E", "M", "H"]),
    number=st.none() | WORD,
    topic=st.none() | WORD,
    tags=st.lists(WORD | st.sampled_from(TAGS), max_size=3, unique=True).map(tuple),
)


@given(DRAFTS)
def test_a_form_gives_back_what_was_written_into_it(draft: Draft) -> None:
    assert form.read(form.write(draft)) == draft


@given(st.text(max_size=400))
def test_any_text_is_a_draft_or_a_mistake_at_a_line(text: str) -> None:
    try:
        form.read(text)
    except FormError as error:
        assert 1 <= error.line <= text.count("\n") + 1


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("---\nlevle: M\n---\n## Question\n\nx\n", 2, "level"),
        ("---\nkind: question\nlevel: Q\n---\n## Question\n\nx\n", 3, "unknown level"),
        ("---\ncollection:\n---\n", 2, "needs a name"),
        ("---\nkind: card\n", 1, "---"),
        ("words\n", 1, "no heading"),
        ("## Question (en)\n\na\n\n## Question (en)\n\nb\n", 5, "another question"),
        ("## Question (en)\n\n## Answer (fa)\n", 4, "a question or an answer"),
    ],
)
def test_a_mistake_names_its_line(text: str, line: int, words: str) -> None:
    with pytest.raises(FormError) as caught:
        form.read(text, "form")
    assert f"form:{line}: " in caught.value.message
    assert words in caught.value.message + caught.value.hint


@pytest.mark.parametrize(
    ("text", "lang"), [("What is a norm?", "en"), ("نرم چیست؟", "fa"), ("ما هي الخوارزمية؟", "ar")]
)
def test_a_language_that_is_left_out_is_guessed(text: str, lang: str) -> None:
    assert form.read(f"## Question\n\n{text}\n").question == {lang: text}


@pytest.mark.parametrize(
    ("lang", "words"),
    [
        ("en", ["easy, medium or hard", "question, card, note", "complexity", "en, fa, de"]),
        ("fa", ["آسان، متوسط یا سخت", "question, card, note", "complexity", "زبان آن را"]),
    ],
)
def test_a_form_says_what_each_field_may_hold(lang: str, words: list[str]) -> None:
    use_language(lang)
    try:
        text = form.write(Draft(collection="notes"))
    finally:
        use_language("en")
    comments = [line for line in text.split("\n") if line.startswith("# ")]
    assert [word for word in words if not any(word in line for line in comments)] == []
    filled = text.replace("level:\n", "level: H\n").replace("(en)\n", "(en)\n\nWhat?\n", 1)
    assert form.read(filled) == Draft({"en": "What?"}, level="H")


@pytest.mark.parametrize(
    ("said", "level"),
    [("easy", "E"), ("Medium", "M"), ("hard", "H"), ("h", "H"), ("آسان", "E"), ("متوسط", "M"),
     ("سخت", "H"), ("", None)],
)  # fmt: skip
def test_a_level_is_named_by_word_or_letter(said: str, level: str | None) -> None:
    assert form.read(f"---\nlevel: {said}\n---\n## Question\n\nx\n").level == level


def test_a_form_that_is_advised_keeps_its_lines_and_its_texts() -> None:
    text = form.write(Draft({"en": "# What?\n\n# a b"}))
    once = form.advised(text, "form:3:\n no such key")
    assert once.startswith("# form:3: no such key\n---\n")
    assert form.advised(once, "two").count("\n") == text.count("\n")
    assert form.read(form.advised(text.split("\n", 1)[1], "bare")) == form.read(text)
