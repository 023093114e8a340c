"""Sentences about records, in the interface language.

Every verdict has a sign beside its colour.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, NamedTuple

from kb.errors import InternalError, KbError
from kb.i18n import N_, _, apart, digits, in_own_direction, ngettext, number
from kb.i18n.names import LEVELS, STATUSES, action_name, figure_in_words, layer_name
from kb.model.changes import IMPORT
from kb.present.annotated import SIGNS
from kb.present.programs import Parameter, parameters_of

if TYPE_CHECKING:
    from kb.model.changes import Change
    from kb.model.reports import Verification

SEVERITIES = {
    "high": N_("high severity"),
    "medium": N_("medium severity"),
    "low": N_("low severity"),
}

FIELDS = {
    "lang": N_("Language"),
    "collection": N_("Collection"),
    "level": N_("Level"),
    "verdict": N_("Verdict"),
    "tag": N_("Tag"),
    "kind": N_("Kind"),
    "figure": N_("Evidence from a run"),
    "claimed": N_("Value in the source"),
}
"""The fields with values to choose from."""

LEVEL_SIGNS = {"E": N_("E"), "M": N_("M"), "H": N_("H")}
"""The letters of levels."""

KINDS = {"question": N_("question"), "card": N_("card"), "note": N_("note")}

_ROLES = {"question": N_("Question"), "reference": N_("Reference answer")}

COLUMNS = {
    "question": N_("question"),
    "answer": N_("answer"),
    "question.en": N_("question in English"),
    "answer.en": N_("answer in English"),
    "question.fa": N_("question in Persian"),
    "answer.fa": N_("answer in Persian"),
    "id": N_("id"),
    "lang": N_("language"),
    "tags": N_("tags"),
    "level": N_("level"),
    "topic": N_("topic"),
    "number": N_("number"),
    "nothing": N_("skipped"),
}
"""The roles of table columns."""


class Verdict(NamedTuple):
    """The name and sign of a verdict."""

    name: str
    sign: str
    style: str


_VERDICTS = {
    "wrong": N_("wrong"), "misleading": N_("misleading"), "incomplete": N_("incomplete"),
    "outdated": N_("outdated"), "typo": N_("typo"), "translation-error": N_("translation error"),
    "lost-in-extraction": N_("lost in extraction"), "note": N_("annotation"),
}  # fmt: skip
VERDICTS: Mapping[str, Verdict] = {
    word: Verdict(name, SIGNS[word], f"$verdict-{word}") for word, name in _VERDICTS.items()
}
"""The verdicts by key, in order of weight; the last is no verdict."""


def verdict_of(word: str) -> Verdict:
    """Return the display of a verdict; unknown ones are shown unchanged."""
    return VERDICTS.get(word, Verdict(word, "•", "$verdict-note"))


def by_weight(verdicts: Collection[str]) -> list[str]:
    """Return verdicts, worst first, with unknown ones at the end."""
    order = [*VERDICTS, *verdicts]
    return sorted(verdicts, key=order.index)


def signs_of(verdicts: Iterable[str]) -> str:
    """Return the signs of verdicts with counts, worst first.

    >>> signs_of(["incomplete", "wrong", "incomplete"])
    '✗1 ◐2'
    """
    counts = Counter(verdicts)
    counted = [f"{verdict_of(word).sign}{digits(str(counts[word]))}" for word in by_weight(counts)]
    return " ".join(map(in_own_direction, counted))


def meant(suggestion: str, key: str) -> str:
    """Return the question about a suggestion, with the key that accepts it."""
    return _("did you mean “{words}”? ({key})").format(words=suggestion, key=key)


def annotation_sign(place: int) -> str:
    """Return the sign that connects marked words and their annotation."""
    return f"⟨{digits(str(place))}⟩"


def level_name(level: str | None) -> str:
    """Return the name of a level; unknown ones are shown unchanged.

    >>> level_name("H"), level_name(None)
    ('hard', '')
    """
    return _(LEVELS.get(level or "", level or ""))


def role_name(role: str, *, own: bool = False) -> str:
    """Return the name of an entry's text; the answer of an ``own`` entry is the reader's.

    >>> role_name("source"), role_name("source", own=True), role_name("question")
    ('Source answer', 'Your answer', 'Question')
    """
    return _(_ROLES.get(role) or layer_name(role, own=own) or role)


def level_sign(level: str | None) -> str:
    """Return the letter of a level."""
    return _(LEVEL_SIGNS.get(level or "", level or ""))


def verified(results: Sequence[Verification]) -> str:
    """Return the number of verified annotations, and the results."""
    if not results:
        return _("There is no evidence to run here.")
    counts = Counter(result.status for result in results)
    found = [f"{number(counts[each])} {_(name)}" for each, name in STATUSES.items() if counts[each]]
    run = ngettext("{n} annotation verified", "{n} annotations verified", len(results))
    return f"{run}: {_(', ').join(found)}"


def action_named(action: str, entries: int) -> str:
    """Return the name of a change, and its number of entries.

    >>> action_named("mv", 3), action_named("new", 1)
    ('move (3 entries)', 'new entry')
    """
    name = action_name(action)
    return f"{name} ({ngettext('{n} entry', '{n} entries', entries)})" if entries > 1 else name


def action_on(action: str, ids: Sequence[str]) -> str:
    """Return the name of a change, with its entry or number of entries.

    >>> action_on("edit", ["momentum"]), action_on("mv", ["a", "b"]), action_on("collection rm", [])
    ('edit momentum', 'move (2 entries)', 'delete a collection')
    """
    named = action_named(action, len(ids))
    return f"{named} {ids[0]}" if len(ids) == 1 else named


def change_named(change: Change, titles: Mapping[str, str]) -> str:
    """Return the name of a change with its entry, by its title if known, or an import's files."""
    ids = [titles.get(id, id) for id in dict.fromkeys(each.entry for each in change.fields) if id]
    told = next((field.after for field in change.fields if field.field == IMPORT), None) or {}
    files = [PurePath(file).name for file in told.get("files", ())]
    return action_on(change.action, ids or files[:1])


