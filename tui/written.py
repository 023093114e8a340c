"""What stands in the form of an entry: read into a draft, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from kb.i18n import _
from kb.records.draft import Draft
from kb.records.typed import LONGEST_TAG, is_language_code

Side = tuple[str, Mapping[str, str]]
"""A language, and its texts by role."""


def draft_of(draft: Draft, sides: Sequence[Side]) -> Draft:
    """Return a draft with these texts; those that are blank are left out."""
    said = [(lang, role, text) for lang, texts in sides for role, text in texts.items()]
    filled = [each for each in said if each[2].strip()]
    answers: dict[str, dict[str, str]] = {}
    for lang, role, text in filled:
        if role != "question":
            answers.setdefault(role, {})[lang] = text
    question = {lang: text for lang, role, text in filled if role == "question"}
    return replace(draft, question=question, answers=answers)


def problems_of(draft: Draft, sides: Sequence[Side]) -> dict[str, str]:
    """Return what is wrong, by field; a side's own by its number: ``lang.0``, ``question.0``.

    >>> sorted(problems_of(Draft(collection="a//b"), [("en", {"question": " "})]))
    ['collection', 'question.0']
    """
    found = {}
    seen: set[str] = set()
    for number, (lang, texts) in enumerate(sides):
        if not any(text.strip() for text in texts.values()):
            continue
        if not is_language_code(lang):
            found[f"lang.{number}"] = _("A language has a code, such as en, fa, de.")
        elif lang in seen:
            found[f"lang.{number}"] = _("This language is there already.")
        seen.add(lang)
    if not seen:
        found["question.0"] = _("An entry needs a question or an answer.")
    if not all(part.strip() for part in draft.collection.split("/")):
        found["collection"] = _("A collection needs a name, and so has each of its parts.")
    if any(len(tag) > LONGEST_TAG for tag in draft.tags):
        found["tags"] = _("A tag is too long.")
    return found
