"""danesh's own JSON: one document that imports again with nothing lost."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from hashlib import sha256
from typing import Any, BinaryIO

from kb import limits
from kb.errors import BadData
from kb.formats.book import Batch, Book, Shelf, reviews_skipped
from kb.formats.media import Blobs
from kb.formats.pieces import Part, read_object
from kb.model.entry import Review
from kb.model.entry_json import ENTRY, SOURCE
from kb.model.json import check_version, dumps, versioned
from kb.model.results import Progress, silent
from kb.model.shapes import TEXT, TEXTS, WHOLE, Key, Shape

_VERSION = "schema_version"


def _check_review(said: dict[str, Any], place: str) -> None:
    if not Review(*(said[name] for name in Review._fields)).is_possible:
        raise BadData("this review has impossible values", place=place)


_REVIEWED: Shape[dict[str, Any]] = Shape(
    dict,
    Key("entry", TEXT),
    *(Key(name, WHOLE) for name in Review._fields),
    check=_check_review,
)
_BYTES: Shape[dict[str, str]] = Shape(dict, Key("sha256", TEXT), Key("data", TEXT))
_COLLECTION: Shape[dict[str, Any]] = Shape(dict, Key("id", TEXT), Key("title", TEXTS, default={}))


def write(book: Book, out: BinaryIO) -> None:
    """Write the document, one entry at a time."""
    collections = book.collections.items()
    before = versioned(
        {
            "collections": [{"id": id, "title": dict(title)} for id, title in collections],
            "sources": [SOURCE.write(source) for source in book.sources],
        }
    )
    out.write((dumps(before).removesuffix("\n}") + ',\n  "entries": [').encode())
    between = "\n"
    for entry in book.entries:
        # The line breaks of a text are escaped, so each that is there begins a line of JSON.
        lines = dumps(ENTRY.write(entry)).replace("\n", "\n    ")
        out.write(f"{between}    {lines}".encode())
        between = ",\n"
    out.write(("]" if between == "\n" else "\n  ]").encode())
    digests = dict.fromkeys(media.sha256 for entry in book.entries for media in entry.media)
    media = (
        {"sha256": digest, "data": b64encode(data).decode("ascii")}
        for digest in digests
        if (data := book.media.get(digest)) is not None
    )
    _write_list(out, "media", media)
    reviews = (
        {"entry": entry.id, **review._asdict()}
        for entry in (book.entries if book.reviews else ())
        for review in book.reviews.get(entry.id, ())
    )
    _write_list(out, "reviews", reviews)
    out.write(b"\n}\n")


def _write_list(out: BinaryIO, key: str, records: Iterator[Mapping[str, Any]]) -> None:
    """Write a list of records, one per line, if there are any."""
    between = f',\n  "{key}": [\n    '
    for record in records:
        out.write((between + dumps(record, indent=None)).encode())
        between = ",\n    "
    if between.startswith(",\n    "):
        out.write(b"\n  ]")


def read(stream: BinaryIO, name: str, progress: Progress = silent, reviews: bool = False) -> Batch:
    """Return the content of such a document; how it was studied only with ``reviews``."""
    entries, media = Shelf(), Blobs()
    log: dict[str, list[Review]] = {}
    found: dict[str, list[Any]] = {key: [] for key in _READERS}
    kept: dict[str, Callable[[Any], object]] = {key: found[key].append for key in _READERS}
    kept["entries"] = entries.add
    kept["media"] = lambda data: media.add(name, data)
    kept["reviews"] = lambda each: log.setdefault(each.pop("entry"), []).append(Review(**each))
    counts = dict.fromkeys(_READERS, 0)

    def take(key: str, value: object, place: str, here: str) -> None:
        progress(0, 0)
        if counts[key] >= limits.SHELVED:
            raise BadData(
                "contains more than {most:,} {key}", place=name, most=limits.SHELVED, key=key
            )
        counts[key] += 1
        kept[key](_READERS[key](value, place, here))

    parts = {key: Part(partial(take, key), key != _VERSION) for key in _READERS}
    said = read_object(stream, name, parts)
    for key in (_VERSION, "entries"):
        if key not in said:
            raise BadData("{key} is missing", place=name, key=key)
    collections = {each["id"]: each["title"] for each in found["collections"]}
    sources = tuple(found["sources"])
    book = Book(entries, sources, collections, media, log if reviews else {})
    skipped = [] if reviews or not log else [reviews_skipped(name, None, counts["reviews"])]
    return Batch(book, dropped=tuple(skipped), own=True)


def _bytes(value: Any, place: str, key: str) -> bytes:
    """Return the bytes of media; they must match their digest."""
    said = _BYTES.read(value, place, key)
    try:
        data = b64decode(said["data"], validate=True)
    except ValueError as error:
        raise BadData("{key}.data: is not base64", place=place, key=key) from error
    if sha256(data).hexdigest() != said["sha256"]:
        raise BadData("{key}: the data does not match its sha256", place=place, key=key)
    return data


_READERS: Mapping[str, Callable[[Any, str, str], Any]] = {
    _VERSION: check_version,
    "collections": _COLLECTION.read,
    "sources": SOURCE.read,
    "entries": ENTRY.read,
    "media": _bytes,
    "reviews": _REVIEWED.read,
}
