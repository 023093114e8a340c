"""The step of the schema that takes marks of direction out of texts.

They were put round formulas when content was read; now a formula is found when it is shown.
Only what came with danesh or from a folder of content had them put in: marks that a reader, or
a file of another kind, wrote stay.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlite_utils import Database

_MARK = "char(8206)"
_TEXTS = ("question", "wording", "source", "reference", "notes", "keywords")
_MARKED = (
    "SELECT e.id FROM entry e LEFT JOIN record r ON r.entry = e.id "
    "LEFT JOIN path p ON p.id = r.file WHERE e.owner = 'bundled' OR p.path LIKE '%.toml'"
)


def unmark(db: Database) -> None:
    """Take the marks out of texts, notes, what files said of them, and their journal."""
    db.execute(f"CREATE TEMP TABLE marked AS {_MARKED}")
    keys = "SELECT key FROM entry WHERE id IN (SELECT id FROM marked)"
    _replace(db, "document", _TEXTS, f"entry IN ({keys})")
    _replace(db, "annotation", ("note",), "owner != 'reader' AND entry IN (SELECT id FROM marked)")
    for table, columns in (("record", ("base", "theirs")), ("journal", ("before", "after"))):
        _replace(db, table, columns, "entry IN (SELECT id FROM marked)")
    db.execute("DROP TABLE marked")


def _replace(db: Database, table: str, columns: tuple[str, ...], where: str) -> None:
    changed = ", ".join(f"{name} = replace({name}, {_MARK}, '')" for name in columns)
    found = " OR ".join(f"instr({name}, {_MARK})" for name in columns)
    db.execute(f"UPDATE {table} SET {changed} WHERE ({where}) AND ({found})")
