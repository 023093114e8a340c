"""Replicas exchange gradients, not weight updates: to Adam the average of updates is another step.

Four replicas train on their quarters of each batch. Compared with one device on all of it: they
average gradients, average updates, go by gradients of earlier weights, or exchange nothing.
"""

import numpy as np

REPLICAS, BATCH, WIDTH, STEPS = 4, 64, 10, 200
rng = np.random.default_rng(17)
x = rng.normal(size=(4096, WIDTH)) * np.geomspace(1, 0.2, WIDTH)
y = x @ rng.normal(size=WIDTH) + rng.normal(size=len(x))


class Sgd:
    """Gradient descent: the update is linear in the gradient."""

    def update(self, grad):
        return -0.05 * grad


class Adam:
    """Adam divides by the root of the mean square: the update is not linear in the gradient."""

    def __init__(self):
        self.steps, self.mean, self.square = 0, 0.0, 0.0

    def update(self, grad):
        self.steps += 1
        self.mean = 0.9 * self.mean + 0.1 * grad
        self.square = 0.99 * self.square + 0.01 * grad**2
        mean = self.mean / (1 - 0.9**self.steps)
        return -0.02 * mean / (np.sqrt(self.square / (1 - 0.99**self.steps)) + 1e-8)


def train(kind, exchange, replicas=REPLICAS, delay=0):
    """Return the weights of all replicas after the last step."""
    w = np.zeros((replicas, WIDTH))
    optimizers = [kind() for _ in range(replicas)]
    past, order = [], np.random.default_rng(18)
    for _ in range(STEPS):
        rows = order.integers(len(x), size=(replicas, BATCH // replicas))  # the same 64 for all
        past = [*past[-delay:], w] if delay else [w]
        seen = past[0]  # the weights that the gradients are of
        error = np.einsum("rbw,rw->rb", x[rows], seen) - y[rows]
        grads = np.einsum("rbw,rb->rw", x[rows], error) / rows.shape[1]
        if exchange == "gradients":
            grads = np.broadcast_to(grads.mean(axis=0), grads.shape)
        updates = np.array([o.update(grad) for o, grad in zip(optimizers, grads)])
        if exchange == "updates":
            updates = np.broadcast_to(updates.mean(axis=0), updates.shape)
        w = w + updates
    return w


ways = {
    "gradients": ("gradients", 0),
    "updates": ("updates", 0),
    "stale_gradients": ("gradients", 8),
    "nothing": ("nothing", 0),
}
print("distance from one device with the whole batch, and between the replicas")
print(f"{'exchanged':17}{'SGD':>8}{'Adam':>8}{'SGD':>10}{'Adam':>8}")
apart, spread = {}, {}
for name, (exchange, delay) in ways.items():
    for kind in (Sgd, Adam):
        one = train(kind, "gradients", replicas=1)[0]
        many = train(kind, exchange, delay=delay)
        key = name, kind.__name__.lower()
        apart[key] = round(np.linalg.norm(many - one, axis=1).max() / np.linalg.norm(one), 9)
        spread[key] = round(np.ptp(many, axis=0).max(), 9)
    row = [found[name, kind] for found in (apart, spread) for kind in ("sgd", "adam")]
    print("{:17}{:8.4f}{:8.4f}{:10.4f}{:8.4f}".format(name, *row))
assert apart["gradients", "adam"] == apart["gradients", "sgd"] == apart["updates", "sgd"] == 0
assert not any(spread[key] for key in spread if key[0] != "nothing")

print()
for (name, kind), distance in apart.items():
    print(f"{kind}_distance_{name}: {distance:.3g}")
print(f"sgd_spread_nothing: {spread['nothing', 'sgd']:.3g}")
