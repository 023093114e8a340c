"""Quantization errs by rounding inside its range and by clipping outside; calibration weighs both.

Nothing is trained. A range that gives up rare outliers and a scale for each channel are worth
more than shallowness: the error of random layers grows only like the root of their number.
"""

import numpy as np


def through(x, limit, bits=8):
    """Round to the integers of so many bits that cover -limit to limit, and back."""
    top = 2 ** (bits - 1) - 1
    step = limit / top
    return np.clip(np.round(x / step), -top, top).astype(np.int8) * step


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


def layer_errors(depth, outlier=1, per_channel=False, seed=12):
    """Relative error after each of several random ReLU layers, all in 8 bits."""
    rng = np.random.default_rng(seed)
    exact = low = np.maximum(rng.normal(size=(64, 128)), 0)
    errors = []
    for _ in range(depth):
        weights = rng.normal(size=(128, 128)) * np.sqrt(2 / 128)
        exact = np.maximum(exact @ weights, 0)
        size = np.r_[outlier, np.ones(127)]  # one channel is larger: divided out again below
        limit = np.abs(weights * size).max(axis=0 if per_channel else None)
        low = through(low, np.abs(low).max()) @ through(weights * size, limit) / size
        low = np.maximum(low, 0)
        errors.append(rms(low - exact) / rms(exact))
    return errors


rng = np.random.default_rng(11)

BITS = 4
activations = rng.standard_t(4, size=40_000)  # now and then a large one
seen, unseen = activations[:4_000], activations[4_000:]
widest, best = np.abs(seen).max(), calibrate(seen, BITS)
print(f"{BITS}-bit activations: mean square error, █ by rounding, ░ by clipping")
for limit in widest * np.geomspace(0.18, 1, 11):
    parts = split_error(unseen, limit, BITS)
    rounding, clipping = (round(part * 120) for part in parts)
    print(f"  range ±{limit:5.2f}  {sum(parts):.3f}  {'█' * rounding}{'░' * clipping}")
rounding, clipping = split_error(unseen, best, BITS)
at_widest, at_best = (sum(split_error(unseen, limit, BITS)) for limit in (widest, best))
assert at_best < 0.7 * at_widest and min(rounding, clipping) > 0.1 * at_best

weights = rng.normal(size=(64, 256)) * np.geomspace(0.01, 1, 64)[:, None]
size = np.abs(weights)
print("\n8-bit weights, channels of different size: error relative to channel")
relative = {}
for name, limit in (("one scale", size.max()), ("per channel", size.max(1, keepdims=True))):
    relative[name] = rms(through(weights, limit) - weights, 1) / rms(weights, 1)
    print(f"  {name:12} worst {relative[name].max():.4f}, best {relative[name].min():.4f}")

deep = layer_errors(64)
alone, outlier, cured = deep[0], layer_errors(1, 100)[0], layer_errors(1, 100, per_channel=True)[0]
draws = [layer_errors(64, seed=seed) for seed in range(21)]
growth = [errors[-1] / errors[0] for errors in draws]
larger = {
    by: [layer_errors(1, by, seed=seed)[0] / one[0] for seed, one in enumerate(draws)]
    for by in (10, 100)
}
assert 4 < np.median(growth) < 16 and outlier > 20 * alone > 10 * cured
print("\n8-bit layers, one scale for each tensor: relative error of the output")
for depth in (1, 4, 16, 64):
    print(f"  {depth:3} layers {deep[depth - 1]:.4f}")
print(f"    1 layer with one channel 100 times as large {outlier:.4f}")
print(f"    the same with one scale per channel         {cured:.4f}")

print()
print(f"error_with_widest_range: {at_widest:.3g}")
print(f"error_with_calibrated_range: {at_best:.3g}")
print(f"clipping_share_of_error: {clipping / at_best:.3g}")
print(f"worst_channel_error_one_scale: {relative['one scale'].max():.3g}")
print(f"worst_channel_error_per_channel: {relative['per channel'].max():.3g}")
print("over 21 draws: the median, and from the least to the largest")
print(f"error_growth_over_64_layers: {np.median(growth):.3g}")
print(f"least_growth_over_64_layers: {min(growth):.3g}")
print(f"largest_growth_over_64_layers: {max(growth):.3g}")
for by, ratios in larger.items():
    print(f"error_growth_by_a_channel_{by}_times_as_large: {np.median(ratios):.3g}")
