"""The encoder with small random weights, beside the same computed text by text, row by row."""

from __future__ import annotations

import hashlib
import math
import struct

import numpy as np
import pytest

from kb.errors import BadData
from kb.search import encoder
from kb.search.encoder import Encoder

PIECES = ["<s>", "<pad>", "</s>", "<unk>", "▁", "▁net", "▁network", "work", "s", "n", "e", "t",
          "▁query", "▁passage", ":", "شبکه", "▁شبکه"]  # fmt: skip
SCORES = [0, 0, 0, 0, -2, -4, -5, -4, -3, -9, -9, -9, -3, -3, -3, -7, -6]
SIZES = {"q": (384, 384), "k": (384, 384), "v": (384, 384), "ao": (384, 384), "fi": (1536, 384),
         "fo": (384, 1536)}  # fmt: skip
NORMAL = {0xA0: " ", 0x0A: " ", 0xFB01: "fi", 0x01: ""}

Tensors = dict[str, np.ndarray]


def drawn() -> Tensors:
    """Return random tensors; those of matrices are exact in four bits."""
    draw = np.random.default_rng(7)

    def matrix(*shape: int) -> np.ndarray:
        return draw.integers(-8, 8, shape) * np.float32(0.03125)

    def plain(*shape: int) -> np.ndarray:
        return draw.standard_normal(shape).astype("<f4")

    made = {"emb.word": matrix(len(PIECES), 384), "emb.pos": plain(512, 384)}
    made["emb.type"] = plain(2, 384)
    for norm in ("emb.ln", "l0.aln", "l0.oln"):
        made |= {f"{norm}.w": plain(384), f"{norm}.b": plain(384)}
    for name, shape in SIZES.items():
        made |= {f"l0.{name}.w": matrix(*shape), f"l0.{name}.b": plain(shape[0])}
    return made


def packed(values: np.ndarray) -> bytes:
    blocks = (values.reshape(-1, 32) / 0.03125 + 8).astype(np.uint8)
    rows = np.empty(len(blocks), [("scale", "<f2"), ("halves", "u1", 16)])
    rows["scale"], rows["halves"] = 0.03125, blocks[:, :16] | blocks[:, 16:] << 4
    return rows.tobytes()


def written(tensors: Tensors) -> bytes:
    texts = [piece.encode() for piece in PIECES]
    ends = np.cumsum([0, *map(len, texts)]).astype("<u4").tobytes()
    table = b"".join(
        struct.pack("<IB", code, len(to)) + to.encode("utf-32-le") for code, to in NORMAL.items()
    )
    head = b"E5S1" + bytes(40) + struct.pack("<5iQ", len(PIECES), 0, 2, 1, 3, sum(map(len, texts)))
    head += ends + np.array(SCORES, "<f4").tobytes() + b"".join(texts)
    head += struct.pack("<iI", len(NORMAL), len(table)) + table
    held = {n: packed(v) if v.ndim == 2 and n[-2:] in (".w", "rd") else v.astype("<f4").tobytes()
            for n, v in tensors.items()}  # fmt: skip
    place = len(head) + 4 + sum(23 + len(name) for name in held)
    names = b""
    for name, data in held.items():
        names += struct.pack("<H", len(name)) + name.encode()
        names += struct.pack("<BIQQ", 0, tensors[name].size, place, len(data))
        place += len(data)
    return head + struct.pack("<i", len(held)) + names + b"".join(held.values())


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> tuple[Encoder, Tensors]:
    tensors = drawn()
    data = written(tensors)
    monkeypatch.setattr(encoder, "DIGEST", hashlib.sha256(data).hexdigest())
    monkeypatch.setattr(encoder, "_LAYERS", 1)
    return Encoder(data), tensors


def expected(tokens: list[int], of: Tensors) -> np.ndarray:
    """Return the vector of one text, in float64 and with the exact error function."""
    t = {name: values.astype(float) for name, values in of.items()}

    def norm(x: np.ndarray, name: str) -> np.ndarray:
        x = x - x.mean(1, keepdims=True)
        return x / np.sqrt(x.var(1, keepdims=True) + 1e-12) * t[f"{name}.w"] + t[f"{name}.b"]

    def linear(x: np.ndarray, name: str) -> np.ndarray:
        return x @ t[f"l0.{name}.w"].T + t[f"l0.{name}.b"]

    x = t["emb.word"][tokens] + t["emb.pos"][: len(tokens)] + t["emb.type"][0]
    x = norm(x, "emb.ln")
    q, k, v = (linear(x, name).reshape(len(tokens), 12, 32) for name in "qkv")
    mixed = np.empty_like(q)
    for head in range(12):
        for row in range(len(tokens)):
            weights = np.exp(k[:, head] @ q[row, head] / math.sqrt(32))
            mixed[row, head] = weights / weights.sum() @ v[:, head]
    x = norm(x + linear(mixed.reshape(-1, 384), "ao"), "l0.aln")
    wide = np.vectorize(lambda each: each * (1 + math.erf(each / math.sqrt(2))) / 2)(
        linear(x, "fi")
    )
    x = norm(x + linear(wide, "fo"), "l0.oln").mean(0)
    return x / np.linalg.norm(x)


def named(*pieces: str) -> list[int]:
    return [PIECES.index(piece) for piece in pieces]


def test_a_text_is_cut_into_the_pieces_with_the_best_sum(small: tuple[Encoder, Tensors]) -> None:
    tokens = small[0]._tokenizer.tokens
    assert tokens("networks  net") == named("▁network", "s", "▁net")
    assert tokens("شبکه\nnet") == named("▁شبکه", "▁net")
    assert tokens("netx") == named("▁net", "<unk>")
    assert tokens("net ") == named("▁net", "▁")
    assert tokens("net\x01work") == named("▁network")
    assert tokens("") == tokens(" ") == named("▁")


def test_vectors_are_those_of_the_plain_computation(small: tuple[Encoder, Tensors]) -> None:
    model, tensors = small
    texts = ["network", "net s شبکه networks", "", "net " * 700, "شبکه"]
    for text, found in zip(texts, model.queries(texts), strict=True):
        tokens = model._tokenizer.tokens(f"query: {text}")[:510]
        assert found @ expected([0, *tokens, 2], tensors) > 0.9999
    assert not np.allclose(model.queries(["net"]), model.passages(["net"]), atol=1e-3)


def test_weights_with_another_digest_are_not_read(small: tuple[Encoder, Tensors]) -> None:
    data = written(small[1])
    for wrong in (data[:-1], data[:-1] + bytes([data[-1] ^ 1]), b""):
        with pytest.raises(BadData, match="not the weights"):
            Encoder(wrong)
