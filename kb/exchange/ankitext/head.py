"""The lines before the notes of a text file: what parts cells, and what the columns are.

They are told in Anki's manual (https://docs.ankiweb.net/importing/text-files.html#file-headers).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

DELIMITERS: Mapping[str, str] = {
    "tab": "\t", "pipe": "|", "semicolon": ";", "colon": ":", "comma": ",", "space": " ",
}  # fmt: skip
"""What may part cells, in the order in which Anki looks for it where the file does not say."""

COLUMNS = ("guid", "notetype", "deck", "tags")
"""What a column may be beside a field."""

_KEYS = frozenset(
    ("separator", "html", "tags", "columns", "notetype", "deck", "if matches", "match scope")
) | {f"{column} column" for column in COLUMNS}


class Head(NamedTuple):
    """What the lines say: nothing of what stands in none of them.

    ``places`` are the columns that are no fields, from 0; ``labels`` name all columns.
    """

    delimiter: str = ""
    html: bool | None = None
    places: Mapping[str, int] = {}
    tags: str = ""
    deck: str = ""
    notetype: str = ""
    labels: tuple[str, ...] = ()

    def fields(self, cells: int) -> list[int]:
        """Return which of so many columns are fields."""
        taken = {*self.places.values()}
        return [place for place in range(cells) if place not in taken]


def begins(data: bytes) -> bool:
    """Say whether a file begins with such a line.

    >>> begins(b"#separator:tab\\na\\tb"), begins(b"#guid column:1"), begins(b"# Questions")
    (True, True, False)
    """
    line = data.removeprefix(b"\xef\xbb\xbf").split(b"\n", 1)[0]
    return key_of(line.decode("utf-8", "replace"))[0] in _KEYS


def key_of(line: str) -> tuple[str, str]:
    """Return the key of a line of the head and what it says; of another line nothing.

    >>> key_of("#Deck column: 3"), key_of("# so: it is")
    (('deck column', ' 3'), ('', ''))
    """
    key, colon, value = line.removeprefix("#").partition(":")
    known = key.strip().lower()
    is_one = line.startswith("#") and bool(colon) and known in _KEYS
    return (known, value.rstrip("\r\n")) if is_one else ("", "")


def head_of(lines: Iterable[str]) -> Head:
    """Return what the lines say; the last word holds.

    >>> found = head_of(["#separator:Comma", "#tags column:2", "#columns:Front,Tags", "#html:true"])
    >>> found.delimiter, found.html, found.labels, found.fields(3)
    (',', True, ('Front', 'Tags'), [0, 2])
    """
    # Only here: every export and import loads this module, and few read such lines.
    from kb.exchange.cells import reader

    said = dict(key_of(line) for line in lines)
    delimiter = _delimiter(said.get("separator", ""))
    columns = [said.get("columns", "")]
    labels: list[str] = next(reader(columns, delimiter=delimiter or "\t"), [])
    numbers = {column: said.get(f"{column} column", "").strip() for column in COLUMNS}
    return Head(
        delimiter,
        {"true": True, "false": False}.get(said.get("html", "").strip().lower()),
        {c: int(n) - 1 for c, n in numbers.items() if _is_number(n)},
        said.get("tags", ""),
        said.get("deck", "").strip(),
        said.get("notetype", "").strip(),
        tuple(labels),
    )


def guessed(text: str) -> str:
    """Return what parts cells in the beginning of a file that does not say, as Anki guesses it."""
    return next((sign for sign in DELIMITERS.values() if sign in text), "\t")


def _delimiter(said: str) -> str:
    named = DELIMITERS.get(said.strip().lower())
    return named or (said if said in DELIMITERS.values() else "")


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and 0 < len(text) < 5 and int(text) > 0
