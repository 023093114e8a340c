"""The help of commands in the language in use: names at the left, prose from the right edge."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Iterator
from typing import TypeVar

import click

from kb.cli.output import inline, turns
from kb.i18n import _

_GAP, _FIRST_COLUMN = 2, 30
_WIDEST, _NARROWEST = 100, 20
_COMMENTED = re.compile(r"(\s*\S.*?\S {2,})(\S.*)$")

_Command = TypeVar("_Command", bound=click.Command)


def localized(command: _Command) -> _Command:
    """Return a command whose help is in the language in use, and what is below it, too."""
    command.context_class = _Context
    command.short_help = _(next(paragraphs(command.help or ""), ""))
    for below in getattr(command, "commands", {}).values():
        localized(below)
    return command


def paragraphs(text: str) -> Iterator[str]:
    """Yield the paragraphs of a help in one line each; blocks of examples begin with ``\\b``.

    >>> list(paragraphs("Find\\n    entries."))
    ['Find entries.']
    """
    for paragraph in inspect.cleandoc(text).split("\n\n"):
        if paragraph.startswith("\b"):
            yield paragraph
        elif paragraph:
            yield " ".join(paragraph.split())


def comment_of(example: str) -> str:
    """Return what an example of a help says of itself, behind two blanks or more.

    >>> comment_of("  kb undo      brings it back"), comment_of("  kb list")
    ('brings it back', '')
    """
    return _COMMENTED.sub(r"\2", example) if _COMMENTED.match(example) else ""


class _Formatter(click.HelpFormatter):
    """Writes help in the language in use; names and examples stand at the left in any."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        super().write_usage(prog, args, self._inline(f"{_('Usage')}: "))

    def write_heading(self, heading: str) -> None:
        self._write_right(f"{_(heading)}:")

    def write_text(self, text: str) -> None:
        for number, paragraph in enumerate(paragraphs(text)):
            if number:
                self.write("\n")
            if paragraph.startswith("\b"):
                self._write_examples(paragraph.split("\n")[1:])
            else:
                self._write_right(_(paragraph), self.current_indent)

    def write_dl(
        self,
        rows: Iterable[tuple[str, str]],
        col_max: int = _FIRST_COLUMN,
        col_spacing: int = _GAP,
    ) -> None:
        known = list(rows)
        names = max((len(name) for name, _ in known if len(name) <= col_max), default=0)
        left = self.current_indent + names + col_spacing
        for name, text in known:
            self.write(f"{'':{self.current_indent}}{name}".ljust(left))
            if len(name) > names:
                self.write("\n" + " " * left)
            self._write_right(_(text), left, began=True)

    def _write_examples(self, lines: Iterable[str]) -> None:
        for line in lines:
            comment = comment_of(line)
            example = f"{'':{self.current_indent}}{line.removesuffix(comment)}"
            self.write(example)
            if comment:
                self._write_right(_(comment), len(example), began=True)
            else:
                self.write("\n")

    def _write_right(self, text: str, indent: int = 0, *, began: bool = False) -> None:
        """Write a paragraph from the right edge; ``began`` says that its first line has begun."""
        from kb.display import lay_out

        width = max(_NARROWEST, min(self.width, _WIDEST) - indent)
        turned = turns()
        for line in lay_out(text, width, direction="base-rtl", turned=turned):
            edge = max(0, width - line.width) if turned else 0
            self.write(" " * (edge if began else edge + indent) + line.text + "\n")
            began = False

    @staticmethod
    def _inline(text: str) -> str:
        return inline(text) if turns() else text


class _Context(click.Context):
    formatter_class = _Formatter
