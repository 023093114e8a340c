"""What was confirmed for the release, and that nothing else is believed about it."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import pytest

from kb import Library, __version__, i18n
from kb.content.release import released
from kb.i18n.names import state_of
from kb.model.entry import Annotation, Entry, Release
from kb.model.entry_json import ENTRY
from tests.databases import new_library


@pytest.fixture
def entry(bundled: Library) -> Entry:
    shown = (bundled.show(hit.id) for hit in bundled.list(limit=None).hits)
    return next(each for each in shown if any(note.evidence for note in each.annotations))


def proven(entry: Entry) -> Annotation:
    """Return the first annotation of an entry that rests on a program."""
    return next(each for each in entry.annotations if each.evidence)


def with_note(entry: Entry, **changes: object) -> Entry:
    """Return an entry whose proven annotation is changed, read without what was confirmed."""
    notes = [
        dataclasses.replace(each, release=None, **(changes if each == proven(entry) else {}))
        for each in entry.annotations
    ]
    return dataclasses.replace(entry, annotations=tuple(notes))


def test_all_evidence_of_the_bundled_content_was_confirmed_for_this_release(
    bundled: Library,
) -> None:
    entries = [bundled.show(hit.id) for hit in bundled.list(limit=None).hits]
    notes = [each for entry in entries for each in entry.claims if each.evidence]
    missing = [each.id for each in notes if each.release is None]
    assert not missing, "run: python -m tests.release"
    assert {each.release.version for each in notes if each.release} == {__version__}
    repeated = [each for entry in entries for each in entry.annotations if each.repeats]
    assert repeated
    assert all(each.release for each in repeated if each.status != "no-evidence")


@pytest.mark.parametrize(
    "change",
    [
        lambda note: {"note": {**note.note, "en": "Something else is true."}},
        lambda note: {"verdict": "misleading" if note.verdict == "wrong" else "wrong"},
        lambda note: {"target": note.target._replace(quote=note.target.quote + " so")},
        lambda note: {"evidence": (dataclasses.replace(note.evidence[0], expected=7.0),)},
        lambda note: {"evidence": (dataclasses.replace(note.evidence[0], snippet_hash="0"),)},
        lambda note: {"status": "stale"},
    ],
    ids=["note", "verdict", "quote", "figure", "program", "stale"],
)
def test_what_differs_in_claim_or_program_is_confirmed_for_no_release(
    entry: Entry, change: Callable[[Annotation], dict[str, object]]
) -> None:
    assert proven(released(with_note(entry))).release is not None
    assert proven(released(with_note(entry, **change(proven(entry))))).release is None


def test_a_file_that_says_so_itself_is_not_believed(entry: Entry, tmp_path: Path) -> None:
    written = ENTRY.write(with_note(entry, note={"en": "False."}))
    for each in written["annotations"]:
        each["release"] = Release("9.9", "2030-01-01", "3.11", version("numpy"), "x")._asdict()
    file = tmp_path / "said.jsonl"
    file.write_text(json.dumps(written), encoding="utf-8")
    with new_library(tmp_path / "other.db") as library:
        library.import_file(file)
        shown = library.show(library.list().hits[0].id)
        note = proven(shown)
    assert note.note == {"en": "False."}
    assert note.release is None


def test_it_is_told_until_a_run_here_says_more(entry: Entry) -> None:
    note = proven(entry)
    assert (note.status, note.holds) == ("unverified", True)
    assert state_of(note) == f"verified for danesh {__version__}"
    refuted = dataclasses.replace(note, status="refuted")
    assert (state_of(refuted), refuted.holds) == ("refuted by a run", False)
    assert state_of(dataclasses.replace(note, status="confirmed")) == "confirmed by a run"
    i18n.use_language("fa")
    assert __version__ in state_of(note)
