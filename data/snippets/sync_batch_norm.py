"""Batch norm over several workers pools counts, sums and squares, not variances.

Forward takes one exchange and backward another; both are sums over the workers. The average of
local variances misses what sets the workers' means apart: much where each worker has its own
kind of data (CENTRES were chosen far apart), some where the rows are shuffled.
"""

from functools import reduce

import numpy as np

SEED = 0  # parameter: 0 to 1_000_000_000
EPS = 1e-5
FEATURES = 3
COUNTS = np.array([4, 12, 16, 32])  # rows of each worker
CENTRES = np.linspace(-1, 2, len(COUNTS))  # of each worker's data
SHARE = 4  # rows of each worker when they are shuffled
SEEDS = 200
assert min(COUNTS) > 0 and SHARE < sum(COUNTS), (
    "a row for each worker, and fewer in a share than in all"
)
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


def pooled(shards):
    """Count, mean and variance of all rows, from one exchange."""
    # The count is the same for all features: 1 number, and 2 of each feature.
    packed = all_reduce([np.hstack([len(s), s.sum(axis=0), (s**2).sum(axis=0)]) for s in shards])
    n, total, squares = packed[0], *np.split(packed[1:], 2)
    return n, total / n, squares / n - (total / n) ** 2


def averaged_variance(shards):
    """The mean of the local variances, weighted by the rows, from one exchange."""
    packed = all_reduce([len(s) * np.hstack([1, s.mean(axis=0), s.var(axis=0)]) for s in shards])
    return packed[1 + shards[0].shape[1] :] / packed[0]


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


def forward_and_backward(rng):
    """Errors of the pooled and of the unpooled ways on one batch, against all rows at once."""
    x = rng.normal(np.repeat(CENTRES, COUNTS)[:, None], size=(sum(COUNTS), FEATURES))
    dy = rng.normal(size=x.shape)
    shards, dys = (np.split(a, COUNTS.cumsum()[:-1]) for a in (x, dy))
    n, mean, variance = pooled(shards)
    within = averaged_variance(shards)
    between = COUNTS @ [(s.mean(axis=0) - mean) ** 2 for s in shards] / n
    assert np.allclose(within + between, x.var(axis=0)), "the law of total variance holds"

    y = normalise(x, mean, variance)
    whole = input_gradient(dy, y, variance, backward_sums(dy, y), n)
    nudge = 1e-5 * rng.normal(size=x.shape)  # the gradient predicts what a nudge does
    ahead, behind = (normalise(v, v.mean(axis=0), v.var(axis=0)) for v in (x + nudge, x - nudge))
    assert np.isclose((dy * (ahead - behind)).sum() / 2, (whole * nudge).sum(), 1e-4, 1e-8)
    pairs = [(d, normalise(s, mean, variance)) for d, s in zip(dys, shards)]
    sums = all_reduce([backward_sums(*pair) for pair in pairs])
    synced = [input_gradient(*pair, variance, sums, n) for pair in pairs]
    alone = [input_gradient(*p, variance, backward_sums(*p), len(p[0])) for p in pairs]

    mixed = rng.permutation(x)
    shuffled = averaged_variance(np.array_split(mixed, len(x) // SHARE))
    return {
        "pooled_error": relative_error([mean, variance], [x.mean(axis=0), x.var(axis=0)]),
        "averaged_over_true_sorted": (within / variance)[0],
        "averaged_over_true_shuffled": (shuffled / variance)[0],
        "gradient_error_synced": relative_error(np.concatenate(synced), whole),
        "gradient_error_unsynced": relative_error(np.concatenate(alone), whole),
    }


def float32_errors(rng, offset):
    """Relative errors of two ways to pool a float32 variance: squares, merged deviations."""
    parts = (offset + rng.normal(size=(8, 512))).astype(np.float32)
    truth = parts.var(dtype=np.float64)
    square = (parts**2).sum(axis=1).sum() / parts.size - (parts.sum() / parts.size) ** 2
    chan = reduce(merge, map(moments, parts))[2] / parts.size
    return abs(square / truth - 1), abs(chan / truth - 1)


def tell(name, values):
    """Print the 5th percentile, the median and the 95th of all runs."""
    for place, value in zip(("p5", "median", "p95"), np.quantile(values, (0.05, 0.5, 0.95))):
        print(f"{name}_{place}: {value:.3g}")


runs = [forward_and_backward(np.random.default_rng(SEED + seed)) for seed in range(SEEDS)]
result = {name: [run[name] for run in runs] for name in runs[0]}
messages = dict(zip(("forward", "when_variances_are_averaged", "backward"), sent))
pair = [np.zeros((2, 1)), np.full((2, 1), 2.0)]  # one worker has 0, 0 and the other 2, 2

print("relative error of a float32 variance, 8 workers of 512 rows (median)")
print(f"{'mean':>8}{'sums of squares':>18}{'merged deviations':>20}")
for offset in (0, 100, 10_000):
    errors = [float32_errors(np.random.default_rng(SEED + seed), offset) for seed in range(SEEDS)]
    square, merged = np.transpose(errors)
    print(f"{offset:8}{np.median(square):18.1e}{np.median(merged):20.1e}")
assert max(merged) < 1e-4 < min(square), "squares cancel, deviations do not"

print(f"\n{SEEDS} runs each")
print(f"two_workers_whole_variance: {pooled(pair)[2][0]:g}")
print(f"two_workers_averaged_variance: {averaged_variance(pair)[0]:g}")
for name in ("pooled_error", "gradient_error_synced"):
    print(f"{name}: {round(max(result[name]), 9):g}")
for name in ("averaged_over_true_sorted", "averaged_over_true_shuffled"):
    tell(name, result[name])
tell("gradient_error_unsynced", result["gradient_error_unsynced"])
tell("float32_error_of_sums_of_squares", square)
tell("float32_error_of_merged", merged)
print(f"features: {FEATURES}")
for name, size in messages.items():
    print(f"numbers_sent_{name}: {size}")
