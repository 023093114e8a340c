r"""GIFT, Moodle's text format for quiz questions: items that are asked and graded.

Texts are HTML from `kb.formats.hypertext`: every tag is ours. Formulas get the marks of Moodle's
filters; media are not included, only named.

An item is one line, with line breaks written as ``\n``: a blank line would end it, and a line
that begins with two slashes would be a comment. The comment before an item has its Moodle id and
tags. A category is read verbatim, with only backslashes escaped. Source:
https://docs.moodle.org/en/GIFT_format.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from itertools import accumulate
from typing import BinaryIO, Literal, NamedTuple

from kb.formats.anki.cards import fragment, inert
from kb.formats.book import Book
from kb.formats.hypertext.telling import grounds, spoken
from kb.formats.labels import label
from kb.model.entry import Annotation, Entry
from kb.model.values import LAYERS
from kb.present.annotated import numbered

Titles = Mapping[str, Mapping[str, str]]
"""The titles of collections by language."""

_UNTRUE = ("wrong", "misleading")
_REFUTED = ("refuted", "orphaned")
_LONGEST, _MOST_WORDS = 60, 6
# Marks of Markdown, of formulas and of GIFT; whoever is asked types none of them.
_TYPED = re.compile(r"(?!%)[^`*_$\\<>\[\]{}|~^#&\x00-\x1f\x7f]+")
_STOP = re.compile(r"(?<=\S)[.؟!?]\Z")
_DIGITS = str.maketrans("۰۱۲۳۴۵۶۷۸۹٠١٢٣٤٥٦٧٨٩", "01234567890123456789")


_SPECIAL = re.compile(r"[\\~=#{}:]")
_PLACEHOLDER = re.compile(r"&(?=&0\d\d)")
_UNTAGGED = re.compile(r"[\x00-\x20\x7f<>`]+")
_UNSEEN = re.compile(r"[\x00-\x1f\x7f]")
_CONTEXT = re.compile(r"\$\w+\$")
_ID, _TAG, _NAME = 100, 50, 250
"""Characters that Moodle accepts in an id, a tag and a name."""


class Item(NamedTuple):
    """A quiz item with HTML texts.

    A ``short`` item accepts its ``answers``, an ``essay`` is graded by hand, ``false`` is a false
    statement, and a ``description`` is only read. Everybody sees the ``feedback``.
    """

    kind: Literal["short", "essay", "false", "description"]
    id: str
    title: str
    category: str
    text: str
    answers: tuple[str, ...] = ()
    feedback: str = ""
    tags: tuple[str, ...] = ()


def write(book: Book, out: BinaryIO) -> int:
    """Write the items of every entry and language, in the categories of their collections.

    Return the number of entries that have items, which is all of them.
    """
    category = None
    for entry in book.entries:
        for item in items_of(entry, book.collections):
            if item.category != category:
                category = item.category
                out.write(f"$CATEGORY: {category}\n\n".encode())
            out.write(f"{_item_lines(item)}\n\n".encode())
    return len(book.entries)


def items_of(entry: Entry, titles: Titles) -> Iterator[Item]:
    """Yield the items of an entry in each language, including those of its annotations.

    The better wording is used if there is one. The reference answer is used, else the given one.
    Repeated claims, and claims measured to be true, give no items.
    """
    claims = [each for _, each in numbered(entry) if _is_claim(each)]
    spoken = (lang for each in claims for lang in _spoken(each))
    for lang in dict.fromkeys((*entry.languages, *spoken)):
        path = _category(entry.collection, lang, titles)
        if lang in entry.languages:
            yield _question(entry, lang)._replace(category=path)
        for claim in claims:
            if lang in _spoken(claim):
                yield _claim(entry, claim, lang)._replace(category=path)


def accepted(answer: str) -> tuple[str, ...]:
    r"""Return the accepted forms of an answer, or nothing if it is too long to type.

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
    item = Item("essay", f"{entry.id}:{lang}", f"{entry.id} ({lang})", "",
                in_language(lang, shown(asked, lang)), tags=(*entry.tags, lang))  # fmt: skip
    reference, source = entry.text("reference", lang), entry.text("source", lang)
    answer = reference or source
    if entry.kind == "note":
        text = in_language(lang, shown(asked, lang), shown(answer, lang))
        return item._replace(kind="description", text=text)
    mended = () if reference else tuple(_mended(entry, lang))
    answers = () if mended else accepted(answer)
    if answers:
        return item._replace(kind="short", answers=answers)
    told = (entry.text(name, lang) for name in LAYERS[1:])
    texts = (entry.text("short", lang), answer, *told)
    found = (shown(text, lang) for text in texts if text)
    return item._replace(feedback=in_language(lang, *found, *mended))


