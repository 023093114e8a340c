"""A small book of everything that is hard to write down."""

from __future__ import annotations

from kb.formats.book import Book
from kb.model.entry import (
    Annotation,
    Answer,
    Assessment,
    Entry,
    Evidence,
    Snippet,
    Source,
    Span,
    Target,
    digest,
)

TEXT = 'The cost is "O(T)" | not O(T·W) 🤖.\nشبکه‌های عصبی، «عمیق».\n'
SOURCE = Source("notes.txt", "Notes, “hard”", "Nobody", "en", "None.", digest(TEXT), TEXT)
CODE = 'print("a|b", \'c\')  # ```\nfigure = 2\nprint(f"figure: {figure}")\n'

BOOK = Book(
    entries=(
        Entry(
            id='hard/first, "one" | 🤖',
            kind="question",
            collection="hard",
            question={
                "en": 'What does `a[i] | b` say,\n"exactly"? <b>now</b>',
                "fa": "شبکه‌های عصبی «عمیق» | چیست؟ 🤖",
            },
            number="1.1",
            level="H",
            topic="networks",
            tags=("deep learning", "شبکه‌ها"),
            origins={"en": (Span("notes.txt", 0, 36),)},
            restored={"en": True},
            wording={"fa": "شبکه‌های عصبیِ «ژرف» | یعنی چه؟"},
            answers=(
                Answer("source", "en", TEXT.split("\n")[0], Span("notes.txt", 0, 36)),
                Answer(
                    "reference",
                    "fa",
                    "# نه\n```python\nif a < b:\n    print('|')",
                    evidence=(Evidence("hard_one", "figure", 2.0, basis="counted"),),
                    status="unverified",
                ),
            ),
            short={"en": "It says `O(T)`,\n# no more"},
            example={"fa": "=1+1 است ۲"},
            mistakes={"en": "- *To say* O(T) | <b>"},
            further={"en": "- Why [[hard/second]]?\n- And <b>then</b>?"},
            assessment=Assessment("flawed", {"en": "It says **O(T)**.", "fa": "«O(T)» نیست"}),
            snippets=(Snippet("hard_one", {"en": "A `title`", "fa": "یک عنوان"}, CODE, True),),
            annotations=(
                Annotation(
                    id="hard-claim",
                    target=Target("source", "en", '"O(T)"', 12, 18, "notes.txt"),
                    verdict="wrong",
                    severity="high",
                    note={"en": "It is O(T·W), *not* O(T).", "fa": "O(T·W) است، نه O(T)."},
                    references=("A. Author: A Book | Part <1>",),
                    evidence=(
                        Evidence("hard_one", "figure", 2.0, 1000000.0, 0.5, False, "q", "s"),
                    ),
                ),
                Annotation(
                    id="hard-claim-again",
                    target=Target("source", "en", "O(T·W)", 25, 31, "notes.txt"),
                    verdict="wrong",
                    severity="high",
                    note={"en": "It is O(T·W), *not* O(T).", "fa": "O(T·W) است، نه O(T)."},
                    repeats="hard-claim",
                ),
            ),
            related=("hard/second",),
        ),
        Entry(
            id="hard/second",
            kind="card",
            collection="hard",
            question={"en": "=1+1"},
            answers=(Answer("source", "en", ""),),
            snippets=(Snippet("own-2", {}, "print(1)\n", own=True),),
            annotations=(
                Annotation(
                    id="own-1",
                    target=Target("question", "en", "1", 1, 2, "", "=", "+1"),
                    verdict="note",
                    severity="low",
                    note={"fa": "«یک» | نه"},
                    status="no-evidence",
                    own=True,
                ),
            ),
        ),
    ),
    sources=(SOURCE,),
    collections={"hard": {"en": "Hard | things", "fa": "چیزهای سخت"}},
)
