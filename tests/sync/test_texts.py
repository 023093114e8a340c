"""Merged texts: as git merges them where both do, and by word where git cannot."""

from __future__ import annotations

import random
import shutil
import subprocess

import pytest

from kb.sync.merge import merge_texts
from tests.plugin import EFFORT


def changed(rng: random.Random, lines: list[str]) -> list[str]:
    lines = lines[:]
    for _ in range(rng.randint(1, 3)):
        n = rng.randrange(len(lines) + 1)
        how = rng.random()
        if how < 0.4 or n == len(lines):
            lines.insert(n, f"new {rng.randrange(50)}\n")
        elif how < 0.7:
            lines[n] = lines[n].replace("a", "b", 1) + ("" if rng.random() < 0.5 else "more\n")
        else:
            del lines[n]
    return lines


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_what_git_merges_merges_to_the_same_text(tmp_path):
    rng = random.Random(36)
    both = 0
    for _ in range(int(150 * EFFORT)):
        base = [f"a {rng.randrange(12)} خط\n" for _ in range(rng.randint(2, 20))]
        texts = [base, changed(rng, base), changed(rng, base)]
        paths = [tmp_path / name for name in ("base", "mine", "theirs")]
        for path, lines in zip(paths, texts, strict=True):
            path.write_text("".join(lines), encoding="utf-8")
        found = subprocess.run(
            ["git", "merge-file", "-p", paths[1], paths[0], paths[2]], capture_output=True
        )
        ours = merge_texts(*("".join(lines) for lines in texts), words=False)
        if found.returncode == 0 and ours is not None:
            both += 1
            assert ours == found.stdout.decode()
    assert both > 60 * EFFORT


@pytest.mark.parametrize(
    ("base", "mine", "theirs", "merged"),
    [
        ("a\nb\nc\n", "A\nb\nc\n", "a\nb\nC\n", "A\nb\nC\n"),
        ("یک دو سه چهار", "یک دو سه پنج", "صفر دو سه چهار", "صفر دو سه پنج"),
        ("a\n", "a\nb\n", "a\nc\n", None),
        ("a b c", "a c", "a b c d", "a c d"),
        ("", "a", "b", None),
        ("a", "", "a", ""),
        ("a\n\nb\n", "a\n\nb\nc\n", "x\n\nb\n", "x\n\nb\nc\n"),
    ],
)
def test_a_table_of_merges(base, mine, theirs, merged):
    assert merge_texts(base, mine, theirs) == merged
    assert merge_texts(base, theirs, mine) == merged


def test_a_text_too_large_to_compare_is_a_conflict_and_not_a_wait():
    base = "".join(f"{n}\n" for n in range(5000))
    mine = "".join(f"m{n}\n" for n in range(5000))
    assert merge_texts(base, mine, base + "x\n") is None
