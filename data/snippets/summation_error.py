"""The error of a sum grows with n, with log n or not at all, by how it is added.

And every method but an exact one multiplies its error by the condition number of the sum,
the sum of the |x| over |the sum of the x|. Errors are in units of roundoff, u = 2**-24.
"""

import math
from fractions import Fraction

import numpy as np

LEVELS, TRIALS, U = 16, 32, 2.0**-24


def running(x):
    """Every prefix's sum, in one accumulator."""
    return np.add.accumulate(x)


def halves(x):
    """Each level of the tree of sums: neighbours, then sums of neighbours, up to the total."""
    levels = [x]
    while len(levels[-1]) > 1:
        levels.append(levels[-1][0::2] + levels[-1][1::2])
    return levels[1:]


def kahan(x):
    """Every prefix's sum; what the last addition lost is taken from the next number."""
    sums, total, lost = np.empty_like(x), np.zeros_like(x[0]), np.zeros_like(x[0])
    for sums_row, value in zip(sums, x):  # each step needs the one before
        value = value - lost
        sums_row[...] = total + value
        lost = (sums_row - total) - value
        total = sums_row
    return sums


def neumaier(x):
    """Every prefix's running sum, and beside it the sum of what all its additions lost."""
    sums = running(x)
    before, value, after = sums[:-1], x[1:], sums[1:]
    grown = after - before
    lost = (before - (after - grown)) + (value - grown)  # exact: Knuth's TwoSum
    sums[1:] += running(lost)
    return sums


def drawn(lines, rows=9, width=4):
    """One letter for each n and method, the error on a logarithmic axis."""
    picture = np.full((rows, width * LEVELS), " ")
    for mark, errors in lines.items():
        row = np.clip(np.round(rows - 3 - np.log2(errors)), 0, rows - 1).astype(int)
        picture[row, np.arange(LEVELS) * width + "rphkn".index(mark) % width] = mark
    for row, text in enumerate(picture):
        print(f"{2.0 ** (rows - 3 - row):6g} |" + "".join(text).rstrip())
    labels = (f"2^{k}" if k % 2 else "" for k in range(1, LEVELS + 1))
    print(f"{'n':>6}  " + "".join(f"{label:{width}}" for label in labels).rstrip())


x = np.random.default_rng(5).random((2**LEVELS, TRIALS), dtype=np.float32)
exact = np.add.accumulate(x, dtype=np.float64)  # multiples of 2^-24 below 2^17: never rounded
assert exact[-1, 0] == math.fsum(x[:, 0])
ends = 2 ** np.arange(1, LEVELS + 1) - 1
results = {
    "r": running(x)[ends],
    "p": np.repeat(running(x[0::2] + x[1::2]), 2, axis=0)[ends],
    "h": np.array([level[0] for level in halves(x)]),
    "k": kahan(x)[ends],
    "n": neumaier(x)[ends],
}
error = {m: np.abs(sums / exact[ends] - 1).mean(axis=1) / U for m, sums in results.items()}
print("mean relative error in u: r running, p pairs once, h halves, k Kahan")
drawn({m: error[m] for m in "rphk"})

one = x[:, 0].astype(np.float64)
partial = {"running": running(one), "halves": np.concatenate(halves(one))}
assert partial["running"].max() == partial["halves"].max() == one.sum()

rng = np.random.default_rng(11)
print("\nrelative error of a float64 sum, by its condition number")
print(f"{'condition':>10}{'running':>12}{'Kahan':>12}{'Neumaier':>12}{'fsum':>12}")
for size in 10.0 ** np.arange(0, 17, 4):
    large = rng.normal(size=(500, 1)) * size
    y = rng.permutation(np.vstack([large, -large, rng.random((24, 1))]))
    truth = sum(map(Fraction, y[:, 0]))
    sums = [method(y)[-1, 0] for method in (running, kahan, neumaier)] + [math.fsum(y[:, 0])]
    ill = [float(abs(Fraction(total) / truth - 1)) for total in sums]
    condition = np.abs(y).sum() / abs(float(truth))
    print(f"{condition:10.0e}" + "".join(f"{e:12.0e}" for e in ill))
assert ill[1] > 0.1 > 1e-14 > ill[2] and ill[3] <= 2.0**-53

print()
for name, mark in zip(("running", "pairs_once", "halves", "kahan", "neumaier"), "rphkn"):
    print(f"error_in_u_{name}: {error[mark][-1]:.3g}")
print(f"error_growth_running_256_times_n: {error['r'][15] / error['r'][7]:.3g}")
print(f"error_growth_kahan_256_times_n: {error['k'][15] / error['k'][7]:.3g}")
for name, sums in partial.items():
    print(f"partial_sums_over_total_{name}: {sums.sum() / one.sum():.6g}")
print(f"condition_number: {condition:.3g}")
for name, e in zip(("running", "kahan", "neumaier", "fsum"), ill):
    print(f"error_at_that_condition_{name}: {e:.2g}")
