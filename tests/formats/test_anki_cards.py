"""Each card of an Anki note is an exercise with its own reviews, and an edit finds its field."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kb import Entry, Library
from kb.errors import Conflict
from kb.formats.anki.collection import _review
from kb.formats.anki.notes import Making
from kb.formats.book import Leftover
from kb.study.exercises import exercises, review_numbers
from tests.cli.process import run
from tests.databases import new_library
from tests.formats import anki_decks as decks
from tests.formats.test_anki_back import back, fresh

pytestmark = pytest.mark.filterwarnings("ignore")
FIELDS = ("Word", "Meaning", "Example", "Sound")
ANSWER = "{{FrontSide}}<hr id=answer>{{Word}} {{Meaning}}<br>{{Example}}"
TEMPLATES = (
    ("Read", "{{Word}}", ANSWER),
    ("Write", "{{Meaning}}<div>{{hint:Example}}</div>", ANSWER),
    ("Hear", "{{#Sound}}{{Sound}}{{/Sound}}", ANSWER),
    ("Again", "{{Word}} {{Sound}}", ANSWER),
)
NOTES = (
    ("Basic (and reversed card)", ("gradient", "شیب")),
    ("Basic (optional reversed card)", ("loss", "زیان", "y")),
    ("Basic (optional reversed card)", ("epoch", "دوره", "<br>")),
    ("Vocabulary", ("Hund", "dog", "Der Hund bellt.", "[sound:hund.mp3]")),
    ("Vocabulary", ("Katze", "", "Die <b>Katze</b> schläft.", "[sound:katze.mp3]")),
    ("Vocabulary", ("Maus", "mouse", "", "")),
    ("Cloze", (decks.CLOZE, "On the map.")),
    ("Cloze", ("In {{c1::Life in {{c2::Art}}}}, {{c3::so::hint}}", "")),
    ("Cloze", ("{{c1::Life in Art}} in {{c2::Paris}}", "")),
    ("Cloze", ("{{c2::B}} after {{c1::A}} and {{c1::aa}}, then {{c3,4::C}}", "")),
    ("Heads", ("One", "Two", "Three")),
    ("Basic", ("lonely", "")),
)
REVIEWED = 1_700_000_000_000


@pytest.fixture(scope="module")
def deck(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A deck whose notes have several cards, each reviewed once at a time of its own."""
    pytest.importorskip("anki", reason="Anki's own library is not for this platform")
    from anki.collection import Collection

    folder = tmp_path_factory.mktemp("cards")
    collection = Collection(str(folder / "first.anki2"))
    add_type(collection, "Vocabulary", FIELDS, TEMPLATES)
    add_type(collection, "Heads", ("A", "B", "C"), [("One", "{{A}}<br>{{B}}", "{{C}}")])
    for name in ("hund.mp3", "katze.mp3"):
        (folder / name).write_bytes(name.encode())
        collection.media.add_file(str(folder / name))
    for kind, fields in NOTES:
        note = collection.new_note(collection.models.by_name(kind))
        note.fields[: len(fields)] = list(fields)
        collection.add_note(note, collection.decks.id("words"))
    for number, card in enumerate(collection.find_cards("", order="c.id")):
        row = (REVIEWED + number * 86_400_000, card, -1, 3, 4 + number, 0, 2500, 900, 1)
        collection.db.execute(f"INSERT INTO revlog VALUES ({', '.join('?' * 9)})", *row)
    decks.exported(collection, folder / "deck.apkg", legacy=False)
    collection.close()
    return folder / "deck.apkg"


def add_type(collection: Any, name: str, fields: Any, templates: Any) -> None:
    kind = collection.models.new(name)
    for field in fields:
        collection.models.add_field(kind, collection.models.new_field(field))
    for title, front, answer in templates:
        template = collection.models.new_template(title)
        template["qfmt"], template["afmt"] = front, answer
        collection.models.add_template(kind, template)
    collection.models.add(kind)


@pytest.fixture
def library(deck: Path, tmp_path: Path) -> Iterator[Library]:
    with new_library(tmp_path / "kb.db") as opened:
        opened.import_file(deck, reviews=True)
        yield opened


def asking(library: Library, question: str) -> Entry:
    """Return the entry whose question begins so."""
    every = [library.show(hit.id) for hit in library.list().hits]
    (found,) = [e for e in every if next(iter(e.question.values())).startswith(question)]
    return found


def asked(entry: Entry) -> dict[str, tuple[str, str]]:
    return {each.key: (each.question, each.answer) for each in exercises(entry, "en")}


