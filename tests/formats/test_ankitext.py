"""Anki's own text format: its library reads what is written here, and what it writes is read."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from kb import Library, limits
from kb.errors import BadData
from kb.formats.book import Book
from kb.formats.registry import exporter
from kb.formats.tabular.anki import read
from kb.model.entry import Answer, Entry
from tests.databases import new_library
from tests.plugin import times

ASKED = {"en": "Why *now*? $x^2$", "fa": "چرا می‌شود؟"}


def taken(text: str) -> list[Entry]:
    batch = read(io.BytesIO(text.encode("utf-8", "surrogatepass")), "notes.txt")
    return list(batch.book.entries)


@pytest.fixture
def anki(tmp_path: Path):
    pytest.importorskip("anki", reason="Anki's own library is not for this platform")
    from anki.collection import Collection

    opened = Collection(str(tmp_path / "theirs.anki2"))
    yield opened
    opened.close()


def given_to(collection, path: Path):
    """Let Anki's own library import a text as its dialog proposes; return its log."""
    from anki.collection import ImportCsvRequest

    metadata = collection.get_csv_metadata(str(path), None)
    return collection.import_csv(ImportCsvRequest(path=str(path), metadata=metadata)).log


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
def test_anki_takes_in_what_is_written_once(bundled: Library, anki, tmp_path: Path) -> None:
    path = tmp_path / "danesh.anki.txt"
    count = bundled.export("anki", path)
    assert count == sum(bundled.show(hit.id).kind != "note" for hit in bundled.list().hits)
    assert len(given_to(anki, path).new) == count
    again = given_to(anki, path)
    assert (len(again.new), len(again.duplicate), anki.note_count()) == (0, count, count)
    decks = {deck.name for deck in anki.decks.all_names_and_ids()} - {"Default"}
    titles = {hit.collection for hit in bundled.list().hits if hit.kind != "note"}
    assert len(decks) == len(titles)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("html", [True, False])
def test_what_anki_writes_is_read(html: bool, anki, empty: Library, tmp_path: Path) -> None:
    added = [
        ("Basic", ["چرا می‌شود \\(x^2\\)?", 'One,<br>"two";\ttabs'], ["a", "b::c"], "ML::RNN"),
        ("Cloze", ["{{c1::Tehran}} is a city, 1 &lt; 2", ""], [], "Geo"),
    ]
    for kind, fields, tags, deck in added:
        note = anki.new_note(anki.models.by_name(kind))
        note.fields, note.tags = fields, tags
        anki.add_note(note, anki.decks.id(deck))
    path = tmp_path / "theirs.txt"
    anki.export_note_csv(out_path=str(path), limit=None, with_html=html, with_tags=True,
                         with_deck=True, with_notetype=True, with_guid=True)  # fmt: skip
    report = empty.import_file(path)
    assert (report.added, report.bad) == (2, ())
    entries = [empty.show(hit.id) for hit in empty.list().hits]
    basic = next(entry for entry in entries if entry.tags)
    assert basic.question == {"fa": "چرا می‌شود $x^2$?"}
    assert (basic.tags, basic.collection) == (("a", "b::c"), "theirs/ML/RNN")
    assert basic.answers[0].text.split() == ["One,", '"two";', "tabs"]
    cloze = next(entry for entry in entries if not entry.tags)
    assert cloze.question == {"en": "[…] is a city, 1 < 2"}
    assert cloze.answers[0].text == "Tehran is a city, 1 < 2"
    assert empty.import_file(path).added == 0


@pytest.mark.parametrize(
    ("name", "sign"),
    [("tab", "\t"), ("Comma", ","), ("semicolon", ";"), ("pipe", "|"), ("colon", ":"),
     ("space", " "), (";", ";")],
)  # fmt: skip
@pytest.mark.parametrize("head", ["#separator:{name}\n#html:false\n", "#html:false\n"])
def test_every_separator_of_ankis_parts_cells(name: str, sign: str, head: str) -> None:
    (entry,) = taken(f'{head.format(name=name)}#tags column:3\nAsked{sign}"a ""b"""{sign}x\n')
    assert entry.question == {"en": "Asked"}
    assert entry.answers[0].text == 'a "b"'
    assert entry.tags == ("x",)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("#html:true\na\tb<br>c\n", [("a", "b  \nc")]),
        ("#html:false\na\tb<br>c\n", [("a", "b\\<br>c")]),
        ("#separator:tab\na\tb<br>c\n", [("a", "b  \nc")]),
        ("#separator:tab\na\t1 < 2\n", [("a", "1 < 2")]),
        ('#html:false\n"a\nb"\tc\n', [("a  \nb", "c")]),
        ("#html:false\r\na\tb\r\nc\td\r\n", [("a", "b"), ("c", "d")]),
        ("\ufeff#html:false\na\tb\n", [("a", "b")]),
        ("#html:false\na\tb\n# said between\nc\td\n", [("a", "b"), ("c", "d")]),
        ('#html:false\na\tb\n"# no comment"\td\n', [("a", "b"), ("\\# no comment", "d")]),
        ("#html:false\n\n\na\tb\n", [("a", "b")]),
        ("#html:false\na\tb\n\t\n", [("a", "b")]),
        ("#html:false\n\tb\n", [("b", "")]),
        ("#html:false\na\n", [("a", "")]),
        ("#columns:Q,A,More\n#separator:comma\na,b,c\n", [("a", "b\n\n**More:** c")]),
        ("#html:true\na\tb<script>alert(1)</script>\n", [("a", "b")]),
        ("#html:true\na\tb\x00c\x1fd\n", [("a", "bc d")]),
        ("#html:true\n", []),
    ],
)
def test_rows_are_read_as_anki_reads_them(text: str, said: list[tuple[str, str]]) -> None:
    found = [
        (next(iter(e.question.values())), e.answers[0].text if e.answers else "")
        for e in taken(text)
    ]
    assert found == said


