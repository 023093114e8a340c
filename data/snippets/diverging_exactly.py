"""A large learning rate diverges in exact arithmetic too, and wrong labels harm no number.

What happens with fractions as well is no matter of rounding. What the data can do to the
arithmetic: one NaN reaches every weight, and one feature in other units overflows.
"""

from fractions import Fraction

import numpy as np

CURVATURE, STEPS = 4, 60


def descend(weight, rate):
    """Minimise CURVATURE * weight^2 / 2, in the arithmetic of what is passed in."""
    for _ in range(STEPS):
        weight = weight - rate * (CURVATURE * weight)
    return weight


def fit(x, y, rate=0.1, steps=300):
    """Least squares by gradient descent, in the precision of x."""
    weights = np.zeros(x.shape[1], dtype=x.dtype)
    for _ in range(steps):
        residual = np.einsum("ij,j->i", x, weights) - y
        weights = weights - x.dtype.type(rate / len(x)) * np.einsum("ij,i->j", x, residual)
    return weights


def condition(x):
    """The condition number of the Hessian of least squares."""
    return np.linalg.cond(x.T @ x)


print(f"weight after {STEPS} steps; the bound for the learning rate is 2/{CURVATURE} = 0.5")
print(f"{'rate':>6}{'exact':>16}{'float32':>16}{'relative error':>16}")
exact, error = {}, {}
for rate in (Fraction(1, 8), Fraction(15, 32), Fraction(17, 32), Fraction(3, 4)):
    exact[rate] = descend(Fraction(1), rate)
    rounded = descend(np.float32(1), np.float32(rate))
    error[rate] = abs(float(Fraction(float(rounded)) / exact[rate] - 1))
    print(f"{float(rate):6.3f}{float(exact[rate]):16.6e}{rounded:16.6e}{error[rate]:16.1e}")
_, below, above, _ = exact
assert abs(exact[below]) < 1 < abs(exact[above]) and max(error.values()) < 1e-5

rng = np.random.default_rng(7)
x = rng.normal(size=(500, 8))
clean = x @ np.arange(1.0, 9.0) + rng.normal(size=500)
wrong = rng.permutation(clean)  # every label belongs to another example
hole, units = x.copy(), x.copy()
hole[0, 0] = np.nan
units[:, 0] *= 1000  # metres become millimetres
cases = {
    "clean": (x, clean),
    "wrong labels": (x, wrong),
    "one NaN in 4000": (hole, clean),
    "other units": (units, clean),
    "then scaled": (units / units.std(axis=0), clean),
}
print("\nleast squares by gradient descent: digits float32 and float64 share")
print(f"{'':18}{'finite weights':>16}{'condition':>12}{'digits':>10}")
finite, digits = {}, {}
for name, (data, labels) in cases.items():
    with np.errstate(over="ignore", invalid="ignore"):
        single = fit(data.astype(np.float32), labels.astype(np.float32))
        double = fit(data, labels)
    finite[name] = np.isfinite(single).sum()
    known = finite[name] == 8
    apart = np.abs(single - double).max() / np.abs(double).max() if known else 1
    digits[name] = int(-np.log10(apart))
    shown = f"{condition(data):12.1e}" if np.isfinite(data).all() else f"{'-':>12}"
    print(f"{name:18}{finite[name]:14}/8{shown}" + f"{digits[name]:10}")
assert digits["wrong labels"] > 4 and finite["then scaled"] == 8

print()
print(f"exact_weight_above_the_bound: {float(exact[above]):.6g}")
print(f"float32_error_above_the_bound: {error[above]:.2g}")
print(f"exact_weight_below_the_bound: {float(exact[below]):.6g}")
print(f"finite_weights_with_wrong_labels: {finite['wrong labels']}")
print(f"digits_agreeing_with_wrong_labels: {digits['wrong labels']}")
print(f"finite_weights_after_one_nan: {finite['one NaN in 4000']}")
print(f"finite_weights_in_other_units: {finite['other units']}")
print(f"finite_weights_scaled: {finite['then scaled']}")
print(f"condition_grows_with_other_units: {condition(units) / condition(x):.2g}")
