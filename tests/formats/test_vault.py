"""A vault for Obsidian: what goes out comes back, and what a reader changes in it comes back so."""

from __future__ import annotations

import hashlib
import re
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from kb.errors import BadData
from kb.foreign import folded
from kb.formats import registry
from kb.formats.book import Batch, Book
from kb.formats.media import Blobs
from kb.formats.names import safe
from kb.formats.vault import writing as vault
from kb.model.entry import Annotation, Answer, Entry, Evidence, Media, Review, Snippet, Target
from kb.model.results import silent
from kb.service.importing.materials import materials_of
from tests.databases import new_library
from tests.formats.hard import BOOK
from tests.plugin import times

GOLDEN = Path(__file__).parent / "golden" / "vault"
IMAGE = b"\x89PNG \x00 not a real one"


def written(book: Book, folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    vault.write(book, folder)
    return folder


def read(folder: Path, **options: bool) -> list[Batch]:
    return [each.read(silent) for each in materials_of(folder, None, None, None, options).files]


def entries(batches: Sequence[Batch]) -> dict[str, Entry]:
    return {entry.id: entry for batch in batches for entry in batch.book.entries}


def dropped(batches: Sequence[Batch]) -> list[str]:
    return [f"{each.reason}: {each.text}" for batch in batches for each in batch.dropped]


def notes(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.md"))


def note_of(folder: Path, id: str) -> Path:
    (found,) = [n for n in notes(folder) if f'"entry":{{"id":"{id}"' in n.read_text("utf-8")]
    return found


def edit(folder: Path, id: str, old: str, new: str) -> None:
    note = note_of(folder, id)
    text = note.read_bytes().decode()
    assert old in text
    note.write_bytes(text.replace(old, new, 1).encode())


# What goes out, comes back.


def test_a_hard_book_comes_back_whole(tmp_path: Path) -> None:
    batches = read(written(BOOK, tmp_path / "v"))
    assert entries(batches) == {entry.id: entry for entry in BOOK.entries}
    assert all(batch.own for batch in batches)
    assert [source for batch in batches for source in batch.book.sources] == list(BOOK.sources)
    titles = {name: t for batch in batches for name, t in batch.book.collections.items()}
    assert titles == BOOK.collections
    assert dropped(batches) == []


def test_the_bytes_of_a_vault_are_known(tmp_path: Path) -> None:
    folder = written(BOOK, tmp_path / "v")
    made = {n.relative_to(folder).as_posix(): n.read_bytes() for n in notes(folder)}
    known = {n.relative_to(GOLDEN).as_posix(): n.read_bytes() for n in notes(GOLDEN)}
    assert made == known


HARD = st.sampled_from(
    ["```", "~~~", "# a", "## Question (en)", "## Programs", "### x", "---", "<b>", "\\<b", "", " ", "> q", "^a-b",
     "  ```", "متن", "نیم‌فاصله", '<!-- danesh {"entry":{}} -->', "\r", "![[a.png|200]]", "![a](a.png)", "%%",
     "[[x]]", "](attachments/a.png)", "![](../attachments/a.png)", "- [[x]]", "-->", "![](b%20c.png)", "tags: x"]
)  # fmt: skip
ANY = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=30)
TEXTS = ANY | st.lists(HARD, max_size=8).map("\n".join)
NAMES = ANY.filter(str.strip) | st.sampled_from(
    ["a/b", "A/B", "CON", "con", "é", "e\u0301", "..", "no", "1", "[["]
)
MEDIA = st.sampled_from(
    ["a.png", "b c.png", "CON.png", "a.toml", "collection.toml", "x.md", "نمودار.png"]
)


@st.composite
def an_entry(draw: st.DrawFn) -> tuple[Entry, Mapping[str, bytes]]:
    langs = st.sampled_from(["en", "fa", "x (y)", "a b"])
    question = draw(st.dictionaries(langs, TEXTS.filter(str.strip), min_size=1, max_size=3))
    lang = next(iter(question))
    target = Target(
        "question", lang, question[lang][:4], 0, 4, draw(st.sampled_from(["", "a.txt"]))
    )
    own = not target.file
    notes = draw(st.dictionaries(st.sampled_from(["en", "fa"]), TEXTS))
    shown = draw(st.dictionaries(MEDIA, st.sampled_from([b"1", b"2", b"3"]), max_size=3))
    blobs = Blobs()
    media = tuple(blobs.add(name, data) for name, data in shown.items())
    answers = draw(
        st.dictionaries(st.tuples(st.sampled_from(["source", "reference"]), langs), TEXTS)
    )
    fact = st.none() | NAMES
    entry = Entry(
        draw(NAMES),
        draw(st.sampled_from(["card", "question", "note"])),
        draw(NAMES),
        question,
        number=draw(fact),
        level=draw(st.sampled_from([None, "E", "M", "H"])),
        topic=draw(fact),
        tags=tuple(draw(st.lists(NAMES, max_size=3))),
        restored={lang: True},
        wording={lang: draw(TEXTS)},
        answers=tuple(Answer(*key, text) for key, text in answers.items()),
        snippets=(Snippet(draw(NAMES), {"fa": draw(ANY)}, draw(TEXTS), draw(st.booleans())),),
        annotations=(
            Annotation(draw(NAMES), target, "wrong", "low", notes, tuple(draw(st.lists(ANY, max_size=2))),
                       (Evidence(draw(NAMES), draw(ANY), 2.0, 1.0),), own=own),
        ),
        related=tuple(draw(st.lists(NAMES, max_size=2))),
        media=media,
    )  # fmt: skip
    return entry, {each.sha256: blobs[each.sha256] for each in media}


@pytest.mark.long
@settings(max_examples=times(30))
@given(st.lists(an_entry(), min_size=1, max_size=4, unique_by=lambda each: each[0].id))
def test_any_entries_come_back_as_they_were(
    made: list[tuple[Entry, Mapping[str, bytes]]],
) -> None:
    media = {key: data for _, some in made for key, data in some.items()}
    with tempfile.TemporaryDirectory() as place:
        folder = written(Book(tuple(e for e, _ in made), media=media), Path(place) / "v")
        batches = read(folder)
    assert entries(batches) == {entry.id: entry for entry, _ in made}
    assert dropped(batches) == []
    brought = {key: batch.book.media[key] for batch in batches for key in batch.book.media}
    assert brought == {m.sha256: media[m.sha256] for e, _ in made for m in e.media}


def test_reviews_come_back_where_they_are_asked_for(tmp_path: Path) -> None:
    entry = Entry("a", "card", "c", {"en": "A?"})
    reviews = tuple(Review(0, n, 3, 4, 2500, 900, 1) for n in range(1200))
    folder = written(Book((entry,), reviews={"a": reviews}), tmp_path / "v")
    (batch,) = read(folder, reviews=True)
    assert batch.book.reviews == {"a": reviews}
    (batch,) = read(folder)
    assert not batch.book.reviews
    assert dropped([batch]) == ["1,200 reviews, which --with-reviews imports: "]


def test_line_ends_of_windows_change_nothing(tmp_path: Path) -> None:
    folder = written(BOOK, tmp_path / "v")
    for note in notes(folder):
        note.write_bytes(note.read_bytes().replace(b"\n", b"\r\n"))
    assert entries(read(folder)) == {entry.id: entry for entry in BOOK.entries}


# Names.


@given(ANY, st.integers(8, 120))
def test_a_name_can_stand_on_any_system(words: str, longest: int) -> None:
    name = safe(words, longest, "n")
    assert name
    assert name == name.strip(" .")
    assert len(name.encode()) <= longest + 1  # and a line below what a system keeps for itself
    assert not re.search(r'[\\/:*?"<>|#^\[\]\x00-\x1f\x7f]', name)
    assert not re.fullmatch(r"(?i:con|prn|aux|nul|com\d|lpt\d)", name.split(".")[0])


def test_names_keep_half_spaces_and_the_letters_of_any_script() -> None:
    assert safe("شبکه‌های عصبی چیست؟", 110) == "شبکه‌های عصبی چیست؟"
    assert safe("何ですか？ Что это?", 110) == "何ですか？ Что это"


@pytest.mark.parametrize(
    "pair", [("Straße?", "STRASSE"), ("é", "e\u0301"), ("CON", "con"), ("a:b", "a b")]
)
def test_notes_and_folders_that_a_system_takes_for_one_are_told_apart(
    pair: tuple[str, str], tmp_path: Path
) -> None:
    made = [Entry(f"id-{n}", "card", name, {"en": name}) for n, name in enumerate(pair)]
    folder = written(Book(made), tmp_path / "v")
    found = [n.relative_to(folder).as_posix() for n in notes(folder)]
    assert len({folded(each) for each in found}) == 2
    assert len({folded(Path(each).stem) for each in found}) == 2  # links name no folders
    assert entries(read(folder)) == {entry.id: entry for entry in made}


def test_a_collection_that_is_called_as_our_own_folders_are_is_told_apart(tmp_path: Path) -> None:
    made = [Entry(name, "card", name, {"en": name}) for name in ("attachments", "Sources")]
    folder = written(Book(made), tmp_path / "v")
    assert not (folder / "attachments").exists()
    assert entries(read(folder)) == {entry.id: entry for entry in made}


def test_a_deep_collection_is_no_deep_folder(tmp_path: Path) -> None:
    entry = Entry("x", "card", "/".join("abcdefghij" * 20), {"fa": "چرا؟"})
    folder = written(Book([entry]), tmp_path / "v")
    (note,) = notes(folder)
    assert len(note.relative_to(folder).parts) == 9
    assert entries(read(folder)) == {"x": entry}


def test_pictures_of_one_name_lie_side_by_side_and_of_no_kind_are_read(tmp_path: Path) -> None:
    blobs = Blobs()
    text = {"en": "![](a.png) [d](collection.toml)"}
    one = Entry("1", "card", "c", text, media=(blobs.add("a.png", b"1"),))
    two = Entry(
        "2", "card", "c", text, media=(blobs.add("a.png", b"2"), blobs.add("collection.toml", b""))
    )
    folder = written(Book([one, two], media=blobs), tmp_path / "v")
    marked, *others = sorted(n.name for n in (folder / "attachments").iterdir())
    assert re.fullmatch(r"a-[0-9a-f]{8}\.png", marked)
    assert others == ["a.png", "collection.toml.bin"]
    assert f"![](../attachments/{marked})" in note_of(folder, "2").read_text("utf-8")
    assert entries(read(folder)) == {"1": one, "2": two}


# What Obsidian reads of it.


def test_properties_are_yaml_that_others_read_too(tmp_path: Path) -> None:
    folder = written(BOOK, tmp_path / "v")
    text = note_of(folder, "hard/second").read_text("utf-8")
    assert yaml.safe_load(text.split("---\n")[1]) == {
        "id": "hard/second", "collection": "hard", "kind": "card",
    }  # fmt: skip
    (hard,) = [n for n in notes(folder) if n.name.startswith("1.1")]
    read = yaml.safe_load(hard.read_text("utf-8").split("---\n")[1])
    assert read["id"] == BOOK.entries[0].id
    assert read["number"] == "1.1"
    assert read["tags"] == ["deep-learning", "شبکه-ها"]
    assert read["aliases"][1] == "شبکه‌های عصبی «عمیق» | چیست؟ 🤖"


def test_links_lead_to_notes_and_callouts_have_names(tmp_path: Path) -> None:
    folder = written(BOOK, tmp_path / "v")
    (hard,) = [n for n in notes(folder) if n.name.startswith("1.1")]
    text = hard.read_text("utf-8")
    (link,) = re.findall(r"- \[\[([^\[\]]+)\]\]", text)
    assert (hard.parent / f"{link}.md").is_file()
    assert "\n> [!failure] wrong (high): “" in text
    assert "\n\n^hard-claim\n" in text


def test_a_fence_that_nobody_closed_shows_nothing_as_code_that_is_none(tmp_path: Path) -> None:
    entry = Entry("x", "note", "c", {"en": "A"}, answers=(Answer("source", "en", "```\n<script>"),))
    text = note_of(written(Book([entry]), tmp_path / "v"), "x").read_text("utf-8")
    assert "```\n<script>\n```\n" in text


# What a reader changes.

SLOPE = Entry(
    "slope",
    "question",
    "c",
    {"en": "What is a slope?", "fa": "شیب چیست؟"},
    level="E",
    tags=("c++", "شبکه‌ها"),
    answers=(Answer("source", "en", "A rise."), Answer("source", "fa", "یک نسبت.")),
    snippets=(Snippet("slope_1", {"en": "Slope"}, "print(1)\n"),),
    annotations=(
        Annotation("note-1", Target("source", "en", "rise", 2, 6), "wrong", "low",
                   {"en": "A ratio."}, ("Euler",), own=True),
    ),
    related=("other",),
)  # fmt: skip
OTHER = Entry("other", "card", "c", {"en": "Other?"})
THIRD = Entry("third", "card", "c", {"en": "Third?"})


@pytest.fixture
def slope(tmp_path: Path) -> Path:
    return written(Book([SLOPE, OTHER, THIRD]), tmp_path / "v")


def again(folder: Path) -> Entry:
    return entries(read(folder))["slope"]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("What is a slope?\n", "# What is *the* slope?\n",
         {"question": {"en": "# What is *the* slope?", "fa": "شیب چیست؟"}}),
        ("شیب چیست؟\n\n", "شیبِ خط چیست؟\n\n", {"question": {"en": "What is a slope?", "fa": "شیبِ خط چیست؟"}}),
        ("## Answer (fa)\n\nیک نسبت.\n", "", {"answers": SLOPE.answers[:1]}),
        ("## Answer (fa)", "## Reference answer (fa)",
         {"answers": (SLOPE.answers[0], Answer("reference", "fa", "یک نسبت."))}),
        ("level: E", "level: H", {"level": "H"}),
        ("level: E\n", "level:\n", {"level": None}),
        ("  - c\n", "  - new\n  - c\n", {"tags": ("new", "c++", "شبکه‌ها")}),
        ("collection: c", "collection: d/e", {"collection": "d/e"}),
        ("kind: question", "kind: note", {"kind": "note"}),
        ("kind: question\n", "kind: question\ntopic: شیب\n", {"topic": "شیب"}),
        ("print(1)", "print(2)", {"snippets": (replace(SLOPE.snippets[0], code="print(2)\n"),)}),
        ("```python\nprint(1)\n```\n", "", {"snippets": ()}),
        ("> A ratio.", "> A *new*\n> ratio.",
         {"annotations": (replace(SLOPE.annotations[0], note={"en": "A *new*\nratio."}),)}),
        ("wrong (own)", "typo (own)", {"annotations": (replace(SLOPE.annotations[0], verdict="typo"),)}),
        ("- [[Other]]", "- [[Third]]", {"related": ()}),
        ("aliases:\n", "aliases:\n  - gradient\n  - شیب\n", {"aliases": ("gradient", "شیب")}),
        ("---\n\n<!--", "---\n<!--", {}),
        ('{"entry":', '{"gone":', None),
    ],
)  # fmt: skip
def test_what_a_reader_changes_comes_back_as_a_change(
    slope: Path, old: str, new: str, expected: Mapping[str, object] | None
) -> None:
    edit(slope, "slope", old, new)
    if expected is None:  # the comment is lost, and the visible text is not
        found = again(slope)
        assert (found.question, found.collection, found.level) == (SLOPE.question, "c", "E")
        assert found.snippets == SLOPE.snippets
        return
    assert again(slope) == replace(SLOPE, **expected)  # type: ignore[arg-type]


