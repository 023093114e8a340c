"""Notebooks: Jupyter's own library takes ours and runs them, and other people's come in whole."""

from __future__ import annotations

import base64
import io
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kb import open_library
from kb.errors import BadData
from kb.formats.book import Book
from kb.formats.notebooks import read, write
from kb.model.entry import Answer, Entry, Snippet
from tests.databases import new_library

pytestmark = pytest.mark.filterwarnings("ignore")  # Jupyter's libraries warn of each other


def cell(kind: str, source: str | list[str], **more: Any) -> dict[str, Any]:
    code = {"outputs": [], "execution_count": None} if kind == "code" else {}
    return {"cell_type": kind, "metadata": {}, "source": source, **code, **more}


def notebook(*cells: dict[str, Any], **more: Any) -> bytes:
    whole = {"cells": list(cells), "metadata": {}, "nbformat": 4, "nbformat_minor": 5, **more}
    return json.dumps(whole).encode()


def batch(data: bytes):
    return read(io.BytesIO(data), "course/lesson one.ipynb")


def entries(data: bytes) -> list[Entry]:
    return list(batch(data).book.entries)


@pytest.fixture(scope="module")
def bundled(tmp_path_factory: pytest.TempPathFactory, _bundled_file: Path):
    folder = tmp_path_factory.mktemp("notebook")
    with open_library(shutil.copy(_bundled_file, folder / "kb.db")) as library:
        library.export("ipynb", folder / "danesh.ipynb")
        yield library, folder / "danesh.ipynb"


def test_jupyter_finds_nothing_wrong_with_ours(bundled) -> None:
    import nbformat

    found = nbformat.read(bundled[1], as_version=4)
    nbformat.validate(found, relax_add_props=False)
    assert len({each["id"] for each in found.cells}) == len(found.cells)
    told = [each.source for each in found.cells if each.cell_type == "markdown"]
    persian = [each for each in told if "می‌" in each]
    assert persian
    assert all('<div dir="rtl">\n\n' in each or "danesh" in each for each in persian)


@pytest.mark.long
def test_what_a_notebook_runs_prints_the_figures_that_are_expected(bundled, tmp_path) -> None:
    import nbformat
    from nbclient import NotebookClient

    library, _ = bundled
    entry = library.show("matrix-chain-three")
    library.export("ipynb", tmp_path / "one.ipynb", ids=[entry.id])
    found = nbformat.read(tmp_path / "one.ipynb", as_version=4)
    NotebookClient(found, timeout=600, kernel_name="python3").execute()
    printed = "".join(
        output.get("text", "") for each in found.cells for output in each.get("outputs", ())
    )
    figures = dict(line.split(": ", 1) for line in printed.splitlines() if ": " in line)
    evidence = [each for note in entry.annotations for each in note.evidence]
    assert evidence
    for each in evidence:
        assert float(figures[each.figure]) == pytest.approx(each.expected, rel=1e-6, abs=1e-9)


def test_the_same_base_gives_the_same_notebook(bundled, tmp_path: Path) -> None:
    bundled[0].export("ipynb", tmp_path / "again.ipynb")
    assert (tmp_path / "again.ipynb").read_bytes() == bundled[1].read_bytes()


def test_a_lesson_of_somebody_comes_in_with_its_programs(tmp_path: Path) -> None:
    path = tmp_path / "درس.ipynb"
    path.write_bytes(notebook(
        cell("markdown", ["# شبکه‌های عصبی\n", "\n", "درباره‌ی گرادیان."]),
        cell("markdown", "## گرادیان چیست؟\n\nشیب است."),
        cell("code", "import numpy as np\nprint('slope:', 2)",
             outputs=[{"output_type": "stream", "name": "stdout", "text": ["slope: 2\n"]}]),
        cell("code", "%matplotlib inline\n!pip install x"),
    ))  # fmt: skip
    with new_library(tmp_path / "kb.db") as library:
        report = library.import_file(path)
        assert [each.reason for each in report.dropped if "outputs" in each.reason] == []
        (hit, *_) = library.search("گرادیان چیست").hits
        entry = library.show(hit.id)
        assert [each.code for each in entry.snippets] == [
            "import numpy as np\nprint('slope:', 2)\n"
        ]
        assert not entry.snippets[0].own
        assert "!pip install x" in entry.answer("fa").text
        assert library.import_file(path).unchanged == report.added


