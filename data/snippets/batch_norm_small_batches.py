"""With two rows a worker's own batch norm leaves only signs; with many the gap fades.

What decides whether to synchronise is the rows a worker holds. Pooling sends the same few
numbers for any number of rows. The rows are independent draws of one normal distribution.
"""

import numpy as np

SEED = 0  # parameter: 0 to 1_000_000_000
WORKERS, WIDTH, RUNS, EPS = 8, 64, 200, 1e-5
ROWS = (2, 4, 8, 16, 32, 64, 128)
WIDER = 4  # how many times as wide the second layer is
assert WORKERS > 1 and min(ROWS) > 1, "several workers, with several rows each"
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


def near_one(x):
    """The share of values that are +1 or -1 within 0.01."""
    return np.mean(np.abs(np.abs(x) - 1) < 0.01)


def compare(x):
    """A worker's own norm against the pooled one, in one batch (worker, row, feature)."""
    own, whole, std = standardise(x, axis=1), pooled(x), x.std(axis=1)
    assert np.allclose(whole, standardise(x, axis=(0, 1))), "pooled is as on one device"
    return {
        "own_std_spread": std.std() / std.mean(),
        "output_difference": np.sqrt(np.mean((own - whole) ** 2)),
        "share_of_signs_own": near_one(own),
        "share_of_signs_pooled": near_one(whole),
    }


def tell(name, values):
    """Print the 5th percentile, the median and the 95th of all runs."""
    for place, value in zip(("p5", "median", "p95"), np.quantile(values, (0.05, 0.5, 0.95))):
        print(f"{name}_{place}: {value:.3g}")


figures, sent = {}, {}
print(f"{WORKERS} workers; a worker's own batch norm against the pooled one (median)")
print(f"{'rows each':>9}{'own std varies':>16}{'outputs differ':>16}{'numbers sent':>14}")
for rows in ROWS:
    rngs = [np.random.default_rng(SEED + seed) for seed in range(RUNS)]
    count["sent"] = 0
    runs = [compare(rng.normal(size=(WORKERS, rows, WIDTH))) for rng in rngs]
    sent[rows] = count["sent"] // RUNS
    figures[rows] = {name: [run[name] for run in runs] for name in runs[0]}
    spread, differ = (np.median(figures[rows][k]) for k in ("own_std_spread", "output_difference"))
    bar = "█" * round(16 * differ)
    print(f"{rows:9}{spread:16.3f}{differ:16.3f}{sent[rows]:14}  {bar}")

print()
print(f"one layer, {ROWS[-1]} rows a worker: work of its product against the pooling")
work = []
for width in (WIDTH, WIDER * WIDTH):
    count.update(sent=0, multiply_adds=0)
    rng = np.random.default_rng(SEED + RUNS)
    layer = rng.normal(size=(width, width)) / np.sqrt(width)
    pooled(multiply(rng.normal(size=(WORKERS, ROWS[-1], width)), layer))
    work.append(count["multiply_adds"] / WORKERS / count["sent"])
    print(f"width {width:4}: {work[-1]:7.1f} multiply-adds for a number sent")

print(f"\n{RUNS} runs each")
for name in ("share_of_signs_own", "share_of_signs_pooled"):
    tell(f"{name}_at_{ROWS[0]}_rows", figures[ROWS[0]][name])
for rows in (2, 32):
    if rows in figures:
        for name in ("own_std_spread", "output_difference"):
            tell(f"{name}_at_{rows}_rows", figures[rows][name])
for rows in (ROWS[0], ROWS[-1]):
    print(f"numbers_sent_at_{rows}_rows: {sent[rows]}")
print(f"work_for_a_number_sent_wider_over_narrower: {work[1] / work[0]:.3g}")

print("\nchart: how far a worker's own batch norm is from the pooled one")
print("  rows a worker (log):", *figures)
for key, name in (("output_difference", "outputs"), ("own_std_spread", "standard deviations")):
    print(f"  {name}:", *(f"{np.median(found[key]):.3f}" for found in figures.values()))
print("  fa: فاصلهٔ نرمال‌سازی محلی هر کارگر از نرمال‌سازی مشترک")
print("  fa: سطر در هر کارگر; خروجی‌ها; انحراف‌های معیار")
