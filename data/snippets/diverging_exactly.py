"""A large learning rate diverges in exact arithmetic too, and wrong labels harm no number.

What happens with fractions as well is no matter of rounding; a step too small for the format
is. What the data can do to the arithmetic: one NaN reaches every weight, and one feature in
UNITS that make its numbers a thousand times as large overflows at the same RATE.
"""

from fractions import Fraction

import numpy as np

SEED = 0  # parameter: 0 to 1_000_000_000
STEPS = 60
CURVATURE = 4  # parameter: 1 to 10
ROWS, FEATURES, RATE, FIT_STEPS = 500, 8, 0.1, 300
UNITS = 1000
SEEDS = 120  # 200 would take longer than the 5 s a program may
assert CURVATURE > 0, "a quadratic with a minimum"
assert 0 < STEPS <= 100, "more steps than 100 leave the range of float32"
assert ROWS > FEATURES > 1 and SEEDS > 0, "least squares needs more rows than features"


def descend(weight, rate):
    """Minimise CURVATURE * weight^2 / 2, in the arithmetic of what is passed in."""
    curvature = type(weight)(CURVATURE)
    for _ in range(STEPS):
        weight = weight - rate * (curvature * weight)
    return weight


def in_order(matrix, vector):
    """Their product without BLAS, which adds up in an order of its own."""
    return np.einsum("ij,j->i", matrix, vector)


def fit(x, y, product):
    """Least squares by gradient descent, in the precision of x."""
    weights, rate = np.zeros(x.shape[1], dtype=x.dtype), x.dtype.type(RATE / len(x))
    for _ in range(FIT_STEPS):
        before, residual = weights, product(x, weights) - y
        weights = before - rate * product(x.T, residual)
        if weights.tobytes() == before.tobytes():
            break  # not one bit has changed, nor would it in a further step
    return weights


def condition(x):
    """The condition number of the Hessian of least squares."""
    return np.linalg.cond(x.T @ x) if np.isfinite(x).all() else np.nan


def shared_digits(single, double):
    """Decimal digits on which the two agree, at most the 7.2 of float32."""
    if not np.isfinite([single, double]).all():
        return 0.0
    apart = np.abs(single - double).max() / np.abs(double).max()
    return -np.log10(np.clip(apart, 2.0**-24, 1))


def trained(seed):
    """Finite weights, condition and digits of each case, for data drawn from a seed."""
    rng = np.random.default_rng(SEED + seed)
    x = rng.normal(size=(ROWS, FEATURES))
    clean = x @ np.arange(1.0, FEATURES + 1) + rng.normal(size=ROWS)
    wrong = rng.permutation(clean)  # every label belongs to another example
    hole, units = x.copy(), x.copy()
    hole[0, 0] = np.nan
    units[:, 0] *= UNITS  # with 1000, metres become millimetres
    cases = {
        "clean": (x, clean),
        "wrong labels": (x, wrong),
        "one NaN": (hole, clean),
        "other units": (units, clean),
        "then scaled": (units / units.std(axis=0), clean),
    }
    kept = {}
    for name, (data, labels) in cases.items():
        with np.errstate(over="ignore", invalid="ignore"):
            single = fit(data.astype(np.float32), labels.astype(np.float32), in_order)
            double = fit(data, labels, np.dot)
        kept[name] = np.isfinite(single).sum(), condition(data), shared_digits(single, double)
    return kept


def tell(name, values):
    """Print the 5th percentile, the median and the 95th of all draws."""
    for place, value in zip(("p5", "median", "p95"), np.quantile(values, (0.05, 0.5, 0.95))):
        print(f"{name}_{place}: {value:.2g}")


bound = Fraction(2) / Fraction(CURVATURE)
print(f"weight after {STEPS} steps; the bound for the learning rate is {float(bound):.4g}")
print(f"{'rate':>8}{'exact':>16}{'float32':>16}{'relative error':>16}")
exact, error, sizes = {}, {}, {}
for share in (Fraction(1, 4), Fraction(15, 16), Fraction(17, 16), Fraction(3, 2)):
    rate = share * bound
    exact[share] = descend(Fraction(1), rate)
    rounded = descend(np.float32(1), np.float32(rate))
    sizes[float(rate)] = float(exact[share]), float(rounded)
    error[share] = abs(float(Fraction(float(rounded)) / exact[share] - 1))
    print(f"{float(rate):8.4g}{float(exact[share]):16.6e}{rounded:16.6e}{error[share]:16.1e}")
_, below, above, _ = exact
assert abs(exact[below]) < 1 < abs(exact[above]), "2/curvature parts the rates that converge"
# A step below half the spacing of the format is rounded away: this one is a matter of bits.
tiny = bound / 2**14
stuck = {t: descend(t(1), t(tiny)) for t in (Fraction, np.float16)}

runs = [trained(seed) for seed in range(SEEDS)]
print(f"\nleast squares by gradient descent, medians over {SEEDS} draws of the data:")
print("condition of the Hessian, digits that float32 and float64 share")
print(f"{'':18}{'finite weights':>16}{'condition':>12}{'digits':>10}")
for name in runs[0]:
    finite, kappa, digits = np.median([run[name] for run in runs], axis=0)
    print(f"{name:18}{finite:14.0f}/{FEATURES}{kappa:12.1e}{digits:10.1f}")
finite = {name: [run[name][0] for run in runs] for name in runs[0]}
growth = [run["other units"][1] / run["clean"][1] for run in runs]

print()
print(f"exact_weight_above_the_bound: {float(exact[above]):.6g}")
print(f"float32_error_above_the_bound: {error[above]:.2g}")
print(f"exact_weight_below_the_bound: {float(exact[below]):.6g}")
print(f"exact_weight_at_a_tiny_rate: {float(stuck[Fraction]):.4g}")
print(f"float16_weight_at_a_tiny_rate: {stuck[np.float16]:.4g}")
print(f"fewest_finite_weights_with_wrong_labels: {min(finite['wrong labels'])}")
tell("digits_with_right_labels", [run["clean"][2] for run in runs])
tell("digits_with_wrong_labels", [run["wrong labels"][2] for run in runs])
print(f"most_finite_weights_after_one_nan: {max(finite['one NaN'])}")
print(f"most_finite_weights_in_other_units: {max(finite['other units'])}")
print(f"fewest_finite_weights_scaled: {min(finite['then scaled'])}")
tell("condition_grows_with_other_units", growth)

print(f"\nchart: size of the weight after {STEPS} steps; it begins at 1")
print("  learning rate:", *(f"{rate:g}" for rate in sizes))
for name, values in zip(("in exact fractions", "in float32"), zip(*sizes.values())):
    print(f"  {name} (log):", *(f"{abs(value):.3g}" for value in values))
print("  fa: اندازهٔ وزن پس از ۶۰ گام؛ در آغاز ۱ است; نرخ یادگیری")
print("  fa: با کسر (دقیق); در float32")
