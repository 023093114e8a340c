"""Writes the vectors of the bundled entries: ``python -m tests.vectors``.

It needs danesh[meaning]. Vectors of passages that are unchanged are kept as they are.
"""

from __future__ import annotations

from kb import open_library
from kb.content.bundled import bundled_folder
from kb.search.meaning import packed
from kb.service.meaning import SHIPPED, WEIGHTS, _shipped, key_of, load_encoder, passages
from kb.service.opening import MEMORY

_AT_ONCE = 16


def bundled_passages() -> dict[bytes, str]:
    """Return the passages of all bundled entries, by their keys."""
    with open_library(MEMORY) as library:
        entries = [hit.id for hit in library.list().hits]
        texts = library._base.store.vectors.texts(entries)
    found = [each for text in texts for each in passages(text.question, text.answer)]
    return {key_of(each): each for each in found}


def main() -> None:
    """Encode what is new, and write the file."""
    wanted, known = bundled_passages(), dict(_shipped())
    new = [key for key in wanted if key not in known]
    encoder = load_encoder()
    for start in range(0, len(new), _AT_ONCE):
        part = new[start : start + _AT_ONCE]
        vectors = encoder.passages([wanted[key] for key in part])
        known.update(zip(part, map(packed, vectors), strict=True))
        print(f"{start + len(part)} of {len(new)} passages encoded")
    keys = sorted(wanted)
    data = b"".join([*keys, *(known[key] for key in keys)])
    (bundled_folder() / SHIPPED).write_bytes(data)
    print(f"{len(keys)} vectors of {WEIGHTS}, {len(data)} bytes")


if __name__ == "__main__":
    main()
