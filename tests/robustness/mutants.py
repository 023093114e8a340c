"""Files of every format that can be read, and what a hostile hand makes of them."""

from __future__ import annotations

import io
import json
import random
import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kb.formats import form
from kb.formats.book import Book
from kb.formats.registry import EXPORTERS, exporter
from kb.model.draft import Draft
from kb.model.entry import Annotation, Answer, Entry, Snippet, Target

Files = dict[str, bytes]
"""Files by their names below a folder; what is imported stands first."""

_TEXT = "Gradient descent steps against the gradient.\n\nIts `rate` is $\\alpha$."
_ENTRIES = (
    Entry(
        "own/descent", "question", "own", {"en": "Why descend?", "fa": "چرا گرادیان؟"},
        number="1", level="M", topic="optimizers", tags=("sgd", "گرادیان"),
        answers=(Answer("source", "en", _TEXT), Answer("reference", "fa", "چون زیان کم می‌شود.")),
        snippets=(Snippet("steps", {"en": "Steps"}, "print('x: 1')\n", main=True, own=True),),
        annotations=(
            Annotation(
                "n1", Target("source", "en", "Gradient", 0, 8), "note", "minor",
                {"en": "Which?"}, own=True,
            ),
        ),
        related=("own/card",),
    ),
    Entry("own/card", "card", "own", {"en": "What is a logit?"},
          answers=(Answer("source", "en", "The log of the odds."),)),
)  # fmt: skip

_LINES = "".join(
    json.dumps(each, ensure_ascii=False) + "\n"
    for each in (
        {"id": "a", "lang": "en", "title": "Why?", "text": _TEXT, "tags": ["x"], "level": "E"},
        {"id": "a", "lang": "fa", "title": "چرا؟", "text": "زیرا."},
        {"id": 7, "title": "What?", "text": "That.", "source": {"page": [1, 2.5, None, True]}},
    )
)

_STYLES = tuple(
    "\n".join(lines) + "\n"
    for lines in (
        ("---", "title: Notes", "tags: [a, b]", "---", "# Notes", "", "## Why is it so?", "",
         "Because.", "", "## چرا؟", "", "زیرا."),
        ("**1. What is `x`?**", "", "A name.", "", "- [ ] a", "- [x] b", "", "> quoted", "",
         "```python", "print(1)", "```"),
        ("What is a::A letter", "question", "?", "answer", "", "<!--SR:!2024-01-01,3,250-->",
         "A {{c1::gap}} here ==so=="),
        ("Q: Why?", "A: So.", "", "سوال ۱: چرا؟", "پاسخ: زیرا.", "", "| Question | Answer |",
         "|---|---|", "| Why? | So |"),
        ("<details><summary>Why?</summary>", "", "<ul><li>one</li><li>two</li></ul>", "",
         "</details>", "", "> [!question] What?", "> That.", "", "Term", ": its meaning", "",
         "1. Why?", "   - since", "", "[[link|to]] [a](b)"),
    )
)  # fmt: skip

_TABLES = (
    ('Frage;question;پاسخ;tags\r\n1;Why?;"So; and\n so";a, b\r\n2;چرا؟;زیرا;\r\n', "utf-8-sig"),
    ("front\tback\tlevel\nWhy?\tSo\tE\nWhat?\tThat\tH\n", "utf-16"),
    ("q|a\n'Why?'|'So'\n", "utf-8"),
)
_NOTEBOOK_3 = json.dumps({
    "nbformat": 3, "nbformat_minor": 0, "metadata": {"name": "n"},
    "worksheets": [{"metadata": {}, "cells": [
        {"cell_type": "heading", "level": 2, "source": ["Why?"], "metadata": {}},
        {"cell_type": "markdown", "source": "Since.", "metadata": {}},
        {"cell_type": "code", "language": "python", "input": ["print(1)"], "collapsed": False,
         "metadata": {}, "prompt_number": 1,
         "outputs": [{"output_type": "stream", "stream": "stdout", "text": ["1\\n"]}]},
    ]}],
}).encode()  # fmt: skip

_COURSE: Files = {
    "course/collection.toml": b'order = 1\n[title]\nen = "Course"\n',
    "course/01-why.toml": (
        'id = "why"\nkind = "question"\nlevel = "M"\ntopic = "t"\ntags = ["x"]\nsnippets = ["s"]\n'
        '[question.en]\ntext = "Why?"\n[question.fa]\ntext = "چرا می شود؟"\n'
        '[[answer]]\nrole = "reference"\nlang = "en"\ntext = """\nSince.\n"""\n'
        '[[answer]]\nrole = "source"\nlang = "en"\n'
        'origin = {file = "doc.txt", start = 0, end = 9}\n'
    ).encode(),
    "course/snippets/s.py": b'"""Steps."""\n\nprint("x: 1")\n',
    "course/sources/doc.txt": b"The words of a source.\n",
    "course/sources/sources.toml": (
        b'[[source]]\nfile = "doc.txt"\ntitle = "T"\nauthor = "A"\nlang = "en"\nrights = "R"\n'
        b'origin = "O"\nsha256 = '
        b'"c63e9e23ec24d3a7fdc2ee6bba0e9ed13fbcdb7b1a0d4d4c7c3d8f2e9b3f0a11"\n'
    ),
    "course/glossary.tsv": (
        "en\tfa\ten_variants\tfa_variants\tfield\tsense\n"
        "gradient\tگرادیان\tgrad|slope\tشیب\toptimization\t\n"
    ).encode(),
}