def cards_of(package: Path, where: str) -> list[int]:
    """Return the numbers of the cards that Anki made of a note."""
    from anki.collection import Collection

    collection = Collection(str(package.with_name("first.anki2")))
    found = [collection.get_card(card).ord for card in collection.find_cards(where)]
    collection.close()
    return sorted(found)


@pytest.mark.parametrize("word", ["gradient", "loss", "epoch", "Maus"])
def test_a_note_has_an_exercise_for_each_card_that_anki_makes_of_it(
    word: str, deck: Path, library: Library
) -> None:
    numbers = review_numbers(asked(asking(library, word)))
    made = [each for each in cards_of(deck, word) if each < 3]
    assert sorted(numbers.values()) == made
    assert len(made) == (1 if word == "epoch" else 2)


def test_a_further_card_asks_its_fields_and_tells_all_others(library: Library) -> None:
    made = asked(asking(library, "gradient"))
    assert made == {"recall": ("gradient", "شیب"), "recall:2": ("شیب", "gradient")}
    dog = asking(library, "Hund")
    assert dog.prompts == (("",), ("Sound",))
    made = asked(dog)
    assert [*made] == ["recall", "recall:2", "recall:3"]
    example = "**Example:** Der Hund bellt."
    sound = "**Sound:** [hund.mp3](hund.mp3)"
    assert made["recall:2"] == ("dog", f"Hund\n\n{example}\n\n{sound}")
    assert made["recall:3"] == ("[hund.mp3](hund.mp3)", f"Hund\n\ndog\n\n{example}")


def test_a_card_that_a_note_lacks_keeps_its_number_free(library: Library) -> None:
    cat = asking(library, "Katze")
    assert cat.prompts == ((), ("Sound",))
    assert review_numbers(asked(cat)) == {"recall": 0, "recall:3": 2}


def test_what_is_no_exercise_is_told_and_a_switch_that_made_one_is_not(
    deck: Path, tmp_path: Path
) -> None:
    with new_library(tmp_path / "plain.db") as plain:
        told = [each.reason for each in plain.import_file(deck).dropped]
    (again,) = [each for each in told if "asks the question in another way" in each]
    assert "(and 2 more like it)" in again
    assert not [each for each in told if "only decides" in each]


def test_reviews_of_a_card_belong_to_its_exercise_and_go_back_to_it(
    deck: Path, library: Library, tmp_path: Path
) -> None:
    dog = asking(library, "Hund").id
    with library._base.store.connection.snapshot():
        given = library._base.store.reviews.of([dog])[dog]
    assert [each.card for each in given] == [0, 1, 2, 3]
    library.study.due()
    cards = [library._base.store.studies.card(dog, key) for key in asked(library.show(dog))]
    assert [each.at for each in cards] == [each.at for each in given[:3]]
    graded = library.study.grade(dog, "recall:3", 4)
    before, after = fresh(deck, f"a{tmp_path.name}"), fresh(back(library, tmp_path), "b")
    (added,) = [row for row in after["revlog"] if row not in before["revlog"]]
    (card,) = [row for row in after["cards"] if row not in before["cards"]]
    assert (card[0], card[1], card[6]) == (added[1], 2, graded.interval)


def test_an_export_keeps_what_further_cards_ask(library: Library, tmp_path: Path) -> None:
    dog = asking(library, "Hund")
    library.export("jsonl", tmp_path / "kb.jsonl")
    with new_library(tmp_path / "other.db") as other:
        other.import_file(tmp_path / "kb.jsonl")
        assert other.show(dog.id).prompts == dog.prompts
        assert '"prompts"' in (tmp_path / "kb.jsonl").read_text(encoding="utf-8")
        lines = (tmp_path / "kb.jsonl").read_text(encoding="utf-8").splitlines()
    assert sum('"prompts"' in line for line in lines) == 5


def test_reviews_of_a_cloze_belong_to_the_first_of_its_gaps_and_go_back_to_its_card(
    deck: Path, library: Library, tmp_path: Path
) -> None:
    cloze = asking(library, "[…] after")
    reviews = library._base.store.reviews.of([cloze.id])[cloze.id]
    assert [answer for _, answer in asked(cloze).values()] == ["B", "A", "aa", "C"]
    before = fresh(deck, f"a{tmp_path.name}")
    cards = {row[0]: row[1] for row in before["cards"]}
    numbers = {row[0]: cards[row[1]] for row in before["revlog"]}
    assert {numbers[each.at]: each.card for each in reviews} == {0: 1, 1: 0, 2: 3, 3: 3}
    for gap in (3, 4):
        library.study.grade(cloze.id, f"cloze:{gap}", 3)
    after = fresh(back(library, tmp_path), "b")
    new = [row for row in after["revlog"] if row not in before["revlog"]]
    assert [cards[row[1]] for row in new] == [0, 2]


