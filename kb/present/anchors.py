"""A reader's annotations brought to where their words stand by now.

The words are looked for whenever the entry is read, so no change of a text loses them.
"""

from __future__ import annotations

import dataclasses

from kb.records import Annotation, Entry
from kb.text.quotation import Quotation, find_quotation


def anchored(entry: Entry) -> Entry:
    """Return an entry whose reader's annotations stand where their words are by now."""
    if not any(each.own for each in entry.annotations):
        return entry
    found = tuple(_anchored(entry, each) if each.own else each for each in entry.annotations)
    return dataclasses.replace(entry, annotations=found)


def _anchored(entry: Entry, annotation: Annotation) -> Annotation:
    target = annotation.target
    text = entry.text(target.role, target.lang)
    wanted = Quotation(target.quote, target.prefix, target.suffix, target.start)
    place = find_quotation(text, wanted)
    if place is None:
        return dataclasses.replace(annotation, status="orphaned")
    start, end = place
    moved = target._replace(start=start, end=end, quote=text[start:end])
    return dataclasses.replace(annotation, target=moved)
