"""One step, compared on one worker and on eight, tells the bugs of data parallelism apart.

From the same weights and the same 256 rows the exchanged gradient must be the same up to
rounding, and the workers must agree after the step. Each bug breaks this in its own way,
whatever the data: over all draws of rows and weights.
"""

import numpy as np

SEED = 0  # parameter: 0 to 1_000_000_000
WORKERS, LOCAL, LAST, WIDTH, RATE, DRAWS = 8, 32, 4, 16, 0.1, 200


def initial_weights(seed):
    """A network's start: the workers must draw the same one, or be sent the first's."""
    start = np.random.default_rng(SEED + seed)
    return start.normal(size=(10, WIDTH)) / 2, start.normal(size=WIDTH) / 4


def gradient(weights, data, rows, batch_norm=False, dtype=np.float64):
    """The gradient of the mean squared error over some rows, as one flat vector."""
    arrays = *weights, *(array[rows] for array in data)
    inside, outside, inputs, target = (array.astype(dtype) for array in arrays)
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


def compare(data, batch, shards, mixing, seeds, dtype=np.float64, **options):
    """What worker 0's step is beside one worker's, and how far apart all are after it.

    Row i of the matrix mixing says how worker i combines everybody's gradients.
    """
    starts = [initial_weights(seed) for seed in seeds]
    pairs = zip(starts, shards)
    local = np.array([gradient(w, data, rows, dtype=dtype, **options) for w, rows in pairs])
    steps = mixing.astype(dtype) @ local
    whole = gradient(starts[0], data, batch, **options)
    weights = np.array([np.append(*map(np.ravel, start)) for start in starts])
    size = np.linalg.norm(whole)
    return {
        "ratio": np.linalg.norm(steps[0]) / size,
        "error": np.linalg.norm(steps[0] - whole) / size,
        "apart": np.ptp(weights - RATE * steps, axis=0).max(),
        "rows": len(np.unique(np.concatenate([s for s, m in zip(shards, mixing[0]) if m]))),
    }


def every_bug(seed):
    """Compare the step with and without each bug, on one draw of rows and weights."""
    rng = np.random.default_rng(SEED + seed)
    x = rng.normal(size=(1024, 10))
    data = x, np.sin(2 * x[:, 0]) + x[:, 1]
    batch = rng.permutation(len(x))[: WORKERS * LOCAL]
    even = np.split(batch, WORKERS)
    alone = [rng.permutation(batch)[k * LOCAL :][:LOCAL] for k in range(WORKERS)]
    short = batch[: (WORKERS - 1) * LOCAL + LAST]  # what is left at the end of an epoch
    uneven = np.split(short, range(LOCAL, len(short), LOCAL))
    same, others = (seed,) * WORKERS, tuple(range(seed, seed + WORKERS))
    ones = np.ones((WORKERS, WORKERS))
    mean, by_rows = ones / WORKERS, ones * [len(rows) / len(short) for rows in uneven]
    return {
        "averaged": compare(data, batch, even, mean, same),
        "averaged_float32": compare(data, batch, even, mean, same, dtype=np.float32),
        "summed": compare(data, batch, even, ones, same),
        "never_exchanged": compare(data, batch, even, np.eye(WORKERS), same),
        "same_rows_everywhere": compare(data, batch, even[:1] * WORKERS, mean, same),
        "own_shuffles": compare(data, batch, alone, mean, same),
        "start_not_broadcast": compare(data, batch, even, mean, others),
        "short_shard_averaged": compare(data, short, uneven, mean, same),
        "short_shard_by_rows": compare(data, short, uneven, by_rows, same),
        "local_batch_norm": compare(data, batch, even, mean, same, batch_norm=True),
    }


draws = [every_bug(seed) for seed in range(DRAWS)]
seen = {
    name: {what: np.array([draw[name][what] for draw in draws]) for what in draws[0][name]}
    for name in draws[0]
}
print(f"the median of {DRAWS} draws")
print(f"{'':22}{'size':>7}{'error':>9}{'workers apart':>15}{'rows':>6}")
for name, found in seen.items():
    size, error, apart, rows = (np.median(values) for values in found.values())
    print(f"{name:22}{size:7.3f}{error:9.5f}{apart:15.5f}{rows:6.0f}")

right = {"averaged", "averaged_float32", "short_shard_by_rows"}  # equal up to rounding
split = {"never_exchanged", "start_not_broadcast"}
for name, found in seen.items():
    equal, together = found["error"] < 1e-5, found["apart"] < 1e-5
    assert (equal if name in right else ~equal).all(), (
        f"{name}: right and wrong steps look alike here"
    )
    assert (~together if name in split else together).all(), (
        f"{name}: whether the workers agree does not show here"
    )


def figures(name, values):
    """Print the range and the median over the draws; what is left of rounding is 0."""
    for which, value in zip(("p5", "median", "p95"), np.quantile(values, (0.05, 0.5, 0.95))):
        print(f"{name}_{which}: {value.round(5):.3g}")


print()
for name, found in seen.items():
    figures(f"step_error_{name}", found["error"])
figures("step_size_summed", seen["summed"]["ratio"])
figures("rows_seen_own_shuffles", seen["own_shuffles"]["rows"])
figures("workers_apart_start_not_broadcast", seen["start_not_broadcast"]["apart"])