def test_a_card_without_a_gap_is_no_exercise_and_comes_back_as_it_was() -> None:
    files: Any = None
    making = Making("a", {}, {}, files, Leftover("a"), gaps={1: [[1], [0]]})
    assert [making.exercise_of(1, card) for card in (0, 1, 7)] == [1, 0, 9]
    for note, card in ((1, 0), (1, 1), (1, 7), (2, 0), (2, 7)):
        assert making.card_of(note, making.exercise_of(note, card)) == card


def test_a_review_of_a_card_that_no_note_has_is_not_in_the_form_of_anki() -> None:
    valid = [(1 << 16) - 1, 1, 3, 4, 2500, 900, 1]
    assert _review(valid) and _review([1 << 16, *valid[1:]]) is None


def test_a_review_that_was_of_another_card_is_of_one_only(library: Library) -> None:
    cloze = asking(library, "[…] after").id
    store = library._base.store
    given = store.reviews.of([cloze])[cloze]
    with store.transaction():
        store.reviews.put({cloze: [each._replace(card=each.card + 1) for each in given]})
    assert [each.at for each in store.reviews.of([cloze])[cloze]] == [each.at for each in given]


def test_a_deck_that_was_imported_before_gets_its_further_cards_by_another_import(
    deck: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with new_library(tmp_path / "old.db") as old:
        with monkeypatch.context() as patched:
            patched.setattr("kb.formats.anki.notes.Making._prompts", lambda *_: ())
            old.import_file(deck, reviews=True)
            old.study.due()
        assert [*asked(asking(old, "gradient"))] == ["recall"]
        assert old.import_file(deck, reviews=True).updated == 5
        note = asking(old, "gradient").id
        old.study.due()
        reviews = old._base.store.reviews.of([note])[note]
        cards = [old._base.store.studies.card(note, key) for key in ("recall", "recall:2")]
        assert [each.at for each in cards] == [each.at for each in reviews]


# Edits, each in the field that it came from.


def edit(library: Library, entry: Entry, question: str | None, answer: str | None) -> Any:
    draft = library.edit.draft_of(entry.id)
    if question is not None:
        draft = replace(draft, question=dict.fromkeys(draft.question, question))
    if answer is not None:
        langs = draft.answers.get("source") or {"en": ""}
        draft = replace(draft, answers={"source": dict.fromkeys(langs, answer)})
    return library.edit.edit(entry.id, draft)


def fields(library: Library, deck: Path, folder: Path) -> tuple[list[str], list[str]]:
    """Return the fields of the only note that an edit changed, before and after."""
    before = fresh(deck, f"a{folder.name}")["notes"]
    after = fresh(back(library, folder), "b")["notes"]
    ((was, now),) = [(a[3], b[3]) for a, b in zip(before, after, strict=True) if a[3] != b[3]]
    return was.split("\x1f"), now.split("\x1f")


DOG = "dog\n\n**Example:** Der Hund bellt.\n\n**Sound:** [hund.mp3](hund.mp3)"
EDITS: dict[str, tuple[str, str | None, str | None, dict[int, str]]] = {
    "the first part": ("Hund", None, DOG.replace("dog", "hound"), {1: "hound"}),
    "a labelled part": ("Hund", None, DOG.replace("bellt", "schläft"), {2: "Der Hund schläft."}),
    "two parts": ("Hund", "Der Hund", DOG.replace("dog", "a *dog*"), {0: "Der Hund", 1: "a dog"}),
    "a part that is moved": (
        "Hund", None, "dog\n\n**Sound:** [hund.mp3](hund.mp3)\n\n**Example:** Er bellt.",
        {2: "Er bellt."},
    ),
    "a part that was empty": ("Maus", None, "mouse\n\n**Example:** Sie piepst.", {2: "Sie piepst."}),
    "a part that is removed": ("Hund", None, DOG.replace("\n\n**Example:** Der Hund bellt.", ""), {2: ""}),
    "an answer that was missing": ("lonely", None, "alone", {1: "alone"}),
    "one of two fields in front": ("One", "One\n\n2", None, {1: "2"}),
    "beside a gap": (
        "[…] (city) lies", "[…] (city) lies by the […].", None,
        {0: "{{c1::Paris::city}} lies by the {{c2::Seine}}."},
    ),
    "beside a gap, in both": (
        "[…] (city) lies", "[…] (city) lies by the […].",
        "Paris lies by the Seine.\n\n**Back Extra:** On the map.",
        {0: "{{c1::Paris::city}} lies by the {{c2::Seine}}."},
    ),
    "words in a gap": (
        "[…] (city) lies", None, "Rouen lies on the **Seine**.\n\n**Back Extra:** On the map.",
        {0: "{{c1::Rouen::city}} lies on the {{c2::<strong>Seine</strong>}}."},
    ),
    "beside a cloze": (
        "[…] (city) lies", None, "Paris lies on the Seine.\n\n**Back Extra:** In France.",
        {1: "In France."},
    ),
    "beside nested gaps": (
        "In […], […] (hint)", "*In* […], […] (hint)", None,
        {0: "In {{c1::Life in {{c2::Art}}}}, {{c3::so::hint}}"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", EDITS)
def test_an_edit_is_in_its_field_alone(
    case: str, deck: Path, library: Library, tmp_path: Path
) -> None:
    begins, question, answer, expected = EDITS[case]
    done = edit(library, asking(library, begins), question, answer)
    was, now = fields(library, deck, tmp_path)
    assert done.not_back is None
    changed = {n: text for n, (old, text) in enumerate(zip(was, now, strict=True)) if text != old}
    assert {n: bare(text) for n, text in changed.items()} == {
        n: bare(text) for n, text in expected.items()
    }


def bare(html: str) -> str:
    """Return HTML without paragraphs and emphasis in it."""
    for tag in ("p", "em"):
        html = html.replace(f"<{tag}>", "").replace(f"</{tag}>", "")
    return html.strip()


REFUSED: dict[str, tuple[str, str | None, str | None, str]] = {
    "a label that is gone and a part that changed": (
        "Hund", None, DOG.replace("**Example:** ", "Example: "), "fields of the answer"
    ),
    "a label twice": ("Maus", None, "mouse\n\n**Example:** a\n\n**Example:** b", "fields of the answer"),
    "between two fields": ("One", "One\n\nand\n\nTwo", None, "fields of the question"),
    "a gap less": ("[…] (city) lies", "It lies on the […].", None, "gaps and their hints"),
    "another hint": ("[…] (city) lies", "[…] (town) lies on the […].", None, "gaps and their"),
    "an answer unlike its question": ("[…] (city) lies", None, "Paris.\n\n**Back Extra:** On the map.", "gaps filled"),
    "words of a nested gap": ("In […]", None, "In Life in Arts, so", "words of a gap"),
    "words that may be in either gap": ("[…] in […]", None, "Life in Art in Rome", "gaps filled"),
    "words that Anki takes for a hint": (
        "[…] (city) lies", None, "a::b lies on the Seine.\n\n**Back Extra:** On the map.",
        "words of a gap",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_an_edit_that_fits_no_field_is_told_at_once_and_stops_the_export(
    case: str, library: Library, tmp_path: Path
) -> None:
    begins, question, answer, why = REFUSED[case]
    entry = asking(library, begins)
    done = edit(library, entry, question, answer)
    with pytest.raises(Conflict, match="not one field of an Anki note") as refused:
        back(library, tmp_path)
    assert done.not_back and str(done.not_back) in str(refused.value)
    assert why in str(refused.value)
    again = edit(library, library.show(entry.id), question, f"{answer or 'x'} again")
    assert again.not_back is None, "it was told before"
    library.changes.undo()
    library.changes.undo()
    back(library, tmp_path)


def test_the_command_line_tells_an_edit_that_fits_no_field(
    library: Library, tmp_path: Path
) -> None:
    (id, other) = asking(library, "One").id, asking(library, "Maus").id
    done = run("edit", id, "--question", "One, Two", "--db", str(tmp_path / "kb.db"))
    assert done.returncode == 0
    told = f"{id}: the kept Anki package cannot hold this edit: it is not clear which fields of"
    assert told in " ".join(done.stderr.split())
    done = run("edit", other, "--question", "Die Maus", "--db", str(tmp_path / "kb.db"))
    assert done.returncode == 0 and "Anki" not in done.stderr


def test_a_text_in_another_language_is_refused_and_a_corrected_language_changes_nothing(
    deck: Path, library: Library, tmp_path: Path
) -> None:
    mouse = asking(library, "Maus")
    (lang,) = mouse.question
    draft = library.edit.draft_of(mouse.id)
    other = replace(draft, question={"fi": draft.question[lang]})
    assert library.edit.edit(mouse.id, other).not_back is None
    assert fresh(back(library, tmp_path), "b")["notes"] == fresh(deck, f"a{tmp_path.name}")["notes"]
    both = replace(draft, question={**draft.question, "fa": "موش"})
    assert "another language" in str(library.edit.edit(mouse.id, both).not_back)
