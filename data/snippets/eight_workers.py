"""Eight workers match one only if averaging, learning rate and statistics agree.

Linear regression, whose best loss is known: what counts is the excess above it, over 21
draws of data and order. Everybody sees every row twice, so eight workers make an eighth of
the updates; at this rate, chosen for it, those are too few at the unchanged rate.
"""

import numpy as np

SEED = 0  # parameter: 0 to 1_000_000_000
WORKERS, LOCAL, EPOCHS, RATE, DRAWS = 8, 32, 2, 0.04, 200
ROWS, FEATURES = 4096, 20
RUNS = {
    "one_worker": (1, np.mean, RATE),
    "same_rate": (WORKERS, np.mean, RATE),
    "scaled_rate": (WORKERS, np.mean, WORKERS * RATE, 8),
    "summed": (WORKERS, np.sum, RATE),  # a scaled rate by accident
    "summed_and_scaled": (WORKERS, np.sum, WORKERS * RATE, 8),  # scaled twice
}


def gradients(w, x, y):
    """Each worker's gradient of the mean of half the squared error over its rows."""
    errors = x @ w - y
    return (errors[:, None, :] @ x)[:, 0] / y.shape[1]


def train(x, y, order, workers, combine, rate, warm_up=1):
    """Return the weights after the last update, and the number of updates."""
    w = np.zeros(FEATURES)
    steps = np.concatenate([rows.reshape(-1, workers, LOCAL) for rows in order])
    for step, shards in enumerate(steps, start=1):
        w -= rate * min(1, step / warm_up) * combine(gradients(w, x[shards], y[shards]), axis=0)
    return w, len(steps)


def local_statistics(x, rows):
    """The error of the mean, and the average variance, of batch norm with a few rows."""
    parts = x.reshape(-1, rows, FEATURES)
    return parts.mean(axis=1).std(), parts.var(axis=1).mean()


excess, updates = {name: [] for name in RUNS}, {}
apart, longer, local = [], [], {4: [], 32: [], 256: []}
for draw in range(DRAWS):
    rng = np.random.default_rng(SEED + draw)
    x = rng.normal(size=(ROWS, FEATURES))
    y = x @ rng.normal(size=FEATURES) + 0.1 * rng.normal(size=ROWS)
    best_loss = np.linalg.lstsq(x, y)[1].item() / ROWS / 2

    shards = np.arange(WORKERS * LOCAL).reshape(WORKERS, LOCAL)
    each = gradients(np.zeros(FEATURES), x[shards], y[shards])
    whole = gradients(
        np.zeros(FEATURES), x[shards].reshape(1, -1, FEATURES), y[shards].reshape(1, -1)
    )
    apart.append(np.abs(each.mean(axis=0) - whole).max())
    longer.append(np.linalg.norm(each.sum(axis=0)) / np.linalg.norm(whole))

    order = [rng.permutation(ROWS) for _ in range(EPOCHS)]
    for name, run in RUNS.items():
        w, updates[name] = train(x, y, order, *run)
        excess[name].append(((x @ w - y) ** 2).mean() / 2 - best_loss)
    for rows, found in local.items():
        found.append(local_statistics(x, rows))
assert max(apart) < 1e-12, "the mean of the workers' gradients is that of the whole batch"

print(f"the median of {DRAWS} draws")
print(f"{'':19}{'workers':>8}{'gradients':>11}{'rate':>7}{'updates':>9}{'excess loss':>13}")
for name, (workers, combine, rate, *_) in RUNS.items():
    print(f"{name:19}{workers:8}{combine.__name__:>11}{rate:7.2f}", end="")
    print(f"{updates[name]:9}{np.median(excess[name]):13.1e}")
print("\nbatch norm's own statistics of a feature with mean 0 and variance 1")
print(f"{'rows a worker':>15}{'error of the mean':>19}{'average variance':>18}")
for rows, found in local.items():
    print(f"{rows:15}{np.median(found, axis=0)[0]:19.3f}{np.median(found, axis=0)[1]:18.3f}")
medians = {name: np.median(losses) for name, losses in excess.items()}
assert medians["same_rate"] > medians["one_worker"], "fewer updates should leave more loss"
assert medians["scaled_rate"] < medians["same_rate"], "the scaled rate should make up for it"

print()
print(f"sum_over_big_batch: {np.median(longer):.6g}")
ranges = {f"excess_loss_{name}": losses for name, losses in excess.items()}
ranges["local_mean_error_4_rows"], ranges["local_variance_4_rows"] = zip(*local[4])
for name, values in ranges.items():
    for which, value in zip(("p5", "median", "p95"), np.quantile(values, (0.05, 0.5, 0.95))):
        print(f"{name}_{which}: {value:.3g}")

print("\nchart: excess loss of one worker, and of eight")
print("  run: one worker, eight at its rate, eight at 8 times the rate,")
print("  run: sum for mean, sum and 8 times the rate")
print("  excess loss (log):", *(f"{median:.2g}" for median in medians.values()))
print("  fa: زیان مازاد یک کارگر و هشت کارگر; اجرا")
print("  fa: یک کارگر; هشت کارگر با همان نرخ; هشت کارگر با نرخ ۸ برابر")
print("  fa: جمع به جای میانگین; جمع با نرخ ۸ برابر; زیان مازاد")
