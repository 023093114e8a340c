"""The bundled programs: their code, their titles, and the digests that make them trusted."""

from __future__ import annotations

import ast
from pathlib import Path

from kb import limits
from kb.content.mistakes import Mistakes
from kb.content.tables import read_table
from kb.errors import BadData
from kb.foreign import read_text
from kb.records import Snippet, digest
from kb.text.program import settled, unfit

TITLES = "titles.toml"


def read_snippets(
    folder: Path, mistakes: Mistakes | None = None, within: Path | None = None
) -> dict[str, Snippet]:
    """Read every program of the folder, if there is one; each must lie ``within`` another.

    The English title is the first line of a program's docstring; ``titles.toml`` has
    the titles in other languages, a table by language for each program.
    """
    mistakes = mistakes or Mistakes()
    programs = {file.stem: file for file in sorted(folder.glob("*.py"))}
    titles = {}
    if (folder / TITLES).exists():
        table = read_table(folder / TITLES, within)
        table.only(*programs)
        titles = {name: table.texts(name) for name in table}
    found = {}
    for name, file in programs.items():
        with mistakes.noted():
            code = _read(file, within)
            found[name] = Snippet(name, {"en": _title(file, code), **titles.get(name, {})}, code)
    return found


def trusted_digests(folder: Path) -> frozenset[str]:
    """Return the digests of the programs that come with danesh: what may run unasked."""
    return frozenset(digest(_read(file)) for file in folder.glob("*.py"))


def _read(file: Path, within: Path | None = None) -> str:
    """Return a program with its lines ended by a newline. Raises `BadData`."""
    code = settled(read_text(file, limits.CODE, within))
    hidden = unfit(code)
    if hidden is not None:
        raise BadData(
            f"{file}:{hidden.line}: this line has {hidden.what}",
            "It would hide what Python runs; write it as an escape, such as '\\r'.",
        )
    return code


def _title(file: Path, code: str) -> str:
    try:
        docstring = ast.get_docstring(ast.parse(code))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = getattr(error, "lineno", None) or 1
        raise BadData(f"{file}:{line}: this is not Python ({error})") from error
    if not docstring:
        raise BadData(
            f"{file}:1: the docstring is missing", "Its first line is the title of the program."
        )
    return docstring.splitlines()[0].rstrip(".")
