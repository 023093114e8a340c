"""A deck with history goes out as it came in, with what changed here, by Anki's own library."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kb import Library
from kb.errors import Conflict
from kb.service.write import Edited
from tests.databases import new_library
from tests.formats import anki_decks as decks

pytestmark = pytest.mark.filterwarnings("ignore")
USED = "WHERE ntid IN (SELECT mid FROM notes)"
TABLES = {
    "notes": "guid, tags, (SELECT t.name FROM notetypes t WHERE t.id = mid), flds, sfld, csum "
    "FROM notes",
    "cards": "c.id, ord, d.name, type, queue, due, ivl, factor, reps, lapses, left, odue, flags, "
    "data FROM cards c JOIN decks d ON d.id = c.did",
    "revlog": "id, cid, ease, ivl, lastIvl, factor, time, type FROM revlog",
    "templates": f"name, config FROM templates {USED}",
    "fields": f"name, config FROM fields {USED}",
    "deck_config": "name, config FROM deck_config",
}


@pytest.fixture(params=[True, False], ids=["second", "third"])
def deck(request: Any, tmp_path: Path) -> Path:
    """A deck of each layout: studied, flagged, suspended, buried, with options and masks."""
    pytest.importorskip("anki", reason="Anki's own library is not for this platform")
    from anki.collection import Collection

    collection = Collection(str(tmp_path / "first.anki2"))
    decks.filled(collection, tmp_path)
    note = collection.new_note(collection.models.by_name("Image Occlusion"))
    note["Occlusion"] = "{{c1::image-occlusion:rect:left=.1:top=.2:width=.3:height=.1:oi=1}}"
    note["Image"], note["Header"] = '<img src="منحنی loss.png">', "Loss"
    collection.add_note(note, collection.decks.id("ML"))
    options = collection.decks.add_config("slow")
    options["rev"]["perDay"], options["desiredRetention"] = 17, 0.85
    collection.decks.update_config(options)
    settings = collection.decks.get(collection.decks.id("ML::RNN"))
    settings["conf"] = options["id"]
    collection.decks.save(settings)
    cards = list(collection.find_cards(""))
    collection.set_user_flag_for_cards(3, cards[:1])
    collection.sched.suspend_cards(cards[1:2])
    collection.sched.bury_cards(cards[2:3])
    collection.sched.set_due_date(cards[3:5], "12")
    card = collection.get_card(cards[4])
    card.custom_data = json.dumps({"x": 7})
    collection.update_card(card)
    decks.exported(collection, tmp_path / "deck.apkg", legacy=request.param)
    collection.close()
    return tmp_path / "deck.apkg"


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with new_library(tmp_path / "kb.db") as opened:
        yield opened


def fresh(package: Path, name: str) -> dict[str, list[Any]]:
    """Return the tables of a fresh collection into which Anki imported a package."""
    from anki.collection import (
        Collection,
        ImportAnkiPackageOptions,
        ImportAnkiPackageRequest,
    )

    collection = Collection(str(package.with_name(f"{name}.anki2")))
    options = ImportAnkiPackageOptions(with_scheduling=True, with_deck_configs=True)
    collection.import_anki_package(
        ImportAnkiPackageRequest(package_path=str(package), options=options)
    )
    found = {
        table: [list(row) for row in collection.db.all(f"SELECT {columns} ORDER BY 1, 2")]
        for table, columns in TABLES.items()
    }
    names = [each.name for each in collection.decks.all_names_and_ids()]
    found["decks"] = [
        [n, collection.decks.config_dict_for_deck_id(collection.decks.id(n))["name"]] for n in names
    ]
    collection.close()
    return found


def back(library: Library, folder: Path) -> Path:
    library.export("apkg", folder / "back.apkg", reviews=True)
    return folder / "back.apkg"


def test_an_untouched_deck_is_the_same_in_a_fresh_collection(
    deck: Path, library: Library, tmp_path: Path
) -> None:
    library.import_file(deck, reviews=True)
    asked = [next(iter(library.show(hit.id).question.values())) for hit in library.list().hits]
    assert [each for each in asked if each.endswith("Covered places of the image: 1")]
    before, after = fresh(deck, "a"), fresh(back(library, tmp_path), "b")
    assert before == after
    assert len(before["revlog"]) >= 3 and {row[4] for row in before["cards"]} >= {-3, -1, 2}


def test_an_edit_is_in_its_field_alone_and_a_review_beside_those_of_anki(
    deck: Path, library: Library, tmp_path: Path
) -> None:
    library.import_file(deck, reviews=True)
    entry = next(
        library.show(h.id)
        for h in library.list().hits
        if "گرادیان" in str(library.show(h.id).answers)
    )
    draft = library.edit.draft_of(entry.id)
    lang = entry.answers[0].lang
    library.edit.edit(entry.id, replace(draft, answers={"source": {lang: "شیبِ **تابع**"}}))
    graded = library.study.grade(entry.id, "recall", 3)
    before, after = fresh(deck, "a"), fresh(back(library, tmp_path), "b")
    changed = [(a, b) for a, b in zip(before["notes"], after["notes"], strict=True) if a != b]
    ((was, now),) = changed
    assert was[3].split("\x1f")[0] == now[3].split("\x1f")[0]
    assert "<strong>تابع</strong>" in now[3].split("\x1f")[1]
    (added,) = [row for row in after["revlog"] if row not in before["revlog"]]
    assert added[2:4] == [3, graded.interval]
    (card,) = [row for row in after["cards"] if row not in before["cards"]]
    assert card[0] == added[1] and card[6] == graded.interval


def test_the_original_collection_updates_the_edited_note_and_gets_no_new_one(
    deck: Path, library: Library, tmp_path: Path
) -> None:
    from anki.collection import Collection, ImportAnkiPackageOptions, ImportAnkiPackageRequest

    library.import_file(deck, reviews=True)
    every = [library.show(hit.id) for hit in library.list().hits]
    entry = next(each for each in every if "گرادیان" in str(each.answers))
    draft = library.edit.draft_of(entry.id)
    changed = {"source": {entry.answers[0].lang: "شیب"}}
    library.edit.edit(entry.id, replace(draft, answers=changed))
    collection = Collection(str(tmp_path / "first.anki2"))
    count = collection.note_count()
    log = collection.import_anki_package(
        ImportAnkiPackageRequest(
            package_path=str(back(library, tmp_path)),
            options=ImportAnkiPackageOptions(with_scheduling=True),
        )
    ).log
    found = (len(log.new), len(log.updated), collection.note_count() - count)
    (note,) = collection.find_notes("شیب")
    collection.close()
    assert found == (0, 1, 0) and note


def test_the_header_of_an_image_is_edited_and_the_count_of_its_places_is_not(
    deck: Path, library: Library, tmp_path: Path
) -> None:
    library.import_file(deck, reviews=True)
    every = [library.show(hit.id) for hit in library.list().hits]
    entry = next(each for each in every if "Covered" in str(each.question))
    draft = library.edit.draft_of(entry.id)
    ((lang, question),) = entry.question.items()

    def edited(was: str, now: str) -> Edited:
        changed = {lang: question.replace(was, now)}
        return library.edit.edit(entry.id, replace(draft, question=changed))

    assert edited("Loss", "The *loss*").not_back is None
    before, after = fresh(deck, "a"), fresh(back(library, tmp_path), "b")
    ((was, now),) = [(a, b) for a, b in zip(before["notes"], after["notes"], strict=True) if a != b]
    changed = list(zip(was[3].split("\x1f"), now[3].split("\x1f"), strict=True))
    assert [b.strip() for a, b in changed if a != b] == ["<p>The <em>loss</em></p>"]
    assert "words of an image" in str(edited(": 1", ": 2").not_back)
    with pytest.raises(Conflict, match="words of an image"):
        back(library, tmp_path)


def test_what_is_left_out_is_not_in_the_package_and_a_text_of_many_fields_is_refused(
    deck: Path, library: Library, tmp_path: Path
) -> None:
    library.import_file(deck, reviews=True)
    cloze = next(h.id for h in library.list().hits if "lies on" in str(library.show(h.id).question))
    library.edit.remove([h.id for h in library.list().hits if h.id != cloze])
    assert len(fresh(back(library, tmp_path), "a")["notes"]) == 1
    draft = library.edit.draft_of(cloze)
    library.edit.edit(cloze, replace(draft, answers={"source": {"en": "Paris."}}))
    with pytest.raises(Conflict, match="not one field of an Anki note"):
        back(library, tmp_path)
    library.export("apkg", tmp_path / "plain.apkg")


def test_a_copy_for_others_holds_no_package(deck: Path, library: Library, tmp_path: Path) -> None:
    library.import_file(deck, reviews=True)
    library.export("sqlite", tmp_path / "copy.db")
    assert deck.read_bytes()[:200] not in (tmp_path / "copy.db").read_bytes()
