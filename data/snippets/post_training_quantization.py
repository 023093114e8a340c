"""Quantization errs by rounding inside its range and by clipping outside; calibration weighs the two.

Nothing is trained. A range that gives up rare outliers and a scale for each channel are worth
more than shallowness: the error of random layers grows only like the root of their number.
"""

import numpy as np

SEED = 0  # parameter: 0 to 1_000_000_000
RUNS = 60  # 200 would take longer than the 5 s a program may
BITS = 4  # parameter: 3 to 8 bits
SAMPLES, TAIL = 10_000, 4  # activations of Student's t: fewer degrees of freedom, more outliers
DEPTH, WIDTH, ROWS = 64, 128, 32  # random ReLU layers in 8 bits
TIMES = 10, 100  # how much larger one channel's weights are
SPREAD = 100  # the largest channel over the smallest
assert RUNS > 0 and 2 <= BITS <= 8, "signed integers held by int8"
assert min(SAMPLES / 10, TAIL, DEPTH, WIDTH, ROWS, SPREAD) >= 1, "enough to draw from"
assert min(TIMES) > 0, "a channel with weights"


def through(x, limit, bits=8):
    """Round to the integers of so many bits that cover -limit to limit, and back."""
    top = 2 ** (bits - 1) - 1
    step = np.maximum(limit / top, 1e-300)
    return np.clip(np.rint(x / step), -top, top).astype(np.int8) * step


def rms(x, axis=None):
    return np.sqrt((x**2).mean(axis))


def split_error(x, limit, bits):
    """Mean square error from rounding inside the range, and from clipping outside it."""
    square = (through(x, limit, bits) - x) ** 2
    outside = np.abs(x) > limit
    return square[~outside].sum() / x.size, square[outside].sum() / x.size


def calibrate(x, bits):
    """The range that makes the mean square error of these samples least."""
    limits = np.abs(x).max() * np.geomspace(0.05, 1, 60)
    return min(limits, key=lambda limit: sum(split_error(x, limit, bits)))


def ranges(samples):
    """Rounding and clipping in ranges from narrow to widest, then in the calibrated one."""
    seen, unseen = samples[: SAMPLES // 5], samples[SAMPLES // 5 :]
    limits = [*np.abs(seen).max() * SHARES, calibrate(seen, BITS)]
    return limits, [split_error(unseen, limit, BITS) for limit in limits]


def layer_errors(rng, depth, times=1, per_channel=False):
    """Relative error after each of several random ReLU layers, all in 8 bits."""
    exact = low = np.maximum(rng.normal(size=(ROWS, WIDTH)), 0)
    errors = []
    for _ in range(depth):
        weights = rng.normal(size=(WIDTH, WIDTH)) * np.sqrt(2 / WIDTH)
        exact = np.maximum(exact @ weights, 0)
        size = np.r_[times, np.ones(WIDTH - 1)]  # one channel is larger: divided out again below
        limit = np.abs(weights * size).max(axis=0 if per_channel else None)
        low = through(low, np.abs(low).max()) @ through(weights * size, limit) / size
        low = np.maximum(low, 0)
        errors.append(rms(low - exact) / max(rms(exact), 1e-300))
    return np.array(errors)


def draws():
    """The same generators again for each experiment, one for each run."""
    return [np.random.default_rng(SEED + seed) for seed in range(RUNS)]


def tell(name, values):
    """Print the 5th percentile, the median and the 95th of all runs."""
    for place, value in zip(("p5", "median", "p95"), np.quantile(values, (0.05, 0.5, 0.95))):
        print(f"{name}_{place}: {value:.3g}")


SHARES = np.geomspace(0.12, 1, 11)
limits, parts = map(np.array, zip(*(ranges(rng.standard_t(TAIL, SAMPLES)) for rng in draws())))
print(f"{BITS}-bit activations: mean square error, by rounding and by clipping")
for limit, two in zip(np.median(limits, 0)[:-1], np.median(parts, 0)):
    print(f"  range ±{limit:6.2f}  {two.sum():.3f}  {two[0]:.3f}  {two[1]:.3f}")
errors = parts.sum(2)
share = parts[:, -1, 1] / errors[:, -1]
plain = np.array([ranges(rng.normal(size=SAMPLES))[1] for rng in draws()]).sum(2)

relative = {"one scale": [], "per channel": []}
for rng in draws():
    weights = rng.normal(size=(64, WIDTH)) * np.geomspace(1 / SPREAD, 1, 64)[:, None]
    size = np.abs(weights)
    for name, limit in zip(relative, (size.max(), size.max(1, keepdims=True))):
        error = rms(through(weights, limit) - weights, 1) / rms(weights, 1)
        assert error.min() < 0.05, "where weights fill the range, 8 bits are fine"
        relative[name].append(error.max())
print(f"\n8-bit weights, channels of sizes 1 to {SPREAD:g}: error of the worst channel")
for name, worst in relative.items():
    print(f"  {name:12} {np.median(worst):.4f}")

deep = np.array([layer_errors(rng, DEPTH) for rng in draws()])
growth = deep[:, -1] / np.maximum(deep[:, 0], 1e-300)
larger = {}
for times in TIMES:
    for per_channel in (False, True):
        one = [layer_errors(rng, 1, times, per_channel)[0] for rng in draws()]
        larger[times, per_channel] = one / np.maximum(deep[:, 0], 1e-300)
print("\n8-bit layers, one scale for each tensor: relative error of the output")
for depth in sorted({1, 4, 16, DEPTH} & set(range(DEPTH + 1))):
    print(f"  {depth:3} layers {np.median(deep[:, depth - 1]):.4f}")
print("1 layer with one larger channel, over the error without it")
for (times, per_channel), ratio in larger.items():
    scales = "a scale for each channel" if per_channel else "one scale"
    print(f"  {times:g} times as large, {scales:24} {np.median(ratio):8.3f}")

print()
tell("error_with_widest_range", errors[:, -2])
tell("error_with_calibrated_range", errors[:, -1])
tell("calibrated_over_widest", errors[:, -1] / errors[:, -2])
tell("calibrated_over_widest_without_outliers", plain[:, -1] / plain[:, -2])
tell("clipping_share_of_error", share)
tell("worst_channel_error_one_scale", relative["one scale"])
tell("worst_channel_error_per_channel", relative["per channel"])
tell("error_growth_over_all_layers", growth)
for times in TIMES:
    for per_channel, scales in ((False, ""), (True, "_per_channel")):
        name = f"error_growth_by_a_channel_{times:g}_times_as_large{scales}"
        tell(name, larger[times, per_channel])

print(f"\nchart: error of {BITS}-bit activations, by the range that is kept")
tried = np.median(limits, 0)[:-1:2]
print("  range on both sides (log):", *(f"{limit:.3g}" for limit in tried))
both = np.median(parts, 0)[: 2 * tried.size : 2]
for name, values in zip(("all", "by rounding", "by clipping"), (both.sum(1), *both.T)):
    print(f"  {name}:", *(f"{value:.3f}" for value in values))
print("  fa: خطای فعال‌سازی‌های ۴ بیتی، بسته به بازه; بازه در هر دو سو")
print("  fa: کل خطا; از گرد کردن; از برش")
