"""What a person has looked at is read back as it was written, whatever it is called."""

from __future__ import annotations

import dataclasses
import os
from pathlib import Path

import pytest

from kb.content.folder import ACCEPTED, accept_evidence, read_accepted
from kb.model.entry import Annotation, Evidence, Target

EVIDENCE = Evidence("s", "figure", 2.0, None, 0.0, False, "digest of the quote", "digest of s")


@pytest.mark.parametrize(
    "name",
    ["plain", "my course/week 2", "درس من/۱", 'a "b" \\ c', "a.b", "line\nbreak", "del\x7f", "a'b"],
)
def test_a_name_of_any_signs_is_read_back(tmp_path: Path, name: str) -> None:
    evidence = dataclasses.replace(EVIDENCE, snippet=name)
    target = Target("source", "en", "it", 0, 2, "f")
    other = Annotation("other", target, "wrong", "high", {}, evidence=(EVIDENCE,))
    accept_evidence(tmp_path, [other])
    accept_evidence(tmp_path, [dataclasses.replace(other, id=name, evidence=(evidence,))])
    known = read_accepted(tmp_path)
    assert known == {
        "other": {"quote": "digest of the quote", "s": "digest of s"},
        name: {"quote": "digest of the quote", name: "digest of s"},
    }


def test_a_record_in_which_nothing_changes_is_left_as_it_is(tmp_path: Path) -> None:
    # Its time tells every database that there is new content.
    target = Target("source", "en", "it", 0, 2, "f")
    same = Annotation("same", target, "wrong", "high", {}, evidence=(EVIDENCE,))
    accept_evidence(tmp_path, [same])
    os.utime(tmp_path / ACCEPTED, (1, 1))
    for given in ([], [same]):
        accept_evidence(tmp_path, given)
    assert (tmp_path / ACCEPTED).stat().st_mtime == 1
    accept_evidence(tmp_path, [dataclasses.replace(same, id="other")])
    assert (tmp_path / ACCEPTED).stat().st_mtime > 1
