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
    the titles in other languages, a table by language for each program. Code that hides what
    Python runs is read as any other, and told as advice.
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
            hidden = unfit(code)
            if hidden is not None:
                mistakes.advise(
                    BadData(
                        "this line has {what}, so it never runs",
                        "Write it as an escape, such as '\\r'.",
                        place=f"{file}:{hidden.line}",
                        what=hidden.what,
                    )
                )
            title = _title(file, code, readable=hidden is None)
            found[name] = Snippet(name, {"en": title, **titles.get(name, {})}, code)
    return found


def trusted_digests(folder: Path) -> frozenset[str]:
    """Return the digests of the programs that come with danesh: what may run unasked."""
    return frozenset(digest(_read(file)) for file in folder.glob("*.py"))


def _read(file: Path, within: Path | None = None) -> str:
    """Return a program with its lines ended by a newline. Raises `BadData`."""
    return settled(read_text(file, limits.CODE, within))


def _title(file: Path, code: str, *, readable: bool) -> str:
    """Return a program's title; its name where Python cannot read what is not `readable`."""
    try:
        docstring = ast.get_docstring(ast.parse(code))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        if not readable:
            return file.stem
        line = getattr(error, "lineno", None) or 1
        raise BadData(
            "this is not Python ({error})", place=f"{file}:{line}", error=error
        ) from error
    if not docstring:
        raise BadData(
            "the docstring is missing",
            "Its first line is the title of the program.",
            place=f"{file}:1",
        )
    return docstring.splitlines()[0].rstrip(".")
