"""Attention's scores grow with the square of the length, its cache with the length.

The same causal attention three ways: with all scores at once, block by block with a
running softmax, and token by token with the keys and values of earlier tokens kept.
"""

import numpy as np

SEED = 0  # parameter: 0 to 1_000_000_000
BLOCK = 32
SIZE = 16  # parameter: 4 to 32 values per head
HEADS = 4  # parameter: 1 to 8 heads
WIDTH = HEADS * SIZE
projected = 0


def project(x, weights):
    """Return queries, keys and values by head; count the tokens projected."""
    global projected
    projected += len(x)
    return x @ weights


def at_once(q, k, v):
    """Return the outputs and the bytes of the probabilities, which training keeps."""
    scores = q @ k.swapaxes(1, 2) / np.sqrt(SIZE)
    time = np.arange(q.shape[1])
    scores[:, time[:, None] < time] = -np.inf  # no token sees a later one
    scores = np.exp(scores - scores.max(axis=2, keepdims=True))
    scores /= scores.sum(axis=2, keepdims=True)
    return scores @ v, scores.nbytes


def by_blocks(q, k, v):
    """Return the same with no more scores at a time than one block of keys needs."""
    length, time = q.shape[1], np.arange(q.shape[1])
    best, total = np.full((HEADS, length, 1), -np.inf), np.zeros((HEADS, length, 1))
    out, most = np.zeros_like(v), 0
    for first in range(0, length, BLOCK):
        part = slice(first, first + BLOCK)
        scores = q @ k[:, part].swapaxes(1, 2) / np.sqrt(SIZE)
        scores[:, time[:, None] < time[part]] = -np.inf
        higher = np.maximum(best, scores.max(axis=2, keepdims=True))
        scores, rescale = np.exp(scores - higher), np.exp(best - higher)
        total = total * rescale + scores.sum(axis=2, keepdims=True)
        out = out * rescale + scores @ v[:, part]
        most = max(most, sum(a.nbytes for a in (scores, best, higher, rescale, total)))
        best = higher
    return out / total, most


def by_tokens(x, weights):
    """Return the same one token after another, and the bytes of the cache."""
    cache, outputs = np.empty((2, HEADS, len(x), SIZE)), []
    for t in range(len(x)):  # generation: a token is known only after the one before
        q, *cache[:, :, t : t + 1] = project(x[t : t + 1], weights)
        keys, values = cache[:, :, : t + 1]
        scores = np.einsum("hqs,hts->hqt", q, keys) / np.sqrt(SIZE)
        scores = np.exp(scores - scores.max(axis=2, keepdims=True))
        outputs.append(scores / scores.sum(axis=2, keepdims=True) @ values)
    return np.concatenate(outputs, axis=1), cache.nbytes


rng = np.random.default_rng(SEED + 9)
weights = rng.normal(size=(3, HEADS, WIDTH, SIZE)) / np.sqrt(WIDTH)
held, error = {}, 0.0
print(f"one layer, {HEADS} heads of {SIZE}, bytes in float64, {weights.nbytes} of them weights")
print(f"{'tokens':>8}{'all scores':>12}{'by blocks':>12}{'cache':>10}")
for length in (64, 128, 256, 512):
    x = rng.normal(size=(length, WIDTH))
    exact, scores = at_once(*project(x, weights))
    blocks, some = by_blocks(*project(x, weights))
    projected = 0
    tokens, cache = by_tokens(x, weights)
    with_cache = projected
    held[length] = scores, some, cache
    error = max(error, np.abs(blocks - exact).max(), np.abs(tokens - exact).max())
assert error < 1e-12
for length, row in held.items():
    print(f"{length:8}" + "".join(f"{n:>{w}}" for n, w in zip(row, (12, 12, 10))))

projected = 0
for t in range(1, length + 1):  # without the cache every token projects all before it
    project(x[:t], weights)

print()
growth = np.divide(held[512], held[256])
for name, ratio in zip(("scores", "blocks", "cache"), growth):
    print(f"{name}_at_double_length: {ratio:.6g}")
print(f"cache_bytes_per_token: {held[512][2] / 512:g}")
print(f"weight_bytes: {weights.nbytes}")
print(f"tokens_projected_with_cache: {with_cache}")
print(f"tokens_projected_without_cache: {projected}")

print("\nchart: bytes that attention holds, by the length of the text")
print("  tokens (log):", *held)
for name, values in zip(("all scores at once", "block by block", "cache"), zip(*held.values())):
    print(f"  {name} (log):", *values)
print("  fa: بایت‌هایی که توجه نگه می‌دارد، بسته به طول متن; توکن")
print("  fa: همهٔ امتیازها یکجا; بلوک‌به‌بلوک; حافظهٔ نهان")
