"""The text of a file gives back its bytes, and what is no text is refused with its line."""

from __future__ import annotations

import codecs
import io

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kb import limits
from kb.errors import BadData
from kb.formats.notes.matter import (
    Matter,
    encoded,
    file_text,
    note_file,
    read_matter,
    read_text,
)
from kb.formats.notes.reading import read

PIECES = st.lists(
    st.sampled_from(
        [
            "\n",
            "\r\n",
            "\r",
            "---\n",
            "---\r\n",
            "+++\n",
            "a: b\n",
            "title: ب\r\n",
            "# متن",
            "x",
            " ",
            "\ufeff",
        ]
    )
    | st.text(max_size=5),
    max_size=30,
).map("".join)
ENCODINGS = {
    "utf-8": b"",
    "utf-8-sig": codecs.BOM_UTF8,
    "utf-16-le": codecs.BOM_UTF16_LE,
    "utf-16-be": codecs.BOM_UTF16_BE,
}


@example("---\r\na: 1\r\n---\r\nx", "utf-16-le")
@example("a\r\nb\nc\r", "utf-8")
@given(PIECES, st.sampled_from(sorted(ENCODINGS)))
def test_head_and_body_are_the_bytes_of_the_file(text: str, encoding: str) -> None:
    codec = "utf-8" if encoding == "utf-8-sig" else encoding
    try:
        data = ENCODINGS[encoding] + text.encode(codec)
    except UnicodeEncodeError:
        return
    try:
        found = file_text(data, "x.md")
    except BadData as error:
        assert error.message.startswith("x.md:")
        return
    body = found.body if found.body.strip() else ""
    assert encoded(note_file(found, "x.md"), body) == data


@pytest.mark.parametrize(
    ("data", "newline", "head", "body"),
    [
        (b"a\nb\n", "lf", "", "a\nb\n"),
        (b"---\r\na: 1\r\n---\r\nb\r\n", "crlf", "---\na: 1\n---\n", "b\n"),
        (b"a\rb", "cr", "", "a\nb"),
        (b"a\r\nb\nc", "mixed", "", "a\r\nb\nc"),
        (b"---\na: 1\n---", "lf", "---\na: 1\n---", ""),
        (b"---\n\nprose\n---\n", "lf", "", "---\n\nprose\n---\n"),
        (b"---\na: 1\n", "lf", "", "---\na: 1\n"),
        ("\ufeff# نرم".encode(), "lf", "", "# نرم"),
    ],
)
def test_front_matter_is_split_off_as_it_is_written(
    data: bytes, newline: str, head: str, body: str
) -> None:
    found = file_text(data, "x.md")
    assert (found.newline, found.head, found.body) == (newline, head, body)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"a\nb\xff", r"x.md:2: this is not UTF-8 text \(byte 3\)"),
        (b"a\r\nb\0", "x.md:2: this is not a text file: it contains NUL"),
        (codecs.BOM_UTF16_LE + b"a\0\n\0\x00\xd8", "x.md:2: this is not UTF-16 text"),
        (b"x" * (16 << 20), "x.md:1: the file contains more than 3 MiB"),
        (b"x\n" * (limits.MARKDOWN // 2) + b"y", "x.md:1572865: the file contains more than 3 MiB"),
    ],
    ids=["no UTF-8", "NUL", "no UTF-16", "a line without end", "too long"],
)  # fmt: skip
def test_what_is_no_text_is_refused_with_its_line(data: bytes, said: str) -> None:
    with pytest.raises(BadData, match=said):
        read_text(io.BytesIO(data), "x.md")


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbf# Title\r\n\r\nText without an end",
        "\ufeff# عنوان\n\nمتن\n".encode("utf-16-le"),
        b"---\n- a list\n- and no mapping\n---\nBody words\n",
        b"---\n{unclosed: [\n---\nBody words\n",
        b"---\nonly: opened\nBody words\n",
        b"a\r\nb\rc\nd",
        b"# \n" * 60_000,
        b"word " * 500_000,
    ],
    ids=["BOM", "UTF-16", "a list as front matter", "no YAML", "no end", "mixed ends", "headings", "one line"],
)  # fmt: skip
def test_bad_input_keeps_its_words(data: bytes) -> None:
    found = read(io.BytesIO(data), "x.md")
    (note,) = found.book.entries
    file = note.file
    assert file is not None
    assert encoded(file, note.answers[0].text) == data
    words = {"Body", "list", "opened"} & {*file.head.split(), *note.answers[0].text.split()}
    assert words <= {*note.answers[0].text.split()} or file.head


class Waiting(io.BytesIO):
    """A stream that has nothing yet, as a log of the system that waits for its next line."""

    def read(self, size: int | None = -1, /) -> bytes:
        return None  # type: ignore[return-value]

    readinto = readinto1 = read1 = read  # type: ignore[assignment]


def test_a_stream_that_waits_is_refused() -> None:
    with pytest.raises(BadData, match=r"x\.md"):
        read_text(Waiting(), "x.md")


@pytest.mark.parametrize("inner", ["", "~\n", "null\n"])
def test_front_matter_that_says_nothing_is_no_fault(inner: str) -> None:
    assert read_matter(f"---\n{inner}---\n") == Matter()
    assert read_matter("---\n- a\n---\n").fault