def _mended(entry: Entry, lang: str) -> Iterator[str]:
    """Yield the remarks on a given answer, each below its words."""
    for _, annotation in numbered(entry):
        target = annotation.target
        if (target.role, target.lang) == ("source", lang) and _is_claim(annotation):
            yield f"{quoted(target.quote, lang)}{_told(annotation, lang)}"


def _is_claim(annotation: Annotation) -> bool:
    return (
        annotation.verdict in _UNTRUE
        and annotation.status not in _REFUTED
        and not annotation.repeats
        and bool(annotation.target.quote.strip())
    )


def _spoken(annotation: Annotation) -> Collection[str]:
    """Return the languages of a claim's note."""
    return annotation.note or (annotation.target.lang,)


def _claim(entry: Entry, annotation: Annotation, lang: str) -> Item:
    target = annotation.target
    asked = shown(entry.question.get(lang) or next(iter(entry.question.values()), ""), lang)
    ask = f"<p><strong>{label('claim', lang)}</strong></p>\n"
    text = in_language(lang, asked, ask, quoted(target.quote, target.lang))
    return Item("false", f"{annotation.id}:{lang}", f"{entry.id} ({lang}): {annotation.id}", "",
                text, feedback=in_language(lang, _told(annotation, lang)),
                tags=(*entry.tags, lang))  # fmt: skip


def _told(annotation: Annotation, lang: str) -> str:
    """Return the correction: the note, its figures and its references."""
    note = annotation.note.get(lang) or next(iter(annotation.note.values()), "")
    return f"{shown(note, lang)}{inert(grounds(annotation, lang))}"


def shown(text: str, lang: str) -> str:
    r"""Return a text as HTML with formulas in the marks of Moodle's filters.

    >>> shown("a <b> $x_1$ ![c](d.png)", "en")
    '<p>a &lt;b&gt; \\(x_1\\) image: c (d.png)</p>\n'
    """
    return fragment(text, lang, {}).replace("&#123;", "{").replace("&#125;", "}")  # no clozes


def in_language(lang: str, *html: str) -> str:
    """Return HTML that Moodle shows in a given language, independent of the page; or nothing."""
    whole = "".join(html)
    return f"<div {spoken(lang)}>\n{whole}</div>" if whole else ""


def quoted(text: str, lang: str) -> str:
    """Return a text as a quotation."""
    return f"<blockquote {spoken(lang)}>\n{shown(text, lang)}</blockquote>\n"


def _category(collection: str, lang: str, titles: Titles) -> str:
    """Return the path of the titles of a collection and its parents, or else their names."""
    names = [name for name in collection.split("/") if name] or ["danesh"]
    paths = zip(accumulate(names, "{}/{}".format), names, strict=True)
    return "/".join(_segment(titles.get(path, {}).get(lang) or name) for path, name in paths)


def _item_lines(item: Item) -> str:
    """Return an item with its comment, its accepted answers or its grade, and its feedback."""
    id = _token(item.id)
    tags = (_token(_UNTAGGED.sub(" ", tag))[:_TAG] for tag in item.tags)
    tokens = [f"[id:{id}]"] if len(id) <= _ID else []
    comment = " ".join(["//", *tokens, *(f"[tag:{tag}]" for tag in tags if tag)])
    lines = f"{comment}\n::{escaped(_name(item.title))}::[html]{escaped(item.text)}"
    if item.kind == "description":
        return lines
    accepted = " ".join(f"={escaped(answer)}" for answer in item.answers)
    told = f"####{escaped(item.feedback)}" if item.feedback else ""
    return f"{lines}{{{accepted}{'FALSE' if item.kind == 'false' else ''}{told}}}"


def escaped(text: str) -> str:
    r"""Return a text with GIFT's special signs escaped.

    >>> print(escaped("f(x) = {1}: \\nabla\nelse"))
    f(x) \= \{1\}\: \\nabla\nelse
    """
    return _SPECIAL.sub(r"\\\g<0>", text).replace("\n", r"\n")


def _token(text: str) -> str:
    """Return a text in one line without closing brackets: Moodle keeps whole ids only."""
    return _name(text).replace("[", "(").replace("]", ")")


def _name(text: str) -> str:
    """Return a text in one line without Moodle's placeholders for escaped characters."""
    return _PLACEHOLDER.sub("& ", " ".join(_UNSEEN.sub(" ", text).split()))


def _segment(name: str) -> str:
    r"""Return a title as part of a category's path.

    >>> _segment("a/b"), _segment("$course$")
    ('a//b', 'course')
    """
    plain = _name(name).strip("/ ")[:_NAME].strip("/ ").replace("/", "//")
    plain = plain[1:-1] if _CONTEXT.fullmatch(plain) else plain
    return plain.replace("\\", "\\\\") or "-"
