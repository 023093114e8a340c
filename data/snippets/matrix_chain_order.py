"""The order of a matrix product decides how many multiplications it takes.

Matrix multiplication is associative: (AB)C and A(BC) are the same matrix, but in floating
point each order rounds in its own way. Their costs differ, because the inner result is
100x200 in one order, 5x20 in the other. Multiplications are counted by the usual rule, not
timed: a count is the same on every machine.
"""

import numpy as np

SEED = 0  # parameter: 0 to 1_000_000_000


def multiply(left, right, tally):
    """Return left @ right and note in tally its multiplications and its additions."""
    products = left[:, :, None] * right  # products[i, j, k] = left[i, j] * right[j, k]
    result = products.sum(axis=1)
    tally.append((products.size, products.size - result.size))
    return result


def left_first(a, b, c):
    """(AB)C, with the multiplications and additions of its two steps."""
    tally = []
    return multiply(multiply(a, b, tally), c, tally), np.array(tally)


def right_first(a, b, c):
    """A(BC), with the multiplications and additions of its two steps."""
    tally = []
    return multiply(a, multiply(b, c, tally), tally), np.array(tally)


SHAPES, RUNS = ((100, 5), (5, 200), (200, 20)), 200
rng = np.random.default_rng(SEED)
differences, rounded_otherwise = np.empty((2, RUNS))
for run in range(RUNS):
    a, b, c = (rng.normal(size=shape) for shape in SHAPES)
    by_left, left_steps = left_first(a, b, c)
    by_right, right_steps = right_first(a, b, c)
    assert np.allclose(by_left, a @ b @ c)
    differences[run] = np.abs(by_left - by_right).max() / np.abs(by_left).max()
    rounded_otherwise[run] = np.mean(by_left != by_right)
assert differences.max() < 1e-12

whole = [rng.integers(-9, 10, size=shape) for shape in SHAPES]  # nothing is rounded here
whole_apart = np.abs(left_first(*whole)[0] - right_first(*whole)[0]).max()
huge = [np.full((1, 1), value, np.float32) for value in (1e30, 1e30, 1e-30)]
with np.errstate(over="ignore"):
    overflown = [np.isinf(order(*huge)[0]).item() for order in (left_first, right_first)]

print(", ".join(f"{name} is {m}x{n}" for name, (m, n) in zip("ABC", SHAPES)))
print(
    f"{'order':8}{'inner':>8}{'first step':>12}{'second step':>13}{'both':>9}{'and additions':>15}"
)
for order, inner, steps in (
    ("(AB)C", f"{len(a)}x{b.shape[1]}", left_steps),
    ("A(BC)", f"{len(b)}x{c.shape[1]}", right_steps),
):
    first, second = steps[:, 0]
    print(f"{order:8}{inner:>8}{first:12}{second:13}{first + second:9}{steps.sum():15}")

print("\nu, v, w of length n: (u v^T) w builds n by n numbers, u (v^T w) one")
print(f"{'n':>8}{'(u v^T) w':>12}{'u (v^T w)':>12}{'ratio':>8}")
for n in (10, 100, 1000):
    u, v, w = rng.normal(size=(3, n, 1))
    costs = [order(u, v.T, w)[1][:, 0].sum() for order in (left_first, right_first)]
    assert costs == [2 * n * n, 2 * n]
    print(f"{n:8}{costs[0]:12}{costs[1]:12}{costs[0] / costs[1]:8.0f}")

left, right = left_steps[:, 0].sum(), right_steps[:, 0].sum()
print()
print(f"left_first_multiplications: {left}")
print(f"right_first_multiplications: {right}")
print(f"speedup: {left / right:.6g}")
print(f"left_first_with_additions: {left_steps.sum()}")
print(f"right_first_with_additions: {right_steps.sum()}")
print(f"relative_difference_of_results_highest: {differences.max():.1e}")
for name, value in zip(("p5", "median", "p95"), np.quantile(rounded_otherwise, (0.05, 0.5, 0.95))):
    print(f"entries_rounded_otherwise_{name}: {value:.3g}")
print(f"difference_of_whole_numbers: {whole_apart}")
print(f"left_first_overflows_in_float32: {int(overflown[0])}")
print(f"right_first_overflows_in_float32: {int(overflown[1])}")
