"""The model that wins at default settings can lose once both are tuned.

Two models fit the same thirty noisy points: a polynomial of degree 3 and one of degree 15, both
with a ridge penalty. Choosing the model first and tuning it afterwards keeps the wrong one.
"""

import numpy as np

PENALTIES = 10.0 ** np.arange(-5, 3)
DEFAULT, DEGREES, REPEATS = 1e-3, (3, 15), 40


def truth(x):
    return np.sin(5 * x) / (1 + x**2)


def fit(x, y, degree, penalty):
    """Return Legendre coefficients of the ridge solution, by an augmented least squares."""
    basis = np.polynomial.legendre.legvander(x, degree)
    ridge = np.sqrt(penalty) * np.eye(degree + 1)
    target = np.append(y, np.zeros(degree + 1))
    return np.linalg.lstsq(np.vstack([basis, ridge]), target)[0]


def error(coefficients, x, y):
    return np.mean((np.polynomial.legendre.legval(x, coefficients) - y) ** 2)


rng = np.random.default_rng(13)
test_x = np.linspace(-1, 1, 1001)
validation, test = np.zeros((2, REPEATS, len(DEGREES), PENALTIES.size))
for r in range(REPEATS):
    x, x_valid = rng.uniform(-1, 1, size=30), rng.uniform(-1, 1, size=100)
    y, y_valid = (truth(v) + 0.3 * rng.normal(size=v.size) for v in (x, x_valid))
    for d, degree in enumerate(DEGREES):
        for p, penalty in enumerate(PENALTIES):
            fitted = fit(x, y, degree, penalty)
            validation[r, d, p] = error(fitted, x_valid, y_valid)
            test[r, d, p] = error(fitted, test_x, truth(test_x))

default = int(np.abs(PENALTIES - DEFAULT).argmin())
every = np.arange(REPEATS)
model = validation[:, :, default].argmin(axis=1)  # step 1: the better model at defaults
staged = test[every, model, validation[every, model].argmin(axis=1)]  # step 2: tune that one
flat = validation.reshape(REPEATS, -1).argmin(axis=1)  # both at once, by validation alone
joint = test.reshape(REPEATS, -1)[every, flat]

print("median validation error")
print(f"{'penalty':>10}" + "".join(f"{f'degree {d}':>12}" for d in DEGREES))
medians = np.median(validation, axis=0)
for penalty, row in zip(PENALTIES, medians.T):
    print(f"{penalty:10.0e}" + "".join(f"{v:12.3f}" for v in row))
assert medians[0, default] < medians[1, default] and medians[0].min() > medians[1].min()
assert np.median(joint) < np.median(staged)

print()
print(f"degree_3_wins_at_default: {np.sum(model == 0)}")
print(f"degree_3_wins_when_tuned: {np.sum(flat // PENALTIES.size == 0)}")
print(f"datasets: {REPEATS}")
print(f"median_error_model_first: {np.median(staged):.3g}")
print(f"median_error_searched_together: {np.median(joint):.3g}")
