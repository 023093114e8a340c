"""The messages that the catalogs must have, found in the source; and what a catalog lacks.

    python -m tests.catalog            bring the catalogs up to date: what is new is empty

Messages are what the app marks with ``_``; sentences that errors, checks and notices are made
of, each as its template; and the help of the command line.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import click
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import normalize, read_po

import kb.errors
from kb.cli.helping import comment_of, paragraphs
from kb.cli.main import kb_group
from kb.records.vocabulary import BASES, KINDS, OWN_VERDICTS, SEVERITIES, STATUSES

ROOT = Path(__file__).parents[1]
CATALOGS = sorted(ROOT.glob("kb/i18n/locale/*/LC_MESSAGES/*.po"))

ERRORS = {name for name, kind in inspect.getmembers(kb.errors, inspect.isclass)}
SAYING = ERRORS | {
    *("Unreadable", "FormError", "Check", "said", "say", "ask", "notice", "working", "tell"),
    *("counted", "add", "also", "__init__"),
}
"""What is called with sentences for the reader."""
NAMED = {
    *("hint", "said", "told", "sentence", "reason", "remedy", "message", "way", "found", "advice"),
    *("summary", "note", "question", "caption", "many", "kept", "WHOSE", "REASONS", "CLICK"),
    *(
        "_HINT",
        "_SANDBOX_ADVICE",
        "_REMEDY",
        "notice",
        "_FIRST_WORDS",
        "STOPPED",
        "_AS_WRITTEN",
        "_NOT_WHOLE",
        "_FULL",
        "_READ_ONLY",
    ),
    *(
        "_TURNS_ITSELF",
        "_TURNS_WORDS",
        "_TURNED_FOR",
        "who",
        "others",
        "screen",
        "_SWITCHED",
        "_SETTLED",
        "_TOLD",
    ),
}
"""What sentences are called on their way to the reader."""
WORDS = (*KINDS, *OWN_VERDICTS, *SEVERITIES, *BASES, *STATUSES, "source", "expected",
         "{} entry", "{} entries", "Usage", "Options", "Commands", "yours", "the file's",
         "nothing")  # fmt: skip
"""Words of the records, and those of click and of tables, that are said alone."""


def messages() -> dict[str | tuple[str, str], None]:
    """Return all messages: a text, or a pair of texts for one and for many."""
    marked = extract_from_dir(
        str(ROOT),
        method_map=[("tui/**.py", "python"), ("kb/**.py", "python")],
        keywords={"_": None, "N_": None, "ngettext": (1, 2)},
    )
    found = {m[2] if isinstance(m[2], str) else m[2][:2]: None for m in marked if m[2]}
    found |= dict.fromkeys(
        each for path in sorted((ROOT / "kb").rglob("*.py")) for each in sentences(path)
    )
    return found | dict.fromkeys(WORDS) | dict.fromkeys(helps(kb_group()))


def sentences(path: Path) -> Iterator[str]:
    """Yield the templates of the sentences in a module that are made for a reader."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        given: list[ast.expr] = []
        if isinstance(node, ast.Call) and _name(node.func) in SAYING:
            given = [*node.args, *(each.value for each in node.keywords)]
            if _name(node.func) == "counted":
                yield from (f"{{}} {what}" for each in given for what in templates(each))
                continue
        elif (isinstance(node, ast.Assign) and {_name(each) for each in node.targets} & NAMED) or (
            isinstance(node, ast.AnnAssign) and _name(node.target) in NAMED and node.value
        ):
            given = [node.value]
        alone = isinstance(node, ast.Call) and _name(node.func) != "add"
        for template in (t for each in given for t in templates(each)):
            if '"' not in template and (_words(template) > 1 or (alone and template.isalpha())):
                yield template


def templates(node: ast.expr) -> Iterator[str]:
    """Yield the templates that an expression may make: its f-strings with gaps."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        yield "".join(
            str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values
        )
    elif isinstance(node, ast.IfExp):
        yield from (t for each in (node.body, node.orelse) for t in templates(each))
    elif isinstance(node, ast.BoolOp | ast.Dict):
        yield from (t for each in node.values for t in templates(each))
    elif isinstance(node, ast.Tuple | ast.List):
        yield from (t for each in node.elts for t in templates(each))


def helps(command: click.Command) -> Iterator[str]:
    """Yield what the help of a command says, and of those below it, and of their options."""
    for paragraph in (*paragraphs(command.help or ""), *paragraphs(command.epilog or "")):
        if paragraph.startswith("\b"):
            yield from filter(None, map(comment_of, paragraph.split("\n")))
        else:
            yield paragraph
    for parameter in command.params:
        yield from filter(None, [getattr(parameter, "help", None)])
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None
            yield from helps(below)


def _name(node: ast.expr) -> str:
    return (
        node.id
        if isinstance(node, ast.Name)
        else node.attr
        if isinstance(node, ast.Attribute)
        else ""
    )


def _words(template: str) -> int:
    """Count the words of a template that are its own, in English."""
    return sum(bool(word.strip("-")) for word in re.split(r"[^A-Za-z-]+", template))


def translated(path: Path) -> Catalog:
    """Read a catalog."""
    with path.open("rb") as file:
        return read_po(file, locale=path.parent.parent.name)


def update(path: Path, more: Mapping[str, str] | None = None) -> int:
    """Add what a catalog lacks, with what ``more`` translates, and drop what is stale.

    Returns how many messages are without a translation.
    """
    known, head = translated(path), path.read_text(encoding="utf-8").split("\n\n")[0]
    entries: list[str] = [head]
    lacking = 0
    for message in sorted(messages(), key=str):
        one, *many = (message,) if isinstance(message, str) else message
        found = known.get(one)
        told = (found.string if found else "") or (more or {}).get(one, "")
        lacking += not told
        entries.append("\n".join(_entry(one, many, told)))
    path.write_text("\n\n".join(entries) + "\n", encoding="utf-8")
    return lacking


def _entry(one: str, many: Sequence[str], told: str | Sequence[str]) -> Iterator[str]:
    yield f"msgid {normalize(one, width=0)}"
    if not many:
        yield f"msgstr {normalize(str(told), width=0)}"
        return
    yield f"msgid_plural {normalize(many[0], width=0)}"
    for number, each in enumerate(told or ("", "")):
        yield f"msgstr[{number}] {normalize(each, width=0)}"


if __name__ == "__main__":
    for path in CATALOGS:
        print(f"{path.name}: {update(path)} without a translation")