def test_a_link_that_a_reader_writes_relates_its_entry(slope: Path, tmp_path: Path) -> None:
    edit(slope, "slope", "- [[Other]]", "- [[c/Third|the third]]\n- [[Other]]")
    with new_library(tmp_path / "kb.db") as library:
        library.import_file(slope)
        assert library.show("slope").related == ("other", "third")


def test_a_removed_callout_takes_its_annotation_with_it(slope: Path) -> None:
    note = note_of(slope, "slope")
    text = re.sub(r"(?m)^>.*\n", "", note.read_text("utf-8"))
    note.write_text(text, "utf-8")
    assert again(slope) == replace(SLOPE, annotations=())


def test_a_picture_that_a_reader_adds_comes_in(slope: Path) -> None:
    (slope / "attachments").mkdir()
    (slope / "attachments" / "new one.png").write_bytes(IMAGE)
    edit(slope, "slope", "A rise.", "A rise. ![[new one.png|200]]")
    found = again(slope)
    assert found.answers[0].text == "A rise. ![](new-one.png)"
    assert found.media == (Media("new-one.png", hashlib.sha256(IMAGE).hexdigest(), len(IMAGE)),)


def test_a_picture_that_a_reader_replaces_is_the_new_one(tmp_path: Path) -> None:
    blobs = Blobs()
    entry = Entry(
        "x", "card", "c", {"fa": "![](نمودار.png)"}, media=(blobs.add("نمودار.png", b"old"),)
    )
    folder = written(Book([entry], media=blobs), tmp_path / "v")
    (folder / "attachments" / "نمودار.png").write_bytes(IMAGE)
    (batch,) = read(folder)
    (media,) = batch.book.entries[0].media
    assert (media.name, batch.book.media[media.sha256]) == ("نمودار.png", IMAGE)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("“rise”", "“fall”", "does not read from a note: > [!failure] wrong (own): “fall”"),
        ("- Euler", "- Gauss", "does not read from a note: > - Gauss"),
        ("### slope\\_1: Slope", "### a slope", "does not read from a note: ### a slope"),
        ("kind: question", "kind: question\nstatus: seedling", "a key of the front matter"),
        ("^note-1\n", "^note-1\n\nMine.\n", "does not read from a note: Mine."),
        (
            "## Programs\n",
            "## Programs\n\n### new\n\n```python\nprint(3)\n```\n",
            "does not read from a note: ### new\n```python\nprint(3)\n```",
        ),
        ("## Answer (fa)", "## Answer (en)", "does not read from a note: یک نسبت."),
    ],
)
def test_what_cannot_be_changed_in_a_note_is_told(
    slope: Path, old: str, new: str, said: str
) -> None:
    edit(slope, "slope", old, new)
    assert any(said in each for each in dropped(read(slope)))


