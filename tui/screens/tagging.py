"""The tag form: which tags to add, and which to remove."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical

from kb.i18n import _, ngettext, share
from tui.choices import Choice, narrowed
from tui.screens.commanding import SavingForm, Store
from tui.widgets.bidi_text import BidiText
from tui.widgets.pick_list import PickList


class TagChoice(NamedTuple):
    """The tags to add and to remove."""

    add: tuple[str, ...]
    remove: tuple[str, ...]


class TagScreen(SavingForm[TagChoice]):
    """Returns a `TagChoice` once it is stored, or nothing.

    ``worn`` are the tags of each of the ``entries``, or of the first of many. Picking a tag adds
    it to all, then removes it from all, then leaves it unchanged.
    """

    CSS_PATH = "picking.tcss"
    PLACES = ("dialog", "tags")

    def __init__(
        self,
        known: Sequence[str],
        worn: Sequence[Iterable[str]],
        entries: int,
        store: Store[TagChoice],
    ) -> None:
        super().__init__(store)
        self._worn = Counter(tag for tags in worn for tag in dict.fromkeys(tags))
        self._entries = entries
        self._all_known = len(worn) == entries
        self._known = list(dict.fromkeys((*self._worn, *known)))
        self._wanted: dict[str, bool] = {}

    def compose(self) -> ComposeResult:
        """Compose the tags below their description."""
        with Vertical(id="form"):
            title = ngettext("Tags of {n} entry", "Tags of {n} entries", self._entries)
            yield BidiText(title, classes="caption")
            yield PickList(self._choices(), free=True)
            hint = _("Enter adds (+) or removes (−) a tag. Ctrl+S saves, Esc cancels.")
            yield BidiText(hint, classes="hint")

    def _choices(self) -> list[Choice]:
        return [Choice(tag, tag, note=self._note(tag), sign=self._sign(tag)) for tag in self._known]

    def _sign(self, tag: str) -> str:
        wanted = self._wanted.get(tag)
        if wanted is not None:
            return "+" if wanted else "−"
        return "✓" if self._worn[tag] == self._entries else "·" if self._worn[tag] else " "

    def _note(self, tag: str) -> str:
        some = 0 < self._worn[tag] < self._entries
        return share(self._worn[tag], self._entries) if some and self._all_known else ""

    @on(PickList.Picked)
    def _turn(self, message: PickList.Picked) -> None:
        """Switch a tag between add, remove and unchanged."""
        tag, picks = message.value, self.query_one(PickList)
        if tag not in self._known:
            self._known.insert(0, tag)
        worn = bool(self._worn[tag]) or not self._all_known
        ways = [None, *[True] * (self._worn[tag] < self._entries), *[False] * worn]
        here = ways.index(self._wanted.get(tag))
        wanted = ways[(here + 1) % len(ways)]
        self._wanted.pop(tag, None)
        if wanted is not None:
            self._wanted[tag] = wanted
        picks.clear()
        picks.offer(self._choices(), tag)

    @property
    def written(self) -> TagChoice:
        """The choice, including a typed new tag that is not picked yet."""
        typed = self.query_one(PickList).typed
        new = bool(typed) and not narrowed(self._choices(), typed)
        wanted = {**self._wanted, typed: True} if new else self._wanted
        return TagChoice(
            tuple(tag for tag, added in wanted.items() if added),
            tuple(tag for tag, added in wanted.items() if not added),
        )

    def action_save(self) -> None:
        """Return the choice."""
        self.save(self.written)