def test_code_of_a_question_stays_in_it_as_it_was() -> None:
    asked = "# Lists\n\n## Exercise 1\n\nPrint the list. Begin with this:"
    (entry,) = entries(notebook(cell("markdown", asked), cell("code", "# TODO")))
    assert entry.kind != "note"
    assert entry.question["en"].endswith("Begin with this:\n\n```python\n# TODO\n```")


def test_code_of_another_language_stays_text() -> None:
    data = notebook(cell("markdown", "# What?\n\nThis."), cell("code", "plot(1:3)"),
                    metadata={"kernelspec": {"language": "R", "name": "ir"}})  # fmt: skip
    (entry,) = entries(data)
    assert entry.snippets == ()
    assert "plot(1:3)" in entry.answers[0].text


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"not json", "this is not JSON"),
        (b"[]", "must be an object"),
        (notebook(nbformat=5), "nbformat is 5, not 4"),
        (b'{"nbformat": 3, "worksheets": [{"cells": []}]}', "nbformat is 3, not 4"),
        (notebook(cell("markdown", "a"), {"source": "b"}), "cell 2 is not a cell"),
        (notebook(cell("markdown", [1])), "cell 1: source must be a text"),
        (b'{"cells": [' + b"[" * 9999 + b"]", "not JSON|deep|none"),
        (notebook(cell("code", "x" * (9 << 20))), "larger than 8"),
    ],
)
def test_what_is_no_notebook_is_told_with_its_cell(data: bytes, said: str) -> None:
    with pytest.raises(BadData, match=said):
        batch(data)


PICTURE = base64.b64encode(b"\x89PNG\r\n").decode()


def outputs() -> list[dict[str, object]]:
    data = {"text/html": "<table>", "text/plain": ["   a\n", "0  1"]}
    return [
        {
            "output_type": "stream",
            "name": "stdout",
            "text": ["50%\r100%\n", "\x1b[31mdone\x1b[0m\n"],
        },
        {"output_type": "execute_result", "data": data, "metadata": {}, "execution_count": 1},
        {"output_type": "display_data", "data": {"image/png": PICTURE, "text/plain": "<Figure>"}},
        {"output_type": "display_data", "data": {"image/png": "!", "text/plain": "<Figure>"}},
        {"output_type": "error", "ename": "E", "evalue": "e", "traceback": ["\x1b[31m"]},
    ]


@pytest.mark.parametrize("answer", ["This.", "همین."])
def test_what_code_has_written_stands_behind_it_and_in_no_text_or_program(
    answer: str, tmp_path: Path
) -> None:
    data = notebook(
        cell("markdown", f"# FAQ\n\n## What?\n\n{answer}"),
        cell("code", "1", outputs=outputs()),
        cell("markdown", "## Why?"),
    )
    (tmp_path / "n.ipynb").write_bytes(data)
    with new_library(tmp_path / "kb.db") as library:
        report = library.import_file(tmp_path / "n.ipynb")
        (entry,) = (library.show(hit.id) for hit in library.list().hits if hit.id.endswith("/what"))
        (media,) = entry.media
        assert library._base.store.media.get(media.sha256) == b"\x89PNG\r\n"
    assert entry.answers[0].text.split("\n\n") == [
        answer, "```output\n100%\ndone\n```", "```output\n   a\n0  1\n```", f"![]({media.name})",
        "```output\n<Figure>\n```",
    ]  # fmt: skip
    assert [each.code for each in entry.snippets] == ["1\n"]
    told = {each.reason for each in report.dropped}
    assert any("damaged" in reason for reason in told)
    assert "outputs that are neither text nor pictures were skipped (1)" in told


