"""Tables that other programs wrote: any sign between cells, any encoding, columns in any order."""

from __future__ import annotations

import csv
import io
import random
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from kb import Library
from kb.errors import BadData, UsageError
from kb.formats.tabular.reading import preview, read
from kb.model.entry import Entry
from tests.databases import new_library

EXCEL = (
    "\ufeffشناسه;پرسش;پاسخ;برچسب‌ها;یادداشت\r\n"
    'q1;"گرادیان چیست؛ و چرا «شیب» است؟";"بردار مشتق‌ها\nدر چند بُعد";ریاضی, گرادیان;خودم\r\n'
    "q2;می‌شود پرسید؟;بله;;\r\n"
)


def entries(data: bytes, columns: str | None = None) -> list[Entry]:
    return list(read(io.BytesIO(data), "t.csv", columns=columns).book.entries)


@pytest.fixture
def library(tmp_path: Path):
    with new_library(tmp_path / "kb.db") as opened:
        yield opened


def test_a_table_as_a_spreadsheet_writes_it_is_found_by_search(library, tmp_path: Path) -> None:
    (tmp_path / "بانک.csv").write_text(EXCEL, encoding="utf-8", newline="")
    report = library.import_file(tmp_path / "بانک.csv")
    assert (report.added, report.assumed) == (
        2, (f"{tmp_path / 'بانک.csv'}: cells separated by semicolons",)
    )  # fmt: skip
    assert [(each.text, each.line) for each in report.dropped] == [("یادداشت", 1)]
    (hit,) = library.search("میشود").hits
    assert hit.id == "بانک/q2"
    entry = library.show("بانک/q1")
    assert entry.tags == ("ریاضی", "گرادیان")
    assert entry.answer("fa").text == "بردار مشتق‌ها\nدر چند بُعد"
    assert library.import_file(tmp_path / "بانک.csv").unchanged == 2


@pytest.mark.parametrize(
    "table",
    [
        b"type,description\n0,Unknown\n1,Cash\n",
        "نوع,شرح\n۰,نقد\n۱,کارت\n".encode(),
        b"area,price\n0,448.524\n1,509.248\n32.4138,7\n",
    ],
)
def test_numbers_in_a_column_without_a_known_name_ask_nothing(table: bytes) -> None:
    with pytest.raises(BadData, match="no column is called question or answer"):
        entries(table)
    rows = len(table.splitlines())
    assert len(entries(table, "question=1,answer=2,header=yes")) == rows - 1
    assert len(entries(table.replace(b"0", b"zero").replace("۰".encode(), b"zero"))) == rows


@pytest.mark.parametrize("name", ["share", "سهم"])
@pytest.mark.parametrize("header", ["", "name,price\n"])
def test_measured_values_answer_nothing(name: str, header: str) -> None:
    table = header + "".join(f"{name}{n},{n}.25\n" for n in range(7))
    with pytest.raises(BadData, match="no column is called question or answer"):
        entries(table.encode())
    assert len(entries(table.replace(".", "").encode())) == len(table.splitlines())


@pytest.mark.parametrize("table", ["1,eins\n2,zwei\n3,drei\n", "۱,یک\n۲,دو\n۳,سه\n"])
def test_a_table_of_numbers_without_a_header_is_a_deck(table: str) -> None:
    found = [next(iter(each.question.values())) for each in entries(table.encode())]
    assert found == [row.split(",")[0] for row in table.split()]


@pytest.mark.parametrize(
    "header",
    ["Frage;Antwort", "question;réponse", "pregunta;respuesta", "问题;答案", "вопрос;ответ", "q;a"],
)
def test_columns_are_named_in_many_languages(header: str) -> None:
    (found,) = entries(f"{header}\nRNN?;Netz\n".encode())
    assert ([*found.question.values()], found.answers[0].text) == (["RNN?"], "Netz")


def test_a_column_a_beside_other_choices_is_no_answer() -> None:
    table = b"question,A,B,correct\nWhat is 2 + 2?,3,4,B\n"
    batch = read(io.BytesIO(table), "t.csv")
    assert not next(iter(batch.book.entries)).answers
    assert [each.text for each in batch.dropped] == ["A", "B", "correct"]


