"""One way to end long work: its progress raises `Cancelled`, and the work leaves all well."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from kb import Library, open_library
from kb.errors import Cancelled, ExitCode
from kb.formats.registry import EXPORTERS, IMPORTERS
from kb.model.results import Filters
from kb.text.languages import FINGERPRINT
from tests.behind import damaged, remember


class Watch:
    """A `Progress` that remembers what it was told, and ends the work at a step of its choice."""

    def __init__(self, until: Callable[[int, int], bool] = lambda done, total: False) -> None:
        self._until = until
        self.told: list[tuple[int, int]] = []

    def __call__(self, done: int, total: int) -> None:
        self.told.append((done, total))
        if self._until(done, total):
            raise Cancelled("enough")


def at_once() -> Watch:
    return Watch(lambda done, total: True)


def at_the_end() -> Watch:
    return Watch(lambda done, total: 0 < total == done)


@pytest.fixture(scope="session")
def files(tmp_path_factory: pytest.TempPathFactory, _bundled_file: Path) -> dict[str, Path]:
    """A file of each format that can be imported, and a folder."""
    tmp_path = tmp_path_factory.mktemp("files")
    found: dict[str, Path] = {}
    with open_library(_bundled_file) as library:
        for name in set(EXPORTERS) & set(IMPORTERS):
            found[name] = tmp_path / f"file.{name}"
            library.export(name, found[name], filters=Filters(level="E"))
    foreign = tmp_path / "foreign.jsonl"
    foreign.write_text(
        "\n".join(json.dumps({"id": f"q{n}", "title": f"What is {n}?"}) for n in range(5))
    )
    questions = tmp_path / "questions.md"
    questions.write_text("".join(f"- [E] What is {n}?\n" for n in range(5)))
    course = tmp_path / "course"
    course.mkdir()
    (course / "collection.toml").write_text('order = 1\ntitle.en = "Mine"\n')
    (course / "01-one.toml").write_text(
        'id = "one"\nkind = "note"\ntopic = "t"\n[question.en]\ntext = "One"\n'
    )
    return found | {"foreign": foreign, "questions": questions, "course": course}


def test_the_files_are_of_every_format_that_can_be_imported(files: dict[str, Path]) -> None:
    assert set(files) >= set(IMPORTERS)


KINDS = ("json", "jsonl", "md", "apkg", "ipynb", "foreign", "questions", "course")


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("watch", [at_once, at_the_end])
def test_of_an_import_that_is_ended_nothing_is_stored(
    empty: Library, files: dict[str, Path], kind: str, watch: Callable[[], Watch]
) -> None:
    with pytest.raises(Cancelled) as ended:
        empty.import_file(files[kind], progress=watch())
    assert ended.value.exit_code is ExitCode.INTERRUPTED
    assert empty.list().total == 0
    assert empty.read.collections() == {}
    watched = Watch()
    report = empty.import_file(files[kind], progress=watched)
    assert report.added == empty.list().total > 0
    assert watched.told[0] == (0, 0)
    assert watched.told[-1] == (report.added, report.added)


@pytest.mark.long
@pytest.mark.parametrize(
    ("with_content", "watch"), [(True, at_once), (True, at_the_end), (False, at_once)]
)
def test_of_a_first_build_that_is_ended_no_file_is_left(
    tmp_path: Path, with_content: bool, watch: Callable[[], Watch]
) -> None:
    path = tmp_path / "new" / "kb.db"
    with pytest.raises(Cancelled):
        open_library(path, bundled=with_content, progress=watch())
    assert not list(path.parent.iterdir())


@pytest.mark.long
@pytest.mark.parametrize("watch", [at_once, at_the_end])
def test_an_index_whose_making_anew_is_ended_stays_as_it_was(
    bundled_path: Path, watch: Callable[[], Watch]
) -> None:
    with open_library(bundled_path) as library:
        with pytest.raises(Cancelled):
            library.rebuild(watch())
        remember(library, "analyzer", "of an older analyzer")
        with pytest.raises(Cancelled):
            open_library(bundled_path, progress=watch())
        assert library.info()["index"]["analyzer"] == "of an older analyzer"  # type: ignore[index]
        assert damaged(library) == []
        open_library(bundled_path).close()
        assert library.info()["index"]["analyzer"] == FINGERPRINT  # type: ignore[index]


def test_a_verify_that_is_ended_at_once_changes_nothing(bundled: Library) -> None:
    with pytest.raises(Cancelled):
        bundled.verify(["matrix-chain-three"], progress=at_once())
    assert statuses(bundled) == {"unverified"}


def test_a_verify_that_is_ended_keeps_what_has_run(bundled: Library) -> None:
    with pytest.raises(Cancelled):
        bundled.verify(["matrix-chain-three"], progress=at_the_end())
    assert statuses(bundled) == {"confirmed"}


def statuses(library: Library) -> set[str]:
    entry = library.show("matrix-chain-three")
    return {a.status for a in entry.annotations if a.evidence}
