"""Eight workers match one only if averaging, learning rate and statistics agree.

Linear regression, whose best loss is known: what counts is the excess above it.
Everybody sees every row twice, so eight workers make an eighth of the updates.
"""

import numpy as np

WORKERS, LOCAL, EPOCHS, RATE = 8, 32, 2, 0.04
rng = np.random.default_rng(8)
x = rng.normal(size=(8192, 20))
y = x @ rng.normal(size=20) + 0.1 * rng.normal(size=len(x))
best_loss = np.linalg.lstsq(x, y)[1].item() / len(x) / 2


def gradient(w, rows):
    """The gradient of the mean of half the squared error over some rows."""
    return x[rows].T @ (x[rows] @ w - y[rows]) / len(rows)


def train(workers, combine, rate, warm_up=1):
    """Return the number of updates and the loss above the best one after them."""
    w, order = np.zeros(x.shape[1]), np.random.default_rng(9)
    epochs = [order.permutation(len(x)).reshape(-1, workers, LOCAL) for _ in range(EPOCHS)]
    steps = np.concatenate(epochs)
    for step, shards in enumerate(steps, start=1):
        together = combine([gradient(w, rows) for rows in shards], axis=0)
        w -= rate * min(1, step / warm_up) * together
    return len(steps), ((x @ w - y) ** 2).mean() / 2 - best_loss


shards = np.arange(WORKERS * LOCAL).reshape(WORKERS, LOCAL)
local = np.array([gradient(np.zeros(20), rows) for rows in shards])
whole = gradient(np.zeros(20), shards.ravel())
average_error = np.abs(local.mean(axis=0) - whole).max()
sum_over_whole = np.linalg.norm(local.sum(axis=0)) / np.linalg.norm(whole)
assert average_error < 1e-12

runs = {
    "one_worker": (1, np.mean, RATE),
    "same_rate": (WORKERS, np.mean, RATE),
    "scaled_rate": (WORKERS, np.mean, WORKERS * RATE, 8),
    "summed": (WORKERS, np.sum, RATE),  # a scaled rate by accident
    "summed_and_scaled": (WORKERS, np.sum, WORKERS * RATE, 8),  # scaled twice: 64 times
}
print(f"{'':19}{'workers':>8}{'gradients':>11}{'rate':>7}{'updates':>9}{'excess loss':>13}")
excess = {}
for name, run in runs.items():
    updates, excess[name] = train(*run)
    workers, combine, rate = run[:3]
    print(f"{name:19}{workers:8}{combine.__name__:>11}{rate:7.2f}", end="")
    print(f"{updates:9}{excess[name]:13.1e}")
assert excess["same_rate"] > 100 * excess["one_worker"]
assert excess["scaled_rate"] < 10 * excess["one_worker"] < 1 < excess["summed_and_scaled"]

print("\nbatch norm's own statistics of a feature with mean 0 and variance 1")
print(f"{'rows a worker':>15}{'error of the mean':>19}{'average variance':>18}")
for rows in (4, 32, 256):
    parts = x.reshape(-1, rows, x.shape[1])
    spread, variance = parts.mean(axis=1).std(), parts.var(axis=1).mean()
    print(f"{rows:15}{spread:19.3f}{variance:18.3f}")
parts = x.reshape(-1, 4, x.shape[1])

print()
print(f"average_minus_big_batch: {average_error:.1e}")
print(f"sum_over_big_batch: {sum_over_whole:.6g}")
for name, loss in excess.items():
    print(f"excess_loss_{name}: {loss:.2e}")
print(f"local_mean_error_4_rows: {parts.mean(axis=1).std():.3g}")
print(f"local_variance_4_rows: {parts.var(axis=1).mean():.3g}")