def _written(name: str) -> bytes:
    out = io.BytesIO()
    exporter(name)(Book(_ENTRIES, collections={"own": {"en": "Own"}}), out)
    return out.getvalue()


def seeds() -> Mapping[str, tuple[Files, ...]]:
    """Return files of every format, each whole."""
    import hashlib

    digest = hashlib.sha256(_COURSE["course/sources/doc.txt"]).hexdigest().encode()
    sources = _COURSE["course/sources/sources.toml"].rpartition(b"= ")[0] + b'= "%s"\n' % digest
    draft = Draft({"en": "Why?"}, {"source": {"en": "So."}}, collection="own", tags=("a",))
    return {
        "json": ({"x.json": _written("json")},),
        "jsonl": ({"x.jsonl": _LINES.encode()}, {"x.jsonl": _written("jsonl")}),
        "csv": ({"x.csv": _written("csv")},) if "csv" in EXPORTERS else (),
        "md": (*({"x.md": each.encode()} for each in _STYLES), {"x.md": _written("md")}),
        "course": ({**_COURSE, "course/sources/sources.toml": sources},),
        "glossary": ({"x.tsv": "gradient\tگرادیان\nmatrix\tماتریس\n# no\n".encode()},),
        "form": ({"x.form": form.write(draft).encode()},),
        "table": tuple({"x.csv": each.encode(code)} for each, code in _TABLES),
        "ipynb": ({"x.ipynb": _NOTEBOOK_3}, {"x.ipynb": _written("ipynb")}),
        "anki": ({"x.txt": _written("anki")},),
        "apkg": ({"x.apkg": _written("apkg")},),
        "deck": (
            _deck("collection.anki2"),
            _deck("collection.anki21"),
            _deck("collection.anki21b"),
        ),
        "vault": (_vault(),),
    }


def _deck(collection: str) -> Files:
    """Return what is in a package of one of Anki's layouts, as it is before it is packed."""
    with zipfile.ZipFile(io.BytesIO(_written("apkg"))) as archive:
        inner = archive.read("collection.anki2")
    meta = {"collection.anki21": b"\x08\x02", "collection.anki21b": b"\x08\x03"}.get(collection)
    listed = b"" if collection == "collection.anki21b" else b'{"0": "a.png"}'
    members = {collection: inner, "media": listed, "0": b"\x89PNG"}
    return {f"deck/{name}": data for name, data in members.items()} | (
        {"deck/meta": meta} if meta else {}
    )


def packed(members: Files) -> Files:
    """Return a deck as the package that it is in a file; what Anki packs twice is packed twice."""
    import zstandard

    out = io.BytesIO()
    twice = "deck/collection.anki21b" in members
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            again = twice and not name.endswith("/meta")
            archive.writestr(
                name.removeprefix("deck/"), zstandard.compress(data) if again else data
            )
    return {"deck.apkg": out.getvalue()}


def _vault() -> Files:
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        exporter("vault")(Book(_ENTRIES, collections={"own": {"en": "Own"}}), place)
        files = sorted(each for each in place.rglob("*") if each.is_file())
        return {f"vault/{each.relative_to(place).as_posix()}": each.read_bytes() for each in files}


def mutated(files: Files, others: list[bytes], chance: random.Random) -> Files:
    """Return files of which one was changed, or some."""
    changed = dict(files)
    for name in chance.sample(list(files), chance.choice((1, 1, min(2, len(files))))):
        data = changed[name]
        for _ in range(chance.choice((1, 1, 2, 4))):
            if len(data) <= 1 << 18:  # else it is this process that takes the memory
                data = chance.choice(_WAYS)(data, others, chance)
        changed[name] = data[: 1 << 20]  # what is larger takes its time, and rightly so
    return changed


def _flipped(data: bytes, others: list[bytes], chance: random.Random) -> bytes:
    out = bytearray(data or b"x")
    for _ in range(chance.randint(1, 8)):
        out[chance.randrange(len(out))] = chance.randrange(256)
    return bytes(out)


def _cut(data: bytes, others: list[bytes], chance: random.Random) -> bytes:
    return data[: chance.randint(0, len(data))]


