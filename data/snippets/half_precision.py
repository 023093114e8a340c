"""Half precision halves the bytes and loses small numbers; each loss has a cure.

Underflow asks for loss scaling, stagnation for float32 master weights and sums, range
for bfloat16, an outlier among int8 weights for one scale per channel.
"""

import numpy as np

SEED = 0  # parameter: 0 to 1_000_000_000


def bfloat16(x):
    """Round float32 to its upper 16 bits, to nearest, ties to even."""
    bits = np.asarray(x, dtype=np.float32).view(np.uint32)
    return ((bits + 0x7FFF + (bits >> 16 & 1)) & np.uint32(0xFFFF0000)).view(np.float32)


def through_int8(x, axis=None):
    """Round to 256 even levels over the range of x, or over its range along an axis."""
    low, high = x.min(axis=axis, keepdims=True), x.max(axis=axis, keepdims=True)
    scale = (high - low) / 255
    zero = np.round(-128 - low / scale)  # the level that stands for 0.0
    levels = np.clip(np.round(x / scale + zero), -128, 127).astype(np.int8)
    return (levels - zero) * scale


def rms(x):
    return np.sqrt((x**2).mean())


def small_floats(exponent_bits, fraction_bits, not_numbers):
    """All positive values of a small format; the highest codes may be no numbers."""
    codes = np.arange(1, 2 ** (exponent_bits + fraction_bits) - not_numbers)
    exponents, fractions = codes >> fraction_bits, codes % 2**fraction_bits / 2**fraction_bits
    lowest = 2 - 2 ** (exponent_bits - 1)  # exponent 0 is subnormal: no leading 1
    return (fractions + (exponents > 0)) * 2.0 ** (np.maximum(exponents, 1) - 1 + lowest)


SMALL = {  # exponent bits, fraction bits, codes of infinity and NaN
    "e5m2": small_floats(5, 2, 4),
    "e4m3": small_floats(4, 3, 1),
    "e2m1": small_floats(2, 1, 0),
}

gradients = np.geomspace(1e-10, 1e-4, 10_001).astype(np.float32)
print("gradients between 1e-10 and 1e-4 in float16")
print(f"{'loss scale':>12}{'lost':>8}{'infinite':>10}")
lost = {}
for scale in (1.0, 2.0**12, 2.0**24, 2.0**32):
    with np.errstate(over="ignore"):
        scaled = (gradients * np.float32(scale)).astype(np.float16)
    lost[scale] = (scaled == 0).mean()
    print(f"{scale:12.4g}{lost[scale]:8.1%}{np.isinf(scaled).mean():10.1%}")

half, single = np.float16, np.float32
steps = np.r_[1, np.full(1000, 1e-4)]
updated = {t: np.add.accumulate(steps.astype(t))[-1] for t in (half, single)}
summed = {t: np.add.accumulate(np.ones(4096, dtype=t))[-1] for t in (half, single)}
assert updated[half] == 1  # the next float16 is 1 + 1e-3: a step of 1e-4 rounds away
assert summed[half] == 2048  # the next float16 is 2050
print(f"\n{'':26}{'float16':>10}{'float32':>10}")
print(f"{'1 + 1000 updates of 1e-4':26}{updated[half]:10.4f}{updated[single]:10.4f}")
print(f"{'a running sum of 4096 ones':26}{summed[half]:10.0f}{summed[single]:10.0f}")

values = np.array([1e-30, 1.001, 70_000], dtype=np.float32)
with np.errstate(over="ignore"):
    narrow = values.astype(np.float16)
print(f"\n{'float32':>10}{'float16':>10}{'bfloat16':>10}   (range or digits, not both)")
for value, f16, b16 in zip(values, narrow, bfloat16(values)):
    print(f"{value:10.5g}{f16:10.5g}{b16:10.5g}")
powers = 2.0 ** np.arange(-160, 128)
between = 1 + np.arange(2**12) / 2**12  # finer than both formats
with np.errstate(over="ignore"):
    kept16, kept_b16 = ((rounded == powers).sum() for rounded in (half(powers), bfloat16(powers)))
digits16, digits_b16 = (
    (rounded == between).sum() for rounded in (half(between), bfloat16(between))
)
assert kept16 < kept_b16 and digits16 > digits_b16

print("\nall positive values of 8 and 4 bits in floating point")
for name, small in SMALL.items():
    print(f"  {name}: {len(small):3} from {small.min():.2g} to {small.max():g}")
assert np.array_equal(small_floats(5, 10, 2**10), half(small_floats(5, 10, 2**10)))

errors = []
for seed in range(200):
    weights = np.random.default_rng(SEED + seed).normal(size=(64, 256))
    ordinary = rms(through_int8(weights) - weights)
    weights[0] *= 100  # one channel of outliers; what do the others suffer?
    outlier = rms((through_int8(weights) - weights)[1:])
    errors.append((ordinary, outlier, rms((through_int8(weights, axis=1) - weights)[1:])))
ordinary, outlier, per_channel = np.median(errors, axis=0)  # they differ little
assert lost[2.0**12] == 0 < lost[1.0] and per_channel < ordinary < outlier / 10

print()
print(f"float16_over_float32_bytes: {narrow.nbytes / values.nbytes}")
print(f"float16_powers_of_two: {kept16}")
print(f"bfloat16_powers_of_two: {kept_b16}")
print(f"float16_values_from_1_to_2: {digits16}")
print(f"bfloat16_values_from_1_to_2: {digits_b16}")
for name, small in SMALL.items():
    print(f"largest_{name}: {small.max():g}")
print(f"gradients_lost: {lost[1.0]:.4g}")
print(f"gradients_lost_with_loss_scale: {lost[2.0**12]:g}")
print(f"weight_after_float16_updates: {updated[half]:.6g}")
print(f"weight_after_float32_updates: {updated[single]:.6g}")
print(f"float16_sum_of_4096_ones: {summed[half]:g}")
print(f"int8_error: {ordinary:.3g}")
print(f"int8_error_with_outlier: {outlier:.3g}")
print(f"int8_error_per_channel: {per_channel:.3g}")
