"""A slow network only delays synchronous training; rarer or stale exchange changes its result.

Eight workers average round a ring whose messages take time on a simulated clock. Then they
do so every 64 steps only (local SGD), or go by gradients of weights from steps ago.
"""

import numpy as np

WORKERS, LOCAL, FEATURES, STEPS, RATE = 8, 16, 24, 256, 0.1
rng = np.random.default_rng(8)
x = rng.normal(size=(8192, FEATURES))
y = np.sin(2 * x[:, 0]) + x @ rng.normal(size=FEATURES)
best_loss = np.linalg.lstsq(x, y)[1].item() / len(x) / 2
shuffled = rng.permutation(len(x)).reshape(WORKERS, -1)
by_range = np.argsort(x[:, 0]).reshape(WORKERS, -1)  # each worker knows a range of its own
picks = rng.integers(shuffled.shape[1], size=(STEPS, WORKERS, LOCAL))


def all_reduce(parts, delays, clock):
    """Every worker's copy of the sum, the numbers each has sent, and when each is done."""
    here, sent = np.arange(WORKERS), 0
    pieces, left, right = parts.reshape(WORKERS, WORKERS, -1).copy(), here - 1, here + 1 - WORKERS
    # Indices from the end wrap round by themselves, so everybody has two neighbours.
    for turn in range(2 * WORKERS - 2):  # once round to add up, once to hand the sums out
        which = (here - turn) % WORKERS
        message = pieces[here, which]
        pieces[right, which] = message + (turn < WORKERS - 1) * pieces[right, which]
        clock = np.maximum(clock, (clock + delays[turn])[left])
        sent += message.shape[1]
    return pieces.reshape(WORKERS, -1), sent, clock


def gradients(weights, rows):
    """Each worker's gradient of the mean of half the squared error over its rows."""
    errors = np.einsum("wrf,wf->wr", x[rows], weights) - y[rows]
    return np.einsum("wrf,wr->wf", x[rows], errors) / rows.shape[1]


def train(shards, every=1, stale=0, slowness=1.0):
    """Return one worker's weights, the numbers each has sent, and the clock at the end.

    For plain SGD, averaging the weights after every step is averaging the gradients.
    """
    network = np.random.default_rng(9)
    weights, clock, total = np.zeros((WORKERS, FEATURES)), np.zeros(WORKERS), 0
    past = [weights] * (stale + 1)
    for step, pick in enumerate(picks, start=1):
        rows = np.take_along_axis(shards, pick, axis=1)
        weights = weights - RATE * gradients(past[0], rows)
        clock = clock + 1  # a step of computing
        if step % every == 0:
            delays = slowness * network.exponential(size=(2 * WORKERS - 2, WORKERS))
            sums, sent, clock = all_reduce(weights, delays, clock)
            weights, total = sums / WORKERS, total + sent
        past = [*past[1:], weights]
    return weights[0], total, clock.max()


def excess(weights):
    """How far the loss over all rows is above the best possible."""
    return ((x @ weights - y) ** 2).mean() / 2 - best_loss


summed = all_reduce(x[:WORKERS], np.ones((14, WORKERS)), np.zeros(WORKERS))[0]
assert np.allclose(summed, x[:WORKERS].sum(axis=0))  # all eight have the sum

one = np.zeros((1, FEATURES))  # one worker with all the rows of each step
for pick in picks:
    one -= RATE * gradients(one, np.take_along_axis(shuffled, pick, axis=1).reshape(1, -1))

runs = {
    "synchronous": train(shuffled),
    "slow_network": train(shuffled, slowness=100),
    "local_shuffled": train(shuffled, every=64),
    "local_by_range": train(by_range, every=64),
    "synchronous_by_range": train(by_range),
    "stale_8": train(shuffled, stale=8),
    "stale_16": train(shuffled, stale=16),
}
print(f"{'':21}{'excess loss':>12}{'numbers sent':>14}{'clock':>9}")
print(f"{'one worker':21}{excess(one[0]):12.4f}")
for name, (weights, sent, clock) in runs.items():
    print(f"{name:21}{excess(weights):12.4f}{sent:14}{clock:9.0f}")

weights, sent, clock = runs["synchronous"]
slow_weights, slow_sent, slow_clock = runs["slow_network"]
slow_change, one_change = np.abs(slow_weights - weights).max(), np.abs(one - weights).max()
assert slow_change < 1e-12 and one_change < 1e-12 and slow_clock > 50 * clock
losses = {name: excess(run[0]) for name, run in runs.items()}
assert losses["local_shuffled"] < 2 * losses["synchronous"]  # alike rows: rarer does no harm
assert losses["local_by_range"] > 10 * losses["synchronous_by_range"]
assert losses["stale_16"] > 1 > losses["stale_8"] > 2 * losses["synchronous"]

print()
print(f"slow_network_clock_ratio: {slow_clock / clock:.3g}")
print(f"one_worker_weight_change: {one_change.round(12):g}")
for name, loss in losses.items():
    print(f"excess_loss_{name}: {loss:.3g}")
print(f"sent_ratio_local: {sent / runs['local_shuffled'][1]:.6g}")
