"""Batch norm over several workers pools counts, sums and squares, not variances.

Forward takes one exchange and backward another; both are sums over the workers. The
average of local variances misses what sets the workers' means apart.
"""

from functools import reduce

import numpy as np

EPS = 1e-5
exchanged = []  # numbers a worker sends, one entry an exchange


def all_reduce(parts):
    """The sum over the workers, which every one of them receives."""
    exchanged.append(parts[0].size)
    return np.sum(parts, axis=0)


def moments(x):
    """Count, mean and sum of squared deviations of each feature."""
    mean = x.mean(axis=0)
    return len(x), mean, ((x - mean) ** 2).sum(axis=0)


def merge(one, other):
    """Join two moments without ever squaring the mean (Chan, Golub and LeVeque)."""
    (n, mean, squares), (m, other_mean, other_squares) = one, other
    gap = other_mean - mean
    return n + m, mean + gap * m / (n + m), squares + other_squares + gap**2 * n * m / (n + m)


def normalise(x, mean, variance):
    return (x - mean) / np.sqrt(variance + EPS)


def gradient(dy, normal, variance, sum_dy, sum_dy_normal, n):
    """The gradient for x, given that for its normalised form and two sums over n rows."""
    return (dy - sum_dy / n - normal * sum_dy_normal / n) / np.sqrt(variance + EPS)


rng = np.random.default_rng(12)
cuts = np.cumsum([4, 12, 16])  # four workers with 4, 12, 16 and 32 rows
centres = np.repeat([-1.0, 0.0, 1.0, 2.0], [4, 12, 16, 32])[:, None]
x = rng.normal(centres, size=(64, 3))
dy = rng.normal(size=x.shape)
shards, dy_shards = np.split(x, cuts), np.split(dy, cuts)
FEATURES = x.shape[1]

totals = all_reduce([
    np.concatenate([[len(s)], s.sum(axis=0), (s**2).sum(axis=0)]) for s in shards
])  # fmt: skip
n, mean = totals[0], totals[1 : 1 + FEATURES] / totals[0]
variance = totals[1 + FEATURES :] / n - mean**2
_, merged_mean, squares = reduce(merge, map(moments, shards))
pooled_error = max(np.abs(mean - x.mean(axis=0)).max(), np.abs(variance - x.var(axis=0)).max())
merged_error = np.abs(squares / n - x.var(axis=0)).max()
assert pooled_error < 1e-12 and merged_error < 1e-12
