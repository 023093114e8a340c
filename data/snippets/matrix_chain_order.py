"""The order of a matrix product decides how many multiplications it takes.

Matrix multiplication is associative: (AB)C and A(BC) are the same matrix. Their
costs differ, because the inner result is 100x200 in one order, 5x20 in the other.
Multiplications are counted, not timed: a count is the same on every machine.
"""

import numpy as np


def multiply(left, right, tally):
    """Return left @ right and note in tally how many scalar products it is made of."""
    products = left[:, :, None] * right  # products[i, j, k] = left[i, j] * right[j, k]
    tally.append(products.size)
    return products.sum(axis=1)


def left_first(a, b, c):
    """(AB)C, with the multiplications of its two steps."""
    tally = []
    return multiply(multiply(a, b, tally), c, tally), tally


def right_first(a, b, c):
    """A(BC), with the multiplications of its two steps."""
    tally = []
    return multiply(a, multiply(b, c, tally), tally), tally


rng = np.random.default_rng(0)
a, b, c = (rng.normal(size=shape) for shape in ((100, 5), (5, 200), (200, 20)))

by_left, left_steps = left_first(a, b, c)
by_right, right_steps = right_first(a, b, c)
difference = np.abs(by_left - by_right).max() / np.abs(by_left).max()
assert difference < 1e-12
assert np.allclose(by_left, a @ b @ c)

print("A is 100x5, B is 5x200, C is 200x20")
print(f"{'order':8}{'inner':>8}{'first step':>12}{'second step':>13}{'both':>10}")
for order, inner, (first, second) in (
    ("(AB)C", f"{len(a)}x{b.shape[1]}", left_steps),
    ("A(BC)", f"{len(b)}x{c.shape[1]}", right_steps),
):
    print(f"{order:8}{inner:>8}{first:12}{second:13}{first + second:10}")

print("\nu, v, w of length n: (u v^T) w builds n by n numbers, u (v^T w) one")
print(f"{'n':>8}{'(u v^T) w':>12}{'u (v^T w)':>12}{'ratio':>8}")
for n in (10, 100, 1000):
    u, v, w = rng.normal(size=(3, n, 1))
    costs = [sum(order(u, v.T, w)[1]) for order in (left_first, right_first)]
    assert costs == [2 * n * n, 2 * n]
    print(f"{n:8}{costs[0]:12}{costs[1]:12}{costs[0] / costs[1]:8.0f}")

print()
print(f"left_first_multiplications: {sum(left_steps)}")
print(f"right_first_multiplications: {sum(right_steps)}")
print(f"speedup: {sum(left_steps) / sum(right_steps):.6g}")
print(f"relative_difference_of_results: {difference:.1e}")
