"""What every format keeps of an entry: tried on a base with everything in it, as docs/reference/formats.md says."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from kb import Library
from kb.formats.registry import EXPORTERS, IMPORTERS
from kb.model.entry import Entry, Review
from kb.model.values import LAYERS
from tests.databases import new_library

ROOT = Path(__file__).parents[2]
SOURCE = "گرادیان همان شیب است و همیشه صفر است."
CLAIM = "همیشه صفر است"
IMAGE = b"\x89PNG \r\n\x1a\n not a real one"
SHA = hashlib.sha256(IMAGE).hexdigest()
START = SOURCE.index(CLAIM)

ENTRY = {
    "id": "gradient",
    "kind": "question",
    "collection": "calculus/first",
    "number": "7",
    "level": "M",
    "topic": "optimisation",
    "tags": ["gradient", "گرادیان"],
    "question": {"en": "What does ![a slope](slope.png) show?", "fa": "گرادیان نشان‌دهندهٔ چیست؟"},
    "origins": {"fa": [{"file": "given.md", "start": 0, "end": len("گرادیان")}]},
    "restored": {"fa": True},
    "wording": {"fa": "گرادیان یک تابع چه چیزی را نشان می‌دهد؟"},
    "short": {"en": "Where it rises most.", "fa": "سوی بیشترین رشد."},
    "example": {"en": "| x | slope |\n|---|---|\n| 1 | 2 |"},
    "mistakes": {"fa": "- گفتن اینکه *همیشه* صفر است"},
    "further": {"en": "- And in [[other]]?\n- Why not?"},
    "assessment": {"judgement": "flawed", "sentence": {"en": "It says *always*.", "fa": "«همیشه» نه."}},
    "answers": [
        {"role": "source", "lang": "fa", "text": SOURCE,
         "origin": {"file": "given.md", "start": 0, "end": len(SOURCE)}},
        {"role": "reference", "lang": "en", "text": "The vector of *partial* derivatives, $\\nabla f$.",
         "evidence": [{"snippet": "slope", "figure": "slope", "expected": 2, "basis": "counted"}]},
        {"role": "reference", "lang": "fa", "text": "بردار مشتق‌های جزئی، $\\nabla f$."},
    ],
    "snippets": [
        {"id": "slope", "title": {"en": "A slope"}, "code": "print('slope: 2')\n", "main": True}
    ],
    "annotations": [
        {
            "id": "gradient-zero",
            "target": {"role": "source", "lang": "fa", "quote": CLAIM, "start": START,
                       "end": START + len(CLAIM), "file": "given.md"},
            "verdict": "wrong",
            "severity": "high",
            "note": {"en": "It is 2 at x = 1.", "fa": "در x = 1 برابر ۲ است."},
            "references": ["Cauchy, 1847"],
            "evidence": [{"snippet": "slope", "figure": "slope", "claimed": 0, "expected": 2}],
        }
    ],
    "related": ["other"],
    "media": [{"name": "slope.png", "sha256": SHA, "size": len(IMAGE)}],
    "aliases": ["The slope", "شیب"],
    "context": "| x | y |\n|---|---|\n| 1 | ۲ |",
    "within": "other",
    "prompts": [[""], [], ["Example", "صدا"]],
    "file": {"path": "week 1/شیب.md", "head": "---\r\naliases: [شیب]\r\n---\r\n", "encoding": "utf-8-sig",
             "newline": "crlf"},
}  # fmt: skip
OTHER = {"id": "other", "kind": "card", "collection": "calculus", "question": {"en": "Other?"},
         "answers": [{"role": "source", "lang": "en", "text": "Yes."}]}  # fmt: skip
DOCUMENT = {
    "schema_version": 1,
    "collections": [{"id": "calculus/first", "title": {"en": "First steps", "fa": "گام‌های نخست"}}],
    "sources": [{"file": "given.md", "title": "Given", "author": "Somebody", "lang": "fa",
                 "rights": "theirs", "sha256": hashlib.sha256(SOURCE.encode()).hexdigest(),
                 "text": SOURCE}],
    "entries": [ENTRY, OTHER],
    "media": [{"sha256": SHA, "data": base64.b64encode(IMAGE).decode()}],
    "reviews": [{"entry": "gradient", **Review(0, 1_700_000_000_000, 3, 4, 2500, 900, 1)._asdict()}],
}  # fmt: skip


def texts(entry: Entry, role: str) -> Mapping[str, str]:
    return {lang: text for lang in ("en", "fa") if (text := entry.text(role, lang))}


FIELDS: Mapping[str, Callable[[Entry], object]] = {
    "id": lambda entry: entry.id,
    "collection": lambda entry: entry.collection,
    "kind": lambda entry: entry.kind,
    "number, level, topic": lambda entry: (entry.number, entry.level, entry.topic),
    "tags": lambda entry: set(entry.tags),
    "question": lambda entry: entry.question,
    "better wording": lambda entry: entry.wording,
    "given answers": lambda entry: texts(entry, "source"),
    "reference answers": lambda entry: texts(entry, "reference"),
    "short answer and what goes deeper": lambda entry: [getattr(entry, name) for name in LAYERS],
    "assessment": lambda entry: entry.assessment,
    "figures of answers": lambda entry: [answer.evidence for answer in entry.answers],
    "origins": lambda entry: (entry.origins, [answer.origin for answer in entry.answers]),
    "programs": lambda entry: [(each.id, each.code) for each in entry.snippets],
    "annotations": lambda entry: entry.annotations,
    "related entries": lambda entry: entry.related,
    "media": lambda entry: entry.media,
    "aliases, context": lambda entry: (entry.aliases, entry.context),
    "further cards of an Anki note": lambda entry: entry.prompts,
    "note of a card": lambda entry: entry.within,
    "file of a note": lambda entry: entry.file,
}
OF_THE_BASE = ("reviews", "titles of collections", "source documents")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory):
    folder = tmp_path_factory.mktemp("whole")
    (folder / "whole.json").write_text(json.dumps(DOCUMENT), encoding="utf-8")
    with new_library(folder / "whole.db") as library:
        library.import_file(folder / "whole.json", reviews=True)
        yield library


def again(whole: Library, format: str, folder: Path) -> Library:
    """Return a base of what a format has of another."""
    known = EXPORTERS[format]
    path = folder / f"out{next(iter(known.suffixes), '')}"
    whole.export(format, path, reviews=True)
    if format == "sqlite":
        return new_library(path)
    library = new_library(folder / "again.db")
    studied = known.folder or "reviews" in IMPORTERS[format].options
    library.import_file(path, format=None if known.folder else format, reviews=studied)
    return library


def kept(before: Library, after: Library) -> dict[str, bool]:
    """Say of each field whether it is the same in what came back."""
    was = before.show("gradient")
    all = [after.show(hit.id) for hit in after.list().hits]
    now = next((e for e in all if e.id == was.id or e.id.endswith(f"/{was.id}")), None)
    now = now or next((e for e in all if "![" in "".join(e.question.values())), None)
    found = {name: now is not None and of(now) == of(was) for name, of in FIELDS.items()}
    return found | of_the_base(before) | {
        name: value == of_the_base(before)[name] for name, value in of_the_base(after).items()
    }  # fmt: skip


def of_the_base(library: Library) -> dict[str, object]:
    store = library._base.store
    reviews = [store.reviews.of([entry])[entry] for entry in store.reviews.entries()]
    titles = [title for title in store.catalog.collections().values() if title]
    return dict(zip(OF_THE_BASE, (reviews, titles, store.entries.sources()), strict=True))


BOTH_WAYS = [name for name in EXPORTERS if name in IMPORTERS or (EXPORTERS[name].folder
             and name != "site") or name == "sqlite"]  # fmt: skip


def in_docs() -> dict[str, dict[str, bool]]:
    """Return the table of the docs: for each format, which fields it keeps."""
    text = (ROOT / "docs/reference/formats.md").read_text(encoding="utf-8")
    lines = re.findall(r"^\| (?:kept by|[^|]+) (?:\|[^|\n]*)+\|$", text, re.MULTILINE)
    start = next(n for n, line in enumerate(lines) if line.startswith("| kept by |"))
    rows = [[cell.strip(" `") for cell in line.strip("|").split("|")] for line in lines[start:]]
    names = rows[0][1:]
    fields = (*FIELDS, *OF_THE_BASE)
    told = {row[0]: row[1:] for row in rows[1:] if row[0] in fields}
    return {
        name: {field: told[field][place] == "✓" for field in fields}
        for place, name in enumerate(names)
    }


def test_the_docs_name_every_format_that_goes_both_ways() -> None:
    assert set(in_docs()) == set(BOTH_WAYS)


@pytest.mark.long
@pytest.mark.parametrize("format", BOTH_WAYS)
def test_a_format_keeps_what_the_docs_say_and_no_more(whole, format: str, tmp_path: Path) -> None:
    with again(whole, format, tmp_path) as library:
        assert kept(whole, library) == in_docs()[format]


def test_json_loses_nothing_and_a_database_what_is_about_the_reader_alone() -> None:
    assert all(in_docs()["json"].values())
    lost = [field for field, kept in in_docs()["sqlite"].items() if not kept]
    assert lost == ["file of a note", "reviews"]
