"""The messages that the catalogs must have, found in the source; and what a catalog lacks.

    python -m tests.catalog            bring the catalogs up to date: what is new is empty

Names of figures, in ``figures.po``, are those of the bundled evidence, without the ends of draws,
and units those of the parameters of bundled programs.
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
from kb.cli.main import comment_of, paragraphs
from kb.cli.main import kb as kb_group
from kb.model.values import (
    BASES,
    KINDS,
    OWN_VERDICTS,
    SEVERITIES,
    STATUSES,
)

ROOT = Path(__file__).parents[1]
GAP = re.compile(r"\{\w*[^{}]*\}")
CATALOGS = sorted(ROOT.glob("kb/i18n/locale/*/LC_MESSAGES/*.po"))

ERRORS = {name for name, kind in inspect.getmembers(kb.errors, inspect.isclass)} | {"FormError"}
SAYING = ERRORS | {
    *("Message", "counted", "Check", "Verification", "Dropped"),
    *("in_line", "say", "ask", "notice", "working", "tell", "add", "also", "error", "advise"),
}
"""What is called with sentences for the reader."""
_ALL = slice(None)
_SENTENCES = {
    "error": slice(1, None),
    **dict.fromkeys(("advise", "FormError"), slice(2, None)),
    "Dropped": slice(2, 3),
}
"""Where the sentences stand among the arguments of what is called, if others stand there too."""
_BESIDE = {None, "place", "indent", "style", "as_json"}
"""Keywords that fill no gap."""
_OTHERS = {"add", "also", "tell", "working"}
"""What is called with other texts, too."""
WORDS = (*KINDS, *OWN_VERDICTS, *SEVERITIES, *BASES, *STATUSES, "source", "expected",
         "Usage", "Options", "Commands", "yours", "the file's", "median",
         "nothing")  # fmt: skip
"""Words of the records, and those of click and of tables, that are said alone."""


def messages_of(catalog: Path) -> Mapping[str | tuple[str, str], None]:
    """Return the messages that a catalog must have."""
    return figures() if catalog.stem == "figures" else messages()


def figures() -> dict[str | tuple[str, str], None]:
    """Return the names of the figures that bundled evidence names, and units of parameters."""
    files = (each for kind in ("*.toml", "*.py") for each in sorted((ROOT / "data").rglob(kind)))
    texts = [each.read_text("utf-8") for each in files]
    found = re.findall(r'^figure = "(.+)"$', "\n".join(texts), re.MULTILINE)
    units = re.findall(r"# parameter: \S+ to \S+ (\S.*)$", "\n".join(texts), re.MULTILINE)
    return dict.fromkeys([re.sub(r"_(median|p\d+)$", "", each) for each in found] + units)


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
    return found | dict.fromkeys(WORDS) | dict.fromkeys(helps(kb_group))


def sentences(path: Path) -> Iterator[str | tuple[str, str]]:
    """Yield the templates of the sentences in a module that are made for a reader."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call) or _name(node.func) not in SAYING:
            continue
        name = _name(node.func)
        given = node.args[_SENTENCES.get(name, _ALL)]
        found = [template for each in given for template in templates(each)]
        if name == "counted":
            yield from [(found[0], found[1])] if found else []
        else:
            yield from (each for each in found if _is_sentence(each, alone=name != "add"))


def templates(node: ast.expr) -> Iterator[str]:
    """Yield the texts that an expression may be."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from (t for each in (node.body, node.orelse) for t in templates(each))
    elif isinstance(node, ast.BoolOp):
        yield from (t for each in node.values for t in templates(each))


def finished(path: Path) -> Iterator[str]:
    """Yield the messages of a module whose template is lost, or is no constant of the source."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call) or _name(node.func) not in SAYING - _OTHERS:
            continue
        given = node.args[_SENTENCES.get(_name(node.func), _ALL)]
        filled = bool(given) and not {each.arg for each in node.keywords} <= _BESIDE
        if any(map(_is_made, given)) or (filled and not isinstance(given[0], ast.Constant)):
            yield f"line {node.lineno}: {ast.unparse(node)}"


def _is_made(node: ast.expr) -> bool:
    """Say whether an expression puts a text together."""
    if isinstance(node, ast.IfExp):
        return _is_made(node.body) or _is_made(node.orelse)
    if isinstance(node, ast.BoolOp):
        return any(map(_is_made, node.values))
    if isinstance(node, ast.Call):
        return _name(node.func) in ("format", "join", "replace", "removeprefix")
    return isinstance(node, ast.JoinedStr | ast.BinOp)


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


def _is_sentence(template: str, *, alone: bool) -> bool:
    """Say whether a text is said to the reader: it has gaps and words, or words ``alone``."""
    own = GAP.sub("", template)
    words = sum(bool(word.strip("-")) for word in re.split(r"[^A-Za-z-]+", own))
    said = words > 1 or (words and own != template) or (alone and template.isalpha())
    return bool(said) and '"' not in template


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
    for message in sorted(messages_of(path), key=str):
        one, *many = (message,) if isinstance(message, str) else message
        found = known.get(one)
        told = (found.string if found else "") or (more or {}).get(one, "")
        lacking += not any(told)
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