def test_what_is_changed_in_the_table_is_changed_here(library, tmp_path: Path) -> None:
    path = tmp_path / "t.tsv"
    path.write_text("Front\tBack\nWhat is a GPU?\tA processor.\n", encoding="utf-8")
    library.import_file(path)
    path.write_text("Front\tBack\nNew?\tYes.\nWhat is a GPU?\tMany cores.\n", encoding="utf-8")
    report = library.import_file(path)
    assert (report.added, report.updated) == (1, 1)
    assert library.show("t/what-is-a-gpu").answer("en").text == "Many cores."


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1256"])
def test_persian_comes_in_whatever_its_encoding(encoding: str) -> None:
    rows = [("پرسش", "پاسخ")] + [(f"شبكه عصبي {n} چيست؟", "مجموعه اي از لايه ها") for n in range(9)]
    text = "\n".join(",".join(row) for row in rows).replace("پرسش", "Question")
    found = entries(text.replace("پاسخ", "Answer").encode(encoding))
    assert [each.question["fa"] for each in found] == [row[0] for row in rows[1:]]


def test_an_encoding_that_was_guessed_is_told() -> None:
    batch = read(io.BytesIO("question,answer\nCafé?,Déjà vu\n".encode("cp1252")), "t.csv")
    assert next(iter(batch.book.entries)).answers[0].text == "Déjà vu"
    assert batch.assumed == ("it is not UTF-8 and was read as cp1252",)


@pytest.mark.parametrize(
    ("columns", "question", "answer"),
    [
        ("question=2,answer=3", "What?", "This"),
        ("question=Prompt, answer=Long+Short", "What?", "More\n\nThis"),
        ("question.fa=2,answer.en=4", "What?", "More"),
    ],
)
def test_a_reader_says_which_column_is_what(columns: str, question: str, answer: str) -> None:
    data = b"Nr,Prompt,Short,Long\n1,What?,This,More\n"
    found = entries(data, columns)[-1]
    assert list(found.question.values()) == [question]
    assert [each.text for each in found.answers] == [answer]


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ("question=9", "there is no column 9 (there are 2)"),
        ("question=Answr", "Nearest: Answer"),
        ("questoin=1", "Nearest: question"),
        ("question", "is not like question=2"),
        ("tags=1", "neither a question nor an answer"),
        ("question=1,question=2", "names question twice"),
        ("level.fa=1,question=2", "level needs a language"),
    ],
)
def test_a_map_that_says_nothing_names_what_is_wrong(columns: str, said: str) -> None:
    with pytest.raises(UsageError) as raised:
        entries(b"Prompt,Answer\na,b\n", columns)
    assert said in f"{raised.value.message} {raised.value.hint}"


def test_columns_that_nobody_knows_are_named_with_what_to_write() -> None:
    with pytest.raises(BadData, match=r"1 'alpha', 2 'beta', 3 'gamma'") as raised:
        entries(b"alpha,beta,gamma\na,b,c\n")
    assert "--map question=1,answer=2" in raised.value.hint


@pytest.mark.parametrize("row", ["{}\t{}", "{}\t\t{}", "\t{}\t{}\t"])
def test_two_columns_without_names_are_question_and_answer_and_that_is_told(row: str) -> None:
    rows = [row.format("گرادیان چیست؟", "شیب"), row.format("What?", "This")]
    batch = read(io.BytesIO("\n".join(rows).encode()), "t.tsv")
    assert [each.answers[0].text for each in batch.book.entries] == ["شیب", "This"]
    assert [list(each.question) for each in batch.book.entries] == [["fa"], ["en"]]
    assert batch.assumed == ("the first row is an entry, its columns question and answer",)


@pytest.mark.parametrize(
    "text",
    [
        "Why A?,So\nWhy B?,Thus, or so\n",
        "1,Why A?,So\n2,Why B?,Thus, or so\n3,Why?,x\n",
        'Why A?,So,easy\nWhy B?,"Thus, or so",hard\n',
        "چرا A?,So\nچرا B؟,Thus, or so\nچرا؟,به\n",
    ],
)
def test_a_column_that_asks_needs_no_name_and_an_answer_no_quotes(text: str) -> None:
    made = read(io.BytesIO(text.encode()), "t.csv").book.entries
    assert [each.answers[0].text for each in made][:2] == ["So", "Thus, or so"]
    assert next(iter(made[0].question.values())).endswith(" A?")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b'question,answer\n"never closed,b\n', "2: from here on cells cannot be separated"),
        (b"question,answer\na\0b,c\n", "NUL"),
        (b"question,answer\n" + b"x" * (9 << 20) + b",b\n", "2: this line has more than"),
        (b"\xff\xfeq\x00,", "UTF-16|called question"),
    ],
)
def test_what_is_no_table_is_told_with_its_line(data: bytes, said: str) -> None:
    with pytest.raises(BadData, match=said):
        entries(data)