def test_a_source_document_that_was_changed_is_told_and_stays(tmp_path: Path) -> None:
    folder = written(BOOK, tmp_path / "v")
    note = folder / "sources" / "notes.txt.md"
    note.write_text(note.read_text("utf-8").replace("cost", "price"), "utf-8")
    batches = read(folder)
    assert not any(batch.book.sources for batch in batches)
    assert any("text of a source document was changed" in each for each in dropped(batches))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('{"annotation":{"id":"note-1","target":{', '{"annotation":{"id":"note-1","target":7,"x":{',
         "target: must be an object"),
        ('"annotation":{', '"annotation":7,"x":{', "cannot read its own comment"),
        ('"program":{"id"', '"program":7,"y":{"id"', "cannot read its own comment"),
        ('{"schema_version":1}', '{"schema_version":9}', "reads version 1"),
        ('"answers":[', '"answers":[7,', "cannot read its own comment"),
        ('"tags":[', '"media":7,"tags":[', "cannot read its own comment"),
        ("kind: question", "kind: questions", "kind"),
        ("kind: question", "kind: [", "kind"),
    ],
)  # fmt: skip
def test_a_note_that_cannot_be_read_is_named(slope: Path, old: str, new: str, said: str) -> None:
    edit(slope, "slope", old, new)
    (note,) = [n for n in notes(slope) if n.name.startswith("What is a slope")]
    with pytest.raises(BadData, match=said) as told:
        registry.read_file(note, None, silent)
    assert str(note) in told.value.message
    assert entries(read(slope)).keys() == {"other", "third"}  # the others go on
    assert any(said in each for each in dropped(read(slope)))


def test_a_comment_that_was_broken_is_told(slope: Path) -> None:
    edit(slope, "slope", '"annotation":{', '"annotation":[{')
    batches = read(slope)
    assert not entries(batches)["slope"].annotations
    assert any("does not read from a note: <!-- danesh" in each for each in dropped(batches))


def test_more_notes_than_are_read_again_are_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kb.limits.FILES", 1)
    with pytest.raises(BadData, match="at most 1 notes"):
        written(Book([SLOPE, OTHER]), tmp_path / "v")
