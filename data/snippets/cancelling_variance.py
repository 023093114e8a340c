"""Subtracting nearly equal numbers leaves their rounding errors as the result.

As E[x^2] - E[x]^2 a variance loses two digits for every factor of ten between the mean and
the spread, and may turn negative. Two passes and a shift keep its digits, Welford's update
most of them.
"""

import numpy as np

SEED = 0  # parameter: 0 to 1_000_000_000
COLUMNS = 1000  # COLUMNS variances, each of ROWS numbers of spread 1
ROWS = 256  # parameter: 8 to 512 rows
OFFSETS = 10.0 ** np.arange(5)  # the mean beside that spread
SEEDS = 200
assert ROWS > 1 and COLUMNS > 0 and SEEDS > 0, "a variance needs two numbers, and a draw"


def running_mean(x):
    """A mean in the precision of x, one row after the other."""
    return x.sum(axis=0) / x.dtype.type(len(x))  # down the columns NumPy adds row after row


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
    mean, squares = np.zeros_like(x[0]), np.zeros_like(x[0])
    for count, row in zip(np.arange(1, len(x) + 1, dtype=x.dtype), x):
        away = row - mean
        mean += away / count
        squares += away * (row - mean)
    return squares / x.dtype.type(len(x))


def merged(x, parts=8):
    """Welford in each part, then Chan's rule for the parts: what workers would do."""
    chunks = np.array_split(x, min(parts, len(x)))
    mean, variance, done = running_mean(chunks[0]), welford(chunks[0]), len(chunks[0])
    for chunk in chunks[1:]:
        done += len(chunk)
        away, share = running_mean(chunk) - mean, x.dtype.type(len(chunk) / done)
        variance += share * (welford(chunk) - variance) + share * (1 - share) * away**2
        mean += share * away
    return variance


def sample(seed, offset):
    """Float32 numbers about an offset, and the variances of these rounded numbers."""
    noise = np.random.default_rng(SEED + seed).normal(size=(ROWS, COLUMNS))
    x = (offset + noise).astype(np.float32)
    return x, x.astype(np.float64).var(axis=0)


def typical_error(variance, truth):
    """The median relative error; as good as exact is what float32 cannot tell from it."""
    known = truth > 0  # rounded numbers may all be equal
    error = np.abs(variance[known] / truth[known] - 1)
    return max(np.median(error), np.finfo(np.float32).eps / 8)


def tell(name, values):
    """Print the 5th percentile, the median and the 95th of all draws."""
    for place, value in zip(("p5", "median", "p95"), np.quantile(values, (0.05, 0.5, 0.95))):
        print(f"{name}_{place}: {value:.3g}")


methods = (one_pass, two_pass, shifted, welford, merged)
errors = np.empty((len(methods), len(OFFSETS)))
for at, offset in enumerate(OFFSETS):
    x, truth = sample(0, offset)
    errors[:, at] = [typical_error(method(x), truth) for method in methods]
print("correct digits of a float32 variance, by the mean (the spread is 1)")
print(f"{'':10}" + "".join(f"{offset:<12.0e}" for offset in OFFSETS))
for method, kept in zip(methods, -np.log10(errors)):
    bars = (f"{'█' * round(max(k, 0)):8}{k:<4.1f}" for k in kept)
    print(f"{method.__name__:10}" + "".join(bars).rstrip())

# The largest mean again, in many draws: medians of the errors, and signs.
drawn = np.empty((len(methods), SEEDS))
negative, nans = np.zeros((len(methods), SEEDS), dtype=int), np.zeros(SEEDS, dtype=int)
for seed in range(SEEDS):
    x, truth = sample(seed, OFFSETS[-1])
    for row, method in enumerate(methods):
        variance = method(x)
        drawn[row, seed] = typical_error(variance, truth)
        negative[row, seed] = (variance < 0).sum()
        if method is one_pass:
            with np.errstate(invalid="ignore"):
                nans[seed] = np.isnan(np.sqrt(variance)).sum()
assert (drawn[0] > 100 * drawn[1:]).all(), "one pass over the squares is the worst by far"
assert (negative[0] == nans).all() and not negative[1:].any(), "it alone turns negative"

# Each factor of ten in the mean costs two digits: the squares are what is subtracted.
lost = np.log10(errors[0, -2] / errors[0, 0]) / np.log10(OFFSETS[-2] / OFFSETS[0])
small = np.float32(1e-8)

print()
for method, error in zip(methods, drawn):
    tell(f"error_{method.__name__}", error)
tell("standard_deviations_that_are_nan", nans)
print(f"digits_lost_per_factor_of_ten: {lost:.2g}")
print(f"log_of_one_plus_small: {np.log(1 + small):g}")
print(f"log1p_of_small: {np.log1p(small):.6g}")

print("\nchart: correct digits of a float32 variance, by the mean")
print("  mean; the spread is 1 (log):", *(f"{offset:g}" for offset in OFFSETS))
for method, kept in zip(methods, -np.log10(errors)):
    print(f"  {method.__name__.replace('_', ' ')}:", *(f"{digits:.1f}" for digits in kept))
print("  fa: رقم‌های درست واریانس در float32، بسته به میانگین")
print("  fa: میانگین، با پراکندگی ۱; یک‌گذره; دوگذره; جابه‌جاشده")
print("  fa: ولفورد; ادغامی")