def test_rows_that_cannot_be_entries_are_set_aside_and_the_others_come() -> None:
    data = b"id,question,answer\n1,a,b\n1,c,d\n2,,\n3,e,f,extra\n,g,h\n4,i\n"
    batch = read(io.BytesIO(data), "t.csv")
    assert [each.id for each in batch.book.entries] == ["1", "4"]
    assert [each.line for each in batch.bad] == [3, 4, 5, 6]
    assert batch.assumed == ("1 rows have fewer cells than the first, so the rest is empty",)


def test_levels_are_read_in_both_languages_and_others_are_told() -> None:
    data = "question,level\na,سخت\nb,Easy\nc,impossible\n".encode()
    batch = read(io.BytesIO(data), "t.csv")
    assert [each.level for each in batch.book.entries] == ["H", "E", None]
    assert [each.text for each in batch.dropped] == ["impossible"]


def test_a_preview_shows_the_first_rows_and_what_would_be_taken() -> None:
    shown = preview(io.BytesIO(EXCEL.encode()), "t.csv")
    assert shown is not None and len(shown.rows) == 3 and shown.header
    assert {*shown.roles.values()} == {"id", "question", "answer", "tags"}
    assert preview(io.BytesIO(b"a,b,c\n1,2,3\n"), "t.csv").roles == {}


@pytest.mark.long
def test_one_of_our_own_tables_needs_no_preview(bundled: Library, tmp_path: Path) -> None:
    bundled.export("csv", tmp_path / "ours.csv")
    assert bundled.imports.table_in(tmp_path / "ours.csv") is None
    (tmp_path / "a.md").write_text("# a", encoding="utf-8")
    assert bundled.imports.table_in(tmp_path / "a.md") is None


@pytest.mark.parametrize(("said", "count"), [("yes", 1), ("no", 2)])
def test_a_reader_can_say_whether_the_first_row_names_the_columns(said: str, count: int) -> None:
    data = b"Wort;Bedeutung\nGradient;Steigung\n"
    batch = read(io.BytesIO(data), "t.csv", columns=f"question=1,answer=2,header={said}")
    assert len(batch.book.entries) == count


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (
            b"question,answer\n'a, b','c'\n'd','e'\n",
            ("cells separated by commas, with ' around them",),
        ),
        (
            b'question;answer\n"a \\"b\\"";c\n',
            ("cells separated by semicolons, with \\ before quotes",),
        ),
        (b"question,answer\n'tis so,it is\nb,c\n", ()),
        (b"sep=;\nquestion;answer\na, b;c\n", ("cells separated by semicolons",)),
        (b"\n | \nquestion|answer\na, b|c; d\n", ("cells separated by bars",)),
        (b"question;answer\na, b;c, d\ne, f;g\n", ("cells separated by semicolons",)),
    ],
)
def test_cells_are_parted_as_most_rows_have_it_and_that_is_told(
    data: bytes, said: tuple[str, ...]
) -> None:
    batch = read(io.BytesIO(data), "t.csv")
    assert batch.assumed == said
    assert all(len(each.answers) == 1 for each in batch.book.entries)


@pytest.mark.parametrize("sign", [",", ";", "\t", "|"])
def test_a_quote_that_is_never_closed_is_told_with_its_line_whatever_parts_cells(sign: str) -> None:
    text = 'question,answer\na,b\n"c,d\ne,f\n'.replace(",", sign)
    with pytest.raises(BadData, match="3: from here on cells cannot be separated"):
        entries(text.encode())


def test_a_line_that_is_not_of_the_encoding_of_its_file_is_named() -> None:
    data = "\ufeffquestion,answer\na,b\n".encode() + b"c,\xff\ne,f\n"
    with pytest.raises(BadData, match=r"t\.csv:3: this is not UTF-8 text"):
        entries(data)


