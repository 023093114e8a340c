"""What stands above the list and the entry: how many of what, and where the reader is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from kb.i18n import _, digits, in_own_direction, ngettext, share
from tui.commands import BY_ID, bar_key, written_key
from tui.phrases import KINDS, level_name, meant, verified

if TYPE_CHECKING:
    from kb.model import Results, Verification
    from tui.reading import Reading


class Context(NamedTuple):
    """What is said of a list beside its length: of how ``many`` it is what part.

    While the reader is ``typing``, a letter is no key. Enter goes on to the list and what is
    offered there (``enters``), unless a value of a filter is being chosen.
    """

    marked: int = 0
    narrowed: tuple[str, ...] = ()
    hidden: bool = False
    many: int | None = None
    verified: Sequence[Verification] | None = None
    typing: bool = False
    enters: bool = True


def list_title(results: Results, context: Context) -> str:
    """Return how much is listed, what was looked for, and what it is narrowed by."""
    words = " ".join(results.query.split())
    marked = [ngettext("{n} marked", "{n} marked", context.marked)] if context.marked else []
    return " · ".join(filter(None, [_counted(results, context), *marked, words, *context.narrowed]))


def _counted(results: Results, context: Context) -> str:
    total = results.total
    if context.hidden:
        return ngettext("{n} hidden entry", "{n} hidden entries", total)
    if results.query.strip():
        return ngettext("{n} found", "{n} found", total)
    if context.narrowed and context.many is not None:
        return _("{share} entries").format(share=share(total, context.many))
    return ngettext("{n} entry", "{n} entries", total)


def status(results: Results, context: Context) -> str:
    """Return what else is to be said of a search; mostly nothing.

    Where nothing is listed, the middle of the list says what was probably meant.
    """
    parts = []
    if results.suggestion and results.hits:
        key = bar_key(BY_ID["palette"], typing=context.typing)  # it comes first there
        parts.append(meant(results.suggestion, written_key(key)))
    if results.notice:
        parts.append(_(results.notice))
    if context.verified is not None:
        parts.append(verified(context.verified))
    return " · ".join(parts)


def entry_title(reading: Reading, note: str | None) -> str:
    """Return which entry is read, which of its notes one went to, and in which language."""
    entry = reading.entry
    name = digits(entry.number) if entry.number else _(KINDS.get(entry.kind, entry.kind))
    level = level_name(entry.level)
    languages = in_own_direction(" │ ").join(lang.upper() for lang in reading.langs)
    place = " · ".join(filter(None, [_place(reading, note), languages]))
    return f"{' · '.join(filter(None, [name, level]))} ─ {place}"


def _place(reading: Reading, note: str | None) -> str:
    if reading.hidden:
        return ""
    here = reading.numbers.get(note or "")
    if here is not None:
        return _("note {number}").format(number=digits(str(here.number)))
    many = len(reading.notes)
    return ngettext("{n} note", "{n} notes", many) if many else ""
