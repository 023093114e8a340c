"""One step, compared on one worker and on eight, tells the bugs of data parallelism apart.

From the same weights and the same 256 rows the exchanged gradient must be the same up to
rounding, and the workers must agree after the step. Each bug breaks this in its own way.
"""

import numpy as np

WORKERS, LOCAL, WIDTH, RATE = 8, 32, 16, 0.1
rng = np.random.default_rng(8)
x = rng.normal(size=(1024, 10))
y = np.sin(2 * x[:, 0]) + x[:, 1]


def initial_weights(seed):
    """A network's start: the workers must draw the same one, or be sent the first's."""
    start = np.random.default_rng(seed)
    return start.normal(size=(10, WIDTH)) / 2, start.normal(size=WIDTH) / 4


def gradient(weights, rows, batch_norm=False, dtype=np.float64):
    """The gradient of the mean squared error over some rows, as one flat vector."""
    inside, outside, inputs, target = (a.astype(dtype) for a in (*weights, x[rows], y[rows]))
    hidden, deviation = inputs @ inside, 1
    if batch_norm:
        deviation = np.sqrt(hidden.var(axis=0) + 1e-5)
        hidden = (hidden - hidden.mean(axis=0)) / deviation
    active = np.tanh(hidden)
    error = 2 * (active @ outside - target) / len(rows)
    back = np.outer(error, outside) * (1 - active**2)
    if batch_norm:  # less what moves the mean and the variance of these rows
        back -= back.mean(axis=0) + hidden * (back * hidden).mean(axis=0)
    return np.append(inputs.T @ (back / deviation), active.T @ error)


def compare(batch, shards, mixing, seeds=(1,) * WORKERS, dtype=np.float64, **options):
    """What worker 0's step is beside one worker's, and how far apart all are after it.

    Row i of the matrix mixing says how worker i combines everybody's gradients.
    """
    starts = [initial_weights(seed) for seed in seeds]
    pairs = zip(starts, shards)
    local = np.array([gradient(*pair, dtype=dtype, **options) for pair in pairs])
    steps = mixing.astype(dtype) @ local
    whole = gradient(starts[0], batch, **options)
    weights = np.array([np.append(*map(np.ravel, start)) for start in starts])
    size = np.linalg.norm(whole)
    return {
        "ratio": np.linalg.norm(steps[0]) / size,
        "error": np.linalg.norm(steps[0] - whole) / size,
        "apart": np.ptp(weights - RATE * steps, axis=0).max(),
        "rows": len(np.unique(np.concatenate([s for s, m in zip(shards, mixing[0]) if m]))),
    }


batch = rng.permutation(len(x))[: WORKERS * LOCAL]
even = np.split(batch, WORKERS)
short = batch[: 7 * LOCAL + 4]  # what is left at the end of an epoch
uneven = [*np.split(short[:-4], 7), short[-4:]]
ones, alone = np.ones((WORKERS, WORKERS)), np.eye(WORKERS)
mean, by_rows = ones / WORKERS, ones * [len(rows) / len(short) for rows in uneven]

found = {
    "averaged": compare(batch, even, mean),
    "averaged_float32": compare(batch, even, mean, dtype=np.float32),
    "summed": compare(batch, even, ones),
    "never_exchanged": compare(batch, even, alone),
    "same_rows_everywhere": compare(batch, even[:1] * WORKERS, mean),
    "start_not_broadcast": compare(batch, even, mean, seeds=range(1, WORKERS + 1)),
    "short_shard_averaged": compare(short, uneven, mean),
    "short_shard_by_rows": compare(short, uneven, by_rows),
    "local_batch_norm": compare(batch, even, mean, batch_norm=True),
}
print(f"{'':22}{'size':>7}{'error':>9}{'workers apart':>15}{'rows':>6}")
for name, seen in found.items():
    print(f"{name:22}{seen['ratio']:7.3f}{seen['error']:9.5f}{seen['apart']:15.5f}{seen['rows']:6}")

right = {"averaged", "averaged_float32", "short_shard_by_rows"}  # equal up to rounding
assert found["averaged"]["error"] < 1e-12 < found["averaged_float32"]["error"]
assert all((seen["error"] < 1e-5) == (name in right) for name, seen in found.items())
split = {"never_exchanged", "start_not_broadcast"}
assert all((seen["apart"] > 1e-5) == (name in split) for name, seen in found.items())

print()
for name, seen in found.items():
    print(f"step_error_{name}: {seen['error'].round(5):.3g}")
print(f"step_size_summed: {found['summed']['ratio']:.6g}")
print(f"rows_seen_averaged: {found['averaged']['rows']}")
print(f"rows_seen_same_rows_everywhere: {found['same_rows_everywhere']['rows']}")
print(f"workers_apart_averaged: {found['averaged']['apart']:.3g}")
print(f"workers_apart_start_not_broadcast: {found['start_not_broadcast']['apart']:.3g}")
