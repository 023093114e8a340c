"""What JSON must hold that danesh writes: nothing a terminal obeys, and every text as it was."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb import Library
from kb.formats.book import Book
from kb.formats.registry import exporter
from kb.model.entry import Answer, Entry
from kb.model.json import dumps
from tests.behind import written
from tests.cli.process import run
from tests.robustness.payloads import PAYLOADS, orders

ANY = st.text(st.characters() | st.characters(categories=["Cs", "Cc", "Cf", "Cn"]))
KEPT = "می\u200cشود\u200d\u200e\u200f «متن» naïve 机 🤖"


def is_joined(text: str) -> bool:
    """Say whether surrogates that stand apart would be read as one character."""
    return json.loads(json.dumps(text)) != text


@given(ANY, st.sampled_from([None, 2]))
def test_any_text_reads_back_and_holds_nothing_that_a_terminal_obeys(
    text: str, indent: int | None
) -> None:
    made = dumps({"key": [text], text: None}, indent=indent)
    assert list(orders(made)) == []
    if not is_joined(text):
        assert json.loads(made) == {"key": [text], text: None}


def test_every_character_is_escaped_or_harmless() -> None:
    for code in (
        *range(0x3000),
        *range(0xD800, 0xE000),
        *range(0xFD00, 0x10000),
        *range(0xE0000, 0xE0100),
    ):
        made = dumps(chr(code), indent=None)
        assert json.loads(made) == chr(code)
        assert list(orders(made)) == [], hex(code)


def test_the_control_has_them_where_json_is_written_by_others() -> None:
    assert list(orders(json.dumps("\x7f\x9b\u202e\u2028", ensure_ascii=False)))


def test_what_persian_is_written_with_stays_as_it_is() -> None:
    assert dumps(KEPT, indent=None) == f'"{KEPT}"'


@pytest.mark.parametrize("format", ["json", "jsonl", "jsonld"])
def test_json_exports_hold_nothing_that_a_terminal_obeys(format: str) -> None:
    text = "".join(PAYLOADS.values())
    entry = Entry(
        "x", "card", "x", {"en": text}, tags=(text,), answers=(Answer("source", "fa", text),)
    )
    assert (
        list(orders(written(exporter(format), Book((entry,), collections={"x": {"en": text}}))))
        == []
    )


def test_json_on_both_streams_escapes_what_a_terminal_obeys(empty: Library) -> None:
    said = "\x9b2J\x7f\u202e\u2028"
    told = run("--db", str(empty.path), "search", f"what {said}", "--json")
    assert json.loads(told.stdout)["query"] == f"what {said}"
    failed = run("--db", str(empty.path), "show", said, "--json")
    assert said in json.loads(failed.stderr)["error"]["message"]
    assert list(orders(told.stdout + failed.stderr)) == []
