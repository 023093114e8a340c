"""The command palette's view of the commands: what can be done now, in the reader's language."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import partial

from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.content import Content

from kb.i18n import _
from tui.bidi import rows_of, styled
from tui.commands import Command, action_of, shown_keys, written_key
from tui.screens.commanding import Commanding

# The cells that the palette's own frame and scrollbar take.
_AROUND = 6


class CommandProvider(Provider):
    """Offers the commands that `Command.available` allows at the moment."""

    def _offered(self) -> list[Command]:
        screen = self.screen
        return list(screen.commands()) if isinstance(screen, Commanding) else []

    async def discover(self) -> Hits:
        """Offer all that can be done now."""
        for command in self._offered():
            name = _name(command)
            sentence = self._shown(_(command.description))
            yield DiscoveryHit(Content(self._shown(name)), self._action(command), name, sentence)

    async def search(self, query: str) -> Hits:
        """Offer what the typed letters are in, in order, in name or sentence."""
        matcher = self.matcher(query)
        for command in self._offered():
            name, sentence = _name(command), _(command.description)
            score = max(matcher.match(name), matcher.match(sentence) / 2)
            if score > 0:
                display = Content(self._shown(name))
                yield Hit(score, display, self._action(command), name, self._shown(sentence))

    def _shown(self, text: str) -> str:
        """Return a text in lines for the palette, at the right where it runs right to left."""
        width = max(1, self.app.size.width - _AROUND)
        return "\n".join(styled(row, (), width).plain.rstrip() for row in rows_of(text, width))

    def _action(self, command: Command) -> Callable[[], Coroutine[object, object, None]]:
        return partial(self.screen.run_action, action_of(command))


def _name(command: Command) -> str:
    return f"{_(command.label)} ({written_key(shown_keys(command)[0])})"
