"""The error of a sum grows with n or with log n, or stays as it is, by how it is added.

And it grows with the condition number of the sum, which is the sum of the |x| over |the sum
of the x|: that multiplies the bounds of the running, the pairwise and Kahan's sum, not of fsum.
"""

import math
from fractions import Fraction

import numpy as np

SEED = 0  # parameter: 0 to 1_000_000_000
SHORT, LONG = 2**8, 2**16  # how many numbers are added
SMALL = 24  # large numbers with their negatives, and what is left of them
PAIRS = 500  # parameter: 100 to 2000 pairs
SIZES = (1, 1e4, 1e8, 1e12, 1e16)  # of the large numbers
DRAWS = 200
U = np.finfo(np.float32).eps / 2  # roundoff
assert min(SHORT, LONG) > 15 and min(PAIRS, SMALL, DRAWS) > 0, "enough to add in each sum"


def running(x):
    """One accumulator, one number after the other; in a table, for each column."""
    return np.add.accumulate(x)[-1]


def pairs(x):
    """The sums of neighbours; the last number stays alone where there is none beside it."""
    return np.vstack([x[0:-1:2] + x[1::2], x[len(x) // 2 * 2 :]])


def pairs_once(x):
    """Neighbours first, then their sums one after the other."""
    return running(pairs(x))


def halves(x):
    """Neighbours, then sums of neighbours, up to the total."""
    while len(x) > 1:
        x = pairs(x)
    return x[0]


def kahan(x):
    """What an addition lost is taken from the next number."""
    total = np.zeros_like(x[0])
    lost = np.zeros_like(x[0])
    for value in x:
        corrected = value - lost
        longer = total + corrected
        lost = (longer - total) - corrected
        total = longer
    return total


def neumaier(x):
    """What each addition lost is added up apart, and added once, at the end."""
    total = x[0]
    lost = np.zeros_like(total)
    for value in x[1:]:
        longer = total + value
        of_value = (total - longer) + value  # exact where the total is the larger
        of_total = (value - longer) + total
        lost = lost + np.where(abs(total) >= abs(value), of_value, of_total)
        total = longer
    return total + lost


def fsum(x):
    """The exact sum of each column, rounded once."""
    return np.array([math.fsum(column) for column in x.T])


def tell(name, values):
    """Print the 5th percentile, the median and the 95th of all draws."""
    for place, value in zip(("p5", "median", "p95"), np.quantile(values, (0.05, 0.5, 0.95))):
        print(f"{name}_{place}: {value:.5g}")


def errors_in_u(n):
    """Relative errors of float32 sums of positive numbers, by how they were added."""
    x = np.random.default_rng(SEED + 5).random((n, DRAWS), dtype=np.float32)
    truth = x.sum(axis=0, dtype=np.float64)  # multiples of 2^-24: float64 rounds nothing
    assert truth[0] == math.fsum(x[:, 0])
    methods = (running, pairs_once, halves, kahan)
    return {method.__name__: np.abs(method(x) / truth - 1) / U for method in methods}


def partial_sums(n):
    """The sum of all partial sums over the total: one after the other, and by halves."""
    x = np.random.default_rng(SEED + 5).random((n, DRAWS), dtype=np.float32).astype(np.float64)
    by_halves = np.zeros(DRAWS)
    level = x
    while len(level) > 1:
        alone = level[len(level) // 2 * 2 :].sum(axis=0)  # not added to anything yet
        level = pairs(level)
        by_halves += level.sum(axis=0) - alone
    total = x.sum(axis=0)
    return (np.add.accumulate(x)[1:].sum(axis=0) / total), by_halves / total


def ill_conditioned(size, rng):
    """Errors of float64 sums in which large numbers cancel, and their condition numbers."""
    large = rng.normal(size=(PAIRS, DRAWS)) * size
    small = rng.random((SMALL, DRAWS))
    x = rng.permuted(np.vstack([large, -large, small]), axis=0)
    truth = [sum(map(Fraction, column)) for column in small.T]  # the large ones leave nothing
    errors = {
        method.__name__: [float(abs(Fraction(s) / t - 1)) for s, t in zip(method(x), truth)]
        for method in (running, kahan, neumaier, fsum)
    }
    rounded = np.array(truth, dtype=np.float64)
    return np.abs(x).sum(axis=0) / rounded, errors, (fsum(x) == rounded).sum()


results = {n: errors_in_u(n) for n in (SHORT, LONG)}
print(f"relative error of a float32 sum of n numbers in u, median of {DRAWS} draws")
print(f"{'n':>8}" + "".join(f"{name:>12}" for name in results[LONG]))
for n, errors in results.items():
    print(f"{n:8}" + "".join(f"{np.median(e):12.2f}" for e in errors.values()))
    assert max(errors["running"]) <= n, "the bound of the running sum"
    assert max(errors["halves"]) <= math.ceil(math.log2(n)), "the bound of halves"
    assert max(errors["kahan"]) <= 2 + 4 * n * U, "the bound of Kahan's sum"

rng = np.random.default_rng(SEED + 11)
print("\nrelative error of a float64 sum, by its condition number")
print(f"{'condition':>10}{'running':>12}{'Kahan':>12}{'Neumaier':>12}{'fsum':>12}")
by_condition = {}
for size in SIZES:
    condition, ill, rounded_once = ill_conditioned(size, rng)
    medians = [np.median(errors) for errors in ill.values()]
    by_condition[np.median(condition)] = medians
    print(f"{np.median(condition):10.0e}" + "".join(f"{e:12.0e}" for e in medians))
    assert rounded_once == DRAWS, "fsum is the exact sum, rounded once"
    u = 2.0**-53  # roundoff of float64
    nu = (2 * PAIRS + SMALL) * u
    bounds = {"running": nu * condition, "kahan": (2 + 4 * nu) * u * condition}
    bounds["neumaier"] = u + nu**2 * condition
    assert all((ill[name] <= bound).all() for name, bound in bounds.items()), "the bounds hold"

print()
print(f"draws: {DRAWS}")
for name, errors in results[LONG].items():
    tell(f"error_in_u_{name}", errors)
for name in ("running", "kahan"):
    growth = np.median(results[LONG][name]) / np.median(results[SHORT][name])
    print(f"error_growth_{name}_short_to_long: {growth:.3g}")
one_by_one, by_halves = partial_sums(LONG)
tell("partial_sums_over_total_running", one_by_one)
tell("partial_sums_over_total_halves", by_halves)
tell("condition_number", condition)
for name, errors in ill.items():
    tell(f"error_at_that_condition_{name}", errors)
print(f"sums_that_fsum_rounds_rightly: {rounded_once}")

print("\nchart: relative error of a float64 sum, by its condition number")
print("  condition number (log):", *(f"{number:.0e}" for number in by_condition))
names = "one by one", "Kahan", "Neumaier", "fsum"
for name, values in zip(names, zip(*by_condition.values())):
    print(f"  {name} (log):", *(f"{value:.1e}" for value in values))
print("  fa: خطای نسبی جمع در float64، بسته به عدد حالت; عدد حالت")
print("  fa: یکی‌یکی; کاهان; نویمایر; fsum")
