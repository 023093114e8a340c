"""What is asked of an entry in a quiz: its question, and what its source says wrongly."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from kb.display.figures import figure
from kb.exchange.gift.prose import in_language, prose, quoted
from kb.present.annotated import numbered
from kb.records import Annotation, Entry

Titles = Mapping[str, Mapping[str, str]]
"""The titles of collections by language."""

_UNTRUE = ("wrong", "misleading")
_REFUTED = ("refuted", "orphaned")
_SAID: Mapping[str, Mapping[str, str]] = {
    "en": {"claim": "True or false?", "source": "source: {}", "measured": "measured: {}",
           "expected": "expected: {}"},
    "fa": {"claim": "درست یا نادرست؟", "source": "منبع: {}", "measured": "اندازه‌گیری: {}",
           "expected": "انتظار: {}"},
}  # fmt: skip
"""What items say beside the words of entries, in the languages that danesh speaks."""

_LONGEST, _MOST_WORDS = 60, 6
# Marks of Markdown, of formulas and of GIFT; whoever is asked types none of them.
_TYPED = re.compile(r"(?!%)[^`*_$\\<>\[\]{}|~^#&\x00-\x1f\x7f]+")
_STOP = re.compile(r"(?<=\S)[.؟!?]\Z")
_DIGITS = str.maketrans("۰۱۲۳۴۵۶۷۸۹٠١٢٣٤٥٦٧٨٩", "01234567890123456789")


class Item(NamedTuple):
    """An item of a quiz, its texts in the Markdown that `kb.exchange.gift.prose` writes.

    Of a ``short`` one ``answers`` are accepted, an ``essay`` is marked by hand, ``false`` is a
    statement, and a ``description`` is only read. The ``feedback`` is shown to everybody.
    """

    kind: Literal["short", "essay", "false", "description"]
    id: str
    title: str
    category: tuple[str, ...]
    text: str
    answers: tuple[str, ...] = ()
    feedback: str = ""
    tags: tuple[str, ...] = ()


def items_of(entry: Entry, titles: Titles) -> Iterator[Item]:
    """Yield what is asked of an entry, in each of its languages and of what is noted of it.

    What is written for a quiz is asked, that is the better wording where there is one. The
    reference answer is taken, or else the given one. Claims that only repeat another are no
    items, and neither are those that were measured to be true.
    """
    claims = [each for _, each in numbered(entry) if _is_claim(each)]
    spoken = (lang for each in claims for lang in _spoken(each))
    for lang in dict.fromkeys((*entry.languages, *spoken)):
        path = _path(entry.collection, lang, titles)
        if lang in entry.languages:
            yield _question(entry, lang)._replace(category=path)
        for claim in claims:
            if lang in _spoken(claim):
                yield _claim(entry, claim, lang)._replace(category=path)


def accepted(answer: str) -> tuple[str, ...]:
    r"""Return what is accepted for an answer, or nothing where nobody would type it as it is.

    >>> accepted("O(n log n)."), accepted("شبکه‌ی ۲")[1:]
    (('O(n log n).', 'O(n log n)'), ('شبکه ی ۲', 'شبکهی ۲', 'شبکه‌ی 2', 'شبکه ی 2', 'شبکهی 2'))
    >>> accepted("The sum of $n$ terms"), accepted("a -> b")
    ((), ())
    """
    bare = answer.strip()
    if not _TYPED.fullmatch(bare) or len(bare) > _LONGEST or len(bare.split()) > _MOST_WORDS:
        return ()
    whole = (bare, _STOP.sub("", bare))
    digits = (*whole, *(each.translate(_DIGITS) for each in whole))
    joined = (each.replace("\u200c", sign) for each in digits for sign in ("\u200c", " ", ""))
    return tuple(dict.fromkeys(joined))


def _question(entry: Entry, lang: str) -> Item:
    asked = entry.wording.get(lang) or entry.question.get(lang)
    asked = asked or next(iter(entry.question.values()), "") or entry.id
    item = Item("essay", f"{entry.id}:{lang}", f"{entry.id} ({lang})", (),
                in_language(prose(asked), lang), tags=(*entry.tags, lang))  # fmt: skip
    reference, source = entry.text("reference", lang), entry.text("source", lang)
    answer = reference or source
    if entry.kind == "note":
        text = f"{prose(asked)}\n\n{prose(answer)}"
        return item._replace(kind="description", text=in_language(text, lang))
    mended = () if reference else tuple(_mended(entry, lang))
    answers = () if mended else accepted(answer)
    if answers:
        return item._replace(kind="short", answers=answers)
    told = "\n\n".join(filter(None, [prose(answer), *mended]))
    return item._replace(feedback=in_language(told, lang) if told else "")


def _mended(entry: Entry, lang: str) -> Iterator[str]:
    """Yield what is wrong with a given answer, each below the words that it speaks of."""
    for _, annotation in numbered(entry):
        target = annotation.target
        if (target.role, target.lang) == ("source", lang) and _is_claim(annotation):
            yield f"{quoted(target.quote, lang)}\n\n{_told(annotation, lang)}"


def _is_claim(annotation: Annotation) -> bool:
    return (
        annotation.verdict in _UNTRUE
        and annotation.status not in _REFUTED
        and not annotation.repeats
        and bool(annotation.target.quote.strip())
    )


def _spoken(annotation: Annotation) -> Collection[str]:
    """Return the languages in which a claim is judged, those of its note."""
    return annotation.note or (annotation.target.lang,)


def _claim(entry: Entry, annotation: Annotation, lang: str) -> Item:
    target = annotation.target
    asked = prose(entry.question.get(lang) or next(iter(entry.question.values()), ""))
    said = f"**{_said('claim', lang)}**"
    text = f"{asked}\n\n{said}\n\n{quoted(target.quote, target.lang)}".strip()
    told = _told(annotation, lang)
    return Item("false", f"{annotation.id}:{lang}", f"{entry.id} ({lang}): {annotation.id}", (),
                in_language(text, lang), feedback=in_language(told, lang) if told else "",
                tags=(*entry.tags, lang))  # fmt: skip


def _told(annotation: Annotation, lang: str) -> str:
    """Return what is true: the note, the figures it rests on, and where it can be read."""
    note = annotation.note.get(lang) or next(iter(annotation.note.values()), "")
    confirmed = annotation.status == "confirmed"
    figures = [
        "- " + "; ".join(_said(kind, lang, figure(value))
                         for kind, value in evidence.told(confirmed=confirmed))
        for evidence in annotation.evidence
    ]  # fmt: skip
    references = [f"- {prose(' '.join(each.split()))}" for each in annotation.references]
    return "\n\n".join(filter(None, [prose(note), "\n".join([*figures, *references])]))


def _said(key: str, lang: str, value: str = "") -> str:
    return _SAID.get(lang, _SAID["en"])[key].format(value)


def _path(collection: str, lang: str, titles: Titles) -> tuple[str, ...]:
    """Return the titles of a collection and of those that it is in, or else their names."""
    names: Sequence[str] = [name for name in collection.split("/") if name] or ["danesh"]
    paths = ["/".join(names[: n + 1]) for n in range(len(names))]
    return tuple(
        titles.get(path, {}).get(lang) or name for path, name in zip(paths, names, strict=True)
    )
