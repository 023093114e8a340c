"""Subtracting nearly equal numbers leaves their rounding errors as the result.

As E[x^2] - E[x]^2 a variance loses two digits for every factor of ten between the mean and
the spread, and may turn negative. Two passes, a shift or Welford's update keep its digits.
"""

import numpy as np

ROWS, COLUMNS = 256, 1000


def running_mean(x):
    """A mean in the precision of x, one row after the other."""
    return np.add.accumulate(x)[-1] / x.dtype.type(len(x))


def one_pass(x):
    """E[x^2] - E[x]^2: a small difference of two large numbers."""
    return running_mean(x**2) - running_mean(x) ** 2


def two_pass(x):
    """E[(x - E[x])^2]: the subtraction comes before the digits are spent."""
    return running_mean((x - running_mean(x)) ** 2)


def shifted(x):
    """One pass again, over numbers counted from the first of them."""
    return one_pass(x - x[0])


def welford(x):
    """One pass that updates the mean and the sum of squares about it."""
    mean, squares = np.zeros_like(x[:2])
    for count, row in enumerate(x, start=1):
        away = row - mean
        mean = mean + away / x.dtype.type(count)
        squares = squares + away * (row - mean)
    return squares / x.dtype.type(len(x))


def merged(x, parts=8):
    """Welford in each part, then Chan's rule for the parts: what workers would do."""
    chunks = np.split(x, parts)
    mean, variance = running_mean(chunks[0]), welford(chunks[0])
    for done, chunk in enumerate(chunks[1:], start=1):
        away, share = running_mean(chunk) - mean, x.dtype.type(1 / (done + 1))
        variance += share * (welford(chunk) - variance) + share * (1 - share) * away**2
        mean += share * away
    return variance


methods = (one_pass, two_pass, shifted, welford, merged)
noise = np.random.default_rng(3).normal(size=(ROWS, COLUMNS))
offsets = 10.0 ** np.arange(0, 5)
digits, negative = np.empty((len(methods), len(offsets))), np.zeros(len(methods), dtype=int)
for at, offset in enumerate(offsets):
    x = (offset + noise).astype(np.float32)
    truth = x.astype(np.float64).var(axis=0)  # of the same, rounded numbers
    for row, method in enumerate(methods):
        variance = method(x)
        digits[row, at] = -np.log10(np.median(np.abs(variance / truth - 1)))
        negative[row] += (variance < 0).sum()

print("correct digits of a float32 variance, by the mean (the spread is 1)")
print(f"{'':10}" + "".join(f"{offset:<12.0e}" for offset in offsets))
for method, kept in zip(methods, digits):
    bars = (f"{'█' * round(max(k, 0)):8}{k:<4.1f}" for k in kept)
    print(f"{method.__name__:10}" + "".join(bars).rstrip())
assert (digits[1:, -1] > 3.5).all() and digits[0, -1] < 0 < 6 < digits[0, 0]
assert negative[0] and not negative[1:].any()

# Each factor of ten in the mean costs two digits: the squares are what is subtracted.
lost = digits[0, 0] - digits[0, 3]
small = np.float32(1e-8)
with np.errstate(invalid="ignore"):
    nans = np.isnan(np.sqrt(one_pass(x))).sum()

print()
for method, kept in zip(methods, digits[:, -1]):
    print(f"error_{method.__name__}: {10**-kept:.2g}")
print(f"negative_variances_one_pass: {negative[0]}")
print(f"negative_variances_welford: {negative[methods.index(welford)]}")
print(f"standard_deviations_that_are_nan: {nans}")
print(f"digits_lost_per_factor_of_ten: {lost / 3:.2g}")
print(f"log_of_one_plus_small: {np.log(1 + small):g}")
print(f"log1p_of_small: {np.log1p(small):.6g}")
