"""Replicas exchange gradients, not weight updates: to Adam the average of updates is another step.

Four replicas train on their quarters of each batch. Compared with one device on all of it: they
average gradients, average updates, go by gradients of earlier weights, or exchange nothing.
"""

import numpy as np

SEED = 0  # parameter: 0 to 1_000_000_000
REPLICAS, BATCH, WIDTH, STEPS = 4, 64, 10, 200
EXAMPLES = 1024
RUNS = 200  # side by side, each with data and batches of its own
DELAY = 8  # parameter: 1 to 32 steps by which stale gradients are late
assert min(REPLICAS, BATCH) > 0 == BATCH % REPLICAS, "equal parts of the batch"
assert min(WIDTH, STEPS, EXAMPLES, RUNS) > 0 <= DELAY, "something to train on"

rng = np.random.default_rng(SEED + 17)
x = rng.normal(size=(RUNS, EXAMPLES, WIDTH)) * np.geomspace(1, 0.2, WIDTH)
truth = rng.normal(size=(RUNS, WIDTH, 1))
y = (x @ truth)[..., 0] + rng.normal(size=(RUNS, EXAMPLES))
batches = rng.integers(EXAMPLES, size=(STEPS, RUNS, BATCH))
batches += EXAMPLES * np.arange(RUNS)[:, None]  # as rows of the examples of all runs
x, y = x.reshape(-1, WIDTH), y.ravel()


class Sgd:
    """Gradient descent: the update is linear in the gradient."""

    def update(self, gradient):
        return -0.05 * gradient


class Adam:
    """Adam divides by the root of the mean square: the update is not linear in the gradient."""

    def __init__(self):
        self.steps, self.mean, self.square = 0, 0.0, 0.0

    def update(self, gradient):
        self.steps += 1
        self.mean = 0.9 * self.mean + 0.1 * gradient
        self.square = 0.99 * self.square + 0.01 * gradient**2
        mean = self.mean / (1 - 0.9**self.steps)
        return -0.02 * mean / (np.sqrt(self.square / (1 - 0.99**self.steps)) + 1e-8)


def shared(arrays):
    """The average over the replicas, which each of them receives."""
    return np.broadcast_to(arrays.mean(axis=1, keepdims=True), arrays.shape)


def train(kind, exchange, replicas=REPLICAS, delay=0):
    """Return the weights of all replicas after the last step, for each run."""
    w = np.zeros((RUNS, replicas, WIDTH))
    optimizer = kind()  # works on each number alone, so it keeps the replicas apart
    history = []
    for step, rows in enumerate(batches):
        history.append(w)
        seen = history[max(step - delay, 0)]  # the weights that the gradients are of
        parts = rows.reshape(RUNS, replicas, -1)  # a part for each replica
        inputs = x.take(parts, axis=0)
        error = (inputs @ seen[..., None])[..., 0] - y.take(parts)
        gradients = (error[..., None, :] @ inputs)[..., 0, :] / error.shape[-1]
        if exchange == "gradients":
            gradients = shared(gradients)
        updates = optimizer.update(gradients)
        if exchange == "updates":
            updates = shared(updates)
        w = w + updates
    return w


ways = {
    "gradients": ("gradients", 0),
    "updates": ("updates", 0),
    "stale_gradients": ("gradients", DELAY),
    "nothing": ("nothing", 0),
}
print(f"relative distance from one device with the whole batch, {RUNS} runs")
print(f"{'exchanged':17}{'':6}{'p5':>12}{'median':>12}{'p95':>12}")
ones = {kind: train(kind, "gradients", replicas=1) for kind in (Sgd, Adam)}
apart = {}
for name, (exchange, delay) in ways.items():
    for kind, one in ones.items():
        many = train(kind, exchange, delay=delay)
        distance = np.linalg.norm(many - one, axis=-1).max(axis=1)
        key = name, kind.__name__.lower()
        apart[key] = distance / np.linalg.norm(one[:, 0], axis=-1)
        places = np.quantile(apart[key], (0.05, 0.5, 0.95)).round(9)
        print(f"{name:17}{kind.__name__:6}" + "".join(f"{place:12.4f}" for place in places))

print(f"\nruns: {RUNS}")
for (name, kind), distance in apart.items():
    same = (distance < 1e-8).sum()
    print(f"{kind}_runs_equal_to_one_device_{name}: {same}")
    if same < RUNS:
        places = np.quantile(distance, (0.05, 0.5, 0.95))
        for place, value in zip(("p5", "median", "p95"), places):
            print(f"{kind}_distance_{name}_{place}: {value:.3g}")
