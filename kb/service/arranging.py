"""What was found as it is shown: exact titles first, and a note and its cards as one hit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from kb.query.compile import Plan
from kb.query.interpret import planned
from kb.query.parser import And, Bare, FieldValue, Keyword, Node, Not, Quoted
from kb.ranking.rerank import Wanted
from kb.records import Page, Via
from kb.records.clauses import Candidate, Every, Named, Predicate
from kb.service.retrieval import Searched, retrieve
from kb.text.analyzer import title_key
from kb.text.languages import default_language


class Match(NamedTuple):
    """A document that was found, by what, and the forms it is marked by.

    ``cards`` are the entries that were found of the same note.
    """

    found: Candidate
    via: Via
    wanted: Wanted
    cards: tuple[str, ...] = ()


def exact_titles(
    source: Searched, node: Node, typed: str, narrowed: Predicate, plan_of: Callable[[], Plan]
) -> tuple[Match, ...]:
    """Return what has the query as a title, and then as an alias; several of each as they rank.

    Fields and words that are ruled out beside the title narrow it. ``plan_of`` gives what the
    query asks for, by which they rank.
    """
    found: dict[str, tuple[bool, Candidate]] = {}
    asked = [(typed, narrowed)]
    words = _without_fields(node)
    if words:
        asked.append((words, Every((planned(node, source.lexicon).predicate, narrowed))))
    for text, predicate in asked:
        key = title_key(text)
        rows = source.catalog.titled(key, predicate) if key is not None else ()
        lang = default_language(text)
        for alias, each in sorted(rows, key=lambda row: (row[0], row[1].lang != lang, row[1].lang)):
            found.setdefault(each.entry, (alias, each))
    if not found:
        return ()
    plan = plan_of()
    order: dict[str, Candidate] = {}
    if len(found) > 1:
        among = Every((narrowed, Named(tuple(found))))
        order = {each.entry: each for each in retrieve(source, plan, among, Page(None)).found}
    place = {entry: number for number, entry in enumerate(order)}
    ranked = sorted(
        found.values(),
        key=lambda pair: (pair[0], place.get(pair[1].entry, len(place)), pair[1].entry),
    )
    return tuple(Match(each, "text", plan.wanted) for _, each in ranked)


def _without_fields(node: Node) -> str:
    """Return the words of a query that has fields or words ruled out beside them, else nothing."""
    parts = node.of if isinstance(node, Bare | And) else ()
    texts = [part.text for part in parts if isinstance(part, Keyword | Quoted)]
    others = [part for part in parts if isinstance(part, FieldValue | Not)]
    return " ".join(texts) if others and len(texts) + len(others) == len(parts) else ""


def arranged(source: Searched, titles: Sequence[Match], matches: Sequence[Match]) -> list[Match]:
    """Return matches with exact titles before all others, and one for a note and its cards.

    Of these it is the first. A title counts no less than what it stands before.
    """
    known = {match.found.entry: match for match in matches}
    most = max((match.found.score for match in matches), default=0.0)
    first = [_raised(each, known.get(each.found.entry), most) for each in titles]
    named = {match.found.entry for match in first}
    every = [*first, *(match for match in matches if match.found.entry not in named)]
    if not source.catalog.has_cards():
        return every
    notes = source.catalog.notes_of([match.found.entry for match in every])
    return list(_grouped(every, notes))


def _raised(title: Match, found: Match | None, most: float) -> Match:
    """Return a title as it was found among others, but with no lower score than so much."""
    shown = found if found is not None and found.via == "text" else title
    return shown._replace(found=shown.found._replace(score=max(most, shown.found.score)))


def _grouped(matches: Iterable[Match], notes: Mapping[str, str]) -> Iterator[Match]:
    groups: dict[str, list[Match]] = {}
    for match in matches:
        groups.setdefault(notes.get(match.found.entry, match.found.entry), []).append(match)
    for best, *others in groups.values():
        yield best._replace(cards=tuple(each.found.entry for each in others))
