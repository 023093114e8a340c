"""A library small enough to know by heart: an annotated answer, a card, hostile content."""

from __future__ import annotations

import json
from pathlib import Path

from kb.model.entry import (
    Annotation,
    Answer,
    Entry,
    Evidence,
    Snippet,
    Source,
    Span,
    Target,
    digest,
)
from kb.model.entry_json import ENTRY, SOURCE

HOSTILE = "a[i][j] [/ [@click=app.quit]x[/] \x1b[31mred\x1b]0;title\x07 \u202egnp.exe"
QUESTION_FA = "پیچیدگی (زمانی) شبکه RNN چیست؟"
QUESTION_EN = "What does a chain of three matrices cost?"
ANSWER = "Method 1 takes 1,000,000 operations. Method 2 takes 50,000. So choose method 2."
CODE = 'print("left: 500000")\nprint("سلام: right")\nprint("right: 30000")\n'


def span_of(words: str) -> tuple[int, int]:
    start = ANSWER.index(words)
    return start, start + len(words)


def annotation(id: str, words: str, verdict: str, **more: object) -> Annotation:
    start, end = span_of(words)
    target = Target("source", "en", words, 10 + start, 10 + end, "s.txt")
    note = {"en": f"true words on {words}", "fa": f"سخن درست دربارهٔ {words}"}
    return Annotation(id, target, verdict, "high", note, **more)


CHAIN = Entry(
    id="chain",
    kind="question",
    collection="basics",
    question={"en": QUESTION_EN, "fa": QUESTION_FA},
    number="1.1",
    level="E",
    topic="complexity",
    origins={"en": (Span("q.txt", 0, 41),)},
    restored={"en": True},
    answers=(
        Answer("source", "en", ANSWER, Span("s.txt", 10, 10 + len(ANSWER))),
        Answer("reference", "en", "Half a million, and thirty thousand."),
        Answer("reference", "fa", "نیم میلیون و سی هزار."),
    ),
    snippets=(Snippet("chain_cost", {"en": "Two orders"}, CODE, main=True),),
    annotations=(
        annotation(
            "chain-1",
            "1,000,000",
            "wrong",
            references=("Cormen et al., 15.2",),
            evidence=(Evidence("chain_cost", "left", 500_000, 1_000_000),),
        ),
        annotation("chain-2", "choose method 2", "misleading"),
    ),
    related=("flash",),
)
CARD = Entry(
    id="flash",
    kind="card",
    collection="cards",
    question={"en": "What is throughput?"},
    answers=(Answer("source", "en", "Work done per second."),),
)
NASTY = Entry(
    id="nasty",
    kind="note",
    collection="cards",
    question={"en": HOSTILE},
    answers=(Answer("source", "en", f"body {HOSTILE}"),),
)


def write_sample(path: Path) -> Path:
    text = "0123456789" + ANSWER
    source = Source("s.txt", "Answers", "someone", "en", "free", digest(text), text)
    book = {
        "schema_version": 1,
        "collections": [
            {"id": "basics", "title": {"en": "The basics", "fa": "مقدمات"}},
            {"id": "cards", "title": {"en": "Cards"}},
        ],
        "sources": [SOURCE.write(source)],
        "entries": [ENTRY.write(entry) for entry in (CHAIN, CARD, NASTY)],
    }
    path.write_text(json.dumps(book, ensure_ascii=False), encoding="utf-8")
    return path