def error_sentence(error: BaseException) -> str:
    """Return the message for an error as sentences; bugs are reported as such.

    >>> error_sentence(KbError("there is nothing to redo", "Undo first."))
    'There is nothing to redo. Undo first.'
    """
    if isinstance(error, KbError) and not isinstance(error, InternalError):
        said, hint = _(error.message), _(error.hint)
        if not error.message.place and error.message.template[0].isalpha():  # else a name is first
            said = said[0].upper() + said[1:]
        return f"{said.rstrip('.')}. {hint}" if hint else said
    from kb.service.base import internal

    cause = (error.__cause__ or error) if isinstance(error, InternalError) else error
    problem = error if isinstance(error, InternalError) else internal(error)
    told = _("Something went wrong: {error}").format(error=f"{type(cause).__name__}: {cause}")
    return f"{told} {_(problem.hint)}"


def value_of(parameter: Parameter) -> str:
    """Return the name of a parameter with its value."""
    return f"{parameter.name} = {number(parameter.value)}"


def range_of(parameter: Parameter) -> str:
    """Return the name of a parameter with its range and unit."""
    limits = _("{low} to {high}", low=number(parameter.low), high=number(parameter.high))
    unit = parameter.unit and figure_in_words(parameter.unit)
    return f"{apart(parameter.name)}: {limits} {unit}".rstrip()


def changes(before: str, after: str) -> str:
    """Return the parameters whose values differ in two versions of a program.

    >>> one, other = (f"ROWS = {rows}  # parameter: 8 to 512 rows" for rows in (32, 64))
    >>> changes(one, other), changes(one, "print(1)")
    ('ROWS = 64', '')
    """
    known = {each.name: each.value for each in parameters_of(before)}
    return ", ".join(
        value_of(each)
        for each in parameters_of(after)
        if known.get(each.name, each.value) != each.value
    )
