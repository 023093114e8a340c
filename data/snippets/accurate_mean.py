"""The way a million numbers are added decides how many digits of their mean hold.

The truth is math.fsum of the same float32 numbers, which rounds once, at the end.
"""

import math

import numpy as np


def running(x):
    """One float32 accumulator, one number after the other."""
    return np.add.accumulate(x)[-1]


def pairwise(x):
    """NumPy's own sum: halves of halves, as long as the numbers lie side by side."""
    return x.sum()


def down_a_column(x):
    """The same sum over the first axis of a table, where NumPy adds row after row."""
    return np.column_stack([x, x]).sum(axis=0)[0]


def kahan(x):
    """Take what each addition lost into the next; for a table, every column by itself."""
    total = lost = np.zeros_like(x[0])
    for value in x:
        value = value - lost
        longer = total + value
        lost = (longer - total) - value  # zero in exact arithmetic
        total = longer
    return total


def kahan_lanes(x, lanes=100):
    """Kahan's sum of a hundred lanes at once, then of the lanes."""
    return kahan(kahan(x.reshape(-1, lanes)))


def neumaier(x):
    """Kahan's sum for numbers that may be larger than the total so far."""
    total = lost = np.zeros_like(x[0])
    for value in x:
        longer = total + value
        large, small = sorted((total, value), key=abs, reverse=True)
        lost = lost + ((large - longer) + small)
        total = longer
    return total + lost


def in_float64(x):
    """One float64 accumulator."""
    return np.add.accumulate(x, dtype=np.float64)[-1]


methods = (running, down_a_column, pairwise, kahan_lanes, in_float64)
rng = np.random.default_rng(14)
print("relative error of the mean of n float32 numbers of both signs")
heads = ("running", "column", "pairwise", "kahan_lanes", "in_float64")
print(f"{'n':>7}" + "".join(f"{head:>13}" for head in heads))
for n in (100, 10_000, 1_000_000):
    x = rng.normal(0.1, 1, size=n).astype(np.float32)
    mean = math.fsum(x) / n
    error = {method: abs(float(method(x)) / n / mean - 1) for method in methods}
    print(f"{n:7}" + "".join(f"{e:13.1e}" for e in error.values()))
rounded = np.float32(math.fsum(x))  # no float32 sum can be closer
assert error[in_float64] < error[kahan_lanes] < error[running]
assert error[pairwise] < 1e-6

tenths = np.full(1_000_000, 0.1, dtype=np.float32)  # every rounding errs the same way
print(f"\nrunning mean of a million times 0.1: {running(tenths) / len(tenths):.6f}")

cancelling = np.array([1, 1e100, 1, -1e100])
assert neumaier(cancelling) == math.fsum(cancelling) == 2
print()
for method, e in error.items():
    print(f"error_{method.__name__}: {e:.2g}")
print(f"error_of_rounding_the_true_sum: {abs(np.float64(rounded) / n / mean - 1):.2g}")
print(f"error_running_of_tenths: {running(tenths) / math.fsum(tenths) - 1:.3g}")
print(f"kahan_of_cancelling: {kahan(cancelling):g}")
print(f"neumaier_of_cancelling: {neumaier(cancelling):g}")
