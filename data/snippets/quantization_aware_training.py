"""Quantization-aware training keeps float weights and only simulates the integers.

The forward pass rounds and clips; the backward pass takes rounding for the identity. Where the
weights are integers themselves, an update below half the step between them rounds away: it takes
a larger rate to move them, and even at the best one they end worse.
"""

import numpy as np

SEED = 0  # parameter: 0 to 1_000_000_000
RUNS = 60  # 200 would take longer than the 5 s a program may
BATCH, SIZES, STEPS = 32, (4, 12, 2), 200
WIDTHS, BITS = (8, 6, 4, 3), 4  # the widths of the table, and of what follows it
RATE, RATES = 3e-2, (1e-2, 3e-2, 6e-2, 1e-1, 3e-1)
assert min(RUNS, BATCH, STEPS, *SIZES) > 0 and len(SIZES) == 3, "two layers to train"
assert all(2 <= bits <= 8 for bits in (*WIDTHS, BITS)), "signed integers held by int8"


def peak(x):
    """The largest magnitude of each run's matrix."""
    return np.abs(x).max((1, 2), keepdims=True)


def integers(x, bits, limit=None):
    """The signed integers that stand for x, and the step between them."""
    top = 2 ** (bits - 1) - 1
    step = np.maximum((peak(x) if limit is None else limit) / top, 1e-300)
    return np.clip(np.rint(x / step), -top, top).astype(np.int8), step


def fake(x, bits, limit=None):
    """Fake quantization: the value of the nearest integer, still a float."""
    if bits is None:
        return x
    levels, step = integers(x, bits, limit)
    return levels * step


def calibrated(x, bits):
    """The range, of several up to the peak, with the least square error of each run."""
    limits = np.linspace(0.4, 1, 13)[:, None, None, None] * peak(x)
    errors = [((fake(x, bits, limit) - x) ** 2).sum((1, 2)) for limit in limits]
    return limits[np.argmin(errors, axis=0), np.arange(RUNS)]


def predict(weights, bits=None, limits=(None, None, None)):
    """What the two layers read, their weights as used, and the output."""
    first, second, read = (fake(a, bits, limit) for a, limit in zip((*weights, x), limits))
    hidden = np.tanh(read @ first)
    coded = fake(hidden, bits, 1)  # tanh is never beyond 1
    return read, hidden, coded, second, coded @ second


def gradients(weights, bits):
    """Backpropagate straight through the rounding, as if it were the identity."""
    read, hidden, coded, second, output = predict(weights, bits)
    delta = (output - y) / output[0].size
    inner = delta @ second.swapaxes(1, 2) * (1 - hidden**2)
    return read.swapaxes(1, 2) @ inner, coded.swapaxes(1, 2) @ delta


def train(weights, bits=None, rate=RATE, limits=(None, None)):
    """Train all runs with Adam; with limits, the weights stay on their integers' values."""
    weights = [w if limit is None else fake(w, bits, limit) for w, limit in zip(weights, limits)]
    weights = [w.copy() for w in weights]
    moments = [np.zeros((2, *w.shape)) for w in weights]
    for step in range(1, STEPS + 1):
        found = gradients(weights, bits)
        for w, g, (mean, square), limit in zip(weights, found, moments, limits):
            mean += 0.1 * (g - mean)
            square += 0.01 * (g**2 - square)
            size = np.sqrt(square / (1 - 0.99**step)) + 1e-15
            w -= rate * (1 - (step - 1) / STEPS) * (mean / (1 - 0.9**step)) / size
            if limit is not None:
                w[:] = fake(w, bits, limit)
    return weights


def loss(weights, bits=None, limits=(None, None, None)):
    """The error of each run over the power of its targets."""
    return ((predict(weights, bits, limits)[-1] - y) ** 2).mean((1, 2)) / (y**2).mean((1, 2))


def integer_output(weights, bits):
    """The same network in integers: int32 sums of int8 products, one factor for each layer."""
    (a, scale_a), (b, scale_b) = (integers(w, bits) for w in weights)
    read, scale = integers(x, bits)
    hidden = np.tanh(np.matmul(read, a, dtype=np.int32) * (scale * scale_a))
    coded, scale = integers(hidden, bits, 1)
    return np.matmul(coded, b, dtype=np.int32) * (scale * scale_b)


