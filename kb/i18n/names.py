"""Display names of record keys: a hit's origin, level, topic, layer, status, action, run."""

from __future__ import annotations

import gettext
import re
from typing import TYPE_CHECKING

from kb.errors import Message
from kb.i18n import FOLDER, N_, _, language, ngettext, number, share, translated

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kb.model.entry import Annotation, Program
    from kb.model.study import Exercise

VIA = {
    "translation": N_("by translation"),
    "spelling": N_("by the nearest spelling"),
    "transliteration": N_("in another spelling or alphabet"),
    "meaning": N_("by meaning"),
    "layout": N_("the other keyboard layout"),
}
"""How a hit was found that does not contain the typed words."""

TITLED = {"title": N_("exact title"), "alias": N_("by an alias")}
"""What the query equals in an entry that comes first for it."""

LANGUAGE_NAMES = {"en": N_("English"), "fa": N_("Persian")}

LEVELS = {"E": N_("easy"), "M": N_("medium"), "H": N_("hard")}

TOPICS = {
    "complexity": N_("complexity"),
    "data": N_("data"),
    "deep-learning": N_("deep learning"),
    "distributed-training": N_("distributed training"),
    "hardware": N_("hardware"),
    "matrix-multiplication": N_("matrix multiplication"),
    "memory": N_("memory"),
    "ml-systems": N_("machine learning systems"),
    "model-development": N_("model development"),
    "numerical-stability": N_("numerical stability"),
    "precision": N_("precision"),
    "training": N_("training"),
    "vectorization": N_("vectorization"),
}
"""The topics of the bundled content; other topics are shown unchanged."""

LAYERS = {
    "context": N_("Context"),
    "short": N_("Short answer"),
    "deeper": N_("Go deeper"),
    "example": N_("Example"),
    "mistakes": N_("Common mistakes"),
    "further": N_("Follow-up questions"),
    "wrong": N_("What is wrong with the source answer"),
    "sound": N_("The source answer is sound"),
    "sound but thin": N_("The source answer is sound but thin"),
    "own": N_("Your annotations"),
    "answer": N_("Answer"),
    "asked": N_("Source question"),
    "source": N_("Source answer"),
}
"""The headings of the layers of an entry."""

_FIELDS = {
    "question": N_("Question"),
    "answer": N_("Answer"),
    "source": N_("Source answer"),
    "wording": N_("Question"),
    "annotations": N_("Annotation"),
    "note": N_("Annotation"),
    "target": N_("Words"),
    "verdict": N_("Verdict"),
    "severity": N_("Severity"),
    "references": N_("References"),
    "evidence": N_("Evidence"),
    "figure": N_("figure"),
    "claimed": N_("claimed"),
    "expected": N_("expected"),
    "tolerance": N_("tolerance"),
    "snippet": N_("Program"),
    "snippets": N_("Program"),
    "hidden": N_("Hidden"),
    "aliases": N_("Also called"),
    "number": N_("number"),
    "tags": N_("Tags"),
    "level": N_("Level"),
    "topic": N_("Topic"),
    "related": N_("Related"),
    "kind": N_("Kind"),
    "collection": N_("Collection"),
    "title": N_("Title"),
    "languages": N_("Languages"),
    "prompts": N_("Further cards"),
} | LAYERS
"""The fields of an entry whose changes are shown."""

STATUSES = {
    "confirmed": N_("confirmed by a run"),
    "refuted": N_("refuted by a run"),
    "stale": N_("needs review"),
    "cannot-run": N_("cannot be run"),
    "unverified": N_("not yet verified"),
    "no-evidence": N_("no evidence to run"),
    "orphaned": N_("its words are no longer in the text"),
}
"""The names of evidence statuses."""

STUDY_STATES = {
    "new": N_("new"),
    "due": N_("due"),
    "again": N_("again"),
    "changed": N_("changed by somebody else since you saw it"),
}
"""Why an exercise is asked."""

CONFIDENCE = {1: N_("unsure"), 2: N_("fairly sure"), 3: N_("sure")}
"""How sure a reader is before the answer."""


def author_named(author: str, says: str) -> str:
    """Return who sent a change, and whom it names as its author if that differs."""
    if says in ("", author):
        return author
    return _("{author}, says {says}").format(author=author or "?", says=says)


def state_of(annotation: Annotation) -> str:
    """Return what supports an annotation: a run here, a run for the release, or references."""
    if annotation.status == "no-evidence" and annotation.references:
        return _("by reference")
    if annotation.status == "unverified" and annotation.release is not None:
        return _("verified for danesh {version}").format(version=annotation.release.version)
    return _(STATUSES.get(annotation.status, annotation.status))


ACTIONS = {
    "new": N_("new entry"),
    "edit": N_("edit"),
    "rm": N_("delete"),
    "mv": N_("move"),
    "tag": N_("tag"),
    "unhide": N_("show again"),
    "note": N_("annotate"),
    "withdraw": N_("delete an annotation or a program"),
    "save program": N_("save a program"),
    "import": N_("import"),
    "resolve": N_("resolve a conflict"),
    "sync": N_("sync"),
    "prune": N_("prune entries"),
    "collection new": N_("create a collection"),
    "collection rename": N_("rename a collection"),
    "collection rm": N_("delete a collection"),
    "a new version of what came with danesh": N_("update the bundled content"),
}
"""The names of actions in the change log."""

RUNS = {
    "ok": N_("finished"),
    "failed": N_("failed"),
    "timeout": N_("ran out of time"),
    "killed": N_("stopped"),
    "refused": N_("refused"),
}
"""The names of the statuses of a run."""

