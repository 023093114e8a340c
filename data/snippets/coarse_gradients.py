"""SGD reaches the same loss with 8-bit gradients, and with 2 percent of them if the rest is kept.

Gradients are sent as float32, as 8-bit whole numbers, or as their largest 2 percent. What a
message leaves out is either forgotten or kept and added to the next one (error feedback). The
task is least squares, with features of very different size; every run draws one of its own.
"""

import numpy as np

SEED = 0  # parameter: 0 to 1_000_000_000
ROWS, WIDTH, BATCH, STEPS, RATE = 1024, 100, 32, 1000, 0.02
FAINTEST, NOISE, SHARE = 0.1, 0.5, 0.02
RUNS = 100  # 200 would take longer than the 5 s a program may
MOST = max(1, round(SHARE * WIDTH))
assert ROWS >= 2 * WIDTH, "the best weights are determined"
every = np.arange(RUNS)[:, None]


def whole(values):
    """Send float32 numbers."""
    message = values.astype(np.float32)
    return message, message[0].nbytes


def eight_bit(values):
    """Send a scale and whole numbers from -127 to 127."""
    scale = np.abs(values).max(axis=1, keepdims=True).astype(np.float32) / 127
    message = np.rint(values / np.where(scale > 0, scale, 1)).astype(np.int8)
    return message * scale, message[0].nbytes + scale[0].nbytes


def largest(values):
    """Send the largest share with their places; the rest is left out."""
    places = np.argsort(np.abs(values))[:, -MOST:].astype(np.uint16)
    message = values[every, places].astype(np.float32)
    received = np.zeros(values.shape)
    received[every, places] = message
    return received, message[0].nbytes + places[0].nbytes


def draw(seed):
    """Return the task of a run: features, targets, and the rows that its steps take."""
    rng = np.random.default_rng(SEED + seed)
    x = rng.normal(size=(ROWS, WIDTH)) * np.geomspace(1, FAINTEST, WIDTH)
    y = x @ rng.normal(size=WIDTH) + NOISE * rng.normal(size=ROWS)
    return x, y, rng.integers(ROWS, size=(STEPS, BATCH))


def loss(w):
    """The loss of every run over all its rows, above the best one."""
    return ((y - (x @ w[..., None])[..., 0]) ** 2).mean(axis=1) / 2 - best


x, y, order = (np.array(each) for each in zip(*map(draw, range(RUNS))))
best = np.array([((b - a @ np.linalg.lstsq(a, b)[0]) ** 2).mean() / 2 for a, b in zip(x, y)])
runs = {  # how a gradient is sent, and whether what is left out is kept
    "float32": (whole, False),
    "8_bit": (eight_bit, False),
    "largest_with_feedback": (largest, True),
    "largest_without_feedback": (largest, False),
}
weights, owed = ({name: np.zeros((RUNS, WIDTH)) for name in runs} for _ in range(2))
sent = dict.fromkeys(runs, 0)
start = loss(weights["float32"])
with np.errstate(all="ignore"):  # too large a rate overflows, and its loss says so
    for step in range(STEPS):
        a, b = x[every, order[:, step]], y[every, order[:, step]]
        for name, (send, feedback) in runs.items():
            error = (a @ weights[name][..., None])[..., 0] - b
            wanted = (error[:, None] @ a)[:, 0] / BATCH + owed[name]
            received, size = send(wanted)
            if feedback:
                owed[name] = wanted - received
            weights[name] -= RATE * received
            sent[name] += size
    losses = {name: loss(w) for name, w in weights.items()}


def tell(name, values):
    """Print the 5th percentile, the median and the 95th of all runs."""
    for place, value in zip(("p5", "median", "p95"), np.quantile(values, (0.05, 0.5, 0.95))):
        print(f"{name}_{place}: {value:.4g}")


print(f"loss above the best one, medians of {RUNS} runs: {np.median(start):.3g} at first;")
print(f"after {STEPS} steps, with the bytes that were sent:")
for name, values in losses.items():
    bar = "█" * round(20 * sent[name] / sent["float32"])
    print(f"{name:26}{np.median(values):8.2g} {sent[name]:9,} bytes {bar}")

print()
for name, values in losses.items():
    tell(f"excess_loss_{name}", values)
tell("excess_loss_8_bit_over_float32", losses["8_bit"] / losses["float32"])
tell("excess_loss_with_feedback_over_float32", losses["largest_with_feedback"] / losses["float32"])
print(f"bytes_saved_8_bit: {sent['float32'] / sent['8_bit']:.3g}")
print(f"bytes_saved_largest: {sent['float32'] / sent['largest_with_feedback']:.4g}")

print(f"\nchart: loss above the best one, after {STEPS} steps")
print("  sent: all in float32, all in 8 bits, 2 % and later the rest, 2 % alone")
print("  loss:", *(f"{np.median(values):.3g}" for values in losses.values()))
print("  fa: فاصلهٔ زیان از بهترین، پس از ۱۰۰۰ گام; ارسال")
print("  fa: همه در float32; همه ۸ بیتی; ۲٪ و بعد بقیه; فقط ۲٪; زیان")
