"""With two rows a worker's own batch norm leaves only signs; with many the gap fades.

What decides whether to synchronise is the rows a worker holds. Pooling sends the same
few numbers for any number of rows; group norm needs no other row at all.
"""

import numpy as np

WORKERS, WIDTH, GROUPS, TRIALS, EPS = 8, 64, 8, 20, 1e-5
count = {"sent": 0, "multiply_adds": 0}


def multiply(left, right):
    """left @ right for every worker, counting a multiply-add for each pair of factors."""
    count["multiply_adds"] += left.size * right.shape[-1]
    return left @ right


def standardise(x, axis):
    centred = x - x.mean(axis, keepdims=True)
    return centred / np.sqrt((centred**2).mean(axis, keepdims=True) + EPS)


def all_reduce(parts):
    """Sum over the first axis, the workers; counts the numbers that each worker sends."""
    count["sent"] += parts[0].size
    return parts.sum(axis=0)


def pooled(x):
    """Batch norm over the rows of all workers (worker, row, feature), by two exchanges."""
    rows = np.full((len(x), 1), x.shape[1])
    n, total = np.split(all_reduce(np.hstack([rows, x.sum(axis=1)])), [1])
    centred = x - total / n
    return centred / np.sqrt(all_reduce((centred**2).sum(axis=1)) / n + EPS)


def group_norm(x):
    """Normalise each row over groups of its own features."""
    return standardise(x.reshape(*x.shape[:-1], GROUPS, -1), -1).reshape(x.shape)


def rms(a):
    return np.sqrt(np.mean(np.square(a)))


rng = np.random.default_rng(12)
spread, differ, group, sent = {}, {}, {}, {}
print(f"{WORKERS} workers; how far a worker's own batch norm is from the pooled one")
print(f"{'rows each':>9}{'own std varies':>16}{'outputs differ':>16}{'numbers sent':>14}")
for rows in (2, 4, 8, 16, 32, 64, 128):
    x = rng.normal(size=(TRIALS, WORKERS, rows, WIDTH))
    own = standardise(x, axis=-2)
    count["sent"] = 0
    whole = np.stack([pooled(batch) for batch in x])
    assert np.allclose(whole, standardise(x, axis=(1, 2)))
    std = x.std(axis=-2)
    spread[rows], differ[rows] = std.std() / std.mean(), rms(own - whole)
    sent[rows] = count["sent"] // TRIALS
    moved = group_norm(x.reshape(TRIALS, 1, -1, WIDTH)).reshape(x.shape)  # all on one worker
    group[rows] = np.abs(group_norm(x) - moved).max()
    bar = "█" * round(16 * differ[rows])
    print(f"{rows:9}{spread[rows]:16.3f}{differ[rows]:16.3f}{sent[rows]:14}  {bar}")
    if rows == 2:  # (x - mean) / std of two numbers is +1 and -1, whatever they are
        signs = np.mean(np.abs(np.abs(own) - 1) < 0.01)
        values = np.mean(np.abs(np.abs(whole) - 1) < 0.01)
        assert signs > 0.9 > values
assert sent[2] == sent[128] and np.isclose(differ[32] / differ[128], 2, rtol=0.1)

print()
print("one layer, 32 rows a worker: work of its product against the pooling")
work = {}
for width in (64, 256):
    count.update(sent=0, multiply_adds=0)
    layer = rng.normal(size=(width, width)) / np.sqrt(width)
    pooled(multiply(rng.normal(size=(WORKERS, 32, width)), layer))
    work[width] = count["multiply_adds"] / WORKERS / count["sent"]
    print(f"width {width:4}: {work[width]:7.1f} multiply-adds for a number sent")

print()
print(f"share_of_signs_at_2_rows: {signs:.2g}")
print(f"share_of_signs_pooled: {values:.2g}")
for rows in (2, 8, 32, 128):
    print(f"own_std_spread_at_{rows}_rows: {spread[rows]:.3g}")
    print(f"output_difference_at_{rows}_rows: {differ[rows]:.3g}")
print(f"numbers_sent_at_2_rows: {sent[2]}")
print(f"numbers_sent_at_128_rows: {sent[128]}")
print(f"work_for_a_number_sent_wider_over_narrower: {work[256] / work[64]:.3g}")
print(f"group_norm_difference: {round(max(group.values()), 9):g}")