BASES = {
    "counted": N_("exact count"),
    "simulated": N_("simulated"),
    "definition": N_("by definition"),
}
"""The names of the origins of figures that are not measured."""

_SANDBOXES = {"strong": N_("strong"), "good": N_("good"), "limits-only": N_("limits only")}
"""The names of sandbox levels."""

_ISOLATION = {
    "fs": N_("files"),
    "net": N_("network"),
    "memory": N_("memory"),
    "cpu": N_("time"),
    "processes": N_("processes"),
}
"""The names of what a sandbox isolates."""

_WHOSE = {
    "bundled": Message("bundled with danesh"),
    "yours": Message("yours, written here"),
    "allowed": Message("not yours, but always allowed"),
    "changed": Message("changed by you, based on code from elsewhere"),
    "kept": Message("saved by you, written elsewhere"),
    "file": Message("from a file"),
    "elsewhere": Message("from elsewhere, not written on this machine"),
}
"""Who wrote a program, and where it came from."""

_OWN_LAYERS = {
    "wrong": N_("What is wrong with your answer"),
    "source": N_("Your answer"),
}


def layer_name(key: str, *, own: bool = False) -> str:
    """Return the heading of a layer, which differs for the reader's ``own`` entries.

    >>> layer_name("source"), layer_name("source", own=True), layer_name("programs")
    ('Source answer', 'Your answer', '')
    """
    return (_OWN_LAYERS.get(key) if own else None) or LAYERS.get(key, "")


def field_name(field: str, *, own: bool = False) -> str:
    """Return the name of a field that was changed; what no name is known for stands unchanged.

    >>> field_name("question.fa"), field_name("answers.source.en"), field_name("tags")
    ('Question (Persian)', 'Source answer (English)', 'Tags')
    >>> field_name("answers.source.en", own=True)
    'Answer (English)'
    >>> field_name("answers.reference.fa"), field_name("snippets.my.program")
    ('Answer (Persian)', 'Program (my.program)')
    >>> field_name("annotations.own-1a2b")
    'Annotation'
    """
    base, _dot, rest = field.partition(".")
    if base == "answers":
        role, _dot, rest = rest.partition(".")
        base = "source" if role == "source" and not own else "answer"
    name = _(_FIELDS.get(base, base))
    told = {"annotations": "", "snippets": rest}.get(base, language_name(rest))
    return f"{name} ({told})" if told else name


def action_name(action: str) -> str:
    """Return the name of an action; an unknown one is returned unchanged."""
    return _(ACTIONS.get(action, action))


def sandbox_name(level: str, isolation: Sequence[str]) -> str:
    """Return the name of a sandbox level; for one that is not strong, what it isolates."""
    if level == "strong":
        return _("strong sandbox")
    parts = _(", ").join(_(_ISOLATION.get(part, part)) for part in isolation)
    return _("sandbox {level}: {parts}").format(level=_(_SANDBOXES.get(level, level)), parts=parts)


def language_name(code: str) -> str:
    """Return the name of a language in the interface language, or its code if it has none."""
    return _(LANGUAGE_NAMES[code]) if code in LANGUAGE_NAMES else code


_OF_DRAWS = re.compile(r"_(median|p\d+)$")
_EXPONENT = re.compile(r"(?<=\de)_(?=\d)")


def figure_in_words(name: str, lang: str = "") -> str:
    """Return the name of a figure as it is read; those of our programs are in ``figures.po``.

    >>> figure_in_words("weights_on_each_device"), figure_in_words("error_one_pass_p95")
    ('weights on each device', 'error one pass (p95)')
    >>> figure_in_words("failures_at_1e_5")
    'failures at 1e-5'
    """
    lang = lang or language()
    catalog = gettext.translation("figures", str(FOLDER), [lang], fallback=True)
    figure, *draws = _OF_DRAWS.split(name)
    of_draws = "".join(f" ({translated(each, lang)})" for each in draws[:1])
    return _EXPONENT.sub("-", catalog.gettext(figure)).replace("_", " ") + of_draws


def values_told(exercise: Exercise) -> str:
    """Return the other values of the parameters of a prediction, if they are more than a seed."""
    from kb.evidence.parameters import SEED, parameters_of

    told = [
        f"{each.name} = {number(exercise.values[each.name])} ({number(each.value)})"
        for each in (parameters_of(exercise.snippet.code) if exercise.snippet else ())
        if each.name != SEED and each.name in exercise.values
    ]
    values = _(", ").join(told)
    return _("Now {values}. What is [?] then?", values=values) if told else ""


def whose(program: Program) -> Message:
    """Say who wrote a program and where it came from."""
    if program.whose == "file":
        return Message("from the file {file}", file=program.file)
    known = _WHOSE[program.whose]
    return Message("{whose} ({file})", whose=known, file=program.file) if program.file else known


def in_days(days: int) -> str:
    """Return the interval until an exercise comes back, in words."""
    return ngettext("in {n} day", "in {n} days", days) if days else _("today")


def due_in(reviews: int, new: int, all_new: int = 0) -> Iterator[str]:
    """Yield the numbers of reviews and new exercises, today's ``new`` of ``all_new`` if fewer."""
    if reviews:
        yield ngettext("{n} review", "{n} reviews", reviews)
    if 0 < new < all_new:
        yield _("{share} new today").format(share=share(new, all_new))
    elif new:
        yield ngettext("{n} new", "{n} new", new)
