"""The message in an empty list: the query, and what would find more."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from textual.containers import Vertical

from kb.i18n import _, in_own_direction, ngettext
from kb.model import Results
from kb.terminal import has_rtl
from tui.bidi import StyledSpan
from tui.commands import BY_ID, action_of, bar_key, written_key
from tui.phrases import meant
from tui.widgets.bidi_text import ActionText
from tui.widgets.search_box import Context

_KEY = "Enter"


class Empty(NamedTuple):
    """Why a list is empty.

    Without the filters of its ``context``, there would be ``beyond`` results. Enter runs the
    command ``offer``, in the search box and in the list.
    """

    results: Results
    context: Context
    beyond: int = 0
    offer: str = ""


class Line(NamedTuple):
    """A line with highlighted words, and the command of a click."""

    text: str
    bold: str = ""
    command: str = ""
    style: str = "said"


def lines_of(empty: Empty) -> Iterator[Line]:
    """Yield the lines about an empty list, and its offers."""
    words, suggestion = empty.results.query.strip(), empty.results.suggestion
    narrowed = empty.context.narrowed
    if empty.context.hidden:
        yield Line(_("Nothing is hidden."))
    elif words:
        yield Line(_("Nothing matches “{words}”.").format(words=words), words)
    elif not narrowed:
        yield Line(_("There are no entries yet"))
        for command in ("import", "write"):
            key = written_key(bar_key(BY_ID[command], typing=empty.context.typing))
            label = _(BY_ID[command].label)
            yield Line(f"{label} ({key})" if key else label, command=command, style="offer")
    else:
        yield Line(_("Nothing matches these filters."))
    if narrowed:
        yield Line(" · ".join(narrowed), style="narrowed")
    if suggestion:
        yield Line(meant(suggestion, _key("suggestion", empty)), suggestion, "suggestion", "offer")
        yield from (Line(said, style="correction") for said in corrections(words, suggestion))
    if narrowed and empty.beyond:
        said = ngettext(
            "Without filters there is {n} entry",
            "Without filters there are {n} entries",
            empty.beyond,
        )
        yield Line(f"{said} ({_key('no-filter', empty)})", "", "no-filter", "offer")


def corrections(words: str, suggestion: str) -> Iterator[str]:
    """Yield each word that a suggestion corrects, if there are several words.

    >>> list(corrections("gradeint of desent", "gradient of descent"))
    ['gradeint → gradient', 'desent → descent']
    >>> list(corrections("gradeint", "gradient"))
    []
    """
    typed, meant = words.split(), suggestion.split()
    if len(typed) == len(meant) > 1:
        pairs = zip(typed, meant, strict=True)
        for one, other in pairs:
            if one != other:
                yield f"{one} {'←' if has_rtl(one) else '→'} {other}"


def _key(command: str, empty: Empty) -> str:
    """Return the key of a command here, or that of the palette."""
    enters = command == empty.offer and empty.context.enters
    return written_key(_KEY if enters else bar_key(BY_ID["palette"], typing=False))


class Nothing(Vertical):
    """The lines, centred in the available space."""

    _said: tuple[Line, ...] = ()

    async def say(self, empty: Empty) -> None:
        """Show why the list is empty."""
        said = tuple(lines_of(empty))
        if said != self._said:
            self._said = said
            await self.remove_children()
            await self.mount_all(map(_shown, said))


def _shown(line: Line) -> ActionText:
    """Return a line; a click accepts its offer."""
    text = in_own_direction(line.text)
    start = text.find(line.bold) if line.bold else -1
    marks = [StyledSpan(start, start + len(line.bold), "bold")] if start >= 0 else []
    action = action_of(BY_ID[line.command], "screen") if line.command else ""
    return ActionText(text, marks, action=action, classes=line.style)