def test_a_row_that_cannot_be_taken_leaves_its_id_to_another() -> None:
    data = f"id,question,tags\na,Why?,{';'.join(map(str, range(1001)))}\na,What?,x\n".encode()
    batch = read(io.BytesIO(data), "t.csv")
    assert [each.line for each in batch.bad] == [2]
    assert [(each.id, each.tags) for each in batch.book.entries] == [("a", ("x",))]


def test_persian_in_utf_8_that_is_damaged_is_not_taken_for_another_encoding() -> None:
    data = "پرسش,پاسخ\n".encode() + "گرادیان چیست؟,شیب\n".encode() * 20 + b"\xda,b\n"
    with pytest.raises(BadData, match=r"this is UTF-8 text, except at byte \d"):
        entries(data)


def test_what_is_told_of_a_first_row_that_nobody_names() -> None:
    batch = read(io.BytesIO(b"Vraag,Antwoord\na,b\n"), "t.csv", columns="question=1,answer=2")
    assert batch.assumed == ("the first row is an entry",)
    named = read(io.BytesIO(b"Vraag,Antwoord\na,b\n"), "t.csv", columns="question=Vraag")
    assert (len(named.book.entries), named.assumed) == (1, ())


def test_a_table_with_more_columns_than_a_spreadsheet_has_is_refused_at_once() -> None:
    with pytest.raises(BadData, match="1: has more than 16,384 cells"):
        entries(b"x," * 1_000_000 + b"\na,b\n")
    with pytest.raises(UsageError, match="there is no column 9999"):
        entries(b"a,b\n", "question=" + "9" * 5000)


def test_languages_and_tags_are_read_as_people_write_them() -> None:
    data = "question,answer,lang,tags\nWas?,Das,de,a;b\nالف,ب,فارسی,پ؛ت|ث\nc,d,<x>,\n".encode()
    batch = read(io.BytesIO(data), "t.csv")
    told = [(list(each.question), each.tags) for each in batch.book.entries]
    assert told == [(["de"], ("a", "b")), (["fa"], ("پ", "ت", "ث"))]
    assert [each.line for each in batch.bad] == [4]


def test_a_table_of_others_that_has_an_id_and_a_kind_is_not_ours() -> None:
    batch = read(io.BytesIO(b"id,kind,question,answer\n7,x,a,b\n"), "t.csv")
    assert not batch.own
    assert [(each.text, each.line) for each in batch.dropped] == [("kind", 1)]


@pytest.mark.long
@pytest.mark.parametrize("seed", range(20))
def test_a_damaged_table_is_read_or_refused_and_nothing_else(seed: int) -> None:
    chance = random.Random(seed)
    read_whole = 0
    for encoding in ("utf-8", "utf-16", "cp1256"):
        whole = bytearray(EXCEL.replace("\ufeff", "").encode(encoding, "replace"))
        for _ in range(25):
            data = whole.copy()
            for _ in range(chance.randrange(4)):
                data[chance.randrange(len(data))] = chance.choice(b"\0\"'\\,;\t|\r\n\xff\xdaa")
            try:
                read_whole += len(entries(bytes(data))) == 2
            except BadData as error:
                assert error.message.startswith("t.csv:")
    assert read_whole > 0, "what is not damaged is read"


CELL = st.text(
    st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufeff"), max_size=20
)
TEXT = CELL.filter(lambda text: bool(text.strip()))


@given(
    st.lists(st.tuples(TEXT, TEXT), min_size=1, max_size=9),
    st.sampled_from(",;\t|"),
    st.sampled_from([csv.QUOTE_ALL, csv.QUOTE_MINIMAL]),
    st.sampled_from(["\n", "\r\n"]),
)
def test_whatever_a_program_writes_comes_in_as_it_was(rows, sign, quoting, ending) -> None:
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=sign, quoting=quoting, lineterminator=ending)
    writer.writerows([("question", "answer"), *rows])
    assume(sum(other in out.getvalue() for other in ",;\t|") == 1 or quoting == csv.QUOTE_ALL)
    found = entries(out.getvalue().encode("utf-8"))
    told = [(next(iter(e.question.values())), e.answers[0].text) for e in found]
    assert told == [(one.strip(), other.strip()) for one, other in rows]