def test_attached_pictures_come_with_the_texts_that_show_them(tmp_path: Path) -> None:
    attached = {"شیب 1.png": {"image/png": PICTURE}, "a.pdf": {"application/pdf": PICTURE}}
    text = "# What?\n\n![a slope](attachment:شیب%201.png) and ![](attachment:a.pdf)"
    text = text.replace("%20", "-")
    attached = {name.replace(" ", "-"): bundle for name, bundle in attached.items()}
    other = cell("markdown", "# Two?\n\n![](attachment:شیب-1.png)",
                 attachments={"شیب-1.png": {"image/png": [base64.b64encode(b"two").decode()]}})  # fmt: skip
    data = notebook(cell("markdown", text, attachments=attached), other)
    (tmp_path / "n.ipynb").write_bytes(data)
    with new_library(tmp_path / "kb.db") as library:
        report = library.import_file(tmp_path / "n.ipynb")
        shown = [library.show(hit.id) for hit in library.list().hits]
        found = [library._base.store.media.get(each.media[0].sha256) for each in shown]
    assert found == [b"\x89PNG\r\n", b"two"]
    assert all(f"]({each.media[0].name})" in each.answers[0].text for each in shown)
    assert any("no pictures" in each.reason for each in report.dropped)


def test_pictures_beside_a_notebook_come_with_it(tmp_path: Path) -> None:
    text = '# What?\n\n![a slope](figures/slope.png) and <img src="figures/two.png" alt="2">'
    (tmp_path / "course" / "figures").mkdir(parents=True)
    (tmp_path / "course" / "figures" / "slope.png").write_bytes(b"slope")
    (tmp_path / "course" / "figures" / "two.png").write_bytes(b"two")
    code = cell("code", "1", outputs=[{"output_type": "display_data",
                                       "data": {"image/png": PICTURE}}])  # fmt: skip
    (tmp_path / "course" / "n.ipynb").write_bytes(notebook(cell("markdown", text), code))
    with new_library(tmp_path / "kb.db") as library:
        report = library.import_file(tmp_path / "course")
        shown = [library.show(hit.id) for hit in library.list().hits]
        names = {each.sha256: each.name for entry in shown for each in entry.media}
        found = {name: library._base.store.media.get(key) for key, name in names.items()}
    assert found == {
        "slope.png": b"slope", "two.png": b"two", "output-2-1.png": b"\x89PNG\r\n"
    }  # fmt: skip
    assert not report.dropped


def test_outputs_of_any_kind_hurt_nobody() -> None:
    data = notebook(cell("markdown", "# What?\n\nThis."), cell("code", "1", outputs=[None, 3, {}]),
                    cell("code", "2", outputs="none"), cell("raw", "raw"))  # fmt: skip
    assert len(entries(data)[0].snippets) == 2


TEXT = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]), min_size=1, max_size=60
).filter(lambda text: bool(text.strip()))


@given(TEXT, TEXT, st.sampled_from(["en", "fa"]))
@example("a", '<div dir="rtl">\n\nb\n\n</div>', "en")
@example("a", '<div dir="rtl">\n\nb\n\n</div>', "fa")
@example("a", "```\n\n</div>\n\nb\n```", "fa")
@example("a\rb", "c\r\nd", "en")
def test_what_an_entry_says_comes_back_from_a_notebook(question: str, told: str, lang: str) -> None:
    entry = Entry("a", "question", "c", {lang: question}, answers=(Answer("source", lang, told),),
                  snippets=(Snippet("s", {}, "print('x: 1')\n", main=True),))  # fmt: skip
    out = io.BytesIO()
    write(Book((entry,)), out)
    out.seek(0)
    assert list(read(out, "t.ipynb").book.entries) == [entry]
