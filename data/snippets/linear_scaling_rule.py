"""With eight times the batch, the same rate underfits; eight times the rate makes up for it.

A small network, trained for eight epochs whatever the batch, from many random starts at once,
each on a task and data of its own. The first rate was chosen so that the small batch is well
trained in that time. At 64 times, about half of the starts end well without a warm-up, more
with one.
"""

import numpy as np

SEED = 0  # parameter: 0 to 1_000_000_000
EPOCHS, BATCH, RATE, WIDTH, ROWS = 8, 32, 0.05, 16, 4096
STARTS = 63  # 200 would take longer than the 5 s a program may
WELL = 1.5  # times the small batch's training loss, or less
assert ROWS % (64 * BATCH) == 0, "an epoch should consist of whole batches, of the largest too"
rng = np.random.default_rng(SEED + 1)
inner, outer = rng.normal(size=(STARTS, 16, 4)) / 2, 2 * rng.normal(size=(STARTS, 4, 1))


def examples():
    """Each start's inputs and noisy labels 0 or 1, which no model can predict without error."""
    x = rng.normal(size=(STARTS, ROWS, 16))
    y = (np.tanh(x @ inner) @ outer)[..., 0] + 0.5 * rng.normal(size=(STARTS, ROWS)) > 0
    return x.astype(np.float32), y.astype(np.float32)


def forward(weights, x):
    """Return both hidden layers and the logit of label 1, of every network."""
    first = np.maximum(x @ weights[0], 0)
    second = np.maximum(first @ weights[1], 0)
    return first, second, (second @ weights[2])[..., 0]


def loss(weights, x, y):
    """The mean cross-entropy of each, from logits: no probability is ever rounded to 0."""
    logit = forward(weights, x)[2]
    return (np.logaddexp(0, logit) - y * logit).mean(-1)


def gradients(weights, x, y):
    """The gradients of the mean loss for the three layers' weights."""
    first, second, logit = forward(weights, x)
    error = (0.5 * (1 + np.tanh(logit / 2)) - y)[..., None] / y.shape[-1]
    back = [np.swapaxes(each, -1, -2) for each in (x, first, second, *weights[1:])]
    to_second = error @ back[4] * (second > 0)
    to_first = to_second @ back[3] * (first > 0)
    return back[0] @ to_first, back[1] @ to_second, back[2] @ error


def train(batch, rate, warm_up=1):
    """Return the number of updates, and each network's training and test loss after them."""
    start, firsts = np.random.default_rng(SEED + 2), ROWS * np.arange(STARTS)[:, None]
    shapes = (STARTS, 16, WIDTH), (STARTS, WIDTH, WIDTH), (STARTS, WIDTH, 1)
    weights = [start.normal(scale=2 / np.sqrt(s[1]), size=s).astype(np.float32) for s in shapes]
    orders = start.permuted(np.tile(np.arange(ROWS), (EPOCHS, STARTS, 1)), axis=-1)
    all_x, all_y = x.reshape(-1, x.shape[-1]), y.ravel()
    steps = [part for order in orders + firsts for part in np.split(order, ROWS // batch, axis=-1)]
    for step, rows in enumerate(steps, start=1):
        now = rate * min(1, step / warm_up)
        for weight, gradient in zip(weights, gradients(weights, all_x[rows], all_y[rows])):
            weight -= now * gradient
    return len(steps), loss(weights, x, y), loss(weights, *test)


(x, y), test = examples(), examples()
runs = {
    "small_batch": (BATCH, RATE),
    "same_rate_8x": (8 * BATCH, RATE),
    "scaled_rate_8x": (8 * BATCH, 8 * RATE),
    "same_rate_64x": (64 * BATCH, RATE),
    "scaled_no_warm_up_64x": (64 * BATCH, 64 * RATE),
    "scaled_warm_up_64x": (64 * BATCH, 64 * RATE, 8),
}
print(f"the median of {STARTS} starts, and the range of the training loss")
print(f"{'':22}{'batch':>6}{'rate':>6}{'updates':>9}{'training':>10}{'range':>12}{'test':>7}")
training, held_out = {}, {}
for name, run in runs.items():
    updates, training[name], held_out[name] = train(*run)
    least, middle, largest = np.quantile(training[name], (0.05, 0.5, 0.95))
    print(f"{name:22}{run[0]:6}{run[1]:6.2f}{updates:9}{middle:10.3f}", end="")
    print(f"{least:6.2f}-{largest:.2f}{np.median(held_out[name]):7.3f}")
of = {name: np.median(losses) for name, losses in training.items()}
assert of["same_rate_8x"] > of["small_batch"], "an eighth of the updates should underfit"
assert of["scaled_rate_8x"] < of["same_rate_8x"], "eight times the rate should make up for it"


def figures(name, values):
    """Print the range and the median over the starts."""
    for which, value in zip(("p5", "median", "p95"), np.quantile(values, (0.05, 0.5, 0.95))):
        print(f"{name}_{which}: {value:.3f}")


print()
small = training["small_batch"]
figures("training_loss_small_batch", small)
figures("test_loss_small_batch", held_out["small_batch"])
for name in list(runs)[1:]:
    figures(f"training_loss_{name}_over_small_batch", training[name] / small)
for name in ("scaled_no_warm_up_64x", "scaled_warm_up_64x"):
    print(f"share_ended_well_{name}: {np.mean(training[name] <= WELL * small):.3f}")
for name in ("same_rate_8x", "scaled_rate_8x"):
    figures(f"test_loss_{name}_over_small_batch", held_out[name] / held_out["small_batch"])
for name in ("small_batch", "same_rate_8x"):
    figures(f"test_minus_training_{name}", held_out[name] - training[name])

print("\nchart: training loss after the same epochs")
print("  batch and rate: small batch, batch x8, batch x8 rate x8,")
print("  batch and rate: batch x64, batch x64 rate x64, that and a warm-up")
print("  loss:", *(f"{median:.3f}" for median in of.values()))
print("  fa: زیان آموزش پس از تعداد یکسانی دوره; دسته و نرخ; دستهٔ کوچک")
print("  fa: دسته ۸ برابر; دسته و نرخ ۸ برابر; دسته ۶۴ برابر")
print("  fa: دسته و نرخ ۶۴ برابر; همان با گرم‌کردن; زیان")
