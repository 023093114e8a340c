"""What no export gives away: what was deleted, hidden or changed, who wrote it, and from where."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import sqlite3
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from kb import Library, open_library
from kb.formats.registry import EXPORTERS
from kb.model.draft import Amendment, Draft
from kb.model.entry import Review, TextSpan
from kb.service.write import hide_entry
from tests.databases import new_library

KEPT, KEPT_FA = "kzqvbkept", "ماندنیقژ"
IMAGES = {word: f"\x89PNG {word} \r\n".encode() for word in ("kzqvbimage", "kzqvbgone")}
REVIEWED = 1_234_567_890_123
TELLTALES = (
    "kzqvbfolder", "kzqvbuser", "kzqvbremoved", "kzqvbgone", "kzqvbhidden", "kzqvbbefore",
    "kzqvbundone", "kzqvbsource", "kzqvbcode", "kzqvbword", "kzqvbdictionary", "حذفشدهقژ", "پیشینقژ", "واژهقژ",
)  # fmt: skip


DOCUMENT = {
    "schema_version": 1,
    "sources": [{"file": "given.md", "title": "Given", "author": "", "lang": "en", "rights": "",
                 "sha256": hashlib.sha256(b"kzqvbsource").hexdigest(), "text": "kzqvbsource"}],
    "entries": [{
        "id": "quoted", "kind": "card", "collection": "other", "question": {"en": "Quoted?"},
        "answers": [{"role": "source", "lang": "en", "text": "kzqvbsource",
                     "origin": {"file": "given.md", "start": 0, "end": 11}}],
        "snippets": [{"id": "p", "title": {}, "code": "print('kzqvbcode: 1')\n", "main": True}],
    }],
}  # fmt: skip
"""An entry with a source document and a program, which is deleted again."""


@pytest.fixture(scope="module")
def lived_in(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """A knowledge base in which everything has happened that is nobody else's business."""
    course = tmp_path_factory.mktemp("kzqvbfolder") / "course"
    course.mkdir()
    for word, image in IMAGES.items():
        (course / f"{word}.png").write_bytes(image)
    (course / "cards.md").write_text(
        f"## What is {KEPT} gradient?\n\nIt shows ![it](kzqvbimage.png), {KEPT_FA}.\n\n"
        "## What is kzqvbremoved?\n\nحذفشدهقژ, ![it](kzqvbgone.png)\n"
    )
    (course / "other.json").write_text(json.dumps(DOCUMENT))
    (course / "taken-back.md").write_text("## What is kzqvbundone?\n\nNothing.\n")
    (course / "kzqvbdictionary.tsv").write_text(f"{KEPT}\tواژهقژ\nkzqvbword\tواژه\n")
    with pytest.MonkeyPatch.context() as patched:
        for name in ("LOGNAME", "USER", "LNAME", "USERNAME"):
            patched.setenv(name, "kzqvbuser")
        with new_library(course.parent / "kb.db") as library:
            live_in(library, course)
            yield library


def live_in(library: Library, course: Path) -> None:
    library.import_file(course / "cards.md", collection="cards")
    (kept,) = library.search(KEPT).hits[:1]
    (removed,) = library.search("kzqvbremoved").hits[:1]
    library.edit.amend(kept.id, Amendment(question="What is kzqvbbefore gradient?"))
    library.edit.amend(kept.id, Amendment(question=f"What is {KEPT} پیشینقژ gradient?"))
    library.edit.amend(kept.id, Amendment(question=f"What is {KEPT} gradient?"))
    library.import_file(course / "other.json")
    library.edit.remove([removed.id, "quoted"])
    (hidden,) = library.edit.new(Draft({"en": "What is hidden?"}, {})).ids
    library.own.annotate(hidden, TextSpan("question", "en", 0, 4), "kzqvbhidden")
    library.own.save_snippet(hidden, "print('kzqvbhidden: 1')\n")
    with library._base.store.transaction():
        hide_entry(library._base, hidden, True)
    library.own.annotate(kept.id, TextSpan("question", "en", 0, 4), f"{KEPT} note")
    library.edit.new(Draft({"en": "What else is there?", "fa": "چه هست؟"}, {}))
    library.edit.remove(library.edit.new(Draft({"fa": "حذفشدهقژ"}, {})).ids)
    library.glossary.add(course / "kzqvbdictionary.tsv")
    with library._base.store.transaction():
        library._base.store.reviews.put({kept.id: [Review(0, REVIEWED, 3, 4, 2500, 900, 1)]})
    library.import_file(course / "taken-back.md")
    library.changes.undo()


