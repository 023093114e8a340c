"""Packages of Anki's come in, as its own library writes them, and in whatever state they are."""

from __future__ import annotations

import io
import json
import sqlite3
import time
import tracemalloc
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kb import Library
from kb.errors import BadData
from kb.formats.anki.collection import _review
from kb.formats.registry import importer
from kb.model.entry import Entry, Review
from tests.databases import new_library
from tests.formats import anki_decks as decks
from tests.plugin import times

pytestmark = pytest.mark.filterwarnings("ignore")
LAYOUTS = ["first.apkg", "second.apkg", "third.apkg", "second.colpkg", "third.colpkg"]


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The same notes in every layout that Anki ever wrote."""
    pytest.importorskip("anki", reason="Anki's own library is not for this platform")
    from anki.collection import Collection

    folder = tmp_path_factory.mktemp("anki")
    collection = Collection(str(folder / "collection.anki2"))
    decks.filled(collection, folder)
    made = {}
    for name in LAYOUTS[1:]:
        decks.exported(collection, folder / name, legacy=name.startswith("second"))
        made[name] = (folder / name).read_bytes()
        collection.reopen() if collection.db is None else None
    collection.close()
    return {"first.apkg": decks.first_layout(folder / "second.apkg"), **made}


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with new_library(tmp_path / "kb.db") as opened:
        yield opened


def put(folder: Path, name: str, data: bytes) -> Path:
    (folder / name).write_bytes(data)
    return folder / name


def entries(library: Library) -> list[Entry]:
    return [library.show(hit.id) for hit in library.list().hits]


def by_question(library: Library, words: str) -> Entry:
    (found,) = [e for e in entries(library) if words in next(iter(e.question.values()))]
    return found


def read(data: bytes, name: str = "deck.apkg"):
    return importer(None, Path(name))(io.BytesIO(data), name, lambda done, total: None)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_gives_the_same_entries(
    layout: str, packages, library: Library, tmp_path: Path
) -> None:
    report = library.import_file(put(tmp_path, layout, packages[layout]), collection="d")
    assert (report.added, report.bad) == (5, ())
    why = by_question(library, "چرا")
    assert why.question == {"fa": "چرا **می\u200cشود**؟"}
    assert why.answers[0].text == "زیرا $x^2$  \nو *همین*"
    assert (why.collection, why.tags) == ("d/RNN", ("a", "b::c"))
    picture = by_question(library, "pic")
    (media,) = picture.media
    assert picture.question["en"] == f"pic ![]({media.name})"
    assert library._base.store.media.get(media.sha256) == decks.PNG
    assert picture.answers[0].text == "- one\n- two"
    assert by_question(library, "gradient").question == {"en": "gradient"}
    assert by_question(library, "gradient").answers[0].text == "گرادیان"
    assert by_question(library, "gradient").collection == "d/واژه‌ها"
    cloze = by_question(library, "lies on")
    assert cloze.question["en"] == "[…] (city) lies on the […]."
    assert "Paris lies on the Seine." in cloze.answers[0].text
    plain = by_question(library, "a <")
    assert "javascript" not in plain.answers[0].text
    (script,) = [each.reason for each in report.dropped if "run or load" in each.reason]
    assert script.endswith("of note '{{c1::Paris::city}} lies on the {{c2::Seine}}.'")


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_stub_for_old_programs_is_never_taken(layout: str, packages) -> None:
    assert decks.STUB not in str([*read(packages[layout]).book.entries])


def test_the_control_of_the_stub_is_a_package_that_has_one(packages) -> None:
    stub = decks.unpacked(packages["third.apkg"])["collection.anki2"]
    assert b"Please update" in stub


def test_a_package_without_its_deck_is_refused_and_its_stub_is_not_taken(packages) -> None:
    members = decks.unpacked(packages["third.apkg"])
    del members["collection.anki21b"]
    with pytest.raises(BadData, match=r"collection\.anki21b is missing"):
        read(decks.packed(members))


def test_a_deck_is_followed_by_the_guids_of_its_notes(
    packages, library: Library, tmp_path: Path
) -> None:
    from anki.collection import Collection

    first = put(tmp_path, "deck.apkg", packages["third.apkg"])
    library.import_file(first)
    names = {entry.id for entry in entries(library)}
    collection = Collection(str(tmp_path / "collection.anki2"))
    from anki.collection import ImportAnkiPackageOptions, ImportAnkiPackageRequest

    collection.import_anki_package(ImportAnkiPackageRequest(
        package_path=str(first), options=ImportAnkiPackageOptions()))  # fmt: skip
    (note,) = (collection.get_note(id) for id in collection.find_notes("gradient"))
    note.fields[1] = "شیب"
    collection.update_note(note)
    decks.exported(collection, first, legacy=True)
    collection.close()
    report = library.import_file(first)
    assert (report.added, report.updated, report.unchanged) == (0, 1, 4)
    assert {entry.id for entry in entries(library)} == names
    assert by_question(library, "gradient").answers[0].text == "شیب"


@pytest.mark.parametrize(
    ("name", "number"), [("at", -1), ("at", 1 << 46), ("rating", 5), ("card", -1), ("kind", -1)]
)
def test_a_row_that_is_no_review_is_known(name: str, number: int) -> None:
    row = {"card": 0, "at": 1_700_000_000_000, "rating": 3, "interval": 4}
    row |= {"ease": 2500, "took": 900, "kind": 1}
    assert _review([*row.values()]) == Review(**row)
    assert _review([*(row | {name: number}).values()]) is None


@pytest.mark.parametrize("layout", LAYOUTS)
def test_reviews_come_where_they_are_asked_for_and_are_told_else(
    layout: str, packages, library: Library, tmp_path: Path
) -> None:
    file = put(tmp_path, layout, packages[layout])
    told = library.import_file(file, dry_run=True).dropped
    assert any("--with-reviews" in each.reason for each in told)
    library.import_file(file, reviews=True)
    every = [
        review
        for some in library._base.store.reviews.of([e.id for e in entries(library)]).values()
        for review in some
    ]
    assert len(every) == 3
    assert {review.rating for review in every} == {3}
    assert all(abs(review.at / 1000 - time.time()) < 86_400 for review in every)


@pytest.mark.long
def test_a_deck_of_ours_comes_back_by_the_names_of_its_entries(
    bundled: Library, tmp_path: Path
) -> None:
    bundled.export("apkg", tmp_path / "deck.apkg")
    asked = {e.id: e for e in entries(bundled) if e.kind != "note"}
    with new_library(tmp_path / "two.db") as library:
        report = library.import_file(tmp_path / "deck.apkg", collection="d")
        assert (report.added, report.bad) == (len(asked), ())
        for entry in entries(library):
            given_ = asked[entry.id.removeprefix("d/")]
            assert (entry.kind, entry.number, entry.level, entry.topic) == (
                given_.kind, given_.number, given_.level, given_.topic)  # fmt: skip
            assert set(entry.tags) == set(given_.tags)


def members_with(name: str, data: bytes) -> dict[str, bytes]:
    return {"collection.anki2": data, "media": b"{}", name: b"x"}


def collection_of(statements: str) -> bytes:
    database = sqlite3.connect(":memory:")
    database.executescript(statements)
    return database.serialize()


PLAIN = """
CREATE TABLE col (id, crt, mod, scm, ver, dty, usn, ls, conf, models, decks, dconf, tags);
CREATE TABLE notes (id INTEGER PRIMARY KEY, guid, mid, mod, usn, tags, flds, sfld, csum, flags, data);
CREATE TABLE cards (id INTEGER PRIMARY KEY, nid, did, ord, odid, reps);
INSERT INTO col (models, decks) VALUES ('{"1": {"name": "B", "flds": [{"name": "F"}, {"name": "K"}],
 "tmpls": [{"qfmt": "{{F}}", "afmt": "{{K}}"}]}}', '{"1": {"name": "D"}}');
