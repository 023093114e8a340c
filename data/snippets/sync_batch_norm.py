"""Batch norm over several workers pools counts, sums and squares, not variances.

Forward takes one exchange and backward another; both are sums over the workers. The
average of local variances misses what sets the workers' means apart.
"""

from functools import reduce

import numpy as np

EPS = 1e-5
COUNTS = np.array([4, 12, 16, 32])  # rows of each worker
sent = []  # numbers each worker sends, one entry an exchange


def all_reduce(parts):
    """The sum over the workers, which every one of them receives."""
    sent.append(parts[0].size)
    return np.sum(parts, axis=0)


def moments(x):
    """Count, mean and sum of squared deviations of each feature."""
    return len(x), x.mean(axis=0), ((x - x.mean(axis=0)) ** 2).sum(axis=0)


def merge(one, other):
    """Join two moments without squaring a mean (Chan, Golub and LeVeque)."""
    (n, mean, squares), (m, mean_m, squares_m) = one, other
    gap, both = mean_m - mean, n + m
    return both, mean + gap * m / both, squares + squares_m + gap**2 * n * m / both


def normalise(x, mean, variance):
    return (x - mean) / np.sqrt(variance + EPS)


def backward_sums(dy, y):
    """What backward needs from all rows; also the gradients of shift and scale."""
    return np.stack([dy.sum(axis=0), (dy * y).sum(axis=0)])


def input_gradient(dy, y, variance, sums, n):
    """The gradient for x: that for y = normalise(x), less what moves mean and variance."""
    return (dy - sums[0] / n - y * sums[1] / n) / np.sqrt(variance + EPS)


def relative_error(measured, truth):
    return np.abs(np.subtract(measured, truth)).max() / np.abs(truth).max()


rng = np.random.default_rng(12)
centres = np.repeat([-1.0, 0.0, 1.0, 2.0], COUNTS)[:, None]  # sorted data: means differ
x, dy = rng.normal(centres, size=(64, 3)), rng.normal(size=(64, 3))
shards, dys = (np.split(a, COUNTS.cumsum()[:-1]) for a in (x, dy))

# The count is the same for all features: 1 number, and 2 of each feature.
packed = all_reduce([np.hstack([len(s), s.sum(axis=0), (s**2).sum(axis=0)]) for s in shards])
n, total, squares = packed[0], *np.split(packed[1:], 2)
mean, variance = total / n, squares / n - (total / n) ** 2
pooled_error = relative_error([mean, variance], [x.mean(axis=0), x.var(axis=0)])
_, merged_mean, deviations = reduce(merge, map(moments, shards))
assert np.allclose(merged_mean, mean) and np.allclose(deviations / n, variance)

# Averaging the variances, each with its weight, takes a message of the same size.
packed = all_reduce([len(s) * np.hstack([1, s.mean(axis=0), s.var(axis=0)]) for s in shards])
within = packed[4:] / packed[0]
between = COUNTS @ [(s.mean(axis=0) - mean) ** 2 for s in shards] / len(x)
assert np.allclose(within + between, variance)

y = normalise(x, mean, variance)
whole = input_gradient(dy, y, variance, backward_sums(dy, y), len(x))
nudge = 1e-5 * rng.normal(size=x.shape)  # the gradient predicts what a nudge does
ahead, behind = (normalise(v, v.mean(axis=0), v.var(axis=0)) for v in (x + nudge, x - nudge))
assert np.isclose((dy * (ahead - behind)).sum() / 2, (whole * nudge).sum(), rtol=1e-6)

pairs = [(d, normalise(s, mean, variance)) for d, s in zip(dys, shards)]
sums = all_reduce([backward_sums(*pair) for pair in pairs])
synced = [input_gradient(*pair, variance, sums, n) for pair in pairs]
alone = [input_gradient(*pair, variance, backward_sums(*pair), len(pair[0])) for pair in pairs]

print("relative error of a float32 variance, 8 workers with 512 rows each")
print(f"{'mean':>8}{'sums of squares':>18}{'merged deviations':>20}")
for offset in (0, 100, 10_000):
    parts = (offset + rng.normal(size=(8, 512))).astype(np.float32)
    truth = parts.var(dtype=np.float64)
    square = (parts**2).sum(axis=1).sum() / parts.size - (parts.sum() / parts.size) ** 2
    chan = reduce(merge, map(moments, parts))[2] / parts.size
    print(f"{offset:8}{abs(square / truth - 1):18.1e}{abs(chan / truth - 1):20.1e}")
assert abs(chan / truth - 1) < 1e-4 < abs(square / truth - 1)

print()
print(f"pooled_error: {round(pooled_error, 12):g}")
print(f"whole_batch_variance: {x.var(axis=0)[0]:.4g}")
print(f"average_of_local_variances: {within[0]:.4g}")
print(f"between_worker_term: {between[0]:.4g}")
print(f"float32_error_of_sums_of_squares: {abs(square / truth - 1):.2g}")
print(f"float32_error_of_merged: {abs(chan / truth - 1):.2g}")
print(f"averaged_over_whole_variance: {(within / variance)[0]:.3g}")
print(f"features: {x.shape[1]}")
for name, size in zip(("forward", "when_variances_are_averaged", "backward"), sent, strict=True):
    print(f"numbers_sent_{name}: {size}")
print(f"gradient_error_synced: {round(relative_error(np.concatenate(synced), whole), 12):g}")
print(f"gradient_error_unsynced: {relative_error(np.concatenate(alone), whole):.3g}")