def everything(path: Path) -> bytes:
    """Return every byte of an export, and of what is packed in it, with the names of files."""
    files = sorted(path.rglob("*")) if path.is_dir() else [path]
    held = [str(file.relative_to(path.parent)).encode() for file in files if path.is_dir()]
    held += [unpacked(file.read_bytes()) for file in files if file.is_file()]
    return b"\n".join(held)


def unpacked(data: bytes) -> bytes:
    if not data.startswith(b"PK\3\4"):
        return data
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = [each.encode() + unpacked(archive.read(each)) for each in archive.namelist()]
    return b"\n".join(members)


def told(held: bytes) -> list[str]:
    """Return the telltales that stand in an export, as they are or encoded."""
    images = base64.b64encode(IMAGES["kzqvbgone"]) in held
    return [word for word in TELLTALES if word.encode() in held.lower()] + ["image"] * images


@pytest.mark.long
@pytest.mark.parametrize("part", [False, True], ids=["whole", "part"])
@pytest.mark.parametrize("format", EXPORTERS)
def test_an_export_holds_what_is_listed_and_nothing_of_the_rest(
    lived_in: Library, tmp_path: Path, format: str, part: bool
) -> None:
    ids = [hit.id for hit in lived_in.list().hits if hit.collection == "cards"] if part else None
    out = tmp_path / "out"
    lived_in.export(format, out, ids=ids)
    held = everything(out)
    assert told(held) == []
    assert KEPT.encode() in held.lower()
    assert str(REVIEWED).encode() not in held


def test_a_backup_is_the_full_copy(lived_in: Library, tmp_path: Path) -> None:
    held = everything(Path(lived_in.backups.make(tmp_path / "copy.db").path))
    assert set(told(held)) >= set(TELLTALES) - {"kzqvbdictionary"}


PUBLIC = {
    "_sqlite_migrations", "meta", "source", "collection", "entry", "document", "snippet",
    "title", "link", "entry_snippet", "annotation", "evidence", "verification", "name", "media",
    "index_revision", "index_segment", "index_documents", "index_posting", "index_skeleton",
    "sqlite_sequence", "sqlite_stat1", "document_fts", "document_fts_data", "document_fts_idx",
    "document_fts_docsize", "document_fts_config",
}  # fmt: skip


@pytest.mark.long
@pytest.mark.parametrize("part", [False, True], ids=["whole", "part"])
def test_a_database_that_is_given_away_is_sound_and_has_rows_in_public_tables_alone(
    lived_in: Library, tmp_path: Path, part: bool
) -> None:
    listed = [hit.id for hit in lived_in.list().hits]
    ids = [id for id in listed if id.startswith("cards/")] if part else listed
    path = tmp_path / "given.db"
    assert lived_in.export("sqlite", path, ids=ids if part else None) == len(ids)
    with sqlite3.connect(path) as raw:
        tables = [
            row[0] for row in raw.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        ]
        rows = {
            name: raw.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0] for name in tables
        }
        assert {name for name, count in rows.items() if count} <= PUBLIC
        assert raw.execute("PRAGMA freelist_count").fetchone() == (0,)
        assert {row[0] for row in raw.execute("SELECT DISTINCT owner FROM name")} == {"bundled"}
    raw.close()
    with open_library(path) as given:
        assert [hit.id for hit in given.list().hits] == ids
        assert [given.show(id) for id in ids] == [lived_in.show(id) for id in ids]
        assert [hit.id for hit in given.search(KEPT).hits] == ids[:1]
        assert [each.name for each in given.doctor() if not each.well] == []
        assert given.read.collections() == lived_in.read.collections() or part
        assert not given.search("kzqvbremoved").hits
