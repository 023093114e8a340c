"""The way a million numbers are added decides how many digits of their mean hold.

The truth is the exact sum of the same float32 numbers, rounded once, at the end.
"""

import math
import tracemalloc

import numpy as np

SEED = 0  # parameter: 0 to 1_000_000_000
NUMBERS = 1_000_000  # parameter: 1000 to 1_000_000 numbers
CENTRE = 0.1  # of normal numbers whose standard deviation is 1
LANES = 1000  # sums of Kahan's, side by side
SEEDS = 63  # 200 would take longer than the 5 s a program may
CLOSE = 1e-15
assert min(NUMBERS, LANES, SEEDS) > 0, "at least one number, one lane and one draw"


def running(x):
    """One float32 accumulator, one number after the other."""
    return np.add.accumulate(x)[-1]


def kahan(x):
    """What an addition lost is taken from the next number; in a table, for each column."""
    total = np.zeros_like(x[0])
    lost = np.zeros_like(x[0])
    for value in x:
        corrected = value - lost
        longer = total + corrected
        lost = (longer - total) - corrected  # zero in exact arithmetic
        total = longer
    return total


def kahan_lanes(x):
    """Kahan's sum of every lane, then of the lanes; zeros fill the last row."""
    return kahan(kahan(np.pad(x, (0, -len(x) % LANES)).reshape(-1, LANES)))


def neumaier(x):
    """What each addition lost is added up apart, and added once, at the end."""
    total, lost = x[0], 0.0
    for value in x[1:]:
        longer = total + value
        if abs(total) >= abs(value):
            lost += (total - longer) + value
        else:
            lost += (value - longer) + total
        total = longer
    return total + lost


def exact(x):
    """The exact sum of float32 numbers: those of one exponent add up in float64 unrounded."""
    significand, exponent = np.frexp(x)  # 24 bits each, so float64 holds 2**29 of them
    lowest = exponent.min()
    sums = np.bincount(exponent - lowest, weights=significand)
    return math.fsum(sums * 2.0 ** (lowest + np.arange(len(sums))))


def errors(x):
    """Relative errors of the mean by each method, and which sums agree to the last bit."""
    table = np.column_stack([x, x])  # rows of two numbers
    down = table.sum(axis=0)[0]  # the slow axis: NumPy adds row after row
    strided = table[:, 0].sum()  # the one axis of a view, every second number
    sums = {"running": running(x), "down_a_column": down, "strided": strided}
    sums |= {"pairwise": x.sum(), "kahan_lanes": kahan_lanes(x)}
    mean = exact(x) / len(x)
    found = {name: abs(float(total) / len(x) / mean - 1) for name, total in sums.items()}
    found["in_float64"] = abs(np.mean(x, dtype=np.float64) / mean - 1)
    return found, down == sums["running"], strided == sums["pairwise"]


def extra_bytes(work):
    """The most that a piece of work holds beside its data."""
    tracemalloc.start()
    work()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def draw(seed):
    """Numbers of both signs."""
    return np.random.default_rng(SEED + seed).normal(CENTRE, 1, NUMBERS).astype(np.float32)


runs = [errors(draw(seed)) for seed in range(SEEDS)]
close = sum(found["in_float64"] < CLOSE for found, *_ in runs)
print(f"relative error of the mean of {NUMBERS} float32 numbers, {SEEDS} draws")
print(f"{'':20}{'p5':>12}{'median':>12}{'p95':>12}")
quantiles = {}
for name in runs[0][0]:
    quantiles[name] = np.quantile([found[name] for found, *_ in runs], (0.05, 0.5, 0.95))
    print(f"{name:20}" + "".join(f"{value:12.1e}" for value in quantiles[name]))

x = draw(0)
assert exact(x) == math.fsum(x.tolist()), "both round the exact sum once"
wide = extra_bytes(lambda: np.mean(x, dtype=np.float64))
copied = extra_bytes(lambda: x.astype(np.float64).mean())

tenths = np.full(1_000_000, 0.1, dtype=np.float32)  # the roundings err the same way
cancelling = np.array([1, 1e100, 1, -1e100])
assert neumaier(cancelling) == math.fsum(cancelling) == 2

print()
for name, values in quantiles.items():
    for place, value in zip(("p5", "median", "p95"), values):
        print(f"error_{name}_{place}: {value:.2g}")
print(f"draws: {SEEDS}")
print(f"close_means_in_float64: {close}")
print(f"column_sums_equal_to_running_sums: {sum(down for _, down, _ in runs)}")
print(f"strided_sums_equal_to_contiguous_sums: {sum(view for *_, view in runs)}")
print(f"extra_bytes_of_mean_in_float64: {wide}")
print(f"extra_bytes_of_a_float64_copy: {copied}")
print(f"error_running_of_tenths: {running(tenths) / math.fsum(tenths) - 1:.3g}")
print(f"kahan_of_cancelling: {kahan(cancelling):g}")
print(f"neumaier_of_cancelling: {neumaier(cancelling):g}")

print("\nchart: relative error of the mean, by how the numbers are added")
print("  method: one by one, down a column, strided, in pairs, Kahan in lanes,")
print("  method: in float64")
print("  median error (log):", *(f"{values[1]:.2g}" for values in quantiles.values()))
print("  fa: خطای نسبی میانگین، بسته به شیوهٔ جمع")
print("  fa: شیوه; یکی‌یکی; در طول ستون; با گام; دوبه‌دو")
print("  fa: کاهان چندمسیره; در float64; میانهٔ خطا")
