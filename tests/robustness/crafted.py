"""Files of every wrong kind and size, each with what the command line is to say of it."""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO, NamedTuple

_SECRET = "the words of a neighbour"
_COLLECTION = 'order = 1\n[title]\nen = "C"\n'
_ENTRY = 'id = "a"\nkind = "card"\ntopic = "t"\n[question.en]\ntext = "q?"\n'


class Crafted(NamedTuple):
    """What ``make`` puts into a folder, and the arguments of the command that meets it there."""

    name: str
    make: Callable[[Path], list[str]]
    said: str
    code: int = 4
    never: str = ""
    stdin: Callable[[Path], BinaryIO] | None = None


def _fifo(folder: Path) -> list[str]:
    os.mkfifo(folder / "x.md")
    return ["import", "x.md"]


def _device(folder: Path) -> list[str]:
    os.symlink("/dev/zero", folder / "x.jsonl")
    return ["import", "x.jsonl"]


def _socket(folder: Path) -> list[str]:
    here = os.getcwd()
    with socket.socket(socket.AF_UNIX) as made:
        os.chdir(folder)
        made.bind("x.md")
        os.chdir(here)
    return ["import", "x.md"]


def _endless_process(folder: Path) -> list[str]:
    return ["import", "/proc/kmsg", "-f", "md"]


def _named_folder(folder: Path) -> list[str]:
    (folder / "x.md").mkdir()
    return ["import", "x.md"]


def _link_out(folder: Path) -> list[str]:
    (folder.parent / "secret.md").write_text(f"# {_SECRET}?\n\nYes.\n")
    notes = folder / "notes"
    notes.mkdir()
    (notes / "a.md").write_text("# Why?\n\nSo.\n")
    os.symlink("../../secret.md", notes / "b.md")
    return ["import", "--dry-run", "notes"]


def _course(folder: Path) -> Path:
    course = folder / "course"
    (course / "sources").mkdir(parents=True)
    (course / "snippets").mkdir()
    (course / "collection.toml").write_text(_COLLECTION)
    (course / "01-a.toml").write_text(_ENTRY)
    return course


def _fifo_in_course(folder: Path) -> list[str]:
    course = _course(folder)
    (course / "01-a.toml").unlink()
    os.mkfifo(course / "01-a.toml")
    return ["doctor", "course"]


def _linked_snippet(folder: Path) -> list[str]:
    (folder.parent / "s.py").write_text(f'"""{_SECRET}."""\n')
    os.symlink("../../../s.py", _course(folder) / "snippets" / "s.py")
    return ["import", "course"]


def _source_above(folder: Path) -> list[str]:
    (folder.parent / "secret.txt").write_text(_SECRET)
    digest = "0" * 64
    text = '[[source]]\nfile = "../../../secret.txt"\ntitle = "T"\nauthor = "A"\nlang = "en"\n'
    text += f'rights = "R"\norigin = "O"\nsha256 = "{digest}"\n'
    (_course(folder) / "sources" / "sources.toml").write_text(text)
    return ["import", "course"]


def _long_line(folder: Path) -> list[str]:
    line = json.dumps({"id": "a", "title": "q?", "text": ["x"] * 12_000_000})
    (folder / "x.jsonl").write_text(line + "\n")
    return ["import", "x.jsonl"]


def _many_lists(folder: Path) -> list[str]:
    text = '{"schema_version": 1, "entries": [{"id": [' + "[]," * 20_000_000 + "0]}]}"
    (folder / "x.json").write_text(text)
    return ["import", "x.json"]


def _deep(folder: Path) -> list[str]:
    (folder / "x.json").write_text('{"schema_version": 1, "entries": [{"id": ' + "[" * 100_000)
    return ["import", "x.json"]


def _languages(folder: Path) -> list[str]:
    question = {f"l{number}": "q" for number in range(200_000)}
    entry = {"id": "a", "kind": "card", "collection": "c", "question": question}
    (folder / "x.json").write_text(json.dumps({"schema_version": 1, "entries": [entry]}))
    return ["import", "x.json"]


def _blank_lines(folder: Path) -> list[str]:
    text = '<!-- danesh {"schema_version":1} -->\n\n'
    text += '<!-- danesh {"entry":{"id":"a","kind":"card","collection":"c"}} -->\n'
    text += '<!-- danesh {"text":["question","en"],"before":99999999999} -->\nq\n'
    (folder / "x.md").write_text(text)
    return ["import", "x.md"]


def _hard_blanks(folder: Path) -> list[str]:
    (folder / "x.md").write_text("# Why?\n\nSo" + "\u00a0" * 300_000 + "x\n")
    return ["import", "x.md"]


def _many_faults(folder: Path) -> list[str]:
    text = f'{_ENTRY}[question.fa]\ntext = "{"ي می شود " * 40_000}{"گ" * 300_000}"\n'
    (_course(folder) / "01-a.toml").write_text(text)
    return ["import", "course"]


def _nested_table(folder: Path) -> list[str]:
    (_course(folder) / "01-a.toml").write_text("a = " + "[" * 200_000)
    return ["import", "course"]


def _parts_of_a_key(folder: Path) -> list[str]:
    (_course(folder) / "01-a.toml").write_text("a." * 500_000 + "a = 1\n")
    return ["doctor", "course"]


def _not_a_line(folder: Path) -> list[str]:
    (folder / "x.tsv").write_text("a\t" + "b" * 33_000_000)
    return ["glossary", "add", "x.tsv"]


def _large(folder: Path) -> list[str]:
    with (folder / "x.md").open("wb") as out:
        out.truncate(1 << 40)
    return ["import", "x.md"]


def _stream(folder: Path) -> list[str]:
    return ["import", "-"]


_KIND = "not a regular file"
CRAFTED = {
    each.name: each
    for each in (
        Crafted("a named pipe", _fifo, _KIND),
        Crafted("a link to a device", _device, _KIND),
        Crafted("a socket", _socket, _KIND),
        Crafted("a log that waits", _endless_process, "cannot be read"),
        Crafted("a folder named x.md", _named_folder, "contains no file"),
        Crafted("a link out of the folder", _link_out, "leads out", 0, _SECRET),
        Crafted("a named pipe in a course", _fifo_in_course, _KIND, 1),
        Crafted("a linked program", _linked_snippet, "points outside"),
        Crafted("a source above the folder", _source_above, "is not in the folder"),
        Crafted("a line of 60 MB", _long_line, "more than 8 MiB"),
        Crafted("20 million lists", _many_lists, "larger than 8 MiB"),
        Crafted("lists within each other", _deep, "nested too deep"),
        Crafted("200,000 languages", _languages, "at most 200"),
        Crafted("10^11 blank lines", _blank_lines, "a place that is in no text"),
        Crafted("300,000 hard blanks", _hard_blanks, "1 added", 0),
        Crafted("a fault in each word", _many_faults, "1 added", 0),
        Crafted("tables within each other", _nested_table, "not TOML"),
        Crafted("a key of 500,000 parts", _parts_of_a_key, "more than 64 parts", 1),
        Crafted("a word of 33 MB", _not_a_line, "more than"),
        Crafted("a file of 1 TiB", _large, "more than 2,048 MiB"),
        Crafted("a stream without end", _stream, "more than 512 MiB",
                stdin=lambda folder: Path("/dev/zero").open("rb")),  # noqa: SIM115
    )
}  # fmt: skip