def changed(before, after, bits, limits=(None, None)):
    """The share of each run's weights whose integer is another one."""
    pairs = [
        integers(v, bits, limit)[0] != integers(w, bits)[0]
        for v, w, limit in zip(after, before, limits)
    ]
    return np.hstack([pair.reshape(RUNS, -1) for pair in pairs]).mean(axis=1)


def tell(name, values):
    """Print the 5th percentile, the median and the 95th of all runs."""
    for place, value in zip(("p5", "median", "p95"), np.quantile(values, (0.05, 0.5, 0.95))):
        print(f"{name}_{place}: {value:.3g}")


rngs = [np.random.default_rng(SEED + seed) for seed in range(RUNS)]


def draw(*shape):
    return np.array([rng.normal(size=shape) for rng in rngs])


start = [draw(*size) / np.sqrt(size[0]) for size in (SIZES[:2], SIZES[1:])]
x = draw(BATCH, SIZES[0])
y = np.tanh(x @ draw(SIZES[0], 8) / 2) @ draw(8, SIZES[-1]) / 3

trained = train(start)
longer = train(trained)  # the same further steps, but without quantization
print(f"median relative loss of {RUNS} runs: float {np.median(loss(trained)):.5f}, ", end="")
print(f"trained on {np.median(loss(longer)):.5f}")
print("the same weights in integers: rounded, rounded in the best range, and")
print("from the same start with as many steps of quantization-aware training")
print(f"{'bits':>4}{'rounded':>12}{'best range':>12}{'aware':>12}")
rounded, aware, aware_loss, shown = {}, {}, {}, {}
for bits in dict.fromkeys((*WIDTHS, BITS)):
    aware[bits] = train(trained, bits)
    aware_loss[bits] = loss(aware[bits], bits)
    rounded[bits] = loss(longer, bits, [calibrated(a, bits) for a in (*longer, x)])
    row = loss(longer, bits), rounded[bits], aware_loss[bits]
    shown[bits] = [np.median(part) for part in row]
    print(f"{bits:4}" + "".join(f"{np.median(part):12.5f}" for part in row))
    assert np.allclose(integer_output(aware[bits], bits), predict(aware[bits], bits)[-1])

limits = [peak(w) for w in trained]
half_step = np.min(limits, axis=0) / (2**BITS - 2)
print(f"\n{BITS} bits; half a step is {np.median(half_step):.3f}")
print(f"{'rate':>6}{'aware: loss':>14}{'integer weights: loss':>24}{'moved':>9}")
floats, whole, moved = [], [], []
for rate in RATES:
    floats.append(loss(train(trained, BITS, rate), BITS))
    kept = train(trained, BITS, rate, limits)
    whole.append(loss(kept, BITS, (*limits, None)))
    moved.append(changed(trained, kept, BITS, limits))
    row = (np.median(part[-1]) for part in (floats, whole, moved))
    print("{:6g}{:14.5f}{:24.5f}{:9.1%}".format(rate, *row))
best = np.argmin(whole, axis=0), np.arange(RUNS)  # the rate that served each run best

print()
tell("loss_rounded_after_training", rounded[BITS])
tell("loss_quantization_aware", aware_loss[BITS])
tell("rounded_over_aware", rounded[BITS] / aware_loss[BITS])
tell(f"rounded_over_aware_{WIDTHS[0]}_bits", rounded[WIDTHS[0]] / aware_loss[WIDTHS[0]])
tell("moved_with_float_weights", changed(trained, aware[BITS], BITS))
tell("half_a_step", half_step)
tell("moved_with_integer_weights_at_best_rate", np.array(moved)[best])
tell("loss_with_integer_weights_at_best_rate", np.array(whole)[best])
tell("integer_over_float_weights_at_best_rates", np.min(whole, axis=0) / np.min(floats, axis=0))

print("\nchart: relative loss of a network in integers")
print("  bits:", *sorted(shown))
names = "rounded", "rounded, best range", "trained for it"
for name, values in zip(names, zip(*(shown[bits] for bits in sorted(shown)))):
    print(f"  {name} (log):", *(f"{value:.2g}" for value in values))
print("  fa: زیان نسبی شبکه با عددهای صحیح; بیت; گردشده")
print("  fa: گردشده در بهترین بازه; با آموزش آگاه")