def _without(data: bytes, others: list[bytes], chance: random.Random) -> bytes:
    start = chance.randint(0, len(data))
    return data[:start] + data[start + chance.randint(1, 40) :]


def _spliced(data: bytes, others: list[bytes], chance: random.Random) -> bytes:
    other, at = chance.choice(others), chance.randint(0, len(data))
    start = chance.randint(0, len(other))
    return data[:at] + other[start : start + chance.randint(1, 400)] + data[at:]


def _doubled(data: bytes, others: list[bytes], chance: random.Random) -> bytes:
    lines = data.split(b"\n")
    start = chance.randrange(len(lines))
    some = lines[start : start + chance.randint(1, 6)]
    return b"\n".join([*lines[:start], *some * chance.choice((2, 2, 3, 50, 2000)), *lines[start:]])


def _filled(data: bytes, others: list[bytes], chance: random.Random) -> bytes:
    at, token = chance.randint(0, len(data)), chance.choice(_TOKENS).encode()
    long = chance.choice((3, 50, 1000, 20_000, 60_000))
    return data[:at] + (token * (long // len(token) + 1)) + data[at:]


def _spoiled(data: bytes, others: list[bytes], chance: random.Random) -> bytes:
    at = chance.randint(0, len(data))
    return data[:at] + chance.choice(_BYTES) + data[at:]


def _ended(data: bytes, others: list[bytes], chance: random.Random) -> bytes:
    return data.replace(b"\n", chance.choice((b"\r\n", b"\r", b"\n\n", b"\0", b"\xe2\x80\xa8")))


def _valued(data: bytes, others: list[bytes], chance: random.Random) -> bytes:
    """Put a hostile value into JSON, and where that is none behind a sign of equality or a tab."""
    lines = data.split(b"\n")
    place = chance.randrange(len(lines))
    for whole in (data, lines[place]):
        try:
            value = json.loads(whole)
        except (ValueError, RecursionError):
            continue
        made = json.dumps(_hostile(value, chance)).encode("utf-8", "replace")
        return made if whole is data else b"\n".join([*lines[:place], made, *lines[place + 1 :]])
    for sign in (b" = ", b"\t", b": ", b","):
        if sign in lines[place]:
            cells = lines[place].split(sign)
            cells[chance.randrange(len(cells))] = json.dumps(chance.choice(_VALUES)).encode()
            lines[place] = sign.join(cells)
            break
    return b"\n".join(lines)


def _hostile(value: Any, chance: random.Random) -> Any:
    if isinstance(value, dict) and value and chance.random() < 0.9:
        key = chance.choice(list(value))
        if chance.random() < 0.15:
            return {**value, str(chance.choice(_TOKENS)): chance.choice(_VALUES)}
        return {**value, key: _hostile(value[key], chance)}
    if isinstance(value, list) and value and chance.random() < 0.9:
        at = chance.randrange(len(value))
        return [*value[:at], _hostile(value[at], chance), *value[at + 1 :]]
    return chance.choice(_VALUES)


def _deep(sign: str) -> Any:
    value: Any = 0
    for _ in range(300):
        value = [value] if sign == "[" else {"a": value}
    return value


_WAYS = (_flipped, _cut, _without, _spliced, _doubled, _filled, _spoiled, _ended, _valued, _valued)
_TOKENS = (
    "[", "{", "(", "> ", "*", "*a_ ", "_", "`", "- ", "1. ", "  ", "\u00a0", "\u200c", "\t", "a",
    "گ", "ي ", "\U0001f600", "\ufdfa", "<div>", "<!--", "<ul><li>", "[a](", "[[", "![", "::", "?",
    "\n?\n", "==", "{{c1::", "$", "\\", "&amp;", "|", "|a", "# ", "\n# a?\n", "a.", '"', "'", "\n",
    "\n- a", "\n| a | b |", ": ", "---\n", "~~~", "\x1b]0;x\x07",
    "\x85", "\u2028", "a\u0301", "=1\n",
    "- [ ] ", "<b><i>", "|a|b|\n",
)  # fmt: skip
_BYTES = (
    b"\xff",
    b"\xed\xa0\x80",
    b"\xc0\x80",
    b"\0",
    b"\xef\xbb\xbf",
    b"\x80" * 30,
    b"\xf4\x90\x80\x80",
)
_VALUES: tuple[Any, ...] = (
    None, True, 0, -1, 1 << 63, 1 << 200, 10**4000, 1e308, float("nan"), float("inf"), 2.5,
    "", " ", "x" * 100_000, "\ud800", "\0", "a/../b", "/etc/passwd", "../../x", "ي" * 50_000,
    "\x1b[2J\u202e", [], {}, [[]] * 5000, {str(n): "x" for n in range(3000)}, ["x"] * 20_000,
    _deep("["), _deep("{"), [None], "own/descent", [{"id": "a"}], {"en": None}, "en", "source",
    "note",
)  # fmt: skip
