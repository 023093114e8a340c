"""The decks that collections become."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from kb.display.safe import in_one_line
from kb.exchange.anki.identity import id_of

_BETWEEN = "::"
_DEFAULT = 1
_NONE = "danesh"
_TOLD = {
    "usn": -1, "lrnToday": [0, 0], "revToday": [0, 0], "newToday": [0, 0], "timeToday": [0, 0],
    "collapsed": False, "browserCollapsed": False, "desc": "", "dyn": 0, "conf": 1,
    "extendNew": 0, "extendRev": 0,
}  # fmt: skip


class Decks:
    """Decks by the collections whose entries are in them, with those above them.

    >>> decks = Decks({"a": {"en": "Networks", "fa": "شبکه‌ها"}, "a/b": {}})
    >>> decks.name("a/b")
    'Networks · شبکه\u200cها::b'
    """

    def __init__(self, titles: Mapping[str, Mapping[str, str]]) -> None:
        self._titles = titles
        self._names: dict[str, str] = {}
        self._taken: set[str] = set()
        self._ids: dict[str, int] = {}
        self._given = {_DEFAULT}

    def id(self, collection: str) -> int:
        """Return the id of a collection's deck, which is from then on one of `told`."""
        parts = (collection or _NONE).split("/")
        for depth in range(1, len(parts) + 1):
            self._found("/".join(parts[:depth]))
        return self._ids[collection or _NONE]

    def name(self, collection: str) -> str:
        """Return what the deck of a collection is called, from the topmost down."""
        if collection not in self._names:
            above, _, own = collection.rpartition("/")
            before = self.name(above) + _BETWEEN if above else ""
            titles = dict.fromkeys(self._titles.get(collection, {}).values())
            title = _plain(" · ".join(filter(None, titles))) or _plain(own) or "-"
            wanted = before + title
            if wanted.casefold() in self._taken:  # two collections of one title are two decks
                wanted = f"{wanted} ({_plain(own) or id_of('deck', collection)})"
            self._names[collection] = wanted
            self._taken.add(wanted.casefold())
        return self._names[collection]

    def told(self, changed: int) -> dict[str, Any]:
        """Return the decks as a collection keeps them, by their ids."""
        named = {_DEFAULT: "Default"} | {id: self.name(each) for each, id in self._ids.items()}
        return {
            str(id): {"id": id, "name": name, "mod": changed, **_TOLD} for id, name in named.items()
        }

    def _found(self, collection: str) -> None:
        if collection not in self._ids:
            id = id_of("deck", collection)
            while id in self._given:
                id += 1
            self._given.add(id)
            self._ids[collection] = id
            self.name(collection)


def _plain(title: str) -> str:
    """Return a title as Anki keeps that of one deck: in one line, without its own signs."""
    return " ".join(re.sub(f'"|{_BETWEEN}', " ", in_one_line(title)).split())
