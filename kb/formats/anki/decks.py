"""Conversion between decks and collections."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from kb.formats.anki.notetypes import id_of
from kb.terminal.terminal import in_one_line

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

    def id(self, collection: str) -> int:
        """Return the id of a collection's deck and add it to `told`."""
        self.name(collection or _NONE)
        return id_of("deck", collection or _NONE)

    def name(self, collection: str) -> str:
        """Return the full name of a collection's deck, topmost level first."""
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
        """Return the decks by id, as a collection stores them."""
        decks = {id_of("deck", each): name for each, name in self._names.items()}
        return {
            str(id): {"id": id, "name": name, "mod": changed, **_TOLD}
            for id, name in {_DEFAULT: "Default", **decks}.items()
        }


def collections_of(decks: Mapping[Any, str]) -> Mapping[Any, str]:
    """Return the collections of decks by id.

    Levels are separated by ``/``; a top level shared by all notes is dropped.

    >>> collections_of({1: "ML::RNN", 2: "ML"}), collections_of({1: "ML::RNN", 3: "A/B"})
    ({1: 'RNN', 2: ''}, {1: 'ML/RNN', 3: 'A-B'})
    """
    paths = {}
    for id, name in decks.items():  # the names of a deck and its parents, topmost first
        levels = (in_one_line(each).replace("/", "-").strip() for each in name.split(_BETWEEN))
        paths[id] = [level for level in levels if level]
    tops = {levels[0] for levels in paths.values() if levels}
    shared = len(tops) == 1 and all(paths.values())
    return {id: "/".join(levels[1:] if shared else levels) for id, levels in paths.items()}


def _plain(title: str) -> str:
    """Return a title as a deck name: in one line, without Anki's special signs."""
    return " ".join(re.sub(f'"|{_BETWEEN}', " ", in_one_line(title)).split())
