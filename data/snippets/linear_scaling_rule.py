"""With eight times the batch, the same rate underfits; eight times the rate makes up for it.

A small network, trained for eight epochs whatever the batch. Where the scaled rate is too
high for untrained weights a warm-up saves it, and beyond some batch the rule falls short.
"""

import numpy as np

EPOCHS, BATCH, RATE, WIDTH = 8, 32, 0.05, 32
rng = np.random.default_rng(1)
inner, outer = rng.normal(size=(16, 4)) / 2, 2 * rng.normal(size=4)


def examples(n):
    """Inputs and noisy labels 0 or 1, which no model can predict without error."""
    x = rng.normal(size=(n, 16))
    return x, (np.tanh(x @ inner) @ outer + 0.5 * rng.normal(size=n) > 0).astype(float)


def forward(weights, x):
    """Return both hidden layers and the logit of label 1."""
    first = np.maximum(x @ weights[0], 0)
    second = np.maximum(first @ weights[1], 0)
    return first, second, second @ weights[2]


def loss(weights, x, y):
    """The mean cross-entropy, from logits: no probability is ever rounded to 0."""
    logit = forward(weights, x)[2]
    return (np.logaddexp(0, logit) - y * logit).mean()


def gradients(weights, x, y):
    """The gradients of the mean loss for the three layers' weights."""
    first, second, logit = forward(weights, x)
    error = (0.5 * (1 + np.tanh(logit / 2)) - y) / len(x)  # a sigmoid that cannot overflow
    to_second = np.outer(error, weights[2]) * (second > 0)
    to_first = to_second @ weights[1].T * (first > 0)
    return x.T @ to_first, first.T @ to_second, second.T @ error


def train(batch, rate, warm_up=1):
    """Return the number of updates, the training loss and the test loss after them."""
    start = np.random.default_rng(2)
    shapes = (16, WIDTH), (WIDTH, WIDTH), (WIDTH,)
    weights = [start.normal(scale=2 / np.sqrt(shape[0]), size=shape) for shape in shapes]
    orders = [start.permutation(len(x)).reshape(-1, batch) for _ in range(EPOCHS)]
    steps = np.concatenate(orders)
    for step, rows in enumerate(steps, start=1):
        now = rate * min(1, step / warm_up)
        for weight, gradient in zip(weights, gradients(weights, x[rows], y[rows])):
            weight -= now * gradient
    return len(steps), loss(weights, x, y), loss(weights, *test)


(x, y), test = examples(8192), examples(8192)
runs = {
    "small_batch": (BATCH, RATE),
    "same_rate_8x": (8 * BATCH, RATE),
    "root_rate_8x": (8 * BATCH, np.sqrt(8) * RATE),
    "scaled_rate_8x": (8 * BATCH, 8 * RATE),
    "same_rate_64x": (64 * BATCH, RATE),
    "scaled_no_warm_up_64x": (64 * BATCH, 64 * RATE),
    "scaled_warm_up_64x": (64 * BATCH, 64 * RATE, 16),
}
print(f"{'':22}{'batch':>6}{'rate':>6}{'updates':>9}{'training':>10}{'test':>7}{'gap':>7}")
training, held_out = {}, {}
for name, run in runs.items():
    updates, training[name], held_out[name] = train(*run)
    gap = held_out[name] - training[name]
    print(f"{name:22}{run[0]:6}{run[1]:6.2f}{updates:9}", end="")
    print(f"{training[name]:10.3f}{held_out[name]:7.3f}{gap:7.3f}")

# Too few, too small steps: worse on the very examples it was trained on, so no overfitting.
assert training["same_rate_8x"] > training["small_batch"] + 0.05
gaps = {name: held_out[name] - training[name] for name in runs}
assert gaps["same_rate_8x"] < gaps["small_batch"]
assert abs(held_out["scaled_rate_8x"] - held_out["small_batch"]) < 0.01
assert training["scaled_no_warm_up_64x"] > training["scaled_warm_up_64x"] + 0.1

print()
for name in runs:
    print(f"training_loss_{name}: {training[name]:.3f}")
for name in ("small_batch", "same_rate_8x", "scaled_rate_8x"):
    print(f"test_loss_{name}: {held_out[name]:.3f}")
    print(f"test_minus_training_{name}: {gaps[name]:.3f}")
