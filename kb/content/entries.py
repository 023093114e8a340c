"""Questions, cards and notes: one TOML file each, checked against their sources."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from kb import limits
from kb.content.annotations import cut, read_annotations, read_evidence, read_span
from kb.content.context import Context, Mistakes, check_language, language_of, read_days
from kb.content.tables import Table, read_table
from kb.errors import BadData, nearest
from kb.foreign import read_text
from kb.model.entry import Annotation, Answer, Assessment, Entry, Snippet, Span, digest
from kb.model.values import JUDGEMENTS, KINDS, LAYERS, LEVELS, ROLES, named_level
from kb.text.program import forbidden_part, normal_code

_ENTRY = ("id", "kind", "number", "level", "topic", "tags", "related", "snippets", "question",
          "answer", "annotation", "assessment", *LAYERS)  # fmt: skip
_QUESTION = ("text", "restored", "origins", "wording")
_ANSWER = ("role", "lang", "text", "origin", "checked", "until", "evidence")
_ITEM = re.compile(r"^ {0,3}(?:[-*+]|\d+[.)]) ", re.MULTILINE)


def read_entry(table: Table, collection: str, context: Context) -> Entry:
    """Read the entry of a file; each mistake is a `BadData` with file, line and key."""
    table.only(*_ENTRY)
    asked = table.table("question")
    questions = {check_language(asked, lang, lang): asked.table(lang) for lang in asked}
    for question in questions.values():
        question.only(*_QUESTION)
    origins = {
        lang: tuple(_span(place, context) for place in question.tables("origins"))
        for lang, question in questions.items()
    }
    texts = {lang: _question(row, lang, origins[lang], context) for lang, row in questions.items()}
    answers = _answers(table, context)
    begun = Entry("", "", "", texts, origins=origins, answers=answers)
    annotations = read_annotations(table, begun, context)
    layers: Any = {name: _by_language(table, name, texts, context) for name in LAYERS}
    level = None
    if "level" in table:
        level = named_level(table.get("level", str)) or table.choice("level", LEVELS)
    entry = Entry(
        id=table.get("id", str),
        kind=table.choice("kind", KINDS),
        collection=collection,
        question=texts,
        number=table.get("number", str) if "number" in table else None,
        level=level,
        topic=table.get("topic", str),
        tags=table.words("tags"),
        origins={lang: spans for lang, spans in origins.items() if spans},
        restored={lang: True for lang, row in questions.items() if "restored" in row},
        wording={
            lang: context.prose(question, "wording", lang)
            for lang, question in questions.items()
            if "wording" in question
        },
        **layers,
        assessment=_assessment(table, annotations, context),
        answers=answers,
        snippets=_snippets(table, context),
        annotations=annotations,
        related=table.words("related"),
    )
    _advise(table, entry, context)
    return entry


def _by_language(table: Table, key: str, texts: Iterable[str], context: Context) -> dict[str, str]:
    """Return the texts of a layer by language; the question must have each language."""
    for lang in table.texts(key) if key in table else ():
        if lang not in texts:
            raise table.error(key, "the question has no text in '{lang}'", lang=lang)
    return context.texts(table, key) if key in table else {}


def _assessment(
    table: Table, annotations: Iterable[Annotation], context: Context
) -> Assessment | None:
    """Return the assessment of the source answer; it cannot be sound with a wrong passage."""
    if "assessment" not in table:
        return None
    row = table.table("assessment")
    row.only(*Assessment._fields)
    judgement = row.choice("judgement", JUDGEMENTS)
    marked = [each.id for each in annotations if each.verdict in ("wrong", "misleading")]
    if judgement != "flawed" and marked:
        raise row.error("judgement", "'{id}' says what is wrong or misleading", id=marked[0])
    return Assessment(judgement, context.texts(row, "sentence"))


def _span(place: Table, context: Context) -> Span:
    place.only(*Span._fields)
    return read_span(place, context.sources)


def _question(question: Table, lang: str, origins: tuple[Span, ...], context: Context) -> str:
    """Return the displayed question: the words of the first origin, or the restored text."""
    if "text" in question:
        if origins and not question.get("restored", bool, False):
            raise question.error(
                "text", "is shown with the source's words", "Write restored = true."
            )
        return context.prose(question, "text", lang)
    if not origins:
        raise question.error("", "needs a text or an origin in a source document")
    return cut(origins[0], context.sources)


def _answers(table: Table, context: Context) -> tuple[Answer, ...]:
    found: dict[tuple[str, str], Answer] = {}
    for row in table.tables("answer"):
        with context.mistakes.noted():
            answer = _answer(row, table.get("id", str), context)
            if (answer.role, answer.lang) in found:
                raise row.error(
                    "role", "a second {role} answer in '{lang}'", role=answer.role, lang=answer.lang
                )
            found[answer.role, answer.lang] = answer
    langs = list(dict.fromkeys(lang for _, lang in found))
    return tuple(sorted(found.values(), key=lambda a: (langs.index(a.lang), ROLES.index(a.role))))


def _answer(row: Table, entry: str, context: Context) -> Answer:
    row.only(*_ANSWER)
    role, lang = row.choice("role", ROLES), language_of(row)
    if ("text" in row) == ("origin" in row):
        raise row.error("", "an answer needs either a text or an origin")
    if "text" in row:
        answer = Answer(role, lang, context.prose(row, "text", lang), **read_days(row, context))
    else:
        origin = _span(row.table("origin"), context)
        answer = Answer(role, lang, cut(origin, context.sources), origin)
    evidence = read_evidence(row, answer.claim_of(entry), answer.text, context)
    return answer._replace(evidence=evidence, status="unverified" if evidence else "")


def _snippets(table: Table, context: Context) -> tuple[Snippet, ...]:
    found: dict[str, Snippet] = {}
    for name in table.words("snippets"):
        with context.mistakes.noted():
            if name in found:
                raise table.error("snippets", "'{name}' is given twice", name=name)
            if name not in context.snippets:
                raise table.error(
                    "snippets", "no program '{name}'", nearest(name, context.snippets), name=name
                )
            known = context.snippets[name]
            found[name] = Snippet(known.id, known.title, known.code, main=not found)
    return tuple(found.values())


def _advise(table: Table, entry: Entry, context: Context) -> None:
    """Give advice on what a reader would miss in an entry."""
    answered = [answer.lang for answer in entry.answers]
    for key, there in (("question", entry.question), ("answer", answered)):
        for lang in [lang for lang in ("en", "fa") if lang not in there]:
            context.advise(table, key, "the entry has no {key} in '{lang}'", key=key, lang=lang)
    if not entry.snippets:
        context.advise(table, "snippets", "the entry has no program to run")
    if entry.kind == "question" and entry.level is None:
        context.advise(
            table, "level", "the question has no level ({levels})", levels=", ".join(LEVELS)
        )
    # Other languages take more or fewer words for as much.
    words = len(entry.short.get("en", "").split())
    if words and not 40 <= words <= 80:
        context.advise(
            table, "short", "words in the short answer: {words}, not 40 to 80", words=words
        )
    for lang, text in entry.further.items():
        count = len(_ITEM.findall(text))
        if not 2 <= count <= 3:
            context.advise(
                table,
                "further",
                "follow-up questions in '{lang}': {count}, not 2 or 3",
                lang=lang,
                count=count,
            )


# The bundled programs: their code, their titles, and the digests that make them trusted.


TITLES = "titles.toml"


def read_snippets(
    folder: Path, mistakes: Mistakes | None = None, within: Path | None = None
) -> dict[str, Snippet]:
    """Read every program of the folder, if it exists; each must be ``within`` another folder.

    The English title is the first line of the docstring; ``titles.toml`` has one table of titles
    per program. Code that hides what Python runs is read like any other and reported as advice.
    """
    mistakes = mistakes or Mistakes()
    programs = {file.stem: file for file in sorted(folder.glob("*.py"))}
    titles = {}
    if (folder / TITLES).exists():
        table = read_table(folder / TITLES, within)
        table.only(*programs)
        titles = {name: table.texts(name) for name in table}
    found = {}
    for name, file in programs.items():
        with mistakes.noted():
            code = _read_snippet(file, within)
            hidden = forbidden_part(code)
            if hidden is not None:
                mistakes.advise(
                    BadData(
                        "this line has {what}, so it never runs",
                        "Write it as an escape, such as '\\r'.",
                        place=f"{file}:{hidden.line}",
                        what=hidden.what,
                    )
                )
            title = _title(file, code, readable=hidden is None)
            found[name] = Snippet(name, {"en": title, **titles.get(name, {})}, code)
    return found


def trusted_digests(folder: Path) -> frozenset[str]:
    """Return the digests of the bundled programs, which run without asking."""
    return frozenset(digest(_read_snippet(file)) for file in folder.glob("*.py"))


def _read_snippet(file: Path, within: Path | None = None) -> str:
    """Return a program whose lines end in a newline. Raises `BadData`."""
    return normal_code(read_text(file, limits.CODE, within))


def _title(file: Path, code: str, *, readable: bool) -> str:
    """Return the title of a program, or its name if Python cannot parse it (``readable``)."""
    try:
        docstring = ast.get_docstring(ast.parse(code))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        if not readable:
            return file.stem
        line = getattr(error, "lineno", None) or 1
        raise BadData(
            "this is not Python ({error})", place=f"{file}:{line}", error=error
        ) from error
    if not docstring:
        raise BadData(
            "the docstring is missing",
            "Its first line is the title of the program.",
            place=f"{file}:1",
        )
    return docstring.splitlines()[0].rstrip(".")
