"""W3C Web Annotations (https://www.w3.org/TR/annotation-model/), one for each annotation."""

from __future__ import annotations

from typing import Any, BinaryIO
from urllib.parse import quote

from kb.formats.book import Book
from kb.model.entry import Annotation, Source
from kb.model.json import dumps
from kb.model.values import NOTE
from kb.text import quotation
from kb.text.languages import right_to_left

_CONTEXT = "http://www.w3.org/ns/anno.jsonld"


def write(book: Book, out: BinaryIO) -> None:
    """Write an annotation page. The targets are source documents, by file name.

    The target of a reader's own annotation is the entry, because it marks the entry's text.

    The quote has up to 32 characters of context on each side, its position counts characters, and
    the verdict is a tag.
    """
    sources = {source.file: source for source in book.sources}
    items = [
        _item(entry.id, annotation, sources)
        for entry in book.entries
        for annotation in entry.annotations
    ]
    page = {
        "@context": _CONTEXT,
        "id": "urn:danesh:annotations",
        "type": "AnnotationPage",
        "items": items,
    }
    out.write((dumps(page) + "\n").encode())


def _item(entry: str, annotation: Annotation, sources: dict[str, Source]) -> dict[str, Any]:
    target, source = annotation.target, sources.get(annotation.target.file)
    around = {}
    if annotation.own:
        around = {"prefix": target.prefix, "suffix": target.suffix}
    elif source is not None:
        quoted = quotation.quote(source.text, target.start, target.end)
        around = {"prefix": quoted.prefix, "suffix": quoted.suffix}
    return {
        "@context": _CONTEXT,
        "id": f"urn:danesh:annotation:{quote(annotation.id)}",
        "type": "Annotation",
        "motivation": "assessing" if annotation.verdict != NOTE else "commenting",
        "body": [
            *(
                {
                    "type": "TextualBody",
                    "purpose": "commenting",
                    "format": "text/plain",
                    "language": lang,
                    "textDirection": "rtl" if lang in right_to_left() else "ltr",
                    "value": note,
                }
                for lang, note in annotation.note.items()
            ),
            {"type": "TextualBody", "purpose": "tagging", "value": annotation.verdict},
            {"type": "TextualBody", "purpose": "classifying", "value": annotation.severity},
        ],
        "target": {
            "source": quote(target.file) or f"urn:danesh:entry:{quote(entry)}",
            "selector": [
                {"type": "TextQuoteSelector", "exact": target.quote, **around},
                {"type": "TextPositionSelector", "start": target.start, "end": target.end},
            ],
        },
    }