INSERT INTO notes (id, guid, mid, tags, flds) VALUES (1, 'g', 1, '', 'asked' || char(31) || 'told');
INSERT INTO cards (id, nid, did, ord, odid) VALUES (1, 1, 1, 0, 0);
"""


def test_the_control_of_what_is_refused_is_a_plain_deck() -> None:
    batch = read(decks.packed({"collection.anki2": collection_of(PLAIN), "media": b"{}"}))
    (entry,) = batch.book.entries
    assert (entry.id, entry.question["en"], entry.answers[0].text) == ("g", "asked", "told")


def test_of_two_note_types_of_one_id_the_last_counts_as_in_anki() -> None:
    models = """UPDATE col SET models = replace(models, '{"1":', '{"1": {"name": "A"}, "1":');"""
    deck = decks.packed({"collection.anki2": collection_of(PLAIN + models), "media": b"{}"})
    (entry,) = read(deck).book.entries
    assert (entry.question["en"], entry.answers[0].text) == ("asked", "told")


def linked(made: zipfile.ZipInfo) -> None:
    made.external_attr = 0o120777 << 16


DECK = collection_of(PLAIN)
REFUSED = {
    "empty": b"",
    "no archive": b"PK\x03\x04 but nothing more",
    "no deck": decks.packed({"a.txt": b"a"}),
    "damaged": decks.packed({"collection.anki2": DECK[:2000] + bytes(100) + DECK[2100:5000]}),
    "no database": decks.packed({"collection.anki2": b"no database" * 100}),
    "another schema": decks.packed({"collection.anki2": collection_of("CREATE TABLE a (b)")}),
    "a view": decks.packed({"collection.anki2": collection_of(
        PLAIN + "ALTER TABLE notes RENAME TO other; CREATE VIEW notes AS SELECT * FROM other;")}),
    "computed": decks.packed({"collection.anki2": collection_of(
        "CREATE TABLE col (id, models, decks); CREATE TABLE cards (id, nid, did, ord, odid);"
        "CREATE TABLE notes (id, guid, mid, tags, x, flds AS (x || x));")}),
    "no models": decks.packed({"collection.anki2": collection_of(
        PLAIN + "UPDATE col SET models = 'x' ;")}),
    "deep models": decks.packed({"collection.anki2": collection_of(
        PLAIN + "UPDATE col SET models = '" + "[" * 100_000 + "';")}),
    "encrypted": decks.encrypted(decks.packed({"collection.anki2": DECK})),
    "a newer one": decks.packed({"collection.anki2": DECK, "meta": b"\x08\x09"}),
    "a wrong meta": decks.packed({"collection.anki2": DECK, "meta": b"\xff" * 20}),
    "media of no kind": decks.packed({"collection.anki2": DECK, "media": b"\xff\xfe"}),
    "not packed twice": decks.packed({"collection.anki21b": DECK, "meta": b"\x08\x03"}),
}  # fmt: skip


@pytest.mark.parametrize("why", REFUSED)
def test_what_is_no_package_is_refused_in_a_sentence_that_names_it(why: str) -> None:
    refuse(REFUSED[why])


def test_a_package_of_very_many_files_is_refused_too() -> None:
    refuse(decks.packed({"collection.anki2": DECK, **{f"{n}": b"" for n in range(100_001)}}))


def refuse(package: bytes) -> None:
    with pytest.raises(BadData, match=r"^deck\.apkg: ") as refused:
        read(package)
    assert len(refused.value.message) < 300


@pytest.mark.long
def test_a_bomb_is_refused_long_before_it_is_unpacked(tmp_path: Path) -> None:
    zeros = bytes(700 << 20)
    data = decks.packed({"collection.anki2": zeros})
    assert len(data) < 1 << 20
    zstandard = pytest.importorskip("zstandard")
    twice = decks.packed({"collection.anki21b": zstandard.compress(zeros), "meta": b"\x08\x03"})
    for bomb in (data, twice):
        tracemalloc.start()
        with pytest.raises(BadData, match="more than"):
            read(bomb)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < len(zeros) / 10


@pytest.mark.parametrize(
    "name", ["/etc/passwd", "../../up", "C:\\x", "a/../../b", "con", "x" * 60_000, "گرادیان"]
)
def test_names_in_an_archive_lead_nowhere(name: str, library: Library, tmp_path: Path) -> None:
    shown = PLAIN.replace("asked", 'asked <img src="' + name.replace("'", "") + '">')
    listed = json.dumps({"0": name, "1": "../secret.png"}).encode()
    data = decks.packed(
        {"collection.anki2": collection_of(shown), "media": listed, "0": decks.PNG, name: b"y"}
    )
    before = set(tmp_path.rglob("*"))
    file = put(tmp_path, "deck.apkg", data)
    assert library.import_file(file).added == 1
    after = {each for each in tmp_path.rglob("*") if "kb.db" not in each.name}
    assert after - before == {file}
    for entry in entries(library):
        assert all("/" not in media.name and "\\" not in media.name for media in entry.media)


def test_a_link_in_an_archive_is_no_file(library: Library, tmp_path: Path) -> None:
    shown = PLAIN.replace("asked", 'asked <img src="a.png">')
    members = {
        "collection.anki2": collection_of(shown),
        "media": b'{"0": "a.png"}',
        "0": b"/etc/passwd",
    }

    def change(made: zipfile.ZipInfo) -> None:
        if made.filename == "0":
            linked(made)

    report = library.import_file(put(tmp_path, "deck.apkg", decks.packed(members, change)))
    assert any("is a link" in each.reason for each in report.dropped)
    assert entries(library)[0].media == ()


@pytest.mark.parametrize("kept", [0, 0.5])
def test_a_file_whose_end_is_missing_is_told_and_not_taken(
    kept: float, packages, library: Library, tmp_path: Path
) -> None:
    members = decks.unpacked(packages["third.apkg"])
    members["0"] = members["0"][: int(len(members["0"]) * kept)]
    report = library.import_file(put(tmp_path, "deck.apkg", decks.packed(members)))
    assert any("loss.png is damaged" in each.reason for each in report.dropped)
    assert by_question(library, "pic").media == ()


@pytest.fixture(scope="module")
def small(packages) -> list[bytes]:
    return [packages[name] for name in ("second.apkg", "third.apkg")]


@given(data=st.data())
@settings(max_examples=times(30))
def test_a_damaged_package_is_read_or_refused_in_a_sentence(small, data) -> None:
    whole = data.draw(st.sampled_from(small))
    if data.draw(st.booleans()):  # within a member, whose sum is then right
        members = decks.unpacked(whole)
        name = data.draw(st.sampled_from(sorted(members)))
        members[name] = damaged(members[name], data)
        changed = decks.packed(members)
    else:
        changed = damaged(whole, data)
    try:
        batch = read(changed)
        assert len([*batch.book.entries]) <= 10
    except BadData as refused:
        assert refused.message.startswith("deck.apkg")


def damaged(whole: bytes, data) -> bytes:
    at = data.draw(st.integers(0, max(0, len(whole) - 1)))
    end = min(len(whole), at + data.draw(st.integers(0, 64)))
    return whole[:at] + data.draw(st.binary(max_size=64)) + whole[end:]
