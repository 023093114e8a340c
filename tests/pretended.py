"""An encoder for tests, which need no weights."""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence

import numpy as np

from kb.store.sqlite.vectors import DIMENSIONS

ALIKE = {"car": "vehicle", "automobile": "vehicle", "loan": "credit", "mortgage": "credit"}
"""Words that mean the same to the encoder of these tests."""


class Pretended:
    """An encoder that knows words only, and which mean the same."""

    def __init__(self) -> None:
        self.encoded: list[str] = []

    def passages(self, texts: Sequence[str]) -> np.ndarray:
        self.encoded += texts
        return self.queries(texts)

    def queries(self, texts: Sequence[str]) -> np.ndarray:
        vectors = np.zeros((len(texts), DIMENSIONS), np.float32)
        for vector, text in zip(vectors, texts, strict=True):
            for word in re.findall(r"\w+", text.lower()) or [""]:
                seed = zlib.crc32(ALIKE.get(word, word).encode())
                vector += np.random.default_rng(seed).standard_normal(DIMENSIONS)
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
