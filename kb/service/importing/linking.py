"""What the links in a file's texts mean among the files of an import."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Sequence
from pathlib import PurePosixPath

from kb.records import Entry
from kb.service.importing.placing import Placed


class Targets:
    """The entries of all files of an import, by what links call their files."""

    def __init__(self, placed: Sequence[Placed]) -> None:
        self._by_name: dict[str, list[Placed]] = {}
        for each in placed:
            path = PurePosixPath(each.material.stem)
            for name in {each.material.stem, path.name}:
                self._by_name.setdefault(name.casefold(), []).append(each)

    def linked(self, entry: Entry, links: Sequence[str], placed: Placed) -> Entry:
        """Return an entry with those that its text points to as related ones."""
        found = [id for link in links for id in self._entries(link, placed) if id != entry.id]
        if not found:
            return entry
        related = tuple(dict.fromkeys((*entry.related, *found)))
        return dataclasses.replace(entry, related=related)

    def _entries(self, link: str, placed: Placed) -> Sequence[str]:
        """Return the entry that a link means; none where that is not certain."""
        target, _, heading = link.partition("#")
        named = target.removesuffix(".md").removesuffix(".markdown")
        folder = PurePosixPath(placed.material.stem).parent
        path = os.path.normpath((folder / named).as_posix()) if named else placed.material.stem
        for name in (path, named):
            files = self._by_name.get(name.casefold(), ())
            if len(files) == 1:
                return _meant(files[0], heading)
        return ()


def _meant(placed: Placed, heading: str) -> Sequence[str]:
    if placed.note is not None:
        return (placed.note,)
    wanted = " ".join(heading.casefold().split())
    if wanted:
        return [
            entry.id
            for entry in placed.entries()
            for text in entry.question.values()
            if " ".join(text.casefold().split()) == wanted
        ][:1]
    return [entry.id for entry in placed.entries()] if len(placed) == 1 else ()
