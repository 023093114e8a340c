"""W3C Web Annotations (https://www.w3.org/TR/annotation-model/), one for each annotation."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from kb.exchange.book import Book
from kb.exchange.shapes import dumps
from kb.model import Annotation, Source
from kb.vocabulary import RTL_LANGUAGES

_CONTEXT = "http://www.w3.org/ns/anno.jsonld"
_AROUND = 32


def write(book: Book) -> str:
    """Return an annotation page. The targets are the source documents, by file name.

    The quote stands with up to 32 characters of what is before and after it, and its
    position counts characters; the verdict is a tag.
    """
    sources = {source.file: source for source in book.sources}
    items = [
        _item(annotation, sources) for entry in book.entries for annotation in entry.annotations
    ]
    page = {
        "@context": _CONTEXT,
        "id": "urn:danesh:annotations",
        "type": "AnnotationPage",
        "items": items,
    }
    return dumps(page) + "\n"


def _item(annotation: Annotation, sources: dict[str, Source]) -> dict[str, Any]:
    target = annotation.target
    return {
        "@context": _CONTEXT,
        "id": f"urn:danesh:annotation:{quote(annotation.id)}",
        "type": "Annotation",
        "motivation": "assessing",
        "body": [
            *(_text(lang, note) for lang, note in annotation.note.items()),
            {"type": "TextualBody", "purpose": "tagging", "value": annotation.verdict},
            {"type": "TextualBody", "purpose": "classifying", "value": annotation.severity},
        ],
        "target": {
            "source": quote(target.file),
            "selector": [
                _quote_selector(annotation, sources.get(target.file)),
                {"type": "TextPositionSelector", "start": target.start, "end": target.end},
            ],
        },
    }


def _text(lang: str, note: str) -> dict[str, str]:
    direction = "rtl" if lang in RTL_LANGUAGES else "ltr"
    return {
        "type": "TextualBody",
        "purpose": "commenting",
        "format": "text/plain",
        "language": lang,
        "textDirection": direction,
        "value": note,
    }


def _quote_selector(annotation: Annotation, source: Source | None) -> dict[str, str]:
    target = annotation.target
    selector = {"type": "TextQuoteSelector", "exact": target.quote}
    if source is not None:
        before = source.text[max(0, target.start - _AROUND) : target.start]
        selector |= {"prefix": before, "suffix": source.text[target.end : target.end + _AROUND]}
    return selector