def test_what_the_head_says_of_all_notes_is_theirs() -> None:
    head = (
        "#separator:tab\n#html:false\n#tags:one two\n#deck:A::B\n#notetype:Basic\n#made by hand\n"
    )
    batch = read(io.BytesIO(f"{head}a\tb\n# more\n".encode()), "notes.txt")
    (entry,) = batch.book.entries
    assert entry.tags == ("one", "two")
    assert batch.lines == {entry.id: 7}
    assert [each.reason for each in batch.dropped] == [
        "the note types were skipped",
        "2 comment lines were skipped",
    ]


def test_a_guid_names_an_entry_and_stands_once() -> None:
    text = "#separator:tab\n#html:false\n#guid column:2\na\tg1\tb\nc\tg1\td\ne\t\tf\ne\t\tf\n"
    batch = read(io.BytesIO(text.encode()), "notes.txt")
    assert [entry.id for entry in batch.book.entries] == ["g1", "e", "e-2"]
    assert set(batch.given) == {"g1"}
    assert [each.line for each in batch.bad] == [5]


@pytest.mark.long
@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b'#html:true\na\t"b\nc\td\n', "2: a quote in this row is never closed"),
        (b"#html:true\na\t\xff\n", "2: this is not UTF-8 text"),
        (b"#html:true\n" + b"a" * (limits.RECORD + 2), "2: this line has more than 8 MiB"),
        (b'#html:true\n"' + b"a\n" * (limits.RECORD // 2 + 2), "2: this row has more than 8 MiB"),
    ],
)
def test_what_cannot_be_read_is_named(data: bytes, why: str) -> None:
    with pytest.raises(BadData) as caught:
        read(io.BytesIO(data), "notes.txt")
    assert caught.value.message.startswith(f"notes.txt:{why}")


def test_a_file_is_known_by_its_first_line_alone(empty: Library, tmp_path: Path) -> None:
    ours, prose = tmp_path / "ours.txt", tmp_path / "prose.txt"
    ours.write_text("#separator:tab\n#html:false\nWhy?\tSo.\n", encoding="utf-8")
    prose.write_text("# What is it?\n\nIt is so.\n", encoding="utf-8")
    empty.import_file(ours, collection="ours")
    empty.import_file(prose, collection="prose")
    kinds = {hit.collection: hit.kind for hit in empty.list().hits}
    assert kinds == {"ours": "card", "prose": "note"}


TEXTS = st.text(st.characters(codec="utf-8"), max_size=60) | st.lists(
    st.sampled_from(['"', "\t", "\n", "\r\n", "#", "<script>", "{{c1::a}}", "\x1f", "\x00", "می‌شود",
                     "\u202e", "\u200f", "$x$", "| a |", "- ", "a"]),
    max_size=12,
).map("".join)  # fmt: skip


@settings(max_examples=times(30), suppress_health_check=[HealthCheck.too_slow])
@given(TEXTS, TEXTS)
@example('"\t#', "#\n\n#")
@example("#", "")
def test_any_text_goes_out_as_one_row_and_comes_back_as_text(asked: str, told: str) -> None:
    entry = Entry("a", "card", "c/d", {"en": asked}, answers=(Answer("source", "fa", told),))
    out = io.BytesIO()
    exporter("anki")(Book((entry,)), out)
    batch = read(io.BytesIO(out.getvalue()), "notes.txt")
    assert [*batch.bad] == []
    (found,) = batch.book.entries
    assert not [d for d in batch.dropped if "run" in d.reason]
    assert not {"\x00", "\x1f", "\t"} & {*"".join(found.question.values())}


@settings(max_examples=times(60), suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_a_damaged_file_is_read_or_refused_in_a_sentence(data) -> None:
    text = ("#separator:tab\n#html:true\n#guid column:1\n#deck column:4\n#tags column:5\n"
            'g1\tWhy?\t"So, <b>""so""</b>\nit is"\tA::B\tx y\ng2\tچرا؟\tزیرا\tA\t\n').encode()  # fmt: skip
    whole = bytearray(text)
    for _ in range(data.draw(st.integers(0, 6))):
        place = data.draw(st.integers(0, len(whole) - 1))
        whole[place : place + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))
    try:
        batch = read(io.BytesIO(bytes(whole)), "notes.txt")
    except BadData as error:
        assert error.message.startswith("notes.txt")
    else:
        assert len(batch.book.entries) <= whole.count(b"\n") + whole.count(b"\r") + 1


def test_the_control_of_the_damage_is_read_whole() -> None:
    assert [e.id for e in taken("#html:true\n#guid column:1\ng1\tWhy?\tSo\n")] == ["g1"]


def test_both_sides_in_both_languages_come_back(tmp_path: Path) -> None:
    entry = Entry("a", "card", "c", ASKED, answers=(Answer("reference", "fa", "زیرا می‌شود."),))
    path = tmp_path / "one.anki.txt"
    with path.open("wb") as out:
        exporter("anki")(Book((entry,)), out)
    with new_library(tmp_path / "kb.db") as library:
        assert library.import_file(path).added == 1
        (hit,) = library.list().hits
        found = library.show(hit.id)
    text = "".join(found.question.values())
    assert "Why *now*? $x^2$" in text
    assert "چرا می‌شود؟" in text
    assert found.answers[0].text.endswith("زیرا می‌شود.")
